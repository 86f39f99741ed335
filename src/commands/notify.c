/* SPDX-License-Identifier: MIT */
/*
 * notify: shows a desktop notification (OSC 99, 777, 9, BEL). encoder/notification.c builds
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

/* ---- one notification ------------------------------------------------------ */

struct showing {
	struct delivery delivery;
	enum notification_protocol protocol;
	bool seen; /* with --when: tmux reports that this pane has the focus */
};

/*
 * Leaves --when to the terminal only where it can decide: it knows the focus of its window,
 * but not which pane that shows. In Screen, Zellij or a tmux that cannot be queried, the
 * visible pane is unknown.
 */
static void
heed_windows(struct showing *s)
{
	const struct path *path = &s->delivery.path;
	struct notification *n = &notify_options.n;
	static struct buf title = BUF_EMPTY;
	const struct tmux_client *client;
	const struct tmux *tmux;
	const struct hop *hop;
	bool reported = false, known = true, here;

	if (n->when <= SHOWN_ALWAYS)
		return;
	for (hop = path->hop; hop < path->hop + path->hops; hop++) {
		if (!hop->row->marks_bells)
			continue;
		tmux = &hop->tmux;
		client = tmux_nearest_client(tmux);
		here = client != NULL && strcmp(client->pane, tmux->pane) == 0;
		reported = client && tmux->focus_events && tmux_client_has(client, "focus");
		known = known && reported;
		if (here && (!reported || client->focused || n->when != SHOWN_UNFOCUSED))
			continue;
		n->when = 0;
		if (client == NULL || here || tmux->window[0] == '\0')
			return;
		/* "Codex [2:api]", in a detached session "Codex [work 2:api]" */
		buf_add(&title, n->title.bytes, n->title.size);
		buf_format(&title, "%s[%s%s%s]", n->title.size > 0 ? " " : "",
		    hop->detached ? tmux->session : "", hop->detached ? " " : "", tmux->window);
		n->title = (struct notification_text){ (char *)title.data, title.len };
		return;
	}
	s->seen = reported && known;
}

/* Of notification_ask(). */
static struct delivery asked;

void
notification_ask(void)
{
	struct error error;

	delivery_open(&asked, &notification_request, &error);
	globals.given.probe = asked.path.given.probe = false;
}

