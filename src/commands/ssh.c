/* SPDX-License-Identifier: MIT */
/*
 * ssh: installs viatty and the terminal's description on a host that lacks them, then runs ssh
 * in a relay. Separate calls of ssh, which share one connection, check the host and send the
 * files. Their output is neither shown nor trusted: one line of fixed form is read.
 */
#include "commands/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* of ssh itself, for an error: ssh(1) */
enum { SSH_FAILED = 255 };

static struct {
	bool no_install;
} opt;

static const struct option_spec options[] = {
	FLAG(0, "no-install", "leave the host as it is", opt.no_install),
	{ .kind = OPTION_END }
};

/* ---- the command line of ssh ---------------------------------------------------- */

/* ssh(1) of OpenSSH 9.9 */
static const char with_value[] = "BbcDEeFIiJLlmOoPpQRSWw";
static const char without_session[] = "GNOQTVWfs"; /* or without a terminal */
static const char for_session[] = "DEeLMRgnqtvw";  /* and for forwarding */

struct session {
	const char *host;      /* NULL: none */
	char *const *command;  /* in the command line; NULL-terminated */
	bool plain, terminal;  /* no relay and no files; -t */
	struct text_list ssh;  /* the program, and options for every call */
	struct text_list to;   /* options for the others, to reach the host */
	struct buf output;     /* text of the last of these, with a NUL */
};

static void
add(struct text_list *list, const char *word)
{
	list->text = memory(list->text, (list->count + 2) * sizeof(*list->text));
	list->text[list->count++] = word;
	list->text[list->count] = NULL;
}

static void
add_all(struct text_list *list, const char *const *words)
{
	for (; *words != NULL; words++)
		add(list, *words);
}

static void
read_letter(struct session *s, char letter, const char *value)
{
	const bool plain = strchr(without_session, letter) != NULL;
	char *option;

	s->plain = s->plain || plain || (value == NULL && strchr(with_value, letter) != NULL);
	s->terminal = s->terminal || letter == 't';
	if (plain || strchr(for_session, letter) != NULL)
		return;
	option = memory(NULL, 4);
	text_format(option, 4, "-%c", letter);
	add(&s->to, option);
	if (value != NULL)
		add(&s->to, value);
}

/* Like ssh, which also reads options after the host. */
static void
read_line(struct session *s, char *const *words)
{
	const char *at, *value;
	bool dashes;

	for (; *words != NULL; words++) {
		dashes = strcmp(*words, "--") == 0;
		if (dashes || words[0][0] != '-' || words[0][1] == '\0') {
			words += dashes;
			if (s->host != NULL || *words == NULL)
				break;
			s->host = *words;
			continue;
		}
		for (at = *words + 1, value = NULL; value == NULL && *at != '\0'; at++) {
			if (strchr(with_value, *at) != NULL)
				value = at[1] != '\0' ? at + 1 : words[1];
			read_letter(s, *at, value);
			words += value != NULL && value == words[1];
		}
	}
	s->command = words;
}

/* ---- other calls of ssh ---------------------------------------------------------- */

/* Returns what subprocess_run_command() does; the user may have to type a password. */
static int
run(struct session *s, const char *const *words)
{
	enum { OUTPUT_MAX = 64 * 1024 };
	const struct subprocess_command command = { .arguments = words, .inherits = true };
	int status;

	buf_free(&s->output);
	buf_init(&s->output, OUTPUT_MAX);
	status = subprocess_run_command(&command, "", 0, &s->output, NULL, INT_MAX);
	s->output.full = false;
	s->output.max++;
	buf_add(&s->output, "", 1);
	return status;
}

/* Runs `before` and ssh, with a script for sh without ', which the host's login shell reads. */
static int
run_there(struct session *s, const char *const *before, const char *script)
{
	struct text_list words = { .count = 0 };
	char quoted[1024];

	text_format(quoted, sizeof(quoted), "exec sh -c '%s'", script);
	add_all(&words, before);
	add_all(&words, s->ssh.text);
	add_all(&words, s->to.text);
	add_all(&words, (const char *const[]){ "--", s->host, quoted, NULL });
	return run(s, words.text);
}

