/* SPDX-License-Identifier: MIT */
/*
 * tty/reply: every shape of the table comes out whole; all else is swallowed, what would
 * break libtermkey too. However the bytes are cut is for fuzz/fuzz_reply.c.
 */
#include "tty/tty.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define TEXT(text) text, sizeof(text) - 1

#define DA1 "\x1b[?62;4;22c"
#define DA1_SEEN "DA1\"62;4;22\""

/* The text of the longest reply in these tests, but for the large ones. */
enum { MAX = 200 };

/* What the receiver got, written down: DA1"1;" VERSION"foot(1)" ... */
struct seen {
	char text[4096];
	size_t used;
};

static const char *const kinds[] = {
#define REPLY(KIND, ...) [REPLY_##KIND] = #KIND,
#include "tty/reply.def"
#undef REPLY
	[REPLY_OVERSIZED] = "OVERSIZED"
};

static void
note_text(struct seen *seen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
note_text(struct seen *seen, const char *format, ...)
{
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(seen->text + seen->used, sizeof(seen->text) - seen->used,
	    format, arguments);
	va_end(arguments);
	cr_assert(n >= 0 && (size_t)n < sizeof(seen->text) - seen->used);
	seen->used += (size_t)n;
}

static void
write_down(void *context, const struct reply *reply)
{
	struct seen *seen = context;

	cr_assert_leq((size_t)reply->kind, (size_t)REPLY_OVERSIZED);
	cr_assert_eq(strlen(reply->text), reply->size, "a NUL behind the text");
	note_text(seen, "%s%s", seen->used > 0 ? " " : "", kinds[reply->kind]);
	if (reply->kind == REPLY_OVERSIZED)
		cr_assert_eq(reply->size, 0);
	else
		note_text(seen, "\"%s\"", reply->text);
}

static struct reply_reader *
reader(struct seen *seen)
{
	static struct reply_reader r;

	reply_begin(&r, MAX, write_down, seen);
	*seen = (struct seen){ .used = 0 };
	return &r;
}

static void
read_all(struct seen *seen, const char *bytes, size_t n)
{
	struct reply_reader *r = reader(seen);

	reply_feed(r, bytes, n);
	reply_end(r);
}

struct row {
	const char *what, *bytes;
	size_t n;
	const char *seen;
};

/* What is seen of each row, alone and with a reply after it. */
static void
expect_rows(const struct row *row, size_t count)
{
	char bytes[2048], wanted[4096];
	struct seen seen;

	for (; count-- > 0; row++) {
		read_all(&seen, row->bytes, row->n);
		cr_expect_str_eq(seen.text, row->seen, "%s: %s", row->what,
		    seen.text);
		cr_assert_lt(row->n + sizeof(DA1), sizeof(bytes));
		memcpy(bytes, row->bytes, row->n);
		memcpy(bytes + row->n, TEXT(DA1));
		snprintf(wanted, sizeof(wanted), "%s%s" DA1_SEEN, row->seen,
		    row->seen[0] != '\0' ? " " : "");
		read_all(&seen, bytes, row->n + sizeof(DA1) - 1);
		cr_expect_str_eq(seen.text, wanted, "%s, and then: %s", row->what,
		    seen.text);
	}
}

/* ---- what comes out ------------------------------------------------------ */

/* What terminals really send. */
static const struct row shapes[] = {
	{ "xterm's DA1", TEXT("\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c"),
	    "DA1\"64;1;2;6;9;15;16;17;18;21;22;28\"" },
	{ "kitty's DA1, the last left out", TEXT("\x1b[?62;52;c"),
	    "DA1\"62;52;\"" },
	{ "xterm's DA2", TEXT("\x1b[>41;390;0c"), "DA2\"41;390;0\"" },
	{ "nine digits", TEXT("\x1b[>1;999999999;0c"), "DA2\"1;999999999;0\"" },
	{ "64 bytes", TEXT("\x1b[?1;222222222;333333333;444444444;555555555;"
	    "666666666;77777777c"),
	    "DA1\"1;222222222;333333333;444444444;555555555;666666666;77777777\"" },
	{ "sixteen numbers", TEXT("\x1b[?1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16c"),
	    "DA1\"1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16\"" },
	{ "foot's DA3", TEXT("\x1bP!|464f4f54\x1b\\"), "DA3\"464f4f54\"" },
	{ "no name", TEXT("\x1bP>|\x1b\\"), "VERSION\"\"" },
	{ "a clipboard, ST", TEXT("\x1b]52;c;aGVsbG8=\x1b\\"),
	    "CLIPBOARD\"c;aGVsbG8=\"" },
	{ "a clipboard, BEL", TEXT("\x1b]52;c;aGVsbG8=\a"),
	    "CLIPBOARD\"c;aGVsbG8=\"" },
	{ "an empty clipboard", TEXT("\x1b]52;c;\x1b\\"), "CLIPBOARD\"c;\"" },
	{ "an icon name is none", TEXT("\x1b]Lname\x1b\\"), "" },
	{ "a fence inside a clipboard that began early",
	    TEXT("\x1b]52;c;" DA1 "aGk=\x1b\\"), "CLIPBOARD\"c;aGk=\" " DA1_SEEN },
	{ "not inside one of more letters than there are",
	    TEXT("\x1b]52;cpqs012345678;" DA1 "aGk=\a"), DA1_SEEN },
	{ "DA1 within a clipboard that CAN cuts off",
	    TEXT("\x1b]52;c;" DA1 "aGk=\x18"), DA1_SEEN },
	{ "not inside another string", TEXT("\x1b]52c;" DA1), DA1_SEEN },
	{ "any control sequence inside a clipboard",
	    TEXT("\x1b]52;c;\x1b[1 AaGk=\a" "\x1b]52;p;\x1b[5~aGk=\a"
	    "\x1b]52;q;\x1b[@aGk=\a"),
	    "CLIPBOARD\"c;aGk=\" CLIPBOARD\"p;aGk=\" CLIPBOARD\"q;aGk=\"" },
	{ "DEL in one inside a clipboard",
	    TEXT("\x1b]52;c;\x1b[5\x7f" "aGk=\a"), "" },
	{ "one that is too long inside a clipboard",
	    TEXT("\x1b]52;c;\x1b[1111111111111111111111111111111111111111111111"
	    "11111111111111111111111111111111AaGk=\a"), "" },
	{ "a fence cut off inside a clipboard",
	    TEXT("\x1b]52;c;\x1b[?6\x1b]52;p;aGk=\a"), "CLIPBOARD\"p;aGk=\"" },
	{ "a control inside a fence inside a clipboard",
	    TEXT("\x1b]52;c;\x1b[?6\n"), "" },
	{ "a second fence inside ends it",
	    TEXT("\x1b]52;c;" DA1 "\x1b[?6c"), "DA1\"6\" " DA1_SEEN },
	{ "a color of the palette", TEXT("\x1b]4;15;rgb:ffff/ffff/ffff\x1b\\"),
	    "PALETTE\"15;rgb:ffff/ffff/ffff\"" },
	{ "and two that end with the ESC of ST", TEXT("\x1b]4;1;rgb:1/1/1\x1b"
	    "\x1b]4;2;rgb:2/2/2\x1b" DA1),
	    "PALETTE\"1;rgb:1/1/1\" PALETTE\"2;rgb:2/2/2\" " DA1_SEEN },
	{ "the foreground, BEL", TEXT("\x1b]10;rgb:0/0/0\a"), "FOREGROUND\"rgb:0/0/0\"" },
	{ "the background", TEXT("\x1b]11;rgba:0/0/0/8\x1b\\"),
	    "BACKGROUND\"rgba:0/0/0/8\"" },
	{ "the cursor", TEXT("\x1b]12;#fff\x1b\\"), "CURSOR\"#fff\"" },
	{ "BEL inside a DCS is no end", TEXT("\x1bP>|a\ab\x1b\\"),
	    "VERSION\"a\ab\"" },
};

Test(reply, every_shape_of_the_table_comes_out)
{
	bool found[REPLY_KINDS] = { false };
	size_t i, kind;

	expect_rows(shapes, LEN(shapes));
	for (i = 0; i < LEN(shapes); i++)
		for (kind = 0; kind < REPLY_KINDS; kind++)
			if (strncmp(shapes[i].seen, kinds[kind],
			        strcspn(shapes[i].seen, "(\"")) == 0)
				found[kind] = true;
	for (kind = 0; kind < REPLY_KINDS; kind++)
		cr_expect(found[kind], "%s has no row here", kinds[kind]);
}

/* Replies as a program gets them, and noise of every kind between. */
static const char mixed[] =
	"ls -l\r\x1b[A\x1bOP\x1b" "a"
	"\x1bP>|foot(1.27.0)\x1b\\"
	"y\x1b[>1;012700;0c\xc3\xa4\x1b[200~pasted\x1b[201~"
	"\x1bP!|464f4f54\x1b\\\x1b]11;rgb:1111/2222/3333\x1b\\"
	"\x1b[I\x1b]52;c;4pyTIOKAnA==\a"
	"\x1bP>|\xe2\x80\x9cx\xe2\x80\x9d\x1b\\\x1b]52;c;cut\x1b[?62;52;c"
	"\x1b[?1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17c"
	"\x1b]52;c;\x1b[?61caGk=\a"
	"\x1b]52;;\x1b\\\x1b[1 A\x1b[?2026;2$y\x1b[24;80R"
	DA1 "q";

static const char mixed_seen[] =
	"VERSION\"foot(1.27.0)\" DA2\"1;012700;0\" DA3\"464f4f54\" "
	"BACKGROUND\"rgb:1111/2222/3333\" "
	"CLIPBOARD\"c;4pyTIOKAnA==\" VERSION\"\xe2\x80\x9cx\xe2\x80\x9d\" "
	"DA1\"62;52;\" CLIPBOARD\"c;aGk=\" DA1\"61\" CLIPBOARD\";\" "
	DA1_SEEN;

Test(reply, replies_are_found_among_typed_keys_and_other_sequences)
{
	struct seen seen;

	read_all(&seen, TEXT(mixed));
	cr_expect_str_eq(seen.text, mixed_seen, "%s", seen.text);
}

/* What is typed is counted, and what has begun and not ended is unfinished. */
Test(reply, what_is_typed_and_what_is_unfinished)
{
	static const struct {
		const char *bytes;
		size_t n, typed;
		bool unfinished;
	} rows[] = {
		{ TEXT(""), 0, false },
		{ TEXT("ls\r"), 3, false },
		{ TEXT("\x1b[A"), 1, false },
		{ TEXT("\x1b[200~ls\x1b[201~"), 4, false },
		{ TEXT("\x1b" "b"), 1, false },
		/* reports that nobody here asked for */
		{ TEXT("\x1b[24;80R"), 0, false },
		{ TEXT(DA1), 0, false },
		{ TEXT("\x1b[?2026$y"), 0, false },
		{ TEXT("a\x1b]52;c;aGk=\x1b\\b" DA1 "c"), 3, false },
		{ TEXT("\x1b]52;c;aG\x18k"), 1, false },
		{ TEXT("\x1b]52;c;aG\x1b" "x" DA1), 1, false },
		{ TEXT("\x1b[?1\x18"), 0, false },
		{ TEXT("\x1b\x1b[?1c"), 0, false },
		{ TEXT("\x1b"), 0, true },
		{ TEXT("\x1b[?62;"), 0, true },
		{ TEXT("\x1b]52;c;aGk=\a\x1b]5"), 0, true },
		/* a fence that has begun inside a clipboard */
		{ TEXT("\x1b]52;c;\x1b[?6"), 0, true },
		/* what may go on, and the first of the final bytes */
		{ TEXT("\x1b[1 "), 0, true },
		{ TEXT("\x1b[1@"), 0, false },
	};
	struct reply_reader *r;
	struct seen seen;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		r = reader(&seen);
		reply_feed(r, rows[i].bytes, rows[i].n);
		cr_expect_eq(r->typed, rows[i].typed, "row %zu: %zu",
		    i, r->typed);
		cr_expect_eq(reply_unfinished(r), rows[i].unfinished, "row %zu", i);
		reply_end(r);
	}
}

