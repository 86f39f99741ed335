/* SPDX-License-Identifier: MIT */
/*
 * Tty layer: opens a terminal device, writes to it, queries it, and runs a job in its foreground.
 *
 *   device.c          finds and opens the device, and knows when it was last read
 *   signals.c         records signals while a terminal is in use
 *   tty.c             changes the modes, locks, and writes. Only this file includes <termios.h>
 *   reply.c           finds replies in the input. Only this file includes <termkey.h>
 *   query.c           sends a query, and collects the replies
 *   pasted.c          reads what the user pastes by the terminal's own key
 *   foreground_job.c  runs a command as a shell does
 */
#ifndef TTY_TTY_H
#define TTY_TTY_H

#include "base/base.h"
#include "encoder/encoder.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* ---- devices (device.c) ------------------------------------------------- */

/*
 * Names come from the user, from a process or from a tmux server and are untrusted. Only a
 * device with the name and number of a terminal and the right owner is opened. No file is
 * opened to find out its type: that could wake the reader of a FIFO, rewind a tape or start
 * a watchdog.
 */

enum { DEVICE_NAME = 64 }; /* bytes, including the NUL */

struct tty_device {
	char name[DEVICE_NAME];
	/* must belong to us; false for /dev/tty, and if named by the user */
	bool owned;
};

/*
 * Stores the terminal of this name, which a tmux server or an ancestor reports. It must belong to
 * us, because root and the group tty may write to the terminals of all users. Returns NULL, or why
 * device_open() would refuse it; `device` is then unchanged. Opens nothing.
 */
const char *device_announced(struct tty_device *device, const char *name);

/*
 * Stores the device that the user named, of any owner. Follows symbolic links, because /dev/stdout
 * may lead to a terminal. Returns NULL, or the reason (borrowed until the next strerror()): there
 * is no such file, or its name is too long for a terminal.
 */
const char *device_named(struct tty_device *device, const char *path);

/*
 * Opens the device with this access (O_RDONLY, O_WRONLY, O_RDWR), blocking. It does not become our
 * controlling terminal. The flags of the new open file description are its own: tmux sets
 * O_NONBLOCK only on that of its client. Checks the open device again, because another terminal
 * may have got the name. Returns a close-on-exec descriptor or a negative errno value: -ENOTTY for
 * another device, -EPERM for that of another user.
 */
int device_open(const struct tty_device *device, int access);

/* Why device_open() failed, for a message; borrowed until the next strerror(). */
const char *device_problem(int failure);

/*
 * The name in /dev of the device with this number, as in st_rdev. Returns false, with "", if it
 * is not a terminal, or if /dev has another device with that name.
 */
bool device_of_number(char name[DEVICE_NAME], dev_t number);

/* The name in /dev of the terminal open as `fd`, even for /dev/tty. */
bool device_name(char name[DEVICE_NAME], int fd);

/* The name of our controlling terminal. Returns false if we have none, or if /dev lacks it. */
bool device_controlling(char name[DEVICE_NAME]);

/*
 * When a program last read the terminal of this name, in Unix seconds; 0 if unknown. As in w(1),
 * this is the access time. Linux updates it once in eight seconds (tty_update_time() in tty_io.c).
 * Before 6.6, a read through /dev/tty updates the time of /dev/tty instead.
 */
time_t device_read_time(const char *name);

/*
 * When a key was last read from our controlling terminal. Before Linux 6.6, a key that any program
 * reads through /dev/tty counts too, as pagers do.
 */
time_t device_key_time(void);

/* Sets the time of the last read back to `last`, if the device is ours. */
void device_set_read_time(const char *name, time_t last);

/* ---- signals (signals.c) ------------------------------------------------ */

/*
 * While a terminal is in use, a signal is recorded before it ends the process. So viatty first
 * closes its sequence and restores the modes.
 */

/*
 * Until signals_end(), a signal that is sent to end a process (SIGINT, SIGTERM ...) is recorded in
 * signal_caught and interrupts blocking system calls. An ignored signal stays ignored. SIGTTOU and
 * SIGTSTP are blocked. Calls nest.
 *
 * The handlers stay. After signals_end() they do what the default action would. If a signal
 * already has another handler, that handler stays, and calls signals_note().
 */
void signals_begin(void);

/* Records a signal. Returns false if no terminal is in use: the handler then acts itself. */
bool signals_note(int number);

/*
 * SIGALRM interrupts system calls after this time, and then at least every second, until the next
 * signals_end(). Called at most once before that.
 */
