/* SPDX-License-Identifier: MIT */
/*
 * linkify: what becomes a link and what does not, sequences and links that are
 * there already, and lines of any length cut in any way.
 *
 * In the tables a link is written <URL|text>. The files that exist are those of
 * `files`.
 */
#include "linkify/linkify.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static const char *const files[] = { "a.c", "src/b.c", "/etc/x", "b c.c", "\xc3\xa4.c",
	"x=y.c", "12", "/m y/c.js", "2026-11-22" };

static bool
find(void *context, const char *path, bool from_top, struct buf *absolute)
{
	size_t i;

	(void)context;
	(void)from_top;
	for (i = 0; i < LEN(files); i++)
		if (strcmp(files[i], path) == 0)
			return buf_add_string(absolute, path[0] == '/' ? "" : "/w/") &&
			    buf_add_string(absolute, path);
	return false;
}

static const struct linkify_settings usual = {
	.find = find, .place = "file://h{path}#{line}.{col}", .host = "h",
};

/* The output for an input that comes in pieces of so many bytes; a NUL ends it. */
static struct buf
filtered(const struct linkify_settings *settings, const char *const *rules,
    const char *bytes, size_t n, size_t piece)
{
	struct linkify *l = linkify_new(settings);
	struct error error;
	struct buf out;
	size_t at;

	buf_init(&out, 1 << 24);
	cr_assert_not_null(l);
	for (; rules != NULL && *rules != NULL; rules++)
		cr_assert(linkify_rule(l, *rules, &error), "%s", error.message);
	for (at = 0; at < n; at += piece)
		cr_assert(linkify_feed(l, bytes + at, n - at < piece ? n - at :
		    piece, &out));
	cr_assert(linkify_end(l, &out));
	cr_assert(buf_add(&out, "", 1));
	linkify_free(l);
	return out;
}

/* <URL|text> as the bytes it stands for. */
static char *
spelt(const char *row)
{
	static char bytes[8192];
	char *to = bytes;
	bool open = false;
	size_t n;

	for (; *row != '\0'; row++) {
		if (*row == '<' && strchr(row, '|') != NULL) {
			n = strcspn(row, "|");
			to += sprintf(to, "\x1b]8;;%.*s\x1b\\", (int)n - 1, row + 1);
			row += n;
			open = true;
		} else if (*row == '>' && open) {
			open = false;
			to += sprintf(to, "\x1b]8;;\x1b\\");
		} else {
			*to++ = *row;
		}
	}
	*to = '\0';
	return bytes;
}

struct row {
	const char *in, *out; /* NULL: as it is */
};

static void
expect_rows(const struct row *row, size_t count,
    const struct linkify_settings *settings, const char *const *rules)
{
	static const size_t pieces[] = { 1 << 20, 1, 2, 3, 7 };
	struct buf out;
	size_t i;

	for (; count-- > 0; row++)
		for (i = 0; i < LEN(pieces); i++) {
			out = filtered(settings, rules, row->in, strlen(row->in),
			    pieces[i]);
			cr_expect_str_eq((char *)out.data,
			    row->out != NULL ? spelt(row->out) : row->in,
			    "%s in pieces of %zu: %s", row->in, pieces[i],
			    (char *)out.data);
			buf_free(&out);
		}
}

Test(linkify, urls)
{
	static const struct row rows[] = {
		{ "http://a.b", "<http://a.b|http://a.b>" },
		{ "see https://a.b/c?d=e#f now", "see <https://a.b/c?d=e#f|https://a.b/c?d=e#f> now" },
		{ "HTTP://A.B/", "<HTTP://A.B/|HTTP://A.B/>" },
		{ "http://a.b http://c.d\n", "<http://a.b|http://a.b> <http://c.d|http://c.d>\n" },
		{ "http://a:80/x:12", "<http://a:80/x:12|http://a:80/x:12>" },
		{ "http://[::1]:80/", "<http://[::1]:80/|http://[::1]:80/>" },
		{ "git+https://a.b/", "git+<https://a.b/|https://a.b/>" },
		{ "mailto:a@b.c.", "<mailto:a@b.c|mailto:a@b.c>." },
		{ "mailto:a mailto:b) mailto:a@b", "mailto:a mailto:b) <mailto:a@b|mailto:a@b>" },
		{ "mailto:mailto:(a mailto:b@c", "mailto:mailto:(a <mailto:b@c|mailto:b@c>" },
		{ "mailto:b,http://a.b", "mailto:b,<http://a.b|http://a.b>" },
		{ "mailto:mailto:a@b", "<mailto:mailto:a@b|mailto:mailto:a@b>" },
		{ "file:///etc/x!", "<file:///etc/x|file:///etc/x>!" },
		{ "http://a/%41%zz", "<http://a/%41%25zz|http://a/%41%zz>" },
		{ "http://a/;x", "<http://a/%3Bx|http://a/;x>" },
		{ "http://a/\xc3\xa4", "<http://a/%C3%A4|http://a/\xc3\xa4>" },
		{ "http://", NULL }, { "http://.", NULL }, { "http:/a", NULL },
		{ "http:a", NULL }, { "xhttp://a", NULL }, { "1http://a", NULL },
		{ "ssh://a", NULL }, { "mailto:", NULL }, { "mailto:a", NULL },
		{ "://a", NULL }, { ":", NULL }, { "http://)", NULL },
	};

	expect_rows(rows, LEN(rows), &usual, NULL);
}

