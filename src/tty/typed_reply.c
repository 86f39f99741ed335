/* SPDX-License-Identifier: MIT */
/* Replies of OSC 5522; the contract is in typed_reply.h. */
#include "tty/typed_reply.h"

#include "base/base64.h"
#include "base/text.h"
#include "tty/reply.h"

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

static enum typed_status
status_of(struct reply_piece status)
{
	size_t i;

	for (i = 0; i < TYPED_UNKNOWN; i++)
		if (reply_piece_is(status, words[i]))
			break;
	return (enum typed_status)i;
}

/* A type that is no text, or longer than any, is none that was asked for. */
static bool
take_type(char type[TYPED_TYPE_MAX + 1], struct reply_piece mime)
{
	struct buf text;
	bool fine;

	type[0] = '\0';
	if (mime.text == NULL)
		return true;
	buf_init(&text, TYPED_TYPE_MAX);
	fine = base64_decode(&text, mime.text, mime.size) &&
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
is_our_id(struct reply_piece metadata, const char *id)
{
	struct reply_piece found = reply_value(metadata, "id");

	return found.text != NULL ? reply_piece_is(found, id) :
	    reply_value(metadata, "pw").text == NULL;
}

bool
typed_reply_parse(struct typed_reply *reply, const char *text, size_t n, const char *id)
{
	const char *payload = memchr(text, ';', n);
	struct reply_piece metadata = { text, payload != NULL ? (size_t)(payload - text) : n };
	struct reply_piece kind = reply_value(metadata, "type"), status;

	reply->write = reply_piece_is(kind, "write");
	if ((!reply->write && !reply_piece_is(kind, "read")) || !is_our_id(metadata, id))
		return false;
	status = reply_value(metadata, "status");
	if (status.size == 0)
		return false;
	reply->status = status_of(status);
	text_format(reply->word, sizeof(reply->word), "%.*s", (int)(status.size < 15 ?
	    status.size : 15), status.text);
	reply->data = payload != NULL ? payload + 1 : text + n;
	reply->size = payload != NULL ? n - metadata.size - 1 : 0;
	return take_type(reply->type, reply_value(metadata, "mime"));
}
