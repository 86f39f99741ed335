/* SPDX-License-Identifier: MIT */
/* base/subprocess: programs that leave a process behind, and their messages. */
#include "base/base.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct buf answer, errors;

static void
set_up(void)
{
	answer = (struct buf){ .max = 65536 };
	errors = (struct buf){ .max = 65536 };
}

static void
tear_down(void)
{
	buf_free(&answer);
	buf_free(&errors);
}

static int
run_script(const char *script, const char *input)
{
	const char *const arguments[] = { "sh", "-c", script, NULL };
	const struct subprocess_command command = { .arguments = arguments,
	    .errors = &errors, .serves = true };

	return subprocess_run_command(&command, input, strlen(input), &answer, NULL,
	    5000);
}

/* xclip's way: the process behind holds stdout and stderr for as long as it lives. */
Test(subprocess, who_is_left_behind_is_not_waited_for, .init = set_up, .fini = tear_down)
{
	long long before = clock_ms();
	pid_t left;

	cr_expect_eq(run_script("sleep 60 & echo $!; cat >&2; exit 3",
	    "was read"), 3);
	cr_expect_lt(clock_ms() - before, 4000, "waited for the one behind");
	cr_expect_eq(answer.len, 0, "its stdout is no answer");
	cr_assert(buf_add(&errors, "", 1));
	left = (pid_t)atol((const char *)errors.data);
	cr_expect_not_null(strstr((const char *)errors.data, "\nwas read"));
	cr_assert_gt(left, 1);
	cr_expect_eq(kill(left, 0), 0, "it lives on");
	/* a hang-up of our terminal does not reach it, nor does Control-C */
	cr_expect_neq(getsid(left), getsid(0));
	kill(left, SIGKILL);
}

Test(subprocess, who_does_not_read_is_no_failure_of_ours, .init = set_up,
    .fini = tear_down)
{
	char *much = malloc(1 << 20);

	cr_assert_not_null(much);
	memset(much, 'x', (1 << 20) - 1);
	much[(1 << 20) - 1] = '\0';
	cr_expect_eq(run_script("exec 0<&-; exit 7", much), 7);
	free(much);
}

Test(subprocess, one_that_does_not_end_is_ended, .init = set_up, .fini = tear_down)
{
	const char *const arguments[] = { "sleep", "60", NULL };
	const struct subprocess_command command = { .arguments = arguments,
	    .errors = &errors, .serves = true };

	cr_expect_eq(subprocess_run_command(&command, "", 0, &answer, NULL, 100),
	    SUBPROCESS_TOO_SLOW);
}