/* As after a stop, in which somebody else may have read the rest. */
Test(reply, what_has_begun_can_be_dropped)
{
	static const struct {
		const char *bytes;
		size_t n;
	} rows[] = {
		{ TEXT("\x1b]52;c;aGk") },
		{ TEXT("\x1b]52;c;aG\x1b[?6") },
		{ TEXT("\x1b[?62;") },
	};
	struct reply_reader *r;
	struct seen seen;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		r = reader(&seen);
		reply_feed(r, rows[i].bytes, rows[i].n);
		cr_expect(reply_unfinished(r), "row %zu", i);
		reply_drop(r);
		cr_expect_not(reply_unfinished(r), "row %zu", i);
		reply_feed(r, TEXT("=\x1b\\" DA1));
		cr_expect_str_eq(seen.text, DA1_SEEN, "row %zu: %s", i, seen.text);
		reply_end(r);
	}
}

/* ---- what is swallowed --------------------------------------------------- */

Test(reply, what_breaks_libtermkey_is_swallowed)
{
	static const struct row rows[] = {
		{ "an intermediate before our final byte", TEXT("\x1b[?1$c"), "" },
		{ "seventeen numbers",
		    TEXT("\x1b[?1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17c"), "" },
		{ "seventeen left out", TEXT("\x1b[?;;;;;;;;;;;;;;;;c"), "" },
		{ "seventeen by colons",
		    TEXT("\x1b[>1:2:3:4:5:6:7:8:9:1:2:3:4:5:6:7:8c"), "" },
		{ "ten digits", TEXT("\x1b[?1234567890c"), "" },
		{ "nineteen digits", TEXT("\x1b[?1234567890123456789c"), "" },
		{ "digits that it joins over a colon",
		    TEXT("\x1b[?123456789:123456789:123456789c"), "" },
		{ "65 bytes", TEXT("\x1b[?1;222222222;333333333;444444444;555555555;"
		    "666666666;777777777c"), "" },
		{ "over a marker", TEXT("\x1b[?123456789?123456789>1c"), "" },
	};

	expect_rows(rows, LEN(rows));
}

