/* SPDX-License-Identifier: MIT */
/*
 * Filters the input of libtermkey. The only file that includes <termkey.h>.
 *
 * Bugs of libtermkey 0.22 that this works around: an unexpected final byte after a marker or
 * intermediate indexes its tables out of bounds; 17 parameters overrun an array; 19 digits
 * overflow; strings ended by BEL never end; and 0x9c, a byte of many UTF-8 characters, ends
 * them. So it gets only complete sequences, with ST, few short numbers, and 0x9c replaced.
 * Of a string it gets only the head, which identifies it, because it would make two more
 * copies of a clipboard.
 */
#include "tty/tty.h"

#include "base/base.h"
#include "encoder/encoder.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <termkey.h>

enum { C1_ST = 0x9c, STAND_IN = 0x1c };

/* Real replies stay below these; libtermkey breaks above 16 and 18. */
enum { CSI_MAX = 64, DIGITS_MAX = 9 };

/* The head of a string: longer than any prefix. */
enum { HEAD_MAX = CSI_MAX };

/* After this many bytes of a string the parser only searches for its end. */
enum { MAX_HEAD = 8 };

static const struct shape {
	char introducer, marker, intermediate, final;
	const char *prefix;
} shapes[REPLY_KINDS] = {
#define REPLY(KIND, introducer, marker, intermediate, final, prefix) \
	{ introducer, marker, intermediate, final, prefix },
#include "tty/reply.def"
#undef REPLY
};

struct reply_reader {
	struct parser parser;
	struct buf sequence; /* from its ESC; a string without its end */
	bool drops;          /* drop the rest of the current sequence */
	/* a control sequence inside an OSC: see begins_early() */
	bool is_aside; /* it is incomplete */
	unsigned char aside[CSI_MAX];
	size_t aside_len;
	size_t typed;        /* keys */
	bool typed_open;     /* the last one did not end its line */
	reply_receiver *receive;
	void *context;
	TermKey *termkey;
};

struct reply_reader *
reply_new(size_t max, reply_receiver *receive, void *context)
{
	struct reply_reader *reader = memory(NULL, sizeof(*reader));

	*reader = (struct reply_reader){ .receive = receive, .context = context };
	/* a NULL name aborts; this one loads no keys and needs no database */
	reader->termkey = termkey_new_abstract("dumb",
	    TERMKEY_FLAG_UTF8 | TERMKEY_FLAG_NOTERMIOS);
	if (reader->termkey == NULL)
		die(STATUS_FAILED, NULL, "libtermkey cannot be used: %s", strerror(errno));
	/* around the text: introducer, NUL */
	buf_init(&reader->sequence, MAX(max, (size_t)CSI_MAX) + 3);
	return reader;
}

void
reply_free(struct reply_reader *reader)
{
	termkey_destroy(reader->termkey);
	buf_free(&reader->sequence);
	free(reader);
}

size_t
reply_typed(const struct reply_reader *reader)
{
	return reader->typed;
}

bool
reply_typed_open(const struct reply_reader *reader)
{
	return reader->typed_open;
}

bool
reply_unfinished(const struct reply_reader *reader)
{
	return reader->parser.state != PARSER_TEXT;
}

size_t
reply_pending(const struct reply_reader *reader)
{
	return reader->drops ? 0 : reader->sequence.len + reader->aside_len;
}

/* ---- taking apart ------------------------------------------------------- */

/*
 * Passes on the sequence, if libtermkey recognizes it as this kind. The text of a string is
 * ours: libtermkey has seen only its head.
 */
