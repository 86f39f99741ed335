/* SPDX-License-Identifier: MIT */
/* Subprocesses; the contract is in subprocess.h. */
#include "base/subprocess.h"

#include "base/clock.h"
#include "base/compat.h"
#include "base/stream.h"
#include "base/text.h"
#include "base/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
	pid_t pid;
	int in, out; /* our ends of its stdin, and of its stdout and stderr; -1: closed */
	int errors;  /* a file that is its stderr instead, or -1 */
	bool serves; /* and its stdout */
	bool unread; /* it closed its stdin before it had read everything */
};

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The handlers and the mask to restore. */
struct before {
	struct sigaction child, pipe;
	sigset_t mask;
};

/*
 * Blocks SIGCHLD, for compat_ends_within(), and sets its default action, because whoever
 * started us may have ignored it. Ignores SIGPIPE, because the child may exit before it
 * has read all its input.
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

/* ---- environment and descriptors ------------------------------------------ */

enum { INHERITED_MAX = 32, VARIABLES_MAX = INHERITED_MAX + 8 };

/* The whole environment of a child; borrowed from ours except PATH and HOME of another user. */
struct variables {
	char *value[VARIABLES_MAX + 1];
	size_t count;
	char path[48], home[sizeof("HOME=") + USER_HOME];
};

/* What a program needs to find files and to print text, and nothing else. */
static bool
is_passed_on(const char *variable)
{
	static const char *const names[] = {
		"PATH=", "HOME=", "TERM=", "LANG=", "LC_", "TMUX_TMPDIR=",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_begins(variable, names[i]))
			return true;
	return false;
}

/* Our paths are meaningless to another user. */
static bool
is_a_place(const char *variable)
{
	return text_begins(variable, "PATH=") || text_begins(variable, "HOME=") ||
	    text_begins(variable, "TMUX_TMPDIR=");
}

static void
gather_variables(struct variables *variables, const struct subprocess_command *command)
{
	const struct account *user = command->user;
	size_t i;

	variables->count = 0;
	if (user != NULL) {
		text_copy(variables->path, sizeof(variables->path),
		    "PATH=" USER_PATH);
		text_format(variables->home, sizeof(variables->home), "HOME=%s",
		    user->home);
		variables->value[variables->count++] = variables->path;
		variables->value[variables->count++] = variables->home;
	}
	for (i = 0; environ[i] != NULL && variables->count < INHERITED_MAX; i++)
		if (is_passed_on(environ[i]) &&
		    (user == NULL || !is_a_place(environ[i])))
			variables->value[variables->count++] = environ[i];
	for (i = 0; command->variables != NULL && command->variables[i] != NULL &&
	    variables->count < VARIABLES_MAX; i++)
		/* its prototype is older than const; nothing changes them */
		variables->value[variables->count++] = (char *)command->variables[i];
	variables->value[variables->count] = NULL;
}

static bool
survives_exec(int fd)
{
	int flags = fcntl(fd, F_GETFD);

	return flags >= 0 && (flags & FD_CLOEXEC) == 0;
}

static void
close_at_spawn(void *actions, int fd)
{
	if (survives_exec(fd))
		posix_spawn_file_actions_addclose(actions, fd);
}

static void
close_at_exec(void *unused, int fd)
{
	(void)unused;
	if (survives_exec(fd))
		fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* ---- start ---------------------------------------------------------------- */

/* The child gets the signal mask that we were started with. */
static int
spawn_child(pid_t *pid, const struct subprocess_command *command,
    const int stream[3], const struct before *before)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	struct variables variables;
	sigset_t usual;
	int failure;

	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
	    (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
	        (command->serves ? compat_spawn_session : 0)));
	posix_spawnattr_setsigmask(&attributes, &before->mask);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, stream[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, stream[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, stream[2], STDERR_FILENO);
	compat_each_descriptor(close_at_spawn, &actions);
	gather_variables(&variables, command);
	/* the prototype lacks const */
	failure = posix_spawnp(pid, command->program != NULL ?
	    command->program : command->arguments[0], &actions, &attributes,
	    (char *const *)command->arguments, variables.value);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return failure;
}

