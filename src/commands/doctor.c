/* SPDX-License-Identifier: MIT */
/* doctor: the chain from here to the screen, what works along it, and why. */
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/diagnosis.h"
#include "commands/live.h"
#include "route/read.h"
#include "route/surroundings.h"

#include <string.h>
#include <unistd.h>

enum { OUTPUT_MAX = 256 * 1024 };

static struct {
	bool live;
} opt;

static const struct option options[] = {
	{ OPTION_FLAG, 0, "live", NULL,
	    "copy a word by one route after another until it can be pasted",
	    &opt.live, NULL, 0 },
	{ .kind = OPTION_END }
};

/* ---- a line a feature --------------------------------------------------- */

/* A copy small enough for every limit: only the way is in question. */
static void
diagnose_copy(struct finding *f, const struct surroundings *s,
    const struct globals *g)
{
	struct route_request request = {
		.feature = FEATURE_COPY,
		.selections = "c",
		.payload = 1,
		.sequence = clipboard_write_size(1),
		.utf8 = true,
		.route = g->route,
		.chain = g->chain,
		.terminal = g->terminal,
	};

	f->has_route = route_decide(&f->route, s, &request, &f->error);
	if (!f->has_route)
		f->verdict = VERDICT_NO;
	else if (f->route.confidence == CONFIDENCE_KNOWN &&
	    terminal_support(f->route.terminal, FEATURE_COPY) == SUPPORT_YES)
		f->verdict = VERDICT_YES;
	else
		f->verdict = VERDICT_UNKNOWN;
}

static void
diagnose_paste(struct finding *f, const struct surroundings *s,
    const struct globals *g)
{
	struct read_request request = { .selection = 'c', .max = 1,
	    .terminal = g->terminal };
	enum support support = terminal_support(g->terminal != NULL ?
	    g->terminal : s->terminal, FEATURE_PASTE);

	if (!read_check(s, &request, &f->error))
		f->verdict = VERDICT_NO;
	else if (support == SUPPORT_YES || support == SUPPORT_ASKS)
		f->verdict = VERDICT_YES;
	else
		f->verdict = VERDICT_UNKNOWN;
}

static const struct {
	enum feature feature;
	void (*diagnose)(struct finding *, const struct surroundings *,
	    const struct globals *);
} features[] = {
	{ FEATURE_COPY, diagnose_copy },
	{ FEATURE_PASTE, diagnose_paste },
};

enum { FEATURES = sizeof(features) / sizeof(features[0]) };

static bool
is_wanted(const struct call *call, enum feature feature)
{
	size_t i;

	for (i = 0; i < call->count; i++)
		if (strcmp(call->operand[i], feature_name(feature)) == 0)
			return true;
	return call->count == 0;
}

static bool
check_operands(const struct call *call, struct error *error)
{
	size_t i, j;

	for (i = 0; i < call->count; i++) {
		for (j = 0; j < FEATURES; j++)
			if (strcmp(call->operand[i],
			    feature_name(features[j].feature)) == 0)
				break;
		if (j == FEATURES) {
			error_set(error, STATUS_USAGE, "unknown feature %s",
			    text_quote(call->operand[i]).text);
			return error_hint(error, "it knows copy and paste");
		}
	}
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

static bool
say(const struct call *call, const struct surroundings *s,
    const struct finding *findings, size_t count, struct error *error)
{
	struct buf out;
	bool fine;

	buf_init(&out, OUTPUT_MAX);
	if (call->globals->json)
		diagnosis_json(&out, s, findings, count);
	else
		diagnosis_text(&out, s, findings, count, may_colour());
	fine = stream_output(&out, error);
	buf_free(&out);
	return fine;
}

static bool
doctor_run(struct call *call, struct error *error)
{
	const struct globals *g = call->globals;
	struct survey_request request = { .tty = g->tty, .probe = g->probe,
	    .identify = g->probe ? IDENTIFY_ALWAYS : IDENTIFY_NOT,
	    .timeout_ms = g->timeout_ms };
	struct finding findings[FEATURES];
	struct error unreached = { .status = STATUS_DONE };
	struct surroundings s;
	struct finding *f;
	size_t i, count = 0;
	bool fine, works = true;

	if (!check_operands(call, error))
		return false;
	if (opt.live)
		return live_copy(call, error);
	survey(&s, &request, &unreached);
	call->signal = s.signal;
	for (i = 0; i < FEATURES; i++) {
		if (!is_wanted(call, features[i].feature))
			continue;
		f = &findings[count++];
		*f = (struct finding){ features[i].feature, VERDICT_NO,
			.error = unreached };
		if (unreached.status == STATUS_DONE)
			features[i].diagnose(f, &s, g);
		works = works && f->verdict != VERDICT_NO;
	}
	fine = say(call, &s, findings, count, error);
	surroundings_free(&s);
	/* for scripts: `doctor copy` says by its status what it has printed */
	if (fine && !works && call->count > 0)
		return error_silent(error, unreached.status != STATUS_DONE ?
		    unreached.status : STATUS_REFUSED);
	return fine;
}

const struct command command_doctor = {
	.name = "doctor",
	.operands = "[FEATURE...]",
	.summary = "say what works here, what does not, and why",
	.options = options,
	.run = doctor_run,
};