/* Each final byte, with each marker and each intermediate. */
Test(reply, only_the_shapes_of_the_table_pass)
{
	static const char marks[] = "\0<=>?";
	static const char intermediates[] = "\0 !\"#$%&'()*+,-./";
	struct seen seen;
	char bytes[16], *at;
	size_t mark, middle;
	int final;

	for (mark = 0; mark < sizeof(marks) - 1; mark++)
		for (middle = 0; middle < sizeof(intermediates) - 1; middle++)
			for (final = 0x40; final <= 0x7e; final++) {
				at = bytes;
				*at++ = '\x1b';
				*at++ = '[';
				if (marks[mark] != 0)
					*at++ = marks[mark];
				*at++ = '1';
				if (intermediates[middle] != 0)
					*at++ = intermediates[middle];
				*at++ = (char)final;
				read_all(&seen, bytes, (size_t)(at - bytes));
				cr_expect_str_eq(seen.text,
				    final != 'c' || middle != 0 ? "" :
				    marks[mark] == '?' ? "DA1\"1\"" :
				    marks[mark] == '>' ? "DA2\"1\"" : "",
				    "%.*s: %s", (int)(at - bytes - 1), bytes + 1,
				    seen.text);
			}
}

Test(reply, other_sequences_are_swallowed)
{
	static const struct row rows[] = {
		{ "controls", TEXT("\0\a\b\r\n\x18\x1a\x7f"), "" },
		{ "an arrow", TEXT("\x1b[A"), "" },
		{ "Alt and a key", TEXT("\x1b" "c"), "" },
		{ "an unmarked c", TEXT("\x1b[1;2c"), "" },
		{ "an OSC with a longer number", TEXT("\x1b]520;c;aGk=\a"), "" },
		{ "an OSC with a shorter one", TEXT("\x1b]5;c\a\x1b]\a"), "" },
		{ "an empty DCS", TEXT("\x1bP\x1b\\"), "" },
		{ "a CSI that is too long",
		    TEXT("\x1b[?1;1;1;                                        "
			 "                           c"), "" },
		{ "a byte of UTF-8 in a CSI", TEXT("\x1b[?1\xc3\xa4;2c"), "" },
		{ "an ESC in a CSI", TEXT("\x1b[?1;\x1b[?2c"), "DA1\"2\"" },
		{ "two ESC", TEXT("\x1b\x1b[?2c"), "DA1\"2\"" },
		{ "C1 introducers are not taken",
		    TEXT("\x9b?1c\x9d" "52;c;aGk=\a\x90>|x\x1b\\"), "" },
		{ "nor in UTF-8", TEXT("\xc2\x9b?1c\xc2\x9d" "52;c;aGk=\a"), "" },
		{ "C1 ST is no end", TEXT("\x1b]52;c;aGk=\x9c\x1b[?1c"), "DA1\"1\"" },
	};

	expect_rows(rows, LEN(rows));
}

