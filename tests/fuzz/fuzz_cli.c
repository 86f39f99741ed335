/* SPDX-License-Identifier: MIT */
/*
 * The whole command line: any words end in a status of the manual's, and with
 * something said where that is not 0; what is said is printable lines; what is
 * printed leaves no terminal in the middle of a sequence, nor prints a piece of one;
 * and the same words do the same again.
 *
 * The first line of the input is the name it is called by, each other a word, or
 * a variable of the environment with its value; what follows a NUL is standard
 * input. What they could do is cut off: bytes are printed instead of sent, there
 * is no terminal, no program is run, no word leads out of the folder it runs in;
 * and time, chance and the process's number are the same on every run.
 */
#include "base/text.h"
#include "cli/cli.h"

#include "judge.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where a sanitizer that is linked in reports to. */
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

enum { WORDS_MAX = 32 };

static struct {
	int own_out, own_err; /* those of the fuzzer */
	int out, err;         /* what takes their place */
	int in;               /* standard input */
} streams = { .out = -1 };

/* Once, for a process that does nothing else. */
static void
cut_off_effects(void)
{
	int terminal;

	signal(SIGHUP, SIG_IGN);
	terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (terminal >= 0) {
		ioctl(terminal, TIOCNOTTY);
		close(terminal);
	}
	streams.own_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
	streams.own_err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
	streams.out = memfd_create("out", MFD_CLOEXEC);
	streams.err = memfd_create("err", MFD_CLOEXEC);
	streams.in = memfd_create("in", MFD_CLOEXEC);
	need(streams.own_err >= 0 && streams.err >= 0 && streams.in >= 0);
	if (__sanitizer_set_report_fd != NULL)
		__sanitizer_set_report_fd((void *)(intptr_t)streams.own_err);
}

/* ---- time and chance ---------------------------------------------------- */

/* More than any process has: kill() finds none, and so does /proc. */
enum { NO_PROCESS = 0x7ffffff };

/* While a command line is run; the fuzzer needs them, too. */
static bool ours;
static long ticks;

pid_t
getpid(void)
{
	return ours ? NO_PROCESS : (pid_t)syscall(SYS_getpid);
}

/* It goes on, or no waiting would end; the fuzzer's own limit is by another. */
int
clock_gettime(clockid_t clock, struct timespec *t)
{
	if (!ours || clock != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, clock, t);
	*t = (struct timespec){ .tv_sec = 1000 + ticks++ };
	return 0;
}

/* None is found; to try takes a process of another number each time. */
int
posix_spawnp(pid_t *pid, const char *name,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const arguments[], char *const environment[])
{
	return ours ? ENOENT : posix_spawn(pid, name, actions, attributes,
	    arguments, environment);
}

ssize_t
getrandom(void *bytes, size_t n, unsigned flags)
{
	if (!ours)
		return syscall(SYS_getrandom, bytes, n, flags);
	memset(bytes, 'r', n);
	return (ssize_t)n;
}

/* ---- what options leave behind ------------------------------------------- */

static void
reset(const struct option_spec *option)
{
	struct text_list *list;

	for (; option->kind != OPTION_END; option++)
		switch (option->kind) {
		case OPTION_FLAG:
			*(bool *)option->value = false;
			break;
		case OPTION_TEXT:
		case OPTION_NAME:
		case OPTION_WORD:
		case OPTION_MAYBE_WORD:
			*(const char **)option->value = NULL;
			break;
		case OPTION_SIZE:
			*(size_t *)option->value = 0;
			break;
		case OPTION_SECONDS:
			*(unsigned *)option->value = 0;
			break;
		case OPTION_LIST:
			list = option->value;
			free(list->text);
			*list = (struct text_list){ NULL, 0 };
			break;
		case OPTION_END:
			break;
		}
}

/* No option has another value than nothing to begin with. */
static void
forget_all(void)
{
	size_t i;

	reset(global_options);
	for (i = 0; commands[i] != NULL; i++)
		reset(commands[i]->options);
}

/* ---- a run -------------------------------------------------------------- */

struct outcome {
	int status;
	struct bytes out, err;
};

/* No other: these lead to no other process and no device. */
static const char *const variables[] = {
	"VIATTY_TTY=", "VIATTY_WRAP=", "VIATTY_ROUTE=", "VIATTY_TERM=",
	"VIATTY_TIMEOUT=", "TERM=", "COLORTERM=", "NO_COLOR=", "LC_ALL=",
};

