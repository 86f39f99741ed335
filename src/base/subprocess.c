/* SPDX-License-Identifier: MIT */
/* Runs programs and collects their output. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

/* The pipes of a child: its stdin, its stdout with stderr, the result of exec, its descriptor 3. */
enum { IN, OUT, EXEC, MORE, PIPES };

struct child {
	pid_t pid;
	int end[PIPES]; /* our ends, or -1 */
	int errors;  /* a file used as its stderr instead, or -1 */
	bool serves; /* its output is not read, see struct subprocess_command */
	bool stays;  /* its streams are kept open */
	bool unread; /* it closed its stdin before reading everything */
	unsigned timeout_ms;
};

bool subprocess_apart;

static void
close_ends(int *end, size_t n)
{
	for (; n > 0; n--, end++) {
		if (*end >= 0)
			close(*end);
		*end = -1;
	}
}

/* ---- signals ---------------------------------------------------------------- */

/* The caller's handlers and mask. */
static struct {
	struct sigaction child, pipe;
	sigset_t mask;
} callers;

static void
on_child(int number)
{
	(void)number;
}

/* finish() waits for SIGCHLD; SIGPIPE, because a child may exit without reading its input. */
static void
catch_signals(void)
{
	struct sigaction caught = { .sa_handler = on_child }, ignored = { .sa_handler = SIG_IGN };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &callers.mask);
	sigaction(SIGCHLD, &caught, &callers.child);
	sigaction(SIGPIPE, &ignored, &callers.pipe);
}

static void
restore_signals(void)
{
	sigaction(SIGPIPE, &callers.pipe, NULL);
	sigaction(SIGCHLD, &callers.child, NULL);
	sigprocmask(SIG_SETMASK, &callers.mask, NULL);
}

/* ---- start ------------------------------------------------------------------ */

/*
 * The child's environment: the variables for finding files and printing text, and those of
 * the command.
 */
static void
set_environment(const struct subprocess_command *command)
{
	static const char *const inherited[] = {
		"LANG=", "LC_", "TERM=", "PATH=", "HOME=", "TMUX_TMPDIR=",
	};
	enum { MOST = 32 };
	size_t i, k, n = 0, names = sizeof(inherited) / sizeof(inherited[0]);
	static char *variables[MOST + 8 + 1];

	for (i = 0; environ[i] != NULL && n < MOST; i++)
		for (k = 0; k < names && n < MOST; k++)
			if (text_begins(environ[i], inherited[k]))
				variables[n++] = environ[i];
	for (i = 0; command->variables != NULL && command->variables[i] != NULL && i < 8; i++)
		/* never modified */
		variables[n++] = (char *)command->variables[i];
	environ = variables;
}

/* Executes the program in the child, and returns errno if that failed. */
static int
execute(const struct subprocess_command *command, const int stream[4])
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	int i;

	compat_close_at_exec();
	for (i = 0; i < 4 && stream[i] >= 0; i++)
		if (dup2(stream[i], i) < 0)
			return errno;
	if ((subprocess_apart || command->serves) && setsid() < 0)
		return errno;
	if (subprocess_apart && chdir("/") != 0)
		return errno;
	if (!command->inherits)
		set_environment(command);
	sigaction(SIGPIPE, &usual, NULL);
	sigprocmask(SIG_SETMASK, &callers.mask, NULL);
	/* the prototype lacks const */
	execvp(command->program != NULL ? command->program : command->arguments[0],
	    (char *const *)command->arguments);
	return errno;
}

/*
 * Waits until exec closes the pipe, or for errno through it. The timeout is needed because
 * the user may stop the child before exec.
 */
static int
wait_for_exec(const struct child *child)
{
	struct pollfd p = { .fd = child->end[EXEC], .events = POLLIN };
	int failure = 0, ready;

	while ((ready = wait_on(&p, 1, (int)child->timeout_ms)) < 0 && errno == EINTR)
		continue;
	if (ready == 0)
		return ETIMEDOUT;
	while (read(p.fd, &failure, sizeof(failure)) < 0 && errno == EINTR)
		continue;
	return failure;
}

