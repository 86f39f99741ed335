/* SPDX-License-Identifier: MIT */
/* The edge to a terminal device: opening it and getting bytes through it. */
#ifndef TTY_TTY_H
#define TTY_TTY_H

#include "base/error.h"
#include "encoder/encoder.h"

#include <stdbool.h>
#include <stddef.h>

/* A terminal that takes nothing for this long is given up; how exactly: tty_write(). */
enum { TTY_STALL_MS = 5000 };

/*
 * device_open() of what the user names, or /dev/tty. Gives a descriptor of the
 * caller's, or -1 with errno (ENOTTY for something else than a terminal).
 */
int tty_open(const char *path, bool reading);

/* The width of the window behind `fd`, or 0: no terminal, or it does not say. */
size_t tty_columns(int fd);

/* How a write ended. */
enum tty_end {
	TTY_WRITTEN,   /* all of it */
	TTY_STALLED,   /* nothing was taken for the time allowed */
	TTY_SIGNALLED, /* SIGINT, SIGTERM, SIGHUP or SIGQUIT came */
	TTY_FAILED     /* errno: EIO for a terminal that hung up, ENOMEM for no room */
};

/* What is written, and how. */
struct tty_output {
	struct source *source; /* afterwards nothing is left in it */
	/* what closes a sequence that was cut off; borrowed */
	const void *abort;
	size_t abort_size;
	unsigned stall_ms;
	/*
	 * The description behind the descriptor is ours alone, and it is our
	 * controlling terminal: nobody is known to write there meanwhile.
	 */
	bool alone;
};

/*
 * Up to so many bytes are always one write(2); and so many at most are encoded
 * before they are written where more than that is written in pieces.
 */
enum { TTY_WHOLE = 256 * 1024 };

struct tty_result {
	enum tty_end end;
	size_t size;    /* bytes of all that was to be written */
	size_t written; /* bytes the kernel took, the abort not among them */
	bool closed;    /* the abort was written whole, or none was needed */
	int signal;     /* the one that came meanwhile, for tty_die_of(), or 0 */
};

/*
 * Writes all of the source. `fd` may be anything; it may be non-blocking. SIGTTOU
 * does not stop it (a background job under `stty tostop` may write), nor does SIGTSTP
 * before it is done.
 *
 * It is one write(2): Linux holds a lock on the terminal for the whole of it
 * (tty_write_lock() in drivers/tty/tty_io.c), so that no other writer, like a tmux
 * client that draws, gets into the middle of a sequence. That takes as much memory
 * as the sequences have bytes. More than TTY_WHOLE bytes are encoded while they
 * are written, in pieces, where nobody else is expected to write: `alone`, with this
 * process in the foreground of the terminal and lines, not keys, read there, which
 * is how a shell leaves it to a command. Another job that writes in the background can
 * get between two pieces, as with cat. Another viatty waits, up to a minute; then it is
 * TTY_STALLED with nothing written.
 *
 * While a long sequence is written to the controlling terminal in the
 * foreground, ECHO is off: keys typed meanwhile would be echoed into its
 * middle. The modes are as before on return, whatever the end.
 *
 * `stall_ms` is the time without a single byte taken after which it gives up, never
 * earlier; a tenth more may pass. A write that waits does not tell what was taken meanwhile,
 * and when it is cut short for a look other writers can get in. So where others are
 * expected to write, a child watches a longer one (stall_watch.h). Without it, and
 * where the description is non-blocking, there are looks: the first after a tenth of that
 * time, and the next after twice as long each time, up to half of it. Then half of it
 * more may pass with a terminal that stops in the middle of a long write.
 *
 * When it ends early with part of the bytes written, the `abort_size` bytes of
 * `abort` follow them if the terminal takes them; what the terminal has not
 * yet read is thrown away if there is no other way to make room.
 */
struct tty_result tty_write(int fd, const struct tty_output *output);

/*
 * The same in pieces, for who has the modes of the terminal and the signals in hand
 * already, as a query has; another viatty waits here too. `fd` is a description of the
 * caller's own and blocks. Gives the bytes that the kernel took in `*written`; when it
 * ends early, with errno for TTY_FAILED, the caller closes a sequence that was cut off.
 */
enum tty_end tty_write_ahead(int fd, struct source *source, size_t *written);

/*
 * Writes what closes a sequence that was cut off, without waiting: what the
 * terminal has not yet read is thrown away if there is no other way to make
 * room. False: it was not taken.
 */
bool tty_close_sequence(int fd, const void *abort, size_t n);

/*
 * Ends the process by the signal that ended a write, as it would have ended
 * without us.
 */
void tty_die_of(int signal_number);

#endif
