/* SPDX-License-Identifier: MIT */
/* doctor: the chain from here to the screen, what works along it, and why. */
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/doctor_report.h"
#include "commands/doctor_live.h"
#include "commands/notification.h"
#include "route/hyperlink_support.h"
#include "detect/environment.h"
#include "detect/procfs.h"
#include "route/clipboard_query.h"
#include "detect/detect.h"
#include "tty/tty.h"

#include <string.h>
#include <unistd.h>

enum { OUTPUT_MAX = 256 * 1024 };

static struct {
	bool live;
} opt;

static const struct option_spec options[] = {
	{ OPTION_FLAG, 0, "live", NULL,
	    "copy a test word by each route until you can paste it",
	    &opt.live, NULL, 0 },
	{ .kind = OPTION_END }
};

/* ---- one finding for each thing that can be done ------------------------ */

/* What the verdicts are about: the path and the options. */
struct patient {
	const struct path *path;
	const struct globals *g;
	struct call *call;
};

struct subject;
typedef void examiner(struct finding *, const struct subject *,
    const struct patient *);

/* A thing that people want done, and how to tell whether it can be. */
struct subject {
	const char *word;
	examiner *examine;
	enum feature feature;
	const char *selections;         /* of a copy, else NULL */
	size_t payload;
};

static const struct terminal *
end_of_chain(const struct patient *p)
{
	return p->g->terminal != NULL ? p->g->terminal : p->path->terminal;
}

/*
 * A copy small enough for every limit, or a sequence: only the way is in
 * question. Clearing and the primary selection are copies to the route, and
 * features of their own to the terminal.
 */
static void
examine_sequence(struct finding *f, const struct subject *subject,
    const struct patient *p)
{
	struct request request = {
		.feature = subject->selections != NULL ? FEATURE_COPY :
		    subject->feature,
		.selections = subject->selections != NULL ?
		    subject->selections : "",
		.payload = subject->payload,
		.sequence = clipboard_write_size(subject->payload),
		.utf8 = true,
		.route = p->g->route,
		.chain = p->g->chain,
		.terminal = p->g->terminal,
		.terminal_name = p->g->terminal_name,
	};
	bool whole = subject->payload > 0 && subject->feature == FEATURE_COPY;

	f->has_route = plan_route(&f->route, p->path, &request);
	if (f->has_route)
		explain_route(&f->says, &f->route, p->path);
	else
		explain_refusal(&f->error, &f->route, p->path);
	f->verdict = !f->has_route ? VERDICT_NO :
	    f->route.confidence == CONFIDENCE_KNOWN &&
	    terminal_version_support(f->route.terminal, subject->feature,
	        path_version(p->path)) == SUPPORT_YES &&
	    (whole || f->route.warning.id == REASON_NONE) ?
	    VERDICT_YES : VERDICT_UNKNOWN;
}

/* By the protocol that notify would choose. */
static void
examine_notify(struct finding *f, const struct subject *subject,
    const struct patient *p)
{
	struct subject chosen = *subject;
	struct notification_choice choice;

	if (!notification_choose(&choice, p->call, p->path, NULL, &f->error)) {
		f->verdict = VERDICT_NO;
		return;
	}
	f->as = choice.name;
	chosen.feature = choice.feature;
	examine_sequence(f, &chosen, p);
}

static void
examine_paste(struct finding *f, const struct subject *subject,
    const struct patient *p)
{
	struct read_request request = { .selection = 'c', .max = 1,
	    .terminal = p->g->terminal };
	enum support support = terminal_support(end_of_chain(p), FEATURE_PASTE);
	struct read_way way = { .limit = 0 };

	(void)subject;
	if (!read_check(&way, p->path, &request, &f->error))
		f->verdict = VERDICT_NO;
	else if (support == SUPPORT_YES || support == SUPPORT_ASKS)
		f->verdict = VERDICT_YES;
	else
		f->verdict = VERDICT_UNKNOWN;
	if (f->verdict == VERDICT_NO)
		return;
	text_format(f->says.reason, sizeof(f->says.reason), "%s", way.reason);
	f->route.limit = way.limit;
	if (support == SUPPORT_ASKS)
		text_format(f->says.note, sizeof(f->says.note),
		    "%s asks its person each time", end_of_chain(p)->name);
	if (support == SUPPORT_OFF)
		text_format(f->says.note, sizeof(f->says.note),
		    "%s takes it only with this setting: %s",
		    end_of_chain(p)->name,
		    terminal_switch(end_of_chain(p), FEATURE_PASTE));
}

/* A tmux that nobody shows keeps a link for whoever attaches. */
static bool
is_seen(const struct path *path)
{
	size_t i;

	for (i = 0; i < path->hops; i++)
		if (path->hop[i].kind == HOP_TMUX && !path->hop[i].tmux.has_client)
			return false;
	return true;
}

