/* SPDX-License-Identifier: MIT */
/*
 * What a tmux server reports of a pane, and three requests to it: load a buffer, query
 * its terminal for the clipboard, report a title. Detect layer.
 *
 * Each request runs the tmux program once, with a time limit. Its output is untrusted:
 * fields that do not fit are empty.
 */
#ifndef DETECT_TMUX_H
#define DETECT_TMUX_H

#include "base/buf.h"
#include "base/error.h"
#include "detect/process.h"
#include "detect/socket.h"
#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	TMUX_SOCKET = SOCKET_PATH,
	TMUX_WORD = 64,
	TMUX_TIMEOUT_MS = 3000, /* for the reply of a server */
	TMUX_FEATURES = 256
};

/*
 * Hint that sets an option now and for the next server: a running server does not read
 * ~/.tmux.conf again. The features of a terminal are looked up when it attaches.
 */
#define TMUX_RUN(set, again) "run: tmux set -" set again \
	"; to keep it, add that to ~/.tmux.conf without the word tmux"
#define TMUX_SET(set) TMUX_RUN(set, "")
#define TMUX_SET_TERMINAL(set) TMUX_RUN(set, " and attach again")

/* The value of TMUX: SOCKET,PID,SESSION. tmux sets it in every child. */
struct tmux_address {
	char socket[TMUX_SOCKET];
	pid_t server;
	char session[TMUX_WORD]; /* "$3", or "" */
	/*
	 * With `limited` the socket must belong to one of these users: the environment
	 * of one user must not direct root to the socket of another.
	 */
	bool limited;
	uid_t owner[2];
};

/* False: not of that form. The address is not `limited`. */
bool tmux_address_parse(struct tmux_address *address, const char *value);

enum set_clipboard {
	SET_CLIPBOARD_UNKNOWN, SET_CLIPBOARD_OFF, SET_CLIPBOARD_EXTERNAL,
	SET_CLIPBOARD_ON
};

enum passthrough {
	PASSTHROUGH_UNKNOWN,
	PASSTHROUGH_OFF,
	PASSTHROUGH_ON, /* for panes that are shown */
	PASSTHROUGH_ALL /* for hidden ones too, since 3.4 */
};

/* What tmux does with a program's clipboard query, since 3.7. */
enum get_clipboard {
	GET_CLIPBOARD_UNKNOWN, /* before 3.7 there is no such option */
	GET_CLIPBOARD_OFF,
	GET_CLIPBOARD_BUFFER,  /* replies with its newest buffer, the default */
	GET_CLIPBOARD_REQUEST  /* forwards it to the terminal; so does `both` */
};

/* A client: the terminal that shows a session. */
struct tmux_client {
	pid_t pid;                   /* #{client_pid} */
	uid_t user;                  /* #{client_uid}, since 3.3; else whose process it is */
	char tty[DEVICE_NAME];       /* #{client_tty} */
	char term[TMUX_WORD];        /* #{client_termname}: its TERM */
	char type[TMUX_WORD];        /* #{client_termtype}: its XTVERSION reply, or "" */
	char features[TMUX_FEATURES]; /* #{client_termfeatures}, joined by commas */
	bool has_pixels;             /* #{client_cell_width}: tmux knows the size of a cell */
	bool control;                /* #{client_control_mode}: it is no terminal */
	long activity;               /* #{client_activity}: last key, in Unix seconds */
};

