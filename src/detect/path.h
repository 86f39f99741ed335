/* SPDX-License-Identifier: MIT */
/*
 * Detect layer: the path from this process to the screen, as facts with their sources. The
 * only layer that examines the environment, other processes and tmux servers. The decisions
 * are in route/plan.c.
 *
 * path_find() opens the device nearest to this process, and walks from there hop by hop to
 * the terminal on the screen:
 *
 *   path.c          the device, and the identity of the terminal
 *   hops.c          the walk: past tmux, Screen and editors, by process and environment
 *   tmux.c          the state of a tmux server, and whether it may be queried
 *   identify.c      the queries of path_learn() on our terminal
 *   remembered.c    such replies from earlier in the same login
 *   process_last.c  --tty last: the terminal that this user used last
 *   become.c        the user as whom we act
 *   desktop.c       the desktop of the terminal, for features that the terminal lacks
 *   process.c       a snapshot of each process; process_linux.c, process_bsd.c: its facts
 *   reader.c        other programs that read the terminal
 *
 * All findings are untrusted. viatty acts as one user, and the kernel refuses what that user may
 * not do. Unknown is a separate value, never treated as on.
 */
#ifndef DETECT_PATH_H
#define DETECT_PATH_H

#include "base/base.h"
#include "encoder/encoder.h"
#include "terminal/terminal.h"
#include "tty/tty.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- what the user says ------------------------------------------------------ */

enum route_kind {
	ROUTE_AUTO,        /* the best that is known to work here */
	ROUTE_DIRECT,      /* unwrapped, to the nearest device */
	ROUTE_CLIENT_TTY,  /* to the outermost terminal that is reachable by bypassing hops */
	ROUTE_PASSTHROUGH, /* wrapped, to the nearest device */
	ROUTE_PLAIN,       /* unwrapped, to a multiplexer that interprets it */
	ROUTE_LOAD_BUFFER, /* clipboard only: tmux load-buffer -w */
	ROUTE_TMUX_BUFFER, /* clipboard only: a tmux buffer, without a terminal */
	ROUTE_NATIVE,      /* a desktop tool */
	ROUTE_COUNT
};

/* The way that the user demands: the global options. */
struct given {
	const char *tty;        /* --tty: "/dev/pts/3", "stdout", "pane:%3", "last"; or NULL */
	/* by --term, with its value; or NULL */
	const struct terminal *terminal;
	const char *terminal_name;
	enum route_kind route;  /* ROUTE_AUTO, or forced */
	/* forced layers, or NULL: then hops are searched for only if there is no device */
	const struct chain *chain;
	bool force;             /* send even if it is known not to work */
	bool probe;             /* the terminal and unreachable hops may be queried */
	bool print;             /* print the sequences instead of sending them */
	bool looks;             /* nothing is sent but queries: doctor */
	/*
	 * Nothing is queried: a pager or another program of the same pipeline may start reading
	 * the terminal at the same time.
	 */
	bool in_pipeline;
	bool copies;            /* a copy, which a tmux may have to be handed */
	/*
	 * For each tmux server, query and write without progress. With 0, the default, a silent
	 * terminal costs two seconds.
	 */
	unsigned timeout_ms;
};

/* ---- the user ---------------------------------------------------------------- */

/* First of all: gives up the rights of a set-user-ID program, and finds out who called root. */
void user_find_caller(void);

/*
 * Whether we are root and a user has started an ancestor, by sudo or su. user_become() is then
 * called before a device, a socket or an environment is opened.
 *
 * The user is the real one of the nearest ancestor that is not root's and that our user
 * namespace knows. Only numbers of the kernel tell. Variables such as SUDO_UID, names and owners
 * of terminals are chosen by callers.
 */
bool user_called_root(void);

/*
 * Becomes that user permanently, in the group of the nearest ancestor that is the user's alone.
 * Takes over the environment of the nearest one that shows it, but for TERM, LANG, LC_* and
 * NO_COLOR. Standard streams stay open for this process alone, which none of the user may trace.
 * Dies if that succeeds in part. Where it is not allowed, we stay root.
 */
void user_become(void);

/*
 * Whether the user as whom we act has set the environment, as far as processes and the variables
 * of sudo, doas and pkexec show. Not so for root, which init may have adopted from any caller.
 * Otherwise no variable leads to a terminal, a desktop, or a server but one that started us.
 */
bool environment_is_ours(void);

/* ---- processes ------------------------------------------------------------- */

