/* SPDX-License-Identifier: MIT */
/*
 * relay_stream_feed(): what is a copy, a notification or a query, in all forms, and what is not,
 * with the bytes divided anywhere; relay_replies_feed() likewise. The rest, random bytes and layers
 * in any order, is fuzz_relay's.
 */
#include "relay/relay.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* Literals without NUL: sequences have none. */
struct row {
	const char *what, *bytes;
	/* "<letters>:<text>|" for a copy; D, V, M, R<letters>, ?<id> for a query;
	 * "<title>/<body>|" for a notification, "low" before it */
	const char *found;
	const char *passes; /* NULL: all of it */
};

static void
show(struct relay_shown *shown, const struct relay_stream *s, struct buf *found)
{
	const enum relay_piece piece = relay_shown_add(shown, s->protocol, &s->held);

	if (piece == RELAY_QUERY)
		buf_format(found, "?%s", shown->id);
	if (piece != RELAY_WHOLE)
		return;
	buf_add_string(found, shown->low ? "low " : "");
	buf_add(found, shown->title.data, shown->title.len);
	buf_add_string(found, "/");
	buf_add(found, shown->body.data, shown->body.len);
	buf_add_string(found, "|");
}

static void
feed(struct relay_stream *s, struct relay_shown *shown, const char *text, size_t n,
    struct buf *passed, struct buf *found)
{
	const unsigned char *bytes = (const unsigned char *)text;
	enum stream_event event;

	while ((event = relay_stream_feed(s, &bytes, &n, passed)) != STREAM_PASSES) {
		if (event == STREAM_NOTIFIES) {
			show(shown, s, found);
			continue;
		}
		if (event != STREAM_COPY) {
			buf_add(found, &"   DVMR"[event], 1);
			if (event == STREAM_READS)
				buf_add_string(found, s->selections);
			continue;
		}
		buf_format(found, "%s:", s->selections);
		buf_add(found, s->held.data, s->held.len);
		buf_add_string(found, "|");
	}
	cr_expect_eq(n, 0U);
}

/* Between two other bytes, in two pieces. */
static void
expect_row(const struct row *row, size_t max, size_t at)
{
	struct buf passed = BUF_EMPTY, found = BUF_EMPTY, whole = BUF_EMPTY, expected = BUF_EMPTY;
	struct relay_shown shown = { .low = false };
	struct relay_stream s;

	buf_format(&whole, "<%s>", row->bytes);
	buf_format(&expected, "<%s>", row->passes != NULL ? row->passes : row->bytes);
	s = (struct relay_stream){ .held = BUF_EMPTY, .max = max };
	s.takes = s.notifies = s.answers = s.answers_reads = true;
	feed(&s, &shown, (const char *)whole.data, at, &passed, &found);
	feed(&s, &shown, (const char *)whole.data + at, whole.len - at, &passed, &found);
	relay_stream_end(&s, &passed);
	buf_add(&passed, "", 1);
	buf_add(&found, "", 1);
	buf_add(&expected, "", 1);
	cr_expect_str_eq((char *)found.data, row->found, "%s at %zu: found %s", row->what, at,
	    (char *)found.data);
	cr_expect_str_eq((char *)passed.data, (char *)expected.data, "%s at %zu: passes %s",
	    row->what, at, (char *)passed.data);
	buf_free(&passed);
	buf_free(&found);
	buf_free(&whole);
	buf_free(&expected);
	buf_free(&shown.title);
	buf_free(&shown.body);
}

static void
expect_rows(const struct row *row, size_t count, size_t max)
{
	size_t at;

	for (; count-- > 0; row++)
		for (at = 0; at <= strlen(row->bytes) + 2; at++)
			expect_row(row, max, at);
}

