/* SPDX-License-Identifier: MIT */
/* The job in the foreground; the contract is in foreground_job.h. */
#include "tty/foreground_job.h"

#include "base/clock.h"
#include "base/compat.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT_RUN = 126, OF_SIGNAL = 128 };

/*
 * The signals that could end or stop us while the job runs, and SIGCHLD. The kernel
 * sends those of a terminal to the whole foreground group, but SIGHUP to the session
 * leader only.
 */
static const struct {
	int number;
	bool kernel_tells_group;
} watched[] = {
	{ SIGCHLD, true }, { SIGINT, true }, { SIGQUIT, true },
	{ SIGTERM, false }, { SIGHUP, false },
	{ SIGTSTP, true }, { SIGTTIN, true }, { SIGTTOU, true },
};

enum { WATCHED = sizeof(watched) / sizeof(watched[0]) };

struct job {
	const struct foreground_job_hooks *hooks;
	pid_t pid;
	struct sigaction before[WATCHED];
	sigset_t mask; /* as we were started with */
};

/* For the handler: the pid of the job, 0 before it, and which signals to forward. */
static volatile sig_atomic_t running, came[WATCHED];

static void
note_job_signal(int number, siginfo_t *info, void *context)
{
	/* FreeBSD and macOS number SI_USER among the kernel's own codes */
	bool from_process = info->si_code <= 0 || info->si_code == SI_USER;
	/* an editor that stops sends the signal to its whole group */
	bool its_own = from_process && info->si_pid == (pid_t)running;
	size_t i = 0;

	(void)context;
	while (watched[i].number != number)
		i++;
	if (running == 0 ||
	    (!its_own && (from_process || !watched[i].kernel_tells_group)))
		came[i] = 1;
}

/* Blocks the signals except while waiting in doze(). */
static void
watch(struct job *job)
{
	struct sigaction action = { .sa_sigaction = note_job_signal, .sa_flags = SA_SIGINFO };
	sigset_t blocked;
	size_t i;

	running = 0;
	sigemptyset(&blocked);
	for (i = 0; i < WATCHED; i++) {
		came[i] = 0;
		sigaddset(&blocked, watched[i].number);
	}
	action.sa_mask = blocked;
	sigprocmask(SIG_BLOCK, &blocked, &job->mask);
	for (i = 0; i < WATCHED; i++) {
		sigaction(watched[i].number, &action, &job->before[i]);
		/* one that was ignored stays so, except SIGCHLD, which is needed */
		if (watched[i].number != SIGCHLD &&
		    job->before[i].sa_handler == SIG_IGN)
			sigaction(watched[i].number, &job->before[i], NULL);
	}
}

/* Waits for a signal; NULL: without a limit. False: the timeout has passed. */
static bool
doze(const struct job *job, const struct timespec *timeout)
{
	sigset_t open = job->mask;
	size_t i;

	for (i = 0; i < WATCHED; i++)
		sigdelset(&open, watched[i].number);
	return pselect(0, NULL, NULL, NULL, timeout, &open) != 0;
}

/* Lets the handler take what is pending. */
static void
take_pending(const struct job *job)
{
	const struct timespec now = { 0, 0 };

	while (doze(job, &now))
		continue;
}

static void
unwatch(const struct job *job)
{
	size_t i;

	/* what came before its end was meant for it */
	take_pending(job);
	for (i = 0; i < WATCHED; i++)
		sigaction(watched[i].number, &job->before[i], NULL);
	sigprocmask(SIG_SETMASK, &job->mask, NULL);
}

/* ---- hooks -------------------------------------------------------------- */

/*
 * Opens the mask while a hook waits for a terminal, which may have been stopped by
 * Control-S: our handler is in place, so no signal ends us. While the job runs it stays
 * closed, for what comes is for the job.
 */
static void
unblock(const struct job *job, bool open)
{
	sigset_t blocked = job->mask;
	size_t i;

	for (i = 0; i < WATCHED; i++)
		if (open)
			sigdelset(&blocked, watched[i].number);
		else
			sigaddset(&blocked, watched[i].number);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
}

