/* SPDX-License-Identifier: MIT */
/*
 * ssh: puts viatty and the description of the terminal on a host that lacks them, then runs ssh
 * in a relay.
 *
 * The host is asked, and gets them, by other calls of ssh, which share a connection with the last
 * one. What it prints in these is neither shown nor trusted: one line of fixed form is read.
 */
#include "commands/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* ssh's own exit status for an error of its own: ssh(1) */
enum { SSH_FAILED = 255 };

static struct {
	bool no_install;
} opt;

static const struct option_spec options[] = {
	FLAG(0, "no-install", "leave the host as it is", opt.no_install),
	{ .kind = OPTION_END }
};

/* ---- the command line of ssh ---------------------------------------------------- */

/* What ssh does with its letters: ssh(1) of OpenSSH 9.9 */
static const char with_value[] = "BbcDEeFIiJLlmOoPpQRSWw";
static const char for_connection[] = "BbcFIiJlmoPpS";      /* and all that are in none */
static const char for_session[] = "DEeLMRgnqtvw";          /* and for forwarding */
static const char without_terminal[] = "GNOQTVWfs";        /* or without a session */

struct line {
	const char *host;      /* NULL: none */
	size_t command;        /* index of the first word of COMMAND */
	bool plain, terminal;  /* nothing of ours is needed; -t */
	struct text_list to;   /* options to reach the host */
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
read_letter(struct line *l, char letter, const char *value)
{
	char *option;

	l->plain = l->plain || strchr(without_terminal, letter) != NULL ||
	    (value == NULL && strchr(with_value, letter) != NULL);
	l->terminal = l->terminal || letter == 't';
	if (strchr(for_session, letter) != NULL || strchr(without_terminal, letter) != NULL)
		return;
	option = memory(NULL, 3);
	memcpy(option, (const char[]){ '-', letter, '\0' }, 3);
	add(&l->to, option);
	if (strchr(for_connection, letter) != NULL && value != NULL)
		add(&l->to, value);
}

/* Like ssh, which also reads options behind the host. */
static void
read_line(struct line *l, char *const *words)
{
	const char *at, *value;
	bool dashes, valued;
	size_t i;

	for (i = 0; words[i] != NULL; i++) {
		dashes = strcmp(words[i], "--") == 0;
		if (dashes || words[i][0] != '-' || words[i][1] == '\0') {
			i += dashes;
			if (l->host != NULL || words[i] == NULL)
				break;
			l->host = words[i];
			continue;
		}
		for (at = words[i] + 1; *at != '\0'; at++) {
			valued = strchr(with_value, *at) != NULL;
			value = !valued ? NULL : at[1] != '\0' ? at + 1 : words[i + 1];
			read_letter(l, *at, value);
			if (!valued)
				continue;
			i += value != NULL && value == words[i + 1];
			break;
		}
	}
	l->command = i;
}

/* ---- other programs --------------------------------------------------------------- */

static pid_t
start(const char *const *words, int in, int out, int errors)
{
	pid_t pid = fork();

	if (pid < 0)
		die(STATUS_FAILED, "cannot start a process: %s", strerror(errno));
	if (pid > 0)
		return pid;
	if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
	    dup2(errors, STDERR_FILENO) >= 0)
		/* the prototype lacks const */
		execvp(words[0], (char *const *)words);
	_exit(SSH_FAILED);
}

/* Its exit status, or that of ssh for a signal. */
static int
finish(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : SSH_FAILED;
}

static int
run_silently(const struct text_list *words, int in)
{
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int status = finish(start(words->text, in >= 0 ? in : null, null, null));

	close(null);
	return status;
}

/* ---- the connection ----------------------------------------------------------------- */

struct connection {
	const char *host;
	struct text_list shared; /* options of all calls */
	struct text_list to;     /* of all but the last */
};

/* `before`, and ssh with a script for the host's sh, without ' (its login shell reads that). */
static struct text_list
remote(const struct connection *c, const char *const *before, const char *script)
{
	static struct buf quoted;
	struct text_list words = { .count = 0 };

	quoted = (struct buf)BUF_EMPTY;
	buf_format(&quoted, "exec sh -c '%s'", script);
	buf_add(&quoted, "", 1);
	add_all(&words, before);
	add(&words, "ssh");
	add_all(&words, c->shared.text);
	add_all(&words, c->to.text);
	add(&words, "--");
	add(&words, c->host);
	add(&words, (const char *)quoted.data);
	return words;
}

