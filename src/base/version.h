/* SPDX-License-Identifier: MIT */
/* Version numbers of programs and their order. Base layer. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#include <stdbool.h>

enum { VERSION_NAME = 16, VERSION_PARTS = 4 };

/* Compared part by part; the letter of 3.3a is a part, too: { 3, 3, 1 }. */
struct version {
	char name[VERSION_NAME];       /* "3.3a" */
	unsigned part[VERSION_PARTS];
};

/* Later than any other, for programs that do not report their version. */
extern const struct version version_newest;

/*
 * Finds the first number with a point in it: 3.4 in "tmux next-3.4", 0.7.2 in
 * "NVIM v0.7.2\n...". False, with `*version` unchanged: there is none.
 */
bool version_find(struct version *version, const char *text);

/* Whether `version` is equal to `other` or later. */
bool version_is_at_least(const struct version *version, const struct version *other);

#endif