Test(linkify, the_punctuation_around)
{
	static const struct row rows[] = {
		{ "(http://a/b)", "(<http://a/b|http://a/b>)" },
		{ "(http://a/b).", "(<http://a/b|http://a/b>)." },
		{ "http://a/b_(c)", "<http://a/b_(c)|http://a/b_(c)>" },
		{ "(http://a/b_(c))", "(<http://a/b_(c)|http://a/b_(c)>)" },
		{ "[x](http://a/b) y", "[x](<http://a/b|http://a/b>) y" },
		{ "[http://a](http://b)", "[<http://a|http://a>](<http://b|http://b>)" },
		{ "\"http://a/b\"", "\"<http://a/b|http://a/b>\"" },
		{ "'http://a/b',", "'<http://a/b|http://a/b>'," },
		{ "`http://a/b`", "`<http://a/b|http://a/b>`" },
		{ "{http://a/b}", "{<http://a/b|http://a/b>}" },
		{ "http://a/b...", "<http://a/b|http://a/b>..." },
		{ "http://a/b?!", "<http://a/b|http://a/b>?!" },
		{ "http://a/b:", "<http://a/b|http://a/b>:" },
		{ "http://a/b(", "<http://a/b|http://a/b>(" },
		{ "**http://a/b**", "**<http://a/b|http://a/b>**" },
		{ "\xe2\x80\x9chttp://a/b\xe2\x80\x9d", "\xe2\x80\x9c<http://a/b|http://a/b>\xe2\x80\x9d" },
		{ "http://a/b\xe3\x80\x82", "<http://a/b|http://a/b>\xe3\x80\x82" },
		{ "http://a/b\xe2\x80\xaex", "<http://a/b|http://a/b>\xe2\x80\xaex" },
		{ "http://a/b\xff", "<http://a/b|http://a/b>\xff" },
		{ "http://a/b\xc2\x9bx", "<http://a/b|http://a/b>\xc2\x9bx" },
		{ "http://a/b\tc", "<http://a/b|http://a/b>\tc" },
		{ "http://a/b\r\n", "<http://a/b|http://a/b>\r\n" },
	};

	expect_rows(rows, LEN(rows), &usual, NULL);
}

#define HEAD "--- a/a.c\n+++ b/src/b.c\n"
#define HEAD_LINKED "--- a/<file://h/w/a.c#1.1|a.c>\n+++ b/<file://h/w/src/b.c#1.1|src/b.c>\n"

Test(linkify, diffs)
{
	static const struct row rows[] = {
		{ HEAD "@@ -1,2 +3,4 @@ f(a.c:3)\n", HEAD_LINKED
		    "<file://h/w/src/b.c#3.1|@@ -1,2 +3,4 @@> f(<file://h/w/a.c#3.1|a.c:3>)\n" },
		{ HEAD "@@ -1 +7 @@\n", HEAD_LINKED "<file://h/w/src/b.c#7.1|@@ -1 +7 @@>\n" },
		{ HEAD "@@@ -1 -2,3 +9,5 @@@\n", HEAD_LINKED
		    "<file://h/w/src/b.c#9.1|@@@ -1 -2,3 +9,5 @@@>\n" },
		{ HEAD "@@ -1 +0,0 @@\n", HEAD_LINKED "@@ -1 +0,0 @@\n" },
		{ HEAD "@@ -1 +1 @\n", HEAD_LINKED "@@ -1 +1 @\n" },
		/* dates of diff, mnemonic and no prefixes */
		{ "--- a.c\t2026-01-01\n+++ src/b.c\t2026-01-02\n@@ -1 +2 @@\n",
		    "--- <file://h/w/a.c#1.1|a.c>\t2026-01-01\n"
		    "+++ <file://h/w/src/b.c#1.1|src/b.c>\t2026-01-02\n"
		    "<file://h/w/src/b.c#2.1|@@ -1 +2 @@>\n" },
		{ "--- /dev/null\n+++ w/a.c\r\n", "--- /dev/null\n+++ w/<file://h/w/a.c#1.1|a.c>\r\n" },
		{ "--- a/b c.c\n", "--- a/<file://h/w/b%20c.c#1.1|b c.c>\n" },
		/* a file that is gone, and one that is no new name */
		{ HEAD "--- a/a.c\n+++ /dev/null\n@@ -1 +1 @@\n", HEAD_LINKED
		    "--- a/<file://h/w/a.c#1.1|a.c>\n+++ /dev/null\n@@ -1 +1 @@\n" },
		{ "x\n+++ b/a.c\n@@ -1 +1 @@\n", NULL },
		{ "@@ -1 +1 @@\n", NULL },
		/* in colors, as git prints them */
		{ "\x1b[1m--- a/a.c\x1b[m\n\x1b[1m+++ b/a.c\x1b[m\n\x1b[36m@@ -1 +2 @@\x1b[m f\n",
		    "\x1b[1m--- a/<file://h/w/a.c#1.1|a.c>\x1b[m\n"
		    "\x1b[1m+++ b/<file://h/w/a.c#1.1|a.c>\x1b[m\n"
		    "\x1b[36m<file://h/w/a.c#2.1|@@ -1 +2 @@>\x1b[m f\n" },
	};
	static const char *const rules[] = { "(f)=x:\\1", NULL };
	static const struct row ruled[] = {
		{ "--- a/a.c\n+++ b/a.c\n@@ -1 +2 @@ f\n", "--- a/<file://h/w/a.c#1.1|a.c>\n"
		    "+++ b/<file://h/w/a.c#1.1|a.c>\n<file://h/w/a.c#2.1|@@ -1 +2 @@> <x:f|f>\n" },
	};

	expect_rows(rows, LEN(rows), &usual, NULL);
	expect_rows(ruled, LEN(ruled), &usual, rules);
}

