/* SPDX-License-Identifier: MIT */
/*
 * The generator: shell completions from the table of commands, and the pages of
 * terminals and multiplexers from theirs. `generate FORM` reads the form's template from
 * standard input, where it has one, and prints the file.
 */
#include "generate/generate.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	const struct placeholder *placeholders; /* NULL: no template, but: */
	void (*put)(void);
} forms[] = {
	{ "bash", bash_placeholders, NULL },
	{ "zsh", zsh_placeholders, NULL },
	{ "fish", fish_placeholders, NULL },
	{ "table", NULL, put_table },
	{ "terminals", NULL, put_terminals_page },
	{ "multiplexers", multiplexers_placeholders, NULL },
};

int
main(int argc, char **argv)
{
	bool fine = true;
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (argc != 2 || strcmp(argv[1], forms[i].name) != 0)
			continue;
		if (forms[i].placeholders != NULL)
			fine = template_fill(stdin, forms[i].placeholders);
		else
			forms[i].put();
		return fine && fflush(stdout) == 0 && !ferror(stdout) ?
		    EXIT_SUCCESS : EXIT_FAILURE;
	}
	fputs("usage: generate bash|zsh|fish|table|terminals|multiplexers "
	    "<TEMPLATE\n", stderr);
	return 2;
}
