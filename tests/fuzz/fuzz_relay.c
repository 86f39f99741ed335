/* SPDX-License-Identifier: MIT */
/*
 * relay_stream_feed(): in one call, divided anywhere and byte by byte it takes the copies of a
 * model that looks at all bytes at once, and everything else passes; and of a terminal's
 * replies, none changes that nobody asked for.
 *
 * Input: two bytes that say where it is divided, the bytes.
 */
#include "relay/relay.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX = 64 };

/* ---- the model ------------------------------------------------------------------- */

static bool
starts(const uint8_t *data, size_t size, size_t at, const char *with)
{
	return size - at >= strlen(with) && memcmp(data + at, with, strlen(with)) == 0;
}

/* The copies that begin at the start of the bytes: plain ones alone. Gives its length, or 0. */
static size_t
plain_copy(const uint8_t *data, size_t size, unsigned char *text, size_t *text_n)
{
	size_t at = 5, begin;
	long n;

	if (!starts(data, size, 0, "\x1b]52;"))
		return 0;
	while (at < size && data[at] != 0 && strchr("cpqs01234567", data[at]) != NULL)
		at++;
	if (at - 5 > 12 || at == size || data[at] != ';')
		return 0;
	for (begin = ++at; at < size && (data[at] == '=' || reference_value((char)data[at]) >= 0);)
		at++;
	if (at - begin > MAX * 2)
		return 0;
	n = reference_decode(text, (const char *)data + begin, at - begin);
	if (n < 0 || n > MAX)
		return 0;
	*text_n = (size_t)n;
	if (at < size && data[at] == 7)
		return at + 1;
	return starts(data, size, at, "\x1b\\") ? at + 2 : 0;
}

struct taken {
	struct buf text, passed;
	size_t count;
};

/* What is taken of streams that have no DCS: for these the model is a loop. */
static void
model(struct taken *t, const uint8_t *data, size_t size)
{
	unsigned char text[MAX * 2];
	size_t at, n, text_n;

	for (at = 0; at < size; at += n) {
		n = plain_copy(data + at, size - at, text, &text_n);
		if (n > 0) {
			buf_add(&t->text, text, text_n);
			buf_add(&t->text, "|", 1);
			t->count++;
		} else {
			n = 1;
			buf_add(&t->passed, data + at, n);
		}
	}
}

/* ---- the program ------------------------------------------------------------------ */

static void
feed(struct relay_stream *s, struct taken *t, const uint8_t *data, size_t size)
{
	static struct relay_shown shown;
	enum stream_event event;

	do {
		event = relay_stream_feed(s, &data, &size, &t->passed);
		if (event == STREAM_NOTIFIES) {
			need(s->held.len <= RELAY_SHOWN_MAX);
			relay_shown_add(&shown, s->protocol, &s->held);
		}
		if (event != STREAM_COPY && event != STREAM_NOTIFIES)
			continue;
		need(event == STREAM_NOTIFIES ||
		    (s->held.len <= MAX && s->selections[0] != '\0'));
		buf_add(&t->text, s->held.data, s->held.len);
		buf_add(&t->text, "|", 1);
		t->count++;
	} while (event != STREAM_PASSES);
	need(size == 0);
}

static struct taken
take(const uint8_t *data, size_t size, size_t first, size_t step, bool notifies)
{
	struct taken t = { BUF_EMPTY, BUF_EMPTY, 0 };
	struct relay_stream s;
	size_t at, n;

	s = (struct relay_stream){ .held = BUF_EMPTY, .max = MAX };
	s.takes = true;
	s.notifies = notifies;
	for (at = 0, n = first; at < size; at += n, n = step) {
		n = n < size - at ? n : size - at;
		feed(&s, &t, data + at, n);
	}
	relay_stream_end(&s, &t.passed);
	return t;
}

static void
need_same(struct taken *a, struct taken *b)
{
	need(a->count == b->count);
	need(bytes_equal(a->text.data, a->text.len, b->text.data, b->text.len));
	need(bytes_equal(a->passed.data, a->passed.len, b->passed.data, b->passed.len));
	buf_free(&b->text);
	buf_free(&b->passed);
}

/* What is wrapped is the same copy: also beside other bytes, in each order of layers. */
static void
check_wrapped(const struct taken *plain, const uint8_t *data, size_t size, unsigned layers)
{
	struct chain chain = { .count = 0 };
	struct buf bytes = BUF_EMPTY;
	struct taken t;

	for (; layers > 1; layers /= 2)
		chain_add(&chain, layers % 2 != 0 ? LAYER_SCREEN : LAYER_TMUX);
	buf_add(&bytes, data, size);
	wrap(&bytes, &chain);
	t = take(bytes.data, bytes.len, 1, 3, false);
	need(t.count == plain->count && t.passed.len == 0);
	need(bytes_equal(t.text.data, t.text.len, plain->text.data, plain->text.len));
	buf_free(&bytes);
	buf_free(&t.text);
	buf_free(&t.passed);
}

static void
check_replies(const uint8_t *data, size_t size, size_t cut)
{
	struct relay_replies none = { .da1 = 0 }, asked = { .da1 = 1, .version = 1,
		.name = RELAY_NAME };
	struct buf out = BUF_EMPTY;
	size_t added;

	relay_replies_feed(&none, data, cut, &out);
	relay_replies_feed(&none, data + cut, size - cut, &out);
	need(none.size == 0 && bytes_equal(out.data, out.len, data, size));
	out.len = 0;
	relay_replies_feed(&asked, data, cut, &out);
	relay_replies_feed(&asked, data + cut, size - cut, &out);
	relay_replies_release(&asked, &out);
	added = out.len - size;
	/* ;52 or 52, and the name */
	need(added == 0 || (added >= 2 && added <= strlen(";52" RELAY_NAME)));
	buf_free(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taken whole, other, expected = { BUF_EMPTY, BUF_EMPTY, 0 };
	unsigned char text[MAX * 2];
	size_t cut, i, n;

	if (size < 3)
		return 0;
	cut = (data[0] * 256U + data[1]) % (size - 1);
	n = data[0] % 30;
	data += 2;
	size -= 2;
	whole = take(data, size, size, size, true);
	other = take(data, size, 1, 1, true);
	need_same(&whole, &other);
	buf_free(&whole.text);
	buf_free(&whole.passed);
	whole = take(data, size, size, size, false);
	other = take(data, size, cut > 0 ? cut : 1, size, false);
	need_same(&whole, &other);
	other = take(data, size, 1, 1, false);
	need_same(&whole, &other);
	need(whole.passed.len <= size && (whole.count > 0) == (whole.passed.len < size));
	/* a DCS may be a copy as a whole, and hides what is in it */
	for (i = 0; i + 1 < size && !(data[i] == 0x1b && data[i + 1] == 'P'); i++)
		continue;
	if (i + 1 >= size) {
		model(&expected, data, size);
		need_same(&whole, &expected);
	}
	if (plain_copy(data, size, text, &i) == size && n >= 2)
		check_wrapped(&whole, data, size, (unsigned)n);
	check_replies(data, size, cut < size ? cut : size);
	buf_free(&whole.text);
	buf_free(&whole.passed);
	return 0;
}
