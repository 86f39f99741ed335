/* SPDX-License-Identifier: MIT */
/* encoder/progress: too much, and no room; the rest is in tests/golden/progress.tbl. */
#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <string.h>

static void
expect(enum progress state, unsigned percent, const char *wanted)
{
	struct buf b;

	buf_init(&b, 64);
	cr_assert(encode_progress(&b, state, percent));
	cr_assert(b.len == strlen(wanted) && memcmp(b.data, wanted, b.len) == 0,
	    "state %d, %u %%", (int)state, percent);
	buf_free(&b);
}

Test(progress, more_than_all_is_all)
{
	expect(PROGRESS_NORMAL, 101, "\x1b]9;4;1;100\x1b\\");
	expect(PROGRESS_NORMAL, (unsigned)-1, "\x1b]9;4;1;100\x1b\\");
}

Test(progress, no_room_adds_nothing)
{
	struct buf b;

	buf_init(&b, 10);
	cr_assert_not(encode_progress(&b, PROGRESS_NORMAL, 50));
	cr_assert(b.len == 0 && b.fault == BUF_TOO_LARGE);
	buf_free(&b);
}
