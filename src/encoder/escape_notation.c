/* SPDX-License-Identifier: MIT */
/* Bytes as readable text; encoder.h describes the notation. */
#include "encoder/encoder.h"

#include "base/base.h"

void
escape_notation_write(struct buf *out, const unsigned char *bytes, size_t n)
{
	for (; n > 0; n--, bytes++)
		if (*bytes == ESC)
			buf_add_string(out, "\\e");
		else if (*bytes == BEL)
			buf_add_string(out, "\\a");
		else if (*bytes == '\\')
			buf_add_string(out, "\\\\");
		else if (*bytes >= 0x20 && *bytes < 0x7f)
			buf_add(out, bytes, 1);
		else
			buf_format(out, "\\x%02x", *bytes);
}