Test(linkify, places)
{
	static const struct row rows[] = {
		{ "a.c:3", "<file://h/w/a.c#3.1|a.c:3>" },
		{ "a.c:3:4", "<file://h/w/a.c#3.4|a.c:3:4>" },
		{ "a.c:3:4: error: x", "<file://h/w/a.c#3.4|a.c:3:4>: error: x" },
		{ "a.c:3:text", "<file://h/w/a.c#3.1|a.c:3>:text" },
		{ "a.c:3:4text", "<file://h/w/a.c#3.1|a.c:3>:4text" },
		{ "a.c:3,", "<file://h/w/a.c#3.1|a.c:3>," },
		{ "  --> src/b.c:10:5\n", "  --> <file://h/w/src/b.c#10.5|src/b.c:10:5>\n" },
		{ "/etc/x:1", "<file://h/etc/x#1.1|/etc/x:1>" },
		{ "(a.c:3)", "(<file://h/w/a.c#3.1|a.c:3>)" },
		{ "\"a.c:3\"", "\"<file://h/w/a.c#3.1|a.c:3>\"" },
		{ "in a.c:3, a.c:4", "in <file://h/w/a.c#3.1|a.c:3>, <file://h/w/a.c#4.1|a.c:4>" },
		{ "a.c(3,4): error", "<file://h/w/a.c#3.4|a.c(3,4)>: error" },
		{ "file=a.c:3", "file=<file://h/w/a.c#3.1|a.c:3>" },
		{ "x=y.c:3", "<file://h/w/x%3Dy.c#3.1|x=y.c:3>" },
		{ "\xc3\xa4.c:3", "<file://h/w/%C3%A4.c#3.1|\xc3\xa4.c:3>" },
		{ "a.c:12345678901", NULL }, { "a.c:0", NULL }, { "a.c:", NULL },
		{ "a.c:x", NULL }, { "a.c:3x", NULL }, { "a.c", NULL }, { "a.c 3", NULL },
		{ "none.c:3", NULL }, { "12:30:45", NULL },
		{ "x::a.c:3", NULL }, { ":3", NULL },
		{ "a.c(3)", NULL }, { "a.c(3,4", NULL }, { "a.c(3,)", NULL },
		{ "a.c(,4)", NULL }, { "(3,4)", NULL }, { "a.c (3,4)", NULL },
	};

	expect_rows(rows, LEN(rows), &usual, NULL);
}

