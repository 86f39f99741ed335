/* SPDX-License-Identifier: MIT */
/* Finds the links in a line of text. Layer linkify/, for linkify.c only. */
#ifndef LINKIFY_MATCH_H
#define LINKIFY_MATCH_H

#include "linkify/lines.h"
#include "linkify/matches.h"
#include "linkify/rules.h"

#include <stddef.h>

/*
 * The first place from `at` on that may belong to a match of the built-in rules, or `n` for
 * none. Fast; the text may have several lines.
 */
size_t match_next(const char *text, size_t n, size_t at);

/*
 * Fills `matches` with the matches in a text of `n` bytes, in order and not overlapping.
 * No match spans a newline. If there are rules, the text must contain no NUL. `context`
 * is carried from line to line.
 */
void match_text(struct matches *matches, struct context *context, const char *text,
    size_t n, const struct rules *rules);

#endif
