/* SPDX-License-Identifier: MIT */
/* progress: shows progress in the taskbar or tab (OSC 9;4). */
#include "base/base.h"
#include "commands/command.h"
#include "encoder/encoder.h"
#include "tty/tty.h"

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

/* ---- the indicator ------------------------------------------------------ */

struct request progress_request = { .feature = FEATURE_PROGRESS, .selections = "",
	.identify = true, .abort = SEQUENCE_ABORT };

bool
progress_send(struct sink *sink, enum progress state, unsigned percent, struct error *error)
{
	struct buf bytes = BUF_EMPTY;
	bool ok;

	encode_progress(&bytes, state, percent);
	ok = sink_send(sink, &bytes, error);
	buf_free(&bytes);
	return ok;
}

/* ---- one sequence ------------------------------------------------------- */

static void
send_once(const struct call *call)
{
	enum progress state = opt.clear ? PROGRESS_CLEAR : opt.busy ? PROGRESS_BUSY :
	    opt.error ? PROGRESS_ERROR : opt.paused ? PROGRESS_PAUSED : PROGRESS_NORMAL;
	struct sink sink;
	/* --error and --paused without a number fill the bar */
	unsigned percent = 100;
	struct error error;

	if ((opt.clear || opt.busy) && call->count > 0)
		die(STATUS_USAGE, NULL, "--%s takes no number", opt.clear ? "clear" : "busy");
	if (state == PROGRESS_NORMAL && call->count == 0)
		die(STATUS_USAGE, "give 45 or 12/80, or --busy if it is not known",
		    "no percentage given");
	if (call->count > 1)
		die(STATUS_USAGE, NULL, "more than one percentage given");
	if (call->count == 1 && !scan_operand(call->operand[0], &percent))
		die(STATUS_USAGE, "give a number from 0 to 100, or N/M with N up to M",
		    "%s is not a percentage", text_quote(call->operand[0]).text);

	if (!sink_open(&sink, &progress_request, &error) ||
	    !progress_send(&sink, state, percent, &error))
		die_of(&error);
	sink_report(&sink);
}

/* ---- a stream ----------------------------------------------------------- */

enum {
	/* faster updates are not visible */
	PACE_MS = 100,
	/* SIGTSTP is handled between waits */
	WAIT_MS = 200
};

struct stream {
	struct sink sink;
	bool shows;          /* has a route, and no write failed */
	struct scan scan;
	int found, shown;    /* percentage, or SCAN_NONE */
	long long shown_at;
	const char *failure; /* a failed operation, with its errno; or NULL */
	int failed;
};

/* A failure is a warning, and ends the display. */
static void
progress_show(struct stream *s, enum progress state, unsigned percent)
{
	struct error error = { .status = STATUS_DONE };

	s->shows = progress_send(&s->sink, state, percent, &error);
	if (!s->shows && signals_signal() == 0)
		warn_of(&error);
}

/* Shows new progress and waits for input until the next update, at most WAIT_MS. */
static bool
wait_for_bytes(struct stream *s)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	long long due = WAIT_MS, since = clock_ms() - s->shown_at;
	int ready;

	if (s->shows && s->found != SCAN_NONE)
		due = s->shown == SCAN_NONE ? 0 :
		    (s->found != s->shown ? PACE_MS : PROGRESS_RENEW_MS) - since;
	if (due <= 0) {
		progress_show(s, PROGRESS_NORMAL, (unsigned)s->found);
		s->shown = s->found;
		s->shown_at = clock_ms();
		due = 0;
	}
	if (signals_stop_wanted())
		signals_stop();
	ready = wait_on(&p, 1, due < WAIT_MS ? (int)due : WAIT_MS);
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

/* Copies the bytes, then scans them. Returns false at the end of the input. */
static bool
copy_some(struct stream *s)
{
	unsigned char bytes[16 * 1024];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n == 0)
		return false;
	if (n < 0 || !write_all((const char *)bytes, (size_t)n)) {
		s->failed = errno;
		if (signals_signal() == 0)
			s->failure = n < 0 ? "cannot read standard input" :
			    "cannot write to standard output";
		return false;
	}
	s->found = scan_bytes(&s->scan, bytes, (size_t)n);
	return true;
}

static void
pass_stream(struct stream *s)
{
	signals_begin(0);
	while (signals_signal() == 0 &&
	    (!wait_for_bytes(s) || copy_some(s)))
		continue;
	if (s->shown != SCAN_NONE && s->shows)
		progress_show(s, PROGRESS_CLEAR, 0);
	signals_end();
	errno = s->failed;
	if (s->failure != NULL)
		die_system(s->failure);
}

/* Copies the input even if no terminal shows progress, so that the pipe works. */
static void
send_scanned(const struct call *call)
{
	struct stream s = { .found = SCAN_NONE, .shown = SCAN_NONE };
	struct error error = { .status = STATUS_DONE };

	if (call->count > 0)
		die(STATUS_USAGE, NULL, "--scan reads standard input: no number with it");
	if (globals.print != PRINT_NOT || globals.json)
		die(STATUS_USAGE, NULL,
		    "--scan writes to standard output: no --print or --json with it");
	if (isatty(STDIN_FILENO))
		die(STATUS_USAGE, "use it in a pipe: COMMAND | viatty progress --scan",
		    "nothing to scan: standard input is a terminal");
	scan_begin(&s.scan);
	s.shows = sink_open(&s.sink, &progress_request, &error);
	if (!s.shows && (error.status == STATUS_USAGE || signals_caught != 0))
		die_of(&error);
	warn_of(&error);
	pass_stream(&s);
	/* The Cargo Book, term.progress.when; pip 24.1, cli/progress_bars.py */
	if (s.shows && s.found == SCAN_NONE && signals_caught == 0)
		warn(NULL, "no progress found; to print it to a pipe, cargo needs "
		    "CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=80, pip 24.1 "
		    "--progress-bar raw");
	if (s.sink.sent > 0)
		sink_report(&s.sink);
}

/* ---- the command -------------------------------------------------------- */

static int
progress_run(struct call *call)
{
	if (opt.busy + opt.error + opt.paused + opt.clear + opt.scan > 1)
		die(STATUS_USAGE, NULL, "--busy, --error, --paused, --clear and --scan exclude "
		    "each other");
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
