/* SPDX-License-Identifier: MIT */
/* Waiting for descriptors; the contract is in wait.h. */
#include "base/wait.h"

#include <sys/select.h>
#include <sys/time.h>

/* What is asked of select(), and its answer. */
struct watched {
	fd_set in, out;
	int highest;
	size_t left_out; /* beyond what an fd_set holds */
};

static void
gather_ends(struct watched *w, const struct pollfd *ends, size_t count)
{
	size_t i;

	FD_ZERO(&w->in);
	FD_ZERO(&w->out);
	w->highest = -1;
	w->left_out = 0;
	for (i = 0; i < count; i++) {
		if (ends[i].fd >= (int)FD_SETSIZE)
			w->left_out++;
		if (ends[i].fd < 0 || ends[i].fd >= (int)FD_SETSIZE)
			continue;
		if ((ends[i].events & POLLIN) != 0)
			FD_SET(ends[i].fd, &w->in);
		if ((ends[i].events & POLLOUT) != 0)
			FD_SET(ends[i].fd, &w->out);
		if (ends[i].fd > w->highest)
			w->highest = ends[i].fd;
	}
}

static int
tell_events(const struct watched *w, struct pollfd *ends, size_t count)
{
	int ready = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		ends[i].revents = 0;
		if (ends[i].fd < 0)
			continue;
		if (FD_ISSET(ends[i].fd, &w->in))
			ends[i].revents |= POLLIN;
		if (FD_ISSET(ends[i].fd, &w->out))
			ends[i].revents |= POLLOUT;
		ready += ends[i].revents != 0;
	}
	return ready;
}

int
wait_by_select(struct pollfd *ends, size_t count, int timeout_ms)
{
	struct timeval limit = { timeout_ms / 1000, timeout_ms % 1000 * 1000L };
	struct watched w;

	gather_ends(&w, ends, count);
	if (w.left_out > 0)
		return poll(ends, (nfds_t)count, timeout_ms);
	if (select(w.highest + 1, &w.in, &w.out, NULL,
	    timeout_ms < 0 ? NULL : &limit) < 0)
		return -1;
	return tell_events(&w, ends, count);
}

/* COMPAT_PLAIN is for tests on a system that does not need it. */
int
wait_on(struct pollfd *ends, size_t count, int timeout_ms)
{
#if defined(__APPLE__) || defined(COMPAT_PLAIN)
	return wait_by_select(ends, count, timeout_ms);
#else
	return poll(ends, (nfds_t)count, timeout_ms);
#endif
}
