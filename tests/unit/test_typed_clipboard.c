/* SPDX-License-Identifier: MIT */
/*
 * encoder/typed_clipboard and tty/typed_reply: OSC 5522 as kitty's "Copying all data
 * types to the clipboard" draws it, in both directions.
 */
#include "encoder/encoder.h"
#include "reference.h"
#include "tty/typed_reply.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define ST "\x1b\\"
#define OSC "\x1b]5522;type="

/* text/plain, text/html and image/png in base64 */
#define PLAIN "dGV4dC9wbGFpbg=="
#define HTML "dGV4dC9odG1s"
#define PNG "aW1hZ2UvcG5n"

static void
expect_bytes(struct buf *b, const char *wanted, const char *what)
{
	buf_add(b, "", 1);
	cr_expect_str_eq((const char *)b->data, wanted, "%s: %s", what,
	    (const char *)b->data + 1);
	buf_free(b);
}

static bool
build(struct buf *b, const struct typed_write *write)
{
	struct source s;
	bool fine;

	encode_typed_write(&s, write);
	fine = source_all(&s, b);
	source_free(&s);
	return fine;
}

/* ---- what is sent -------------------------------------------------------- */

Test(typed_clipboard, writes_are_drawn_as_in_the_document)
{
	static const struct typed_item two[] = {
		{ "text/html", "<b>hi</b>", 9 }, { "text/plain", "hi", 2 } };
	static const struct typed_item aliased[] = {
		{ "text/html,text/plain,application/x", "hi", 2 } };
	static const struct typed_item empty[] = { { "image/png", NULL, 0 } };
	static const struct {
		const char *what;
		struct typed_write write;
		const char *wanted;
	} rows[] = {
		{ "two types", { NULL, false, two, 2 },
		    OSC "write" ST
		    OSC "wdata:mime=" HTML ";PGI+aGk8L2I+" ST
		    OSC "wdata:mime=" PLAIN ";aGk=" ST
		    OSC "wdata" ST },
		{ "an id and the primary selection", { "v-1_a.b+c", true, two + 1, 1 },
		    OSC "write:id=v-1_a.b+c:loc=primary" ST
		    OSC "wdata:mime=" PLAIN ";aGk=" ST
		    OSC "wdata" ST },
		/* "text/plain application/x" */
		{ "aliases", { NULL, false, aliased, 1 },
		    OSC "write" ST
		    OSC "wdata:mime=" HTML ";aGk=" ST
		    OSC "walias:mime=" HTML ";dGV4dC9wbGFpbiBhcHBsaWNhdGlvbi94" ST
		    OSC "wdata" ST },
		{ "nothing of a type", { NULL, false, empty, 1 },
		    OSC "write" ST OSC "wdata:mime=" PNG ";" ST OSC "wdata" ST },
		{ "nothing at all clears", { NULL, false, NULL, 0 },
		    OSC "write" ST OSC "wdata" ST },
	};
	struct buf b;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		buf_init(&b, 1000);
		cr_expect(build(&b, &rows[i].write));
		expect_bytes(&b, rows[i].wanted, rows[i].what);
	}
}

Test(typed_clipboard, reads_are_drawn_as_in_the_document)
{
	struct buf b;

	buf_init(&b, 1000);
	cr_expect(encode_typed_read(&b, NULL, false, "."));
	expect_bytes(&b, OSC "read;Lg==" ST, "the list");
	buf_init(&b, 1000);
	cr_expect(encode_typed_read(&b, "x", true, "image/png"));
	expect_bytes(&b, OSC "read:id=x:loc=primary;" PNG ST, "a type");
}

/* The next packet of data, decoded by the reference; its size, or -1 for another. */
static long
next_chunk(const char **at, unsigned char *raw)
{
	static const char head[] = OSC "wdata:mime=" PNG ";";
	const char *end = strstr(*at + 1, ST), *from = *at + sizeof(head) - 1;
	size_t n;

	if (strncmp(*at, head, sizeof(head) - 1) != 0)
		return -1;
	n = reference_decode(raw, from, (size_t)(end - from));
	*at = end + 2;
	return (long)n;
}

Test(typed_clipboard, chunks_have_4095_bytes_and_make_the_whole)
{
	static const size_t sizes[] = { 1, TYPED_CHUNK - 1, TYPED_CHUNK, TYPED_CHUNK + 1,
		4096, 2 * TYPED_CHUNK, 100000 };
	static unsigned char data[100000], raw[8192];
	struct typed_item item = { "image/png", data, 0 };
	struct typed_write write = { NULL, false, &item, 1 };
	const char *at;
	struct buf b;
	size_t i, done;
	long n;

	cr_expect_leq((size_t)TYPED_CHUNK, (size_t)4096, "the protocol's limit");
	cr_expect_eq(TYPED_CHUNK % 3, 0, "only the last is padded");
	for (i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 7 + i / 256);
	for (i = 0; i < LEN(sizes); i++) {
		item.size = sizes[i];
		buf_init(&b, 1000000);
		cr_assert(build(&b, &write) && buf_add(&b, "", 1));
		at = (const char *)b.data + strlen(OSC "write" ST);
		for (done = 0; (n = next_chunk(&at, raw)) >= 0; done += (size_t)n) {
			cr_assert(done + (size_t)n <= item.size &&
			    (n == TYPED_CHUNK || done + (size_t)n == item.size));
			cr_assert_arr_eq(raw, data + done, (size_t)n);
		}
		cr_expect_eq(done, item.size);
		cr_expect_str_eq(at, OSC "wdata" ST);
		buf_free(&b);
	}
}

