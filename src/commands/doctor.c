/* SPDX-License-Identifier: MIT */
/* doctor: what works here, what does not, and the path to the screen. */
#include "commands/command.h"

#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1024 };

static const struct option_spec options[] = {
	FLAG(0, "json", "print a JSON report", globals.json),
	{ .kind = OPTION_END }
};

/* The features, in the order of the report, and what the commands request for each. */
enum subject { SUBJECT_COPY, SUBJECT_PRIMARY, SUBJECT_CLEAR, SUBJECT_TYPES, SUBJECT_TITLE,
	SUBJECT_TITLE_STACK, SUBJECT_COLOR, SUBJECT_NOTIFY, SUBJECT_PROGRESS,
	SUBJECT_LINK, SUBJECT_PASTE, SUBJECT_RAW, SUBJECTS };

static const char *const feature_words[SUBJECTS + 1] = { "copy", "primary", "clear", "types",
	"title", "title-stack", "color", "notify", "progress", "link", "paste", "raw" };

/* That of the command, with a payload of one byte, which is below every limit. */
static struct request
request_of(enum subject subject)
{
	static const struct request *const requests[SUBJECTS] = { &copy_request, &copy_request,
		&copy_request, &copy_request, &title_request, &title_request,
		&color_request, &notification_request, &progress_request, &link_request,
		&paste_request, &raw_request };
	struct request request = *requests[subject];

	request.payload = subject < SUBJECT_CLEAR || subject == SUBJECT_TYPES;
	if (request.payload > 0)
		request.sequence = clipboard_write_size(request.payload);
	if (subject == SUBJECT_PRIMARY)
		request.selections = "p";
	if (subject == SUBJECT_TYPES)
		request.type = "image/png";
	if (subject == SUBJECT_TITLE_STACK)
		request.feature = FEATURE_TITLE_STACK;
	request.given = given_for(request.feature);
	if (subject == SUBJECT_PASTE)
		request.prompt = paste_prompt();
	return request;
}

static const struct {
	const char *word, *color;
} verdicts[] = {
	[VERDICT_YES] = { "yes", COLOR_GREEN },
	[VERDICT_KEY] = { "by your terminal's paste key", COLOR_GREEN },
	[VERDICT_UNKNOWN] = { "unknown", COLOR_YELLOW },
	[VERDICT_SETTING] = { "needs a setting", COLOR_YELLOW },
	[VERDICT_UNLIKELY] = { "unlikely", COLOR_YELLOW },
	[VERDICT_NO] = { "no", COLOR_RED },
};

/* The verdict on one feature. */
struct finding {
	enum subject subject;
	enum verdict verdict;
	const char *as;      /* the protocol, if there are several; or NULL */
	struct route route;
	struct remedy fix;   /* or "" */
	/* the reason for any other verdict than yes, or "" */
	struct problem reason;
	bool has_route; /* `route` is complete; otherwise only limit, why and note */
	bool told;      /* with another of the same reason */
	int status;     /* as the command would end */
};

/* ---- the verdicts, by the routes of the commands ---------------------------- */

static void
examine(struct finding *f, struct path *path)
{
	struct route *route = &f->route;
	const struct request request = request_of(f->subject);
	const bool found = route_find(route, path, &request);
	const struct error *why = &route->refusal;

	f->verdict = route->verdict;
	f->as = found && f->subject == SUBJECT_NOTIFY && route->kind != ROUTE_NATIVE ?
	    feature_texts[route->feature].word : NULL;
	/* a silent terminal may be slow */
	if (why->status == STATUS_NO_REPLY)
		f->verdict = VERDICT_UNKNOWN;
	f->has_route = found && (route->kind == ROUTE_NATIVE || (request.feature != FEATURE_LINK &&
	    request.feature != FEATURE_PASTE));
	/* as copy counts */
	if (f->subject <= SUBJECT_PRIMARY && route->limit != 0)
		route->limit = copy_text_max(route->limit);
	if (!found || f->subject == SUBJECT_COLOR)
		route->limit = 0;

	f->status = f->verdict < VERDICT_SETTING ? STATUS_DONE :
	    f->has_route && is_unlikely(route) ? STATUS_UNLIKELY : STATUS_REFUSED;
	f->reason = message_problem(!found ? why->text : route->setting != NULL ? "" :
	    route->warning[0] != '\0' ? route->warning : route->note[0] != '\0' ? route->note :
	    f->verdict == VERDICT_UNKNOWN ? "nothing on the path is known to drop it" : "");
	if (found && route->setting != NULL)
		f->fix = setting_hint(route->setting);
	else
		text_copy(f->fix.text, sizeof(f->fix.text), !found ? message_remedy(why->text) :
		    message_remedy(route->warning)[0] != '\0' ? message_remedy(route->warning) :
		    f->verdict == VERDICT_UNKNOWN && path->terminal == NULL ?
		    "name the terminal: --term NAME" : "");
}

