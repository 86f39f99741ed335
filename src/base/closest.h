/* SPDX-License-Identifier: MIT */
/*
 * Finds the name that a misspelled word resembles, for the hint "did you mean NAME?".
 * Base layer; pure.
 */
#ifndef BASE_CLOSEST_H
#define BASE_CLOSEST_H

#include <stddef.h>

/* The best candidate so far. Begin with { .word = WORD }; `word` is borrowed. */
struct closest {
	const char *word;
	const char *name; /* borrowed from the caller; NULL: no name resembles the word */
	unsigned distance;
};

/*
 * Compares a name, or a list ended by NULL, with the word; of two names that resemble it
 * equally the first stays. A name resembles a word of at least two letters if, regardless
 * of case, it differs by one letter that is inserted, omitted, replaced or exchanged with
 * its neighbor; by two such changes if the word has more than three letters; or if the
 * word is its beginning and has at least three letters. A word or a name of more than 31
 * bytes resembles nothing.
 */
void closest_add(struct closest *closest, const char *name);
void closest_add_words(struct closest *closest, const char *const *words);

struct suggestion {
	char text[64];
};

/* "did you mean NAME? ", with `dashes` before the name, or "" if no name was found. */
struct suggestion closest_suggestion(const struct closest *closest, const char *dashes);

#endif
