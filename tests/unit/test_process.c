/* SPDX-License-Identifier: MIT */
/*
 * detect/process: what the system tells of this process, of children with names
 * made to confuse, and of those that are gone.
 */
#include "detect/path.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* A child in its own session that waits; its `prepare` is done on return. */
static pid_t
start(void (*prepare)(const char *), const char *argument)
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
		prepare(argument);
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

static void
take_name(const char *name)
{
	prctl(PR_SET_NAME, name);
}

/* ---- names and parents -------------------------------------------------- */

Test(process, this_one)
{
	struct process p;

	memset(&p, 0x55, sizeof(p));
	take_name("by its name");
	cr_assert(process_read(&p, getpid()));
	cr_expect_eq(p.pid, getpid());
	cr_expect_eq(p.parent, getppid());
	cr_expect_str_eq(p.name, "by its name");
	cr_expect_not_null(memchr(p.tty, '\0', sizeof(p.tty)));
}

/* The kernel puts the name between parentheses and quotes nothing. */
Test(process, names_made_to_confuse)
{
	static const struct { const char *name, *wanted; } rows[] = {
		{ "plain", "plain" },
		{ "(x)", "(x)" },
		{ ")", ")" },
		{ "(", "(" },
		{ ") S 1 1 1 34816", ") S 1 1 1 34816" },
		{ "a) R 1 (b", "a) R 1 (b" },
		{ "((((", "((((" },
		{ "))))", "))))" },
		{ "two words", "two words" },
		{ "15 characters..", "15 characters.." },
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
		pid = start(take_name, rows[i].name);
		cr_expect(process_read(&p, pid), "%s", rows[i].wanted);
		cr_expect_str_eq(p.name, rows[i].wanted, "%s: \"%s\"",
		    rows[i].wanted, p.name);
		cr_expect_eq(p.parent, getpid(), "%s: parent %d", rows[i].wanted,
		    (int)p.parent);
		stop(pid);
	}
}

Test(process, steps_up_to_the_last)
{
	pid_t pid = start(take_name, ") S 1 (");
	const struct process *p = process_find(pid);
	int steps = 0;

	cr_assert_not_null(p);
	cr_assert_not_null(p = process_parent(p));
	cr_expect_eq(p->pid, getpid());
	cr_expect_eq(p, process_find(getpid()), "each is read once");
	while ((p = process_parent(p)) != NULL && steps < 1000)
		steps++;
	cr_expect_lt(steps, 1000, "a circle");
	stop(pid);
}

Test(process, those_that_are_none)
{
	static const pid_t none[] = { 0, -1, -2147483647, 2147483647 };
	struct buf environment;
	const struct process *snapshot;
	struct process p;
	size_t i;
	pid_t pid = start(take_name, "gone");

	snapshot = process_find(pid);
	cr_assert_not_null(snapshot);
	stop(pid);
	cr_expect_not(process_read(&p, pid), "it is gone");
	buf_init(&environment, 1 << 20);
	cr_expect_not(process_environment(&environment, snapshot));
	for (i = 0; i < LEN(none); i++) {
		cr_expect_not(process_read(&p, none[i]), "%d", (int)none[i]);
		cr_expect_null(process_find(none[i]), "%d", (int)none[i]);
		cr_expect_not(process_strings(&environment, none[i], PROCESS_VARIABLES),
		    "%d", (int)none[i]);
	}
	buf_free(&environment);
}

/* ---- terminals ----------------------------------------------------------- */

static char pty_name[64];

static void
take_terminal(const char *name)
{
	int fd;

	setsid();
	fd = open(name, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0)
		_exit(1);
}

static void
take_none(const char *unused)
{
	(void)unused;
	setsid();
}

static int
open_pty(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);

	cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 &&
	    ptsname_r(master, pty_name, sizeof(pty_name)) == 0);
	return master;
}

/* As root: sudo, whose real user is its caller, and a process that is one user's. */
static void
take_ids(const char *unused)
{
	(void)unused;
	if (setresgid(7, 7, 7) != 0 || setresuid(1000, 0, 0) != 0)
		_exit(1);
}

static void
take_user(const char *unused)
{
	(void)unused;
	if (setresgid(7, 7, 0) != 0 || setresuid(1000, 1000, 1000) != 0)
		_exit(1);
}

Test(process, whose_a_process_is)
{
	struct buf b = { .max = 1 << 20 };
	struct process_ids ids;
	pid_t pid;

	if (geteuid() != 0)
		cr_skip_test("only root becomes a user");
	pid = start(take_ids, "");
	cr_assert(process_read_ids(&ids, pid));
	cr_expect_eq(ids.real, 1000);
	cr_expect_eq(ids.owner, USER_NONE);
	cr_expect_eq(ids.group, 7);
	cr_expect_not(process_environment(&b, process_find(pid)), "its caller has set it");
	stop(pid);
	pid = start(take_user, "");
	cr_assert(process_read_ids(&ids, pid));
	cr_expect_eq(ids.real, 1000);
	cr_expect_eq(ids.owner, 1000);
	cr_expect_eq(ids.group, GROUP_NONE);
	stop(pid);
}

Test(process, controlling_terminal)
{
	int master = open_pty();
	pid_t pid = start(take_terminal, pty_name);
	struct process p;

	cr_assert(process_read(&p, pid));
	cr_expect_str_eq(p.tty, pty_name, "%s", p.tty);
	stop(pid);
	pid = start(take_none, "");
	cr_assert(process_read(&p, pid));
	cr_expect_str_eq(p.tty, "", "%s", p.tty);
	stop(pid);
	close(master);
}

Test(process, names_of_devices)
{
	char name[DEVICE_NAME];
	int master = open_pty(), fd = open(pty_name, O_RDWR | O_NOCTTY);
	int null = open("/dev/null", O_RDWR), ends[2];

	memset(name, '#', sizeof(name));
	cr_expect(device_name(name, fd));
	cr_expect_str_eq(name, pty_name);
	memset(name, '#', sizeof(name));
	cr_expect_not(device_name(name, null));
	cr_assert_eq(pipe(ends), 0);
	cr_expect_not(device_name(name, ends[0]), "a pipe");
	cr_expect_not(device_name(name, -1));
	cr_expect_not(device_name(name, 9999));
	close(ends[0]);
	close(ends[1]);
	close(null);
	close(fd);
	close(master);
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
	buf_init(&b, 1 << 20);
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
	buf_init(&b, 1 << 20);
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

	buf_init(&b, 1 << 20);
	cr_expect(process_environment(&b, process_find(pid)), "empty, but not hidden");
	cr_expect_null(environment_value(&b, "PATH"));
	buf_free(&b);
	cr_expect_null(environment_value(&b, "PATH"), "never read at all");
	stop(pid);
}

static void
do_nothing(const char *unused)
{
	(void)unused;
}

static void
change_root(const char *folder)
{
	cr_assert(chroot(folder) == 0 && chdir("/") == 0);
}

Test(process, no_environment_of_another_with_its_number)
{
	pid_t pid = start(take_name, "a) S 1 (2");
	struct process changed = *process_find(pid);
	struct buf b;

	buf_init(&b, 1 << 20);
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

Test(process, who_has_our_root_and_who_has_not)
{
	pid_t near = start(do_nothing, "");
	pid_t far;

	cr_expect_null(process_elsewhere(getpid()));
	cr_expect_null(process_elsewhere(near));
	stop(near);
	cr_expect_not_null(process_elsewhere(near));
	if (geteuid() != 0)
		return;
	far = start(change_root, "/usr");
	cr_expect_not_null(process_elsewhere(far));
	stop(far);
}
