/* SPDX-License-Identifier: MIT */
/* progress: shows progress in the taskbar or tab (OSC 9;4). */
#include "base/clock.h"
#include "base/percent_scan.h"
#include "base/text.h"
#include "base/wait.h"
#include "commands/command.h"
#include "commands/progress_output.h"
#include "commands/report.h"
#include "encoder/encoder.h"
#include "tty/signals.h"

#include <errno.h>
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
	FLAG('s', "scan", "copy stdin to stdout and show progress found in it", opt.scan),
	{ .kind = OPTION_END }
};

enum {
	/* --error and --paused without a number fill the bar */
	WHOLE = 100
};

/* ---- one sequence ------------------------------------------------------- */

static enum progress
state_of_options(void)
{
	return opt.clear ? PROGRESS_CLEAR : opt.busy ? PROGRESS_BUSY :
	    opt.error ? PROGRESS_ERROR : opt.paused ? PROGRESS_PAUSED :
	    PROGRESS_NORMAL;
}

static bool
read_percent(const struct call *call, unsigned *percent, struct error *error)
{
	bool optional = opt.error || opt.paused;

	*percent = WHOLE;
	if (call->count == 0 && !optional) {
		error_set(error, STATUS_USAGE, "no percentage given");
		return error_hint(error, "give 45 or 12/80, or --busy if it is not "
		    "known");
	}
	if (call->count > 1)
		return error_set(error, STATUS_USAGE, "more than one percentage given");
	if (call->count == 0 || percent_parse(call->operand[0], percent))
		return true;
	error_set(error, STATUS_USAGE, "%s is not a percentage",
	    text_quote(call->operand[0]).text);
	return error_hint(error, "give a number from 0 to 100, or N/M with N up to M");
}

static bool
send_once(struct call *call, struct error *error)
{
	enum progress state = state_of_options();
	struct progress_output output;
	unsigned percent = 0;
	bool fine;

	if (state == PROGRESS_CLEAR || state == PROGRESS_BUSY) {
		if (call->count > 0)
			return error_set(error, STATUS_USAGE,
			    "--%s takes no number", opt.clear ? "clear" : "busy");
	} else if (!read_percent(call, &percent, error)) {
		return false;
	}
	fine = progress_open(&output, call, true, error) &&
	    progress_send(&output, state, percent, error) &&
	    progress_report(&output, error);
	progress_close(&output);
	return fine;
}

/* ---- a stream ----------------------------------------------------------- */

enum {
	/* the eye sees no faster updates */
	PACE_MS = 100,
	/* SIGTSTP is handled between waits */
	WAIT_MS = 200
};

enum { NEVER = PERCENT_NONE };

struct scan {
	struct progress_output output;
	struct percent_scan gauge;
	enum sequence_open open;       /* a sequence that the next bytes continue */
	unsigned char last;            /* the last byte, an ESC that begins one, or 0 */
	int found, shown;              /* percent, or NEVER */
	long long shown_at;
};

static void
show_percent(struct scan *scan, enum progress state, int percent)
{
	progress_show(&scan->output, state, (unsigned)percent);
	scan->shown = percent;
	scan->shown_at = clock_ms();
}

/* Milliseconds until the next update. */
static long long
due_in(const struct scan *scan)
{
	long long since = clock_ms() - scan->shown_at;

	if (!scan->output.shows || scan->found == NEVER)
		return WAIT_MS;
	if (scan->shown == NEVER)
		return 0;
	return (scan->found != scan->shown ? PACE_MS : PROGRESS_RENEW_MS) - since;
}

/* Waits for input, at most until the next update or WAIT_MS. */
static bool
wait_for_bytes(struct scan *scan)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	long long due = due_in(scan);
	int ready;

	if (due <= 0) {
		show_percent(scan, PROGRESS_NORMAL, scan->found);
		due = 0;
	}
	if (signals_stop_wanted())
		signals_stop(0);
	ready = wait_on(&p, 1, due < WAIT_MS ? (int)due : WAIT_MS);
	/* poll() fails for some files: read() waits for them */
	return ready > 0 || (ready < 0 && errno != EINTR);
}

