/* SPDX-License-Identifier: MIT */
/*
 * tty/query: a query of which the terminal takes only a part is closed, so that
 * what is printed next is not swallowed by it.
 */
#include "tty/query.h"

#include "base/clock.h"
#include "tty/termios.h"
#include "tty/tty.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
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

/* A terminal that says nothing by itself, ours to read; the other end of it. */
static int
open_silent(int *fd)
{
	int master;

	setsid();
	signal(SIGHUP, SIG_IGN);
	cr_assert_eq(openpty(&master, fd, NULL, NULL, NULL), 0);
	cr_assert_eq(ioctl(*fd, TIOCSCTTY, 0), 0);
	return master;
}

static const struct query fence = { .timeout_ms = 300, .reply_max = 64,
	.receive = receive };

static long long
time_of(int fd, const struct query *question, enum query_end expected)
{
	long long begin = clock_ms();

	cr_expect_eq(tty_query(fd, question).end, expected);
	return clock_ms() - begin;
}

Test(query, a_late_reply_is_waited_for_a_second_more, .timeout = 60)
{
	int fd;
	long long took;

	open_silent(&fd);
	took = time_of(fd, &fence, QUERY_SILENT);
	cr_expect_geq(took, 300 + QUERY_LINGER_MS - 50);
	cr_expect_lt(took, 300 + QUERY_LINGER_MS + 1000);
}

Test(query, an_optional_question_takes_a_second_in_all, .timeout = 60)
{
	struct query question = fence;
	long long took;
	int fd;

	open_silent(&fd);
	question.optional = true;
	took = time_of(fd, &question, QUERY_SILENT);
	cr_expect_geq(took, QUERY_OPTIONAL_MS - 50);
	/* one that lingers as others do takes the sum */
	question.timeout_ms = QUERY_OPTIONAL_MS;
	took = time_of(fd, &question, QUERY_SILENT);
	cr_expect_lt(took, QUERY_OPTIONAL_MS + QUERY_LINGER_MS - 100);
}

Test(query, keys_typed_ahead_stay_and_an_optional_question_is_not_put, .timeout = 60)
{
	struct query question = fence;
	struct termios before, after;
	int fd, master = open_silent(&fd);
	char keys[8], seen[64];

	question.optional = true;
	cr_assert_eq(tcgetattr(fd, &before), 0);
	/* no line yet: in canonical mode FIONREAD would say nothing of it */
	cr_assert_eq(write(master, "ls", 2), 2);
	cr_assert_eq(read(master, seen, sizeof(seen)), 2, "the echo");
	cr_expect_lt(time_of(fd, &question, QUERY_BUSY), QUERY_OPTIONAL_MS);
	cr_assert_eq(tcgetattr(fd, &after), 0);
	cr_expect_eq(after.c_lflag, before.c_lflag);
	cr_expect_eq(memcmp(after.c_cc, before.c_cc, sizeof(after.c_cc)), 0);
	cr_assert_eq(write(master, "\n", 1), 1);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	cr_expect_eq(read(fd, keys, sizeof(keys)), 2);
	cr_expect_eq(read(fd, keys + 2, sizeof(keys) - 2), 1);
	cr_expect_eq(memcmp(keys, "ls\n", 3), 0);
	cr_expect_eq(read(master, seen, sizeof(seen)), 2, "nothing but the newline");
}

/* What another viatty holds while it asks. */
static int
lock_terminal(int fd)
{
	int lock = open(ttyname(fd), O_RDONLY | O_NOCTTY);

	cr_assert_eq(flock(lock, LOCK_EX), 0);
	return lock;
}

Test(query, an_optional_question_waits_a_second_for_another, .timeout = 60)
{
	struct query question = fence;
	struct error error;
	long long took;
	int fd;

	open_silent(&fd);
	question.optional = true;
	lock_terminal(fd);
	took = time_of(fd, &question, QUERY_BUSY);
	cr_expect_geq(took, QUERY_OPTIONAL_MS - 50);
	cr_expect_lt(took, QUERY_LOCK_MS);
	cr_expect(query_failed(QUERY_BUSY, &error));
	cr_expect_eq(error.status, STATUS_REFUSED);
	cr_expect_neq(strstr(error.message, "another viatty"), NULL);
}

