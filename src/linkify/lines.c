/* SPDX-License-Identifier: MIT */
/* Diffs and headings; the contract is in lines.h. */
#include "linkify/lines.h"

#include "base/text.h"

#include <string.h>

static bool
is_in(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static void
set_path(struct context *context, enum about about, const char *path, size_t n)
{
	context->about = about;
	memcpy(context->path, path, n);
	context->path[n] = '\0';
}

/* ---- diffs -------------------------------------------------------------- */

enum { DIFF_NAME = 4 }; /* where the name in `+++ FILE` begins */

/*
 * Links the name in `--- FILE` or `+++ FILE`; gives where it begins, or 0. git puts a/
 * and b/ before it, or another letter; diff puts the date behind it, after a tab. Names
 * that git quotes are not found.
 */
static size_t
link_diff_name(struct matches *m, const char *text, size_t n, size_t *end)
{
	struct place place = { .path = NULL };
	size_t start = DIFF_NAME;

	*end = start;
	while (*end < n && !is_in(text[*end], "\t\r\n"))
		++*end;
	if (*end - start > 2 && text_is_letter(text[start]) && text[start + 1] == '/' &&
	    place_link(m, text + start + 2, *end - start - 2, true, start + 2, *end, &place))
		return start + 2;
	return place_link(m, text + start, *end - start, true, start, *end, &place) ?
	    start : 0;
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
	for (at = marks; at < n && is_in(text[at], " -,0123456789"); at++)
		continue;
	if (marks < 2 || at == n || text[at] != '+')
		return 0;
	end = place_number(text, n, at + 1, &place->line);
	if (end == at + 1)
		return 0;
	while (end < n && is_in(text[end], " ,0123456789"))
		end++;
	return n - end >= marks && memcmp(text + end, text, marks) == 0 ?
	    end + marks : 0;
}

/* Whether it has added a link. A name counts only in both lines, one after the other. */
static bool
match_diff(struct matches *m, struct context *context, const char *text, size_t n)
{
	struct place place = { .path = NULL };
	bool old_named = context->old_named;
	size_t start, end;

	context->old_named = false;
	if (!lines_is_diff(text, n))
		return false;
	if (text[0] == '@') {
		end = hunk_end(text, n, &place);
		return end > 0 && context->about == ABOUT_DIFF && place_link(m,
		    context->path, strlen(context->path), true, 0, end, &place);
	}
	if (text[2] != text[0] || text[3] != ' ' || (text[0] == '+' && !old_named))
		return false;
	context->old_named = text[0] == '-';
	start = link_diff_name(m, text, n, &end);
	if (text[0] == '+')
		context->about = ABOUT_NOTHING;
	if (text[0] == '+' && start > 0)
		set_path(context, ABOUT_DIFF, text + start, end - start);
	return start > 0;
}

/* ---- headings ----------------------------------------------------------- */

/*
 * How lines under the name of their file begin: L is the line, C the column, a blank one
 * blank or more. The link is as long as the numbers. Sources: ripgrep 13,
 * crates/printer/src/standard.rs, and git 2.39, grep.c, show_line(): matches, lines of
 * the context and, in git, of the function; eslint 9,
 * lib/cli-engine/formatters/stylish.js.
 */
static const char *const numbered[] = {
	"L:C:", "L:", "L-", "L=", " L:C error ", " L:C warning ",
};

/* No program that is known here prints a line as 08, but clocks do: 08:30:00. */
static size_t
heading_number(const char *text, size_t n, size_t at, unsigned long *number)
{
	return at < n && text[at] == '0' ? at : place_number(text, n, at, number);
}

/* Whether the text begins like `form`; the numbers are text[*start .. *end - 1]. */
static bool
has_form(const char *form, const char *text, size_t n, struct place *place, size_t *start,
    size_t *end)
{
	size_t at = 0, next;

	*place = (struct place){ .path = NULL };
	for (*end = 0; *form != '\0'; form++, at = next) {
		next = at;
		if (*form == 'L' || *form == 'C')
			next = heading_number(text, n, at, *form == 'L' ?
			    &place->line : &place->column);
		else if (*form == ' ')
			while (next < n && text[next] == ' ')
				next++;
		else if (at < n && text[at] == *form)
			next = at + 1;
		if (next == at)
			return false;
		if (*form == 'L')
			*start = at;
		if (*form == 'L' || *form == 'C')
			*end = next;
	}
	return true;
}

/* 2026-11-22, with which lines of many logs begin */
static bool
is_date(const char *text, size_t n)
{
	static const char form[] = "0000-00-";
	size_t i;

	for (i = 0; i < strlen(form); i++)
		if (i >= n || (form[i] == '0' ? !text_is_digit(text[i]) : text[i] != '-'))
			return false;
	return true;
}

static bool
find_numbers(const char *text, size_t n, struct place *place, size_t *start, size_t *end)
{
	size_t i;

	for (i = 0; i < sizeof(numbered) / sizeof(numbered[0]); i++)
		if (has_form(numbered[i], text, n, place, start, end))
			return !is_date(text, n);
	return false;
}

bool
lines_is_numbered(const char *text, size_t n)
{
	struct place place;
	size_t start, end;

	return find_numbers(text, n, &place, &start, &end);
}

size_t
lines_length(const char *text, size_t n)
{
	n -= n > 0 && text[n - 1] == '\n';
	n -= n > 0 && text[n - 1] == '\r';
	return n;
}

/* Whether it has added a link. */
static bool
match_heading(struct matches *m, struct context *context, const char *text, size_t n)
{
	struct place place = { .path = NULL };
	size_t start, end, name = lines_length(text, n);

	if (find_numbers(text, n, &place, &start, &end))
		return context->about == ABOUT_HEADING && place_link(m, context->path,
		    strlen(context->path), false, start, end, &place);
	/* grep's mark between matches that are no neighbours */
	if (context->about == ABOUT_HEADING && !(name == 2 && memcmp(text, "--", 2) == 0))
		context->about = ABOUT_NOTHING;
	if (context->next == NEXT_OTHER || name == 0 || name >= PATH_BYTES ||
	    !place_link(m, text, name, false, 0, name, &place))
		return false;
	set_path(context, ABOUT_HEADING, text, name);
	/* whether it is a heading is not known before the next line */
	m->count -= context->next == NEXT_UNKNOWN;
	return context->next == NEXT_NUMBERED;
}

/* ---- from outside ------------------------------------------------------- */

bool
lines_match(struct matches *m, struct context *context, const char *text, size_t n)
{
	bool diff;

	if (context->amid)
		return false;
	diff = match_diff(m, context, text, n);
	return (lines_needed(context) && match_heading(m, context, text, n)) ||
	    diff;
}
