/* SPDX-License-Identifier: MIT */
/* Messages for reasons; the contract is in reasons.h. */
#include "commands/reasons.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const struct {
	enum status status;
	const char *message, *hint;
} words[REASON_COUNT] = {
	[REASON_NONE] = { STATUS_DONE, "", "" },
#define REASON(ID, status, message, hint) [REASON_##ID] = { status, message, hint },
#include "commands/reasons.def"
#undef REASON
};

/* What the fields of a message are taken from. */
struct facts {
	const struct reason *reason;
	const struct path *path;
	const struct terminal *terminal;
	const char *who; /* the terminal's name for messages */
};

enum { FIELD_MAX = 256 };
typedef void field(char to[FIELD_MAX], const struct facts *facts);

static void
quote(char to[FIELD_MAX], const char *text)
{
	text_format(to, FIELD_MAX, "%s", text_quote(text).text);
}

static void
put_hop(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, f->reason->hop->name);
}

static void
put_name(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, hop_row(f->reason->hop)->name);
}

static void
put_instead(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, hop_row(f->reason->hop)->instead);
}

static void
put_tmux(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, f->reason->hop->tmux.version);
}

static void
put_session(char to[FIELD_MAX], const struct facts *f)
{
	quote(to, f->reason->hop->tmux.session);
}

static void
put_elsewhere(char to[FIELD_MAX], const struct facts *f)
{
	quote(to, f->reason->hop->tmux.elsewhere);
}

static void
put_quoted_term(char to[FIELD_MAX], const struct facts *f)
{
	quote(to, f->reason->hop->tmux.client.term);
}

static void
put_term(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, f->reason->hop->tmux.client.term);
}

static void
put_why(char to[FIELD_MAX], const struct facts *f)
{
	const char *why = f->reason->hop->why;

	text_format(to, FIELD_MAX, why[0] != '\0' ? " (%s)" : "%s", why);
}

static void
put_repair(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, f->reason->hop->repair);
}

/* The value of allow-passthrough that this pane needs; `all` exists since 3.4. */
static void
put_passthrough(char to[FIELD_MAX], const struct facts *f)
{
	const struct tmux *tmux = &f->reason->hop->tmux;

	text_copy(to, FIELD_MAX, tmux->shown || !tmux_is_at_least(tmux, 3, 4) ?
	    "on" : "all");
}

static void
put_ancestor(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, f->path->ancestor);
}

static void
put_terminal_field(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, f->who);
}

static void
put_product(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, f->terminal->name);
}

static void
put_version(char to[FIELD_MAX], const struct facts *f)
{
	char version[TERMINAL_VERSION];

	terminal_version_words(version, f->terminal, path_version(f->path));
	text_copy(to, FIELD_MAX, version);
}

static void
put_since(char to[FIELD_MAX], const struct facts *f)
{
	const char *family = f->terminal->family;

	text_format(to, FIELD_MAX, "%s %s", family[0] != '\0' ? family : "version",
	    terminal_since(f->terminal, (enum feature)f->reason->feature));
}

static void
put_feature(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, feature_meaning((enum feature)f->reason->feature));
}

static void
put_setting(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, terminal_switch(f->terminal,
	    (enum feature)f->reason->feature));
}

static void
put_size(char to[FIELD_MAX], const struct facts *f)
{
	text_format(to, FIELD_MAX, "%zu", f->reason->size);
}

static void
put_limit_field(char to[FIELD_MAX], const struct facts *f)
{
	text_format(to, FIELD_MAX, "%zu", f->reason->limit);
}

static void
put_tool(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, f->reason->tool->program);
}

static void
put_desktop(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, f->path->desktop->where[f->reason->tool->desktop]);
}

static void
put_install(char to[FIELD_MAX], const struct facts *f)
{
	text_copy(to, FIELD_MAX, desktop_kind((enum desktop_id)
	    f->reason->tool->desktop)->install);
}

static void
put_type(char to[FIELD_MAX], const struct facts *f)
{
	quote(to, f->reason->type);
}

static const struct {
	const char *name;
	field *put;
} fields[] = {
	{ "hop", put_hop }, { "name", put_name }, { "instead", put_instead },
	{ "tmux", put_tmux },
	{ "session", put_session },
	{ "elsewhere", put_elsewhere }, { "term", put_quoted_term },
	{ "TERM", put_term }, { "why", put_why }, { "repair", put_repair },
	{ "passthrough", put_passthrough }, { "ancestor", put_ancestor },
	{ "terminal", put_terminal_field }, { "product", put_product },
	{ "version", put_version }, { "since", put_since },
	{ "feature", put_feature }, { "setting", put_setting },
	{ "size", put_size }, { "limit", put_limit_field },
	{ "tool", put_tool }, { "desktop", put_desktop },
	{ "install", put_install }, { "type", put_type },
};

/* The field with this name of `n` bytes, which exists: the names are in reasons.def. */
static field *
find_field(const char *name, size_t n)
{
	size_t i = 0;

	while (strlen(fields[i].name) != n || memcmp(fields[i].name, name, n) != 0)
		i++;
	return fields[i].put;
}

/* Fills in the fields of a message; truncates it if it does not fit. */
static void
fill(char *to, size_t size, const char *text, const struct facts *facts)
{
	char value[FIELD_MAX];
	size_t n, used = 0;

	for (to[0] = '\0'; *text != '\0' && used + 1 < size; used += strlen(to + used)) {
		n = strcspn(text, "{");
		if (n > 0) {
			text_format(to + used, size - used, "%.*s", (int)n, text);
		} else {
			n = strcspn(text, "}") + 1;
			find_field(text + 1, n - 2)(value, facts);
			text_format(to + used, size - used, "%s", value);
		}
		text += n;
	}
}

static void
explain_route_reason(char *to, size_t size, const struct reason *reason,
    const struct route *route, const struct path *path)
{
	fill(to, size, words[reason->id].message,
	    &(struct facts){ reason, path, route->terminal, route->who });
}

void
explain_route(struct explanation *to, const struct route *route,
    const struct path *path)
{
	struct facts warning = { &route->warning, path, route->terminal, route->who };

	explain_route_reason(to->reason, sizeof(to->reason), &route->reason, route,
	    path);
	explain_route_reason(to->note, sizeof(to->note), &route->note, route, path);
	explain_route_reason(to->warning, sizeof(to->warning), &route->warning, route,
	    path);
	fill(to->warning_hint, sizeof(to->warning_hint),
	    words[route->warning.id].hint, &warning);
}

static bool
set_refusal(struct error *error, const struct facts *facts)
{
	enum reason_id id = facts->reason->id;

	*error = (struct error){ .status = words[id].status };
	fill(error->message, sizeof(error->message), words[id].message, facts);
	fill(error->hint, sizeof(error->hint), words[id].hint, facts);
	return false;
}

bool
explain_refusal(struct error *error, const struct route *route,
    const struct path *path)
{
	return set_refusal(error, &(struct facts){ &route->refusal, path,
	    route->terminal, route->who });
}

void
explain_read(struct explanation *to, const struct read_plan *plan,
    const struct path *path)
{
	*to = (struct explanation){ .note = "" };
	fill(to->reason, sizeof(to->reason), words[plan->reason.id].message,
	    &(struct facts){ &plan->reason, path, plan->terminal, plan->who });
}

bool
explain_read_refusal(struct error *error, const struct read_plan *plan,
    const struct path *path)
{
	return plan->refusal.id != REASON_NONE && set_refusal(error,
	    &(struct facts){ &plan->refusal, path, plan->terminal, plan->who });
}
