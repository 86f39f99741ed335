/* SPDX-License-Identifier: MIT */
/* doctor: what works here, what does not, and the path to the screen. */
#include "base/closest.h"
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/doctor_report.h"
#include "commands/doctor_live.h"
#include "commands/notification.h"
#include "commands/send.h"
#include "route/hyperlink_support.h"
#include "detect/environment.h"
#include "detect/process.h"
#include "route/clipboard_query.h"
#include "route/status_query.h"
#include "route/typed_clipboard.h"
#include "detect/detect.h"
#include "tty/tty.h"

#include <string.h>
#include <unistd.h>

enum { OUTPUT_MAX = 256 * 1024 };

static struct {
	bool live;
} opt;

static const struct option_spec options[] = {
	FLAG(0, "live",
	    "copy a test word by each route until you can paste it", opt.live),
	{ .kind = OPTION_END }
};

/* ---- the verdict on each feature ----------------------------------------- */

struct subject;
typedef void examiner(struct finding *, const struct subject *,
    const struct path *, struct call *);

struct subject {
	const char *word;
	examiner *examine;
	unsigned feature; /* as in struct request */
	const char *selections; /* of a copy, else NULL */
	size_t payload;
};

/*
 * Plans what the command would plan, for a payload below every limit. Clearing and
 * the primary selection are copies to plan_route(), and features of their own in the
 * table of terminals.
 */
static void
examine_sequence(struct finding *f, const struct subject *subject,
    const struct path *path, struct call *call)
{
	const struct globals *g = call->globals;
	bool copies = subject->selections != NULL;
	struct request request = {
		.feature = copies ? FEATURE_COPY : subject->feature,
		.for_multiplexer = subject->feature == FEATURE_COLOR,
		.selections = copies ? subject->selections : "",
		.payload = subject->payload,
		.sequence = clipboard_write_size(subject->payload),
	};
	bool certain;

	request_force(&request, g);
	f->has_route = plan_route(&f->route, path, &request);
	if (!f->has_route) {
		explain_refusal(&f->error, &f->route, path);
		return;
	}
	explain_route(&f->says, &f->route, path);
	f->needs_setting = f->route.note.id == REASON_NEEDS_SETTING;
	certain = f->route.kind == ROUTE_NATIVE ||
	    (f->route.confidence == CONFIDENCE_KNOWN &&
	    (f->route.destination != NULL ||
	        path_support(path, subject->feature) == SUPPORT_YES) &&
	    (subject->feature == FEATURE_COPY || f->route.warning.id == REASON_NONE));
	f->verdict = certain ? VERDICT_YES : VERDICT_UNKNOWN;
}

/* By the protocol that notify would choose. */
static void
examine_notify(struct finding *f, const struct subject *subject,
    const struct path *path, struct call *call)
{
	struct subject chosen = *subject;
	struct notification_choice choice;

	if (!notification_choose(&choice, call, path, NULL, &f->error))
		return;
	f->as = choice.native ? NULL : choice.name;
	chosen.feature = choice.feature;
	examine_sequence(f, &chosen, path, call);
}

/* Reports go only to who is known to support them, which the terminal is asked. */
static void
examine_reports(struct finding *f, const struct subject *subject,
    const struct path *path, struct call *call, bool optional)
{
	const struct globals *g = call->globals;
	const struct status_query how = {
		.may_ask = g->probe,
		.optional = optional,
		.timeout_ms = g->timeout_ms,
	};
	int signal;

	examine_sequence(f, subject, path, call);
	if (!f->has_route)
		return;
	f->has_route = status_is_supported(&f->route, path, &how, &signal, &f->error);
	f->verdict = f->has_route ? VERDICT_YES : VERDICT_NO;
	if (signal != 0)
		call->signal = signal;
}

static void
examine_status(struct finding *f, const struct subject *subject,
    const struct path *path, struct call *call)
{
	examine_reports(f, subject, path, call, false);
}

/* Where it has no route, progress is reported as a status. */
static void
examine_progress(struct finding *f, const struct subject *subject,
    const struct path *path, struct call *call)
{
	struct subject status = *subject;
	struct finding reported = { .word = f->word, .verdict = VERDICT_NO,
		.as = "OSC 7501" };

	examine_sequence(f, subject, path, call);
	if (f->has_route || call->signal != 0)
		return;
	status.feature = FEATURE_STATUS;
	examine_reports(&reported, &status, path, call, true);
	if (reported.has_route)
		*f = reported;
}