/* What node, Python and tsc print, and grep of a name with blanks. */
Test(linkify, places_of_programs)
{
	static const struct row rows[] = {
		{ "  File \"a.c\", line 12, in f\n", "  File <file://h/w/a.c#12.1|\"a.c\", line 12>, in f\n" },
		{ "E     File \"/m y/c.js\", line 1\n", "E     File <file://h/m%20y/c.js#1.1|\"/m y/c.js\", line 1>\n" },
		{ "  |   File \"a.c\", line 3 File \"src/b.c\", line 4",
		    "  |   File <file://h/w/a.c#3.1|\"a.c\", line 3> File <file://h/w/src/b.c#4.1|\"src/b.c\", line 4>" },
		{ "\x1b[1m  File \x1b[35m\"a.c\"\x1b[0m, line \x1b[35m12\x1b[0m",
		    "\x1b[1m  File \x1b[35m<file://h/w/a.c#12.1|\"a.c\"\x1b[0m, line \x1b[35m12>\x1b[0m" },
		{ "File \"<stdin>\", line 1", NULL }, { "File \"none.c\", line 1", NULL },
		{ "File \"a.c\", line 0", NULL }, { "File \"a.c\", line x", NULL },
		{ "File \"a.c\", lin", NULL }, { "File \"a.c\"", NULL }, { "File \"", NULL },
		{ "\"a.c\", line 3", NULL }, { "File \"\", line 3", NULL },
		/* file URLs with a place; without one, or for no file, they stay URLs */
		{ "file:///etc/x:1:15", "<file://h/etc/x#1.15|file:///etc/x:1:15>" },
		{ "    at f (file:///etc/x:1:15)\n", "    at f (<file://h/etc/x#1.15|file:///etc/x:1:15>)\n" },
		{ "file:///etc/x:7", "<file://h/etc/x#7.1|file:///etc/x:7>" },
		{ "file:///m%20y/c.js:2:3", "<file://h/m%20y/c.js#2.3|file:///m%20y/c.js:2:3>" },
		{ "file://localhost/etc/x:2 FILE://h/etc/x:3", "<file://h/etc/x#2.1|file://localhost/etc/x:2> "
		    "<file://h/etc/x#3.1|FILE://h/etc/x:3>" },
		{ "file:///etc/x", "<file:///etc/x|file:///etc/x>" },
		{ "file://other/etc/x:2", "<file://other/etc/x:2|file://other/etc/x:2>" },
		{ "file:///none:1:2", "<file:///none:1:2|file:///none:1:2>" },
		{ "file:///etc/x%00:1", "<file:///etc/x%00:1|file:///etc/x%00:1>" },
		{ "file:///etc/x:0", "<file:///etc/x:0|file:///etc/x:0>" },
		{ "file:///etc/x:1:0", "<file:///etc/x:1:0|file:///etc/x:1:0>" },
		{ "http://h/etc/x:1", "<http://h/etc/x:1|http://h/etc/x:1>" },
		/* blanks in the name */
		{ "    at f (/m y/c.js:1:15)", "    at f (<file://h/m%20y/c.js#1.15|/m y/c.js:1:15>)" },
		{ "at f (at g (/m y/c.js:1:15))", "at f (at g (<file://h/m%20y/c.js#1.15|/m y/c.js:1:15>))" },
		{ "/m y/c.js:2\n", "<file://h/m%20y/c.js#2.1|/m y/c.js:2>\n" },
		{ "b c.c:3:4: x b c.c:3", "<file://h/w/b%20c.c#3.4|b c.c:3:4>: x b c.c:3" },
		{ "  b c.c(3,4): x", "  <file://h/w/b%20c.c#3.4|b c.c(3,4)>: x" },
		{ "x /m y/c.js:2", NULL }, { "(/m y/c.js:2 )", NULL }, { "(/m \x1b[2Cy/c.js:2)", NULL },
		/* tsc --pretty */
		{ "\x1b[96ma.c\x1b[0m:\x1b[93m3\x1b[0m:\x1b[93m7\x1b[0m - \x1b[91merror\x1b[0m",
		    "\x1b[96m<file://h/w/a.c#3.7|a.c\x1b[0m:\x1b[93m3\x1b[0m:\x1b[93m7>\x1b[0m - \x1b[91merror\x1b[0m" },
	};

	expect_rows(rows, LEN(rows), &usual, NULL);
}

#define A_C "<file://h/w/a.c#1.1|a.c>\n"