/* With a connection already open, -fN would leave a second process behind. */
static const char open_script[] =
    "\"$@\" -O check -- \"$0\" >/dev/null 2>&1 || exec \"$@\" -fN -- \"$0\"";

/* Opens a connection that the later calls share. Returns false if that fails. */
static bool
share(struct session *s)
{
	/* sun_path has 104 bytes in the BSDs; ssh appends up to 70 to HOME */
	enum { HOME_MAX = 33 };
	static char path[HOME_MAX + 64];
	const char *home = environment_get("HOME");
	const struct error none = { .status = STATUS_DONE };
	struct text_list words = { .count = 0 };

	if (home == NULL || strlen(home) > HOME_MAX || strpbrk(home, "%\"\\") != NULL)
		return true;
	text_format(path, sizeof(path), "%s/.ssh", home);
	if (access(path, W_OK) != 0)
		return true;
	text_format(path, sizeof(path), "ControlPath=\"%s/.ssh/viatty-%%C\"", home);
	s->ssh.count = 1;
	add_all(&s->ssh, (const char *const[]){ "-o", "ControlMaster=auto", "-o",
	    "ControlPersist=10", "-o", path, NULL });
	add_all(&words, (const char *const[]){ "sh", "-c", open_script, s->host, NULL });
	add_all(&words, s->ssh.text);
	add_all(&words, s->to.text);
	/* the prototype lacks const */
	return run_while((char *const *)words.text, NULL, &none).status == 0;
}

/* ---- the host ------------------------------------------------------------------------ */

/* The reply of the host; "" in `system`: none came. */
struct answer {
	char shell[32];
	char term[8];      /* "has", "lacks" */
	char system[64];   /* `uname -sm`, or "found", "kept", "blocked" */
};

/* %s: the name of the terminal's description */
static const char question[] =
    "t=%s; k=lacks; v=$HOME/.local/bin/viatty; s=${SHELL:-sh}; "
    "for d in \"$HOME/.\" /etc/ /lib/ /usr/lib/ /usr/share/ /usr/local/share/; do "
    "for f in \"$d\"terminfo/*/$t; do if [ -e \"$f\" ]; then k=has; fi; done; done; "
    "if infocmp $t || tput -T $t clear; then k=has; fi >/dev/null 2>&1; "
    "if command -v viatty >/dev/null 2>&1; then a=found; elif [ -x \"$v\" ]; then a=kept; "
    "elif [ -e \"$v\" ] || [ -L \"$v\" ]; then a=blocked; else a=$(uname -sm); fi; "
    "echo \"viatty-ssh: ${s##*/} $k $a\"";

static void
read_answer(struct answer *answer, char *output)
{
	static const char mark[] = "viatty-ssh: ";
	char *line = NULL, *next;

	while ((next = strstr(output, mark)) != NULL)
		line = output = next + strlen(mark);
	if (line == NULL)
		return;
	line[strcspn(line, "\n")] = '\0';
	if (line[strspn(line, TEXT_ALNUM "._ -")] == '\0')
		(void)sscanf(line, "%31s %7s %63[^\n]", answer->shell, answer->term,
		    answer->system);
}

/* Returns false if the host cannot be reached: the last call prints the reason. */
static bool
ask(struct session *s, const char *term, struct answer *answer)
{
	char script[sizeof(question) + 64];

	text_format(script, sizeof(script), question, term);
	if (run_there(s, (const char *const[]){ NULL }, script) == SSH_FAILED)
		return false;
	read_answer(answer, (char *)s->output.data);
	return true;
}

/* ---- what it gets ---------------------------------------------------------------------- */

/*
 * Prints the path of a program, or of an archive with one, for the system $1 (`uname -sm`), if
 * there is any: VIATTY_STATIC, the newest archive if that is a folder, or $2, the program here.
 * .packaging/releases has the names of archives.
 */
