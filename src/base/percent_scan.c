/* SPDX-License-Identifier: MIT */
/* Progress in the output of programs; the contract is in percent_scan.h. */
#include "base/percent_scan.h"

#include "base/text.h"

#include <string.h>

enum {
	/* no product of such a number and 200 overflows */
	DIGITS_MAX = 9,
	/* 100 % in thousandths of one */
	WHOLE = 100000
};

/* Part of a text, parsed from its end. */
struct span {
	const char *from, *to;
};

/* Whether this character beside a number makes it part of something else. */
static bool
is_joined(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
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

/* ---- from outside ------------------------------------------------------- */

bool
percent_read(struct percent_scan *gauge, const char *bytes, size_t n, unsigned *percent)
{
	bool found = false;
	size_t i;

	for (i = 0; i < n; i++) {
		struct span before = { gauge->window, gauge->window + gauge->len };

		if (completes(before, bytes[i], percent))
			found = true;
		if (gauge->len == sizeof(gauge->window)) {
			memmove(gauge->window, gauge->window + PERCENT_WINDOW,
			    PERCENT_WINDOW);
			gauge->len = PERCENT_WINDOW;
		}
		gauge->window[gauge->len++] = bytes[i];
	}
	return found;
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
