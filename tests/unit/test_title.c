/* SPDX-License-Identifier: MIT */
/* encoder/title: sizes and no room; the bytes are rows of tests/golden/title.tbl. */
#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

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
