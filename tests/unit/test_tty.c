/* SPDX-License-Identifier: MIT */
/* tty/tty: writing beside a program that draws. */
#include "tty/tty.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum drawn { AFTER, INSIDE, TOO_LATE_TO_TELL };

/*
 * Draws for 90 ms on a terminal that is read at once, and so always has room: nothing but the
 * short last part is the end of a sequence. Tells where the "!" of another writer is.
 */
static enum drawn
draw(int master, int slave)
{
	enum { STEPS = 10, STEP_MS = 10 };
	static char part[2100], seen[sizeof(part)];
	bool late = false, ended = false;
	long long last = clock_ms();
	ssize_t n;

	memset(part, '-', sizeof(part));
	for (int step = 0; step < STEPS; step++) {
		part[0] = step < STEPS - 1 ? '-' : '.';
		if (write(slave, part, step < STEPS - 1 ? sizeof(part) : 1) < 0)
			return TOO_LATE_TO_TELL;
		late = late || clock_ms() - last > 3 * STEP_MS;
		last = clock_ms();
		while ((n = read(master, seen, sizeof(seen))) > 0 ||
		    clock_ms() < last + STEP_MS || step == STEPS - 1) {
			const char *other = n > 0 ? memchr(seen, '!', (size_t)n) : NULL;
			const char *end = n > 0 ? memchr(seen, '.', (size_t)n) : NULL;

			ended = ended || (end != NULL && (other == NULL || end < other));
			if (other != NULL)
				return late ? TOO_LATE_TO_TELL : ended ? AFTER : INSIDE;
			wait_on(NULL, 0, n > 0 ? 0 : 1);
		}
	}
	return INSIDE;
}

Test(tty, beside_a_program_that_draws_without_a_break, .timeout = 30)
{
	static const struct chain no_layers = { .count = 0 };
	int status = TOO_LATE_TO_TELL << 8, master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	int slave, attempt;
	char byte;

	cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	cr_assert(slave >= 0 && write(slave, "-", 1) == 1);
	if (compat_written(getpid()) == 0)
		cr_skip_test("the system does not tell how much it has written");
	/* where the machine was too busy for one of the steps, it may have looked like the end */
	for (attempt = 0; attempt < 50 && WEXITSTATUS(status) == TOO_LATE_TO_TELL; attempt++) {
		pid_t child = fork();
		struct tty_output output = { .bytes = "!", .size = 1, .abort = "",
			.chain = &no_layers, .stall_ms = 5000, .calm_ms = 5000, .draws = child };

		if (child == 0)
			_exit(draw(master, slave));
		/* a server has always written something */
		while (compat_written(child) == 0)
			wait_on(NULL, 0, 1);
		cr_expect_eq(tty_write(slave, &output).end, TTY_DONE);
		cr_assert_eq(waitpid(child, &status, 0), child);
		while (read(master, &byte, 1) > 0)
			continue;
	}
	cr_expect_eq(WEXITSTATUS(status), AFTER);
}
