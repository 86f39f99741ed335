/* SPDX-License-Identifier: MIT */
/*
 * The filter; the contract is in linkify.h. Each line is split into sequences and text,
 * the text is matched, and the links are inserted between the bytes of the line, none
 * of which is changed.
 */
#include "linkify/linkify.h"

#include "base/text.h"
#include "encoder/encoder.h"
#include "linkify/match.h"

#include <stdlib.h>
#include <string.h>

struct linkify {
	struct linkify_settings settings;
	struct rules rules;
	struct matches matches;
	struct context context;
	struct buf pending;       /* the incomplete line */
	struct buf text;          /* of a line, without its sequences */
	size_t *place;            /* the offset in the line of each byte of `text` */
	enum sequence_open open;  /* a sequence that continues from the last line */
	bool linked;              /* a link of the input is open */
};

/* Bytes of the longest line that may be the name of a file. */
enum { HEADING_MAX = 2 * PATH_BYTES };

/* Where the bytes at hand end. */
enum ending {
	ENDING_LINE,  /* they are a line, or the last of all */
	ENDING_CUT,   /* more of the line follows, but they are all that fits */
	ENDING_PAUSE  /* more of the line may follow */
};

struct linkify *
linkify_new(const struct linkify_settings *settings)
{
	struct linkify *l = calloc(1, sizeof(*l));

	if (l == NULL)
		return NULL;
	l->settings = *settings;
	l->matches.settings = &l->settings;
	l->place = malloc(LINKIFY_LINE_MAX * sizeof(*l->place));
	buf_init(&l->pending, LINKIFY_LINE_MAX);
	buf_init(&l->text, LINKIFY_LINE_MAX + 1);
	if (l->place != NULL && buf_reserve(&l->text, LINKIFY_LINE_MAX + 1))
		return l;
	linkify_free(l);
	return NULL;
}

void
linkify_free(struct linkify *l)
{
	if (l == NULL)
		return;
	rules_free(&l->rules);
	matches_free(&l->matches);
	buf_free(&l->pending);
	buf_free(&l->text);
	free(l->place);
	free(l);
}

bool
linkify_rule(struct linkify *l, const char *rule, struct error *error)
{
	return rules_add(&l->rules, rule, error);
}

/* ---- the text of a line ------------------------------------------------- */

/* NUL would end the text for regexec(): it becomes a newline, which nothing matches. */
static void
add_line_text(struct linkify *l, const unsigned char *line, size_t at, size_t n)
{
	size_t i;

	for (i = at; i < at + n; i++) {
		l->place[l->text.len] = i;
		l->text.data[l->text.len++] = line[i] != '\0' ? line[i] : '\n';
	}
}

/* No match may span this place. */
static void
add_border(struct linkify *l, size_t at)
{
	l->place[l->text.len] = at;
	l->text.data[l->text.len++] = '\n';
}

/*
 * SGR and EL change how text looks, ESC ( which characters are meant: grep,
 * gcc and git write them around and amid what belongs together.
 */
static bool
is_transparent(const unsigned char *sequence, size_t n, enum sequence_kind kind)
{
	if (kind == SEQUENCE_CSI)
		return sequence[n - 1] == 'm' || sequence[n - 1] == 'K';
	return kind == SEQUENCE_ESCAPE && sequence[1] == '(';
}

static void
note_link(struct linkify *l, const unsigned char *sequence, size_t n)
{
	const char *url;
	size_t url_n;
	enum hyperlink link = hyperlink_read(sequence, n, &url, &url_n);

	if (link == HYPERLINK_OPEN && l->settings.found != NULL)
		l->settings.found(l->settings.context, url, url_n);
	if (link != HYPERLINK_NONE)
		l->linked = link == HYPERLINK_OPEN;
}

static bool
is_escape(unsigned char c)
{
	enum sequence_kind kind;

	sequence_next(&c, 1, &kind);
	return kind == SEQUENCE_BROKEN;
}