enum { PROCESS_NAME = 16, PROCESS_PATH = 1024 };

/* No ID, as for chown(2): the real, effective and saved ones differ. */
#define USER_NONE ((uid_t)-1)
#define GROUP_NONE ((gid_t)-1)

/*
 * The facts that the system reports about a process. An unknown fact is never a reason to
 * trust a process.
 */
struct process {
	pid_t pid, parent;
	/* at most 15 characters, as /proc/PID/comm of Linux; unprintable ones as ? */
	char name[PROCESS_NAME];
	char tty[DEVICE_NAME];   /* its controlling terminal, "" for none */
	bool in_foreground;      /* of that terminal */
	/* identifies the process, together with the PID; 0 if unknown */
	unsigned long long started;
};

/* Whose it is. */
struct process_ids {
	uid_t real;  /* its real user ID */
	/* its user and group, or USER_NONE and GROUP_NONE, as of a set-user-ID program */
	uid_t owner;
	gid_t group;
};

/*
 * The process, as first read since the last path_find(), until the next one; NULL if it is gone
 * or hidden. For this process at least the parent is known.
 */
const struct process *process_find(pid_t pid);

/* Of one that process_find() returned, as first read; USER_NONE and GROUP_NONE if it had exited. */
const struct process_ids *process_ids(const struct process *process);

/*
 * The parent, or NULL if it is hidden or has exited: a process that started later is no parent.
 * `process` may be NULL.
 */
const struct process *process_parent(const struct process *process);

enum { LOGINS_MAX = 8 };

/*
 * The ancestors that log a user in or change the user (sshd, sudo, su ...), the nearest
 * first, without consecutive duplicates. Fills `names`, valid as process_find(), and returns
 * their number.
 */
size_t process_logins(const char *names[LOGINS_MAX]);

/*
 * A path to execute the program that `pid` runs; on Linux even if the file was replaced.
 * Returns false, and "", if it is unknown or too long.
 */
bool process_program(char path[PROCESS_PATH], pid_t pid);

/*
 * Appends the initial environment of `process` to `out`: NAME=VALUE strings, each with its
 * NUL. Returns false, with `out` empty, if the process is gone or was replaced since it was
 * examined. So it does if the environment cannot be read or exceeds PROCESS_STRINGS_MAX, and for
 * a set-user-ID program, whose caller has set it.
 */
bool process_environment(struct buf *out, const struct process *process);

/* A variable in such an environment; NULL if unset. Borrowed. */
const char *environment_value(const struct buf *environment, const char *name);

/*
 * For a query: whether another program may read the terminal `fd`, by its mode. In canonical
 * mode none does, because programs that read lines get them after we exit. One that set
 * TERM=dumb for a child whose output it captures may read in any mode. Vim without shelltemp does
 * so after some 50 ms (mch_call_shell_fork() in os_unix.c). Sets `reader` to "".
 */
bool reader_is_possible(int fd, char reader[QUERY_READER]);

/*
 * Whether one does, where reader_is_possible(). A full-screen program (an editor, a file
 * manager) may read keys while its child runs, some in a thread: our reply would be read as
 * keystrokes, or inserted into its file. The foreground process group is no evidence, because
 * the child is in it as well. So the terminal counts as read unless a shell set the mode. A shell
 * waits while it runs the command of a key binding (zsh widgets, bash bind -x, fish bind).
 *
 * Examines our ancestors on that terminal, the nearest first, and skips shells that run a
 * script or the command of -c, and programs that only start others (sudo, env). The terminal
 * is free if the first of the others is an interactive shell, or if there is none and the
 * last ancestor is the session leader. (A child whose shell has exited has another leader.) Any
 * other program reads it, and so may an unknown one. Other processes of a pipeline (a pager)
 * are not examined. If it returns true, `reader` is the name of the program, or "".
 */
bool reader_is_another(int fd, char reader[QUERY_READER]);

/* ---- tmux -------------------------------------------------------------------- */

enum {
	TMUX_SOCKET = 108, /* sun_path of unix(7) */
	TMUX_WORD = 64,
	TMUX_TIMEOUT_MS = 3000, /* for the reply of a server */
	TMUX_FEATURES = 256
};

/*
 * A hint that sets an option now and for later servers: a running server does not reread
 * ~/.tmux.conf. The features of a terminal are determined when it attaches. The command is
 * alone on its line, to be copied.
 */
