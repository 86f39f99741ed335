/* SPDX-License-Identifier: MIT */
/* A place in a file, as programs print it, and the link to it. Layer linkify/. */
#ifndef LINKIFY_PLACE_H
#define LINKIFY_PLACE_H

#include "encoder/encoder.h"
#include "linkify/matches.h"

#include <stdbool.h>
#include <stddef.h>

enum { PATH_BYTES = 4096 }; /* PATH_MAX of Linux */

/*
 * Parses the number of a line or column at `at`, at least 1 and of at most 9 digits. Gives
 * its end, or `at` for none.
 */
size_t place_number(const char *text, size_t n, size_t at, unsigned long *number);

/*
 * Links text[start .. end - 1] to the line and column of `place` in the file `path` of `n`
 * bytes, whose absolute path goes into `place`. `from_top`: see linkify_settings. False:
 * no such file.
 */
bool place_link(struct matches *m, const char *path, size_t n, bool from_top, size_t start,
    size_t end, struct place *place);

#endif