static void
examine_paste(struct finding *f, const struct subject *subject,
    const struct path *path, struct call *call)
{
	const struct terminal *terminal = path_terminal(path);
	enum support support = terminal_support(terminal, subject->feature);
	struct read_request request = { .selection = 'c', .max = 1 };
	struct read_plan plan;

	if (plan_native_paste(&f->route, path, call, 'c', NULL)) {
		f->has_route = true;
		f->verdict = VERDICT_YES;
		explain_route(&f->says, &f->route, path);
		return;
	}
	if (f->route.refusal.id != REASON_NONE) {
		explain_refusal(&f->error, &f->route, path);
		return;
	}
	if (!read_check(&plan, path, &request, &f->error)) {
		explain_read_refusal(&f->error, &plan, path);
		return;
	}
	f->verdict = support == SUPPORT_YES || support == SUPPORT_ASKS ?
	    VERDICT_YES : VERDICT_UNKNOWN;
	f->route.limit = plan.limit;
	f->needs_setting = support == SUPPORT_OFF;
	explain_read(&f->says, &plan, path);
	if (support == SUPPORT_ASKS)
		text_format(f->says.note, sizeof(f->says.note),
		    "%s asks you each time", terminal->name);
	else if (f->needs_setting)
		text_format(f->says.note, sizeof(f->says.note),
		    "%s needs this setting: %s", terminal->name,
		    terminal_switch(terminal, subject->feature));
}

/* As copy --confirm decides before it queries; where it would query: unknown. */
static void
examine_confirm(struct finding *f, const struct subject *subject,
    const struct path *path, struct call *call)
{
	const struct typed_request request = { .purpose = "confirm a copy" };
	struct typed_clipboard to;

	(void)subject;
	(void)call;
	if (!typed_check_path(&to, path, &request, &f->error))
		return;
	f->verdict = to.support == SUPPORT_YES ? VERDICT_YES : VERDICT_UNKNOWN;
	text_copy(f->says.reason, sizeof(f->says.reason), to.chain.count > 0 ?
	    "the terminal is queried through Screen" : "the terminal is queried directly");
	if (f->verdict == VERDICT_UNKNOWN)
		text_copy(f->says.note, sizeof(f->says.note),
		    "copy --confirm queries the terminal for OSC 5522");
}

/* A tmux without a client stores hyperlinks until one attaches. */
static bool
is_shown(const struct path *path)
{
	size_t i;

	for (i = 0; i < path->hops; i++)
		if (path->hop[i].kind == HOP_TMUX && !path->hop[i].tmux.has_client)
			return false;
	return true;
}

/* Hyperlinks have no route: they are part of the text. */
static void
examine_link(struct finding *f, const struct subject *subject,
    const struct path *path, struct call *call)
{
	struct hyperlinks links;

	(void)call;
	hyperlinks_decide(&links, path);
	if (!links.shown) {
		error_set(&f->error, STATUS_REFUSED, "%s", links.reason);
		error_hint(&f->error, "%s", links.hint);
		return;
	}
	f->verdict = is_shown(path) && terminal_support(path_terminal(path), subject->feature) ==
	    SUPPORT_YES ? VERDICT_YES : VERDICT_UNKNOWN;
	f->route.limit = links.limit;
	text_copy(f->says.reason, sizeof(f->says.reason), links.reason);
}

/* Whether a sequence reaches the terminal; what it does with one, nobody knows here. */
static void
examine_raw(struct finding *f, const struct subject *subject,
    const struct path *path, struct call *call)
{
	struct request request = {
		.feature = subject->feature,
		.selections = "",
		.payload = subject->payload,
		.sequence = subject->payload,
		.moves_cursor = true,
	};

	request_force(&request, call->globals);
	f->has_route = plan_route(&f->route, path, &request);
	if (!f->has_route) {
		explain_refusal(&f->error, &f->route, path);
		return;
	}
	explain_route(&f->says, &f->route, path);
	f->verdict = f->route.confidence == CONFIDENCE_KNOWN &&
	    f->route.warning.id == REASON_NONE ? VERDICT_YES : VERDICT_UNKNOWN;
}

static const struct subject subjects[] = {
#define SUBJECT(word, ...) { word, __VA_ARGS__ },
#include "commands/doctor.def"
#undef SUBJECT
};

enum { SUBJECTS = sizeof(subjects) / sizeof(subjects[0]) };

static const char *const feature_words[] = {
#define SUBJECT(word, ...) word,
#include "commands/doctor.def"
#undef SUBJECT
	NULL
};

/* ---- the operands -------------------------------------------------------- */

static const struct subject *
find_subject(const char *word)
{
	size_t i = 0;

	while (i < SUBJECTS && strcmp(subjects[i].word, word) != 0)
		i++;
	return i < SUBJECTS ? &subjects[i] : NULL;
}

static bool
is_wanted_subject(const struct call *call, const struct subject *subject)
{
	size_t i;

	for (i = 0; i < call->count; i++)
		if (strcmp(call->operand[i], subject->word) == 0)
			return true;
	return call->count == 0;
}