/* ---- the path, in words ------------------------------------------------------ */

static const char *const device_sources[] = {
	[DEVICE_NONE] = "none",
	[DEVICE_ASKED_FOR] = "asked for",
	[DEVICE_STDIN] = "standard input",
	[DEVICE_STDOUT] = "standard output",
	[DEVICE_STDERR] = "standard error",
	[DEVICE_CONTROLLING] = "controlling terminal",
	[DEVICE_PANE] = "pane of tmux",
	[DEVICE_ANCESTOR] = "terminal of a parent",
	[DEVICE_LAST] = "used last",
};

static const char *const set_clipboard_words[] = {
	[SET_CLIPBOARD_UNKNOWN] = "unknown", [SET_CLIPBOARD_OFF] = "off",
	[SET_CLIPBOARD_EXTERNAL] = "external", [SET_CLIPBOARD_ON] = "on",
	[SET_CLIPBOARD_NOT_ON] = "not on",
};

static const char *const passthrough_words[] = {
	[PASSTHROUGH_UNKNOWN] = "unknown", [PASSTHROUGH_OFF] = "off",
	[PASSTHROUGH_ON] = "on", [PASSTHROUGH_ALL] = "all",
};

/* A description, returned by value. */
struct text {
	char text[TEXT_MAX];
};

#define APPEND(to, ...) \
	text_format((to).text + strlen((to).text), TEXT_MAX - strlen((to).text), __VA_ARGS__)

/* The evidence for the terminal: "option", "reply", "environment" or "". */
static const char *
terminal_source(const struct path *path)
{
	return path->given.terminal != NULL ? "option" : path->found == NULL ? "" :
	    probe_terminal(&path->probe) != NULL ? "reply" : "environment";
}

/* "foot (from its reply; TERM=xterm)" */
static struct text
describe_terminal(const struct path *path)
{
	const struct terminal *terminal = path->terminal;
	const char *name = path->terminal_name, *source = terminal_source(path);
	char title[TERMINAL_TITLE];
	struct text text = { "" };

	terminal_title(title, terminal, NULL);
	if (name == NULL)
		name = terminal != NULL ? title : "not recognized";
	APPEND(text, "%s (%s%s%s)%s", name, source[0] == 'o' ? "from --term; " :
	    source[0] == 'r' ? "from its reply; " :
	    source[0] == 'e' ? "from the environment; " : "",
	    path->term[0] != '\0' ? "TERM=" : "TERM is unknown", path->term,
	    path->silent ? ", which does not reply: a query waits two seconds, and "
	    "VIATTY_PROBE=never sends none" : "");
	return text;
}

static struct text
describe_device(const struct path *path)
{
	char device[DEVICE_NAME];
	struct text text = { "" };

	path_device(device, path);
	if (path->ancestor[0] != '\0')
		APPEND(text, "%s (of %s, which started this)", device, path->ancestor);
	else
		APPEND(text, "%s (%s)", device, device_sources[path->source]);
	return text;
}

