/* SPDX-License-Identifier: MIT */
/*
 * base/text: what came from outside can be shown without doing anything, and
 * nothing but a number is a number.
 */
#include "base/text.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* ---- quoting ------------------------------------------------------------ */

Test(text, quote_shows_every_byte)
{
	char text[4], wanted[16];
	struct quoted q;
	int c;

	for (c = 1; c < 256; c++) {
		snprintf(text, sizeof(text), "a%cb", c);
		if (c == '\n')
			strcpy(wanted, "\"a\\nb\"");
		else if (c == '\t')
			strcpy(wanted, "\"a\\tb\"");
		else if (c == '"' || c == '\\')
			snprintf(wanted, sizeof(wanted), "\"a\\%cb\"", c);
		else if (c >= 0x20 && c < 0x7f)
			snprintf(wanted, sizeof(wanted), "\"a%cb\"", c);
		else
			snprintf(wanted, sizeof(wanted), "\"a\\x%02xb\"", c);
		q = text_quote(text);
		cr_expect_str_eq(q.text, wanted, "byte 0x%02x", c);
	}
}

Test(text, quote_table)
{
	static const struct { const char *text, *wanted; } rows[] = {
		{ NULL, "(none)" },
		{ "", "\"\"" },
		{ "plain", "\"plain\"" },
		{ "two words", "\"two words\"" },
		{ "gr\xc3\xbcn \xe2\x9c\x93 \xf0\x9f\x98\x80",
		    "\"gr\xc3\xbcn \xe2\x9c\x93 \xf0\x9f\x98\x80\"" },
		/* C1 as one byte and as the character U+009D */
		{ "\x9d" "52;c;", "\"\\x9d52;c;\"" },
		{ "\xc2\x9d" "52;c;", "\"\\xc2\\x9d52;c;\"" },
		{ "\xc2\x80", "\"\\xc2\\x80\"" },
		{ "\xc2\x9f", "\"\\xc2\\x9f\"" },
		{ "\xc2\xa0", "\"\xc2\xa0\"" },
		{ "\x1b]52;c;YQ==\a", "\"\\x1b]52;c;YQ==\\x07\"" },
		{ "\x1b\\", "\"\\x1b\\\\\"" },
		{ "\x7f", "\"\\x7f\"" },
		{ "a\r\nb", "\"a\\x0d\\nb\"" },
		/* broken: cut short, overlong, surrogate, past U+10FFFF, alone */
		{ "\xe2\x9c", "\"\\xe2\\x9c\"" },
		{ "\xe2\x9c" "a", "\"\\xe2\\x9c" "a\"" },
		{ "\xc0\x9b", "\"\\xc0\\x9b\"" },
		{ "\xe0\x80\x9b", "\"\\xe0\\x80\\x9b\"" },
		{ "\xed\xa0\x80", "\"\\xed\\xa0\\x80\"" },
		{ "\xf4\x90\x80\x80", "\"\\xf4\\x90\\x80\\x80\"" },
		{ "\x80", "\"\\x80\"" },
		/* U+202E turns the rest of the line round, U+2028 ends it */
		{ "a\xe2\x80\xae", "\"a\\xe2\\x80\\xae\"" },
		{ "\xd8\x9c\xe2\x81\xa6",
		    "\"\\xd8\\x9c\\xe2\\x81\\xa6\"" },
		{ "\xe2\x80\xa8", "\"\\xe2\\x80\\xa8\"" },
		{ "\xff\xfe", "\"\\xff\\xfe\"" },
	};
	size_t i;

	for (i = 0; i < LEN(rows); i++)
		cr_expect_str_eq(text_quote(rows[i].text).text, rows[i].wanted,
		    "row %zu", i);
}

