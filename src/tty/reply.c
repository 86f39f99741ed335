/* SPDX-License-Identifier: MIT */
/*
 * The guard in front of libtermkey; the contract is in reply.h. The only file
 * that includes <termkey.h>.
 *
 * What libtermkey 0.22 needs guarding from: final bytes it does not expect
 * after a marker or an intermediate index its tables out of bounds, 17
 * parameters overrun an array, 19 digits overflow; strings that end in BEL
 * never end, and 0x9c, which is also half of many a UTF-8 character, ends
 * them. So it gets whole sequences only, with ST, few short numbers and a
 * stand-in for 0x9c. And of a string its head alone, which tells what it is:
 * it would hold two more copies of a clipboard.
 */
#include "tty/reply.h"

#include "base/buf.h"
#include "base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <termkey.h>

enum { BEL = 0x07, CAN = 0x18, SUB = 0x1a, ESC = 0x1b, C1_ST = 0x9c,
	STAND_IN = 0x1c };

/* Real replies stay below these; libtermkey breaks above 16 and 18. */
enum { CSI_MAX = 64, DIGITS_MAX = 9 };

/* What libtermkey gets of a string: more than any prefix. */
enum { HEAD_MAX = CSI_MAX };

static const struct shape {
	char introducer, marker, intermediate, final;
	const char *prefix;
} shapes[REPLY_KINDS] = {
#define REPLY(KIND, introducer, marker, intermediate, final, prefix) \
	{ introducer, marker, intermediate, final, prefix },
#include "tty/reply.def"
#undef REPLY
};

enum state {
	OUTSIDE,
	ESCAPE,        /* an ESC has come */
	CONTROL,       /* in a CSI */
	STRING,        /* in an OSC or DCS */
	STRING_ESCAPE, /* in one, an ESC has come */
	ASIDE,         /* in a CSI inside an OSC: see begins_early() */
	SWALLOW,       /* in one that is too long */
	SWALLOW_ESCAPE
};

struct reply_reader {
	enum state state;
	struct buf sequence; /* from its ESC on; of a string without its end */
	unsigned char aside[CSI_MAX]; /* what came inside it, for afterwards */
	size_t aside_len;
	size_t ignored;
	reply_receiver *receive;
	void *context;
	TermKey *termkey;
};

struct reply_reader *
reply_new(size_t max, reply_receiver *receive, void *context)
{
	struct reply_reader *reader = calloc(1, sizeof(*reader));

	if (reader == NULL)
		return NULL;
	/* a NULL name aborts; this one loads no keys and needs no database */
	reader->termkey = termkey_new_abstract("dumb",
	    TERMKEY_FLAG_UTF8 | TERMKEY_FLAG_NOTERMIOS);
	if (reader->termkey == NULL) {
		free(reader);
		return NULL;
	}
	reader->receive = receive;
	reader->context = context;
	/* around the text: introducer, NUL */
	buf_init(&reader->sequence, MAX(max, (size_t)CSI_MAX) + 3);
	return reader;
}

void
reply_free(struct reply_reader *reader)
{
	if (reader == NULL)
		return;
	termkey_destroy(reader->termkey);
	buf_free(&reader->sequence);
	free(reader);
}

size_t
reply_ignored(const struct reply_reader *reader)
{
	return reader->ignored;
}

bool
reply_unfinished(const struct reply_reader *reader)
{
	return reader->state != OUTSIDE;
}

size_t
reply_pending(const struct reply_reader *reader)
{
	return reader->sequence.len + reader->aside_len;
}

/* ---- taking apart ------------------------------------------------------- */

/* Puts a sequence, of a string its head, into libtermkey; it comes out a key. */
static bool
parse(struct reply_reader *reader, bool string, TermKeyKey *key)
{
	const struct buf *sequence = &reader->sequence;
	char head[HEAD_MAX + 2];
	size_t i, n = MIN(sequence->len, (size_t)HEAD_MAX);

	for (i = 0; i < n; i++)
		head[i] = (char)(sequence->data[i] == C1_ST ? STAND_IN :
		    sequence->data[i]);
	if (string) {
		head[n++] = ESC;
		head[n++] = '\\';
	}
	return termkey_push_bytes(reader->termkey, head, n) == n &&
	    termkey_getkey(reader->termkey, key) == TERMKEY_RES_KEY;
}

