/* SPDX-License-Identifier: MIT */
/* Finds the text to link, line by line. */
#include "commands/command.h"

#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- rules --------------------------------------------------------------- */

enum { GROUPS = 10 };

static const size_t NONE = (size_t)-1;

/* Begins the template of a position in a file: path:\1:\2 */
#define PATH "path:"

struct rule {
	const char *template;
	regex_t regex;
	/* the next match in the current text, searched for from `from` on; start NONE: none */
	regmatch_t group[GROUPS];
	size_t from, start, end;
};

/* The first `=` without a backslash ends the expression. */
void
linkify_add_rule(struct linkify *l, const char *text, const char *origin)
{
	struct rule rule;
	char message[128], *expression;
	size_t n = 0;
	const char *at;
	int failure;

	while (text[n] != '\0' && text[n] != '=')
		n += text[n] == '\\' && text[n + 1] != '\0' ? 2 : 1;
	if (n == 0 || text[n] == '\0' || text[n + 1] == '\0')
		die(STATUS_USAGE, "invalid rule %s%s\n"
		    "a rule is REGEX=TEMPLATE, as in "
		    "'#([0-9]+)=https://example.org/issues/\\1'", text_quote(text).text,
		    origin);

	expression = memory(NULL, n + 1);
	memcpy(expression, text, n);
	expression[n] = '\0';
	failure = regcomp(&rule.regex, expression, REG_EXTENDED | REG_NEWLINE);
	free(expression);
	if (failure != 0) {
		regerror(failure, &rule.regex, message, sizeof(message));
		die(STATUS_USAGE, "invalid regular expression %s%s: %s",
		    text_quote(text).text, origin, message);
	}

	rule.template = text + n + 1;
	at = strchr(rule.template, '\\');
	for (; at != NULL && at[1] != '\0'; at = strchr(at + 2, '\\'))
		if (text_is_digit(at[1]) && (size_t)(at[1] - '0') > rule.regex.re_nsub)
			die(STATUS_USAGE, "no group %c in the expression of %s%s\n"
			    "a group is in parentheses; \\0 is the whole match", at[1],
			    text_quote(text).text, origin);
	if (!url_has_scheme(rule.template))
		die(STATUS_USAGE, "the template of %s%s is not a URL\n"
		    "a template begins with https: or another scheme, or is path:\\1:\\2 for "
		    "a line of a file", text_quote(text).text, origin);
	l->rule = memory(l->rule, (l->rules + 1) * sizeof(*l->rule));
	l->rule[l->rules++] = rule;
}

/* ---- characters ---------------------------------------------------------- */

/*
 * The characters of a URL are those of RFC 3986 and other UTF-8, except characters that
 * surround URLs: U+0080 to U+00BF and U+2000 to U+303F have spaces, quotation marks, dashes
 * and direction marks, U+F000 to U+FFFF the fullwidth forms of ASCII. Brackets must be
 * paired, and the last character must not be punctuation.
 */
enum {
	MARK = 1,      /* find_built_in() examines it */
	IN_URL = 2,
	ENDS_URL = 4,
	IN_PATH = 8,   /* a path does not begin after it, unless it begins a word */
	NOT_NAME = 16, /* not in a path of one word */
	CONTROL = 32,
	IN_MAILBOX = 64,
	ENDS_SCHEME = 128, /* of those that are linked */
	IN_WORD = 256
};

static unsigned short class[UCHAR_MAX + 1];

static void
add_class(const char *characters, int bits)
{
	for (; *characters != '\0'; characters++)
		class[(unsigned char)*characters] |= (unsigned short)bits;
}

