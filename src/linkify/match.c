/* SPDX-License-Identifier: MIT */
/* URLs and places in files; the contract is in match.h. */
#include "linkify/match.h"

#include "base/text.h"
#include "encoder/encoder.h"
#include "linkify/place.h"

#include <stdint.h>
#include <string.h>

/* A text, and how far it was searched, so that no byte is searched twice. */
struct search {
	struct matches *m;
	const char *text;
	size_t n;
	size_t done;     /* the end of the last match */
	size_t no_mail;  /* the end of the last address without an @ */
	size_t open;     /* the last `(` before `opened`, or NONE */
	size_t opened;
	bool whole_tried; /* whether the text from its beginning was looked up */
};

static const size_t NONE = (size_t)-1;

static bool
is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static bool
link_place(struct search *s, const char *path, size_t n, size_t start, size_t end,
    struct place *place)
{
	return place_link(s->m, path, n, false, start, end, place);
}

/* ---- URLs --------------------------------------------------------------- */

static const struct {
	char name[8];
	bool slashes;
} schemes[] = {
	{ "http", true }, { "https", true }, { "file", true }, { "mailto", false },
};

/* Where the scheme before the colon begins, or `colon` for none we link. */
static size_t
scheme_start(const char *text, size_t n, size_t colon)
{
	bool slashes = n - colon >= 3 && memcmp(text + colon, "://", 3) == 0;
	size_t start = colon, length, i, k;

	while (start > 0 && colon - start < sizeof(schemes[0].name) &&
	    text_is_letter(text[start - 1]))
		start--;
	length = colon - start;
	if (start > 0 && text_is_digit(text[start - 1]))
		return colon;
	for (i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (schemes[i].slashes != slashes ||
		    strlen(schemes[i].name) != length)
			continue;
		for (k = 0; k < length; k++)
			if ((text[start + k] | 0x20) != schemes[i].name[k])
				break;
		if (k == length)
			return start;
	}
	return colon;
}

/*
 * The blanks, quotation marks, brackets, dashes and marks of direction that
 * stand beside a URL and not in it, as ranges of code points.
 */
static const struct {
	unsigned low, high;
} around[] = {
	{ 0x80, 0xa0 }, { 0xab, 0xab }, { 0xbb, 0xbb }, { 0x2000, 0x206f },
	{ 0x3000, 0x301f }, { 0xfeff, 0xfeff }, { 0xff01, 0xff0f },
	{ 0xff1a, 0xff1f }, { 0xfff0, 0xffff },
};

static unsigned
code_point(const unsigned char *c, size_t length)
{
	unsigned point = c[0] & (0xffu >> (length + 1));
	size_t i;

	for (i = 1; i < length; i++)
		point = point << 6 | (c[i] & 0x3f);
	return point;
}

/* The bytes of the character of a URL at the beginning of `text`, 0 for none. */
static size_t
url_character(const char *text, size_t n)
{
	unsigned point;
	size_t length, i;

	switch (text[0]) {
	case '"': case '<': case '>': case '\\': case '^': case '`': case '{':
	case '|': case '}':
		return 0;
	}
	if (text[0] > 0x20 && text[0] < 0x7f)
		return 1;
	if ((unsigned char)text[0] < 0x80)
		return 0;
	length = text_utf8(text, n);
	if (length == 0)
		return 0;
	point = code_point((const unsigned char *)text, length);
	for (i = 0; i < sizeof(around) / sizeof(around[0]); i++)
		if (point >= around[i].low && point <= around[i].high)
			return 0;
	return length;
}

/*
 * The end of a URL that begins before `at`: not past a bracket that closes what
 * it has not opened (Wikipedia's balanced ones stay), nor with the punctuation
 * of the sentence around it.
 */
