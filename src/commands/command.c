/* SPDX-License-Identifier: MIT */
/* Arguments that several commands read. */
#include "commands/command.h"

#include <string.h>
#include <strings.h>

size_t
choose_word(const char *const *words, const char *const *named, const char *word,
    const char *intro, const char *what)
{
	char list[320];
	size_t i;

	for (i = 0; words[i] != NULL; i++)
		if (strcasecmp(words[i], word) == 0)
			return i;
	text_format(list, sizeof(list), "%s", intro);
	for (i = 0; named[i] != NULL; i++)
		text_format(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
		    i > 0 ? ", " : "", named[i]);
	die(STATUS_USAGE, "unknown %s %s\n"
	    "%s", what, text_quote(word).text, list);
}

void
read_operands(struct buf *out, char *const *operand, size_t count)
{
	size_t i;

	if (count == 1 && strcmp(operand[0], "-") == 0)
		stream_read_text(out);
	else
		for (i = 0; i < count; i++)
			buf_format(out, "%s%s", i > 0 ? " " : "", operand[i]);
}