static int
start(struct child *child, const struct subprocess_command *command)
{
	static const int ours[PIPES] = { [IN] = 1, [MORE] = 1 };
	const size_t pipes = child->stays ? PIPES : MORE;
	int its[PIPES] = { -1, -1, -1, -1 }, ends[2], failure = 0;
	size_t i;
	ssize_t n;

	/* a file: a process left in the background may write to it after we exit */
	if (command->errors != NULL && (child->errors = compat_unnamed_file()) < 0)
		return errno;
	/* MORE is last: its descriptor is then not 3 already, which dup2() would close at exec */
	for (i = 0; i < pipes && pipe(ends) == 0; i++) {
		child->end[i] = ends[ours[i]];
		its[i] = ends[!ours[i]];
	}
	if (i < pipes || (child->pid = fork()) < 0)
		failure = errno;
	if (child->pid == 0 && failure == 0) {
		const int out = child->serves ? child->errors : its[OUT];
		const int stream[] = { its[IN], out, child->errors >= 0 ? child->errors : out,
			its[MORE] };

		failure = execute(command, stream);
		n = write(its[EXEC], &failure, sizeof(failure));
		_exit(n < 0 ? 126 : 127);
	}
	close_ends(its, PIPES);
	if (failure == 0 && (failure = wait_for_exec(child)) != 0) {
		kill(child->pid, SIGKILL);
		waitpid(child->pid, NULL, 0);
	}
	return failure;
}

/* ---- input and output ------------------------------------------------------- */

/*
 * Writes input and reads output concurrently, until there is enough of it. After the timeout
 * the child has failed.
 */
static enum child_state
feed_and_collect(struct child *child, const char *bytes, size_t left, struct buf *output,
    subprocess_enough *enough)
{
	long long deadline = clock_ms() + child->timeout_ms, wait;
	enum child_state state = CHILD_GOES_ON;
	bool reads = !child->serves;
	struct pollfd ends[2];
	ssize_t n;
	int ready;

	fcntl(child->end[IN], F_SETFL, O_NONBLOCK);
	/* it may close its stdout before reading its stdin */
	while (state == CHILD_GOES_ON) {
		if (left == 0 && !child->stays)
			close_ends(&child->end[IN], 1);
		if (!reads && (child->end[IN] < 0 || child->stays))
			break;
		ends[0] = (struct pollfd){ reads ? child->end[OUT] : -1, POLLIN, 0 };
		ends[1] = (struct pollfd){ left > 0 ? child->end[IN] : -1, POLLOUT, 0 };
		wait = deadline - clock_ms();
		ready = wait > 0 ? wait_on(ends, 2, (int)wait) : 0;
		if (ready == 0)
			return CHILD_HAS_FAILED;
		if (ready < 0)
			continue;
		if (ends[1].revents != 0) {
			n = write(child->end[IN], bytes, left);
			child->unread = n < 0 && errno != EAGAIN && errno != EINTR;
			if (n > 0) {
				bytes += n;
				left -= (size_t)n;
			}
			if (child->unread)
				left = 0;
			deadline = clock_ms() + child->timeout_ms;
		}
		if (ends[0].revents != 0) {
			reads = stream_read(child->end[OUT], output) > 0;
			if (enough != NULL)
				state = enough(output);
		}
	}
	return state;
}