static bool
give_control(struct reply_reader *reader, enum reply_kind kind,
    const TermKeyKey *key)
{
	struct reply reply = { .kind = kind, .text = "" };
	/* it may write one value more than it counts */
	long number[REPLY_NUMBERS + 1];
	size_t i, count = REPLY_NUMBERS;
	unsigned long command;

	if (key->type != TERMKEY_TYPE_UNKNOWN_CSI ||
	    termkey_interpret_csi(reader->termkey, key, number, &count,
	        &command) != TERMKEY_RES_KEY)
		return false;
	reply.count = MIN(count, (size_t)REPLY_NUMBERS);
	for (i = 0; i < reply.count; i++)
		reply.number[i] = number[i];
	reader->receive(reader->context, &reply);
	return true;
}

/* The text is our own: libtermkey has seen no more than its head. */
static bool
give_string(struct reply_reader *reader, enum reply_kind kind,
    const TermKeyKey *key)
{
	struct reply reply = { .kind = kind };
	const char *prefix = shapes[kind].prefix, *head;
	struct buf *sequence = &reader->sequence;

	if ((key->type != TERMKEY_TYPE_OSC && key->type != TERMKEY_TYPE_DCS) ||
	    termkey_interpret_string(reader->termkey, key, &head) !=
	        TERMKEY_RES_KEY || !buf_add(sequence, "", 1))
		return false;
	/* the introducer has two bytes, the NUL is not counted */
	reply.text = (const char *)sequence->data + 2 + strlen(prefix);
	reply.size = sequence->len - 3 - strlen(prefix);
	reader->receive(reader->context, &reply);
	return true;
}

/* libtermkey keeps 16 bits of a mode's number; the guard has let digits through only. */
static bool
give_mode(struct reply_reader *reader)
{
	struct reply reply = { .kind = REPLY_MODE, .text = "", .count = 2 };
	const char *at = (const char *)reader->sequence.data + 3;
	char *end;

	reply.number[0] = strtol(at, &end, 10);
	if (end == at || *end != ';')
		return false;
	at = end + 1;
	reply.number[1] = strtol(at, &end, 10);
	if (end == at || *end != '$')
		return false;
	reader->receive(reader->context, &reply);
	return true;
}

static bool
give(struct reply_reader *reader, enum reply_kind kind)
{
	bool string = shapes[kind].introducer != '[';
	TermKeyKey key;

	if (kind == REPLY_MODE)
		return give_mode(reader);
	return parse(reader, string, &key) && (string ?
	    give_string(reader, kind, &key) : give_control(reader, kind, &key));
}

/* ---- metadata ------------------------------------------------------------ */

bool
reply_piece_is(struct reply_piece piece, const char *word)
{
	return piece.size == strlen(word) && memcmp(piece.text, word, piece.size) == 0;
}

struct reply_piece
reply_value(struct reply_piece metadata, const char *key)
{
	const char *at = metadata.text, *end = at + metadata.size, *colon, *from;
	size_t length = strlen(key);

	for (; at < end; at = colon + 1) {
		colon = memchr(at, ':', (size_t)(end - at));
		if (colon == NULL)
			colon = end;
		from = at + length + 1;
		if (from <= colon && memcmp(at, key, length) == 0 && from[-1] == '=')
			return (struct reply_piece){ from, (size_t)(colon - from) };
	}
	return (struct reply_piece){ NULL, 0 };
}

/* ---- the guard ---------------------------------------------------------- */

/*
 * Few numbers, none of them long, and nothing else: libtermkey would join the
 * digits around anything but a semicolon.
 */
static bool
is_modest(const unsigned char *bytes, size_t n)
{
	size_t i, digits = 0, separators = 0;

	for (i = 0; i < n; i++) {
		if (!text_is_digit((char)bytes[i]) && bytes[i] != ';')
			return false;
		digits = bytes[i] == ';' ? 0 : digits + 1;
		separators += bytes[i] == ';';
		if (digits > DIGITS_MAX || separators >= REPLY_NUMBERS)
			return false;
	}
	return true;
}

