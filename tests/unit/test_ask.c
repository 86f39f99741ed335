/* SPDX-License-Identifier: MIT */
/*
 * tty/ask: a question of which the terminal takes only a part is closed, so that
 * what is printed next is not swallowed by it.
 */
#include "tty/ask.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { QUESTION = 256 * 1024 }; /* more than a terminal of Linux holds */

static bool
receive(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	(void)context;
	(void)reply;
	(void)timeout_ms;
	return true;
}

Test(ask, half_a_question_is_closed, .timeout = 60)
{
	static const char closed[] = "\x18\x1b\\";
	static char bytes[QUESTION], seen[QUESTION + 16];
	const struct question question = { .bytes = bytes, .size = QUESTION,
	    .timeout_ms = 100, .reply_max = 64, .receive = receive };
	struct answer answer;
	size_t n = 0;
	ssize_t got;
	int master, fd;

	memset(bytes, 'x', QUESTION);
	memcpy(bytes, "\x1b]", 2);
	/* nobody reads at the other end of this one, and it is ours to read */
	setsid();
	signal(SIGHUP, SIG_IGN);
	cr_assert_eq(openpty(&master, &fd, NULL, NULL, NULL), 0);
	cr_assert_eq(ioctl(fd, TIOCSCTTY, 0), 0);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	answer = ask(fd, &question);
	cr_expect_eq(answer.end, ASK_FAILED);
	cr_expect_eq(errno, EAGAIN);
	close(fd);
	/* what the terminal did not take is thrown away, to have room */
	while ((got = read(master, seen + n, sizeof(seen) - n)) > 0)
		n += (size_t)got;
	cr_assert_geq(n, 3);
	cr_assert_lt(n, QUESTION);
	cr_expect_eq(memcmp(seen + n - 3, closed, 3), 0);
	close(master);
}
