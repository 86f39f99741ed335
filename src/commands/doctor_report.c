/* SPDX-License-Identifier: MIT */
/* What doctor found, in words; the contract is in doctor_report.h. */
#include "commands/doctor_report.h"

#include "base/json.h"
#include "base/text.h"
#include "commands/report.h"
#include "encoder/encoder.h"
#include "base/user.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *word, *colour;
} verdicts[] = {
	[VERDICT_YES] = { "yes", COLOUR_GREEN },
	[VERDICT_NO] = { "no", COLOUR_RED },
	[VERDICT_UNKNOWN] = { "unknown", COLOUR_YELLOW },
};

static const char *const sources[] = {
	[DEVICE_NONE] = "none",
	[DEVICE_ASKED_FOR] = "asked for",
	[DEVICE_STDOUT] = "standard output",
	[DEVICE_STDERR] = "standard error",
	[DEVICE_CONTROLLING] = "controlling terminal",
	[DEVICE_PANE] = "pane of tmux",
	[DEVICE_ANCESTOR] = "terminal of a parent",
};

/* The name of a user follows. */
static const char *const fact_words[] = {
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

/* Which of the two that may know the terminal is believed. */
static const char *
believed(const struct path *path, const struct background *background)
{
	if (background->forced != NULL)
		return "option";
	if (path->terminal == NULL)
		return "";
	return terminal_by_version(path->version) != NULL ||
	    probe_terminal(&path->probe) != NULL ? "reply" : "environment";
}

/* ---- text --------------------------------------------------------------- */

/* Below WIDE columns the names stand closer to the left. */
enum { WIDE = 60, INDENT_WIDE = 14, INDENT_NARROW = 4, TEXT_MAX = 1024 };

struct page {
	struct buf *out;
	size_t columns;
	bool colour;
};

/* A name in the left column, the text beside it, wrapped at blanks. */
static void
add_paragraph(const struct page *page, const char *name, const char *text)
{
	struct buf *out = page->out;
	size_t indent = page->columns < WIDE ? INDENT_NARROW : INDENT_WIDE;
	size_t n, column = strlen(name) + 3;
	char left[INDENT_WIDE + 1];
	bool first = true;

	buf_add_string(out, "  ");
	buf_add_string(out, name);
	text_format(left, sizeof(left), "%*s", (int)indent, "");
	if (column <= indent)
		buf_add(out, left, indent - column);
	column = column <= indent ? indent - 1 : column - 1;
	for (; *text != '\0'; first = false) {
		n = strcspn(text, " ");
		if (!first && column + 1 + n > page->columns - 1) {
			buf_add_string(out, "\n");
			buf_add_string(out, left);
			column = indent;
		} else {
			buf_add_string(out, " ");
			column++;
		}
		buf_add(out, text, n);
		column += n;
		text += n + strspn(text + n, " ");
	}
	buf_add_string(out, "\n");
}

/* "a,b" as "a, b"; what does not fit is left out. */
static void
space_commas(char *to, size_t size, const char *list)
{
	size_t n = 0;

	for (; *list != '\0' && n + 3 < size; list++) {
		to[n++] = *list;
		if (*list == ',')
			to[n++] = ' ';
	}
	to[n] = '\0';
}

static void
describe_tmux(char *text, size_t size, const struct tmux *tmux)
{
	char features[TMUX_FEATURES * 2];
	size_t n;

	/* one word would be wider than most windows */
	space_commas(features, sizeof(features), tmux->client.features);
	text_format(text, size, "session %s, set-clipboard %s, "
	    "allow-passthrough %s", text_quote(tmux->session).text,
	    set_clipboard_words[tmux->set_clipboard],
	    passthrough_words[tmux->passthrough]);
	n = strlen(text);
	if (tmux->has_client)
		text_format(text + n, size - n, "; %u attached, last used %s "
		    "(TERM=%s%s%s, features %s)", tmux->clients,
		    tmux->client.tty, tmux->client.term,
		    tmux->client.type[0] != '\0' ? ", says it is " : "",
		    tmux->client.type, features);
	else
		text_format(text + n, size - n, "; no terminal is attached");
}

/* A tmux whose server only our questions at the terminal have reached. */
static void
describe_unasked(char *text, size_t size, const struct hop *hop)
{
	const struct probe_tmux *probe = &hop->probe;
	size_t n;

	text_format(text, size, "its server cannot be asked from here%s%s",
	    hop->why[0] != '\0' ? ": " : "; TERM tells of it", hop->why);
	n = strlen(text);
	if (probe->answered)
		text_format(text + n, size - n, "; by its replies set-clipboard is "
		    "%s and allow-passthrough is %s", probe->interprets ? "on" :
		    probe->copy_known ? "not on" : "unknown", probe->passes ? "on" :
		    probe->asked && !probe->interprets ? "off" : "unknown");
}

static void
describe_hop(char *text, size_t size, const struct hop *hop)
{
	if (hop->kind == HOP_TMUX)
		describe_tmux(text, size, &hop->tmux);
	else if (hop->kind == HOP_TMUX_UNREACHABLE || hop->kind == HOP_TMUX_OR_SCREEN)
		describe_unasked(text, size, hop);
	else if (hop->detached)
		text_format(text, size, "no terminal shows the session");
	else
		text_format(text, size, "around this terminal%s%s",
		    hop->outer_tty[0] != '\0' ? "; on its outer side " : "",
		    hop->outer_tty);
}

/* What told that the hop is there, and whose word that is. */
static void
describe_source(char *text, size_t size, const struct hop *hop)
{
	char owner[USER_NAME];

	user_name(owner, hop->owner);
	text_format(text, size, "%s %s", fact_words[hop->source], owner);
}

/* The replies that came, in the terms of the questions. */
static void
describe_replies(char text[TEXT_MAX], const struct path *path)
{
	const struct {
		const char *question, *reply;
	} rows[] = {
		{ "XTVERSION", path->version }, { "DA1", path->probe.da1 },
		{ "DA2", path->probe.da2 }, { "DA3", path->probe.da3 },
	};
	size_t i, n;

	text[0] = '\0';
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].reply[0] == '\0')
			continue;
		n = strlen(text);
		text_format(text + n, TEXT_MAX - n, "%s%s %s",
		    n > 0 ? ", " : "", rows[i].question, rows[i].reply);
	}
	if (text[0] == '\0')
		text_format(text, TEXT_MAX, "none");
}