#define TMUX_RUN "run this; to keep it, add it to ~/.tmux.conf without \"tmux\""
#define TMUX_SET(set) TMUX_RUN ":\n  tmux set -" set
#define TMUX_SET_TERMINAL(set) TMUX_RUN ", then attach again:\n  tmux set -" set

/* The value of TMUX: SOCKET,PID,SESSION. tmux sets it in every child. */
struct tmux_address {
	char socket[TMUX_SOCKET];
	pid_t server;            /* 0: none */
	char session[TMUX_WORD]; /* "$3", or "" */
	char pane[TMUX_WORD];    /* that of TMUX_PANE, "%3", or "" */
	bool own;                /* from the environment of this process */
	pid_t child;             /* the process with the variable: this one, by default */
	/*
	 * The server is on the path already: a popup shows one of its sessions. Only tmux knows who
	 * shows the popup, so all clients count but those that it runs itself, in popups and panes.
	 */
	bool popup;
};

/*
 * Parses the value of TMUX; `pane` is that of TMUX_PANE, or NULL. Returns false, with
 * `*address` zeroed, if the value is NULL or malformed.
 */
bool tmux_address_parse(struct tmux_address *address, const char *value, const char *pane);

enum set_clipboard {
	SET_CLIPBOARD_UNKNOWN, SET_CLIPBOARD_OFF, SET_CLIPBOARD_EXTERNAL, SET_CLIPBOARD_ON,
	SET_CLIPBOARD_NOT_ON /* off or external, as far as its replies show */
};

enum passthrough {
	PASSTHROUGH_UNKNOWN,
	PASSTHROUGH_OFF,
	PASSTHROUGH_ON, /* for visible panes */
	PASSTHROUGH_ALL /* also for hidden ones, since 3.4 */
};

/* A client: the terminal that shows a session. */
struct tmux_client {
	pid_t pid;                   /* #{client_pid} */
	char tty[DEVICE_NAME];       /* #{client_tty} */
	char term[TMUX_WORD];        /* #{client_termname}: its TERM */
	char type[TMUX_WORD];        /* #{client_termtype}: its XTVERSION reply, or "" */
	char features[TMUX_FEATURES]; /* #{client_termfeatures}, joined by commas */
	char pane[TMUX_WORD];        /* #{pane_id} of its active pane */
	/* #{client_flags}, since 3.2; also true if the focus is not reported */
	bool focused;
	unsigned long activity;      /* #{client_activity}: last key, in Unix seconds */
};

/* A server, the pane, and the clients that show it. 0 or "": unknown. */
struct tmux {
	bool reachable;              /* the server has replied */
	struct tmux_address address;
	pid_t waits;                 /* the tmux that was asked, and can be told; or 0 */
	char version[TMUX_WORD];     /* #{version} */
	enum set_clipboard set_clipboard; /* #{set-clipboard} */
	enum passthrough passthrough; /* #{allow-passthrough}, since 3.3 */
	/*
	 * #{get-clipboard} is `request` or `both`, since 3.7: tmux forwards the clipboard query
	 * of a program to the terminal. By default it replies with its newest buffer.
	 */
	bool requests_clipboard;
	char session[TMUX_WORD];     /* #{session_name}, spaces as _ */
	char pane[TMUX_WORD];        /* #{pane_id}: "%3" */
	char pane_tty[DEVICE_NAME];  /* #{pane_tty} */
	bool in_mode;                /* #{pane_in_mode}: copy mode and the like */
	/* #{window_active}, and #{window_zoomed_flag} only with #{pane_active} */
	bool shown;
	bool allow_rename;           /* #{allow-rename}: ESC k renames the window */
	bool sets_titles;            /* #{set-titles}: of its terminal */
	/* #{focus-events}: tmux enables focus reports in terminals with the feature `focus`
	   when they attach (tty_start_tty() in tty.c) */
	bool focus_events;
	/* the window as the status line names it, with the pane if it has several: "2:api",
	   "2.1:api"; spaces as _ */
	char window[2 * TMUX_WORD];
	/*
	 * The clients that show the session (or one of its group, or the same window),
	 * those of them in control mode, and of the others the most recently used one.
	 * Clients of other users (server-access) count only as `guests`, whatever session they
	 * show: tmux does not verify the terminal that such a client reports, and finds clients
	 * by that.
	 */
	unsigned clients, control_clients, guests;
	bool has_client;
	struct tmux_client client;
	/* the most recently used client of its owner in other sessions, or tty "" */
	struct tmux_client elsewhere;
};

