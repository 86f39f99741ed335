/* SPDX-License-Identifier: MIT */
/*
 * Runs commands in turns on a terminal that a thread reads empty, and prints
 * for each the median and quartiles of the wall time in microseconds and the
 * peak memory in kB. In turns, so that a busy machine slows all alike.
 *
 *   measure ROUNDS INPUT COMMAND [ARGUMENT...] [-- COMMAND ...]
 *
 * Each COMMAND gets the file INPUT as standard input and the terminal as
 * standard output; it is the leader of a session of its own on the terminal.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 16, ROUNDS_MAX = 100000 };

struct command {
	char **argv;
	double *time;
	long peak;
};

static void
die(const char *what)
{
	perror(what);
	exit(1);
}

static void *
drain(void *master)
{
	static char bytes[1 << 16];
	int fd = *(int *)master;

	while (read(fd, bytes, sizeof(bytes)) > 0 || errno == EIO)
		continue;
	return NULL;
}

/* Raw, as a terminal program that shows tmux would have it. */
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
	tcsetattr(slave, TCSANOW, &modes);
	return master;
}

static void
child(const struct command *c, const char *terminal, const char *input)
{
	int in = open(input, O_RDONLY), out;

	setsid();
	out = open(terminal, O_RDWR);
	if (in < 0 || out < 0)
		die(input);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execvp(c->argv[0], c->argv);
	die(c->argv[0]);
}

static double
run(struct command *c, const char *terminal, const char *input)
{
	struct timespec begin, end;
	struct rusage usage;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid = vfork();
	if (pid == 0)
		child(c, terminal, input);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (status != 0) {
		fprintf(stderr, "measure: %s ended with %#x\n", c->argv[0], status);
		exit(1);
	}
	if (usage.ru_maxrss > c->peak)
		c->peak = usage.ru_maxrss;
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
		commands[count].time = calloc(rounds, sizeof(double));
		count++;
		while (*argv != NULL && strcmp(*argv, "--") != 0)
			argv++;
		if (*argv != NULL)
			*argv++ = NULL;
	}
	return count;
}

int
main(int argc, char **argv)
{
	struct command commands[COMMANDS_MAX] = { { .peak = 0 } };
	size_t i, round, count, rounds = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
	char terminal[64];
	pthread_t thread;
	int master;

	if (rounds == 0 || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: measure ROUNDS INPUT COMMAND... [-- ...]\n");
		return 2;
	}
	master = open_terminal(terminal, sizeof(terminal));
	pthread_create(&thread, NULL, drain, &master);
	count = read_commands(commands, argv + 3, rounds);
	for (i = 0; i < count; i++)
		run(&commands[i], terminal, argv[2]);
	for (round = 0; round < rounds; round++)
		for (i = 0; i < count; i++)
			commands[i].time[round] =
			    run(&commands[i], terminal, argv[2]);
	for (i = 0; i < count; i++) {
		qsort(commands[i].time, rounds, sizeof(double), by_time);
		printf("%.1f\t%.1f\t%.1f\t%ld\n",
		    commands[i].time[rounds / 4], commands[i].time[rounds / 2],
		    commands[i].time[rounds * 3 / 4], commands[i].peak);
	}
	return 0;
}