static void
set_classes(void)
{
	const char *other = "\xc0\xc1\xc2\xe2\xe3\xef\xf5\xf6\xf7\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff";
	const char *border = "\xc2\xe2\xee\xef\xf0";
	int c;

	for (c = 0; c < ' '; c++)
		class[c] = CONTROL | NOT_NAME;
	class[0x7f] = CONTROL | NOT_NAME;
	for (c = 0x80; c <= UCHAR_MAX; c++)
		class[c] = IN_PATH | IN_URL | ENDS_URL;
	for (; *other != '\0'; other++)
		class[(unsigned char)*other] = IN_PATH;
	/*
	 * U+0080 to U+00BF, U+2000 to U+2FFF, U+E000 to U+FFFF and U+10000 to U+3FFFF:
	 * punctuation, arrows, boxes, icons of patched fonts, fullwidth forms, emoji
	 */
	for (; *border != '\0'; border++)
		class[(unsigned char)*border] &= (unsigned short)~IN_PATH;
	add_class(TEXT_ALNUM, IN_URL | ENDS_URL | IN_PATH);
	add_class("#$%&+/=@_~-", ENDS_URL);
	add_class("!#$%&'*+,./:;=?@_~-", IN_URL);
	add_class("/._+~@#%-", IN_PATH);
	add_class(" \":<>|`", NOT_NAME);
	add_class(":([l\n", MARK);
	class['\0'] |= MARK;
	add_class(TEXT_ALNUM "_", IN_WORD);
	add_class(TEXT_ALNUM "._%+-", IN_MAILBOX);
	add_class("speoSPEO", ENDS_SCHEME);
}

static bool
is(const struct linkify *l, size_t at, int bits)
{
	return (class[(unsigned char)l->text[at]] & bits) != 0;
}

/* The end of the text, which is a newline or NUL, is in no pattern. */
static bool
is_text(const struct linkify *l, size_t at, const char *text)
{
	for (; *text != '\0' && *text == l->text[at]; at++)
		text++;
	return *text == '\0';
}

/* Reads up to nine digits and moves `at` past them. */
static bool
read_number(const struct linkify *l, size_t *at, unsigned long *number)
{
	const char *digit = l->text + *at, *end = digit;
	unsigned long value = 0;

	for (; text_is_digit(*end) && end - digit < 10; end++)
		value = value * 10 + (unsigned long)(*end - '0');
	*at += (size_t)(end - digit);
	*number = value;
	return end > digit && end - digit < 10;
}

/* ---- URLs ---------------------------------------------------------------- */

/* Decodes in place. Returns false if the result contains a NUL. */
static bool
decode_percent(char *path)
{
	char *to;
	int high, low;

	for (to = path; *path != '\0'; path++, to++) {
		*to = *path;
		high = *path == '%' ? text_hex_value(path[1]) : -1;
		low = high >= 0 ? text_hex_value(path[2]) : -1;
		if (low >= 0) {
			*to = (char)(high * 16 + low);
			path += 2;
		}
		if (*to == '\0')
			return false;
	}
	*to = '\0';
	return true;
}

static bool
url_fits(const struct linkify *l, const struct buf *url)
{
	return url->len > 0 && url->len <= LINKIFY_URL_MAX &&
	    (l->output.route.cut_by == NULL || memchr(url->data, ';', url->len) == NULL) &&
	    (l->output.route.limit == 0 || url->len <= l->output.route.limit);
}

/* What a path is relative to, or that it is percent-encoded. */
enum form { FROM_HERE, FROM_TOP, ENCODED };

/* Makes the URL of a position. Returns false if there is no such file. */
static bool
make_file_url(struct linkify *l, struct buf *url, char *path, enum form form,
    struct place *place)
{
	const char *absolute;

	/* 12:30 is a time and 3.5:1 a ratio, but 12a:30 may be a position */
	if (l->output.format == NULL || path[strspn(path, "0123456789.,:")] == '\0' ||
	    (form == ENCODED && !decode_percent(path)))
		return false;
	absolute = l->find(l->context, path, form == FROM_TOP);
	if (absolute == NULL)
		return false;
	url->len = 0;
	encode_place(url, link_place(place, &l->output, absolute), place);
	return url_fits(l, url);
}

/* ---- positions in files -------------------------------------------------- */

enum {
	SPACES = 1,
	DOTTED = 2,
	QUOTED = 4,
	/* names tried for a position, for linear time */
	LOOKUPS = 16
};

static const struct position_form {
	unsigned char mark, flags;
	const char *pattern;
} forms[] = {
#define FORM(mark, pattern, flags) { mark, flags, pattern },
#include "commands/linkify.def"
#undef FORM
	{ 0, 0, "\n" }
};

/* Of each mark, the first of its forms. */
static unsigned char first_form[UCHAR_MAX + 1];