void signals_tick(unsigned tick_ms);

/* Whether SIGTSTP is pending. */
bool signals_stop_wanted(void);

/* Undoes the matching signals_begin(). */
void signals_end(void);

/* ---- modes and the lock (tty.c) ----------------------------------------- */

/*
 * Temporary changes to the modes of one terminal at a time.
 */

enum tty_mode {
	TTY_SILENT, /* no echo, which would appear in the middle of a sequence */
	TTY_RAW,    /* canonical mode and echo are off; Ctrl-C still interrupts */
	TTY_KEYS    /* every byte is read as it comes, also Ctrl-C and CR */
};

/*
 * Whether this process may change the modes of `fd`: it is our controlling terminal, and we
 * are in its foreground.
 */
bool tty_foreground(int fd);

/* Whether the terminal is in canonical mode. False also on failure. */
bool tty_canonical(int fd);

/*
 * Whether a program reads each key, also Ctrl-C, as editors and multiplexers do but no line
 * editor of a shell. True also on failure.
 */
bool tty_is_raw(int fd);

/* The total time to wait for other viatty processes. */
enum { TTY_LOCK_MS = 2000 };

/*
 * Locks the terminal against other viatty processes, which might take our temporary modes for the
 * user's. Waits at most TTY_LOCK_MS, or until a signal is recorded (signals_begin()). Returns
 * false if another process still has the lock. A device that cannot be locked counts as locked.
 * The lock ends with tty_unlock(), with the process, or when it closes any other descriptor of the
 * same file (POSIX, fcntl).
 */
bool tty_lock(int fd);

/*
 * Changes the modes; the caller has the lock. Returns 0 or an errno value, with the modes as they
 * were: EIO in the background, or that of tcgetattr() or tcsetattr().
 */
int tty_change_modes(int fd, enum tty_mode modes);

/* Undoes only the changes of tty_change_modes(), and keeps the lock. */
void tty_restore_modes(void);

/* The same, and releases the lock, if it is held. */
void tty_unlock(void);

/*
 * With TTY_KEYS, the terminal sends no signals. The first function sends our process group the one
 * that `key` had before (VINTR, VQUIT, VSUSP), or returns false. The second tells whether the key
 * was VEOF.
 */
bool tty_key_acts(unsigned char key);
bool tty_key_ends(unsigned char key);

/*
 * Sets the modes of cfmakeraw(), so that a program on a pty of ours gets all keys. Returns false in
 * the background, or if `fd` is no terminal. A second call changes nothing. At the latest at the
 * exit of this process, but not of a child, tty_raw_end() restores the former modes.
 */
bool tty_raw_begin(int fd);
void tty_raw_end(void);

/*
 * For a child whose parent was killed before it could restore the modes: restores them, if nobody
 * has changed them since. The child may be in another session, and in a signal handler.
 */
void tty_raw_clean_up(void);

/*
 * The first function gives the terminal `to` the modes and the size of `from`, in characters and
 * pixels. The second gives it only the size, and returns the number of rows.
 */
bool tty_copy_modes(int to, int from);
unsigned tty_copy_size(int to, int from);

/* ---- writing (tty.c) ---------------------------------------------------- */

/* How long a terminal may accept nothing: see tty_write(). */
enum { TTY_STALL_MS = 5000 };

/* How long a terminal is writable in a calm moment: see tty_write(). */
enum { TTY_CALM_MS = 50 };

/* How a write or a query ended. */
enum tty_end {
	TTY_DONE,       /* all bytes were written, and all replies arrived */
	TTY_TIMED_OUT,  /* the terminal accepted nothing, or a reply is missing */
	TTY_SIGNALLED,  /* by SIGINT, SIGTERM ...: signal_caught */
	TTY_FAILED,     /* `failure`: EIO if the terminal hung up */
	/* only of a query */
	TTY_NOT_OPENED, /* /dev/tty: `failure` */
	TTY_BACKGROUND, /* this job may not read the terminal */
	TTY_BUSY        /* another program reads the terminal; nothing was sent */
};

/* The arguments of tty_write(). */
struct tty_output {
	const void *bytes;
	size_t size;
	/* closes an interrupted sequence, wrapped for `chain`, if any: one of the *_ABORT, or "" */
	const char *abort;
	const struct chain *chain;
	unsigned stall_ms;
	/*
	 * no other program is expected to write there: only we have the open file description,
	 * and the device is our controlling terminal
	 */
	bool alone;
	/* the caller has the lock and the modes, so that no other viatty writes: in pieces */
	bool locked;
	/* if another program draws there: how long to wait for a calm moment at most, else 0 */
	unsigned calm_ms;
	pid_t draws; /* that program, or 0 if unknown */
};

