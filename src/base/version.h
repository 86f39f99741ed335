/* SPDX-License-Identifier: MIT */
/* Versions as programs tell them, to be compared. Base layer. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#include <stdbool.h>

enum { VERSION_NAME = 16, VERSION_PARTS = 4 };

/* Versions that compare part by part; the letter of 3.3a is a part as well. */
struct version {
	char name[VERSION_NAME];       /* "3.3a" */
	unsigned part[VERSION_PARTS];
};

/* Later than all there are, for programs that do not tell theirs. */
extern const struct version version_newest;

/*
 * The first number with a point in it: "tmux next-3.4" and "NVIM v0.7.2\n..."
 * tell 3.4 and 0.7.2. False: there is none.
 */
bool version_find(struct version *version, const char *text);

/* Whether it is the other one or a later one. */
bool version_is_at_least(const struct version *version, const struct version *other);

#endif