/* Lines by number under the name of their file. */
Test(linkify, headings)
{
	static const struct row rows[] = {
		/* rg --heading, git grep --heading, with columns, context and functions */
		{ "a.c\n3:x\n12:5:y\n\n/etc/x\n1:z\n", A_C "<file://h/w/a.c#3.1|3>:x\n"
		    "<file://h/w/a.c#12.5|12:5>:y\n\n<file://h/etc/x#1.1|/etc/x>\n<file://h/etc/x#1.1|1>:z\n" },
		{ "a.c\n3-x\n4:y\n--\n8=f\n9:y\nsrc/b.c\n1:z", A_C "<file://h/w/a.c#3.1|3>-x\n"
		    "<file://h/w/a.c#4.1|4>:y\n--\n<file://h/w/a.c#8.1|8>=f\n<file://h/w/a.c#9.1|9>:y\n"
		    "<file://h/w/src/b.c#1.1|src/b.c>\n<file://h/w/src/b.c#1.1|1>:z" },
		{ "a.c\r\n3:x http://a\r\n", "<file://h/w/a.c#1.1|a.c>\r\n<file://h/w/a.c#3.1|3>:x <http://a|http://a>\r\n" },
		{ "\x1b[35ma.c\x1b[m\n\x1b[32m12\x1b[m\x1b[36m:\x1b[m\x1b[32m5\x1b[m\x1b[36m:\x1b[mx\n",
		    "\x1b[35m<file://h/w/a.c#1.1|a.c>\x1b[m\n\x1b[32m<file://h/w/a.c#12.5|12\x1b[m\x1b[36m:\x1b[m"
		    "\x1b[32m5>\x1b[m\x1b[36m:\x1b[mx\n" },
		/* eslint */
		{ "\n/m y/c.js\n  12:5   error    x\n   1:10  warning  y\n\n\xe2\x9c\x96 2 problems\n",
		    "\n<file://h/m%20y/c.js#1.1|/m y/c.js>\n  <file://h/m%20y/c.js#12.5|12:5>   error    x\n"
		    "   <file://h/m%20y/c.js#1.10|1:10>  warning  y\n\n\xe2\x9c\x96 2 problems\n" },
		{ "\x1b[4m/m y/c.js\x1b[24m\n  \x1b[2m12:5\x1b[22m  \x1b[31merror\x1b[39m  x\n",
		    "\x1b[4m<file://h/m%20y/c.js#1.1|/m y/c.js>\x1b[24m\n  \x1b[2m<file://h/m%20y/c.js#12.5|12:5>\x1b[22m"
		    "  \x1b[31merror\x1b[39m  x\n" },
		/* names that are no headings, and lines that stand under none */
		{ "a.c\n", NULL }, { "a.c", NULL }, { "a.c\nsrc/b.c\n/etc/x\n", NULL }, { "3:x\n4:y\n", NULL },
		{ "none.c\n3:x\n", NULL }, { "a.c x\n3:x\n", NULL }, { "a.c\n\n3:x\n", NULL },
		{ "a.c\n12\n", NULL }, { "a.c\n3 x\n", NULL }, { "a.c\n0:x\n", NULL }, { "a.c\n:3:x\n", NULL },
		{ "a.c\n  3:4  note  x\n", NULL }, { "a.c\n 3:x\n", NULL }, { "12\n3:x\n", NULL },
		{ "a.c\n1234567890:x\n", NULL }, { "a.c\n12", NULL }, { "a.c\0\n3:x\n", NULL },
		/* clocks and dates */
		{ "a.c\n08:15:01 x\n", NULL }, { "a.c\n2026-11-22 x\n", NULL }, { "2026-11-22\n2026-11-22 x\n", NULL },
		/* another line ends it */
		{ "a.c\n3:x\ny\n4:z\n", A_C "<file://h/w/a.c#3.1|3>:x\ny\n4:z\n" },
		{ "a.c\n3:x\n\n4:z\n", A_C "<file://h/w/a.c#3.1|3>:x\n\n4:z\n" },
		/* a link, and a sequence that no text goes through */
		{ "\x1b]8;;x:y\aa.c\x1b]8;;\a\n3:x\n", NULL }, { "\x1b[2Ca.c\n3:x\n", NULL },
		{ "\x1b]0;t\na.c\a\n3:x\n", NULL },
	};
	static const char *const rules[] = { "x=i:1", NULL };
	static const struct row ruled[] = {
		{ "a.c\n3:x\n", A_C "<file://h/w/a.c#3.1|3>:<i:1|x>\n" },
	};

	expect_rows(rows, LEN(rows), &usual, NULL);
	expect_rows(ruled, LEN(ruled), &usual, rules);
}

/* A heading is held back until it is known to be one; what follows it is linked anyway. */
Test(linkify, a_heading_waits_for_the_next_line)
{
	struct linkify *l = linkify_new(&usual);
	struct buf out;

	buf_init(&out, 1 << 20);
	cr_expect(linkify_feed(l, "x\na.c\n", 6, &out));
	cr_expect(out.len == 2 && linkify_waits(l));
	cr_expect(linkify_feed(l, "\x1b[m12", 5, &out));
	cr_expect_eq(out.len, 2);
	cr_expect(linkify_flush(l, &out) && !linkify_waits(l));
	cr_expect(out.len == 11 && memcmp(out.data, "x\na.c\n\x1b[m12", 11) == 0);
	cr_expect(linkify_feed(l, ":y\n3:z\n", 7, &out) && buf_add(&out, "", 1));
	cr_expect_str_eq((char *)out.data + 11, spelt(":y\n<file://h/w/a.c#3.1|3>:z\n"));
	linkify_free(l);
	buf_free(&out);
}

