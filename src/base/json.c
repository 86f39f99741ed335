/* SPDX-License-Identifier: MIT */
/* JSON; the contract is in json.h. */
#include "base/json.h"

#include "base/base64.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/*
 * Adds the character that is not printable at `text`, which has `left` bytes, as \uNNNN.
 * Gives its length. All characters of four bytes are printable.
 */
static size_t
add_escape(struct buf *out, const char *text, size_t left)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t n = c[0] < 0x80 ? 0 : text_utf8(text, left);
	unsigned point = c[0] < 0x80 ? c[0] : 0xfffd;
	char escape[8];

	if (n == 2)
		point = (c[0] & 0x1fU) << 6 | (c[1] & 0x3fU);
	if (n == 3)
		point = (c[0] & 0x0fU) << 12 | (c[1] & 0x3fU) << 6 |
		    (c[2] & 0x3fU);
	snprintf(escape, sizeof(escape), "\\u%04x", point);
	buf_add_string(out, escape);
	return n > 0 ? n : 1;
}

static void
add_string(struct buf *out, const char *text)
{
	size_t n, left = strlen(text);

	buf_add(out, "\"", 1);
	for (; left > 0; left -= n, text += n) {
		n = text_printable(text, left);
		if (n > 0 && *text != '"' && *text != '\\')
			buf_add(out, text, n);
		else
			n = add_escape(out, text, left);
	}
	buf_add(out, "\"", 1);
}

static void
begin_value(struct buf *out, const char *name)
{
	if (out->len > 0 && strchr("{[\n", out->data[out->len - 1]) == NULL)
		buf_add(out, ",", 1);
	if (name == NULL)
		return;
	add_string(out, name);
	buf_add(out, ":", 1);
}

void
json_open(struct buf *out, const char *name, char bracket)
{
	begin_value(out, name);
	buf_add(out, &bracket, 1);
}

void
json_close(struct buf *out, char bracket)
{
	buf_add(out, &bracket, 1);
}

void
json_text(struct buf *out, const char *name, const char *text)
{
	begin_value(out, name);
	if (text == NULL || text[0] == '\0')
		buf_add_string(out, "null");
	else
		add_string(out, text);
}

void
json_number(struct buf *out, const char *name, size_t number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%zu", number);
	begin_value(out, name);
	buf_add_string(out, digits);
}

void
json_bool(struct buf *out, const char *name, bool value)
{
	begin_value(out, name);
	buf_add_string(out, value ? "true" : "false");
}

void
json_base64(struct buf *out, const char *name, const void *bytes, size_t n)
{
	size_t from;

	begin_value(out, name);
	buf_add(out, "\"", 1);
	from = out->len;
	if (buf_add(out, bytes, n))
		base64_encode_in_place(out, from);
	buf_add(out, "\"", 1);
}