/* The widest piece of a quotation is four characters: \xNN, or one of UTF-8. */
Test(text, quote_of_long_text_is_cut_with_room_for_any_piece)
{
	static const struct { const char *piece; size_t shown; } rows[] = {
		{ "a", 1 }, { "\x1b", 4 }, { "\n", 2 }, { "\"", 2 },
		{ "\xc3\xbc", 2 }, { "\xe2\x9c\x93", 3 },
		{ "\xf0\x9f\x98\x80", 4 }, { "\xff", 4 }, { "\xc2\x9b", 8 },
	};
	char text[4096];
	size_t i, j, lead, shown;
	struct quoted q;

	for (i = 0; i < LEN(rows); i++)
		for (lead = 0; lead < 400; lead++) {
			memset(text, 'x', lead);
			text[lead] = '\0';
			for (j = 0; j < 50; j++)
				strcat(text, rows[i].piece);
			memset(&q, '#', sizeof(q));
			q = text_quote(text);
			cr_assert_not_null(memchr(q.text, '\0', sizeof(q.text)),
			    "row %zu, lead %zu: no end", i, lead);
			shown = lead + 50 * rows[i].shown + 2;
			if (shown + 1 <= TEXT_QUOTED - 8)
				cr_expect_eq(strlen(q.text), shown,
				    "row %zu, lead %zu was cut", i, lead);
			if (shown + 1 > TEXT_QUOTED)
				cr_expect_str_eq(q.text + strlen(q.text) - 4,
				    "...\"", "row %zu, lead %zu", i, lead);
			cr_expect(strlen(q.text) + 8 >= TEXT_QUOTED ||
			    strlen(q.text) == shown,
			    "row %zu, lead %zu: cut at %zu already", i, lead,
			    strlen(q.text));
			cr_expect_eq(q.text[0], '"');
			for (j = 0; q.text[j] != '\0';) {
				size_t n = text_printable(q.text + j,
				    strlen(q.text + j));

				cr_assert(n > 0, "row %zu, lead %zu, byte %zu",
				    i, lead, j);
				j += n;
			}
		}
}

/* ---- UTF-8 -------------------------------------------------------------- */

/* RFC 3629, section 3: the value of each form, from the bits. */
static size_t
reference_utf8(const unsigned char *c, size_t n)
{
	static const struct { unsigned mask, mark, lowest; } form[] = {
		{ 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 },
		{ 0xf8, 0xf0, 0x10000 },
	};
	unsigned value;
	size_t i, j;

	for (i = 0; i < LEN(form); i++) {
		if ((c[0] & form[i].mask) != form[i].mark)
			continue;
		if (n < i + 2)
			return 0;
		value = c[0] & ~form[i].mask & 0xff;
		for (j = 1; j < i + 2; j++) {
			if ((c[j] & 0xc0) != 0x80)
				return 0;
			value = value << 6 | (c[j] & 0x3f);
		}
		if (value < form[i].lowest || value > 0x10ffff ||
		    (value >= 0xd800 && value <= 0xdfff))
			return 0;
		return i + 2;
	}
	return 0;
}

Test(text, utf8_is_what_the_bits_say)
{
	/* each boundary of the table, one below and one above */
	static const unsigned char others[] = {
		0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff,
	};
	unsigned char c[4];
	size_t second, third, n, got, wanted, wrong = 0;
	int first;

	for (first = 0; first < 256; first++)
		for (second = 0; second < 256; second++)
			for (third = 0; third < LEN(others); third++)
				for (n = 1; n <= 4; n++) {
					c[0] = (unsigned char)first;
					c[1] = (unsigned char)second;
					c[2] = others[third];
					c[3] = others[(third + n) % LEN(others)];
					got = text_utf8((char *)c, n);
					wanted = reference_utf8(c, n);
					if (got == wanted)
						continue;
					wrong++;
					cr_expect(wrong > 5, "%02x %02x %02x %02x,"
					    " %zu left: %zu, not %zu", c[0],
					    c[1], c[2], c[3], n, got, wanted);
				}
	cr_expect_eq(wrong, 0);
}

