/* SPDX-License-Identifier: MIT */
/* Progress in the output of programs; the contract is in percent_scan.h. */
#include "base/percent_scan.h"

#include "base/text.h"

#include <string.h>

enum {
	/* no product of such a number and 200 overflows */
	DIGITS_MAX = 9,
	/* 100 % in thousandths of one */
	WHOLE = 100000,
	/* bytes of the longest form that is recognized anywhere in a line */
	PERCENT_FORM = 64
};

/* Part of a text, parsed from its end. */
struct span {
	const char *from, *to;
};

/* Whether this character beside a number makes it part of something else. */
static bool
is_joined(char c)
{
	return text_is_digit(c) || text_is_letter(c) ||
	    (c != '\0' && strchr(".,-_/%", c) != NULL);
}

/* Rounded, but 100 only for the whole. */
static bool
share(unsigned long long part, unsigned long long whole, unsigned *percent)
{
	unsigned rounded;

	if (whole == 0 || part > whole)
		return false;
	rounded = (unsigned)((part * 200 + whole) / (whole * 2));
	*percent = rounded == 100 && part < whole ? 99 : rounded;
	return true;
}

/* ---- from the end backwards --------------------------------------------- */

static char
last(const struct span *s)
{
	if (s->to == s->from)
		return '\0';
	return s->to[-1];
}

static bool
drop_suffix(struct span *s, const char *end)
{
	size_t n = strlen(end);

	if ((size_t)(s->to - s->from) < n || memcmp(s->to - n, end, n) != 0)
		return false;
	s->to -= n;
	return true;
}

static size_t
drop_blanks(struct span *s)
{
	size_t n = 0;

	for (; last(s) == ' '; n++)
		s->to--;
	return n;
}

/* A whole number. */
static bool
drop_number(struct span *s, unsigned long long *number)
{
	unsigned long long digit = 1;
	size_t n = 0;

	for (*number = 0; text_is_digit(last(s)); n++, digit *= 10) {
		if (n == DIGITS_MAX)
			return false;
		*number += (unsigned long long)(*--s->to - '0') * digit;
	}
	return n > 0;
}

/* A number with or without a fraction, in thousandths; further digits are ignored. */
static bool
drop_decimal(struct span *s, unsigned long long *thousandths)
{
	unsigned long long number, fraction = 0;
	const char *point, *end = s->to;
	size_t n;

	if (!drop_number(s, &number))
		return false;
	point = s->to - 1;
	if (last(s) == '.' || last(s) == ',') {
		s->to--;
		if (!drop_number(s, &number))
			return false;
		for (n = 1; n <= 3; n++)
			fraction = fraction * 10 + (point + n < end ?
			    (unsigned long long)(point[n] - '0') : 0);
	}
	*thousandths = number * 1000 + fraction;
	return true;
}

/* "N/M" (unless `words_only`) or "N of M" at the end. */
static bool
drop_pair(struct span *s, bool words_only, unsigned *percent)
{
	unsigned long long part, whole;
	size_t blanks;

	if (!drop_number(s, &whole))
		return false;
	blanks = drop_blanks(s);
	if (!drop_suffix(s, "of") || blanks == 0) {
		if (words_only || !drop_suffix(s, "/"))
			return false;
		drop_blanks(s);
	} else if (drop_blanks(s) == 0) {
		return false;
	}
	return drop_number(s, &part) && share(part, whole, percent);
}

static bool
ends_in_percent(struct span s, unsigned *percent)
{
	unsigned long long thousandths;

	drop_suffix(&s, " ");
	return drop_decimal(&s, &thousandths) && !is_joined(last(&s)) &&
	    share(thousandths, WHOLE, percent);
}

static bool
ends_in_brackets(struct span s, char open, unsigned *percent)
{
	unsigned found;

	drop_blanks(&s);
	if (!drop_pair(&s, false, &found))
		return false;
	drop_blanks(&s);
	if (last(&s) != open)
		return false;
	*percent = found;
	return true;
}

static bool
ends_in_words(struct span s, unsigned *percent)
{
	unsigned found;

	if (!text_is_digit(last(&s)) || !drop_pair(&s, true, &found) ||
	    is_joined(last(&s)))
		return false;
	*percent = found;
	return true;
}

/* Whether the text before `c` is a progress that `c` completes. */
static bool
completes(struct span before, char c, unsigned *percent)
{
	switch (c) {
	case '%':
		return ends_in_percent(before, percent);
	case ']':
		if (ends_in_brackets(before, '[', percent))
			return true;
		break;
	case ')':
		if (ends_in_brackets(before, '(', percent))
			return true;
		break;
	default:
		break;
	}
	return (!is_joined(c) || c == '.' || c == ',') &&
	    ends_in_words(before, percent);
}

/* ---- formats of lines --------------------------------------------------- */

enum line_verdict { LINE_NONE, LINE_PROGRESS, LINE_OTHER };

static const struct {
	enum line_verdict verdict;
	const char *pattern;
} formats[] = {
#define LINE(verdict, pattern) { verdict, pattern },
#include "base/percent_lines.def"
#undef LINE
};

/* Words of lines whose percentage is no progress, whole and in any case. */
static const char *const other_words[] = {
	"coverage", "covered", /* go test, pytest-cov, jest, llvm-cov */
	"cpu", "memory", "usage", "used", "battery",
	"loss",                /* ping */
	"deflated", "ratio",   /* zip, gzip */
	"similarity", "dissimilarity", /* git */
	"faster", "slower",
};

