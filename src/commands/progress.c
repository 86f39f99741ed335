/* SPDX-License-Identifier: MIT */
/* progress: shows progress in the taskbar or tab (OSC 9;4). */
#include "commands/command.h"

#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	bool busy, error, paused, clear, scan;
} opt;

static const struct option_spec options[] = {
	FLAG('b', "busy", "show activity without a percentage", opt.busy),
	FLAG('e', "error", "show an error", opt.error),
	FLAG('p', "paused", "show a pause", opt.paused),
	FLAG('c', "clear", "remove the progress indicator", opt.clear),
	{ OPTION_FLAG, 's', "scan", NULL, "copy stdin to stdout and show progress found in it",
	    &opt.scan, .not_with = "print json" },
	{ .kind = OPTION_END }
};

/* ---- progress in text --------------------------------------------------- */

enum { NONE = -1 };

/* Twelve digits, so that a number times 2000 does not overflow. */
#define COUNT "([0-9][0-9,]{0,11})"
#define DECIMAL "([0-9]{1,9})([.,]([0-9])[0-9]*)?"

static const struct form {
	const char *mark, *expression;
	unsigned char part, decimal, whole;
} forms[] = {
	/* on the command line */
	{ "", "^" DECIMAL "%?$", 1, 3, 0 },
	{ "/", "^([0-9]{1,9})/([0-9]{1,9})$", 1, 0, 2 },
#define FORM(mark, expression, part, decimal, whole) \
	{ mark, expression, part, decimal, whole },
#include "commands/progress.def"
#undef FORM
};

enum { OPERANDS = 2, FORMS = sizeof(forms) / sizeof(forms[0]), GROUPS = 6 };

/*
 * Lines with a percentage other than progress: of tests (go test, pytest-cov, jest,
 * llvm-cov), of the machine, of ping, zip and git, columns of a table (df -h), dates, the
 * output of the steps of docker build, and short phases of apt.
 */
static const char other_lines[] =
	    "(^|[^[:alpha:]])(coverage|covered|cpu|memory|usage|used|battery|loss|deflated|ratio|"
	    "(dis)?similarity|faster|slower|date|score|rating)"
	    "($|[^[:alpha:]])|([0-9.]+[kKMGTP]?i?B? +){2}[0-9.]+%|%  .*[0-9]%|"
	    "^#[0-9]+ [0-9.]+ |^(reading|building) [a-z ]+[.]{3}";

static void
compile(regex_t *regex, const char *expression, int flags)
{
	if (regcomp(regex, expression, REG_EXTENDED | flags) != 0)
		die(STATUS_FAILED, "out of memory");
}

/* A number, without the commas in it. */
static unsigned long long
read_count(const char *text, const regmatch_t *group)
{
	unsigned long long count = 0;
	regoff_t i;

	for (i = group->rm_so; i < group->rm_eo; i++)
		if (text[i] != ',')
			count = count * 10 + (unsigned)(text[i] - '0');
	return count;
}