static size_t
url_end(const char *text, size_t n, size_t at)
{
	size_t first = at, round = 0, square = 0, length;

	for (; at < n; at += length) {
		length = url_character(text + at, n - at);
		if (length == 0 || (text[at] == ')' && round == 0) ||
		    (text[at] == ']' && square == 0))
			break;
		round = round + (text[at] == '(') - (text[at] == ')');
		square = square + (text[at] == '[') - (text[at] == ']');
	}
	while (at > first && is_one_of(text[at - 1], ".,;:!?'([*"))
		at--;
	return at;
}

/* ---- file URLs with a place ---------------------------------------------- */

/* Gives the length of the decoded text, or 0: too long, or with a NUL. */
static size_t
decode_percent(const char *text, size_t n, char to[PATH_BYTES])
{
	size_t i, k = 0;
	int high, low;

	for (i = 0; i < n && k < PATH_BYTES; i++) {
		to[k] = text[i];
		if (text[i] == '%' && n - i > 2) {
			high = text_hex_value(text[i + 1]);
			low = text_hex_value(text[i + 2]);
			if (high >= 0 && low >= 0) {
				to[k] = (char)(high << 4 | low);
				i += 2;
			}
		}
		if (to[k++] == '\0')
			return 0;
	}
	return i == n ? k : 0;
}

/* Where `:NUMBER` before `end` begins, or `end` for none. */
static size_t
number_before(const char *text, size_t start, size_t end, unsigned long *number)
{
	size_t at = end;

	while (at > start && text_is_digit(text[at - 1]))
		at--;
	if (at == start || text[at - 1] != ':' ||
	    place_number(text, end, at, number) != end)
		return end;
	return at - 1;
}

/* The path of file://PATH or file://HOST/PATH of this host; gives where it begins. */
static size_t
file_url_path(const char *text, size_t start, size_t end, const char *host)
{
	const char *const hosts[] = { "", "localhost", host };
	size_t i, at, n;

	if (end - start < 8 || (text[start] | 0x20) != 'f')
		return end;
	at = start + strlen("file://");
	for (i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		n = hosts[i] != NULL ? strlen(hosts[i]) : 0;
		if (end - at > n && text[at + n] == '/' &&
		    memcmp(text + at, hosts[i] != NULL ? hosts[i] : "", n) == 0)
			return at + n;
	}
	return end;
}

/*
 * file:///path:line:column, as node prints modules (lib/internal/modules/esm). As a URL
 * it names no file: the numbers belong to the link's format.
 */
static bool
match_file_url(struct search *s, size_t start, size_t end)
{
	struct place place = { .path = NULL };
	char path[PATH_BYTES];
	size_t from = file_url_path(s->text, start, end, s->m->settings->host), to, before;

	to = number_before(s->text, from, end, &place.line);
	if (from == end || to == end)
		return false;
	before = number_before(s->text, from, to, &place.column);
	if (before < to) {
		unsigned long line = place.column;

		place.column = place.line;
		place.line = line;
		to = before;
	}
	return link_place(s, path, decode_percent(s->text + from, to - from, path), start,
	    end, &place);
}

/*
 * Gives where to continue. An address without an @ is none; `no_mail` is its end, and one
 * that begins before that is none either. So each byte of mailto:mailto:... is read once.
 */
static size_t
match_url(struct search *s, size_t colon, size_t start)
{
	const char *text = s->text;
	bool mail = text[colon + 1] != '/' || (text[start] | 0x20) == 'm';
	size_t first = colon + (mail ? 1 : 3), end, url = s->m->urls.len;

	if (mail && first < s->no_mail)
		return colon + 1;
	end = url_end(text, s->n, first);
	if (end == first)
		return colon + 1;
	if (mail && memchr(text + first, '@', end - first) == NULL) {
		s->no_mail = end;
		return colon + 1;
	}
	if (!match_file_url(s, start, end)) {
		url_encode(&s->m->urls, text + start, end - start);
		matches_add(s->m, start, end, url, RANK_BUILT_IN);
	}
	return end;
}

