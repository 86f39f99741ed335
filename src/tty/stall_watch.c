/* SPDX-License-Identifier: MIT */
/* Watching a write; the contract is in stall_watch.h. */
#include "tty/stall_watch.h"

#include "base/compat.h"
#include "base/wait.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Looks within the limit. */
enum { LOOKS = 10 };

static struct {
	pid_t child; /* or 0 */
	int end;     /* our end of a socket: the child writes to it what it has found */
} watch;

/* Until we close our end, also by our end. */
static void
look_on(int end, int counter, pid_t whom, unsigned limit_ms)
{
	struct pollfd p = { .fd = end, .events = POLLIN };
	int tick = (int)(limit_ms / LOOKS) + 1;
	unsigned long before = 0, now = 0;
	unsigned quiet = 0;
	bool stopped;

	while (wait_on(&p, 1, tick) == 0 && compat_sleeps(counter, &now, &stopped)) {
		quiet = stopped || now != before ? 0 : quiet + (unsigned)tick;
		before = now;
		if (quiet < limit_ms)
			continue;
		/* again at each look: one may come between two writes */
		if (send(end, "", 1, MSG_DONTWAIT) < 0 && errno != EAGAIN)
			return;
		kill(whom, SIGALRM);
	}
}

static void
start_watcher(int counter, int end[2], unsigned limit_ms)
{
	sigset_t all, before;
	pid_t parent = getpid();

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	watch.child = fork();
	if (watch.child == 0) {
		/* a signal to our group must not reach it */
		setpgid(0, 0);
		close(end[0]);
		look_on(end[1], counter, parent, limit_ms);
		_exit(0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

bool
stall_watch_begin(unsigned limit_ms)
{
	int end[2], counter = compat_open_sleeps();

	if (counter < 0)
		return false;
	/* nothing is executed while they are open */
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) != 0) {
		close(counter);
		return false;
	}
	start_watcher(counter, end, limit_ms);
	close(counter);
	close(end[1]);
	watch.end = end[0];
	if (watch.child > 0)
		return true;
	close(watch.end);
	watch.child = 0;
	return false;
}

bool
stall_watch_found(void)
{
	char byte;

	return watch.child > 0 && recv(watch.end, &byte, 1, MSG_DONTWAIT) == 1;
}

void
stall_watch_end(void)
{
	if (watch.child == 0)
		return;
	kill(watch.child, SIGKILL);
	close(watch.end);
	while (waitpid(watch.child, NULL, 0) < 0 && errno == EINTR)
		continue;
	watch.child = 0;
}
