/* SPDX-License-Identifier: MIT */
/* Signals while a terminal is in use. */
#include "tty/tty.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

/* The signals that interrupt system calls. SIGALRM, first, is the tick. */
static const int interrupting[] = {
	SIGALRM, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,
};

/* Those that do not end a process by default, or that a handler cannot return from. */
static const int others[] = {
	SIGBUS, SIGCHLD, SIGCONT, SIGFPE, SIGILL, SIGSEGV, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG,
	SIGWINCH,
#ifdef SIGINFO /* of the BSDs, which ignore both by default */
	SIGINFO, SIGIO,
#endif
};

enum {
	INTERRUPTING = sizeof(interrupting) / sizeof(interrupting[0]),
	OTHERS = sizeof(others) / sizeof(others[0]),
	SIGNALS = 128 /* more than the number of any: NSIG of FreeBSD lacks real-time ones */
};

static struct {
	struct sigaction action[SIGNALS];
	sigset_t mask;
	struct itimerval timer;
} before;

/* Calls of signals_begin() without their signals_end(). */
static unsigned depth;

/* Since signals_catch_all(). */
static bool catches_all;

/* A tick just before a blocking call does not interrupt it; the next follows within 1 s. */
static void
set_timer(unsigned ms, struct itimerval *old)
{
	struct timeval first = { ms / 1000, ms % 1000 * 1000L },
		       second = { 1, 0 };

	setitimer(ITIMER_REAL, &(struct itimerval){ ms < 1000 ? first : second, first }, old);
}

/*
 * A signal just before a blocking call does not interrupt it, so a tick follows a second
 * later, and every second after that. alarm() is safe in a handler (POSIX, XSH 2.4.3),
 * setitimer() is not.
 */
static void
note_signal(int number)
{
	if (number != SIGALRM && signals_caught == 0)
		signals_caught = number;
	if (signals_caught != 0)
		alarm(1);
}

/* An ignored signal (nohup) stays ignored, except the tick. */
static void
catch_signal(int number)
{
	struct sigaction action = { .sa_handler = note_signal };

	sigemptyset(&action.sa_mask);
	sigaction(number, &action, &before.action[number]);
	if (number != SIGALRM && before.action[number].sa_handler == SIG_IGN)
		sigaction(number, &before.action[number], NULL);
}

/*
 * The rest, which is rarely sent. Catching them takes a system call each, so they are only
 * blocked until signals_catch_all().
 */
static sigset_t
rare_signals(void)
{
	sigset_t set;
	size_t i;

	sigfillset(&set);
	for (i = 0; i < INTERRUPTING; i++)
		sigdelset(&set, interrupting[i]);
	for (i = 0; i < OTHERS; i++)
		sigdelset(&set, others[i]);
	return set;
}

void
signals_catch_all(void)
{
	sigset_t set = rare_signals();
	int number;

	if (catches_all)
		return;
	catches_all = true;
	for (number = 1; number < SIGNALS; number++) {
		if (sigismember(&set, number) == 1)
			catch_signal(number);
		if (sigismember(&before.mask, number) == 1)
			sigdelset(&set, number);
	}
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void
signals_begin(unsigned tick_ms)
{
	sigset_t blocked = rare_signals(), ticking;
	size_t i;

	if (depth++ > 0) {
		signals_tick(tick_ms);
		return;
	}
	for (i = 0; i < INTERRUPTING; i++) {
		catch_signal(interrupting[i]);
		/* before a recorded signal starts another timer */
		if (i == 0)
			set_timer(tick_ms, &before.timer);
	}
	sigaddset(&blocked, SIGTTOU);
	sigaddset(&blocked, SIGTSTP);
	sigprocmask(SIG_BLOCK, &blocked, &before.mask);
	sigemptyset(&ticking);
	sigaddset(&ticking, SIGALRM);
	if (sigismember(&before.mask, SIGALRM) == 1)
		sigprocmask(SIG_UNBLOCK, &ticking, NULL);
}

/* A signal recorded before the timer is restarted has a separate tick. */
void
signals_tick(unsigned tick_ms)
{
	set_timer(tick_ms, NULL);
	if (signals_caught != 0)
		alarm(1);
}

bool
signals_stop_wanted(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, SIGTSTP) == 1;
}

void
signals_end(void)
{
	sigset_t set = rare_signals();
	int number;
	size_t i;

	if (--depth > 0) {
		set_timer(0, NULL);
		return;
	}
	/* a recorded signal starts the timer: stop it after restoring the others, but before
	   SIGALRM kills again */
	for (i = 1; i < INTERRUPTING; i++)
		sigaction(interrupting[i], &before.action[interrupting[i]], NULL);
	for (number = 1; catches_all && number < SIGNALS; number++)
		if (sigismember(&set, number) == 1)
			sigaction(number, &before.action[number], NULL);
	catches_all = false;
	setitimer(ITIMER_REAL, &before.timer, NULL);
	sigaction(SIGALRM, &before.action[SIGALRM], NULL);
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
}

void
signals_stop(void)
{
	const bool all = catches_all;

	signals_end();
	signals_begin(0);
	if (all)
		signals_catch_all();
}
