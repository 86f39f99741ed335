/* SPDX-License-Identifier: MIT */
/*
 * One query of the terminal we sit at, from opening it to its last reply. Tty layer.
 *
 * A caller fills a struct query: what is asked, how long that may take, who gets the
 * replies. tty_query() does the rest: it opens the terminal, locks it, switches to raw
 * mode, wraps and writes the question with a fence (DA1) behind it, reads the replies,
 * puts the modes back and closes the terminal.
 *
 * Asking means reading, and reading is for the foreground: in the background
 * it is refused at once, so that no key is stolen from another program.
 */
#ifndef TTY_QUERY_H
#define TTY_QUERY_H

#include "encoder/encoder.h"
#include "base/error.h"
#include "tty/reply.h"

#include <stdbool.h>
#include <stddef.h>

enum query_end {
	QUERY_DONE,       /* the receiver said so */
	QUERY_SILENT,     /* no more came within the time */
	QUERY_BACKGROUND, /* not ours to read from */
	QUERY_BUSY,       /* another program reads it; nothing was asked */
	QUERY_SIGNALLED,  /* SIGINT, SIGTERM, SIGHUP or SIGQUIT: see `signal` */
	QUERY_NO_TERMINAL, /* /dev/tty cannot be opened: errno */
	QUERY_FAILED      /* errno; ENOMEM for a question that could not be built */
};

/* Instead of a descriptor: /dev/tty is opened for the query, and closed. */
enum { QUERY_CONTROLLING = -1 };

enum {
	QUERY_READER = 16,        /* bytes of a program's name, its NUL among them */
	/* another viatty has asked, and goes on until it has its reply */
	QUERY_LOCK_MS = 5000,
	/* how long a late reply is waited for, to keep it from the shell */
	QUERY_LINGER_MS = 1000,
	/*
	 * how long an optional question waits for another viatty, and then, where
	 * nothing comes, for its reply and a late one together
	 */
	QUERY_OPTIONAL_MS = 1000,
	/* and how long one that was given up is read away while it goes on */
	QUERY_DRAIN_MS = 10000
};

/*
 * Whether another program than us reads from the terminal `fd`, which is not in
 * canonical mode; then its name, "" for unknown, is in `reader`.
 */
typedef bool query_reader(int fd, char reader[QUERY_READER]);

/* Whose DA1 ends the replies. */
enum query_fence {
	FENCE_WRAPPED, /* that of whoever gets the question: it is wrapped like this */
	FENCE_NEAREST, /* that of whoever is next: it is not wrapped */
	FENCE_NONE     /* none is sent: `receive` knows the last reply, or the time ends */
};

struct query {
	/*
	 * What is asked: these sequences, then those that `encode` adds. NULL: none. With
	 * neither and FENCE_NONE nothing is written, only read.
	 */
	const char *text;
	bool (*encode)(struct buf *bytes, void *context);
	/*
	 * What is written before them, however long: in pieces of whole parts, each as
	 * soon as it is built. The time limit begins when all of it is taken; a terminal
	 * that takes nothing for TTY_STALL_MS is given up. NULL: nothing.
	 */
	struct source *source;
	const struct chain *chain; /* what they are wrapped for; NULL: nothing */
	enum query_fence fence;
	/* what closes them when only a part was taken; NULL: SEQUENCE_ABORT */
	const char *abort;
	/* NULL: nothing is asked but where lines are read, for safety */
	query_reader *is_read;
	/*
	 * The answer is not worth disturbing anybody: with keys typed ahead, which
	 * asking would lose, or where another viatty asks for longer than
	 * QUERY_OPTIONAL_MS, nothing is asked and the end is QUERY_BUSY. A terminal
	 * that says nothing at all costs QUERY_OPTIONAL_MS, or `timeout_ms` if that is
	 * more.
	 */
	bool optional;
	/*
	 * Asked only where the user has typed in the last seconds (reading_time.h); else
	 * nothing is asked and the end is QUERY_BUSY.
	 */
	bool lately;
	/*
	 * Called when the terminal is ready for the reply, before the bytes are
	 * written: for a question that takes another way. False: it failed and
	 * no reply will come. NULL: nothing to call.
	 */
	bool (*start)(void *context);
	/* time until a reply, or more of one; the receiver may change it */
	unsigned timeout_ms;
	/*
	 * Called, perhaps twice, when the job is stopped (SIGTSTP). Control-Z empties what waits
	 * to be read, and the shell gets what comes until the job goes on: `cut` tells that a
	 * reply had begun, which is dropped. False: then no more is waited for. NULL: nothing
	 * to call.
	 */
	bool (*on_stop)(void *context, bool cut);
	bool strict; /* where nothing has come by then, nothing late is waited for */
	size_t reply_max; /* bytes of the longest reply that is kept */
	/*
	 * Gets each reply. False: that was the last one that is waited for.
	 * It may give the conversation another time limit, from now on.
	 */
	bool (*receive)(void *context, const struct reply *reply,
	    unsigned *timeout_ms);
	void *context; /* of `encode`, `start` and `receive` */
};

struct query_result {
	enum query_end end;
	int signal;      /* for tty_die_of(), or 0 */
	bool typed_lately; /* whether the user has typed in the last seconds before */
};

/*
 * Puts the question to the terminal behind `fd` (open for both, or QUERY_CONTROLLING)
 * and passes on what it replies; what was waiting to be read is dropped first. The
 * terminal is without echo and lines meanwhile and as before on return, whatever the
 * end; also while the job is stopped (SIGTSTP) in between. errno is that of the end.
 *
 * When the time is over, or a signal came, or a reply is too long to keep, what
 * comes is dropped up to the fence (DA1), so that nothing is left for the shell to
 * take as typed: until nothing has come for QUERY_LINGER_MS, at the most for
 * QUERY_DRAIN_MS.
 */
struct query_result tty_query(int fd, const struct query *query);

/*
 * Whether tty_query() would put a question to the terminal: QUERY_DONE, or another end
 * for query_failed().
 */
enum query_end query_allowed(int fd, query_reader *is_read);

/*
 * From now on a terminal that is not in canonical mode is taken for read by another
 * program. For who runs beside others in a pipeline: no ancestor tells of a pager.
 */
void query_beside_others(void);

/*
 * Drops what waits to be read at the controlling terminal if a question of this
 * process stayed without an answer, which may have come since. For who is about to
 * leave the terminal to another program, or gets it back.
 */
void query_drop_late(void);

/* STATUS_NO_REPLY for a query whose reply came while the job was stopped. False. */
bool query_lost_reply(struct error *error);

/*
 * Whether it ended for another reason than that nothing came; then `error` says
 * which: STATUS_NO_TERMINAL in the background and without one, STATUS_REFUSED with the name of the
 * program that reads the terminal asked last (QUERY_BUSY), else STATUS_FAILED; with errno's
 * words for QUERY_NO_TERMINAL and QUERY_FAILED.
 */
bool query_failed(enum query_end end, struct error *error);

#endif
