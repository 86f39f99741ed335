/* SPDX-License-Identifier: MIT */
/*
 * raw --filter: how the input is cut makes no difference; what the chain takes off again
 * is the input, for what was wrapped is taken out of the same place; nothing is lost but
 * what is counted; a multiplexer is left where the input alone would leave it.
 *
 * The first byte, which is read as well, chooses the chain and the cuts; its top bits lay
 * the input out over more than is held of a sequence.
 */
#include "encoder/wrap_stream.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LAID_OUT = WRAP_STREAM_HELD + WRAP_STREAM_HELD / 4 };

static const struct wrap_stream_settings settings[] = {
	{ .chain = { 1, { LAYER_TMUX } }, .limit = TMUX_SEQUENCE_MAX },
	{ .chain = { 1, { LAYER_TMUX } } },
	{ .chain = { 1, { LAYER_TMUX } }, .drops = true },
	{ .chain = { 1, { LAYER_SCREEN } } },
};

enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

static struct buf
filtered(const struct wrap_stream_settings *how, const uint8_t *data, size_t size,
    size_t piece, size_t *left_out)
{
	struct wrap_stream w;
	struct buf out;
	size_t at;

	buf_init(&out, (size_t)-1 / 2);
	wrap_stream_init(&w, how);
	for (at = 0; at < size; at += piece)
		need(wrap_stream_feed(&w, data + at, size - at < piece ? size - at : piece,
		    &out));
	need(wrap_stream_end(&w, &out));
	need(w.held.len <= WRAP_STREAM_HELD + 2);
	*left_out = w.left_out;
	wrap_stream_free(&w);
	return out;
}

/* The length of tmux's string that begins here, or 0, and in `bare` what it holds. */
static size_t
taken_off(const unsigned char *out, size_t n, struct bytes *bare)
{
	size_t at;

	if (n < 8 || memcmp(out, "\x1bPtmux;", 7) != 0)
		return 0;
	for (at = 7; at + 1 < n; at++) {
		if (out[at] == 0x1b && out[at + 1] == '\\')
			return at + 2;
		at += out[at] == 0x1b;
		put_byte(bare, out[at]);
	}
	return 0;
}

/* The wrapping of tmux is taken off where the input has it not. */
static void
check_reverse(const struct buf *out, const uint8_t *data, size_t size)
{
	size_t at = 0, in = 0, n;

	while (at < out->len) {
		struct bytes bare = { .n = 0 };

		/* what the input has wrapped itself is not wrapped again */
		n = size - in >= 7 && memcmp(data + in, "\x1bPtmux;", 7) == 0 ? 0 :
		    taken_off(out->data + at, out->len - at, &bare);
		if (n > 0 && size - in >= bare.n &&
		    bytes_equal(bare.at, bare.n, data + in, bare.n)) {
			need(bare.n >= 3 && bare.at[0] == 0x1b);
			at += n;
			in += bare.n;
		} else {
			need(in < size && out->data[at] == data[in]);
			at++;
			in++;
		}
		release(&bare);
	}
	need(in == size);
}

static void
check(const uint8_t *data, size_t size, size_t piece, const struct wrap_stream_settings *how)
{
	size_t left_out, again;
	struct buf whole = filtered(how, data, size, size, &left_out),
	    pieces = filtered(how, data, size, piece, &again);

	need(left_out == again);
	need(bytes_equal(whole.data, whole.len, pieces.data, pieces.len));
	need(left_out == 0 || how->drops || size > WRAP_STREAM_HELD);
	need(!how->drops || whole.len <= size);
	if (how->chain.layer[0] == LAYER_TMUX && !how->drops && size <= 4096)
		check_reverse(&whole, data, size);
	buf_free(&whole);
	buf_free(&pieces);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char fill[8192] = "x";
	struct bytes many = { .n = 0 };
	const struct wrap_stream_settings *how;

	if (size == 0)
		return 0;
	how = &settings[data[0] % SETTINGS];
	if (data[0] < 0xf8 || size < 256) {
		check(data, size, 1 + data[0] / SETTINGS % 16, how);
		return 0;
	}
	put(&many, data, size / 2);
	while (many.n < LAID_OUT)
		put(&many, fill, sizeof(fill));
	put(&many, data + size / 2, size - size / 2);
	check(many.at, many.n, 1 + data[0] / SETTINGS % 16 * 9973, how);
	release(&many);
	return 0;
}
