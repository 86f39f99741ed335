/* SPDX-License-Identifier: MIT */
/* Doctor's report as text and JSON; the contract is in doctor_report.h. */
#include "commands/doctor_report.h"

#include "base/json.h"
#include "base/text.h"
#include "base/user.h"
#include "commands/report.h"
#include "encoder/encoder.h"

#include <string.h>

static const struct {
	const char *word, *color;
} verdicts[] = {
	[VERDICT_YES] = { "yes", COLOR_GREEN },
	[VERDICT_NO] = { "no", COLOR_RED },
	[VERDICT_UNKNOWN] = { "unknown", COLOR_YELLOW },
};

static const char *const device_sources[] = {
	[DEVICE_NONE] = "none",
	[DEVICE_ASKED_FOR] = "asked for",
	[DEVICE_STDOUT] = "standard output",
	[DEVICE_STDERR] = "standard error",
	[DEVICE_CONTROLLING] = "controlling terminal",
	[DEVICE_PANE] = "pane of tmux",
	[DEVICE_ANCESTOR] = "terminal of a parent",
};

/* Followed by a user name. */
static const char *const fact_sources[] = {
	[SOURCE_ENVIRONMENT] = "known from this environment, of",
	[SOURCE_ANCESTOR] = "known from the environment of a process of",
	[SOURCE_PROCESSES] = "seen as a process of",
	[SOURCE_TERM] = "known from TERM alone, of",
	[SOURCE_REPLY] = "known from its reply to",
};

static const char *const set_clipboard_words[] = {
	[SET_CLIPBOARD_UNKNOWN] = "unknown", [SET_CLIPBOARD_OFF] = "off",
	[SET_CLIPBOARD_EXTERNAL] = "external", [SET_CLIPBOARD_ON] = "on",
};

static const char *const passthrough_words[] = {
	[PASSTHROUGH_UNKNOWN] = "unknown", [PASSTHROUGH_OFF] = "off",
	[PASSTHROUGH_ON] = "on", [PASSTHROUGH_ALL] = "all",
};

/* What identified the terminal: "option", "reply", "environment" or "". */
static const char *
terminal_source(const struct doctor_report *r)
{
	const struct path *path = r->path;

	return r->forced != NULL ? "option" : path->terminal == NULL ? "" :
	    terminal_by_version(path->version) != NULL ||
	    probe_terminal(&path->probe) != NULL ? "reply" : "environment";
}

static const struct terminal *
reported_terminal(const struct doctor_report *r)
{
	return r->forced != NULL ? r->forced : r->path->terminal;
}

/* ---- text --------------------------------------------------------------- */

/* Below WIDE columns the path is indented less. */
enum { WIDE = 60, INDENT_DETAILS = 2, INDENT_NARROW = 4, INDENT_WIDE = 14,
	TEXT_MAX = 1024 };

/* Appends to `text`, which has TEXT_MAX bytes. */
#define APPEND(text, ...) \
	text_format((text) + strlen(text), TEXT_MAX - strlen(text), __VA_ARGS__)

static void
add_blanks(struct buf *out, size_t n)
{
	while (n-- > 0)
		buf_add_string(out, " ");
}

/* Starts at `column`; continuation lines at `indent`. Breaks only at blanks. */
static void
add_wrapped(struct buf *out, const struct doctor_report *r, size_t column,
    size_t indent, const char *text)
{
	size_t n, blanks;

	for (; *text != '\0'; text += n + strspn(text + n, " ")) {
		n = strcspn(text, " ");
		if (column > indent && column + 1 + n >= r->columns) {
			buf_add_string(out, "\n");
			column = 0;
		}
		blanks = column < indent ? indent - column : 1;
		add_blanks(out, blanks);
		buf_add(out, text, n);
		column += blanks + n;
	}
	buf_add_string(out, "\n");
}

