/* SPDX-License-Identifier: MIT */
/* URLs, places in files and the user's rules; the contract is in match.h. */
#include "linkify/match.h"

#include "base/text.h"
#include "encoder/encoder.h"

#include <stdlib.h>
#include <string.h>

enum {
	PATH_BYTES = sizeof(((struct diff *)NULL)->path), /* PATH_MAX of Linux */
	DIGITS = 9,        /* of a line or column */
	RULE_MATCH_MAX = LINKIFY_RULE_MATCH_MAX,
	BUILT_IN = 1 << 20 /* the rank behind every rule */
};

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

/* ---- what was found ----------------------------------------------------- */

void
matches_free(struct matches *matches)
{
	free(matches->match);
	buf_free(&matches->urls);
	*matches = (struct matches){ .count = 0 };
}

/* The URL was added to `urls` from `url` on; it is removed if it is too long. */
static void
add_match(struct matches *m, size_t start, size_t end, size_t url, size_t rank,
    size_t limit)
{
	size_t n = m->urls.len - url;
	struct match *grown;

	if (m->urls.fault != BUF_FINE || n == 0 ||
	    n > (limit != 0 ? limit : LINKIFY_URL_MAX)) {
		m->failed = m->failed || m->urls.fault == BUF_NO_MEMORY;
		m->urls.len = url;
		m->urls.fault = BUF_FINE;
		return;
	}
	if (m->count == m->capacity) {
		grown = realloc(m->match,
		    (m->capacity * 2 + 8) * sizeof(*grown));
		if (grown == NULL) {
			m->failed = true;
			return;
		}
		m->match = grown;
		m->capacity = m->capacity * 2 + 8;
	}
	m->match[m->count++] = (struct match){ start, end, url, n, rank };
}

static int
by_place(const void *left, const void *right)
{
	const struct match *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void
drop_overlapping(struct matches *m)
{
	size_t i, kept = 0, end = 0;

	for (i = 0; i < m->count; i++)
		if (m->match[i].start >= end) {
			end = m->match[i].end;
			m->match[kept++] = m->match[i];
		}
	m->count = kept;
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
	    is_letter(text[start - 1]))
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

/*
 * Gives where to continue. An address without an @ is none; `*no_mail` is its end, and
 * one that begins before that is none either. So each byte of mailto:mailto:... is read
 * once.
 */
static size_t
match_url(struct matches *m, const char *text, size_t n, size_t colon,
    size_t start, size_t *no_mail, const struct linkify_settings *settings)
{
	bool mail = text[colon + 1] != '/' || (text[start] | 0x20) == 'm';
	size_t first = colon + (mail ? 1 : 3), end, url = m->urls.len;

	if (mail && first < *no_mail)
		return colon + 1;
	end = url_end(text, n, first);
	if (end == first)
		return colon + 1;
	if (mail && memchr(text + first, '@', end - first) == NULL) {
		*no_mail = end;
		return colon + 1;
	}
	url_encode(&m->urls, text + start, end - start);
	add_match(m, start, end, url, BUILT_IN, settings->limit);
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
		return (unsigned char)c >= 0x80 || is_letter(c) || text_is_digit(c);
	}
}

/* A number from 1 on at `at`; gives its end, or `at` for none. */
static size_t
number_end(const char *text, size_t n, size_t at, unsigned long *number)
{
	size_t end = at;

	*number = 0;
	while (end < n && end - at <= DIGITS && text_is_digit(text[end]))
		*number = *number * 10 + (unsigned long)(text[end++] - '0');
	return end - at > DIGITS || *number == 0 ? at : end;
}

/* path:line and path:line:col; gives the end of the place. */
static size_t
colon_place(const char *text, size_t n, size_t mark, struct place *place)
{
	size_t end = number_end(text, n, mark + 1, &place->line), column;

	if (end == mark + 1)
		return mark;
	if (end < n && text[end] == ':') {
		column = number_end(text, n, end + 1, &place->column);
		if (column > end + 1 && (column == n ||
		    !(is_letter(text[column]) || text[column] == '_')))
			return column;
		place->column = 0;
	}
	return end < n && (is_letter(text[end]) || text[end] == '_') ? mark : end;
}

