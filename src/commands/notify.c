/* SPDX-License-Identifier: MIT */
/*
 * notify: shows a desktop notification (OSC 99, 777, 9, BEL). encoder/osc.c builds
 * the bytes. `viatty notify --term kitty --print=esc` shows those of OSC 99; foot, without a
 * version, is sent OSC 777, and iterm2 OSC 9.
 */
#include "commands/command.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct notify_options notify_options;

/* The value of --from-hook, "" without one; or NULL. */
static const char *from_hook;

const struct request notification_request = { .feature = FEATURE_NOTIFICATION,
	.any_session = true, .selections = "" };

/* ---- the path ---------------------------------------------------------------- */

/* Of the one notification, and of the queries before it. */
static struct delivery delivery;

/* With --when: every multiplexer on the path shows this pane, and reports the focus. */
static bool is_seen;

/* What a multiplexer reports of our pane, and of the terminal that shows it. */
enum sight { SIGHT_UNKNOWN, SIGHT_HIDDEN, SIGHT_SHOWN, SIGHT_UNFOCUSED, SIGHT_FOCUSED };

static enum sight
sight_of_pane(const struct tmux *tmux)
{
	const struct tmux_client *client = tmux_nearest_client(tmux);

	if (client == NULL)
		return SIGHT_UNKNOWN;
	if (strcmp(client->pane, tmux->pane) != 0)
		return SIGHT_HIDDEN;
	if (!tmux->focus_events || !tmux_client_has(client, "focus"))
		return SIGHT_SHOWN;
	return client->focused ? SIGHT_FOCUSED : SIGHT_UNFOCUSED;
}

/* Appends the window to the title: "Codex [2:api]", in a detached session "Codex [work 2:api]". */
static void
name_window(const struct hop *hop)
{
	static struct buf title = BUF_EMPTY;
	struct notification *n = &notify_options.n;

	buf_add(&title, n->title.bytes, n->title.size);
	buf_format(&title, "%s[%s%s%s]", n->title.size > 0 ? " " : "",
	    hop->detached ? hop->tmux.session : "", hop->detached ? " " : "", hop->tmux.window);
	n->title = (struct notification_text){ (char *)title.data, title.len };
}

/*
 * Leaves --when to the terminal only if every multiplexer may show our pane. The terminal knows
 * the focus of its window, but multiplexers choose the pane in it. If one may show another pane,
 * the notification is always shown.
 */
static void
heed_windows(void)
{
	const struct hop *hop = delivery.path.hop, *end = hop + delivery.path.hops;
	struct notification *n = &notify_options.n;
	enum sight sight = SIGHT_UNKNOWN;
	bool reported = true;

	if (n->when <= SHOWN_ALWAYS)
		return;
	for (; hop < end; hop++) {
		if (!hop->row->marks_bells)
			continue;
		sight = sight_of_pane(&hop->tmux);
		if (sight <= SIGHT_HIDDEN ||
		    (sight == SIGHT_UNFOCUSED && n->when == SHOWN_UNFOCUSED))
			break;
		reported = reported && sight != SIGHT_SHOWN;
	}
	is_seen = hop == end && reported && sight != SIGHT_UNKNOWN;
	if (hop == end)
		return;
	n->when = 0;
	if (sight == SIGHT_HIDDEN && hop->tmux.window[0] != '\0')
		name_window(hop);
}

void
notification_ask(void)
{
	struct error error;

	delivery_open(&delivery, &notification_request, &error);
	globals.given.probe = delivery.path.given.probe = false;
}

/* Finds the path, and the protocol with its route. */
static bool
prepare(struct error *error)
{
	const struct route *route = &delivery.route;
	const char *who;

	/* the focus may have changed since; where queries were needed, no tmux reports it */
	if ((delivery.path.queried.tried & NEED_QUERIES) == 0 &&
	    !delivery_begin(&delivery, &notification_request, error))
		return false;
	heed_windows();
	if (!delivery_plan(&delivery, &notification_request, error))
		return false;
	if (!route->guessed || route->setting != NULL || globals.given.chain != NULL)
		return true;
	who = route->who[0] != '\0' ? route->who : "this terminal";
	message_warn("it is unknown whether %s shows notifications; sent as %s%s\n"
	    "choose by --term: kitty is sent OSC 99, foot OSC 777, iterm2 OSC 9",
	    who,
	    feature_texts[notification_features[route->protocol]].word,
	    route->protocol == NOTIFICATION_9 ? ", which most support" : "");
	return true;
}

