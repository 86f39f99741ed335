/* SPDX-License-Identifier: MIT */
/* Templates of the generator; the contract is in template.h. */
#include "generate/template.h"

#include <string.h>

/* The word between two @ at `at`, or 0 for none; its length. */
static size_t
word_length(const char *at)
{
	size_t n = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz-");

	return n > 0 && at[1 + n] == '@' ? n : 0;
}

static bool
put_placeholder(const char *word, size_t n, const struct placeholder *known)
{
	for (; known->word != NULL; known++)
		if (strlen(known->word) == n && memcmp(known->word, word, n) == 0) {
			known->put();
			return true;
		}
	fprintf(stderr, "unknown placeholder @%.*s@\n", (int)n, word);
	return false;
}

bool
template_fill(FILE *template, const struct placeholder *placeholders)
{
	char line[4096];
	const char *at;
	size_t n;

	while (fgets(line, sizeof(line), template) != NULL)
		for (at = line; *at != '\0'; at++) {
			n = *at == '@' ? word_length(at) : 0;
			if (n == 0) {
				putchar(*at);
				continue;
			}
			if (!put_placeholder(at + 1, n, placeholders))
				return false;
			/* alone on its line it prints whole lines */
			at += n + 1 + (at == line && at[n + 2] == '\n');
		}
	return true;
}
