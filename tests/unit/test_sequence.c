/* SPDX-License-Identifier: MIT */
/*
 * sequence_next(): where each kind of sequence ends, what has no end, and
 * that a walk along any bytes comes to their end.
 */
#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define TEXT(text) text, sizeof(text) - 1

static const char *const kinds[] = {
	[SEQUENCE_TEXT] = "text", [SEQUENCE_ESCAPE] = "escape",
	[SEQUENCE_CSI] = "csi", [SEQUENCE_OSC] = "osc",
	[SEQUENCE_STRING] = "string", [SEQUENCE_IGNORED] = "ignored",
	[SEQUENCE_BROKEN] = "broken",
};

struct row {
	const char *what, *bytes;
	size_t n;
	const char *kind;
	size_t length;
};

static void
expect_rows(const struct row *row, size_t count)
{
	enum sequence_kind kind;
	size_t n;

	for (; count-- > 0; row++) {
		kind = SEQUENCE_BROKEN;
		n = sequence_next((const unsigned char *)row->bytes, row->n,
		    &kind);
		cr_expect_str_eq(kinds[kind], row->kind, "%s: %s",
		    row->what, kinds[kind]);
		cr_expect_eq(n, row->length, "%s: %zu bytes", row->what, n);
	}
}

Test(sequence, each_kind_and_each_end)
{
	static const struct row rows[] = {
		{ "text", TEXT("plain"), "text", 5 },
		{ "text before a sequence", TEXT("ab\x1b[m"), "text", 2 },
		{ "eight-bit controls", TEXT("\x9d" "0;t\x9c"), "text", 5 },
		{ "save cursor", TEXT("\x1b" "7x"), "escape", 2 },
		{ "character set", TEXT("\x1b(Bx"), "escape", 3 },
		{ "two intermediates", TEXT("\x1b $~x"), "escape", 4 },
		{ "no parameters", TEXT("\x1b[mx"), "csi", 3 },
		{ "parameters", TEXT("\x1b[0;38:5:1mx"), "csi", 11 },
		{ "private", TEXT("\x1b[?2004hx"), "csi", 8 },
		{ "intermediate", TEXT("\x1b[0 qx"), "csi", 5 },
		{ "lowest final", TEXT("\x1b[@x"), "csi", 3 },
		{ "highest final", TEXT("\x1b[~x"), "csi", 3 },
		{ "OSC, ST", TEXT("\x1b]0;t\x1b\\x"), "osc", 7 },
		{ "empty OSC, BEL", TEXT("\x1b]\a"), "osc", 3 },
		{ "empty OSC, ST", TEXT("\x1b]\x1b\\"), "osc", 4 },
		{ "OSC with backslashes", TEXT("\x1b]0;\\a\\\a"), "osc", 8 },
		{ "DCS is not ended by BEL", TEXT("\x1bPq\a0\x1b\\x"),
		    "string", 7 },
		{ "SOS", TEXT("\x1bXa\x1b\\x"), "string", 5 },
		{ "Screen's title", TEXT("\x1bkname\x1b\\x"), "string", 8 },
		{ "empty DCS", TEXT("\x1bP\x1b\\x"), "string", 4 },
	};

	expect_rows(rows, LEN(rows));
}

Test(sequence, escapes_inside_strings)
{
	static const struct row rows[] = {
		{ "Screen's passthrough of an OSC",
		    TEXT("\x1bP\x1b]0;t\a\x1b\\x"), "string", 10 },
		{ "Screen: ESC ESC backslash ends it too",
		    TEXT("\x1bP\x1b" "a\x1b\x1b\\b\x1b\\"), "string", 7 },
		{ "tmux: a pair does not end it",
		    TEXT("\x1bPtmux;a\x1b\x1b\\b\x1b\\x"), "string", 14 },
		{ "tmux: a whole OSC with ST inside",
		    TEXT("\x1bPtmux;\x1b\x1b]0;t\x1b\x1b\\\x1b\\x"),
		    "string", 18 },
		{ "tmux: an ESC before something else",
		    TEXT("\x1bPtmux;\x1b]0\x1b\\x"), "string", 12 },
		{ "tmux: a pair and no end", TEXT("\x1bPtmux;\x1b\x1b\\"),
		    "broken", 10 },
		{ "not quite tmux: an ESC cuts it off", TEXT("\x1bPtmuxa\x1b\x1b\\x"),
		    "broken", 7 },
		{ "tmux in capitals: the same", TEXT("\x1bPTMUX;\x1b\x1b\\x"),
		    "broken", 7 },
		{ "an APC: the same", TEXT("\x1b_tmux;\x1b\x1b\\x"), "broken", 7 },
	};

	expect_rows(rows, LEN(rows));
}

Test(sequence, broken_ones)
{
	static const struct row rows[] = {
		{ "ESC alone", TEXT("\x1b"), "broken", 1 },
		{ "ESC ESC", TEXT("\x1b\x1b[m"), "broken", 1 },
		{ "ESC and an eight-bit byte", TEXT("\x1b\x9d"), "broken", 2 },
		{ "an intermediate and no final", TEXT("\x1b("), "broken", 2 },
		{ "CSI cut by CAN", TEXT("\x1b[0\x18m"), "broken", 3 },
		{ "CSI cut by SUB", TEXT("\x1b[ 0\x1am"), "broken", 4 },
		{ "CSI cut by a sequence", TEXT("\x1b[0\x1b[m"), "broken", 3 },
		{ "OSC with half an end", TEXT("\x1b]0;t\x1b"), "broken", 5 },
		{ "OSC cut by a sequence", TEXT("\x1b]0;t\x1b[m\a"), "broken", 5 },
		{ "DCS with half an end", TEXT("\x1bPq0\x1b"), "broken", 4 },
		{ "Screen's title ended by BEL", TEXT("\x1bkname\a"), "broken", 7 },
	};

	expect_rows(rows, LEN(rows));
}

/* The states csi_ignore and those that execute a control and stay. */
Test(sequence, what_cannot_stand_there_ends_nothing)
{
	static const struct row rows[] = {
		{ "a parameter behind an intermediate", TEXT("\x1b[ 0qx"),
		    "ignored", 5 },
		{ "and an intermediate behind that", TEXT("\x1b[ 0 ;!qx"),
		    "ignored", 8 },
		{ "a private mark behind a parameter", TEXT("\x1b[1?hx"),
		    "ignored", 5 },
		{ "DEL in a CSI", TEXT("\x1b[0\x7fmx"), "ignored", 5 },
		{ "UTF-8 in a CSI", TEXT("\x1b[0\xc3\xa4mx"), "ignored", 6 },
		{ "a control before the bracket", TEXT("\x1b\n[0mx"),
		    "ignored", 5 },
		{ "a control before the other bracket", TEXT("\x1b\a]0;t\ax"),
		    "ignored", 7 },
	};

	expect_rows(rows, LEN(rows));
}
