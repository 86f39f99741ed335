/* SPDX-License-Identifier: MIT */
/*
 * Relay layer: runs a command on a terminal of its own, passes every byte between that and our
 * terminal, and delivers its copies.
 *
 *     shell > relay > keeper > command
 *     our terminal    a pty of the relay
 *
 *   relay.c    the loop: output, keys, the size of the window, stopping, the end
 *   pty.c      the pty and the keeper
 *   stream.c   finds copies, notifications and queries in the output. Pure
 *   shown.c    reads a notification. Pure
 *   replies.c  adds to the replies to these queries, and finds the key for a picture. Pure
 *   modes.c    notes what the command leaves switched on. Pure
 *   copies.c   plans and delivers copies, as `viatty copy` does, and notifications the same way
 *   picture.c  sends the picture on the clipboard to the host of an ssh
 *
 * The keeper leads the session of the command's terminal, as sudo's monitor does (sudo,
 * src/exec_monitor.c). So the command has a parent in its session, and Ctrl-Z and SIGTSTP stop it:
 * POSIX discards these for an orphaned group (XSH 2.4.3).
 *
 * When a session leader ends, the kernel sends SIGHUP to the foreground group. That has helpers of
 * the command, such as the ProxyCommand of a connection that stays. So the keeper takes the
 * foreground itself before it ends.
 */
#ifndef RELAY_RELAY_H
#define RELAY_RELAY_H

#include "base/base.h"
#include "detect/path.h"
#include "encoder/encoder.h"
#include "route/route.h"

#include <stdbool.h>
#include <stddef.h>
#include <signal.h>
#include <sys/types.h>

/* ---- limits ------------------------------------------------------------------- */

/*
 * Limits of what the command can make us keep, run or show. SECURITY.md lists them, and tests reach
 * them. Sizes are in bytes.
 */
enum {
	/* The text of a copy, and of a notification. A longer one passes unchanged. */
	RELAY_COPY_MAX = 64 << 20,
	RELAY_SHOWN_MAX = 4096,
	/* The last copy, which is kept for reads of the command. */
	RELAY_KEPT_MAX = 1 << 20,
	/* A sequence that may switch something on, and the last line on the other screen. */
	RELAY_HELD_MAX = 256,
	RELAY_LINE_MAX = 510,
	/* Keys that the command has not read. With more, we stop reading our terminal. */
	RELAY_KEYS_MAX = 2 << 20,
	/*
	 * Our answers since the last key: to reads, and to other queries. A command may ask
	 * forever and read nothing. The answers would fill its terminal, or the window of ssh
	 * (2 MB), and keep Ctrl-C and ~. from it.
	 */
	RELAY_READS_MAX = 3 << 19,
	RELAY_ANSWERS_MAX = 2 * 1024,
	/* Copies that wait: see copies_add(). */
	COPIES_WAITING = 4,
	/* Between the starts of two processes for copies, and for notifications. */
	COPIES_PACE_MS = 250,
	SHOWN_PACE_MS = 1000,
	/* A picture, and the time in which it has to be sent. */
	RELAY_PICTURE_MAX = 16 << 20,
	RELAY_PICTURE_S = 60,
	/*
	 * Keys wait so long for the news whether there is a picture. One half is for the answer of
	 * the tool, the other for its end.
	 */
	RELAY_FIND_MS = 1000
};

/* ---- copies and notifications in a stream (stream.c) --------------------------  */

/*
 * Takes complete writes of OSC 52 and notifications out of the output of a program, and notes
 * queries for the support of these. Everything else passes unchanged, in order.
 *
 *   ESC ] 5 2 ; <letters> ; <base64> ST     or BEL; without letters: the clipboard
 *   ESC ] 9 ; <text> ST                     not with one or two digits and a semicolon
 *   ESC ] 7 7 7 ; notify ; <text> ST
 *   ESC ] 9 9 ; <text> ST
 *
 * Any layers may be around these (encoder.h). Strings of Screen may divide one anywhere, but no
 * string is empty. A copy is valid if base64_decode() takes it, its letters are in
 * CLIPBOARD_SELECTIONS, and nothing else is in the strings around it.
 *
 * Bytes are held only as long as they may become a copy, a notification or a query. With the first
 * byte that does not fit, all of them pass. An ESC just before that byte may begin another one.
 * C1 bytes are text. Linear time.
 */