/* Adds a name and its text in two columns, or nothing if the text is empty. */
static void
add_row(struct buf *out, const struct doctor_report *r, const char *name,
    const char *text)
{
	if (text[0] == '\0')
		return;
	add_blanks(out, INDENT_DETAILS);
	buf_add_string(out, name);
	add_wrapped(out, r, INDENT_DETAILS + strlen(name),
	    r->columns < WIDE ? INDENT_NARROW : INDENT_WIDE, text);
}

/* ---- the features ------------------------------------------------------- */

static bool
would_fail(const struct finding *f)
{
	return f->error.status != STATUS_DONE;
}

static const char *
finding_reason(const struct finding *f)
{
	if (would_fail(f))
		return f->error.message;
	if (f->says.warning[0] != '\0')
		return f->says.warning;
	if (f->says.note[0] != '\0' && !f->needs_setting)
		return f->says.note;
	return f->verdict == VERDICT_UNKNOWN && !f->needs_setting ?
	    "nothing on the path is known to drop it" : "";
}

static const char *
finding_fix(const struct finding *f, const struct doctor_report *r)
{
	if (would_fail(f))
		return f->error.hint;
	if (f->says.warning_hint[0] != '\0')
		return f->says.warning_hint;
	if (f->needs_setting)
		return f->says.note;
	return f->verdict == VERDICT_UNKNOWN && reported_terminal(r) == NULL ?
	    "name the terminal: --term NAME" : "";
}

/* "client-tty to /dev/pts/3, layers none: ..." */
static void
describe_route(char text[TEXT_MAX], const struct finding *f)
{
	const struct route *route = &f->route;
	const char *to = route->tool != NULL ? route->desktop : route->device.name;
	char layers[CHAIN_TEXT];

	text[0] = '\0';
	if (would_fail(f))
		return;
	chain_format(&route->chain, layers);
	if (f->has_route)
		APPEND(text, "%s%s%s, layers %s%s", route_words[route->kind],
		    to[0] != '\0' ? " to " : "", to, layers,
		    f->says.reason[0] != '\0' ? ": " : "");
	APPEND(text, "%s", f->says.reason);
}

/* "copy: yes (client-tty, limit 74994 bytes)" */
static void
add_verdict(struct buf *out, const struct doctor_report *r, const struct finding *f)
{
	const char *word = verdicts[f->verdict].word;
	size_t column = strlen(f->word) + 2 + strlen(word);
	char text[TEXT_MAX] = "";

	buf_add_string(out, f->word);
	buf_add_string(out, ": ");
	buf_add_string(out, r->color ? verdicts[f->verdict].color : "");
	buf_add_string(out, word);
	buf_add_string(out, r->color ? COLOR_NONE : "");
	if (!would_fail(f)) {
		if (f->as != NULL)
			APPEND(text, ", %s", f->as);
		if (f->has_route)
			APPEND(text, ", %s%s%s", route_words[f->route.kind],
			    f->route.tool != NULL ? ": " : "",
			    f->route.tool != NULL ? f->route.tool->program : "");
		if (f->route.limit > 0)
			APPEND(text, ", limit %zu bytes", f->route.limit);
	}
	if (text[0] != '\0') {
		text[1] = '(';
		APPEND(text, ")");
		memmove(text, text + 1, strlen(text));
	}
	add_wrapped(out, r, column, INDENT_DETAILS, text);
}

/* Everything below a verdict. */
static void
add_details(struct buf *out, const struct doctor_report *r, const struct finding *f)
{
	const char *reason = finding_reason(f), *fix = finding_fix(f, r);
	char route[TEXT_MAX];

	if (reason[0] != '\0')
		add_wrapped(out, r, 0, INDENT_DETAILS, reason);
	if (fix[0] != '\0') {
		buf_add_string(out, "  hint: ");
		buf_add_string(out, fix);
		buf_add_string(out, "\n");
	}
	describe_route(route, f);
	if (r->verbose)
		add_row(out, r, "route", route);
}

static bool
has_same_details(const struct doctor_report *r, const struct finding *a,
    const struct finding *b)
{
	char route_a[TEXT_MAX], route_b[TEXT_MAX];

	describe_route(route_a, a);
	describe_route(route_b, b);
	return strcmp(finding_reason(a), finding_reason(b)) == 0 &&
	    strcmp(finding_fix(a, r), finding_fix(b, r)) == 0 &&
	    (!r->verbose || strcmp(route_a, route_b) == 0);
}

