/* SPDX-License-Identifier: MIT */
/* Takes copies and notifications out of a stream of output; relay.h shows what they look like. */
#include "relay/relay.h"

#include <string.h>

static const struct head {
	const char *bytes;
	enum stream_event event;
	unsigned which; /* enum notification_protocol, or enum layer */
} heads[] = {
#define HEAD(...) { __VA_ARGS__ },
#include "relay/heads.def"
#undef HEAD
};

enum { HEADS = sizeof(heads) / sizeof(heads[0]) };

/*
 * Beside the base64 the strings of Screen around its pieces are held, up to this share of it, or up
 * to this minimum. So only a short text may come in very short pieces.
 */
enum { FRAMES_SHARE = 4, FRAMES_MIN = 64 * 1024 };

static const char *const openers[] = {
	[LAYER_TMUX] = TMUX_OPENS, [LAYER_SCREEN] = SCREEN_OPENS,
};

/* What `held` is with one more byte. */
enum held { HELD_MORE, HELD_WRONG, HELD_WHOLE };

static bool
is_base64(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '+' || c == '/';
}

/* ---- the sequence without its layers ---------------------------------------- */

static enum held
open_layer(struct relay_stream *s, enum layer layer)
{
	if (s->layers == CHAIN_MAX)
		return HELD_WRONG;
	/* the ESC that distinguishes a string of Screen is its first byte */
	s->layer[s->layers++] = (struct stream_layer){ .layer = layer,
		.state = layer == LAYER_SCREEN ? STRING_ESCAPE : STRING_OPEN };
	s->state = COPY_START;
	return HELD_MORE;
}

/* Narrows the heads down to those that continue with this byte. */
static enum held
match_head(struct relay_stream *s, unsigned char c)
{
	const struct head *head = &heads[s->head];

	while (head->bytes[s->matched] != (char)c) {
		if (++s->head == HEADS || strncmp(head[0].bytes, head[1].bytes, s->matched) != 0)
			return HELD_WRONG;
		head++;
	}
	if (head->bytes[++s->matched] != '\0')
		return HELD_MORE;
	s->event = head->event;
	switch (s->event) {
	case STREAM_PASSES:
		return open_layer(s, (enum layer)head->which);
	case STREAM_COPY:
		s->state = COPY_LETTERS;
		s->letters = 0;
		return s->takes ? HELD_MORE : HELD_WRONG;
	case STREAM_NOTIFIES:
		s->state = COPY_TEXT;
		s->text = s->held.len + 1;
		s->protocol = (enum notification_protocol)head->which;
		return s->notifies ? HELD_MORE : HELD_WRONG;
	case STREAM_ASKS_COPY:
		return s->answers && s->layers == 0 ? HELD_WHOLE : HELD_WRONG;
	default:
		return HELD_WHOLE;
	}
}

static enum held
add_letter(struct relay_stream *s, unsigned char c)
{
	if (c == ';') {
		if (s->letters == 0)
			s->selections[s->letters++] = 'c';
		s->selections[s->letters] = '\0';
		s->state = COPY_TEXT;
		s->text = s->held.len + 1;
		return HELD_MORE;
	}
	if (c == '\0' || strchr(CLIPBOARD_SELECTIONS, c) == NULL ||
	    s->letters == sizeof(s->selections) - 1)
		return HELD_WRONG;
	s->selections[s->letters++] = (char)c;
	return HELD_MORE;
}

/* Accepts a text that base64_decode() takes, of at most `max` bytes. */
static enum held
end_text(struct relay_stream *s)
{
	const size_t n = s->size + s->padding;

	if (s->event == STREAM_READS)
		return HELD_WHOLE;
	if (s->event == STREAM_COPY && (s->size % 4 == 1 || s->padding > 2 ||
	    (s->padding > 0 && n % 4 != 0) || s->size / 4 * 3 + s->size % 4 * 3 / 4 > s->max))
		return HELD_WRONG;
	s->state = COPY_END;
	return HELD_MORE;
}

/* Adds to a notification. OSC 9 with a number and a semicolon is another thing, as progress is. */
static enum held
add_shown(struct relay_stream *s, unsigned char c)
{
	if (c == CAN || c == SUB || s->size == RELAY_SHOWN_MAX ||
	    (c == ';' && s->protocol == NOTIFICATION_9 && s->digits == s->size &&
	    (s->size == 1 || s->size == 2)))
		return HELD_WRONG;
	s->digits += isdigit(c) != 0;
	s->size++;
	return HELD_MORE;
}

