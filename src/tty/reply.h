/* SPDX-License-Identifier: MIT */
/*
 * What a terminal answers: bytes in, replies out. Tty layer; knows no
 * descriptor and no clock.
 *
 * Replies come from whatever is at the other end: they are untrusted, cut in
 * any way and mixed with what a person types. A guard collects whole sequences
 * of the shapes in reply.def and drops all else; libtermkey, which would crash
 * on some of the rest, then takes them apart. Time and memory grow with the
 * bytes, not faster.
 */
#ifndef TTY_REPLY_H
#define TTY_REPLY_H

#include <stdbool.h>
#include <stddef.h>

enum reply_kind {
#define REPLY(KIND, ...) REPLY_##KIND,
#include "tty/reply.def"
#undef REPLY
	REPLY_KINDS,
	REPLY_OVERSIZED = REPLY_KINDS /* a string that was too long to keep */
};

enum { REPLY_NUMBERS = 16 };

struct reply {
	enum reply_kind kind;
	/*
	 * Of a string: what stands between the prefix of its shape and its
	 * terminator, with a NUL behind it. Borrowed until the receiver returns.
	 */
	const char *text;
	size_t size;
	/* Of a CSI: its parameters, -1 for one left out. */
	size_t count;
	long number[REPLY_NUMBERS];
};

/* Gets each reply, in the order they came. */
typedef void reply_receiver(void *context, const struct reply *reply);

struct reply_reader;

/*
 * A reader that gives replies to `receive`. A string of more than `max` bytes
 * (and of more than a short reply has) is swallowed whole; REPLY_OVERSIZED
 * stands in for it. NULL: out of memory. The caller frees it with reply_free().
 */
struct reply_reader *reply_new(size_t max, reply_receiver *receive, void *context);
void reply_free(struct reply_reader *reader);

/* Reads on. False: out of memory; what was begun is lost. */
bool reply_feed(struct reply_reader *reader, const void *bytes, size_t n);

/* Bytes that were part of no reply: typed ahead, or noise. */
size_t reply_ignored(const struct reply_reader *reader);

/* Whether it is in the middle of a sequence, kept or swallowed. */
bool reply_unfinished(const struct reply_reader *reader);

/* Bytes of a string that has begun and not ended, and of a reply inside it. */
size_t reply_pending(const struct reply_reader *reader);

#endif