/* Writes all; stops at a signal. */
static bool
pass_on(const char *bytes, size_t n)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };
	ssize_t got;

	while (n > 0) {
		got = write(STDOUT_FILENO, bytes, n);
		if (got < 0 && signals_signal() != 0)
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

/* Whether what follows the sequence is displayed elsewhere; colors are part of a line. */
static bool
moves_cursor(const unsigned char *sequence, size_t n, enum sequence_kind kind)
{
	return (kind == SEQUENCE_CSI && sequence[n - 1] != 'm') ||
	    (kind == SEQUENCE_ESCAPE && n == 2);
}

/* Scans the text between sequences. The byte before `bytes` belongs to the caller. */
static void
scan_bytes(struct scan *scan, unsigned char *bytes, size_t n)
{
	enum sequence_kind kind;
	size_t at = 0, length;

	if (scan->last != 0) {
		*--bytes = scan->last;
		n++;
		scan->last = 0;
	}
	if (scan->open > SEQUENCE_CUT) {
		at = sequence_rest(bytes, n, &scan->open);
		/* half of an ST */
		if (at < n && scan->open > SEQUENCE_CUT) {
			scan->last = bytes[at];
			return;
		}
	}
	for (; at < n; at += length) {
		length = sequence_next(bytes + at, n - at, &kind);
		if (kind == SEQUENCE_TEXT)
			scan->found = percent_read(&scan->gauge,
			    (const char *)bytes + at, length);
		else if (kind == SEQUENCE_BROKEN && at + length == n)
			scan->open = sequence_opened(bytes + at, length);
		else if (moves_cursor(bytes + at, length, kind))
			scan->found = percent_read(&scan->gauge, "\r", 1);
	}
}

/* Copies the bytes before it scans them. False: end of input. */
static bool
take_some(struct scan *scan, struct error *error)
{
	unsigned char room[1 + 16 * 1024], *const bytes = room + 1;
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(room) - 1);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n < 0)
		return error_system(error, "cannot read standard input");
	if (n == 0)
		return false;
	if (!pass_on((const char *)bytes, (size_t)n))
		return signals_signal() != 0 ? false :
		    error_stdout(error);
	scan_bytes(scan, bytes, (size_t)n);
	return true;
}

static void
pass_stream(struct scan *scan, struct error *error)
{
	signals_begin(0);
	while (signals_signal() == 0 &&
	    (!wait_for_bytes(scan) || take_some(scan, error)))
		continue;
	if (scan->shown != NEVER && scan->output.shows)
		progress_show(&scan->output, PROGRESS_CLEAR, 0);
	signals_end();
	if (signals_signal() != 0)
		scan->output.call->signal = signals_signal();
}

static bool
check_scan(const struct call *call, struct error *error)
{
	if (call->count > 0)
		return error_set(error, STATUS_USAGE, "--scan reads standard "
		    "input: no number with it");
	if (call->globals->print != PRINT_NOT || call->globals->json)
		return error_set(error, STATUS_USAGE, "--scan writes to standard "
		    "output: no --print or --json with it");
	if (!isatty(STDIN_FILENO))
		return true;
	error_set(error, STATUS_USAGE,
	    "nothing to scan: standard input is a terminal");
	return error_hint(error, "use it in a pipe: COMMAND | viatty progress --scan");
}

/* Without a terminal that shows progress it still copies, so that the pipe works. */
static bool
send_scanned(struct call *call, struct error *error)
{
	struct scan scan = { .found = NEVER, .shown = NEVER };

	if (!check_scan(call, error))
		return false;
	if (!progress_open(&scan.output, call, true, error)) {
		if (error->status == STATUS_USAGE || call->signal != 0) {
			progress_close(&scan.output);
			return false;
		}
		report_warning(call, error->message, error->hint);
	}
	*error = (struct error){ .status = STATUS_DONE };
	pass_stream(&scan, error);
	if (error->status == STATUS_DONE)
		progress_report(&scan.output, error);
	progress_close(&scan.output);
	return error->status == STATUS_DONE;
}

/* ---- the command -------------------------------------------------------- */

static bool
progress_run(struct call *call, struct error *error)
{
	if (opt.busy + opt.error + opt.paused + opt.clear + opt.scan > 1)
		return error_set(error, STATUS_USAGE, "--busy, --error, --paused, "
		    "--clear and --scan exclude each other");
	return opt.scan ? send_scanned(call, error) : send_once(call, error);
}

const struct command command_progress = {
	.name = "progress",
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
