/* SPDX-License-Identifier: MIT */
/*
 * tty/reply: any bytes, cut in any way, give the same replies; each ends in a NUL and is
 * no larger than allowed, and stands in the input in the form of its kind; every byte is
 * part of a reply, unfinished or counted as none; and whatever came, once it is ended one
 * reply of each kind is read, and as what it is.
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
	struct bytes input;
	size_t known; /* the next of `known`, once the input is over */
	bool over;
};

/* What terminals send, by the specifications that reply.def names. */
static const struct {
	enum reply_kind kind;
	const char *head, *text, *tail;
} known[] = {
	{ REPLY_DA2, "\x1b[>", "1;4000;48", "c" },
	{ REPLY_DA3, "\x1bP!|", "7E4B5454", "\x1b\\" },
	{ REPLY_VERSION, "\x1bP>|", "foot(1.13)", "\x1b\\" },
	{ REPLY_CLIPBOARD, "\x1b]52;", "c;aGVsbG8=", "\x1b\\" },
	{ REPLY_NOTIFICATION, "\x1b]99;", "i=1:p=?;a=b", "\x1b\\" },
	{ REPLY_PALETTE, "\x1b]4;", "1;rgb:ff/00/00", "\a" },
	{ REPLY_FOREGROUND, "\x1b]10;", "rgb:ff/00/00", "\x1b\\" },
	{ REPLY_BACKGROUND, "\x1b]11;", "rgb:ff/00/00", "\a" },
	{ REPLY_CURSOR, "\x1b]12;", "#ff0000", "\x1b\\" },
	{ REPLY_ALLOWED, "\x1b]60", ";allowWindowOps", "\x1b\\" },
	{ REPLY_DISALLOWED, "\x1b]61", ";SetSelection", "\x1b\\" },
	{ REPLY_DA1, "\x1b[?", "62;52", "c" },
};

enum { KNOWN = sizeof(known) / sizeof(known[0]) };

static size_t
row_of(enum reply_kind kind)
{
	size_t row = 0;

	while (known[row].kind != kind)
		need(++row < KNOWN);
	return row;
}

/* Whether a string with this text, or such a CSI with any numbers, begins at the ESC. */
static bool
stands_at(const unsigned char *at, size_t n, size_t row, const struct reply *reply)
{
	const char *head = known[row].head, *tail = known[row].tail;
	const bool is_csi = head[1] == '[';
	size_t i = strlen(head), j = 0;

	if (n < i || memcmp(at, head, i) != 0)
		return false;
	while (is_csi && i < n && strchr("0123456789;:", at[i]) != NULL && at[i] != '\0')
		i++;
	if (is_csi)
		return n - i >= strlen(tail) && memcmp(at + i, tail, strlen(tail)) == 0;
	for (; i < n; i++) {
		/* a reply to another query may come inside that of the clipboard */
		if (reply->kind == REPLY_CLIPBOARD && n - i > 2 &&
		    memcmp(at + i, "\x1b[", 2) == 0) {
			for (i += 2; i < n && at[i] < 0x40;)
				i++;
			continue;
		}
		if (j == reply->size)
			return (at[i] == 0x07 && head[1] == ']') || (at[i] == 0x1b && i + 1 < n &&
			    (at[i + 1] == '\\' || reply->kind == REPLY_PALETTE));
		if (at[i] != (unsigned char)reply->text[j++])
			return false;
	}
	return false;
}

static void
check_known(struct seen *seen, const struct reply *reply)
{
	const size_t row = row_of(reply->kind);
	size_t i;

	for (i = 0; i < seen->input.n; i++)
		if (stands_at(seen->input.at + i, seen->input.n - i, row, reply))
			break;
	need(i < seen->input.n);
	if (!seen->over)
		return;
	need(row == seen->known++ && strcmp(reply->text, known[row].text) == 0);
}

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

	need((size_t)reply->kind <= REPLY_OVERSIZED && reply->text != NULL &&
	    reply->size <= seen->max && strlen(reply->text) == reply->size);
	if (reply->kind != REPLY_OVERSIZED)
		check_known(seen, reply);
	seen->count++;
	seen->last = reply->kind;
	mix(seen, &reply->kind, sizeof(reply->kind));
	mix(seen, reply->text, reply->size);
}

/* ---- what is read ------------------------------------------------------- */

struct end {
	size_t typed;
	bool unfinished;
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
	result.unfinished = reply_unfinished(reader);
	result.seen = *seen;
	need(result.typed + result.unfinished <= size);
	before = seen->count;
	reply_feed(reader, end, sizeof(end) - 1);
	need(seen->count > before && seen->last == REPLY_DA1);
	need(!reply_unfinished(reader));
	seen->over = true;
	for (at = seen->known = 0; at < KNOWN; at++) {
		reply_feed(reader, known[at].head, strlen(known[at].head));
		reply_feed(reader, known[at].text, strlen(known[at].text));
		reply_feed(reader, known[at].tail, strlen(known[at].tail));
	}
	need(seen->known == KNOWN);
	seen->over = false;
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

	put(&seen.input, data, size);
	put(&seen.input, end, sizeof(end) - 1);
	for (i = 0; i < KNOWN; i++) {
		put(&seen.input, known[i].head, strlen(known[i].head));
		put(&seen.input, known[i].text, strlen(known[i].text));
		put(&seen.input, known[i].tail, strlen(known[i].tail));
	}
	reply_begin(&reader, max, receive, &seen);
	for (i = 0; i < 3; i++) {
		result[i] = read_in_pieces(&reader, &seen, data, size, pieces[i]);
		need(result[i].seen.count == result[0].seen.count &&
		    result[i].seen.hash == result[0].seen.hash &&
		    result[i].typed == result[0].typed &&
		    result[i].unfinished == result[0].unfinished);
	}
	reply_end(&reader);
	release(&seen.input);
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
