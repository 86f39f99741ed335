/* SPDX-License-Identifier: MIT */
/* Announces a relay in the replies of the terminal; relay.h shows the bytes. */
#include "relay/relay.h"

#include <string.h>

static const char da1[] = DA1_REPLY, version[] = VERSION_REPLY;

enum { DA1 = sizeof(da1) - 1, VERSION = sizeof(version) - 1 };

static const struct {
	const char *bytes;
	enum { PRESSED, DROPPED, PASTE, PASTED } what;
} keys[] = {
#define KEY(...) { __VA_ARGS__ },
#include "encoder/keys.def"
#undef KEY
};

enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

static void
add(struct relay_replies *r, unsigned char c)
{
	r->held[r->size++] = c;
}

/* Whether a reply with this introducer can begin with the bytes in `held` and `c`. */
static bool
begins(const struct relay_replies *r, unsigned char c, const char *introducer, size_t n)
{
	if (r->size >= n)
		return memcmp(r->held, introducer, n) == 0;
	return memcmp(r->held, introducer, r->size) == 0 && introducer[r->size] == (char)c;
}

/* Whether one of the numbers after the introducer is 52. */
static bool
has_52(const struct relay_replies *r)
{
	unsigned number = 0;
	size_t i;

	for (i = DA1; i < r->size; i++) {
		if (r->held[i] == ';' && number == 52)
			return true;
		number = r->held[i] == ';' ? 0 : number % 1000 * 10 + (r->held[i] - '0');
	}
	return number == 52;
}

static void
end_da1(struct relay_replies *r, struct buf *out)
{
	const bool has_number = r->size > DA1 && r->held[r->size - 1] != ';';
	const bool announced = has_52(r);

	r->da1--;
	relay_replies_release(r, out);
	if (!announced)
		buf_add_string(out, has_number ? ";52" : "52");
	buf_add_string(out, "c");
}

/* The ESC of the ST is in `held`. */
static void
end_version(struct relay_replies *r, struct buf *out)
{
	r->version--;
	r->size--;
	relay_replies_release(r, out);
	buf_add_string(out, r->name);
	buf_add_string(out, ST);
}

/* Whether `c` continues a row of keys.def, or ends it. In a paste only its end counts. */
static bool
take_key(struct relay_replies *r, unsigned char c, struct buf *out)
{
	size_t i = 0;

	while (i < KEYS && (strncmp(keys[i].bytes, (char *)r->held, r->size) != 0 ||
	    keys[i].bytes[r->size] != (char)c || (r->pastes && keys[i].what != PASTED)))
		i++;
	if (i == KEYS)
		return false;
	add(r, c);
	if (keys[i].bytes[r->size] != '\0')
		return true;
	r->pressed = keys[i].what == PRESSED;
	r->pastes = keys[i].what == PASTE;
	if (keys[i].what == DROPPED)
		r->size = 0;
	else if (!r->pressed)
		relay_replies_release(r, out);
	return true;
}

/* Whether `c` continues a reply that is expected, or ends it. */
static bool
take(struct relay_replies *r, unsigned char c, struct buf *out)
{
	const bool escaped = r->size > VERSION && r->held[r->size - 1] == ESC;

	if (r->size == RELAY_REPLY_MAX)
		return false;
	if (r->da1 > 0 && begins(r, c, da1, DA1)) {
		if (r->size >= DA1 && c == 'c')
			end_da1(r, out);
		else if (r->size < DA1 || c == ';' || text_is_digit((char)c))
			add(r, c);
		else
			return false;
		return true;
	}
	if (r->version == 0 || !begins(r, c, version, VERSION))
		return r->finds_key && take_key(r, c, out);
	if (escaped && c == '\\')
		end_version(r, out);
	else if (!escaped && (r->size < VERSION || c >= 0x20 || c == ESC))
		add(r, c);
	else
		return false;
	return true;
}

size_t
relay_replies_feed(struct relay_replies *r, const void *bytes, size_t n, struct buf *out)
{
	const unsigned char *at = bytes;
	bool escape;

	for (; n > 0 && !r->pressed && (r->size > 0 || r->finds_key || r->da1 + r->version > 0);
	    at++, n--) {
		if (take(r, *at, out))
			continue;
		/* an ESC before it may begin the reply */
		escape = r->size > 1 && r->held[r->size - 1] == ESC;
		r->size -= escape;
		relay_replies_release(r, out);
		if (escape)
			add(r, ESC);
		if (!take(r, *at, out)) {
			relay_replies_release(r, out);
			buf_add(out, at, 1);
		}
	}
	if (!r->pressed) {
		buf_add(out, at, n);
		at += n;
	}
	return (size_t)(at - (const unsigned char *)bytes);
}

void
relay_replies_release(struct relay_replies *r, struct buf *out)
{
	buf_add(out, r->held, r->size);
	r->size = 0;
}