static const char find_script[] =
    "v=$VIATTY_STATIC; if [ -d \"$v\" ]; then n=$(echo \"$1\" | tr \"A-Z \" a-z- | "
    "sed \"s/darwin/macos/; s/arm64/aarch64/; s/amd64/x86_64/; s/armv[78]l/armv7/\"); "
    "ls -t \"$v\"/viatty-*-\"$n\".tar.gz 2>/dev/null | head -n 1; "
    "elif [ -n \"$v\" ] || [ \"$1\" = \"$(uname -sm)\" ]; then printf \"%s\\n\" \"${v:-$2}\"; fi";

/* Sends the program $1, or the one in the archive $1. */
static const char send_script[] =
    "f=$1; shift; case $f in *.tar.gz) m=${f##*/}; tar -xzOf - \"${m%.tar.gz}/bin/viatty\" ;; "
    "*) cat ;; esac <\"$f\" | gzip -9 | \"$@\"";

static const char unpack_script[] =
    "umask 022; cd && mkdir -p .local/bin && cd .local/bin && gzip -dc >viatty.$$ && "
    "chmod 755 viatty.$$ && [ -s viatty.$$ ] && ./viatty.$$ --version && "
    "{ [ -e viatty ] || [ -L viatty ] || ln viatty.$$ viatty || mv -n viatty.$$ viatty; } && "
    "[ -x viatty ] || { rm -f viatty.$$; exit 1; }; rm -f viatty.$$; "
    "[ -e osc52 ] || [ -L osc52 ] || ln -s viatty osc52";

/* Stores that path, or "". */
static void
find_program(struct session *s, char path[PATH_MAX], const char *system)
{
	char link[PROCESS_PATH], own[PATH_MAX] = "", *found;

	if (process_program(link, getpid()) && realpath(link, own) == NULL)
		own[0] = '\0';
	run(s, (const char *const[]){ "sh", "-c", find_script, "sh", system, own, NULL });
	found = (char *)s->output.data;
	found[strcspn(found, "\n")] = '\0';
	text_copy(path, PATH_MAX, found);
}

/* Installs the program. Returns whether it is in ~/.local/bin now. */
static bool
install(struct session *s, const char *there)
{
	const char *given = environment_get("VIATTY_STATIC");
	const struct quoted host = text_quote(s->host);
	char path[PATH_MAX];
	const char *before[] = { "sh", "-c", send_script, "sh", path, NULL };

	find_program(s, path, there);
	if (strcmp(there, "blocked") == 0)
		warn("viatty was not installed: ~/.local/bin/viatty on %s is no program, and is "
		    "not replaced\nrename it there", host.text);
	else if (there[0] == '\0')
		warn("viatty was not installed: the system of %s is not known", host.text);
	else if (path[0] == '\0' && (given == NULL || given[0] == '\0'))
		warn("viatty was not installed: %s is %s, and this machine is not\n"
		    "set VIATTY_STATIC to a viatty for it", host.text, there);
	else if (path[0] == '\0')
		warn("viatty was not installed: no archive in %s is for %s\n"
		    "`make release` writes them", text_quote(given).text, there);
	else if (access(path, R_OK) != 0)
		warn("viatty was not installed: cannot read %s: %s", text_quote(path).text,
		    strerror(errno));
	else if (run_there(s, before, unpack_script) != 0)
		warn("viatty was not installed: %s does not run on %s\n"
		    "set VIATTY_STATIC to a static one: `make static` builds it",
		    text_quote(path).text, host.text);
	else {
		note("installed viatty on %s, in ~/.local/bin", host.text);
		return true;
	}
	return false;
}

/* Sends the description of the terminal, and returns whether the host has it now. */
static bool
describe(struct session *s, const char *term)
{
	static const char describes[] = "t=$1; shift; infocmp -x \"$t\" | \"$@\"";
	const char *before[] = { "sh", "-c", describes, "sh", term, NULL };
	char script[256];

	text_format(script, sizeof(script), "tic -x -o \"$HOME\"/.terminfo - && infocmp %s", term);
	if (run_there(s, before, script) == 0)
		return true;
	warn("TERM is xterm-256color on %s, which has no description of the terminal \"%s\"",
	    text_quote(s->host).text, term);
	return false;
}