/* Whether a broken sequence may only be incomplete; ESC behind it is half of ST. */
static bool
lacks_end(const unsigned char *line, size_t end, size_t n)
{
	return end == n || (end + 1 == n && is_escape(line[end]));
}

/*
 * Takes a line apart into `text` and `place`. Gives where the last sequence
 * begins if it has no end, else `n`; `*broken` if another one has none, or has
 * bytes of which some terminals print a part.
 */
static size_t
split_line(struct linkify *l, const unsigned char *line, size_t n, bool *broken)
{
	enum sequence_kind kind;
	size_t at, length;

	l->text.len = 0;
	*broken = false;
	for (at = 0; at < n; at += length) {
		length = sequence_next(line + at, n - at, &kind);
		if (kind == SEQUENCE_BROKEN && lacks_end(line, at + length, n))
			return at;
		*broken = *broken || kind == SEQUENCE_BROKEN ||
		    kind == SEQUENCE_IGNORED;
		if (kind == SEQUENCE_OSC)
			note_link(l, line + at, length);
		if (kind == SEQUENCE_TEXT && !l->linked)
			add_line_text(l, line, at, length);
		else if (!is_transparent(line + at, length, kind))
			add_border(l, at);
	}
	return n;
}

/* ---- links in ----------------------------------------------------------- */

/* `place` is NULL where the text is the line itself. */
static void
write_links(struct linkify *l, const unsigned char *line, size_t n,
    const size_t *place, struct buf *out)
{
	size_t i, start, end, done = 0;

	for (i = 0; i < l->matches.count; i++) {
		const struct match *m = &l->matches.match[i];
		const char *url = (const char *)l->matches.urls.data + m->url;

		start = place != NULL ? place[m->start] : m->start;
		end = (place != NULL ? place[m->end - 1] : m->end - 1) + 1;
		buf_add(out, line + done, start - done);
		encode_hyperlink_open(out, url, m->url_n, NULL);
		buf_add(out, line + start, end - start);
		encode_hyperlink_close(out);
		if (l->settings.found != NULL)
			l->settings.found(l->settings.context, url, m->url_n);
		done = end;
	}
	buf_add(out, line + done, n - done);
}

/* A match that ends where the line is cut may continue behind the cut. */
static void
find_matches(struct linkify *l, const char *text, size_t n, enum ending ending)
{
	match_text(&l->matches, &l->context, text, n, &l->rules);
	if (ending != ENDING_LINE && l->matches.count > 0 &&
	    l->matches.match[l->matches.count - 1].end == n)
		l->matches.count--;
}

/* Whether an incomplete sequence at `at` can wait for more bytes. */
static bool
may_wait(size_t at, enum ending ending)
{
	return ending == ENDING_PAUSE || (ending == ENDING_CUT && at > 0);
}

/* Gives how much of the line was written. */
static size_t
add_links(struct linkify *l, const unsigned char *line, size_t n,
    enum ending ending, struct buf *out)
{
	bool broken;
	size_t end = split_line(l, line, n, &broken);

	if (end < n && !may_wait(end, ending)) {
		/* its end is not at hand: it passes unchanged */
		l->open = sequence_opened(line + end, n - end);
		end = n;
		broken = true;
	}
	l->text.data[l->text.len] = '\0';
	if (broken || l->text.len == 0)
		buf_add(out, line, end);
	else {
		find_matches(l, (const char *)l->text.data, l->text.len, ending);
		write_links(l, line, end, l->place, out);
	}
	return end;
}

/* ---- links out ---------------------------------------------------------- */

/*
 * A sequence that the removed link had cut off would continue with the bytes behind the
 * link: CAN cuts it off instead.
 */
static void
leave_out_link(struct linkify *l, struct buf *out, bool cut_off)
{
	if (cut_off || l->open == SEQUENCE_CUT)
		buf_add_string(out, SEQUENCE_CANCEL);
	l->open = SEQUENCE_CLOSED;
}

