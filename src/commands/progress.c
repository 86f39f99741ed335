/* SPDX-License-Identifier: MIT */
/* progress: shows progress in the taskbar or tab (OSC 9;4). */
#include "commands/command.h"

/* By enum progress: whether its option was given. */
static bool given[PROGRESS_PAUSED + 1];

static const struct option_spec options[] = {
	FLAG(0, "busy", "show activity without a percentage", given[PROGRESS_BUSY]),
	FLAG(0, "error", "show an error", given[PROGRESS_ERROR]),
	FLAG(0, "paused", "show a pause", given[PROGRESS_PAUSED]),
	FLAG('c', "clear", "remove the progress indicator", given[PROGRESS_CLEAR]),
	{ .kind = OPTION_END }
};

/* ---- the number --------------------------------------------------------- */

/* Reads up to nine digits, so that a number times 2000 does not overflow. */
static bool
read_digits(const char **at, unsigned long long *number)
{
	const char *begin = *at;

	for (*number = 0; isdigit((unsigned char)**at) && *at - begin < 10; ++*at)
		*number = *number * 10 + (unsigned)(**at - '0');
	return *at > begin && *at - begin < 10;
}

/*
 * Parses "45", "45.3", "45%" or "12/80". The percentage is rounded, but to 100 only at the end.
 * Returns false for another form, or more than 100.
 */
static bool
parse_percent(const char *at, unsigned *percent)
{
	unsigned long long part, whole = 1000;

	if (!read_digits(&at, &part))
		return false;
	if (*at == '/') {
		at++;
		if (!read_digits(&at, &whole))
			return false;
	} else {
		part *= 10;
		if ((*at == '.' || *at == ',') && isdigit((unsigned char)at[1])) {
			part += (unsigned)(at[1] - '0');
			for (at += 2; isdigit((unsigned char)*at); at++)
				continue;
		}
		if (*at == '%')
			at++;
	}
	if (*at != '\0' || whole == 0 || part > whole)
		return false;
	*percent = (unsigned)((part * 200 + whole) / (whole * 2));
	if (*percent == 100 && part < whole)
		*percent = 99;
	return true;
}

/* ---- the indicator ------------------------------------------------------ */

const struct request progress_request = { .feature = FEATURE_PROGRESS, .selections = "" };

/* ---- the command -------------------------------------------------------- */

static int
progress_run(struct call *call)
{
	enum progress state = PROGRESS_NORMAL, i;
	/* --error and --paused without a number fill the bar */
	unsigned percent = 100;
	static struct buf bytes = BUF_EMPTY;

	for (i = PROGRESS_CLEAR; i <= PROGRESS_PAUSED; i++) {
		if (given[i] && state != PROGRESS_NORMAL)
			die(STATUS_USAGE,
			    "--busy, --error, --paused and --clear cannot be used together");
		if (given[i])
			state = i;
	}
	if ((state == PROGRESS_CLEAR || state == PROGRESS_BUSY) && call->count > 0)
		die(STATUS_USAGE, "--%s takes no number",
		    state == PROGRESS_CLEAR ? "clear" : "busy");
	if (state == PROGRESS_NORMAL && call->count == 0)
		die(STATUS_USAGE, "no percentage given\n"
		    "give 45 or 12/80, or --busy if it is not known");
	if (call->count > 1)
		die(STATUS_USAGE, "more than one percentage given");
	if (call->count == 1 && !parse_percent(call->operand[0], &percent))
		die(STATUS_USAGE, "not a percentage: %s\n"
		    "give a number from 0 to 100, or N/M with N up to M",
		    text_quote(call->operand[0]).text);

	messages.decorates = true;
	encode_progress(&bytes, state, percent);
	return send_request(&progress_request, &bytes);
}

const struct command command_progress = {
	.name = "progress",
	.group = "Notify",
	.operands = "[PERCENT | N/M]",
	.summary = "show progress in the taskbar or tab",
	.outcome = "not shown",
	.options = options,
	.examples = {
		{ "viatty progress 12/80", "show 15 percent" },
		{ "viatty progress --clear", "remove the indicator" },
	},
	.run = progress_run,
};