Test(relay_stream, copies_in_all_forms)
{
	static const struct row rows[] = {
		{ "BEL", "\x1b]52;c;aGk=\a", "c:hi|", "" },
		{ "ST", "\x1b]52;c;aGk=\x1b\\", "c:hi|", "" },
		{ "no letter", "\x1b]52;;aGk=\a", "c:hi|", "" },
		{ "no padding", "\x1b]52;p;aGk\a", "p:hi|", "" },
		{ "no text", "\x1b]52;c;\a", "c:|", "" },
		{ "behind one that has no end", "\x1b]52;c;YQ==\x1b]52;p;Yg==\a", "p:b|",
		    "\x1b]52;c;YQ==" },
		{ "behind one that ends in ESC", "\x1b]52;c;YQ==\x1b\x1b]52;p;Yg==\a", "p:b|",
		    "\x1b]52;c;YQ==\x1b" },
		{ "tmux", "\x1bPtmux;\x1b\x1b]52;c;aGk=\a\x1b\\", "c:hi|", "" },
		{ "tmux, ST", "\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\x1b\\\x1b\\", "c:hi|", "" },
		{ "one ESC ends a string of tmux", "\x1bPtmux;\x1b]52;c;aGk=\a\x1b\\", "c:hi|",
		    "\x1bPtmux;\x1b\\" },
		{ "tmux twice", "\x1bPtmux;\x1b\x1bPtmux;\x1b\x1b\x1b\x1b]52;c;aGk=\a"
		    "\x1b\x1b\\\x1b\\", "c:hi|", "" },
		{ "Screen", "\x1bP\x1b]52;c;aGk=\a\x1b\\", "c:hi|", "" },
		{ "Screen's pieces", "\x1bP\x1b]5\x1b\\\x1bP2;c;a\x1b\\\x1bPGk=\a\x1b\\",
		    "c:hi|", "" },
		{ "a piece of base64 alone", "\x1bP\x1b]52;c;\x1b\\\x1bPaGk\x1b\\\x1bP=\a\x1b\\",
		    "c:hi|", "" },
		{ "Screen, a divided ST", "\x1bP\x1b]52;c;aGk=\x1b\x1b\\\x1bP\\\x1b\\", "c:hi|",
		    "" },
		{ "tmux in Screen", "\x1bP\x1bPtmux;\x1b\x1b]52;c;aGk=\a\x1b\x1b\\"
		    "\x1bP\\\x1b\\", "c:hi|", "" },
		{ "Screen in two of tmux", "\x1bPtmux;\x1b\x1bP\x1b\x1b]52;c;a\x1b\x1b\\\x1b\\"
		    "\x1bPtmux;\x1b\x1bPGk=\a\x1b\x1b\\\x1b\\", "c:hi|", "" },
	};

	expect_rows(rows, LEN(rows), 100);
}

