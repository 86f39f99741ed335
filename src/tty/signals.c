/* SPDX-License-Identifier: MIT */
/* Signals while a terminal is in use. */
#include "tty/tty.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

/* The signals that are sent to end a process. */
static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2,
	SIGXCPU };

/* What signals_end() restores. */
static struct {
	sigset_t mask;
	struct itimerval timer;
	struct sigaction alarm;
} before;

/* Calls of signals_begin() without their signals_end(). */
static volatile sig_atomic_t depth;

/* SIGALRM only interrupts system calls. */
static volatile sig_atomic_t ticks;

bool
signals_note(int number)
{
	if (depth > 0 && signal_caught == 0)
		signal_caught = number;
	return depth > 0;
}

/* The handler, which stays: while no terminal is in use it does what the default action would. */
static void
note_signal(int number)
{
	if ((number == SIGALRM && ticks) || signals_note(number))
		return;
	signal(number, SIG_DFL);
	raise(number);
}

/* An ignored signal (nohup) stays ignored. Another handler calls signals_note() itself. */
static void
catch_endings(void)
{
	static bool caught[sizeof(ending) / sizeof(ending[0])];
	struct sigaction ours = { .sa_handler = note_signal }, old;
	size_t i;

	sigemptyset(&ours.sa_mask);
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		if (caught[i])
			continue;
		sigaction(ending[i], &ours, &old);
		caught[i] = old.sa_handler == SIG_DFL;
		if (!caught[i])
			sigaction(ending[i], &old, NULL);
	}
}

void
signals_begin(void)
{
	sigset_t later;

	/* first, because catch_endings() sets our handler for a moment where another one stays */
	depth++;
	if (depth > 1)
		return;
	catch_endings();
	sigemptyset(&later);
	sigaddset(&later, SIGTSTP);
	sigaddset(&later, SIGTTOU);
	sigprocmask(SIG_BLOCK, &later, &before.mask);
}

/* If a tick comes just before a blocking call, the next one interrupts it, within a second. */
void
signals_tick(unsigned tick_ms)
{
	const struct timeval first = { tick_ms / 1000, tick_ms % 1000 * 1000L }, second = { 1, 0 };
	const struct itimerval timer = { tick_ms < 1000 ? first : second, first };
	struct sigaction action = { .sa_handler = note_signal };
	sigset_t alarm;

	ticks = true;
	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, &before.alarm);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarm, NULL);
	setitimer(ITIMER_REAL, &timer, &before.timer);
}

bool
signals_stop_wanted(void)
{
	sigset_t pending;

	return depth > 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGTSTP) == 1;
}

void
signals_end(void)
{
	if (ticks) {
		setitimer(ITIMER_REAL, &before.timer, NULL);
		sigaction(SIGALRM, &before.alarm, NULL);
		ticks = false;
	}
	depth--;
	if (depth == 0)
		sigprocmask(SIG_SETMASK, &before.mask, NULL);
}