static struct text
describe_hop(const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	const struct tmux_client *client = &tmux->client;
	const char *clipboard = set_clipboard_words[tmux->set_clipboard];
	const char *passthrough = passthrough_words[tmux->passthrough];
	struct text text = { "" };

	if (tmux->reachable) {
		APPEND(text, "session %s, set-clipboard %s, allow-passthrough %s; ",
		    text_quote(tmux->session).text, clipboard, passthrough);
		if (!tmux->has_client)
			APPEND(text, "no terminal is attached%s%s", tmux->elsewhere.tty[0] != '\0' ?
			    "; another session is shown by " : "", tmux->elsewhere.tty);
		else
			APPEND(text, "%u attached, last used %s (TERM=%s%s%s)", tmux->clients,
			    client->tty, client->term, client->type[0] != '\0' ?
			    ", XTVERSION " : "", client->type);
	} else if (hop_is_unreachable(hop)) {
		APPEND(text, "its server cannot be queried from here%s%s",
		    hop->why[0] != '\0' ? ": " : "", hop->why);
		if (tmux->set_clipboard != SET_CLIPBOARD_UNKNOWN ||
		    tmux->passthrough != PASSTHROUGH_UNKNOWN)
			APPEND(text, "; from %s%s%s: set-clipboard %s, allow-passthrough %s",
			    hop->stated == NULL || tmux->version[0] != '\0' ? "its replies" :
			    "the environment", hop->stated != NULL ? ", VIATTY_OUTER_TMUX=" : "",
			    hop->stated != NULL ? hop->stated : "", clipboard, passthrough);
	} else if (hop->detached) {
		APPEND(text, "detached");
	} else {
		APPEND(text, "%s%sruns in %s", hop->why, hop->why[0] != '\0' ? ", and " : "",
		    hop->outer.name[0] != '\0' ?
		    hop->outer.name : "an unknown terminal");
	}
	return text;
}

/* The desktop of the terminal, or the reason why its tools are not used. */
static struct text
describe_desktop(const struct desktop *desktop)
{
	struct text text = { "" };
	size_t i;

	if (desktop == NULL)
		return text;
	if (desktop->refusal != NULL) {
		APPEND(text, "not used: %s", desktop->refusal);
		return text;
	}
	for (i = 0; i < DESKTOPS; i++)
		if (desktop->has[i])
			APPEND(text, "%s%s", text.text[0] != '\0' ? ", " : "", desktop->where[i]);
	if (desktop->own)
		APPEND(text, " of this environment");
	else
		APPEND(text, " of %s, process %ld", desktop->process, (long)desktop->terminal);
	for (i = 0; i < DESKTOP_TOOLS; i++)
		if (desktop->program[i][0] != '\0')
			APPEND(text, "; %s", desktop->program[i]);
	return text;
}

/* ---- text -------------------------------------------------------------------- */

static struct buf out = BUF_EMPTY;

/* Adds a row of the path, unless the text is empty. */
static void
add_row(const char *name, const char *text)
{
	if (text != NULL && text[0] != '\0')
		buf_format(&out, "  %-11s %s\n", name, text);
}

/*
 * Why ancestors may be missing: the system does not show processes (Linux without /proc) or
 * hides an ancestor; NULL if all are visible.
 */
static const char *
hidden_processes(void)
{
	const struct process *p = process_find(getpid()), *parent;

	if (p == NULL || p->started == 0)
		return "cannot inspect processes (is /proc mounted?): relying on the "
		    "environment alone";
	while ((parent = process_parent(p)) != NULL)
		p = parent;
	return p->parent > 1 ? "a parent process is hidden: beyond it, relying on the "
	    "environment alone" : NULL;
}

/* Adds "su, started by sshd", unless ssh is said anyway, and a note if processes are hidden. */
static void
add_processes(bool remote)
{
	const char *login[LOGINS_MAX];
	size_t i, count = process_logins(login);
	struct text text = { "" };

	if (remote && count == 1 && text_begins(login[0], "sshd"))
		count = 0;
	for (i = 0; i < count; i++)
		APPEND(text, "%s%s", i > 0 ? ", started by " : "", login[i]);
	add_row("started by", text.text);
	add_row("processes", hidden_processes());
}