/* Finds the path, and the protocol with its route. */
static bool
prepare(struct showing *s, struct error *error)
{
	const struct route *route = &s->delivery.route;
	const struct terminal *terminal;
	const char *word, *most;
	size_t i;

	if (!delivery_begin(&s->delivery, &notification_request, error))
		return false;
	heed_windows(s);
	/* the path is new, for the focus; one that replies were needed for had no tmux to ask */
	if ((asked.path.queried.tried & NEED_QUERIES) != 0)
		s->delivery.path = asked.path;
	if (!delivery_replan(&s->delivery, &notification_request, error))
		return false;
	for (i = 0; i < NOTIFICATION_PROTOCOLS; i++)
		if (route->feature == notification_features[i])
			s->protocol = (enum notification_protocol)i;
	if (!route->guessed || route->setting != NULL || globals.given.chain != NULL)
		return true;
	terminal = route->terminal;
	word = feature_texts[route->feature].word;
	most = s->protocol == NOTIFICATION_9 ? ", which most support" : "";
	if (terminal != NULL)
		message_warn("it is unknown whether %s shows notifications; sent as %s%s\n"
		    "choose by --term: kitty is sent OSC 99, foot OSC 777, iterm2 OSC 9",
		    route->who, word, most);
	else
		message_warn("it is unknown whether %s shows notifications; sent as %s%s\n"
		    "name the terminal with --term",
		    route->who[0] != '\0' ? route->who : "this terminal", word, most);
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
rings_instead(const struct showing *s)
{
	const struct path *path = &s->delivery.path;
	const struct hop *hop = path->hop, *end = hop + path->hops;

	if (from_hook != NULL && !s->seen)
		return true;
	if (notify_options.bell || notify_options.no_bell || s->seen)
		return notify_options.bell;
	while (hop < end && !hop->row->marks_bells)
		hop++;
	return hop < end && (!hop->tmux.reachable || path->in_pane ||
	    hop->tmux.address.pane[0] != '\0');
}

static bool
ring(struct showing *s, struct error *error)
{
	static struct buf bell = BUF_EMPTY;

	buf_add_string(&bell, BELL);
	return delivery_replan(&s->delivery, &bell_request, error) &&
	    delivery_send(&s->delivery, &bell, error);
}

/* ---- sending --------------------------------------------------------------- */

/* Whether a bell is rung instead: a hook may ask nothing, and nobody reads what it says. */
static bool
is_in_doubt(const struct showing *s)
{
	return from_hook != NULL &&
	    (s->delivery.route.guessed || s->delivery.route.verdict >= VERDICT_UNLIKELY);
}

/* Whether to omit the notification, unless a terminal with OSC 99 decides. */
static bool
is_left_out(const struct showing *s)
{
	return s->seen && globals.print == PRINT_NOT &&
	    (s->delivery.route.kind == ROUTE_NATIVE || s->protocol != NOTIFICATION_99 ||
	    terminal_quirk(s->delivery.route.terminal, s->delivery.path.end.version,
	        QUIRK_OCCASIONS) != NULL);
}

bool
notification_send(int *status, struct error *error)
{
	static struct showing showing;
	struct showing *s = &showing;
	struct notification *n = &notify_options.n;
	static struct buf bytes = BUF_EMPTY;
	struct error silent = { .status = STATUS_DONE };
	enum verdict verdict;
	char id[64];

	*status = STATUS_DONE;
	if (!prepare(s, error)) {
		/* if the notification cannot be shown, the bell can still mark the window */
		if (error->status != STATUS_REFUSED || !rings_instead(s) ||
		    (!notify_options.bell && globals.print != PRINT_NOT) ||
		    !ring(s, &silent) || !notify_options.bell)
			return false;
		advise(error, "the bell rang instead");
		message_warn_whole(error->text);
		*error = silent;
	} else if (is_left_out(s)) {
		/* a success, although nothing was sent */
		if (globals.verbose)
			message_note("not sent: tmux reports that you look at this pane");
	} else if (is_in_doubt(s)) {
		return ring(s, error);
	} else {
		/* unique even among hosts that share the terminal */
		snprintf(id, sizeof(id), "viatty-%lx-%llx", (unsigned long)getpid(),
		    (unsigned long long)clock_ms());
		n->id = id;
		n->ascii = route_is_ascii(&s->delivery.route);
		encode_notification(&bytes, s->protocol, n);
		if (s->delivery.route.kind == ROUTE_NATIVE ?
		    !native_notify(&s->delivery.route, &s->delivery.path, n,
		        globals.given.timeout_ms, error) :
		    !delivery_send(&s->delivery, &bytes, error))
			return false;
		verdict = s->delivery.route.verdict;
		s->delivery.payload = n->title.size + n->body.size;
		if (s->delivery.route.kind == ROUTE_NATIVE)
			s->delivery.sent = s->delivery.payload;
		*status = delivery_report(&s->delivery);
		if (signals_caught == 0 && (notify_options.bell ||
		    (verdict >= VERDICT_UNLIKELY && rings_instead(s))))
			ring(s, &silent);
	}
	return true;
}

/* ---- title and body ------------------------------------------------------- */

/* Reads to the end, beyond the size limits, so that the writer gets no SIGPIPE. */
static void
read_input(struct buf *body)
{
	enum { TEXT_MAX = 64 * 1024 };
	struct buf text;

	buf_init(&text, TEXT_MAX);
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
	enum { TIMEOUT_MS = 300 };
	static struct delivery delivery;
	struct error error;
	const bool may_ask = globals.given.probe;

	globals.given.timeout_ms = TIMEOUT_MS;
	globals.given.probe = false;
	if (!may_ask || !delivery_open(&delivery, &notification_request, &error) ||
	    !delivery.route.guessed || !identity_is_kept(&delivery.path))
		return;
	delivery.path.given.probe = true;
	path_learn(&delivery.path, NEED_NAME | NEED_TMUX_CLIPBOARD);
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
	VALUE(OPTION_MAYBE_TEXT, 0, "from-hook", "SECONDS",
	    "for hooks of shells, after a command of SECONDS", from_hook),
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
