/* SPDX-License-Identifier: MIT */
/*
 * encoder/notification: every byte, from three documents: kitty's "Desktop notifications"
 * (OSC 99), the `notify` example of rxvt-unicode (OSC 777;notify;TITLE;BODY) and iTerm2's
 * "Proprietary Escape Codes" (OSC 9;TEXT). The golden rows of notify.tbl test the same
 * through the options of the command.
 */
#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <string.h>

#define TEXT(string) { string, sizeof(string) - 1 }
#define LIST(array) { array, sizeof(array) / sizeof(array[0]) }

static const char *const icons[] = { "error", "stop" };
static const char *const types[] = { "build" };
static const char *const labels[] = { "Yes", "No" };
static const char *const separator[] = { "a\xe2\x80\xa8" "b" };

struct row {
	const char *name;
	struct notification n;
	const char *wanted;
};

static void
expect(enum notification_protocol protocol, const struct row *row)
{
	struct buf b;

	buf_init(&b, 4096);
	cr_assert(encode_notification(&b, protocol, &row->n), "%s", row->name);
	cr_expect(b.len == strlen(row->wanted) &&
	    memcmp(b.data, row->wanted, b.len) == 0, "%s: %.*s", row->name,
	    (int)b.len, (char *)b.data);
	buf_free(&b);
}

#define EXPECT_ALL(protocol, rows) \
	for (size_t i_ = 0; i_ < sizeof(rows) / sizeof(rows[0]); i_++) \
		expect(protocol, &rows[i_])

/* ---- OSC 99 ------------------------------------------------------------- */

Test(notification, osc_99)
{
	static const struct row rows[] = {
		/* the examples at the top of kitty's page, in base64 (e=1) */
		{ "a title", { .id = "1", .title = TEXT("Hello world") },
		    "\x1b]99;i=1:d=1:p=title:e=1;SGVsbG8gd29ybGQ=\x1b\\" },
		{ "a title and a body", { .id = "1", .title = TEXT("Hello world"),
		    .body = TEXT("This is cool") },
		    "\x1b]99;i=1:d=0:p=title:e=1;SGVsbG8gd29ybGQ=\x1b\\"
		    "\x1b]99;i=1:d=1:p=body:e=1;VGhpcyBpcyBjb29s\x1b\\" },
		{ "a body alone", { .id = "1", .body = TEXT("This is cool") },
		    "\x1b]99;i=1:d=1:p=body:e=1;VGhpcyBpcyBjb29s\x1b\\" },
		{ "nothing", { .id = "1" },
		    "\x1b]99;i=1:d=1:p=title:e=1;\x1b\\" },
		/* u: 0 is low, 1 normal, 2 critical */
		{ "low", { .id = "1", .title = TEXT("t"), .urgency = NOTIFICATION_LOW },
		    "\x1b]99;i=1:d=1:p=title:e=1:u=0;dA==\x1b\\" },
		{ "critical", { .id = "1", .title = TEXT("t"),
		    .urgency = NOTIFICATION_CRITICAL },
		    "\x1b]99;i=1:d=1:p=title:e=1:u=2;dA==\x1b\\" },
		/* o: when to show it */
		{ "unfocused", { .id = "1", .title = TEXT("t"), .when = "unfocused" },
		    "\x1b]99;i=1:d=1:p=title:e=1:o=unfocused;dA==\x1b\\" },
		/* w: milliseconds; 0 is never, -1 (left out here) the desktop's own */
		{ "expires", { .id = "1", .title = TEXT("t"), .expire_ms = 1500 },
		    "\x1b]99;i=1:d=1:p=title:e=1:w=1500;dA==\x1b\\" },
		{ "stays", { .id = "1", .title = TEXT("t"), .stays = true },
		    "\x1b]99;i=1:d=1:p=title:e=1:w=0;dA==\x1b\\" },
		/* a=report, c=1: events when it is clicked and closed */
		{ "reports", { .id = "1", .title = TEXT("t"), .reports = true },
		    "\x1b]99;i=1:d=1:p=title:e=1:a=report:c=1;dA==\x1b\\" },
		/* f, s, n and t are base64; n and t may be repeated */
		{ "names", { .id = "1", .title = TEXT("t"), .application = "make",
		    .sound = "silent", .icons = LIST(icons), .types = LIST(types) },
		    "\x1b]99;i=1:d=1:p=title:e=1:f=bWFrZQ==:s=c2lsZW50:n=ZXJyb3I="
		    ":n=c3RvcA==:t=YnVpbGQ=;dA==\x1b\\" },
		/* p=buttons: labels separated by U+2028 */
		{ "buttons", { .id = "1", .title = TEXT("t"), .buttons = LIST(labels) },
		    "\x1b]99;i=1:d=0:p=title:e=1;dA==\x1b\\"
		    "\x1b]99;i=1:d=1:p=buttons:e=1;WWVz4oCoTm8=\x1b\\" },
		{ "a label with the separator", { .id = "1", .title = TEXT("t"),
		    .buttons = LIST(separator) },
		    "\x1b]99;i=1:d=0:p=title:e=1;dA==\x1b\\"
		    "\x1b]99;i=1:d=1:p=buttons:e=1;YSBi\x1b\\" },
		{ "the description is in the first sequence only", { .id = "1",
		    .title = TEXT("t"), .body = TEXT("b"),
		    .urgency = NOTIFICATION_NORMAL },
		    "\x1b]99;i=1:d=0:p=title:e=1:u=1;dA==\x1b\\"
		    "\x1b]99;i=1:d=1:p=body:e=1;Yg==\x1b\\" },
		{ "lines stay", { .id = "1", .title = TEXT("t"), .body = TEXT("a\nb") },
		    "\x1b]99;i=1:d=0:p=title:e=1;dA==\x1b\\"
		    "\x1b]99;i=1:d=1:p=body:e=1;YQpi\x1b\\" },
		{ "an escape sequence", { .id = "1", .title = TEXT("\x1b]0;x\a") },
		    "\x1b]99;i=1:d=1:p=title:e=1;77+9XTA7eO+/vQ==\x1b\\" },
	};

	EXPECT_ALL(NOTIFICATION_99, rows);
}

