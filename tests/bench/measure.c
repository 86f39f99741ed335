/* SPDX-License-Identifier: MIT */
/*
 * Runs commands in turns on a terminal that a thread reads empty, and prints for each a
 * line of its peak memory in kB, its page faults, and of each round the wall time and the
 * CPU time in microseconds. In turns, so that a busy machine slows all alike. A first run of each, with a debugger's hold on it, is not timed: it tells the peak, and
 * warms the caches. With 0 ROUNDS it is the only one.
 *
 *   measure [-d MS] [-c FILE] ROUNDS INPUT COMMAND [ARGUMENT...] [-- COMMAND ...]
 *
 * Each COMMAND gets the file INPUT as standard input and the terminal as standard output;
 * it is the leader of a session of its own on the terminal. With -d the terminal answers
 * DA1, after so many milliseconds, and before that, with -c, the question for the clipboard
 * by what is in FILE. Standard output is /dev/null then.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 4, TAIL = 64 };

#define FENCE "\x1b[c"
#define FENCE_REPLY "\x1b[?62;52c"
#define QUESTION "\x1b]52;c;?\x1b\\"

struct command {
	char **argv;
	double *time, *cpu; /* of each round */
	long peak, faults;
};

struct terminal {
	int master;
	char name[64];         /* of the other side */
	bool answers;
	struct timespec delay; /* before it answers DA1 */
	const char *clipboard; /* the whole reply, or NULL: it tells none */
	size_t size;
};

static void
die(const char *what)
{
	perror(what);
	exit(1);
}

static void
say(int fd, const char *text, size_t n)
{
	ssize_t written;

	for (; n > 0; n -= (size_t)written, text += written)
		if ((written = write(fd, text, n)) < 0)
			die("answer");
}

/* A program that waits for a reply has written nothing behind the fence. */
static void
answer(const struct terminal *t, const char *bytes, size_t n)
{
	static char tail[TAIL];
	size_t fresh = n < TAIL ? n : TAIL;

	memmove(tail, tail + fresh, TAIL - fresh);
	memcpy(tail + TAIL - fresh, bytes + n - fresh, fresh);
	if (memcmp(tail + TAIL - strlen(FENCE), FENCE, strlen(FENCE)) != 0)
		return;
	if (t->clipboard != NULL && memmem(tail, TAIL, QUESTION, strlen(QUESTION)) != NULL)
		say(t->master, t->clipboard, t->size);
	memset(tail, 0, TAIL);
	nanosleep(&t->delay, NULL);
	say(t->master, FENCE_REPLY, strlen(FENCE_REPLY));
}

