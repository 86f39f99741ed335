/* SPDX-License-Identifier: MIT */
/*
 * sequence_next(): a walk along any bytes always advances and ends at their
 * end; what is called whole ends as it must, stays the same alone, is whole to a
 * terminal and to nobody before its end. raw --filter: the first byte, which is read as
 * well, chooses the chain and the cuts; through the models of tmux and Screen comes every
 * whole picture, and nothing else. strip(): in one piece or many it leaves the text that a
 * model of two steps leaves.
 */
#include "encoder/encoder.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
ends_with_st(const uint8_t *bytes, size_t n)
{
	return n >= 4 && bytes[n - 2] == 0x1b && bytes[n - 1] == '\\';
}

static void
check(const uint8_t *bytes, size_t n, enum sequence_kind kind)
{
	enum sequence_kind again;

	if ((kind == SEQUENCE_TEXT) != (bytes[0] != 0x1b))
		abort();
	switch (kind) {
	case SEQUENCE_TEXT:
		if (memchr(bytes, 0x1b, n) != NULL)
			abort();
		break;
	case SEQUENCE_ESCAPE:
	case SEQUENCE_CSI:
		if (n < 2 || memchr(bytes + 1, 0x1b, n - 1) != NULL ||
		    bytes[n - 1] < 0x30 || bytes[n - 1] > 0x7e)
			abort();
		break;
	case SEQUENCE_OSC:
		if (bytes[n - 1] != 0x07 && !ends_with_st(bytes, n))
			abort();
		break;
	case SEQUENCE_STRING:
		if (!ends_with_st(bytes, n))
			abort();
		break;
	case SEQUENCE_IGNORED:
		if (bytes[n - 1] < 0x30 && bytes[n - 1] != 0x07)
			abort();
		break;
	case SEQUENCE_BROKEN:
		return;
	}
	/* it does not depend on what follows, and no part of it is whole */
	if (sequence_next(bytes, n, &again) != n || again != kind)
		abort();
	if (n > 1 && kind != SEQUENCE_TEXT &&
	    (sequence_next(bytes, n - 1, &again) > n - 1 ||
	        again != SEQUENCE_BROKEN))
		abort();
}

/* A terminal prints none of it, and is out of it at its end and not before. */
static void
check_terminal(const uint8_t *bytes, size_t n, enum sequence_kind kind)
{
	struct heard heard;

	terminal_hears(&heard, bytes, n);
	need(heard.ends == GROUND);
	if (kind == SEQUENCE_STRING || kind == SEQUENCE_IGNORED) {
		forget(&heard);
		return;
	}
	need(heard.printed == 0);
	need(heard.count == (kind == SEQUENCE_OSC));
	forget(&heard);
	terminal_hears(&heard, bytes, n - 1);
	need(heard.ends != GROUND);
	forget(&heard);
}

static const struct wrap_stream settings[] = {
	{ .chain = { 1, { LAYER_TMUX } }, .limit = TMUX_SEQUENCE_MAX },
	{ .chain = { 1, { LAYER_TMUX } } },
	{ .chain = { 1, { LAYER_TMUX } }, .drops = true },
	{ .chain = { 1, { LAYER_SCREEN } } },
	{ .chain = { 1, { LAYER_TMUX_MAYBE } }, .limit = TMUX_SEQUENCE_MAX },
	{ .chain = { 2, { LAYER_TMUX, LAYER_SCREEN } } },
	{ .chain = { 2, { LAYER_SCREEN, LAYER_TMUX } } },
	{ .chain = { 2, { LAYER_SCREEN, LAYER_SCREEN } } },
	{ .chain = { 3, { LAYER_TMUX, LAYER_TMUX, LAYER_SCREEN } } },
};

enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

static struct buf
filtered(const struct wrap_stream *how, const uint8_t *data, size_t size,
    size_t piece, size_t *left_out)
{
	struct wrap_stream w = *how;
	struct buf out;
	size_t at;

	buf_init(&out, (size_t)-1 / 2);
	wrap_stream_begin(&w);
	for (at = 0; at < size; at += piece)
		wrap_stream_feed(&w, data + at, size - at < piece ? size - at : piece, &out);
	wrap_stream_end(&w, &out);
	*left_out = w.left_out;
	return out;
}

/* ---- what is to arrive ---------------------------------------------------- */

/* APC, DCS with parameters and q, OSC 1337. */
static bool
is_picture(const uint8_t *string, size_t n)
{
	size_t at = 2;

	if (n > 7 && memcmp(string, "\x1b]1337;", 7) == 0)
		return true;
	while (at < n && strchr("0123456789;", string[at]) != NULL && string[at] != '\0')
		at++;
	return string[1] == '_' || (string[1] == 'P' && at < n && string[at] == 'q');
}

static void
put_for_tmux(struct bytes *out, const uint8_t *string, size_t n)
{
	size_t i;

	put(out, "\x1bPtmux;", 7);
	for (i = 0; i < n; i++) {
		if (string[i] == 0x1b)
			put_byte(out, 0x1b);
		put_byte(out, string[i]);
	}
	put(out, "\x1b\\", 2);
}

