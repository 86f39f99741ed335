/* SPDX-License-Identifier: MIT */
/* Hints for programs of other names; the contract is in hint.h. */
#include "commands/hint.h"

#include "base/text.h"
#include "commands/command.h"
#include "route/plan.h"

#include <stddef.h>
#include <string.h>

/* Whether a value follows an option, and not the rest of the sentence. */
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

/* Gives how much of the hint it replaces: the option, of `n` bytes, and what follows. */
static size_t
add_variable(struct buf *out, const struct option_variable *variable, const char *option,
    size_t n)
{
	const char *value;
	size_t length;

	buf_add_string(out, variable->name);
	value = option + n + (option[n] == ' ');
	length = strcspn(value, " ,;");
	buf_add_string(out, "=");
	if (option[n] == ' ' && is_value(value, length)) {
		buf_add(out, value, length);
		n += 1 + length;
	} else {
		buf_add_string(out, variable->value);
	}
	/* "--tty DEVICE or VIATTY_TTY" */
	if (text_begins(option + n, " or ") &&
	    text_begins(option + n + strlen(" or "), variable->name))
		n += strlen(" or ") + strlen(variable->name);
	return n;
}

/* "--force" becomes "viatty copy --force", unless that stands there. */
static size_t
add_option(struct buf *out, const char *hint, const char *option, const char *command)
{
	const struct option_variable *variable;
	size_t n = strcspn(option, " ,;"), dashes = strlen("--");
	const char *before = option;

	for (variable = option_variables; variable->name != NULL; variable++)
		if (strlen(variable->option) == n - dashes &&
		    strncmp(variable->option, option + dashes, n - dashes) == 0)
			return add_variable(out, variable, option, n);
	/* back over one word and the blanks around it */
	while (before > hint && before[-1] == ' ')
		before--;
	while (before > hint && before[-1] != ' ')
		before--;
	if (before - hint < (ptrdiff_t)strlen("viatty ") ||
	    !text_begins(before - strlen("viatty "), "viatty ")) {
		buf_add_string(out, "viatty ");
		buf_add_string(out, command);
		buf_add_string(out, " ");
	}
	buf_add(out, option, n);
	return n;
}

void
hint_translate(struct buf *out, const char *hint, const char *command)
{
	const char *at = hint;
	size_t n;

	while (*at != '\0') {
		n = (at == hint || at[-1] == ' ') && text_begins(at, "--") &&
		    at[2] >= 'a' && at[2] <= 'z' ? add_option(out, hint, at, command) : 0;
		if (n == 0)
			buf_add(out, at, n = 1);
		at += n;
	}
	buf_add(out, "", 1);
}