/* The end of the link if `pattern` matches at `at`, else NONE. */
static size_t
match_form(const struct linkify *l, const char *pattern, size_t at, struct place *place)
{
	bool matches = true;
	size_t end = NONE;

	*place = (struct place){ .line = 0 };
	for (; *pattern != '\0' && matches; pattern++) {
		switch (*pattern) {
		case 'L':
			matches = read_number(l, &at, &place->line) && place->line > 0;
			break;
		case 'C':
			matches = read_number(l, &at, &place->column);
			break;
		case '!':
			matches = l->text[at] != '.' || !is(l, at + 1, IN_WORD);
			break;
		case '|':
			matches = !is(l, at, IN_WORD);
			end = at;
			break;
		default:
			matches = l->text[at++] == *pattern;
		}
	}
	return !matches ? NONE : end != NONE ? end : at;
}

/* Links the text from `start` to `end` if that from `name` to `name_end` is a file. */
static bool
link_name(struct linkify *l, size_t start, size_t end, size_t name, size_t name_end,
    enum form form, struct place *place)
{
	char path[PATH_MAX];
	size_t n = name_end - name;

	if (n == 0 || n >= sizeof(path))
		return false;
	memcpy(path, l->text + name, n);
	path[n] = '\0';
	l->start = start;
	l->end = end;
	return make_file_url(l, &l->url, path, form, place);
}

/*
 * Links from the longest name before `end`. It begins a word, follows a character that is not
 * IN_PATH, or with QUOTED, the quotation mark that is also at `end`.
 */
static bool
find_name(struct linkify *l, size_t end, size_t link_end, int flags, struct place *place)
{
	int stops = (flags & (SPACES | QUOTED)) != 0 ? CONTROL : NOT_NAME;
	size_t start[LOOKUPS + 1], n = 0, at, right = end;
	const char *text = l->text;

	for (at = end; at > l->low && !is(l, at - 1, stops); at--) {
		if (n == LOOKUPS || end - at >= PATH_MAX)
			break;
		if ((text[at - 1] & 0xc0) == 0x80)
			continue;
		if (right < end && (flags & QUOTED ? text[at - 1] == text[end] :
		    !is(l, at - 1, IN_PATH) || is_text(l, at - 1, "\xe3\x80")))
			start[n++] = right;
		right = at - 1;
	}
	/* not y in x::y */
	if ((flags & QUOTED) == 0 && (at == 0 ? !l->amid : !is(l, at - 1, IN_PATH) &&
	    (text[at - 1] != ':' || (at > 1 && text[at - 2] != ':'))))
		start[n++] = at;
	for (; n > 0; n--) {
		at = start[n - 1];
		if (((flags & DOTTED) == 0 || memchr(text + at, '.', end - at) != NULL ||
		    memchr(text + at, '/', end - at) != NULL) &&
		    link_name(l, at - (flags & QUOTED ? 1 : 0), link_end, at, end, FROM_HERE,
		        place))
			return true;
	}
	return false;
}

static bool
find_position(struct linkify *l, size_t mark)
{
	const char *at = l->text + mark, *pattern;
	const struct position_form *form;
	struct place place;
	size_t end, link_end;

	/* what follows in every form */
	if (*at == 'l' ? !is_text(l, mark, "line ") || !text_is_digit(at[5]) :
	    !text_is_digit(at[1]) && strchr("( l", at[1]) == NULL)
		return false;
	form = &forms[first_form[(unsigned char)*at]];
	for (; *(pattern = form->pattern + form->mark) == *at; form++) {
		if (mark < l->low + form->mark ||
		    (pattern[1] == 'L' ? !text_is_digit(at[1]) : pattern[1] != at[1]))
			continue;
		end = mark - form->mark;
		link_end = match_form(l, form->pattern, end, &place);
		if (link_end != NONE)
			return find_name(l, end, link_end, form->flags, &place);
	}
	return false;
}

/* git adds a letter before the name, diff a tab and the date after it. */
static bool
find_diff(struct linkify *l, size_t at)
{
	struct place top = { .line = 0 };
	size_t start = at + 4, end;

	if (!is_text(l, at, "+++ ") && !is_text(l, at, "--- "))
		return false;
	for (end = start; !is(l, end, CONTROL); end++)
		continue;
	if (link_name(l, start, end, start, end, FROM_TOP, &top))
		return true;
	start += 2;
	return start < end && text_is_letter(l->text[start - 2]) && l->text[start - 1] == '/' &&
	    link_name(l, start, end, start, end, FROM_TOP, &top);
}

