/* SPDX-License-Identifier: MIT */
/*
 * Base64 (RFC 4648, section 4): the standard alphabet, padded, on one line.
 * Base layer. The library behind encoding, libb64, is seen by
 * base64.c only.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* The exact number of characters that `n` bytes become. */
size_t base64_encoded_size(size_t n);

/*
 * Adds `n` bytes, which must not lie in `out` itself, as base64. Texts of several
 * calls make one only if all but the last are given a multiple of three. False: no
 * room, and nothing has changed but out->fault.
 */
bool base64_encode(struct buf *out, const void *raw, size_t n);

/*
 * Turns data[from .. len - 1] of `b` into base64 where it stands, so that a
 * large payload is never held twice; len grows to fit. False: no room
 * (b->fault), and nothing has changed.
 */
bool base64_encode_in_place(struct buf *b, size_t from);

/*
 * Adds what `n` characters of base64 mean to `out`. Strict: the standard
 * alphabet only, no white space, `=` only as one or two last characters that
 * complete a group of four. Padding may be left out. False, with nothing
 * added: not base64 (out->fault is BUF_FINE) or no room (it is not).
 */
bool base64_decode(struct buf *out, const char *text, size_t n);

#endif
