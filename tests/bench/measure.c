/* SPDX-License-Identifier: MIT */
/*
 * Runs commands in turns on a terminal that a thread reads empty, and prints
 * for each a line of lower quartile, median and upper quartile of the wall time
 * in microseconds, the peak memory in kB and the page faults. In turns, so that
 * a busy machine slows all alike. A first run of each, with a debugger's hold on
 * it, is not timed: it tells the peak, and warms the caches. With 0 ROUNDS it is
 * the only one.
 *
 *   measure [-p | [-d MS] [-c FILE] [-t] [-s STATUS]] ROUNDS INPUT COMMAND
 *       [ARGUMENT...] [-- COMMAND ...]
 *
 * Each COMMAND gets the file INPUT as standard input and the terminal as
 * standard output; it is the leader of a session of its own on the terminal. With -p it
 * runs in the terminal that measure was started in, such as a pane, and none is made.
 * With -d the terminal answers DA1, after so many milliseconds, and with -c the
 * question for the clipboard, by what is in FILE; with -t it confirms each write by
 * OSC 5522; standard output is then /dev/null. The commands have to end with STATUS, 0 without -s; what they say
 * on standard error is told only if they do not.
 *
 *   measure read BYTES
 *
 * asks as `viatty paste` does and reads so many bytes of answer: what a reader
 * takes that does nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 16, ROUNDS_MAX = 100000 };

#define FENCE "\x1b[c"
#define QUESTION "\x1b]52;c;?\x1b\\"
#define FENCE_REPLY "\x1b[?62;52c"
#define WRITE_END "\x1b]5522;type=wdata\x1b\\"
#define WRITE_REPLY "\x1b]5522;type=write:status=DONE\x1b\\"

struct command {
	char **argv;
	double *time;
	long peak, faults;
};

static void
die(const char *what)
{
	perror(what);
	exit(1);
}

struct terminal {
	bool own;              /* ours: none is made */
	int master;
	bool answers;
	bool confirms;         /* writes by OSC 5522 */
	struct timespec delay; /* before it answers DA1 */
	char *clipboard;       /* the whole reply, or NULL: it tells none */
	size_t size;
	int status;            /* that the commands have to end with */
	char name[64];         /* of the other side */
	int errors;            /* a file: the commands' standard error */
};

/* Whether the text that has come so far, one byte more each time, ends so. */
static bool
ends(const char *last, size_t n, const char *wanted)
{
	size_t size = strlen(wanted);

	return n >= size && memcmp(last + n - size, wanted, size) == 0;
}

static void
say(int fd, const char *text, size_t n)
{
	ssize_t written;

	for (; n > 0; n -= (size_t)written, text += written)
		if ((written = write(fd, text, n)) < 0)
			die("answer");
}

static void
answer(const struct terminal *t, const char *bytes, size_t n)
{
	/* a question may be cut by a read; none is longer */
	static char last[64];
	static size_t used, near;
	const char *escape;

	for (; n > 0; n--, bytes++) {
		/* what is far from an ESC is not looked at: a terminal has to be fast */
		if (near == 0) {
			escape = memchr(bytes, '\x1b', n);
			if (escape == NULL)
				return;
			n -= (size_t)(escape - bytes);
			bytes = escape;
			used = 0;
		}
		near = *bytes == '\x1b' ? sizeof(last) / 2 : near - 1;
		if (used == sizeof(last))
			memmove(last, last + sizeof(last) / 2,
			    used = sizeof(last) / 2);
		last[used++] = *bytes;
		if (*bytes != 'c' && *bytes != '\\')
			continue;
		if (t->confirms && ends(last, used, WRITE_END))
			say(t->master, WRITE_REPLY, strlen(WRITE_REPLY));
		if (t->clipboard != NULL && ends(last, used, QUESTION))
			say(t->master, t->clipboard, t->size);
		if (!ends(last, used, FENCE))
			continue;
		nanosleep(&t->delay, NULL);
		say(t->master, FENCE_REPLY, strlen(FENCE_REPLY));
	}
}

