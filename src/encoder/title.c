/* SPDX-License-Identifier: MIT */
/* OSC 0 to 2, ESC k and the stack; the bytes are drawn in encoder.h. */
#include "encoder/encoder.h"

#include "base/text.h"

#include <string.h>

#define TAIL "\x1b\\"

static const char *const heads[] = {
	[TITLE_BOTH] = "\x1b]0;",
	[TITLE_ICON] = "\x1b]1;",
	[TITLE_WINDOW] = "\x1b]2;",
	[TITLE_MUX_WINDOW] = "\x1bk",
};

bool
encode_title(struct buf *out, enum title which, const char *text, size_t n)
{
	buf_add_string(out, heads[which]);
	text_sanitize(out, text, n, false);
	return buf_add_string(out, TAIL) && out->fault == BUF_FINE;
}

size_t
title_size(enum title which, size_t n)
{
	return strlen(heads[which]) + n + strlen(TAIL);
}

static bool
add_stack(struct buf *out, const char *operation, enum title which)
{
	const char number[] = { (char)('0' + which), 't', '\0' };

	return buf_add_string(out, operation) && buf_add_string(out, number);
}

bool
encode_title_push(struct buf *out, enum title which)
{
	return add_stack(out, "\x1b[22;", which);
}

bool
encode_title_pop(struct buf *out, enum title which)
{
	return add_stack(out, "\x1b[23;", which);
}
