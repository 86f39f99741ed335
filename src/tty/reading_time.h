/* SPDX-License-Identifier: MIT */
/*
 * When a terminal was last read: its access time, which Linux sets in steps of eight
 * seconds (tty_io.c, tty_update_time). It is when the user last typed, as w(1) shows it.
 * Tty layer.
 */
#ifndef TTY_READING_TIME_H
#define TTY_READING_TIME_H

#include <stdbool.h>
#include <time.h>

struct reading_time {
	const char *device; /* borrowed */
	struct timespec at;
	bool known;
};

/* That of the device the shell reads, by its name in /dev; /dev/tty has its own. */
struct reading_time reading_time_of(const char *device);

/*
 * Reading a reply changes it although nobody typed, and the next viatty would send a
 * query whose reply tmux types into another pane. So this puts the old time back, if it
 * is another one by now; only the owner of the device can.
 */
void reading_time_restore(const struct reading_time *time);

/* Whether the user may have typed in the last few seconds. */
bool reading_time_is_recent(const struct reading_time *time);

#endif