static size_t
strip_links(struct linkify *l, const unsigned char *line, size_t n,
    enum ending ending, struct buf *out)
{
	enum sequence_kind kind;
	size_t at, length, url_n;
	const char *url;
	bool cut_off = false;

	for (at = 0; at < n; at += length) {
		length = sequence_next(line + at, n - at, &kind);
		if (kind == SEQUENCE_OSC && hyperlink_read(line + at, length,
		    &url, &url_n) != HYPERLINK_NONE) {
			leave_out_link(l, out, cut_off);
			cut_off = false;
			continue;
		}
		if (kind == SEQUENCE_BROKEN && lacks_end(line, at + length, n)) {
			if (may_wait(at, ending)) {
				if (cut_off)
					l->open = SEQUENCE_CUT;
				return at;
			}
			l->open = sequence_opened(line + at, length);
		} else {
			l->open = SEQUENCE_CLOSED;
		}
		cut_off = kind == SEQUENCE_BROKEN;
		buf_add(out, line + at, length);
	}
	return n;
}

/* ---- lines -------------------------------------------------------------- */

/*
 * Where bytes may need a change, searched once for all of their lines: most lines need
 * none, so this has to be fast.
 */
struct lookahead {
	const unsigned char *bytes;
	size_t n;
	size_t escape, mark; /* the next sequence and mark, n for none */
	bool begun;
};

static void
look_for_escape(struct lookahead *a, size_t at)
{
	enum sequence_kind kind;
	size_t n = sequence_next(a->bytes + at, a->n - at, &kind);

	a->escape = kind == SEQUENCE_TEXT ? at + n : at;
}

static void
look_ahead(struct lookahead *a, const struct linkify *l, size_t at)
{
	if (!a->begun || a->escape < at)
		look_for_escape(a, at);
	if ((!a->begun || a->mark < at) && l->settings.mode != LINKIFY_STRIP)
		a->mark = match_next((const char *)a->bytes, a->n, at);
	a->begun = true;
}

static bool
passes_unchanged(struct linkify *l, struct lookahead *a, size_t at, size_t n)
{
	look_ahead(a, l, at);
	return a->escape >= at + n && l->open == SEQUENCE_CLOSED &&
	    (l->settings.mode == LINKIFY_STRIP || l->linked || (l->rules.count == 0 &&
	        a->mark >= at + n && !lines_needed(&l->context) &&
	        !lines_is_diff((const char *)a->bytes + at, n)));
}

/* A line without sequences need not be split. */
static bool
is_only_text(const struct linkify *l, const unsigned char *line, size_t n)
{
	enum sequence_kind kind;

	return l->rules.count == 0 && !l->linked &&
	    sequence_next(line, n, &kind) == n && kind == SEQUENCE_TEXT;
}

static size_t
change_line(struct linkify *l, const unsigned char *line, size_t n, enum ending ending,
    struct buf *out)
{
	size_t rest;

	if (l->open > SEQUENCE_CUT) {
		rest = sequence_rest(line, n, &l->open);
		/* an ESC before the end of everything */
		if (rest == 0 && l->open > SEQUENCE_CUT && ending == ENDING_LINE)
			rest = n;
		buf_add(out, line, rest);
		if (rest > 0 || l->open > SEQUENCE_CUT)
			return rest;
	}
	if (l->settings.mode == LINKIFY_STRIP)
		return strip_links(l, line, n, ending, out);
	l->open = SEQUENCE_CLOSED;
	if (!is_only_text(l, line, n))
		return add_links(l, line, n, ending, out);
	find_matches(l, (const char *)line, n, ending);
	write_links(l, line, n, NULL, out);
	return n;
}

/* Writes a line or a part of one; gives how many of its bytes. */
static size_t
write_line(struct linkify *l, const unsigned char *line, size_t n, enum ending ending,
    struct buf *out)
{
	size_t written;

