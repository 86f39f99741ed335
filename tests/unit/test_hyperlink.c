/* SPDX-License-Identifier: MIT */
/*
 * encoder/hyperlink: what may stand in a URL (RFC 3986), the URLs of places in files,
 * and where a string that was begun ends. The bytes of OSC 8 are rows of
 * tests/golden/link.tbl.
 */
#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

#define expect_text(b, text)                                                    \
	cr_expect((b)->len == strlen(text) && ((b)->len == 0 ||                 \
	    memcmp((b)->data, text, (b)->len) == 0), "%.*s instead of %s",      \
	    (int)(b)->len, (char *)(b)->data, text)

static void
begin(struct buf *b)
{
	buf_init(b, 1 << 20);
}

Test(hyperlink, what_stays_in_a_url)
{
	static const struct {
		const char *url, *encoded;
	} rows[] = {
		{ "", "" },
		{ "https://u:p@h:1/a/b?c=d&e=f#g", "https://u:p@h:1/a/b?c=d&e=f#g" },
		{ "http://[::1]:8080/", "http://[::1]:8080/" },
		{ "-._~!$&'()*+,=:@/?", "-._~!$&'()*+,=:@/?" },
		{ "a b", "a%20b" }, { "a;b", "a%3Bb" },
		{ "\"<>\\^`{|}", "%22%3C%3E%5C%5E%60%7B%7C%7D" },
		{ "%41%zz%4", "%41%25zz%254" }, { "%", "%25" }, { "%%41", "%25%41" },
		{ "\xc3\xa4", "%C3%A4" }, { "\xff\x80", "%FF%80" },
		{ "\t\n\r\x7f", "%09%0A%0D%7F" },
	};
	struct buf b, again;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		begin(&b);
		begin(&again);
		cr_expect(url_encode(&b, rows[i].url, strlen(rows[i].url)));
		expect_text(&b, rows[i].encoded);
		/* what is encoded stays so */
		cr_expect(url_encode(&again, (char *)b.data, b.len));
		expect_text(&again, rows[i].encoded);
		buf_free(&b);
		buf_free(&again);
	}
	begin(&b);
	cr_expect(url_encode(&b, "\0", 1));
	expect_text(&b, "%00");
	b.len = 0;
	cr_expect(url_encode_path(&b, "/a b/%41;?#\xc3\xa4.c", 15));
	expect_text(&b, "/a%20b/%2541%3B%3F%23%C3%A4.c");
	buf_free(&b);
}

Test(hyperlink, no_room_is_said)
{
	struct buf b;

	buf_init(&b, 12);
	cr_expect_not(encode_hyperlink(&b, "https://a.b/", 12, NULL, "t", 1));
	cr_expect_eq(b.fault, BUF_TOO_LARGE);
	buf_free(&b);
}

Test(hyperlink, schemes)
{
	static const char *const with[] = { "a:", "http://x", "git+ssh:x", "a1-.+:b" };
	static const char *const without[] = { "", ":", "1a:", "a", "/a:b", "a/b:c",
		"a b:", "+a:" };
	size_t i;

	for (i = 0; i < LEN(with); i++)
		cr_expect(url_has_scheme(with[i], strlen(with[i])), "%s", with[i]);
	for (i = 0; i < LEN(without); i++)
		cr_expect_not(url_has_scheme(without[i], strlen(without[i])), "%s",
		    without[i]);
}

Test(hyperlink, places)
{
	static const struct {
		const char *template, *url; /* NULL: refused */
	} rows[] = {
		{ "file://{host}{path}", "file://h%20x/a%20b" },
		{ "{path}{path}", "/a%20b/a%20b" },
		{ "e://{line}:{col}", "e://12:1" },
		{ "x y", "x%20y" }, { "", "" },
		{ "{", NULL }, { "{path", NULL }, { "{}", NULL }, { "{Path}", NULL },
		{ "a{lines}", NULL }, { "}", "%7D" },
		{ "vscode://file/%p:%l:%c", "vscode://file/a%20b:12:1" },
		{ "vscode://file/{path}", "vscode://file/a%20b" },
		{ "file://%h%p#%l", "file://h%20x/a%20b#12" }, { "x:%p/%p//%p", "x:/a%20b/a%20b///a%20b" },
		/* no fields: bytes in hexadecimal digits, and a % alone */
		{ "%c3%cA%c", "%c3%cA1" }, { "%20%P%%l%", "%20%25P%2512%25" }, { "%", "%25" },
	};
	const struct place place = { "/a b", "h x", 12, 0 };
	struct buf b;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		begin(&b);
		cr_expect_eq(encode_place(&b, rows[i].template, &place),
		    rows[i].url != NULL, "%s", rows[i].template);
		if (rows[i].url != NULL)
			expect_text(&b, rows[i].url);
		buf_free(&b);
	}
}

Test(hyperlink, templates_with_a_path)
{
	static const char *const with[] = { "{path}", "%p", "a%20b%c3%p", "{line}{path}", "%%p" };
	static const char *const without[] = { "", "%", "{path", "%P", "{line}%l", "path", "{x}" };
	size_t i;

	for (i = 0; i < LEN(with); i++)
		cr_expect(template_has_path(with[i]), "%s", with[i]);
	for (i = 0; i < LEN(without); i++)
		cr_expect_not(template_has_path(without[i]), "%s", without[i]);
}

Test(hyperlink, every_editor_has_a_url_with_a_scheme_and_the_path)
{
	const struct place place = { "/a/b.c", "h", 12, 3 };
	struct buf b;
	size_t i;

	for (i = 0; editor_words[i] != NULL; i++) {
		begin(&b);
		cr_assert_not_null(editor_template(editor_words[i]));
		cr_expect(encode_place(&b, editor_template(editor_words[i]),
		    &place), "%s", editor_words[i]);
		cr_expect(url_has_scheme((char *)b.data, b.len));
		cr_expect(buf_add(&b, "", 1));
		cr_expect_not_null(strstr((char *)b.data, "/a/b.c"));
		buf_free(&b);
	}
	cr_expect_geq(i, 8);
	cr_expect_null(editor_template("ed"));
}