/* ---- places in files ---------------------------------------------------- */

/* What ends a path in the output of compilers, grep and the like. */
static bool
in_path(char c)
{
	switch (c) {
	case '/': case '.': case '_': case '-': case '+': case '~': case '@':
	case '#': case '%': case ',': case '=':
		return true;
	default:
		return (unsigned char)c >= 0x80 || text_is_letter(c) || text_is_digit(c);
	}
}

/* path:line and path:line:col; gives the end of the place. */
static size_t
colon_place(const char *text, size_t n, size_t mark, struct place *place)
{
	size_t end = place_number(text, n, mark + 1, &place->line), column;

	if (end == mark + 1)
		return mark;
	if (end < n && text[end] == ':') {
		column = place_number(text, n, end + 1, &place->column);
		if (column > end + 1 && (column == n ||
		    !(text_is_letter(text[column]) || text[column] == '_')))
			return column;
		place->column = 0;
	}
	return end < n && (text_is_letter(text[end]) || text[end] == '_') ? mark : end;
}

/* path(line,col), as Microsoft's and TypeScript's compilers write it. */
static size_t
bracket_place(const char *text, size_t n, size_t mark, struct place *place)
{
	size_t end = place_number(text, n, mark + 1, &place->line), column;

	if (end == mark + 1 || end == n || text[end] != ',')
		return mark;
	column = place_number(text, n, end + 1, &place->column);
	return column > end + 1 && column < n && text[column] == ')' ?
	    column + 1 : mark;
}

/* Where the last `(` before `at` is, or NONE. */
static size_t
last_open(struct search *s, size_t at)
{
	for (; s->opened < at; s->opened++)
		if (s->text[s->opened] == '(')
			s->open = s->opened;
	return s->open != NONE && s->open >= s->done && at - s->open <= PATH_BYTES ?
	    s->open : NONE;
}

/*
 * A path with blanks begins behind a bracket, `at f (/my files/a.js:1:15)`, or where the
 * line does, `my files/a.c:3: x`. Each beginning is tried once, or the time would be
 * quadratic.
 */
static bool
match_with_blanks(struct search *s, size_t start, size_t mark, size_t end,
    struct place *place)
{
	const char *text = s->text;
	size_t open = end < s->n && text[end] == ')' ? last_open(s, start) : NONE;
	size_t first = 0;

	if (open != NONE) {
		s->open = NONE;
		if (open + 1 < start && link_place(s, text + open + 1,
		    mark - open - 1, open + 1, end, place))
			return true;
	}
	if (s->whole_tried || s->done > 0)
		return false;
	s->whole_tried = true;
	while (first < start && is_one_of(text[first], " \t"))
		first++;
	return first < start && link_place(s, text + first, mark - first, first, end, place);
}

/* A place whose path ends before `mark`. Gives where to go on. */
static size_t
match_place(struct search *s, size_t mark)
{
	const char *text = s->text;
	struct place place = { .path = NULL };
	size_t start = mark, end, tail;

	end = (text[mark] == ':' ? colon_place : bracket_place)(text, s->n, mark, &place);
	if (end == mark)
		return mark + 1;
	while (start > s->done && mark - start < PATH_BYTES && in_path(text[start - 1]))
		start--;
	/* a name of C++ or Rust, an address of IPv6 */
	if (start >= s->done + 2 && memcmp(text + start - 2, "::", 2) == 0)
		return mark + 1;
	if (link_place(s, text + start, mark - start, start, end, &place))
		return end;
	/* an assignment or a list: file=src/a.c:3 */
	for (tail = mark; tail > start && !is_one_of(text[tail - 1], "=,"); tail--)
		continue;
	if (tail > start && link_place(s, text + tail, mark - tail, tail, end, &place))
		return end;
	return match_with_blanks(s, start, mark, end, &place) ? end : mark + 1;
}

/* ---- Python ------------------------------------------------------------- */

