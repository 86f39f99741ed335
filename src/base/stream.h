/* SPDX-License-Identifier: MIT */
/* Whole reads and writes of files and pipes. Base layer. */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Adds what one read(2) of `fd` gives to `b`; waits for it even if the
 * descriptor is non-blocking. Gives the number of bytes, 0 at the end, -1 with
 * errno for a failure, or with b->fault set where it gives more than there is room
 * for, or memory.
 */
ssize_t stream_read(int fd, struct buf *b);

/*
 * Adds all that `fd`, called `name` in messages, still holds to `b`. False:
 * STATUS_FAILED, also for more than fits into `b`.
 */
bool stream_read_all(int fd, const char *name, struct buf *b, struct error *error);

/*
 * Adds the text on standard input to `b`, up to its end or until `b` is full,
 * without newlines at its end as a shell's $() does. False: STATUS_FAILED.
 */
bool stream_read_text(struct buf *b, struct error *error);

/*
 * Reads and drops what standard input still holds: whoever writes more than is
 * of use must not die of a broken pipe. False: STATUS_FAILED.
 */
bool stream_drain(struct error *error);

/* Writes all `n` bytes. False: errno. */
bool stream_write(int fd, const void *bytes, size_t n);

/*
 * Writes all of `b` to standard output. False: STATUS_FAILED, also for a buf
 * that had no room for all it was given.
 */
bool stream_output(const struct buf *b, struct error *error);

#endif
