/* SPDX-License-Identifier: MIT */
/*
 * A growable buffer of bytes with a size limit. Base layer. Sizes are in bytes.
 *
 * A function that returns false has changed nothing but `fault`. The fault stays set
 * and makes every later addition fail too, so a caller may add many pieces and check
 * once at the end; the buffer then holds the pieces before the one that failed.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

/* For buf_init(): memory sets the limit. A sum of several such sizes does not overflow. */
#define BUF_NO_LIMIT ((size_t)-1 / 16)

enum buf_fault { BUF_FINE, BUF_TOO_LARGE, BUF_NO_MEMORY };

struct buf {
	/* owned by the buf; NULL until something is added or reserved */
	unsigned char *data;
	size_t len;
	/* for the functions below only */
	size_t capacity;
	size_t max;
	enum buf_fault fault;
};

/* Initializes an empty buf with a limit of `max` bytes. Allocates nothing. */
void buf_init(struct buf *b, size_t max);

/* Frees the bytes and the fault; the buf is empty again, with the same limit. */
void buf_free(struct buf *b);

/*
 * Reserves `extra` bytes: the caller may then write data[len .. len + extra - 1] and
 * raise len. False: over the limit or out of memory (`fault` says which).
 */
bool buf_reserve(struct buf *b, size_t extra);

/* Appends `n` bytes, which must not be part of `b` itself. */
bool buf_add(struct buf *b, const void *bytes, size_t n);

/* Appends a string without its NUL. */
bool buf_add_string(struct buf *b, const char *string);

/* Inserts `n` bytes of undefined value at the front. */
bool buf_open_front(struct buf *b, size_t n);

/* Whether `text`, which is not empty, is in it. For short bufs: it is quadratic. */
bool buf_holds(const struct buf *b, const char *text);

#endif