/* Opens a connection that the later calls share. Returns false if there is none. */
static bool
share(struct connection *c)
{
	/* sun_path has 104 bytes in the BSDs; ssh appends up to 70 to HOME */
	enum { HOME_MAX = 33 };
	static char path[HOME_MAX + 64];
	const char *home = environment_get("HOME"), *opened[] = { "-fN", "--", c->host, NULL };
	const char *checked[] = { "-O", "check", "--", c->host, NULL };
	struct text_list check = { .count = 0 }, open = check;
	struct stat st;

	if (home == NULL || strlen(home) > HOME_MAX || strpbrk(home, "%\"\\") != NULL)
		return true;
	text_format(path, sizeof(path), "%s/.ssh", home);
	if (stat(path, &st) != 0)
		return true;
	text_format(path, sizeof(path), "ControlPath=\"%s/.ssh/viatty-%%C\"", home);
	c->shared.count = 0;
	add_all(&c->shared, (const char *const[]){ "-o", "ControlMaster=auto", "-o",
	    "ControlPersist=10", "-o", path, NULL });
	add(&check, "ssh");
	add_all(&check, c->shared.text);
	add_all(&check, c->to.text);
	add_all(&open, check.text);
	add_all(&check, checked);
	add_all(&open, opened);
	return run_silently(&check, -1) == 0 ||
	    finish(start(open.text, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)) == 0;
}

/* ---- the host ------------------------------------------------------------------------ */

/* Its answer; "" in `system`: none. */
struct answer {
	char shell[32];
	char term[8];      /* "has", "lacks" */
	char gzip[8];      /* "gzip", "plain" */
	char system[64];   /* `uname -sm`, or "found", "kept", "blocked" */
};

/* %s: the name of the terminal's description */
static const char question[] =
    "k=lacks; z=plain; v=$HOME/.local/bin/viatty; s=${SHELL:-sh}; "
    "for f in \"$HOME\"/.terminfo/*/%s /etc/terminfo/*/%s /lib/terminfo/*/%s "
    "/usr/share/terminfo/*/%s /usr/lib/terminfo/*/%s /usr/local/share/terminfo/*/%s; "
    "do if [ -e \"$f\" ]; then k=has; fi; done; "
    "if infocmp %s || tput -T %s clear; then k=has; fi >/dev/null 2>&1; "
    "if command -v gzip; then z=gzip; fi >/dev/null 2>&1; "
    "if command -v viatty >/dev/null 2>&1; then a=found; elif [ -x \"$v\" ]; then a=kept; "
    "elif [ -e \"$v\" ] || [ -L \"$v\" ]; then a=blocked; else a=$(uname -sm); fi; "
    "echo \"viatty-ssh: ${s##*/} $k $z $a\"";

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
		(void)sscanf(line, "%31s %7s %7s %63[^\n]", answer->shell, answer->term,
		    answer->gzip, answer->system);
}

/* Returns false, with ssh's own words printed, if the host cannot be reached. */
static bool
ask(const struct connection *c, const char *term, struct answer *answer)
{
	enum { OUTPUT_MAX = 64 * 1024 };
	const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct buf output, script = BUF_EMPTY, text = BUF_EMPTY;
	struct text_list words;
	int ends[2], status;
	pid_t pid;

	buf_format(&script, question, term, term, term, term, term, term, term, term);
	buf_add(&script, "", 1);
	words = remote(c, (const char *const[]){ NULL }, (const char *)script.data);
	if (pipe(ends) != 0)
		die(STATUS_FAILED, "cannot open a pipe: %s", strerror(errno));
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	pid = start(words.text, null, ends[1], ends[1]);
	close(ends[1]);
	close(null);
	buf_init(&output, OUTPUT_MAX);
	while (stream_read(ends[0], &output) > 0)
		continue;
	close(ends[0]);
	status = finish(pid);
	output.max++;
	output.full = false;
	buf_add(&output, "", 1);
	if (status != SSH_FAILED) {
		read_answer(answer, (char *)output.data);
		return true;
	}
	text_sanitize(&text, (char *)output.data, strcspn((char *)output.data, "\r\n"), false);
	note("%.*s", (int)text.len, text.len > 0 ? (char *)text.data : "");
	return false;
}

/* ---- what it gets ---------------------------------------------------------------------- */

