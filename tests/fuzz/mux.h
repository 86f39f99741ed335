/* SPDX-License-Identifier: MIT */
/*
 * How tmux, GNU Screen and a terminal read bytes: three small state machines
 * after the state diagram of DEC's VT500 parser and what the multiplexers'
 * manuals say of passthrough. They share no code with the encoder they judge.
 *
 * Screen really drops NUL and damages what is not ASCII; here it is exact, so
 * that what the wrapping does can be told from what Screen does.
 */
#ifndef TESTS_MUX_H
#define TESTS_MUX_H

#include "../unit/reference.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum where {
	GROUND, AFTER_ESC, INTERMEDIATE, IN_CSI,
	IN_OSC, IN_DCS_HEAD, IN_DCS, IN_DCS_ESC, IN_STRING, IN_STRING_ESC
};

struct bytes {
	unsigned char *at;
	size_t n, room;
};

static inline void
put(struct bytes *b, const void *bytes, size_t n)
{
	if (n == 0)
		return;
	if (b->n + n > b->room) {
		b->room = (b->n + n) * 2;
		b->at = realloc(b->at, b->room);
		if (b->at == NULL)
			abort();
	}
	memcpy(b->at + b->n, bytes, n);
	b->n += n;
}

static inline void
put_byte(struct bytes *b, unsigned char c)
{
	put(b, &c, 1);
}

static inline void
release(struct bytes *b)
{
	free(b->at);
	*b = (struct bytes){ .n = 0 };
}

/* The states outside strings, which all three share. */
static inline enum where
outside(enum where state, unsigned char c, size_t *printed)
{
	if (c == 0x18 || c == 0x1a)
		return GROUND;
	if (c == 0x1b)
		return AFTER_ESC;
	switch (state) {
	case GROUND:
		*printed += c >= 0x20 && c != 0x7f;
		return GROUND;
	case AFTER_ESC:
		if (c == '[')
			return IN_CSI;
		if (c == ']')
			return IN_OSC;
		if (c == 'P')
			return IN_DCS_HEAD;
		if (c == 'X' || c == '^' || c == '_' || c == 'k')
			return IN_STRING;
		/* fall through */
	case INTERMEDIATE:
		if (c >= 0x20 && c <= 0x2f)
			return INTERMEDIATE;
		return c >= 0x30 && c <= 0x7e ? GROUND : state;
	case IN_CSI:
		return c >= 0x40 && c <= 0x7e ? GROUND : IN_CSI;
	default:
		abort();
	}
}

/* ---- tmux --------------------------------------------------------------- */

struct tmux_like {
	size_t printed; /* characters that appear in the pane */
	enum where ends;
};

enum { TMUX_STRING_MAX = 1048575 };

/* With allow-passthrough on. */
static inline void
tmux_string(const struct bytes *body, struct bytes *out)
{
	if (body->n <= TMUX_STRING_MAX && body->n >= 5 && memcmp(body->at, "tmux;", 5) == 0)
		put(out, body->at + 5, body->n - 5);
}

static inline void
through_tmux(struct tmux_like *tmux, const unsigned char *in, size_t n,
    struct bytes *out)
{
	struct bytes body = { .n = 0 };
	enum where state = GROUND, was;
	size_t i;

	tmux->printed = 0;
	for (i = 0; i < n; i++) {
		unsigned char c = in[i];

		was = state;
		switch (state) {
		case IN_DCS_HEAD:
			if (c == 0x18 || c == 0x1a)
				state = GROUND;
			else if (c == 0x1b)
				state = AFTER_ESC;
			else if (c >= 0x40 && c <= 0x7e)
				state = IN_DCS;
			if (state == IN_DCS)
				put_byte(&body, c);
			break;
		case IN_DCS:
			if (c == 0x1b)
				state = IN_DCS_ESC;
			else
				put_byte(&body, c);
			break;
		case IN_DCS_ESC:
			state = IN_DCS;
			if (c == '\\') {
				tmux_string(&body, out);
				state = GROUND;
			} else {
				put_byte(&body, c);
			}
			break;
		case IN_OSC: case IN_STRING:
			if (c == 0x1b)
				state = AFTER_ESC;
			else if (c == 0x18 || c == 0x1a || (c == 0x07 && state == IN_OSC))
				state = GROUND;
			break;
		default:
			state = outside(state, c, &tmux->printed);
		}
		if (was < IN_OSC && state >= IN_OSC)
			body.n = 0;
	}
	tmux->ends = state;
	release(&body);
}