/* Links have no route: they stand in the text, where it is printed. */
static void
examine_link(struct finding *f, const struct subject *subject,
    const struct patient *p)
{
	struct hyperlinks links;

	(void)subject;
	hyperlinks_decide(&links, p->path, p->g->terminal);
	if (!links.shown) {
		f->verdict = VERDICT_NO;
		error_set(&f->error, STATUS_REFUSED, "%s", links.reason);
		error_hint(&f->error, "%s", links.hint);
		return;
	}
	f->verdict = is_seen(p->path) && terminal_support(end_of_chain(p),
	    FEATURE_LINK) == SUPPORT_YES ? VERDICT_YES : VERDICT_UNKNOWN;
	text_format(f->says.reason, sizeof(f->says.reason), "%s", links.reason);
	f->route.limit = links.limit;
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

static bool
is_wanted(const struct call *call, const struct subject *subject)
{
	size_t i;

	for (i = 0; i < call->count; i++)
		if (strcmp(call->operand[i], subject->word) == 0)
			return true;
	return call->count == 0;
}

static bool
unknown_subject(const char *word, struct error *error)
{
	char known[256] = "it knows";
	size_t i, n;

	for (i = 0; i < SUBJECTS; i++) {
		n = strlen(known);
		text_format(known + n, sizeof(known) - n, "%s %s",
		    i == 0 ? "" : i + 1 < SUBJECTS ? "," : " and",
		    subjects[i].word);
	}
	error_set(error, STATUS_USAGE, "unknown feature %s",
	    text_quote(word).text);
	return error_hint(error, "%s", known);
}

static bool
check_operands(const struct call *call, struct error *error)
{
	size_t i, j;

	for (i = 0; i < call->count; i++) {
		for (j = 0; j < SUBJECTS; j++)
			if (strcmp(call->operand[i], subjects[j].word) == 0)
				break;
		if (j == SUBJECTS)
			return unknown_subject(call->operand[i], error);
	}
	if (opt.live && (call->count > 1 || (call->count == 1 &&
	    strcmp(call->operand[0], "copy") != 0)))
		return error_set(error, STATUS_USAGE, "--live proves copy alone");
	return true;
}

/* ---- what is said ------------------------------------------------------- */

/* no-color.org; a dumb terminal would show the bytes. */
static bool
may_colour(void)
{
	const char *no = environment_get("NO_COLOR");
	const char *term = environment_get("TERM");

	return isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0') &&
	    term != NULL && strcmp(term, "dumb") != 0;
}

/* Narrow windows are written for; lines longer than 80 are hard to read. */
static size_t
columns(void)
{
	enum { NARROWEST = 40, USUAL = 80 };
	size_t width = tty_columns(STDOUT_FILENO);

	return width == 0 || width > USUAL ? USUAL :
	    width < NARROWEST ? NARROWEST : width;
}

static bool
say(const struct call *call, const struct path *path,
    const struct finding *findings, size_t count, struct error *error)
{
	struct background background = { .forced = NULL };
	struct buf out;
	bool fine;

	background.logins = process_logins(background.login);
	background.verbose = call->globals->verbose;
	if (call->globals->terminal != NULL)
		background.forced = call->globals->terminal->name;
	buf_init(&out, OUTPUT_MAX);
	if (call->globals->json)
		doctor_report_json(&out, path, &background, findings, count);
	else
		doctor_report_text(&out, path, &background, findings, count, columns(),
		    may_colour());
	fine = stream_output(&out, error);
	buf_free(&out);
	return fine;
}

static bool
examine_all(struct call *call, struct error *error)
{
	const struct globals *g = call->globals;
	struct detect_request request = { .tty = g->tty, .probe = g->probe,
	    .identify = g->probe ? IDENTIFY_ALL : IDENTIFY_NOT,
	    .timeout_ms = g->timeout_ms };
	struct finding findings[SUBJECTS];
	struct error unreached = { .status = STATUS_DONE };
	struct path path;
	struct patient patient = { &path, g, call };
	struct finding *f;
	size_t i, count = 0;
	bool fine, works = true;

	detect_path(&path, &request, &unreached);
	call->signal = path.signal;
	for (i = 0; i < SUBJECTS; i++) {
		if (!is_wanted(call, &subjects[i]))
			continue;
		f = &findings[count++];
		*f = (struct finding){ .word = subjects[i].word,
			.verdict = VERDICT_NO, .error = unreached };
		if (unreached.status == STATUS_DONE)
			subjects[i].examine(f, &subjects[i], &patient);
		works = works && f->verdict != VERDICT_NO;
	}
	fine = say(call, &path, findings, count, error);
	path_free(&path);
	/* for scripts: `doctor copy` says by its status what it has printed */
	if (fine && !works && call->count > 0)
		return error_silent(error, unreached.status != STATUS_DONE ?
		    unreached.status : STATUS_REFUSED);
	return fine;
}

/* --live has need of the stack, which may be small, for other things. */
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
	.words = feature_words,
	.run = doctor_run,
};