/* `uname -sm` and the names of releases: .packaging/releases */
static const char *const releases[][2] = {
	{ "Linux x86_64", "linux-x86_64" },
	{ "Linux aarch64", "linux-aarch64" },
	{ "Linux armv7l", "linux-armv7" },
	{ "Linux armv8l", "linux-armv7" },
	{ "Linux i686", "linux-i686" },
	{ "Linux riscv64", "linux-riscv64" },
	{ "Darwin arm64", "macos-aarch64" },
	{ "Darwin x86_64", "macos-x86_64" },
	{ "FreeBSD amd64", "freebsd-x86_64" },
};

/*
 * Replaces a folder by the newest archive in it for a system, and stores the name of the program in
 * that. Returns false if there is none.
 */
static bool
find_archive(char path[PROCESS_PATH], char member[256], const char *system)
{
	DIR *entries = opendir(path);
	char end[32] = "/", candidate[PROCESS_PATH], folder[PROCESS_PATH];
	struct dirent *entry;
	time_t newest = 0;
	struct stat st;
	size_t i, n;

	text_copy(folder, sizeof(folder), path);
	for (i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
		if (strcmp(system, releases[i][0]) == 0)
			text_format(end, sizeof(end), "-%s.tar.gz", releases[i][1]);
	while (entries != NULL && (entry = readdir(entries)) != NULL) {
		n = strlen(entry->d_name);
		text_format(candidate, sizeof(candidate), "%s/%s", folder, entry->d_name);
		if (!text_begins(entry->d_name, "viatty-") || n < strlen(end) ||
		    strcmp(entry->d_name + n - strlen(end), end) != 0 ||
		    stat(candidate, &st) != 0 || (newest != 0 && st.st_mtime <= newest))
			continue;
		newest = st.st_mtime;
		text_copy(path, PROCESS_PATH, candidate);
		text_format(member, 256, "%.*s/bin/viatty", (int)(n - strlen(".tar.gz")),
		    entry->d_name);
	}
	if (entries != NULL)
		closedir(entries);
	return newest != 0;
}

/* %s: gzip -dc, or cat */
static const char unpack[] =
    "umask 022; cd && mkdir -p .local/bin && cd .local/bin && %s >viatty.$$ && "
    "chmod 755 viatty.$$ && [ -s viatty.$$ ] && ./viatty.$$ --version && "
    "{ [ -e viatty ] || [ -L viatty ] || ln viatty.$$ viatty || mv -n viatty.$$ viatty; } && "
    "[ -x viatty ] || { rm -f viatty.$$; exit 1; }; rm -f viatty.$$; "
    "[ -e osc52 ] || [ -L osc52 ] || ln -s viatty osc52";

/* Reads a program, or an archive with the member $1, and compresses it with $2. */
static const char send_program[] =
    "m=$1 z=$2; shift 2; { if [ -n \"$m\" ]; then tar -xzOf - \"$m\"; else cat; fi; } | "
    "$z | \"$@\"";

/* Sends the program in an open file, and returns whether it runs there. */
static bool
send(const struct connection *c, int program, const char *member, bool gzip)
{
	static const char *const look[] = { "sh", "-c", "command -v gzip", NULL };
	const char *before[] = { "sh", "-c", send_program, "sh", member, "cat", NULL };
	struct text_list words = { .count = 0 };
	char script[sizeof(unpack) + 16];

	add_all(&words, look);
	gzip = gzip && run_silently(&words, -1) == 0;
	before[5] = gzip ? "gzip -9" : "cat";
	text_format(script, sizeof(script), unpack, gzip ? "gzip -dc" : "cat");
	words = remote(c, before, script);
	return run_silently(&words, program) == 0;
}

/* Whether it is now in ~/.local/bin. */
static bool
install(const struct connection *c, const struct answer *answer)
{
	const char *given = environment_get("VIATTY_STATIC"), *there = answer->system;
	const struct quoted host = text_quote(c->host);
	char path[PROCESS_PATH] = "", member[256] = "", here[2 * sizeof(answer->system)];
	struct utsname own = { .sysname = "" };
	struct stat st;
	int fd = -1;

	(void)uname(&own);
	text_format(here, sizeof(here), "%s %s", own.sysname, own.machine);
	if (given != NULL && given[0] != '\0')
		text_copy(path, sizeof(path), given);
	else
		(void)process_program(path, getpid());
	if (strcmp(there, "blocked") == 0)
		warn("viatty was not installed: ~/.local/bin/viatty on %s is no program, and is "
		    "not replaced\nrename it there", host.text);
	else if (there[0] == '\0')
		warn("viatty was not installed: the system of %s is not known", host.text);
	else if ((given == NULL || given[0] == '\0') && strcmp(there, here) != 0)
		warn("viatty was not installed: %s is %s, and this machine %s\n"
		    "set VIATTY_STATIC to a viatty for it", host.text, there, here);
	else if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
	    !find_archive(path, member, there))
		warn("viatty was not installed: no archive in %s is for %s\n"
		    "`make release` writes them", text_quote(path).text, there);
	else if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		warn("viatty was not installed: cannot open %s: %s", text_quote(path).text,
		    strerror(errno));
	else if (!send(c, fd, member, strcmp(answer->gzip, "gzip") == 0))
		warn("viatty was not installed: %s does not run on %s\n"
		    "set VIATTY_STATIC to a static one: `make static` builds it",
		    text_quote(path).text, host.text);
	else {
		note("installed viatty on %s, in ~/.local/bin", host.text);
		close(fd);
		return true;
	}
	if (fd >= 0)
		close(fd);
	return false;
}