Test(query, an_optional_question_is_put_when_another_has_its_reply, .timeout = 60)
{
	struct query question = fence;
	int fd, lock;

	open_silent(&fd);
	question.optional = true;
	lock = lock_terminal(fd);
	if (fork() == 0) {
		usleep(200 * 1000);
		flock(lock, LOCK_UN);
		_exit(0);
	}
	cr_expect_geq(time_of(fd, &question, QUERY_SILENT), 200 + QUERY_OPTIONAL_MS - 50);
}

Test(query, where_keys_are_read_nothing_is_asked, .timeout = 60)
{
	struct termios modes;
	int fd, master = open_silent(&fd);
	char seen[64];

	cr_assert_eq(tcgetattr(fd, &modes), 0);
	modes.c_lflag &= ~(tcflag_t)ICANON;
	cr_assert_eq(tcsetattr(fd, TCSANOW, &modes), 0);
	cr_expect_lt(time_of(fd, &fence, QUERY_BUSY), (int)fence.timeout_ms);
	fcntl(master, F_SETFL, O_NONBLOCK);
	cr_expect_lt(read(master, seen, sizeof(seen)), 0);
}

static bool
encode_more(struct buf *bytes, void *context)
{
	return buf_add_string(bytes, context);
}

static bool
encode_nothing(struct buf *bytes, void *context)
{
	(void)bytes;
	(void)context;
	return false;
}

Test(query, the_question_is_wrapped_and_the_fence_as_told, .timeout = 60)
{
	static const struct chain screen = { 1, { LAYER_SCREEN } };
	static const struct {
		enum query_fence fence;
		const struct chain *chain;
		const char *bytes;
	} rows[] = {
		{ FENCE_WRAPPED, NULL, "\x1b[>q\x1b[21t\x1b[c" },
		{ FENCE_NEAREST, NULL, "\x1b[>q\x1b[21t\x1b[c" },
		{ FENCE_NONE, NULL, "\x1b[>q\x1b[21t" },
		{ FENCE_WRAPPED, &screen,
		    "\x1bP\x1b[>q\x1b\\\x1bP\x1b[21t\x1b\\\x1bP\x1b[c\x1b\\" },
		{ FENCE_NEAREST, &screen, "\x1bP\x1b[>q\x1b\\\x1bP\x1b[21t\x1b\\\x1b[c" },
		{ FENCE_NONE, &screen, "\x1bP\x1b[>q\x1b\\\x1bP\x1b[21t\x1b\\" },
	};
	static char title[] = "\x1b[21t";
	struct query query = { .text = "\x1b[>q", .encode = encode_more,
	    .context = title, .timeout_ms = 1, .strict = true,
	    .reply_max = 64, .receive = receive };
	int fd, master = open_silent(&fd);
	char seen[64];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		query.fence = rows[i].fence;
		query.chain = rows[i].chain;
		cr_expect_eq(tty_query(fd, &query).end, QUERY_SILENT);
		memset(seen, 0, sizeof(seen));
		cr_assert_gt(read(master, seen, sizeof(seen) - 1), 0);
		cr_expect_str_eq(seen, rows[i].bytes, "row %zu: %s", i, seen + 1);
	}
}

Test(query, the_controlling_terminal_is_opened_and_closed, .timeout = 60)
{
	struct query query = fence;
	int fd, free_before, free_after, master = open_silent(&fd);
	char seen[8] = "";

	query.timeout_ms = 1;
	query.strict = true;
	free_before = dup(0);
	close(free_before);
	cr_expect_eq(tty_query(QUERY_CONTROLLING, &query).end, QUERY_SILENT);
	cr_assert_eq(read(master, seen, sizeof(seen) - 1), 3);
	cr_expect_str_eq(seen, "\x1b[c");
	cr_expect_eq(query_allowed(QUERY_CONTROLLING, NULL), QUERY_DONE);
	free_after = dup(0);
	cr_expect_eq(free_after, free_before);
}

