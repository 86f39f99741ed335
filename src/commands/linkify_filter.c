/* SPDX-License-Identifier: MIT */
/* Finds the text to link, line by line. */
#include "commands/command.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* ---- rules --------------------------------------------------------------- */

/*
 * The characters of a URL: those of RFC 3986 and other UTF-8, except characters that surround
 * URLs: U+0080 to U+00BF and U+2000 to U+303F have spaces, quotation marks, dashes and
 * direction marks, U+F000 to U+FFFF the fullwidth forms of ASCII. Brackets must be paired, and
 * the last character must not be punctuation.
 */
#define UTF8 "\200-\277\303-\341\344-\356\360-\364"
#define KANA "\343[\201-\277]"
#define URL_CHARACTER "[[:alnum:]!#$%&'*+,./:;=?@_~" UTF8 "-]"
#define URL_BRACKETS "\\(" URL_CHARACTER "*\\)|\\[" URL_CHARACTER "*\\]"
#define URL                                                                \
	"(" URL_CHARACTER "|" KANA "|" URL_BRACKETS ")*"                        \
	"([[:alnum:]#$%&+/=@_~" UTF8 "-]|" URL_BRACKETS ")"

/* The characters of a path in the output of compilers, grep and others. */
#define PATH "[[:alnum:]/._+~@#%\200-\377-]"
#define NUMBER "([0-9]+)"
#define LINE_COLUMN NUMBER "(:" NUMBER ")?"

#define DIFF_NAME "([^[:cntrl:]]+)"

/*
 * The context before and after. A match starts after a character that cannot be part of it,
 * so that regexec() does not try every byte of a long word and takes linear time.
 */
#define NO_WORD "(^|[^[:alnum:]])"
#define NO_PATH "(^|[^[:alnum:]/._+~@#%\200-\377:-]|[^:]:)"
#define NO_LETTER "($|[^[:alnum:]_])"

/*
 * `mark` is two characters that every match contains, where 0 is any digit: searching for
 * them first is much faster. Group 2 becomes a hyperlink to the file with the path and
 * position of those groups, or if `path` is 0, to itself.
 */
static const struct built_in {
	const char *mark, *expression;
	unsigned char path, line, column;
	bool from_top; /* see linkify.find */
} built_in[] = {
	/* node, lib/internal/modules/esm: not the URL of a file, because of the position */
	{ "e:", NO_WORD "(file://(/" PATH "+):" LINE_COLUMN ")" NO_LETTER, 3, 4, 6, false },
	{ ":/", NO_WORD "(https?://" URL ")", 0, 0, 0, false },
	{ ":/", NO_WORD "(file://" URL ")", 0, 0, 0, false },
	{ "o:", NO_WORD "(mailto:[[:alnum:]._%+-]+@" URL ")", 0, 0, 0, false },
	/* GNU Coding Standards, "Formatting Error Messages" */
	{ ":0", NO_PATH "((" PATH "+):" LINE_COLUMN ")" NO_LETTER, 3, 4, 6, false },
	/* Microsoft's compilers */
	{ "(0", NO_PATH "((" PATH "+)\\(" NUMBER "," NUMBER "\\))", 3, 4, 5, false },
	/* CPython 3.11, Lib/traceback.py, format_frame_summary() */
	{ "\",", NO_WORD "File (\"([^\"[:cntrl:]]+)\", line " NUMBER ")", 3, 4, 0, false },
	/* git adds a letter before the name, diff a tab and the date after it */
	{ "+ ", "^([+]{3}) [[:alpha:]]/" DIFF_NAME, 2, 0, 0, true },
	{ "+ ", "^([+]{3}) " DIFF_NAME, 2, 0, 0, true },
	{ "- ", "^(---) [[:alpha:]]/" DIFF_NAME, 2, 0, 0, true },
	{ "- ", "^(---) " DIFF_NAME, 2, 0, 0, true },
};

enum { BUILT_IN = sizeof(built_in) / sizeof(built_in[0]), GROUPS = 10 };

static const size_t NONE = (size_t)-1;

struct rule {
	const struct built_in *built_in;
	const char *template; /* of a user's rule, without built_in */
	regex_t regex;
	/* its next match in the current text, and the part to link; start NONE: no match */
	regmatch_t group[GROUPS];
	size_t start, end;
};