/* Identical details of consecutive features are printed once, below the last. */
static void
add_findings(struct buf *out, const struct doctor_report *r)
{
	const struct finding *f = r->finding, *end = f + r->count;

	for (; f < end; f++) {
		add_verdict(out, r, f);
		if (f + 1 == end || !has_same_details(r, f, f + 1))
			add_details(out, r, f);
	}
}

/* ---- the path ----------------------------------------------------------- */

static void
describe_tmux(char text[TEXT_MAX], const struct tmux *tmux)
{
	const struct tmux_client *client = &tmux->client;

	APPEND(text, "session %s, set-clipboard %s, allow-passthrough %s; ",
	    text_quote(tmux->session).text, set_clipboard_words[tmux->set_clipboard],
	    passthrough_words[tmux->passthrough]);
	if (!tmux->has_client)
		APPEND(text, "no terminal is attached");
	else
		APPEND(text, "%u attached, last used %s (TERM=%s%s%s)", tmux->clients,
		    client->tty, client->term, client->type[0] != '\0' ?
		    ", XTVERSION " : "", client->type);
}

/* A tmux whose server is unreachable and was queried through the terminal. */
static void
describe_unreachable(char text[TEXT_MAX], const struct hop *hop)
{
	const struct probe_tmux *probe = &hop->probe;

	APPEND(text, "its server cannot be asked from here%s%s",
	    hop->why[0] != '\0' ? ": " : "", hop->why);
	if (probe->answered)
		APPEND(text, "; from its replies: set-clipboard %s, "
		    "allow-passthrough %s", probe->interprets ? "on" :
		    probe->copy_known ? "not on" : "unknown", probe->passes ? "on" :
		    probe->asked ? "off" : "unknown");
}

static void
describe_hop(char text[TEXT_MAX], const struct hop *hop)
{
	text[0] = '\0';
	if (hop->kind == HOP_TMUX)
		describe_tmux(text, &hop->tmux);
	else if (hop->kind == HOP_TMUX_UNREACHABLE || hop->kind == HOP_TMUX_OR_SCREEN)
		describe_unreachable(text, hop);
	else if (hop->detached)
		APPEND(text, "no terminal shows the session");
	else
		APPEND(text, "runs in %s", hop->outer.name[0] != '\0' ?
		    hop->outer.name : "a terminal that is not known");
}

static void
describe_hop_source(char text[TEXT_MAX], const struct hop *hop)
{
	char owner[USER_NAME];

	user_name(owner, hop->origin.owner);
	text_format(text, TEXT_MAX, "%s %s", fact_sources[hop->origin.source], owner);
}

static void
add_hop_line(struct buf *out, const struct doctor_report *r, const struct hop *hop)
{
	char text[TEXT_MAX], name[PROCESS_NAME + TMUX_WORD + 1];

	text_format(name, sizeof(name), "%s%s%s", hop->name,
	    hop->tmux.version[0] != '\0' ? " " : "", hop->tmux.version);
	describe_hop(text, hop);
	add_row(out, r, name, text);
	if (!r->verbose)
		return;
	describe_hop_source(text, hop);
	if (hop->tmux.client.features[0] != '\0')
		APPEND(text, "; client features %s", hop->tmux.client.features);
	add_row(out, r, "", text);
}

static void
add_device(struct buf *out, const struct doctor_report *r)
{
	const struct path *path = r->path;
	char text[TEXT_MAX], device[DEVICE_NAME];

	path_device(device, path);
	if (path->ancestor[0] != '\0')
		text_format(text, sizeof(text), "%s (of %s, which started this)",
		    device, path->ancestor);
	else
		text_format(text, sizeof(text), "%s (%s)", device,
		    device_sources[path->source]);
	add_row(out, r, "here", text);
}

