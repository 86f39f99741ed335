/* SPDX-License-Identifier: MIT */
/* When a terminal was last read; the contract is in reading_time.h. */
#include "tty/reading_time.h"

#include <fcntl.h>
#include <sys/stat.h>

struct reading_time
reading_time_of(const char *device)
{
	struct reading_time time = { .device = device };
	struct stat st;

	if (stat(device, &st) == 0) {
		time.at.tv_sec = st.st_atime;
		time.known = true;
	}
	return time;
}

void
reading_time_restore(const struct reading_time *time)
{
	const struct timespec times[2] = { time->at, { .tv_nsec = UTIME_OMIT } };
	struct stat st;

	if (time->known && stat(time->device, &st) == 0 &&
	    st.st_atime != time->at.tv_sec)
		(void)utimensat(AT_FDCWD, time->device, times, 0);
}

bool
reading_time_is_recent(const struct reading_time *last)
{
	enum { STEP = 8, LATELY = 5 };

	return last->known && time(NULL) - last->at.tv_sec < STEP + LATELY;
}
