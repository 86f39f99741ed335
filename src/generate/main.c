/* SPDX-License-Identifier: MIT */
/*
 * The generator: shell completions from the table of commands, and the pages of
 * terminals and multiplexers from theirs. `generator FORM` fills the template on
 * standard input; `generator table` prints the commands and options for tests/docs.
 */
#include "generate/generate.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	const struct placeholder *placeholders;
} forms[] = {
	{ "bash", bash_placeholders },
	{ "zsh", zsh_placeholders },
	{ "fish", fish_placeholders },
	{ "terminals", terminals_placeholders },
	{ "multiplexers", multiplexers_placeholders },
};

static bool
generate(const char *form, bool *known)
{
	size_t i;

	*known = true;
	if (strcmp(form, "table") == 0) {
		put_table();
		return true;
	}
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (strcmp(form, forms[i].name) == 0)
			return template_fill(stdin, forms[i].placeholders);
	*known = false;
	return false;
}

int
main(int argc, char **argv)
{
	bool known = false;

	if (argc == 2 && generate(argv[1], &known) && fflush(stdout) == 0 &&
	    !ferror(stdout))
		return EXIT_SUCCESS;
	if (known)
		return EXIT_FAILURE;
	fputs("usage: generator bash|zsh|fish|terminals|multiplexers <TEMPLATE\n"
	    "       generator table\n", stderr);
	return 2;
}
