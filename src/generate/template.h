/* SPDX-License-Identifier: MIT */
/*
 * Templates of the generator: text in which @WORD@, lower-case letters and
 * hyphens, stands for what a function prints. Alone on a line it stands for whole
 * lines, with their newlines.
 */
#ifndef GENERATE_TEMPLATE_H
#define GENERATE_TEMPLATE_H

#include <stdbool.h>
#include <stdio.h>

struct placeholder {
	const char *word;
	void (*put)(void); /* prints to standard output */
};

/*
 * Copies the template to standard output, every placeholder replaced; a row
 * without a word ends the table. An @ that begins no placeholder stays as it is.
 * False: an unknown word, which is named on standard error.
 */
bool template_fill(FILE *template, const struct placeholder *placeholders);

#endif
