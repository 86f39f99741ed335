/* SPDX-License-Identifier: MIT */
/* doctor: what works here, what does not, and the path to the screen. */
#include "commands/command.h"

#include <string.h>
#include <unistd.h>

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

/* The request of the command, with a payload of one byte, which is below every limit. */
static struct request
request_of(enum subject subject)
{
	static const struct request *const requests[SUBJECTS] = { &copy_request, &copy_request,
		&copy_request, &copy_request, &title_request, &title_request,
		&color_request, &notification_request, &progress_request, &link_request,
		&paste_request, &raw_request };
	struct request request = *requests[subject];

	if (subject <= SUBJECT_PRIMARY || subject == SUBJECT_TYPES)
		request_describe(&request, "x", 1);
	if (subject == SUBJECT_PRIMARY)
		request.selections = "p";
	if (subject == SUBJECT_TYPES)
		request.type = "image/png";
	if (subject == SUBJECT_TITLE_STACK)
		request.feature = FEATURE_TITLE_STACK;
	request.given = globals.given;
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

/* The route of one feature. */
struct finding {
	struct route route;
	enum subject subject;
	bool sends; /* all of `route` is set; else only limit, why and note */
	/* "PROBLEM\nREMEDY", each of which may be missing */
	char reason[MESSAGE_TEXT];
};

/* Explains the verdict. Where it is yes, there may still be something to know. */
static void
explain(char reason[MESSAGE_TEXT], const struct route *route)
{
	if (route->refusal.status != STATUS_DONE)
		text_copy(reason, MESSAGE_TEXT, route->refusal.text);
	else if (route->setting != NULL)
		message_format(reason, "\n%s", route->warning[0] != '\0' ?
		    message_remedy(route->warning) : setting_hint(route->setting).text);
	else if (route->warning[0] != '\0')
		text_copy(reason, MESSAGE_TEXT, route->warning);
	else if (route->note[0] != '\0' || route->verdict != VERDICT_UNKNOWN)
		text_copy(reason, MESSAGE_TEXT, route->note);
	else
		message_format(reason, "nothing on the path is known to drop it%s",
		    route->terminal == NULL ? "\nname the terminal: --term NAME" : "");
}

/* Finds the route that the command would take. Returns the status with which it would end. */
static enum status
examine(struct finding *f, enum subject subject, struct path *path)
{
	struct route *route = &f->route;
	const struct request request = request_of(subject);
	const bool found = route_find(route, path, &request);

	f->subject = subject;
	f->sends = found && (route->kind == ROUTE_NATIVE || (request.feature != FEATURE_LINK &&
	    request.feature != FEATURE_PASTE));
	if (!found || subject == SUBJECT_COLOR)
		route->limit = 0;
	/* as copy counts */
	if (subject <= SUBJECT_PRIMARY && route->limit != 0)
		route->limit = copy_text_max(route->limit);
	explain(f->reason, route);
	if (route->verdict < VERDICT_SETTING)
		return STATUS_DONE;
	return f->sends && route_is_unlikely(route) ? STATUS_UNLIKELY : STATUS_REFUSED;
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

/* What the terminal is known from, or NULL. */
static const char *
terminal_evidence(const struct path *path)
{
	if (path->given.terminal != NULL)
		return "option";
	if (path->found == NULL)
		return NULL;
	return terminal_of_replies(&path->probe) != NULL ? "reply" : "environment";
}

/* A description, to which each of the functions below appends, and which it returns. */
static struct buf words = BUF_EMPTY;

/* Ends the description. The next one begins, and takes its place. */
static const char *
end_words(void)
{
	buf_add(&words, "", 1);
	words.len = 0;
	return (const char *)words.data;
}

static const char *
describe_hop(const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	const struct tmux_client *client = &tmux->client;
	const char *clipboard = set_clipboard_words[tmux->set_clipboard];
	const char *passthrough = passthrough_words[tmux->passthrough];

	if (tmux->reachable) {
		buf_format(&words, "session %s, set-clipboard %s, allow-passthrough %s; ",
		    text_quote(tmux->session).text, clipboard, passthrough);
		if (tmux->has_client)
			buf_format(&words, "%u attached, last used %s (TERM=%s%s%s)", tmux->clients,
			    client->tty, client->term, client->type[0] != '\0' ?
			    ", XTVERSION " : "", client->type);
		else
			buf_format(&words, "no terminal is attached%s%s",
			    tmux->elsewhere.tty[0] != '\0' ?
			    "; another session is shown by " : "", tmux->elsewhere.tty);
	} else if (hop_is_unreachable(hop)) {
		buf_format(&words, "its server cannot be queried from here%s%s",
		    hop->why[0] != '\0' ? ": " : "", hop->why);
		if (tmux->set_clipboard != SET_CLIPBOARD_UNKNOWN ||
		    tmux->passthrough != PASSTHROUGH_UNKNOWN)
			buf_format(&words, "; from %s%s%s: set-clipboard %s, allow-passthrough %s",
			    hop->stated == NULL || tmux->version[0] != '\0' ? "its replies" :
			    "the environment", hop->stated != NULL ? ", VIATTY_OUTER_TMUX=" : "",
			    hop->stated != NULL ? hop->stated : "", clipboard, passthrough);
	} else if (hop->detached) {
		buf_add_string(&words, "detached");
	} else {
		buf_format(&words, "%s%sruns in %s", hop->why, hop->why[0] != '\0' ? ", and " : "",
		    hop->outer.name[0] != '\0' ? hop->outer.name : "an unknown terminal");
	}
	return end_words();
}

/* The desktop of the terminal, or the reason why its tools are not used. */
static const char *
describe_desktop(const struct desktop *desktop)
{
	size_t i;

	if (desktop != NULL && desktop->refusal != NULL)
		buf_format(&words, "not used: %s", desktop->refusal);
	if (desktop == NULL || desktop->refusal != NULL)
		return end_words();
	for (i = 0; i < DESKTOPS; i++)
		if (desktop->has[i])
			buf_format(&words, "%s%s", words.len > 0 ? ", " : "", desktop->where[i]);
	if (desktop->own)
		buf_add_string(&words, " of this environment");
	else
		buf_format(&words, " of %s, process %ld", desktop->terminal->name,
		    (long)desktop->terminal->pid);
	for (i = 0; i < DESKTOP_TOOLS; i++)
		if (desktop->program[i][0] != '\0')
			buf_format(&words, "; %s", desktop->program[i]);
	return end_words();
}

/* Why ancestors may be missing, or NULL. Linux without /proc shows none of them. */
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

/* ---- the report --------------------------------------------------------------- */

static struct buf out = BUF_EMPTY;

/* Adds a fact by its key to JSON, or by its label to the text. NULL: not there. */
static void
add_fact(const char *label, const char *key, const char *value)
{
	if (globals.json && key != NULL)
		json_text(&out, key, value);
	else if (!globals.json && label != NULL && value != NULL && value[0] != '\0')
		buf_format(&out, "  %-11s %s\n", label, value);
}

/* A fact that is in the text only with -v. */
static void
add_detail(const char *label, const char *key, const char *value)
{
	add_fact(globals.verbose ? label : NULL, key, value);
}

/* Adds a value of JSON as it stands: true, false, or what opens an object or a list. */
static void
add_raw(const char *key, const char *value)
{
	if (globals.json)
		json_raw(&out, key, value);
}

static void
close_json(const char *bracket)
{
	if (globals.json)
		buf_add_string(&out, bracket);
}

static void
add_hop(const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	char name[2 * TMUX_WORD];

	text_format(name, sizeof(name), "%s %s", hop->row->id, tmux->version);
	add_raw(NULL, "{");
	add_fact(NULL, "hop", hop->row->id);
	add_fact(NULL, "version", tmux->version);
	add_fact(NULL, "outer_device", hop->outer.name);
	add_fact(name, "description", describe_hop(hop));
	add_detail("", "source", hop->evidence);
	if (tmux->reachable) {
		add_fact(NULL, "session", tmux->session);
		add_fact(NULL, "set_clipboard", set_clipboard_words[tmux->set_clipboard]);
		add_fact(NULL, "allow_passthrough", passthrough_words[tmux->passthrough]);
		if (globals.json)
			json_number(&out, "clients", tmux->clients);
		add_fact(NULL, "client_device", tmux->client.tty);
		add_fact(NULL, "client_term", tmux->client.term);
		add_fact(NULL, "client_says", tmux->client.type);
		add_detail("", "client_features", tmux->client.features);
	}
	close_json("}");
}

static void
add_path(const struct path *path)
{
	const struct terminal *found = path->found, *named = path->by_environment;
	const char *login[LOGINS_MAX];
	char device[DEVICE_NAME], title[TERMINAL_TITLE];
	size_t i, logins = process_logins(login);

	path_device(device, path);
	terminal_title(title, path->end.terminal, path->end.name);
	add_fact("here", "device", device);
	add_detail("chosen as", "device_source", device_sources[path->source]);
	add_fact("parent", NULL, path->ancestor);
	add_raw("hops", "[");
	for (i = 0; i < path->hops; i++)
		add_hop(&path->hop[i]);
	close_json("]");
	add_raw("started_by", "[");
	for (i = 0; i < logins; i++) {
		if (globals.json)
			json_text(&out, NULL, login[i]);
		add_fact("started by", NULL, login[i]);
	}
	close_json("]");
	add_fact("processes", "processes", hidden_processes());
	add_raw("ssh", path->remote ? "true" : "false");
	add_fact(NULL, "ssh_peer", path->peer);
	if (path->remote)
		add_fact("ssh from", NULL, path->peer[0] != '\0' ? path->peer :
		    "an unknown address");
	add_fact("terminal", NULL, title[0] != '\0' ? title : "not recognized");
	add_fact(NULL, "terminal", found != NULL ? found->id : NULL);
	if (path->queried.silent)
		add_fact("replies", NULL, "none: a query waits two seconds, and "
		    "VIATTY_PROBE=never sends none");
	add_fact("note", NULL, path->ignored_tty);
	add_fact("note", NULL, path->ignored_tmux);
	add_detail("known by", "terminal_believed", terminal_evidence(path));
	add_detail("TERM", "term", path->term);
	add_detail("variables", "terminal_by_environment", named != NULL ? named->id : NULL);
	add_detail("XTVERSION", "terminal_says", path->probe.version);
	add_detail("DA1", "da1", path->probe.da1);
	add_detail("DA2", "da2", path->probe.da2);
	add_detail("DA3", "da3", path->probe.da3);
	add_detail("desktop", "desktop", describe_desktop(path->desktop));
}

/* Adds the problem of the reason, and the remedy, of which the text to copy has its own line. */
static void
add_reason(const char *reason)
{
	const char *line = message_remedy(reason), *intro = "hint: ";
	size_t length = strcspn(reason, "\n");

	if (length > 0)
		buf_format(&out, "  %.*s\n", (int)length, reason);
	for (; line[0] != '\0'; line += length + (line[length] != '\0')) {
		length = strcspn(line, "\n");
		buf_format(&out, "  %s%.*s\n", intro, (int)length, line);
		intro = "";
	}
}

/* Whether both are told at once: without -v, those with the same verdict for the same reason. */
static bool
is_told_with(const struct finding *f, const struct finding *other)
{
	return f == other || (!globals.verbose && f->route.verdict == other->route.verdict &&
	    strcmp(f->reason, other->reason) == 0);
}

/*
 * Adds "copy, title: yes". With -v, the route follows as the command says it: "copy: yes, sent to
 * /dev/pts/3 by --route direct, ... (limit 74994 bytes)".
 */
static void
add_findings(const struct path *path, const struct finding *f, const struct finding *end)
{
	const char *no_color = environment_get("NO_COLOR");
	/* no-color.org; a dumb terminal shows the sequences as text */
	const bool in_color = (no_color == NULL || no_color[0] == '\0') &&
	    !text_equal(environment_get("TERM"), "dumb") && isatty(STDOUT_FILENO);
	const struct finding *first = f, *other;

	for (; f < end; f++) {
		for (other = first; !is_told_with(f, other); other++)
			continue;
		if (other < f)
			continue;
		for (; other < end; other++)
			if (is_told_with(f, other))
				buf_format(&out, "%s%s", other > f ? ", " : "",
				    feature_words[other->subject]);
		buf_format(&out, ": %s%s%s", in_color ? verdicts[f->route.verdict].color : "",
		    verdicts[f->route.verdict].word, in_color ? COLOR_NONE : "");
		if (globals.verbose && f->sends) {
			buf_add_string(&out, ", sent");
			route_describe(&out, &f->route, path);
		}
		if (globals.verbose && f->route.limit > 0)
			buf_format(&out, " (limit %zu bytes)", f->route.limit);
		buf_add_string(&out, "\n");
		add_reason(f->reason);
	}
}

static void
add_finding_json(const struct finding *f)
{
	const struct route *route = &f->route;
	const bool refused = route->refusal.status != STATUS_DONE;
	const bool has_protocol = f->subject == SUBJECT_NOTIFY && f->sends &&
	    route->kind != ROUTE_NATIVE;

	json_raw(&out, NULL, "{");
	json_text(&out, "feature", feature_words[f->subject]);
	json_text(&out, "works", verdicts[route->verdict].word);
	json_text(&out, "setting", route->setting);
	json_text(&out, "as", has_protocol ?
	    feature_texts[notification_features[route->protocol]].word : NULL);
	if (f->sends) {
		report_route_json(&out, route, route->device.name);
	} else {
		json_text(&out, "reason", refused ?
		    message_problem(route->refusal.text).text : route->why);
		json_number(&out, "limit_bytes", route->limit);
		json_text(&out, "note", route->note);
		json_text(&out, "hint", message_remedy(route->refusal.text));
	}
	buf_add(&out, "}", 1);
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
	/* without -v and --json, those that are asked for most */
	static const bool usual[SUBJECTS] = { [SUBJECT_COPY] = true, [SUBJECT_TITLE] = true,
		[SUBJECT_NOTIFY] = true, [SUBJECT_PROGRESS] = true, [SUBJECT_LINK] = true,
		[SUBJECT_PASTE] = true, [SUBJECT_RAW] = true };
	const bool all = globals.verbose || globals.json;
	bool wanted[SUBJECTS] = { false };
	enum status status = STATUS_DONE, its;
	size_t i, count = 0;

	for (i = 0; i < call->count; i++)
		wanted[choose_word(feature_words, feature_words, call->operand[i],
		    "the features are ", "feature")] = true;
	/* the layers are for the features, one by one */
	given.chain = NULL;
	given.looks = true;
	if (!path_find(&path, &given, &error))
		die_of(&error);
	while (given.probe && path_learn(&path, NEED_FRESH_NAME))
		continue;
	/* a paste reads from the terminal this is called in, whatever --tty names */
	if (given.tty != NULL) {
		given.tty = NULL;
		path_find(&own, &given, &error);
		reads = &own;
	}
	for (i = 0; i < SUBJECTS; i++) {
		if (call->count > 0 ? !wanted[i] : !all && !usual[i])
			continue;
		its = examine(&finding[count++], (enum subject)i,
		    i == SUBJECT_PASTE ? reads : &path);
		if (status != STATUS_REFUSED && its != STATUS_DONE)
			status = its;
	}
	if (globals.json) {
		report_begin(&out);
		add_path(&path);
		add_raw("features", "[");
		for (i = 0; i < count; i++)
			add_finding_json(&finding[i]);
		close_json("]");
		report_end(&out);
	} else {
		add_findings(&path, finding, finding + count);
		buf_add_string(&out, "\npath to the screen:\n");
		add_path(&path);
		stream_output(out.data, out.len);
	}
	return call->count > 0 ? (int)status : STATUS_DONE;
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
