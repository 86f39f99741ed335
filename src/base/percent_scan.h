/* SPDX-License-Identifier: MIT */
/*
 * Finds progress (45%, 12/80) in the output of programs. Base layer. Memory is
 * constant, time linear in the bytes.
 */
#ifndef BASE_PERCENT_SCAN_H
#define BASE_PERCENT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a line that are looked at together; of a longer one the last half is kept. */
enum { PERCENT_LINE = 512 };

enum { PERCENT_NONE = -1 };

/* The scanner of one stream. All zero before the first byte. */
struct percent_scan {
	char line[PERCENT_LINE]; /* the line so far */
	size_t len;
	bool cut;   /* the beginning of the line is gone */
	int before; /* the progress before the line plus 1, 0 for none */
};

/*
 * Scans the next `n` bytes, which are text without escape sequences. Gives the last
 * progress of all bytes so far, 0 to 100, or PERCENT_NONE. A line that is not complete
 * counts, but its end may show that it is none. The result does not depend on how the
 * bytes are divided. Recognized are the formats of percent_lines.def, and
 *
 *   45%  45.3 %  45,3%                  up to 100, not part of a word
 *   [12/80]  (12/80)  [ 12 of 80 ]      the first not above the second
 *   12 of 80                            once something else follows
 *
 * but not in lines that report something else, such as `coverage 81%`.
 */
int percent_read(struct percent_scan *scan, const char *bytes, size_t n);

/*
 * Parses a percentage: "45", "45.3", "45%" or "12/80". Rounded, but 100 only if it is
 * exactly that. False, with `*percent` unchanged: another form, or more than 100.
 */
bool percent_parse(const char *word, unsigned *percent);

#endif