Test(hyperlink, an_id_is_that_of_its_url)
{
	char a[HYPERLINK_ID_SIZE], b[HYPERLINK_ID_SIZE];

	hyperlink_id(a, "https://a.b/", 12);
	hyperlink_id(b, "https://a.b/", 12);
	cr_expect_str_eq(a, b);
	cr_expect_eq(strlen(a), 17);
	hyperlink_id(b, "https://a.c/", 12);
	cr_expect_str_neq(a, b);
	/* the offset basis of FNV-1a */
	hyperlink_id(a, "", 0);
	cr_expect_str_eq(a, "vcbf29ce484222325");
}

Test(hyperlink, what_an_osc_is)
{
	static const struct {
		const char *bytes;
		enum hyperlink kind;
		const char *url;
	} rows[] = {
		{ "\x1b]8;;http://x\x1b\\", HYPERLINK_OPEN, "http://x" },
		{ "\x1b]8;;http://x\a", HYPERLINK_OPEN, "http://x" },
		{ "\x1b]8;id=a:b=c;http://x;y\x1b\\", HYPERLINK_OPEN, "http://x;y" },
		{ "\x1b]8;;\x1b\\", HYPERLINK_CLOSE, "" },
		{ "\x1b]8;;\a", HYPERLINK_CLOSE, "" },
		{ "\x1b]8;id=a;\x1b\\", HYPERLINK_CLOSE, "" },
		{ "\x1b]8;http://x\x1b\\", HYPERLINK_NONE, "" },
		{ "\x1b]8;\x1b\\", HYPERLINK_NONE, "" },
		{ "\x1b]8;\a", HYPERLINK_NONE, "" },
		{ "\x1b]8\x1b\\", HYPERLINK_NONE, "" },
		{ "\x1b]80;;x\x1b\\", HYPERLINK_NONE, "" },
		{ "\x1b]52;c;x\x1b\\", HYPERLINK_NONE, "" },
	};
	const char *url = NULL;
	size_t i, n = 0;

	for (i = 0; i < LEN(rows); i++) {
		cr_expect_eq(hyperlink_read((const unsigned char *)rows[i].bytes,
		    strlen(rows[i].bytes), &url, &n), rows[i].kind, "row %zu", i);
		if (rows[i].kind == HYPERLINK_OPEN)
			cr_expect(n == strlen(rows[i].url) &&
			    memcmp(url, rows[i].url, n) == 0, "row %zu", i);
	}
}

Test(hyperlink, where_a_sequence_that_was_begun_ends)
{
	static const struct {
		const char *begun, *rest;
		size_t n;
		enum sequence_open then;
	} rows[] = {
		{ "\x1b]0;a\n", "b\a" "c", 2, SEQUENCE_CLOSED },
		{ "\x1b]0;a\n", "b\x1b\\c", 3, SEQUENCE_CLOSED },
		{ "\x1b]0;a\n", "b\x1b[m", 1, SEQUENCE_CUT },
		{ "\x1b]0;a\n", "\x18x", 0, SEQUENCE_CUT },
		{ "\x1b]0;a\n", "b\x1b", 1, SEQUENCE_OPEN_OSC },
		{ "\x1bPq\n", "a\ab\x1b[m\x1b\\c", 8, SEQUENCE_CLOSED },
		{ "\x1bPq\n", "a\x1a", 1, SEQUENCE_CUT },
		{ "\x1bPtmux;\n", "\x1b\x1b\\\x1b\\c", 5, SEQUENCE_CLOSED },
		{ "\x1bPtmux;\n", "\x1b\x1b", 2, SEQUENCE_OPEN_TMUX },
		{ "\x1b_a", "bc", 2, SEQUENCE_OPEN_STRING },
		{ "\x1b[1\n", "2mx", 2, SEQUENCE_CLOSED },
		{ "\x1b[1\n", "mx", 1, SEQUENCE_CLOSED },
		{ "\x1b[ 0\n", "1 \n", 3, SEQUENCE_OPEN_CSI },
		{ "\x1b[ 0\n", " 1?/hx", 5, SEQUENCE_CLOSED },
		{ "\x1b[1\n", "2\x1b[m", 1, SEQUENCE_CUT },
		{ "\x1b[1\n", "\x1b", 0, SEQUENCE_CUT },
		{ "\x1b[1\n", "\x18x", 0, SEQUENCE_CUT },
		{ "\x1b(\n", "[x", 1, SEQUENCE_CLOSED },
		{ "\x1b\n", "[1mx", 3, SEQUENCE_CLOSED },
		{ "\x1b\n", "(Bx", 2, SEQUENCE_CLOSED },
		{ "\x1b\n", "]0;a\ax", 5, SEQUENCE_CLOSED },
		{ "\x1b\n", "P1", 2, SEQUENCE_OPEN_STRING },
		{ "\x1b\n", "7x", 1, SEQUENCE_CLOSED },
	};
	enum sequence_open open;
	size_t i, n;

	for (i = 0; i < LEN(rows); i++) {
		open = sequence_opened((const unsigned char *)rows[i].begun,
		    strlen(rows[i].begun));
		n = sequence_rest((const unsigned char *)rows[i].rest,
		    strlen(rows[i].rest), &open);
		cr_expect_eq(n, rows[i].n, "row %zu: %zu bytes", i, n);
		cr_expect_eq(open, rows[i].then, "row %zu", i);
	}
}
