/* SPDX-License-Identifier: MIT */
/* The texts that setup prints; the contract is in setup_snippet.h. */
#include "commands/setup_snippet.h"

#include "base/text.h"

#include <string.h>

bool
snippet_applies(const char **line, const struct version *version)
{
	struct version limit;
	bool at_least;

	while (text_begins(*line, "@>=") || text_begins(*line, "@<")) {
		at_least = (*line)[1] == '>';
		if (!version_find(&limit, *line) ||
		    version_is_at_least(version, &limit) != at_least)
			return false;
		*line += strcspn(*line, " ");
		*line += **line == ' ';
	}
	return true;
}

bool
snippet_has_path(const char *const *lines)
{
	while (*lines != NULL && strstr(*lines, "@PATH@") == NULL &&
	    strstr(*lines, "@VIATTY@") == NULL)
		lines++;
	return *lines != NULL;
}

/* Adds the path as one word of sh. own_path() returns no path with a quotation mark. */
static void
add_quoted_path(struct buf *out, const char *path)
{
	bool plain = path[strspn(path, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-")] == '\0';

	buf_add_string(out, plain ? "" : "'");
	buf_add_string(out, path);
	buf_add_string(out, plain ? "" : "'");
}

static void
add_line(struct buf *out, const char *line, const struct version *version,
    const char *path)
{
	static const char *const tokens[] = { "@VERSION@", "@VIATTY@", "@PATH@" };
	const char *at;
	size_t i;

	while ((at = strchr(line, '@')) != NULL) {
		buf_add(out, line, (size_t)(at - line));
		for (i = 0; i < 3 && !text_begins(at, tokens[i]); i++)
			continue;
		if (i == 0)
			buf_add_string(out, version->name);
		else if (i == 1)
			add_quoted_path(out, path);
		else
			buf_add_string(out, i == 2 ? path : "@");
		line = at + (i < 3 ? strlen(tokens[i]) : 1);
	}
	buf_add_string(out, line);
	buf_add(out, "\n", 1);
}

void
snippet_text(struct buf *out, const char *const *lines,
    const struct version *version, const char *path)
{
	const char *line;

	for (; *lines != NULL; lines++) {
		line = *lines;
		if (snippet_applies(&line, version))
			add_line(out, line, version, path);
	}
}