/* Parses a number in thousandths; gives its end, or `at` for none. */
static const char *
number_end(const char *at, const char *end, unsigned long long *thousandths)
{
	unsigned long long number = 0, unit = 1000;
	const char *start = at;

	for (; at < end && text_is_digit(*at) && at - start < DIGITS_MAX; at++)
		number = number * 10 + (unsigned long long)(*at - '0');
	*thousandths = number * 1000;
	if (at == start || end - at < 2 || (*at != '.' && *at != ',') ||
	    !text_is_digit(at[1]))
		return at;
	for (at++; at < end && text_is_digit(*at); at++) {
		unit /= 10;
		*thousandths += (unsigned long long)(*at - '0') * unit;
	}
	return at;
}

static const char *
skip_blanks(const char *at, const char *end)
{
	while (at < end && *at == ' ')
		at++;
	return at;
}

/* Numbers that a pattern has found, in thousandths. */
struct found {
	unsigned long long part, whole;
};

/* Whether the text begins as the pattern says. Patterns have two `*` at most. */
static bool
fits_pattern(const char *pattern, const char *at, const char *end, struct found *found)
{
	unsigned long long other;
	const char *next;

	for (; *pattern != '\0'; pattern++, at = next) {
		if (*pattern == '*') {
			for (; at < end; at++)
				if (fits_pattern(pattern + 1, at, end, found))
					return true;
			return false;
		}
		if (*pattern == '_') {
			next = skip_blanks(at, end);
			continue;
		}
		next = at;
		if (*pattern == '$' || *pattern == '&' || *pattern == '@')
			next = number_end(at, end, *pattern == '$' ? &found->part :
			    *pattern == '&' ? &found->whole : &other);
		else if (*pattern == ' ')
			next = skip_blanks(at, end);
		else if (at < end && *at == *pattern)
			next = at + 1;
		if (next == at)
			return false;
	}
	return true;
}

/* LINE_NONE: no format matches. */
static enum line_verdict
format_of(const char *line, size_t n, unsigned *percent)
{
	struct found found;
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		found = (struct found){ 0, WHOLE };
		if (!fits_pattern(formats[i].pattern, line, line + n, &found))
			continue;
		if (formats[i].verdict == LINE_OTHER ||
		    share(found.part, found.whole, percent))
			return formats[i].verdict;
	}
	return LINE_NONE;
}

static bool
is_word_at(const char *line, size_t n, size_t at, const char *word)
{
	size_t i, length = strlen(word);

	if (n - at < length || (at > 0 && text_is_letter(line[at - 1])) ||
	    (n - at > length && text_is_letter(line[at + length])))
		return false;
	for (i = 0; i < length; i++)
		if ((line[at + i] | 0x20) != word[i])
			return false;
	return true;
}

static bool
has_other_word(const char *line, size_t n)
{
	size_t at, i;

	for (at = 0; at < n; at++)
		if (text_is_letter(line[at]) && (at == 0 || !text_is_letter(line[at - 1])))
			for (i = 0; i < sizeof(other_words) / sizeof(other_words[0]); i++)
				if (is_word_at(line, n, at, other_words[i]))
					return true;
	return false;
}

/* ---- from outside ------------------------------------------------------- */

/* The progress of the line so far, with its end if it is complete. */
static int
line_percent(const struct percent_scan *scan)
{
	int percent = PERCENT_NONE;
	enum line_verdict verdict;
	unsigned found;
	size_t i;

	for (i = 0; i < scan->len; i++) {
		size_t from = i > PERCENT_FORM ? i - PERCENT_FORM : 0;
		struct span before = { scan->line + from, scan->line + i };

		if (completes(before, scan->line[i], &found))
			percent = (int)found;
	}
	verdict = scan->cut ? LINE_NONE : format_of(scan->line, scan->len, &found);
	if (verdict == LINE_PROGRESS)
		return (int)found;
	return verdict == LINE_OTHER || (percent != PERCENT_NONE &&
	    has_other_word(scan->line, scan->len)) ? PERCENT_NONE : percent;
}

static void
end_line(struct percent_scan *scan)
{
	int percent = line_percent(scan);

	if (percent != PERCENT_NONE)
		scan->before = percent + 1;
	scan->len = 0;
	scan->cut = false;
}

static void
drop_half(struct percent_scan *scan)
{
	const size_t kept = sizeof(scan->line) / 2;
	int percent = line_percent(scan);

	if (percent != PERCENT_NONE)
		scan->before = percent + 1;
	memmove(scan->line, scan->line + sizeof(scan->line) - kept, kept);
	scan->len = kept;
	scan->cut = true;
}

int
percent_read(struct percent_scan *scan, const char *bytes, size_t n)
{
	int percent;
	size_t i;

	for (i = 0; i < n; i++) {
		if (scan->len == sizeof(scan->line))
			drop_half(scan);
		scan->line[scan->len++] = bytes[i];
		if (bytes[i] == '\n' || bytes[i] == '\r')
			end_line(scan);
	}
	percent = line_percent(scan);
	return percent != PERCENT_NONE ? percent : scan->before - 1;
}

bool
percent_parse(const char *word, unsigned *percent)
{
	struct span s = { word, word + strlen(word) };
	struct span pair = s;
	unsigned long long thousandths;
	unsigned found;

	if (strchr(word, '/') != NULL) {
		if (strchr(word, ' ') != NULL || !drop_pair(&pair, false, &found) ||
		    pair.to > pair.from)
			return false;
		*percent = found;
		return true;
	}
	drop_suffix(&s, "%");
	return drop_decimal(&s, &thousandths) && s.to == s.from &&
	    share(thousandths, WHOLE, percent);
}
