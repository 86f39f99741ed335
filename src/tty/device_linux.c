/* SPDX-License-Identifier: MIT */
/* Names and numbers of terminals on Linux. */
#include "tty/tty.h"

#ifdef __linux__

#include "base/base.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/*
 * Names and numbers of terminals: devices.txt of Linux. Without /dev/console, which may be
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
		/* in a container, /dev may differ from the kernel's devices */
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

bool
device_number(const char *name, dev_t *number)
{
	unsigned long n;
	size_t i, length;

	/* the controlling terminal of the process that opens it */
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

	/* /dev/tty has a separate device number; the ioctl returns that of the terminal */
	if (ioctl(fd, TIOCGDEV, &number) == 0)
		return device_of_number(name, device_decode(number));
	return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) &&
	    device_of_number(name, st.st_rdev);
}

#endif