/* ---- what is linked without a rule --------------------------------------- */

/* The end of the characters of a URL that begin at `at`; `at` if there are none. */
static size_t
url_end(const struct linkify *l, size_t at)
{
	size_t end = at, close;

	for (;; at++) {
		if (is(l, at, IN_URL)) {
			end = is(l, at, ENDS_URL) ? at + 1 : end;
		} else if (l->text[at] == '(' || l->text[at] == '[') {
			for (close = at + 1; is(l, close, IN_URL); close++)
				continue;
			if (l->text[close] != (l->text[at] == '(' ? ')' : ']'))
				return end;
			at = close;
			end = at + 1;
		} else if (end == at && at > 0 && (l->text[at - 1] & 0x80) != 0 &&
		    (is_text(l, at, "\xe2\x80\x8c") || is_text(l, at, "\xe2\x80\x8d"))) {
			/* the joiners in Persian and Malayalam */
			at += 2;
			end = at + 1;
		} else if (!is_text(l, at, "\xe3") || is_text(l, at + 1, "\x80") ||
		    (l->text[at + 1] & 0xc0) != 0x80) {
			return end;
		}
	}
}

/* file:///path:line:column, as node prints modules (lib/internal/modules/esm). */
static bool
find_file_url(struct linkify *l, size_t start, size_t path)
{
	struct place place;
	size_t at = path, end;

	while (!is(l, at, NOT_NAME))
		at++;
	end = match_form(l, ":L:C|", at, &place);
	if (end == NONE)
		end = match_form(l, ":L|", at, &place);
	return end != NONE && l->text[path] == '/' &&
	    link_name(l, start, end, path, at, ENCODED, &place);
}

/*
 * Whether a URL that ends at `end` may go on in the next line, because this one is as wide as
 * the terminal: a link to its beginning would lead elsewhere.
 */
static bool
may_go_on(const struct linkify *l, size_t end)
{
	size_t i, width = 0;

	while (is(l, end, IN_URL))
		end++;
	if (!l->continued || l->columns == 0 ||
	    strchr("\r\n", l->text[end]) == NULL)
		return false;
	for (i = 0; i < end; i++)
		width += ((unsigned char)l->text[i] & 0xc0) != 0x80;
	return width == l->columns;
}

/* A URL with its colon at `at`. */
static bool
find_url(struct linkify *l, size_t at)
{
	static const struct { const char *name; size_t length; } schemes[] = {
		{ "https", 5 }, { "http", 4 }, { "file", 4 }, { "mailto", 6 }
	};
	size_t i, n, start = at, characters = at + 3, end;

	if (at == 0 || !is(l, at - 1, ENDS_SCHEME))
		return false;
	for (i = 0; start == at && i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		n = schemes[i].length;
		if (at >= l->low + n && strncasecmp(l->text + at - n, schemes[i].name, n) == 0)
			start = at - n;
	}
	if (start == at || (start == 0 ? l->amid : text_is_letter(l->text[start - 1]) ||
	    text_is_digit(l->text[start - 1])))
		return false;
	if (i == 4) {
		for (characters = at + 1; is(l, characters, IN_MAILBOX); characters++)
			continue;
		if (characters == at + 1 || l->text[characters++] != '@')
			return false;
	} else if (!is_text(l, at, "://")) {
		return false;
	}

	end = url_end(l, characters);
	if (end == characters)
		return false;
	l->next = end;
	if (i == 3 && find_file_url(l, start, characters))
		return true;
	if (may_go_on(l, end))
		return false;
	l->start = start;
	l->end = end;
	l->url.len = 0;
	if (end - start <= LINKIFY_URL_MAX)
		url_encode(&l->url, l->text + start, end - start);
	return url_fits(l, &l->url);
}

/*
 * A position in a separate line below the name of its file: eslint and stylelint print
 * "  3:5  error  ...".
 */