/* ---- the bell ------------------------------------------------------------ */

static const struct request bell_request = { .feature = FEATURE_BELL, .for_multiplexer = true,
	.any_session = true, .selections = "" };

/*
 * Whether to ring the bell instead of what is not shown: with --bell, or if a multiplexer marks
 * the window. A hook of tmux, run-shell and #() have no pane. For them tmux would mark the active
 * one, and run its alert-bell hook, which may be the caller.
 */
static bool
rings_instead(void)
{
	const struct path *path = &delivery.path;
	const struct hop *hop = path->hop, *end = hop + path->hops;

	if (from_hook != NULL && !is_seen)
		return true;
	if (notify_options.bell || notify_options.no_bell || is_seen || globals.print != PRINT_NOT)
		return notify_options.bell;
	while (hop < end && !hop->row->marks_bells)
		hop++;
	return hop < end && (!hop->tmux.reachable || path->in_pane ||
	    hop->tmux.address.pane[0] != '\0');
}

static bool
ring(struct error *error)
{
	static struct buf bell = BUF_EMPTY;

	buf_add_string(&bell, BELL);
	return delivery_plan(&delivery, &bell_request, error) &&
	    delivery_send(&delivery, &bell, error);
}

/* ---- sending --------------------------------------------------------------- */

/* Whether to omit the notification, unless a terminal with OSC 99 decides. */
static bool
is_left_out(void)
{
	return is_seen && globals.print == PRINT_NOT &&
	    (delivery.route.kind == ROUTE_NATIVE || delivery.route.protocol != NOTIFICATION_99 ||
	    terminal_quirk(delivery.route.terminal, delivery.path.end.version,
	        QUIRK_OCCASIONS) != NULL);
}

/* Sends it by the route. */
static bool
show(struct error *error)
{
	static struct buf bytes = BUF_EMPTY;
	struct notification *n = &notify_options.n;
	const struct route *route = &delivery.route;
	char id[64];

	if (route->kind == ROUTE_NATIVE) {
		delivery.payload = delivery.sent = n->title.size + n->body.size;
		return native_notify(route, &delivery.path, n, globals.given.timeout_ms, error);
	}
	/* unique even among hosts that share the terminal */
	snprintf(id, sizeof(id), "viatty-%lx-%llx", (unsigned long)getpid(),
	    (unsigned long long)clock_ms());
	n->id = id;
	n->ascii = route_is_ascii(route);
	encode_notification(&bytes, route->protocol, n);
	if (!delivery_send(&delivery, &bytes, error))
		return false;
	delivery.payload = n->title.size + n->body.size;
	return true;
}

bool
notification_send(int *status, struct error *error)
{
	const struct route *route = &delivery.route;
	struct error ignored;
	enum verdict verdict;

	*status = STATUS_DONE;
	if (!prepare(error)) {
		/* the bell can still mark the window; only one asked for is a success */
		if (error->status != STATUS_REFUSED || !rings_instead() || !ring(&ignored) ||
		    !notify_options.bell)
			return false;
		advise(error, "the bell rang instead");
		message_warn("%s", error->text);
		return true;
	}
	verdict = route->verdict;
	if (is_left_out()) {
		if (globals.verbose)
			message_note("not sent: tmux reports that you look at this pane");
		return true;
	}
	/* a hook cannot ask the terminal, nor warn anybody */
	if (from_hook != NULL && (route->guessed || verdict >= VERDICT_UNLIKELY))
		return ring(error);
	if (!show(error))
		return false;
	*status = delivery_report(&delivery);
	if (signal_caught == 0 && (notify_options.bell ||
	    (verdict >= VERDICT_UNLIKELY && rings_instead())))
		ring(&ignored);
	return true;
}

/* ---- title and body ------------------------------------------------------- */

/* Reads to the end, beyond the size limits, so that the writer gets no SIGPIPE. */
static void
read_input(struct buf *body)
{
	enum { TEXT_MAX = 64 * 1024 };
	struct buf text = { .max = TEXT_MAX };

	stream_read_text(&text);
	buf_add(body, text.data, text.len);
	do
		text.len = 0;
	while (stream_read(STDIN_FILENO, &text) > 0);
	buf_free(&text);
}