/* One sequence carries at most 2,048 bytes before they are encoded. */
Test(notification, osc_99_in_pieces)
{
	enum { CHARACTERS = 1000 };
	char body[CHARACTERS * 2 + 1] = "a";
	const char *second;
	struct notification n = { .id = "1", .body = { body, sizeof(body) } };
	struct buf b;
	size_t i;

	for (i = 1; i < sizeof(body); i += 2)
		memcpy(body + i, "\xc3\xbc", 2);
	buf_init(&b, 8192);
	cr_assert(encode_notification(&b, NOTIFICATION_99, &n));
	cr_assert(buf_add(&b, "", 1));
	cr_expect(strncmp((char *)b.data, "\x1b]99;i=1:d=0:p=body:e=1;", 24) == 0);
	second = strstr((char *)b.data, "\x1b\\\x1b]99;i=1:d=1:p=body:e=1;");
	cr_assert(second != NULL);
	/* 1,536 would divide a character: 1,535 bytes are 2,048 of base64, with one = */
	cr_expect_eq(second - (char *)b.data, 24 + 2048);
	cr_expect_eq(second[-1], '=');
	cr_expect_eq(strstr(second + 2, "\x1b\\")[2], '\0');
	buf_free(&b);
}

/* ---- OSC 777 and 9 ------------------------------------------------------ */

Test(notification, osc_777)
{
	static const struct row rows[] = {
		{ "title and body", { .title = TEXT("Done"), .body = TEXT("No warnings") },
		    "\x1b]777;notify;Done;No warnings\x1b\\" },
		/* Ghostty, Rio and Contour drop one with an empty field */
		{ "no body", { .title = TEXT("Done") }, "\x1b]777;notify;Done; \x1b\\" },
		{ "no title", { .body = TEXT("text") }, "\x1b]777;notify; ;text\x1b\\" },
		{ "semicolons", { .title = TEXT("a;b"), .body = TEXT(";") },
		    "\x1b]777;notify;a\xcd\xbe" "b;\xcd\xbe\x1b\\" },
		{ "semicolons in ASCII", { .title = TEXT("a;b"),
		    .body = TEXT("\xcd\xbe"), .ascii = true },
		    "\x1b]777;notify;a,b;,\x1b\\" },
		{ "typography in ASCII", { .title = TEXT("\xe2\x80\x9c" "a\xe2\x80\x9d"),
		    .body = TEXT("\xe2\x80\x93 \xe2\x80\xa6 \xe6\xbc\xa2"),
		    .ascii = true }, "\x1b]777;notify;\"a\";- ... ?\x1b\\" },
		{ "lines", { .title = TEXT("a\nb"), .body = TEXT("c\r\nd\te") },
		    "\x1b]777;notify;a b;c d e\x1b\\" },
		{ "an end inside", { .title = TEXT("a\x1b\\"), .body = TEXT("\a\xc2\x9c") },
		    "\x1b]777;notify;a\xef\xbf\xbd\\;\xef\xbf\xbd\xef\xbf\xbd\x1b\\" },
		{ "what only OSC 99 has is left out", { .id = "1",
		    .title = TEXT("t"), .body = TEXT("b"), .application = "a",
		    .urgency = NOTIFICATION_LOW, .buttons = LIST(labels),
		    .reports = true, .stays = true },
		    "\x1b]777;notify;t;b\x1b\\" },
	};

	EXPECT_ALL(NOTIFICATION_777, rows);
}

