/* SPDX-License-Identifier: MIT */
/* Arguments that several commands read. */
#include "commands/command.h"

#include <string.h>

void
unknown_word(const char *const *words, const char *word, const char *advice, const char *what)
{
	struct closest closest = { .word = word };

	closest_add_words(&closest, words);
	die(STATUS_USAGE, "unknown %s %s\n"
	    "%s%s", what, text_quote(word).text, closest_suggestion(&closest, "").text, advice);
}

size_t
choose_word(const char *const *words, const char *word, const char *intro, const char *what)
{
	char list[320];
	size_t i;

	for (i = 0; words[i] != NULL; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	text_format(list, sizeof(list), "%s", intro);
	for (i = 0; words[i] != NULL; i++)
		text_format(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
		    i > 0 ? ", " : "", words[i]);
	unknown_word(words, word, list, what);
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