Test(query, without_a_terminal_and_without_a_question_it_says_so, .timeout = 60)
{
	struct query query = fence;
	struct error error;
	int fd;

	setsid();
	cr_expect_eq(tty_query(QUERY_CONTROLLING, &query).end, QUERY_NO_TERMINAL);
	cr_expect_eq(errno, ENXIO);
	cr_expect_eq(query_allowed(QUERY_CONTROLLING, NULL), QUERY_NO_TERMINAL);
	cr_expect(query_failed(QUERY_NO_TERMINAL, &error));
	cr_expect_eq(error.status, STATUS_NO_TERMINAL);
	open_silent(&fd);
	query.encode = encode_nothing;
	cr_expect_eq(tty_query(fd, &query).end, QUERY_FAILED);
	cr_expect_eq(errno, ENOMEM);
}

Test(query, half_a_question_is_closed, .timeout = 60)
{
	static const char closed[] = "\x18\x1b\\";
	static char bytes[QUESTION + 1], seen[QUESTION + 16];
	const struct query question = { .text = bytes, .timeout_ms = 100,
	    .reply_max = 64, .receive = receive };
	struct query_result answer;
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
	answer = tty_query(fd, &question);
	cr_expect_eq(answer.end, QUERY_FAILED);
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

/* What a terminal reads, as a process of its own: all up to the fence, which it answers. */
static pid_t
answer_later(int master, size_t *size, int *told)
{
	static unsigned char bytes[1 << 16];
	int ends[2];
	pid_t child;
	ssize_t n;

	cr_assert_eq(pipe(ends), 0);
	*told = ends[0];
	child = fork();
	cr_assert_geq(child, 0);
	if (child > 0) {
		close(ends[1]);
		return child;
	}
	for (*size = 0; (n = read(master, bytes, sizeof(bytes))) > 0;) {
		*size += (size_t)n;
		if (n >= 3 && memcmp(bytes + n - 3, QUERY_DA1, 3) == 0)
			break;
	}
	if (write(master, "\x1b[?1c", 5) != 5 ||
	    write(ends[1], size, sizeof(*size)) != sizeof(*size))
		abort();
	_exit(0);
}

static bool
receive_fence(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	(void)context;
	(void)timeout_ms;
	return reply->kind != REPLY_DA1;
}

Test(query, a_source_is_written_whole_before_the_fence, .timeout = 60)
{
	static unsigned char bytes[1000000];
	struct query query = fence;
	struct source source;
	int fd, told, master = open_silent(&fd);
	size_t size = 0;
	pid_t child;

	memset(bytes, 'x', sizeof(bytes));
	source_bytes(&source, bytes, sizeof(bytes));
	query.source = &source;
	query.receive = receive_fence;
	child = answer_later(master, &size, &told);
	cr_expect_eq(tty_query(fd, &query).end, QUERY_DONE);
	source_free(&source);
	cr_assert_eq(read(told, &size, sizeof(size)), sizeof(size));
	cr_expect_eq(size, sizeof(bytes) + strlen(QUERY_DA1), "%zu", size);
	waitpid(child, NULL, 0);
}

Test(query, a_source_that_is_not_taken_is_given_up_and_closed, .timeout = 60)
{
	static unsigned char bytes[QUESTION];
	struct query query = fence;
	struct source source;
	int fd;
	long long took;

	open_silent(&fd);
	memset(bytes, 'x', sizeof(bytes));
	source_bytes(&source, bytes, sizeof(bytes));
	query.source = &source;
	took = time_of(fd, &query, QUERY_SILENT);
	source_free(&source);
	cr_expect_geq(took, TTY_STALL_MS - 50);
	cr_expect_lt(took, TTY_STALL_MS * 11 / 10 + QUERY_LINGER_MS + 1000);
}