static bool
find_below_heading(struct linkify *l)
{
	struct place place;
	size_t at = 0;

	while (l->text[at] == ' ')
		at++;
	l->start = at;
	l->end = at > 0 ? match_form(l, "L:C|", at, &place) : NONE;
	if (l->end == NONE || !is_text(l, l->end, "  ") || l->heading.len == 0)
		return false;
	return make_file_url(l, &l->url, (char *)l->heading.data, FROM_HERE, &place);
}

/* The line may be the name of a file. Lines that begin with a space keep the last one. */
static void
keep_heading(struct linkify *l)
{
	size_t n = l->n;

	if (l->amid || l->text[0] == ' ')
		return;
	while (n > 0 && (l->text[n - 1] == '\n' || l->text[n - 1] == '\r'))
		n--;
	l->heading.len = 0;
	if (n > 0 && n < PATH_MAX) {
		buf_add(&l->heading, l->text, n);
		buf_add(&l->heading, "", 1);
	}
}

/* Finds the next link without a rule from `from` on. `whole`: the text ends with its line. */
static void
find_built_in(struct linkify *l, size_t from, bool whole)
{
	bool found = from == 0 && !l->amid && (find_diff(l, 0) || find_below_heading(l));
	size_t at = from;

	l->next = from;
	while (!found || (l->end == l->n && !whole)) {
		while (!is(l, at, MARK))
			at++;
		/* nothing follows the last one */
		if (at + 1 >= l->n) {
			l->start = NONE;
			return;
		}
		l->next = at + 1;
		found = l->text[at] == '\n' ? find_diff(l, at + 1) :
		    (l->text[at] == ':' && find_url(l, at)) || find_position(l, at);
		at = l->next;
	}
}

/* ---- matches ------------------------------------------------------------- */

/* The same, of a rule. */
static void
find_by_rule(const struct linkify *l, struct rule *rule, size_t from, bool whole)
{
	bool begins = from > 0 ? l->text[from - 1] == '\n' : !l->amid;
	int flags = (begins ? 0 : REG_NOTBOL) | (whole ? 0 : REG_NOTEOL);

	rule->start = NONE;
	rule->from = from;
	if (from > l->n || l->n - from > LINKIFY_RULE_LINE_MAX ||
	    regexec(&rule->regex, l->text + from, GROUPS, rule->group, flags) != 0)
		return;
	rule->start = from + (size_t)rule->group[0].rm_so;
	rule->end = from + (size_t)rule->group[0].rm_eo;
}

/* Returns false if the match is not to be linked. */
static bool
make_rule_url(struct linkify *l, const struct rule *rule)
{
	struct buf *filled = &l->filled;
	struct place place = { .line = 0 };
	const regmatch_t *g;
	const char *at;
	char *path, *colon;
	unsigned long number;
	bool escaped = false;
	int i;

	/* a newline represents a sequence that a link must not span */
	if (rule->end == rule->start ||
	    memchr(l->text + rule->start, '\n', rule->end - rule->start) != NULL)
		return false;
	filled->len = l->rule_url.len = 0;
	for (at = rule->template; *at != '\0'; at++) {
		g = escaped && text_is_digit(*at) ? &rule->group[*at - '0'] : NULL;
		escaped = !escaped && *at == '\\';
		if (g != NULL && g->rm_so >= 0)
			buf_add(filled, l->text + rule->from + g->rm_so,
			    (size_t)(g->rm_eo - g->rm_so));
		else if (g == NULL && !escaped)
			buf_add(filled, at, 1);
	}
	if (!text_begins(rule->template, PATH)) {
		url_encode(&l->rule_url, (const char *)filled->data, filled->len);
		return url_fits(l, &l->rule_url);
	}
	buf_add(filled, "", 1);
	path = (char *)filled->data + strlen(PATH);
	/* of a group that did not match, only the colon is left */
	for (i = 0; i < 2 && (colon = strrchr(path, ':')) != NULL; i++) {
		number = 0;
		if (colon[1] != '\0' && !text_number(colon + 1, 999999999, &number))
			break;
		*colon = '\0';
		place.column = place.line;
		place.line = number;
	}
	return make_file_url(l, &l->rule_url, path, FROM_HERE, &place);
}

/* Whether `at` is within a UTF-8 character. */
static bool
is_inside_character(const struct linkify *l, size_t at)
{
	return at > 0 && at < l->n && (l->text[at - 1] & 0x80) != 0 &&
	    ((unsigned char)l->text[at] & 0xc0) == 0x80;
}