/* ---- the command ------------------------------------------------------------------------ */

/* The line that adds ~/.local/bin to the PATH of this shell, or NULL for an unknown shell. */
static const char *
path_for(const char *shell)
{
	if (text_lists("sh ash bash dash ksh ksh93 mksh zsh", shell, strlen(shell)))
		return "PATH=$PATH:$HOME/.local/bin;";
	if (strcmp(shell, "fish") == 0)
		return "set PATH $PATH $HOME/.local/bin;";
	return text_lists("csh tcsh", shell, strlen(shell)) ?
	    "set path = ($path \"$HOME/.local/bin\");" : NULL;
}

/* Whether the session has a terminal, for which the host needs a description. */
static bool
needs_description(const struct session *s, const char *term)
{
	return term != NULL && term[0] != '\0' && strlen(term) < 64 &&
	    term[strspn(term, TEXT_ALNUM "+-._")] == '\0' && isatty(STDIN_FILENO) &&
	    (*s->command == NULL || s->terminal);
}

/*
 * Installs on the host what it lacks. Adds options for the last call, and to `path` what
 * precedes COMMAND. Returns false if the host cannot be reached; ssh has printed why.
 */
static bool
prepare(struct session *s, struct text_list *before, const char **path)
{
	const char *term = environment_get("TERM");
	const bool describes = needs_description(s, term);
	struct answer answer = { .system = "" };

	add_all(&s->ssh, (const char *const[]){ "-o", "ControlMaster=no", NULL });
	if (!share(s))
		return false;
	if (!ask(s, describes ? term : "dumb", &answer))
		return true;
	if (strcmp(answer.system, "kept") == 0 ||
	    (strcmp(answer.system, "found") != 0 && install(s, answer.system)))
		*path = path_for(answer.shell);
	if (describes && strcmp(answer.term, "lacks") == 0 && !describe(s, term))
		add_all(before, (const char *const[]){ "env", "TERM=xterm-256color", NULL });
	return true;
}

static int
ssh_main(struct call *call)
{
	struct session s = { .output = BUF_EMPTY };
	struct text_list last = { .count = 0 };
	const char *path = NULL;
	char *const *word;

	add(&s.ssh, "ssh");
	add_all(&s.to, (const char *const[]){ "-T", "-o", "RemoteCommand=none", "-o",
	    "PermitLocalCommand=no", "-o", "ClearAllForwardings=yes", NULL });
	read_line(&s, call->operand);
	if (s.host == NULL && !s.plain)
		die(STATUS_USAGE, "no host given\n" "viatty ssh HOST");
	/* as root for another user, only ssh itself is run */
	if (!s.plain && !opt.no_install && !user_called_root() && !prepare(&s, &last, &path))
		return SSH_FAILED;
	add_all(&last, s.ssh.text);
	for (word = call->operand; *word != NULL; word++) {
		if (word == s.command && path != NULL)
			add(&last, path);
		add(&last, *word);
	}
	/* the prototypes lack const */
	if (s.plain)
		command_execute((char *const *)last.text, "ssh");
	return relay_command((char *const *)last.text);
}

const struct command command_ssh = {
	.name = "ssh",
	.group = "Clipboard",
	.operands = "HOST [COMMAND...]",
	.summary = "run ssh with viatty on the host, and its copies here",
	.options = options,
	.refused = "tty wrap print json",
	.refused_why = "ssh gets this terminal",
	.completion = COMPLETE_COMMAND,
	.is_program = true,
	.relays = true,
	.examples = {
		{ "viatty ssh host", "copy there, to this desktop, in any terminal" },
		{ "viatty ssh --no-install -p 2222 host", "leave the host as it is" },
	},
	.run = ssh_main,
};
