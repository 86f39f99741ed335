/* SPDX-License-Identifier: MIT */
/*
 * Route layer: plans the route from the path and a request, delivers bytes along it, and
 * queries the terminal for clipboard and colors.
 */
#ifndef ROUTE_ROUTE_H
#define ROUTE_ROUTE_H

#include "base/base.h"
#include "detect/path.h"
#include "encoder/encoder.h"
#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- the plan (plan.c, hyperlink_support.c) ------------------------------ */

/*
 * Plans the route: a pure decision from the detected path and a request, without descriptor,
 * clock, environment or exit. Only what needs a query (a paste, OSC 5522) also depends on
 * query_allowed(). The reason for a route or a refusal is stated where it is decided.
 *
 * A multiplexer on this machine is bypassed: on the terminal of the client that shows it, a
 * sequence needs no option of tmux, keeps its selection letter and is not subject to tmux's
 * limits. For a hop that cannot be bypassed the sequence is wrapped; if the hop drops even
 * that, the route is refused.
 */

/* The names for --route, by enum route_kind, NULL-terminated. */
extern const char *const route_words[ROUTE_COUNT + 1];

/* The decision. Hops are borrowed from the path. */
struct route {
	enum route_kind kind;
	struct tty_device device; /* without a name for routes by tmux or a desktop tool */
	bool own_device;          /* it is the device of the path, which may be open */
	struct chain chain;
	bool unknown;             /* whether every hop and the terminal pass it */
	/*
	 * The longest sequence or, for links, URL and ID together, or for a paste, text: in
	 * bytes, 0: no known limit
	 */
	size_t limit;
	const char *limited_by;   /* for links: the hop or terminal with that limit */
	const char *cut_by;       /* for links: the one that cuts URLs at a semicolon, or NULL */
	size_t reply_max;         /* the longest reply that hops pass, in bytes; 0: any */
	/* for a paste: with SUPPORT_ASKS an empty reply may be a refusal */
	enum support reads;
	/*
	 * The destination cannot clear the clipboard, so a newline is sent instead, which
	 * overwrites it.
	 */
	bool overwrites;
	const struct hop *tmux;   /* the tmux that the route bypasses or uses, or NULL */
	const struct desktop_tool *tool; /* ROUTE_NATIVE: the tool, else NULL */
	const char *desktop;      /* of the tool: "X11 display :0" */
	const struct hop *destination; /* the multiplexer it is for; NULL: the terminal */
	const struct terminal *terminal; /* at the end of the path, or NULL */
	char who[TERMINAL_TITLE]; /* its name for messages, or "" */
	bool unlikely;            /* the warning is that it is probably lost */
	bool needs_setting;       /* of the terminal, named by note, warning or refusal */
	bool doubtful;            /* refused because it is not known to work */
	bool typed;               /* by OSC 5522 */
	bool confirmed;           /* the receiver has confirmed it */
	/* phrases without a period, or ""; from here on only the first byte is initialized */
	char why[256];            /* the reason for this route */
	char note[160];           /* the setting that the terminal needs */
	char warning[MESSAGE_TEXT]; /* possible losses, and the remedy */
	struct error refusal;     /* the reason without a route, else STATUS_DONE */
};

/* The longest text, in bytes, of a copy whose sequence has at most `bytes`. */
size_t copy_text_max(size_t bytes);

/* An empty plan, with the terminal at the end of the path. */
void route_begin(struct route *route, enum route_kind kind, const struct path *path);

/* Sets the refusal of a plan. Returns false. */
#define refuse_route(route, ...) fail(&(route)->refusal, STATUS_REFUSED, __VA_ARGS__)

/*
 * Plans a route. If there is none, returns false, and `refusal` names the hop or terminal
 * that drops the sequence, or explains that a forced route does not exist here. Then only
 * `refusal`, `terminal`, `who`, `needs_setting`, `doubtful` and `typed` are defined, and `kind` is
 * ROUTE_NATIVE if a desktop tool is missing.
 *
 * A copy or paste by OSC 5522 that is `unknown` needs typed_probe(). A copy to confirm that
 * is not `typed` is confirmed by tmux_has_taken(). A paste by OSC 52 is for read_selection().
 * Hyperlinks have no route but a verdict and a limit.
 */
bool plan_route(struct route *route, const struct path *path,
    const struct request *request);

