/* SPDX-License-Identifier: MIT */
/* Announces a relay in the replies of the terminal; relay.h shows the bytes. */
#include "relay/relay.h"

#include <string.h>

/* What is held: a whole one of these, what may become one, or neither. */
enum what { NEITHER, BEGINNING, DA1, VERSION, PRESSED, DROPPED, PASTE, PASTED };

static const struct {
	const char *bytes;
	enum what what;
} keys[] = {
#define KEY(...) { __VA_ARGS__ },
#include "encoder/keys.def"
#undef KEY
};

enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

/* Whether what is held begins with these bytes, or they with that. */
static bool
agrees(const struct relay_replies *r, const char *bytes)
{
	const size_t n = strlen(bytes);

	return memcmp(r->held, bytes, r->size < n ? r->size : n) == 0;
}

/* Of what is held all but the last byte is a beginning. */
static enum what
judge(const struct relay_replies *r)
{
	const unsigned char c = r->held[r->size - 1];
	const bool escaped = r->size > 1 && r->held[r->size - 2] == ESC;
	size_t i;

	if (r->size == RELAY_REPLY_MAX)
		return NEITHER;
	if (r->da1 > 0 && agrees(r, DA1_REPLY)) {
		if (r->size <= strlen(DA1_REPLY) || c == ';' || isdigit(c))
			return BEGINNING;
		return c == 'c' ? DA1 : NEITHER;
	}
	if (r->version > 0 && agrees(r, VERSION_REPLY)) {
		if (r->size > strlen(VERSION_REPLY) && escaped)
			return c == '\\' ? VERSION : NEITHER;
		return c >= 0x20 || c == ESC ? BEGINNING : NEITHER;
	}
	/* in a paste only its end counts */
	for (i = 0; i < KEYS && r->finds_key; i++)
		if (strncmp(keys[i].bytes, (const char *)r->held, r->size) == 0 &&
		    (!r->pastes || keys[i].what == PASTED))
			return keys[i].bytes[r->size] != '\0' ? BEGINNING : keys[i].what;
	return NEITHER;
}

/* Passes the reply that is held, with a text before its last `n` bytes. */
static void
announce(struct relay_replies *r, const char *text, size_t n, struct buf *out)
{
	buf_add(out, r->held, r->size - n);
	buf_add_string(out, text);
	buf_add(out, r->held + r->size - n, n);
	r->size = 0;
}

static void
end_da1(struct relay_replies *r, struct buf *out)
{
	const char *text = (const char *)r->held;

	r->da1--;
	r->held[r->size] = '\0';
	if (strstr(text, ";52;") != NULL || strstr(text, ";52c") != NULL)
		relay_replies_release(r, out);
	else
		announce(r, isdigit((unsigned char)text[r->size - 2]) ? ";52" : "52", 1, out);
}

size_t
relay_replies_feed(struct relay_replies *r, const void *bytes, size_t n, struct buf *out)
{
	const unsigned char *at = bytes, *end = at + n;
	enum what what;

	while (at < end && !r->pressed &&
	    (r->size > 0 || r->finds_key || r->da1 + r->version > 0)) {
		r->held[r->size++] = *at++;
		while (r->size > 0 && (what = judge(r)) == NEITHER) {
			buf_add(out, r->held, 1);
			memmove(r->held, r->held + 1, --r->size);
		}
		if (r->size == 0 || what == BEGINNING)
			continue;
		r->pressed = what == PRESSED;
		if (what == DA1) {
			end_da1(r, out);
		} else if (what == VERSION) {
			r->version--;
			announce(r, r->name, strlen(ST), out);
		} else if (what == DROPPED) {
			r->size = 0;
		} else if (!r->pressed) {
			r->pastes = what == PASTE;
			relay_replies_release(r, out);
		}
	}
	if (!r->pressed) {
		buf_add(out, at, (size_t)(end - at));
		at = end;
	}
	return (size_t)(at - (const unsigned char *)bytes);
}

void
relay_replies_release(struct relay_replies *r, struct buf *out)
{
	buf_add(out, r->held, r->size);
	r->size = 0;
}
