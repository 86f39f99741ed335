/* SPDX-License-Identifier: MIT */
/*
 * tty/reply: any bytes, cut in any way, give the same replies; each is of the
 * table, stands in the input with its numbers or text, ends in a NUL and is no
 * larger than allowed; without a string none is missed; every byte is part of a
 * reply, pending or counted as none; and whatever came, once it is ended the
 * next reply is read.
 *
 * The first byte chooses the largest size, the second the cuts.
 */
#include "tty/reply.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A text of this size is kept by any reader. */
enum { SHORT = 64 };

struct seen {
	const uint8_t *data; /* what is read */
	size_t size;
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

/* ---- where a reply stands ----------------------------------------------- */

static const struct {
	const char *head; /* of a string what it begins with, of a CSI its marker */
	char final;       /* of a CSI */
} shapes[] = {
	[REPLY_DA1] = { "\x1b[?", 'c' },
	[REPLY_DA2] = { "\x1b[>", 'c' },
	[REPLY_DA3] = { "\x1bP!|", 0 },
	[REPLY_VERSION] = { "\x1bP>|", 0 },
	[REPLY_CLIPBOARD] = { "\x1b]52;", 0 },
	[REPLY_TITLE] = { "\x1b]l", 0 },
	[REPLY_NOTIFICATION] = { "\x1b]99;", 0 },
	[REPLY_TYPED] = { "\x1b]5522;", 0 },
	[REPLY_PROGRAM] = { "\x1b]7501;?", 0 },
	[REPLY_MODE] = { "\x1b[?", 'y' },
	[REPLY_PALETTE] = { "\x1b]4;", 0 },
	[REPLY_FOREGROUND] = { "\x1b]10;", 0 },
	[REPLY_BACKGROUND] = { "\x1b]11;", 0 },
	[REPLY_CURSOR] = { "\x1b]12;", 0 },
	[REPLY_SCHEME] = { "\x1b[?", 'n' },
};

/* The numbers of a CSI whose parameters begin at `at`; its length, or 0. */
static size_t
read_control(const uint8_t *at, const uint8_t *end, char final, long *number,
    size_t *count)
{
	const uint8_t *from = at;
	size_t digits = 0;

	*count = 0;
	number[0] = -1;
	for (; at < end && ((*at >= '0' && *at <= '9') || *at == ';'); at++)
		if (*at == ';') {
			if (++*count == REPLY_NUMBERS)
				return 0;
			number[*count] = -1;
			digits = 0;
		} else {
			number[*count] = (digits == 0 ? 0 : number[*count]) * 10 +
			    (*at - '0');
			if (++digits > 9)
				return 0;
		}
	/* the last one may be missing */
	*count += number[*count] >= 0;
	/* DECRPM has an intermediate */
	at += final == 'y' && at < end && *at == '$';
	return at < end && *at == (uint8_t)final ? (size_t)(at - from) + 1 : 0;
}

static bool
stands_as_control(const struct seen *seen, const struct reply *reply)
{
	const uint8_t *at = seen->data, *end = at + seen->size;
	const char *head = shapes[reply->kind].head;
	long number[REPLY_NUMBERS];
	size_t count;

	for (; (at = memmem(at, (size_t)(end - at), head, 3)) != NULL; at++)
		if (read_control(at + 3, end, shapes[reply->kind].final, number,
		    &count) > 0 && bytes_equal(number, count * sizeof(*number),
		    reply->number, reply->count * sizeof(*number)))
			return true;
	return false;
}

static bool
stands(const struct seen *seen, const char *head, const char *text, size_t n,
    const char *ending)
{
	struct bytes string = { .n = 0 };
	bool found;

	put(&string, head, strlen(head));
	put(&string, text, n);
	put(&string, ending, strlen(ending));
	found = memmem(seen->data, seen->size, string.at, string.n) != NULL;
	release(&string);
	return found;
}

/* It is ended; of one that begins early only what is behind a `;` is together. */
static bool
stands_as_string(const struct seen *seen, const struct reply *reply)
{
	const char *head = shapes[reply->kind].head, *rest = reply->text;
	size_t n = reply->size;

	if (stands(seen, head, rest, n, "\x1b\\") ||
	    (head[1] == ']' && stands(seen, head, rest, n, "\a")))
		return true;
	if (reply->kind == REPLY_PALETTE)
		return stands(seen, head, rest, n, "\x1b\x1b");
	if (reply->kind != REPLY_CLIPBOARD)
		return false;
	while ((rest = strchr(rest, ';')) != NULL) {
		n = strlen(++rest);
		if (stands(seen, "", rest, n, "\x1b\\") ||
		    stands(seen, "", rest, n, "\a"))
			return true;
	}
	return false;
}

static void
receive(void *context, const struct reply *reply)
{
	struct seen *seen = context;
	size_t i;

	need((size_t)reply->kind <= REPLY_OVERSIZED && reply->text != NULL &&
	    reply->size <= seen->max && strlen(reply->text) == reply->size &&
	    reply->count <= REPLY_NUMBERS);
	if (reply->kind == REPLY_OVERSIZED)
		need(reply->size == 0 && reply->count == 0);
	else if (shapes[reply->kind].final != 0)
		need(reply->size == 0 && stands_as_control(seen, reply));
	else
		need(reply->count == 0 && stands_as_string(seen, reply));
	for (i = 0; i < reply->count; i++)
		need(reply->number[i] >= -1 && reply->number[i] <= 999999999);
	seen->count++;
	seen->last = reply->kind;
	mix(seen, &reply->kind, sizeof(reply->kind));
	mix(seen, reply->text, reply->size);
	mix(seen, reply->number, reply->count * sizeof(reply->number[0]));
}

/* ---- what is read ------------------------------------------------------- */

/* The attributes, schemes and modes in bytes that have no string in them. */
static size_t
count_attributes(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size;
	long number[REPLY_NUMBERS];
	size_t count = 0, n, numbers;

	for (; end - data >= 4; data++) {
		if (memcmp(data, shapes[REPLY_DA1].head, 3) != 0 &&
		    memcmp(data, shapes[REPLY_DA2].head, 3) != 0)
			continue;
		n = read_control(data + 3, end, 'c', number, &numbers);
		count += n > 0 && n <= 61;
		if (data[2] != '?')
			continue;
		n = read_control(data + 3, end, 'n', number, &numbers);
		count += n > 0 && n <= 61;
		n = read_control(data + 3, end, 'y', number, &numbers);
		count += n > 0 && data[n + 1] == '$' && numbers == 2 &&
		    number[0] >= 0 && judge_count(data + 3, n, ';') == 1;
	}
	return count;
}

static bool
has_string(const uint8_t *data, size_t size)
{
	return memmem(data, size, "\x1b]", 2) != NULL ||
	    memmem(data, size, "\x1bP", 2) != NULL;
}

struct end {
	size_t ignored, pending;
	struct seen seen;
};

/* A string is ended, and a sequence that is none of ours; then DA1. */
static const char end[] = "\x1b\\\x1b\\\x1b[?1c";

static struct end
read_in_pieces(struct reply_reader *reader, struct seen *seen, size_t size,
    size_t piece)
{
	struct end result = { .ignored = reply_ignored(reader) };
	size_t at, n, before;

	seen->count = 0;
	seen->hash = 0;
	for (at = 0; at < size; at += n) {
		n = size - at < piece ? size - at : piece;
		need(reply_feed(reader, seen->data + at, n));
	}
	result.ignored = reply_ignored(reader) - result.ignored;
	result.pending = reply_pending(reader);
	result.seen = *seen;
	/* an ESC that may end a string is neither yet */
	need(result.ignored + result.pending <= size &&
	    (seen->count > 0 || result.ignored + result.pending + 1 >= size));
	need(result.pending == 0 || reply_unfinished(reader));
	before = seen->count;
	need(reply_feed(reader, end, sizeof(end) - 1) && seen->count > before &&
	    seen->last == REPLY_DA1);
	need(reply_pending(reader) == 0 && !reply_unfinished(reader));
	return result;
}

/* The three times are one after the other: what came leaves nothing behind. */
static void
check(const uint8_t *data, size_t size, size_t max, size_t piece)
{
	struct seen seen = { .max = max > SHORT ? max : SHORT };
	struct reply_reader *reader = reply_new(max, receive, &seen);
	const size_t pieces[] = { size + 1, 1, piece };
	struct bytes all = { .n = 0 };
	struct end result[3];
	size_t i;

	/* the ends are read as well, and found */
	put(&all, data, size);
	put(&all, end, sizeof(end) - 1);
	seen.data = all.at;
	seen.size = all.n;
	need(reader != NULL);
	for (i = 0; i < 3; i++) {
		result[i] = read_in_pieces(reader, &seen, size, pieces[i]);
		need(result[i].seen.count == result[0].seen.count &&
		    result[i].seen.hash == result[0].seen.hash &&
		    result[i].ignored == result[0].ignored &&
		    result[i].pending == result[0].pending);
	}
	if (!has_string(data, size))
		need(result[0].seen.count == count_attributes(data, size));
	reply_free(reader);
	release(&all);
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
