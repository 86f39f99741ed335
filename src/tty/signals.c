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

enum { INTERRUPTING = sizeof(interrupting) / sizeof(interrupting[0]) };

static struct {
	struct sigaction action[INTERRUPTING];
	sigset_t mask;
	struct itimerval timer;
} before;

/* Calls of signals_begin() without their signals_end(). */
static unsigned depth;

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

void
signals_begin(unsigned tick_ms)
{
	struct sigaction action = { .sa_handler = note_signal };
	sigset_t blocked, ticking;
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
	sigemptyset(&blocked);
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
	size_t i;

	if (--depth > 0) {
		set_timer(0, NULL);
		return;
	}
	/* a recorded signal starts the timer: stop it after restoring the others, but before
	   SIGALRM kills again */
	for (i = 1; i < INTERRUPTING; i++)
		sigaction(interrupting[i], &before.action[i], NULL);
	setitimer(ITIMER_REAL, &before.timer, NULL);
	sigaction(SIGALRM, &before.action[0], NULL);
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
}

void
signals_stop(void)
{
	signals_end();
	signals_begin(0);
}
