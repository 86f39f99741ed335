/* SPDX-License-Identifier: MIT */
/*
 * What a tmux server tells of a pane, and the three things it is asked to do: load a
 * buffer, ask its terminal for the clipboard, tell a title.
 * Detect layer.
 *
 * Everything goes through the tmux program, one process a question, with a
 * deadline. What comes back is untrusted: fields that do not fit are empty.
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
	TMUX_TIMEOUT_MS = 3000, /* how long a server may take to answer */
	TMUX_FEATURES = 256
};

/*
 * What sets an option now and for the next server: a server that runs does not read
 * ~/.tmux.conf again. What a terminal can do is looked up when it attaches.
 */
#define TMUX_RUN(set, again) "run: tmux set -" set again \
	"; to keep it, add that to ~/.tmux.conf without the word tmux"
#define TMUX_SET(set) TMUX_RUN(set, "")
#define TMUX_SET_TERMINAL(set) TMUX_RUN(set, " and attach again")

/* The value of TMUX: SOCKET,PID,SESSION. tmux sets it in every child. */
struct tmux_address {
	char socket[TMUX_SOCKET];
	pid_t server;
	char session[TMUX_WORD]; /* "$3"; "" if it says none */
	/*
	 * Whose word it is: with `limited` the socket has to belong to one of
	 * these, for a socket of root's or a third one's is not for a user to send
	 * root to.
	 */
	bool limited;
	uid_t owner[2];
};

/* False: not of that form. It is not limited to anybody. */
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

/* What tmux does with a program's question for the clipboard, since 3.7. */
enum get_clipboard {
	GET_CLIPBOARD_UNKNOWN, /* before 3.7 there is no such option */
	GET_CLIPBOARD_OFF,
	GET_CLIPBOARD_BUFFER,  /* answers from its newest buffer, the default */
	GET_CLIPBOARD_REQUEST  /* hands it to the terminal; `both` does as well */
};

/* A terminal that shows a session: who sits in front of it. */
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

/* What a server has answered: of the pane, and of the clients that show it. */
struct tmux {
	struct tmux_address address;
	uid_t owner;                 /* whose server it is, and whose word this */
	bool asks_by_own;            /* with the server's own program, not tmux of PATH */
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
	 * The terminals that show the session (or one of its group, or the
	 * same window): how many, how many of them by the control protocol,
	 * and the one used last that is not. Clients of other users than the
	 * server's (server-access) are not among them; `guests` counts those.
	 */
	unsigned clients, control_clients, guests;
	bool has_client;
	struct tmux_client client;
	/* a guest says that it sits there: the name may lead tmux to the guest */
	bool client_claimed;
	char elsewhere[DEVICE_NAME]; /* its owner's client of other sessions */
};

/*
 * What a server answers is its owner's word, and its client obeys it: each
 * function below connects as that user, see socket_look() and
 * subprocess_run_command().
 *
 * Asks the server at `address` about a pane ("%3", or NULL for the session's
 * present one) and its clients. Starts one process; a second where the tmux in
 * PATH is missing or of a version that the server does not understand: then the
 * server's own executable, also if that is deleted. Of a pane that is not there
 * `pane_tty` is empty, and the clients are those of the session in `address`.
 * False: STATUS_FAILED with the reason, which may be tmux's own words: it is not
 * ours to ask, there is no server, no tmux, or no answer within `timeout_ms`.
 */
bool tmux_ask(struct tmux *answer, const struct tmux_address *address,
    const char *pane, unsigned timeout_ms, struct error *error);

/*
 * What a server of `tmux->owner` has answered to tmux_ask(), which it is part of;
 * takes `text` apart. False: it says nothing of a pane.
 */
bool tmux_read_answer(struct tmux *tmux, char *text);

/*
 * Has the client's terminal asked for its clipboard; the reply arrives as input
 * of the pane (tmux 3.3 to 3.6, `refresh-client -l PANE`). False:
 * STATUS_FAILED.
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
 * Hands `n` bytes to the server as a paste buffer; with `to_client` also to
 * that client's clipboard (tmux 3.2, `load-buffer -w`). Nothing stays behind
 * in the second case. False: STATUS_FAILED with tmux's words, or no end within
 * `timeout_ms` of the last byte it took.
 */
bool tmux_load(const struct tmux *tmux, const struct tmux_client *to_client,
    const void *bytes, size_t n, unsigned timeout_ms, struct error *error);

#endif