/* Sends the description of the terminal, and returns whether the host has it now. */
static bool
describe(const struct connection *c, const char *term)
{
	static const char describes[] = "t=$1; shift; infocmp -x \"$t\" | \"$@\"";
	const char *before[] = { "sh", "-c", describes, "sh", term, NULL };
	struct text_list words;
	char script[256];

	text_format(script, sizeof(script), "tic -x -o \"$HOME\"/.terminfo - && infocmp %s", term);
	words = remote(c, before, script);
	if (run_silently(&words, -1) == 0)
		return true;
	warn("TERM is xterm-256color on %s, which has no description of the terminal \"%s\"",
	    text_quote(c->host).text, term);
	return false;
}

/* ---- the command ------------------------------------------------------------------------ */

/* What puts ~/.local/bin into the PATH of a shell; NULL: the shell is not known. */
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

/* Whether the session has a terminal, whose name the host can be asked for. */
static bool
needs_description(const struct line *l, bool has_command, const char *term)
{
	return term != NULL && term[0] != '\0' && strlen(term) < 64 &&
	    term[strspn(term, TEXT_ALNUM "+-._")] == '\0' && isatty(STDIN_FILENO) &&
	    (!has_command || l->terminal);
}

static int
ssh_main(struct call *call)
{
	struct line l = { .host = NULL };
	struct connection c = { .shared.count = 0 };
	struct answer answer = { .system = "" };
	struct text_list last = { .count = 0 };
	const char *term = environment_get("TERM"), *path = NULL;
	bool describes;
	size_t i;

	read_line(&l, call->operand);
	add(&last, "ssh");
	if (l.host == NULL && !l.plain)
		die(STATUS_USAGE, "no host given\n" "viatty ssh HOST");
	/* root runs ssh for another user, and does nothing else */
	if (user_called_root())
		opt.no_install = true;
	if (l.plain || opt.no_install)
		add_all(&last, (const char *const *)call->operand);
	if (l.plain)
		command_execute((char *const *)last.text, "ssh");
	if (opt.no_install)
		return relay_command((char *const *)last.text);
	c.host = l.host;
	add_all(&c.shared, (const char *const[]){ "-o", "ControlMaster=no", NULL });
	add_all(&c.to, (const char *const[]){ "-T", "-o", "RemoteCommand=none", "-o",
	    "PermitLocalCommand=no", "-o", "ClearAllForwardings=yes", NULL });
	for (i = 0; i < l.to.count; i++)
		add(&c.to, l.to.text[i]);
	describes = needs_description(&l, call->operand[l.command] != NULL, term);
	if (!share(&c) || !ask(&c, describes ? term : "dumb", &answer))
		return SSH_FAILED;
	if (strcmp(answer.system, "kept") == 0 ||
	    (strcmp(answer.system, "found") != 0 && install(&c, &answer)))
		path = path_for(answer.shell);
	last.count = 0;
	if (describes && strcmp(answer.term, "lacks") == 0 && !describe(&c, term))
		add_all(&last, (const char *const[]){ "env", "TERM=xterm-256color", NULL });
	add(&last, "ssh");
	add_all(&last, c.shared.text);
	for (i = 0; call->operand[i] != NULL; i++) {
		if (i == l.command && path != NULL)
			add(&last, path);
		add(&last, call->operand[i]);
	}
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
