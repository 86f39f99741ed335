/* SPDX-License-Identifier: MIT */
/* Opens terminals, and checks their names. */
#include "tty/tty.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- claims ------------------------------------------------------------- */

struct tty_device
device_announced(const char *name, uid_t by)
{
	const uid_t us = geteuid();
	struct tty_device device = { .owned = true, .owner = us == 0 ? by : us };

	text_copy(device.name, sizeof(device.name), name);
	return device;
}

const char *
device_named(struct tty_device *device, const char *path)
{
	char real[PATH_MAX];

	*device = (struct tty_device){ .owned = false };
	if (realpath(path, real) == NULL)
		return strerror(errno);
	return text_copy(device->name, sizeof(device->name), real) ? NULL :
	    "it is not a terminal";
}

/* ---- the device --------------------------------------------------------- */

/*
 * NULL if it is the expected device, else the reason, with errno. Checks the entry in the file
 * system, or if `fd` is not negative the open device, which can no longer be replaced.
 */
static const char *
mismatch(const struct tty_device *device, int fd)
{
	struct stat st;
	dev_t number;

	errno = ENOTTY;
	if (!device_number(device->name, &number))
		return "it is not a terminal";
	if ((fd < 0 ? lstat(device->name, &st) : fstat(fd, &st)) != 0)
		return strerror(errno);
	errno = ENOTTY;
	if (!S_ISCHR(st.st_mode) || st.st_rdev != number)
		return "it is not a terminal";
	errno = EPERM;
	if (device->owned && st.st_uid != device->owner)
		return "it belongs to another user";
	return fd >= 0 && !isatty(fd) ? strerror(errno) : NULL;
}

const char *
device_check(const struct tty_device *device)
{
	const char *why = mismatch(device, -1);

	return why == NULL && access(device->name, W_OK) != 0 ? strerror(errno) : why;
}

int
device_open(const struct tty_device *device, bool reading, const char **why)
{
	const char *reason = mismatch(device, -1);
	int fd = -1, failure = errno;

	if (reason == NULL) {
		/* non-blocking: do not wait for a carrier */
		fd = open(device->name, (reading ? O_RDWR : O_WRONLY) |
		    O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
		reason = fd < 0 ? strerror(errno) : mismatch(device, fd);
		failure = errno;
	}
	if (reason == NULL) {
		fcntl(fd, F_SETFL, 0);
		return fd;
	}
	if (fd >= 0)
		close(fd);
	if (why != NULL)
		*why = reason;
	errno = failure;
	return -1;
}

bool
device_controlling(char name[DEVICE_NAME])
{
	const struct tty_device device = { .name = "/dev/tty" };
	int fd = device_open(&device, false, NULL);
	bool known = fd >= 0 && device_name(name, fd);

	if (fd >= 0)
		close(fd);
	return known;
}
