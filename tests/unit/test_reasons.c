/* SPDX-License-Identifier: MIT */
/* commands/reasons: every reason has words, and every field in them is known. */
#include "commands/reasons.h"

#include <criterion/criterion.h>
#include <string.h>

static struct path path;
static struct route route;
static struct desktop desktop;

static void
set_up(void)
{
	/* it has every fact that a reason tells of a hop */
	path.hop[0].kind = HOP_MOSH;
	strcpy(path.hop[0].name, "mosh");
	strcpy(path.hop[0].repair, "kill -USR1 1");
	path.hops = 1;
	route.terminal = terminal_by_id("iterm2");
	cr_assert_not_null(route.terminal);
	strcpy(route.who, "iTerm2");
	strcpy(desktop.where[desktop_tool_at(0)->desktop], "X11 display :0");
	path.desktop = &desktop;
}

static struct reason
reason_of(enum reason_id id)
{
	/* one that has a setting, for the reason that tells it */
	return (struct reason){ .id = id, .hop = &path.hop[0],
	    .feature = FEATURE_COPY, .size = 5, .limit = 4,
	    .tool = desktop_tool_at(0), .type = "image/png" };
}

static void
expect_words(const char *text, int id)
{
	cr_expect_neq(text[0], '\0', "reason %d has no words", id);
	cr_expect_null(strpbrk(text, "{}"), "reason %d: \"%s\"", id, text);
}

Test(reasons, all_have_words, .init = set_up)
{
	struct explanation words;
	struct error error;
	int id;

	for (id = REASON_NONE + 1; id < REASON_COUNT; id++) {
		route.reason = route.warning = route.refusal =
		    reason_of((enum reason_id)id);
		explain_route(&words, &route, &path);
		expect_words(words.warning, id);
		cr_expect_not(explain_refusal(&error, &route, &path));
		expect_words(error.message, id);
		cr_expect_null(strpbrk(error.hint, "{}"), "%s", error.hint);
		cr_expect(error.status == STATUS_DONE || error.hint[0] != '\0',
		    "\"%s\" tells no next step", error.message);
	}
}

Test(reasons, none_says_nothing, .init = set_up)
{
	struct explanation words;

	explain_route(&words, &route, &path);
	cr_expect_str_eq(words.reason, "");
	cr_expect_str_eq(words.note, "");
	cr_expect_str_eq(words.warning, "");
	cr_expect_str_eq(words.warning_hint, "");
}

Test(reasons, fields_are_filled_in, .init = set_up)
{
	struct error error;

	strcpy(path.hop[0].tmux.session, "my work");
	route.refusal = reason_of(REASON_NOBODY_ATTACHED);
	explain_refusal(&error, &route, &path);
	cr_expect_str_eq(error.message, "no terminal is attached to tmux session \"my work\"");
	route.refusal = reason_of(REASON_LARGE_FOR_TERMINAL);
	explain_refusal(&error, &route, &path);
	cr_expect_eq(error.status, STATUS_REFUSED);
	cr_expect_str_eq(error.message,
	    "too large for iTerm2: the sequence has 5 bytes, the limit is 4");
}
