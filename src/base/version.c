/* SPDX-License-Identifier: MIT */
/* Versions of programs; the contract is in version.h. */
#include "base/version.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

const struct version version_newest = { "newest",
	{ UINT_MAX, UINT_MAX, UINT_MAX, UINT_MAX } };

/* How long the version is that `text` begins with, or 0. */
static size_t
version_length(const char *text)
{
	size_t n = strspn(text, DIGITS);

	if (n == 0 || text[n] != '.' || strspn(text + n + 1, DIGITS) == 0)
		return 0;
	n = strspn(text, DIGITS ".");
	return text[n] >= 'a' && text[n] <= 'z' ? n + 1 : n;
}

static void
version_read(struct version *version, const char *text, size_t n)
{
	char *at;
	size_t i;

	*version = (struct version){ .name = "" };
	at = memcpy(version->name, text, n);
	for (i = 0; i < VERSION_PARTS && *at != '\0'; i++) {
		if (*at >= 'a' && *at <= 'z') {
			version->part[i] = (unsigned)(*at - 'a' + 1);
			return;
		}
		version->part[i] = (unsigned)strtoul(at, &at, 10);
		at += strspn(at, ".");
	}
}

bool
version_find(struct version *version, const char *text)
{
	size_t n;

	while (*text != '\0') {
		n = version_length(text);
		if (n > 0 && n < VERSION_NAME) {
			version_read(version, text, n);
			return true;
		}
		/* past the rest of a longer number, or to the next one */
		n = n > 0 ? n : strspn(text, DIGITS);
		text += n > 0 ? n : strcspn(text, DIGITS);
	}
	return false;
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
