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

const char *
clipboard_selections(size_t most)
{
	const char *letters = clipboard_options.selections;

	if (letters == NULL)
		return clipboard_options.primary ? "p" : "c";
	if (letters[0] == '\0' || strlen(letters) > most ||
	    letters[strspn(letters, CLIPBOARD_SELECTIONS)] != '\0')
		die(STATUS_USAGE, "unknown selection %s\n"
		    "the letters are %s: c is the clipboard, p the primary selection",
		    text_quote(letters).text, CLIPBOARD_SELECTIONS);
	return letters;
}

void
advise_own_terminal(struct error *error, const char *operand)
{
	if (error->status != STATUS_NO_TERMINAL)
		return;
	if (path_ssh_without_terminal())
		advise(error, "on the machine at the desk: ssh -t HOST %s%s%s; it reads from the "
		    "terminal in which it is called", messages.title,
		    operand[0] != '\0' ? " " : "", operand);
	else
		advise(error, "run it in a terminal: it reads from the terminal in which it is "
		    "called");
}

void
operands_read(struct buf *out, char *const *operand, size_t count)
{
	size_t i;

	if (count == 1 && strcmp(operand[0], "-") == 0)
		stream_read_text(out);
	else
		for (i = 0; i < count; i++)
			buf_format(out, "%s%s", i > 0 ? " " : "", operand[i]);
}