static bool
unknown_feature(const char *word, struct error *error)
{
	struct closest closest = { .word = word };
	char known[256] = "";
	size_t i, n;

	for (i = 0; i < SUBJECTS; i++) {
		closest_add(&closest, subjects[i].word);
		n = strlen(known);
		text_format(known + n, sizeof(known) - n, "%s%s", i > 0 ? ", " : "",
		    subjects[i].word);
	}
	error_set(error, STATUS_USAGE, "unknown feature %s", text_quote(word).text);
	return error_hint(error, "%sthe features are %s",
	    closest_suggestion(&closest, "").text, known);
}

static bool
check_operands(const struct call *call, struct error *error)
{
	const struct subject *subject = &subjects[0];
	size_t i;

	for (i = 0; i < call->count; i++) {
		subject = find_subject(call->operand[i]);
		if (subject == NULL)
			return unknown_feature(call->operand[i], error);
	}
	if (call->globals->force && !opt.live)
		return error_set(error, STATUS_USAGE, "--force goes with --live only: "
		    "nothing else is sent");
	if (opt.live && (call->count > 1 || subject->feature != FEATURE_COPY))
		return error_set(error, STATUS_USAGE, "--live tests only copy");
	return true;
}

/* ---- the report ---------------------------------------------------------- */

/* no-color.org; a dumb terminal shows the sequences as text. */
static bool
may_color(void)
{
	const char *no = environment_get("NO_COLOR");
	const char *term = environment_get("TERM");

	return isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0') &&
	    term != NULL && strcmp(term, "dumb") != 0;
}

/* Lines over 80 columns are hard to read; below 40 the layout breaks. */
static size_t
text_columns(void)
{
	enum { NARROWEST = 40, USUAL = 80 };
	size_t width = tty_columns(STDOUT_FILENO);

	return width == 0 || width > USUAL ? USUAL :
	    width < NARROWEST ? NARROWEST : width;
}

static bool
print_report(struct doctor_report *report, bool json, struct error *error)
{
	struct buf out;
	bool fine;

	report->logins = process_logins(report->login);
	report->hidden = process_hidden();
	report->columns = text_columns();
	report->color = may_color();
	buf_init(&out, OUTPUT_MAX);
	(json ? doctor_report_json : doctor_report_text)(&out, report);
	fine = stream_output(&out, error);
	buf_free(&out);
	return fine;
}

/*
 * Without a terminal only --json prints a report. With operands the exit status says
 * whether all of them work.
 */
static bool
examine_path(struct call *call, const struct path *path,
    const struct error *no_terminal, struct error *error)
{
	const struct globals *g = call->globals;
	struct finding findings[SUBJECTS];
	struct doctor_report report = { .path = path, .forced = g->terminal,
	    .finding = findings, .verbose = g->verbose };
	bool reached = no_terminal->status == STATUS_DONE, works = true;
	struct finding *f;
	size_t i;

	*error = *no_terminal;
	if (!reached && !g->json)
		return false;
	for (i = 0; i < SUBJECTS; i++) {
		if (!is_wanted_subject(call, &subjects[i]))
			continue;
		f = &findings[report.count++];
		*f = (struct finding){ .word = subjects[i].word,
			.verdict = VERDICT_NO, .error = *no_terminal };
		if (reached)
			subjects[i].examine(f, &subjects[i], path, call);
		/* a terminal that was silent may be slow */
		if (f->error.status == STATUS_NO_REPLY)
			f->verdict = VERDICT_UNKNOWN;
		works = works && f->verdict != VERDICT_NO;
	}
	if (!print_report(&report, g->json, error))
		return false;
	if (!reached)
		return error_silent(error, no_terminal->status);
	return works || call->count == 0 || error_silent(error, STATUS_REFUSED);
}

static bool
examine_all(struct call *call, struct error *error)
{
	const struct globals *g = call->globals;
	struct detect_request request = detect_request_of(g);
	struct error no_terminal = { .status = STATUS_DONE };
	struct path path;
	bool fine;

	request.tty = g->tty;
	request.identify = g->probe ? IDENTIFY_ALL : IDENTIFY_NOT;
	detect_path(&path, &request, &no_terminal);
	call->signal = path.signal;
	fine = examine_path(call, &path, &no_terminal, error);
	path_free(&path);
	return fine;
}

static bool
doctor_run(struct call *call, struct error *error)
{
	return check_operands(call, error) && (opt.live ?
	    doctor_live(call, error) : examine_all(call, error));
}

const struct command command_doctor = {
	.name = "doctor",
	.operands = "[FEATURE...]",
	.summary = "show what works here, what does not, and why",
	.options = options,
	.refused = (const char *const[]){ "print", NULL },
	.refused_why = "doctor sends no sequence that could be printed",
	.words = feature_words,
	.examples = {
		{ "viatty doctor", "check all features" },
		{ "viatty doctor copy paste", "check two of them" },
	},
	.run = doctor_run,
};
