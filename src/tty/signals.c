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

/*
 * The others whose default is to end the process, except those of a fault of its own, from
 * which a handler cannot return. They are rarely sent, and catching them takes a system call
 * each; so they are blocked until signals_catch_all().
 */
static const int rare[] = {
	SIGABRT, SIGPROF, SIGSYS, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
#ifdef __linux__
	SIGIO, SIGPWR,
#endif
#ifdef SIGSTKFLT
	SIGSTKFLT,
#endif
};

enum {
	INTERRUPTING = sizeof(interrupting) / sizeof(interrupting[0]),
	RARE = sizeof(rare) / sizeof(rare[0]),
	SIGNALS = 128 /* more than the number of any: NSIG of FreeBSD lacks real-time ones */
};

static struct {
	struct sigaction action[INTERRUPTING], rare[SIGNALS];
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

/* The rare signals, and the real-time ones, whose default is the same. */
static sigset_t
rare_signals(void)
{
	sigset_t set;
	size_t i;
#ifdef SIGRTMIN
	int number;
#endif

	sigemptyset(&set);
	for (i = 0; i < RARE; i++)
		sigaddset(&set, rare[i]);
#ifdef SIGRTMIN
	for (number = SIGRTMIN; number <= SIGRTMAX && number < SIGNALS; number++)
		sigaddset(&set, number);
#endif
	return set;
}

void
signals_catch_all(void)
{
	struct sigaction action = { .sa_handler = note_signal };
	sigset_t set = rare_signals();
	int number;

	if (catches_all)
		return;
	catches_all = true;
	sigemptyset(&action.sa_mask);
	for (number = 1; number < SIGNALS; number++) {
		if (sigismember(&set, number) != 1)
			continue;
		sigaction(number, NULL, &before.rare[number]);
		if (before.rare[number].sa_handler != SIG_IGN)
			sigaction(number, &action, NULL);
		if (sigismember(&before.mask, number) == 1)
			sigdelset(&set, number);
	}
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void
signals_begin(unsigned tick_ms)
{
	struct sigaction action = { .sa_handler = note_signal };
	sigset_t blocked = rare_signals(), ticking;
	size_t i;

	if (depth++ > 0) {
		signals_tick(tick_ms);
		return;
	}
	sigemptyset(&action.sa_mask);
	for (i = 0; i < INTERRUPTING; i++) {
		sigaction(interrupting[i], &action, &before.action[i]);
		/* before a recorded signal starts another timer */
		if (i == 0)
			set_timer(tick_ms, &before.timer);
		/* ignored at the start (nohup): still ignored */
		else if (before.action[i].sa_handler == SIG_IGN)
			sigaction(interrupting[i], &before.action[i], NULL);
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
		sigaction(interrupting[i], &before.action[i], NULL);
	for (number = 1; catches_all && number < SIGNALS; number++)
		if (sigismember(&set, number) == 1)
			sigaction(number, &before.rare[number], NULL);
	catches_all = false;
	setitimer(ITIMER_REAL, &before.timer, NULL);
	sigaction(SIGALRM, &before.action[0], NULL);
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