/* The first `=` without a backslash ends the expression. */
static struct rule
user_rule(const char *text)
{
	struct rule rule = { .built_in = NULL };
	char message[128], *expression;
	size_t n = 0;
	const char *at;
	int failure;

	while (text[n] != '\0' && text[n] != '=')
		n += text[n] == '\\' && text[n + 1] != '\0' ? 2 : 1;
	if (n == 0 || text[n] == '\0' || text[n + 1] == '\0')
		die(STATUS_USAGE, "a rule is REGEX=TEMPLATE, as in "
		    "'#([0-9]+)=https://example.org/issues/\\1'", "invalid rule %s",
		    text_quote(text).text);

	expression = memory(NULL, n + 1);
	memcpy(expression, text, n);
	expression[n] = '\0';
	failure = regcomp(&rule.regex, expression, REG_EXTENDED | REG_NEWLINE);
	free(expression);
	if (failure != 0) {
		regerror(failure, &rule.regex, message, sizeof(message));
		die(STATUS_USAGE, NULL, "invalid regular expression %s: %s",
		    text_quote(text).text, message);
	}

	rule.template = text + n + 1;
	at = strchr(rule.template, '\\');
	for (; at != NULL && at[1] != '\0'; at = strchr(at + 2, '\\'))
		if (text_is_digit(at[1]) && (size_t)(at[1] - '0') > rule.regex.re_nsub)
			die(STATUS_USAGE, "a group stands in parentheses; \\0 is the whole match",
			    "no group %c in the expression of %s", at[1], text_quote(text).text);
	return rule;
}

void
linkify_begin(struct linkify *l, const char *const *rules, size_t count)
{
	size_t i;

	l->rules = count + BUILT_IN;
	l->rule = memory(NULL, l->rules * sizeof(*l->rule));
	for (i = 0; i < count; i++)
		l->rule[i] = user_rule(rules[i]);
	for (; i < l->rules; i++) {
		l->rule[i] = (struct rule){ .built_in = &built_in[i - count] };
		if (regcomp(&l->rule[i].regex, built_in[i - count].expression,
		    REG_EXTENDED | REG_NEWLINE | REG_ICASE) != 0)
			die(STATUS_FAILED, NULL, "out of memory");
	}
	l->text = memory(NULL, LINKIFY_LINE_MAX + 1);
	l->place = memory(NULL, LINKIFY_LINE_MAX * sizeof(*l->place));
	buf_init(&l->url, BUF_NO_LIMIT);
}

/* ---- URLs ---------------------------------------------------------------- */

/* The template with the groups of the match, percent-encoded as a whole. */
static void
fill_template(struct buf *url, const struct rule *rule, const char *text)
{
	struct buf raw = BUF_EMPTY;
	const regmatch_t *g;
	const char *at;
	bool escaped = false;

	for (at = rule->template; *at != '\0'; at++) {
		g = escaped && text_is_digit(*at) ? &rule->group[*at - '0'] : NULL;
		escaped = !escaped && *at == '\\';
		if (g != NULL && g->rm_so >= 0)
			buf_add(&raw, text + g->rm_so, (size_t)(g->rm_eo - g->rm_so));
		else if (g == NULL && !escaped)
			buf_add(&raw, at, 1);
	}
	url_encode(url, (const char *)raw.data, raw.len);
	buf_free(&raw);
}

/* Decodes in place. Returns false if the result contains a NUL. */
static bool
decode_percent(char *path)
{
	char *to;

	for (to = path; *path != '\0'; path++, to++) {
		*to = *path;
		if (*path == '%' && text_hex_value(path[1]) >= 0 && text_hex_value(path[2]) >= 0) {
			*to = (char)(text_hex_value(path[1]) << 4 | text_hex_value(path[2]));
			path += 2;
		}
		if (*to == '\0')
			return false;
	}
	*to = '\0';
	return true;
}

/* The number at the start of a group; 0 for a group that did not match. */
static unsigned long
group_number(const struct rule *rule, size_t group, const char *text)
{
	bool matched = group != 0 && rule->group[group].rm_so >= 0;

	return matched ? strtoul(text + rule->group[group].rm_so, NULL, 10) : 0;
}

/* Returns false if there is no such file. */
static bool
make_file_url(struct linkify *l, const struct rule *rule)
{
	enum { LINES = 1000000000 };
	const struct built_in *b = rule->built_in;
	const regmatch_t *g = &rule->group[b->path];
	struct place place = {
		.host = l->output.host,
		.line = group_number(rule, b->line, l->text),
		.column = group_number(rule, b->column, l->text),
	};
	char path[4096];
	struct buf absolute = BUF_EMPTY;
	size_t n = (size_t)(g->rm_eo - g->rm_so);

	if (n >= sizeof(path) || place.line >= LINES || place.column >= LINES ||
	    (b->line != 0 && place.line == 0))
		return false;
	memcpy(path, l->text + g->rm_so, n);
	path[n] = '\0';
	/* 12:30 is a time and 3.5:1 a ratio, but 12a:30 may be a position */
	if (strspn(path, "0123456789.,") == n || (b->mark[0] == 'e' && !decode_percent(path)))
		return false;

	if (l->find(path, b->from_top, &absolute)) {
		buf_add(&absolute, "", 1);
		place.path = (const char *)absolute.data;
		encode_place(&l->url, l->output.format, &place);
	}
	buf_free(&absolute);
	return place.path != NULL;
}

