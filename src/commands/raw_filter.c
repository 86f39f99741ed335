/* SPDX-License-Identifier: MIT */
/* raw --filter; the contract is in raw_filter.h. */
#include "commands/raw_filter.h"

#include "base/stream.h"
#include "commands/send.h"
#include "encoder/wrap_stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* What is read at once. */
enum { INPUT_PIECE = 64 * 1024 };

struct raw_stream {
	struct sink sink;
	struct wrap_stream wrap;
	struct buf in, out;
	size_t read;
	struct error refusal; /* STATUS_DONE: wrapped sequences pass */
};

static bool
check_filter(const struct call *call, bool escapes, struct error *error)
{
	if (call->count > 0 || escapes)
		return error_set(error, STATUS_USAGE,
		    "--filter reads standard input: no STRING or --escapes with it");
	if (!isatty(STDIN_FILENO))
		return true;
	error_set(error, STATUS_USAGE,
	    "nothing to filter: standard input is a terminal");
	return error_hint(error, "use it in a pipe: COMMAND | viatty raw --filter");
}

/* ---- where it goes ---------------------------------------------------------- */

/*
 * What the nearest multiplexer interprets it interprets here as well; the rest is left
 * out, for no layer gets it through.
 */
static void
go_without_sequences(struct raw_stream *s, struct error *error)
{
	const struct path *path = &s->sink.path;
	bool screen = path->hops > 0 &&
	    hop_row(&path->hop[0])->form == FORM_SCREEN;

	s->refusal = *error;
	*error = (struct error){ .status = STATUS_DONE };
	s->sink.route = (struct route){ .kind = ROUTE_DIRECT, .own_device = true,
	    .device = path->device };
	chain_add(&s->sink.route.chain, screen ? LAYER_SCREEN : LAYER_TMUX);
}

static bool
has_own_device(const struct path *path)
{
	return path->device.name[0] != '\0' && path->source != DEVICE_PANE;
}

static bool
open_stream(struct raw_stream *s, struct call *call, struct error *error)
{
	/*
	 * Text has to stay in order with the sequences, and the cursor with both: all
	 * goes to the nearest device. The program in front may be reading replies of the
	 * terminal, so nothing is asked.
	 */
	const struct message message = {
		.request = { .feature = FEATURE_ANY, .selections = "", .moves_cursor = true },
	};

	if (sink_open(&s->sink, call, &message, error))
		return true;
	if (error->status != STATUS_REFUSED || call->signal != 0 ||
	    !has_own_device(&s->sink.path))
		return false;
	go_without_sequences(s, error);
	return true;
}

/* The nearest hop, if it is a tmux that answered. */
static const struct tmux *
nearest_server(const struct path *path)
{
	return path->hops > 0 && path->hop[0].kind == HOP_TMUX ? &path->hop[0].tmux : NULL;
}

static bool
takes_progress(const struct tmux *tmux)
{
	return multiplexer_passes(multiplexer_of(HOP_TMUX, NULL), FEATURE_PROGRESS,
	    tmux->version) == SUPPORT_OFF && tmux_client_has(&tmux->client, "progressbar");
}

/* For another client it draws a box with SIXEL IMAGE: tty.c, tty_cmd_sixelimage(). */
static bool
draws_sixel(const struct tmux *tmux)
{
	return tmux->draws_sixel && tmux_client_has(&tmux->client, "sixel") &&
	    tmux->client.has_pixels;
}

static struct wrap_stream_settings
settings_of(const struct raw_stream *s)
{
	const struct route *route = &s->sink.route;
	const struct tmux *tmux = nearest_server(&s->sink.path);
	bool force = s->sink.call->globals->force;

	return (struct wrap_stream_settings){
		.chain = route->chain,
		.limit = force ? 0 : route->limit,
		.drops = s->refusal.status != STATUS_DONE,
		.tmux_copies = tmux != NULL && tmux->set_clipboard == SET_CLIPBOARD_ON,
		.tmux_progress = tmux != NULL && takes_progress(tmux),
		.tmux_sixel = tmux != NULL && draws_sixel(tmux),
	};
}

/* ---- the stream ------------------------------------------------------------- */

static bool
send_out(struct raw_stream *s, bool whole, struct error *error)
{
	bool fine = whole ? sink_stream(&s->sink, &s->out, error) : error_no_memory(error);

	s->out.len = 0;
	return fine;
}

/* True as well for a signal, which is noted. */
static bool
pass_input(struct raw_stream *s, struct error *error)
{
	ssize_t n;

	while (s->sink.call->signal == 0) {
		s->in.len = 0;
		n = stream_read(STDIN_FILENO, &s->in);
		if (n < 0)
			return error_set(error, STATUS_FAILED,
			    "cannot read standard input: %s", strerror(errno));
		if (n == 0)
			return send_out(s, wrap_stream_end(&s->wrap, &s->out), error);
		s->read += (size_t)n;
		if (!send_out(s, wrap_stream_feed(&s->wrap, s->in.data, s->in.len,
		    &s->out), error))
			return false;
	}
	return true;
}

/* As after everything else that is printed in these forms. */
static bool
end_print(const struct globals *g, struct error *error)
{
	return g->print == PRINT_NOT || g->print == PRINT_RAW ||
	    stream_write(STDOUT_FILENO, "\n", 1) || error_stdout(error);
}

static bool
tell_left_out(const struct raw_stream *s, struct error *error)
{
	const struct wrap_stream *w = &s->wrap;

	if (w->left_out == 0)
		return true;
	if (s->refusal.status != STATUS_DONE) {
		*error = s->refusal;
		return false;
	}
	error_set(error, STATUS_REFUSED, "too large for tmux: %zu of the sequences, of up "
	    "to %zu bytes; the limit is %zu", w->left_out, w->longest,
	    w->settings.limit);
	return error_hint(error, "make the program send a smaller image, or several "
	    "sequences");
}

static bool
filter_stream(struct raw_stream *s, struct error *error)
{
	const struct wrap_stream_settings settings = settings_of(s);
	const struct call *call = s->sink.call;
	bool fine;

	wrap_stream_init(&s->wrap, &settings);
	fine = (buf_reserve(&s->in, INPUT_PIECE) || error_no_memory(error)) &&
	    pass_input(s, error) && end_print(call->globals, error) &&
	    (call->signal != 0 || tell_left_out(s, error)) &&
	    sink_report(&s->sink, s->read, error);
	wrap_stream_free(&s->wrap);
	return fine;
}

bool
raw_filter(struct call *call, bool escapes, struct error *error)
{
	struct raw_stream s = { .read = 0 };
	bool fine;

	if (!check_filter(call, escapes, error))
		return false;
	buf_init(&s.in, INPUT_PIECE);
	buf_init(&s.out, BUF_NO_LIMIT);
	fine = open_stream(&s, call, error) && filter_stream(&s, error);
	sink_close(&s.sink);
	buf_free(&s.in);
	buf_free(&s.out);
	return fine;
}
