/* SPDX-License-Identifier: MIT */
/* base/stream: all is read to its end, and what is too much is said or dropped. */
#include "base/stream.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than a pipe holds: pipe(7). */
enum { MUCH = 200 * 1000 };

/* Writes `n` times `c`, then `end`, to a pipe; gives its other end. */
static int
written(char c, size_t n, const char *end, pid_t *writer)
{
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	*writer = fork();
	if (*writer == 0) {
		close(ends[0]);
		while (n-- > 0)
			if (write(ends[1], &c, 1) != 1)
				_exit(1);
		_exit(write(ends[1], end, strlen(end)) < 0);
	}
	cr_assert_gt(*writer, 0);
	close(ends[1]);
	return ends[0];
}

static bool
was_written(pid_t writer)
{
	int status;

	return waitpid(writer, &status, 0) == writer && status == 0;
}

static pid_t
write_to_stdin(char c, size_t n, const char *end)
{
	pid_t writer;
	int fd = written(c, n, end, &writer);

	cr_assert_eq(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	close(fd);
	return writer;
}

Test(stream, a_text_ends_before_its_newlines)
{
	struct error error = { 0 };
	struct buf b;

	buf_init(&b, 100);
	cr_expect(was_written(write_to_stdin('a', 3, "\nb\n\n")));
	cr_expect(stream_read_text(&b, &error), "%s", error.message);
	cr_expect(b.len == 5 && memcmp(b.data, "aaa\nb", 5) == 0);
	b.len = 0;
	cr_expect(was_written(write_to_stdin('\n', 4, "")));
	cr_expect(stream_read_text(&b, &error), "%s", error.message);
	cr_expect_eq(b.len, 0, "nothing but newlines");
	buf_free(&b);
}

Test(stream, what_is_more_than_a_text_holds_can_be_dropped)
{
	struct error error = { 0 };
	pid_t writer = write_to_stdin('a', MUCH, "\n");
	struct buf b;

	buf_init(&b, 10);
	cr_expect(stream_read_text(&b, &error), "%s", error.message);
	cr_expect_eq(b.len, 10, "%zu bytes", b.len);
	cr_expect_eq(b.fault, BUF_FINE);
	cr_expect(stream_drain(&error), "%s", error.message);
	cr_expect(was_written(writer), "the pipe did not break");
	buf_free(&b);
}

Test(stream, all_is_all_or_a_reason)
{
	struct error error = { 0 };
	struct buf b;
	pid_t writer;
	int fd = written('a', MUCH, "\n", &writer);

	buf_init(&b, SIZE_MAX / 2);
	cr_expect(stream_read_all(fd, "it", &b, &error));
	cr_expect_eq(b.len, MUCH + 1);
	cr_expect(was_written(writer));
	buf_free(&b);

	fd = written('a', 200, "", &writer);
	buf_init(&b, 100);
	cr_expect_not(stream_read_all(fd, "'x.png'", &b, &error));
	cr_expect_eq(error.status, STATUS_FAILED);
	cr_expect_str_eq(error.message,
	    "cannot read 'x.png': larger than 100 bytes");
	cr_expect(was_written(writer));
	buf_free(&b);

	buf_init(&b, 100);
	cr_expect_not(stream_read_all(-1, "it", &b, &error));
	cr_expect_not_null(strstr(error.message, strerror(EBADF)));
	close(STDIN_FILENO);
	cr_expect_not(stream_drain(&error));
	cr_expect_not(stream_read_text(&b, &error));
	cr_expect_not_null(strstr(error.message, strerror(EBADF)), "%s",
	    error.message);
	buf_free(&b);
}
