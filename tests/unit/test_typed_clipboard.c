/* SPDX-License-Identifier: MIT */
/*
 * encoder/typed_clipboard and tty/reply: the types and the replies of OSC 5522. What is
 * sent is in tests/golden/typed.tbl.
 */
#include "encoder/encoder.h"
#include "reference.h"
#include "tty/tty.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* image/png in base64 */
#define PNG "aW1hZ2UvcG5n"

Test(typed_clipboard, types_are_media_types)
{
	static const char *const fine[] = { "text/plain", "image/png", "image/svg+xml",
		"text/plain;charset=utf-8", "application/vnd.ms-excel",
		"x-special/gnome-copied-files", "a/b",
		"application/x;p=\"q\"" };
	static const char *const wrong[] = { "", "png", "/", "a/", "/b", "image/", "a/b/c",
		"text/plain; charset=utf-8", "a b/c", "image/png,text/plain", ".",
		"image/\x1b", "image/\xc3\xa4", "a/b;\x7f", "a/b c", "a/b;c\nd" };
	char longest[TYPED_TYPE_MAX + 2];
	size_t i;

	for (i = 0; i < LEN(fine); i++)
		cr_expect(typed_type_is_fine(fine[i]), "%s", fine[i]);
	for (i = 0; i < LEN(wrong); i++)
		cr_expect_not(typed_type_is_fine(wrong[i]), "%s", wrong[i]);
	memset(longest, 'x', sizeof(longest));
	longest[1] = '/';
	longest[TYPED_TYPE_MAX + 1] = '\0';
	cr_expect_not(typed_type_is_fine(longest));
	longest[TYPED_TYPE_MAX] = '\0';
	cr_expect(typed_type_is_fine(longest));
}

static bool
parse(struct typed_reply *reply, const char *text)
{
	return typed_reply_parse(reply, text, strlen(text), "id");
}

Test(typed_reply, data_have_a_type_and_are_borrowed)
{
	static const char text[] = "type=read:status=DATA:loc=primary:id=id:mime=" PNG
	    ":pw=eA==;aGk=";
	struct typed_reply reply;

	cr_assert(parse(&reply, text));
	cr_expect_str_eq(reply.status, "DATA");
	cr_expect_str_eq(reply.type, "image/png");
	cr_expect(reply.data == text + sizeof(text) - 5 && reply.size == 4);
	cr_assert(parse(&reply, "type=read:status=DATA:id=id:mime=Lg==;"));
	cr_expect(reply.size == 0 && strcmp(reply.type, ".") == 0);
	cr_assert(parse(&reply, "type=read:status=DATA:id=id:mime="));
	cr_expect(reply.size == 0 && reply.type[0] == '\0');
}

/* As Contour replies. */
Test(typed_reply, without_an_id_it_may_be_ours)
{
	struct typed_reply reply;

	cr_expect(parse(&reply, "type=write:status=DONE"));
	cr_expect(reply.write && strcmp(reply.status, "DONE") == 0);
	cr_expect(parse(&reply, "type=read:status=OK;id=other"));
	cr_expect_eq(reply.size, strlen("id=other"));
}

Test(typed_reply, what_is_not_ours_is_none)
{
	static const char *const rows[] = { "", ";", ":", "=", "type", "type=read",
		"type=read:status=OK:id=", "type=read:status=OK:pw=eA==",
		"type=read:status=OK:id=other",
		"type=read:status=OK:id=i", "type=read:status=OK:id=idd",
		"type=read:status=OK:pw=:xid=id",
		"type=read:id=id", "type=read:status=:id=id", "type=wdata:status=OK:id=id",
		"type=:status=OK:id=id", "status=OK:id=id", "type=readx:status=OK:id=id",
		/* a type that is no base64, or holds a NUL */
		"type=read:status=DATA:id=id:mime=!;aGk=",
		"type=read:status=DATA:id=id:mime=YQBi;aGk=" };
	struct typed_reply reply;
	char text[2 * TYPED_TYPE_MAX + 64] = "type=read:status=DATA:id=id:mime=";
	size_t i, n;

	for (i = 0; i < LEN(rows); i++)
		cr_expect_not(parse(&reply, rows[i]), "%s", rows[i]);
	/* 256 bytes of type are kept, 257 are not */
	for (i = 0; i < 2; i++) {
		unsigned char type[TYPED_TYPE_MAX + 1];

		memset(type, 'x', sizeof(type));
		n = strlen("type=read:status=DATA:id=id:mime=");
		n += reference_encode(text + n, type, TYPED_TYPE_MAX + i);
		text[n] = '\0';
		cr_expect_eq(parse(&reply, text), i == 0);
	}
}
