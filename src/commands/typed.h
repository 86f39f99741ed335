/* SPDX-License-Identifier: MIT */
/* Copy and paste with MIME types: by a desktop tool, or by OSC 5522. */
#ifndef COMMANDS_TYPED_H
#define COMMANDS_TYPED_H

#include "base/buf.h"
#include "commands/command.h"
#include "detect/path.h"
#include "encoder/encoder.h"

#include <stdbool.h>
#include <stddef.h>

/* Types for completions, ended by NULL. */
extern const char *const mime_words[];

/* Checks a list of MIME types separated by commas. False: STATUS_USAGE. */
bool typed_check(const char *types, struct error *error);

/* Whether all types of the list are plain text, which needs no OSC 5522. */
bool typed_all_plain(const char *types);

/*
 * Copies these items and reports; without items clears the clipboard. `confirm`: only the
 * terminal may do it, because it confirms. With --print the sequences have no id. False:
 * as typed_open(), typed_copy() and native_copy().
 */
bool copy_typed(struct call *call, const struct typed_item *item, size_t count,
    const char *letters, bool confirm, struct error *error);

/*
 * Adds the data of this type, or the list of types (`type` is NULL), one per line, to
 * `data`, which is empty. The terminal of `path` must be identified. If only OSC 52 can
 * be read, the list is text/plain. Types that are not printable ASCII are left out.
 */
bool paste_typed(struct call *call, const struct path *path, const char *type,
    char letter, struct buf *data, struct error *error);

#endif
