/* SPDX-License-Identifier: MIT */
/* Growable buffers. */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

/* Enough for the sequences of everyday use. */
enum { FIRST_CAPACITY = 2048 };

void *
xrealloc(void *old, size_t n)
{
	void *new = realloc(old, n);

	if (new == NULL) {
		/* printing a JSON error needs memory */
		messages.json = false;
		die(STATUS_FAILED, "out of memory");
	}
	return new;
}

void
buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ .max = b->max };
}

/* Called rarely, and kept out of the functions below, which are called for each piece. */
static bool __attribute__((noinline))
grow(struct buf *b, size_t extra)
{
	size_t capacity = b->capacity != 0 ? b->capacity : MIN(FIRST_CAPACITY, b->max);

	b->full = extra > b->max || b->len > b->max - extra;
	if (b->full)
		return false;
	/* doubling makes n additions linear */
	while (capacity < b->len + extra)
		capacity = capacity > b->max / 2 ? b->max : capacity * 2;
	b->data = xrealloc(b->data, capacity);
	b->capacity = capacity;
	return true;
}

bool
buf_reserve(struct buf *b, size_t extra)
{
	return !b->full &&
	    ((extra <= b->capacity - b->len && b->data != NULL) || grow(b, extra));
}

bool
buf_add(struct buf *b, const void *bytes, size_t n)
{
	if (!buf_reserve(b, n))
		return false;
	if (n > 0)
		memcpy(b->data + b->len, bytes, n);
	b->len += n;
	return true;
}

bool
buf_format(struct buf *b, const char *format, ...)
{
	va_list arguments;
	size_t n;

	va_start(arguments, format);
	n = (size_t)vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (!buf_reserve(b, n))
		return false;
	/* the NUL does not count against the limit */
	if (b->capacity - b->len == n)
		b->data = xrealloc(b->data, b->capacity + 1);
	va_start(arguments, format);
	vsnprintf((char *)b->data + b->len, n + 1, format, arguments);
	va_end(arguments);
	b->len += n;
	return true;
}

bool
buf_trim_newline(struct buf *b)
{
	if (b->len == 0 || b->data[b->len - 1] != '\n')
		return false;
	b->len--;
	return true;
}

bool
buf_holds(const struct buf *b, const char *text)
{
	size_t n = strlen(text), i;

	for (i = 0; i + n <= b->len; i++)
		if (memcmp(b->data + i, text, n) == 0)
			return true;
	return false;
}
