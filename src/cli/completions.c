/* SPDX-License-Identifier: MIT */
/*
 * The generator: shell completions from the table of commands, and the page
 * of terminals from theirs. A program of its own that is built for `make
 * generated` and never installed; `completions table` prints the table of
 * commands for checks.
 */
#include "cli/cli.h"
#include "cli/names.h"
#include "cli/terminals_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GENERATED "# Generated from the table of commands by build/completions.\n"

/* The second name of the program, and the command it stands for. */
#define other_name (other_names[0].name)
#define other_command (other_names[0].command)

/* ---- what all of them need ---------------------------------------------- */

static bool
has_choices(const struct option *option)
{
	return option->words != NULL || option->completion == COMPLETE_TERMINAL;
}

/* With spaces between. */
static void
put_words(const char *const *words)
{
	size_t i;

	for (i = 0; words[i] != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", words[i]);
}

/* All that the value can be. */
static void
put_choices(const struct option *option)
{
	size_t i;

	if (option->words != NULL)
		put_words(option->words);
	else
		for (i = 0; i < terminal_count(); i++)
			printf("%s%s", i > 0 ? " " : "", terminal_at(i)->id);
}

static void
put_commands(void)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", commands[i]->name);
}

/* Those whose operands are a command line. */
static void
put_commands_that_take_one(void)
{
	const char *space = "";
	size_t i;

	for (i = 0; commands[i] != NULL; i++) {
		if (!commands[i]->takes_command)
			continue;
		printf("%s%s", space, commands[i]->name);
		space = " ";
	}
}

/* ---- bash --------------------------------------------------------------- */

static const char bash_function[] =
	"_viatty()\n"
	"{\n"
	"\tlocal current=${COMP_WORDS[COMP_CWORD]} command='' options='' values=''\n"
	"\tlocal operands='' option='' prefix='' ended='' first='' word i\n"
	"\n"
	"\tCOMPREPLY=()\n"
	"\t[[ ${COMP_WORDS[0]##*/} == %s ]] && command=%s\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tword=${COMP_WORDS[i]} option=''\n"
	"\t\tif [[ $word == -- ]]; then\n"
	"\t\t\tended=yes first=$((i + 1))\n"
	"\t\t\tbreak\n"
	"\t\telif [[ $word == '=' ]]; then\n"
	"\t\t\t# --option=value comes as three words\n"
	"\t\t\toption=${COMP_WORDS[i - 1]}=\n"
	"\t\t\t((i++))\n"
	"\t\telif [[ $word == -* && ${COMP_WORDS[i + 1]} != '=' ]]; then\n"
	"\t\t\t_viatty_values \"$command\" \"$word\" || continue\n"
	"\t\t\toption=$word\n"
	"\t\t\t((i++))\n"
	"\t\telif [[ -z $command && \" $_viatty_commands \" == *\" $word \"* ]]; then\n"
	"\t\t\tcommand=$word\n"
	"\t\telif [[ \" $_viatty_takes_command \" == *\" $command \"* ]]; then\n"
	"\t\t\t# what follows is a command line of its own\n"
	"\t\t\tended=yes first=$i\n"
	"\t\t\tbreak\n"
	"\t\tfi\n"
	"\tdone\n"
	"\t# what was skipped as a value is the current word if it ran past it\n"
	"\t((i > COMP_CWORD)) || option=''\n"
	"\t((COMP_CWORD > ${first:-COMP_CWORD})) || first=''\n"
	"\tif [[ -z $ended && $current == '=' ]]; then\n"
	"\t\toption=${COMP_WORDS[COMP_CWORD - 1]}= current=\n"
	"\telif [[ -z $ended && -z $option && $current == --*=* ]]; then\n"
	"\t\toption=${current%%%%=*}= prefix=$option current=${current#*=}\n"
	"\tfi\n"
	"\n"
	"\t_viatty_options \"$command\"\n"
	"\tif [[ -n $option ]]; then\n"
	"\t\t_viatty_values \"$command\" \"$option\" ||\n"
	"\t\t\t_viatty_values \"$command\" \"${option%%=}\"\n"
	"\telif [[ -z $ended && $current == -* ]]; then\n"
	"\t\tvalues=$options\n"
	"\telif [[ -z $command ]]; then\n"
	"\t\tvalues=$_viatty_commands\n"
	"\telse\n"
	"\t\tvalues=$operands\n"
	"\tfi\n"
	"\tif [[ $values == COMMAND && -z $first ]]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$current\")\n"
	"\telif [[ $values == COMMAND ]] && declare -F _command_offset >/dev/null; then\n"
	"\t\t_command_offset \"$first\"\n"
	"\telif [[ $values == COMMAND || $values == FILES ]]; then\n"
	"\t\tcompopt -o default\n"
	"\telse\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -P \"$prefix\" -W \"$values\" \\\n"
	"\t\t\t-- \"$current\")\n"
	"\tfi\n"
	"}\n"
	"complete -F _viatty viatty %s\n";