Test(relay_stream, notifications_in_all_forms)
{
	static const struct row rows[] = {
		{ "OSC 9", "\x1b]9;Build done\a", "Build done/|", "" },
		{ "OSC 9, ST", "\x1b]9;a;b\x1b\\", "a;b/|", "" },
		{ "a number of three digits", "\x1b]9;123;b\a", "123;b/|", "" },
		{ "viatty's", "\x1b]9; 4;1\a", " 4;1/|", "" },
		{ "OSC 777", "\x1b]777;notify;a;b;c\a", "a/b;c|", "" },
		{ "without a title", "\x1b]777;notify;;b\a", "/b|", "" },
		{ "its pieces", "\x1b]99;i=1:d=0:e=1;YQ==\x1b\\\x1b]99;i=1:d=0:p=body;b\a"
		    "text\x1b]99;i=1:p=body:d=1:e=1;Yw\a", "a/bc|", "text" },
		{ "low", "\x1b]99;i=1:d=0:u=0;a\a\x1b]99;i=1:d=1:p=body;b\a", "low a/b|", "" },
		{ "its end is an icon", "\x1b]99;i=1:d=0;a\a\x1b]99;i=1:p=icon;x\a", "a/|", "" },
		{ "another id", "\x1b]99;i=1:d=0;a\a\x1b]99;i=2;b\a", "b/|", "" },
		{ "the same id again", "\x1b]99;i=1;a\a\x1b]99;i=1;b\a", "a/|b/|", "" },
		{ "closed", "\x1b]99;i=1:p=close;\a", "", "" },
		{ "nothing", "\x1b]9;\a\x1b]99;\a\x1b]777;notify;\a", "", "" },
		{ "not base64", "\x1b]99;e=1;a!\a", "", "" },
		{ "a query", "\x1b]99;i=viatty:p=?;\x1b\\", "?viatty", "" },
		{ "an id with controls", "\x1b]99;i=\ra:p=?;\x1b\\", "?", "" },
		{ "between copies", "\x1b]52;c;YQ==\a\x1b]9;b\a\x1b]52;c;Yw==\a", "c:a|b/|c:c|", "" },
		{ "tmux", "\x1bPtmux;\x1b\x1b]99;;a\x1b\x1b\\\x1b\\", "a/|", "" },
		{ "Screen's pieces", "\x1bP\x1b]9;4\x1b\\\x1bP2\a\x1b\\", "42/|", "" },
		{ "progress", "\x1b]9;4;1;50\a\x1b]9;4;0\x1b\\\x1b]9;12;a\a", "", NULL },
		{ "OSC 777 of something else", "\x1b]777;precmd\a", "", NULL },
		{ "no end", "\x1b]9;text", "", NULL },
		{ "an end without a beginning", "\x1b]9;text\x18\a", "", NULL },
		{ "more in tmux", "\x1bPtmux;\x1b\x1b]9;a\amore\x1b\\", "", NULL },
	};

	expect_rows(rows, LEN(rows), 100);
}

Test(relay_stream, long_notifications)
{
	static char text[RELAY_SHOWN_MAX + 8], found[RELAY_SHOWN_MAX + 8], most[] = "\x1b]9;";
	const size_t begin = sizeof(most) - 1;

	memset(text, 'a', sizeof(text));
	memcpy(text, most, begin);
	memset(found, 'a', sizeof(found));
	strcpy(found + RELAY_SHOWN_MAX, "/|");
	strcpy(text + begin + RELAY_SHOWN_MAX, "\a");
	expect_row(&(struct row){ "the longest", text, found, "" }, 100, 9);
	strcpy(text + begin + RELAY_SHOWN_MAX, "a\a");
	expect_row(&(struct row){ "one byte more", text, "", NULL }, 100, 9);
}

Test(relay_stream, what_is_no_copy)
{
	static const struct row rows[] = {
		{ "two question marks", "\x1b]52;c;?\?a", "", NULL },
		{ "a read with a text", "\x1b]52;c;?aGk=\a", "", NULL },
		{ "a text with a read", "\x1b]52;c;aGk?\a", "", NULL },
		{ "a read in tmux", "\x1bPtmux;\x1b\x1b]52;c;?\a\x1b\\", "", NULL },
		{ "1 mod 4", "\x1b]52;c;aGkha\a", "", NULL },
		{ "padding within", "\x1b]52;c;aG==aGk=\a", "", NULL },
		{ "too much padding", "\x1b]52;c;aGkh====\a", "", NULL },
		{ "unknown letter", "\x1b]52;x;aGk=\a", "", NULL },
		{ "too many letters", "\x1b]52;ccccccccccccc;aGk=\a", "", NULL },
		{ "another number", "\x1b]520;c;aGk=\a", "", NULL },
		{ "C1", "\x9d" "52;c;aGk=\x9c", "", NULL },
		{ "C1 at its end", "\x1b]52;c;aGk=\x9c", "", NULL },
		{ "a link", "\x1b]8;;https://example.org\x1b\\text\x1b]8;;\x1b\\", "", NULL },
		{ "one ESC in tmux", "\x1bPtmux;\x1b\x1b]52;c;aG\x1bk=\a\x1b\\", "", NULL },
		{ "divided for tmux", "\x1bPtmux;\x1b\x1b]52;c;a\x1b\\\x1bPtmux;Gk=\a\x1b\\", "",
		    NULL },
		{ "text between Screen's pieces", "\x1bP\x1b]52;c;aG\x1b\\x\x1bPk=\a\x1b\\", "",
		    NULL },
		{ "an empty string of Screen", "\x1bP\x1b]52;c;aGk\x1b\\\x1bP\x1b\\\x1bP=\a\x1b\\",
		    "", NULL },
		{ "an empty string of tmux", "\x1bPtmux;\x1b\x1bP\x1b\x1b]52;c;a\x1b\x1b\\\x1b\\"
		    "\x1bPtmux;\x1b\\\x1bPtmux;\x1b\x1bPGk=\a\x1b\x1b\\\x1b\\", "", NULL },
		{ "ESC twice", "\x1b\x1b[A\x1b" "7\x1b", "", NULL },
	};

	expect_rows(rows, LEN(rows), 100);
}

