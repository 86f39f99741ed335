/* SPDX-License-Identifier: MIT */
/*
 * base/wait: poll() and the select() that macOS needs agree on what has happened, at a
 * terminal, pipes and /dev/tty, and on the time.
 */
#include "base/clock.h"
#include "base/wait.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

typedef int waiting(struct pollfd *ends, size_t count, int timeout_ms);

static waiting *const ways[] = { wait_on, wait_by_select };

static int
look(waiting *way, int fd, short events)
{
	struct pollfd end = { .fd = fd, .events = events, .revents = -1 };
	int ready = way(&end, 1, 0);

	cr_expect_eq(ready, end.revents != 0);
	return ready;
}

Test(wait, bytes_room_and_ends)
{
	char full[1 << 16];
	size_t i;

	for (i = 0; i < LEN(ways); i++) {
		int pipe_end[2];

		cr_assert_eq(pipe(pipe_end), 0);
		cr_expect_eq(look(ways[i], pipe_end[0], POLLIN), 0);
		cr_expect_eq(look(ways[i], pipe_end[1], POLLOUT), 1);
		memset(full, 'x', sizeof(full));
		cr_assert_eq(write(pipe_end[1], full, sizeof(full)), sizeof(full));
		cr_expect_eq(look(ways[i], pipe_end[0], POLLIN), 1);
		cr_expect_eq(look(ways[i], pipe_end[1], POLLOUT), 0, "it is full");
		cr_assert_eq(read(pipe_end[0], full, sizeof(full)), sizeof(full));
		close(pipe_end[1]);
		cr_expect_eq(look(ways[i], pipe_end[0], POLLIN), 1, "end of file");
		close(pipe_end[0]);
		cr_assert_eq(pipe(pipe_end), 0);
		close(pipe_end[0]);
		cr_expect_eq(look(ways[i], pipe_end[1], POLLOUT), 1, "no reader");
		close(pipe_end[1]);
	}
}

/* In a session of its own: its controlling terminal, by the name /dev/tty. */
static void
look_at_dev_tty(int master, int slave)
{
	size_t i;
	int tty;

	setsid();
	cr_assert_eq(ioctl(slave, TIOCSCTTY, 0), 0);
	tty = open("/dev/tty", O_RDWR);
	cr_assert_geq(tty, 0);
	for (i = 0; i < LEN(ways); i++) {
		char byte;

		cr_expect_eq(look(ways[i], tty, POLLIN), 0);
		cr_expect_eq(look(ways[i], tty, POLLOUT), 1);
		cr_assert_eq(write(master, "\n", 1), 1);
		cr_expect_eq(look(ways[i], tty, POLLIN), 1);
		cr_assert_eq(read(tty, &byte, 1), 1);
	}
	/* the master's side hangs up */
	signal(SIGHUP, SIG_IGN);
	close(master);
	for (i = 0; i < LEN(ways); i++)
		cr_expect_eq(look(ways[i], tty, POLLIN), 1, "it is gone");
}

Test(wait, the_controlling_terminal)
{
	int master, slave;

	cr_assert_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	look_at_dev_tty(master, slave);
}

Test(wait, several_ends_and_those_left_out)
{
	int first[2], second[2];
	size_t i;

	cr_assert(pipe(first) == 0 && pipe(second) == 0);
	cr_assert_eq(write(second[1], "x", 1), 1);
	for (i = 0; i < LEN(ways); i++) {
		struct pollfd ends[] = { { first[0], POLLIN, 7 }, { -1, POLLIN, 7 },
			{ second[0], POLLIN, 7 }, { first[1], POLLOUT, 7 } };

		cr_expect_eq(ways[i](ends, LEN(ends), -1), 2);
		cr_expect_eq(ends[0].revents, 0);
		cr_expect_eq(ends[1].revents, 0);
		cr_expect_eq(ends[2].revents, POLLIN);
		cr_expect_eq(ends[3].revents, POLLOUT);
	}
}

static void
look_at_nothing(int number)
{
	(void)number;
}

Test(wait, the_time_and_a_signal)
{
	const struct sigaction nothing = { .sa_handler = look_at_nothing };
	int silent[2];
	size_t i;

	cr_assert_eq(pipe(silent), 0);
	sigaction(SIGALRM, &nothing, NULL);
	for (i = 0; i < LEN(ways); i++) {
		struct pollfd end = { .fd = silent[0], .events = POLLIN };
		long long began = clock_ms();

		cr_expect_eq(ways[i](&end, 1, 30), 0);
		cr_expect_geq(clock_ms() - began, 29);
		cr_expect_eq(ways[i](NULL, 0, 1), 0, "a pause");
		alarm(1);
		errno = 0;
		cr_expect_eq(ways[i](&end, 1, -1), -1);
		cr_expect_eq(errno, EINTR);
	}
}

/* More than an fd_set holds. */
Test(wait, a_descriptor_of_a_large_number)
{
	struct rlimit limit;
	int pipe_end[2], high;
	size_t i;

	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	if (limit.rlim_max <= FD_SETSIZE + 1)
		cr_skip_test("no descriptor may have such a number");
	limit.rlim_cur = limit.rlim_max;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	cr_assert_eq(pipe(pipe_end), 0);
	high = fcntl(pipe_end[0], F_DUPFD, FD_SETSIZE + 1);
	cr_assert_gt(high, FD_SETSIZE);
	for (i = 0; i < LEN(ways); i++) {
		cr_expect_eq(look(ways[i], high, POLLIN), 0);
		cr_assert_eq(write(pipe_end[1], "x", 1), 1);
		cr_expect_eq(look(ways[i], high, POLLIN), 1);
		cr_assert_eq(read(high, &(char){ 0 }, 1), 1);
	}
}
