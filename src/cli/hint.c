/* SPDX-License-Identifier: MIT */
/* Rewrites hints for other names, under which viatty's options do not exist. */
#include "base/base.h"
#include "cli/cli.h"
#include "route/route.h"

#include <string.h>

const char *
hint_translate(const char *hint)
{
	static struct buf text = { .max = BUF_NO_LIMIT };
	const struct option_spec *option;
	const char *at, *behind = NULL; /* "viatty COMMAND " */
	size_t n, length;
	char word[64];

	text.len = 0;
	for (at = hint; *at != '\0'; at += n) {
		if (text_begins(at, "viatty "))
			behind = at + 7 + strcspn(at + 7, " ") + 1;
		n = 1;
		if ((at != hint && at[-1] != ' ') || !text_begins(at, "--") || at[2] < 'a' ||
		    at[2] > 'z') {
			buf_add(&text, at, n);
			continue;
		}
		n = strcspn(at, " ,;");
		text_format(word, sizeof(word), "%.*s", (int)n - 2, at + 2);
		option = global_options;
		while (option->kind != OPTION_END &&
		    (option->variable == NULL || strcmp(option->name, word) != 0))
			option++;
		if (option->kind == OPTION_END) {
			if (at != behind)
				buf_format(&text, "viatty %s ", messages.command);
			buf_add(&text, at, n);
			continue;
		}
		buf_format(&text, "%s=", option->variable);
		length = at[n] == ' ' ? strcspn(at + n + 1, " ,;") : 0;
		text_format(word, sizeof(word), "%.*s", (int)length, at + n + 1);
		/* a value, or else the rest of the sentence */
		if (text_is_among(word, route_words) || strcmp(word, "stdout") == 0 ||
		    (word[0] >= 'A' && word[0] <= 'Z') || word[0] == '\'' || word[0] == '"') {
			buf_add(&text, at + n + 1, length);
			n += 1 + length;
		} else {
			buf_add_string(&text, option->argument);
		}
		/* "--tty DEVICE or VIATTY_TTY" */
		if (text_begins(at + n, " or ") && text_begins(at + n + 4, option->variable))
			n += 4 + strlen(option->variable);
	}
	buf_add(&text, "", 1);
	return (const char *)text.data;
}