/* One that came before the job and would have ended it, or 0. */
static int
early_signal(void)
{
	size_t i;

	for (i = 0; i < WATCHED; i++)
		if (came[i] != 0 && (watched[i].number == SIGINT ||
		    watched[i].number == SIGQUIT || watched[i].number == SIGTERM ||
		    watched[i].number == SIGHUP))
			return watched[i].number;
	return 0;
}

/* Whether the job shall start. */
static bool
begin_hook(const struct job *job, struct foreground_job_end *end)
{
	const struct foreground_job_hooks *hooks = job->hooks;
	bool go_on = true;

	if (hooks->begin != NULL) {
		unblock(job, true);
		go_on = hooks->begin(hooks->context);
		unblock(job, false);
	}
	take_pending(job);
	end->signal = early_signal();
	return go_on && end->signal == 0;
}

static void
end_hook(const struct job *job, const struct foreground_job_end *end)
{
	if (job->hooks->end == NULL)
		return;
	unblock(job, true);
	job->hooks->end(job->hooks->context, end);
	unblock(job, false);
}

static void
call_hook(const struct job *job, void (*hook)(void *context))
{
	if (hook != NULL)
		hook(job->hooks->context);
}

/* ---- start -------------------------------------------------------------- */

/* exec resets handlers and keeps ignored signals ignored. */
static int
spawn_job(struct job *job, char *const arguments[])
{
	posix_spawnattr_t attributes;
	int failure;

	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &job->mask);
	failure = posix_spawnp(&job->pid, arguments[0], NULL, &attributes,
	    arguments, environ);
	posix_spawnattr_destroy(&attributes);
	return failure;
}

/* A script without #! is for a shell to read, which finds it as we did. */
static int
spawn_script(struct job *job, char *const arguments[])
{
	static char shell[] = "/bin/sh", option[] = "-c",
	    text[] = "exec \"$0\" \"$@\"";
	char *const before[] = { shell, option, text };
	enum { BEFORE = sizeof(before) / sizeof(before[0]) };
	size_t n = 0;
	char **all;
	int failure;

	while (arguments[n] != NULL)
		n++;
	all = malloc((BEFORE + n + 1) * sizeof(*all));
	if (all == NULL)
		return ENOMEM;
	memcpy(all, before, sizeof(before));
	memcpy(all + BEFORE, arguments, (n + 1) * sizeof(*all));
	failure = spawn_job(job, all);
	free(all);
	return failure;
}

/* The value of PATH, or "". */
static const char *
search_path(void)
{
	static const char name[] = "PATH=";
	size_t i;

	for (i = 0; environ[i] != NULL; i++)
		if (text_begins(environ[i], name))
			return environ[i] + sizeof(name) - 1;
	return "";
}

/*
 * exec says EACCES when a folder of PATH cannot be searched and the others do
 * not have the program. To shells such a program is not found (XCU 2.9.1; so do
 * bash 5.2, dash 0.5.12 and zsh 5.9).
 */
static bool
is_nowhere(const char *program)
{
	const char *folder = search_path(), *end;
	char path[PATH_MAX];
	struct stat found;

	if (strchr(program, '/') != NULL)
		return false;
	for (;; folder = end + 1) {
		end = folder + strcspn(folder, ":");
		text_format(path, sizeof(path), "%.*s%s%s",
		    (int)(end - folder), folder, end > folder ? "/" : "",
		    program);
		if (stat(path, &found) == 0)
			return false;
		if (*end == '\0')
			return true;
	}
}

static bool
start_job(struct job *job, char *const arguments[], struct error *error)
{
	int failure = spawn_job(job, arguments);

	if (failure == ENOEXEC)
		failure = spawn_script(job, arguments);
	running = job->pid;
	if (failure == EACCES && is_nowhere(arguments[0]))
		failure = ENOENT;
	return failure == 0 || error_set(error, (enum status)(failure == ENOENT ||
	    failure == ENOTDIR ? FOREGROUND_JOB_NOT_FOUND : CANNOT_RUN), "cannot run %s: %s",
	    text_quote(arguments[0]).text, strerror(failure));
}