Test(reply, a_string_that_is_cut_off_is_no_reply)
{
	static const struct row rows[] = {
		{ "by a CSI", TEXT("\x1b]52;c;aG\x1b[?1c"), "DA1\"1\"" },
		{ "by the same again", TEXT("\x1b]52;c;aG\x1b]52;c;b2s=\a"),
		    "CLIPBOARD\"c;b2s=\"" },
		{ "by a key", TEXT("\x1b]52;c;aG\x1b" "x=\a"), "" },
		{ "by two ESC", TEXT("\x1b]52;c;aG\x1b\x1b\\"), "" },
		{ "by CAN", TEXT("\x1b]52;c;aG\x18k=\a"), "" },
		{ "by NUL", TEXT("\x1b]52;c;aG\0k=\a"), "" },
		{ "a DCS by NUL", TEXT("\x1bP>|fo\0ot\x1b\\"), "" },
		{ "a CSI by CAN", TEXT("\x1b[?1\x18" "2c"), "" },
	};

	expect_rows(rows, LEN(rows));
}

/* ---- large ones ---------------------------------------------------------- */

/* A string of every so many sizes above the largest, ended like this. */
static void
expect_swallowed(const char *what, const char *end)
{
	static char bytes[3 * MAX + 64];
	struct seen seen;
	size_t size, n;

	/* when it is cut off, the room for ST is there as well */
	for (size = MAX + 3; size < 3 * MAX; size += 190) {
		n = (size_t)sprintf(bytes, "\x1b]52;c;");
		memset(bytes + n, 'A', size - 5);
		n += size - 5;
		n += (size_t)sprintf(bytes + n, "%s" DA1, end);
		read_all(&seen, bytes, n);
		cr_expect_str_eq(seen.text, "OVERSIZED " DA1_SEEN,
		    "%zu bytes, %s: %s", size, what, seen.text);
	}
}