static void
add_terminal(const struct page *page, const struct path *path,
    const struct background *background)
{
	const char *source = believed(path, background);
	char text[TEXT_MAX];

	text_format(text, sizeof(text), "%s%s%s (TERM=%s)",
	    background->forced != NULL ? background->forced :
	    path->terminal != NULL ? path->terminal->name : "not recognised",
	    source[0] != '\0' ? ", believed is the " : "", source, path->term);
	add_paragraph(page, "terminal", text);
	add_paragraph(page, "variables", path->by_environment != NULL ?
	    path->by_environment->name : "name none that is known");
	describe_replies(text, path);
	add_paragraph(page, "replies", text);
}

static void
add_logins(const struct page *page, const struct path *path,
    const struct background *background)
{
	char text[TEXT_MAX] = "";
	size_t i, n;

	for (i = 0; i < background->logins; i++) {
		n = strlen(text);
		text_format(text + n, sizeof(text) - n, "%s%s",
		    i > 0 ? ", started by " : "", background->login[i]);
	}
	if (text[0] != '\0')
		add_paragraph(page, "started by", text);
	if (!path->remote)
		return;
	text_format(text, sizeof(text), "this machine was reached by ssh%s%s",
	    path->peer[0] != '\0' ? " from " : "", path->peer);
	add_paragraph(page, "ssh", text);
}

