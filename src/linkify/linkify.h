/* SPDX-License-Identifier: MIT */
/*
 * A filter for the output of programs: URLs, places in files (path:line) and matches of
 * the user's rules become hyperlinks (OSC 8), or links are removed. Layer linkify/:
 * pure; files are looked up through a callback.
 *
 * Input is processed by complete lines. Sequences pass unchanged, and a link may span
 * changes of color. A line with a broken sequence and text that is already a link are
 * not changed.
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
 * Filters the next bytes and adds complete lines to `out`; the result does not depend
 * on how the input is divided. False: no room, see out->fault; the output is incomplete.
 */
bool linkify_feed(struct linkify *l, const void *bytes, size_t n, struct buf *out);

/* Whether an incomplete line is held back. */
bool linkify_waits(const struct linkify *l);

/*
 * Adds the incomplete line, except an incomplete sequence at its end: for a prompt, which
 * no newline follows soon.
 */
bool linkify_flush(struct linkify *l, struct buf *out);

/* The end of the input: adds all that was held back. */
bool linkify_end(struct linkify *l, struct buf *out);

#endif
