/* SPDX-License-Identifier: MIT */
/*
 * encoder/title: every byte, from xterm's control sequences and Screen's manual,
 * and what no text may do.
 */
#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* A text with NULs in it. */
#define TEXT(text) text, sizeof(text) - 1

static void
expect(enum title which, const char *text, size_t n, const char *wanted)
{
	struct buf b;

	buf_init(&b, 1 << 20);
	cr_assert(encode_title(&b, which, text, n));
	cr_expect(b.len == strlen(wanted) && memcmp(b.data, wanted, b.len) == 0,
	    "title %d of %zu bytes: \"%.*s\"", (int)which, n, (int)b.len, b.data);
	buf_free(&b);
}

Test(title, every_kind)
{
	expect(TITLE_BOTH, TEXT("a title"), "\x1b]0;a title\x1b\\");
	expect(TITLE_ICON, TEXT("a title"), "\x1b]1;a title\x1b\\");
	expect(TITLE_WINDOW, TEXT("a title"), "\x1b]2;a title\x1b\\");
	expect(TITLE_MUX_WINDOW, TEXT("a title"), "\x1bka title\x1b\\");
	expect(TITLE_BOTH, TEXT(""), "\x1b]0;\x1b\\");
	expect(TITLE_MUX_WINDOW, TEXT(""), "\x1bk\x1b\\");
}

#define GONE "\xef\xbf\xbd"

Test(title, no_text_ends_it_or_begins_another)
{
	expect(TITLE_WINDOW, TEXT("a\x1b\\b"), "\x1b]2;a" GONE "\\b\x1b\\");
	expect(TITLE_WINDOW, TEXT("a\ab"), "\x1b]2;a" GONE "b\x1b\\");
	expect(TITLE_MUX_WINDOW, TEXT("a\x18\x1a"), "\x1bka" GONE GONE "\x1b\\");
	expect(TITLE_WINDOW, TEXT("a\x9c\x62"), "\x1b]2;a" GONE "b\x1b\\");
	expect(TITLE_WINDOW, TEXT("a\xc2\x9c" "b"), "\x1b]2;a" GONE "b\x1b\\");
	expect(TITLE_WINDOW, TEXT("a\0b"), "\x1b]2;a" GONE "b\x1b\\");
	expect(TITLE_WINDOW, TEXT("a\nb\tc\r\nd"), "\x1b]2;a b c d\x1b\\");
	expect(TITLE_WINDOW, TEXT("4;1;50"), "\x1b]2;4;1;50\x1b\\");
}

Test(title, size_is_exact)
{
	static const enum title all[] = { TITLE_BOTH, TITLE_ICON, TITLE_WINDOW,
		TITLE_MUX_WINDOW };
	struct buf b;
	size_t i;

	for (i = 0; i < LEN(all); i++) {
		buf_init(&b, 1 << 20);
		cr_assert(encode_title(&b, all[i], "12345", 5));
		cr_expect_eq(b.len, title_size(all[i], 5));
		buf_free(&b);
	}
}

Test(title, stack)
{
	struct buf b;

	buf_init(&b, 1 << 20);
	cr_assert(encode_title_push(&b, TITLE_BOTH));
	cr_assert(encode_title_pop(&b, TITLE_BOTH));
	cr_assert(encode_title_push(&b, TITLE_ICON));
	cr_assert(encode_title_pop(&b, TITLE_WINDOW));
	cr_expect(b.len == 28 && memcmp(b.data,
	    "\x1b[22;0t\x1b[23;0t\x1b[22;1t\x1b[23;2t", 28) == 0);
	buf_free(&b);
}

Test(title, no_room_is_said)
{
	struct buf b;
	size_t max, size = title_size(TITLE_WINDOW, 5);

	for (max = 0; max < size; max++) {
		buf_init(&b, max);
		cr_expect_not(encode_title(&b, TITLE_WINDOW, "12345", 5));
		cr_expect_eq(b.fault, BUF_TOO_LARGE);
		buf_free(&b);
	}
}
