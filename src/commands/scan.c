/* SPDX-License-Identifier: MIT */
/* Finds progress in text. */
#include "commands/command.h"

#include "base/base.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* Nine digits, so that a number times 2000 does not overflow. */
#define NUMBER "([0-9]{1,9})"
#define DECIMAL NUMBER "([.,]([0-9])[0-9]*)?"

/*
 * `mark` follows a digit or a space in every match. The groups are the steps done, or the
 * percentage, its first decimal, and all steps.
 */
static const struct form {
	const char *mark, *expression;
	unsigned char part, decimal, whole;
} forms[] = {
	/* on the command line */
	{ "", "^" DECIMAL "%?$", 1, 3, 0 },
	{ "/", "^" NUMBER "/" NUMBER "$", 1, 0, 2 },
	/* in a stream: 45%  45.3 % */
	{ "%", "(^|[^[:alnum:].,_/%-])" DECIMAL " ?%", 2, 4, 0 },
	/* [12/80]  (12/80); docker build: [builder 12/80] */
	{ "/", "[[(] *([[:alnum:]_-]+ )?" NUMBER " */ *" NUMBER " *[])]", 2, 0, 3 },
	/* meson and CTest; docker build; docker compose: [+] Running 3/5; cargo: [==> ] 3/5: */
	{ "/", "^( *|Step |\\[[+]] [[:alpha:]]+ |.*[=> ]] )" NUMBER "/" NUMBER "[ :\n]", 2, 0, 3 },
	{ " of ", "(^|[^[:alnum:].,_/-])" NUMBER " of " NUMBER "[^[:alnum:]_/%-]", 2, 0, 3 },
};

enum { OPERANDS = 2, FORMS = sizeof(forms) / sizeof(forms[0]), GROUPS = 5 };

/*
 * Lines with a percentage other than progress: of tests (go test, pytest-cov, jest,
 * llvm-cov), of the machine, of ping, zip and git, columns of a table, the output of the
 * steps of docker build, and short phases of apt.
 */
static const char other_lines[] =
	    "(^|[^[:alpha:]])(coverage|covered|cpu|memory|usage|used|battery|loss|deflated|ratio|"
	    "(dis)?similarity|faster|slower)($|[^[:alpha:]])|([0-9]+ +){2}[0-9.]+%|"
	    "^#[0-9]+ [0-9.]+ |^(reading|building) [a-z ]+[.]{3}";

static regex_t regex[FORMS], other;

static void
compile(regex_t *compiled, const char *expression, int flags)
{
	if (regcomp(compiled, expression, REG_EXTENDED | flags) != 0)
		die(STATUS_FAILED, NULL, "out of memory");
}

/* The percentage of a match, rounded, but to 100 only at the end. False: above 100. */
static bool
read_match(const struct form *form, const char *text, const regmatch_t *group,
    unsigned *percent)
{
	unsigned long long part = strtoul(text + group[form->part].rm_so, NULL, 10), whole = 1000;

	if (form->whole != 0) {
		whole = strtoul(text + group[form->whole].rm_so, NULL, 10);
	} else {
		part *= 10;
		if (group[form->decimal].rm_so >= 0)
			part += (unsigned)(text[group[form->decimal].rm_so] - '0');
	}
	if (whole == 0 || part > whole)
		return false;
	*percent = (unsigned)((part * 200 + whole) / (whole * 2));
	if (*percent == 100 && part < whole)
		*percent = 99;
	return true;
}

bool
scan_operand(const char *word, unsigned *percent)
{
	regmatch_t group[GROUPS];
	size_t i;

	for (i = 0; i < OPERANDS; i++) {
		compile(&regex[i], forms[i].expression, 0);
		if (regexec(&regex[i], word, GROUPS, group, 0) == 0)
			return read_match(&forms[i], word, group, percent);
	}
	return false;
}

void
scan_begin(struct scan *s)
{
	size_t i;

	for (i = OPERANDS; i < FORMS; i++)
		compile(&regex[i], forms[i].expression, 0);
	compile(&other, other_lines, REG_ICASE);
	*s = (struct scan){ .before = SCAN_NONE };
}

static bool
has_mark(const char *line, const char *mark)
{
	const char *at = line;

	while ((at = strstr(at + 1, mark)) != NULL)
		if (text_is_digit(at[-1]) || at[-1] == ' ')
			return true;
	return false;
}

/* The last progress in the line. */
static int
line_percent(struct scan *s)
{
	regmatch_t group[GROUPS];
	int percent = SCAN_NONE;
	size_t i, at, last = 0;
	unsigned found;

	s->line[s->n] = '\0';
	for (i = OPERANDS; s->n > 1 && i < FORMS; i++) {
		if (!has_mark(s->line, forms[i].mark))
			continue;
		for (at = 0; regexec(&regex[i], s->line + at, GROUPS, group,
		    at > 0 ? REG_NOTBOL : 0) == 0; at += (size_t)group[0].rm_eo)
			if (at + (size_t)group[0].rm_eo > last &&
			    read_match(&forms[i], s->line + at, group, &found)) {
				last = at + (size_t)group[0].rm_eo;
				percent = (int)found;
			}
	}
	if (percent != SCAN_NONE && regexec(&other, s->line, 0, NULL, 0) == 0)
		return SCAN_NONE;
	return percent;
}

/* If the line continues, keeps its last half. */
static void
end_line(struct scan *s, bool goes_on)
{
	int percent = line_percent(s);
	size_t kept = goes_on ? s->n / 2 : 0;

	if (percent != SCAN_NONE)
		s->before = percent;
	memmove(s->line, s->line + s->n - kept, kept);
	s->n = kept;
}

int
scan_bytes(struct scan *s, const unsigned char *bytes, size_t n)
{
	enum parsed parsed;
	int percent, state;
	char c;
	size_t i;

	for (i = 0; i < n; i++) {
		state = s->parser.state;
		parsed = parse_byte(&s->parser, bytes[i]);
		/* a NUL would end the text */
		c = (char)(bytes[i] == '\r' ? '\n' : bytes[i] != '\0' ? bytes[i] : ' ');
		if (parsed == PARSED_CUT || parsed == PARSED_CUT_BY_ESCAPE)
			i--;
		/* all but colors and character sets move the cursor: a new line */
		if (parsed == PARSED_END && ((s->parser.kind == SEQUENCE_CSI && c != 'm') ||
		    (s->parser.kind == SEQUENCE_ESCAPE && state == PARSER_ESCAPE)))
			c = '\n';
		else if (parsed != PARSED_TEXT)
			continue;
		s->line[s->n++] = c;
		if (c == '\n' || s->n + 1 == sizeof(s->line))
			end_line(s, c != '\n');
	}
	percent = line_percent(s);
	return percent != SCAN_NONE ? percent : s->before;
}
