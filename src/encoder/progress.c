/* SPDX-License-Identifier: MIT */
/* OSC 9;4; the bytes are drawn in encoder.h. */
#include "encoder/encoder.h"

#include <stdio.h>

bool
encode_progress(struct buf *out, enum progress state, unsigned percent)
{
	char sequence[sizeof("\x1b]9;4;0;100\x1b\\")];

	if (state == PROGRESS_CLEAR || state == PROGRESS_BUSY)
		percent = 0;
	snprintf(sequence, sizeof(sequence), "\x1b]9;4;%d;%u\x1b\\", (int)state,
	    percent < 100 ? percent : 100);
	return buf_add_string(out, sequence);
}
