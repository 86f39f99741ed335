/* SPDX-License-Identifier: MIT */
/* Opens terminals, and knows their names and numbers, which differ between systems. */
#include "tty/tty.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#endif

/* ---- names and numbers --------------------------------------------------- */

#ifdef __linux__

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

bool
device_of_number(char name[DEVICE_NAME], dev_t number)
{
	unsigned minor_number = minor(number);
	struct stat st;
	size_t i;

	/* the controlling terminal of the process that opens it */
	if (number == makedev(5, 0))
		return text_copy(name, DEVICE_NAME, "/dev/tty");
	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
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
	}
	name[0] = '\0';
	return false;
}

bool
device_name(char name[DEVICE_NAME], int fd)
{
	unsigned number;
	struct stat st;

	/*
	 * /dev/tty has a separate device number; the ioctl returns that of the terminal, which
	 * new_encode_dev() of linux/kdev_t.h encodes as in st_rdev.
	 */
	if (ioctl(fd, TIOCGDEV, &number) == 0)
		return device_of_number(name, number);
	return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev != makedev(5, 0) &&
	    device_of_number(name, st.st_rdev);
}

#else

/* Only the names are fixed: ttys003, ttyp0, pts/3. */
bool
device_of_number(char name[DEVICE_NAME], dev_t number)
{
	const char *known = devname(number, S_IFCHR);
	struct stat st;

	name[0] = '\0';
	if (!text_begins(known, "pts/") && !text_begins(known, "tty"))
		return false;
	text_format(name, DEVICE_NAME, "/dev/%s", known);
	/* devname() invents a name for a number that is not in /dev */
	if (lstat(name, &st) == 0 && st.st_rdev == number)
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
 * Returns 0 if it is the expected device, else an errno value. Before it is opened, `fd` is -1, and
 * the entry in the file system is checked. An open device can no longer be replaced.
 */
static int
mismatch(const struct tty_device *device, int fd)
{
	char known[DEVICE_NAME];
	struct stat st;

	if ((fd < 0 ? lstat(device->name, &st) : fstat(fd, &st)) != 0)
		return errno;
	if (!S_ISCHR(st.st_mode) || !device_of_number(known, st.st_rdev) ||
	    strcmp(known, device->name) != 0)
		return ENOTTY;
	return device->owned && st.st_uid != geteuid() ? EPERM : 0;
}

const char *
device_problem(int failure)
{
	return failure == ENOTTY ? "it is not a terminal" :
	    failure == EPERM ? "it belongs to another user" : strerror(failure);
}

const char *
device_announced(struct tty_device *device, const char *name)
{
	struct tty_device announced = { .owned = true };
	int failure;

	text_copy(announced.name, sizeof(announced.name), name);
	failure = mismatch(&announced, -1);
	if (failure == 0 && access(announced.name, W_OK) != 0)
		failure = errno;
	if (failure != 0)
		return device_problem(failure);
	*device = announced;
	return NULL;
}

int
device_open(const struct tty_device *device, int access)
{
	int fd, failure = mismatch(device, -1);

	if (failure != 0)
		return -failure;
	/* non-blocking: do not wait for a carrier */
	fd = open(device->name, access | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	failure = mismatch(device, fd);
	if (failure != 0) {
		close(fd);
		return -failure;
	}
	fcntl(fd, F_SETFL, 0);
	return fd;
}

bool
device_controlling(char name[DEVICE_NAME])
{
	const struct tty_device device = { .name = "/dev/tty" };
	int fd = device_open(&device, O_RDONLY);
	bool known = fd >= 0 && device_name(name, fd);

	if (fd >= 0)
		close(fd);
	return known;
}

/* ---- when it was read ------------------------------------------------------ */

time_t
device_read_time(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 ? st.st_atime : 0;
}

/* Before Linux 6.6, a read through /dev/tty changes only the time of /dev/tty. */
static bool
is_seen_at_tty_alone(void)
{
	const struct version wanted = { .part = { 6, 6 } };
	struct utsname system;
	struct version found;

	return uname(&system) >= 0 && version_find(&found, system.release) &&
	    !version_is_at_least(&found, &wanted);
}

time_t
device_key_time(void)
{
	char name[DEVICE_NAME] = "";
	time_t last, any;

	device_controlling(name);
	last = device_read_time(name);
	any = is_seen_at_tty_alone() ? device_read_time("/dev/tty") : 0;
	return any > last ? any : last;
}

void
device_set_read_time(const char *name, time_t last)
{
	const struct timespec times[2] = { { .tv_sec = last }, { .tv_nsec = UTIME_OMIT } };

	if (device_read_time(name) > last)
		(void)utimensat(AT_FDCWD, name, times, 0);
}
