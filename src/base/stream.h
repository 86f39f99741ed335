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
 * errno for a failure, or with b->fault set for no room.
 */
ssize_t stream_read(int fd, struct buf *b);

/* Writes all `n` bytes. False: errno. */
bool stream_write(int fd, const void *bytes, size_t n);

/*
 * Writes all of `b` to standard output. False: STATUS_FAILED, also for a buf
 * that had no room for all it was given.
 */
bool stream_output(const struct buf *b, struct error *error);

#endif
