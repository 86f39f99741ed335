/* SPDX-License-Identifier: MIT */
/*
 * sequence_next(): a walk along any bytes always advances and ends at their
 * end; what is called whole ends as it must, stays the same alone, is whole to a
 * terminal and to nobody before its end. raw --filter: the first byte, which is read as
 * well, chooses the chain and the cuts; through the models of tmux and Screen comes every
 * whole picture, and nothing else.
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

	need((kind == SEQUENCE_TEXT) == (bytes[0] != 0x1b));
	switch (kind) {
	case SEQUENCE_TEXT:
		need(memchr(bytes, 0x1b, n) == NULL);
		break;
	case SEQUENCE_ESCAPE:
	case SEQUENCE_CSI:
		need(n >= 2 && memchr(bytes + 1, 0x1b, n - 1) == NULL);
		need(bytes[n - 1] >= 0x30 && bytes[n - 1] <= 0x7e);
		break;
	case SEQUENCE_OSC:
		need(bytes[n - 1] == 0x07 || ends_with_st(bytes, n));
		break;
	case SEQUENCE_STRING:
		need(ends_with_st(bytes, n));
		break;
	case SEQUENCE_IGNORED:
		need(bytes[n - 1] >= 0x30 || bytes[n - 1] == 0x07);
		break;
	case SEQUENCE_BROKEN:
		return;
	}
	/* it does not depend on what follows, and no part of it is whole */
	need(sequence_next(bytes, n, &again) == n && again == kind);
	need(n == 1 || kind == SEQUENCE_TEXT ||
	    (sequence_next(bytes, n - 1, &again) <= n - 1 && again == SEQUENCE_BROKEN));
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

	out = (struct buf){ .max = (size_t)-1 / 2 };
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum sequence_kind kind;
	size_t at, n;

	for (at = 0; at < size; at += n) {
		n = sequence_next(data + at, size - at, &kind);
		need(n > 0 && n <= size - at);
		check(data + at, n, kind);
		if (kind != SEQUENCE_TEXT && kind != SEQUENCE_BROKEN)
			check_terminal(data + at, n, kind);
	}
	if (size > 0)
		check_filter(data, size, 1 + data[0] / SETTINGS % 16);
	return 0;
}
