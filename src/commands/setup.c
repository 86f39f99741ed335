/* SPDX-License-Identifier: MIT */
/*
 * setup: prints configuration that makes other programs use viatty: the lines of setup.def, or
 * src/setup/NAME.*, compiled in as one text each (see the Makefile). Directives:
 *
 *	@>=3.2 LINE    LINE, for version 3.2 and later of the program; @<3.2 for earlier ones.
 *	               Several conditions must all be true.
 *	@VERSION@      the version, within a line
 *	@VIATTY@       the path of viatty as a word of sh, quoted if necessary
 *	@PATH@         the same path, never quoted
 */
#include "commands/command.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *for_version;

static const struct option_spec options[] = {
	VALUE(OPTION_TEXT, 0, "for", "VERSION",
	    "print lines for VERSION, not the installed one", for_version),
	{ .kind = OPTION_END }
};

/* ---- programs ----------------------------------------------------------- */

#define SETUP(name, ...) extern const char snippet_##name[];
#define LINES(...)
#include "commands/setup.def"
#undef LINES
#undef SETUP

static const struct program {
	const char *command; /* NULL: of the same name */
	const char *snippet;
	const char *const *version; /* the command that prints it; NULL: not needed */
	const char *what;
} programs[] = {
#define ANY NULL
#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }
#define SETUP(name, command_, version_, what_) \
	{ command_, snippet_##name, version_, what_ },
#define LINES(name, command_, what_, lines) { command_, lines, ANY, what_ },
#include "commands/setup.def"
#undef LINES
#undef SETUP
#undef WORDS
#undef ANY
};

static const char *const program_names[] = {
#define SETUP(name_, ...) #name_,
#define LINES(name_, ...) #name_,
#include "commands/setup.def"
#undef LINES
#undef SETUP
	NULL
};

enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

static const struct program *
find_setup_program(const char *word)
{
	struct closest closest = { .word = word };
	size_t i;

	closest_add_words(&closest, program_names);
	for (i = 0; i < PROGRAMS; i++) {
		if (strcmp(word, program_names[i]) == 0 || text_equal(word, programs[i].command))
			return &programs[i];
		if (programs[i].command != NULL)
			closest_add(&closest, programs[i].command);
	}
	die(STATUS_USAGE, "unknown program %s\n"
	    "%sviatty setup lists the programs; viatty-setup(1) has lines for more",
	    text_quote(word).text,
	    closest_suggestion(&closest, "").text);
}

/*
 * The installed version, or the newest if there is none. A program whose configuration is
 * the same for every version is not run: shells read theirs at every start.
 */
static struct version
choose_version(const struct program *program)
{
	enum { ANSWER_MAX = 64 * 1024, ANSWER_MS = 3000 };
	const struct subprocess_command command = { .arguments = program->version };
	struct version version = version_newest;
	struct buf answer;

	if (for_version != NULL && !version_find(&version, for_version))
		die(STATUS_USAGE, "--for takes a version such as 3.3a, not %s",
		    text_quote(for_version).text);
	if (for_version != NULL || program->version == NULL)
		return version;
	buf_init(&answer, ANSWER_MAX);
	if (subprocess_run_command(&command, "", 0, &answer, NULL, ANSWER_MS) == 0 &&
	    buf_add(&answer, "", 1))
		version_find(&version, (char *)answer.data);
	buf_free(&answer);
	return version;
}

/* ---- the path of viatty ------------------------------------------------- */

static bool
leads_to(const char *path, const struct stat *program)
{
	struct stat there;

	return stat(path, &there) == 0 && there.st_dev == program->st_dev &&
	    there.st_ino == program->st_ino;
}

/*
 * The absolute path of the running program: preferably the one found in PATH, because an
 * upgrade may move the file itself. Returns false if it is unknown.
 */
static bool
own_path(char path[PATH_MAX])
{
	const char *folders = environment_get("PATH");
	char self[PROCESS_PATH];
	struct stat program;
	ssize_t n;

	if (!process_program(self, getpid()) || stat(self, &program) != 0)
		return false;
	while (program_candidate(path, PATH_MAX, &folders, "viatty"))
		if (path[0] == '/' && leads_to(path, &program))
			return true;
	/* on Linux `self` is a link, to "FILE (deleted)" if the file is gone */
	n = readlink(self, path, PATH_MAX - 1);
	if (n < 0)
		return text_copy(path, PATH_MAX, self);
	path[n] = '\0';
	return leads_to(path, &program);
}

/* Whether it has no character that a shell, tmux or an editor interprets within quotes. */
static bool
is_literal(const char *path)
{
	const char *at;

	for (at = path; *at != '\0'; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f ||
		    strchr("'\"\\$`#%~^", *at) != NULL)
			return false;
	return true;
}

/* ---- the snippet -------------------------------------------------------- */

/* Whether `line` is for this version; if so, moves `*line` past the conditions. */
static bool
applies(const char **line, const struct version *version)
{
	struct version limit;
	bool at_least;

	while (text_begins(*line, "@>=") || text_begins(*line, "@<")) {
		at_least = (*line)[1] == '>';
		if (!version_find(&limit, *line) ||
		    version_is_at_least(version, &limit) != at_least)
			return false;
		*line += strcspn(*line, " \n");
		*line += **line == ' ';
	}
	return true;
}

/* A replacement for a word between two @; the last one is for any other @. */
struct token {
	const char *word, *text;
};

static void
replace_tokens(struct buf *out, const char *text, const struct token *tokens)
{
	const struct token *token;
	const char *at;

	out->len = 0;
	for (; (at = strchr(text, '@')) != NULL; text = at + strlen(token->word)) {
		buf_add(out, text, (size_t)(at - text));
		for (token = tokens; token->word[1] != '\0' && !text_begins(at, token->word);
		    token++)
			continue;
		buf_add_string(out, token->text);
	}
	buf_add_string(out, text);
	buf_add(out, "", 1);
}

static void
add_snippet(struct buf *text, const char *name)
{
	const struct program *program = find_setup_program(name);
	struct version version = choose_version(program);
	char path[PATH_MAX], word[PATH_MAX + 2];
	const struct token tokens[] = { { "@VERSION@", version.name }, { "@VIATTY@", word },
		{ "@PATH@", path }, { "@", "@" } };
	bool known = own_path(path), literal = !known || is_literal(path);
	struct buf snippet = BUF_EMPTY;
	const char *line, *next, *quote;

	if (!known || !literal)
		text_copy(path, sizeof(path), "viatty");
	quote = path[strspn(path, TEXT_ALNUM "/._+-")] == '\0' ? "" : "'";
	snprintf(word, sizeof(word), "%s%s%s", quote, path, quote);
	replace_tokens(&snippet, program->snippet, tokens);
	for (line = (const char *)snippet.data; *line != '\0'; line = next) {
		next = line + strcspn(line, "\n") + 1;
		if (applies(&line, &version))
			buf_add(text, line, (size_t)(next - line));
	}
	buf_free(&snippet);
	/* without the path, the other program has to find viatty in its PATH */
	if (!literal && (strstr(program->snippet, "@VIATTY@") != NULL ||
	    strstr(program->snippet, "@PATH@") != NULL))
		warn("viatty is named without its path, which has a character that cannot be "
		    "quoted: ' \" \\ $ ` # %% ~ ^ or a control character\n"
		    "install viatty in a directory without them, or see that it is in the "
		    "PATH of the other program");
}

static int
setup_run(struct call *call)
{
	struct buf text = BUF_EMPTY;
	size_t i;

	if (call->count > 1)
		die(STATUS_USAGE, "more than one program given");
	if (call->count == 1)
		add_snippet(&text, call->operand[0]);
	for (i = 0; call->count == 0 && i < PROGRAMS; i++)
		buf_format(&text, "%-9s %s\n", program_names[i], programs[i].what);
	stream_output(text.data, text.len);
	buf_free(&text);
	return STATUS_DONE;
}

const struct command command_setup = {
	.name = "setup",
	.group = "Setup",
	.operands = "[PROGRAM]",
	.summary = "print configuration for tmux, vim, bash and others",
	.options = options,
	.refused = "tty wrap route term timeout no-probe print json force",
	.refused_why = "setup prints configuration and sends nothing",
	.words = program_names,
	.examples = {
		{ "viatty setup", "list the programs" },
		{ "viatty setup screen >> ~/.screenrc", "copy from Screen" },
	},
	.run = setup_run,
};
