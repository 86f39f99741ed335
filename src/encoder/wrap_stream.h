/* SPDX-License-Identifier: MIT */
/*
 * Wraps the sequences in the output of a program: text passes, each complete string
 * sequence (OSC, DCS, APC, PM, SOS) is wrapped for a chain, all in order. Encoder layer,
 * pure. Linear in the input, and of bounded memory.
 *
 * CSI and escape sequences are never wrapped: the multiplexer moves its cursor and draws
 * by them. Neither is what the nearest multiplexer interprets itself (the table
 * `interpreted` in wrap_stream.c), nor a DCS that is wrapped for tmux or Screen already.
 *
 * A sequence is held until its end has come, so that one that never ends passes
 * unchanged. It ends as in DEC's VT500 parser: ST, and BEL for an OSC; CAN, SUB and any
 * other ESC cut it off, and what was cut off passes unchanged. C1 bytes are UTF-8.
 */
#ifndef ENCODER_WRAP_STREAM_H
#define ENCODER_WRAP_STREAM_H

#include "base/buf.h"
#include "encoder/encoder.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes of a sequence that are held. What is longer either has no limit on its way and
 * is wrapped as it comes, or is left out.
 */
enum { WRAP_STREAM_HELD = TMUX_SEQUENCE_MAX };

struct wrap_stream_settings {
	struct chain chain;  /* LAYER_TMUX_MAYBE counts as LAYER_TMUX; none: all passes */
	size_t limit;        /* a longer sequence is left out; 0: there is no limit */
	bool drops;          /* leave out every sequence that had to be wrapped */
	bool tmux_copies;    /* the nearest layer is a tmux that interprets OSC 52 */
	bool tmux_progress;  /* the nearest layer is a tmux that interprets OSC 9;4 */
	bool tmux_sixel;     /* the nearest layer is a tmux that draws sixel images */
};

struct wrap_stream {
	struct wrap_stream_settings settings;
	struct source source;     /* holds the state of the layers */
	struct buf held;          /* the sequence so far */
	unsigned char state, way, introducer; /* for wrap_stream.c */
	size_t size;              /* bytes of the present sequence */
	/* out: complete sequences that were left out, and the longest of them */
	size_t left_out, longest;
};

/* Owned by the caller, who calls wrap_stream_free(); it must not be moved. */
void wrap_stream_init(struct wrap_stream *w, const struct wrap_stream_settings *settings);

void wrap_stream_free(struct wrap_stream *w);

/*
 * Adds what the next `n` bytes become to `out`. False: no room, here or in `out`, and
 * the stream is of no use any more.
 */
bool wrap_stream_feed(struct wrap_stream *w, const void *bytes, size_t n, struct buf *out);

/*
 * The end of the input: adds an incomplete sequence unchanged. One that was too long to
 * be held is aborted (SEQUENCE_ABORT). False: no room.
 */
bool wrap_stream_end(struct wrap_stream *w, struct buf *out);

#endif
