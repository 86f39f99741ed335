/* SPDX-License-Identifier: MIT */
/*
 * Route layer: plans the route from the path and a request, delivers bytes along it, and
 * queries the terminal for clipboard and colors.
 *
 *   hop       a program that the bytes pass: tmux, Screen, mosh, an editor
 *   end       the terminal at the end of the path
 *   layer     what a sequence is wrapped in for one hop
 *   form      how a sequence comes to a hop: wrapped, plain, sent again by the hop before
 *   way       a candidate: one method of sending or reading
 *   route     the way that was chosen, with its device, layers, limit and verdict
 *   verdict   how likely it arrives
 *   need      what is unknown to the plan, and may be learned by path_learn()
 *   bypass    to write to the terminal on the outer side of a hop
 *   setting   a line in the configuration of the terminal that the user may change
 */
#ifndef ROUTE_ROUTE_H
#define ROUTE_ROUTE_H

#include "base/base.h"
#include "detect/path.h"
#include "encoder/encoder.h"
#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- the request ---------------------------------------------------------- */

/* Values of request.feature that are not in the tables of terminals. */
enum {
	/* a user-supplied sequence, which may draw; support is unknown */
	FEATURE_ANY = FEATURE_COUNT,
	/* the name of a window in tmux or Screen; terminals have none */
	FEATURE_WINDOW_NAME,
	/* BEL, which every hop handles or passes on */
	FEATURE_BELL,
	/* a notification, by the best protocol that the terminal has: see route.protocol */
	FEATURE_NOTIFICATION,
	/* a query for colors; which terminals report them is not in the table */
	FEATURE_COLOR_QUERY
};

/* The longest title, in bytes, that every terminal shows: the limit of Ghostty. */
enum { TITLE_SURE_MAX = 255 };

/* As the type of a paste: the types of the clipboard, one per line. */
#define TYPE_LIST "TARGETS"

/* When the user is asked to paste with the terminal's own key. */
enum prompt { PROMPT_NEVER, PROMPT_ELSE /* if nothing else works */, PROMPT_AT_ONCE };

/* What to send or to read, and everything that the route depends on. */
struct request {
	unsigned feature;       /* enum feature, or one of the above */
	/* for the nearest multiplexer itself, if there is one, else for the terminal */
	bool for_multiplexer;
	/*
	 * A terminal that shows another session of the tmux may be used, and so may the one used
	 * last. This is for a notification, which names its origin.
	 */
	bool any_session;
	const char *selections; /* the letters of a copy or paste, else "" */
	size_t payload;         /* bytes of the clipboard's text, or of a title */
	/* the size of the longest single sequence, or 0 if it can be truncated to the limit */
	size_t sequence;
	/* for a copy, 1 + the offset of the first such byte, or 0 */
	size_t not_utf8, nul;
	bool ends_in_nul;       /* the last byte of a copy */
	/* of a copy or paste by a desktop tool: a MIME type or TYPE_LIST, or NULL for text */
	const char *type;
	/*
	 * A piece of a program's output, already wrapped as needed. By default there is no
	 * timeout for a stopped terminal (Ctrl-S).
	 */
	bool streams;
	enum prompt prompt;     /* of a paste: whether a person may be asked */
	struct given given;         /* the global options */
};

/* Sets what the route depends on of the text of a copy. Pure; part of deliver.c. */
void request_describe(struct request *request, const void *text, size_t n);

/* ---- the plan (plan.c, hop.c, end.c) --------------------------------------- */

/*
 * A pure decision from the path and a request, without descriptor, clock, environment, exit
 * or query. The reason for a route or a refusal is stated where it is decided.
 *
 * A multiplexer on this machine is bypassed: the sequence is written to the terminal of the client
 * that shows it. There it needs no option of tmux, keeps its selection letter and escapes the
 * limits of tmux. For a hop that cannot be bypassed the sequence is wrapped. If the hop drops even
 * that, the route is refused.
 */

/* The feature of each protocol for notifications, the best first. */
extern const enum feature notification_features[NOTIFICATION_PROTOCOLS];

/* The names for --route, by enum route_kind, NULL-terminated. */
extern const char *const route_words[ROUTE_COUNT + 1];

/* Whether it arrives, from the best to the worst. */
enum verdict {
	VERDICT_YES,      /* every hop and the terminal are known to pass or support it */
	VERDICT_KEY,      /* of a paste: if the user presses the terminal's own key */
	VERDICT_UNKNOWN,  /* may be dropped, or is refused for lack of knowledge */
	VERDICT_SETTING,  /* by default the terminal ignores it, see `setting`, or has it off */
	VERDICT_UNLIKELY, /* a hop that cannot be queried drops it by default */
	VERDICT_NO        /* refused */
};

