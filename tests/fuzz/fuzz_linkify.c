/* SPDX-License-Identifier: MIT */
/*
 * linkify: the bytes are the same but for links; a link is opened and closed
 * where the terminal is in no sequence, on one line, around some text, and with a
 * URL that is no longer than allowed; taking links out twice is
 * taking them out once; how the input is cut makes no difference, and neither do
 * pauses but for the links that a line is torn at.
 *
 * The first byte, which is read as well, chooses the cuts; its top bits lay the input out over
 * more than the longest line.
 */
#include "commands/command.h"
#include "encoder/encoder.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A name with an `e` in it is a file. */
static const char *
find(void *context, const char *path, bool from_top)
{
	static struct buf absolute = BUF_EMPTY;

	(void)context;
	(void)from_top;
	absolute.len = 0;
	buf_add_string(&absolute, "/f/");
	url_encode_path(&absolute, path, strlen(path));
	buf_add(&absolute, "", 1);
	return strchr(path, 'e') != NULL ? (const char *)absolute.data : NULL;
}

enum { LIMIT = 60, REPEATED = 70 * 1024 };

enum what { ADD, STRIP };

/* What comes out, of pieces of `piece` bytes with pauses between or without. */
static struct buf
filter(enum what what, const uint8_t *data, size_t size, size_t piece, bool pauses)
{
	static struct linkify compiled;
	struct linkify l;
	struct buf in, out;
	size_t at, now;

	if (compiled.rules == 0) {
		linkify_begin(&compiled);
		linkify_add_rule(&compiled, "#([0-9]+)=i:\\1", "");
		linkify_add_rule(&compiled, "!([^ ]+) ([0-9]+)=path:\\1:\\2", "");
	}
	l = compiled;
	l.strip = what == STRIP;
	l.find = find;
	l.output.format = "file://{host}{path}#{line}";
	text_copy(l.output.host, sizeof(l.output.host), "h");
	l.output.route.limit = LIMIT;
	buf_init(&in, BUF_NO_LIMIT);
	buf_init(&out, BUF_NO_LIMIT);
	for (at = 0; at < size; at += piece) {
		buf_add(&in, data + at, size - at < piece ? size - at : piece);
		now = linkify_feed(&l, in.data, in.len, pauses ? ENDING_PAUSE : ENDING_OPEN, &out);
		need(now <= in.len && in.len - now < LINKIFY_LINE_MAX);
		in.len -= now;
		memmove(in.data, in.data + now, in.len);
	}
	need(linkify_feed(&l, in.data, in.len, ENDING_LINE, &out) == in.len);
	compiled.heading = l.heading;
	compiled.heading.len = 0;
	compiled.url = l.url;
	compiled.rule_url = l.rule_url;
	compiled.filled = l.filled;
	buf_free(&in);
	return out;
}

static void
check_same(const struct buf *a, const struct buf *b, int line)
{
	need_at(bytes_equal(a->data, a->len, b->data, b->len), line);
}

/* The link that `out` opens here, and that is ours: its length. */
static size_t
check_open(const unsigned char *out, size_t n)
{
	const unsigned char *end;
	size_t i, url;

	need(n > 7 && memcmp(out, "\x1b]8;;", 5) == 0);
	end = memchr(out + 5, 0x1b, n - 5);
	need(end != NULL && end + 1 < out + n && end[1] == '\\');
	url = (size_t)(end - out) - 5;
	need(url > 0 && url <= LIMIT);
	for (i = 5; i < url + 5; i++)
		need(out[i] > 0x20 && out[i] < 0x7f);
	return url + 7;
}

/* What a link stands in the middle of would be broken by it. */
static void
check_outside(const uint8_t *data, size_t n)
{
	struct heard heard;

	if (n > 4096)
		return;
	terminal_hears(&heard, data, n);
	need(heard.ends == GROUND);
	forget(&heard);
}

/*
 * The input and our links in it, and nothing else. Outside of ours a link is
 * ours where the input has none of its bytes; inside, the first end is ours.
 */
static void
check_walk(const struct buf *out, const uint8_t *data, size_t size)
{
	static const char close[] = "\x1b]8;;\x1b\\";
	size_t i = 0, o = 0, since = 0;
	bool open = false;

	while (o < out->len) {
		const unsigned char *at = out->data + o;
		size_t left = out->len - o;

		if (open && left >= 7 && memcmp(at, close, 7) == 0) {
			need(i > since);
			check_outside(data, i);
			open = false;
			o += 7;
		} else if (!open && *at == 0x1b && i < size && data[i] != 0x1b) {
			o += check_open(at, left);
			check_outside(data, i);
			open = true;
			since = i;
		} else {
			need(i < size && *at == data[i]);
			need(!open || *at != '\n');
			i++;
			o++;
		}
	}
	need(i == size && !open);
}

static void
check_added(const uint8_t *data, size_t size, size_t piece, bool pauses,
    const struct buf *plain)
{
	struct buf out = filter(ADD, data, size, piece, pauses);
	struct buf back = filter(STRIP, out.data, out.len, out.len + 1, false);

	check_walk(&out, data, size);
	check_same(plain, &back, __LINE__);
	buf_free(&out);
	buf_free(&back);
}

static void
check(const uint8_t *data, size_t size, size_t piece)
{
	struct buf with, pieces, plain, twice;

	with = filter(ADD, data, size, size, false);
	pieces = filter(ADD, data, size, piece, false);
	check_same(&with, &pieces, __LINE__);
	buf_free(&pieces);
	plain = filter(STRIP, data, size, size, false);
	pieces = filter(STRIP, data, size, piece, false);
	check_same(&plain, &pieces, __LINE__);
	buf_free(&pieces);
	pieces = filter(STRIP, data, size, piece, true);
	check_same(&plain, &pieces, __LINE__);
	twice = filter(STRIP, plain.data, plain.len, plain.len + 1, false);
	check_same(&plain, &twice, __LINE__);
	check_added(data, size, size, false, &plain);
	check_added(data, size, piece, true, &plain);
	buf_free(&with);
	buf_free(&pieces);
	buf_free(&plain);
	buf_free(&twice);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes many = { .n = 0 };

	if (size == 0)
		return 0;
	if (data[0] >> 4 != 0xf || size < 256) {
		check(data, size, 1 + data[0] % 16);
		return 0;
	}
	while (many.n < REPEATED)
		put(&many, data, size);
	check(many.at, many.n, 1 + (data[0] % 16) * 4999);
	release(&many);
	return 0;
}
