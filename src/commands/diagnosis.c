/* SPDX-License-Identifier: MIT */
/* What doctor found, in words; the contract is in diagnosis.h. */
#include "commands/diagnosis.h"

#include "base/json.h"
#include "base/text.h"
#include "commands/report.h"
#include "encoder/encoder.h"

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

static const char *const set_clipboard_words[] = {
	[SET_CLIPBOARD_UNKNOWN] = "unknown", [SET_CLIPBOARD_OFF] = "off",
	[SET_CLIPBOARD_EXTERNAL] = "external", [SET_CLIPBOARD_ON] = "on",
};

static const char *const passthrough_words[] = {
	[PASSTHROUGH_UNKNOWN] = "unknown", [PASSTHROUGH_OFF] = "off",
	[PASSTHROUGH_ON] = "on", [PASSTHROUGH_ALL] = "all",
};

/* ---- text --------------------------------------------------------------- */

enum { COLUMNS = 80, INDENT = 14 };

/* A name in the left column, the text beside it, wrapped at blanks. */
static void
add_paragraph(struct buf *out, const char *name, const char *text)
{
	char left[INDENT + 1];
	size_t n, column = INDENT;

	text_format(left, sizeof(left), "  %-*.*s", INDENT - 2, INDENT - 3, name);
	buf_add_string(out, left);
	while (*text != '\0') {
		n = strcspn(text, " ");
		if (column > INDENT && column + n > COLUMNS - 1) {
			text_format(left, sizeof(left), "%*s", INDENT, "");
			buf_add_string(out, "\n");
			buf_add_string(out, left);
			column = INDENT;
		} else if (column > INDENT) {
			buf_add_string(out, " ");
			column++;
		}
		buf_add(out, text, n);
		column += n;
		text += n + strspn(text + n, " ");
	}
	buf_add_string(out, "\n");
}

static void
describe_tmux(char *text, size_t size, const struct tmux *tmux)
{
	size_t n;

	text_format(text, size, "session %s, set-clipboard %s, "
	    "allow-passthrough %s", text_quote(tmux->session).text,
	    set_clipboard_words[tmux->set_clipboard],
	    passthrough_words[tmux->passthrough]);
	n = strlen(text);
	if (tmux->has_client)
		text_format(text + n, size - n, "; %u attached, last used %s "
		    "(TERM=%s, features %s)", tmux->clients, tmux->client.tty,
		    tmux->client.term, tmux->client.features);
	else
		text_format(text + n, size - n, "; no terminal is attached");
}

static void
describe_hop(char *text, size_t size, const struct hop *hop)
{
	if (hop->kind == HOP_TMUX)
		describe_tmux(text, size, &hop->tmux);
	else if (hop->probe.answered)
		text_format(text, size, "on another machine; it answers that "
		    "set-clipboard is %s and allow-passthrough is %s",
		    hop->probe.interprets ? "on" : "not on",
		    hop->probe.passes ? "on" : "off");
	else if (hop->kind == HOP_TMUX_SILENT || hop->kind == HOP_TMUX_OR_SCREEN)
		text_format(text, size, "cannot be asked%s%s",
		    hop->why[0] != '\0' ? ": " : "; TERM tells of it", hop->why);
	else if (hop->detached)
		text_format(text, size, "no terminal shows the session");
	else
		text_format(text, size, "around this terminal%s%s",
		    hop->outer_tty[0] != '\0' ? "; on its outer side " : "",
		    hop->outer_tty);
}

static void
add_chain(struct buf *out, const struct surroundings *s)
{
	char text[1024], name[PROCESS_NAME + TMUX_WORD + 1], device[DEVICE_NAME];
	size_t i;

	surroundings_device(device, s);
	text_format(text, sizeof(text), "%s (%s)", device[0] != '\0' ? device :
	    "no terminal", s->source == DEVICE_ANCESTOR ? s->ancestor :
	    sources[s->source]);
	add_paragraph(out, "here", text);
	for (i = 0; i < s->hops; i++) {
		describe_hop(text, sizeof(text), &s->hop[i]);
		text_format(name, sizeof(name), "%s %s", s->hop[i].name,
		    s->hop[i].tmux.version);
		add_paragraph(out, name, text);
	}
	if (s->remote)
		add_paragraph(out, "ssh", "this machine was reached by ssh");
	text_format(text, sizeof(text), "%s%s%s (TERM=%s)", s->terminal != NULL ?
	    s->terminal->name : "not recognised", s->version[0] != '\0' ?
	    ", says it is " : s->terminal != NULL ? ", by the environment" : "",
	    s->version, s->term);
	add_paragraph(out, "terminal", text);
	if (s->remark[0] != '\0')
		add_paragraph(out, "note", s->remark);
}

