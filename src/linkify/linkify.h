/* SPDX-License-Identifier: MIT */
/*
 * A filter for what programs print: URLs, places in files and what the user's
 * own rules match become hyperlinks (OSC 8), or links are taken out. Layer
 * linkify/: pure, bytes in, bytes out; what it has to know of files it is told.
 *
 * A line is looked at when it is whole. Sequences in it pass untouched, and a
 * link may stand over changes of colour; a line with a broken sequence is left
 * as it is. What stands in a link already stays as it is.
 */
#ifndef LINKIFY_LINKIFY_H
#define LINKIFY_LINKIFY_H

#include "base/buf.h"
#include "base/error.h"
#include "linkify/settings.h"

#include <stdbool.h>
#include <stddef.h>

struct linkify;

/* The caller frees it with linkify_free(). NULL: out of memory. */
struct linkify *linkify_new(const struct linkify_settings *settings);
void linkify_free(struct linkify *l);

/*
 * A rule REGEX=TEMPLATE: what the POSIX extended regular expression matches is
 * linked to the template, in which \0 is the match, \1 to \9 are its groups and
 * \\ is a backslash. The first `=` that has no backslash before it ends the
 * expression. Rules and the built-in ones compete by place: the match that
 * begins first wins, of two the rule that was added first, the built-in last.
 * False: STATUS_USAGE, or STATUS_FAILED for no memory.
 */
bool linkify_rule(struct linkify *l, const char *rule, struct error *error);

/*
 * Reads on and adds to `out` what can be told so far. How the input is cut
 * makes no difference. False: no room.
 */
bool linkify_feed(struct linkify *l, const void *bytes, size_t n, struct buf *out);

/* Whether a line has begun that is not told yet. */
bool linkify_waits(const struct linkify *l);

/*
 * Tells what it holds back, but for a sequence in the middle: for a line that
 * may not go on for long, a prompt.
 */
bool linkify_flush(struct linkify *l, struct buf *out);

/* The end of the input. */
bool linkify_end(struct linkify *l, struct buf *out);

#endif
