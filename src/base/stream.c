/* SPDX-License-Identifier: MIT */
/* Whole reads and writes; the contract is in stream.h. */
#include "base/stream.h"

#include "base/wait.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a pipe holds: pipe(7). */
enum { PIECE = 64 * 1024, SMALL_PIECE = 2048 };

/* Two of the large pages of x86-64 and arm64: below that there is nothing to win. */
enum { LARGE = 4 * 1024 * 1024 };

/* Whether a failed call is worth another try; waits where that helps. */
static bool
again(int fd, short event)
{
	struct pollfd p = { .fd = fd, .events = event };

	if (errno == EAGAIN)
		wait_on(&p, 1, -1);
	return errno == EAGAIN || errno == EINTR;
}

/*
 * A file's rest in one go; a pipe's small first piece in little memory. Then
 * the room that is left: behind a small text it takes only to see the end.
 */
static size_t
piece_size(int fd, const struct buf *b)
{
	struct stat st;

	if (b->len > 0)
		return b->len < b->capacity ? 1 : PIECE;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    (uintmax_t)st.st_size < b->max)
		return (size_t)st.st_size + 1;
	return SMALL_PIECE;
}

/*
 * Asks for large pages behind what is there, where the system has them: to be given the
 * pages of a large file one by one takes longer than to read it. Exactly `n` bytes, for
 * what lies behind them has to take no memory.
 */
static void
use_large_pages(const struct buf *b, size_t n)
{
#ifdef MADV_HUGEPAGE
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *from = b->data + b->len;
	size_t skip = (page - (uintptr_t)from % page) % page;

	madvise(from + skip, (n - skip) / page * page, MADV_HUGEPAGE);
#else
	(void)b;
	(void)n;
#endif
}

/* Of a full buf the next byte tells whether that was all. */
static ssize_t
expect_end(int fd, struct buf *b)
{
	char more;
	ssize_t n;

	do {
		n = read(fd, &more, 1);
	} while (n < 0 && again(fd, POLLIN));
	return n > 0 && !buf_reserve(b, 1) ? -1 : n;
}

ssize_t
stream_read(int fd, struct buf *b)
{
	size_t left = b->max - b->len, piece = piece_size(fd, b);
	ssize_t n;

	if (left == 0)
		return expect_end(fd, b);
	if (!buf_reserve(b, piece < left ? piece : left))
		return -1;
	if (piece >= LARGE && left >= piece)
		use_large_pages(b, piece);
	if (left > b->capacity - b->len)
		left = b->capacity - b->len;
	do {
		n = read(fd, b->data + b->len, left);
	} while (n < 0 && again(fd, POLLIN));
	if (n > 0)
		b->len += (size_t)n;
	return n;
}

static bool
cannot_read(const char *name, const struct buf *b, struct error *error)
{
	if (b->fault == BUF_TOO_LARGE)
		return error_set(error, STATUS_FAILED,
		    "cannot read %s: larger than %zu bytes", name, b->max);
	return error_set(error, STATUS_FAILED, "cannot read %s: %s", name,
	    strerror(errno));
}

bool
stream_read_all(int fd, const char *name, struct buf *b, struct error *error)
{
	ssize_t n;

	while ((n = stream_read(fd, b)) > 0)
		continue;
	return n == 0 || cannot_read(name, b, error);
}

bool
stream_read_text(struct buf *b, struct error *error)
{
	ssize_t n = 0;

	while (b->len < b->max && (n = stream_read(STDIN_FILENO, b)) > 0)
		continue;
	if (n < 0)
		return cannot_read("standard input", b, error);
	while (b->len > 0 && b->data[b->len - 1] == '\n')
		b->len--;
	return true;
}

bool
stream_drain(struct error *error)
{
	struct buf rest;
	ssize_t n;

	buf_init(&rest, PIECE);
	while ((n = stream_read(STDIN_FILENO, &rest)) > 0)
		rest.len = 0;
	if (n < 0)
		cannot_read("standard input", &rest, error);
	buf_free(&rest);
	return n == 0;
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

bool
stream_output(const struct buf *b, struct error *error)
{
	if (b->fault != BUF_FINE)
		return error_set(error, STATUS_FAILED,
		    b->fault == BUF_TOO_LARGE ? "too large for this program" :
		    "out of memory");
	return stream_write(STDOUT_FILENO, b->data, b->len) || error_stdout(error);
}
