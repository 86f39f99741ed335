/* SPDX-License-Identifier: MIT */
/* OSC 52, titles and OSC 9;4, which have one part. encoder.h shows the bytes. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <string.h>

size_t
clipboard_write_size(size_t n)
{
	return strlen(CLIPBOARD_START "c;") + base64_encoded_size(n) + strlen(ST);
}

void
encode_clipboard_write(struct buf *bytes, const char *selections)
{
	const unsigned char head[] = { ESC, ']', '5', '2', ';', (unsigned char)*selections, ';' };
	const size_t n = bytes->len, size = clipboard_write_size(n);

	bytes->max = BUF_NO_LIMIT;
	buf_reserve(bytes, strlen(selections) * size - n);
	bytes->len = sizeof(head);
	base64_encode(bytes, bytes->data, n);
	memcpy(bytes->data, head, sizeof(head));
	buf_add_string(bytes, ST);
	/* the others differ in the letter */
	while (*++selections != '\0') {
		memcpy(bytes->data + bytes->len, bytes->data, size);
		bytes->data[bytes->len + sizeof(head) - 2] = (unsigned char)*selections;
		bytes->len += size;
	}
}

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
