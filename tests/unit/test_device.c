/* SPDX-License-Identifier: MIT */
/* tty/device: which names are terminals'; whose they have to be is for trust/test_devices. */
#include "tty/tty.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

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

	for (size_t i = 0; i < LEN(names); i++) {
		struct tty_device device = { .name = "" };
		const int why = access(names[i], F_OK) == 0 ? ENOTTY : errno;

		cr_expect_not_null(device_announced(&device, names[i]), "%s", names[i]);
		text_copy(device.name, sizeof(device.name), names[i]);
		cr_expect_eq(device_open(&device, O_WRONLY), -why, "%s", names[i]);
	}
}