/* All spellings; those of an optional value have it joined by `=`. */
static void
bash_spellings(const struct option *option)
{
	size_t i;

	if (option->letter != '\0')
		printf(" -%c", option->letter);
	printf(" --%s", option->name);
	for (i = 0; option->kind == OPTION_MAYBE_WORD &&
	    option->words[i] != NULL; i++)
		printf(" --%s=%s", option->name, option->words[i]);
}

static void
bash_options(const struct option *options)
{
	for (; options->kind != OPTION_END; options++)
		bash_spellings(options);
}

/* `scope` is a command, or * for all of them. */
static void
bash_pattern(const char *scope, const struct option *option)
{
	bool joined = option->kind == OPTION_MAYBE_WORD;

	if (option->letter != '\0' && !joined)
		printf("%s' -%c' | ", scope, option->letter);
	printf("%s' --%s%s')", scope, option->name, joined ? "=" : "");
}

static void
bash_values(const char *scope, const struct option *options)
{
	for (; options->kind != OPTION_END; options++) {
		if (options->kind == OPTION_FLAG)
			continue;
		printf("\t");
		bash_pattern(scope, options);
		printf(" values='");
		if (options->completion == COMPLETE_FILE)
			printf("FILES");
		else if (has_choices(options))
			put_choices(options);
		printf("' ;;\n");
	}
}

static void
bash_operands(const struct command *command)
{
	if (command->words != NULL)
		put_words(command->words);
	else if (command->completion == COMPLETE_COMMAND)
		printf("COMMAND");
	else if (command->completion == COMPLETE_FILE)
		printf("FILES");
}

static void
bash(void)
{
	size_t i;

	printf("# Completion of viatty and %s in bash, version 4 or later.\n"
	    GENERATED "\n_viatty_commands='", other_name);
	put_commands();
	printf("'\n_viatty_takes_command='");
	put_commands_that_take_one();
	printf("'\n\n# What can follow command $1: sets options and operands.\n"
	    "_viatty_options()\n{\n\toptions='");
	bash_options(global_options);
	printf("'\n\tcase $1 in\n");
	for (i = 0; commands[i] != NULL; i++) {
		printf("\t%s)\n\t\toptions+='", commands[i]->name);
		bash_options(commands[i]->options);
		printf("'\n\t\toperands='");
		bash_operands(commands[i]);
		printf("' ;;\n");
	}
	printf("\tesac\n}\n\n"
	    "# What option $2 of command $1 can be set to: sets values. Fails "
	    "for an option\n# without a value; one whose value is optional ends "
	    "in = here.\n_viatty_values()\n{\n\tcase \"$1 $2\" in\n");
	bash_values("*", global_options);
	for (i = 0; commands[i] != NULL; i++)
		bash_values(commands[i]->name, commands[i]->options);
	printf("\t*) return 1 ;;\n\tesac\n}\n\n");
	printf(bash_function, other_name, other_command, other_name);
}

/* ---- zsh ---------------------------------------------------------------- */

static const char zsh_function[] =
	"\n"
	"_viatty() {\n"
	"  local curcontext=$curcontext state state_descr line ret=1\n"
	"  typeset -A opt_args\n"
	"\n"
	"  if [[ $service == %s ]]; then\n"
	"    _viatty_%s\n"
	"    return\n"
	"  fi\n"
	"  _arguments -C -s -S -A '-*' $_viatty_globals \\\n"
	"    '1:command:->command' '*::operand:->operand' && ret=0\n"
	"  case $state in\n"
	"  command)\n"
	"    _describe -t commands command _viatty_commands && ret=0 ;;\n"
	"  operand)\n"
	"    curcontext=${curcontext%%:*:*}:viatty-$words[1]:\n"
	"    (( $+functions[_viatty_$words[1]] )) && _viatty_$words[1] && ret=0 ;;\n"
	"  esac\n"
	"  return ret\n"
	"}\n"
	"\n"
	"_viatty \"$@\"\n";

/* What _arguments reads itself, and what _describe does. */
static const char specification[] = ":[]\\", description[] = ":\\";

/* Between single quotes. */
static void
zsh_text(const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			printf("'\\'");
		else if (strchr(special, *text) != NULL)
			putchar('\\');
		putchar(*text);
	}
}