Test(linkify, sequences_stay_and_links_stand_over_colors)
{
	static const struct row rows[] = {
		{ "\x1b[31mhttp://a\x1b[m", "\x1b[31m<http://a|http://a>\x1b[m" },
		{ "ht\x1b[1mtp://\x1b[ma.b", "<http://a.b|ht\x1b[1mtp://\x1b[ma.b>" },
		{ "\x1b[35m\x1b[Ka.c\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K"
		    "\x1b[32m\x1b[K3\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[Kx",
		    "\x1b[35m\x1b[K<file://h/w/a.c#3.1|a.c\x1b[m\x1b[K\x1b[36m\x1b[K:"
		    "\x1b[m\x1b[K\x1b[32m\x1b[K3>\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[Kx" },
		{ "http://a\x1b(B\x1b[m/b", "<http://a/b|http://a\x1b(B\x1b[m/b>" },
		{ "http://a\x1b[2Cb", "<http://a|http://a>\x1b[2Cb" },
		{ "http://a\x1b]0;t\ab", "<http://a|http://a>\x1b]0;t\ab" },
		{ "\x1b]0;http://a\a http://b", "\x1b]0;http://a\a <http://b|http://b>" },
		{ "\x1bPhttp://a\x1b\\http://b", "\x1bPhttp://a\x1b\\<http://b|http://b>" },
		{ "\x1bPq\nhttp://a\n\x1b\\http://b", "\x1bPq\nhttp://a\n\x1b\\<http://b|http://b>" },
		{ "\x1b]0;a\nhttp://a\ahttp://b", "\x1b]0;a\nhttp://a\a<http://b|http://b>" },
		{ "\x1b]0;a\nb\x1b[mhttp://b", "\x1b]0;a\nb\x1b[m<http://b|http://b>" },
		/* broken: the line is left alone, the next one is not */
		{ "\x1b[3\xc3\xa4 http://a\nhttp://b", "\x1b[3\xc3\xa4 http://a\n<http://b|http://b>" },
		{ "\x1b\x1b[mhttp://a", NULL },
		/* the terminal is in it still: what comes up to a letter is part of it */
		{ "\x1b[ 0\nhttp://a", NULL }, { "\x1b[0\nhttp://a", NULL },
		{ "\x1b[1?\n\nhttp://a", NULL }, { "\x1b(\nhttp://a", NULL },
		{ "\x1b\nhttp://a", NULL }, { "\x1b\n[\nhttp://a", NULL },
		{ "\x1b\n]0;\nhttp://a", NULL }, { "\x1b[ 0qhttp://a", NULL },
		{ "\x1b[ 0\n1 hhttp://a", "\x1b[ 0\n1 h<http://a|http://a>" },
		{ "\x1b[ 0q\nhttp://a", "\x1b[ 0q\n<http://a|http://a>" },
		{ "\x1b[0\n\x1b[mhttp://a", "\x1b[0\n\x1b[m<http://a|http://a>" },
		{ "\x1b[0\x18\nhttp://a", "\x1b[0\x18\n<http://a|http://a>" },
		{ "http://a\x1b", NULL }, { "http://a\x1b[", NULL }, { "http://a \x1b]8;;b", NULL },
	};

	expect_rows(rows, LEN(rows), &usual, NULL);
}

Test(linkify, links_that_are_there)
{
	static const struct row rows[] = {
		{ "\x1b]8;;x:y\x1b\\http://a\x1b]8;;\x1b\\ http://b",
		    "\x1b]8;;x:y\x1b\\http://a\x1b]8;;\x1b\\ <http://b|http://b>" },
		{ "\x1b]8;id=1;x:y\ahttp://a\n\nhttp://b\n\x1b]8;;\ahttp://c",
		    "\x1b]8;id=1;x:y\ahttp://a\n\nhttp://b\n\x1b]8;;\a<http://c|http://c>" },
		{ "http://\x1b]8;;x:y\x1b\\a\x1b]8;;\x1b\\", NULL },
		{ "\x1b]8;;x:y\x1b\\http://a", NULL },
	};

	expect_rows(rows, LEN(rows), &usual, NULL);
}

Test(linkify, rules_of_the_user)
{
	static const char *const rules[] = {
		"#([0-9]+)=https://i/\\1", "[0-9a-f]{8,40}=https://c/\\0?a=\\\\",
		"a\\=(b)?(c)?=x:\\2\\1", "^W(.*)$=w:\\1", "\xc3=u:\\0", NULL,
	};
	static const struct row rows[] = {
		{ "see #12, #3\n", "see <https://i/12|#12>, <https://i/3|#3>\n" },
		{ "deadbeef01", "<https://c/deadbeef01?a=%5C|deadbeef01>" },
		/* what begins first wins */
		{ "https://a/deadbeef01#12", "<https://a/deadbeef01#12|https://a/deadbeef01#12>" },
		{ "#12:http://a", "<https://i/12|#12>:<http://a|http://a>" },
		{ "a=bc a=c a=", "<x:cb|a=bc> <x:c|a=c> <x:|a=>" },
		{ "Wa b\nWc\nxW", "<w:a%20b|Wa b>\n<w:c|Wc>\nxW" },
		{ "\x1b[1m#1\x1b[m2 #3", "\x1b[1m<https://i/12|#1\x1b[m2> <https://i/3|#3>" },
		/* never half a character */
		{ "\xc3\xa4", "<u:%C3|\xc3\xa4>" },
	};
	static const char *const wrong[] = { "", "a", "a=", "=a", "(=a", "a\\=b", "[=a" };
	struct linkify *l = linkify_new(&usual);
	struct error error;
	size_t i;

	expect_rows(rows, LEN(rows), &usual, rules);
	for (i = 0; i < LEN(wrong); i++) {
		cr_expect_not(linkify_rule(l, wrong[i], &error), "%s", wrong[i]);
		cr_expect_eq(error.status, STATUS_USAGE);
	}
	linkify_free(l);
}