static void
add_verdict(struct buf *out, const struct finding *f, bool colour)
{
	buf_add_string(out, "\n");
	buf_add_string(out, feature_name(f->feature));
	buf_add_string(out, ": ");
	buf_add_string(out, colour ? verdicts[f->verdict].colour : "");
	buf_add_string(out, verdicts[f->verdict].word);
	buf_add_string(out, colour ? COLOUR_NONE "\n" : "\n");
}

static void
add_route(struct buf *out, const struct route *route)
{
	char text[256], layers[CHAIN_TEXT];

	chain_format(&route->chain, layers);
	text_format(text, sizeof(text), "%s%s%s, layers %s", route_words[route->kind],
	    route->device[0] != '\0' ? " to " : "", route->device, layers);
	add_paragraph(out, "route", text);
	add_paragraph(out, "this way", route->reason);
	if (route->limit != 0) {
		text_format(text, sizeof(text), "%zu bytes a sequence", route->limit);
		add_paragraph(out, "limit", text);
	}
	if (route->note[0] != '\0')
		add_paragraph(out, "setting", route->note);
	if (route->warning[0] != '\0')
		add_paragraph(out, "warning", route->warning);
	if (route->warning_hint[0] != '\0')
		add_paragraph(out, "hint", route->warning_hint);
}

void
diagnosis_text(struct buf *out, const struct surroundings *s,
    const struct finding *findings, size_t count, bool colour)
{
	size_t i;

	buf_add_string(out, "from here to the screen:\n");
	add_chain(out, s);
	for (i = 0; i < count; i++) {
		add_verdict(out, &findings[i], colour);
		if (findings[i].has_route)
			add_route(out, &findings[i].route);
		if (findings[i].verdict == VERDICT_UNKNOWN)
			add_paragraph(out, "because", "nothing on the way is known "
			    "to stop it; whether the terminal does it is its to "
			    "say");
		if (findings[i].verdict != VERDICT_NO)
			continue;
		add_paragraph(out, "because", findings[i].error.message);
		if (findings[i].error.hint[0] != '\0')
			add_paragraph(out, "hint", findings[i].error.hint);
	}
}

/* ---- JSON --------------------------------------------------------------- */

static void
add_hop_json(struct buf *out, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	char text[1024];

	describe_hop(text, sizeof(text), hop);
	json_open(out, NULL, '{');
	json_text(out, "hop", hop->name);
	json_text(out, "version", tmux->version);
	json_text(out, "outer_device", hop->outer_tty);
	json_text(out, "description", text);
	if (hop->kind == HOP_TMUX) {
		json_text(out, "session", tmux->session);
		json_text(out, "set_clipboard",
		    set_clipboard_words[tmux->set_clipboard]);
		json_text(out, "allow_passthrough",
		    passthrough_words[tmux->passthrough]);
		json_number(out, "clients", tmux->clients);
		json_text(out, "client_features", tmux->client.features);
	}
	json_close(out, '}');
}

static void
add_finding_json(struct buf *out, const struct finding *f)
{
	json_open(out, NULL, '{');
	json_text(out, "feature", feature_name(f->feature));
	json_text(out, "works", verdicts[f->verdict].word);
	if (f->has_route)
		report_route_json(out, &f->route, f->route.device);
	if (f->verdict == VERDICT_NO) {
		json_text(out, "reason", f->error.message);
		json_text(out, "hint", f->error.hint);
	}
	json_close(out, '}');
}

void
diagnosis_json(struct buf *out, const struct surroundings *s,
    const struct finding *findings, size_t count)
{
	char device[DEVICE_NAME];
	size_t i;

	surroundings_device(device, s);
	json_open(out, NULL, '{');
	json_text(out, "command", "doctor");
	json_text(out, "device", device);
	json_text(out, "device_source", sources[s->source]);
	json_open(out, "hops", '[');
	for (i = 0; i < s->hops; i++)
		add_hop_json(out, &s->hop[i]);
	json_close(out, ']');
	json_bool(out, "ssh", s->remote);
	json_text(out, "term", s->term);
	json_text(out, "terminal", s->terminal != NULL ? s->terminal->id : NULL);
	json_text(out, "terminal_says", s->version);
	json_open(out, "features", '[');
	for (i = 0; i < count; i++)
		add_finding_json(out, &findings[i]);
	json_close(out, ']');
	json_close(out, '}');
	buf_add(out, "\n", 1);
}