static void
zsh_argument(const struct option *option)
{
	if (option->argument == NULL)
		return;
	printf(option->kind == OPTION_MAYBE_WORD ? "::" : ":");
	zsh_text(option->argument, specification);
	if (has_choices(option)) {
		printf(":(");
		put_choices(option);
		printf(")");
	} else {
		printf(":%s", option->completion == COMPLETE_FILE ? "_files" : " ");
	}
}

/* One spelling: `mark` says how the value is joined to it. */
static void
zsh_spelling(const struct option *option, const char *dashes, const char *name,
    const char *mark)
{
	printf("    '");
	if (option->kind == OPTION_LIST)
		printf("*");
	else if (option->letter != '\0')
		printf("(-%c --%s)", option->letter, option->name);
	printf("%s%s%s[", dashes, name, option->kind == OPTION_FLAG ? "" : mark);
	zsh_text(option->help, specification);
	printf("]");
	zsh_argument(option);
	printf("'\n");
}

static void
zsh_options(const struct option *options)
{
	for (; options->kind != OPTION_END; options++) {
		const char letter[2] = { options->letter, '\0' };
		bool maybe = options->kind == OPTION_MAYBE_WORD;

		if (options->letter != '\0')
			zsh_spelling(options, "-", letter, maybe ? "-" : "+");
		zsh_spelling(options, "--", options->name, maybe ? "=-" : "=");
	}
}

/* A mere hint at an operand must not stand in the way of an option. */
static void
zsh_operands(const struct command *command)
{
	if (command->operands == NULL)
		return;
	if (command->completion == COMPLETE_COMMAND) {
		printf("    '(-):command: _command_names -e'\n"
		    "    '*::argument: _normal'\n");
		return;
	}
	printf("    '*:");
	zsh_text(command->operands, specification);
	if (command->words != NULL) {
		printf(":(");
		put_words(command->words);
		printf(")'\n");
		return;
	}
	printf(":%s'\n", command->completion == COMPLETE_FILE ? "_files" :
	    "_guard \"^-*\" operand");
}

static void
zsh_command(const struct command *command)
{
	printf("\n_viatty_%s() {\n  local -a specs=(\n", command->name);
	zsh_options(command->options);
	zsh_operands(command);
	printf("  )\n  _arguments -s -S $_viatty_globals $specs\n}\n");
}

static void
zsh(void)
{
	size_t i;

	printf("#compdef viatty %s\n# Completion of viatty and %s in zsh.\n"
	    GENERATED "\ntypeset -ga _viatty_globals=(\n", other_name,
	    other_name);
	zsh_options(global_options);
	printf("  )\n\ntypeset -ga _viatty_commands=(\n");
	for (i = 0; commands[i] != NULL; i++) {
		printf("    '%s:", commands[i]->name);
		zsh_text(commands[i]->summary, description);
		printf("'\n");
	}
	printf("  )\n");
	for (i = 0; commands[i] != NULL; i++)
		zsh_command(commands[i]);
	printf(zsh_function, other_name, other_command);
}

/* ---- fish --------------------------------------------------------------- */

static const char fish_function[] =
	"# Whether the command given so far is this one; '' asks for none.\n"
	"function __viatty_command_is\n"
	"    set -l found ''\n"
	"    set -l is_value no\n"
	"    for word in (commandline -opc)[2..-1]\n"
	"        if test $is_value = yes\n"
	"            set is_value no\n"
	"        else if contains -- $word $__viatty_with_value\n"
	"            set is_value yes\n"
	"        else if contains -- $word $__viatty_commands\n"
	"            set found $word\n"
	"            break\n"
	"        end\n"
	"    end\n"
	"    test \"$found\" = \"$argv[1]\"\n"
	"end\n"
	"\n"
	"# Whether an operand is completed and not an option.\n"
	"function __viatty_is_operand\n"
	"    not string match -q -- '-*' (commandline -ct)\n"
	"end\n";