/* What Screen draws comes between two strings, not into a packet. */
Test(typed_clipboard, for_screen_each_packet_is_one_string)
{
	static const struct chain screen = { 1, { LAYER_SCREEN } };
	static const char begins[] = "\x1bP" OSC, ends[] = "\a" ST;
	static unsigned char bytes[20000];
	static char longest[TYPED_TYPE_MAX + 1];
	const char *const types[] = { "a/b", "image/png", longest };
	struct source s;
	struct buf b;
	size_t i, packets;

	memset(longest, 'x', TYPED_TYPE_MAX);
	longest[1] = '/';
	for (i = 0; i < LEN(types); i++) {
		struct typed_item item = { types[i], bytes, sizeof(bytes) };
		struct typed_write write = { "v1-2", false, &item, 1 };

		encode_typed_write(&s, &write);
		source_wrap(&s, &screen);
		for (packets = 0; ; packets++) {
			buf_init(&b, BUF_NO_LIMIT);
			if (!source_next(&s, &b))
				break;
			cr_expect_leq(b.len, SCREEN_STRING_MAX + 4);
			cr_expect_eq(memcmp(b.data, begins, sizeof(begins) - 1), 0);
			cr_expect_eq(memcmp(b.data + b.len - 3, ends, 3), 0);
			cr_expect_null(memchr(b.data + 3, 0x1b, b.len - 5));
			buf_free(&b);
		}
		cr_expect_gt(packets, 20000 / 600);
		source_free(&s);
		buf_free(&b);
	}
}

Test(typed_clipboard, without_room_it_says_so)
{
	static const struct typed_item item = { "text/html,text/plain", "hi", 2 };
	const struct typed_write write = { "id", true, &item, 1 };
	struct buf b;
	size_t max, whole;

	buf_init(&b, 1000);
	cr_assert(build(&b, &write));
	whole = b.len;
	buf_free(&b);
	for (max = 0; max < whole; max++) {
		buf_init(&b, max);
		cr_expect_not(build(&b, &write));
		cr_expect_eq(b.fault, BUF_TOO_LARGE);
		buf_free(&b);
	}
}

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
		cr_expect(typed_type_is_fine(fine[i], strlen(fine[i])), "%s", fine[i]);
	for (i = 0; i < LEN(wrong); i++)
		cr_expect_not(typed_type_is_fine(wrong[i], strlen(wrong[i])), "%s",
		    wrong[i]);
	cr_expect_not(typed_type_is_fine("a/b\0", 4));
	memset(longest, 'x', sizeof(longest));
	longest[1] = '/';
	cr_expect(typed_type_is_fine(longest, TYPED_TYPE_MAX));
	cr_expect_not(typed_type_is_fine(longest, TYPED_TYPE_MAX + 1));
}

/* ---- what is replied ----------------------------------------------------- */

static bool
parse(struct typed_reply *reply, const char *text)
{
	return typed_reply_parse(reply, text, strlen(text), "id");
}

Test(typed_reply, every_status_is_told)
{
	static const struct { const char *word; enum typed_status status; } rows[] = {
		{ "OK", TYPED_OK }, { "DATA", TYPED_DATA }, { "DONE", TYPED_DONE },
		{ "EIO", TYPED_EIO }, { "EINVAL", TYPED_EINVAL },
		{ "ENOSYS", TYPED_ENOSYS }, { "EPERM", TYPED_EPERM },
		{ "EBUSY", TYPED_EBUSY }, { "ENEW", TYPED_UNKNOWN },
		{ "done", TYPED_UNKNOWN }, { "DON", TYPED_UNKNOWN },
		{ "DONEX", TYPED_UNKNOWN },
	};
	struct typed_reply reply;
	char text[64];
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		snprintf(text, sizeof(text), "type=write:status=%s:id=id", rows[i].word);
		cr_assert(parse(&reply, text), "%s", text);
		cr_expect(reply.write && reply.status == rows[i].status, "%s", text);
		cr_expect_str_eq(reply.word, rows[i].word);
		cr_expect(reply.size == 0 && reply.type[0] == '\0');
		snprintf(text, sizeof(text), "id=id:status=%s:type=read", rows[i].word);
		cr_assert(parse(&reply, text), "%s", text);
		cr_expect(!reply.write && reply.status == rows[i].status, "%s", text);
	}
	cr_assert(parse(&reply, "type=read:id=id:status=EAVERYLONGNAMEINDEED"));
	cr_expect_str_eq(reply.word, "EAVERYLONGNAMEI");
}

Test(typed_reply, data_have_a_type_and_are_borrowed)
{
	static const char text[] = "type=read:status=DATA:loc=primary:id=id:mime=" PNG
	    ":pw=eA==;aGk=";
	struct typed_reply reply;

	cr_assert(parse(&reply, text));
	cr_expect_eq(reply.status, TYPED_DATA);
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
	cr_expect(reply.write && reply.status == TYPED_DONE);
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
