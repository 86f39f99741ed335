/* SPDX-License-Identifier: MIT */
/*
 * A growing row of bytes with a ceiling. Base layer: knows nothing of
 * terminals.
 *
 * A failed addition changes nothing but `fault`, which stays set: a builder
 * may add many pieces and look once, at its end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

enum buf_fault { BUF_FINE, BUF_TOO_LARGE, BUF_NO_MEMORY };

struct buf {
	/* owned by the buf; NULL while it is empty and nothing was reserved */
	unsigned char *data;
	size_t len;
	/* for the functions below only */
	size_t capacity;
	size_t max;
	enum buf_fault fault;
};

/* An empty buf that will hold at most `max` bytes. Allocates nothing. */
void buf_init(struct buf *b, size_t max);

/* Releases the bytes; the buf is empty again, with the same ceiling. */
void buf_free(struct buf *b);

/*
 * Room for `extra` bytes behind the present ones, so that
 * data[len .. len + extra - 1] may be written and len raised by the caller.
 * False: past the ceiling or out of memory (`fault` says which).
 */
bool buf_reserve(struct buf *b, size_t extra);

/* Adds `n` bytes; they may be any bytes but must not lie in `b` itself. */
bool buf_add(struct buf *b, const void *bytes, size_t n);

/* Adds the characters of a string without its NUL. */
bool buf_add_string(struct buf *b, const char *string);

/*
 * Opens a gap of `n` bytes at the front (their values are undefined) by
 * moving what is there towards the end.
 */
bool buf_open_front(struct buf *b, size_t n);

#endif
