/* SPDX-License-Identifier: MIT */
/* Complete reads and writes, and the clock for deadlines. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

long long
clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Whether to retry a failed call; after EAGAIN, waits until the descriptor is ready. */
static bool
again(int fd, short event)
{
	struct pollfd p = { .fd = fd, .events = event };

	if (errno == EAGAIN)
		wait_on(&p, 1, -1);
	return errno == EAGAIN || errno == EINTR;
}

/* ---- files ------------------------------------------------------------------ */

/* Opened early, with their descriptors, or an errno value below 0. */
static struct {
	char *const *name;
	int *fd;
	size_t count;
} opened_early;

static int
open_now(const char *name)
{
	return open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

void
file_open_early(char *const *names, size_t count)
{
	size_t i;

	opened_early.name = names;
	opened_early.count = count;
	opened_early.fd = xrealloc(NULL, (count + 1) * sizeof(*opened_early.fd));
	for (i = 0; i < count; i++) {
		opened_early.fd[i] = open_now(names[i]);
		if (opened_early.fd[i] < 0)
			opened_early.fd[i] = -errno;
	}
}

int
file_open(const char *name)
{
	size_t i;

	for (i = 0; i < opened_early.count; i++) {
		if (opened_early.name[i] != name)
			continue;
		errno = opened_early.fd[i] < 0 ? -opened_early.fd[i] : 0;
		return opened_early.fd[i] < 0 ? -1 : opened_early.fd[i];
	}
	return open_now(name);
}

/* ---- streams ---------------------------------------------------------------- */

ssize_t
stream_read(int fd, struct buf *b)
{
	char more;
	void *to = &more;
	size_t room = 1;
	struct stat st;
	ssize_t n;

	/* if the buf is full, one more byte shows whether more follows */
	if (b->len < b->max) {
		/* what is left of a large file is read in one piece */
		if (b->len > 0 && b->len == b->capacity && fstat(fd, &st) == 0 &&
		    S_ISREG(st.st_mode))
			room += (size_t)MIN((uintmax_t)st.st_size, b->max - b->len - 1);
		if (!buf_reserve(b, room))
			return -1;
		to = b->data + b->len;
		room = b->capacity - b->len;
	}
	do {
		n = read(fd, to, room);
	} while (n < 0 && again(fd, POLLIN));
	if (n > 0 && to == &more)
		return buf_reserve(b, 1) ? n : -1;
	if (n > 0)
		b->len += (size_t)n;
	return n;
}

void
stream_read_all(struct buf *b)
{
	ssize_t n;

	while ((n = stream_read(STDIN_FILENO, b)) > 0)
		continue;
	if (n < 0 && !b->full)
		die(STATUS_FAILED, "cannot read standard input: %s", strerror(errno));
}

void
stream_read_text(struct buf *b)
{
	stream_read_all(b);
	b->full = false;
	while (buf_trim_newline(b))
		continue;
}

bool
stream_write(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;
	ssize_t got;

	while (n > 0) {
		got = write(fd, at, n);
		if (got < 0 && again(fd, POLLOUT))
			continue;
		if (got < 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

void
stream_output(const void *bytes, size_t n)
{
	if (stream_write(STDOUT_FILENO, bytes, n))
		return;
	/* it may be the report of a success */
	messages.outcome = NULL;
	die(STATUS_FAILED, "cannot write to standard output: %s", strerror(errno));
}
