/* SPDX-License-Identifier: MIT */
/* Signals while a terminal is in use; the contract is in signals.h. */
#include "tty/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

/* Those that interrupt. SIGALRM, the first, is the tick; the others are noted. */
static const int interrupting[] = {
	SIGALRM, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,
};

/* Those that are blocked. */
static const int waiting[] = { SIGTTOU, SIGTSTP };

enum {
	INTERRUPTING = sizeof(interrupting) / sizeof(interrupting[0]),
	WAITING = sizeof(waiting) / sizeof(waiting[0]),
	DEPTH_MAX = 4
};

static volatile sig_atomic_t noted;

static struct {
	struct sigaction action[INTERRUPTING];
	sigset_t mask;
	struct itimerval timer[DEPTH_MAX];
} before;

static size_t depth;

static struct itimerval
timer_every(unsigned ms)
{
	struct timeval interval = { ms / 1000, ms % 1000 * 1000L };

	return (struct itimerval){ interval, interval };
}

/*
 * A signal that comes just before a call begins to wait does not interrupt it: a
 * tick a second later does, and again each second. Of what sets a timer, alarm() is
 * safe in a handler (POSIX, XSH 2.4.3), setitimer() is not.
 */
static void
note_signal(int number)
{
	if (number != SIGALRM && noted == 0)
		noted = number;
	if (noted != 0)
		alarm(1);
}

static void
catch_signals(const struct itimerval *timer)
{
	struct sigaction action = { .sa_handler = note_signal };
	sigset_t blocked, ticking;
	size_t i;

	noted = 0;
	sigemptyset(&blocked);
	sigemptyset(&ticking);
	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, &before.action[0]);
	/* before a signal is noted, which starts another timer */
	setitimer(ITIMER_REAL, timer, &before.timer[0]);
	for (i = 1; i < INTERRUPTING; i++) {
		sigaction(interrupting[i], &action, &before.action[i]);
		/* ignored by whoever started us (nohup): still ignored */
		if (before.action[i].sa_handler == SIG_IGN)
			sigaction(interrupting[i], &before.action[i], NULL);
	}
	for (i = 0; i < WAITING; i++)
		sigaddset(&blocked, waiting[i]);
	sigaddset(&ticking, SIGALRM);
	sigprocmask(SIG_BLOCK, &blocked, &before.mask);
	sigprocmask(SIG_UNBLOCK, &ticking, NULL);
}

void
signals_begin(unsigned tick_ms)
{
	struct itimerval timer = timer_every(tick_ms);

	if (depth == DEPTH_MAX)
		abort();
	if (depth == 0)
		catch_signals(&timer);
	else
		setitimer(ITIMER_REAL, &timer, &before.timer[depth]);
	depth++;
}

/* A signal that is noted before the timer starts again has its own tick nevertheless. */
void
signals_tick(unsigned tick_ms)
{
	struct itimerval timer = timer_every(tick_ms);

	setitimer(ITIMER_REAL, &timer, NULL);
	if (noted != 0)
		alarm(1);
}

int
signals_signal(void)
{
	return noted;
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
	size_t i;

	if (--depth > 0) {
		setitimer(ITIMER_REAL, &before.timer[depth], NULL);
		return;
	}
	/* one that is noted starts the timer: it stops after them, and before
	   its own signal is deadly again */
	for (i = 1; i < INTERRUPTING; i++)
		sigaction(interrupting[i], &before.action[i], NULL);
	setitimer(ITIMER_REAL, &before.timer[0], NULL);
	sigaction(SIGALRM, &before.action[0], NULL);
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
}

void
signals_stop(unsigned tick_ms)
{
	int number;

	signals_end();
	number = noted;
	signals_begin(tick_ms);
	if (number != 0)
		raise(number);
}
