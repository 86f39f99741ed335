/* SPDX-License-Identifier: MIT */
/* Reads notifications: OSC 9, 777 and 99 (kitty, "Desktop notifications"). */
#include "relay/relay.h"

#include <limits.h>
#include <string.h>

/* Stores the values of the keys, such as those of "i=1:p=body", and ends each with NUL in place. */
static void
read_keys(const char *value[UCHAR_MAX + 1], char *text)
{
	char *next;

	for (; text != NULL; text = next) {
		next = strchr(text, ':');
		if (next != NULL)
			*next++ = '\0';
		if (text[0] != '\0' && text[1] == '=')
			value[(unsigned char)text[0]] = text + 2;
	}
}

static void
begin(struct relay_shown *shown, const char *id)
{
	buf_free(&shown->title);
	buf_free(&shown->body);
	shown->title.max = shown->body.max = RELAY_SHOWN_MAX;
	shown->low = false;
	text_copy(shown->id, sizeof(shown->id), id);
}

static enum relay_piece
end(struct relay_shown *shown)
{
	/* the next one with this id is another */
	shown->id[0] = '\0';
	return shown->title.len + shown->body.len > 0 ? RELAY_WHOLE : RELAY_PART;
}

/* `text`: keys, a semicolon, and `n` bytes from `payload` on, with a NUL behind both. */
static enum relay_piece
add_piece(struct relay_shown *shown, char *text, const char *payload, size_t n)
{
	/* the keys that are heeded; a missing one keeps its value here */
	const char *value[UCHAR_MAX + 1] = { ['p'] = "title", ['i'] = "", ['d'] = "", ['e'] = "",
		['u'] = "" };
	const char *part, *id;
	struct buf *to;

	read_keys(value, text);
	part = value['p'];
	/* a reply would contain it */
	id = value['i'][strspn(value['i'], TEXT_ALNUM "-_+.")] == '\0' &&
	    strlen(value['i']) < sizeof(shown->id) ? value['i'] : "";
	if (shown->id[0] == '\0' || strcmp(id, shown->id) != 0)
		begin(shown, id);
	if (strcmp(part, "?") == 0)
		return RELAY_QUERY;
	if (strcmp(part, "close") == 0 || strcmp(part, "alive") == 0)
		return RELAY_PART;
	to = strcmp(part, "title") == 0 ? &shown->title :
	    strcmp(part, "body") == 0 ? &shown->body : NULL;
	if (to != NULL && strcmp(value['e'], "1") == 0)
		base64_decode(to, payload, n);
	else if (to != NULL)
		buf_add(to, payload, n);
	shown->low = shown->low || strcmp(value['u'], "0") == 0;
	return strcmp(value['d'], "0") == 0 ? RELAY_PART : end(shown);
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