enum stream_event {
	STREAM_PASSES,       /* all bytes were processed */
	STREAM_COPY,         /* a copy was taken out */
	STREAM_NOTIFIES,     /* a notification or a query of OSC 99 was taken out */
	/* Queries that passed, perhaps in layers. */
	STREAM_ASKS_DA1,     /* ESC [ c, ESC [ 0 c */
	STREAM_ASKS_VERSION, /* ESC [ > q, ESC [ > 0 q */
	/*
	 * Queries without layers that were taken out.
	 *
	 *   ESC P + q 4 D 7 3 ST            XTGETTCAP for Ms, with `answers`
	 *   ESC ] 5 2 ; <letters> ; ? ST    with `answers_reads`
	 */
	STREAM_ASKS_COPY,
	STREAM_READS
};

struct stream_layer {
	enum layer layer;
	enum { STRING_OPEN, STRING_ESCAPE, STRING_CLOSED } state;
	unsigned char opened; /* so many bytes of the beginning of the next string have come */
	bool empty;           /* the current string has no byte behind its beginning so far */
};

/* Starts zeroed, but for an empty `held` and `max`. */
struct relay_stream {
	size_t max; /* a copy with more bytes of text passes */
	/* Copies are taken out, because the terminal itself would lose them. */
	bool takes;
	/* Notifications are taken out, because only a desktop tool would show them. */
	bool notifies;
	/* Queries for OSC 52 are answered, because copies are known to arrive. */
	bool answers;
	/*
	 * Reads of the clipboard are answered, because the terminal is known not to. The answer is
	 * what was copied last on the same screen. It never comes from the desktop or another host.
	 */
	bool answers_reads;
	/*
	 * Until the next call, the text of a STREAM_COPY or STREAM_NOTIFIES. The caller may take
	 * it and leave an empty buf.
	 */
	struct buf held;
	enum notification_protocol protocol; /* of a STREAM_NOTIFIES */
	/* At least one letter, of a STREAM_COPY or STREAM_READS. */
	char selections[sizeof(CLIPBOARD_SELECTIONS)];
	/* for stream.c */
	struct stream_layer layer[CHAIN_MAX]; /* the outermost first */
	size_t layers;
	enum { COPY_START, COPY_HEAD, COPY_LETTERS, COPY_TEXT, COPY_ESCAPE, COPY_END } state;
	unsigned char head, matched, letters;
	enum stream_event event;
	size_t text;     /* where the base64 begins in `held`, or the text of a notification */
	size_t size, padding, digits; /* of that: its other characters, its `=`, its digits */
};

/*
 * Processes `*n` bytes up to the next event, appends what passes to `out`, and advances `*bytes`
 * and `*n` to the rest.
 */
enum stream_event relay_stream_feed(struct relay_stream *s, const unsigned char **bytes,
    size_t *n, struct buf *out);

/* The end of the output: appends what is held, and frees it. */
void relay_stream_end(struct relay_stream *s, struct buf *out);

/* ---- notifications (shown.c) --------------------------------------------------- */

enum { RELAY_ID_MAX = 64 };

/* A notification. OSC 99 sends it in pieces. A body without a title becomes one. Starts zeroed. */
struct relay_shown {
	struct buf title, body; /* at most RELAY_SHOWN_MAX bytes each, owned */
	bool low;               /* its urgency */
	char id[RELAY_ID_MAX];  /* of the notification or the query, or "" */
};

enum relay_piece {
	RELAY_PART, /* more follows, or there is nothing to show */
	RELAY_WHOLE,
	RELAY_QUERY /* for what is supported */
};

/* Adds the text of a STREAM_NOTIFIES. A piece with another id begins another notification. */
enum relay_piece relay_shown_add(struct relay_shown *shown, enum notification_protocol protocol,
    const struct buf *text);

/* ---- replies that announce a relay (replies.c) ------------------------------- */

/*
 * Adds to two replies of the terminal. By these the program finds out that it may copy:
 *
 *   ESC [ ? <numbers> ; 5 2 c    DA1, with the 52 of terminals that support OSC 52 (foot,
 *                                kitty, Windows Terminal); read by vim 9.2 ($VIMRUNTIME/pack/
 *                                dist/opt/osc52), neovim 0.12 (plugin/osc52.lua) and tmux 3.6
 *   ESC P > | <name> viatty-relay ST    XTVERSION, which a tmux there keeps: tmux(1) shows it as
 *                                client_termtype; viatty-notify behind that: notifications
 *
 * A reply is changed only while such a query is unanswered. Other bytes pass unchanged. Also finds
 * the key for a picture, outside of a paste with marks.
 */