Test(text, printable_leaves_controls_out)
{
	unsigned char c[2] = { 0, 'x' };
	int byte;

	for (byte = 0; byte < 256; byte++) {
		c[0] = (unsigned char)byte;
		cr_expect_eq(text_printable((char *)c, 2),
		    (size_t)(byte >= 0x20 && byte < 0x7f), "0x%02x", byte);
	}
	for (byte = 0x80; byte < 0xc0; byte++) {
		c[0] = 0xc2;
		c[1] = (unsigned char)byte;
		cr_expect_eq(text_printable((char *)c, 2),
		    byte < 0xa0 ? 0u : 2u, "U+%04X", byte);
	}
	cr_expect_eq(text_printable("a", 0), 0);
}

/* Which characters rearrange a text, by their code points: PropList.txt. */
static bool
is_rearranging(unsigned point)
{
	static const struct { unsigned first, last; } ranges[] = {
		{ 0x061c, 0x061c }, { 0x200e, 0x200f }, { 0x2028, 0x202e },
		{ 0x2066, 0x2069 },
	};
	size_t i;

	for (i = 0; i < LEN(ranges); i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	return false;
}

Test(text, printable_leaves_out_what_rearranges_a_line)
{
	unsigned char c[4];
	unsigned point;
	size_t n;

	for (point = 0xa0; point < 0x10000; point++) {
		n = 0;
		if (point < 0x800) {
			c[n++] = (unsigned char)(0xc0 | point >> 6);
		} else {
			c[n++] = (unsigned char)(0xe0 | point >> 12);
			c[n++] = (unsigned char)(0x80 | (point >> 6 & 0x3f));
		}
		c[n++] = (unsigned char)(0x80 | (point & 0x3f));
		if (point >= 0xd800 && point < 0xe000)
			continue;
		cr_expect_eq(text_printable((char *)c, n),
		    is_rearranging(point) ? 0 : n, "U+%04X", point);
	}
}

/* ---- numbers ------------------------------------------------------------ */

Test(text, numbers)
{
	char most[32];
	const struct {
		const char *text;
		unsigned long max, value;
		bool fine;
	} rows[] = {
		{ "0", 0, 0, true },
		{ "1", 0, 0, false },
		{ "7", 6, 0, false },
		{ "7", 7, 7, true },
		{ "10", 9, 0, false },
		{ "10", 10, 10, true },
		{ "007", 7, 7, true },
		{ "0000000000000000000000000000000000000001", 1, 1, true },
		{ "42", ULONG_MAX, 42, true },
		{ most, ULONG_MAX, ULONG_MAX, true },
		{ "18446744073709551616", ULONG_MAX, 0, false },
		{ "18446744073709551620", ULONG_MAX, 0, false },
		{ "36893488147419103232", ULONG_MAX, 0, false },
		{ "99999999999999999999999999", ULONG_MAX, 0, false },
		{ "2147483647", 2147483647, 2147483647, true },
		{ "2147483648", 2147483647, 0, false },
		{ "4294967296", 4294967295UL, 0, false },
		{ "", ULONG_MAX, 0, false },
		{ "-1", ULONG_MAX, 0, false },
		{ "+1", ULONG_MAX, 0, false },
		{ " 1", ULONG_MAX, 0, false },
		{ "1 ", ULONG_MAX, 0, false },
		{ "1\n", ULONG_MAX, 0, false },
		{ "0x10", ULONG_MAX, 0, false },
		{ "1e3", ULONG_MAX, 0, false },
		{ "1.0", ULONG_MAX, 0, false },
		{ "1,000", ULONG_MAX, 0, false },
		{ "12a", ULONG_MAX, 0, false },
		{ "a12", ULONG_MAX, 0, false },
		{ "\xd9\xa1", ULONG_MAX, 0, false },
	};
	unsigned long value;
	size_t i;
	bool fine;

	snprintf(most, sizeof(most), "%lu", ULONG_MAX);
	for (i = 0; i < LEN(rows); i++) {
		value = 4711;
		fine = text_number(rows[i].text, rows[i].max, &value);
		cr_expect_eq(fine, rows[i].fine, "\"%s\" up to %lu",
		    rows[i].text, rows[i].max);
		cr_expect_eq(value, rows[i].fine ? rows[i].value : 4711,
		    "\"%s\" gave %lu", rows[i].text, value);
	}
}

/* ---- the small ones ----------------------------------------------------- */

Test(text, clean_leaves_printable_ascii_alone)
{
	char text[256], wanted[256];
	int c;

	for (c = 1; c < 256; c++) {
		text[c - 1] = (char)c;
		wanted[c - 1] = c >= 0x20 && c < 0x7f ? (char)c : '?';
	}
	text[255] = wanted[255] = '\0';
	text_clean(text);
	cr_expect_str_eq(text, wanted);
}

Test(text, comparisons_take_null)
{
	cr_expect(text_begins("tmux-256color", "tmux"));
	cr_expect(text_begins("tmux", "tmux"));
	cr_expect(text_begins("x", ""));
	cr_expect_not(text_begins("tmu", "tmux"));
	cr_expect_not(text_begins("", "t"));
	cr_expect_not(text_begins(NULL, ""));
	cr_expect(text_equal("a", "a"));
	cr_expect_not(text_equal("a", "A"));
	cr_expect_not(text_equal("a", "ab"));
	cr_expect_not(text_equal(NULL, NULL));
	cr_expect_not(text_equal(NULL, "a"));
	cr_expect_not(text_equal("a", NULL));
}

Test(text, copy_is_whole_or_empty)
{
	char to[8];

	memset(to, '#', sizeof(to));
	cr_expect(text_copy(to, 5, "name"));
	cr_expect_str_eq(to, "name");
	cr_expect_eq(to[5], '#', "wrote past the size");
	memset(to, '#', sizeof(to));
	cr_expect_not(text_copy(to, 4, "name"));
	cr_expect_str_eq(to, "");
	cr_expect_eq(to[1], '#', "half a name was left");
	cr_expect(text_copy(to, 1, ""));
	cr_expect_not(text_copy(to, 1, "x"));
	cr_expect_str_eq(to, "");
}

/* ---- inside a sequence --------------------------------------------------- */

#define REPLACED "\xef\xbf\xbd"

Test(text, sanitize_table)
{
	static const struct { const char *text, *line, *lines; } rows[] = {
		{ "", "", "" },
		{ "plain; text \\ %", "plain; text \\ %", "plain; text \\ %" },
		{ "gr\xc3\xbcn \xf0\x9f\x98\x80", "gr\xc3\xbcn \xf0\x9f\x98\x80",
		    "gr\xc3\xbcn \xf0\x9f\x98\x80" },
		{ "a\tb", "a b", "a b" },
		{ "a\nb", "a b", "a\nb" },
		{ "a\r\nb\rc\n", "a b c ", "a\nb\nc\n" },
		{ "a\033\\b", "a" REPLACED "\\b", "a" REPLACED "\\b" },
		{ "\a\x18\x7f", REPLACED REPLACED REPLACED,
		    REPLACED REPLACED REPLACED },
		/* C1: OSC and ST as one byte, ST as the character U+009C */
		{ "\x9d" "0;x\x9c", REPLACED "0;x" REPLACED, REPLACED "0;x" REPLACED },
		{ "x\xc2\x9cy", "x" REPLACED "y", "x" REPLACED "y" },
		/* broken: cut short, overlong, a surrogate */
		{ "\xe2\x9c", REPLACED REPLACED, REPLACED REPLACED },
		{ "\xc0\x9b]", REPLACED REPLACED "]", REPLACED REPLACED "]" },
		{ "\xed\xa0\x80", REPLACED REPLACED REPLACED,
		    REPLACED REPLACED REPLACED },
		/* bidirectional controls; U+2028 and U+2029 are line breaks */
		{ "a\xd8\x9c" "b\xe2\x80\x8f" "c\xe2\x80\xae\xe2\x81\xa9",
		    "a" REPLACED "b" REPLACED "c" REPLACED REPLACED,
		    "a" REPLACED "b" REPLACED "c" REPLACED REPLACED },
		{ "a\xe2\x80\xa8" "b\xe2\x80\xa9", "a b ", "a\nb\n" },
		/* joiners and U+FEFF move nothing */
		{ "a\xe2\x80\x8d\xef\xbb\xbf", "a\xe2\x80\x8d\xef\xbb\xbf",
		    "a\xe2\x80\x8d\xef\xbb\xbf" },
	};
	struct buf out;
	size_t i;
	int lines;

	for (i = 0; i < LEN(rows); i++)
		for (lines = 0; lines < 2; lines++) {
			const char *wanted = lines ? rows[i].lines : rows[i].line;

			buf_init(&out, 1000);
			cr_expect(text_sanitize(&out, rows[i].text,
			    strlen(rows[i].text), lines));
			cr_expect(out.len == strlen(wanted) && (out.len == 0 ||
			    memcmp(out.data, wanted, out.len) == 0),
			    "row %zu: %.*s", i, (int)out.len, (char *)out.data);
			buf_free(&out);
		}
}

Test(text, sanitize_lets_no_byte_through_that_ends_a_sequence)
{
	struct buf out;
	char text[2];
	size_t i;
	int a, b;

	for (a = 0; a < 256; a++)
		for (b = 0; b < 256; b++) {
			text[0] = (char)a;
			text[1] = (char)b;
			buf_init(&out, 100);
			cr_assert(text_sanitize(&out, text, 2, false));
			for (i = 0; i < out.len; i += text_printable(
			    (char *)out.data + i, out.len - i))
				cr_assert(text_printable((char *)out.data + i,
				    out.len - i) > 0, "0x%02x 0x%02x", a, b);
			buf_free(&out);
		}
}

Test(text, sanitize_says_when_there_is_no_room)
{
	struct buf out;

	buf_init(&out, 3);
	cr_expect(!text_sanitize(&out, "abcd", 4, false));
	cr_expect_eq(out.fault, BUF_TOO_LARGE);
	buf_free(&out);
}

Test(text, utf8_prefix)
{
	static const struct {
		const char *text;
		size_t n, valid;
	} cases[] = {
		{ "", 0, 0 },
		{ "plain", 5, 5 },
		{ "exactly8", 8, 8 },
		{ "more than eight", 15, 15 },
		{ "a\0b", 3, 3 },
		{ "\xff", 1, 0 },
		{ "eight by\xfftes", 12, 8 },
		{ "seven b\xfftes", 11, 7 },
		{ "\xc3\xbc and \xe2\x9c\x93", 10, 10 },
		{ "\xc3\xbc and \xe2\x9c", 9, 7 },
		{ "16 bytes of ASCII, \xf0\x9f\x99\x82 and \xc0\xaf", 30, 28 },
		{ "\xed\xa0\x80", 3, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(text_utf8_prefix(cases[i].text, cases[i].n),
		    cases[i].valid, "row %zu: %zu", i,
		    text_utf8_prefix(cases[i].text, cases[i].n));
}

/* ---- lists -------------------------------------------------------------- */

Test(text, join_fits_into_any_size)
{
	static const char *const words[] = { "auto", "none", "tmux", NULL };
	static const char *const none[] = { NULL };
	char to[32];
	size_t size;

	text_join(to, sizeof(to), words, ", ");
	cr_expect_str_eq(to, "auto, none, tmux");
	text_join(to, sizeof(to), none, ", ");
	cr_expect_str_eq(to, "");
	for (size = 1; size < sizeof("auto, none, tmux"); size++) {
		memset(to, 'x', sizeof(to));
		text_join(to, size, words, ", ");
		cr_expect(strlen(to) < size, "%zu: %s", size, to);
		cr_expect_eq(to[size], 'x', "%zu", size);
	}
}
