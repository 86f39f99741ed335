/* SPDX-License-Identifier: MIT */
/*
 * route/plan: paths built by hand, and the way that must follow from
 * them. The expectations are those of the promise (it arrives, or it is said
 * what drops it and what would mend that), not of the code.
 */
#include "route/plan.h"

#include "commands/reasons.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* ---- paths in few words ------------------------------------------ */

/*
 * A hop with what differs from the usual: a tmux 3.3a as it is shipped, shown
 * by one xterm of ours on /dev/pts/9.
 */
struct around {
	enum { NOTHING, TMUX, SILENT, EITHER, SCREEN, ZELLIJ, MOSH, HOST } what;
	const char *version;
	char set;    /* set-clipboard: n on, f off, ? unknown, else external */
	char pass;   /* allow-passthrough: n on, a all, ? unknown, else off */
	bool hidden, in_mode;
	enum { ONE, NOBODY, CONTROL_ONLY, NOBODY_BUT_ELSEWHERE } clients;
	const char *term, *features;
	const char *outer; /* NULL: the usual one; "": not known, or not ours */
	const char *name;  /* of a host */
	bool detached;     /* Screen */
	/* what questions to a silent tmux told; UNDECIDED: not all were put;
	   NEWER: it is 3.7, where silence about the clipboard proves nothing */
	enum { UNTOLD, PASSES, COPIES, DROPS, UNDECIDED, NEWER } told;
	bool keeps_names, sets_titles;
};

static void
set_up_tmux(struct hop *hop, const struct around *a)
{
	struct tmux *tmux = &hop->tmux;
	const char *term = a->term != NULL ? a->term : "xterm-256color";
	const char *features = a->features != NULL ? a->features :
	    "256,clipboard,title";

	strcpy(tmux->address.socket, "/tmp/tmux-1000/default");
	tmux->address.server = 4711;
	strcpy(tmux->version, a->version != NULL ? a->version : "3.3a");
	strcpy(tmux->session, "work");
	strcpy(tmux->pane_tty, "/dev/pts/3");
	tmux->set_clipboard = a->set == 'n' ? SET_CLIPBOARD_ON :
	    a->set == 'f' ? SET_CLIPBOARD_OFF :
	    a->set == '?' ? SET_CLIPBOARD_UNKNOWN : SET_CLIPBOARD_EXTERNAL;
	tmux->passthrough = a->pass == 'n' ? PASSTHROUGH_ON :
	    a->pass == 'a' ? PASSTHROUGH_ALL :
	    a->pass == '?' ? PASSTHROUGH_UNKNOWN : PASSTHROUGH_OFF;
	tmux->in_mode = a->in_mode;
	tmux->shown = !a->hidden;
	tmux->allow_rename = !a->keeps_names;
	tmux->sets_titles = a->sets_titles;
	if (a->clients == NOBODY_BUT_ELSEWHERE)
		strcpy(tmux->elsewhere, "/dev/pts/77");
	if (a->clients == NOBODY || a->clients == NOBODY_BUT_ELSEWHERE)
		return;
	tmux->clients = 1;
	if (a->clients == CONTROL_ONLY) {
		tmux->control_clients = 1;
		return;
	}
	tmux->has_client = true;
	strcpy(tmux->client.tty, "/dev/pts/9");
	strcpy(tmux->client.term, term);
	strcpy(tmux->client.features, features);
	strcpy(hop->outer_tty, a->outer != NULL ? a->outer : "/dev/pts/9");
}

static void
set_up_hop(struct hop *hop, const struct around *a)
{
	static const struct { enum hop_kind kind; const char *name; } kinds[] = {
		[TMUX] = { HOP_TMUX, "tmux" },
		[SILENT] = { HOP_TMUX_UNREACHABLE, "tmux" },
		[EITHER] = { HOP_TMUX_OR_SCREEN, "tmux or screen" },
		[SCREEN] = { HOP_SCREEN, "screen" },
		[ZELLIJ] = { HOP_ZELLIJ, "zellij" },
		[MOSH] = { HOP_MOSH, "mosh" },
		[HOST] = { HOP_EDITOR, "nvim" },
	};

	*hop = (struct hop){ .kind = kinds[a->what].kind };
	strcpy(hop->name, a->name != NULL ? a->name : kinds[a->what].name);
	if (a->what == TMUX)
		set_up_tmux(hop, a);
	else if (a->outer != NULL)
		strcpy(hop->outer_tty, a->outer);
	hop->detached = a->detached;
	hop->probe.answered = a->told != UNTOLD;
	hop->probe.asked = a->told == PASSES || a->told == DROPS ||
	    a->told == NEWER;
	hop->probe.passes = a->told == PASSES;
	hop->probe.interprets = a->told == COPIES;
	hop->probe.copy_known = a->told != UNTOLD && a->told != NEWER;
}

enum { AROUND_MAX = 3 };

struct row {
	const char *what;
	/* the path, from the nearest hop outwards */
	struct around around[AROUND_MAX];
	enum device_source source; /* DEVICE_NONE stands for the controlling one */
	const char *terminal;      /* at the end; NULL: not known */
	const char *variable;      /* the version that its variable tells, or NULL */
	bool dumb;
	/* the request: a copy of 5 bytes of text to the clipboard, but for */
	enum route_kind forced;
	const char *selections, *chain, *term;
	size_t payload;            /* 0: 5 bytes */
	bool clears, binary, raw, force;
	size_t nul;                /* 1 + its offset */
	/* instead of the copy; the first three for the nearest multiplexer */
	enum { A_COPY, A_TITLE, A_STACK, A_NAME, AN_OUTER_TITLE, A_PROGRESS } sends;
	/* what must follow */
	enum status status;
	enum route_kind kind;
	const char *device, *layers; /* layers NULL: none */
	enum { SURE, UNSURE, EITHER_WAY } confidence;
	/* parts of reason, note, warning and hint, or of message and hint */
	const char *words, *more;
};

/* The two shapes of DEVICE: what /dev/tty is, and what a pane has. */
static const char *
own_device(const struct row *row)
{
	switch (row->source) {
	case DEVICE_ASKED_FOR:
		return "/dev/pts/5";
	case DEVICE_STDOUT:
		return "stdout";
	case DEVICE_STDERR:
		return "stderr";
	case DEVICE_PANE:
		return "/dev/pts/3";
	case DEVICE_ANCESTOR:
		return "/dev/pts/7";
	default:
		return "/dev/tty";
	}
}

static void
set_up(struct path *path, const struct row *row)
{
	*path = (struct path){ .fd = -1 };
	strcpy(path->term, row->dumb ? "dumb" : "xterm-256color");
	path->source = row->source != DEVICE_NONE ? row->source : DEVICE_CONTROLLING;
	strcpy(path->device, own_device(row));
	if (row->source == DEVICE_ANCESTOR)
		strcpy(path->ancestor, "vim");
	while (path->hops < AROUND_MAX && row->around[path->hops].what != NOTHING) {
		set_up_hop(&path->hop[path->hops], &row->around[path->hops]);
		path->hops++;
	}
	path->terminal = path->by_environment = terminal_by_id(row->terminal);
	if (row->variable != NULL)
		strcpy(path->environment_version, row->variable);
	cr_assert(row->terminal == NULL || path->terminal != NULL, "%s", row->what);
}

static struct request
request_of(const struct row *row, struct chain *chain)
{
	static const unsigned features[] = {
		[A_TITLE] = FEATURE_TITLE, [A_STACK] = FEATURE_TITLE_STACK,
		[A_NAME] = FEATURE_WINDOW_NAME, [AN_OUTER_TITLE] = FEATURE_TITLE,
		[A_PROGRESS] = FEATURE_PROGRESS,
	};
	size_t payload = row->clears ? 0 : row->payload != 0 ? row->payload : 5;
	struct request request = {
		.feature = row->raw ? FEATURE_ANY : FEATURE_COPY,
		.selections = row->raw ? "" : row->selections != NULL ?
		    row->selections : "c",
		.payload = payload,
		.sequence = row->raw ? payload : clipboard_write_size(payload),
		.utf8 = !row->binary,
		.not_utf8 = row->binary ? 3 : 0,
		.nul = row->nul,
		.moves_cursor = row->raw,
		.route = row->forced,
		.terminal = terminal_by_id(row->term),
		.force = row->force,
	};

	if (row->chain != NULL) {
		cr_assert(chain_parse(chain, row->chain));
		request.chain = chain;
	}
	if (row->sends != A_COPY) {
		request.feature = features[row->sends];
		request.for_multiplexer = row->sends < AN_OUTER_TITLE;
		request.selections = "";
		request.sequence = 0;
	}
	return request;
}

static bool
says(const char *words, const char *a, const char *b, const char *c,
    const char *d)
{
	return words == NULL || strstr(a, words) != NULL ||
	    strstr(b, words) != NULL || strstr(c, words) != NULL ||
	    strstr(d, words) != NULL;
}

/* With the words of what was decided. */
static bool
plans(struct route *route, struct explanation *words, const struct path *path,
    const struct request *request, struct error *error)
{
	*words = (struct explanation){ .reason = "" };
	*error = (struct error){ .status = STATUS_DONE };
	if (!plan_route(route, path, request))
		return explain_refusal(error, route, path);
	explain_route(words, route, path);
	return true;
}

static void
expect_sent(const struct row *row, const struct route *r,
    const struct explanation *e, const struct error *error)
{
	char layers[CHAIN_TEXT];

	chain_format(&r->chain, layers);
	cr_expect_str_eq(route_words[r->kind], route_words[row->kind],
	    "%s: route %s, not %s (%s)", row->what, route_words[r->kind],
	    route_words[row->kind], error->message);
	if (row->device != NULL)
		cr_expect_str_eq(r->device, row->device, "%s: to %s", row->what,
		    r->device);
	cr_expect_str_eq(layers, row->layers != NULL ? row->layers : "none",
	    "%s: layers %s", row->what, layers);
	if (row->confidence != EITHER_WAY)
		cr_expect_eq(r->confidence, row->confidence == SURE ?
		    CONFIDENCE_KNOWN : CONFIDENCE_UNKNOWN, "%s: confidence %d",
		    row->what, (int)r->confidence);
	cr_expect_neq(e->reason[0], '\0', "%s: no reason", row->what);
	cr_expect(says(row->words, e->reason, e->note, e->warning,
	    e->warning_hint) && says(row->more, e->reason, e->note, e->warning,
	    e->warning_hint), "%s: \"%s\" \"%s\" \"%s\" \"%s\"", row->what,
	    e->reason, e->note, e->warning, e->warning_hint);
}