static void *
drain(void *terminal)
{
	static char bytes[1 << 16];
	const struct terminal *t = terminal;
	ssize_t n;

	while ((n = read(t->master, bytes, sizeof(bytes))) > 0 || errno == EIO)
		if (n > 0 && t->answers)
			answer(t, bytes, (size_t)n);
	return NULL;
}

static void
load_clipboard(struct terminal *t, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &st) != 0)
		die(path);
	t->size = (size_t)st.st_size;
	t->clipboard = malloc(t->size);
	if (t->clipboard == NULL ||
	    read(fd, t->clipboard, t->size) != (ssize_t)t->size)
		die(path);
	close(fd);
}

/* The other way to be called: a reader that does nothing else. */
static int
read_only(size_t wanted)
{
	static char bytes[1 << 16];
	struct termios modes;
	int fd = open("/dev/tty", O_RDWR);
	ssize_t n;

	if (fd < 0 || tcgetattr(fd, &modes) != 0)
		die("/dev/tty");
	cfmakeraw(&modes);
	tcsetattr(fd, TCSANOW, &modes);
	say(fd, QUESTION FENCE, strlen(QUESTION FENCE));
	for (; wanted > 0; wanted -= (size_t)n)
		if ((n = read(fd, bytes, sizeof(bytes))) <= 0 ||
		    (size_t)n > wanted)
			die("read");
	return 0;
}

/*
 * Bytes pass as they are, as where a terminal program shows tmux, but for lines: that
 * is how a shell leaves it to a command.
 */
static int
open_terminal(char *name, size_t size)
{
	struct termios modes;
	int slave, master = posix_openpt(O_RDWR | O_NOCTTY);

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
	    ptsname_r(master, name, size) != 0)
		die("pty");
	slave = open(name, O_RDWR | O_NOCTTY);
	if (slave < 0 || tcgetattr(slave, &modes) != 0)
		die(name);
	cfmakeraw(&modes);
	modes.c_lflag |= ICANON;
	tcsetattr(slave, TCSANOW, &modes);
	return master;
}

static void
child(const struct command *c, const char *input, const struct terminal *t,
    bool traced)
{
	int in = open(input, O_RDONLY), out;

	if (!t->own)
		setsid();
	out = open(t->name, O_RDWR);
	if (t->answers)
		out = open("/dev/null", O_WRONLY);
	if (in < 0 || out < 0)
		die(input);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(t->errors, STDERR_FILENO);
	if (traced && ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
		die("ptrace");
	execvp(c->argv[0], c->argv);
	die(c->argv[0]);
}

static long
high_water(pid_t pid)
{
	char path[64], line[256];
	long peak = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "r");
	while (file != NULL && peak == 0 &&
	    fgets(line, sizeof(line), file) != NULL)
		sscanf(line, "VmHWM: %ld", &peak);
	if (file == NULL || peak == 0)
		die(path);
	fclose(file);
	return peak;
}

/*
 * The peak of a command, in kB. What wait4() gives is never less than what the
 * process had that forked, this one: so it is stopped at its end, and its own
 * memory looked at.
 */
static long
follow(pid_t pid)
{
	int status, signal = 0;
	long peak;

	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACEEXIT) != 0)
		die("ptrace");
	for (;;) {
		if (ptrace(PTRACE_CONT, pid, 0, signal) != 0 ||
		    waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			die("ptrace");
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8))
			break;
		/* another exec stops it as well */
		signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	}
	peak = high_water(pid);
	ptrace(PTRACE_CONT, pid, 0, 0);
	return peak;
}

static void
failed(const struct command *c, const struct terminal *t, int status)
{
	char bytes[4096];
	ssize_t n;

	fprintf(stderr, "measure: %s ended with %#x\n", c->argv[0], status);
	lseek(t->errors, 0, SEEK_SET);
	while ((n = read(t->errors, bytes, sizeof(bytes))) > 0)
		say(STDERR_FILENO, bytes, (size_t)n);
	exit(1);
}