static void
add_chain(const struct page *page, const struct path *path,
    const struct background *background)
{
	char text[TEXT_MAX], name[PROCESS_NAME + TMUX_WORD + 1];
	char device[DEVICE_NAME];
	size_t i;

	path_device(device, path);
	text_format(text, sizeof(text), "%s (%s%s)", device[0] != '\0' ? device :
	    "no terminal", sources[path->source], path->ancestor[0] != '\0' ?
	    " process" : "");
	if (path->ancestor[0] != '\0')
		text_format(text, sizeof(text), "%s (of %s, which started this)",
		    device, path->ancestor);
	add_paragraph(page, "here", text);
	for (i = 0; i < path->hops; i++) {
		describe_hop(text, sizeof(text), &path->hop[i]);
		text_format(name, sizeof(name), "%s%s%s", path->hop[i].name,
		    path->hop[i].tmux.version[0] != '\0' ? " " : "",
		    path->hop[i].tmux.version);
		add_paragraph(page, name, text);
		if (background->verbose) {
			describe_source(text, sizeof(text), &path->hop[i]);
			add_paragraph(page, "", text);
		}
	}
	add_logins(page, path, background);
	add_terminal(page, path, background);
	if (path->remark[0] != '\0')
		add_paragraph(page, "note", path->remark);
}

static void
add_verdict(const struct page *page, const struct finding *f)
{
	struct buf *out = page->out;

	buf_add_string(out, f->word);
	buf_add_string(out, ": ");
	buf_add_string(out, page->colour ? verdicts[f->verdict].colour : "");
	buf_add_string(out, verdicts[f->verdict].word);
	buf_add_string(out, page->colour ? COLOUR_NONE : "");
	if (f->as != NULL && f->verdict != VERDICT_NO) {
		buf_add_string(out, ", by ");
		buf_add_string(out, f->as);
	}
	buf_add_string(out, "\n");
}

static void
add_route(const struct page *page, const struct route *route)
{
	char text[256], layers[CHAIN_TEXT];

	chain_format(&route->chain, layers);
	text_format(text, sizeof(text), "%s%s%s, layers %s", route_words[route->kind],
	    route->device[0] != '\0' ? " to " : "", route->device, layers);
	add_paragraph(page, "route", text);
}

static void
add_limit(const struct page *page, size_t limit)
{
	char text[64];

	if (limit == 0)
		return;
	text_format(text, sizeof(text), "%zu bytes", limit);
	add_paragraph(page, "limit", text);
}

static void
add_reason(const struct page *page, const struct finding *f)
{
	if (f->verdict == VERDICT_UNKNOWN)
		add_paragraph(page, "because", "nothing on the way is known to "
		    "stop it; whether the terminal does it is its to say");
	if (f->verdict != VERDICT_NO)
		return;
	add_paragraph(page, "because", f->error.message);
	if (f->error.hint[0] != '\0')
		add_paragraph(page, "hint", f->error.hint);
}

static void
add_body(const struct page *page, const struct finding *f)
{
	const struct route *route = &f->route;
	const struct explanation *says = &f->says;

	if (f->has_route)
		add_route(page, route);
	if (says->reason[0] != '\0' && f->verdict != VERDICT_NO)
		add_paragraph(page, "this way", says->reason);
	add_limit(page, f->verdict != VERDICT_NO ? route->limit : 0);
	if (says->note[0] != '\0')
		add_paragraph(page, route->overwrites ? "note" : "setting",
		    says->note);
	if (says->warning[0] != '\0')
		add_paragraph(page, "warning", says->warning);
	if (says->warning_hint[0] != '\0')
		add_paragraph(page, "hint", says->warning_hint);
	add_reason(page, f);
}

/*
 * The verdicts, each with what there is to say about it; neighbours of whom the
 * same is to be said have it said once, below the last.
 */
