/* SPDX-License-Identifier: MIT */
/*
 * tty/reply: any bytes, cut in any way, give the same replies; each is of the
 * table, ends in a NUL and is no larger than allowed; every byte is part of a
 * reply, pending or counted as none; and whatever came, once it is ended the
 * next reply is read.
 *
 * The first byte chooses the largest size, the second the cuts.
 */
#include "tty/reply.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A text of this size is kept by any reader. */
enum { SHORT = 64 };

struct seen {
	size_t max, count; /* max: of the text of a reply */
	uint64_t hash;
	enum reply_kind last;
};

static void
mix(struct seen *seen, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;

	/* FNV-1a */
	for (; n > 0; n--)
		seen->hash = (seen->hash ^ *at++) * 0x100000001b3U;
}

static void
receive(void *context, const struct reply *reply)
{
	struct seen *seen = context;
	size_t i;

	if ((size_t)reply->kind > REPLY_OVERSIZED || reply->text == NULL ||
	    reply->size > seen->max || strlen(reply->text) != reply->size ||
	    reply->count > REPLY_NUMBERS ||
	    (reply->count > 0 && reply->size > 0))
		abort();
	for (i = 0; i < reply->count; i++)
		if (reply->number[i] < -1 || reply->number[i] > 999999999)
			abort();
	seen->count++;
	seen->last = reply->kind;
	mix(seen, &reply->kind, sizeof(reply->kind));
	mix(seen, reply->text, reply->size);
	mix(seen, reply->number, reply->count * sizeof(reply->number[0]));
}

struct end {
	size_t ignored, pending;
	struct seen seen;
};

static struct end
read_in_pieces(const uint8_t *data, size_t size, size_t max, size_t piece)
{
	/* a string is ended, and a sequence that is none of ours; then DA1 */
	static const char end[] = "\x1b\\\x1b\\\x1b[?1c";
	struct end result = { .seen = { .max = max > SHORT ? max : SHORT } };
	struct reply_reader *reader = reply_new(max, receive, &result.seen);
	size_t at, n, before;

	if (reader == NULL)
		abort();
	for (at = 0; at < size; at += n) {
		n = size - at < piece ? size - at : piece;
		if (!reply_feed(reader, data + at, n))
			abort();
	}
	result.ignored = reply_ignored(reader);
	result.pending = reply_pending(reader);
	/* an ESC that may end a string is neither yet */
	if (result.ignored + result.pending > size ||
	    (result.seen.count == 0 &&
	        result.ignored + result.pending + 1 < size))
		abort();
	before = result.seen.count;
	if (!reply_feed(reader, end, sizeof(end) - 1) ||
	    result.seen.count == before || result.seen.last != REPLY_DA1)
		abort();
	reply_free(reader);
	return result;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct end whole, cut;
	size_t i, pieces[2] = { 1, 1 }, max = 64;

	if (size >= 2) {
		max = (size_t)data[0] * 4;
		pieces[1] = data[1] % 61 + 2;
		data += 2;
		size -= 2;
	}
	whole = read_in_pieces(data, size, max, size + 1);
	for (i = 0; i < 2; i++) {
		cut = read_in_pieces(data, size, max, pieces[i]);
		if (cut.seen.count != whole.seen.count ||
		    cut.seen.hash != whole.seen.hash ||
		    cut.ignored != whole.ignored ||
		    cut.pending != whole.pending)
			abort();
	}
	return 0;
}