/* The decision. Hops are borrowed from the path. */
struct route {
	enum verdict verdict;
	unsigned needs;           /* enum need: what the plan read, is unknown and can be learned */
	enum route_kind kind;
	enum notification_protocol protocol; /* of a notification */
	bool guessed;             /* the terminal is not known to have that protocol */
	struct tty_device device; /* without a name for routes by tmux or a desktop tool */
	bool own_device;          /* it is the device of the path, which may be open */
	struct chain chain;
	/* the longest sequence or URL in bytes, or 0 if no limit is known */
	size_t limit;
	const char *limited_by;   /* for links: the hop or terminal with that limit */
	const char *cut_by;       /* for links: the one that cuts URLs at a semicolon, or NULL */
	/* for a paste: with SUPPORT_ASKS an empty reply may be a refusal */
	enum support reads;
	bool by_key;              /* of a paste: without a query, the user pastes it */
	/*
	 * The destination cannot clear the clipboard, so a newline is sent instead, which
	 * overwrites it.
	 */
	bool overwrites;
	const struct hop *tmux;   /* the tmux that the route bypasses or uses, or NULL */
	const struct desktop_tool *tool; /* ROUTE_NATIVE: the tool, else NULL */
	const char *desktop;      /* of the tool: "X11 display :0" */
	const struct hop *destination; /* the multiplexer it is for, or NULL */
	const struct terminal *terminal; /* at the end of the path, or NULL */
	char who[TERMINAL_TITLE]; /* its name for messages, or what it replied, or "" */
	const char *setting;      /* of VERDICT_SETTING, as in settings.def, or NULL */
	/* without a period, or ""; from here on only the first byte is initialized */
	char why[256];            /* the reason for this route */
	char note[160];           /* what else is to be known of it */
	char warning[MESSAGE_TEXT]; /* possible losses, and the remedy */
	struct error refusal;     /* the reason without a route, else STATUS_DONE */
};

/*
 * Plans a route. Returns false if there is none. Then `refusal` names the hop or terminal that
 * drops the sequence, or says that the forced route is impossible here. `kind` is ROUTE_NATIVE if
 * a desktop tool is missing. Only these and `verdict`, `needs`, `setting`, `terminal` and `who`
 * are defined.
 *
 * A paste is for clipboard_read(). Hyperlinks have no route but a verdict and a limit.
 * Of a notification it also chooses the protocol.
 */
bool plan(struct route *route, const struct path *path, const struct request *request);

/*
 * Plans it. If the plan needs something that may be learned, learns that and plans again. So a
 * query is sent exactly if the plan reads something unknown. Part of deliver.c.
 */
bool route_find(struct route *route, struct path *path, const struct request *request);

/*
 * Whether a copy of the nearest hop without a selection letter sets the clipboard. tmux sends
 * those of its copy mode so. Most terminals do, and an unknown one is taken for one of these.
 */
bool unlettered_copy_arrives(const struct path *path);

/* An empty route, with the terminal at the end of the path. */
void route_begin(struct route *route, enum route_kind kind, const struct path *path);

/* Sets the reason for this route. */
#define because(route, ...) text_format((route)->why, sizeof((route)->why), __VA_ARGS__)

/* The longest text, in bytes, of a copy whose sequence has at most `bytes`. */
size_t copy_text_max(size_t bytes);

#define IF_ANOTHER "if this is another terminal: --term NAME"
#define DUMB "TERM=dumb: the terminal would show the sequence as text"

/* The end of a remedy: "" for a terminal that was named or identified itself, else IF_ANOTHER. */
const char *or_another(const struct path *path);

/*
 * The start of a remedy for a copy: the command to run at the desk, or the option for a display
 * that is named here. "" if neither helps.
 */
const char *relay_remedy(const struct path *path);

/* A remedy, or part of one. */
struct remedy {
	char text[512];
};

/* Where to set it and, on a line of its own, what. `setting` is "FILE: LINE", or NULL. */
struct remedy setting_hint(const char *setting);

/* The command to attach to its session. */
struct remedy tmux_attach_command(const struct tmux *tmux);

/* The action of a desktop tool for the request. */
enum desktop_action desktop_action(const struct request *request);

/*
 * Whether text must be ASCII: Screen keeps only the low eight bits of a character, which
 * may be those of ESC.
 */
bool route_is_ascii(const struct route *route);

/* ---- within the plan: plan.c asks, hop.c and end.c answer ------------------- */

#define ENCODE "encode it first (base64 FILE | viatty copy)"

/*
 * How a sequence comes to a hop. The first one is that of the way; hop_passes() changes it where a
 * hop decodes the sequence and sends its own.
 */
