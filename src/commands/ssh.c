/* SPDX-License-Identifier: MIT */
/*
 * ssh: runs ssh in a relay. With --install, puts viatty and the description of the terminal on a
 * host instead, in one call of ssh:
 *
 *     desk > ssh     src/setup/receive.sh, as the command
 *     host           "viatty-ssh: ready SYSTEM PROCESSOR."; nothing is sent until it has come
 *     desk           src/setup/install.sh, the description, the program
 *     host           lines of "viatty-ssh: WORD", the last one "viatty-ssh: end"
 *
 * Whatever else the host prints is ignored.
 */
#include "commands/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	bool install, pictures;
} opt;

static const struct option_spec options[] = {
	{ OPTION_FLAG, 0, "install", NULL, "put viatty and this terminal's description there",
	    &opt.install, .not_with = "pictures" },
	FLAG(0, "pictures", "send a picture on the clipboard there by Ctrl+V", opt.pictures),
	{ .kind = OPTION_END }
};

/* ---- the command line of ssh ---------------------------------------------------- */

struct line {
	const char *host;     /* or NULL */
	char *const *command; /* what follows, up to NULL */
	char letters[UCHAR_MAX + 1]; /* of the options, each once */
};

/* Like main() of ssh(1), OpenSSH 9.2, which reads options on both sides of the host. */
static void
read_line(struct line *line, char *const *words)
{
	static const char with_value[] = "BbcDEeFIiJLlmOoPpQRSWw";
	const char *at;
	bool dashes;

	for (; *words != NULL; words++) {
		dashes = strcmp(*words, "--") == 0;
		if (dashes || words[0][0] != '-' || words[0][1] == '\0') {
			words += dashes;
			if (line->host != NULL || *words == NULL)
				break;
			line->host = *words;
			if (dashes) {
				words++;
				break;
			}
			continue;
		}
		for (at = *words + 1; *at != '\0'; at++) {
			if (strchr(line->letters, *at) == NULL)
				line->letters[strlen(line->letters)] = *at;
			if (strchr(with_value, *at) == NULL)
				continue;
			words += at[1] == '\0' && words[1] != NULL;
			break;
		}
	}
	line->command = words;
}

/* ---- the dialogue ---------------------------------------------------------------- */

static const char mark[] = "viatty-ssh: ";

enum {
	LOGIN_MS = 130 * 1000, /* sshd ends a login after 120 s: LoginGraceTime, sshd_config(5) */
	ANSWER_MS = 15 * 1000, /* the time for the first answer after the login */
	END_MS = 1000,         /* the time for the end of ssh after the last answer */
	WORD = 80,
	SSH_FAILED = 255       /* the status of ssh itself */
};

struct dialogue {
	pid_t ssh;
	int from, to;         /* the standard output and input of ssh */
	struct buf heard;     /* the output that is not a whole line so far */
	struct pending said;  /* the input, which is then closed */
	long long until;      /* the latest clock_ms() for the next answer */
};

static void
begin(struct dialogue *d, char *const *words)
{
	int in[2], out[2], failure;
	posix_spawn_file_actions_t streams;
	struct error error;

	if (!relay_pipe(in) || !relay_pipe(out) || posix_spawn_file_actions_init(&streams) != 0)
		die(STATUS_FAILED, "cannot start ssh: %s", strerror(errno));
	posix_spawn_file_actions_adddup2(&streams, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&streams, out[1], STDOUT_FILENO);
	failure = posix_spawnp(&d->ssh, "ssh", &streams, NULL, words, environ);
	if (failure != 0) {
		job_cannot_run(words, failure, &error);
		die_of(&error);
	}
	close(in[0]);
	close(out[1]);
	d->to = in[1];
	d->from = out[0];
	fcntl(d->to, F_SETFL, O_NONBLOCK);
	/* ssh may end before it has read everything */
	signal(SIGPIPE, SIG_IGN);
}

/*
 * Takes the next word behind a mark out of what was heard. Start-up files may have printed before
 * it on the same line.
 */