/* Up to this size, always one write(2), but for the bytes of a query. */
enum { TTY_WHOLE = 1024 * 1024 };

/* The slowest supported line. */
enum { TTY_BYTES_PER_MS = 20 };

struct tty_result {
	enum tty_end end;
	int failure;    /* of TTY_FAILED: an errno value */
	size_t size;    /* bytes to be written in all */
	size_t written; /* bytes that the kernel accepted, without the abort */
	bool closed;    /* the abort was written completely, or not needed */
};

/*
 * Writes all bytes to `fd`, which may be any file, also non-blocking. SIGTTOU (for a background job
 * under `stty tostop`) and SIGTSTP are blocked until the end.
 *
 * Whole: usually makes one write(2). Linux locks the terminal meanwhile (tty_write_lock() in
 * tty_io.c), so another writer, such as a tmux client, cannot cut the sequence.
 *
 * In pieces: for more than TTY_WHOLE bytes, if no other writer is expected. That takes `alone`, a
 * process in the foreground, and the canonical mode in which a shell leaves the terminal to it. A
 * piece is what the terminal accepts in a tenth of `stall_ms`. A background job can still write
 * between two pieces, as with cat. Another viatty waits for our lock.
 *
 * Calm: a program that draws, such as tmux, writes as much as the terminal accepts, which may end
 * inside a sequence. While the rest waits for room, the terminal is writable only for moments. So
 * if it was writable for TTY_CALM_MS on end, nothing waits. But a terminal that is read fast is
 * always writable. If the program has written in that time, this therefore also waits for a small
 * write that leaves room, because it is the last part. TIOCOUTQ is no help: it is 0 for a pty.
 *
 * Echo: turned off while a long sequence is written to our terminal in the foreground. Otherwise
 * the terminal would echo typed keys into its middle.
 *
 * Stalls: a single write times out after `stall_ms` plus the time for its bytes at 20 kB/s, at
 * most a minute (or `stall_ms`, if longer). Its progress is unknown until it returns, and
 * interrupting it would split it. Writing in pieces times out when the terminal has accepted
 * nothing for `stall_ms`.
 *
 * After a part only, appends `abort`. If the terminal has no room for that, discards the output
 * that waits there.
 */
struct tty_result tty_write(int fd, const struct tty_output *output);

/* ---- replies (reply.c) -------------------------------------------------- */

/*
 * Parses the replies of a terminal, and uses no descriptor or clock.
 *
 * The bytes are untrusted, arrive in pieces of any size and are mixed with typed keys. A filter
 * passes complete sequences of the shapes in reply.def to libtermkey and drops the rest, because
 * libtermkey would crash on some. Time and memory are linear in the input.
 */

enum reply_kind {
#define REPLY(KIND, ...) REPLY_##KIND,
#include "tty/reply.def"
#undef REPLY
	REPLY_KINDS,
	REPLY_OVERSIZED = REPLY_KINDS /* a string that is too long */
};

struct reply {
	enum reply_kind kind;
	/*
	 * The bytes between the prefix of its shape and its suffix or terminator, with a NUL.
	 * Borrowed until the receiver returns.
	 */
	const char *text;
	size_t size;
};

/* Called for each reply, in order. */
typedef void reply_receiver(void *context, const struct reply *reply);

/* The longest control sequence. */
enum { REPLY_CSI_MAX = 64 };

struct reply_reader {
	size_t typed;        /* keys */
	bool typed_open;     /* the last one did not end its line */
	/* for reply.c */
	struct parser parser;
	struct buf sequence; /* from its ESC; a string without its end */
	bool drops;          /* drop the rest of the current sequence */
	/* a control sequence inside an OSC: see begins_early() */
	bool is_aside;       /* it is incomplete */
	unsigned char aside[REPLY_CSI_MAX];
	size_t aside_len;
	reply_receiver *receive;
	void *context;
	void *termkey;
};

/*
 * Passes replies to `receive` from now on. A string of more than `max` bytes (at least
 * REPLY_CSI_MAX) is dropped and reported as REPLY_OVERSIZED. The caller calls reply_end().
 */
void reply_begin(struct reply_reader *reader, size_t max, reply_receiver *receive,
    void *context);
