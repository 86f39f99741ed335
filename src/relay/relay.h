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
 *   copies.c   plans and delivers copies, as `viatty copy` does, and notifications likewise
 *   picture.c  sends the picture on the clipboard to the host of an ssh
 *
 * The keeper leads the session of the command's terminal, as sudo's monitor does (sudo,
 * src/exec_monitor.c). With a parent in its session, Linux stops the command by the keys and by
 * SIGTSTP: POSIX discards that for an orphaned group (XSH 2.4.3). And when the session leader
 * ends, the kernel sends SIGHUP to the foreground group, which has the helpers of the command. So
 * the keeper first takes the foreground itself.
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

/* What the command can make us keep, run or show. SECURITY.md names them, and tests reach them. */
enum {
	/* bytes of text of a copy, and of a notification. A longer one passes unchanged */
	RELAY_COPY_MAX = 64 << 20,
	RELAY_SHOWN_MAX = 4096,
	/* bytes of the last copy, for its reads */
	RELAY_KEPT_MAX = 1 << 20,
	/* of a sequence that may switch something on, and of the last line on the other screen */
	RELAY_HELD_MAX = 256,
	RELAY_LINE_MAX = 512,
	/* keys that it has not read; above that, we stop reading our terminal */
	RELAY_KEYS_MAX = 2 << 20,
	/*
	 * Bytes of our answers since the last key, to reads and to other queries. A command that
	 * asks without end, and reads nothing, would fill its terminal, or the window of ssh
	 * (2 MB). Then Ctrl-C and ~. could not arrive.
	 */
	RELAY_READS_MAX = 3 << 19,
	RELAY_ANSWERS_MAX = 2 * 1024,
	/* at most so many copies wait: see copies_add() */
	COPIES_WAITING = 4,
	/* between two processes for copies, and for notifications */
	COPIES_PACE_MS = 250,
	SHOWN_PACE_MS = 1000,
	/*
	 * Bytes of a picture. For how long keys wait until it is known whether there is one: half
	 * of that for the tool's answer, half for its end. For how long it may be sent.
	 */
	RELAY_PICTURE_MAX = 16 << 20,
	RELAY_FIND_MS = 1000,
	RELAY_PICTURE_S = 60
};

/* ---- copies and notifications in a stream (stream.c) --------------------------  */

/*
 * Takes complete writes of OSC 52 and notifications out of the output of a program, as a terminal
 * would that supports them, and notes queries for that support. Everything else passes
 * unchanged, in order.
 *
 *   ESC ] 5 2 ; <letters> ; <base64> ST     or BEL; without letters: the clipboard
 *   ESC ] 9 ; <text> ST                     not with one or two digits and a semicolon
 *   ESC ] 7 7 7 ; notify ; <text> ST
 *   ESC ] 9 9 ; <text> ST
 *
 * also in any layers (encoder.h), of which Screen's strings may divide it anywhere, but none is
 * empty. A copy is valid if base64_decode() takes it, its letters are in CLIPBOARD_SELECTIONS,
 * and nothing else is in the strings around it. Bytes are held only as long as they may become
 * a copy or a query, so that what has no end passes with its first other byte; then an ESC just
 * before that byte may begin another one. C1 bytes are text. Linear time.
 */

enum stream_event {
	STREAM_PASSES,       /* all bytes were processed */
	STREAM_COPY,         /* a copy, which was taken out */
	STREAM_NOTIFIES,     /* a notification, which was taken out, or a query of OSC 99 */
	/* queries, which passed on, also in layers */
	STREAM_ASKS_DA1,     /* ESC [ c, ESC [ 0 c */
	STREAM_ASKS_VERSION, /* ESC [ > q, ESC [ > 0 q */
	/* XTGETTCAP for Ms: ESC P + q 4 D 7 3 ST; taken out, with `answers` only */
	STREAM_ASKS_COPY,
	/* ESC ] 5 2 ; <letters> ; ? ST; taken out, with `answers_reads`, outside of layers */
	STREAM_READS
};

struct stream_layer {
	enum layer layer;
	enum { STRING_OPEN, STRING_ESCAPE, STRING_CLOSED } state;
	unsigned char opened; /* bytes of the beginning of the next string */
	bool empty;           /* no byte of that one so far */
};

