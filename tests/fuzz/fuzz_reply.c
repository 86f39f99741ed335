/* SPDX-License-Identifier: MIT */
/*
 * tty/reply: any bytes, cut in any way, give the same replies; each ends in a NUL and is
 * no larger than allowed; every byte is part of a reply, pending or counted as none; and
 * whatever came, once it is ended the next reply is read.
 *
 * The first byte chooses the largest size, the second the cuts.
 */
#include "tty/tty.h"

#include "judge.h"

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

/* One of OSC 5522: what is borrowed from the text lies in it. */
static void
check_typed(const struct reply *reply)
{
	const char *text = reply->text, *payload = memchr(text, ';', reply->size);
	struct typed_reply typed;

	if (!typed_reply_parse(&typed, text, reply->size, "v"))
		return;
	need(memchr(typed.status, '\0', sizeof(typed.status)) != NULL);
	need(strlen(typed.status) > 0);
	need(memchr(typed.type, '\0', sizeof(typed.type)) != NULL);
	need(typed.data + typed.size == text + reply->size);
	need(payload != NULL ? typed.data == payload + 1 : typed.size == 0);
}

static void
receive(void *context, const struct reply *reply)
{
	struct seen *seen = context;
	size_t i;

	need((size_t)reply->kind <= REPLY_OVERSIZED && reply->text != NULL &&
	    reply->size <= seen->max && strlen(reply->text) == reply->size &&
	    reply->count <= REPLY_NUMBERS);
	if (reply->kind == REPLY_TYPED)
		check_typed(reply);
	for (i = 0; i < reply->count; i++)
		need(reply->number[i] >= -1 && reply->number[i] <= 999999999);
	seen->count++;
	seen->last = reply->kind;
	mix(seen, &reply->kind, sizeof(reply->kind));
	mix(seen, reply->text, reply->size);
	mix(seen, reply->number, reply->count * sizeof(reply->number[0]));
}

/* ---- what is read ------------------------------------------------------- */

struct end {
	size_t typed, pending;
	struct seen seen;
};

/* A string is ended, and a sequence that is none of ours; then DA1. */
static const char end[] = "\x1b\\\x1b\\\x1b[?1c";

static struct end
read_in_pieces(struct reply_reader *reader, struct seen *seen, const uint8_t *data,
    size_t size, size_t piece)
{
	struct end result = { .typed = reader->typed };
	size_t at, n, before;

	seen->count = 0;
	seen->hash = 0;
	for (at = 0; at < size; at += n) {
		n = size - at < piece ? size - at : piece;
		reply_feed(reader, data + at, n);
	}
	result.typed = reader->typed - result.typed;
	result.pending = reply_pending(reader);
	result.seen = *seen;
	/* an ESC that may end a string is neither yet */
	need(result.typed + result.pending <= size);
	need(result.pending == 0 || reply_unfinished(reader));
	before = seen->count;
	reply_feed(reader, end, sizeof(end) - 1);
	need(seen->count > before && seen->last == REPLY_DA1);
	need(reply_pending(reader) == 0 && !reply_unfinished(reader));
	return result;
}

/* The three times are one after the other: what came leaves nothing behind. */
static void
check(const uint8_t *data, size_t size, size_t max, size_t piece)
{
	struct seen seen = { .max = max > SHORT ? max : SHORT };
	struct reply_reader reader;
	const size_t pieces[] = { size + 1, 1, piece };
	struct end result[3];
	size_t i;

	reply_begin(&reader, max, receive, &seen);
	for (i = 0; i < 3; i++) {
		result[i] = read_in_pieces(&reader, &seen, data, size, pieces[i]);
		need(result[i].seen.count == result[0].seen.count &&
		    result[i].seen.hash == result[0].seen.hash &&
		    result[i].typed == result[0].typed &&
		    result[i].pending == result[0].pending);
	}
	reply_end(&reader);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 2)
		check(data + 2, size - 2, (size_t)data[0] * 4, data[1] % 61 + 2);
	else
		check(data, size, 64, 1);
	return 0;
}
