/* SPDX-License-Identifier: MIT */
/* Names of terminals and opening them; the contract is in device.h. */
#include "tty/device.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/sysmacros.h>
#endif

/* ---- names -------------------------------------------------------------- */

#ifdef __linux__

/*
 * Names and numbers of terminals: devices.txt of Linux. Not /dev/console, which may be
 * any device.
 */
static const struct {
	unsigned major, first_minor, last_minor;
	const char *name; /* followed by a number */
} families[] = {
	{ 4, 0, 63, "/dev/tty" },
	{ 4, 64, 255, "/dev/ttyS" },
	{ 136, 0, 0xfffff, "/dev/pts/" },
	{ 166, 0, 255, "/dev/ttyACM" },
	{ 188, 0, 255, "/dev/ttyUSB" },
	{ 204, 64, 191, "/dev/ttyAMA" },
	{ 229, 0, 255, "/dev/hvc" },
};

enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

bool
device_of_number(char name[DEVICE_NAME], dev_t number)
{
	unsigned minor_number = minor(number);
	struct stat st;
	size_t i;

	name[0] = '\0';
	for (i = 0; i < FAMILIES; i++) {
		if (families[i].major != major(number) ||
		    minor_number < families[i].first_minor ||
		    minor_number > families[i].last_minor)
			continue;
		snprintf(name, DEVICE_NAME, "%s%u", families[i].name,
		    minor_number - families[i].first_minor);
		/* /dev may be another one than the kernel's, in a container */
		if (lstat(name, &st) == 0 && S_ISCHR(st.st_mode) &&
		    st.st_rdev == number)
			return true;
		name[0] = '\0';
	}
	return false;
}

/* new_encode_dev() in linux/kdev_t.h. */
dev_t
device_decode(unsigned number)
{
	return makedev((number >> 8) & 0xfff,
	    (number & 0xff) | ((number >> 12) & 0xfff00));
}

/* The number that a terminal of this name has. False: no terminal's name. */
static bool
number_of_name(const char *name, dev_t *number)
{
	unsigned long n;
	size_t i, length;

	/* the controlling terminal of whoever opens it */
	if (strcmp(name, "/dev/tty") == 0) {
		*number = makedev(5, 0);
		return true;
	}
	for (i = 0; i < FAMILIES; i++) {
		length = strlen(families[i].name);
		if (!text_begins(name, families[i].name) ||
		    (name[length] == '0' && name[length + 1] != '\0') ||
		    !text_number(name + length, families[i].last_minor -
		        families[i].first_minor, &n))
			continue;
		*number = makedev(families[i].major,
		    families[i].first_minor + (unsigned)n);
		return true;
	}
	return false;
}

bool
device_name(char name[DEVICE_NAME], int fd)
{
	unsigned number;
	struct stat st;

	/* /dev/tty has a device number of its own; the ioctl sees through it */
	if (ioctl(fd, TIOCGDEV, &number) == 0)
		return device_of_number(name, device_decode(number));
	return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) &&
	    device_of_number(name, st.st_rdev);
}

#else

bool
device_of_number(char name[DEVICE_NAME], dev_t number)
{
	(void)number;
	name[0] = '\0';
	return false;
}

dev_t
device_decode(unsigned number)
{
	return (dev_t)number;
}

/* Of other systems only the names are known: ttys003, ttyp0, pts/3. */
static bool
number_of_name(const char *name, dev_t *number)
{
	const char *rest = text_begins(name, "/dev/pts/") ?
	    name + strlen("/dev/pts/") : text_begins(name, "/dev/tty") ?
	    name + strlen("/dev/tty") : NULL;
	struct stat st;

	if (rest == NULL || strchr(rest, '/') != NULL || lstat(name, &st) != 0)
		return false;
	*number = st.st_rdev;
	return true;
}

bool
device_name(char name[DEVICE_NAME], int fd)
{
	const char *known = ttyname(fd);

	name[0] = '\0';
	return known != NULL && text_copy(name, DEVICE_NAME, known);
}

#endif

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
		*why = "the system gives no terminal this name";
	return fine;
}

/* ---- the device --------------------------------------------------------- */

/* Why it is not the device meant, with errno; NULL: it is. */
static const char *
mismatch(const struct tty_device *device, const struct stat *st)
{
	dev_t number;

	errno = ENOTTY;
	if (!number_of_name(device->name, &number))
		return "the system gives no terminal this name";
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

	if (number_of_name(device->name, &number) &&
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