static bool
give(struct reply_reader *reader, enum reply_kind kind)
{
	struct reply reply = { .kind = kind, .text = "" };
	struct buf *sequence = &reader->sequence;
	const size_t prefix = strlen(shapes[kind].prefix);
	const bool is_string = shapes[kind].introducer != '[';
	size_t i, n = MIN(sequence->len, (size_t)HEAD_MAX), count = REPLY_NUMBERS;
	/* libtermkey may write one value more than it counts */
	long number[REPLY_NUMBERS + 1];
	unsigned long command;
	char head[HEAD_MAX + 2];
	const char *text;
	TermKeyKey key;

	for (i = 0; i < n; i++)
		head[i] = (char)(sequence->data[i] == C1_ST ? STAND_IN : sequence->data[i]);
	if (is_string) {
		head[n++] = ESC;
		head[n++] = '\\';
	} else if (kind == REPLY_MODE) {
		/* parsed as DA1, because libtermkey truncates the number of a mode to 16 bits */
		n--;
		head[n - 1] = shapes[REPLY_DA1].final;
	}
	if (termkey_push_bytes(reader->termkey, head, n) != n ||
	    termkey_getkey(reader->termkey, &key) != TERMKEY_RES_KEY)
		return false;
	if (is_string) {
		if ((key.type != TERMKEY_TYPE_OSC && key.type != TERMKEY_TYPE_DCS) ||
		    termkey_interpret_string(reader->termkey, &key, &text) != TERMKEY_RES_KEY ||
		    !buf_add(sequence, "", 1))
			return false;
		/* the introducer has two bytes, the NUL is not counted */
		reply.text = (const char *)sequence->data + 2 + prefix;
		reply.size = sequence->len - 3 - prefix;
	} else {
		if (key.type != TERMKEY_TYPE_UNKNOWN_CSI || termkey_interpret_csi(
		    reader->termkey, &key, number, &count, &command) != TERMKEY_RES_KEY)
			return false;
		reply.count = MIN(count, (size_t)REPLY_NUMBERS);
		memcpy(reply.number, number, reply.count * sizeof(number[0]));
		if (kind == REPLY_MODE && (count != 2 || number[0] < 0 || number[1] < 0))
			return false;
	}
	reader->receive(reader->context, &reply);
	return true;
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

/* ---- replies by OSC 5522 -------------------------------------------------- */

/* Decodes a type; one that is not text or too long was not requested. */
static bool
take_type(char type[TYPED_TYPE_MAX + 1], struct reply_piece mime)
{
	struct buf text;
	bool fine;

	type[0] = '\0';
	if (mime.text == NULL)
		return true;
	buf_init(&text, TYPED_TYPE_MAX);
	fine = base64_decode(&text, mime.text, mime.size) &&
	    (text.len == 0 || memchr(text.data, '\0', text.len) == NULL);
	if (fine && text.len > 0) {
		memcpy(type, text.data, text.len);
		type[text.len] = '\0';
	}
	buf_free(&text);
	return fine;
}

bool
typed_reply_parse(struct typed_reply *reply, const char *text, size_t n, const char *id)
{
	const char *payload = memchr(text, ';', n);
	struct reply_piece metadata = { text, payload != NULL ? (size_t)(payload - text) : n };
	struct reply_piece type = reply_value(metadata, "type");
	struct reply_piece its_id = reply_value(metadata, "id");
	struct reply_piece status = reply_value(metadata, "status");

	/*
	 * A reply without an ID counts as ours, because Contour 0.7 sends none; but not one
	 * with a password, by which a terminal reports a paste unrequested.
	 */
	if (its_id.text != NULL ? !reply_piece_is(its_id, id) :
	    reply_value(metadata, "pw").text != NULL)
		return false;
	reply->write = reply_piece_is(type, "write");
	if ((!reply->write && !reply_piece_is(type, "read")) || status.size == 0)
		return false;
	text_format(reply->status, sizeof(reply->status), "%.*s", (int)(status.size < 15 ?
	    status.size : 15), status.text);
	reply->data = payload != NULL ? payload + 1 : text + n;
	reply->size = payload != NULL ? n - metadata.size - 1 : 0;
	return take_type(reply->type, reply_value(metadata, "mime"));
}

/* ---- the guard ---------------------------------------------------------- */

/*
 * Every control sequence in the table has a marker and only a few short numbers. No other
 * byte is allowed: not another marker or intermediate, nor a colon, around which libtermkey
 * would join the digits. A shorter sequence differs in one of these bytes.
 */
static bool
has_shape(const struct shape *shape, const struct buf *sequence)
{
	const unsigned char *bytes = sequence->data, *end = bytes + sequence->len - 1, *at;
	size_t prefix = strlen(shape->prefix), digits = 0, separators = 0;

	if (bytes[1] != (unsigned char)shape->introducer)
		return false;
	if (shape->introducer != '[')
		return sequence->len >= 2 + prefix &&
		    memcmp(bytes + 2, shape->prefix, prefix) == 0;
	if (*end != (unsigned char)shape->final || bytes[2] != (unsigned char)shape->marker ||
	    (shape->intermediate != 0 && *--end != (unsigned char)shape->intermediate))
		return false;
	for (at = bytes + 3; at < end; at++) {
		if (!text_is_digit((char)*at) && *at != ';')
			return false;
		digits = *at == ';' ? 0 : digits + 1;
		separators += *at == ';';
		if (digits > DIGITS_MAX || separators >= REPLY_NUMBERS)
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
 * Whether it is a function key or pasted text, such as "CSI A" and "CSI 200 ~". Reports
 * have a marker or another final byte: xterm, ctlseqs, "PC-Style Function Keys".
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
	bool given = false;
	size_t kind;

	for (kind = 0; kind < REPLY_KINDS && !reader->drops && !given; kind++)
		given = has_shape(&shapes[kind], &reader->sequence) &&
		    give(reader, (enum reply_kind)kind);
	if (!given && is_function_key(&reader->sequence))
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
	if (reader->drops || (!is_string && sequence->len >= CSI_MAX)) {
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
 * xterm and foot begin the reply for the clipboard, "52;c;", before they get the text from
 * the program that owns it. The reply to the next query may arrive in between; it does not
 * end this one.
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

static void
step(struct reply_reader *reader, unsigned char c)
{
	struct parser before = reader->parser;
	size_t i, n;

	if (reader->is_aside && c >= 0x20 && c <= 0x7e && reader->aside_len < CSI_MAX) {
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
		if (c != 0x18 && c != 0x1a)
			note_key(reader, c == '\r' || c == '\n');
		return;
	case PARSED_MORE:
		/* no reply contains a NUL */
		reader->drops = reader->drops || c == 0;
		/* nor is it wrapped: in ESC P ESC P the second cuts the first off */
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
		 * rxvt-unicode ends the reply for a color of the palette with only the ESC of
		 * ST (observed with 9.30), followed by the ESC of another sequence.
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

/*
 * The number of leading bytes that are certainly text of a string, such as base64, so that a
 * large clipboard is handled in pieces. Other bytes are handled one at a time.
 */
static size_t
run_of_text(const unsigned char *from, const unsigned char *end)
{
	const uint64_t each = 0x0101010101010101;
	const unsigned char *at = from;
	uint64_t word;

	/*
	 * Subtracting 0x20 from a byte below that sets its top bit by a borrow. The borrow
	 * may also affect bytes after it, but no others.
	 */
	for (; end - at >= 8; at += 8) {
		memcpy(&word, at, sizeof(word));
		if (((word - each * 0x20) & ~word & each * 0x80) != 0)
			break;
	}
	while (at < end && *at >= 0x20)
		at++;
	return (size_t)(at - from);
}

void
reply_feed(struct reply_reader *reader, const void *bytes, size_t n)
{
	const unsigned char *at = bytes, *end = at + n;
	size_t run;

	while (at < end) {
		run = reader->parser.state == PARSER_STRING && !reader->is_aside &&
		    reader->sequence.len > MAX_HEAD ? run_of_text(at, end) : 0;
		if (run > 0)
			collect(reader, at, run);
		else
			step(reader, *at);
		at += run > 0 ? run : 1;
	}
}