struct relay_stream {
	/* takes copies, which are events, because the terminal itself would lose them */
	bool takes;
	/* the same of notifications, which a desktop tool shows */
	bool notifies;
	/* answers queries for OSC 52: copies are known to arrive */
	bool answers;
	/*
	 * And reads of the clipboard, where the terminal is known never to answer. The answer is
	 * what was copied last on the same screen, and nothing of this desktop or another host.
	 */
	bool answers_reads;
	/* of a STREAM_COPY or STREAM_NOTIFIES, until the next call */
	struct buf held; /* the text: the caller may take it, and leave an empty buf */
	enum notification_protocol protocol;
	char selections[sizeof(CLIPBOARD_SELECTIONS)]; /* at least one; also of a STREAM_READS */
	/* for stream.c */
	size_t max;
	bool taken;      /* `held` is a text */
	struct stream_layer layer[CHAIN_MAX]; /* the outermost first */
	size_t layers;
	enum { COPY_START, COPY_HEAD, COPY_LETTERS, COPY_TEXT, COPY_ESCAPE, COPY_END } state;
	unsigned char head, matched, letters;
	enum stream_event event;
	size_t text;     /* where the base64 begins, or the text of a notification */
	size_t size, padding, digits; /* its characters, `=`, and digits */
};

/* A copy of more than `max` bytes of text passes. */
void relay_stream_begin(struct relay_stream *s, size_t max);

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