/* The percentage of a match, rounded, but to 100 only at the end. Returns false above 100. */
static bool
read_match(const struct form *form, const char *text, const regmatch_t *group,
    unsigned *percent)
{
	unsigned long long part = read_count(text, &group[form->part]), whole = 1000;

	if (form->whole != 0) {
		whole = read_count(text, &group[form->whole]);
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

/*
 * Parses a percentage: "45", "45.3", "45%" or "12/80". Returns false for another form, or more
 * than 100.
 */
static bool
scan_operand(const char *word, unsigned *percent)
{
	regmatch_t group[GROUPS];
	bool matches = false;
	regex_t regex;
	size_t i;

	for (i = 0; i < OPERANDS && !matches; i++) {
		compile(&regex, forms[i].expression, 0);
		matches = regexec(&regex, word, GROUPS, group, 0) == 0;
		regfree(&regex);
	}
	return matches && read_match(&forms[i - 1], word, group, percent);
}

/* ---- progress in a stream ------------------------------------------------ */

struct scanner {
	regex_t regex[FORMS], other;
	struct parser parser;
	char line[512]; /* the text of the current line, or the end of a long one */
	size_t size;
	int before;     /* the last progress before the line */
	long number;    /* of the last line, see number_alone() */
	int percent;    /* the latest */
};

static void
scanner_begin(struct scanner *s)
{
	size_t i;

	*s = (struct scanner){ .before = NONE, .number = NONE, .percent = NONE };
	for (i = OPERANDS; i < FORMS; i++)
		compile(&s->regex[i], forms[i].expression, REG_ICASE);
	compile(&s->other, other_lines, REG_ICASE);
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

/* Whether there are words between the two; if so, a second percentage is that of a part. */
static bool
has_words(const char *line, size_t from, size_t to)
{
	while (from < to && !text_is_letter(line[from]) && line[from] != '[')
		from++;
	return from < to;
}

/*
 * The percentage in a complete line of pv -n: from the first line of the stream on, all are
 * numbers that do not fall. No number follows one that is above 100.
 */
static int
number_alone(struct scanner *s)
{
	long last = s->number;
	char *end;

	s->line[s->size] = '\0';
	s->number = strtol(s->line, &end, 10);
	if (!text_is_digit(s->line[0]) || strcmp(end, "\n") != 0 || s->number < last)
		s->number = LONG_MAX;
	return s->number <= 100 && last != NONE ? (int)s->number : NONE;
}

/* The last progress in the line. */
static int
line_percent(struct scanner *s)
{
	const char *line = s->line;
	regmatch_t group[GROUPS];
	int percent = NONE;
	size_t i, at, last = 0;
	unsigned value;

	s->line[s->size] = '\0';
	for (i = OPERANDS; s->size > 1 && i < FORMS; i++) {
		if (!has_mark(line, forms[i].mark))
			continue;
		for (at = 0; regexec(&s->regex[i], line + at, GROUPS, group,
		    at > 0 ? REG_NOTBOL : 0) == 0; at += (size_t)group[0].rm_eo)
			if (at + (size_t)group[0].rm_eo > last &&
			    (forms[i].whole != 0 || last == 0 ||
			        !has_words(line, last, at + (size_t)group[0].rm_so)) &&
			    read_match(&forms[i], line + at, group, &value)) {
				last = at + (size_t)group[0].rm_eo;
				percent = (int)value;
			}
	}
	if (percent != NONE && regexec(&s->other, line, 0, NULL, 0) == 0)
		return NONE;
	return percent;
}

/*
 * Finds the latest progress. An incomplete line counts, but its end may show that it contains no
 * progress.
 */
static void
scan_bytes(struct scanner *s, const unsigned char *bytes, size_t n)
{
	enum parsed parsed;
	int percent, state;
	size_t i, kept;
	char c;

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
		s->line[s->size++] = c;
		if (c != '\n' && s->size + 1 < sizeof(s->line))
			continue;
		percent = line_percent(s);
		if (percent == NONE && c == '\n')
			percent = number_alone(s);
		s->before = percent != NONE ? percent : s->before;
		/* the last half of a line that continues */
		kept = c != '\n' ? s->size / 2 : 0;
		memmove(s->line, s->line + s->size - kept, kept);
		s->size = kept;
	}
	percent = line_percent(s);
	s->percent = percent != NONE ? percent : s->before;
}

/* ---- the indicator ------------------------------------------------------ */

const struct request progress_request = { .feature = FEATURE_PROGRESS, .selections = "" };

bool
progress_send(struct sink *sink, enum progress state, unsigned percent, struct error *error)
{
	static struct buf bytes = BUF_EMPTY;

	bytes.len = 0;
	encode_progress(&bytes, state, percent);
	sink->request.may_skip = state != PROGRESS_CLEAR;
	return sink_send(sink, &bytes, error);
}

/* ---- one sequence ------------------------------------------------------- */

static void
send_once(const struct call *call)
{
	enum progress state = opt.clear ? PROGRESS_CLEAR : opt.busy ? PROGRESS_BUSY :
	    opt.error ? PROGRESS_ERROR : opt.paused ? PROGRESS_PAUSED : PROGRESS_NORMAL;
	/* --error and --paused without a number fill the bar */
	unsigned percent = 100;
	static struct buf bytes = BUF_EMPTY;

	if ((opt.clear || opt.busy) && call->count > 0)
		die(STATUS_USAGE, "--%s takes no number", opt.clear ? "clear" : "busy");
	if (state == PROGRESS_NORMAL && call->count == 0)
		die(STATUS_USAGE, "no percentage given\n"
		    "give 45 or 12/80, or --busy if it is not known");
	if (call->count > 1)
		die(STATUS_USAGE, "more than one percentage given");
	if (call->count == 1 && !scan_operand(call->operand[0], &percent))
		die(STATUS_USAGE, "%s is not a percentage\n"
		    "give a number from 0 to 100, or N/M with N up to M",
		    text_quote(call->operand[0]).text);

	encode_progress(&bytes, state, percent);
	send_request(&progress_request, &bytes);
}

/* ---- a stream ----------------------------------------------------------- */

enum {
	/* faster updates are not visible */
	PACE_MS = 100,
	/* SIGTSTP is handled between waits */
	WAIT_MS = 200
};

struct display {
	struct sink sink;
	bool works;         /* it has a route, and no write failed */
	int shown;          /* percentage, or NONE */
	long long shown_at; /* in milliseconds of clock_ms() */
};

/* A failure is a warning, and ends the display. */
static void
show_percent(struct display *d, enum progress state, int percent)
{
	struct error error = { .status = STATUS_DONE };
	const size_t sent = d->sink.sent;

	d->works = progress_send(&d->sink, state, (unsigned)percent, &error);
	if (!d->works && signals_caught == 0)
		warn_of(&error);
	if (d->sink.sent > sent)
		d->shown = percent;
	d->shown_at = clock_ms();
}

/* Shows new progress and waits for input until the next update, at most WAIT_MS. */
static bool
wait_for_bytes(struct display *d, int percent)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	long long due = WAIT_MS;
	int ready;

	if (d->works && percent != NONE)
		due = d->shown == NONE ? 0 : d->shown_at - clock_ms() +
		    (percent != d->shown ? PACE_MS : PROGRESS_RENEW_MS);
	if (due <= 0)
		show_percent(d, PROGRESS_NORMAL, percent);
	if (signals_stop_wanted())
		signals_stop();
	ready = wait_on(&p, 1, due <= 0 ? 0 : due < WAIT_MS ? (int)due : WAIT_MS);
	/* poll() fails for some files: read() waits for them */
	return ready > 0 || (ready < 0 && errno != EINTR);
}

/* Writes all bytes, unless a signal arrives. */
static bool
write_all(const char *bytes, size_t n)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };
	ssize_t got;

	while (n > 0) {
		got = write(STDOUT_FILENO, bytes, n);
		if (got < 0 && signals_caught != 0)
			return false;
		if (got < 0 && errno == EAGAIN)
			wait_on(&p, 1, WAIT_MS);
		else if (got < 0 && errno != EINTR)
			return false;
		if (got > 0) {
			bytes += got;
			n -= (size_t)got;
		}
	}
	return true;
}