/*
 * Every control sequence of the table has a marker. Behind it there may be
 * parameters only: another marker or intermediate is none. One that is too short
 * for these bytes differs in one of them.
 */
static bool
has_shape(const struct shape *shape, const struct buf *sequence)
{
	const unsigned char *bytes = sequence->data;
	size_t n = sequence->len, prefix = strlen(shape->prefix);
	size_t last = shape->intermediate != 0 ? 2 : 1;

	if (bytes[1] != (unsigned char)shape->introducer)
		return false;
	if (shape->introducer != '[')
		return n >= 2 + prefix &&
		    memcmp(bytes + 2, shape->prefix, prefix) == 0;
	return bytes[n - 1] == (unsigned char)shape->final &&
	    bytes[2] == (unsigned char)shape->marker &&
	    (shape->intermediate == 0 ||
	        bytes[n - 2] == (unsigned char)shape->intermediate) &&
	    is_modest(bytes + 3, n - 3 - last);
}

/* What was begun is no reply; `more` bytes of it were not collected. */
static bool
drop_sequence(struct reply_reader *reader, size_t more)
{
	reader->ignored += reader->sequence.len + more;
	reader->sequence.len = 0;
	reader->state = OUTSIDE;
	return true;
}

/*
 * A whole sequence has come: on with it if it is one we know. `end` bytes of it
 * were not collected.
 */
static void
complete(struct reply_reader *reader, size_t end)
{
	size_t kind;

	reader->state = OUTSIDE;
	for (kind = 0; kind < REPLY_KINDS; kind++)
		if (has_shape(&shapes[kind], &reader->sequence) &&
		    give(reader, (enum reply_kind)kind)) {
			reader->sequence.len = 0;
			return;
		}
	drop_sequence(reader, end);
}

static bool
collect(struct reply_reader *reader, const unsigned char *bytes, size_t n)
{
	static const struct reply oversized = { .kind = REPLY_OVERSIZED,
	    .text = "" };
	struct buf *sequence = &reader->sequence;

	/* the last byte is for the NUL */
	if (n < sequence->max - sequence->len)
		return buf_add(sequence, bytes, n);
	sequence->len = 0;
	reader->state = SWALLOW;
	reader->receive(reader->context, &oversized);
	return true;
}

void
reply_drop(struct reply_reader *reader)
{
	reader->aside_len = 0;
	drop_sequence(reader, 0);
}

static bool
start_sequence(struct reply_reader *reader)
{
	drop_sequence(reader, 0);
	reader->state = ESCAPE;
	return collect(reader, (const unsigned char[]){ ESC }, 1);
}

static bool
introduce(struct reply_reader *reader, unsigned char c)
{
	if (c != '[' && c != ']' && c != 'P')
		return drop_sequence(reader, 1);
	reader->state = c == '[' ? CONTROL : STRING;
	return collect(reader, &c, 1);
}

static bool
control(struct reply_reader *reader, unsigned char c)
{
	/* what is above 0x7e ends it too: it is none of ours then */
	if (c < 0x20 || reader->sequence.len >= CSI_MAX)
		return drop_sequence(reader, 1);
	if (!collect(reader, &c, 1))
		return false;
	if (c >= 0x40)
		complete(reader, 0);
	return true;
}

static bool
string(struct reply_reader *reader, unsigned char c)
{
	if (c == ESC) {
		reader->state = STRING_ESCAPE;
		return true;
	}
	if (c == BEL && reader->sequence.data[1] == ']') {
		complete(reader, 1);
		return true;
	}
	/* a NUL would end libtermkey's copy; none of our replies holds one */
	if (c == 0 || c == CAN || c == SUB)
		return drop_sequence(reader, 1);
	return collect(reader, &c, 1);
}

/*
 * xterm and foot begin the answer for the clipboard, "52;c;", before they have
 * its text from the program that owns it. The answer to the next question comes
 * in between, where it is no end: the text follows.
 */
static bool
begins_early(const struct reply_reader *reader)
{
	static const char prefix[] = "\x1b]52;";
	const struct buf *sequence = &reader->sequence;
	enum { LONGEST = sizeof(prefix) - 1 + sizeof("cpqs01234567;") - 1 };

	return reader->aside_len == 0 && sequence->len >= sizeof(prefix) &&
	    sequence->len <= LONGEST &&
	    memcmp(sequence->data, prefix, sizeof(prefix) - 1) == 0 &&
	    sequence->data[sequence->len - 1] == ';';
}