static const char python_before[] = "File ", python_after[] = "\", line ";

/* Whether a quotation mark may begin what match_python() links. */
static bool
is_after_file(const char *text, size_t at)
{
	const size_t n = sizeof(python_before) - 1;

	return at >= n && memcmp(text + at - n, python_before, n) == 0;
}

/*
 * `File "x.py", line 3`, as tracebacks have it: CPython 3.11, Lib/traceback.py,
 * format_frame_summary(). Gives where to go on.
 */
static size_t
match_python(struct search *s, size_t quote)
{
	const size_t n = sizeof(python_after) - 1;
	struct place place = { .path = NULL };
	size_t start = quote + 1, left = s->n - start, number, end;
	const char *close = memchr(s->text + start, '"', left < PATH_BYTES ? left :
	    PATH_BYTES);

	if (close == NULL)
		return start;
	number = (size_t)(close - s->text) + n;
	if (number >= s->n || memcmp(close, python_after, n) != 0)
		return start;
	end = place_number(s->text, s->n, number, &place.line);
	return end > number && link_place(s, s->text + start,
	    (size_t)(close - s->text) - start, quote, end, &place) ? end : start;
}

/* ---- all of the built-in rules ------------------------------------------ */

/* The bytes of a word that are zero have their highest bit set in the result. */
static uint64_t
zero_bytes(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101;

	return (word - ones) & ~word & ones << 7;
}

static uint64_t
repeated(char c)
{
	return 0x0101010101010101 * (unsigned char)c;
}

/*
 * The next colon, bracket or quotation mark, or `n`: three calls of memchr() in one. Of
 * the bits above the lowest in zero_bytes() some are wrong, so the bytes decide.
 */
static size_t
find_mark(const char *text, size_t n, size_t at)
{
	const uint64_t colons = repeated(':'), brackets = repeated('('),
	    quotes = repeated('"');
	uint64_t word;

	for (; n - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, text + at, sizeof(word));
		if ((zero_bytes(word ^ colons) | zero_bytes(word ^ brackets) |
		    zero_bytes(word ^ quotes)) != 0)
			break;
	}
	while (at < n && text[at] != ':' && text[at] != '(' && text[at] != '"')
		at++;
	return at;
}

/* Whether a colon or bracket may be part of a match. */
static bool
is_mark(const char *text, size_t n, size_t at)
{
	return at > 0 && at + 1 < n && (text_is_digit(text[at + 1]) ||
	    (text[at] == ':' && text_is_letter(text[at - 1])));
}

/* The hot loop. */
size_t
match_next(const char *text, size_t n, size_t at)
{
	for (; at < n; at++) {
		at = find_mark(text, n, at);
		if (at < n && (text[at] == '"' ? is_after_file(text, at) :
		    is_mark(text, n, at)))
			break;
	}
	return at;
}

static void
match_built_in(struct matches *m, const char *text, size_t n)
{
	struct search s = { .m = m, .text = text, .n = n, .open = NONE };
	size_t at = 0, start;

	while ((at = match_next(text, n, at)) < n) {
		start = text[at] == ':' ? scheme_start(text, n, at) : at;
		if (text[at] == '"')
			at = match_python(&s, at);
		else if (start < at && start >= s.done)
			at = match_url(&s, at, start);
		else if (text_is_digit(text[at + 1]))
			at = match_place(&s, at);
		else
			at++;
		if (m->count > 0)
			s.done = m->match[m->count - 1].end;
	}
}

void
match_text(struct matches *matches, struct context *context, const char *text, size_t n,
    const struct rules *rules)
{
	bool in_order;

	matches_begin(matches);
	match_built_in(matches, text, n);
	/* those are found in order, and none over another */
	in_order = !lines_match(matches, context, text, n);
	if (rules->count == 0 && in_order)
		return;
	rules_match(matches, text, n, rules);
	matches_sort(matches);
}