/* path(line,col), as Microsoft's and TypeScript's compilers write it. */
static size_t
bracket_place(const char *text, size_t n, size_t mark, struct place *place)
{
	size_t end = number_end(text, n, mark + 1, &place->line), column;

	if (end == mark + 1 || end == n || text[end] != ',')
		return mark;
	column = number_end(text, n, end + 1, &place->column);
	return column > end + 1 && column < n && text[column] == ')' ?
	    column + 1 : mark;
}

/* 12:30 is no file, nor is 3.5:1; a file may be called 12a. */
static bool
is_number(const char *path, size_t n)
{
	size_t i = 0;

	while (i < n && (text_is_digit(path[i]) || path[i] == '.' || path[i] == ','))
		i++;
	return i == n;
}

static bool
find_file(struct matches *m, const char *path, size_t n, bool from_top, size_t end,
    size_t start, struct place *place, const struct linkify_settings *settings)
{
	char name[PATH_BYTES];
	size_t url = m->urls.len;
	struct buf absolute;
	bool found;

	if (n >= sizeof(name) || is_number(path, n))
		return false;
	memcpy(name, path, n);
	name[n] = '\0';
	buf_init(&absolute, (size_t)PATH_BYTES * 2);
	found = settings->find(settings->context, name, from_top, &absolute) &&
	    buf_add(&absolute, "", 1);
	if (found) {
		place->path = (const char *)absolute.data;
		place->host = settings->host;
		encode_place(&m->urls, settings->place, place);
		add_match(m, start, end, url, BUILT_IN, settings->limit);
	}
	buf_free(&absolute);
	return found;
}

/* A place whose path ends before `mark`. Gives where to go on. */
static size_t
match_place(struct matches *m, const char *text, size_t n, size_t from,
    size_t mark, const struct linkify_settings *settings)
{
	struct place place = { .path = NULL };
	size_t start = mark, end, tail;

	end = (text[mark] == ':' ? colon_place : bracket_place)(text, n, mark,
	    &place);
	if (end == mark)
		return mark + 1;
	while (start > from && mark - start < PATH_BYTES && in_path(text[start - 1]))
		start--;
	/* a name of C++ or Rust, an address of IPv6 */
	if (start >= from + 2 && memcmp(text + start - 2, "::", 2) == 0)
		return mark + 1;
	if (find_file(m, text + start, mark - start, false, end, start, &place,
	    settings))
		return end;
	/* an assignment or a list: file=src/a.c:3 */
	for (tail = mark; tail > start && !is_one_of(text[tail - 1], "=,"); tail--)
		continue;
	if (tail > start && find_file(m, text + tail, mark - tail, false, end, tail,
	    &place, settings))
		return end;
	return mark + 1;
}

/* ---- diffs -------------------------------------------------------------- */

enum { DIFF_NAME = 4 }; /* where the name in `+++ FILE` begins */

/* `+++ FILE`, `--- FILE` and `@@ -1 +1 @@`, to which few other lines are similar. */
static bool
is_diff_line(const char *text, size_t n)
{
	return n > 4 && text[0] == text[1] && is_one_of(text[0], "+-@");
}

/*
 * Links the name in `--- FILE` or `+++ FILE`; gives where it begins, or 0. git puts a/
 * and b/ before it, or another letter; diff puts the date behind it, after a tab. Names
 * that git quotes are not found.
 */