Test(linkify, bytes_of_any_kind)
{
	static const char bytes[] = "\0http://a\0#1\0\xff\xfe\n\0";
	static const char *const rules[] = { "#1=i:1", NULL };
	struct buf out = filtered(&usual, rules, bytes, sizeof(bytes), 3);
	char wanted[] = "\0\x1b]8;;http://a\x1b\\http://a\x1b]8;;\x1b\\"
	    "\0\x1b]8;;i:1\x1b\\#1\x1b]8;;\x1b\\\0\xff\xfe\n\0";

	cr_expect_eq(out.len - 1, sizeof(wanted));
	cr_expect_arr_eq(out.data, wanted, sizeof(wanted));
	buf_free(&out);
}

Test(linkify, a_url_that_is_too_long_stays_text)
{
	struct linkify_settings settings = usual;
	static const struct row rows[] = {
		{ "http://a/12", "<http://a/12|http://a/12>" },
		{ "http://a/123", NULL },
		{ "http://a/;", "<http://a/|http://a/>;" },
		{ "http://a/\xc3\xa4", NULL },
	};

	settings.limit = 11;
	expect_rows(rows, LEN(rows), &settings, NULL);
}

Test(linkify, links_are_taken_out)
{
	struct linkify_settings settings = usual;
	static const struct row rows[] = {
		{ "http://a a.c:3", NULL },
		{ "<http://a|x>y", "xy" }, { "\x1b]8;id=1;b\ax\x1b]8;;\ay", "xy" },
		{ "\x1b[31m\x1b]8;;b\ax\x1b[m\x1b]8;;\ay", "\x1b[31mx\x1b[my" },
		{ "\x1b]8;;b", NULL }, { "\x1b]8;b\a", NULL }, { "\x1b]0;t\a", NULL },
		/* what the link has cut off must not begin with what follows */
		{ "\x1b\x1b]8;;b\a]8;;c\ad", "\x1b\x18]8;;c\ad" },
		{ "\x1b]0;t\x1b]8;;b\ax\a", "\x1b]0;t\x18x\a" },
		{ "\x1b]0;t\nu\x1b]8;;b\ax\a", "\x1b]0;t\nu\x18x\a" },
		{ "\x1b[0\n\x1b]8;;b\ax\a", "\x1b[0\n\x18x\a" },
		{ "\x1b[ 0\n1\x1b]8;;b\amx", "\x1b[ 0\n1\x18mx" },
	};
	char in[512];
	size_t i;

	settings.mode = LINKIFY_STRIP;
	for (i = 0; i < LEN(rows); i++) {
		struct row row = { strcpy(in, spelt(rows[i].in)), rows[i].out };

		expect_rows(&row, 1, &settings, NULL);
	}
}

static void
count(void *context, const char *url, size_t n)
{
	*(size_t *)context += n > 0 && url[0] != '\0';
}

Test(linkify, every_link_is_told)
{
	struct linkify_settings settings = usual;
	static const char in[] = "http://a \x1b]8;;x:y\ahttp://b\x1b]8;;\a a.c:3";
	size_t links = 0;
	struct buf out;

	settings.found = count;
	settings.context = &links;
	/* find() does not look at its context */
	out = filtered(&settings, NULL, in, strlen(in), 5);
	cr_expect_eq(links, 3, "%zu links", links);
	buf_free(&out);
}

/* Longer than what is looked at in one piece: in pieces, with nothing lost. */
Test(linkify, lines_of_any_length)
{
	size_t n = 5 * LINKIFY_LINE_MAX + 17, i;
	char *line = malloc(n), *at;
	struct buf out, again;

	memset(line, 'x', n);
	out = filtered(&usual, NULL, line, n, 10000);
	cr_expect(out.len - 1 == n && memcmp(out.data, line, n) == 0);
	buf_free(&out);
	for (i = 0; i + 20 < n; i += 20)
		memcpy(line + i, "http://a.b/123456789 ", 20 + (i % 40 == 0));
	for (i = 0; i < n; i++)
		if (i % 20 == 19)
			line[i] = ' ';
	out = filtered(&usual, NULL, line, n, 10000);
	again = filtered(&usual, NULL, line, n, 1 << 20);
	cr_expect(out.len == again.len && memcmp(out.data, again.data, out.len) == 0);
	i = 0;
	for (at = (char *)out.data; (at = strstr(at, "\x1b]8;;http://a.b/12345678\x1b\\")) != NULL; at++)
		i++;
	cr_expect_eq(i, (n - 1) / 20, "%zu links of %zu", i, (n - 1) / 20);
	buf_free(&out);
	buf_free(&again);
	/* a string without an end is not waited for */
	memcpy(line, "\x1b]0;", 4);
	memset(line + 4, 'x', n - 4);
	out = filtered(&usual, NULL, line, n, 10000);
	cr_expect(out.len - 1 == n && memcmp(out.data, line, n) == 0);
	buf_free(&out);
	free(line);
}