/*
 * Part of plan_route(): whether OSC 8 in standard output becomes a link on the screen. Links
 * are never wrapped, because a multiplexer that draws the text must know which part is
 * linked. So every hop must support them; the terminal may be unknown, but must not lack
 * them. The limit is that of the hops up to the one that refuses.
 */
bool plan_links(struct route *route, const struct path *path);

#define IF_ANOTHER "if this is another terminal: --term NAME"
#define IGNORED_BY_DEFAULT "sent, but %s ignores it unless its settings allow it"
#define DUMB "TERM=dumb: the terminal would show the sequence as text"

/* A remedy, or part of one. */
struct remedy {
	char text[512];
};

/* `fix`, with --term added unless that was given or the terminal has identified itself. */
struct remedy hint_with_term(const struct path *path, const char *fix);

/* Where to set it and, on a line of its own, what: for "FILE: LINE" of settings.def. */
struct remedy setting_hint(const char *setting);

/* The command to attach to its session. */
struct remedy tmux_attach_command(const struct tmux *tmux);

/* Whether desktop tools have this feature. */
bool route_is_for_desktop(unsigned feature);

/* The action of a desktop tool for the request. */
enum desktop_action desktop_action(const struct request *request);

/* The bits of enum interpreter for the hop; 0: it interprets no sequences. */
unsigned hop_interpreters(const struct hop *hop);

/* Whether the destination is known to support this with default settings. */
bool route_does(const struct route *route, const struct path *path, enum feature feature);

/*
 * Whether text must be ASCII: Screen keeps only the low eight bits of a character, which
 * may be those of ESC.
 */
bool route_is_ascii(const struct route *route);

/* ---- along the route (deliver.c) ---------------------------------------- */

/*
 * Wraps the source, which is consumed, for the route, unless the request `streams`, and
 * writes all of it with tty_write(), or passes the payload of the source to tmux or a desktop
 * tool. Our controlling terminal may get it in pieces. On the terminal of a tmux client or an
 * ancestor another program draws, so that gets one write(2), which needs memory for the whole
 * sequence, and on that of a client waits for a calm moment.
 *
 * A copy is handed to tmux, and if tmux does not take it, written to the device of the route,
 * if that has one, with `kind` and `why` set. tmux is usually silent then, but may resume.
 *
 * Adds the bytes sent to `*sent`. Fails with STATUS_NO_TERMINAL if the device
 * cannot be opened, with STATUS_FAILED if it hangs up or stops reading, or if tmux or the
 * tool fails; the message describes the state of a part that was sent. A signal that arrived
 * is in signals_caught.
 */
bool deliver(struct route *route, const struct path *path, const struct request *request,
    struct source *source, size_t *sent, struct error *error);

/* ---- desktop tools (native.c) ------------------------------------------- */

/*
 * The clipboard and the notifications of the desktop that shows the terminal, through a
 * desktop tool.
 *
 * The tool is run without a shell, as the owner of the terminal, with the display in its
 * environment and VIATTY_NATIVE=never, so that a script that calls viatty does not recurse.
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
 * Appends the selection of the request, which may be empty, to `text`. Also fails with
 * STATUS_FAILED if it has no data of the type, with STATUS_REFUSED if it exceeds the limit of
 * `text`.
 */
bool native_paste(const struct route *route, const struct path *path,
    const struct request *request, struct buf *text, struct error *error);

/* Appends the MIME types of the selection, one per line; nothing if it is empty. */
bool native_list_types(const struct route *route, const struct path *path,
    const struct request *request, struct buf *types, struct error *error);

bool native_notify(const struct route *route, const struct path *path,
    const struct notification *n, unsigned timeout_ms, struct error *error);

/*
 * Runs the tool with a NULL-terminated command line whose first word is ignored. `said` gets
 * its output. It may wait for the user: without `timeout_ms`, for a day.
 */
bool native_forward(const struct route *route, const struct path *path,
    char *const *arguments, struct buf *said, unsigned timeout_ms, struct error *error);

/* ---- reading the clipboard, OSC 52 (clipboard_query.c) ------------------ */

/*
 * Reads the clipboard of the controlling terminal (OSC 52).
 *
 * The terminal is queried directly, through Screen, or by the tmux client that shows our
 * pane. A terminal whose clipboard a query would clear is never queried, and an old tmux
 * buffer is never mistaken for the clipboard.
 */