static bool
take_word(struct dialogue *d, char word[WORD])
{
	char *line = (char *)d->heard.data, *end, *found, *next;
	bool taken = false;

	while (!taken && d->heard.len > 0 && (end = memchr(line, '\n', d->heard.len)) != NULL) {
		*end = '\0';
		found = NULL;
		for (next = line; (next = strstr(next, mark)) != NULL;)
			found = next += strlen(mark);
		taken = found != NULL && text_copy(word, WORD, found);
		d->heard.len -= (size_t)(end + 1 - line);
		memmove(line, end + 1, d->heard.len);
	}
	return taken;
}

/* Waits for the next word. Returns false when the output of ssh has ended, or the time for it. */
static bool
hear(struct dialogue *d, char word[WORD])
{
	enum { LINE = 4096 };
	struct pollfd ends[2];
	long long left;
	ssize_t n;

	while (!take_word(d, word)) {
		if (d->heard.len > LINE)
			d->heard.len = 0;
		left = d->until - clock_ms();
		ends[0] = (struct pollfd){ d->from, POLLIN, 0 };
		ends[1] = (struct pollfd){ pending_left(&d->said) > 0 ? d->to : -1, POLLOUT, 0 };
		n = left > 0 ? wait_on(ends, 2, (int)left) : 0;
		if (n == 0)
			return false;
		if (n > 0 && ends[1].revents != 0 &&
		    (!pending_write(d->to, &d->said) || pending_left(&d->said) == 0)) {
			close(d->to);
			d->to = -1;
		}
		if (ends[0].revents != 0 && stream_read(d->from, &d->heard) <= 0)
			return false;
	}
	return true;
}

/* Ends ssh. Returns whether it has failed itself. */
static bool
end(struct dialogue *d)
{
	char word[WORD];
	int status = 0;
	pid_t ended;

	if (d->to >= 0)
		close(d->to);
	d->to = -1;
	d->until = clock_ms() + END_MS;
	while (hear(d, word))
		continue;
	/* a process that a start-up file has left there may keep the connection open */
	while ((ended = waitpid(d->ssh, &status, WNOHANG)) == 0 && clock_ms() < d->until)
		wait_on(NULL, 0, 10);
	if (ended == d->ssh)
		return WIFEXITED(status) && WEXITSTATUS(status) == SSH_FAILED;
	kill(d->ssh, SIGTERM);
	while (waitpid(d->ssh, NULL, 0) < 0 && errno == EINTR)
		continue;
	return false;
}

/* ---- what is sent ---------------------------------------------------------------- */

/* src/setup/receive.sh, and what it receives: src/setup/install.sh */
extern const char snippet_receive[], snippet_install[];

/* Adds the description of this terminal by infocmp. Returns its name, or "" if there is none. */
static const char *
add_description(struct buf *out)
{
	enum { INFOCMP_MS = 5000, MOST = 64 * 1024 };
	const char *term = environment_get("TERM");
	const char *const words[] = { "infocmp", "-x", term, NULL };
	struct buf errors = BUF_EMPTY;
	const struct subprocess_command infocmp = { .arguments = words, .inherits = true,
		.errors = &errors };

	*out = (struct buf){ .max = MOST };
	if (term == NULL || term[0] == '\0' || term[strspn(term, TEXT_ALNUM "+-._")] != '\0' ||
	    subprocess_run_command(&infocmp, "", 0, out, NULL, INFOCMP_MS) != 0 || out->full) {
		buf_free(out);
		term = "";
	}
	buf_free(&errors);
	return term;
}

static void
add_program(struct buf *out, const char *name)
{
	ssize_t n = 1;
	int fd = file_open(name);

	while (fd >= 0 && n > 0)
		n = stream_read(fd, out);
	if (fd < 0 || n < 0)
		die(STATUS_FAILED, "cannot read %s: %s", text_quote(name).text, strerror(errno));
	close(fd);
}