/* Of one line each. A URL in every place costs as much as a line can. */
Test(linkify, no_line_takes_longer_than_its_length)
{
	static const char *const rows[] = { "mailto:", "mailto:(", "mailto:a[",
		"http://)", "(", ":", "a:", "1:1", "a(1,2)",
		"a b:1) ", "( a:1)", "(a b:1", "File \"", "File \"\", line 1", "file:///:1",
		"file:///%41:1:1 ", "\x1b]8;;\x1b\\",
		"\x1b]a\x18", "\x1b]8;;", "\x1bP", "\x1b[ 0" };
	static char line[LINKIFY_LINE_MAX];
	struct linkify_settings settings = { .find = find, .place = "file://{path}" };
	struct buf out;
	double seconds;
	clock_t began;
	size_t i, k, n;

	for (i = 0; i < LEN(rows); i++) {
		n = strlen(rows[i]);
		for (k = 0; k < sizeof(line); k++)
			line[k] = rows[i][k % n];
		began = clock();
		out = filtered(&settings, NULL, line, sizeof(line), sizeof(line));
		seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
		cr_expect_lt(seconds, 0.1, "row %zu: %g s", i, seconds);
		buf_free(&out);
	}
}

/* The processor's seconds for one line of `n` bytes. */
static double
seconds_with_rule(const char *rule, const char *word, size_t n)
{
	static char line[LINKIFY_LINE_MAX];
	const char *const rules[] = { rule, NULL };
	struct buf out;
	clock_t began;
	size_t i;

	for (i = 0; i < n; i++)
		line[i] = word[i % strlen(word)];
	began = clock();
	out = filtered(&usual, rules, line, n, n);
	buf_free(&out);
	return (double)(clock() - began) / CLOCKS_PER_SEC;
}

/* Sixteen times the length; 256 would be the square. */
Test(linkify, a_rule_takes_as_long_as_the_line_is)
{
	static const struct { const char *rule, *word; } rows[] = {
		{ "a.*b=x:\\0", "a" }, { "a[^b]*b=x:\\0", "a " }, { "(a+)c|b=x:\\1", "a" },
	};
	double one, all;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		one = seconds_with_rule(rows[i].rule, rows[i].word, LINKIFY_LINE_MAX / 16);
		all = seconds_with_rule(rows[i].rule, rows[i].word, LINKIFY_LINE_MAX);
		cr_expect_lt(all, 64 * one + 0.05, "row %zu: %g s, %g s", i, one, all);
	}
}

/* Rules see long lines by pieces: what is found does not depend on where they are cut. */
Test(linkify, rules_in_a_long_line)
{
	static const char *const rules[] = { "#([0-9]+)=i:\\1", "^b=begin:", "e$=end:",
		"q.*Q=q:", NULL };
	enum { LONG = 5000 };
	char line[LONG + 1], wanted[LONG + 64];
	struct buf out;
	size_t at;

	for (at = 1; at + 4 < LONG; at += at % 1024 > 8 && at % 1024 < 1000 ? 16 : 1) {
		memset(line, 'b', LONG);
		line[LONG] = '\0';
		memcpy(line + at, "#123", 4);
		sprintf(wanted, "<begin:|b>%.*s<i:123|#123>%s", (int)at - 1, line + 1,
		    line + at + 4);
		out = filtered(&usual, rules, line, LONG, LONG);
		cr_assert_str_eq((char *)out.data, spelt(wanted), "at %zu", at);
		buf_free(&out);
	}
	/* an `$` in the middle, and a match that is too long */
	memset(line, 'e', LONG);
	line[0] = 'q';
	line[LONG - 2] = 'Q';
	sprintf(wanted, "%.*s<end:|e>", LONG - 1, line);
	out = filtered(&usual, rules, line, LONG, LONG);
	cr_expect_str_eq((char *)out.data, spelt(wanted));
	buf_free(&out);
}

/* A prompt is told when nothing follows, and no URL is cut in two by it. */
Test(linkify, what_waits_is_told_on_request)
{
	struct linkify *l = linkify_new(&usual);
	struct buf out;

	buf_init(&out, 1 << 20);
	cr_expect(linkify_feed(l, "name: \x1b]0;t", 11, &out));
	cr_expect_eq(out.len, 0);
	cr_expect(linkify_waits(l));
	cr_expect(linkify_flush(l, &out));
	cr_expect(out.len == 6 && memcmp(out.data, "name: ", 6) == 0);
	cr_expect(linkify_feed(l, "\a http://a", 10, &out));
	out.len = 0;
	cr_expect(linkify_flush(l, &out));
	cr_expect(buf_add(&out, "", 1));
	cr_expect_str_eq((char *)out.data, "\x1b]0;t\a http://a");
	cr_expect_not(linkify_waits(l));
	linkify_free(l);
	buf_free(&out);
}