enum { RELAY_REPLY_MAX = 128 };

/* Starts zeroed. */
struct relay_replies {
	/* Unanswered queries. The caller counts them, and forgets those that get no reply. */
	unsigned da1, version;
	/* Bytes that are held. The caller releases them soon, because ESC is also a key. */
	size_t size;
	const char *name; /* added to XTVERSION; set by the caller */
	bool finds_key;   /* set by the caller */
	bool pressed;     /* `held` is the key; the caller releases it, and unsets this */
	bool pastes;      /* a paste with marks has begun and not ended */
	/* for replies.c */
	unsigned char held[RELAY_REPLY_MAX];
};

/*
 * Processes `n` bytes from the terminal and appends what the program gets to `out`. Returns how
 * many were processed: up to the key, with `pressed` set, or all.
 */
size_t relay_replies_feed(struct relay_replies *r, const void *bytes, size_t n, struct buf *out);

/* Appends what is held. */
void relay_replies_release(struct relay_replies *r, struct buf *out);

/* ---- the modes of the terminal (modes.c) -------------------------------------- */

/*
 * What the output of a command has switched on and not off again: a bit for each row of
 * modes.def, and what the keyboard needs. There is no model of the screen. Starts zeroed.
 */
struct relay_modes {
	unsigned rows;    /* of the terminal; set by the caller */
	/* So often the screen has changed: to or from the other one, or by RIS. */
	unsigned screens;
	/* for modes.c */
	unsigned long long on;
	unsigned pushes[2]; /* onto the stack of the keyboard: on the main screen, on the other */
	struct parser parser;
	unsigned char held[RELAY_HELD_MAX + 1]; /* of the current sequence, without its ESC */
	size_t size;
	unsigned char line[RELAY_LINE_MAX + 1]; /* of the text behind that, on the other screen */
	size_t line_n;          /* RELAY_LINE_MAX + 1 if it is longer */
	bool line_ended, line_echoes;
};

/* Whether a paste gets marks around it. */
bool relay_modes_marks_pastes(const struct relay_modes *m);

/* Notes what passes to the terminal. */
void relay_modes_see(struct relay_modes *m, const unsigned char *bytes, size_t n);

/*
 * Appends what switches off the modes that are on at the end. If that leaves the other screen, it
 * also appends the last line of that screen, because ssh writes there why it ends.
 */
void relay_modes_reset(const struct relay_modes *m, struct buf *out);

/* ---- copies, notifications and pictures (copies.c) ------------------------------ */

enum { RELAY_WAY = 256 };

/* The report of a child: by which way it delivered, or why not. Less than PIPE_BUF bytes. */
struct outcome {
	bool delivered;
	char way[RELAY_WAY];
	struct error failure;
};

/* A copy, or a notification: that has its title and then its body as text, and no selections. */
struct copy {
	struct buf text; /* owned */
	char selections[sizeof(CLIPBOARD_SELECTIONS)];
	size_t title;    /* the size of the title */
	bool low;        /* the urgency of the notification */
};

/* All copies of the command, all its notifications, or all pictures. */
struct copies {
	/*
	 * Set by the caller: the path, and the request for a copy of one byte, a notification or a
	 * picture. `route` is NULL if there is none; `failure` then says why.
	 */
	struct path *path;
	const struct route *route;
	struct request request;
	int pace_ms;
	const char *application; /* the sender of the notifications */
	const char *socket;      /* for pictures: the ControlPath of their connection */
	/* the result */
	unsigned delivered, failed;
	size_t last;           /* the size of the last one that was delivered */
	char way[RELAY_WAY];   /* its route, as "native with xclip", or the picture's path there */
	struct error failure;  /* of the first one that failed */
	/* for copies.c */
	struct copy waiting[COPIES_WAITING];
	size_t waits;
	pid_t child;           /* the child that runs, or 0 */
	long long started;     /* when the last child was */
	size_t size;           /* of its copy */
	int fd;                /* a pipe from the child, or -1 */
	int master;            /* the child must not keep it open */
};