Test(reply, a_string_that_is_too_long_is_swallowed_and_told)
{
	expect_swallowed("ended by BEL", "\a");
	expect_swallowed("ended by ST", "\x1b\\");
}

Test(reply, a_string_that_is_too_long_and_cut_off_does_not_take_the_next)
{
	expect_swallowed("cut off by the next", "");
	expect_swallowed("cut off by a key", "\x1b[A");
	expect_swallowed("cut off by a title", "\x1b]0;t\a");
	expect_swallowed("cut off by ESC", "\x1b");
	expect_swallowed("cut off by CAN", "\x18");
	expect_swallowed("cut off by SUB", "\x1a");
}

Test(reply, a_string_of_the_largest_size_is_whole)
{
	static const struct {
		const char *begin, *end;
	} forms[] = { { "\x1b]52;", "\a" }, { "\x1b]52;", "\x1b\\" },
		{ "\x1bP>|", "\x1b\\" } };
	char bytes[MAX + 64];
	struct seen seen;
	size_t i, size, n;

	for (i = 0; i < LEN(forms); i++)
		for (size = MAX - 3; size <= MAX + 3; size++) {
			n = (size_t)sprintf(bytes, "%s", forms[i].begin);
			memset(bytes + n, 'A', size + 2 - n);
			n = size + 2;
			n += (size_t)sprintf(bytes + n, "%s" DA1, forms[i].end);
			read_all(&seen, bytes, n);
			cr_expect_eq(strstr(seen.text, "OVERSIZED") != NULL,
			    size > MAX, "form %zu, %zu bytes", i, size);
			cr_expect_eq(strstr(seen.text, "AAAA") != NULL,
			    size <= MAX, "form %zu, %zu bytes", i, size);
			cr_expect_not_null(strstr(seen.text, DA1_SEEN),
			    "form %zu, %zu bytes: %s", i, size, seen.text);
		}
}