static size_t
link_diff_name(struct matches *m, const char *text, size_t n, size_t *end,
    const struct linkify_settings *settings)
{
	struct place place = { .path = NULL };
	size_t start = DIFF_NAME;

	*end = start;
	while (*end < n && !is_one_of(text[*end], "\t\r\n"))
		++*end;
	if (*end - start > 2 && is_letter(text[start]) && text[start + 1] == '/' &&
	    find_file(m, text + start + 2, *end - start - 2, true, *end, start + 2,
	        &place, settings))
		return start + 2;
	return find_file(m, text + start, *end - start, true, *end, start, &place,
	    settings) ? start : 0;
}

/*
 * The first line of a hunk: `@@ -1,2 +3,4 @@`, with more @ and - in the diff of a merge.
 * Gives its end, or 0 for none.
 */
static size_t
hunk_end(const char *text, size_t n, struct place *place)
{
	size_t marks = 0, at, end;

	while (marks < n && text[marks] == '@')
		marks++;
	for (at = marks; at < n && is_one_of(text[at], " -,0123456789"); at++)
		continue;
	if (marks < 2 || at == n || text[at] != '+')
		return 0;
	end = number_end(text, n, at + 1, &place->line);
	if (end == at + 1)
		return 0;
	while (end < n && is_one_of(text[end], " ,0123456789"))
		end++;
	return n - end >= marks && memcmp(text + end, text, marks) == 0 ?
	    end + marks : 0;
}

/* Whether it has added a link. A name counts only in both lines, one after the other. */
static bool
match_diff(struct matches *m, struct diff *diff, const char *text, size_t n,
    const struct linkify_settings *settings)
{
	struct place place = { .path = NULL };
	bool old_named = diff->old_named;
	size_t start, end;

	diff->old_named = false;
	if (!is_diff_line(text, n))
		return false;
	if (text[0] == '@') {
		end = hunk_end(text, n, &place);
		return end > 0 && diff->path[0] != '\0' && find_file(m, diff->path,
		    strlen(diff->path), true, end, 0, &place, settings);
	}
	if (text[2] != text[0] || text[3] != ' ' || (text[0] == '+' && !old_named))
		return false;
	diff->old_named = text[0] == '-';
	start = link_diff_name(m, text, n, &end, settings);
	if (text[0] == '+')
		text_copy(diff->path, sizeof(diff->path), "");
	if (text[0] == '+' && start > 0) {
		memcpy(diff->path, text + start, end - start);
		diff->path[end - start] = '\0';
	}
	return start > 0;
}

/* ---- all of the built-in rules ------------------------------------------ */

static size_t
find_from(const char *text, size_t n, size_t at, char c)
{
	const char *found = at < n ? memchr(text + at, c, n - at) : NULL;

	return found != NULL ? (size_t)(found - text) : n;
}

/* The next of each, kept so that no byte is searched twice. */
struct marks {
	size_t colon, bracket;
};

static struct marks
first_marks(const char *text, size_t n)
{
	return (struct marks){ find_from(text, n, 0, ':'),
		find_from(text, n, 0, '(') };
}

/* The next colon or bracket that may be part of a match, or `n`. The hot loop. */
static size_t
next_mark(struct marks *next, const char *text, size_t n, size_t at)
{
	for (;; at++) {
		if (next->colon < at)
			next->colon = find_from(text, n, at, ':');
		if (next->bracket < at)
			next->bracket = find_from(text, n, at, '(');
		at = next->colon < next->bracket ? next->colon : next->bracket;
		if (at >= n || (at > 0 && at + 1 < n && (text_is_digit(text[at + 1]) ||
		    (text[at] == ':' && is_letter(text[at - 1])))))
			return at < n ? at : n;
	}
}

bool
match_possible(const char *text, size_t n)
{
	struct marks next = first_marks(text, n);

	return is_diff_line(text, n) || next_mark(&next, text, n, 0) < n;
}