/* How the user logged in: sudo, sshd etc., and the address of the ssh client. */
static void
add_logins(struct buf *out, const struct doctor_report *r)
{
	char text[TEXT_MAX] = "";
	size_t i;

	for (i = 0; i < r->logins; i++)
		APPEND(text, "%s%s", i > 0 ? ", started by " : "", r->login[i]);
	add_row(out, r, "started by", text);
	add_row(out, r, "processes", r->hidden != NULL ? r->hidden : "");
	if (!r->path->remote)
		return;
	text_format(text, sizeof(text), "this machine was reached by ssh%s%s",
	    r->path->peer[0] != '\0' ? " from " : "", r->path->peer);
	add_row(out, r, "ssh", text);
}

static void
describe_replies(char text[TEXT_MAX], const struct path *path)
{
	const struct {
		const char *query, *reply;
	} rows[] = {
		{ "XTVERSION", path->version }, { "DA1", path->probe.da1 },
		{ "DA2", path->probe.da2 }, { "DA3", path->probe.da3 },
	};
	size_t i;

	text[0] = '\0';
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].reply[0] != '\0')
			APPEND(text, "%s%s %s", text[0] != '\0' ? ", " : "",
			    rows[i].query, rows[i].reply);
	if (text[0] == '\0')
		APPEND(text, "none");
}

/* The desktop of the terminal, or why its tools are not used. */
static void
describe_desktop(char text[TEXT_MAX], const struct desktop *desktop)
{
	static const char *const words[] = {
		[DESKTOP_FOUND] = "",
		[DESKTOP_OFF] = "not used: VIATTY_NATIVE=never",
		[DESKTOP_UNSEEN] = "not used: the terminal is not a process on this "
		    "machine that started this one",
		[DESKTOP_OF_ANOTHER] = "not used: the terminal is another user's",
		[DESKTOP_HIDDEN] = "not used: the environment of the terminal cannot "
		    "be read",
		[DESKTOP_CONTAINED] = "not used: the terminal has another root "
		    "directory or other namespaces",
		[DESKTOP_UNTOLD] = "not used: this system does not tell whether the "
		    "terminal has another root directory",
		[DESKTOP_NO_DISPLAY] = "not used: the terminal names no display of "
		    "this user on this machine",
	};
	unsigned id;
	size_t i;

	text[0] = '\0';
	if (desktop == NULL)
		return;
	APPEND(text, "%s", words[desktop->state]);
	for (id = 0; desktop->state == DESKTOP_FOUND && id < DESKTOPS; id++)
		if (desktop->has[id])
			APPEND(text, "%s%s", text[0] != '\0' ? ", " : "",
			    desktop->where[id]);
	if (text[0] == '\0' || desktop->state != DESKTOP_FOUND)
		return;
	if (desktop->own)
		APPEND(text, " of this environment");
	else
		APPEND(text, " of %s, process %ld", desktop->process,
		    (long)desktop->terminal);
	for (i = 0; i < DESKTOP_TOOLS; i++)
		if (desktop->program[i][0] != '\0')
			APPEND(text, "; %s", desktop->program[i]);
}

static void
add_terminal(struct buf *out, const struct doctor_report *r)
{
	static const struct {
		const char *source, *words;
	} sources[] = {
		{ "option", "from --term; " }, { "reply", "from its reply; " },
		{ "environment", "from the environment; " }, { "", "" },
	};
	const struct path *path = r->path;
	const struct terminal *terminal = reported_terminal(r);
	char text[TEXT_MAX];
	size_t i = 0;

	while (strcmp(sources[i].source, terminal_source(r)) != 0)
		i++;
	text_format(text, sizeof(text), "%s (%s%s%s)", terminal != NULL ?
	    terminal->name : "not recognized", sources[i].words,
	    path->term[0] != '\0' ? "TERM=" : "TERM is not set", path->term);
	add_row(out, r, "terminal", text);
	if (!r->verbose)
		return;
	add_row(out, r, "variables", path->by_environment != NULL ?
	    path->by_environment->name : "name no known terminal");
	describe_replies(text, path);
	add_row(out, r, "replies", text);
	describe_desktop(text, path->desktop);
	add_row(out, r, "desktop", text);
}

