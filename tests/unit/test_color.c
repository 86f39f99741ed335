/* SPDX-License-Identifier: MIT */
/* encoder/color: colors in words; the sequences are rows of tests/golden/color.tbl. */
#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* The forms of XParseColor(3), and what terminals reply. */
Test(color, every_form_is_scaled)
{
	static const struct {
		const char *text;
		unsigned red, green, blue;
	} rows[] = {
		{ "rgb:f/8/0", 0xffff, 0x8888, 0 },
		{ "rgb:ff/80/01", 0xffff, 0x8080, 0x0101 },
		{ "rgb:fff/800/001", 0xffff, 0x8007, 0x0010 },
		{ "rgb:ffff/8000/0001", 0xffff, 0x8000, 1 },
		{ "rgb:F/ABC/ab", 0xffff, 0xabca, 0xabab },
		{ "rgba:ffff/8000/0001/cccc", 0xffff, 0x8000, 1 },
		{ "rgba:f/8/0/0", 0xffff, 0x8888, 0 },
		{ "#f80", 0xffff, 0x8888, 0 },
		{ "#ff8001", 0xffff, 0x8080, 0x0101 },
		{ "#ffff80000001", 0xffff, 0x8000, 1 },
	};
	struct color c;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		cr_assert(color_parse(&c, rows[i].text, strlen(rows[i].text)),
		    "%s", rows[i].text);
		cr_expect(c.red == rows[i].red && c.green == rows[i].green &&
		    c.blue == rows[i].blue, "%s: %04x/%04x/%04x", rows[i].text,
		    c.red, c.green, c.blue);
	}
}

Test(color, anything_else_is_none_and_changes_nothing)
{
	static const char *const rows[] = { "", "#", "#f", "#ff", "#ffff", "#ggg",
		"#fffffffffffffff", "rgb:", "rgb:/", "rgb://", "rgb:f/f", "rgb:f/f/",
		"rgb:/f/f", "rgb:f/f/f/f", "rgb:f/f/f/", "rgb:00000/0/0", "rgb:f/f/-1",
		"rgb:f/f/ f", "rgb:f/f/0x1", "rgba:f/f/f", "rgba:f/f/f/f/f",
		"rgba:f/f/f/", "rgb:f/f/f;", "RGB:f/f/f", "rgbi:1.0/1.0/1.0", "red", "?" };
	struct color c = { 1, 2, 3 };
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		cr_expect_not(color_parse(&c, rows[i], strlen(rows[i])), "%s", rows[i]);
		cr_assert(c.red == 1 && c.green == 2 && c.blue == 3, "%s", rows[i]);
	}
	cr_expect_not(color_parse(&c, "rgb:f/f/f\0", 10), "a NUL");
	cr_expect_not(color_parse(&c, "rgb:f/f/f", 8), "only what is of the text");
}

Test(color, is_written_to_the_nearest)
{
	static const struct {
		struct color color;
		const char *text;
	} rows[] = {
		{ { 0, 0, 0 }, "#000000" }, { { 0xffff, 0xffff, 0xffff }, "#ffffff" },
		{ { 0x0080, 0x0081, 0x0101 }, "#000101" },
		{ { 0x1234, 0x8000, 0xff7e }, "#1280fe" },
		{ { 0x1212, 0xff80, 0xfeff }, "#12fffe" },
	};
	char text[COLOR_TEXT];
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		color_format(text, &rows[i].color);
		cr_expect_str_eq(text, rows[i].text);
	}
}

Test(color, names_go_both_ways)
{
	char name[COLOR_NAME];
	unsigned which, found;

	for (which = 0; which < COLOR_COUNT; which++) {
		color_name(name, which);
		cr_assert(color_which(&found, name), "%s", name);
		cr_expect_eq(found, which);
	}
	cr_expect_not(color_which(&found, "256"));
	cr_expect_not(color_which(&found, ""));
	cr_expect_not(color_which(&found, "Background"));
}

/* Green is bright and blue is dark at the same value: BT.601. */
Test(color, is_dark_by_luminance)
{
	static const struct {
		struct color color;
		bool dark;
	} rows[] = {
		{ { 0, 0, 0 }, true }, { { 0xffff, 0xffff, 0xffff }, false },
		{ { 0, 0xffff, 0 }, false }, { { 0, 0, 0xffff }, true },
		{ { 0xffff, 0, 0 }, true }, { { 0x7fff, 0x7fff, 0x7fff }, true },
		{ { 0x8000, 0x8000, 0x8000 }, false }, { { 0xfdfd, 0xf6f6, 0xe3e3 }, false },
		{ { 0, 0x2b2b, 0x3636 }, true },
	};
	size_t i;

	for (i = 0; i < LEN(rows); i++)
		cr_expect_eq(color_is_dark(&rows[i].color), rows[i].dark, "row %zu", i);
}

Test(color, no_room_is_said)
{
	static const struct color color = { 1, 2, 3 };
	struct buf b;
	size_t max;

	for (max = 0; max < sizeof("\x1b]4;255;rgb:0001/0002/0003\x1b\\") - 1; max++) {
		buf_init(&b, max);
		cr_expect_not(encode_color_set(&b, 255, &color));
		cr_expect_eq(b.fault, BUF_TOO_LARGE);
		buf_free(&b);
	}
	buf_init(&b, 10);
	cr_expect_not(encode_color_reset_all(&b));
	buf_free(&b);
	buf_init(&b, 10);
	cr_expect_not(encode_color_chart(&b));
	buf_free(&b);
}