/* ---- wait --------------------------------------------------------------- */

static void
hand_on(const struct job *job)
{
	size_t i;

	for (i = 0; i < WATCHED; i++) {
		if (came[i] != 0 && watched[i].number != SIGCHLD)
			kill(job->pid, watched[i].number);
		came[i] = 0;
	}
}

/*
 * Only now, not when the key is pressed: a program may have to clear up before
 * it stops, and the shell takes the terminal when we have stopped.
 */
static void
stop_by(int number)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, ours;
	sigset_t one, blocked;

	sigemptyset(&one);
	sigaddset(&one, number);
	if (number != SIGSTOP)
		sigaction(number, &usual, &ours);
	kill(getpid(), number);
	sigprocmask(SIG_UNBLOCK, &one, &blocked);
	/* here we are stopped, until somebody sends SIGCONT */
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	if (number != SIGSTOP)
		sigaction(number, &ours, NULL);
}

static void
stop_with_it(const struct job *job, int number)
{
	call_hook(job, job->hooks->stop);
	stop_by(number);
	call_hook(job, job->hooks->resume);
}

/* Its wait status, or -1 with errno. */
static int
attend(const struct job *job)
{
	const struct foreground_job_hooks *hooks = job->hooks;
	bool ticks = hooks->tick != NULL, stopped = false;
	struct timespec timeout = { hooks->every_ms / 1000,
	    hooks->every_ms % 1000 * 1000000L };
	pid_t found;
	int status;

	/* a stop that came in `begin` */
	hand_on(job);
	for (;;) {
		found = waitpid(job->pid, &status,
		    WUNTRACED | WCONTINUED | WNOHANG);
		/* what it ended with is still to be fetched, and no signal comes
		   a second time */
		if (found < 0 && errno == EINTR)
			continue;
		if (found < 0)
			return -1;
		if (found > 0 && !WIFSTOPPED(status) && !WIFCONTINUED(status))
			return status;
		/* a shell continues the whole group, others us alone */
		if (found == 0 && stopped)
			kill(job->pid, SIGCONT);
		stopped = found > 0 && WIFSTOPPED(status);
		if (stopped)
			stop_with_it(job, WSTOPSIG(status));
		else if (!doze(job, ticks ? &timeout : NULL))
			call_hook(job, hooks->tick);
		hand_on(job);
	}
}

static struct foreground_job_end
end_of_status(int wait_status)
{
	if (!WIFSIGNALED(wait_status))
		return (struct foreground_job_end){ .status = WEXITSTATUS(wait_status) };
	return (struct foreground_job_end){ .status = OF_SIGNAL + WTERMSIG(wait_status),
	    .signal = WTERMSIG(wait_status) == SIGINT ? SIGINT : 0 };
}

/* The job, from its start to its end. */
static bool
run_job(struct job *job, char *const arguments[], struct foreground_job_end *end,
    struct error *error)
{
	long long begin = clock_ms();
	int status;

	if (!start_job(job, arguments, error))
		return false;
	status = attend(job);
	if (status < 0)
		return error_set(error, STATUS_FAILED,
		    "cannot wait for the command: %s", strerror(errno));
	*end = end_of_status(status);
	end->ms = clock_ms() - begin;
	return true;
}

bool
foreground_job_run(char *const arguments[], const struct foreground_job_hooks *hooks,
    struct foreground_job_end *end, struct error *error)
{
	static const struct foreground_job_hooks none;
	struct job job = { .hooks = hooks != NULL ? hooks : &none };
	bool starts, fine;

	*end = (struct foreground_job_end){ .status = 0 };
	watch(&job);
	starts = begin_hook(&job, end);
	fine = !starts || run_job(&job, arguments, end, error);
	end_hook(&job, starts && fine ? end : NULL);
	unwatch(&job);
	return fine;
}