static enum held
add_text(struct relay_stream *s, unsigned char c)
{
	if (c == BEL)
		return end_text(s);
	if (c == ESC) {
		s->state = COPY_ESCAPE;
		return HELD_MORE;
	}
	if (s->event == STREAM_NOTIFIES)
		return add_shown(s, c);
	/* tmux reads without a letter, and wants what the terminal has (tty_clipboard_query()) */
	if (c == '?' && s->answers_reads && s->layers == 0 && s->held.len == s->text &&
	    s->held.data[s->text - 2] != ';') {
		s->event = STREAM_READS;
		return HELD_MORE;
	}
	if (s->event == STREAM_READS)
		return HELD_WRONG;
	s->padding += c == '=';
	s->size += c != '=';
	return (c == '=' || (is_base64(c) && s->padding == 0)) &&
	    s->size <= base64_encoded_size(s->max) ? HELD_MORE : HELD_WRONG;
}

static enum held
add_plain(struct relay_stream *s, unsigned char c)
{
	switch (s->state) {
	case COPY_START:
		s->state = COPY_HEAD;
		s->head = s->matched = 0;
		return c == ESC ? HELD_MORE : HELD_WRONG;
	case COPY_HEAD:
		return match_head(s, c);
	case COPY_LETTERS:
		return add_letter(s, c);
	case COPY_TEXT:
		return add_text(s, c);
	case COPY_ESCAPE:
		return c == '\\' ? end_text(s) : HELD_WRONG;
	default:
		return HELD_WRONG;
	}
}

/* ---- the layers --------------------------------------------------------------- */

/* Whether the copy or notification has ended, and all strings around it from this depth on. */
static bool
is_ended(const struct relay_stream *s, size_t depth)
{
	for (; depth < s->layers; depth++)
		if (s->layer[depth].state != STRING_CLOSED)
			return false;
	return s->state == COPY_END;
}

/*
 * Ends a string. One of Screen may end anywhere, and the next one continues. One of tmux ends with
 * the sequence, or between two strings of Screen. None may be empty.
 */
static enum held
close_string(struct relay_stream *s, size_t depth)
{
	const bool between = depth + 1 < s->layers &&
	    s->layer[depth + 1].layer == LAYER_SCREEN &&
	    s->layer[depth + 1].state == STRING_CLOSED;

	if (s->layer[depth].layer == LAYER_TMUX && !between && !is_ended(s, depth + 1))
		return HELD_WRONG;
	if (s->layer[depth].empty)
		return HELD_WRONG;
	s->layer[depth].state = STRING_CLOSED;
	return HELD_MORE;
}

static enum held add_byte(struct relay_stream *s, size_t depth, unsigned char c);

/* The byte after an ESC in a string: the end, or for tmux the same ESC again. */
static enum held
after_escape(struct relay_stream *s, size_t depth, unsigned char c)
{
	struct stream_layer *at = &s->layer[depth];
	enum held held;

	if (c == '\\')
		return close_string(s, depth);
	at->empty = false;
	if (at->layer == LAYER_SCREEN) {
		at->state = c == ESC ? STRING_ESCAPE : STRING_OPEN;
		held = add_byte(s, depth + 1, ESC);
		return held != HELD_MORE || c == ESC ? held : add_byte(s, depth + 1, c);
	}
	at->state = STRING_OPEN;
	return c == ESC ? add_byte(s, depth + 1, ESC) : HELD_WRONG;
}

/* Passes the byte through the layers from this depth on, which may consume it. */
static enum held
add_byte(struct relay_stream *s, size_t depth, unsigned char c)
{
	struct stream_layer *at = &s->layer[depth];

	if (depth == s->layers)
		return add_plain(s, c);
	switch (at->state) {
	case STRING_OPEN:
		if (c != ESC) {
			at->empty = false;
			return add_byte(s, depth + 1, c);
		}
		at->state = STRING_ESCAPE;
		return HELD_MORE;
	case STRING_ESCAPE:
		return after_escape(s, depth, c);
	default:
		/* the string has ended: this can only begin the next one */
		if (is_ended(s, depth) || openers[at->layer][at->opened] != (char)c)
			return HELD_WRONG;
		if (openers[at->layer][++at->opened] == '\0')
			*at = (struct stream_layer){ at->layer, STRING_OPEN, .empty = true };
		return HELD_MORE;
	}
}

/* ---- the stream ------------------------------------------------------------------ */

/* Removes the ends and beginnings of strings from the text: ESC, and what follows it. */
static void
remove_frames(struct relay_stream *s)
{
	static const char tmux[] = TMUX_OPENS;
	unsigned char *from = s->held.data + s->text, *to = from;
	const unsigned char *end = s->held.data + s->held.len;

	while (to - (s->held.data + s->text) < (ptrdiff_t)(s->size + s->padding)) {
		if (*from != ESC) {
			*to++ = *from++;
			continue;
		}
		while (*from == ESC)
			from++;
		if (end - from >= 6 && memcmp(from, tmux + 1, sizeof(tmux) - 2) == 0)
			from += sizeof(tmux) - 2;
		else
			from++;
	}
}

