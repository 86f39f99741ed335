/* SPDX-License-Identifier: MIT */
/*
 * detect/process: what the system tells of children with names made to confuse, and of those
 * that are gone; and which environment is whose.
 */
#include "detect/path.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* A child of this name, which waits. */
static pid_t
start(const char *name)
{
	int ready[2];
	char byte;
	pid_t pid;

	cr_assert_eq(pipe(ready), 0);
	pid = fork();
	cr_assert_neq(pid, -1);
	if (pid == 0) {
		/* a test that fails must not leave it behind */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void
stop(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* ---- names and parents -------------------------------------------------- */

/* The kernel puts the name between parentheses and quotes nothing. */
Test(process, names_made_to_confuse)
{
	static const struct { const char *name, *wanted; } rows[] = {
		{ "plain", "plain" },
		{ ")", ")" },
		{ ") S 1 1 1 34816", ") S 1 1 1 34816" },
		{ "))))", "))))" },
		{ "more than 15 characters", "more than 15 ch" },
		{ "\x1b]52;c;!\a", "?]52;c;!?" },
		{ "new\nline", "new?line" },
		{ "\xc3\xbc\x9b", "???" },
		{ "", "" },
	};
	struct process p;
	size_t i;
	pid_t pid;

	for (i = 0; i < LEN(rows); i++) {
		pid = start(rows[i].name);
		cr_expect(process_read(&p, pid), "%s", rows[i].wanted);
		cr_expect_str_eq(p.name, rows[i].wanted, "%s: \"%s\"",
		    rows[i].wanted, p.name);
		cr_expect_eq(p.parent, getpid(), "%s: parent %d", rows[i].wanted,
		    (int)p.parent);
		stop(pid);
	}
}

Test(process, those_that_are_none)
{
	static const pid_t none[] = { 0, -1, -2147483647, 2147483647 };
	struct buf environment;
	const struct process *snapshot;
	struct process p;
	size_t i;
	pid_t pid = start("gone");

	snapshot = process_find(pid);
	cr_assert_not_null(snapshot);
	stop(pid);
	cr_expect_not(process_read(&p, pid), "it is gone");
	environment = (struct buf){ .max = 1 << 20 };
	cr_expect_not(process_environment(&environment, snapshot));
	for (i = 0; i < LEN(none); i++) {
		cr_expect_not(process_read(&p, none[i]), "%d", (int)none[i]);
		cr_expect_null(process_find(none[i]), "%d", (int)none[i]);
		cr_expect_not(process_strings(&environment, none[i], PROCESS_VARIABLES),
		    "%d", (int)none[i]);
	}
	buf_free(&environment);
}

/* ---- environments --------------------------------------------------------- */

/* A cat: what it hands on says that it runs, with its environment in place. */
static pid_t
start_with(char *const environment[])
{
	char *arguments[] = { (char *)"cat", NULL };
	int in[2], out[2];
	char byte = 'x';
	pid_t pid;

	cr_assert_eq(pipe2(in, O_CLOEXEC), 0);
	cr_assert_eq(pipe2(out, O_CLOEXEC), 0);
	pid = fork();
	cr_assert_neq(pid, -1);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execve("/bin/cat", arguments, environment);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	cr_assert_eq(write(in[1], &byte, 1), 1);
	cr_assert_eq(read(out[0], &byte, 1), 1);
	/* the writing end stays open: cat lives until it is stopped */
	close(out[0]);
	return pid;
}

Test(process, environment_of_a_child)
{
	enum { LONG = 100000 };
	static char large[LONG + 8];
	char *environment[] = {
		(char *)"TMUX=/tmp/s,1,2", (char *)"EMPTY=", (char *)"TWO=a=b",
		(char *)"TMUX_PANE=%3", (char *)"NOT AN ASSIGNMENT",
		(char *)"TMUX=second", large, (char *)"LAST=end", NULL,
	};
	static const struct { const char *name, *value; } rows[] = {
		{ "TMUX", "/tmp/s,1,2" }, { "EMPTY", "" }, { "TWO", "a=b" },
		{ "TMUX_PANE", "%3" }, { "LAST", "end" }, { "TMU", NULL },
		{ "TMUX_", NULL }, { "MUX", NULL }, { "NOT AN ASSIGNMENT", NULL },
		{ "PATH", NULL }, { "", NULL },
	};
	const char *value;
	struct buf b;
	size_t i;
	pid_t pid;

	strcpy(large, "LARGE=");
	memset(large + 6, 'x', LONG);
	pid = start_with(environment);
	b = (struct buf){ .max = 1 << 20 };
	cr_assert(process_environment(&b, process_find(pid)));
	for (i = 0; i < LEN(rows); i++) {
		value = environment_value(&b, rows[i].name);
		cr_expect(rows[i].value == NULL ? value == NULL :
		    value != NULL && strcmp(value, rows[i].value) == 0,
		    "%s is \"%s\"", rows[i].name, value != NULL ? value :
		    "(none)");
	}
	value = environment_value(&b, "LARGE");
	cr_expect(value != NULL && strlen(value) == LONG, "a large one is whole");
	buf_free(&b);
	stop(pid);
}

/* The kernel allows 6 MB: three quarters of its limit for the stack. */
Test(process, environment_that_is_too_large_is_none)
{
	enum { LARGE = 120000, COUNT = 40 };
	static char large[COUNT][LARGE];
	char *environment[COUNT + 2] = { (char *)"TMUX=/tmp/s,1,2" };
	struct rlimit limit;
	struct buf b;
	size_t i;
	pid_t pid;

	for (i = 0; i < COUNT; i++) {
		memset(large[i], 'x', LARGE - 1);
		large[i][1] = '=';
		environment[i + 1] = large[i];
	}
	cr_assert_eq(getrlimit(RLIMIT_STACK, &limit), 0);
	limit.rlim_cur = 64 << 20;
	cr_assert_eq(setrlimit(RLIMIT_STACK, &limit), 0);
	pid = start_with(environment);
	b = (struct buf){ .max = 1 << 20 };
	cr_expect_not(process_environment(&b, process_find(pid)));
	cr_expect_eq(b.len, 0);
	cr_expect_null(environment_value(&b, "TMUX"));
	buf_free(&b);
	stop(pid);
}

Test(process, no_environment)
{
	char *environment[] = { NULL };
	struct buf b;
	pid_t pid = start_with(environment);

	b = (struct buf){ .max = 1 << 20 };
	cr_expect(process_environment(&b, process_find(pid)), "empty, but not hidden");
	cr_expect_null(environment_value(&b, "PATH"));
	buf_free(&b);
	cr_expect_null(environment_value(&b, "PATH"), "never read at all");
	stop(pid);
}

Test(process, no_environment_of_another_with_its_number)
{
	pid_t pid = start("a) S 1 (2");
	struct process changed = *process_find(pid);
	struct buf b;

	b = (struct buf){ .max = 1 << 20 };
	cr_expect_gt(changed.started, 0);
	cr_expect_geq(changed.started, process_find(getpid())->started);
	cr_expect(process_environment(&b, &changed));
	changed.started++;
	cr_expect_not(process_environment(&b, &changed), "started at another time");
	cr_expect_eq(b.len, 0);
	changed.started--;
	((struct process_ids *)process_ids(&changed))->owner++;
	cr_expect_not(process_environment(&b, &changed), "another user's");
	buf_free(&b);
	stop(pid);
}
