/* SPDX-License-Identifier: MIT */
/*
 * encoder/program_status: each limit of the Program Status Protocol (revision 0.4) at the
 * last value that it allows and the first that it does not; whole sequences are in
 * tests/golden/status.tbl.
 */
#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define N8 "abcdefgh"
#define N32 N8 N8 N8 N8

static const struct program_status working = { .state = PROGRAM_WORKING, .progress = -1 };

Test(program_status, ids)
{
	static const struct {
		const char *id;
		enum program_status_fault fault;
	} rows[] = {
		{ "a", PROGRAM_FINE },
		{ "AZaz09_.+-", PROGRAM_FINE },
		{ "build/linux/x86_64", PROGRAM_FINE },
		{ N32, PROGRAM_FINE },
		{ "a/" N32, PROGRAM_FINE },
		{ "1/2/3/4/5/6/7/8", PROGRAM_FINE },
		/* 128 bytes, and one more */
		{ N32 "/" N32 "/" N32 "/" N8 N8 N8 "12345", PROGRAM_FINE },
		{ N32 "/" N32 "/" N32 "/" N8 N8 N8 "123456", PROGRAM_ID_LONG },
		{ N32 "i", PROGRAM_ID_NAME_LONG },
		{ "a/" N32 "i", PROGRAM_ID_NAME_LONG },
		{ "1/2/3/4/5/6/7/8/9", PROGRAM_ID_DEEP },
		{ "", PROGRAM_ID_INVALID },
		{ "/a", PROGRAM_ID_INVALID },
		{ "a/", PROGRAM_ID_INVALID },
		{ "a//b", PROGRAM_ID_INVALID },
		{ "a b", PROGRAM_ID_INVALID },
		{ "a:b", PROGRAM_ID_INVALID },
		{ "a=b", PROGRAM_ID_INVALID },
		{ "a,b", PROGRAM_ID_INVALID },
		{ "\x1b", PROGRAM_ID_INVALID },
		{ "\xc3\xa4", PROGRAM_ID_INVALID },
	};
	size_t i;

	for (i = 0; i < LEN(rows); i++)
		cr_expect_eq(program_status_check_id(rows[i].id), rows[i].fault, "%zu: %s", i,
		    rows[i].id + 1);
}

Test(program_status, names_of_programs)
{
	struct program_status status = working;

	status.app = N32;
	cr_expect_eq(program_status_check(&status), PROGRAM_FINE);
	status.app = N32 "i";
	cr_expect_eq(program_status_check(&status), PROGRAM_APP_LONG);
	status.app = "a/b";
	cr_expect_eq(program_status_check(&status), PROGRAM_APP_INVALID);
	status.app = "";
	cr_expect_eq(program_status_check(&status), PROGRAM_APP_INVALID);
}

Test(program_status, texts)
{
	static char text[PROGRAM_MESSAGE_MAX + 2];
	struct program_status status = working;

	memset(text, 'x', PROGRAM_MESSAGE_MAX);
	status.message = text;
	cr_expect_eq(program_status_check(&status), PROGRAM_FINE);
	text[PROGRAM_MESSAGE_MAX] = 'x';
	cr_expect_eq(program_status_check(&status), PROGRAM_MESSAGE_LONG);
	status.message = NULL;
	text[PROGRAM_TITLE_MAX] = '\0';
	status.title = text;
	cr_expect_eq(program_status_check(&status), PROGRAM_FINE);
	text[PROGRAM_TITLE_MAX] = 'x';
	text[PROGRAM_TITLE_MAX + 1] = '\0';
	cr_expect_eq(program_status_check(&status), PROGRAM_TITLE_LONG);
}

/* kind with blocked, progress with working and blocked, clear with nothing but an id. */
Test(program_status, what_goes_with_which_state)
{
	enum program_state state;

	for (state = 0; state < PROGRAM_STATES; state++) {
		struct program_status status = { .state = state, .progress = -1, .id = "a" };
		bool blocked = state == PROGRAM_BLOCKED;

		cr_expect_eq(program_status_check(&status), PROGRAM_FINE);
		status.kind = "auth";
		cr_expect_eq(program_status_check(&status),
		    blocked ? PROGRAM_FINE : PROGRAM_KIND_MISPLACED);
		status.kind = NULL;
		status.progress = 0;
		cr_expect_eq(program_status_check(&status), blocked ||
		    state == PROGRAM_WORKING ? PROGRAM_FINE : PROGRAM_PROGRESS_MISPLACED);
		status.progress = -1;
		status.app = "a";
		cr_expect_eq(program_status_check(&status), state == PROGRAM_CLEAR ?
		    PROGRAM_CLEAR_MISPLACED : PROGRAM_FINE);
	}
}

/* All fields at their limits: a terminal drops a sequence of more than 4,096 bytes. */
Test(program_status, the_longest_report_is_below_the_limit_of_a_sequence)
{
	static char title[PROGRAM_TITLE_MAX + 1], message[PROGRAM_MESSAGE_MAX + 1];
	struct program_status status = { .state = PROGRAM_BLOCKED, .kind = "permission",
		.id = N32 "/" N32 "/" N32 "/" N8 N8 N8 "12345", .app = N32, .progress = 100,
		.title = title, .message = message };
	struct buf b;

	memset(title, 'x', PROGRAM_TITLE_MAX);
	memset(message, 'x', PROGRAM_MESSAGE_MAX);
	cr_assert_eq(program_status_check(&status), PROGRAM_FINE);
	buf_init(&b, 8192);
	cr_assert(encode_program_status(&b, &status));
	cr_expect_leq(b.len, 4096);
	buf_free(&b);
}

Test(program_status, no_room_is_told)
{
	struct buf b;

	buf_init(&b, 10);
	cr_assert_not(encode_program_status(&b, &working));
	cr_expect_eq(b.fault, BUF_TOO_LARGE);
	buf_free(&b);
}