static void
add_path(const struct path *path)
{
	const char *const replies[][2] = { { "XTVERSION", path->probe.version },
		{ "DA1", path->probe.da1 }, { "DA2", path->probe.da2 },
		{ "DA3", path->probe.da3 } };
	const struct hop *hop = path->hop, *end = hop + path->hops;
	struct text text;
	size_t i;

	buf_add_string(&out, "\npath to the screen:\n");
	add_row("here", describe_device(path).text);
	for (; hop < end; hop++) {
		text.text[0] = '\0';
		APPEND(text, "%s%s%s", hop->row->id, hop->tmux.version[0] != '\0' ? " " : "",
		    hop->tmux.version);
		add_row(text.text, describe_hop(hop).text);
		text.text[0] = '\0';
		APPEND(text, "%s", hop->evidence);
		if (hop->tmux.client.features[0] != '\0')
			APPEND(text, "; client features %s", hop->tmux.client.features);
		if (globals.verbose)
			add_row("", text.text);
	}
	add_processes(path->remote);
	if (path->remote)
		buf_format(&out, "  %-11s connected from %s\n", "ssh",
		    path->peer[0] != '\0' ? path->peer : "an unknown address");
	add_row("terminal", describe_terminal(path).text);
	if (globals.verbose) {
		add_row("variables", path->by_environment != NULL ?
		    path->by_environment->name : "none that identify a terminal");
		text.text[0] = '\0';
		for (i = 0; i < sizeof(replies) / sizeof(replies[0]); i++)
			if (replies[i][1][0] != '\0')
				APPEND(text, "%s%s %s", text.text[0] != '\0' ? ", " : "",
				    replies[i][0], replies[i][1]);
		add_row("replies", text.text[0] != '\0' ? text.text : "none");
		add_row("desktop", describe_desktop(path->desktop).text);
	}
	add_row("note", path->ignored_tty != NULL ? path->ignored_tty : "");
	add_row("note", path->stale);
}

/* Adds the verdict, the reason, and the fix; the text to copy is alone on its line. */
static void
add_verdict(const struct finding *f, const char *details)
{
	/* no-color.org; a dumb terminal shows the sequences as text */
	const char *no = environment_get("NO_COLOR"), *term = environment_get("TERM");
	const bool color = isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0') &&
	    term != NULL && strcmp(term, "dumb") != 0;
	const char *line;
	size_t length;

	buf_format(&out, ": %s%s%s%s\n", color ? verdicts[f->verdict].color : "",
	    verdicts[f->verdict].word,
	    color ? COLOR_NONE : "", details);
	if (f->reason.text[0] != '\0')
		buf_format(&out, "  %s\n", f->reason.text);
	for (line = f->fix.text; line[0] != '\0'; line += length + (line[length] != '\0')) {
		length = strcspn(line, "\n");
		buf_format(&out, "  %s%.*s\n", line == f->fix.text ? "hint: " : "", (int)length,
		    line);
	}
}

/*
 * "copy: yes (client-tty, limit 74994 bytes)"; with -v "--route client-tty to /dev/pts/3,
 * --wrap none: ..."
 */
static void
add_finding(const struct finding *f)
{
	const struct route *route = &f->route;
	const struct desktop_tool *tool = route->tool;
	const char *to = tool != NULL ? route->desktop : route->device.name;
	struct text details = { "" }, way = { "" };
	char layers[CHAIN_TEXT];

	if (f->as != NULL)
		APPEND(details, ", %s", f->as);
	if (f->has_route)
		APPEND(details, ", %s%s%s", route_words[route->kind], tool != NULL ? ": " : "",
		    tool != NULL ? tool->program : "");
	if (route->limit > 0)
		APPEND(details, ", limit %zu bytes", route->limit);
	if (details.text[0] != '\0') {
		memcpy(details.text, " (", 2);
		APPEND(details, ")");
	}
	buf_add_string(&out, feature_words[f->subject]);
	add_verdict(f, details.text);
	if (!globals.verbose || route->refusal.status != STATUS_DONE)
		return;
	chain_format(&route->chain, layers);
	if (f->has_route)
		APPEND(way, "--route %s%s%s, --wrap %s%s", route_words[route->kind],
		    to[0] != '\0' ? " to " : "", to, layers, route->why[0] != '\0' ? ": " : "");
	APPEND(way, "%s", route->why);
	add_row("how", way.text);
}