static void
read_texts(const struct call *call)
{
	static struct buf text = BUF_EMPTY;
	struct notification *notice = &notify_options.n;
	size_t i, n = 0;

	notice->title.bytes = "";
	/* `-` alone: the first line of standard input is the title */
	if (call->count == 1 && strcmp(call->operand[0], "-") == 0) {
		read_input(&text);
		while (n < text.len && text.data[n] != '\n')
			n++;
		notice->title = (struct notification_text){ (char *)text.data, n };
		if (n < text.len)
			n++;
	} else if (call->count > 0) {
		notice->title = (struct notification_text){ call->operand[0],
			strlen(call->operand[0]) };
	}
	for (i = 1; i < call->count; i++) {
		buf_add_string(&text, i > 1 ? " " : "");
		if (strcmp(call->operand[i], "-") == 0)
			read_input(&text);
		else
			buf_add_string(&text, call->operand[i]);
	}
	notice->body = (struct notification_text){ (char *)text.data + n, text.len - n };
}

/* ---- hooks of shells ------------------------------------------------------ */

/* As a login begins: queries an unknown terminal for its name, if the reply can be kept. */
static void
ask_name(void)
{
	struct error error;
	const bool may_ask = globals.given.probe;

	globals.given.timeout_ms = 300;
	globals.given.probe = false;
	if (!may_ask || !delivery_open(&delivery, &notification_request, &error) ||
	    !delivery.route.guessed || !identity_is_kept(&delivery.path))
		return;
	delivery.path.given.probe = true;
	while (path_learn(&delivery.path, NEED_NAME | NEED_TMUX_CLIPBOARD))
		continue;
}

/*
 * Whether the user has typed since a command began that took so many seconds, and not long before
 * its end. The Enter that started it does not count.
 */
static bool
was_used(unsigned long seconds)
{
	/* the time of a key is that of the first one in eight seconds */
	enum { LATELY = 16 };
	const time_t typed = device_key_time();
	struct timespec now;

	/* time() may be some milliseconds late, and so before the end by the clock of the shell */
	clock_gettime(CLOCK_REALTIME, &now);
	return typed > now.tv_sec - (time_t)seconds && now.tv_sec - typed < LATELY;
}

/* Whether there is a notification to show for the hook. */
static bool
hook_notifies(const struct call *call)
{
	enum { SECONDS_MAX = 1000000000 };
	unsigned long seconds;

	if (from_hook[0] == '\0' && call->count > 0)
		die(STATUS_USAGE, "--from-hook shows nothing without the seconds of the command\n"
		    "viatty notify --from-hook=12 make done");
	if (from_hook[0] == '\0') {
		ask_name();
		return false;
	}
	if (!text_number(from_hook, SECONDS_MAX, &seconds))
		die(STATUS_USAGE, "invalid --from-hook %s\n"
		    "give a whole number of seconds", text_quote(from_hook).text);
	globals.given.probe = false;
	if (notify_options.n.when == 0)
		notify_options.n.when = SHOWN_UNFOCUSED;
	return !was_used(seconds);
}

/* ---- the command -------------------------------------------------------- */

static const struct option_spec options[] = {
#include "commands/notification.def"
	{ OPTION_TEXT, 0, "from-hook", "SECONDS",
	    "for hooks of shells, after a command of SECONDS", &from_hook, .alone = "" },
	{ .kind = OPTION_END }
};

static int
notify_run(struct call *call)
{
	struct error error = { .status = STATUS_DONE };
	int status;

	read_texts(call);
	if (from_hook != NULL && !hook_notifies(call))
		return STATUS_DONE;
	if (notify_options.n.title.size == 0 && notify_options.n.body.size == 0)
		die(STATUS_USAGE, "no text given\n"
		    "viatty notify 'Build done' 'No warnings', or - for standard input");
	if (!notification_send(&status, &error))
		die_of(&error);
	return status;
}

const struct command command_notify = {
	.name = "notify",
	.group = "Notify",
	.operands = "[TITLE [BODY...]]",
	.summary = "show a desktop notification",
	.outcome = "not shown",
	.options = options,
	.examples = {
		{ "make; viatty notify 'Build finished' \"status $?\"",
		    "notify after a command" },
		{ "viatty notify -u critical 'Disk full'", "an urgent notification" },
	},
	.run = notify_run,
};
