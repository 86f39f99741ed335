/* SPDX-License-Identifier: MIT */
/*
 * wrap(): for every chain and any bytes, the models of tmux and Screen give back
 * what went in, print nothing and keep to their limits; and what stops a sequence
 * that was cut off leaves no layer in the middle of a string, and no half of a
 * clipboard at the terminal.
 *
 * Input: a byte that picks the chain, two that say where it is cut, the bytes. The
 * top bit of the first makes every tmux one that cannot be asked.
 */
#include "encoder/encoder.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Chains of one to three layers: 2 + 4 + 8 of them. */
static struct chain
pick_chain(unsigned number)
{
	struct chain chain = { .count = 0 };
	size_t length = 1, of_length = 2;

	enum layer tmux = number & 0x80 ? LAYER_TMUX_MAYBE : LAYER_TMUX;

	number &= 0x7f;
	for (number %= 14; number >= of_length; of_length *= 2, length++)
		number -= (unsigned)of_length;
	for (; chain.count < length; number /= 2)
		chain_add(&chain, number % 2 != 0 ? LAYER_SCREEN : tmux);
	return chain;
}

/* Whole OSC strings, and nothing else: how many. */
static size_t
count_strings(const uint8_t *data, size_t size)
{
	struct heard heard;
	size_t i, n = 0, count;

	terminal_hears(&heard, data, size);
	count = heard.count;
	for (i = 0; i < count && i < HEARD_MAX; i++)
		n += heard.osc[i].cut ? 0 : heard.osc[i].body.n + 3;
	forget(&heard);
	/* an ST is one byte longer than a BEL */
	for (i = 0; i + 1 < size; i++)
		n += data[i] == 0x1b && data[i + 1] == '\\';
	return n == size ? count : 0;
}

static void
check_whole(const struct buf *wrapped, const struct chain *chain,
    const uint8_t *data, size_t size)
{
	struct bytes bytes = { .n = 0 };
	size_t i;

	put(&bytes, wrapped->data, wrapped->len);
	for (i = 0; i < chain->count; i++)
		need(pass(&bytes, chain->layer[i], true) == GROUND);
	need(chain_has(chain, LAYER_SCREEN) ? same(&bytes, data, size) :
	    bytes_equal(bytes.at, bytes.n, data, size));
	release(&bytes);
}

/* A clipboard is heard whole, spoilt by the `!`, cut off, or not at all. */
static void
check_heard(const struct bytes *bytes, const uint8_t *data, size_t size)
{
	struct heard heard, whole;
	size_t i;

	terminal_hears(&heard, bytes->at, bytes->n);
	terminal_hears(&whole, data, size);
	need(heard.ends == GROUND);
	for (i = 0; i < heard.count && i < HEARD_MAX; i++)
		need(heard.osc[i].cut || bytes_equal(heard.osc[i].body.at,
		    heard.osc[i].body.n, whole.osc[0].body.at,
		    whole.osc[0].body.n) || memchr(heard.osc[i].body.at, '!',
		    heard.osc[i].body.n) != NULL);
	forget(&heard);
	forget(&whole);
}

/* Every layer must be out of its strings, whatever it was cut in. */
static void
check_cut(const struct buf *wrapped, const struct chain *chain, size_t cut,
    const uint8_t *data, size_t size)
{
	struct bytes bytes = { .n = 0 };
	struct buf stop;
	size_t i;

	stop = (struct buf){ .max = 4096 };
	wrap_abort(&stop, CLIPBOARD_ABORT, chain);
	put(&bytes, wrapped->data, cut);
	put(&bytes, stop.data, stop.len);
	for (i = 0; i < chain->count; i++)
		need(pass(&bytes, chain->layer[i], false) == GROUND);
	if (size > 5 && memcmp(data, "\x1b]52;", 5) == 0 &&
	    count_strings(data, size) == 1)
		check_heard(&bytes, data, size);
	release(&bytes);
	buf_free(&stop);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf b = BUF_EMPTY;
	struct chain chain;
	size_t cut;
	bool fit;

	if (size < 3)
		return 0;
	chain = pick_chain(data[0]);
	cut = data[1] * 256U + data[2];
	data += 3;
	size -= 3;
	buf_add(&b, data, size);
	wrap(&b, &chain);
	/* such a tmux gets all of it bare as well: only strings go unnoticed */
	fit = !chain_has(&chain, LAYER_TMUX_MAYBE) ||
	    count_strings(data, size) > 0;
	if (fit)
		check_whole(&b, &chain, data, size);
	if (fit && b.len > 0)
		check_cut(&b, &chain, cut % b.len + 1, data, size);
	buf_free(&b);
	return 0;
}