static void *
drain(void *terminal)
{
	static char bytes[1 << 16];
	const struct terminal *t = terminal;
	ssize_t n;

	/* it fails between two commands */
	for (;;)
		if ((n = read(t->master, bytes, sizeof(bytes))) > 0 && t->answers)
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
	t->clipboard = mmap(NULL, t->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (t->clipboard == MAP_FAILED)
		die(path);
}

/*
 * Bytes pass as they are, as where a terminal program shows tmux, but for lines and the
 * echo of what is typed: that is how a shell leaves it to a command.
 */
static void
open_terminal(struct terminal *t)
{
	struct termios modes;
	int slave;

	t->master = posix_openpt(O_RDWR | O_NOCTTY);
	if (t->master < 0 || grantpt(t->master) != 0 || unlockpt(t->master) != 0 ||
	    ptsname_r(t->master, t->name, sizeof(t->name)) != 0)
		die("pty");
	slave = open(t->name, O_RDWR | O_NOCTTY);
	if (slave < 0 || tcgetattr(slave, &modes) != 0)
		die(t->name);
	cfmakeraw(&modes);
	modes.c_lflag |= ICANON | ECHO;
	tcsetattr(slave, TCSANOW, &modes);
}

static void
child(const struct command *c, const char *input, const struct terminal *t, bool traced)
{
	int in = open(input, O_RDONLY), out;

	setsid();
	out = open(t->name, O_RDWR);
	if (t->answers)
		out = open("/dev/null", O_WRONLY);
	if (in < 0 || out < 0)
		die(input);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	if (traced && ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
		die("ptrace");
	execvp(c->argv[0], c->argv);
	die(c->argv[0]);
}

/*
 * The peak of a command, in kB. What wait4() gives is never less than what the process had
 * that forked, this one: so it is stopped at its end, and its own memory looked at.
 */
static long
follow(pid_t pid)
{
	int status, signal = 0;
	char path[64], line[256];
	long peak = 0;
	FILE *file;

	waitpid(pid, &status, 0);
	if (ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACEEXIT) != 0)
		die("ptrace");
	while (status >> 8 != (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
		if (ptrace(PTRACE_CONT, pid, 0, signal) != 0 ||
		    waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			die("ptrace");
		/* another exec stops it as well */
		signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	}
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "r");
	while (file != NULL && peak == 0 && fgets(line, sizeof(line), file) != NULL)
		sscanf(line, "VmHWM: %ld", &peak);
	if (file == NULL || peak == 0)
		die(path);
	fclose(file);
	ptrace(PTRACE_CONT, pid, 0, 0);
	return peak;
}

static double
microseconds(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

/* In a round, or before the first one, which is not timed. */
static void
run(struct command *c, const char *input, const struct terminal *t, bool traced, size_t round)
{
	struct timespec begin, end;
	struct rusage usage;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid = vfork();
	if (pid == 0)
		child(c, input, t, traced);
	if (pid > 0 && traced)
		c->peak = follow(pid);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		fprintf(stderr, "measure: %s ended with %#x\n", c->argv[0], status);
		exit(1);
	}
	if (traced || usage.ru_minflt < c->faults)
		c->faults = usage.ru_minflt;
	c->time[round] = (double)(end.tv_sec - begin.tv_sec) * 1e6 +
	    (double)(end.tv_nsec - begin.tv_nsec) / 1e3;
	c->cpu[round] = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

static size_t
read_commands(struct command *commands, char **argv, size_t rounds)
{
	size_t count = 0;

	while (*argv != NULL && count < COMMANDS_MAX) {
		commands[count].argv = argv;
		commands[count].time = calloc(rounds + 1, sizeof(double));
		commands[count].cpu = calloc(rounds + 1, sizeof(double));
		count++;
		while (*argv != NULL && strcmp(*argv, "--") != 0)
			argv++;
		if (*argv != NULL)
			*argv++ = NULL;
	}
	return count;
}

static void
read_options(struct terminal *t, int argc, char **argv)
{
	int letter;

	while ((letter = getopt(argc, argv, "+d:c:")) != -1) {
		t->answers = true;
		if (letter == 'd')
			t->delay.tv_nsec = strtol(optarg, NULL, 10) * 1000000;
		else
			load_clipboard(t, optarg);
	}
}

int
main(int argc, char **argv)
{
	struct command commands[COMMANDS_MAX] = { { .peak = 0 } };
	struct terminal t = { .answers = false };
	size_t i, round, count, rounds;
	pthread_t thread;

	read_options(&t, argc, argv);
	argv += optind;
	rounds = strtoul(argv[0], NULL, 10);
	open_terminal(&t);
	pthread_create(&thread, NULL, drain, &t);
	count = read_commands(commands, argv + 2, rounds);
	for (i = 0; i < count; i++)
		run(&commands[i], argv[1], &t, true, rounds);
	for (round = 0; round < rounds; round++)
		for (i = 0; i < count; i++)
			run(&commands[i], argv[1], &t, false, round);
	for (i = 0; i < count; i++) {
		printf("%ld\t%ld", commands[i].peak, commands[i].faults);
		for (round = 0; round < rounds; round++)
			printf("\t%.1f\t%.1f", commands[i].time[round], commands[i].cpu[round]);
		printf("\n");
	}
	return 0;
}
