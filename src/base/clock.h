/* SPDX-License-Identifier: MIT */
/* Time for deadlines. Base layer. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Milliseconds of CLOCK_MONOTONIC. */
long long clock_ms(void);

#endif