/*
 * A client trusts its server: it executes the program that the server names (MSG_EXEC and
 * MSG_SHELL in client.c of tmux), so the server must be ours. If the environment is not ours,
 * the process that listens must also be an ancestor of the one with the variable.
 *
 * Each function runs the tmux program, with a timeout, and its output is untrusted: fields that
 * do not fit are empty.
 *
 * Queries the server at `address` for its pane (without one, the active pane of the session)
 * and the clients. If the pane does not exist, `pane_tty` is empty and the clients are those of
 * the session in `address`. `stays`: that client of tmux then waits for tmux_hand(), by
 * `source-file -` of 3.1. Returns false with the reason, which may be tmux's message. It is
 * STATUS_REFUSED if the server must not be queried. It is STATUS_FAILED without a server, tmux or
 * the right version of it, and without a reply within `timeout_ms`.
 */
bool tmux_ask(struct tmux *answer, const struct tmux_address *address, bool stays,
    unsigned timeout_ms, struct error *error);

/*
 * Part of tmux_ask(): parses the reply of a server, and modifies `text`. Returns false if the
 * reply has no pane.
 */
bool tmux_read_answer(struct tmux *tmux, char *text);

/*
 * Makes tmux query the client's terminal for its clipboard; the reply arrives as input of
 * the pane (tmux 3.3 to 3.6, `refresh-client -l PANE`). Fails with STATUS_FAILED.
 */
bool tmux_request_clipboard(const struct tmux *tmux, struct error *error);

/*
 * Loads `n` bytes as a paste buffer. Fails with STATUS_FAILED and tmux's message, or if tmux
 * accepted no byte for `timeout_ms`.
 */
bool tmux_load(const struct tmux *tmux, const void *bytes, size_t n, unsigned timeout_ms,
    struct error *error);

/*
 * Has tmux send `n` bytes, at least one and the last not NUL, to the clipboard of `client` between
 * its own sequences. Tells the tmux that waits, or runs another one, to use a buffer that it
 * deletes (tmux 3.2). Returns true if tmux has queued the whole sequence, which it keeps since 3.3
 * until the terminal takes it, perhaps much later. Fails with STATUS_FAILED like tmux_load(). The
 * same if the client does not keep up, is suspended or has gone, or if another client has a
 * terminal of that name, because tmux takes the first of them.
 */
bool tmux_hand(const struct tmux *tmux, const void *bytes, size_t n, unsigned timeout_ms,
    struct error *error);

/*
 * Shows a line in the status line of the client's terminal, for five seconds or, before 3.2, as
 * long as display-time says. `once`: not if it is the last that was shown so to this client.
 */
void tmux_show(const struct tmux *tmux, const char *line, bool once);

/* At least version `major`.`minor` ("next-3.8" counts as 3.8). */
bool tmux_is_at_least(const struct tmux *tmux, unsigned major, unsigned minor);

/*
 * The client that shows the pane or, if its session is detached, the most recently used one
 * of another session. NULL: none, or only in control mode.
 */
const struct tmux_client *tmux_nearest_client(const struct tmux *tmux);

/*
 * Whether tmux sends its own copies to the client. For that set-clipboard is on or external, and
 * tmux knows how the terminal takes them (Ms), by a feature or by terminfo.
 */
bool tmux_copies(const struct tmux *tmux);

/* Whether only control clients are attached, which get the output of the pane unchanged. */
bool tmux_is_controlled(const struct tmux *tmux);

/* Whether its #{client_termfeatures} lists this one. */
bool tmux_client_has(const struct tmux_client *client, const char *feature);

/*
 * Whether tmux drops copies for the client's terminal, because its features lack them, as does
 * the terminfo entry of its TERM (Ms). See terminfo of ncurses 6.4 and tty-features.c of tmux.
 */
bool tmux_client_drops_copies(const struct tmux_client *client);

/* ---- the desktop -------------------------------------------------------------- */

enum { DESKTOP_PATH = 256, DESKTOP_WHERE = 64 };

struct desktop {
	const char *refusal;         /* why its tools are left alone, or NULL */
	bool off;                    /* VIATTY_NATIVE=never */
	bool own;                    /* from our environment: the route was forced */
	const struct process *terminal; /* NULL: it is not visible from here */
	bool has[DESKTOPS];
	char where[DESKTOPS][DESKTOP_WHERE]; /* for messages: "X11 display :0" */
	/* NAME=value, for the tool's environment, or NULL; borrowed until the next one is found */
	const char *variable[DESKTOPS][DESKTOP_VARIABLES];
	/* by the number of the tool: its file, or "" */
	char program[DESKTOP_TOOLS][DESKTOP_PATH];
};