	/* the beginning of a line may be taken for another kind of line */
	l->context.amid = l->context.amid || ending == ENDING_PAUSE;
	written = change_line(l, line, n, ending, out);
	if (written > 0)
		l->context.amid = line[written - 1] != '\n';
	return written;
}

/*
 * The next line of `n` bytes, at most LINKIFY_LINE_MAX, or 0 if its end is not
 * there yet. A longer one is cut behind a blank if there is one.
 */
static size_t
next_line(const unsigned char *bytes, size_t n, enum ending *ending)
{
	size_t most = n < LINKIFY_LINE_MAX ? n : LINKIFY_LINE_MAX, blank = most;
	const unsigned char *end = memchr(bytes, '\n', most);

	*ending = ENDING_LINE;
	if (end != NULL)
		return (size_t)(end - bytes) + 1;
	if (most < LINKIFY_LINE_MAX)
		return 0;
	*ending = ENDING_CUT;
	/* an ESC belongs to what follows it */
	most -= is_escape(bytes[most - 1]);
	while (blank > 0 && bytes[blank - 1] != ' ')
		blank--;
	return blank > 0 ? blank : most;
}

/*
 * Copies the text of a line up to a sequence that is not transparent. Gives its length;
 * `*whole` if there is no such sequence and there was room.
 */
static size_t
copy_text(const unsigned char *line, size_t n, char *to, size_t size, bool *whole)
{
	enum sequence_kind kind;
	size_t at, length, room, done = 0;

	*whole = false;
	for (at = 0; at < n; at += length) {
		length = sequence_next(line + at, n - at, &kind);
		if (kind != SEQUENCE_TEXT) {
			if (is_transparent(line + at, length, kind))
				continue;
			return done;
		}
		room = length < size - done ? length : size - done;
		memcpy(to + done, line + at, room);
		done += room;
		if (room < length)
			return done;
	}
	*whole = true;
	return done;
}

/* What the line is that these bytes begin; `last`: none follow. */
static enum next
next_of(const unsigned char *bytes, size_t n, bool last)
{
	/* with colors; a text shorter than a date may still become one */
	enum { ENOUGH = 128, DATE = 10 };
	char text[ENOUGH];
	size_t length = n < ENOUGH ? n : ENOUGH, copied;
	const unsigned char *end;
	bool whole;

	if (n > 0 && bytes[0] != ' ' && !is_escape(bytes[0]) &&
	    !text_is_digit((char)bytes[0]))
		return NEXT_OTHER;
	end = memchr(bytes, '\n', length);
	if (end != NULL)
		length = (size_t)(end - bytes);
	copied = copy_text(bytes, length, text, sizeof(text), &whole);
	last = last || end != NULL || length == ENOUGH;
	if ((last || copied >= DATE) && lines_is_numbered(text, copied))
		return NEXT_NUMBERED;
	return last ? NEXT_OTHER : NEXT_UNKNOWN;
}

/* Whether the whole line is the name of a file. */
static bool
names_file(const struct linkify *l, const unsigned char *line, size_t n)
{
	char name[PATH_BYTES];
	bool found, whole;
	size_t length = copy_text(line, n, name, sizeof(name), &whole);
	struct buf absolute;

	length = lines_length(name, length);
	whole = whole && length > 0 && length < sizeof(name);
	name[whole ? length : 0] = '\0';
	buf_init(&absolute, (size_t)PATH_BYTES * 2);
	found = whole && strlen(name) == length &&
	    l->settings.find(l->settings.context, name, false, &absolute);
	buf_free(&absolute);
	return found;
}

/*
 * Tells the context what line comes after this one. False: that is not known yet, and
 * makes a difference.
 */
