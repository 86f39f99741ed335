/* SPDX-License-Identifier: MIT */
/* Notifications of any command; the contract is in notification.h. */
#include "commands/notification.h"

#include "base/clock.h"
#include "base/stream.h"
#include "base/text.h"
#include "commands/reasons.h"
#include "commands/report.h"
#include "route/native.h"
#include "route/notification_events.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct notification_options notification_options;
#define opt notification_options

/* In the order of enum notification_urgency, from NOTIFICATION_LOW. */
const char *const notification_urgencies[] = { "low", "normal", "critical",
	NULL };
/* The names that OSC 99 defines; others depend on the desktop. */
const char *const notification_icons[] = { "error", "warning", "info",
	"question", "help", "file-manager", "system-monitor", "text-editor",
	NULL };
const char *const notification_sounds[] = { "system", "silent", "error",
	"warning", "info", "question", NULL };
const char *const notification_times[] = { "always", "unfocused", "invisible",
	NULL };

/* In the order of enum notification_protocol, and the bell. */
const char *const notification_protocols[] = { "99", "777", "9", "bell", NULL };

static const struct {
	enum feature feature;
	const char *name;
} protocols[] = {
	[NOTIFICATION_99] = { FEATURE_NOTIFY99, "OSC 99" },
	[NOTIFICATION_777] = { FEATURE_NOTIFY777, "OSC 777" },
	[NOTIFICATION_9] = { FEATURE_NOTIFY9, "OSC 9" },
};

enum { PROTOCOLS = sizeof(protocols) / sizeof(protocols[0]) };

/* ---- options -------------------------------------------------------------- */

/* Unique, even among hosts that share the terminal. */
static void
make_notification_id(char id[NOTIFICATION_ID])
{
	snprintf(id, NOTIFICATION_ID, "viatty-%lx-%llx", (unsigned long)getpid(),
	    (unsigned long long)clock_ms());
}

static struct notification_list
list_of(const struct text_list *list)
{
	return (struct notification_list){ list->text, list->count };
}

static enum notification_urgency
urgency(void)
{
	int i;

	for (i = 0; opt.urgency != NULL && notification_urgencies[i] != NULL; i++)
		if (strcmp(opt.urgency, notification_urgencies[i]) == 0)
			return (enum notification_urgency)(NOTIFICATION_LOW + i);
	return NOTIFICATION_URGENCY_NONE;
}

bool
notification_begin(struct notifying *notifying, struct call *call,
    struct error *error)
{
	*notifying = (struct notifying){
		.call = call,
		.sink.path.fd = -1,
		.n = {
			.id = opt.id,
			.urgency = urgency(),
			.application = opt.application,
			.sound = opt.sound,
			.icons = list_of(&opt.icons),
			.types = list_of(&opt.types),
			.when = opt.when,
			.expire_ms = opt.expire_ms,
			.stays = opt.stay,
		},
	};
	buf_init(&notifying->bytes, BUF_NO_LIMIT);
	if (opt.id == NULL) {
		make_notification_id(notifying->own_id);
		notifying->n.id = notifying->own_id;
	} else if (!notification_id_is_fine(opt.id)) {
		error_set(error, STATUS_USAGE, "invalid --id %s",
		    text_quote(opt.id).text);
		return error_hint(error, "an ID has up to 128 letters, digits, _, +, - "
		    "and .; 0 is reserved");
	}
	if (opt.stay && opt.expire_ms != 0)
		return error_set(error, STATUS_USAGE,
		    "--stay and --expire exclude each other");
	return !opt.bell || !opt.no_bell || error_set(error, STATUS_USAGE,
	    "--bell and --no-bell exclude each other");
}

void
notification_end(struct notifying *notifying)
{
	sink_close(&notifying->sink);
	buf_free(&notifying->bytes);
}

/* ---- choice of protocol ---------------------------------------------------- */

static struct message
message_of(unsigned feature)
{
	return (struct message){ .request = { .feature = feature, .selections = "" },
		.abort = SEQUENCE_ABORT };
}

static bool
asked_for_bell_only(void)
{
	return text_equal(opt.protocol, "bell");
}