static void
match_built_in(struct matches *m, const char *text, size_t n,
    const struct linkify_settings *settings)
{
	struct marks next = first_marks(text, n);
	size_t at = 0, start, done = 0, no_mail = 0;

	while ((at = next_mark(&next, text, n, at)) < n) {
		start = text[at] == ':' ? scheme_start(text, n, at) : at;
		if (start < at && start >= done)
			at = match_url(m, text, n, at, start, &no_mail, settings);
		else if (text_is_digit(text[at + 1]))
			at = match_place(m, text, n, done, at, settings);
		else
			at++;
		if (m->count > 0 && m->match[m->count - 1].rank == BUILT_IN)
			done = m->match[m->count - 1].end;
	}
}

/* ---- the user's rules --------------------------------------------------- */

/* The expression without the backslashes before its `=`. NULL: no memory. */
static char *
copy_expression(const char *text, size_t n)
{
	char *copy = malloc(n + 1);
	size_t i, k = 0;

	for (i = 0; copy != NULL && i < n; i++) {
		if (text[i] == '\\' && i + 1 < n) {
			if (text[i + 1] != '=')
				copy[k++] = text[i];
			i++;
		}
		copy[k++] = text[i];
	}
	if (copy != NULL)
		copy[k] = '\0';
	return copy;
}

static size_t
expression_size(const char *text)
{
	size_t n = 0;

	while (text[n] != '\0' && text[n] != '=')
		n += text[n] == '\\' && text[n + 1] != '\0' ? 2 : 1;
	return n;
}

static bool
compile(struct rule *rule, const char *text, size_t n, struct error *error)
{
	char *expression = copy_expression(text, n);
	char message[128];
	int failure;

	if (expression == NULL)
		return error_no_memory(error);
	failure = regcomp(&rule->regex, expression, REG_EXTENDED | REG_NEWLINE);
	free(expression);
	if (failure == 0)
		return true;
	regerror(failure, &rule->regex, message, sizeof(message));
	return error_set(error, STATUS_USAGE, "invalid regular expression %s: %s",
	    text_quote(text).text, message);
}

bool
rules_add(struct rules *rules, const char *text, struct error *error)
{
	size_t n = expression_size(text);
	struct rule *grown, rule = { .template = text + n + 1 };

	if (n == 0 || text[n] == '\0' || text[n + 1] == '\0') {
		error_set(error, STATUS_USAGE, "invalid rule %s",
		    text_quote(text).text);
		return error_hint(error, "a rule is REGEX=TEMPLATE, as in "
		    "'#([0-9]+)=https://example.org/issues/\\1'");
	}
	if (!compile(&rule, text, n, error))
		return false;
	grown = realloc(rules->rule, (rules->count + 1) * sizeof(*grown));
	if (grown == NULL) {
		regfree(&rule.regex);
		return error_no_memory(error);
	}
	rules->rule = grown;
	rules->rule[rules->count++] = rule;
	return true;
}

void
rules_free(struct rules *rules)
{
	size_t i;

	for (i = 0; i < rules->count; i++)
		regfree(&rules->rule[i].regex);
	free(rules->rule);
}

/* Groups are offsets from `text`. The URL is percent-encoded as a whole. */
static void
fill_template(struct buf *url, const char *template, const char *text,
    const regmatch_t group[GROUPS])
{
	const regmatch_t *g;
	struct buf raw;
	size_t n;

	buf_init(&raw, LINKIFY_URL_MAX);
	while (*template != '\0') {
		n = strcspn(template, "\\");
		buf_add(&raw, template, n);
		template += n;
		if (*template == '\0')
			break;
		template++;
		if (text_is_digit(*template)) {
			g = &group[*template++ - '0'];
			if (g->rm_so >= 0)
				buf_add(&raw, text + g->rm_so,
				    (size_t)(g->rm_eo - g->rm_so));
		} else if (*template != '\0') {
			buf_add(&raw, template++, 1);
		}
	}
	if (raw.fault == BUF_FINE)
		url_encode(url, (const char *)raw.data, raw.len);
	buf_free(&raw);
}