enum hop_form {
	WRAPPED,  /* in the layers of the hops */
	PLAIN,    /* unwrapped, for a hop that interprets it */
	BY_HOP,   /* sent again by a hop on our side, which has decoded it */
	UNLETTERED, /* the same: a copy without a selection letter */
	HANDED,   /* a copy, for load-buffer -w of this tmux */
	IN_TEXT,  /* a hyperlink in the text that hops draw */
	QUERY,    /* a query, whose reply has to come back */
	QUERIED,  /* the same, by a tmux on our side */
	UNCHECKED /* unwrapped or in the layers of --wrap, whatever tmux and Screen do */
};

/* Why a desktop tool is used instead of the terminal. */
enum desktop_reason {
	DESKTOP_NOT_USED,
	DESKTOP_FOR_FOCUS,   /* the terminal copies only while its window has the focus */
	DESKTOP_FOR_FEATURE, /* it does not support the request, or would ask the user twice */
	DESKTOP_FOR_SETTING, /* it needs a setting */
	DESKTOP_FOR_CONTENT  /* it does not store these bytes, or this type */
};

/* A route being planned. */
struct plan {
	const struct path *path;
	const struct end *end;  /* of that path */
	const struct request *request;
	struct route *route;
	enum route_kind forced; /* by --route, or ROUTE_AUTO */
	enum desktop_reason desktop;
	const struct hop *tmux; /* the nearest one whose server replies, or NULL */
	bool may_bypass;        /* by this request, on this device */
	size_t bypassed;        /* the number of hops that a bypass leaves out, or 0 */
	/* of the way that is tried */
	bool for_good;          /* --force does not help against the refusal */
	bool reaches_end;       /* every hop passes it: a refusal is one of the terminal */
	enum verdict warned;    /* of the present warning */
};

/* Sets the refusal, "PROBLEM\nREMEDY". Returns false. */
#define refuse(p, ...) ((p)->route->verdict = VERDICT_NO, \
	fail(&(p)->route->refusal, STATUS_REFUSED, __VA_ARGS__))
#define refuse_for_good(p, ...) ((p)->for_good = true, refuse(p, __VA_ARGS__))

/* Makes the verdict at least this bad. */
void doubt(struct plan *p, enum verdict verdict);

/* The same, with a warning "PROBLEM\nREMEDY", unless there is one of a worse verdict. */
#define warn_that(p, how, ...) (doubt(p, how), (how) < (p)->warned ? (void)0 : \
	((p)->warned = (how), message_format((p)->route->warning, __VA_ARGS__)))

/* Sets what else is to be known of the route. */
#define note_that(p, ...) text_format((p)->route->note, sizeof((p)->route->note), __VA_ARGS__)

bool copies(const struct plan *p);

/*
 * Whether the hop passes the sequence that comes in this form, which is then the one that the
 * next hop gets.
 */
bool hop_passes(struct plan *p, const struct hop *hop, enum hop_form *form);

/* Whether the hop, as the destination, supports the feature. */
enum support hop_supports(const struct hop *hop, unsigned feature);

/* The size of a sequence with this body, with ESC ] or ESC k, and ST. 0 stays 0. */
size_t framed(size_t body);

/* Limits sequences or URLs to `bytes`, where 0 is no limit. Of URLs, `name` has the limit. */
void limit_sequence(struct route *route, size_t bytes, const char *name);

/* The same, and refuses one that is longer than `what` takes. */
bool limit_to(struct plan *p, size_t bytes, const char *what, const char *fix);

/* The same, to what the hop takes other than copies. */
bool limit_to_hop(struct plan *p, const struct hop *hop);

/* Refuses, because no client of this user can be used: none is attached, or none shows text. */
bool refuse_without_client(struct plan *p, const struct hop *hop);

/* Whether no other user is attached to the tmux, who would receive the sequence too. */
bool ours_alone(struct plan *p, const struct hop *hop);

/* Whether this selection is lost: copies of tmux up to 3.3a have no selection letter. */
bool loses_selection(const struct plan *p, const struct hop *hop);

/* Notes that tmux overwrites the clipboard where it is to be cleared. */
void tmux_overwrites(struct plan *p);

/*
 * Why the copy cannot be handed to the tmux `hop`, the last one that is bypassed, as ": ..." or "".
 * NULL if it can. tmux sends it between its own sequences, but without a selection letter
 * (load-buffer -w, set-buffer -w). Before 3.3 tmux cuts what the client does not accept at once.
 */
const char *tmux_cannot_send(const struct plan *p, const struct hop *hop);

/* Warns that a setting is needed; the remedy begins with `relay`. */
void warn_of_setting(struct plan *p, const struct terminal *row, enum feature feature,
    const char *relay);

/* Notes that this clipboard cannot be cleared. */
void overwrite_instead(struct plan *p, const char *whose);

/*
 * Notes what a query could tell of the terminal. It may turn out to be a multiplexer, whose layer
 * is also needed by force.
 */
void add_needs(struct plan *p);