/*
 * Becomes the other user, if there is one, and executes the program; returns errno if that
 * failed. The new session keeps the program from our terminal: it could type there
 * (TIOCSTI) or read from /dev/tty.
 */
static int
go_on_as(const struct subprocess_command *command, const int stream[3],
    const struct before *before)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	static struct variables variables; /* environ leads there */
	int i;

	compat_each_descriptor(close_at_exec, NULL);
	if (setsid() < 0 || (command->user != NULL &&
	    (chdir("/") != 0 || !user_become(command->user))))
		return EPERM;
	for (i = 0; i < 3; i++)
		/* dup2() of a descriptor to itself leaves FD_CLOEXEC set */
		if (dup2(stream[i], i) < 0 || fcntl(i, F_SETFD, 0) < 0)
			return errno;
	gather_variables(&variables, command);
	sigaction(SIGPIPE, &usual, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
	/* PATH is searched as that user, too */
	environ = variables.value;
	execvp(command->program != NULL ? command->program :
	    command->arguments[0], (char *const *)command->arguments);
	return errno;
}

/*
 * Waits until exec closes the pipe, or for errno through it. The time limit is needed
 * because that user may stop the child before exec.
 */
static int
wait_for_exec(int told, unsigned timeout_ms)
{
	struct pollfd p = { .fd = told, .events = POLLIN };
	long long deadline = clock_ms() + timeout_ms, left;
	int failure = 0, ready;
	ssize_t n;

	do {
		left = deadline - clock_ms();
		ready = wait_on(&p, 1, left > 0 ? (int)left : 0);
	} while (ready < 0 && errno == EINTR);
	if (ready == 0)
		return ETIMEDOUT;
	do
		n = read(told, &failure, sizeof(failure));
	while (n < 0 && errno == EINTR);
	return failure;
}

static int
fork_as(pid_t *pid, const struct subprocess_command *command, const int stream[3],
    const struct before *before, unsigned timeout_ms)
{
	int told[2], failure = 0;
	ssize_t n;

	if (compat_pipe(told) != 0)
		return errno;
	*pid = fork();
	if (*pid == 0) {
		failure = go_on_as(command, stream, before);
		n = write(told[1], &failure, sizeof(failure));
		_exit(n < 0 ? 126 : 127);
	}
	if (*pid < 0)
		failure = errno;
	close(told[1]);
	if (*pid > 0)
		failure = wait_for_exec(told[0], timeout_ms);
	close(told[0]);
	if (failure != 0 && *pid > 0) {
		kill(*pid, SIGKILL);
		waitpid(*pid, NULL, 0);
	}
	return failure;
}

/*
 * A file, not a pipe: whoever is left behind holds it, and may write to it when we are
 * gone.
 */
static bool
open_errors(struct child *child, const struct subprocess_command *command)
{
	child->serves = command->serves;
	child->errors = command->errors != NULL ?
	    compat_unnamed_file() : -1;
	return command->errors == NULL || child->errors >= 0;
}

static int
start_child(struct child *child, const struct subprocess_command *command,
    const struct before *before, unsigned timeout_ms)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, stream[3], failure;

	if (compat_pipe(in) != 0 || compat_pipe(out) != 0 ||
	    !open_errors(child, command)) {
		failure = errno;
		close_end(&in[0]);
		close_end(&in[1]);
		close_end(&out[0]);
		close_end(&out[1]);
		return failure;
	}
	stream[0] = in[0];
	stream[2] = child->errors >= 0 ? child->errors : out[1];
	stream[1] = child->serves ? child->errors : out[1];
	failure = command->user != NULL ||
	    (command->serves && compat_spawn_session == 0) ?
	    fork_as(&child->pid, command, stream, before, timeout_ms) :
	    spawn_child(&child->pid, command, stream, before);
	close(in[0]);
	close(out[1]);
	child->in = in[1];
	child->out = out[0];
	if (failure != 0) {
		close_end(&child->in);
		close_end(&child->out);
		close_end(&child->errors);
	}
	return failure;
}