/* Copies the input even if no terminal shows progress, so that the pipe works. */
static void
send_scanned(const struct call *call)
{
	static struct scanner scanner;
	static struct display d;
	unsigned char bytes[16 * 1024];
	struct error error = { .status = STATUS_DONE };
	const char *failed = NULL;
	int failure = 0;
	ssize_t n;

	if (call->count > 0)
		die(STATUS_USAGE, "--scan takes no number");
	if (isatty(STDIN_FILENO))
		die(STATUS_USAGE, "nothing to scan: standard input is a terminal\n"
		    "use it in a pipe: COMMAND | viatty progress --scan");
	d.shown = NONE;
	scanner_begin(&scanner);
	d.works = sink_open(&d.sink, &progress_request, &error);
	if (!d.works && (error.status == STATUS_USAGE || signals_caught != 0))
		die_of(&error);
	warn_of(&error);
	signals_begin(0, true);
	while (signals_caught == 0) {
		if (!wait_for_bytes(&d, scanner.percent))
			continue;
		n = read(STDIN_FILENO, bytes, sizeof(bytes));
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n == 0)
			break;
		if (n < 0 || !write_all((const char *)bytes, (size_t)n)) {
			failure = errno;
			if (signals_caught == 0)
				failed = n < 0 ? "cannot read standard input" :
				    "cannot write to standard output";
			break;
		}
		scan_bytes(&scanner, bytes, (size_t)n);
	}
	if (d.shown != NONE && d.works)
		show_percent(&d, PROGRESS_CLEAR, 0);
	signals_end();
	if (failed != NULL)
		die(STATUS_FAILED, "%s: %s", failed, strerror(failure));
	/* The Cargo Book, term.progress.when; pip 24.1, cli/progress_bars.py */
	if (d.works && scanner.percent == NONE && signals_caught == 0)
		warn("no progress found, such as 45%%, [12/80] or downloading 12 of 80\n"
		    "to print it to a pipe, cargo needs CARGO_TERM_PROGRESS_WHEN=always "
		    "CARGO_TERM_PROGRESS_WIDTH=80, pip 24.1 --progress-bar raw, pv -f");
	if (d.sink.sent > 0)
		sink_report(&d.sink);
}

/* ---- the command -------------------------------------------------------- */

static int
progress_run(struct call *call)
{
	if (opt.busy + opt.error + opt.paused + opt.clear + opt.scan > 1)
		die(STATUS_USAGE,
		    "--busy, --error, --paused, --clear and --scan cannot be used together");
	if (opt.scan)
		send_scanned(call);
	else
		send_once(call);
	return STATUS_DONE;
}

const struct command command_progress = {
	.name = "progress",
	.group = "Notify",
	.operands = "[PERCENT | N/M]",
	.summary = "show progress in the taskbar or tab",
	.verdict = "not shown",
	.options = options,
	.examples = {
		{ "make 2>&1 | viatty progress --scan",
		    "show the progress that a program prints" },
		{ "viatty progress 12/80", "show 15 percent" },
	},
	.run = progress_run,
};