void reply_end(struct reply_reader *reader);

/* Parses the next bytes. */
void reply_feed(struct reply_reader *reader, const void *bytes, size_t n);

/* Drops an incomplete sequence, whose rest will not follow. */
void reply_drop(struct reply_reader *reader);

/* Whether a sequence is incomplete, even one that is dropped. */
bool reply_unfinished(const struct reply_reader *reader);

/* ---- a paste by the terminal's own key (pasted.c) ------------------------ */

/*
 * Reads what the user pastes by the terminal's own key, such as Ctrl+Shift+V. In mode 2004 the
 * terminal puts marks around it. Text and marks may come in pieces, among replies and typed keys.
 *
 * Inside the marks every byte is data, also ESC, so the parser of replies cannot read there.
 * Before them, keys are collected as the text of a terminal that sends no marks, and VEOF ends it.
 * The first mark drops these keys.
 */

enum {
	PASTED_MS = 60000,     /* until something is pasted */
	PASTED_STALL_MS = 5000, /* without a byte, a text that has begun is incomplete */
	/* after an end mark, for the next part of the text: st 0.9, x.c, selnotify() */
	PASTED_PART_MS = 100
};

struct pasted {
	/* empty, with the limit; gets the text, with LF for CR and CR LF. It may become full. */
	struct buf *text;
	const char *line, *unmarked_line; /* what asks for the key, or for Ctrl+D after it */
	bool in_parts;       /* a new begin mark after the end mark continues the text */
	bool erases;         /* erase the line afterwards, otherwise end it */
	unsigned timeout_ms; /* PASTED_MS */
	bool answered;       /* set by the receiver of replies: the key is not needed */
	enum pasted_state {
		PASTED_UNASKED,
		PASTED_NOTHING, /* yet: `text` is what was typed or pasted without marks */
		PASTED_PART,    /* after a begin mark */
		PASTED_MARKED,  /* after the end mark */
		PASTED_UNMARKED /* after VEOF */
	} state;
	/* for pasted.c */
	int fd;              /* the terminal */
	size_t matched;      /* bytes of the next mark */
	bool after_cr;
};

/* Takes the next bytes. Passes replies, and what follows the text, to the reader. */
void pasted_feed(struct pasted *p, struct reply_reader *reader, const unsigned char *bytes,
    size_t n);

/*
 * pasted_begin() prints the line that asks for the key, and turns the marks on. pasted_end() undoes
 * both, once, at the latest at exit.
 */
void pasted_begin(struct pasted *p, int fd);
void pasted_end(void);

/* ---- queries (query.c) -------------------------------------------------- */

/*
 * Queries of the controlling terminal.
 *
 * The caller fills a struct query with the sequences and the timeout. Then query()
 *
 *   1. opens and locks the terminal, and checks whether a query may be sent now
 *   2. sets raw mode and drops what was typed ahead
 *   3. writes the wrapped query, and a fence (DA1) behind it
 *   4. collects the replies
 *   5. reads away what still comes, so that the shell does not read it as typed
 *   6. restores the modes
 *
 * In the background a query fails at once: it would steal keys from the foreground job.
 */

enum {
	QUERY_READER = 16, /* bytes of a program's name, including the NUL */
	/* for `late_ms`: of a question of ours, and of one that the user asks and waits for */
	QUERY_LATE_MS = 1000,
	QUERY_LATE_USER_MS = 3000
};

struct query {
	/* the sequences of the query; with "" and `no_fence` nothing is written, only read */
	const char *text;
	const struct chain *chain; /* to wrap the sequences and the fence for, or NULL */
	/* send no DA1: ended by `receive` or the timeout */
	bool no_fence;
	/* closes them if only a part was accepted; SEQUENCE_ABORT if NULL */
	const char *abort;
	/*
	 * Fail with TTY_BUSY if there is type-ahead, which a query would lose. With layers, fail
	 * also if the user has typed nothing in the last seconds: a reply through Screen goes to
	 * the window that is shown.
	 */
	bool optional;
	/* how long to read away a late reply after the timeout, which the shell must not read */
	unsigned late_ms;
	/*
	 * Without a reply that sets `answered` in time, the user is asked to paste. A reply still
	 * counts then, while `stopped` and TTY_TIMED_OUT are about the paste. If NULL, nobody is
	 * asked.
	 */
	struct pasted *pasted;
	/* Whether another program reads the terminal `fd`; `reader` gets its name, or "". */
	bool (*reader_is_another)(int fd, char reader[QUERY_READER]);
	/*
	 * Called before the bytes are written, when the terminal is ready for the reply. It makes
	 * another program, such as tmux, send the query. Returns false if that failed: no reply is
	 * expected then. May be NULL.
	 */
	bool (*start)(void *context);
	unsigned timeout_ms; /* until a reply, or more of one */
	/* how long to wait after a first DA1 for a second one, which ends the query */
	unsigned second_ms;
	size_t reply_max; /* the longest reply to keep, in bytes */
	/*
	 * Receives each reply instead of collecting them, for large or endless replies.
	 * Returns false after the last one. It may set a new timeout, which starts now.
	 */
	bool (*receive)(void *context, const struct reply *reply, unsigned *timeout_ms);
	void *context; /* for these functions */
};

