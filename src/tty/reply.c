/* SPDX-License-Identifier: MIT */
/*
 * Finds replies in the input. libtermkey decides what a control sequence is; this is the only
 * file that includes <termkey.h>.
 *
 * libtermkey 0.22 has bugs with control sequences:
 *
 *   unexpected final byte after a marker or intermediate    it reads outside its tables
 *   17 parameters                                           it writes behind an array
 *   19 digits                                               the number overflows
 *
 * So it gets only complete sequences with few short numbers. Strings are taken apart here. For
 * libtermkey, BEL does not end one, but 0x9c does, a byte of many UTF-8 characters. It would also
 * make two more copies of a clipboard.
 */
#include "tty/tty.h"

#include "base/base.h"
#include "encoder/encoder.h"

#include <errno.h>
#include <string.h>
#include <sys/param.h>
#include <termkey.h>

/* Real ones have fewer digits and numbers; libtermkey breaks above 18 and 16. */
enum { DIGITS_MAX = 9, NUMBERS_MAX = 16 };

static const struct shape {
	char prefix[8], suffix[2];
} shapes[REPLY_KINDS] = {
#define REPLY(KIND, prefix, suffix) { prefix, suffix },
#include "tty/reply.def"
#undef REPLY
};

void
reply_begin(struct reply_reader *reader, size_t max, reply_receiver *receive, void *context)
{
	*reader = (struct reply_reader){ .receive = receive, .context = context };
	/* an unknown terminal, for which it knows no keys; the name NULL aborts */
	reader->termkey = termkey_new_abstract("/",
	    TERMKEY_FLAG_UTF8 | TERMKEY_FLAG_NOTERMIOS);
	if (reader->termkey == NULL)
		die(STATUS_FAILED, "libtermkey cannot be used: %s", strerror(errno));
	/* around the text: introducer, NUL */
	reader->sequence.max = MAX(max, (size_t)REPLY_CSI_MAX) + 3;
}

void
reply_end(struct reply_reader *reader)
{
	termkey_destroy(reader->termkey);
	buf_free(&reader->sequence);
}

bool
reply_unfinished(const struct reply_reader *reader)
{
	return reader->parser.state != PARSER_TEXT;
}

/* ---- taking apart ------------------------------------------------------- */

/* Whether libtermkey takes it for a control sequence. */
static bool
is_control(const struct reply_reader *reader)
{
	const char *bytes = (const char *)reader->sequence.data;
	const size_t n = reader->sequence.len;
	TermKeyKey key;

	return termkey_push_bytes(reader->termkey, bytes, n) == n &&
	    termkey_getkey(reader->termkey, &key) == TERMKEY_RES_KEY &&
	    key.type == TERMKEY_TYPE_UNKNOWN_CSI;
}

/* Passes the sequence to the receiver as a reply of this kind, whose shape it has. */
static bool
give(struct reply_reader *reader, enum reply_kind kind)
{
	const size_t prefix = strlen(shapes[kind].prefix), suffix = strlen(shapes[kind].suffix);
	struct reply reply = { .kind = kind };

	if (suffix > 0 && !is_control(reader))
		return false;
	/* between the ESC with the prefix and the NUL, for which there is room */
	reader->sequence.len -= suffix;
	buf_add(&reader->sequence, "", 1);
	reply.text = (const char *)reader->sequence.data + 1 + prefix;
	reply.size = reader->sequence.len - 2 - prefix;
	reader->receive(reader->context, &reply);
	return true;
}

/* ---- the guard ---------------------------------------------------------- */

/*
 * Every control sequence in the table has a marker and a few short numbers. Any other byte makes it
 * another sequence. A colon does so, too: libtermkey would join the digits around it.
 */
static bool
has_shape(const struct shape *shape, const struct buf *sequence)
{
	const unsigned char *at = sequence->data + 1, *end = sequence->data + sequence->len;
	size_t prefix = strlen(shape->prefix), suffix = strlen(shape->suffix);
	size_t digits = 0, separators = 0;

	if (sequence->len < 1 + prefix + suffix || memcmp(at, shape->prefix, prefix) != 0 ||
	    memcmp(end - suffix, shape->suffix, suffix) != 0)
		return false;
	for (at += prefix; suffix > 0 && at < end - suffix; at++) {
		if (!isdigit(*at) && *at != ';')
			return false;
		digits = *at == ';' ? 0 : digits + 1;
		separators += *at == ';';
		if (digits > DIGITS_MAX || separators >= NUMBERS_MAX)
			return false;
	}
	return true;
}

static void
note_key(struct reply_reader *reader, bool ends_line)
{
	reader->typed++;
	reader->typed_open = !ends_line;
}

/*
 * Whether the sequence is a function key, such as "CSI A", or the mark of a paste, "CSI 200 ~". A
 * report has a marker or another final byte (xterm, ctlseqs, "PC-Style Function Keys").
 */
static bool
is_function_key(const struct buf *sequence)
{
	static const char finals[] = "ABCDEFGHPQSZu~";
	const unsigned char *bytes = sequence->data;
	size_t n = 2;

	while (n < sequence->len && strchr("0123456789:;", bytes[n]) != NULL)
		n++;
	return bytes[1] == '[' && n == sequence->len - 1 &&
	    strchr(finals, bytes[n]) != NULL;
}