static void
fish_text(const char *text)
{
	putchar('\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
	putchar('\'');
}

/* `scope` is the command that has to stand there; "": none; NULL: no matter. */
static void
fish_begin(const char *program, const char *scope)
{
	printf("complete -c %s", program);
	if (scope != NULL)
		printf(" -n '__viatty_command_is %s'",
		    scope[0] != '\0' ? scope : "\"\"");
}

static void
fish_value(const struct option *option)
{
	if (option->kind == OPTION_FLAG)
		return;
	if (option->completion == COMPLETE_FILE)
		printf(" -r -F");
	else if (option->kind != OPTION_MAYBE_WORD)
		printf(" -x");
	if (has_choices(option)) {
		printf(" -a '");
		put_choices(option);
		printf("'");
	}
}

static void
fish_options(const char *program, const char *scope,
    const struct option *options)
{
	for (; options->kind != OPTION_END; options++) {
		fish_begin(program, scope);
		if (options->letter != '\0')
			printf(" -s %c", options->letter);
		printf(" -l %s", options->name);
		fish_value(options);
		printf(" -d ");
		fish_text(options->help);
		printf("\n");
	}
}

/* Those whose value is the next word. */
static void
fish_options_with_value(const struct option *option)
{
	for (; option->kind != OPTION_END; option++) {
		if (option->kind == OPTION_FLAG ||
		    option->kind == OPTION_MAYBE_WORD)
			continue;
		if (option->letter != '\0')
			printf(" -%c", option->letter);
		printf(" --%s", option->name);
	}
}

static void
fish_operands(const char *program, const char *scope,
    const struct command *command)
{
	if (command->completion != COMPLETE_FILE &&
	    command->completion != COMPLETE_COMMAND && command->words == NULL)
		return;
	printf("complete -c %s -n '", program);
	if (scope != NULL)
		printf("__viatty_command_is %s; and ", scope);
	printf("__viatty_is_operand'");
	if (command->words != NULL) {
		printf(" -a '");
		put_words(command->words);
		printf("'\n");
		return;
	}
	if (command->completion == COMPLETE_FILE) {
		printf(" -F\n");
		return;
	}
	printf(" -x -a '(__fish_complete_subcommand --fcs-skip=2 "
	    "$__viatty_with_value");
	fish_options_with_value(command->options);
	printf(")'\n");
}

static void
fish_list_of_value_options(void)
{
	printf("set -g __viatty_with_value");
	fish_options_with_value(global_options);
	printf("\n\n");
}

static void
fish(void)
{
	const struct command *other = command_find(other_command);
	size_t i;

	printf("# Completion of viatty and %s in fish.\n" GENERATED
	    "\nset -g __viatty_commands ", other_name);
	put_commands();
	printf("\n");
	fish_list_of_value_options();
	printf("%s\ncomplete -c viatty -f\n", fish_function);
	for (i = 0; commands[i] != NULL; i++) {
		fish_begin("viatty", "");
		printf(" -a %s -d ", commands[i]->name);
		fish_text(commands[i]->summary);
		printf("\n");
	}
	fish_options("viatty", NULL, global_options);
	for (i = 0; commands[i] != NULL; i++) {
		printf("\n");
		fish_options("viatty", commands[i]->name, commands[i]->options);
		fish_operands("viatty", commands[i]->name, commands[i]);
	}
	printf("\ncomplete -c %s -f\n", other_name);
	fish_options(other_name, NULL, global_options);
	fish_options(other_name, NULL, other->options);
	fish_operands(other_name, NULL, other);
}

/* ---- the table itself --------------------------------------------------- */

static const char *const kinds[] = {
	[OPTION_FLAG] = "flag", [OPTION_TEXT] = "text", [OPTION_LIST] = "list",
	[OPTION_SIZE] = "size", [OPTION_SECONDS] = "seconds",
	[OPTION_WORD] = "word", [OPTION_MAYBE_WORD] = "maybe-word",
};

static void
table_options(const char *command, const struct option *options)
{
	for (; options->kind != OPTION_END; options++) {
		const char letter[3] = { '-', options->letter, '\0' };

		printf("%s\t%s\t--%s\t%s\t%s\n", command, letter, options->name,
		    options->argument != NULL ? options->argument : "-",
		    kinds[options->kind]);
	}
}

/* A command: name, operands, summary. An option: see below; `-` is none. */
static void
table(void)
{
	size_t i;

	/* COMMAND, -l, --long, ARGUMENT, kind */
	table_options("-", global_options);
	for (i = 0; commands[i] != NULL; i++) {
		printf("%s\t%s\t%s\n", commands[i]->name,
		    commands[i]->operands != NULL ? commands[i]->operands : "-",
		    commands[i]->summary);
		table_options(commands[i]->name, commands[i]->options);
	}
}

/* ---- the program -------------------------------------------------------- */

static const struct {
	const char *name;
	void (*print)(void);
} generators[] = {
	{ "bash", bash }, { "zsh", zsh }, { "fish", fish }, { "table", table },
	{ "terminals", terminals_page },
};

int
main(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < sizeof(generators) / sizeof(generators[0]); i++) {
		if (argc != 2 || strcmp(argv[1], generators[i].name) != 0)
			continue;
		generators[i].print();
		return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS :
		    EXIT_FAILURE;
	}
	fputs("usage: completions bash|zsh|fish|table|terminals\n", stderr);
	return 2;
}