/* A notification, of which OSC 99 sends pieces; a body without a title is one. Starts zeroed. */
struct relay_shown {
	struct buf title, body; /* each of at most RELAY_SHOWN_MAX bytes; owned */
	bool low;               /* its urgency */
	char id[RELAY_ID_MAX];  /* also of a query; "": none */
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
 * The replies of a terminal to a program whose copies are taken out of its output, so that the
 * program finds out that it may copy:
 *
 *   ESC [ ? <numbers> ; 5 2 c    DA1, with the 52 of terminals that support OSC 52 (foot,
 *                                kitty, Windows Terminal); read by vim 9.2 ($VIMRUNTIME/pack/
 *                                dist/opt/osc52), neovim 0.12 (plugin/osc52.lua) and tmux 3.6
 *   ESC P > | <name> viatty-relay ST    XTVERSION, which a tmux there keeps: tmux(1) shows it as
 *                                client_termtype; viatty-notify behind that: notifications
 *
 * Changed only while such a query is unanswered; other bytes pass unchanged. Also finds
 * the key for a picture, outside of a paste with marks.
 */
enum { RELAY_REPLY_MAX = 128 };

/* Starts zeroed. */
struct relay_replies {
	/* unanswered queries: the caller adds them, and forgets those that remain unanswered */
	unsigned da1, version;
	size_t size; /* bytes that are held; not for long, since ESC is also a key */
	const char *name; /* what is added to XTVERSION: set by the caller */
	bool finds_key;   /* set by the caller */
	bool pressed;     /* it is in `held`: for the caller to release, and to unset this */
	bool pastes;      /* within a paste */
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
	unsigned rows;    /* of the terminal: set by the caller */
	/* how often the screen has changed: to or from the other one, or by RIS */
	unsigned screens;
	/* for modes.c */
	unsigned long long on;
	unsigned pushes[2]; /* onto the keyboard's stack: of the main screen, of the other */
	struct parser parser;
	unsigned char held[RELAY_HELD_MAX + 1]; /* of the current sequence, without its ESC */
	size_t size;
	unsigned char line[RELAY_LINE_MAX]; /* text behind that, on the other screen */
	size_t line_n;
};

/* Whether a paste gets marks around it. */
bool relay_modes_marks_pastes(const struct relay_modes *m);

/* Notes what passes to the terminal. */
void relay_modes_see(struct relay_modes *m, const unsigned char *bytes, size_t n);

/*
 * At the end, appends what switches off the modes that are on. If that leaves the other screen,
 * also the last line of that, where ssh has said why it ended.
 */
void relay_modes_reset(const struct relay_modes *m, struct buf *out);

/* ---- copies, notifications and pictures (copies.c) ------------------------------ */

enum { RELAY_WAY = 256 };

/* The report of a child: how, or the reason. Less than PIPE_BUF bytes. */
struct outcome {
	bool delivered;
	char way[RELAY_WAY];
	struct error failure;
};

/* Or a notification: its title and then its body, without selections. */
struct copy {
	struct buf text; /* owned */
	char selections[sizeof(CLIPBOARD_SELECTIONS)];
	size_t title;    /* bytes */
	bool low;        /* its urgency */
};

/* All copies of the command or, in others of these, all its notifications, and all pictures. */
struct copies {
	/*
	 * Set by the caller: the path and the route of a copy of one byte or a notification, and
	 * the request for it. Without a route, which is NULL, `failure` says why.
	 */
	struct path *path;
	const struct route *route;
	struct request request;
	int pace_ms;
	const char *application; /* that the notifications are from */
	const char *socket;      /* ControlPath, of pictures */
	/* the result */
	unsigned delivered, failed;
	size_t last;           /* bytes of the last one that was delivered */
	char way[RELAY_WAY];   /* its route: "native with xclip"; of a picture, its path there */
	struct error failure;  /* of the first one that failed */
	/* for copies.c */
	struct copy waiting[COPIES_WAITING];
	size_t waits;
	pid_t child;           /* 0: none */
	long long started;     /* when the last one was */
	size_t size;           /* bytes of its copy */
	int fd;                /* a pipe from it; -1: none */
	int master;            /* which it must not keep open */
};

/*
 * Takes ownership of a copy or notification. It fails if there is no route. If its route ends at
 * our own terminal, appends the sequences to `out`; otherwise a child delivers it, one child at a
 * time. A newer copy replaces a waiting one with the same selections or, if too many wait, the
 * oldest.
 */
void copies_add(struct copies *c, struct copy *copy, struct buf *out);

/* Counts one that failed. */
void copies_fail(struct copies *c, const struct error *failure);

/* Milliseconds until the next may start, or -1: none waits, or for a child. */
int copies_patience(const struct copies *c);

/* Starts the next, if it may. */
void copies_start(struct copies *c);

/* When `fd` is readable: collects the child. */
void copies_collect(struct copies *c);

/* Waits for all of them, until a signal is recorded in signals_caught. */
void copies_finish(struct copies *c);

/* ---- a picture (picture.c) ------------------------------------------------------ */

/*
 * A new path where ssh can make the socket of a connection to share, in a folder of its own, which
 * is removed at exit. NULL with a warning.
 */
const char *picture_socket(void);

/*
 * Appends a command, with its NUL, that has sh run a script of src/setup on the host. It is one
 * line, because csh takes no newline in quotes: a space replaces each newline behind the comments.
 */
void host_command(struct buf *out, const char *snippet, const char *arguments);

/*
 * Whether the clipboard has a picture and no text: then the request is for that. A failure is
 * counted.
 */
bool picture_find(struct copies *c);

/*
 * In a child, which this ends after RELAY_PICTURE_S: reads the picture and sends it. `way` becomes
 * its path there.
 */
bool picture_send(const struct copies *c, const struct route *route, struct outcome *outcome);

/* ---- the pty (pty.c) -------------------------------------------------------- */

struct pty {
	int tty;      /* our terminal, non-blocking */
	int master;   /* of that of the command, non-blocking */
	int reports;  /* a pipe from the keeper */
	pid_t keeper; /* SIGCONT continues the command after a PTY_STOPPED, in the foreground */
};

/* Whether it is our terminal, under any name. */
bool pty_is_terminal(int fd, int tty);

/* A pipe that no program which we run keeps open. */
bool relay_pipe(int ends[2]);

/* Messages from the keeper. End of file without one: it was killed. */
struct pty_report {
	enum { PTY_NOT_RUN, PTY_STOPPED, PTY_ENDED } what;
	int value; /* an errno value; a signal; a status of waitpid() */
};

/*
 * Starts the command, with the modes and the size of our terminal `tty`, which becomes raw. Its
 * standard streams that are our terminal become the new one; the others stay. To be called with
 * all signals blocked; the command starts with those of `mask`. Fails with STATUS_FAILED.
 */
bool pty_start(struct pty *pty, int tty, char *const *command, const sigset_t *mask,
    struct error *error);

/*
 * Closes the terminal of the command, by which the kernel sends SIGHUP to it if it runs, and
 * waits for the keeper.
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

/* What is taken out of the stream, and delivered by a child of each kind at a time. */
enum { RELAY_COPIES, RELAY_SHOWN, RELAY_PICTURES, RELAY_KINDS };

struct relay {
	char *const *command; /* NULL-terminated; searched for in PATH */
	struct relay_stream stream; /* begun, with what it takes */
	struct copies sent[RELAY_KINDS];
};

/*
 * Whether a relay is possible: standard output is our controlling terminal, and we are in its
 * foreground. Returns a descriptor for pty_start(), or -1.
 */
int relay_terminal(void);

/*
 * Runs the command until its end and returns its exit status, 128 + n for signal n. If a signal
 * ended us or it, which we should die of, that is in signals_caught. Fails with the status of
 * job_cannot_run() or STATUS_FAILED if it was not started.
 *
 * The terminal is raw meanwhile, and has its modes again at the end and while the command is
 * stopped: when it stops, so does our group, as a shell expects of a job.
 */
bool relay_run(struct relay *relay, int tty, int *status, struct error *error);

#endif
