/* SPDX-License-Identifier: MIT */
/* Another program, run to its end; the contract is in child.h. */
#include "route/child.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child {
	pid_t pid;
	int in, out; /* our ends: its stdin, its stdout and stderr; -1 closed */
};

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* SIGCHLD as it was when we were started, and the signals that were blocked. */
struct before {
	struct sigaction child, pipe;
	sigset_t mask;
};

/*
 * While it runs: its end is waited for by SIGCHLD, also if we were started
 * with that ignored, and its early end must not end us by SIGPIPE.
 */
static void
watch_child(struct before *before)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before->mask);
	sigaction(SIGCHLD, &usual, &before->child);
	sigaction(SIGPIPE, &ignore, &before->pipe);
}

static void
unwatch_child(const struct before *before)
{
	sigaction(SIGPIPE, &before->pipe, NULL);
	sigaction(SIGCHLD, &before->child, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* It starts with the signals that we were started with. */
static int
spawn(struct child *child, const char *const arguments[],
    const posix_spawn_file_actions_t *actions, const struct before *before)
{
	posix_spawnattr_t attributes;
	sigset_t usual;
	int failure;

	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
	    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &before->mask);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	/* its prototype is older than const; it changes nothing */
	failure = posix_spawnp(&child->pid, arguments[0], actions, &attributes,
	    (char *const *)arguments, environ);
	posix_spawnattr_destroy(&attributes);
	return failure;
}

static int
start(struct child *child, const char *const arguments[],
    const struct before *before)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, failure;
	posix_spawn_file_actions_t actions;

	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
		failure = errno;
		close_end(&in[0]);
		close_end(&in[1]);
		return failure;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDERR_FILENO);
	failure = spawn(child, arguments, &actions, before);
	posix_spawn_file_actions_destroy(&actions);
	close(in[0]);
	close(out[1]);
	child->in = in[1];
	child->out = out[0];
	if (failure != 0) {
		close_end(&child->in);
		close_end(&child->out);
	}
	return failure;
}

/* Feeds one piece; false once there is nothing more to feed. */
static bool
feed(struct child *child, const char **bytes, size_t *left)
{
	ssize_t n = write(child->in, *bytes, *left);

	if (n > 0) {
		*bytes += n;
		*left -= (size_t)n;
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		*left = 0; /* it closed its end; its status tells why */
	}
	if (*left == 0)
		close_end(&child->in);
	return *left > 0;
}

/* Takes one piece of the answer; false at its end. */
static bool
take(struct child *child, struct buf *answer)
{
	enum { PIECE = 4096 };
	ssize_t n;

	if (!buf_reserve(answer, PIECE))
		return false;
	n = read(child->out, answer->data + answer->len, PIECE);
	if (n > 0)
		answer->len += (size_t)n;
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/*
 * Both ways at once, each step within the time limit: a server that has
 * stopped must not stop us.
 */
static bool
converse(struct child *child, const char *bytes, size_t left, struct buf *answer,
    child_enough *enough, unsigned timeout_ms)
{
	struct pollfd ends[2];
	long long deadline = clock_ms() + timeout_ms, wait;
	int ready;

	if (left == 0)
		close_end(&child->in);
	else
		fcntl(child->in, F_SETFL, O_NONBLOCK);
	for (;;) {
		ends[0] = (struct pollfd){ child->out, POLLIN, 0 };
		ends[1] = (struct pollfd){ child->in, POLLOUT, 0 };
		wait = deadline - clock_ms();
		ready = wait > 0 ? poll(ends, 2, (int)wait) : 0;
		if (ready == 0)
			return false;
		if (ready < 0)
			continue;
		if (ends[1].revents != 0) {
			feed(child, &bytes, &left);
			deadline = clock_ms() + timeout_ms;
		}
		if (ends[0].revents != 0 && (!take(child, answer) ||
		    (enough != NULL && enough(answer))))
			return true;
	}
}

/* Whether it has ended within the time; SIGCHLD is blocked. */
static bool
ends_within(pid_t pid, unsigned timeout_ms, int *status)
{
	struct timespec left = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };
	sigset_t child;
	pid_t ended;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while ((ended = waitpid(pid, status, WNOHANG)) == 0)
		if (sigtimedwait(&child, NULL, &left) < 0 && errno == EAGAIN)
			return false;
	return ended == pid;
}

/* Its exit status, 128 and more for a signal. */
static int
finish(struct child *child, bool in_time, unsigned timeout_ms)
{
	int status = 0;

	close_end(&child->in);
	close_end(&child->out);
	if (!in_time || !ends_within(child->pid, timeout_ms, &status)) {
		kill(child->pid, SIGKILL);
		waitpid(child->pid, &status, 0);
		return CHILD_TOO_SLOW;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Those that were left to end by themselves: one for each tmux stepped over. */
static struct {
	size_t count;
	struct child child[8];
	unsigned timeout_ms;
} left_alone;

static bool
leave_alone(struct child *child, unsigned timeout_ms)
{
	size_t room = sizeof(left_alone.child) / sizeof(left_alone.child[0]);

	if (left_alone.count == room)
		return false;
	close_end(&child->in);
	close_end(&child->out);
	left_alone.child[left_alone.count++] = *child;
	left_alone.timeout_ms = timeout_ms;
	return true;
}

void
child_reap(void)
{
	struct before before;

	if (left_alone.count == 0)
		return;
	watch_child(&before);
	while (left_alone.count > 0)
		finish(&left_alone.child[--left_alone.count], true,
		    left_alone.timeout_ms);
	unwatch_child(&before);
}

int
child_run(const char *const arguments[], const void *bytes, size_t n,
    struct buf *answer, child_enough *enough, unsigned timeout_ms)
{
	struct child child = { .in = -1, .out = -1 };
	struct before before;
	int status = CHILD_NOT_STARTED, failure;
	bool in_time;

	watch_child(&before);
	failure = start(&child, arguments, &before);
	if (failure == 0) {
		in_time = converse(&child, bytes, n, answer, enough, timeout_ms);
		status = enough != NULL && enough(answer) &&
		    leave_alone(&child, timeout_ms) ? 0 :
		    finish(&child, in_time, timeout_ms);
	}
	unwatch_child(&before);
	errno = failure;
	return status;
}
