/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON (RFC 8259) to a buf. Base layer. Commas are added where they are needed.
 * `name` is the name of a member of an object, or NULL for an element of an array and
 * the top value. Failures are left in out->fault.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* Opens an object or array: `{` or `[`. */
void json_open(struct buf *out, const char *name, char bracket);

/* `}` or `]`. */
void json_close(struct buf *out, char bracket);

/* A string; bytes of invalid UTF-8 become U+FFFD. NULL and "" are written as null. */
void json_text(struct buf *out, const char *name, const char *text);

void json_number(struct buf *out, const char *name, size_t number);
void json_bool(struct buf *out, const char *name, bool value);

/* Any bytes, as a string of base64. */
void json_base64(struct buf *out, const char *name, const void *bytes, size_t n);

#endif