/* The reply of a server: the pane, and the clients that show it. */
struct tmux {
	struct tmux_address address;
	uid_t owner;                 /* of the server */
	bool asks_by_own;            /* run the server's executable, not tmux of PATH */
	char version[TMUX_WORD];     /* #{version} */
	enum set_clipboard set_clipboard; /* #{set-clipboard} */
	enum passthrough passthrough; /* #{allow-passthrough}, since 3.3 */
	enum get_clipboard get_clipboard; /* #{get-clipboard}, since 3.7 */
	char session[TMUX_WORD];     /* #{session_name}, blanks as _ */
	char pane[TMUX_WORD];        /* #{pane_id}: "%3" */
	char pane_tty[DEVICE_NAME];  /* #{pane_tty} */
	bool draws_sixel;            /* #{sixel_support}, since 3.6: it was built with it */
	bool in_mode;                /* #{pane_in_mode}: copy mode and the like */
	/* #{window_active}, and #{window_zoomed_flag} only with #{pane_active} */
	bool shown;
	bool allow_rename;           /* #{allow-rename}: ESC k renames the window */
	bool sets_titles;            /* #{set-titles}: of its terminal */
	/*
	 * The clients that show the session (or one of its group, or the same window),
	 * those of them in control mode, and of the others the one used last. Clients of
	 * users other than the server's (server-access) count as `guests` only.
	 */
	unsigned clients, control_clients, guests;
	bool has_client;
	struct tmux_client client;
	/* a guest reports the same terminal: tmux may use the guest for that name */
	bool client_claimed;
	char elsewhere[DEVICE_NAME]; /* a client of its owner in another session, or "" */
};

/*
 * A client trusts its server, so each function below connects as the server's owner: see
 * socket_look() and subprocess_run_command().
 *
 * Asks the server at `address` about a pane ("%3"; NULL: the active one of the session)
 * and its clients. Runs tmux once; if the tmux in PATH is missing or too different from
 * the server, also the server's own executable, even a deleted one. If the pane does not
 * exist, `pane_tty` is empty and the clients are those of the session in `address`.
 * False, with the reason, which may be tmux's message: STATUS_REFUSED if another user
 * owns the server, else STATUS_FAILED: no server, no tmux, or no reply in `timeout_ms`.
 */
bool tmux_ask(struct tmux *answer, const struct tmux_address *address,
    const char *pane, unsigned timeout_ms, struct error *error);

/*
 * Parses the reply of a server of `tmux->owner`, a part of tmux_ask(); modifies `text`.
 * False: the reply has no pane.
 */
bool tmux_read_answer(struct tmux *tmux, char *text);

/*
 * Makes tmux query the client's terminal for its clipboard; the reply arrives as input of
 * the pane (tmux 3.3 to 3.6, `refresh-client -l PANE`). False: STATUS_FAILED.
 */
bool tmux_request_clipboard(const struct tmux *tmux, unsigned timeout_ms,
    struct error *error);

/*
 * Adds the title of the pane to `text`, or the name of its window; of a name that
 * tmux chose itself, nothing. False: STATUS_FAILED.
 */
bool tmux_title(const struct tmux *tmux, bool window_name, struct buf *text,
    unsigned timeout_ms, struct error *error);

/* At least version `major`.`minor` ("next-3.8" counts as 3.8). */
bool tmux_is_at_least(const struct tmux *tmux, unsigned major, unsigned minor);

/* Whether its #{client_termfeatures} lists this one. */
bool tmux_client_has(const struct tmux_client *client, const char *feature);

/*
 * Whether the client's terminal gets what tmux puts on the clipboard: its features
 * say so (SUPPORT_YES), its TERM is known to lack Ms (SUPPORT_NO), or neither
 * (SUPPORT_UNKNOWN). terminfo of ncurses 6.4; tty-features.c of tmux.
 */
enum support tmux_client_copies(const struct tmux_client *client);

/*
 * Loads `n` bytes as a paste buffer. With `to_client` tmux sends them to that client's
 * clipboard (tmux 3.2, `load-buffer -w`), and the buffer is deleted. False: STATUS_FAILED
 * with tmux's message, or tmux took no byte for `timeout_ms`.
 */
bool tmux_load(const struct tmux *tmux, const struct tmux_client *to_client,
    const void *bytes, size_t n, unsigned timeout_ms, struct error *error);

#endif
