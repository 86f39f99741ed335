/* SPDX-License-Identifier: MIT */
/* encoder/escape_notation: all bytes survive being written down. */
#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define TEXT(text) text, sizeof(text) - 1

Test(escape_notation, every_byte_comes_back)
{
	unsigned char bytes[256 * 3];
	struct buf text, back;
	size_t i;

	/* each between two letters that could pass for part of it */
	for (i = 0; i < 256; i++) {
		bytes[i * 3] = 'x';
		bytes[i * 3 + 1] = (unsigned char)i;
		bytes[i * 3 + 2] = '0';
	}
	buf_init(&text, 10000);
	buf_init(&back, 10000);
	cr_assert(escape_notation_write(&text, bytes, sizeof(bytes)));
	for (i = 0; i < text.len; i++)
		cr_expect(text.data[i] >= 0x20 && text.data[i] < 0x7f,
		    "0x%02x is written", text.data[i]);
	cr_assert(buf_add(&text, "", 1));
	cr_assert(escape_notation_read(&back, (char *)text.data));
	cr_expect(back.len == sizeof(bytes) &&
	    memcmp(back.data, bytes, sizeof(bytes)) == 0);
	buf_free(&text);
	buf_free(&back);
}

Test(escape_notation, every_byte_is_written_as_described)
{
	char wanted[8];
	unsigned char byte;
	struct buf text;
	int c;

	for (c = 0; c < 256; c++) {
		byte = (unsigned char)c;
		if (c == 0x1b)
			strcpy(wanted, "\\e");
		else if (c == 0x07)
			strcpy(wanted, "\\a");
		else if (c == '\\')
			strcpy(wanted, "\\\\");
		else
			snprintf(wanted, sizeof(wanted), c >= 0x20 && c < 0x7f ?
			    "%c" : "\\x%02x", c);
		buf_init(&text, 100);
		cr_assert(escape_notation_write(&text, &byte, 1));
		cr_expect(text.len == strlen(wanted) &&
		    memcmp(text.data, wanted, text.len) == 0,
		    "0x%02x: %.*s", c, (int)text.len, (char *)text.data);
		buf_free(&text);
		buf_init(&text, 100);
		cr_assert(escape_notation_hex(&text, &byte, 1));
		snprintf(wanted, sizeof(wanted), "%02x", c);
		cr_expect(text.len == 2 && memcmp(text.data, wanted, 2) == 0,
		    "0x%02x: %.*s", c, (int)text.len, (char *)text.data);
		buf_free(&text);
	}
}

Test(escape_notation, reading)
{
	static const struct {
		const char *text, *bytes;
		size_t n;
		bool fine;
	} rows[] = {
		{ "", TEXT(""), true },
		{ "plain text", TEXT("plain text"), true },
		{ "\\e]0;t\\a", TEXT("\x1b]0;t\a"), true },
		{ "\\e]0;t\\e\\\\", TEXT("\x1b]0;t\x1b\\"), true },
		{ "\\n\\r\\t", TEXT("\n\r\t"), true },
		{ "\\x00\\x1b\\xff\\xFF\\xaB", TEXT("\0\x1b\xff\xff\xab"), true },
		{ "\\x411", TEXT("A1"), true },
		{ "\\\\e", TEXT("\\e"), true },
		{ "\\\\\\e", TEXT("\\\x1b"), true },
		{ "\xe2\x9c\x93", TEXT("\xe2\x9c\x93"), true },
		{ "\\", TEXT(""), false },
		{ "a\\", TEXT(""), false },
		{ "\\x", TEXT(""), false },
		{ "\\x4", TEXT(""), false },
		{ "\\x4g", TEXT(""), false },
		{ "\\x4G", TEXT(""), false },
		{ "\\x4@", TEXT(""), false },
		{ "\\x4/", TEXT(""), false },
		{ "\\x4:", TEXT(""), false },
		{ "\\xg4", TEXT(""), false },
		{ "\\x-1", TEXT(""), false },
		{ "\\X41", TEXT(""), false },
		{ "\\E", TEXT(""), false },
		{ "\\0", TEXT(""), false },
		{ "\\033", TEXT(""), false },
		{ "\\q", TEXT(""), false },
		{ "\\ e", TEXT(""), false },
	};
	struct buf out;
	size_t i;
	bool fine;

	for (i = 0; i < LEN(rows); i++) {
		buf_init(&out, 100);
		fine = escape_notation_read(&out, rows[i].text);
		cr_expect_eq(fine, rows[i].fine, "%s", rows[i].text);
		cr_expect_eq(escape_notation_known(rows[i].text) == strlen(rows[i].text),
		    rows[i].fine, "%s", rows[i].text);
		if (fine && rows[i].fine)
			cr_expect(out.len == rows[i].n && (out.len == 0 ||
			    memcmp(out.data, rows[i].bytes, out.len) == 0), "%s",
			    rows[i].text);
		buf_free(&out);
	}
}

Test(escape_notation, the_first_unknown_escape_is_found)
{
	cr_expect_eq(escape_notation_known("\\q\\q"), 0);
	cr_expect_eq(escape_notation_known("a\\\\\\e\\x41\\x4"), 9);
	cr_expect_eq(escape_notation_known("\\\\\\"), 2);
}

Test(escape_notation, no_room_is_said)
{
	struct buf out;

	buf_init(&out, 3);
	cr_expect_not(escape_notation_write(&out, (const unsigned char *)"\x01", 1));
	cr_expect_eq(out.fault, BUF_TOO_LARGE);
	buf_free(&out);
	cr_expect_not(escape_notation_hex(&out, (const unsigned char *)"ab", 2));
	buf_free(&out);
	cr_expect_not(escape_notation_read(&out, "abcd"));
	cr_expect_eq(out.fault, BUF_TOO_LARGE);
	buf_free(&out);
}
