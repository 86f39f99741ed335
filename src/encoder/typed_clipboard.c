/* SPDX-License-Identifier: MIT */
/* OSC 5522; encoder.h shows the bytes. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <string.h>
#include <strings.h>

#define HEAD "\x1b]5522;type="
/* The start of a write or a read. */
static void
add_request(struct buf *out, const char *kind, const char *id, bool primary)
{
	buf_format(out, HEAD "%s%s%s%s", kind, id != NULL ? ":id=" : "", id != NULL ? id : "",
	    primary ? ":loc=primary" : "");
}

/*
 * Screen may draw between two strings, which would destroy a packet that is split over them
 * without an error from the terminal. So through Screen a packet fits into one string.
 */
static size_t
chunk_of(const struct typed_write *write)
{
	size_t around = sizeof(HEAD "wdata:mime=;") + base64_encoded_size(strlen(write->type));

	return write->screen ? (SCREEN_STRING_MAX - around) / 4 * 3 : TYPED_CHUNK;
}

/* Empty data has one chunk, too. */
static void
add_chunks(struct buf *out, const struct typed_write *write)
{
	size_t chunk = chunk_of(write), at = 0, n;

	do {
		n = write->size - at < chunk ? write->size - at : chunk;
		buf_add_string(out, HEAD "wdata:mime=");
		base64_encode(out, write->type, strlen(write->type));
		buf_add_string(out, ";");
		base64_encode(out, n > 0 ? (const char *)write->bytes + at : NULL, n);
		buf_add_string(out, ST);
		at += n;
	} while (at < write->size);
}

void
encode_typed_write(struct buf *out, const struct typed_write *write)
{
	add_request(out, "write", write->id, write->primary);
	buf_add_string(out, ST);
	if (write->type != NULL)
		add_chunks(out, write);
	buf_add_string(out, HEAD "wdata" ST);
}

void
encode_typed_read(struct buf *out, const char *id, bool primary, const char *type)
{
	add_request(out, "read", id, primary);
	buf_add_string(out, ";");
	base64_encode(out, type, strlen(type));
	buf_add_string(out, ST);
}

bool
typed_type_is_fine(const char *type)
{
	static const char name[] = TEXT_ALNUM "!#$&-^_.+";
	size_t major = strspn(type, name), minor;
	const char *at;

	if (major == 0 || type[major] != '/' || strlen(type) > TYPED_TYPE_MAX)
		return false;
	minor = strspn(type + major + 1, name);
	at = type + major + 1 + minor;
	if (minor == 0 || (*at != '\0' && *at != ';'))
		return false;
	for (; *at != '\0'; at++)
		if (*at <= ' ' || *at > '~' || *at == ',')
			return false;
	return true;
}

bool
typed_type_is_plain(const char *type)
{
	static const char plain[] = "text/plain";
	size_t n = sizeof(plain) - 1;

	return strncasecmp(type, plain, n) == 0 && (type[n] == '\0' || type[n] == ';');
}
