/* SPDX-License-Identifier: MIT */
/* Rewrites hints for other names, under which viatty's options do not exist. */
#include "base/base.h"
#include "cli/cli.h"
#include "route/route.h"

#include <string.h>

/* Whether the option is followed by a value rather than by the rest of the sentence. */
static bool
is_value(const char *text, size_t n)
{
	size_t i;

	for (i = 0; route_words[i] != NULL; i++)
		if (strlen(route_words[i]) == n && strncmp(route_words[i], text, n) == 0)
			return true;
	return (text[0] >= 'A' && text[0] <= 'Z') || text[0] == '\'' ||
	    (n == strlen("stdout") && strncmp(text, "stdout", n) == 0);
}

/* The variable for the option in these `n` bytes, or the end of the table. */
static const struct option_variable *
find_variable(const char *option, size_t n)
{
	const struct option_variable *variable = option_variables;

	while (variable->name != NULL && (strlen(variable->option) + 2 != n ||
	    strncmp(variable->option, option + 2, n - 2) != 0))
		variable++;
	return variable;
}

const char *
hint_translate(const char *hint, const char *command)
{
	static struct buf text = { .max = BUF_NO_LIMIT };
	const struct option_variable *variable;
	const char *at = hint, *behind = NULL; /* "viatty COMMAND " */
	size_t n, length;

	text.len = 0;
	while (*at != '\0') {
		if (text_begins(at, "viatty "))
			behind = at + 7 + strcspn(at + 7, " ") + 1;
		if ((at != hint && at[-1] != ' ') || !text_begins(at, "--") || at[2] < 'a' ||
		    at[2] > 'z') {
			buf_add(&text, at++, 1);
			continue;
		}
		n = strcspn(at, " ,;");
		variable = find_variable(at, n);
		if (variable->name == NULL) {
			if (at != behind)
				buf_format(&text, "viatty %s ", command);
			buf_add(&text, at, n);
			at += n;
			continue;
		}
		buf_format(&text, "%s=", variable->name);
		at += n;
		length = *at == ' ' ? strcspn(at + 1, " ,;") : 0;
		if (length > 0 && is_value(at + 1, length)) {
			buf_add(&text, at + 1, length);
			at += 1 + length;
		} else {
			buf_add_string(&text, variable->value);
		}
		/* "--tty DEVICE or VIATTY_TTY" */
		if (text_begins(at, " or ") && text_begins(at + 4, variable->name))
			at += 4 + strlen(variable->name);
	}
	buf_add(&text, "", 1);
	return (const char *)text.data;
}