/* ---- the path ------------------------------------------------------------------ */

struct hop {
	const struct terminal *row; /* in multiplexers.def; its kind is an enum hop_kind */
	const char *evidence;    /* how it was found: "seen as a process" */
	/*
	 * Why it, or the terminal on its outer side, is out of reach. Of a program without a row,
	 * which program it is.
	 */
	char why[256];
	char repair[64];         /* the command that makes it reachable, or "" */
	/* of an unreachable tmux: what VIATTY_OUTER_TMUX states that it passes, or NULL */
	const char *stated;
	bool relayed; /* a relay in it takes copies */
	bool notifies; /* and one takes notifications */
	/* no terminal shows the session; `outer` of a tmux is then that of another session */
	bool detached;
	bool multiuser;          /* HOP_SCREEN: other users may be attached */
	time_t attached;         /* HOP_SCREEN: when it was last detached or attached, or 0 */
	/*
	 * HOP_TMUX: the state of its server. If that is unreachable, only version,
	 * set-clipboard and allow-passthrough may be known, from replies on our terminal.
	 * `version` is also that of Screen and Zellij.
	 */
	struct tmux tmux;
	/*
	 * The terminal on its outer side, with a name if it is known and this user may write
	 * there, which bypasses the hop.
	 */
	struct tty_device outer;
};

/* Whether its version passes the feature on; the newest if the version is unknown. */
enum support hop_forwards(const struct hop *hop, unsigned feature);

/*
 * Whether it is a tmux, or by its TERM a tmux or Screen, whose server is unreachable. Its
 * options are then known only from its replies on our terminal, if at all.
 */
bool hop_is_unreachable(const struct hop *hop);

/* Whether the reply to a query comes back through it, to this window. */
bool hop_returns_replies(const struct hop *hop);

enum { HOPS_MAX = 6, PROBE_TEXT = 96 };

/* The replies to the identifying queries on our terminal, or the report of a tmux. */
struct probe {
	/* unprintable bytes as ?, or "" */
	char version[PROBE_TEXT]; /* XTVERSION */
	char da1[PROBE_TEXT];     /* its numbers: "62;4;52" */
	char da2[PROBE_TEXT];     /* the same: "1;4000;48" */
	char da3[PROBE_TEXT];     /* its unit ID */
	/* from xterm's settings: SUPPORT_YES, SUPPORT_OFF, else unknown */
	enum support allows_copy, allows_title_stack;
	bool knows_99;            /* it replied to the query of OSC 99 */
};

/*
 * What a plan may find unknown, and path_learn() can find out, in this order. A reply is better
 * evidence than a process, and both are better than a variable.
 */
enum need {
	NEED_FRESH_NAME = 1,  /* who the terminal is, by a fresh reply */
	NEED_NAME = 2,      /* who it is, by a reply, also one remembered from this login */
	NEED_SETTING = 4,   /* whether the settings of xterm let programs copy, or save titles */
	NEED_HOP = 8,       /* the version of Zellij, or whether it is tmux or Screen */
	NEED_TMUX_CLIPBOARD = 16, /* set-clipboard of a tmux whose server is unreachable */
	NEED_TMUX_PASSTHROUGH = 32, /* its allow-passthrough */
	NEED_NOTIFY99 = 64, /* OSC 99 */
	/* without a query: */
	NEED_PROCESS = 128, /* the process of the terminal */
	NEED_DESKTOP = 256, /* the desktop that shows it */
	NEED_STATEMENT = 512, /* what VIATTY_OUTER_TMUX states of an unreachable tmux */
	NEED_QUERIES = NEED_PROCESS - 1,
	NEED_OF_END = NEED_FRESH_NAME | NEED_NAME | NEED_SETTING,
	NEED_OF_TMUX = NEED_TMUX_CLIPBOARD | NEED_TMUX_PASSTHROUGH
};

/*
 * The terminal with these replies, by its XTVERSION name or, without one, by its unit ID (DA3) or
 * DA2. NULL if it is unknown.
 */
const struct terminal *terminal_of_replies(const struct probe *probe);

