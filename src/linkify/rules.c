/* SPDX-License-Identifier: MIT */
/* The user's rules; the contract is in rules.h. */
#include "linkify/rules.h"

#include "base/text.h"
#include "encoder/encoder.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_HALF = LINKIFY_RULE_MATCH_MAX };

/* The expression without the backslashes before its `=`. NULL: no memory. */
static char *
copy_expression(const char *text, size_t n)
{
	char *copy = malloc(n + 1);
	size_t i, k = 0;

	if (copy == NULL)
		return NULL;
	for (i = 0; i < n; i++) {
		if (text[i] == '\\' && i + 1 < n) {
			if (text[i + 1] != '=')
				copy[k++] = text[i];
			i++;
		}
		copy[k++] = text[i];
	}
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
check_groups(const struct rule *rule, const char *text, struct error *error)
{
	const char *at = strchr(rule->template, '\\');

	for (; at != NULL && at[1] != '\0'; at = strchr(at + 2, '\\'))
		if (text_is_digit(at[1]) && (size_t)(at[1] - '0') > rule->regex.re_nsub) {
			error_set(error, STATUS_USAGE,
			    "no group %c in the expression of %s", at[1],
			    text_quote(text).text);
			return error_hint(error, "a group stands in parentheses; \\0 is "
			    "the whole match");
		}
	return true;
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
	if (failure == 0 && check_groups(rule, text, error))
		return true;
	if (failure == 0) {
		regfree(&rule->regex);
		return false;
	}
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
struct rule_piece {
	char bytes[2 * PIECE_HALF + 1];
	size_t from, n;
	size_t most; /* bytes in which a match may begin */
	bool last;
};

/*
 * regexec() of glibc reads to the end of the text from every place where a match could
 * begin, which is quadratic: it gets pieces, and a match begins in the first half of one.
 */
static void
take_piece(struct rule_piece *piece, const char *text, size_t n, size_t from)
{
	piece->last = n - from < sizeof(piece->bytes);
	piece->from = from;
	piece->n = piece->last ? n - from : sizeof(piece->bytes) - 1;
	piece->most = piece->last ? piece->n : PIECE_HALF;
	memcpy(piece->bytes, text + from, piece->n);
	piece->bytes[piece->n] = '\0';
}

/* Whether `^` and `$` match at `at` and at the end of the piece. */
static int
piece_flags(const struct rule_piece *piece, const char *text, size_t at)
{
	size_t start = piece->from + at;

	return (start > 0 && text[start - 1] != '\n' ? REG_NOTBOL : 0) |
	    (piece->last ? 0 : REG_NOTEOL);
}

/* A longer match in a piece may be the first part of one that it cuts in two. */
static bool
is_whole_match(const struct rule_piece *piece, size_t start, size_t end)
{
	return end > start && (piece->last || end - start <= PIECE_HALF) &&
	    memchr(piece->bytes + start, '\n', end - start) == NULL;
}

/* Gives where to continue in the text. */
static size_t
match_rule_piece(struct matches *m, const struct rule_piece *piece, const char *text, size_t n,
    const struct rule *rule, size_t rank)
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
			matches_add(m, piece->from + start, piece->from + end, url, rank);
		}
		at = end > at ? end : at + 1;
	}
	return piece->from + (at > piece->most ? at : piece->most);
}

void
rules_match(struct matches *m, const char *text, size_t n, const struct rules *rules)
{
	struct rule_piece piece;
	size_t i, at;

	for (i = 0; i < rules->count; i++)
		for (at = 0; at < n;) {
			take_piece(&piece, text, n, at);
			at = match_rule_piece(m, &piece, text, n, &rules->rule[i], i);
		}
}
