/* SPDX-License-Identifier: MIT */
/* JSON. */
#include "base/base.h"

#include <string.h>

static void
add_string(struct buf *out, const char *text)
{
	size_t n, left = strlen(text);
	uint32_t point;

	buf_add(out, "\"", 1);
	for (; left > 0; left -= n, text += n) {
		n = text_printable(text, left);
		if (*text == '"' || *text == '\\') {
			buf_format(out, "\\%c", *text);
		} else if (n > 0) {
			buf_add(out, text, n);
		} else {
			/* code points that are not printable have at most four digits */
			n = text_utf8(text, left, &point);
			buf_format(out, "\\u%04x", n > 0 ? (unsigned)point : 0xfffdU);
			n = n > 0 ? n : 1;
		}
	}
	buf_add(out, "\"", 1);
}

void
json_raw(struct buf *out, const char *name, const char *value)
{
	if (out->len > 0 && strchr("{[", out->data[out->len - 1]) == NULL)
		buf_add(out, ",", 1);
	if (name != NULL) {
		add_string(out, name);
		buf_add(out, ":", 1);
	}
	buf_add_string(out, value);
}

void
json_text(struct buf *out, const char *name, const char *text)
{
	const bool empty = text == NULL || text[0] == '\0';

	json_raw(out, name, empty ? "null" : "");
	if (!empty)
		add_string(out, text);
}

void
json_number(struct buf *out, const char *name, size_t number)
{
	json_raw(out, name, "");
	buf_format(out, "%zu", number);
}