static void
add_findings(const struct page *page, const struct finding *findings,
    size_t count)
{
	struct buf body[2];
	size_t i;

	for (i = 0; i < 2; i++)
		buf_init(&body[i], page->out->max);
	for (i = 0; i <= count; i++) {
		struct buf *last = &body[i % 2], *next = &body[(i + 1) % 2];

		next->len = 0;
		if (i < count)
			add_body(&(struct page){ next, page->columns, false },
			    &findings[i]);
		if (last->len != next->len || (last->len > 0 &&
		    memcmp(last->data, next->data, last->len) != 0)) {
			buf_add(page->out, last->data, last->len);
			buf_add_string(page->out, i < count ? "\n" : "");
		}
		if (i < count)
			add_verdict(page, &findings[i]);
	}
	for (i = 0; i < 2; i++) {
		if (body[i].fault != BUF_FINE)
			page->out->fault = body[i].fault;
		buf_free(&body[i]);
	}
}

void
doctor_report_text(struct buf *out, const struct path *path,
    const struct background *background, const struct finding *findings,
    size_t count, size_t columns, bool colour)
{
	const struct page page = { out, columns, colour };

	buf_add_string(out, "from here to the screen:\n");
	add_chain(&page, path, background);
	add_findings(&page, findings, count);
}

/* ---- JSON --------------------------------------------------------------- */

static void
add_hop_json(struct buf *out, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	char text[TEXT_MAX];

	describe_hop(text, sizeof(text), hop);
	json_open(out, NULL, '{');
	json_text(out, "hop", hop->name);
	json_text(out, "version", tmux->version);
	json_text(out, "outer_device", hop->outer_tty);
	json_text(out, "description", text);
	describe_source(text, sizeof(text), hop);
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
	json_open(out, NULL, '{');
	json_text(out, "feature", f->word);
	json_text(out, "works", verdicts[f->verdict].word);
	json_text(out, "as", f->verdict != VERDICT_NO ? f->as : NULL);
	if (f->has_route && f->verdict != VERDICT_NO)
		report_route_json(out, &f->route, &f->says, f->route.device);
	if (!f->has_route && f->verdict != VERDICT_NO) {
		json_text(out, "reason", f->says.reason);
		json_number(out, "limit_bytes", f->route.limit);
		json_text(out, "note", f->says.note);
	}
	if (f->verdict == VERDICT_NO) {
		json_text(out, "reason", f->error.message);
		json_text(out, "hint", f->error.hint);
	}
	json_close(out, '}');
}

static void
add_terminal_json(struct buf *out, const struct path *path,
    const struct background *background)
{
	json_text(out, "term", path->term);
	json_text(out, "terminal", path->terminal != NULL ? path->terminal->id : NULL);
	json_text(out, "terminal_believed", believed(path, background));
	json_text(out, "terminal_by_environment",
	    path->by_environment != NULL ? path->by_environment->id : NULL);
	json_text(out, "terminal_says", path->version);
	json_text(out, "da1", path->probe.da1);
	json_text(out, "da2", path->probe.da2);
	json_text(out, "da3", path->probe.da3);
}

void
doctor_report_json(struct buf *out, const struct path *path,
    const struct background *background, const struct finding *findings,
    size_t count)
{
	char device[DEVICE_NAME];
	size_t i;

	path_device(device, path);
	json_open(out, NULL, '{');
	json_text(out, "command", "doctor");
	json_text(out, "device", device);
	json_text(out, "device_source", sources[path->source]);
	json_open(out, "hops", '[');
	for (i = 0; i < path->hops; i++)
		add_hop_json(out, &path->hop[i]);
	json_close(out, ']');
	json_open(out, "started_by", '[');
	for (i = 0; i < background->logins; i++)
		json_text(out, NULL, background->login[i]);
	json_close(out, ']');
	json_bool(out, "ssh", path->remote);
	json_text(out, "ssh_peer", path->peer);
	add_terminal_json(out, path, background);
	json_open(out, "features", '[');
	for (i = 0; i < count; i++)
		add_finding_json(out, &findings[i]);
	json_close(out, ']');
	json_close(out, '}');
	buf_add(out, "\n", 1);
}
