/* SPDX-License-Identifier: MIT */
/*
 * tty/device: which names are terminals', whose they have to be, and that
 * nothing else is opened.
 */
#include "tty/device.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static char pty[DEVICE_NAME];

static int
open_pty(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);

	cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 &&
	    ptsname_r(master, pty, sizeof(pty)) == 0);
	return master;
}

Test(device, names_that_no_terminal_has)
{
	static const char *const names[] = {
		"", "pts/0", "/dev/null", "/dev/console", "/dev/kmsg",
		"/dev/watchdog", "/dev/ptmx", "/dev/pts/ptmx", "/dev/pts/",
		"/dev/pts/-1", "/dev/pts/+1", "/dev/pts/01", "/dev/pts/1 ",
		"/dev/pts/../null", "/dev/pts/1/../../null", "/dev/tty64",
		"/dev/ttyS999", "/dev/pts/1048576", "/dev/pts/99999999999999999999",
		"/dev//pts/1", "/dev/ttyprintk", "/etc/passwd", "/dev/st0",
	};
	const char *why;
	size_t i;

	for (i = 0; i < LEN(names); i++) {
		struct tty_device device = device_announced(names[i], geteuid());

		why = NULL;
		errno = 0;
		cr_expect_not_null(device_check(&device), "%s", names[i]);
		cr_expect_eq(device_open(&device, false, &why), -1, "%s", names[i]);
		cr_expect_eq(errno, ENOTTY, "%s", names[i]);
		cr_expect_not_null(why, "%s", names[i]);
	}
}

Test(device, opens_a_terminal_of_ours_blocking_and_closed_at_exec)
{
	int master = open_pty(), fd;
	struct tty_device device = device_announced(pty, geteuid());

	cr_expect_null(device_check(&device));
	fd = device_open(&device, true, NULL);
	cr_assert_geq(fd, 0);
	cr_expect_eq(fcntl(fd, F_GETFL) & (O_NONBLOCK | O_ACCMODE), O_RDWR);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	close(master);
}

/* Root asks for another user's terminal on nobody's word but that user's. */
Test(device, of_another_user)
{
	int master = open_pty(), fd;
	struct tty_device device;
	const char *why = NULL;

	if (geteuid() != 0)
		cr_skip_test("only root can give a terminal away");
	cr_assert_eq(chown(pty, 65534, (gid_t)-1), 0);
	device = device_announced(pty, 0);
	cr_expect_str_eq(device_check(&device), "it belongs to another user");
	cr_expect_eq(device_open(&device, false, &why), -1);
	cr_expect_str_eq(why, "it belongs to another user");
	device = device_announced(pty, 65534);
	fd = device_open(&device, false, NULL);
	cr_expect_geq(fd, 0);
	close(fd);
	/* and what is ours is not that user's to name */
	cr_assert_eq(chown(pty, 0, (gid_t)-1), 0);
	device = device_announced(pty, 65534);
	cr_expect_eq(device_open(&device, false, NULL), -1);
	cr_expect_eq(errno, EPERM);
	cr_assert_eq(seteuid(65534), 0);
	device = device_announced(pty, 0);
	cr_expect_str_eq(device_check(&device), "it belongs to another user");
	cr_assert_eq(seteuid(0), 0);
	close(master);
}

Test(device, a_name_that_leads_to_a_terminal)
{
	char folder[] = "/tmp/deviceXXXXXX", link[64];
	struct tty_device device;
	const char *why = NULL;
	int master = open_pty();

	cr_assert_not_null(mkdtemp(folder));
	snprintf(link, sizeof(link), "%s/\x1b[2J", folder);
	cr_assert_eq(symlink(pty, link), 0);
	cr_assert(device_named(&device, link, &why));
	cr_expect_str_eq(device.name, pty);
	cr_expect_null(device_check(&device));
	/* a claim is not followed */
	device = device_announced(link, geteuid());
	cr_expect_not_null(device_check(&device));
	unlink(link);
	cr_expect_not(device_named(&device, link, &why));
	cr_expect_str_eq(why, strerror(ENOENT));
	rmdir(folder);
	close(master);
}

/* The kernel tells of every open. */
Test(device, nothing_is_opened_to_find_out_what_it_is)
{
	char folder[] = "/tmp/deviceXXXXXX", fifo[64];
	char events[4096];
	struct tty_device device;
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	cr_assert_not_null(mkdtemp(folder));
	snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
	cr_assert_eq(mkfifo(fifo, 0600), 0);
	cr_assert_geq(inotify_add_watch(watch, fifo, IN_OPEN), 0);
	cr_expect(device_named(&device, fifo, NULL));
	cr_expect_eq(device_open(&device, false, NULL), -1);
	device = device_announced(fifo, geteuid());
	cr_expect_eq(device_open(&device, false, NULL), -1);
	cr_expect_eq(read(watch, events, sizeof(events)), -1, "the FIFO was opened");
	unlink(fifo);
	rmdir(folder);
	close(watch);
}