/* Microseconds. */
static double
run(struct command *c, const char *input, const struct terminal *t, bool traced)
{
	struct timespec begin, end;
	struct rusage usage;
	int status;
	pid_t pid;

	lseek(t->errors, 0, SEEK_SET);
	if (ftruncate(t->errors, 0) != 0)
		die("standard error");
	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid = vfork();
	if (pid == 0)
		child(c, input, t, traced);
	if (pid > 0 && traced)
		c->peak = follow(pid);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != t->status)
		failed(c, t, status);
	if (traced || usage.ru_minflt < c->faults)
		c->faults = usage.ru_minflt;
	return (double)(end.tv_sec - begin.tv_sec) * 1e6 +
	    (double)(end.tv_nsec - begin.tv_nsec) / 1e3;
}

static int
by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static size_t
read_commands(struct command *commands, char **argv, size_t rounds)
{
	size_t count = 0;

	while (*argv != NULL && count < COMMANDS_MAX) {
		commands[count].argv = argv;
		commands[count].time = calloc(rounds + 1, sizeof(double));
		count++;
		while (*argv != NULL && strcmp(*argv, "--") != 0)
			argv++;
		if (*argv != NULL)
			*argv++ = NULL;
	}
	return count;
}

static void
usage(void)
{
	fprintf(stderr, "usage: measure [-p | [-d MS] [-c FILE] [-t] [-s STATUS]] "
	    "ROUNDS INPUT COMMAND... [-- ...]\n       measure read BYTES\n");
	exit(2);
}

static void
read_options(struct terminal *t, int argc, char **argv)
{
	long ms;
	int letter;

	while ((letter = getopt(argc, argv, "+pd:c:ts:")) != -1) {
		t->own |= letter == 'p';
		t->answers = !t->own;
		if (letter == 'p') {
			snprintf(t->name, sizeof(t->name), "/dev/tty");
		} else if (letter == 'd') {
			ms = strtol(optarg, NULL, 10);
			t->delay = (struct timespec){ ms / 1000,
				ms % 1000 * 1000000 };
		} else if (letter == 'c') {
			load_clipboard(t, optarg);
		} else if (letter == 't') {
			t->confirms = true;
		} else if (letter == 's') {
			t->status = (int)strtol(optarg, NULL, 10);
		} else {
			usage();
		}
	}
}

static void
print(const struct command *c, size_t rounds)
{
	qsort(c->time, rounds, sizeof(double), by_time);
	printf("%.1f\t%.1f\t%.1f\t%ld\t%ld\n", c->time[rounds / 4],
	    c->time[rounds / 2], c->time[rounds * 3 / 4], c->peak, c->faults);
}

int
main(int argc, char **argv)
{
	struct command commands[COMMANDS_MAX] = { { .peak = 0 } };
	struct terminal t = { .answers = false };
	size_t i, round, count, rounds;
	pthread_t thread;
	FILE *errors = tmpfile();

	if (argc == 3 && strcmp(argv[1], "read") == 0)
		return read_only(strtoul(argv[2], NULL, 10));
	read_options(&t, argc, argv);
	argv += optind;
	rounds = argc - optind > 2 ? strtoul(argv[0], NULL, 10) : ROUNDS_MAX + 1;
	if (rounds > ROUNDS_MAX)
		usage();
	if (errors == NULL)
		die("standard error");
	t.errors = fileno(errors);
	if (!t.own) {
		t.master = open_terminal(t.name, sizeof(t.name));
		pthread_create(&thread, NULL, drain, &t);
	}
	count = read_commands(commands, argv + 2, rounds);
	for (i = 0; i < count; i++)
		run(&commands[i], argv[1], &t, true);
	for (round = 0; round < rounds; round++)
		for (i = 0; i < count; i++)
			commands[i].time[round] =
			    run(&commands[i], argv[1], &t, false);
	for (i = 0; i < count; i++)
		print(&commands[i], rounds);
	return 0;
}