/*
 * What the end can do of one feature. Decide by `does`. The others say why: its version is too old
 * if only `by_table` is NO, or a setting is off.
 */
struct ability {
	/* in its version, with the settings that it reported; by --term without a version, in
	   the newest one */
	enum support does;
	enum support by_table, newest; /* its row says of its version, and of the newest one */
	/* of copies: SUPPORT_YES if its settings allow them, OFF if not, else unknown */
	enum support allowed;
};

/* How the device was found. */
enum device_source {
	DEVICE_NONE,
	DEVICE_ASKED_FOR,   /* --tty or VIATTY_TTY, but not a pane */
	/* the last two by --tty; all, by number, inherited where no other is found */
	DEVICE_STDIN, DEVICE_STDOUT, DEVICE_STDERR,
	DEVICE_CONTROLLING, /* /dev/tty */
	DEVICE_PANE,        /* that of --tty pane:%3, or of TMUX without a terminal of our own */
	DEVICE_ANCESTOR,    /* the terminal of an ancestor */
	DEVICE_LAST         /* --tty last */
};

/* The position of the walk: a process, its terminal, its environment. */
struct cursor {
	pid_t pid;              /* 0 if unknown, or -1 to examine no processes */
	char tty[DEVICE_NAME];  /* "": none */
	bool own;               /* this process */
	struct buf environment; /* of another process */
	const char *term;       /* TERM from a source other than the environment, or NULL */
	unsigned timeout_ms;    /* of the whole walk: for the reply of each tmux server */
};

/* The terminal at the end of the path, and what it can do: set by path_update_end(). */
struct end {
	/* that of --term, else the one found, or NULL; and its product name, or NULL */
	const struct terminal *terminal;
	const char *name;
	const char *version;             /* for terminal_support(), or "" */
	struct ability can[FEATURE_COUNT];
	enum clipboard_bytes bytes;      /* that it stores */
	/*
	 * Whether `viatty relay` takes copies. The reply to XTVERSION says so (RELAY_NAME in
	 * encoder.h). So does 52 in the DA1 reply of a tmux, or of a terminal that is not known
	 * to support OSC 52. Of notifications only XTVERSION tells (RELAY_NOTIFIES).
	 */
	bool relayed, notifies;
};

/* What path_learn() has tried, and how the queries of it ended. */
struct queried {
	unsigned tried;                  /* enum need; identify() marks those with a query */
	bool fresh_wanted;               /* NEED_FRESH_NAME: sent even if input is pending */
	bool recalled;                   /* NEED_NAME: the remembered reply was looked for */
	bool silent;                     /* the terminal was queried and did not reply */
	bool newly_silent;               /* and that was remembered now */
	bool waited;                     /* for a reply that did not come */
	bool keys_pending;               /* a query was not sent: keys were typed ahead */
	/* of the last query for the identity */
	bool typed_lately;
	unsigned round_trip_ms;
	/* why a query failed but for silence, else STATUS_DONE */
	struct error error;
};

struct path {
	struct given given;

	/* ---- the nearest device, with a name if it is writable by us */
	enum device_source source;
	struct tty_device device;
	char ancestor[PROCESS_NAME];     /* DEVICE_ANCESTOR: its process */
	int fd;                          /* open for writing, or negative */
	bool in_pane;                    /* hop 0 is a tmux, and our terminal is that pane */

	/* ---- why others were not used */
	char ignored_tmux[320];  /* why TMUX is not used: left over from another server; or "" */
	const char *ignored_tty; /* why VIATTY_TTY is not used, for a message; or NULL */
	int failure;             /* without a device: errno of opening /dev/tty */
	char refused[192];       /* and a terminal that was rejected, */
	bool of_another;         /* which belongs to another user */

	/* ---- evidence about the end of the path */
	struct cursor cursor;            /* the position of the walk, at last that end */
	/* the terminal that was found, or NULL; and its name from its variables or process */
	const struct terminal *found;
	const char *found_name;
	/*
	 * The one that its variables name, or NULL. If they name several, `found` is not set by
	 * them, and this is the candidate of terminal_by_environment().
	 */
	const struct terminal *by_environment;
	char environment_version[TMUX_WORD]; /* from its variables, or "" */
	char program[PROCESS_NAME];      /* its process, if searched for, or "" */
	char term[TMUX_WORD];            /* TERM, or "" */
	char peer[TMUX_WORD];            /* address of the ssh client, or "" */
	bool remote;                     /* logged in by ssh */
	bool names_display;              /* WAYLAND_DISPLAY or DISPLAY is set there */
	const struct desktop *desktop;   /* NULL: not searched for */
	struct probe probe;              /* its replies to our queries */