/* The program for a host with this `uname -sm`. Dies if none is known. */
static const char *
find_program(const char *host_system)
{
	static char own[PROCESS_PATH];
	const char *named = environment_get("VIATTY_STATIC");
	struct utsname here = { .sysname = "" };
	char system[WORD];

	if (named != NULL && named[0] != '\0')
		return named;
	uname(&here);
	text_format(system, sizeof(system), "%s %s", here.sysname, here.machine);
	if (!process_program(own, getpid()) || strcmp(system, host_system) != 0)
		die(STATUS_FAILED, "nothing was sent: the host is %s, and this machine is %s\n"
		    "set VIATTY_STATIC to a viatty for %s", host_system, system, host_system);
	return own;
}

/* Asks the user at the terminal. If there is none, the call itself says that it is wanted. */
static bool
is_wanted(const char *host, const char *term)
{
	const struct tty_device device = { .name = "/dev/tty" };
	char question[512], reply[128] = "n";
	int fd = device_open(&device, O_RDWR);
	ssize_t n = 0;

	if (fd < 0)
		return true;
	text_format(question, sizeof(question), "viatty ssh: put viatty%s%s on %s? [Y/n] ",
	    term[0] != '\0' ? ", osc52 and the description of " : " and osc52", term,
	    text_quote(host).text);
	if (stream_write(fd, question, strlen(question)))
		n = read(fd, reply, sizeof(reply));
	close(fd);
	return n > 0 && strchr("\nyY", reply[0]) != NULL;
}

static void
compose(struct buf *out, const char *host, const char *system)
{
	struct buf description, program = BUF_EMPTY;
	const char *term;

	add_program(&program, find_program(system));
	term = add_description(&description);
	if (!is_wanted(host, term))
		die(STATUS_FAILED, "nothing was sent");
	buf_format(out, "%s.\n%zu %s\n", snippet_install, program.len, term);
	buf_add(out, description.data, description.len);
	buf_add_string(out, ".\n");
	buf_add(out, program.data, program.len);
	buf_free(&description);
	buf_free(&program);
}

/* ---- what the host answers ----------------------------------------------------------- */

static const struct answer {
	const char *word;
	bool is_there;
	const char *text;
} answers[] = {
#define ANSWER(...) { __VA_ARGS__ },
#include "commands/answers.def"
#undef ANSWER
};

/* Prints what it means. Returns whether viatty is there then. */
static bool
say_answer(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		if (strcmp(word, answers[i].word) == 0) {
			message_note("%s", answers[i].text);
			return answers[i].is_there;
		}
	return false;
}

/* Whether it says that the host is ready. Stores its `uname -sm`. */
static bool
read_ready(const char *word, char system[WORD])
{
	static const char ready[] = "ready ";
	const size_t before = strlen(ready), n = strlen(word);

	if (!text_begins(word, ready) || word[n - 1] != '.')
		return false;
	text_format(system, WORD, "%.*s", (int)(n - 1 - before), word + before);
	return system[strspn(system, TEXT_ALNUM "._- ")] == '\0';
}

