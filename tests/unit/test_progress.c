/* SPDX-License-Identifier: MIT */
/* encoder/progress: every byte, from ConEmu's description of OSC 9;4. */
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

Test(progress, every_state)
{
	expect(PROGRESS_NORMAL, 50, "\x1b]9;4;1;50\x1b\\");
	expect(PROGRESS_ERROR, 50, "\x1b]9;4;2;50\x1b\\");
	expect(PROGRESS_PAUSED, 50, "\x1b]9;4;4;50\x1b\\");
	expect(PROGRESS_BUSY, 50, "\x1b]9;4;3;0\x1b\\");
	expect(PROGRESS_CLEAR, 50, "\x1b]9;4;0;0\x1b\\");
}

Test(progress, the_ends_of_the_scale)
{
	expect(PROGRESS_NORMAL, 0, "\x1b]9;4;1;0\x1b\\");
	expect(PROGRESS_NORMAL, 100, "\x1b]9;4;1;100\x1b\\");
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
