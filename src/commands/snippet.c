/* SPDX-License-Identifier: MIT */
/* The texts that setup prints; the contract is in snippet.h. */
#include "commands/snippet.h"

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