/*
 * Takes ownership of a copy or notification. It fails if there is no route. If its route ends at
 * our own terminal, appends the sequences to `out`; otherwise a child delivers it, one child at a
 * time. A newer copy replaces a waiting one with the same selections or, if too many wait, the
 * oldest.
 */
void copies_add(struct copies *c, struct copy *copy, struct buf *out);

/* Counts a failure. */
void copies_fail(struct copies *c, const struct error *failure);

/* Milliseconds until the next one may start; -1 if none waits, or a child runs. */
int copies_patience(const struct copies *c);

/* Starts a child for the copy that has waited longest, if it may start. */
void copies_start(struct copies *c);

/* When `fd` is readable: collects the child. */
void copies_collect(struct copies *c);

/* Delivers all that wait, and waits for the last child. A signal in signal_caught ends this. */
void copies_finish(struct copies *c);

/* ---- a picture (picture.c) ------------------------------------------------------ */

/*
 * Returns a new path where ssh can make the socket of a connection to share. Its folder is removed
 * at exit. If there is none, warns and returns NULL.
 */
const char *picture_socket(void);

/*
 * Appends a command, with its NUL, that has sh run a script of src/setup on the host. It is one
 * line, because csh takes no newline in quotes: a space replaces each newline behind the comments.
 */
void host_command(struct buf *out, const char *snippet, const char *arguments);

/*
 * Whether the clipboard has a picture and no text. If so, the request gets the type of the picture.
 * If the tool fails, this is counted.
 */
bool picture_find(struct copies *c);

/*
 * Reads the picture and sends it; `way` becomes its path there. To be called in a child, because it
 * is killed after RELAY_PICTURE_S.
 */
bool picture_send(const struct copies *c, const struct route *route, struct outcome *outcome);

/* ---- the pty (pty.c) -------------------------------------------------------- */

struct pty {
	int tty;      /* our terminal, non-blocking */
	int master;   /* of the command's terminal, non-blocking */
	int reports;  /* a pipe from the keeper */
	pid_t keeper; /* after a PTY_STOPPED, SIGCONT to it continues the command */
};

/* Whether it is our terminal, under any name. */
bool pty_is_terminal(int fd, int tty);

/* A pipe that no program which we run keeps open. */
bool relay_pipe(int ends[2]);

/* A message from the keeper. If the pipe ends without one, the keeper was killed. */
struct pty_report {
	enum { PTY_NOT_RUN, PTY_STOPPED, PTY_ENDED } what;
	int value; /* an errno value, a signal, or a status of waitpid() */
};

/*
 * Starts the command on a terminal with the modes and the size of ours, `tty`, which becomes raw.
 * Those standard streams of the command that are our terminal become the new one. To be called with
 * all signals blocked; the command gets `mask`. Fails with STATUS_FAILED.
 */
bool pty_start(struct pty *pty, int tty, char *const *command, const sigset_t *mask,
    struct error *error);

/*
 * Closes the terminal of the command and waits for the keeper. The kernel sends SIGHUP to a
 * command that still runs.
 */
void pty_end(struct pty *pty);

/* ---- bytes to be written (relay.c) -------------------------------------------- */

struct pending {
	struct buf bytes;
	size_t from; /* those before it are written */
};

size_t pending_left(const struct pending *p);

/* Writes as much as fits at once. Returns false if the other end is gone. */
bool pending_write(int fd, struct pending *p);

/* ---- the relay (relay.c) ----------------------------------------------------- */

/* What is delivered by children. Of each kind, one child runs at a time. */
enum { RELAY_COPIES, RELAY_SHOWN, RELAY_PICTURES, RELAY_KINDS };

struct relay {
	char *const *command; /* NULL-terminated; searched for in PATH */
	struct relay_stream stream; /* with what it takes */
	struct copies sent[RELAY_KINDS];
};

/*
 * A relay is possible if standard output is our controlling terminal and we are in its foreground.
 * Then this returns a descriptor for pty_start(), else -1.
 */
int relay_terminal(void);

/*
 * Runs the command until its end, and stores its exit status, 128 + n for signal n. A signal that
 * the caller should die of is then in signal_caught. Fails with the status of job_cannot_run() or
 * STATUS_FAILED if the command was not started.
 *
 * Meanwhile the terminal is raw. When the command stops, so does our group, as a shell expects of a
 * job. The terminal has its modes again while it is stopped, and at the end.
 */
bool relay_run(struct relay *relay, int tty, int *status, struct error *error);

#endif