/* By the models; and for one tmux by its manual, byte by byte. */
static void
check_passed(const struct wrap_stream *how, const struct buf *filtered,
    const uint8_t *data, size_t size)
{
	struct bytes strings = { .n = 0 }, stream = { .n = 0 }, arrived = { .n = 0 };
	bool fit = true, whole = true;
	enum sequence_kind kind;
	size_t at, n, i;

	for (at = 0; at < size; at += n) {
		n = sequence_next(data + at, size - at, &kind);
		/* what is broken a multiplexer ends where it likes */
		/* a string with a control character in its head may be either */
		whole = whole && kind != SEQUENCE_IGNORED;
		/* what another DCS holds, Screen passes on */
		fit = fit && whole && kind != SEQUENCE_BROKEN &&
		    (kind != SEQUENCE_STRING || data[at + 1] != 'P' || is_picture(data + at, n));
		if ((kind != SEQUENCE_OSC && kind != SEQUENCE_STRING) ||
		    !is_picture(data + at, n)) {
			put(&stream, data + at, n);
		} else if (!how->drops) {
			put(&strings, data + at, n);
			put_for_tmux(&stream, data + at, n);
		}
	}
	if (whole && how->chain.count == 1 && how->chain.layer[0] != LAYER_SCREEN)
		need(bytes_equal(filtered->data, filtered->len, stream.at, stream.n));
	put(&arrived, filtered->data, filtered->len);
	for (i = 0; fit && i < how->chain.count; i++)
		need(pass(&arrived, how->chain.layer[i], i > 0) == GROUND);
	need(!fit || same(&arrived, strings.at, strings.n));
	release(&strings);
	release(&stream);
	release(&arrived);
}

/* How the input is cut makes no difference, and only what is counted is lost. */
static void
check_filter(const uint8_t *data, size_t size, size_t piece)
{
	const struct wrap_stream *how = &settings[data[0] % SETTINGS];
	size_t left_out, again;
	struct buf whole = filtered(how, data, size, size, &left_out),
	    pieces = filtered(how, data, size, piece, &again);

	need(left_out == again);
	need(bytes_equal(whole.data, whole.len, pieces.data, pieces.len));
	need(left_out == 0 || how->drops || size > TMUX_SEQUENCE_MAX);
	need(!how->drops || whole.len <= size);
	check_passed(how, &whole, data, size);
	buf_free(&whole);
	buf_free(&pieces);
}

/* ---- copy --strip ---------------------------------------------------------- */

static bool
is_control(uint8_t c)
{
	return c < 0x20 || c == 0x7f;
}

/* Adds the controls that a terminal would obey in a sequence: not those of a string. */
static void
put_controls(struct bytes *out, const uint8_t *sequence, size_t n)
{
	size_t i;
	bool begun = false;

	for (i = 1; i < n; i++) {
		if (!begun && strchr("]PX^_k", sequence[i]) != NULL && sequence[i] != '\0')
			return;
		begun = begun || (sequence[i] >= 0x20 && sequence[i] < 0x7f);
		if (is_control(sequence[i]))
			put_byte(out, sequence[i]);
	}
}

/* Adds what a line without sequences, and without other controls than CR, BS and tab, says. */
static void
put_line(struct bytes *out, const uint8_t *line, size_t n)
{
	struct bytes said = { .n = 0 };
	uint32_t point;
	size_t i, length, known;
	bool back = false;

	while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == '\b'))
		n--;
	for (i = n; i > 0 && line[i - 1] != '\r'; i--)
		continue;
	for (; i < n; i += length) {
		length = 1;
		if (line[i] == '\b') {
			back = true;
			continue;
		}
		known = judge_utf8(line + i, n - i, &point);
		length = known > 0 ? known : 1;
		if (back && known > 0 && said.n >= known &&
		    memcmp(said.at + said.n - known, line + i, known) == 0)
			said.n -= known;
		else if (back && known > 0 && said.n > 0 && said.at[said.n - 1] == '_')
			said.n--;
		back = false;
		put(&said, line + i, length);
	}
	put(out, said.at, said.n);
	release(&said);
}

static struct bytes
judge_stripped(const uint8_t *data, size_t size)
{
	struct bytes text = { .n = 0 }, line = { .n = 0 }, out = { .n = 0 };
	enum sequence_kind kind;
	size_t at, n;

	for (at = 0; at < size; at += n) {
		n = sequence_next(data + at, size - at, &kind);
		if (kind == SEQUENCE_TEXT)
			put(&text, data + at, n);
		else
			put_controls(&text, data + at, n);
	}
	for (at = 0; at < text.n; at++)
		if (text.at[at] == '\n') {
			put_line(&out, line.at, line.n);
			put_byte(&out, '\n');
			line.n = 0;
		} else if (!is_control(text.at[at]) || memchr("\t\r\b", text.at[at], 3) != NULL) {
			put_byte(&line, text.at[at]);
		}
	put_line(&out, line.at, line.n);
	release(&text);
	release(&line);
	return out;
}

static void
check_strip(const uint8_t *data, size_t size, size_t piece)
{
	struct bytes expected = judge_stripped(data, size);
	struct buf text = BUF_EMPTY;
	struct strip s = { .line = 0 };
	size_t at, from;

	for (at = 0; at < size; at += piece) {
		from = text.len;
		buf_add(&text, data + at, size - at < piece ? size - at : piece);
		strip(&s, &text, from);
	}
	need(bytes_equal(text.data, text.len, expected.at, expected.n));
	release(&expected);
	buf_free(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum sequence_kind kind;
	size_t at, n;

	for (at = 0; at < size; at += n) {
		n = sequence_next(data + at, size - at, &kind);
		if (n == 0 || n > size - at)
			abort();
		check(data + at, n, kind);
		if (kind != SEQUENCE_TEXT && kind != SEQUENCE_BROKEN)
			check_terminal(data + at, n, kind);
	}
	if (size > 0) {
		check_filter(data, size, 1 + data[0] / SETTINGS % 16);
		check_strip(data, size, size);
		check_strip(data, size, 1 + data[0] % 16);
	}
	return 0;
}