static bool
take_variable(char *line)
{
	size_t i, n;

	for (i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		n = strlen(variables[i]);
		if (strncmp(line, variables[i], n) != 0)
			continue;
		line[n - 1] = '\0';
		setenv(line, line + n, 1);
		return true;
	}
	return false;
}

/* Words into `text`, which they stay in; gives how many. */
static int
split(char *text, char **words)
{
	static char print[] = "--print", no_probe[] = "--no-probe";
	char *line;
	int count = 0;

	clearenv();
	setenv("PATH", "/nonexistent", 1);
	while (count < WORDS_MAX && (line = strsep(&text, "\n")) != NULL) {
		if (count > 0 && take_variable(line))
			continue;
		words[count++] = line;
		if (count == 1) {
			words[count++] = print;
			words[count++] = no_probe;
		}
	}
	words[count] = NULL;
	return count;
}

static void
read_all(int fd, struct bytes *bytes)
{
	char piece[4096];
	ssize_t n;

	need(lseek(fd, 0, SEEK_SET) == 0);
	while ((n = read(fd, piece, sizeof(piece))) > 0)
		put(bytes, piece, (size_t)n);
	need(n == 0);
}

static void
fill(int fd, const void *bytes, size_t n)
{
	need(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 &&
	    write(fd, bytes, n) == (ssize_t)n && lseek(fd, 0, SEEK_SET) == 0);
}

static struct outcome
run(const char *text, const void *in, size_t in_n)
{
	struct outcome outcome = { .status = -1 };
	char *copy = strdup(text), *words[WORDS_MAX + 4];
	int count;

	need(copy != NULL);
	count = split(copy, words);
	fill(streams.in, in, in_n);
	fill(streams.out, "", 0);
	fill(streams.err, "", 0);
	dup2(streams.in, STDIN_FILENO);
	fflush(stdout);
	dup2(streams.out, STDOUT_FILENO);
	dup2(streams.err, STDERR_FILENO);
	ticks = 0;
	ours = true;
	outcome.status = cli_run(count, words);
	ours = false;
	fflush(stdout);
	dup2(streams.own_out, STDOUT_FILENO);
	dup2(streams.own_err, STDERR_FILENO);
	forget_all();
	read_all(streams.out, &outcome.out);
	read_all(streams.err, &outcome.err);
	free(copy);
	return outcome;
}

/* ---- what came of it ---------------------------------------------------- */

static void
check_said(const struct bytes *said)
{
	size_t at, n;

	need(said->n == 0 || said->at[said->n - 1] == '\n');
	for (at = 0; at < said->n; at += n) {
		n = said->at[at] == '\n' ? 1 : text_printable(
		    (const char *)said->at + at, said->n - at);
		need(n > 0);
	}
}

/* Commands that pass on what they get do so with sequences as well. */
static bool
may_print_anything(const char *text, const uint8_t *in, size_t in_n)
{
	return strstr(text, "\nr") != NULL || memchr(in, 0x1b, in_n) != NULL ||
	    memchr(text, 0x1b, strlen(text)) != NULL;
}

static void
check_printed(const struct bytes *printed)
{
	struct heard heard;

	terminal_hears(&heard, printed->at, printed->n);
	need(heard.ends == GROUND);
	forget(&heard);
}

static void
check(const char *text, const uint8_t *in, size_t in_n)
{
	struct outcome first = run(text, in, in_n), again = run(text, in, in_n);

	/* as a shell's: run found no such program */
	need((first.status >= 0 && first.status <= 6) ||
	    (strstr(text, "\nrun") != NULL && first.status == 127));
	need(first.status == 0 || first.err.n + first.out.n > 0);
	check_said(&first.err);
	if (!may_print_anything(text, in, in_n))
		check_printed(&first.out);
	need(first.status == again.status &&
	    bytes_equal(first.err.at, first.err.n, again.err.at, again.err.n) &&
	    bytes_equal(first.out.at, first.out.n, again.out.at, again.out.n));
	release(&first.out);
	release(&first.err);
	release(&again.out);
	release(&again.err);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *slash;
	size_t n;

	need(text != NULL);
	if (streams.out < 0)
		cut_off_effects();
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	for (slash = text; (slash = strchr(slash, '/')) != NULL;)
		*slash = '_';
	n = strlen(text);
	n += n < size;
	check(text, data + n, size - n);
	free(text);
	return 0;
}