Test(notification, osc_9)
{
	static const struct row rows[] = {
		{ "title", { .title = TEXT("Done") }, "\x1b]9;Done\x1b\\" },
		{ "title and body", { .title = TEXT("Done"), .body = TEXT("No warnings") },
		    "\x1b]9;Done: No warnings\x1b\\" },
		{ "body", { .body = TEXT("text") }, "\x1b]9;text\x1b\\" },
		{ "nothing", { .title = TEXT("") }, "\x1b]9;\x1b\\" },
		/* ConEmu's commands are numbers: 9;4;1;50 is progress */
		{ "like progress", { .title = TEXT("4;1;50") },
		    "\x1b]9; 4\xcd\xbe" "1\xcd\xbe" "50\x1b\\" },
		{ "a number in the body alone", { .body = TEXT("5 left") },
		    "\x1b]9; 5 left\x1b\\" },
		{ "a number behind a title", { .title = TEXT("t"), .body = TEXT("5") },
		    "\x1b]9;t: 5\x1b\\" },
	};

	EXPECT_ALL(NOTIFICATION_9, rows);
}

/* ---- limits ------------------------------------------------------------- */

/* As long as allowed it is whole; a byte more, and an ellipsis ends it. */
Test(notification, a_long_text_ends_in_an_ellipsis)
{
	char title[NOTIFICATION_TITLE_MAX + 1];
	struct notification n = { .title = { title, NOTIFICATION_TITLE_MAX } };
	enum { HEAD = sizeof("\x1b]9;") - 1, END = sizeof("\x1b\\") - 1 };
	struct buf b;

	memset(title, 't', sizeof(title));
	buf_init(&b, 1024);
	cr_assert(encode_notification(&b, NOTIFICATION_9, &n));
	cr_expect_eq(b.len, HEAD + NOTIFICATION_TITLE_MAX + END);
	cr_expect_eq(b.data[b.len - END - 1], 't');
	buf_free(&b);
	n.title.size++;
	cr_assert(encode_notification(&b, NOTIFICATION_9, &n));
	cr_expect_eq(b.len, HEAD + NOTIFICATION_TITLE_MAX + END);
	cr_expect(memcmp(b.data + b.len - END - 4, "t\xe2\x80\xa6", 4) == 0);
	buf_free(&b);
}

Test(notification, no_room_is_a_fault)
{
	static const enum notification_protocol all[] = { NOTIFICATION_99,
		NOTIFICATION_777, NOTIFICATION_9 };
	const struct notification n = { .id = "1", .title = TEXT("Hello world") };
	struct buf b;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		buf_init(&b, 12);
		cr_expect_not(encode_notification(&b, all[i], &n));
		cr_expect_eq(b.fault, BUF_TOO_LARGE);
		buf_free(&b);
	}
}

/* ---- ids and requests --------------------------------------------------- */

Test(notification, ids)
{
	char longest[130];
	static const char *const fine[] = { "1", "viatty-1", "a_b+c.D-9", "00", "-" };
	static const char *const bad[] = { "", "0", "a b", "a:b", "a;b", "a=b", "a/b",
		"\x1b", "\xc3\xbc" };
	size_t i;

	for (i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
		cr_expect(notification_id_is_fine(fine[i]), "%s", fine[i]);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(notification_id_is_fine(bad[i]), "%s", bad[i]);
	memset(longest, 'a', sizeof(longest));
	longest[128] = '\0';
	cr_expect(notification_id_is_fine(longest));
	longest[128] = 'a';
	longest[129] = '\0';
	cr_expect_not(notification_id_is_fine(longest));
}

Test(notification, requests)
{
	struct buf b;

	buf_init(&b, 64);
	/* kitty's page: "Closing an existing notification" */
	cr_assert(encode_notification_close(&b, "mynotification"));
	cr_assert(buf_add(&b, "", 1));
	cr_expect_str_eq((char *)b.data, "\x1b]99;i=mynotification:p=close;\x1b\\");
	buf_free(&b);
	/* and "Querying for support" */
	cr_assert(encode_notification_query(&b, "someid"));
	cr_assert(buf_add(&b, "", 1));
	cr_expect_str_eq((char *)b.data, "\x1b]99;i=someid:p=?;\x1b\\");
	buf_free(&b);
}