static int
install(char *const *words)
{
	/* a session without a terminal, which leaves the user's connections as they are */
	static const char *const before[] = { "ssh", "-TC", "-o", "ControlMaster=no",
		"-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none",
		"-o", "PermitLocalCommand=yes", "-o", "LocalCommand=echo viatty-ssh: open", NULL };
	struct line line = { .host = NULL };
	struct dialogue d = { .heard = BUF_EMPTY, .said.bytes = BUF_EMPTY };
	struct buf command = BUF_EMPTY;
	char word[WORD], system[WORD];
	bool is_ready = false, ended = false, is_there = false, in_time, failed;
	const char *letter;

	read_line(&line, words);
	if (line.host == NULL)
		die(STATUS_USAGE, "no host given\n" "viatty ssh --install HOST");
	if (*line.command != NULL)
		die(STATUS_USAGE, "unexpected %s\n" "--install runs a command of its own",
		    text_quote(*line.command).text);
	letter = strpbrk(line.letters, "fGNnOQstVW");
	if (letter != NULL)
		die(STATUS_USAGE, "--install cannot be used with -%c of ssh", *letter);
	if (user_called_root())
		die(STATUS_FAILED, "this is root, and the terminal is another user's\n"
		    "run it without sudo");
	host_command(&command, snippet_receive, "");
	begin(&d, join_words(before, words, (const char *)command.data));
	d.until = clock_ms() + LOGIN_MS;
	while (!ended && hear(&d, word)) {
		if (is_ready) {
			ended = strcmp(word, "end") == 0;
			is_there = say_answer(word) || is_there;
		} else if (strcmp(word, "open") == 0) {
			d.until = MIN(d.until, clock_ms() + ANSWER_MS);
		} else if (read_ready(word, system)) {
			is_ready = true;
			compose(&d.said.bytes, line.host, system);
			d.until = clock_ms() + LOGIN_MS;
		}
	}
	in_time = clock_ms() < d.until;
	failed = end(&d);
	buf_free(&d.said.bytes);
	buf_free(&d.heard);
	if (!ended && failed)
		return SSH_FAILED;
	if (!is_ready)
		die(STATUS_FAILED, in_time ? "nothing was sent: no command of sh runs on %s" :
		    "nothing was sent: %s does not answer", text_quote(line.host).text);
	if (!ended && !is_there)
		die(STATUS_FAILED, "no more answers from %s: viatty is not there",
		    text_quote(line.host).text);
	return is_there ? STATUS_DONE : STATUS_FAILED;
}

/* ---- the command ------------------------------------------------------------------------ */

/* Pictures go over the connection of the user's own ControlPath, or over that of this session. */
static char *const *
share(char *const *words, const char **socket)
{
	static const char named[] = "\ncontrolpath ";
	static struct buf answer = BUF_EMPTY, errors = BUF_EMPTY;
	const struct subprocess_command command = { .inherits = true, .errors = &errors,
		.arguments = (const char *const *)join_words((const char *const[]){ "ssh", "-G",
		NULL }, words + 1, NULL) };
	char option[PATH_MAX], *found;
	bool shares;

	subprocess_run_command(&command, "", 0, &answer, NULL, ANSWER_MS);
	buf_add(&answer, "", 1);
	/* without ControlMaster only a connection that is there already is shared */
	shares = !buf_holds(&answer, "\ncontrolmaster false\n");
	found = strstr((char *)answer.data, named);
	if (found != NULL) {
		*socket = found + strlen(named);
		found[strlen(named) + strcspn(*socket, "\n")] = '\0';
		if (strcmp(*socket, "none") != 0 && (shares || access(*socket, F_OK) == 0))
			return words;
	}
	*socket = picture_socket();
	if (*socket == NULL)
		return words;
	text_format(option, sizeof(option), "ControlPath=%s", *socket);
	return join_words((const char *const[]){ "ssh", "-o", "ControlMaster=auto", "-o",
		"ControlPersist=no", "-o", option, NULL }, words + 1, NULL);
}

static int
ssh_main(struct call *call)
{
	struct line line = { .host = NULL };
	char *const *words;
	const char *letter;

	if (opt.install)
		return install(call->operand);
	read_line(&line, call->operand);
	letter = strpbrk(line.letters, "fNOSW");
	if (opt.pictures && letter != NULL)
		message_warn("no pictures, because ssh is called with -%c", *letter);
	words = join_words((const char *const[]){ "ssh", NULL }, call->operand, NULL);
	if (strchr(line.letters, 'f') != NULL)
		command_execute(words);
	return relay_command(words, line.host, opt.pictures && letter == NULL ? share : NULL);
}

const struct command command_ssh = {
	.name = "ssh",
	.group = "Clipboard",
	.operands = "HOST [COMMAND...]",
	.summary = "run ssh, and bring the copies of its host here",
	.options = options,
	.refused = "tty wrap print",
	.refused_why = "ssh gets this terminal",
	.completion = COMPLETE_COMMAND,
	.is_program = true,
	.as_root = ssh_main,
	.examples = {
		{ "viatty ssh host", "copy there, to this desktop" },
		{ "viatty ssh --install host", "once: put viatty and osc52 there" },
	},
	.run = ssh_main,
};
