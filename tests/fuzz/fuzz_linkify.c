/* SPDX-License-Identifier: MIT */
/*
 * linkify: the bytes are the same but for links; every link that is opened is
 * closed on its line; taking links out twice is taking them out once; how the
 * input is cut makes no difference.
 */
#include "encoder/encoder.h"
#include "linkify/linkify.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A name with an `e` in it is a file. */
static bool
find(void *context, const char *path, struct buf *absolute)
{
	(void)context;
	return strchr(path, 'e') != NULL && buf_add_string(absolute, "/f/") &&
	    buf_add_string(absolute, path);
}

static struct buf
filtered(enum linkify_mode mode, const uint8_t *data, size_t size, size_t piece)
{
	struct linkify_settings settings = {
		.mode = mode, .find = find, .place = "file://{host}{path}#{line}",
		.host = "h",
	};
	struct linkify *l = linkify_new(&settings);
	struct error error;
	struct buf out;
	size_t at;

	buf_init(&out, (size_t)-1 / 2);
	if (l == NULL || !linkify_rule(l, "#([0-9]+)=i:\\1", &error))
		abort();
	for (at = 0; at < size; at += piece)
		linkify_feed(l, data + at, size - at < piece ? size - at : piece,
		    &out);
	if (!linkify_end(l, &out))
		abort();
	linkify_free(l);
	return out;
}

static void
check_same(const struct buf *a, const struct buf *b)
{
	if (a->len != b->len || (a->len > 0 && memcmp(a->data, b->data, a->len) != 0))
		abort();
}

/* Our links: what the output has and the input has not. */
static void
check_closed(const uint8_t *data, size_t size)
{
	static const char close[] = "\x1b]8;;\x1b\\";
	struct buf out = filtered(LINKIFY_ADD, data, size, size + 1);
	const unsigned char *line = out.data, *end, *at;
	size_t links = 0;

	/* only where the input has no sequences are all of them ours */
	if (memchr(data, 0x1b, size) == NULL)
		for (at = line; out.len > 0 && at < out.data + out.len; at++) {
			if (*at == '\n' && links != 0)
				abort();
			if (*at != 0x1b)
				continue;
			end = memchr(at + 1, 0x1b, (size_t)(out.data + out.len -
			    at - 1));
			if (end == NULL || end[1] != '\\')
				abort();
			if (memcmp(at, close, 5) == 0 && end == at + 5)
				links--;
			else
				links++;
			if (links > 1)
				abort();
			at = end + 1;
		}
	if (links != 0)
		abort();
	buf_free(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf with, pieces, plain, twice, back;

	if (size == 0)
		return 0;
	with = filtered(LINKIFY_ADD, data, size, size);
	pieces = filtered(LINKIFY_ADD, data, size, 1 + data[0] % 16);
	check_same(&with, &pieces);
	buf_free(&pieces);
	plain = filtered(LINKIFY_STRIP, data, size, size);
	pieces = filtered(LINKIFY_STRIP, data, size, 1 + data[0] % 16);
	check_same(&plain, &pieces);
	twice = filtered(LINKIFY_STRIP, plain.data, plain.len, plain.len + 1);
	check_same(&plain, &twice);
	back = filtered(LINKIFY_STRIP, with.data, with.len, with.len + 1);
	check_same(&plain, &back);
	check_closed(data, size);
	buf_free(&with);
	buf_free(&pieces);
	buf_free(&plain);
	buf_free(&twice);
	buf_free(&back);
	return 0;
}