/* Writes the line of `text` with hyperlinks around the matches. */
static void
write_links(struct linkify *l, const unsigned char *line, size_t size, bool whole,
    struct buf *out)
{
	size_t i, start, end, begin, from, done = 0;
	struct rule *rule;
	struct buf *url;

	l->low = 0;
	for (i = 0; i < l->rules; i++)
		find_by_rule(l, &l->rule[i], 0, whole);
	find_built_in(l, 0, whole);
	for (;;) {
		/* the match that starts first; of several, that of the first rule */
		rule = NULL;
		start = l->start;
		for (i = l->rules; i-- > 0;)
			if (l->rule[i].start != NONE && l->rule[i].start <= start) {
				rule = &l->rule[i];
				start = rule->start;
			}
		if (start == NONE)
			break;
		end = rule != NULL ? rule->end : l->end;
		url = rule != NULL ? &l->rule_url : &l->url;
		from = start < l->low ? l->low : 0;
		/* at the end of a partial line the match may be longer */
		if (from == 0 && rule != NULL &&
		    ((end == l->n && !whole) || !make_rule_url(l, rule)))
			from = end > start ? end : start + 1;
		if (from > 0 && rule != NULL)
			find_by_rule(l, rule, from, whole);
		else if (from > 0)
			find_built_in(l, from, whole);
		if (from > 0)
			continue;

		while (start > l->low && is_inside_character(l, start))
			start--;
		while (is_inside_character(l, end))
			end++;
		l->low = end;
		begin = l->text == l->copy ? l->place[start] : start;
		end = l->text == l->copy ? l->place[end - 1] + 1 : end;
		buf_add(out, line + done, begin - done);
		buf_add_string(out, HYPERLINK_START);
		buf_add(out, url->data, url->len);
		buf_add_string(out, ST);
		buf_add(out, line + begin, end - begin);
		buf_add_string(out, HYPERLINK_END);
		done = end;
	}
	buf_add(out, line + done, size - done);
	keep_heading(l);
}

/* ---- lines --------------------------------------------------------------- */

static void
add_text(struct linkify *l, unsigned char c, size_t at)
{
	l->place[l->n] = (unsigned)at;
	l->copy[l->n++] = (char)c;
}

/*
 * Splits a line or a part of one into `copy` and `place`, where a newline replaces NUL and
 * each sequence that a link must not span. With `strip`, writes it without hyperlinks.
 * Returns the number of bytes consumed: an incomplete sequence at the end of a part is left.
 * `*intact`: no sequence is broken or has bytes that some terminals print.
 */
static size_t
split_line(struct linkify *l, const unsigned char *line, size_t size, enum ending ending,
    bool *intact, struct buf *out)
{
	/* `start` of a sequence is NONE if it began in the previous part */
	size_t at, start = NONE, done = 0, cut_at = l->cut ? 0 : NONE, url_n;
	const char *url;
	bool text, look, link;

	l->n = 0;
	l->cut = false;
	*intact = true;
	for (at = 0; at < size; at++) {
		text = l->parser.state == PARSER_TEXT;
		switch (parse_byte(&l->parser, line[at])) {
		case PARSED_TEXT:
			if (!l->linked)
				add_text(l, line[at] != '\0' ? line[at] : '\n', at);
			break;
		case PARSED_MORE:
			if (text)
				start = at;
			break;
		case PARSED_CUT_BY_ESCAPE:
			/* the ESC is in this part, because no part ends with one */
			start = cut_at = --at;
			*intact = false;
			break;
		case PARSED_CUT:
			cut_at = at--;
			*intact = false;
			break;
		case PARSED_END:
			*intact = *intact && l->parser.kind != SEQUENCE_IGNORED;
			/*
			 * SGR and EL change the look of text, ESC ( its character set: grep, gcc
			 * and git write them around and within paths and URLs
			 */
			look = start != NONE && (l->parser.kind == SEQUENCE_CSI ?
			    line[at] == 'm' || line[at] == 'K' :
			    l->parser.kind == SEQUENCE_ESCAPE && line[start + 1] == '(');
			if (!look)
				add_text(l, '\n', at);
			link = start != NONE && l->parser.kind == SEQUENCE_OSC &&
			    hyperlink_read(line + start, at + 1 - start, &url, &url_n);
			if (link)
				l->linked = url_n > 0;
			if (link && l->strip) {
				buf_add(out, line + done, start - done);
				/* otherwise the sequence that it cut off would continue */
				if (start == cut_at)
					buf_add_string(out, SEQUENCE_CANCEL);
				done = at + 1;
			}
			break;
		}
	}
	l->copy[l->n] = '\0';
	l->text = l->copy;

	if (l->parser.state != PARSER_TEXT && start != NONE &&
	    (ending == ENDING_PAUSE || (ending == ENDING_CUT && start > 0))) {
		l->parser = (struct parser){ .state = PARSER_TEXT };
		l->cut = start == cut_at;
		size = start;
	}
	*intact = *intact && l->parser.state == PARSER_TEXT;
	if (l->strip)
		buf_add(out, line + done, size - done);
	return size;
}

