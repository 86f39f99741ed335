/* SPDX-License-Identifier: MIT */
/* Names and numbers of terminals on macOS and FreeBSD. */
#include "tty/tty.h"

#ifndef __linux__

#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Only the names are fixed, not the numbers: ttys003, ttyp0, pts/3. */
bool
device_number(const char *name, dev_t *number)
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
device_of_number(char name[DEVICE_NAME], dev_t number)
{
	const char *known = devname(number, S_IFCHR);
	dev_t found;

	name[0] = '\0';
	if (known == NULL)
		return false;
	text_format(name, DEVICE_NAME, "/dev/%s", known);
	/* devname() invents a name for a number that is not in /dev */
	if (device_number(name, &found) && found == number)
		return true;
	name[0] = '\0';
	return false;
}

bool
device_name(char name[DEVICE_NAME], int fd)
{
	const char *known = ttyname(fd);
	struct kinfo own;

	name[0] = '\0';
	/* /dev/tty has a separate device number; the kernel reports that of the terminal */
	if (known != NULL && strcmp(known, "/dev/tty") == 0)
		return kinfo_read(&own, getpid()) && own.has_terminal &&
		    device_of_number(name, own.terminal);
	return known != NULL && text_copy(name, DEVICE_NAME, known);
}

#endif
