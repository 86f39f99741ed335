/* SPDX-License-Identifier: MIT */
/* The growable buffer; the contract is in buf.h. */
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

/* One allocation serves the sequences of everyday use. */
enum { FIRST_CAPACITY = 2048 };

void
buf_init(struct buf *b, size_t max)
{
	*b = (struct buf){ .max = max };
}

void
buf_free(struct buf *b)
{
	free(b->data);
	buf_init(b, b->max);
}

static bool
fail(struct buf *b, enum buf_fault fault)
{
	if (b->fault == BUF_FINE)
		b->fault = fault;
	return false;
}

/* Doubling makes n additions linear. */
static size_t
next_capacity(const struct buf *b, size_t need)
{
	size_t capacity = b->capacity != 0 ? b->capacity : FIRST_CAPACITY;

	while (capacity < need)
		capacity = capacity > b->max / 2 ? b->max : capacity * 2;
	return capacity;
}

bool
buf_reserve(struct buf *b, size_t extra)
{
	size_t capacity;
	unsigned char *data;

	if (b->fault != BUF_FINE)
		return false;
	if (extra > b->max || b->len > b->max - extra)
		return fail(b, BUF_TOO_LARGE);
	if (b->data != NULL && b->len + extra <= b->capacity)
		return true;
	capacity = next_capacity(b, b->len + extra);
	data = realloc(b->data, capacity);
	if (data == NULL)
		return fail(b, BUF_NO_MEMORY);
	b->data = data;
	b->capacity = capacity;
	return true;
}

bool
buf_add(struct buf *b, const void *bytes, size_t n)
{
	if (n == 0)
		return b->fault == BUF_FINE;
	if (!buf_reserve(b, n))
		return false;
	memcpy(b->data + b->len, bytes, n);
	b->len += n;
	return true;
}

bool
buf_add_string(struct buf *b, const char *string)
{
	return buf_add(b, string, strlen(string));
}

bool
buf_open_front(struct buf *b, size_t n)
{
	if (!buf_reserve(b, n))
		return false;
	memmove(b->data + n, b->data, b->len);
	b->len += n;
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