Test(relay_stream, queries)
{
	static const struct row rows[] = {
		{ "DA1", "\x1b[c", "D", NULL },
		{ "DA1, 0", "a\x1b[0cb", "D", NULL },
		{ "DA2", "\x1b[>c", "", NULL },
		{ "XTVERSION", "\x1b[>q\x1b[>0q", "VV", NULL },
		{ "Ms", "\x1bP+q4D73\x1b\\\x1bP+q4d73\x1b\\", "MM", "" },
		{ "Ms in tmux", "\x1bPtmux;\x1b\x1bP+q4D73\x1b\x1b\\\x1b\\", "", NULL },
		{ "read", "\x1b]52;c;?\a", "Rc", "" },
		{ "read, ST", "\x1b]52;p;?\x1b\\", "Rp", "" },
		{ "read, no letter, as by tmux", "\x1b]52;;?\a", "", NULL },
	};

	expect_rows(rows, LEN(rows), 100);
}

/* Also what has no end is released when it is too long. */
Test(relay_stream, limits)
{
	static const struct row rows[] = {
		{ "three bytes", "\x1b]52;c;aGkh\a", "c:hi!|", "" },
		{ "four", "\x1b]52;c;aGkhYQ==\a", "", NULL },
		{ "four in Screen's pieces", "\x1bP\x1b]52;c;aGkh\x1b\\\x1bPYQ\a\x1b\\", "", NULL },
	};
	/* six would have as many characters */
	static const struct row five = { "five", "\x1b]52;c;aGVsbG8=\a", "", NULL };
	struct buf passed = BUF_EMPTY, found = BUF_EMPTY;
	struct relay_stream s;
	size_t i;

	expect_rows(rows, LEN(rows), 3);
	expect_rows(&five, 1, 4);
	s = (struct relay_stream){ .held = BUF_EMPTY, .max = 3 };
	s.takes = true;
	feed(&s, NULL, "\x1b]52;c;aGkhY", 12, &passed, &found);
	cr_expect_eq(passed.len, 12U);
	relay_stream_end(&s, &passed);
	/* strings of Screen with one byte each */
	s = (struct relay_stream){ .held = BUF_EMPTY, .max = 100 * 1000 };
	s.takes = true;
	feed(&s, NULL, "\x1bP\x1b]52;c;\x1b\\", 11, &passed, &found);
	passed.len = 0;
	for (i = 0; i < 60 * 1000; i++)
		feed(&s, NULL, "\x1bPA\x1b\\", 5, &passed, &found);
	cr_expect_gt(passed.len, 0U);
	relay_stream_end(&s, &passed);
	buf_free(&passed);
}

/* Shows the key for a picture as ^. */
static void
feed_keys(struct relay_replies *r, const char *keys, size_t n, struct buf *out)
{
	size_t at = 0;

	while (at < n) {
		at += relay_replies_feed(r, keys + at, n - at, out);
		buf_add_string(out, r->pressed ? "^" : "");
		r->size = r->pressed ? 0 : r->size;
		r->pressed = false;
	}
}

