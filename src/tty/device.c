/* SPDX-License-Identifier: MIT */
/* Names of terminals and opening them; the contract is in device.h. */
#include "tty/device.h"

#include "base/text.h"

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

bool
device_named(struct tty_device *device, const char *path, const char **why)
{
	char *real = NULL;
	bool fine;

	*device = (struct tty_device){ .owned = false };
	/* it leads nowhere else, and is what is nearly always meant */
	if (strcmp(path, "/dev/tty") == 0)
		return text_copy(device->name, sizeof(device->name), path);
	real = realpath(path, NULL);
	if (real == NULL) {
		if (why != NULL)
			*why = strerror(errno);
		return false;
	}
	fine = text_copy(device->name, sizeof(device->name), real);
	free(real);
	if (!fine)
		errno = ENAMETOOLONG;
	if (!fine && why != NULL)
		*why = "it is not the name of a terminal";
	return fine;
}

/* ---- the device --------------------------------------------------------- */

/* Why it is not the device meant, with errno; NULL: it is. */
static const char *
mismatch(const struct tty_device *device, const struct stat *st)
{
	dev_t number;

	errno = ENOTTY;
	if (!device_number(device->name, &number))
		return "it is not the name of a terminal";
	if (!S_ISCHR(st->st_mode) || st->st_rdev != number)
		return "it is not a terminal";
	errno = EPERM;
	if (device->owned && st->st_uid != device->owner)
		return "it belongs to another user";
	return NULL;
}

/* Checks the entry in the file system, before it is opened. */
static const char *
look(const struct tty_device *device)
{
	struct stat st = { .st_mode = 0 };
	dev_t number;

	if (device_number(device->name, &number) &&
	    lstat(device->name, &st) != 0)
		return strerror(errno);
	return mismatch(device, &st);
}

const char *
device_check(const struct tty_device *device)
{
	const char *why = look(device);

	if (why == NULL && access(device->name, W_OK) != 0)
		why = strerror(errno);
	return why;
}

/* Checks the open device, which can no longer be exchanged. */
static const char *
look_again(const struct tty_device *device, int fd)
{
	const char *why;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return strerror(errno);
	why = mismatch(device, &st);
	return why == NULL && !isatty(fd) ? strerror(errno) : why;
}

int
device_open(const struct tty_device *device, bool reading, const char **why)
{
	const char *reason = look(device);
	int fd = -1, failure = errno;

	if (reason == NULL) {
		/* a line without a carrier must not hang us */
		fd = open(device->name, (reading ? O_RDWR : O_WRONLY) |
		    O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
		reason = fd < 0 ? strerror(errno) : look_again(device, fd);
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