/* ---- GNU Screen --------------------------------------------------------- */

struct screen_like {
	size_t overflows; /* out: strings over its limit, printed as text */
	size_t printed;   /* out: other characters that appear in the window */
	enum where ends;
};

enum { SCREEN_KEEPS = 767 };

static inline void
through_screen(struct screen_like *screen, const unsigned char *in, size_t n,
    struct bytes *out)
{
	struct bytes body = { .n = 0 };
	enum where state = GROUND, kind = GROUND;
	size_t i;

	screen->overflows = screen->printed = 0;
	for (i = 0; i < n; i++) {
		unsigned char c = in[i];

		switch (state) {
		case IN_STRING:
			if (c == 0x1b)
				state = IN_STRING_ESC;
			else if (c == 0x07 && kind == IN_OSC)
				state = GROUND;
			else
				put_byte(&body, c);
			break;
		case IN_STRING_ESC:
			if (c == '\\') {
				if (kind == IN_DCS_HEAD)
					put(out, body.at, body.n);
				state = GROUND;
				break;
			}
			/* this ESC was data; the present byte may be one more */
			put_byte(&body, 0x1b);
			if (c != 0x1b) {
				put_byte(&body, c);
				state = IN_STRING;
			}
			break;
		default:
			state = outside(state, c, &screen->printed);
			if (state >= IN_OSC) {
				kind = state;
				state = IN_STRING;
				body.n = 0;
			}
		}
		if (body.n > SCREEN_KEEPS) {
			screen->overflows++;
			body.n = 0;
			state = GROUND;
		}
	}
	screen->ends = state;
	release(&body);
}

/* ---- the terminal ------------------------------------------------------- */

enum { HEARD_MAX = 16 };

/* The OSC strings that a terminal acts on. */
struct heard {
	size_t count;
	struct {
		struct bytes body;
		bool cut; /* ended by CAN, or an ESC without a backslash */
	} osc[HEARD_MAX];
	size_t printed;
	enum where ends;
};

static inline void
hear(struct heard *heard, const struct bytes *body, bool cut)
{
	if (heard->count < HEARD_MAX) {
		heard->osc[heard->count].cut = cut;
		put(&heard->osc[heard->count].body, body->at, body->n);
	}
	heard->count++;
}

/*
 * What is cut is heard too, and marked: after DEC's parser it is dropped, but
 * foot and Alacritty act on it.
 */
static inline void
terminal_hears(struct heard *heard, const unsigned char *in, size_t n)
{
	struct bytes body = { .n = 0 };
	enum where state = GROUND, was;
	size_t i;

	*heard = (struct heard){ .count = 0 };
	for (i = 0; i < n; i++) {
		unsigned char c = in[i];

		was = state;
		switch (state) {
		case IN_OSC:
			if (c == 0x07 || c == 0x18 || c == 0x1a) {
				hear(heard, &body, c != 0x07);
				state = GROUND;
			} else if (c == 0x1b) {
				hear(heard, &body, i + 1 == n ||
				    in[i + 1] != '\\');
				state = AFTER_ESC;
			} else {
				put_byte(&body, c);
			}
			break;
		case IN_DCS_HEAD: case IN_DCS: case IN_STRING:
			if (c == 0x1b)
				state = AFTER_ESC;
			else if (c == 0x18 || c == 0x1a)
				state = GROUND;
			break;
		default:
			state = outside(state, c, &heard->printed);
		}
		if (was < IN_OSC && state >= IN_OSC)
			body.n = 0;
	}
	heard->ends = state;
	release(&body);
}

static inline void
forget(struct heard *heard)
{
	size_t i;

	for (i = 0; i < heard->count && i < HEARD_MAX; i++)
		release(&heard->osc[i].body);
}

#endif