/* The most common features, in fewer than 24 lines. */
static void
add_brief(const struct path *path, struct finding finding[SUBJECTS])
{
	static const enum subject usual[] = { SUBJECT_COPY, SUBJECT_PASTE, SUBJECT_TITLE,
		SUBJECT_NOTIFY, SUBJECT_PROGRESS, SUBJECT_LINK, SUBJECT_RAW };
	enum { USUAL = sizeof(usual) / sizeof(usual[0]) };
	struct finding *f, *other;
	const char *comma = "works: ";
	size_t i, j;

	buf_format(&out, "path: %s", describe_device(path).text);
	for (i = 0; i < path->hops; i++)
		buf_format(&out, " > %s%s%s", path->hop[i].row->id,
		    path->hop[i].tmux.version[0] != '\0' ? " " : "", path->hop[i].tmux.version);
	if (path->remote)
		buf_format(&out, " > ssh%s%s", path->peer[0] != '\0' ? " from " : "", path->peer);
	buf_format(&out, " > %s\n", describe_terminal(path).text);
	add_processes(path->remote);
	add_row("note", path->ignored_tty != NULL ? path->ignored_tty : "");
	add_row("note", path->stale);
	for (i = 0; i < path->hops; i++)
		add_row("note", path->hop[i].row->kind == HOP_EDITOR ? path->hop[i].why : "");
	for (i = 0; i < USUAL; i++) {
		f = &finding[usual[i]];
		if (f->verdict != VERDICT_YES)
			continue;
		buf_format(&out, "%s%s", comma, feature_words[f->subject]);
		comma = ", ";
	}
	buf_add_string(&out, comma[0] == ',' ? "\n" : "");
	/* features with the same reason share one entry */
	for (i = 0; i < USUAL; i++) {
		f = &finding[usual[i]];
		if (f->verdict == VERDICT_YES || f->told)
			continue;
		buf_add_string(&out, feature_words[f->subject]);
		for (j = i + 1; j < USUAL; j++) {
			other = &finding[usual[j]];
			if (other->verdict != f->verdict ||
			    strcmp(other->reason.text, f->reason.text) != 0 ||
			    strcmp(other->fix.text, f->fix.text) != 0)
				continue;
			buf_format(&out, ", %s", feature_words[other->subject]);
			other->told = true;
		}
		add_verdict(f, "");
	}
}

/* ---- JSON ------------------------------------------------------------------- */

static void
add_hop_json(const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;

	json_open(&out, NULL, '{');
	json_text(&out, "hop", hop->row->id);
	json_text(&out, "version", tmux->version);
	json_text(&out, "outer_device", hop->outer.name);
	json_text(&out, "description", describe_hop(hop).text);
	json_text(&out, "source", hop->evidence);
	if (tmux->reachable) {
		json_text(&out, "session", tmux->session);
		json_text(&out, "set_clipboard", set_clipboard_words[tmux->set_clipboard]);
		json_text(&out, "allow_passthrough", passthrough_words[tmux->passthrough]);
		json_number(&out, "clients", tmux->clients);
		json_text(&out, "client_device", tmux->client.tty);
		json_text(&out, "client_term", tmux->client.term);
		json_text(&out, "client_says", tmux->client.type);
		json_text(&out, "client_features", tmux->client.features);
	}
	json_close(&out, '}');
}

static void
add_finding_json(const struct finding *f)
{
	const struct route *route = &f->route;
	const bool refused = route->refusal.status != STATUS_DONE;

	json_open(&out, NULL, '{');
	json_text(&out, "feature", feature_words[f->subject]);
	json_text(&out, "works", verdicts[f->verdict].word);
	json_text(&out, "setting", route->setting);
	json_text(&out, "as", f->as);
	if (f->has_route) {
		report_route_json(&out, route, route->device.name);
	} else {
		json_text(&out, "reason", refused ?
		    message_problem(route->refusal.text).text : route->why);
		json_number(&out, "limit_bytes", route->limit);
		json_text(&out, "note", route->note);
		json_text(&out, "hint", message_remedy(route->refusal.text));
	}
	json_close(&out, '}');
}

