/* SPDX-License-Identifier: MIT */
/* Titles and OSC 9;4: short sequences in one part; encoder.h shows the bytes. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <string.h>

void
encode_title(struct buf *out, bool window_name, const char *text, size_t n)
{
	buf_add_string(out, window_name ? "\x1bk" : "\x1b]0;");
	text_sanitize(out, text, n, false);
	buf_add_string(out, ST);
}

void
encode_progress(struct buf *out, enum progress state, unsigned percent)
{
	if (state == PROGRESS_CLEAR || state == PROGRESS_BUSY)
		percent = 0;
	buf_format(out, "\x1b]9;4;%d;%u" ST, (int)state, percent < 100 ? percent : 100);
}