	struct end end;
	struct queried queried;
	size_t hops;                     /* outwards from the device */
	struct hop hop[HOPS_MAX];        /* the first `hops` are set; last, because it is large */
};

/*
 * Fills `path`; path_free() closes its device, as the end of the process does. Fails with
 * STATUS_NO_TERMINAL and the devices that were tried, or with STATUS_USAGE if --tty names a
 * pane and TMUX is not set. Queries each tmux server at most once, examines processes only if
 * the environment gives a reason, and does not query the terminal.
 */
bool path_find(struct path *path, const struct given *given, struct error *error);

/* query(), unless another program reads the terminal. */
struct replies query_terminal(const struct given *given, struct query asked);

/*
 * Finds out the first of `needs`, a set of enum need, that was not tried and may be. A
 * query may be sent on the controlling terminal, in the foreground, while this program alone reads
 * it. But for NEED_FRESH_NAME it takes `given.probe`, and an empty input unless the user asked for
 * it. A terminal that was silent is left alone. Returns false if nothing is left to try.
 */
bool path_learn(struct path *path, unsigned needs);

/* A path without device and hops. */
void path_begin(struct path *path, const struct given *given);

/* Closes the device that path_find() opened. */
void path_free(struct path *path);

/* Whether this is an ssh session without a terminal, which `ssh -t` would allocate. */
bool path_ssh_without_terminal(void);

/* The device by its real name, not /dev/tty. */
void path_device(char name[DEVICE_NAME], const struct path *path);

/* What is stored about the terminal for the login: see identity_recall(). */
enum remembered {
	REMEMBERED_COPIES = 1, /* by its settings, or those of the tmux around it */
	REMEMBERED_PASSES = 2, /* so does that tmux, by allow-passthrough */
	REMEMBERED_CLOSED = 4, /* that tmux did not */
	REMEMBERED_UNREAD = 8, /* a tmux did not get its clipboard: path_note_unread() */
	/* by identity_remember() alone */
	REMEMBERED_REPLIED = 16, /* it identified itself */
	REMEMBERED_SILENT = 32, /* it did not reply */
	REMEMBERED_TMUX = 64,   /* the record is of a tmux around the terminal */
	REMEMBERED_MAX = 127
};

/* Whether that was so, in which case a query need not wait as long for it to be otherwise. */
bool path_remembers(const struct path *path, enum remembered what);

/* Stores that the terminal is silent, if it has never replied in this login. */
void path_note_silence(struct path *path);

/* Stores REMEMBERED_UNREAD, besides what is stored already. */
void path_note_unread(const struct path *path);

/*
 * Sets `path->end` anew: the terminal given by --term or the one that was found, and what it can
 * do. Called after each change of the evidence. The version is that of its reply, or of variables
 * of the same terminal.
 */
void path_update_end(struct path *path);

/*
 * Whether the terminal is known not to support it. One that clears the clipboard when it is
 * queried counts as not supporting paste.
 */
bool path_lacks(const struct path *path, enum feature feature);

/* Whether it is known to show no notifications, in any protocol. */
bool path_lacks_notifications(const struct path *path);

/* TERM=dumb and no other evidence: the terminal shows sequences as text. */
bool path_is_dumb(const struct path *path);

/* Whether one of the hops is detached. */
bool path_is_detached(const struct path *path);

/* ==== within the layer ============================================================ */

/* A variable_getter for its environment. Borrowed until the cursor moves. */
const char *cursor_variable(const void *cursor, const char *name);

/* Moves it to a process, or NULL if that is unknown, and its terminal. */
void cursor_move(struct cursor *at, const struct process *process, const char *tty);

/* The value of TERM there, or "". Borrowed until the cursor moves. */
const char *cursor_term(const struct cursor *at);

/*
 * Walks from the cursor to the end of the path and adds the hops. Examines processes only if
 * the environment gives a reason.
 */
void hops_walk(struct path *path, struct cursor *at);

/*
 * The first step for --tty pane:%3: as if viatty had been run in that pane. Sets the
 * device and the hop in `path`. Fails with STATUS_USAGE without TMUX, and with
 * STATUS_NO_TERMINAL if the server does not reply or has no such pane.
 */
bool hops_from_pane(struct path *path, struct cursor *at, const char *tty, struct error *error);