/* Returns the exit status, or 128 plus the signal. */
static int
finish(struct child *child, bool in_time)
{
	long long left, deadline = clock_ms() + child->timeout_ms;
	sigset_t open = callers.mask;
	struct timespec wait;
	int status = 0;

	close_ends(child->end, PIPES);
	sigdelset(&open, SIGCHLD);
	while (in_time && waitpid(child->pid, &status, WNOHANG) == 0) {
		left = deadline - clock_ms();
		wait = (struct timespec){ left / 1000, left % 1000 * 1000000 };
		in_time = left > 0;
		if (in_time)
			pselect(0, NULL, NULL, NULL, &wait, &open);
	}
	if (!in_time) {
		kill(child->pid, SIGKILL);
		waitpid(child->pid, &status, 0);
		return SUBPROCESS_TOO_SLOW;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && child->unread)
		return SUBPROCESS_UNREAD;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Children that have answered but not exited: one for each bypassed tmux. */
static struct {
	size_t count;
	struct child child[8];
} answered;

/* Waits for the exit of every child that had answered, or kills it. */
static void
reap(void)
{
	catch_signals();
	while (answered.count > 0)
		finish(&answered.child[--answered.count], true);
	restore_signals();
}

static bool
leave(struct child *child)
{
	if (answered.count == sizeof(answered.child) / sizeof(answered.child[0]))
		return false;
	if (!child->stays)
		close_ends(child->end, PIPES);
	if (answered.count == 0)
		atexit(reap);
	answered.child[answered.count++] = *child;
	return true;
}

int
subprocess_run_command(const struct subprocess_command *command, const void *bytes, size_t n,
    struct buf *output, subprocess_enough *enough, unsigned timeout_ms)
{
	enum { ERRORS_MAX = 4096 };
	struct child child = { .end = { -1, -1, -1, -1 }, .errors = -1,
		.serves = command->serves, .stays = command->stays != NULL,
		.timeout_ms = timeout_ms };
	enum child_state state;
	int status, failure;
	ssize_t got;

	catch_signals();
	failure = start(&child, command);
	if (failure != 0) {
		close_ends(child.end, PIPES);
		status = failure == ETIMEDOUT ? SUBPROCESS_TOO_SLOW : SUBPROCESS_NOT_STARTED;
	} else {
		state = feed_and_collect(&child, bytes, n, output, enough);
		if (state == CHILD_HAS_ANSWERED && command->stays != NULL)
			*command->stays = child.pid;
		status = state == CHILD_HAS_ANSWERED && leave(&child) ? 0 :
		    finish(&child, state != CHILD_HAS_FAILED);
	}
	if (child.errors >= 0 && buf_reserve(command->errors, ERRORS_MAX)) {
		got = pread(child.errors, command->errors->data + command->errors->len,
		    ERRORS_MAX, 0);
		command->errors->len += got > 0 ? (size_t)got : 0;
	}
	close_ends(&child.errors, 1);
	restore_signals();
	errno = failure;
	return status;
}

int
subprocess_tell(pid_t pid, const char *line, const void *bytes, size_t n, struct buf *output,
    unsigned timeout_ms)
{
	struct child child;
	size_t i = 0;
	bool in_time;
	int status;

	while (i < answered.count && answered.child[i].pid != pid)
		i++;
	if (i == answered.count)
		return SUBPROCESS_NOT_STARTED;
	child = answered.child[i];
	answered.child[i] = answered.child[--answered.count];
	catch_signals();
	/* fails only if the child is gone, which then reads no bytes either */
	(void)!write(child.end[IN], line, strlen(line));
	close_ends(&child.end[IN], 1);
	child.end[IN] = child.end[MORE];
	child.end[MORE] = -1;
	child.stays = false;
	child.timeout_ms = timeout_ms;
	in_time = feed_and_collect(&child, bytes, n, output, NULL) != CHILD_HAS_FAILED;
	status = finish(&child, in_time);
	restore_signals();
	return status;
}

/* ---- the environment, and where programs are --------------------------------- */

const char *
environment_get(const char *name)
{
	return getenv(name);
}

bool
program_candidate(char *path, size_t size, const char **folders, const char *name)
{
	const char *folder = *folders;
	int n;

	if (folder == NULL)
		return false;
	n = (int)strcspn(folder, ":");
	*folders = folder[n] == ':' ? folder + n + 1 : NULL;
	if (snprintf(path, size, "%.*s%s%s", n, folder, n > 0 ? "/" : "", name) >= (int)size)
		path[0] = '\0';
	return true;
}