static void
expect_rows(const struct row *row, size_t count)
{
	static struct path path;
	struct request request;
	struct route route;
	struct explanation words;
	struct error error;
	struct chain chain;
	bool fine;

	for (; count-- > 0; row++) {
		set_up(&path, row);
		request = request_of(row, &chain);
		error = (struct error){ .status = STATUS_DONE };
		fine = plans(&route, &words, &path, &request, &error);
		if (fine && row->status == STATUS_DONE) {
			expect_sent(row, &route, &words, &error);
			continue;
		}
		cr_expect(!fine && row->status != STATUS_DONE,
		    "%s: %s %s (%s)", row->what, fine ? "sent by" : "refused",
		    fine ? route_words[route.kind] : error.message,
		    fine ? words.reason : error.hint);
		if (fine || row->status == STATUS_DONE)
			continue;
		cr_expect_eq(error.status, row->status, "%s: status %d", row->what,
		    (int)error.status);
		cr_expect_neq(error.message[0], '\0', "%s: no message", row->what);
		cr_expect(says(row->words, error.message, error.hint, "", "") &&
		    says(row->more, error.message, error.hint, "", ""),
		    "%s: \"%s\" \"%s\"", row->what, error.message, error.hint);
	}
}

/* ---- no multiplexer ------------------------------------------------------ */

Test(route, no_multiplexer)
{
	static const struct row rows[] = {
		{ "a plain terminal", .terminal = "foot", .kind = ROUTE_DIRECT,
		    .device = "/dev/tty", .words = "no multiplexer" },
		{ "a terminal that was asked for", .source = DEVICE_ASKED_FOR,
		    .terminal = "foot", .kind = ROUTE_DIRECT,
		    .device = "/dev/pts/5" },
		{ "standard output", .source = DEVICE_STDOUT, .terminal = "foot",
		    .kind = ROUTE_DIRECT, .device = "stdout" },
		{ "an ancestor's terminal", .source = DEVICE_ANCESTOR,
		    .terminal = "foot", .kind = ROUTE_DIRECT,
		    .device = "/dev/pts/7", .words = "vim" },
		{ "any sequence", .raw = true, .terminal = "foot",
		    .kind = ROUTE_DIRECT, .device = "/dev/tty" },
		{ "any sequence, to a terminal that has no clipboard",
		    .raw = true, .terminal = "linux", .kind = ROUTE_DIRECT },
		{ "100 MB to a terminal without a limit", .terminal = "kitty",
		    .payload = 100000000, .kind = ROUTE_DIRECT },
		{ "every letter", .selections = "cpqs01234567",
		    .terminal = "kitty", .kind = ROUTE_DIRECT },
		{ "layers that were given", .chain = "tmux,screen",
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux,screen",
		    .device = "/dev/tty", .confidence = UNSURE },
		{ "no layer that was given", .chain = "none",
		    .kind = ROUTE_DIRECT, .confidence = UNSURE },
	};

	expect_rows(rows, LEN(rows));
}

Test(route, terminals_that_do_not_copy)
{
	static const struct row rows[] = {
		{ "VTE", .terminal = "vte", .status = STATUS_REFUSED,
		    .words = "GNOME Terminal (like every VTE terminal) lets no "
		    "program", .more = "--term" },
		{ "the Linux console", .terminal = "linux",
		    .status = STATUS_REFUSED, .words = "Linux console" },
		{ "rxvt-unicode", .terminal = "rxvt-unicode",
		    .status = STATUS_REFUSED },
		{ "PuTTY", .terminal = "putty", .status = STATUS_REFUSED },
		{ "said to be another one", .terminal = "vte", .term = "foot",
		    .kind = ROUTE_DIRECT },
		{ "said to be VTE", .terminal = "foot", .term = "vte",
		    .status = STATUS_REFUSED, .words = "VTE" },
		{ "forced", .terminal = "vte", .force = true,
		    .kind = ROUTE_DIRECT, .confidence = EITHER_WAY },
		{ "by its tmux's client", .around = { { .what = TMUX } },
		    .terminal = "vte", .status = STATUS_REFUSED, .words = "VTE" },
		{ "TERM=dumb", .dumb = true, .status = STATUS_REFUSED,
		    .words = "dumb", .more = "--term" },
		{ "TERM=dumb, a known terminal", .dumb = true, .term = "foot",
		    .kind = ROUTE_DIRECT },
		{ "TERM=dumb, forced", .dumb = true, .force = true,
		    .kind = ROUTE_DIRECT, .confidence = EITHER_WAY },
		{ "TERM=dumb, layers that were given", .dumb = true,
		    .chain = "tmux", .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .confidence = UNSURE },
		{ "TERM=dumb and any sequence", .dumb = true, .raw = true,
		    .status = STATUS_REFUSED, .words = "dumb" },
	};

	expect_rows(rows, LEN(rows));
}

/* The selection and the emptying have rows of their own in the table. */
Test(route, terminals_that_do_not_clear_or_have_no_such_selection)
{
	static const struct row rows[] = {
		{ "Alacritty does not clear", .terminal = "alacritty",
		    .clears = true, .kind = ROUTE_DIRECT,
		    .words = "a newline overwrites" },
		{ "Contour drops every letter but c", .terminal = "contour",
		    .selections = "p", .status = STATUS_REFUSED,
		    .words = "Contour" },
		{ "kitty clears", .terminal = "kitty", .clears = true,
		    .kind = ROUTE_DIRECT },
		{ "kitty has a primary selection", .terminal = "kitty",
		    .selections = "p", .kind = ROUTE_DIRECT },
	};

	expect_rows(rows, LEN(rows));
}

/* Which bytes arrive; what is known not to is not sent, for it destroys what is there. */
Test(route, bytes_that_a_terminal_does_not_store)
{
	static const struct row rows[] = {
		{ "Alacritty, not UTF-8", .terminal = "alacritty", .binary = true,
		    .status = STATUS_REFUSED, .words = "offset 2", .more = "UTF-8" },
		{ "Alacritty, a NUL", .terminal = "alacritty", .nul = 5,
		    .kind = ROUTE_DIRECT },
		{ "Alacritty, forced", .terminal = "alacritty", .binary = true,
		    .force = true, .kind = ROUTE_DIRECT },
		{ "foot, not UTF-8", .terminal = "foot", .binary = true,
		    .kind = ROUTE_DIRECT },
		{ "foot, a NUL", .terminal = "foot", .nul = 5,
		    .status = STATUS_REFUSED, .words = "offset 4", .more = "NUL" },
		{ "Windows Terminal, both", .terminal = "windows-terminal",
		    .binary = true, .nul = 2, .status = STATUS_REFUSED,
		    .words = "offset 1", .more = "NUL" },
		{ "Windows Terminal, both, the NUL later",
		    .terminal = "windows-terminal", .binary = true, .nul = 7,
		    .status = STATUS_REFUSED, .words = "offset 2", .more = "UTF-8" },
		{ "kitty 0.26", .terminal = "kitty", .variable = "0.26.5",
		    .binary = true, .status = STATUS_REFUSED, .words = "offset 2" },
		{ "kitty 0.27", .terminal = "kitty", .variable = "0.27.0",
		    .binary = true, .nul = 1, .kind = ROUTE_DIRECT },
		{ "some kitty", .terminal = "kitty", .binary = true,
		    .kind = ROUTE_DIRECT },
		{ "nobody knows which", .binary = true, .nul = 1,
		    .kind = ROUTE_DIRECT, .confidence = UNSURE },
		{ "past tmux", .around = { { .what = TMUX } },
		    .terminal = "alacritty", .binary = true,
		    .status = STATUS_REFUSED, .words = "offset 2" },
	};

	expect_rows(rows, LEN(rows));
}

/* A version that is known and older does not; one that is not known may. */
Test(route, what_came_with_a_later_version)
{
	static const struct row rows[] = {
		{ "Konsole 22.12", .terminal = "konsole", .variable = "221203",
		    .status = STATUS_REFUSED, .words = "24.11.70",
		    .more = "221203" },
		{ "Konsole 22.12, forced", .terminal = "konsole",
		    .variable = "221203", .force = true, .kind = ROUTE_DIRECT },
		{ "Konsole 25.04", .terminal = "konsole", .variable = "250400",
		    .kind = ROUTE_DIRECT, .confidence = SURE },
		{ "some Konsole", .terminal = "konsole", .kind = ROUTE_DIRECT,
		    .confidence = UNSURE },
		{ "VTE 0.70, progress", .terminal = "vte", .variable = "7000",
		    .sends = A_PROGRESS, .status = STATUS_REFUSED,
		    .words = "0.80", .more = "7000" },
		{ "VTE 0.80, progress", .terminal = "vte", .variable = "8000",
		    .sends = A_PROGRESS, .kind = ROUTE_DIRECT, .confidence = SURE },
		{ "some VTE, progress", .terminal = "vte", .sends = A_PROGRESS,
		    .kind = ROUTE_DIRECT, .confidence = UNSURE },
		{ "some kitty, progress", .terminal = "kitty", .sends = A_PROGRESS,
		    .status = STATUS_REFUSED, .words = "not known" },
		{ "macOS's own", .terminal = "apple-terminal",
		    .status = STATUS_REFUSED, .words = "Apple Terminal" },
	};

	expect_rows(rows, LEN(rows));
}

