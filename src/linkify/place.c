/* SPDX-License-Identifier: MIT */
/* Places in files; the contract is in place.h. */
#include "linkify/place.h"

#include "base/text.h"

#include <string.h>

enum { DIGITS = 9 }; /* of a line or column */

size_t
place_number(const char *text, size_t n, size_t at, unsigned long *number)
{
	size_t end = at;

	*number = 0;
	while (end < n && end - at <= DIGITS && text_is_digit(text[end]))
		*number = *number * 10 + (unsigned long)(text[end++] - '0');
	return end - at > DIGITS || *number == 0 ? at : end;
}

/*
 * 12:30 is no file, nor is 3.5:1; a file may be called 12a. A control character may be
 * what the terminal waits for, and a newline stands for a sequence: neither is linked.
 */
static bool
may_be_file(const char *path, size_t n)
{
	bool number = true;
	size_t i;

	for (i = 0; i < n && (unsigned char)path[i] >= ' ' && path[i] != 0x7f; i++)
		number = number && (text_is_digit(path[i]) || path[i] == '.' ||
		    path[i] == ',');
	return i == n && !number;
}

bool
place_link(struct matches *m, const char *path, size_t n, bool from_top, size_t start,
    size_t end, struct place *place)
{
	char name[PATH_BYTES];
	size_t url = m->urls.len;
	struct buf absolute;
	bool found;

	if (n >= sizeof(name) || !may_be_file(path, n))
		return false;
	memcpy(name, path, n);
	name[n] = '\0';
	buf_init(&absolute, (size_t)PATH_BYTES * 2);
	found = m->settings->find(m->settings->context, name, from_top, &absolute) &&
	    buf_add(&absolute, "", 1);
	if (found) {
		place->path = (const char *)absolute.data;
		place->host = m->settings->host;
		encode_place(&m->urls, m->settings->place, place);
		matches_add(m, start, end, url, RANK_BUILT_IN);
	}
	buf_free(&absolute);
	return found;
}