/* Further replies are dropped. Enough for the 256 colors of a palette. */
enum { REPLIES_MAX = 512 };

struct replies {
	enum tty_end end;
	int failure; /* of TTY_FAILED and TTY_NOT_OPENED: an errno value */
	/* whether the user typed in the last seconds before the query: device_read_time() */
	bool typed_lately;
	bool keys_pending; /* TTY_BUSY, because keys were typed ahead */
	/* the job was stopped (SIGTSTP) in the meantime, so that a reply may have been lost */
	bool stopped;
	/* all up to and including the fence; borrowed until the next query */
	const struct reply *reply;
	size_t count;
};

/*
 * Sends a query to the controlling terminal and returns its replies, if any, however the query
 * ends. Restores the modes before it returns, and while the job is stopped (SIGTSTP).
 *
 * Reads away late and duplicate replies, the rest of a reply that is too long, and the rest of a
 * line that is being typed. Late replies that are collected count if the fence follows them: the
 * end is then TTY_DONE.
 */
struct replies query(const struct query *query);

/* "PROBLEM\nREMEDY" without a terminal of our own, with the reason. */
#define NO_TERMINAL_TO_READ "no terminal to read from: /dev/tty: %s\nrun it at a shell prompt"

/*
 * Whether the query failed for a reason other than a missing reply. If so, sets `error`:
 *
 *   TTY_BACKGROUND, TTY_NOT_OPENED    STATUS_NO_TERMINAL
 *   TTY_BUSY                          STATUS_REFUSED, and names the program that reads
 *   TTY_SIGNALLED, TTY_FAILED         STATUS_FAILED
 */
bool query_failed(struct replies replies, struct error *error);

/* ---- a job in the foreground (foreground_job.c) ------------------------- */

/* Runs a command in the foreground as the shell would that started us. */

struct foreground_job_end {
	int status; /* exit status, 128 + n for signal n */
	/*
	 * SIGINT if it died of that, or the signal that prevented its start; else 0. The
	 * caller must die of it, too: a shell ends a loop only if its command died of SIGINT.
	 */
	int signal;
	long long ms; /* how long the job ran, or 0 if it was not started */
};

/*
 * Signals that were not ignored initially are handled between the two functions:
 *
 *   SIGINT, SIGQUIT                        reach the job from the keyboard; we continue
 *   SIGTERM, SIGHUP                        are forwarded; one to the whole group
 *                                          reaches the job twice
 *   the job stops                          we stop by the same signal, and
 *                                          continue the job when we are continued
 *
 * Without a job they do not end us, but are recorded in signal_caught, and interrupt waiting for a
 * terminal (signals_begin()).
 */
void foreground_job_begin(void);
void foreground_job_end(void);

/*
 * Runs arguments[0], searched for in PATH, and waits for its exit; the arguments are
 * NULL-terminated. It inherits our standard streams, terminal, process group and original
 * signal dispositions. It is not started if a signal came since foreground_job_begin(): that is
 * then `signal` of `end`, and `ms` is 0.
 *
 * Fails as shells do (POSIX, XCU 2.8.2): with status 127 for a program that is missing, and 126 for
 * one that cannot be run.
 */
bool foreground_job_run(char *const arguments[], struct foreground_job_end *end,
    struct error *error);

/*
 * Sets the error for a program that exec did not start for this errno: status 127 or 126. Returns
 * false.
 */
bool job_cannot_run(char *const arguments[], int failure, struct error *error);

/*
 * Stops `who` (as for kill(2); this process must be among them) by a signal with its default
 * action. Returns when continued, or at once where the system does not stop an orphaned group.
 */
void job_stop(pid_t who, int number);

#endif