static bool
knows_next(struct linkify *l, const unsigned char *bytes, size_t n, size_t line,
    bool last)
{
	bool heading = l->settings.mode == LINKIFY_ADD && !l->linked &&
	    l->open == SEQUENCE_CLOSED && !l->context.amid && line < HEADING_MAX &&
	    (bytes[0] > ' ' || is_escape(bytes[0]));

	l->context.next = heading ? next_of(bytes + line, n - line, last) :
	    NEXT_OTHER;
	if (l->context.next != NEXT_UNKNOWN)
		return true;
	l->context.next = NEXT_OTHER;
	return !names_file(l, bytes, line);
}

/*
 * Writes the complete lines of these bytes, but for a last one that may be a heading;
 * gives how many bytes those were.
 */
static size_t
write_lines(struct linkify *l, const unsigned char *bytes, size_t n,
    struct buf *out)
{
	struct lookahead ahead = { .bytes = bytes, .n = n };
	enum ending ending;
	size_t at = 0, line, plain = 0;

	while ((line = next_line(bytes + at, n - at, &ending)) > 0) {
		l->context.next = NEXT_OTHER;
		if (ending == ENDING_LINE && !knows_next(l, bytes + at, n - at, line,
		    false))
			break;
		if (passes_unchanged(l, &ahead, at, line)) {
			l->context.amid = ending == ENDING_CUT;
			l->context.old_named = false;
			at += line;
			continue;
		}
		buf_add(out, bytes + plain, at - plain);
		line = write_line(l, bytes + at, line, ending, out);
		at += line;
		plain = at;
		/* an ESC of a string waits for what follows it */
		if (line == 0)
			break;
	}
	buf_add(out, bytes + plain, at - plain);
	return at;
}

static void
drop_pending(struct linkify *l, size_t n)
{
	l->pending.len -= n;
	memmove(l->pending.data, l->pending.data + n, l->pending.len);
}

bool
linkify_feed(struct linkify *l, const void *bytes, size_t n, struct buf *out)
{
	const unsigned char *at = bytes;
	size_t piece, written;

	/* the incomplete line first, up to its end */
	while (l->pending.len > 0 && n > 0) {
		const unsigned char *end;

		piece = LINKIFY_LINE_MAX - l->pending.len;
		piece = n < piece ? n : piece;
		end = memchr(at, '\n', piece);
		if (end != NULL)
			piece = (size_t)(end - at) + 1;
		if (!buf_add(&l->pending, at, piece))
			return false;
		at += piece;
		n -= piece;
		drop_pending(l, write_lines(l, l->pending.data, l->pending.len, out));
	}
	if (n > 0) {
		written = write_lines(l, at, n, out);
		if (!buf_add(&l->pending, at + written, n - written))
			return false;
	}
	return out->fault == BUF_FINE;
}

bool
linkify_waits(const struct linkify *l)
{
	return l->pending.len > 0;
}

/* What was held back up to the end of a line, or all of it. */
static size_t
pending_line(const struct linkify *l)
{
	const unsigned char *end = memchr(l->pending.data, '\n', l->pending.len);

	return end != NULL ? (size_t)(end - l->pending.data) + 1 : l->pending.len;
}

bool
linkify_flush(struct linkify *l, struct buf *out)
{
	size_t written = 1, n;
	bool complete;

	while (l->pending.len > 0 && written > 0) {
		n = pending_line(l);
		complete = l->pending.data[n - 1] == '\n';
		l->context.next = complete ? NEXT_UNKNOWN : NEXT_OTHER;
		written = write_line(l, l->pending.data, n, complete ? ENDING_LINE :
		    ENDING_PAUSE, out);
		drop_pending(l, written);
	}
	return out->fault == BUF_FINE;
}

bool
linkify_end(struct linkify *l, struct buf *out)
{
	size_t n;

	while (l->pending.len > 0) {
		n = pending_line(l);
		knows_next(l, l->pending.data, l->pending.len, n, true);
		drop_pending(l, write_line(l, l->pending.data, n, ENDING_LINE, out));
	}
	return out->fault == BUF_FINE;
}