/* Known is what every link is known to do; the rest is not known not to. */
Test(route, confidence_is_not_claimed)
{
	static const struct row rows[] = {
		{ "a known terminal", .terminal = "foot", .kind = ROUTE_DIRECT,
		    .confidence = SURE },
		{ "nobody knows which terminal", .kind = ROUTE_DIRECT,
		    .confidence = UNSURE },
		{ "as shipped, xterm does not", .terminal = "xterm",
		    .kind = ROUTE_DIRECT, .confidence = UNSURE },
		{ "nothing is known of its copying",
		    .terminal = "xtermjs", .kind = ROUTE_DIRECT,
		    .confidence = UNSURE },
		{ "a tmux that did not say whether it passes",
		    .around = { { TMUX, .pass = '?', .outer = "" } },
		    .terminal = "foot", .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux", .confidence = UNSURE },
	};

	expect_rows(rows, LEN(rows));
}

/* ---- limits -------------------------------------------------------------- */

/*
 * The largest payload whose sequence fits, and one byte more of sequence. The
 * numbers are computed from the bodies that the sources of the terminals
 * count: "52;c;" and 4 characters for each 3 bytes.
 */
Test(route, limits_hold_exactly)
{
	static const struct row rows[] = {
		/* 5 + 4 * 12798 = 51197 <= 51199 < 51201 */
		{ "Contour, at its limit", .terminal = "contour",
		    .payload = 12798 * 3, .kind = ROUTE_DIRECT },
		{ "Contour, one over", .terminal = "contour",
		    .payload = 12798 * 3 + 1, .status = STATUS_REFUSED,
		    .words = "Contour", .more = "too large" },
		{ "Contour, one over, forced", .terminal = "contour",
		    .payload = 12798 * 3 + 1, .force = true,
		    .kind = ROUTE_DIRECT, .confidence = EITHER_WAY },
		/* 5 + 4 * 262142 = 1048573 <= 1048576 < 1048577 */
		{ "iTerm2, at its limit", .terminal = "iterm2",
		    .payload = 262142 * 3, .kind = ROUTE_DIRECT,
		    .confidence = EITHER_WAY },
		{ "iTerm2, one over", .terminal = "iterm2",
		    .payload = 262142 * 3 + 1, .status = STATUS_REFUSED,
		    .words = "iTerm2" },
		/* 5 + 4 * 2499999 = 10000001 <= 10000003 */
		{ "VS Code, at its limit", .terminal = "vscode",
		    .payload = 2499999 * 3, .kind = ROUTE_DIRECT },
		{ "VS Code, one over", .terminal = "vscode",
		    .payload = 2499999 * 3 + 1, .status = STATUS_REFUSED },
		/* 12,282 bytes were seen whole, 12,283 cut */
		{ "mosh, at its limit", .around = { { .what = MOSH } },
		    .payload = 12282, .terminal = "foot", .kind = ROUTE_PLAIN },
		{ "mosh, one over", .around = { { .what = MOSH } }, .payload = 12283,
		    .status = STATUS_REFUSED, .words = "mosh" },
		{ "mosh, one over, forced", .around = { { .what = MOSH } },
		    .payload = 12283, .force = true, .kind = ROUTE_PLAIN,
		    .confidence = EITHER_WAY },
		/* ESC ]52;c; and ST around 4 * 262140 characters: 1048569 */
		{ "tmux's passthrough, at its limit",
		    .around = { { TMUX, .pass = 'n', .outer = "" } },
		    .terminal = "foot", .payload = 262140 * 3,
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux" },
		{ "tmux's passthrough, forced, one over",
		    .around = { { TMUX, .pass = 'n', .outer = "" } },
		    .forced = ROUTE_PASSTHROUGH, .payload = 262140 * 3 + 1,
		    .status = STATUS_REFUSED, .words = "tmux",
		    .more = "too large" },
		{ "layers that were given, at the limit", .chain = "tmux",
		    .payload = 262140 * 3, .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux", .confidence = UNSURE },
		{ "layers that were given, one over", .chain = "tmux",
		    .payload = 262140 * 3 + 1, .status = STATUS_REFUSED },
		{ "any sequence at the limit", .chain = "tmux", .raw = true,
		    .payload = TMUX_SEQUENCE_MAX, .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux", .confidence = UNSURE },
		{ "any sequence, one over", .chain = "tmux", .raw = true,
		    .payload = TMUX_SEQUENCE_MAX + 1, .status = STATUS_REFUSED },
		{ "Screen has none", .around = { { .what = SCREEN } },
		    .payload = 5000000, .terminal = "foot",
		    .kind = ROUTE_PASSTHROUGH, .layers = "screen" },
		{ "the client's terminal has none of tmux's",
		    .around = { { .what = TMUX } }, .terminal = "foot",
		    .payload = 20000000, .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/9" },
		{ "an old tmux, passthrough, small",
		    .around = { { TMUX, "3.2a", .pass = 'n', .outer = "" } },
		    .terminal = "foot", .payload = 9000,
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux" },
		{ "an old tmux, passthrough, 20 kB",
		    .around = { { TMUX, "3.2a", .pass = 'n', .outer = "" } },
		    .forced = ROUTE_PASSTHROUGH, .payload = 20000,
		    .status = STATUS_REFUSED, .words = "3.3" },
		{ "an old tmux and its client's terminal, 1 MB",
		    .around = { { TMUX, "3.0a", .pass = 'n' } },
		    .terminal = "foot", .payload = 1000000,
		    .kind = ROUTE_CLIENT_TTY },
		{ "a new tmux plain, at its limit",
		    .around = { { TMUX, .set = 'n', .outer = "" } },
		    .terminal = "foot", .payload = 786420, .kind = ROUTE_PLAIN },
	};

	expect_rows(rows, LEN(rows));
}

/* The smallest on the way, for those who want to know before they send. */
Test(route, limits_are_told)
{
	static const struct { struct row row; size_t limit; } rows[] = {
		{ { "none", .terminal = "foot" }, 0 },
		{ { .what = "an unknown terminal's" }, 0 },
		{ { "Contour's", .terminal = "contour" }, 51199 + 4 },
		{ { "mosh's", .around = { { .what = MOSH } } }, 16384 + 4 },
		{ { "tmux's", .around = { { TMUX, .pass = 'n', .outer = "" } },
		    .terminal = "foot" }, TMUX_SEQUENCE_MAX },
		{ { "tmux's, around a larger one",
		    .around = { { TMUX, .pass = 'n', .outer = "" } },
		    .terminal = "ghostty" }, TMUX_SEQUENCE_MAX },
		{ { "the terminal's, around a larger one",
		    .around = { { TMUX, .pass = 'n', .outer = "" } },
		    .terminal = "contour" }, 51199 + 4 },
		{ { "the terminal's, past tmux", .around = { { .what = TMUX } },
		    .terminal = "contour" }, 51199 + 4 },
		{ { "none, past tmux", .around = { { .what = TMUX } },
		    .terminal = "foot" }, 0 },
	};
	static struct path path;
	struct request request;
	struct route route;
	struct explanation words;
	struct error error;
	struct chain chain;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		set_up(&path, &rows[i].row);
		request = request_of(&rows[i].row, &chain);
		cr_expect(plans(&route, &words, &path, &request, &error), "%s",
		    rows[i].row.what);
		cr_expect_eq(route.limit, rows[i].limit, "%s: %zu",
		    rows[i].row.what, route.limit);
	}
}

/* What a person may have to know although it was sent. */
Test(route, terminals_with_conditions)
{
	static const struct row rows[] = {
		{ "xterm has to be told to", .terminal = "xterm",
		    .kind = ROUTE_DIRECT, .confidence = UNSURE,
		    .words = "disallowedWindowOps" },
		{ "iTerm2 as well", .terminal = "iterm2", .kind = ROUTE_DIRECT,
		    .confidence = UNSURE, .words = "Applications may access" },
		{ "some builds of xterm drop so much", .terminal = "xterm",
		    .payload = 20000, .kind = ROUTE_DIRECT,
		    .confidence = UNSURE, .words = "20004" },
		{ "a primary selection that is none",
		    .terminal = "windows-terminal", .selections = "p",
		    .status = STATUS_REFUSED, .words = "primary" },
	};

	expect_rows(rows, LEN(rows));
}

/* What the inner tmux keeps is the sequence with the outer one's wrapping. */
Test(route, limit_of_tmux_counts_what_is_inside_its_string)
{
	static const struct row rows[] = {
		{ "tmux in tmux, well below", .chain = "tmux,tmux",
		    .payload = 780000, .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux,tmux", .confidence = UNSURE },
		/* 1048569 bytes, and 7 + 2 more ESC + 2 around them */
		{ "tmux in tmux, the outer one's wrapping is over the limit",
		    .chain = "tmux,tmux", .payload = 262140 * 3,
		    .status = STATUS_REFUSED, .words = "too large" },
	};

	expect_rows(rows, LEN(rows));
}

/* Inside Screen's, each string of tmux's is one short piece. */
Test(route, tmux_in_screen_has_no_limit)
{
	static const struct row rows[] = {
		{ "5 MB through tmux in Screen", .chain = "tmux,screen",
		    .payload = 5000000, .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux,screen", .confidence = UNSURE },
	};

	expect_rows(rows, LEN(rows));
}

/* Before 3.3 tmux throws away what its client does not take at once. */
Test(route, old_tmux_cuts_whatever_way_the_text_takes)
{
	static const struct row rows[] = {
		{ "load-buffer, 100 kB",
		    .around = { { TMUX, "3.2a", .outer = "" } },
		    .forced = ROUTE_LOAD_BUFFER, .payload = 100000,
		    .status = STATUS_REFUSED, .words = "too large" },
		{ "plain, 100 kB",
		    .around = { { TMUX, "3.2a", .set = 'n', .outer = "" } },
		    .forced = ROUTE_PLAIN, .payload = 100000,
		    .status = STATUS_REFUSED, .words = "too large" },
		{ "an old tmux around a new one, 100 kB", .raw = true,
		    .around = { { TMUX, "3.4", .pass = 'n', .outer = "" },
		        { TMUX, "3.1c", .pass = 'n', .outer = "" } },
		    .payload = 100000, .status = STATUS_REFUSED,
		    .words = "too large" },
	};

	expect_rows(rows, LEN(rows));
}

/* ---- tmux on this machine ------------------------------------------------ */

/* Whatever its options: the client's terminal is written to past tmux. */
Test(route, tmux_is_stepped_over_whatever_its_options)
{
	static const char sets[] = "-nf?", passes[] = "-na?";
	static const char *const versions[] = {
		"2.9a", "3.1c", "3.2a", "3.3a", "3.4", "3.7c", "next-3.8",
	};
	static char what[128];
	size_t set, pass, version, state;

	for (set = 0; set < 4; set++)
	    for (pass = 0; pass < 4; pass++)
		for (version = 0; version < LEN(versions); version++)
		    for (state = 0; state < 4; state++) {
			struct row row = { what, .around = { { TMUX,
			    versions[version], .set = sets[set],
			    .pass = passes[pass], .hidden = state & 1,
			    .in_mode = state & 2 } }, .terminal = "foot",
			    .selections = "p", .kind = ROUTE_CLIENT_TTY,
			    .device = "/dev/pts/9" };

			snprintf(what, sizeof(what), "set %c pass %c tmux %s "
			    "state %zu", sets[set], passes[pass],
			    versions[version], state);
			expect_rows(&row, 1);
		    }
}

Test(route, tmux_situations)
{
	static const struct row rows[] = {
		{ "no terminal of ours, but a pane", .around = { { .what = TMUX } },
		    .source = DEVICE_PANE, .terminal = "foot",
		    .kind = ROUTE_CLIENT_TTY, .device = "/dev/pts/9" },
		{ "clearing", .around = { { .what = TMUX } }, .clears = true,
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY },
		{ "a client without the clipboard feature",
		    .around = { { TMUX, .term = "vt220", .features = "" } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY },
		{ "nobody is attached", .around = { { TMUX, .clients = NOBODY } },
		    .status = STATUS_REFUSED, .words = "nobody is attached",
		    .more = "--route tmux-buffer" },
		{ "nobody is attached, whatever the options",
		    .around = { { TMUX, .clients = NOBODY, .set = 'n',
		        .pass = 'a' } }, .status = STATUS_REFUSED,
		    .words = "nobody is attached", .more = "tmux-buffer" },
		{ "another session has a terminal",
		    .around = { { TMUX, .clients = NOBODY_BUT_ELSEWHERE } },
		    .status = STATUS_REFUSED, .words = "nobody is attached",
		    .more = "/dev/pts/77" },
		{ "only a control client: as it is, to the pane",
		    .around = { { TMUX, .clients = CONTROL_ONLY } },
		    .kind = ROUTE_PLAIN, .device = "/dev/tty",
		    .confidence = UNSURE },
		{ "only a control client, any sequence", .raw = true,
		    .around = { { TMUX, .clients = CONTROL_ONLY, .pass = 'n' } },
		    .status = STATUS_REFUSED, .words = "control mode" },
		{ "the client's terminal is not ours; passthrough",
		    .around = { { TMUX, .outer = "", .pass = 'n' } },
		    .terminal = "foot", .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux", .device = "/dev/tty" },
		{ "not ours; set-clipboard on",
		    .around = { { TMUX, .outer = "", .set = 'n' } },
		    .terminal = "foot", .kind = ROUTE_PLAIN,
		    .device = "/dev/tty" },
		{ "not ours; as tmux is shipped",
		    .around = { { TMUX, .outer = "" } }, .terminal = "foot",
		    .kind = ROUTE_LOAD_BUFFER, .device = "", .confidence = UNSURE,
		    .words = "selection" },
		{ "not ours; hidden, passthrough all",
		    .around = { { TMUX, "3.4", .outer = "", .hidden = true,
		        .pass = 'a' } }, .terminal = "foot",
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux" },
		{ "not ours; hidden, passthrough on",
		    .around = { { TMUX, .outer = "", .hidden = true,
		        .pass = 'n', .set = 'n' } }, .terminal = "foot",
		    .kind = ROUTE_LOAD_BUFFER, .confidence = UNSURE },
		{ "not ours; in copy mode, set-clipboard on",
		    .around = { { TMUX, .outer = "", .in_mode = true,
		        .pass = 'a', .set = 'n' } }, .terminal = "foot",
		    .kind = ROUTE_PLAIN },
		{ "not ours; in copy mode, set-clipboard external",
		    .around = { { TMUX, .outer = "", .in_mode = true,
		        .pass = 'a' } }, .terminal = "foot",
		    .kind = ROUTE_LOAD_BUFFER, .confidence = UNSURE },
		{ "not ours; clearing, set-clipboard on",
		    .around = { { TMUX, .outer = "", .set = 'n' } },
		    .clears = true, .kind = ROUTE_PLAIN,
		    .words = "a newline overwrites", .confidence = EITHER_WAY },
		{ "not ours; tmux 3.1, which always passes",
		    .around = { { TMUX, "3.1c", .outer = "", .pass = 'n' } },
		    .terminal = "foot", .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux" },
		{ "not ours; a terminal that tmux does not send a clipboard to",
		    .around = { { TMUX, .outer = "", .term = "vt220",
		        .features = "title" } }, .status = STATUS_REFUSED },
	};

	expect_rows(rows, LEN(rows));
}

/* ---- routes that were asked for ----------------------------------------- */

Test(route, forced_in_tmux)
{
	static const struct row rows[] = {
		{ "passthrough, off", .around = { { .what = TMUX } },
		    .forced = ROUTE_PASSTHROUGH, .status = STATUS_REFUSED,
		    .words = "allow-passthrough is off",
		    .more = "set -g allow-passthrough on" },
		{ "passthrough, on", .around = { { TMUX, .pass = 'n' } },
		    .forced = ROUTE_PASSTHROUGH, .terminal = "foot",
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .device = "/dev/tty" },
		{ "passthrough, on, hidden",
		    .around = { { TMUX, "3.4", .pass = 'n', .hidden = true } },
		    .forced = ROUTE_PASSTHROUGH, .status = STATUS_REFUSED,
		    .words = "not shown", .more = "allow-passthrough all" },
		{ "passthrough, all, hidden",
		    .around = { { TMUX, "3.4", .pass = 'a', .hidden = true } },
		    .forced = ROUTE_PASSTHROUGH, .terminal = "foot",
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux" },
		{ "passthrough, all, copy mode",
		    .around = { { TMUX, "3.4", .pass = 'a', .in_mode = true } },
		    .forced = ROUTE_PASSTHROUGH, .status = STATUS_REFUSED,
		    .words = "copy mode" },
		{ "passthrough, nobody attached",
		    .around = { { TMUX, .pass = 'n', .clients = NOBODY } },
		    .forced = ROUTE_PASSTHROUGH, .status = STATUS_REFUSED,
		    .words = "nobody is attached" },
		{ "passthrough, off, and force", .around = { { .what = TMUX } },
		    .forced = ROUTE_PASSTHROUGH, .force = true,
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .confidence = EITHER_WAY },
		{ "plain, external", .around = { { .what = TMUX } },
		    .forced = ROUTE_PLAIN, .status = STATUS_REFUSED,
		    .words = "set-clipboard", .more = "set -g set-clipboard on" },
		{ "plain, off", .around = { { TMUX, .set = 'f' } },
		    .forced = ROUTE_PLAIN, .status = STATUS_REFUSED,
		    .words = "set-clipboard" },
		{ "plain, on", .around = { { TMUX, .set = 'n' } },
		    .forced = ROUTE_PLAIN, .terminal = "foot",
		    .kind = ROUTE_PLAIN, .device = "/dev/tty" },
		{ "plain, on, hidden",
		    .around = { { TMUX, .set = 'n', .hidden = true } },
		    .forced = ROUTE_PLAIN, .status = STATUS_REFUSED,
		    .words = "not shown" },
		{ "plain, on, copy mode",
		    .around = { { TMUX, .set = 'n', .in_mode = true } },
		    .forced = ROUTE_PLAIN, .terminal = "foot",
		    .kind = ROUTE_PLAIN },
		{ "plain, on, clearing", .around = { { TMUX, .set = 'n' } },
		    .forced = ROUTE_PLAIN, .clears = true, .kind = ROUTE_PLAIN,
		    .words = "a newline overwrites", .confidence = EITHER_WAY },
		{ "plain, external, and force", .around = { { .what = TMUX } },
		    .forced = ROUTE_PLAIN, .force = true, .kind = ROUTE_PLAIN,
		    .confidence = EITHER_WAY },
		{ "plain, on, a terminal without the feature",
		    .around = { { TMUX, .set = 'n', .term = "vt220",
		        .features = "" } }, .forced = ROUTE_PLAIN,
		    .status = STATUS_REFUSED, .words = "vt220" },
		{ "plain, on, before 3.4 the letter is lost",
		    .around = { { TMUX, "3.3a", .set = 'n' } },
		    .forced = ROUTE_PLAIN, .terminal = "foot",
		    .kind = ROUTE_PLAIN, .words = "selection letter" },
		{ "load-buffer", .around = { { .what = TMUX } }, .terminal = "foot",
		    .forced = ROUTE_LOAD_BUFFER, .kind = ROUTE_LOAD_BUFFER,
		    .device = "", .confidence = UNSURE },
		{ "load-buffer, set-clipboard off",
		    .around = { { TMUX, .set = 'f' } }, .terminal = "foot",
		    .forced = ROUTE_LOAD_BUFFER, .kind = ROUTE_LOAD_BUFFER,
		    .confidence = UNSURE },
		{ "load-buffer, 20 MB", .around = { { .what = TMUX } },
		    .terminal = "foot", .forced = ROUTE_LOAD_BUFFER,
		    .payload = 20000000, .kind = ROUTE_LOAD_BUFFER,
		    .confidence = UNSURE },
		{ "load-buffer, tmux 3.1", .around = { { TMUX, .version = "3.1c" } },
		    .forced = ROUTE_LOAD_BUFFER, .status = STATUS_REFUSED,
		    .words = "3.2" },
		{ "load-buffer, clearing", .around = { { .what = TMUX } },
		    .forced = ROUTE_LOAD_BUFFER, .clears = true,
		    .kind = ROUTE_LOAD_BUFFER, .words = "a newline overwrites",
		    .confidence = UNSURE },
		{ "load-buffer, nobody attached",
		    .around = { { TMUX, .clients = NOBODY } },
		    .forced = ROUTE_LOAD_BUFFER, .status = STATUS_REFUSED,
		    .words = "nobody is attached" },
		{ "load-buffer, control clients only",
		    .around = { { TMUX, .clients = CONTROL_ONLY } },
		    .forced = ROUTE_LOAD_BUFFER, .status = STATUS_REFUSED,
		    .words = "control" },
		{ "load-buffer, a terminal without the feature",
		    .around = { { TMUX, .term = "rxvt-unicode",
		        .features = "title" } },
		    .forced = ROUTE_LOAD_BUFFER, .status = STATUS_REFUSED,
		    .words = "rxvt-unicode",
		    .more = "set -as terminal-features ',rxvt-unicode*:clipboard'" },
		{ "tmux-buffer", .around = { { .what = TMUX } },
		    .forced = ROUTE_TMUX_BUFFER, .kind = ROUTE_TMUX_BUFFER,
		    .device = "", .confidence = EITHER_WAY },
		{ "tmux-buffer, nobody attached",
		    .around = { { TMUX, .clients = NOBODY } },
		    .forced = ROUTE_TMUX_BUFFER, .kind = ROUTE_TMUX_BUFFER,
		    .device = "", .confidence = EITHER_WAY },
		{ "client-tty, nobody attached",
		    .around = { { TMUX, .clients = NOBODY } },
		    .forced = ROUTE_CLIENT_TTY, .status = STATUS_REFUSED,
		    .words = "nobody is attached" },
		{ "client-tty, not ours", .around = { { TMUX, .outer = "" } },
		    .forced = ROUTE_CLIENT_TTY, .status = STATUS_REFUSED,
		    .words = "not this user's" },
		{ "direct", .around = { { .what = TMUX } }, .forced = ROUTE_DIRECT,
		    .kind = ROUTE_DIRECT, .device = "/dev/tty",
		    .confidence = UNSURE },
		{ "client-tty, any sequence", .around = { { .what = TMUX } },
		    .raw = true, .forced = ROUTE_CLIENT_TTY,
		    .kind = ROUTE_CLIENT_TTY, .device = "/dev/pts/9",
		    .confidence = EITHER_WAY },
	};

	expect_rows(rows, LEN(rows));
}

/* The line that would mend it must be one that this tmux understands. */
Test(route, hints_fit_the_version)
{
	static struct path path;
	struct row row = { "hidden, passthrough on, 3.3a",
	    .around = { { TMUX, "3.3a", .pass = 'n', .hidden = true } },
	    .forced = ROUTE_PASSTHROUGH };
	struct error error = { .status = STATUS_DONE };
	struct request request;
	struct route route;
	struct explanation words;
	struct chain chain;

	set_up(&path, &row);
	request = request_of(&row, &chain);
	cr_assert_not(plans(&route, &words, &path, &request, &error));
	cr_expect_null(strstr(error.hint, "allow-passthrough all"),
	    "tmux 3.3a knows on and off only: \"%s\"", error.hint);
}

/* What it says of a route that was forced has to be true. */
Test(route, reason_of_a_forced_route_is_true)
{
	static struct path path;
	struct row row = { "direct", .around = { { .what = TMUX } },
	    .forced = ROUTE_DIRECT };
	struct error error = { .status = STATUS_DONE };
	struct request request;
	struct route route;
	struct explanation words;
	struct chain chain;

	set_up(&path, &row);
	request = request_of(&row, &chain);
	cr_assert(plans(&route, &words, &path, &request, &error));
	cr_expect_null(strstr(words.reason, "no multiplexer"),
	    "tmux is: \"%s\"", words.reason);
}

/* route.h: STATUS_USAGE for a forced route that cannot exist here. */
Test(route, a_forced_route_that_cannot_exist_is_a_usage_error)
{
	static const struct row rows[] = {
		{ "client-tty without anything around",
		    .forced = ROUTE_CLIENT_TTY, .status = STATUS_USAGE },
		{ "passthrough without anything around",
		    .forced = ROUTE_PASSTHROUGH, .status = STATUS_USAGE },
		{ "plain without anything around", .forced = ROUTE_PLAIN,
		    .status = STATUS_USAGE },
		{ "load-buffer without tmux", .forced = ROUTE_LOAD_BUFFER,
		    .status = STATUS_USAGE },
		{ "tmux-buffer without tmux", .forced = ROUTE_TMUX_BUFFER,
		    .status = STATUS_USAGE },
		{ "load-buffer in Screen", .around = { { .what = SCREEN } },
		    .forced = ROUTE_LOAD_BUFFER, .status = STATUS_USAGE },
	};

	expect_rows(rows, LEN(rows));
}

/* Both hand over the text itself, and an escape sequence is none. */
Test(route, buffers_are_for_the_clipboard_only)
{
	static const enum route_kind buffers[] = {
		ROUTE_LOAD_BUFFER, ROUTE_TMUX_BUFFER,
	};
	static struct path path;
	struct row row = { "raw", .around = { { .what = TMUX } }, .raw = true };
	struct error error = { .status = STATUS_DONE };
	struct request request;
	struct route route;
	struct explanation words;
	struct chain chain;
	size_t i;

	for (i = 0; i < LEN(buffers); i++) {
		row.forced = buffers[i];
		set_up(&path, &row);
		request = request_of(&row, &chain);
		cr_expect_not(plans(&route, &words, &path, &request, &error),
		    "%s takes an escape sequence for text",
		    route_words[buffers[i]]);
	}
}

/* ---- nesting, and tmux that is not ours ---------------------------------- */

Test(route, nested_multiplexers)
{
	static const struct row rows[] = {
		{ "two tmux, default options in both",
		    .around = { { TMUX, .outer = "/dev/pts/4" }, { .what = TMUX } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/9" },
		{ "three tmux",
		    .around = { { TMUX, .outer = "/dev/pts/4" },
		        { TMUX, .outer = "/dev/pts/6" }, { .what = TMUX } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/9" },
		{ "tmux here, another one where we came from",
		    .around = { { .what = TMUX }, { .what = SILENT } },
		    .kind = ROUTE_CLIENT_TTY, .device = "/dev/pts/9",
		    .layers = "tmux?", .confidence = UNSURE,
		    .words = "set-clipboard on" },
		{ "the outer one's terminal is not ours, but it passes",
		    .around = { { TMUX, .outer = "/dev/pts/4" },
		        { TMUX, .outer = "", .pass = 'n' } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/4", .layers = "tmux" },
		{ "both by passthrough",
		    .around = { { TMUX, .outer = "", .pass = 'n' },
		        { TMUX, .outer = "", .pass = 'n' } },
		    .terminal = "foot", .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux,tmux" },
		{ "any sequence, both pass",
		    .around = { { TMUX, .pass = 'n' }, { TMUX, .pass = 'n' } },
		    .raw = true, .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux,tmux", .device = "/dev/tty",
		    .confidence = EITHER_WAY },
		{ "any sequence, the outer one does not pass",
		    .around = { { TMUX, .pass = 'n' }, { .what = TMUX } }, .raw = true,
		    .status = STATUS_REFUSED,
		    .words = "allow-passthrough is off" },
		{ "tmux in Screen",
		    .around = { { .what = TMUX }, { .what = SCREEN } }, .terminal = "foot",
		    .kind = ROUTE_CLIENT_TTY, .device = "/dev/pts/9",
		    .layers = "screen" },
		{ "tmux in Screen, 5 MB",
		    .around = { { .what = TMUX }, { .what = SCREEN } }, .terminal = "foot",
		    .payload = 5000000, .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/9", .layers = "screen" },
		{ "Screen in tmux, attached where it was started",
		    .around = { { SCREEN, .outer = "/dev/pts/3" }, { .what = TMUX } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/9" },
		{ "Screen in tmux, nobody attached to tmux",
		    .around = { { SCREEN, .outer = "/dev/pts/3" },
		        { TMUX, .clients = NOBODY } },
		    .status = STATUS_REFUSED, .words = "nobody is attached" },
		{ "Screen in Screen",
		    .around = { { SCREEN, .outer = "/dev/pts/3" }, { .what = SCREEN } },
		    .terminal = "foot", .kind = ROUTE_PASSTHROUGH,
		    .layers = "screen,screen", .device = "/dev/tty" },
		{ "Screen alone is not stepped over",
		    .around = { { SCREEN, .outer = "/dev/pts/3" } },
		    .terminal = "foot", .kind = ROUTE_PASSTHROUGH,
		    .layers = "screen", .device = "/dev/tty" },
		{ "tmux in mosh", .around = { { .what = TMUX }, { .what = MOSH } },
		    .kind = ROUTE_CLIENT_TTY, .device = "/dev/pts/9",
		    .confidence = EITHER_WAY },
		{ "tmux in mosh, too large", .around = { { .what = TMUX }, { .what = MOSH } },
		    .payload = 12283, .status = STATUS_REFUSED,
		    .words = "mosh" },
		{ "tmux in zellij", .around = { { .what = TMUX }, { .what = ZELLIJ } },
		    .kind = ROUTE_CLIENT_TTY, .device = "/dev/pts/9",
		    .confidence = EITHER_WAY },
		{ "tmux in zellij, binary", .around = { { .what = TMUX }, { .what = ZELLIJ } },
		    .binary = true, .status = STATUS_REFUSED,
		    .words = "UTF-8" },
	};

	expect_rows(rows, LEN(rows));
}

/* Never a route that spills base64 on the screen. */
Test(route, tmux_itself_never_copies_into_screen)
{
	static const struct row rows[] = {
		{ "set-clipboard on",
		    .around = { { TMUX, .set = 'n', .outer = "" }, { .what = SCREEN } },
		    .status = STATUS_REFUSED },
		{ "external, load-buffer would",
		    .around = { { TMUX, .outer = "" }, { .what = SCREEN } },
		    .status = STATUS_REFUSED },
		{ "a device that was asked for, set-clipboard on",
		    .source = DEVICE_ASKED_FOR,
		    .around = { { TMUX, .set = 'n' }, { .what = SCREEN } },
		    .status = STATUS_REFUSED },
		{ "a device that was asked for, external",
		    .source = DEVICE_ASKED_FOR,
		    .around = { { .what = TMUX }, { .what = SCREEN } },
		    .status = STATUS_REFUSED },
		{ "load-buffer by force of --route",
		    .around = { { .what = TMUX }, { .what = SCREEN } },
		    .forced = ROUTE_LOAD_BUFFER, .status = STATUS_REFUSED },
	};

	expect_rows(rows, LEN(rows));
}

/* The outer one ignores what the inner one sends of its own. */
Test(route, an_outer_tmux_may_drop_what_the_inner_one_sends)
{
	static const struct row rows[] = {
		{ "plain through the inner, the outer external",
		    .around = { { TMUX, .set = 'n' }, { .what = TMUX } },
		    .forced = ROUTE_PLAIN, .status = STATUS_REFUSED,
		    .words = "set-clipboard" },
		{ "load-buffer in the inner, the outer external",
		    .around = { { .what = TMUX }, { .what = TMUX } },
		    .forced = ROUTE_LOAD_BUFFER, .status = STATUS_REFUSED,
		    .words = "set-clipboard" },
		{ "plain through both",
		    .around = { { TMUX, .set = 'n' }, { TMUX, .set = 'n' } },
		    .forced = ROUTE_PLAIN, .kind = ROUTE_PLAIN,
		    .confidence = EITHER_WAY },
	};

	expect_rows(rows, LEN(rows));
}

/* tmux sends no letter at all, and mosh knows 52;c; only. */
Test(route, mosh_drops_what_tmux_sends_of_its_own)
{
	static const struct row rows[] = {
		{ "load-buffer inside mosh", .around = { { .what = TMUX }, { .what = MOSH } },
		    .forced = ROUTE_LOAD_BUFFER, .status = STATUS_REFUSED,
		    .words = "mosh" },
		{ "plain through tmux 3.3a inside mosh",
		    .around = { { TMUX, .set = 'n' }, { .what = MOSH } },
		    .forced = ROUTE_PLAIN, .status = STATUS_REFUSED,
		    .words = "mosh" },
	};

	expect_rows(rows, LEN(rows));
}

Test(route, tmux_that_cannot_be_asked)
{
	static const struct row rows[] = {
		{ "a copy: both ways in one", .around = { { .what = SILENT } },
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux?",
		    .device = "/dev/tty", .confidence = UNSURE,
		    .words = "cannot be asked", .more = "set-clipboard on" },
		{ "any sequence", .around = { { .what = SILENT } }, .raw = true,
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .confidence = UNSURE, .words = "cannot be asked",
		    .more = "allow-passthrough on" },
		{ "at the limit", .around = { { .what = SILENT } },
		    .payload = 262140 * 3, .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux?", .confidence = UNSURE },
		{ "over the limit", .around = { { .what = SILENT } },
		    .payload = 262140 * 3 + 1, .status = STATUS_REFUSED,
		    .words = "too large" },
		{ "two of them", .around = { { .what = SILENT }, { .what = SILENT } },
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux?,tmux?",
		    .confidence = UNSURE },
		{ "Screen inside one",
		    .around = { { SCREEN, .outer = "/dev/pts/3" }, { .what = SILENT } },
		    .kind = ROUTE_PASSTHROUGH, .layers = "screen,tmux?",
		    .confidence = UNSURE },
		{ "it says that it passes",
		    .around = { { SILENT, .told = PASSES } },
		    .terminal = "foot", .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux", .confidence = SURE },
		{ "it says that it copies",
		    .around = { { SILENT, .told = COPIES } },
		    .terminal = "foot", .kind = ROUTE_PLAIN,
		    .device = "/dev/tty" },
		{ "it says that it does neither",
		    .around = { { SILENT, .told = DROPS } },
		    .status = STATUS_REFUSED, .words = "drops it",
		    .more = "set -g set-clipboard on" },
		{ "it does neither, any sequence", .raw = true,
		    .around = { { SILENT, .told = DROPS } },
		    .status = STATUS_REFUSED, .words = "drops it",
		    .more = "set -g allow-passthrough on" },
		{ "it passes, any sequence", .raw = true,
		    .around = { { SILENT, .told = PASSES } },
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .confidence = EITHER_WAY },
		{ "it was not asked all",
		    .around = { { SILENT, .told = UNDECIDED } },
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux?",
		    .confidence = UNSURE, .words = "cannot be asked" },
		{ "3.7 may copy, whatever it has not said",
		    .around = { { SILENT, .told = NEWER } },
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux?",
		    .confidence = UNSURE, .words = "cannot be asked" },
		{ "3.7, told to interpret", .forced = ROUTE_PLAIN,
		    .around = { { SILENT, .told = NEWER } },
		    .kind = ROUTE_PLAIN, .confidence = UNSURE },
		{ "3.7 around a tmux that sends its own",
		    .forced = ROUTE_LOAD_BUFFER,
		    .around = { { .what = TMUX, .version = "3.7c", .set = 'n' },
		        { SILENT, .told = NEWER } },
		    .kind = ROUTE_LOAD_BUFFER, .confidence = UNSURE },
		{ "3.7 that lets nothing through, any sequence", .raw = true,
		    .around = { { SILENT, .told = NEWER } },
		    .status = STATUS_REFUSED, .words = "drops it",
		    .more = "set -g allow-passthrough on" },
		{ "an editor inside one",
		    .around = { { HOST, .outer = "/dev/pts/3" }, { .what = SILENT } },
		    .kind = ROUTE_CLIENT_TTY, .device = "/dev/pts/3",
		    .layers = "tmux?", .confidence = UNSURE },
	};

	expect_rows(rows, LEN(rows));
}

/* It copies, but a clipboard of nothing it takes for none. */
Test(route, clearing_through_a_tmux_that_copies)
{
	static const struct row rows[] = {
		/* it does not clear by itself, and may not let it through */
		{ "set-clipboard is on there, the rest was not asked for",
		    .around = { { SILENT, .told = COPIES } }, .clears = true,
		    .kind = ROUTE_PLAIN, .words = "a newline overwrites",
		    .confidence = EITHER_WAY },
	};

	expect_rows(rows, LEN(rows));
}

/* It ignores a longer one without a word, whoever asked it. */
Test(route, limit_of_a_tmux_that_only_questions_have_reached)
{
	static const struct row rows[] = {
		{ "2 MB", .around = { { SILENT, .told = COPIES } },
		    .payload = 2000000, .status = STATUS_REFUSED,
		    .words = "too large" },
	};

	expect_rows(rows, LEN(rows));
}

/* What is sent by force is wrapped: unwrapped it would be printed as text. */
Test(route, force_leaves_no_layer_out)
{
	static const struct row rows[] = {
		{ "Screen that nobody sees",
		    .around = { { SCREEN, .detached = true } }, .force = true,
		    .kind = ROUTE_PASSTHROUGH, .layers = "screen",
		    .confidence = EITHER_WAY },
		{ "a tmux that drops it",
		    .around = { { SILENT, .told = DROPS } }, .raw = true,
		    .force = true, .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .confidence = EITHER_WAY },
	};

	expect_rows(rows, LEN(rows));
}

/* ---- the others ----------------------------------------------------------- */

Test(route, screen)
{
	static const struct row rows[] = {
		{ "a copy", .around = { { .what = SCREEN } }, .terminal = "foot",
		    .kind = ROUTE_PASSTHROUGH, .layers = "screen",
		    .device = "/dev/tty" },
		{ "clearing", .around = { { .what = SCREEN } }, .terminal = "foot",
		    .clears = true, .kind = ROUTE_PASSTHROUGH,
		    .layers = "screen" },
		{ "any sequence", .around = { { .what = SCREEN } }, .raw = true,
		    .kind = ROUTE_PASSTHROUGH, .layers = "screen",
		    .confidence = EITHER_WAY },
		{ "on standard output", .around = { { .what = SCREEN } },
		    .source = DEVICE_STDOUT, .terminal = "foot",
		    .kind = ROUTE_PASSTHROUGH, .layers = "screen",
		    .device = "stdout" },
		{ "nobody sees it", .around = { { SCREEN, .detached = true } },
		    .status = STATUS_REFUSED, .words = "no terminal shows",
		    .more = "screen -r" },
		{ "plain is nothing for it", .around = { { .what = SCREEN } },
		    .forced = ROUTE_PLAIN, .status = STATUS_REFUSED },
	};

	expect_rows(rows, LEN(rows));
}

Test(route, zellij_and_mosh)
{
	static const struct row rows[] = {
		{ "zellij", .around = { { .what = ZELLIJ } }, .terminal = "foot",
		    .kind = ROUTE_PLAIN, .device = "/dev/tty" },
		{ "zellij, binary", .around = { { .what = ZELLIJ } }, .binary = true,
		    .status = STATUS_REFUSED, .words = "UTF-8" },
		{ "zellij, binary, forced", .around = { { .what = ZELLIJ } },
		    .binary = true, .force = true, .kind = ROUTE_PLAIN,
		    .confidence = EITHER_WAY },
		{ "zellij, 5 MB", .around = { { .what = ZELLIJ } }, .terminal = "foot",
		    .payload = 5000000, .kind = ROUTE_PLAIN },
		{ "mosh", .around = { { .what = MOSH } }, .terminal = "foot",
		    .kind = ROUTE_PLAIN, .device = "/dev/tty" },
		{ "mosh, clearing", .around = { { .what = MOSH } }, .clears = true,
		    .terminal = "foot", .kind = ROUTE_PLAIN },
		{ "mosh, primary", .around = { { .what = MOSH } }, .selections = "p",
		    .status = STATUS_REFUSED, .words = "mosh" },
		{ "mosh, two letters", .around = { { .what = MOSH } },
		    .selections = "pc", .status = STATUS_REFUSED,
		    .words = "mosh" },
		{ "mosh, primary, forced", .around = { { .what = MOSH } },
		    .selections = "p", .force = true, .kind = ROUTE_PLAIN,
		    .confidence = EITHER_WAY },
	};

	expect_rows(rows, LEN(rows));
}

Test(route, host_programs)
{
	static const struct row rows[] = {
		{ "an editor's terminal: past the editor",
		    .around = { { HOST, .outer = "/dev/pts/3" } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/3", .words = "nvim" },
		{ "an editor in tmux",
		    .around = { { HOST, .outer = "/dev/pts/3" }, { .what = TMUX } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/9" },
		{ "tmux in an editor",
		    .around = { { TMUX, .outer = "/dev/pts/4" },
		        { HOST, .outer = "/dev/pts/3" } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/3" },
		{ "an editor in Screen",
		    .around = { { HOST, .outer = "/dev/pts/3" }, { .what = SCREEN } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/3", .layers = "screen" },
		{ "an editor with a window of its own", .around = { { .what = HOST } },
		    .status = STATUS_REFUSED, .words = "nvim",
		    .more = "outside nvim" },
		{ "dvtm has no way",
		    .around = { { HOST, .name = "dvtm" } },
		    .status = STATUS_REFUSED, .words = "dvtm" },
		{ "any sequence is not sent past the editor unasked",
		    .around = { { HOST, .outer = "/dev/pts/3" } }, .raw = true,
		    .status = STATUS_REFUSED, .words = "nvim" },
		{ "any sequence, asked",
		    .around = { { HOST, .outer = "/dev/pts/3" } }, .raw = true,
		    .forced = ROUTE_CLIENT_TTY, .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/3", .confidence = EITHER_WAY },
		{ "an editor in a tmux that nobody is attached to",
		    .around = { { HOST, .outer = "/dev/pts/3" },
		        { TMUX, .clients = NOBODY } },
		    .status = STATUS_REFUSED, .words = "nobody is attached" },
	};

	expect_rows(rows, LEN(rows));
}

/* A device that was asked for is the one that is written to. */
Test(route, devices_that_were_asked_for)
{
	static const struct row rows[] = {
		{ "tmux passes", .source = DEVICE_ASKED_FOR,
		    .around = { { TMUX, .pass = 'n' } }, .terminal = "foot",
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .device = "/dev/pts/5" },
		{ "tmux copies", .source = DEVICE_STDOUT,
		    .around = { { TMUX, .set = 'n' } }, .terminal = "foot",
		    .kind = ROUTE_PLAIN, .device = "stdout" },
		{ "standard error", .source = DEVICE_STDERR,
		    .around = { { TMUX, .pass = 'n' } }, .terminal = "foot",
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .device = "stderr" },
	};

	expect_rows(rows, LEN(rows));
}

Test(route, any_sequence)
{
	static const struct row rows[] = {
		{ "tmux as shipped", .around = { { .what = TMUX } }, .raw = true,
		    .status = STATUS_REFUSED, .words = "allow-passthrough",
		    .more = "--route client-tty" },
		{ "tmux that passes", .around = { { TMUX, .pass = 'n' } },
		    .raw = true, .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .device = "/dev/tty", .confidence = EITHER_WAY },
		{ "tmux in copy mode",
		    .around = { { TMUX, .pass = 'n', .in_mode = true } },
		    .raw = true, .status = STATUS_REFUSED,
		    .words = "copy mode" },
		{ "tmux as shipped, forced", .around = { { .what = TMUX } },
		    .raw = true, .force = true, .kind = ROUTE_PASSTHROUGH,
		    .layers = "tmux", .confidence = EITHER_WAY },
	};

	expect_rows(rows, LEN(rows));
}

/* ---- titles and progress -------------------------------------------------- */

/* What a multiplexer does itself ends there, whatever is around it. */
Test(route, titles_are_for_the_nearest)
{
	static const struct row rows[] = {
		{ "a plain terminal", .sends = A_TITLE, .terminal = "foot",
		    .kind = ROUTE_DIRECT, .device = "/dev/tty" },
		{ "tmux, and nothing of its options", .sends = A_TITLE,
		    .around = { { TMUX, .set = 'f' } }, .terminal = "linux",
		    .kind = ROUTE_PLAIN, .device = "/dev/tty",
		    .words = "for tmux itself" },
		{ "tmux that nobody is attached to", .sends = A_TITLE,
		    .around = { { TMUX, .clients = NOBODY } },
		    .kind = ROUTE_PLAIN, .device = "/dev/tty" },
		{ "a hidden pane", .sends = A_TITLE,
		    .around = { { TMUX, .hidden = true } },
		    .kind = ROUTE_PLAIN },
		{ "no tty, a pane", .sends = A_TITLE, .source = DEVICE_PANE,
		    .around = { { .what = TMUX } }, .kind = ROUTE_PLAIN,
		    .device = "/dev/pts/3" },
		{ "tmux in tmux", .sends = A_TITLE,
		    .around = { { .what = TMUX }, { .what = TMUX } },
		    .kind = ROUTE_PLAIN, .device = "/dev/tty" },
		{ "tmux in a tmux of mosh", .sends = A_STACK,
		    .around = { { .what = TMUX }, { .what = TMUX },
		        { .what = MOSH } }, .kind = ROUTE_PLAIN },
		{ "tmux that cannot be asked", .sends = A_TITLE,
		    .around = { { .what = SILENT } }, .kind = ROUTE_PLAIN,
		    .confidence = UNSURE },
		{ "Screen", .sends = A_TITLE, .around = { { .what = SCREEN } },
		    .terminal = "linux", .kind = ROUTE_PLAIN },
		{ "Screen that nobody is attached to", .sends = A_NAME,
		    .around = { { SCREEN, .detached = true } },
		    .kind = ROUTE_PLAIN },
		{ "Screen in tmux", .sends = A_NAME,
		    .around = { { .what = SCREEN }, { .what = TMUX } },
		    .kind = ROUTE_PLAIN, .device = "/dev/tty",
		    .words = "for screen itself" },
		{ "Zellij", .sends = A_TITLE, .around = { { .what = ZELLIJ } },
		    .kind = ROUTE_PLAIN },
		{ "Zellij keeps titles", .sends = A_STACK,
		    .around = { { .what = ZELLIJ } }, .kind = ROUTE_PLAIN },
		{ "mosh", .sends = A_TITLE, .around = { { .what = MOSH } },
		    .kind = ROUTE_PLAIN },
		{ "forced plain", .sends = A_TITLE, .forced = ROUTE_PLAIN,
		    .around = { { .what = TMUX } }, .kind = ROUTE_PLAIN },
		{ "a device that was asked for", .sends = A_TITLE,
		    .source = DEVICE_ASKED_FOR, .around = { { .what = TMUX } },
		    .kind = ROUTE_PLAIN, .device = "/dev/pts/5" },
		{ "an editor in tmux", .sends = A_TITLE,
		    .around = { { HOST, .outer = "/dev/pts/3" },
		        { .what = TMUX } },
		    .kind = ROUTE_PLAIN, .device = "/dev/pts/3" },
		{ "an editor in a terminal", .sends = A_TITLE,
		    .around = { { HOST, .outer = "/dev/pts/3" } },
		    .terminal = "foot", .kind = ROUTE_CLIENT_TTY,
		    .device = "/dev/pts/3" },
		{ "an editor that was asked for by its device", .sends = A_TITLE,
		    .source = DEVICE_STDOUT,
		    .around = { { HOST, .outer = "/dev/pts/3" } },
		    .status = STATUS_REFUSED, .words = "nvim" },
		{ "an editor that shows no terminal", .sends = A_TITLE,
		    .around = { { .what = HOST } }, .status = STATUS_REFUSED,
		    .words = "nvim", .more = "--outer" },
		{ "the console shows none", .sends = A_TITLE, .terminal = "linux",
		    .status = STATUS_REFUSED, .words = "title" },
		{ "layers that were given", .sends = A_TITLE, .chain = "tmux",
		    .kind = ROUTE_PASSTHROUGH, .layers = "tmux",
		    .confidence = UNSURE },
	};

	expect_rows(rows, LEN(rows));
}

Test(route, what_the_nearest_does_not_do_is_said)
{
	static const struct row rows[] = {
		{ "Screen keeps no titles", .sends = A_STACK,
		    .around = { { .what = SCREEN } }, .status = STATUS_REFUSED,
		    .words = "screen does not keep" },
		{ "nor does mosh", .sends = A_STACK,
		    .around = { { .what = MOSH } }, .status = STATUS_REFUSED },
		{ "it may be Screen", .sends = A_STACK,
		    .around = { { .what = EITHER } }, .status = STATUS_REFUSED },
		{ "forced", .sends = A_STACK, .force = true,
		    .around = { { .what = SCREEN } }, .kind = ROUTE_PLAIN },
		{ "a terminal without a stack", .sends = A_STACK,
		    .terminal = "ghostty", .status = STATUS_REFUSED,
		    .words = "Ghostty" },
		{ "a terminal with one", .sends = A_STACK, .terminal = "xterm",
		    .kind = ROUTE_DIRECT },
		{ "tmux keeps its names", .sends = A_NAME,
		    .around = { { TMUX, .keeps_names = true } },
		    .status = STATUS_REFUSED, .words = "allow-rename",
		    .more = "set -g allow-rename on" },
		{ "tmux lets them be changed", .sends = A_NAME,
		    .around = { { .what = TMUX } }, .kind = ROUTE_PLAIN },
		{ "a title is no name", .sends = A_TITLE,
		    .around = { { TMUX, .keeps_names = true } },
		    .kind = ROUTE_PLAIN },
		{ "no window to name", .sends = A_NAME, .terminal = "xterm",
		    .status = STATUS_REFUSED, .words = "tmux and Screen" },
		{ "no window to name, forced", .sends = A_NAME, .force = true,
		    .kind = ROUTE_DIRECT, .confidence = EITHER_WAY },
		{ "layers that were given", .sends = A_NAME, .chain = "none",
		    .kind = ROUTE_DIRECT, .confidence = EITHER_WAY },
		{ "Zellij names panes", .sends = A_NAME,
		    .around = { { .what = ZELLIJ } }, .status = STATUS_REFUSED,
		    .words = "zellij" },
		{ "mosh has no windows, although tmux is around it",
		    .sends = A_NAME, .around = { { .what = MOSH } },
		    .status = STATUS_REFUSED },
	};

	expect_rows(rows, LEN(rows));
}

Test(route, titles_of_the_terminal_around)
{
	static const struct row rows[] = {
		{ "past tmux", .sends = AN_OUTER_TITLE,
		    .around = { { .what = TMUX } }, .terminal = "xterm",
		    .kind = ROUTE_CLIENT_TTY, .device = "/dev/pts/9" },
		{ "past a tmux that sets it, too", .sends = AN_OUTER_TITLE,
		    .around = { { TMUX, .sets_titles = true } },
		    .terminal = "xterm", .kind = ROUTE_CLIENT_TTY,
		    .words = "set-titles" },
		{ "past two", .sends = AN_OUTER_TITLE,
		    .around = { { .what = TMUX }, { TMUX, .sets_titles = true } },
		    .terminal = "xterm", .kind = ROUTE_CLIENT_TTY,
		    .words = "set-titles" },
		{ "past Screen", .sends = AN_OUTER_TITLE,
		    .around = { { .what = SCREEN } }, .terminal = "xterm",
		    .kind = ROUTE_PASSTHROUGH, .layers = "screen" },
		{ "through mosh", .sends = AN_OUTER_TITLE,
		    .around = { { .what = MOSH } }, .terminal = "xterm",
		    .kind = ROUTE_PLAIN },
		{ "nobody looks at it", .sends = AN_OUTER_TITLE,
		    .around = { { TMUX, .clients = NOBODY } },
		    .status = STATUS_REFUSED, .words = "nobody" },
	};

	expect_rows(rows, LEN(rows));
}

/* Who does not know it pops up a notification of its numbers. */
Test(route, progress_is_for_terminals_that_are_known_to_show_it)
{
	static const struct row rows[] = {
		{ "Ghostty", .sends = A_PROGRESS, .terminal = "ghostty",
		    .variable = "1.3.1", .kind = ROUTE_DIRECT },
		{ "unknown", .sends = A_PROGRESS, .status = STATUS_REFUSED,
		    .words = "not known", .more = "--term" },
		{ "unknown, layers given", .sends = A_PROGRESS, .chain = "none",
		    .status = STATUS_REFUSED },
		{ "said to be kitty", .sends = A_PROGRESS, .term = "kitty",
		    .chain = "none", .kind = ROUTE_DIRECT,
		    .confidence = UNSURE },
		{ "not looked up", .sends = A_PROGRESS,
		    .terminal = "apple-terminal", .status = STATUS_REFUSED },
		{ "foot", .sends = A_PROGRESS, .terminal = "foot",
		    .status = STATUS_REFUSED, .words = "foot" },
		{ "unknown, forced", .sends = A_PROGRESS, .force = true,
		    .kind = ROUTE_DIRECT, .confidence = EITHER_WAY },
		{ "past tmux", .sends = A_PROGRESS,
		    .around = { { .what = TMUX } }, .terminal = "ghostty",
		    .variable = "1.3.1", .kind = ROUTE_CLIENT_TTY },
		{ "a version that is not known", .sends = A_PROGRESS,
		    .terminal = "kitty", .status = STATUS_REFUSED,
		    .words = "not known", .more = "--term" },
		{ "Zellij on kitty", .sends = A_PROGRESS, .terminal = "kitty",
		    .around = { { .what = ZELLIJ } }, .status = STATUS_REFUSED,
		    .words = "Zellij" },
		{ "mosh", .sends = A_PROGRESS, .terminal = "kitty",
		    .around = { { .what = MOSH } }, .status = STATUS_REFUSED,
		    .words = "mosh" },
	};

	expect_rows(rows, LEN(rows));
}

/* A title can be cut: its limit is told, and never a reason to refuse. */
Test(route, limits_of_titles_are_told)
{
	static const struct {
		struct row row;
		size_t limit;
		bool ascii, stack;
	} rows[] = {
		{ { "Ghostty", .sends = A_TITLE, .terminal = "ghostty" },
		    255 + 6, false, false },
		{ { "xterm", .sends = A_TITLE, .terminal = "xterm" }, 1000 + 6,
		    false, true },
		{ { "xterm, kept", .sends = A_STACK, .terminal = "xterm" },
		    1000 + 6, false, true },
		{ { "kitty", .sends = A_TITLE, .terminal = "kitty" }, 0, false,
		    true },
		{ { "unknown", .sends = A_TITLE }, 0, false, false },
		{ { "tmux on Ghostty", .sends = A_TITLE, .terminal = "ghostty",
		    .around = { { .what = TMUX } } }, TMUX_SEQUENCE_MAX + 4,
		    false, true },
		{ { "Screen", .sends = A_NAME, .around = { { .what = SCREEN } } },
		    767 + 4, true, false },
		{ { "either", .sends = A_NAME, .around = { { .what = EITHER } } },
		    767 + 4, true, false },
		{ { "mosh", .sends = A_TITLE, .around = { { .what = MOSH } } },
		    256 + 4, false, false },
		{ { "past Screen", .sends = AN_OUTER_TITLE, .terminal = "xterm",
		    .around = { { .what = SCREEN } } }, 1000 + 6, true, true },
		{ { "past tmux", .sends = AN_OUTER_TITLE, .terminal = "xterm",
		    .around = { { .what = TMUX } } }, 1000 + 6, false, true },
		{ { "mosh around tmux", .sends = AN_OUTER_TITLE,
		    .around = { { .what = TMUX }, { .what = MOSH } } }, 256 + 4,
		    false, false },
	};
	static struct path path;
	struct request request;
	struct chain chain;
	struct route route;
	struct explanation words;
	struct error error;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		set_up(&path, &rows[i].row);
		request = request_of(&rows[i].row, &chain);
		error = (struct error){ .status = STATUS_DONE };
		cr_assert(plans(&route, &words, &path, &request, &error), "%s: %s",
		    rows[i].row.what, error.message);
		cr_expect_eq(route.limit, rows[i].limit, "%s: %zu",
		    rows[i].row.what, route.limit);
		cr_expect_eq(route_is_ascii(&route), rows[i].ascii, "%s",
		    rows[i].row.what);
		cr_expect_eq(route_does(&route, FEATURE_TITLE_STACK),
		    rows[i].stack, "%s", rows[i].row.what);
	}
}

/* ---- whatever there is ---------------------------------------------------- */

/* What is wrong with the answer to this, or NULL. */
static const char *
fault_of_answer(const struct row *row, const struct path *path)
{
	struct error error = { .status = STATUS_DONE };
	struct request request;
	struct route route;
	struct explanation words;
	struct chain chain;
	size_t i;
	bool by_program;

	request = request_of(row, &chain);
	if (!plans(&route, &words, path, &request, &error)) {
		if (error.status != STATUS_REFUSED && error.status != STATUS_USAGE)
			return "refused with another status than 2 or 4";
		return error.message[0] == '\0' ? "refused without a word" : NULL;
	}
	by_program = route.kind == ROUTE_LOAD_BUFFER ||
	    route.kind == ROUTE_TMUX_BUFFER;
	if (route.kind <= ROUTE_AUTO || route.kind >= ROUTE_COUNT)
		return "sent by no route";
	if (by_program ? route.tmux == NULL : route.device[0] == '\0')
		return "sent to nowhere";
	if (by_program != (route.device[0] == '\0'))
		return "a device for a way that has none";
	if (words.reason[0] == '\0')
		return "sent without a reason";
	if (route.own_device != (strcmp(route.device, path->device) == 0))
		return "own_device is wrong";
	if (route.chain.count > 0 && route.kind != ROUTE_PASSTHROUGH &&
	    route.kind != ROUTE_CLIENT_TTY)
		return "layers where none belong";
	for (i = 0; i < path->hops; i++)
		if (path->hop[i].kind == HOP_TMUX && path->hop[i].tmux.clients == 0 &&
		    !row->force && row->forced == ROUTE_AUTO)
			return "sent although nobody is attached";
	return NULL;
}

/*
 * Every pair of hops that there can be, both kinds of request, each route: an
 * answer that says something, and never exit 0 without anything sent.
 */
Test(route, every_answer_says_something)
{
	/* the last ones are where nothing beyond can be seen */
	enum { STEPPABLE = 7 };
	static const struct { const char *name; struct around around; } hops[] = {
		{ "tmux", { .what = TMUX } },
		{ "tmux, not ours", { TMUX, .outer = "" } },
		{ "tmux, open", { TMUX, .set = 'n', .pass = 'a' } },
		{ "tmux, hidden", { TMUX, .pass = 'n', .set = 'n',
		    .hidden = true, .outer = "" } },
		{ "tmux 3.0", { TMUX, "3.0a", .pass = 'n', .outer = "" } },
		{ "screen, outer known", { SCREEN, .outer = "/dev/pts/4" } },
		{ "host, outer known", { HOST, .outer = "/dev/pts/4" } },
		{ "nothing", { .what = NOTHING } },
		{ "tmux, nobody", { TMUX, .clients = NOBODY } },
		{ "tmux, control", { TMUX, .clients = CONTROL_ONLY } },
		{ "silent", { .what = SILENT } },
		{ "either", { .what = EITHER } },
		{ "screen", { .what = SCREEN } },
		{ "zellij", { .what = ZELLIJ } },
		{ "mosh", { .what = MOSH } },
		{ "host", { .what = HOST } },
	};
	static const enum device_source sources[] = {
		DEVICE_CONTROLLING, DEVICE_PANE, DEVICE_STDOUT,
	};
	static struct path path;
	size_t a, b, source, route, flags, faults = 0;
	const char *fault, *last = NULL;

	for (a = 0; a < LEN(hops); a++)
	    for (b = a < STEPPABLE ? 0 : STEPPABLE; b < LEN(hops); b++) {
		if (a >= STEPPABLE && b > STEPPABLE)
			break;
		for (source = 0; source < LEN(sources); source++)
		    for (route = 0; route < ROUTE_COUNT; route++)
			for (flags = 0; flags < 8; flags++) {
				struct row row = { "",
				    .around = { hops[a].around, hops[b].around },
				    .source = sources[source],
				    .forced = (enum route_kind)route,
				    .raw = flags & 1, .force = flags & 2,
				    .clears = (flags & 5) == 4,
				    .payload = (flags & 5) == 5 ? 2000000 : 0 };

				set_up(&path, &row);
				fault = fault_of_answer(&row, &path);
				if (fault == NULL)
					continue;
				/* the first of a kind tell enough */
				if (++faults < 4 || fault != last)
					cr_expect(false, "%s: %s / %s, source %d, "
					    "route %s%s%s%s", fault, hops[a].name,
					    hops[b].name, (int)row.source,
					    route_words[route],
					    row.raw ? ", raw" : "",
					    row.force ? ", force" : "",
					    flags & 4 ? ", other size" : "");
				last = fault;
			}
	    }
	cr_expect_eq(faults, 0, "%zu faults", faults);
}

/* Names from outside stand in messages without being able to do anything. */
Test(route, hostile_names_are_quoted)
{
	static const char hostile[] = "\x1b]52;c;!\a\n\xc2\x9b";
	static struct path path;
	static const struct row rows[] = {
		{ "session", .around = { { TMUX, .clients = NOBODY } } },
		{ "elsewhere",
		    .around = { { TMUX, .clients = NOBODY_BUT_ELSEWHERE } } },
		{ "term", .around = { { TMUX, .term = "vt220",
		    .features = "title" } }, .forced = ROUTE_LOAD_BUFFER },
	};
	struct error error;
	struct request request;
	struct route route;
	struct explanation words;
	struct chain chain;
	size_t i, at;

	for (i = 0; i < LEN(rows); i++) {
		set_up(&path, &rows[i]);
		strcpy(path.hop[0].tmux.session, hostile);
		if (path.hop[0].tmux.elsewhere[0] != '\0')
			strcpy(path.hop[0].tmux.elsewhere, hostile);
		request = request_of(&rows[i], &chain);
		error = (struct error){ .status = STATUS_DONE };
		cr_expect_not(plans(&route, &words, &path, &request, &error));
		for (at = 0; error.message[at] != '\0'; at++)
			cr_expect((unsigned char)error.message[at] >= 0x20 &&
			    error.message[at] != 0x7f, "%s: %s", rows[i].what,
			    error.message);
		for (at = 0; error.hint[at] != '\0'; at++)
			cr_expect((unsigned char)error.hint[at] >= 0x20 &&
			    error.hint[at] != 0x7f, "%s: %s", rows[i].what,
			    error.hint);
	}
}

Test(route, words)
{
	static const char *const words[] = {
		"auto", "direct", "client-tty", "passthrough", "plain",
		"load-buffer", "tmux-buffer",
	};
	static const char *const none[] = {
		"", "Auto", "dire", "directx", "client_tty", " direct", "none",
	};
	enum route_kind kind;
	size_t i;

	cr_expect_eq(LEN(words), (size_t)ROUTE_COUNT);
	cr_expect_null(route_words[ROUTE_COUNT]);
	for (i = 0; i < LEN(words); i++) {
		cr_expect(route_parse(&kind, words[i]) && kind == i, "%s",
		    words[i]);
		cr_expect_str_eq(route_words[i], words[i]);
	}
	for (i = 0; i < LEN(none); i++)
		cr_expect_not(route_parse(&kind, none[i]), "\"%s\"", none[i]);
}
