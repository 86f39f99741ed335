/* SPDX-License-Identifier: MIT */
/* Version numbers of programs. */
#include "base/base.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

const struct version version_newest = { "newest",
	{ UINT_MAX, UINT_MAX, UINT_MAX, UINT_MAX } };

/* The length of the version at the start of `text`, or 0. */
static size_t
version_length(const char *text)
{
	size_t n = strspn(text, DIGITS);

	if (n == 0 || text[n] != '.' || !text_is_digit(text[n + 1]))
		return 0;
	n = strspn(text, DIGITS ".");
	return text[n] >= 'a' && text[n] <= 'z' ? n + 1 : n;
}

bool
version_find(struct version *version, const char *text)
{
	char *at;
	size_t i, n = 0;

	while (*text != '\0') {
		n = version_length(text);
		if (n > 0 && n < VERSION_NAME)
			break;
		/* skip a number that is too long, or find the next one */
		text += n > 0 ? n : strspn(text, DIGITS);
		text += strcspn(text, DIGITS);
	}
	if (*text == '\0')
		return false;
	*version = (struct version){ .name = "" };
	at = memcpy(version->name, text, n);
	for (i = 0; i < VERSION_PARTS && text_is_digit(*at); i++) {
		version->part[i] = (unsigned)strtoul(at, &at, 10);
		at += strspn(at, ".");
	}
	if (i < VERSION_PARTS && *at != '\0')
		version->part[i] = (unsigned)(*at - 'a' + 1);
	return true;
}

bool
version_is_at_least(const struct version *version, const struct version *other)
{
	size_t i;

	for (i = 0; i < VERSION_PARTS; i++)
		if (version->part[i] != other->part[i])
			return version->part[i] > other->part[i];
	return true;
}
