/* SPDX-License-Identifier: MIT */
/* The modes of a terminal; the contract is in modes.h. */
#include "tty/modes.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct {
	bool changed;
	struct termios before;
} state;

bool
modes_foreground(int fd)
{
	pid_t group = tcgetpgrp(fd);

	return group != -1 && group == getpgrp();
}

bool
modes_canonical(int fd)
{
	struct termios now;

	return tcgetattr(fd, &now) == 0 && (now.c_lflag & ICANON) != 0;
}

/* A tick or a signal must not leave the modes as they should not be. */
static bool
set(int fd, const struct termios *modes)
{
	int failed;

	do {
		failed = tcsetattr(fd, TCSANOW, modes);
	} while (failed != 0 && errno == EINTR);
	return failed == 0;
}

bool
modes_begin(int fd, enum modes modes)
{
	tcflag_t off = ECHO | ECHONL;
	struct termios now;

	if (!modes_foreground(fd)) {
		errno = EIO; /* as for reading there: POSIX, XBD 11.1.4 */
		return false;
	}
	if (tcgetattr(fd, &now) != 0)
		return false;
	if (modes == MODES_RAW)
		off |= ICANON;
	if ((now.c_lflag & off) == 0)
		return true;
	state.before = now;
	now.c_lflag &= ~off;
	if (modes == MODES_RAW) {
		now.c_cc[VMIN] = 1;
		now.c_cc[VTIME] = 0;
	}
	state.changed = set(fd, &now);
	return state.changed;
}

void
modes_end(int fd)
{
	if (state.changed)
		set(fd, &state.before);
	state.changed = false;
}

bool
modes_input_waits(int fd)
{
	int waiting;

	return ioctl(fd, FIONREAD, &waiting) == 0 && waiting > 0;
}

void
modes_drop_output(int fd)
{
	tcflush(fd, TCOFLUSH);
}

void
modes_drop_input(int fd)
{
	tcflush(fd, TCIFLUSH);
}