/* State of the choice. */
struct choosing {
	struct notification_choice *choice;
	struct call *call;
	const struct path *path;
	const struct terminal *terminal; /* at the end of the path, or NULL */
	const char *id; /* of the query for OSC 99 */
	bool asked, answers; /* whether it was queried for OSC 99, and supports it */
};

/*
 * Whether the terminal supports OSC 99, by a query if that is possible. Zellij translates
 * OSC 99 to what its terminal supports.
 */
static bool
answers_99(struct choosing *c)
{
	const struct globals *g = c->call->globals;
	const struct path *path = c->path;

	if (path->hops > 0)
		return multiplexer_passes_now(hop_row(&path->hop[0]),
		    FEATURE_NOTIFY99) == SUPPORT_YES;
	if (c->terminal != NULL && c->terminal->ends_at_query99)
		return false;
	if (c->asked || terminal_support(c->terminal, FEATURE_NOTIFY99) == SUPPORT_NO ||
	    path->source != DEVICE_CONTROLLING || path->silent ||
	    path->signal != 0 || !g->probe || g->chain != NULL ||
	    g->print != PRINT_NOT)
		return c->answers;
	c->asked = true;
	c->answers = notification_known(c->id, g->timeout_ms, &c->call->signal);
	return c->answers;
}

/*
 * Old versions ignore newer protocols. A terminal of unknown version is queried; if that
 * is not possible, it gets a protocol that all versions support.
 */
static enum support
protocol_support(struct choosing *c, enum feature feature)
{
	enum support any = terminal_support(c->terminal, feature), its;

	its = terminal_version_support(c->terminal, feature,
	    path_terminal_version(c->path));
	return its == SUPPORT_UNKNOWN && any != its && answers_99(c) ? any : its;
}

/* Finds the best protocol with this level of support. */
static bool
find_protocol(struct choosing *c, enum support support)
{
	size_t i;

	for (i = 0; i < PROTOCOLS; i++) {
		c->choice->protocol = (enum notification_protocol)i;
		if (protocol_support(c, protocols[i].feature) == support)
			return true;
	}
	return false;
}

/* For an unknown version: a protocol of newer versions, except OSC 99, the newest. */
static bool
find_in_newer(struct choosing *c)
{
	size_t i;

	for (i = NOTIFICATION_777; i < PROTOCOLS; i++) {
		c->choice->protocol = (enum notification_protocol)i;
		if (protocol_support(c, protocols[i].feature) == SUPPORT_UNKNOWN &&
		    terminal_support(c->terminal, protocols[i].feature) == SUPPORT_YES)
			return true;
	}
	return false;
}

static bool
none_is_shown(const struct terminal *terminal, struct error *error)
{
	error_set(error, STATUS_REFUSED, "%s does not support notifications",
	    terminal->name);
	return error_hint(error, "--bell rings the bell instead; if this is another "
	    "terminal: --term NAME");
}

/*
 * Chooses notify-send if the terminal shows no notifications, or if forced. False: the
 * error is set if something other than the terminal prevents it.
 */
static bool
choose_native(struct notification_choice *choice, const struct call *call,
    const struct path *path, struct error *error)
{
	struct request request = { .feature = FEATURE_NOTIFY9, .selections = "" };
	struct route route;

	request_force(&request, call->globals);
	choice->native = plan_native(&route, path, &request);
	if (!choice->native && route.refusal.id != REASON_NONE)
		explain_refusal(error, &route, path);
	if (!choice->native)
		return false;
	choice->known = true;
	choice->protocol = NOTIFICATION_9;
	choice->feature = FEATURE_NOTIFY9;
	choice->name = route.tool->program;
	return true;
}