/* Also where the bytes are divided. */
Test(relay_replies, announce_the_relay_and_find_the_key)
{
	static const struct {
		unsigned da1, version;
		bool finds_key;
		const char *in, *out;
	} rows[] = {
		{ 0, 0, false, "\x1b[?65;1;9c", "\x1b[?65;1;9c" },
		{ 1, 0, false, "\x1b[?65;1;9c\x1b[?1c", "\x1b[?65;1;9;52c\x1b[?1c" },
		{ 2, 0, false, "\x1b[?1;2cx\x1b[?1c", "\x1b[?1;2;52cx\x1b[?1;52c" },
		{ 1, 0, false, "\x1b[?62;c", "\x1b[?62;52c" },
		{ 1, 0, false, "\x1b[?62;52;22c", "\x1b[?62;52;22c" },
		{ 1, 0, false, "\x1b[?62;152;522c", "\x1b[?62;152;522;52c" },
		{ 1, 0, false, "\x1b[?1;2$y\x1b[A\x1b", "\x1b[?1;2$y\x1b[A\x1b" },
		{ 0, 1, false, "\x1bP>|tmux 3.3a\x1b\\", "\x1bP>|tmux 3.3a viatty-relay\x1b\\" },
		{ 0, 1, false, "\x1bP>|XTerm(370)\x1b\\", "\x1bP>|XTerm(370) viatty-relay\x1b\\" },
		{ 0, 1, false, "\x1bP>|tmux\a\x1b\\", "\x1bP>|tmux\a\x1b\\" },
		{ 1, 1, false, "\x1bP>|tmux\x1b[?1c", "\x1bP>|tmux\x1b[?1;52c" },
		/* ^: the key for a picture was found */
		{ 0, 0, false, "\x16\x1b[118;5u\x1b[118;5:3u", "\x16\x1b[118;5u\x1b[118;5:3u" },
		{ 0, 0, true, "a\x16" "b\x1b[27;5;118~c\x1b[118;5u\x16", "a^b^c^^" },
		{ 0, 0, true, "\x1b[118;69u1\x1b[118;133u2\x1b[118;197u3\x1b[118;5:1u4\x1b[118;69:1u5"
		    "\x1b[118;133:1u6\x1b[118;197:1u\x1b[118;5:2u\x1b[118;69:3u7", "^1^2^3^4^5^6^7" },
		{ 0, 0, true, "\x1b[118;6u\x1b[118;5:4u\x1b[118u\x1b[118;5;22u\x1b[27;6;118~\x1b[A\x1bOA\x1b",
		    "\x1b[118;6u\x1b[118;5:4u\x1b[118u\x1b[118;5;22u\x1b[27;6;118~\x1b[A\x1bOA\x1b" },
		{ 0, 0, true, "\x1b[200~\x16\x1b[118;5u\x1b[118;5:3u\x1b[20\x1b[201~\x16",
		    "\x1b[200~\x16\x1b[118;5u\x1b[118;5:3u\x1b[20\x1b[201~^" },
		{ 0, 0, true, "\x1b[11\x16\x1b\x1b[118;5u", "\x1b[11^\x1b^" },
		{ 1, 0, true, "\x16\x1b[?1c\x16", "^\x1b[?1;52c^" },
	};
	struct relay_replies r;
	size_t i, at, n;

	for (i = 0; i < LEN(rows); i++)
		for (at = 0, n = strlen(rows[i].in); at <= n; at++) {
			struct buf out = BUF_EMPTY;

			r = (struct relay_replies){ .da1 = rows[i].da1, .version = rows[i].version,
				.name = RELAY_NAME, .finds_key = rows[i].finds_key };
			feed_keys(&r, rows[i].in, at, &out);
			feed_keys(&r, rows[i].in + at, n - at, &out);
			relay_replies_release(&r, &out);
			buf_add(&out, "", 1);
			cr_expect_str_eq((char *)out.data, rows[i].out, "%s at %zu: %s",
			    rows[i].in, at, (char *)out.data);
			buf_free(&out);
		}
}
