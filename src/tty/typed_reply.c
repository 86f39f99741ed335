/* SPDX-License-Identifier: MIT */
/* Replies of OSC 5522; the contract is in typed_reply.h. */
#include "tty/typed_reply.h"

#include "base/base64.h"
#include "base/text.h"

#include <string.h>

static const char words[][8] = {
	[TYPED_OK] = "OK",
	[TYPED_DATA] = "DATA",
	[TYPED_DONE] = "DONE",
	[TYPED_EIO] = "EIO",
	[TYPED_EINVAL] = "EINVAL",
	[TYPED_ENOSYS] = "ENOSYS",
	[TYPED_EPERM] = "EPERM",
	[TYPED_EBUSY] = "EBUSY",
};

/* A value of the metadata. */
struct value {
	const char *at;
	size_t n;
};

static bool
value_is(struct value v, const char *text)
{
	return v.n == strlen(text) && memcmp(v.at, text, v.n) == 0;
}

/* The value of a key, the first of that name; at NULL: there is none. */
static struct value
find(const char *at, size_t n, const char *key)
{
	const char *end = at + n, *colon, *from;
	size_t length = strlen(key);

	for (; at < end; at = colon + 1) {
		colon = memchr(at, ':', (size_t)(end - at));
		if (colon == NULL)
			colon = end;
		from = at + length + 1;
		if (from <= colon && memcmp(at, key, length) == 0 && from[-1] == '=')
			return (struct value){ from, (size_t)(colon - from) };
	}
	return (struct value){ NULL, 0 };
}

static enum typed_status
status_of(struct value status)
{
	size_t i;

	for (i = 0; i < TYPED_UNKNOWN; i++)
		if (value_is(status, words[i]))
			break;
	return (enum typed_status)i;
}

/* A type that is no text, or longer than any, is none that was asked for. */
static bool
take_type(char type[TYPED_TYPE_MAX + 1], struct value mime)
{
	struct buf text;
	bool fine;

	type[0] = '\0';
	if (mime.at == NULL)
		return true;
	buf_init(&text, TYPED_TYPE_MAX);
	fine = base64_decode(&text, mime.at, mime.n) &&
	    (text.len == 0 || memchr(text.data, '\0', text.len) == NULL);
	if (fine && text.len > 0) {
		memcpy(type, text.data, text.len);
		type[text.len] = '\0';
	}
	buf_free(&text);
	return fine;
}

/*
 * One without an id is taken for ours, because Contour 0.7 sends none back; but not one
 * with a password, by which a terminal tells of its own accord that somebody pastes.
 */
static bool
is_our_id(const char *text, size_t n, const char *id)
{
	struct value found = find(text, n, "id");

	return found.at != NULL ? value_is(found, id) : find(text, n, "pw").at == NULL;
}

bool
typed_reply_parse(struct typed_reply *reply, const char *text, size_t n, const char *id)
{
	const char *payload = memchr(text, ';', n);
	size_t keys = payload != NULL ? (size_t)(payload - text) : n;
	struct value kind = find(text, keys, "type"), status;

	reply->write = value_is(kind, "write");
	if ((!reply->write && !value_is(kind, "read")) || !is_our_id(text, keys, id))
		return false;
	status = find(text, keys, "status");
	if (status.n == 0)
		return false;
	reply->status = status_of(status);
	text_format(reply->word, sizeof(reply->word), "%.*s", (int)(status.n < 15 ?
	    status.n : 15), status.at);
	reply->data = payload != NULL ? payload + 1 : text + n;
	reply->size = payload != NULL ? n - keys - 1 : 0;
	return take_type(reply->type, find(text, keys, "mime"));
}