/* The current sequence is not a reply. */
static void
drop_sequence(struct reply_reader *reader)
{
	reader->sequence.len = 0;
	reader->drops = false;
}

void
reply_drop(struct reply_reader *reader)
{
	reader->aside_len = 0;
	reader->is_aside = false;
	reader->parser = (struct parser){ .state = PARSER_TEXT };
	drop_sequence(reader);
}

/* The sequence is complete: passes it on if it has a known shape. */
static void
complete(struct reply_reader *reader)
{
	bool passed = false;
	size_t kind;

	for (kind = 0; kind < REPLY_KINDS && !reader->drops && !passed; kind++)
		passed = has_shape(&shapes[kind], &reader->sequence) &&
		    give(reader, (enum reply_kind)kind);
	if (!passed && is_function_key(&reader->sequence))
		note_key(reader, false);
	drop_sequence(reader);
}

static void
collect(struct reply_reader *reader, const unsigned char *bytes, size_t n)
{
	static const struct reply oversized = { .kind = REPLY_OVERSIZED, .text = "" };
	struct buf *sequence = &reader->sequence;
	bool is_string = sequence->len > 1 && sequence->data[1] != '[';

	/* keep room for the NUL */
	if (reader->drops || (!is_string && sequence->len >= REPLY_CSI_MAX)) {
		reader->drops = true;
	} else if (n < sequence->max - sequence->len) {
		buf_add(sequence, bytes, n);
	} else {
		sequence->len = 2;
		reader->drops = true;
		reader->receive(reader->context, &oversized);
	}
}

/*
 * xterm and foot begin the reply for the clipboard, "52;c;", before they get the text from the
 * program that owns it. The reply to the next query may arrive in between, and does not end it.
 */
static bool
begins_early(const struct reply_reader *reader)
{
	static const char prefix[] = CLIPBOARD_START;
	const struct buf *sequence = &reader->sequence;
	enum { LONGEST = sizeof(prefix) - 1 + sizeof(CLIPBOARD_SELECTIONS ";") - 1 };

	return reader->aside_len == 0 && sequence->len >= sizeof(prefix) &&
	    sequence->len <= LONGEST &&
	    memcmp(sequence->data, prefix, sizeof(prefix) - 1) == 0 &&
	    sequence->data[sequence->len - 1] == ';';
}

static void
step(struct reply_reader *reader, unsigned char c)
{
	struct parser before = reader->parser;
	size_t i, n;

	if (reader->is_aside && c >= 0x20 && c <= 0x7e && reader->aside_len < REPLY_CSI_MAX) {
		reader->aside[reader->aside_len++] = c;
		reader->is_aside = c < 0x40;
		return;
	}
	/* it is unknown where the text of the outer string continues */
	if (reader->is_aside)
		reply_drop(reader);
	switch (parse_byte(&reader->parser, c)) {
	case PARSED_TEXT:
		/* CAN and SUB have cut off a sequence */
		if (c != CAN && c != SUB)
			note_key(reader, c == '\r' || c == '\n');
		return;
	case PARSED_MORE:
		/* no reply contains a NUL */
		reader->drops = reader->drops || c == 0;
		/* and it is not wrapped: in ESC P ESC P the second cuts the first off */
		reader->parser.nested = false;
		if (reader->parser.state != PARSER_STRING_ESCAPE)
			collect(reader, &c, 1);
		return;
	case PARSED_END:
		if (reader->parser.kind == SEQUENCE_ESCAPE)
			note_key(reader, false);
		if (reader->parser.kind == SEQUENCE_CSI)
			collect(reader, &c, 1);
		complete(reader);
		break;
	case PARSED_CUT:
		drop_sequence(reader);
		step(reader, c);
		break;
	case PARSED_CUT_BY_ESCAPE:
		if (c == '[' && begins_early(reader)) {
			reader->parser = before;
			reader->parser.state = PARSER_STRING;
			reader->is_aside = true;
			reader->aside[0] = ESC;
			reader->aside[1] = c;
			reader->aside_len = 2;
			return;
		}
		/*
		 * rxvt-unicode ends the reply for a color of the palette with half an ST, its ESC
		 * (observed with 9.30). The ESC of the next sequence follows.
		 */
		if (c == ESC && has_shape(&shapes[REPLY_PALETTE], &reader->sequence))
			complete(reader);
		drop_sequence(reader);
		collect(reader, (const unsigned char[]){ ESC }, 1);
		step(reader, c);
		break;
	}
	/* the nested control sequence is handled after the string */
	if (reader->parser.state == PARSER_TEXT) {
		n = reader->aside_len;
		reader->aside_len = 0;
		for (i = 0; i < n; i++)
			step(reader, reader->aside[i]);
	}
}

void
reply_feed(struct reply_reader *reader, const void *bytes, size_t n)
{
	const unsigned char *at = bytes, *end = at + n;
	size_t run;

	for (; at < end; at += run) {
		run = reader->is_aside ? 0 : parse_run(&reader->parser, at, (size_t)(end - at));
		if (run > 0) {
			collect(reader, at, run);
		} else {
			step(reader, *at);
			run = 1;
		}
	}
}
