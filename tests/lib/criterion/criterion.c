/* SPDX-License-Identifier: MIT */
/*
 * unit [--timeout SECONDS] [--filter PATTERN]... [-jN]: runs the tests, or those of which
 * SUITE/NAME matches a pattern (fnmatch(3)), N at a time, and ends with a line like
 * Criterion's. Exit status 1 if a test failed.
 */
#include "criterion.h"

#include <errno.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define JOBS_MAX 16
#define FILTERS_MAX 64

struct job {
	pid_t pid; /* 0: free */
	const struct cr_test *test;
	double deadline;
};

static struct cr_test *tests, **tail = &tests;
static const char *filter[FILTERS_MAX];
static int filters;
static double timeout = 60;
static int jobs = 1;
static struct job running[JOBS_MAX];
static struct {
	int tested, passing, failing, crashing, skipped;
} sum;

/* Of the process of a test. */
static jmp_buf end_of_test;
static int failures;

enum { FAILED = 1, SKIPPED = 77 };

void
cr_add(struct cr_test *test)
{
	*tail = test;
	tail = &test->next;
}

void
cr_check(const char *file, int line, bool fatal, const char *text, bool good, const char *format,
    ...)
{
	va_list values;

	if (good)
		return;
	failures++;
	fprintf(stderr, "%s:%d: %s", file, line, text);
	if (format != NULL) {
		fputs(": ", stderr);
		va_start(values, format);
		vfprintf(stderr, format, values);
		va_end(values);
	}
	fputc('\n', stderr);
	if (fatal)
		longjmp(end_of_test, 1);
}

void
cr_skip_test(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
	_exit(SKIPPED);
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The settings of its suite, or null. */
static const struct cr_settings *
suite_of(const struct cr_test *test)
{
	const struct cr_test *suite;

	for (suite = tests; suite != NULL; suite = suite->next)
		if (suite->run == NULL && strcmp(suite->suite, test->suite) == 0)
			return &suite->settings;
	return NULL;
}

/* Calls these in turn, those that are there, until one ends with a fatal failure. */
static void
call_in_turn(void (*first)(void), void (*second)(void), void (*third)(void))
{
	if (setjmp(end_of_test) != 0)
		return;
	if (first != NULL)
		first();
	if (second != NULL)
		second();
	if (third != NULL)
		third();
}

static void
run(const struct cr_test *test)
{
	static const struct cr_settings none;
	const struct cr_settings *suite = suite_of(test);

	if (suite == NULL)
		suite = &none;
	call_in_turn(suite->init, test->settings.init, test->run);
	call_in_turn(test->settings.fini, suite->fini, NULL);
	fflush(stdout);
	_exit(failures > 0 ? FAILED : 0);
}

static void
start(struct job *job, const struct cr_test *test)
{
	fflush(NULL);
	job->pid = fork();
	if (job->pid == 0)
		run(test);
	if (job->pid < 0) {
		perror("fork");
		exit(1);
	}
	job->test = test;
	job->deadline = now() + (test->settings.timeout > 0 ? test->settings.timeout : timeout);
	sum.tested++;
}

static void
count(const struct cr_test *test, int status)
{
	const char *what = "fails";

	if (test->settings.signal != 0 ? WIFSIGNALED(status) &&
		WTERMSIG(status) == test->settings.signal : status == 0) {
		sum.passing++;
		return;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) {
		sum.skipped++;
		what = "is skipped";
	} else if (WIFEXITED(status)) {
		sum.failing++;
	} else {
		sum.crashing++;
		what = WTERMSIG(status) == SIGKILL ? "does not end" : "crashes";
	}
	fprintf(stderr, "%s/%s %s\n", test->suite, test->name, what);
}

/* Frees the jobs that have ended, and ends those that take too long. */
static int
collect(void)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	int i, status, busy = 0;

	for (i = 0; i < jobs; i++) {
		if (running[i].pid == 0)
			continue;
		if (waitpid(running[i].pid, &status, WNOHANG) == running[i].pid) {
			count(running[i].test, status);
			running[i].pid = 0;
			continue;
		}
		busy++;
		if (now() > running[i].deadline)
			kill(running[i].pid, SIGKILL);
	}
	if (busy == jobs)
		nanosleep(&pause, NULL);
	return busy;
}

static bool
is_wanted(const struct cr_test *test)
{
	char name[256];
	int i;

	snprintf(name, sizeof(name), "%s/%s", test->suite, test->name ? test->name : "");
	for (i = 0; i < filters; i++)
		if (fnmatch(filter[i], name, 0) == 0)
			break;
	return test->run != NULL && (filters == 0 || i < filters);
}

static void
read_options(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (strncmp(argv[i], "-j", 2) == 0)
			jobs = atoi(argv[i] + 2);
		else if (strcmp(argv[i], "--timeout") == 0 && i + 1 < argc)
			timeout = atof(argv[++i]);
		else if (strcmp(argv[i], "--filter") == 0 && i + 1 < argc &&
		    filters < FILTERS_MAX)
			filter[filters++] = argv[++i];
	}
	if (jobs < 1 || jobs > JOBS_MAX)
		jobs = 1;
}

int
main(int argc, char **argv)
{
	const struct cr_test *test;
	int i;

	read_options(argc, argv);
	for (test = tests; test != NULL; test = test->next) {
		if (!is_wanted(test))
			continue;
		while (collect() == jobs)
			continue;
		for (i = 0; running[i].pid != 0; i++)
			continue;
		start(&running[i], test);
	}
	while (collect() > 0)
		continue;
	printf("[====] Synthesis: Tested: %d | Passing: %d | Failing: %d | Crashing: %d "
	       "| Skipped: %d\n", sum.tested, sum.passing, sum.failing, sum.crashing, sum.skipped);
	return sum.failing + sum.crashing > 0;
}
