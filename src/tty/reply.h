/* SPDX-License-Identifier: MIT */
/*
 * Parses the replies of a terminal: bytes in, replies out. Tty layer; no descriptor, no
 * clock.
 *
 * The bytes are untrusted, arrive in pieces of any size and are mixed with typed keys.
 * A guard collects complete sequences of the shapes in reply.def and drops the rest, on
 * some of which libtermkey would crash; libtermkey then parses them. Time and memory
 * are linear in the bytes.
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
	 * Of a string: the bytes between the prefix of its shape and its terminator,
	 * followed by a NUL. Borrowed until the receiver returns.
	 */
	const char *text;
	size_t size;
	/* Of a CSI: its parameters, -1 for an omitted one. */
	size_t count;
	long number[REPLY_NUMBERS];
};

/* A part of the text of a reply, borrowed from it. */
struct reply_piece {
	const char *text;
	size_t size;
};

bool reply_piece_is(struct reply_piece piece, const char *word);

/*
 * The value of a key in what stands before the first semicolon of OSC 99 and 5522,
 * "i=ID:p=close"; of several with that name the first. Its text is NULL: there is none.
 */
struct reply_piece reply_value(struct reply_piece metadata, const char *key);

/* Called for each reply, in order. */
typedef void reply_receiver(void *context, const struct reply *reply);

struct reply_reader;

/*
 * Allocates a reader that passes replies to `receive`. A string of more than `max`
 * bytes (or 64, if that is more) is dropped and reported as REPLY_OVERSIZED. NULL: out
 * of memory. The caller frees the reader with reply_free().
 */
struct reply_reader *reply_new(size_t max, reply_receiver *receive, void *context);
void reply_free(struct reply_reader *reader);

/* Parses the next bytes. False: out of memory; the sequence that was begun is lost. */
bool reply_feed(struct reply_reader *reader, const void *bytes, size_t n);

/* Drops the sequence that is incomplete: what follows it is not its rest. */
void reply_drop(struct reply_reader *reader);

/* Bytes that were not part of a reply: type-ahead or noise. */
size_t reply_ignored(const struct reply_reader *reader);

/* Whether a sequence, kept or dropped, is incomplete. */
bool reply_unfinished(const struct reply_reader *reader);

/* Bytes of an incomplete string, and of a reply inside it. */
size_t reply_pending(const struct reply_reader *reader);

#endif