static bool
put_aside(struct reply_reader *reader, unsigned char c)
{
	if (c < 0x20 || c > 0x7e || reader->aside_len == CSI_MAX) {
		reader->ignored += reader->aside_len;
		reader->aside_len = 0;
		return c == ESC ? start_sequence(reader) : drop_sequence(reader, 1);
	}
	reader->aside[reader->aside_len++] = c;
	if (c >= 0x40)
		reader->state = STRING;
	return true;
}

/*
 * rxvt-unicode ends the reply for a color of the palette with the ESC of ST alone
 * (measured: 9.30). The ESC of another sequence follows.
 */
static bool
ends_with_escape(const struct reply_reader *reader)
{
	return has_shape(&shapes[REPLY_PALETTE], &reader->sequence);
}

static bool
string_escape(struct reply_reader *reader, unsigned char c)
{
	if (c == '\\') {
		complete(reader, 2);
		return true;
	}
	if (c == '[' && begins_early(reader)) {
		reader->aside[reader->aside_len++] = ESC;
		reader->aside[reader->aside_len++] = c;
		reader->state = ASIDE;
		return true;
	}
	if (c == ESC && reader->state == STRING_ESCAPE && ends_with_escape(reader)) {
		complete(reader, 1);
		return start_sequence(reader);
	}
	/* the string was cut off by another sequence */
	return start_sequence(reader) && (c == ESC ? start_sequence(reader) : introduce(reader, c));
}

static bool
step(struct reply_reader *reader, unsigned char c)
{
	switch (reader->state) {
	case OUTSIDE:
		if (c == ESC)
			return start_sequence(reader);
		reader->ignored++;
		return true;
	case ESCAPE:
		return c == ESC ? start_sequence(reader) : introduce(reader, c);
	case CONTROL:
		return c == ESC ? start_sequence(reader) : control(reader, c);
	case STRING:
		return string(reader, c);
	case STRING_ESCAPE:
		return string_escape(reader, c);
	case ASIDE:
		return put_aside(reader, c);
	case SWALLOW:
		reader->state = c == ESC ? SWALLOW_ESCAPE :
		    c == BEL || c == CAN || c == SUB ? OUTSIDE : SWALLOW;
		return true;
	case SWALLOW_ESCAPE:
		reader->state = OUTSIDE;
		return c == '\\' || string_escape(reader, c);
	}
	abort();
}

/* What was put aside is a whole sequence. */
static bool
take_aside_back(struct reply_reader *reader)
{
	size_t i, n = reader->aside_len;

	reader->aside_len = 0;
	for (i = 0; i < n; i++)
		if (!step(reader, reader->aside[i]))
			return false;
	return true;
}

/*
 * Whether one of eight bytes is below 0x20: less 0x20 each it borrows into its
 * top bit, which it did not have. A borrow makes no more than bytes behind one
 * that is below look so as well.
 */
static bool
holds_control(const unsigned char *at)
{
	const uint64_t each = 0x0101010101010101;
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return ((word - each * 0x20) & ~word & each * 0x80) != 0;
}

/*
 * How many of the bytes are of a string's text for certain, base64 and most
 * else: a large clipboard is collected or swallowed in pieces. The few others
 * take a step each.
 */
static size_t
run_of_text(const unsigned char *at, const unsigned char *end)
{
	const unsigned char *from = at;

	while (end - at >= 8 && !holds_control(at))
		at += 8;
	while (at < end && *at >= 0x20)
		at++;
	return (size_t)(at - from);
}

bool
reply_feed(struct reply_reader *reader, const void *bytes, size_t n)
{
	const unsigned char *at = bytes, *end = at + n;
	size_t run;

	while (at < end) {
		run = reader->state == STRING || reader->state == SWALLOW ?
		    run_of_text(at, end) : 0;
		if (run > 0 && reader->state == STRING &&
		    !collect(reader, at, run))
			return false;
		at += run;
		if (run == 0 && !step(reader, *at++))
			return false;
		if (reader->state == OUTSIDE && !take_aside_back(reader))
			return false;
	}
	return true;
}
