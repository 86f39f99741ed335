/* SPDX-License-Identifier: MIT */
/* OSC 5522; the bytes are drawn in encoder.h. */
#include "encoder/encoder.h"

#include "base/base64.h"
#include "base/text.h"

#include <string.h>
#include <strings.h>

#define HEAD "\x1b]5522;type="
#define TAIL "\x1b\\"

static bool
add_base64(struct buf *out, const void *bytes, size_t n)
{
	return n == 0 || base64_encode(out, bytes, n);
}

/* What begins a write or a read. */
static bool
add_request(struct buf *out, const char *kind, const char *id, bool primary)
{
	return buf_add_string(out, HEAD) && buf_add_string(out, kind) &&
	    (id == NULL || (buf_add_string(out, ":id=") && buf_add_string(out, id))) &&
	    (!primary || buf_add_string(out, ":loc=primary"));
}

/* A packet of this kind about the first of the types. */
static bool
add_packet(struct buf *out, const char *kind, const struct typed_item *item,
    const void *payload, size_t n)
{
	return buf_add_string(out, HEAD) && buf_add_string(out, kind) &&
	    buf_add_string(out, ":mime=") &&
	    add_base64(out, item->types, strcspn(item->types, ",")) &&
	    buf_add_string(out, ";") && add_base64(out, payload, n) &&
	    buf_add_string(out, TAIL);
}

/* The types behind the first, with blanks between them. */
static bool
add_aliases(struct buf *out, const struct typed_item *item)
{
	const char *comma = strchr(item->types, ',');
	struct buf names;
	size_t i;
	bool fine;

	if (comma == NULL)
		return true;
	buf_init(&names, out->max);
	fine = buf_add_string(&names, comma + 1);
	for (i = 0; i < names.len; i++)
		if (names.data[i] == ',')
			names.data[i] = ' ';
	fine = fine && add_packet(out, "walias", item, names.data, names.len);
	if (names.fault != BUF_FINE)
		out->fault = names.fault;
	buf_free(&names);
	return fine;
}

/*
 * Screen draws between two strings that it passes on, and a packet in two of them would be
 * lost, which the terminal does not tell: there it is one string, with BEL for its end.
 */
static size_t
chunk_of(const struct source *s, const struct typed_item *item)
{
	size_t around = sizeof(HEAD "wdata:mime=;") +
	    base64_encoded_size(strcspn(item->types, ","));

	return s->chain == NULL || !chain_has(s->chain, LAYER_SCREEN) ? TYPED_CHUNK :
	    (SCREEN_STRING_MAX - around) / 4 * 3;
}

/*
 * The next packet of the item at the position. An empty content has one as well: else its
 * type would not be there.
 */
static void
add_item(struct buf *out, struct source *s, const struct typed_item *item)
{
	struct source_position *p = &s->position;
	size_t left = item->size - p->at, chunk = chunk_of(s, item);
	size_t n = left < chunk ? left : chunk;

	if (p->open) {
		add_aliases(out, item);
		*p = (struct source_position){ .sequence = p->sequence + 1 };
		return;
	}
	add_packet(out, "wdata", item, n > 0 ? (const char *)item->bytes + p->at : NULL, n);
	p->at += n;
	/* all of it is sent */
	p->open = p->at == item->size;
	if (p->open && strchr(item->types, ',') == NULL)
		*p = (struct source_position){ .sequence = p->sequence + 1 };
}

/* One packet: the beginning, then those of the items by their number, then the end. */
static enum part
typed_part(struct source *s, struct buf *out)
{
	const struct typed_write *write = (const void *)s->payload;
	struct source_position *p = &s->position;

	if (p->sequence > write->count + 1)
		return PART_NONE;
	if (p->sequence > 0 && p->sequence <= write->count) {
		add_item(out, s, &write->item[p->sequence - 1]);
	} else {
		if (p->sequence > 0)
			buf_add_string(out, HEAD "wdata" TAIL);
		else if (add_request(out, "write", write->id, write->primary))
			buf_add_string(out, TAIL);
		p->sequence++;
	}
	return PART_ENDS;
}

void
encode_typed_write(struct source *s, const struct typed_write *write)
{
	source_init(s, typed_part, write, 1);
}

bool
encode_typed_read(struct buf *out, const char *id, bool primary, const char *type)
{
	return add_request(out, "read", id, primary) && buf_add_string(out, ";") &&
	    add_base64(out, type, strlen(type)) && buf_add_string(out, TAIL);
}

/* The characters of the names before and behind the slash (RFC 6838, section 4.2). */
static size_t
name_length(const char *at, size_t n)
{
	static const char signs[] = "!#$&-^_.+";
	size_t i;

	for (i = 0; i < n; i++)
		if (!text_is_letter(at[i]) && !text_is_digit(at[i]) &&
		    (at[i] == '\0' || strchr(signs, at[i]) == NULL))
			break;
	return i;
}

bool
typed_type_is_fine(const char *type, size_t n)
{
	size_t major = name_length(type, n), minor, i;

	if (major == 0 || major + 1 >= n || type[major] != '/' || n > TYPED_TYPE_MAX)
		return false;
	minor = name_length(type + major + 1, n - major - 1);
	i = major + 1 + minor;
	if (minor == 0 || (i < n && type[i] != ';'))
		return false;
	for (; i < n; i++)
		if (type[i] <= ' ' || type[i] > '~' || type[i] == ',')
			return false;
	return true;
}

bool
typed_type_is_plain(const char *type, size_t n)
{
	static const char plain[] = "text/plain";

	return n >= sizeof(plain) - 1 && strncasecmp(type, plain, sizeof(plain) - 1) == 0 &&
	    (n == sizeof(plain) - 1 || type[sizeof(plain) - 1] == ';');
}
