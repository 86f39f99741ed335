/* SPDX-License-Identifier: MIT */
/* Reads notifications: OSC 9, 777 and 99 (kitty, "Desktop notifications"). */
#include "relay/relay.h"

#include <string.h>

/* The keys of OSC 99 that are heeded; the values are borrowed. */
struct keys {
	const char *part, *id, *done, *encoded, *urgency;
};

/* Separates the keys, up to the NUL, in place. Those that are missing stay. */
static void
read_keys(struct keys *keys, char *text)
{
	char *next;

	for (; text != NULL; text = next) {
		next = strchr(text, ':');
		if (next != NULL)
			*next++ = '\0';
		if (text_begins(text, "p="))
			keys->part = text + 2;
		else if (text_begins(text, "i="))
			keys->id = text + 2;
		else if (text_begins(text, "d="))
			keys->done = text + 2;
		else if (text_begins(text, "e="))
			keys->encoded = text + 2;
		else if (text_begins(text, "u="))
			keys->urgency = text + 2;
	}
}

static void
begin(struct relay_shown *shown, const char *id)
{
	buf_free(&shown->title);
	buf_free(&shown->body);
	buf_init(&shown->title, RELAY_SHOWN_MAX);
	buf_init(&shown->body, RELAY_SHOWN_MAX);
	shown->low = false;
	text_copy(shown->id, sizeof(shown->id), id);
}

/* notify-send shows nothing without a title. */
static enum relay_piece
end(struct relay_shown *shown)
{
	const struct buf title = shown->title;

	if (title.len == 0) {
		shown->title = shown->body;
		shown->body = title;
	}
	/* the next one with this id is another */
	shown->id[0] = '\0';
	return shown->title.len > 0 ? RELAY_WHOLE : RELAY_PART;
}

/* `text`: keys, a semicolon, and `n` bytes from `payload` on, with a NUL behind both. */
static enum relay_piece
add_piece(struct relay_shown *shown, char *text, const char *payload, size_t n)
{
	struct keys keys = { .part = "title", .id = "", .done = "", .encoded = "", .urgency = "" };
	struct buf *to;

	read_keys(&keys, text);
	/* a reply would contain it */
	if (keys.id[strspn(keys.id, TEXT_ALNUM "-_+.")] != '\0' ||
	    strlen(keys.id) >= sizeof(shown->id))
		keys.id = "";
	if (shown->id[0] == '\0' || strcmp(keys.id, shown->id) != 0)
		begin(shown, keys.id);
	if (strcmp(keys.part, "?") == 0)
		return RELAY_QUERY;
	if (strcmp(keys.part, "close") == 0 || strcmp(keys.part, "alive") == 0)
		return RELAY_PART;
	to = strcmp(keys.part, "title") == 0 ? &shown->title :
	    strcmp(keys.part, "body") == 0 ? &shown->body : NULL;
	if (to != NULL && strcmp(keys.encoded, "1") == 0)
		base64_decode(to, payload, n);
	else if (to != NULL)
		buf_add(to, payload, n);
	shown->low = shown->low || strcmp(keys.urgency, "0") == 0;
	return strcmp(keys.done, "0") == 0 ? RELAY_PART : end(shown);
}

enum relay_piece
relay_shown_add(struct relay_shown *shown, enum notification_protocol protocol,
    const struct buf *text)
{
	char bytes[RELAY_SHOWN_MAX + 1], *found;
	const char *payload;
	size_t n, left;

	n = text->len < RELAY_SHOWN_MAX ? text->len : RELAY_SHOWN_MAX;
	if (n > 0)
		memcpy(bytes, text->data, n);
	bytes[n] = '\0';
	found = memchr(bytes, ';', n);
	payload = found != NULL ? found + 1 : bytes + n;
	left = (size_t)(bytes + n - payload);
	if (protocol == NOTIFICATION_99) {
		if (found != NULL)
			*found = '\0';
		return add_piece(shown, bytes, payload, left);
	}
	begin(shown, "");
	if (protocol == NOTIFICATION_777 && found != NULL) {
		buf_add(&shown->title, bytes, (size_t)(found - bytes));
		buf_add(&shown->body, payload, left);
	} else {
		buf_add(&shown->title, bytes, n);
	}
	return end(shown);
}
