/* SPDX-License-Identifier: MIT */
/* Snippets and versions; the contract is in snippet.h. */
#include "commands/snippet.h"

#include "base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

const struct version version_newest = { "newest",
	{ UINT_MAX, UINT_MAX, UINT_MAX, UINT_MAX } };

/* ---- versions ----------------------------------------------------------- */

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
	char *at = version->name;
	size_t i;

	*version = (struct version){ .name = "" };
	memcpy(version->name, text, n);
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

static int
version_compare(const struct version *a, const struct version *b)
{
	size_t i;

	for (i = 0; i < VERSION_PARTS; i++)
		if (a->part[i] != b->part[i])
			return a->part[i] < b->part[i] ? -1 : 1;
	return 0;
}

/* ---- snippets ----------------------------------------------------------- */

bool
snippet_applies(const char **line, const struct version *version)
{
	struct version limit;
	bool at_least;

	while (text_begins(*line, "@>=") || text_begins(*line, "@<")) {
		at_least = (*line)[1] == '>';
		*line += strcspn(*line, DIGITS);
		if (!version_find(&limit, *line) ||
		    (version_compare(version, &limit) >= 0) != at_least)
			return false;
		*line += strcspn(*line, " ");
		*line += **line == ' ';
	}
	return true;
}

static void
add_line(struct buf *out, const char *line, const struct version *version)
{
	static const char token[] = "@VERSION@";
	const char *at = strstr(line, token);

	if (at != NULL) {
		buf_add(out, line, (size_t)(at - line));
		buf_add_string(out, version->name);
		line = at + sizeof(token) - 1;
	}
	buf_add_string(out, line);
	buf_add(out, "\n", 1);
}

void
snippet_text(struct buf *out, const char *const *lines,
    const struct version *version)
{
	const char *line;

	for (; *lines != NULL; lines++) {
		line = *lines;
		if (snippet_applies(&line, version))
			add_line(out, line, version);
	}
}
