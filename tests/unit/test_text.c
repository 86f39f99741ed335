/* SPDX-License-Identifier: MIT */
/*
 * base/text: what came from outside can be shown without doing anything, and
 * nothing but a number is a number.
 */
#include "base/base.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* ---- quoting ------------------------------------------------------------ */

Test(text, quote_table)
{
	static const struct { const char *text, *wanted; } rows[] = {
		{ NULL, "(none)" },
		{ "", "\"\"" },
		{ "plain", "\"plain\"" },
		{ "gr\xc3\xbcn \xe2\x9c\x93 \xf0\x9f\x98\x80",
		    "\"gr\xc3\xbcn \xe2\x9c\x93 \xf0\x9f\x98\x80\"" },
		/* C1 as one byte and as the character U+009D */
		{ "\x9d" "52;c;", "\"\\x9d52;c;\"" },
		{ "\xc2\x9d" "52;c;", "\"\\xc2\\x9d52;c;\"" },
		{ "\xc2\x9f", "\"\\xc2\\x9f\"" },
		{ "\xc2\xa0", "\"\xc2\xa0\"" },
		{ "\x1b]52;c;YQ==\a", "\"\\x1b]52;c;YQ==\\x07\"" },
		{ "\x1b\\", "\"\\x1b\\\\\"" },
		{ "\x7f", "\"\\x7f\"" },
		/* broken: cut short, overlong, surrogate, past U+10FFFF, alone */
		{ "\xe2\x9c", "\"\\xe2\\x9c\"" },
		{ "\xe2\x9c" "a", "\"\\xe2\\x9c" "a\"" },
		{ "\xc0\x9b", "\"\\xc0\\x9b\"" },
		{ "\xed\xa0\x80", "\"\\xed\\xa0\\x80\"" },
		{ "\xf4\x90\x80\x80", "\"\\xf4\\x90\\x80\\x80\"" },
		/* U+202E turns the rest of the line round, U+2028 ends it */
		{ "a\xe2\x80\xae", "\"a\\xe2\\x80\\xae\"" },
		{ "\xd8\x9c\xe2\x81\xa6",
		    "\"\\xd8\\x9c\\xe2\\x81\\xa6\"" },
		{ "\xe2\x80\xa8", "\"\\xe2\\x80\\xa8\"" },
	};
	size_t i;

	for (i = 0; i < LEN(rows); i++)
		cr_expect_str_eq(text_quote(rows[i].text).text, rows[i].wanted,
		    "row %zu", i);
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
		{ "10", 9, 0, false },
		{ "10", 10, 10, true },
		{ "007", 7, 7, true },
		{ "0000000000000000000000000000000000000001", 1, 1, true },
		{ most, ULONG_MAX, ULONG_MAX, true },
		{ "2147483647", 2147483647, 2147483647, true },
		{ "2147483648", 2147483647, 0, false },
		{ "", ULONG_MAX, 0, false },
		{ "-1", ULONG_MAX, 0, false },
		{ "+1", ULONG_MAX, 0, false },
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

/* ---- inside a sequence --------------------------------------------------- */

#define REPLACED "\xef\xbf\xbd"

Test(text, sanitize_table)
{
	static const struct { const char *text, *line, *lines; } rows[] = {
		{ "", "", "" },
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

			out = (struct buf){ .max = 1000 };
			cr_expect(text_sanitize(&out, rows[i].text,
			    strlen(rows[i].text), lines));
			cr_expect(out.len == strlen(wanted) && (out.len == 0 ||
			    memcmp(out.data, wanted, out.len) == 0),
			    "row %zu: %.*s", i, (int)out.len, (char *)out.data);
			buf_free(&out);
		}
}

Test(text, utf8_prefix)
{
	static const struct {
		const char *text;
		size_t n, valid;
	} cases[] = {
		{ "", 0, 0 },
		{ "exactly8", 8, 8 },
		{ "more than eight", 15, 15 },
		{ "a\0b", 3, 1 },
		{ "eight by\0\xfftes", 13, 8 },
		{ "\1\1\1\1\1\1\1\1\x7f", 9, 9 },
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

/* ---- lists of words --------------------------------------------------------- */

Test(text, words_of_a_list)
{
	static const struct { const char *list, *word; bool listed; } rows[] = {
		{ "sudo su doas", "sudo", true }, { "sudo su doas", "su", true },
		{ "sudo su doas", "doas", true }, { "sudo su doas", "sud", false },
		{ "sudo su doas", "udo", false }, { "sudo su doas", "sudo su", false },
		{ "sudo su doas", "", false }, { "", "", false }, { "", "su", false },
		{ NULL, "su", false }, { "  a\n\tb ", "b", true }, { "  a\n\tb ", "a", true },
		{ "  a\n\tb ", "", false }, { "\xc3\xa9 x", "\xc3\xa9", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(text_lists(rows[i].list, rows[i].word, strlen(rows[i].word)),
		    rows[i].listed, "%zu", i);
	cr_expect(text_lists("git-log git", "git-status", 3), "a prefix of the word is given");
}

/* ---- messages ------------------------------------------------------------- */

Test(message, long_problem_leaves_the_remedy)
{
	static const char remedy[] = "name one:\n  --tty DEVICE";
	char problem[3 * MESSAGE_TEXT / 2];
	struct error error;

	cr_expect_not(fail(&error, STATUS_REFUSED, "no terminal\n%s", remedy));
	cr_expect_eq(error.status, STATUS_REFUSED);
	cr_expect_str_eq(message_problem(error.text).text, "no terminal");
	cr_expect_str_eq(message_remedy(error.text), remedy);

	memset(problem, 'x', sizeof(problem) - 1);
	problem[sizeof(problem) - 1] = '\0';
	fail(&error, STATUS_REFUSED, "%s\n%s", problem, remedy);
	cr_expect_str_eq(message_remedy(error.text), remedy);
	cr_expect_eq(strlen(message_problem(error.text).text), MESSAGE_PROBLEM - 1);
	cr_expect_str_eq(strchr(error.text, '.'), "...\nname one:\n  --tty DEVICE");

	/* of itself, as a message is completed */
	fail(&error, STATUS_FAILED, "--tty: %s", "cannot open it");
	message_format(error.text, "%s\n%s", error.text, remedy);
	cr_expect_str_eq(message_problem(error.text).text, "--tty: cannot open it");
	cr_expect_str_eq(message_remedy(error.text), remedy);
	cr_expect_str_eq(message_remedy("no remedy"), "");
}
