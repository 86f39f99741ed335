/* SPDX-License-Identifier: MIT */
/* Resemblance of names; the contract is in closest.h. */
#include "base/closest.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 31, SHORT = 3 };

static int
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * The number of letters to insert, delete, replace or exchange with the next one, each of
 * them once at most: the distance of optimal string alignment. Neither is longer than
 * LONGEST.
 */
static unsigned
distance(const char *a, const char *b)
{
	unsigned d[LONGEST + 1][LONGEST + 1];
	size_t i, j, m = strlen(a), n = strlen(b);

	for (i = 0; i <= m; i++)
		d[i][0] = (unsigned)i;
	for (j = 0; j <= n; j++)
		d[0][j] = (unsigned)j;
	for (i = 1; i <= m; i++)
		for (j = 1; j <= n; j++) {
			d[i][j] = least(d[i - 1][j - 1] +
			    (lower(a[i - 1]) != lower(b[j - 1])),
			    least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[m][n];
}

void
closest_add(struct closest *closest, const char *name)
{
	size_t n = strlen(closest->word);
	unsigned limit = n > SHORT ? 2 : 1, changes;

	if (n < 2 || n > LONGEST || strlen(name) > LONGEST)
		return;
	changes = distance(closest->word, name);
	if (n >= SHORT && strncasecmp(closest->word, name, n) == 0)
		changes = least(changes, 1);
	if (changes > limit || (closest->name != NULL && changes >= closest->distance))
		return;
	closest->name = name;
	closest->distance = changes;
}

void
closest_add_words(struct closest *closest, const char *const *words)
{
	for (; *words != NULL; words++)
		closest_add(closest, *words);
}

struct suggestion
closest_suggestion(const struct closest *closest, const char *dashes)
{
	struct suggestion suggestion = { "" };

	if (closest->name != NULL)
		snprintf(suggestion.text, sizeof(suggestion.text),
		    "did you mean %s%s? ", dashes, closest->name);
	return suggestion;
}
