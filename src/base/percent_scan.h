/* SPDX-License-Identifier: MIT */
/*
 * Finds progress (45%, 12/80) in the output of programs. Base layer. Memory is
 * constant, time linear in the bytes.
 */
#ifndef BASE_PERCENT_SCAN_H
#define BASE_PERCENT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the longest form that is recognized, with those before it. */
enum { PERCENT_WINDOW = 64 };

/* The scanner of one stream. All zero before the first byte. */
struct percent_scan {
	char window[2 * PERCENT_WINDOW]; /* the last bytes read */
	size_t len;
};

/*
 * Scans the next `n` bytes. True: they complete at least one progress, the last of
 * which is in `*percent`, 0 to 100. False: `*percent` is unchanged. Recognized are
 *
 *   45%  45.3 %  45,3%                  up to 100, not part of a word
 *   [12/80]  (12/80)  [ 12 of 80 ]      the first not above the second
 *   12 of 80                            once something else follows
 */
bool percent_read(struct percent_scan *gauge, const char *bytes, size_t n,
    unsigned *percent);

/*
 * Parses a percentage: "45", "45.3", "45%" or "12/80". Rounded, but 100 only if it is
 * exactly that. False, with `*percent` unchanged: another form, or more than 100.
 */
bool percent_parse(const char *word, unsigned *percent);

#endif