/* ---- input and output ------------------------------------------------------ */

/* Writes one piece of its input; false once all is written. */
static bool
feed_input(struct child *child, const char **bytes, size_t *left)
{
	ssize_t n = write(child->in, *bytes, *left);

	if (n > 0) {
		*bytes += n;
		*left -= (size_t)n;
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		child->unread = true;
		*left = 0;
	}
	if (*left == 0)
		close_end(&child->in);
	return *left > 0;
}

/* Writes input and reads output at once. False: the time limit has passed. */
static bool
feed_and_collect(struct child *child, const char *bytes, size_t left, struct buf *answer,
    subprocess_enough *enough, unsigned timeout_ms)
{
	struct pollfd ends[2];
	long long deadline = clock_ms() + timeout_ms, wait;
	bool reads = !child->serves;
	int ready;

	if (left == 0)
		close_end(&child->in);
	else
		fcntl(child->in, F_SETFL, O_NONBLOCK);
	/* it may close its stdout before it reads */
	while (reads || child->in >= 0) {
		ends[0] = (struct pollfd){ reads ? child->out : -1, POLLIN, 0 };
		ends[1] = (struct pollfd){ child->in, POLLOUT, 0 };
		wait = deadline - clock_ms();
		ready = wait > 0 ? wait_on(ends, 2, (int)wait) : 0;
		if (ready == 0)
			return false;
		if (ready < 0)
			continue;
		if (ends[1].revents != 0) {
			feed_input(child, &bytes, &left);
			deadline = clock_ms() + timeout_ms;
		}
		if (ends[0].revents != 0)
			reads = stream_read(child->out, answer) > 0;
		if (ends[0].revents != 0 && enough != NULL &&
		    enough(answer) != CHILD_GOES_ON)
			return true;
	}
	return true;
}

/* Its exit status, 128 and more for a signal. */
static int
finish(struct child *child, bool in_time, unsigned timeout_ms)
{
	int status = 0;

	close_end(&child->in);
	close_end(&child->out);
	if (!in_time || !compat_ends_within(child->pid, timeout_ms, &status)) {
		kill(child->pid, SIGKILL);
		waitpid(child->pid, &status, 0);
		return SUBPROCESS_TOO_SLOW;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && child->unread)
		return SUBPROCESS_UNREAD;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Children that have answered but not exited: one for each tmux stepped over. */
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
subprocess_reap(void)
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

/* What it has printed; of more than fits, the beginning. */
static void
collect_errors(struct child *child, struct buf *errors)
{
	enum { MOST = 4096 };
	ssize_t n = -1;

	if (errors != NULL && child->errors >= 0 && buf_reserve(errors, MOST))
		n = pread(child->errors, errors->data + errors->len, MOST, 0);
	if (n > 0)
		errors->len += (size_t)n;
	close_end(&child->errors);
}

int
subprocess_run_command(const struct subprocess_command *command, const void *bytes, size_t n,
    struct buf *answer, subprocess_enough *enough, unsigned timeout_ms)
{
	struct child child = { .in = -1, .out = -1, .errors = -1 };
	struct before before;
	int status = SUBPROCESS_NOT_STARTED, failure;
	enum child_state state;
	bool in_time;

	watch_child(&before);
	failure = start_child(&child, command, &before, timeout_ms);
	if (failure == ETIMEDOUT)
		status = SUBPROCESS_TOO_SLOW;
	if (failure == 0) {
		in_time = feed_and_collect(&child, bytes, n, answer, enough, timeout_ms);
		state = enough != NULL ? enough(answer) : CHILD_GOES_ON;
		status = state == CHILD_HAS_ANSWERED &&
		    leave_alone(&child, timeout_ms) ? 0 :
		    finish(&child, in_time && state != CHILD_HAS_FAILED,
		        timeout_ms);
		collect_errors(&child, command->errors);
	}
	unwatch_child(&before);
	errno = failure;
	return status;
}