/* Returns the number of bytes written. */
static size_t
filter_line(struct linkify *l, const unsigned char *line, size_t size, enum ending ending,
    struct buf *out)
{
	bool plain = l->parser.state == PARSER_TEXT && memchr(line, ESC, size) == NULL;
	bool intact = !(plain && (l->strip || l->linked));

	/* regexec() needs a NUL after the text, and without a newline so do we */
	if (!plain || (intact && (l->rules > 0 || size == 0 || line[size - 1] != '\n'))) {
		size = split_line(l, line, size, ending, &intact, out);
	} else {
		l->text = (const char *)line;
		l->n = size;
	}
	if (intact && !l->strip)
		write_links(l, line, size, ending == ENDING_LINE, out);
	else if (plain || !l->strip)
		buf_add(out, line, size);
	if (size > 0)
		l->amid = line[size - 1] != '\n';
	return size;
}

void
linkify_begin(struct linkify *l)
{
	size_t i;

	set_classes();
	for (i = sizeof(forms) / sizeof(forms[0]); i-- > 0;)
		first_form[(unsigned char)forms[i].pattern[forms[i].mark]] = (unsigned char)i;
	l->copy = memory(NULL, LINKIFY_LINE_MAX + 1);
	l->place = memory(NULL, LINKIFY_LINE_MAX * sizeof(*l->place));
	l->heading = l->url = l->rule_url = l->filled = (struct buf)BUF_EMPTY;
}

void
linkify_free(struct linkify *l)
{
	while (l->rules > 0)
		regfree(&l->rule[--l->rules].regex);
	free(l->rule);
	free(l->copy);
	free(l->place);
	buf_free(&l->heading);
	buf_free(&l->url);
	buf_free(&l->rule_url);
	buf_free(&l->filled);
}

size_t
linkify_feed(struct linkify *l, const unsigned char *bytes, size_t n, enum ending last,
    struct buf *out)
{
	const unsigned char *newline;
	size_t at = 0, size, blank, taken = 1;
	enum ending ending;

	while (at < n && taken > 0) {
		size = n - at < LINKIFY_LINE_MAX ? n - at : LINKIFY_LINE_MAX;
		newline = memchr(bytes + at, '\n', size);
		ending = newline != NULL ? ENDING_LINE :
		    size == LINKIFY_LINE_MAX ? ENDING_CUT : last;
		if (ending == ENDING_OPEN)
			break;
		if (newline != NULL) {
			size = (size_t)(newline - (bytes + at)) + 1;
		} else if (ending == ENDING_CUT) {
			for (blank = size; blank > 0 && bytes[at + blank - 1] != ' '; blank--)
				continue;
			size = blank > 0 ? blank : size;
		}
		/* keep an ESC together with the byte after it */
		if (ending != ENDING_LINE && bytes[at + size - 1] == ESC)
			size--;
		/* what follows a wide line decides about a URL at its end */
		if (newline != NULL && at + size == n && last == ENDING_OPEN &&
		    l->columns > 0 && size > l->columns && size < LINKIFY_LINE_MAX)
			break;
		l->continued = newline != NULL && at + size < n &&
		    (bytes[at + size] == ESC || (class[bytes[at + size]] & IN_URL) != 0);
		taken = filter_line(l, bytes + at, size, ending, out);
		at += taken;
	}
	return at;
}