/* Decodes the text in place: a large one is in memory only once. */
static void
decode(struct relay_stream *s)
{
	const char *text = (const char *)s->held.data + s->text;

	if (s->layers > 0)
		remove_frames(s);
	s->held.len = 0;
	if (s->event == STREAM_COPY) {
		base64_decode(&s->held, text, s->size + s->padding);
		return;
	}
	memmove(s->held.data, text, s->size);
	s->held.len = s->size;
}

static void
forget(struct relay_stream *s)
{
	s->held.len = 0;
	s->layers = 0;
	s->size = s->padding = s->digits = 0;
	s->state = COPY_START;
}

/*
 * What is held turned out to be something else with the byte `c`: passes it on. But an ESC at its
 * end is held again, because another sequence may begin with that and `c`.
 */
static void
release(struct relay_stream *s, unsigned char c, struct buf *out)
{
	const bool begins = s->held.len > 1 && c != ESC && s->held.data[s->held.len - 1] == ESC;

	buf_add(out, s->held.data, s->held.len - begins);
	forget(s);
	if (begins) {
		buf_add(&s->held, ST, 1);
		add_plain(s, ESC);
	}
}

/* How many of the bytes only continue the base64, which must not get too long. */
static size_t
text_run(const struct relay_stream *s, const unsigned char *bytes, size_t n)
{
	const size_t room = base64_encoded_size(s->max) - s->size;
	size_t at = 0, i;

	if (s->state != COPY_TEXT || s->event != STREAM_COPY || s->padding > 0)
		return 0;
	for (i = 0; i < s->layers; i++)
		if (s->layer[i].state != STRING_OPEN)
			return 0;
	n = n < room ? n : room;
	while (at < n && is_base64(bytes[at]))
		at++;
	return at;
}

/* Whether a head may begin here. The many sequences that move and color are none. */
static bool
may_begin(const unsigned char *at, size_t n)
{
	return n < 4 || at[1] == ']' || at[1] == 'P' || at[1] == ESC ||
	    (at[1] == '[' && (at[2] == 'c' || at[2] == '>' || at[3] == 'c'));
}

/* How many of the bytes are before the next ESC with which a head may begin. */
static size_t
plain_run(const unsigned char *bytes, size_t n)
{
	const unsigned char *at, *end = bytes + n;

	for (at = bytes; (at = memchr(at, ESC, (size_t)(end - at))) != NULL; at++)
		if (may_begin(at, (size_t)(end - at)))
			return (size_t)(at - bytes);
	return n;
}

enum stream_event
relay_stream_feed(struct relay_stream *s, const unsigned char **bytes, size_t *n, struct buf *out)
{
	const unsigned char *at = *bytes, *end = at + *n;
	enum stream_event event = STREAM_PASSES;
	enum held held;
	size_t run, i;

	/* the text of the last event */
	if (is_ended(s, 0))
		forget(s);
	while (at < end && event == STREAM_PASSES) {
		run = s->held.len == 0 ? plain_run(at, (size_t)(end - at)) : 0;
		if (run > 0) {
			buf_add(out, at, run);
			at += run;
			continue;
		}
		run = text_run(s, at, (size_t)(end - at));
		if (run > 0) {
			buf_add(&s->held, at, run);
			s->size += run;
			at += run;
			for (i = 0; i < s->layers; i++)
				s->layer[i].empty = false;
			continue;
		}
		held = s->held.len - s->size < s->size / FRAMES_SHARE + FRAMES_MIN ?
		    add_byte(s, 0, *at) : HELD_WRONG;
		if (held == HELD_WRONG) {
			/* the same byte again: now it is text, or begins a sequence */
			release(s, *at, out);
			continue;
		}
		buf_add(&s->held, at++, 1);
		if (held == HELD_WHOLE) {
			event = s->event;
			/* a query passes with its layers, unless it is answered here */
			if (event != STREAM_READS && event != STREAM_ASKS_COPY)
				buf_add(out, s->held.data, s->held.len);
			forget(s);
		} else if (is_ended(s, 0)) {
			event = s->event;
			decode(s);
		}
	}
	*n = (size_t)(end - at);
	*bytes = at;
	return event;
}

void
relay_stream_end(struct relay_stream *s, struct buf *out)
{
	if (!is_ended(s, 0))
		buf_add(out, s->held.data, s->held.len);
	buf_free(&s->held);
	forget(s);
}
