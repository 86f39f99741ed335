/* SPDX-License-Identifier: MIT */
/*
 * JSON (RFC 8259) into a buf. Base layer. The commas come by themselves: a
 * member or element that follows another one brings its own.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* `{` and `[`; with a name as a member of an object, NULL else. */
void json_open(struct buf *out, const char *name, char bracket);

/* `}` or `]`. */
void json_close(struct buf *out, char bracket);

/*
 * A string; bytes that are no UTF-8 become U+FFFD. NULL and "" are null: there
 * is none.
 */
void json_text(struct buf *out, const char *name, const char *text);

void json_number(struct buf *out, const char *name, size_t number);
void json_bool(struct buf *out, const char *name, bool value);

/* Any bytes, in base64. */
void json_base64(struct buf *out, const char *name, const void *bytes, size_t n);

#endif