/* Returns false if the match is not to be linked. */
static bool
make_url(struct linkify *l, const struct rule *rule)
{
	size_t n = rule->end - rule->start;

	l->url.len = 0;
	/* a newline represents a sequence that a link must not span */
	if (n == 0 || memchr(l->text + rule->start, '\n', n) != NULL)
		return false;
	if (rule->built_in == NULL)
		fill_template(&l->url, rule, l->text);
	else if (rule->built_in->path == 0)
		url_encode(&l->url, l->text + rule->start, n);
	else if (!make_file_url(l, rule))
		return false;
	return l->url.len > 0 && l->url.len <= LINKIFY_URL_MAX &&
	    (l->output.route.limit == 0 || l->url.len <= l->output.route.limit);
}

/* ---- matches ------------------------------------------------------------- */

/* Whether to try the rule: a built-in one by its mark, a user's by the size of the text. */
static bool
may_match(const struct rule *rule, const char *text, size_t n)
{
	const char *at = text, *end = text + n, *mark;

	if (rule->built_in == NULL)
		return n <= LINKIFY_RULE_LINE_MAX;
	mark = rule->built_in->mark;
	while ((at = memchr(at, mark[0], (size_t)(end - at))) != NULL && ++at < end)
		if (*at == mark[1] || (mark[1] == '0' && text_is_digit(*at)))
			return true;
	return false;
}

/* Finds the next match from `from` on. `whole`: the text ends with its line. */
static void
find_next(const struct linkify *l, struct rule *rule, size_t from, bool whole)
{
	bool begins = from > 0 ? l->text[from - 1] == '\n' : !l->amid;
	int flags = (begins ? 0 : REG_NOTBOL) | (whole ? 0 : REG_NOTEOL);
	size_t i, link = rule->built_in != NULL ? 2 : 0;

	rule->start = NONE;
	if (from > l->n || !may_match(rule, l->text + from, l->n - from) ||
	    regexec(&rule->regex, l->text + from, GROUPS, rule->group, flags) != 0)
		return;
	for (i = 0; i < GROUPS; i++)
		if (rule->group[i].rm_so >= 0) {
			rule->group[i].rm_so += (regoff_t)from;
			rule->group[i].rm_eo += (regoff_t)from;
		}
	rule->start = (size_t)rule->group[link].rm_so;
	rule->end = (size_t)rule->group[link].rm_eo;
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
	size_t i, at = 0, begin, end, next, done = 0;
	struct rule *rule;

	for (i = 0; i < l->rules; i++)
		find_next(l, &l->rule[i], 0, whole);
	for (;;) {
		/* the rule whose match starts first; of several, the first rule */
		for (rule = &l->rule[0], i = 1; i < l->rules; i++)
			if (l->rule[i].start < rule->start)
				rule = &l->rule[i];
		if (rule->start == NONE)
			break;
		if (rule->start < at) {
			find_next(l, rule, at, whole);
			continue;
		}
		/* at the end of a partial line the match may be longer */
		if ((rule->end == l->n && !whole) || !make_url(l, rule)) {
			/* the last byte may be the context of the next built-in match */
			next = rule->end - (rule->built_in != NULL);
			find_next(l, rule, next > rule->start ? next : rule->start + 1, whole);
			continue;
		}

		while (rule->start > at && is_inside_character(l, rule->start))
			rule->start--;
		while (is_inside_character(l, rule->end))
			rule->end++;
		at = rule->end;
		begin = l->place[rule->start];
		end = l->place[at - 1] + 1;
		buf_add(out, line + done, begin - done);
		encode_hyperlink_open(out, (const char *)l->url.data, l->url.len, NULL);
		buf_add(out, line + begin, end - begin);
		buf_add_string(out, HYPERLINK_END);
		done = end;
	}
	buf_add(out, line + done, size - done);
}

/* ---- lines --------------------------------------------------------------- */

static void
add_text(struct linkify *l, unsigned char c, size_t at)
{
	l->place[l->n] = at;
	l->text[l->n++] = (char)c;
}

/*
 * Splits a line or a part of one into `text` and `place`, where a newline replaces NUL and
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
	l->text[l->n] = '\0';

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
	bool intact = false, look = l->parser.state != PARSER_TEXT ||
	    memchr(line, ESC, size) != NULL;
	size_t i;

	for (i = 0; !look && !l->strip && !l->linked && i < l->rules; i++)
		look = may_match(&l->rule[i], (const char *)line, size);
	if (look)
		size = split_line(l, line, size, ending, &intact, out);
	if (intact && !l->strip)
		write_links(l, line, size, ending == ENDING_LINE, out);
	else if (!look || !l->strip)
		buf_add(out, line, size);
	if (size > 0)
		l->amid = line[size - 1] != '\n';
	return size;
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
		taken = filter_line(l, bytes + at, size, ending, out);
		at += taken;
	}
	return at;
}
