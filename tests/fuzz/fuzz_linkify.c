/* SPDX-License-Identifier: MIT */
/*
 * linkify: the bytes are the same but for links; a link is opened and closed
 * where the terminal is in no sequence, on one line, around some text, and with a
 * URL that was told and is no longer than allowed; taking links out twice is
 * taking them out once; how the input is cut makes no difference, and neither do
 * pauses but for the links that a line is torn at.
 *
 * The first byte, which is read as well, chooses the cuts; its top bits lay the
 * input out over more than the longest line.
 */
#include "encoder/encoder.h"
#include "linkify/linkify.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A name with an `e` in it is a file. */
static bool
find(void *context, const char *path, bool from_top, struct buf *absolute)
{
	(void)context;
	(void)from_top;
	return strchr(path, 'e') != NULL && buf_add_string(absolute, "/f/") &&
	    buf_add_string(absolute, path);
}

enum { LIMIT = 60, REPEATED = 70 * 1024 };

static void
count_link(void *context, const char *url, size_t n)
{
	need(n > 0 && memchr(url, 0x1b, n) == NULL);
	++*(size_t *)context;
}

/* What comes out; `*links` of them, pieces of `piece` bytes, pauses between. */
static struct buf
filter(enum linkify_mode mode, const uint8_t *data, size_t size, size_t piece,
    bool pauses, size_t *links)
{
	struct linkify_settings settings = {
		.mode = mode, .find = find, .place = "file://{host}{path}#{line}",
		.host = "h", .found = count_link, .context = links,
		.limit = LIMIT,
	};
	struct linkify *l = linkify_new(&settings);
	struct error error;
	struct buf out;
	size_t at;

	*links = 0;
	buf_init(&out, (size_t)-1 / 2);
	need(l != NULL && linkify_rule(l, "#([0-9]+)=i:\\1", &error));
	for (at = 0; at < size; at += piece) {
		need(linkify_feed(l, data + at, size - at < piece ? size - at :
		    piece, &out));
		need(!pauses || linkify_flush(l, &out));
	}
	need(linkify_end(l, &out) && !linkify_waits(l));
	linkify_free(l);
	return out;
}

static struct buf
filtered(enum linkify_mode mode, const uint8_t *data, size_t size, size_t piece)
{
	size_t links;

	return filter(mode, data, size, piece, false, &links);
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
		need(out[i] > 0x20 && out[i] < 0x7f && out[i] != ';');
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
static size_t
check_walk(const struct buf *out, const uint8_t *data, size_t size)
{
	static const char close[] = "\x1b]8;;\x1b\\";
	size_t i = 0, o = 0, links = 0, since = 0;
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
			links++;
		} else {
			need(i < size && *at == data[i]);
			need(!open || *at != '\n');
			i++;
			o++;
		}
	}
	need(i == size && !open);
	return links;
}

static void
check_added(const uint8_t *data, size_t size, size_t piece, bool pauses,
    const struct buf *plain)
{
	size_t links, told;
	struct buf out = filter(LINKIFY_ADD, data, size, piece, pauses, &told),
	    back = filtered(LINKIFY_STRIP, out.data, out.len, out.len + 1);

	links = check_walk(&out, data, size);
	need(links <= told);
	if (memchr(data, 0x1b, size) == NULL)
		need(links == told);
	check_same(plain, &back, __LINE__);
	buf_free(&out);
	buf_free(&back);
}

static void
check(const uint8_t *data, size_t size, size_t piece)
{
	struct buf with, pieces, plain, twice;
	size_t told;

	with = filtered(LINKIFY_ADD, data, size, size);
	pieces = filtered(LINKIFY_ADD, data, size, piece);
	check_same(&with, &pieces, __LINE__);
	buf_free(&pieces);
	plain = filtered(LINKIFY_STRIP, data, size, size);
	pieces = filtered(LINKIFY_STRIP, data, size, piece);
	check_same(&plain, &pieces, __LINE__);
	buf_free(&pieces);
	pieces = filter(LINKIFY_STRIP, data, size, piece, true, &told);
	check_same(&plain, &pieces, __LINE__);
	twice = filtered(LINKIFY_STRIP, plain.data, plain.len, plain.len + 1);
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