/* Whether `at` is inside a UTF-8 character. */
static bool
splits_character(const char *text, size_t n, size_t at)
{
	return at > 0 && at < n && ((unsigned char)text[at] & 0xc0) == 0x80;
}

/* A part of a text that a rule is matched with, `n` bytes from `from` on. */
struct piece {
	char bytes[2 * RULE_MATCH_MAX + 1];
	size_t from, n;
	size_t most; /* bytes in which a match may begin */
	bool last;
};

/*
 * regexec() of glibc reads to the end of the text from every place where a match could
 * begin, which is quadratic: it gets pieces, and a match begins in the first half of one.
 */
static void
take_piece(struct piece *piece, const char *text, size_t n, size_t from)
{
	piece->last = n - from < sizeof(piece->bytes);
	piece->from = from;
	piece->n = piece->last ? n - from : sizeof(piece->bytes) - 1;
	piece->most = piece->last ? piece->n : RULE_MATCH_MAX;
	memcpy(piece->bytes, text + from, piece->n);
	piece->bytes[piece->n] = '\0';
}

/* Whether `^` and `$` match at `at` and at the end of the piece. */
static int
piece_flags(const struct piece *piece, const char *text, size_t at)
{
	size_t start = piece->from + at;

	return (start > 0 && text[start - 1] != '\n' ? REG_NOTBOL : 0) |
	    (piece->last ? 0 : REG_NOTEOL);
}

/* A longer match in a piece may be the first part of one that it cuts in two. */
static bool
is_whole_match(const struct piece *piece, size_t start, size_t end)
{
	return end > start && (piece->last || end - start <= RULE_MATCH_MAX) &&
	    memchr(piece->bytes + start, '\n', end - start) == NULL;
}

/* Gives where to continue in the text. */
static size_t
match_rule_piece(struct matches *m, const struct piece *piece, const char *text, size_t n,
    const struct rule *rule, size_t rank, const struct linkify_settings *settings)
{
	regmatch_t group[GROUPS];
	size_t at = 0, start, end, url;

	while (at < piece->most && regexec(&rule->regex, piece->bytes + at, GROUPS,
	    group, piece_flags(piece, text, at)) == 0) {
		start = at + (size_t)group[0].rm_so;
		end = at + (size_t)group[0].rm_eo;
		if (start >= piece->most)
			break;
		if (is_whole_match(piece, start, end)) {
			url = m->urls.len;
			fill_template(&m->urls, rule->template, piece->bytes + at,
			    group);
			while (splits_character(text, n, piece->from + start))
				start--;
			while (splits_character(text, n, piece->from + end))
				end++;
			add_match(m, piece->from + start, piece->from + end, url,
			    rank, settings->limit);
		}
		at = end > at ? end : at + 1;
	}
	return piece->from + (at > piece->most ? at : piece->most);
}

static void
match_rule(struct matches *m, const char *text, size_t n, const struct rule *rule,
    size_t rank, const struct linkify_settings *settings)
{
	struct piece piece;
	size_t at;

	for (at = 0; at < n;) {
		take_piece(&piece, text, n, at);
		at = match_rule_piece(m, &piece, text, n, rule, rank, settings);
	}
}

void
match_text(struct matches *matches, struct diff *diff, const char *text, size_t n,
    const struct rules *rules, const struct linkify_settings *settings)
{
	bool in_order;
	size_t i;

	matches->count = 0;
	matches->urls.len = 0;
	matches->urls.max = (size_t)-1 / 2;
	match_built_in(matches, text, n, settings);
	/* those are found in order, and none over another */
	in_order = !match_diff(matches, diff, text, n, settings);
	if (rules->count == 0 && in_order)
		return;
	for (i = 0; i < rules->count; i++)
		match_rule(matches, text, n, &rules->rule[i], i, settings);
	if (matches->count > 1)
		qsort(matches->match, matches->count, sizeof(*matches->match),
		    by_place);
	drop_overlapping(matches);
}
