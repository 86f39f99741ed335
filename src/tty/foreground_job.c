/* SPDX-License-Identifier: MIT */
/* Runs a job in the foreground. */
#include "tty/tty.h"

#include "base/base.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_RUN = 126, NOT_FOUND = 127, OF_SIGNAL = 128 };

/* SIGCHLD, the signals that could end us while the job runs, and those that could stop us. */
static const int watched[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTIN,
	SIGTTOU };

enum { WATCHED = sizeof(watched) / sizeof(watched[0]) };

/* What foreground_job_end() restores. */
static struct sigaction before[WATCHED];

/* The PID of the job, or 0. */
static volatile sig_atomic_t running;

/*
 * A key such as Ctrl-Z sends its signal to the job as well. So it is ignored here while the job
 * runs, which may clean up before it stops.
 */
static void
pass_on(int number)
{
	if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU) {
		if (running == 0)
			job_stop(getpid(), number);
	} else if (signals_note(number)) {
		return; /* it interrupts the writing of what is shown */
	} else if (running == 0) {
		signal_caught = signal_caught != 0 ? signal_caught : number;
	} else if (number == SIGTERM || number == SIGHUP) {
		kill((pid_t)running, number);
	}
}

void
foreground_job_begin(void)
{
	struct sigaction action;
	size_t i;

	running = 0;
	action.sa_flags = 0;
	sigemptyset(&action.sa_mask);
	for (i = 0; i < WATCHED; i++) {
		action.sa_handler = watched[i] == SIGCHLD ? SIG_DFL : pass_on;
		sigaction(watched[i], &action, &before[i]);
		/* ignored signals stay ignored, except SIGCHLD, which is needed */
		if (watched[i] != SIGCHLD && before[i].sa_handler == SIG_IGN)
			sigaction(watched[i], &before[i], NULL);
	}
}

void
foreground_job_end(void)
{
	size_t i;

	for (i = 0; i < WATCHED; i++)
		sigaction(watched[i], &before[i], NULL);
}

/* ---- start -------------------------------------------------------------- */

/*
 * exec fails with EACCES for a missing program, too, if a directory in PATH cannot be searched.
 * Shells then report it as not found (XCU 2.9.1; bash 5.2, dash 0.5.12, zsh 5.9).
 */
static bool
is_nowhere(const char *program)
{
	const char *folders = environment_get("PATH");
	char path[PATH_MAX];
	struct stat found;

	if (strchr(program, '/') != NULL)
		return false;
	while (program_candidate(path, sizeof(path), &folders, program))
		if (stat(path, &found) == 0)
			return false;
	return true;
}

bool
job_cannot_run(char *const arguments[], int failure, struct error *error)
{
	const char *name = arguments[0], *login = environment_get("SHELL");
	char remedy[256] = "";
	bool found;

	if (failure == EACCES && is_nowhere(name))
		failure = ENOENT;
	found = failure != ENOENT && failure != ENOTDIR;
	if (!found && (strchr(name, '/') == NULL || !text_is_typable(name)))
		text_format(remedy, sizeof(remedy), "a shell also runs lines, aliases and "
		    "functions: %s -ic 'LINE'",
		    login != NULL && text_is_typable(login) ? login : "sh");
	return fail(error, (enum status)(found ? CANNOT_RUN : NOT_FOUND), "cannot run %s: %s\n%s",
	    text_quote(name).text, strerror(failure), remedy);
}

static bool
start_job(char *const arguments[], const sigset_t *mask, struct error *error)
{
	static const char *const shell[] = { "/bin/sh", "-c", "exec \"$0\" \"$@\"" };
	enum { SHELL = sizeof(shell) / sizeof(shell[0]) };
	posix_spawnattr_t attributes;
	size_t n = 1;
	char **all;
	int failure;
	pid_t pid = 0;

	/* exec resets handlers and keeps ignored signals ignored */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, mask);
	failure = posix_spawnp(&pid, arguments[0], NULL, &attributes, arguments, environ);
	/* run a script without #! by sh, as shells do */
	if (failure == ENOEXEC) {
		while (arguments[n++] != NULL)
			continue;
		all = xrealloc(NULL, (SHELL + n) * sizeof(*all));
		memcpy(all, shell, sizeof(shell));
		memcpy(all + SHELL, arguments, n * sizeof(*all));
		failure = posix_spawn(&pid, shell[0], NULL, &attributes, all, environ);
		free(all);
	}
	posix_spawnattr_destroy(&attributes);
	running = pid;
	return failure == 0 || job_cannot_run(arguments, failure, error);
}

/* ---- wait --------------------------------------------------------------- */

/*
 * Called when the job has stopped, and not already at the key. The program may clean up first,
 * and the shell takes the terminal as soon as we stop.
 */
void
job_stop(pid_t who, int number)
{
	/* SIGSTOP has no action to set */
	struct sigaction usual = { .sa_handler = SIG_DFL }, ours = usual;
	sigset_t one, blocked;

	sigemptyset(&one);
	sigaddset(&one, number);
	sigaction(number, &usual, &ours);
	kill(who, number);
	sigprocmask(SIG_UNBLOCK, &one, &blocked);
	/* stopped here until SIGCONT */
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	sigaction(number, &ours, NULL);
}

static bool
wait_for_job(struct foreground_job_end *end, struct error *error)
{
	const long long begin = clock_ms();
	pid_t found;
	int status;

	while ((found = waitpid((pid_t)running, &status, WUNTRACED)) < 0 ||
	    WIFSTOPPED(status)) {
		if (found < 0 && errno != EINTR)
			return fail(error, STATUS_FAILED, "cannot wait for the command: %s",
			    strerror(errno));
		if (found < 0)
			continue;
		job_stop(getpid(), WSTOPSIG(status));
		/* a shell continues the whole group, others only this process */
		kill((pid_t)running, SIGCONT);
	}
	running = 0;
	end->ms = clock_ms() - begin;
	end->status = WIFSIGNALED(status) ? OF_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
	end->signal = WIFSIGNALED(status) && WTERMSIG(status) == SIGINT ? SIGINT : 0;
	return true;
}

bool
foreground_job_run(char *const arguments[], struct foreground_job_end *end, struct error *error)
{
	bool started = false, ended = true;
	sigset_t all, mask;

	/* until it is known to the handler */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	*end = (struct foreground_job_end){ .signal = signal_caught };
	if (end->signal == 0)
		ended = started = start_job(arguments, &mask, error);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return started ? wait_for_job(end, error) : ended;
}