void
doctor_report_text(struct buf *out, const struct doctor_report *r)
{
	size_t i;

	add_findings(out, r);
	buf_add_string(out, "\nfrom here to the screen:\n");
	add_device(out, r);
	for (i = 0; i < r->path->hops; i++)
		add_hop_line(out, r, &r->path->hop[i]);
	add_logins(out, r);
	add_terminal(out, r);
	add_row(out, r, "note", r->path->stale);
}

/* ---- JSON --------------------------------------------------------------- */

static void
add_hop_json(struct buf *out, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	char text[TEXT_MAX];

	json_open(out, NULL, '{');
	json_text(out, "hop", hop->name);
	json_text(out, "version", tmux->version);
	json_text(out, "outer_device", hop->outer.name);
	describe_hop(text, hop);
	json_text(out, "description", text);
	describe_hop_source(text, hop);
	json_text(out, "source", text);
	if (hop->kind == HOP_TMUX) {
		json_text(out, "session", tmux->session);
		json_text(out, "set_clipboard",
		    set_clipboard_words[tmux->set_clipboard]);
		json_text(out, "allow_passthrough",
		    passthrough_words[tmux->passthrough]);
		json_number(out, "clients", tmux->clients);
		json_text(out, "client_device", tmux->client.tty);
		json_text(out, "client_term", tmux->client.term);
		json_text(out, "client_says", tmux->client.type);
		json_text(out, "client_features", tmux->client.features);
	}
	json_close(out, '}');
}

static void
add_finding_json(struct buf *out, const struct finding *f)
{
	bool works = !would_fail(f);

	json_open(out, NULL, '{');
	json_text(out, "feature", f->word);
	json_text(out, "works", verdicts[f->verdict].word);
	json_text(out, "as", works ? f->as : NULL);
	if (works && f->has_route)
		report_route_json(out, &f->route, &f->says, f->route.device.name);
	else
		json_text(out, "reason", works ? f->says.reason : f->error.message);
	if (!works)
		json_text(out, "hint", f->error.hint);
	else if (!f->has_route) {
		json_number(out, "limit_bytes", f->route.limit);
		json_text(out, "note", f->says.note);
	}
	json_close(out, '}');
}

static void
add_terminal_json(struct buf *out, const struct doctor_report *r)
{
	const struct path *path = r->path;
	char text[TEXT_MAX];

	json_text(out, "term", path->term);
	json_text(out, "terminal", path->terminal != NULL ? path->terminal->id : NULL);
	json_text(out, "terminal_believed", terminal_source(r));
	json_text(out, "terminal_by_environment",
	    path->by_environment != NULL ? path->by_environment->id : NULL);
	json_text(out, "terminal_says", path->version);
	json_text(out, "da1", path->probe.da1);
	json_text(out, "da2", path->probe.da2);
	json_text(out, "da3", path->probe.da3);
	describe_desktop(text, path->desktop);
	json_text(out, "desktop", text);
}

void
doctor_report_json(struct buf *out, const struct doctor_report *r)
{
	const struct path *path = r->path;
	char device[DEVICE_NAME];
	size_t i;

	path_device(device, path);
	json_open(out, NULL, '{');
	json_text(out, "command", "doctor");
	json_text(out, "device", device);
	json_text(out, "device_source", device_sources[path->source]);
	json_open(out, "hops", '[');
	for (i = 0; i < path->hops; i++)
		add_hop_json(out, &path->hop[i]);
	json_close(out, ']');
	json_open(out, "started_by", '[');
	for (i = 0; i < r->logins; i++)
		json_text(out, NULL, r->login[i]);
	json_close(out, ']');
	json_text(out, "processes", r->hidden);
	json_bool(out, "ssh", path->remote);
	json_text(out, "ssh_peer", path->peer);
	add_terminal_json(out, r);
	json_open(out, "features", '[');
	for (i = 0; i < r->count; i++)
		add_finding_json(out, &r->finding[i]);
	json_close(out, ']');
	json_close(out, '}');
	buf_add(out, "\n", 1);
}
