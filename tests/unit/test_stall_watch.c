/* SPDX-License-Identifier: MIT */
/* tty/stall_watch: a write that waits is cut short when nothing moves, and not before. */
#include "tty/stall_watch.h"

#include "base/clock.h"
#include "base/compat.h"
#include "tty/signals.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 300, MORE = 1000 };

/* Whether there is a child; a system that does not count has none. */
static bool
begin(void)
{
	int counter = compat_open_sleeps();
	bool begun;

	signals_begin(0);
	begun = stall_watch_begin(LIMIT);
	cr_expect_eq(begun, counter >= 0);
	if (counter >= 0)
		close(counter);
	return begun;
}

static void
end(void)
{
	stall_watch_end();
	cr_expect(!stall_watch_found());
	cr_expect(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
	signals_end();
}

/* A pipe that is full, so that the next write waits. */
static void
fill(int end_of_pipe[2])
{
	static const char bytes[4096];
	size_t i;

	cr_assert_eq(pipe(end_of_pipe), 0);
	for (i = 0; i < 16; i++)
		cr_assert_eq(write(end_of_pipe[1], bytes, sizeof(bytes)), 4096);
}

Test(stall_watch, a_write_that_nobody_reads_is_cut_short_after_the_limit, .timeout = 60)
{
	long long begun = clock_ms(), took;
	int pipe_end[2];
	ssize_t n;

	fill(pipe_end);
	if (!begin())
		return;
	n = write(pipe_end[1], "x", 1);
	took = clock_ms() - begun;
	cr_expect(n < 0 && errno == EINTR);
	cr_expect(stall_watch_found());
	cr_expect_geq(took, LIMIT);
	cr_expect_lt(took, LIMIT + MORE);
	end();
}

/* A page every half of the limit, for five of them. */
static pid_t
start_reader(int from)
{
	struct timespec pause = { 0, LIMIT / 2 * 1000000L };
	static char bytes[4096];
	pid_t reader = fork();
	size_t i;

	if (reader != 0)
		return reader;
	for (i = 0; i < 10; i++) {
		nanosleep(&pause, NULL);
		if (read(from, bytes, sizeof(bytes)) <= 0)
			_exit(1);
	}
	_exit(0);
}

Test(stall_watch, a_write_that_is_read_slowly_goes_on, .timeout = 60)
{
	static const char bytes[10 * 4096];
	int pipe_end[2];
	pid_t reader;

	fill(pipe_end);
	reader = start_reader(pipe_end[0]);
	if (begin())
		cr_expect_eq(write(pipe_end[1], bytes, sizeof(bytes)), (ssize_t)sizeof(bytes));
	cr_expect(!stall_watch_found());
	waitpid(reader, NULL, 0);
	end();
}

Test(stall_watch, without_a_child_there_is_nothing_to_find_or_to_end)
{
	stall_watch_end();
	cr_expect(!stall_watch_found());
}