bool
notification_choose(struct notification_choice *choice, struct call *call,
    const struct path *path, const char *id, struct error *error)
{
	const struct terminal *terminal = path_terminal(path);
	struct choosing c = { .choice = choice, .call = call, .path = path,
		.terminal = terminal, .id = id };
	char own_id[NOTIFICATION_ID];
	bool found;

	if (id == NULL) {
		make_notification_id(own_id);
		c.id = own_id;
	}
	if (choose_native(choice, call, path, error))
		return true;
	if (error->status != STATUS_DONE)
		return false;
	found = terminal != NULL && (find_protocol(&c, SUPPORT_YES) ||
	    find_in_newer(&c) || find_protocol(&c, SUPPORT_OFF));
	choice->known = found;
	if (!found && terminal != NULL && !call->globals->force &&
	    !find_protocol(&c, SUPPORT_UNKNOWN))
		return none_is_shown(terminal, error);
	if (!found && answers_99(&c)) {
		choice->known = true;
		choice->protocol = NOTIFICATION_99;
	} else if (!found && (terminal_support(terminal, FEATURE_NOTIFY9) !=
	    SUPPORT_NO || !find_protocol(&c, SUPPORT_UNKNOWN))) {
		choice->protocol = NOTIFICATION_9;
	}
	choice->feature = protocols[choice->protocol].feature;
	choice->name = protocols[choice->protocol].name;
	return not_interrupted(call, error);
}

static bool
choose_protocol(struct notifying *n, struct error *error)
{
	struct notification_choice choice;
	char warning[128];
	size_t i;

	for (i = 0; opt.protocol != NULL && i < PROTOCOLS; i++)
		if (strcmp(opt.protocol, notification_protocols[i]) == 0) {
			n->protocol = (enum notification_protocol)i;
			return true;
		}
	if (!notification_choose(&choice, n->call, &n->sink.path, n->n.id,
	    error))
		return false;
	n->protocol = choice.protocol;
	text_format(warning, sizeof(warning), "this terminal is not known to support "
	    "notifications; sent as %s%s", choice.name,
	    choice.protocol == NOTIFICATION_9 ? ", which most support" : "");
	if (!choice.known && n->call->globals->chain == NULL)
		report_warning(n->call, warning,
		    "name the terminal with --term, or the protocol with --proto");
	return true;
}

/* ---- sending ------------------------------------------------------------ */

static bool
open_notification_sink(struct notifying *n, bool identify, struct error *error)
{
	/* the route is planned again when the protocol is known */
	struct message message = message_of(n->call->globals->route ==
	    ROUTE_NATIVE ? FEATURE_NOTIFY9 : FEATURE_ANY);

	message.identify = identify;
	message.features = FEATURE_BIT(FEATURE_NOTIFY99) |
	    FEATURE_BIT(FEATURE_NOTIFY777) | FEATURE_BIT(FEATURE_NOTIFY9);
	return sink_open(&n->sink, n->call, &message, error);
}

static bool
turn_to_protocol(struct notifying *n, struct error *error)
{
	struct message message = message_of(protocols[n->protocol].feature);

	return sink_turn(&n->sink, &message, error);
}

bool
notification_prepare(struct notifying *n, struct error *error)
{
	if (!open_notification_sink(n, true, error) || !choose_protocol(n, error) ||
	    !turn_to_protocol(n, error))
		return false;
	n->n.ascii = route_is_ascii(&n->sink.route);
	n->payload = n->n.title.size + n->n.body.size;
	return encode_notification(&n->bytes, n->protocol, &n->n) ||
	    error_no_memory(error);
}

bool
notification_prepare_request(struct notifying *n, struct error *error)
{
	n->protocol = NOTIFICATION_99;
	return open_notification_sink(n, false, error) && turn_to_protocol(n, error);
}

/*
 * Prints what the tool has printed: an ID, the name of an action. They are the desktop's
 * words; what they must not do is write escape sequences.
 */
static bool
print_words(struct buf *said, struct error *error)
{
	struct buf clean;
	bool fine;

	buf_init(&clean, BUF_NO_LIMIT);
	fine = said->len == 0 || text_sanitize(&clean, (const char *)said->data, said->len,
	    true) || error_no_memory(error);
	fine = fine && (stream_write(STDOUT_FILENO, clean.data, clean.len) ||
	    error_stdout(error));
	buf_free(&clean);
	return fine;
}

/* Called as the tool that the route runs: it gets the command line as it was given. */
static bool
forwards(const struct notifying *n)
{
	return n->call->original != NULL &&
	    strcmp(n->call->title, n->sink.route.tool->program) == 0;
}

