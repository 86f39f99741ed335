/* SPDX-License-Identifier: MIT */
/* Time for deadlines; the contract is in clock.h. */
#include "base/clock.h"

#include <time.h>

long long
clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
