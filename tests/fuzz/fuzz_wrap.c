/* SPDX-License-Identifier: MIT */
/*
 * wrap(): for every chain and any bytes, the models of tmux and Screen give
 * back what went in, print nothing and keep to their limits; and what stops a
 * sequence that was cut off leaves no layer in the middle of a string.
 *
 * Input: a byte that picks the chain, two that say where it is cut, the bytes.
 */
#include "encoder/encoder.h"

#include "../unit/mux.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Chains of one to three layers: 2 + 4 + 8 of them. */
static struct chain
pick_chain(unsigned number)
{
	struct chain chain = { .count = 0 };
	size_t length = 1, of_length = 2;

	for (number %= 14; number >= of_length; of_length *= 2, length++)
		number -= (unsigned)of_length;
	for (; chain.count < length; number /= 2)
		chain_add(&chain, number % 2 != 0 ? LAYER_SCREEN : LAYER_TMUX);
	return chain;
}

/* Replaces `bytes` by what the layer passes on; gives its last state. */
static enum where
pass(struct bytes *bytes, enum layer layer, bool demand_silence)
{
	struct tmux_like tmux = { .passes = true };
	struct screen_like screen;
	struct bytes out = { .n = 0 };
	enum where ends;

	if (layer == LAYER_SCREEN) {
		through_screen(&screen, bytes->at, bytes->n, &out);
		if (demand_silence && screen.printed + screen.overflows != 0)
			abort();
		ends = screen.ends;
	} else {
		through_tmux(&tmux, bytes->at, bytes->n, &out);
		if (demand_silence && tmux.printed != 0)
			abort();
		ends = tmux.ends;
	}
	release(bytes);
	*bytes = out;
	return ends;
}

/* Equal, but that the ST of an OSC may have become BEL. */
static bool
same(const struct bytes *out, const uint8_t *in, size_t n)
{
	size_t i = 0, j = 0;

	for (; i < out->n && j < n; i++, j++)
		if (out->at[i] == 0x07 && in[j] == 0x1b && j + 1 < n &&
		    in[j + 1] == '\\')
			j++;
		else if (out->at[i] != in[j])
			return false;
	return i == out->n && j == n;
}

static void
check_whole(const struct buf *wrapped, const struct chain *chain,
    const uint8_t *data, size_t size)
{
	struct bytes bytes = { .n = 0 };
	size_t i;

	put(&bytes, wrapped->data, wrapped->len);
	for (i = 0; i < chain->count; i++)
		if (pass(&bytes, chain->layer[i], true) != GROUND)
			abort();
	if (chain_has(chain, LAYER_SCREEN) ? !same(&bytes, data, size) :
	    bytes.n != size || (size > 0 && memcmp(bytes.at, data, size) != 0))
		abort();
	release(&bytes);
}

/* Every layer must be out of its strings, whatever it was cut in. */
static void
check_cut(const struct buf *wrapped, const struct chain *chain, size_t cut)
{
	struct bytes bytes = { .n = 0 };
	struct buf stop;
	size_t i;

	buf_init(&stop, 4096);
	if (!wrap_abort(&stop, CLIPBOARD_ABORT, chain))
		abort();
	put(&bytes, wrapped->data, cut);
	put(&bytes, stop.data, stop.len);
	for (i = 0; i < chain->count; i++)
		if (pass(&bytes, chain->layer[i], false) != GROUND)
			abort();
	release(&bytes);
	buf_free(&stop);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chain chain;
	struct buf b;
	size_t cut;

	if (size < 3)
		return 0;
	chain = pick_chain(data[0]);
	cut = data[1] * 256U + data[2];
	data += 3;
	size -= 3;
	buf_init(&b, (size_t)1 << 26);
	if (!buf_add(&b, data, size) || !wrap(&b, &chain))
		abort();
	check_whole(&b, &chain, data, size);
	if (b.len > 0)
		check_cut(&b, &chain, cut % b.len + 1);
	buf_free(&b);
	return 0;
}
