/* SPDX-License-Identifier: MIT */
/*
 * What copy and paste do with MIME types: through the desktop's own programs where those
 * are used, else by OSC 5522.
 */
#ifndef COMMANDS_TYPED_H
#define COMMANDS_TYPED_H

#include "base/buf.h"
#include "commands/command.h"
#include "detect/path.h"
#include "encoder/encoder.h"

#include <stdbool.h>
#include <stddef.h>

/* Types that completions offer; NULL ends them. */
extern const char *const mime_words[];

/* Whether it is one or more MIME types, divided by commas. False: STATUS_USAGE. */
bool typed_check(const char *types, struct error *error);

/* Whether all of them are plain text, which needs no types. */
bool typed_all_plain(const char *types);

/*
 * Copies these items, or clears with none, and reports. `confirm`: only with the word of
 * the terminal. With --print the sequences are printed, without an id. False: as
 * typed_open(), typed_copy() and native_copy().
 */
bool copy_typed(struct call *call, const struct typed_item *item, size_t count,
    const char *letters, bool confirm, struct error *error);

/*
 * Adds the content of this type, or, where `type` is NULL, the types that there are, one
 * a line, to `data`, which is empty. From a path whose terminal is identified. Where
 * only OSC 52 can be read, text/plain is the one type that there is.
 */
bool paste_typed(struct call *call, const struct path *path, const char *type,
    char letter, struct buf *data, size_t max, struct error *error);

#endif