/* Whether the terminal supports what is sent, shows links, reports the clipboard. */
bool end_accepts(struct plan *p);
bool end_shows_links(struct plan *p);
bool end_reports_clipboard(struct plan *p);

/* The remedy that is always left: how the user pastes the selection. */
const char *own_key(const struct request *request);

/* Whether the terminal was identified, which a query for the clipboard requires. */
bool end_is_identified(struct plan *p);

/* Whether it is a notification, in any protocol. */
bool is_notification(unsigned feature);

/* Why a desktop tool is better than the terminal, where it may be used. */
enum desktop_reason desktop_reason(const struct plan *p);

/* Whether there is a reason, and a desktop; notes that the desktop is to be searched for. */
bool desktop_is_better(const struct plan *p);

/* Plans the route by a desktop tool. */
bool by_desktop(struct plan *p);

/* ---- along the route (deliver.c) ---------------------------------------- */

/*
 * Replaces the payload of a copy by OSC 52, and sequences by what they are wrapped in for the
 * route, unless the request `streams`.
 */
void encode_for(const struct route *route, const struct request *request, struct buf *bytes);

/*
 * Encodes the bytes for the route, which consumes them, and writes them with tty_write(). For tmux
 * or a desktop tool, passes the payload of a copy on. Our controlling terminal may get the bytes in
 * pieces. On the terminal of a tmux client or an ancestor another program draws, so they are one
 * write(2). For the terminal of a client it waits for a calm moment.
 *
 * If tmux fails to send a copy, it is written to the device of the route, if that has one, and
 * `kind` and `why` change. tmux is usually silent then, but may resume.
 *
 * Adds the bytes sent to `*sent`. Fails with STATUS_NO_TERMINAL if the device cannot be opened.
 * Fails with STATUS_FAILED if it hangs up or stops reading, or if tmux or the tool fails. The
 * message says what became of a part that was sent. A signal that reached is in signal_caught.
 */
bool deliver(struct route *route, const struct path *path, const struct request *request,
    struct buf *bytes, size_t *sent, struct error *error);

/* ---- desktop tools (native.c) ------------------------------------------- */

/*
 * The clipboard and the notifications of the desktop that shows the terminal, through a
 * desktop tool.
 *
 * The tool is run without a shell, as the owner of the terminal, with the display in its
 * environment. VIATTY_NATIVE=never keeps a script that calls viatty from running itself.
 */

enum {
	/* PowerShell takes seconds to start; the others are fast */
	NATIVE_TIMEOUT_MS = 10000
};

/*
 * Sets each selection of the request, letters c and p, to these bytes of its type, or clears
 * it if there are none. All functions below take a route of kind ROUTE_NATIVE,
 * and fail with STATUS_FAILED and the message of the tool, or after a timeout.
 */
bool native_copy(const struct route *route, const struct path *path,
    const struct request *request, const void *bytes, size_t n, struct error *error);

/*
 * Appends the selection of the request, which may be empty, or its types to `text`. Also fails with
 * STATUS_FAILED if it has no data of the type, with STATUS_REFUSED if it exceeds the limit of
 * `text`.
 */
bool native_paste(const struct route *route, const struct path *path,
    const struct request *request, struct buf *text, struct error *error);

bool native_notify(const struct route *route, const struct path *path,
    const struct notification *n, unsigned timeout_ms, struct error *error);

/* ---- reading the clipboard (clipboard_query.c) -------------------------- */

/*
 * Reads what the request, a paste, asks for: text, or from a desktop tool also data of its type
 * or the list of types. `text` is empty, has the limit, and may stay empty. If it fails with text,
 * that is what came of an incomplete paste.
 *
 * The controlling terminal is queried directly (OSC 52), through Screen, or by the tmux client
 * that shows our pane. Otherwise the user may be asked to paste with the terminal's own key (tty.h,
 * pasted.c). A terminal whose clipboard a query would clear is never queried. An old tmux buffer is
 * never mistaken for the clipboard.
 */
bool clipboard_read(struct buf *text, const struct route *route, const struct path *path,
    const struct request *request, struct error *error);

/* ---- reading colors (color_query.c) ------------------------------------- */

struct color_query {
	unsigned which;
	struct chain chain;        /* of the route, to wrap the query for */
	unsigned timeout_ms;       /* 0: the default */
	bool known;                /* out: the color was reported */
	struct color color;        /* out */
};

/*
 * Queries the controlling terminal for this color. Replies that are invalid, twice, or were not
 * requested are ignored. Fails with STATUS_NO_REPLY, in the background with STATUS_NO_TERMINAL,
 * else with STATUS_FAILED. With STATUS_REFUSED if another program reads the terminal, or the
 * nearest hop would forward the query to terminals of other users.
 */
bool read_colors(struct color_query *query, struct path *path, struct error *error);

#endif