/*
 * The same for --tty last: as if viatty had been run by the session leader of the terminal
 * that this user used last, on this machine and in this mount of devpts. Fails with
 * STATUS_NO_TERMINAL.
 */
bool hops_from_last(struct path *path, struct cursor *at, struct error *error);

/*
 * Whether the session at `at` is kept by dtach or its like. Its environment and TERM may then
 * name another terminal than the one that shows it.
 */
bool hops_outlive_terminal(const struct cursor *at);

/*
 * The process of the terminal at the cursor, and its row. It is the ancestor at which the walk
 * ends. A program without a row also counts, if it runs this terminal. NULL after a login over
 * the network. NULL also if a hop comes first, or a program that creates a pty, such as expect.
 */
const struct process *hops_terminal(struct path *path, const struct terminal **row);

/*
 * Identifies the terminal by `path->probe`. A reply to XTVERSION without a row disproves what the
 * environment says, which may be inherited. Silence disproves nothing.
 */
void path_take_reply(struct path *path);

/*
 * path_learn() for one need that takes a query of the controlling terminal. Returns false if
 * that is not possible here. A multiplexer that replies although no variable indicates one, as
 * in a container, becomes a hop.
 */
bool identify(struct path *path, enum need need);

/*
 * Identifying replies are stored for the login, because a query costs a round trip for each
 * copy over ssh, and two seconds at a terminal that never replies. They are in
 * $XDG_RUNTIME_DIR/viatty (XDG Base Directory Specification), without such a directory of ours in
 * /tmp/viatty-UID, one file for each terminal device, mode 600 in a directory of mode 700, both
 * of this user. They are valid for the same session leader and its start time. Beyond a tmux that
 * replies, they are those of its client's terminal. Of a tmux around the terminal, whose server is
 * unreachable, only what it lets through is stored. Where another terminal may have come since,
 * behind Screen and dtach, they are valid until Screen is attached again, and in dtach only
 * silence is. A file that is damaged or not ours is ignored.
 *
 * Sets `probe` or `silent` in `path`, or what is unknown of that tmux. Returns false if nothing
 * is stored.
 */
bool identity_recall(struct path *path);

/* Stores them. Returns false if that is not possible. */
bool identity_remember(const struct path *path);

/* Whether the replies of this terminal can be stored for the login. */
bool identity_is_kept(const struct path *path);

/*
 * The desktop of the terminal at the end of `path`. A desktop tool must use the display of the
 * terminal, which is read from the environment of the terminal's process, an ancestor beyond all
 * hops. Through ssh, mosh or a container there is none. Nor is there unless
 * environment_is_ours(). If the terminal is known, the process must be that terminal. With
 * ROUTE_NATIVE, the display in our environment is used if no terminal is found. Static: valid
 * until the next call.
 */
const struct desktop *desktop_find(struct path *path);

/* ---- by system: process_linux.c, process_bsd.c --------------------------------- */

/* Part of path_find(): discards what process_find() has read since process_keep(). */
void process_forget(void);

/* Keeps what it has read until now: processes that may be hidden from the user we become. */
void process_keep(void);

/* Both return false for a process that is gone or hidden. */
bool process_read(struct process *process, pid_t pid);
bool process_read_ids(struct process_ids *ids, pid_t pid);

/*
 * Whether `name` is the terminal of that number on which the process runs. SUPPORT_UNKNOWN for a
 * process that is hidden, or has not opened its terminal.
 */
enum support process_has_device(pid_t pid, const char *name);

/* Whether it holds the master of this terminal, of the same mount of devpts if both see one. */
bool process_runs_device(pid_t pid, const char *name);

/*
 * Why the process may see other files than we do, or NULL. It may have another root directory, or
 * other user, process and network namespaces. The system hides those of another user's process, and
 * of one that changed its user or group. FreeBSD reports only a jail, so that is never certain.
 */
const char *process_elsewhere(pid_t pid);

enum process_strings { PROCESS_WORDS, PROCESS_VARIABLES };

/* Limit for the environment and the command line of one process, in bytes. */
enum { PROCESS_STRINGS_MAX = 4 << 20 };

/*
 * Appends its arguments or its environment to `out`, each string with its NUL. Returns
 * false, with `out` empty, for a process that is gone or hidden or has more than that. The same
 * for a kernel thread, which has no arguments.
 */
bool process_strings(struct buf *out, pid_t pid, enum process_strings which);

#endif