/*
 * Part of plan_route(): whether the clipboard can be read, as far as that is known without
 * querying it. The terminal of `path` should be identified; one that did not reply to that
 * is refused.
 */
bool plan_paste(struct route *route, const struct path *path, const struct request *request);

/*
 * Reads the first selection of the request, which may be empty, into `text`, which is empty
 * and has the limit.
 */
bool read_selection(struct buf *text, const struct route *route, const struct path *path,
    const struct request *request, struct error *error);

/*
 * Whether the tmux on the path, whose server is unreachable, has interpreted the copy that
 * was just sent. It replies to a clipboard query only if set-clipboard is on, and since 3.7
 * if get-clipboard is `buffer`, the default, or `request`: with its newest buffer, or with the
 * clipboard of the terminal (input.c, input_osc_52_parse and _reply). Fails with
 * STATUS_NO_REPLY, or like read_selection().
 */
bool tmux_has_taken(const struct path *path, const struct request *request,
    const struct buf *copy, struct error *error);

/* ---- the clipboard with types, OSC 5522 (typed_clipboard.c) ------------- */

/*
 * The clipboard with types, by OSC 5522: confirmed copies, and content of any media type in
 * both directions.
 *
 * The terminal replies to each request, so this needs a connection in both directions:
 * direct, or through Screen. tmux treats the replies as key presses and types them into the
 * pane (tty-keys.c, tty_keys_next(), in next-3.8), so nothing is sent there.
 */

/*
 * Part of plan_route(): whether the terminal at the end of the path supports OSC 5522, from
 * the path and the table of terminals; sends nothing. The route is `unknown` if the
 * terminal has to be queried. If it returns false, the refusal is
 * STATUS_REFUSED if it does not, if replies do not come back, or if another program would
 * receive them; STATUS_NO_TERMINAL, STATUS_NO_REPLY or STATUS_FAILED if it cannot be queried.
 */
bool plan_typed(struct route *route, const struct path *path, const struct request *request);

/*
 * Whether the terminal supports OSC 5522: if that is unknown, queries it for its name and mode
 * 5522. Sends no clipboard data. If it returns false, sets the refusal as plan_typed() does.
 */
bool typed_probe(struct route *route, const struct path *path, const struct request *request);

/*
 * Sets the clipboard or, with `content->primary`, the primary selection, with an ID of its
 * own, and returns true if the terminal confirmed it. Fails with STATUS_DENIED and its
 * reason, STATUS_NO_REPLY, STATUS_NO_TERMINAL, STATUS_REFUSED if another program reads the
 * terminal, STATUS_FAILED.
 */
bool typed_copy(const struct route *route, const struct request *request,
    const struct typed_write *content, struct error *error);

/*
 * Stores the data of the type of the request, or if that is NULL the available types, one per
 * line, in the empty `data`. Fails as above, with STATUS_FAILED if the clipboard has no data
 * of the type, with STATUS_REFUSED if it exceeds the limit of `data`, for a list 64 KiB.
 */
bool typed_paste(const struct route *route, const struct request *request, struct buf *data,
    struct error *error);

/* ---- reading colors (color_query.c) ------------------------------------- */

enum color_scheme { SCHEME_UNKNOWN, SCHEME_DARK, SCHEME_LIGHT };

/* One requested color. */
struct color_reading {
	unsigned which;
	bool known;         /* out: it was reported */
	struct color color; /* out */
};

struct color_query {
	struct color_reading *reading;
	size_t count;
	bool scheme_wanted;
	enum color_scheme scheme;  /* out */
	struct chain chain;        /* to wrap the query for */
	unsigned timeout_ms;       /* 0: the default */
};

/*
 * Sets `chain` so that the destination of the route `to` replies: a query cannot bypass a
 * hop, so it is wrapped for it. Returns false if its reply does not come back, only that of
 * the nearest hop.
 */
bool plan_color_query(struct color_query *query, const struct route *to,
    const struct path *path, bool force);

/*
 * Queries the controlling terminal for these colors, in one round trip. Ignores replies that
 * were not requested, are invalid, or are duplicates. Fails with STATUS_NO_REPLY if no color
 * was reported, STATUS_NO_TERMINAL in the background, STATUS_REFUSED if another program reads
 * the terminal or the nearest hop would forward the query to terminals of other users,
 * STATUS_FAILED.
 */
bool read_colors(struct color_query *query, const struct path *path, struct error *error);

#endif