static void
add_json(const struct path *path, const struct finding *finding, size_t count)
{
	const char *login[LOGINS_MAX];
	char device[DEVICE_NAME];
	size_t i, logins = process_logins(login);

	path_device(device, path);
	report_begin(&out);
	json_text(&out, "device", device);
	json_text(&out, "device_source", device_sources[path->source]);
	json_open(&out, "hops", '[');
	for (i = 0; i < path->hops; i++)
		add_hop_json(&path->hop[i]);
	json_close(&out, ']');
	json_open(&out, "started_by", '[');
	for (i = 0; i < logins; i++)
		json_text(&out, NULL, login[i]);
	json_close(&out, ']');
	json_text(&out, "processes", hidden_processes());
	json_bool(&out, "ssh", path->remote);
	json_text(&out, "ssh_peer", path->peer);
	json_text(&out, "term", path->term);
	json_text(&out, "terminal", path->found != NULL ? path->found->id : NULL);
	json_text(&out, "terminal_believed", terminal_source(path));
	json_text(&out, "terminal_by_environment",
	    path->by_environment != NULL ? path->by_environment->id : NULL);
	json_text(&out, "terminal_says", path->probe.version);
	json_text(&out, "da1", path->probe.da1);
	json_text(&out, "da2", path->probe.da2);
	json_text(&out, "da3", path->probe.da3);
	json_text(&out, "desktop", describe_desktop(path->desktop).text);
	json_open(&out, "features", '[');
	for (i = 0; i < count; i++)
		add_finding_json(&finding[i]);
	json_close(&out, ']');
	report_end(&out);
}

/* ---- the command --------------------------------------------------------------- */

/*
 * With operands, the exit status shows whether all of them work: that one refuses is worse than
 * that one is probably lost.
 */
static int
doctor_run(struct call *call)
{
	struct given given = globals.given;
	/* not on the stack, which may be small */
	static struct finding finding[SUBJECTS];
	static struct path path, own;
	struct path *reads = &path;
	struct error error;
	struct finding *f;
	bool wanted[SUBJECTS] = { false };
	int status = STATUS_DONE;
	size_t i, count = 0;

	for (i = 0; i < call->count; i++)
		wanted[choose_word(feature_words, feature_words, call->operand[i],
		    "the features are ", "feature")] = true;
	/* the layers are for the features, one by one */
	given.chain = NULL;
	given.looks = true;
	if (!path_find(&path, &given, &error))
		die_of(&error);
	while (given.probe && path_learn(&path, NEED_IDENTITY))
		continue;
	/* a paste reads from the terminal this is called in, whatever --tty names */
	if (given.tty != NULL) {
		given.tty = NULL;
		path_find(&own, &given, &error);
		reads = &own;
	}
	for (i = 0; i < SUBJECTS; i++) {
		if (call->count > 0 && !wanted[i])
			continue;
		f = &finding[count++];
		f->subject = (enum subject)i;
		examine(f, i == SUBJECT_PASTE ? reads : &path);
		status = status == STATUS_REFUSED || f->status == STATUS_DONE ? status : f->status;
	}
	if (globals.json) {
		add_json(&path, finding, count);
	} else if (call->count == 0 && !globals.verbose) {
		add_brief(&path, finding);
	} else {
		for (i = 0; i < count; i++)
			add_finding(&finding[i]);
		add_path(&path);
	}
	stream_output(out.data, out.len);
	return call->count > 0 ? status : STATUS_DONE;
}

const struct command command_doctor = {
	.name = "doctor",
	.group = "Setup",
	.operands = "[FEATURE...]",
	.summary = "show what works here, what does not, and why",
	.options = options,
	.refused = "print force",
	.refused_why = "doctor sends nothing but queries",
	.words = feature_words,
	.examples = {
		{ "viatty doctor", "check all features" },
		{ "viatty doctor copy paste", "check two of them" },
	},
	.run = doctor_run,
};
