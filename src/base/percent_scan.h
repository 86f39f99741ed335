/* SPDX-License-Identifier: MIT */
/*
 * How far something is, as programs write it. Base layer; bounded memory, and
 * time that grows with the bytes.
 */
#ifndef BASE_PERCENT_SCAN_H
#define BASE_PERCENT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* The longest form that is recognised, with what stands before it. */
enum { PERCENT_WINDOW = 64 };

/* Bytes that go by. All zero before the first. */
struct percent_scan {
	char window[2 * PERCENT_WINDOW]; /* the last of them */
	size_t len;
};

/*
 * Reads on. True: a progress has become complete in these bytes, the last of
 * them in `*percent`, which is else as it was. Recognised are
 *
 *   45%  45.3 %  45,3%                  up to 100, not part of a word
 *   [12/80]  (12/80)  [ 12 of 80 ]      the first not above the second
 *   12 of 80                            once something else follows
 */
bool percent_read(struct percent_scan *gauge, const char *bytes, size_t n,
    unsigned *percent);

/*
 * The percentage that a word means: "45", "45.3", "45%" or "12/80". Rounded, but
 * 100 only if it is all. False: none of these, or more than all.
 */
bool percent_parse(const char *word, unsigned *percent);

#endif