static bool
forward(struct notifying *n, struct error *error)
{
	struct buf said;
	bool fine;

	buf_init(&said, BUF_NO_LIMIT);
	fine = native_forward(&n->sink.route, &n->sink.path, n->call->original, &said,
	    n->call->globals->timeout_ms, error) && print_words(&said, error);
	n->sink.sent = n->payload;
	fine = fine && sink_report(&n->sink, n->payload, error);
	buf_free(&said);
	return fine;
}

/* Passes the texts as arguments, without control characters. */
static bool
deliver_native(struct notifying *n, struct error *error)
{
	const struct globals *g = n->call->globals;
	struct native_notification notification = {
		.urgency = opt.urgency, .application = opt.application,
		.expire_ms = opt.expire_ms, .stays = opt.stay };
	struct buf title, body;
	bool fine;

	if (forwards(n))
		return forward(n, error);
	if (n->print_id) {
		error_set(error, STATUS_REFUSED, "%s shows it, which knows none of the IDs "
		    "of viatty", n->sink.route.tool->program);
		return error_hint(error, "omit --print-id");
	}
	buf_init(&title, BUF_NO_LIMIT);
	buf_init(&body, BUF_NO_LIMIT);
	fine = text_sanitize(&title, n->n.title.bytes, n->n.title.size, false) &&
	    buf_add(&title, "", 1) &&
	    text_sanitize(&body, n->n.body.bytes, n->n.body.size, true) &&
	    buf_add(&body, "", 1);
	if (fine) {
		notification.title = (const char *)title.data;
		notification.body = (const char *)body.data;
		fine = native_notify(&n->sink.route, &n->sink.path, &notification,
		    g->timeout_ms, error);
		n->sink.sent = n->payload;
		fine = fine && sink_report(&n->sink, n->payload, error);
	} else {
		error_no_memory(error);
	}
	buf_free(&title);
	buf_free(&body);
	return fine;
}

bool
notification_deliver(struct notifying *n, struct error *error)
{
	struct message message = message_of(protocols[n->protocol].feature);

	if (n->sink.route.kind == ROUTE_NATIVE)
		return deliver_native(n, error);
	return sink_send(&n->sink, &message, &n->bytes, error) &&
	    sink_report(&n->sink, n->payload, error);
}

/* Whether to ring: if asked for, or if a multiplexer marks the window. */
static bool
rings(const struct notifying *n)
{
	const struct path *path = &n->sink.path;
	size_t i;

	if (opt.bell || opt.no_bell)
		return opt.bell;
	for (i = 0; i < path->hops; i++)
		if (hop_row(&path->hop[i])->marks_bells)
			return true;
	return false;
}

static bool
ring(struct notifying *n, struct error *error)
{
	const struct message message = { .request = { .feature = FEATURE_BELL,
		.for_multiplexer = true, .selections = "" }, .abort = "" };
	struct buf bell;
	bool fine;

	buf_init(&bell, BUF_NO_LIMIT);
	fine = buf_add_string(&bell, BELL) &&
	    sink_turn(&n->sink, &message, error) &&
	    sink_send(&n->sink, &message, &bell, error);
	buf_free(&bell);
	return fine;
}

/* --proto bell */
static bool
ring_only(struct notifying *n, struct error *error)
{
	struct message message = message_of(FEATURE_BELL);

	message.request.for_multiplexer = true;
	return buf_add_string(&n->bytes, BELL) &&
	    sink_open(&n->sink, n->call, &message, error) &&
	    sink_send(&n->sink, &message, &n->bytes, error) &&
	    sink_report(&n->sink, 0, error);
}

/* If the notification cannot be shown, the bell can still mark the window. */
static bool
ring_instead(struct notifying *n, struct error *error)
{
	struct error silent = { .status = STATUS_DONE };

	if (error->status != STATUS_REFUSED || !opt.bell || !ring(n, &silent))
		return false;
	report_warning(n->call, error->message, "the bell rang instead");
	*error = (struct error){ .status = STATUS_DONE };
	return true;
}

bool
notification_send(struct notifying *n, struct error *error)
{
	struct error silent = { .status = STATUS_DONE };

	if (asked_for_bell_only())
		return ring_only(n, error);
	if (!notification_prepare(n, error))
		return ring_instead(n, error);
	if (!notification_deliver(n, error))
		return false;
	if (n->call->signal == 0 && rings(n))
		ring(n, &silent);
	return true;
}
