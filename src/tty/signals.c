/* SPDX-License-Identifier: MIT */
/* Signals while a terminal is in use. */
#include "tty/tty.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/*
 * The signals that are not blocked: first those that interrupt system calls, of which SIGALRM is
 * the tick; then those that do not end a process by default, or that a handler cannot return
 * from.
 */
static const int unblocked[] = {
	SIGALRM, SIGINT, SIGTERM, SIGHUP,
	SIGBUS, SIGCHLD, SIGCONT, SIGFPE, SIGILL, SIGSEGV, SIGTTIN, SIGURG, SIGWINCH,
#ifdef SIGINFO /* of the BSDs, which ignore both by default */
	SIGINFO, SIGIO,
#endif
};

enum {
	INTERRUPTING = 4, /* the first of them */
	UNBLOCKED = sizeof(unblocked) / sizeof(unblocked[0]),
	SIGNALS = 128 /* more than the number of any: NSIG of FreeBSD lacks real-time ones */
};

/* What the last signals_end() restores. The handlers stay: see note_signal(). */
static struct {
	sigset_t mask;
	struct itimerval timer;
} before;

/* Calls of signals_begin() without their signals_end(). */
static volatile sig_atomic_t depth;

/* Whether SIGALRM is a tick, or is to be ignored. */
static volatile sig_atomic_t ticks;
static bool ignores_alarm;

/* Whose default action is replaced by note_signal(), or that stay ignored. */
static bool handled[SIGNALS];

/* A tick just before a blocking call does not interrupt it; the next follows within 1 s. */
static void
set_timer(unsigned ms, struct itimerval *old)
{
	struct timeval first = { ms / 1000, ms % 1000 * 1000L },
		       second = { 1, 0 };

	setitimer(ITIMER_REAL, &(struct itimerval){ ms < 1000 ? first : second, first }, old);
}

bool
signals_note(int number)
{
	if (depth == 0)
		return false;
	if (number != SIGALRM && signals_caught == 0)
		signals_caught = number;
	/*
	 * A signal just before a blocking call does not interrupt it, so a tick follows a second
	 * later, and every second after that. alarm() is safe in a handler (POSIX, XSH 2.4.3),
	 * setitimer() is not.
	 */
	if (signals_caught != 0)
		alarm(1);
	return true;
}

/*
 * The handler, which is set once, because to set and restore it takes two system calls for
 * each signal and write. While no terminal is in use it does what the default action would.
 */
static void
note_signal(int number)
{
	if (signals_note(number) || (number == SIGALRM && ticks))
		return;
	signal(number, SIG_DFL);
	raise(number);
}

/*
 * An ignored signal (nohup) stays ignored, except the tick. So does a handler, which calls
 * signals_note() itself.
 */
static void
catch_signal(int number)
{
	struct sigaction action = { .sa_handler = note_signal };
	struct sigaction old = { .sa_handler = SIG_DFL };

	if (handled[number])
		return;
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, &old);
	handled[number] = old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN;
	if (number == SIGALRM)
		ignores_alarm = old.sa_handler == SIG_IGN;
	else if (old.sa_handler != SIG_DFL)
		sigaction(number, &old, NULL);
}

/*
 * SIGTSTP and SIGTTOU, and what is rarely sent. Catching each takes a system call, so they are only
 * blocked, until one of them is pending or all are wanted, and act after signals_end().
 */
static sigset_t
blocked_signals(void)
{
	sigset_t set;
	size_t i;

	sigfillset(&set);
	for (i = 0; i < UNBLOCKED; i++)
		sigdelset(&set, unblocked[i]);
	return set;
}

/* All of them but SIGTSTP and SIGTTOU. */
static void
catch_blocked(void)
{
	sigset_t set = blocked_signals();
	int number;

	sigdelset(&set, SIGTSTP);
	sigdelset(&set, SIGTTOU);
	for (number = 1; number < SIGNALS; number++) {
		if (sigismember(&set, number) == 1)
			catch_signal(number);
		if (sigismember(&before.mask, number) == 1)
			sigdelset(&set, number);
	}
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void
signals_begin(unsigned tick_ms, bool all)
{
	sigset_t set;
	size_t i;

	if (depth > 0) {
		depth++;
		signals_tick(tick_ms);
	} else {
		ticks = true;
		catch_signal(SIGALRM);
		set_timer(tick_ms, &before.timer);
		depth = 1;
		for (i = 1; i < INTERRUPTING; i++)
			catch_signal(unblocked[i]);
		set = blocked_signals();
		sigprocmask(SIG_BLOCK, &set, &before.mask);
		sigemptyset(&set);
		sigaddset(&set, SIGALRM);
		if (sigismember(&before.mask, SIGALRM) == 1)
			sigprocmask(SIG_UNBLOCK, &set, NULL);
	}
	if (all)
		catch_blocked();
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
	static const sigset_t none;
	const sigset_t blocked = blocked_signals();
	sigset_t pending = none;
	int number;

	if (depth == 0 || sigpending(&pending) != 0 || memcmp(&pending, &none, sizeof(none)) == 0)
		return false;
	for (number = 1; number < SIGNALS; number++)
		if (number != SIGTSTP && number != SIGTTOU &&
		    sigismember(&pending, number) == 1 && sigismember(&blocked, number) == 1) {
			catch_blocked();
			break;
		}
	return sigismember(&pending, SIGTSTP) == 1;
}

void
signals_end(void)
{
	if (depth > 1) {
		depth--;
		set_timer(0, NULL);
		return;
	}
	/* a recorded signal starts the timer: stop it when none is recorded any more */
	depth = 0;
	setitimer(ITIMER_REAL, &before.timer, NULL);
	ticks = ignores_alarm;
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
}
