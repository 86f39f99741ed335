/* SPDX-License-Identifier: MIT */
/*
 * One query of the controlling terminal, from opening it to its last reply. Tty layer.
 *
 * The caller fills a struct query: the sequences, the time limit and the receiver of the
 * replies. tty_query() does the rest: it opens and locks the terminal, switches to raw
 * mode, wraps and writes the query with a fence (DA1) behind it, reads the replies,
 * restores the modes and closes the terminal.
 *
 * Only a job in the foreground may read. In the background a query is refused at once, so
 * that no key is stolen from another program.
 */
#ifndef TTY_QUERY_H
#define TTY_QUERY_H

#include "encoder/encoder.h"
#include "base/error.h"
#include "tty/reply.h"

#include <stdbool.h>
#include <stddef.h>

enum query_end {
	QUERY_DONE,       /* the receiver has its last reply */
	QUERY_SILENT,     /* no more came within the time */
	QUERY_BACKGROUND, /* this job may not read the terminal */
	QUERY_BUSY,       /* another program reads it; nothing was sent */
	QUERY_SIGNALLED,  /* SIGINT, SIGTERM, SIGHUP or SIGQUIT: see `signal` */
	QUERY_NO_TERMINAL, /* /dev/tty cannot be opened: errno */
	QUERY_FAILED      /* errno; ENOMEM if the query could not be built */
};

/* Instead of a descriptor: /dev/tty is opened for the query, and closed. */
enum { QUERY_CONTROLLING = -1 };

enum {
	QUERY_READER = 16,        /* bytes of a program's name, its NUL among them */
	/* wait for the lock, while another viatty queries this terminal */
	QUERY_LOCK_MS = 5000,
	/* wait for a late reply, to keep it from the shell */
	QUERY_LINGER_MS = 1000,
	/*
	 * of an optional query: wait for the lock, and then for a reply and a late one
	 * together
	 */
	QUERY_OPTIONAL_MS = 1000,
	/* longest time for discarding a reply that goes on */
	QUERY_DRAIN_MS = 10000
};

/*
 * Whether another program reads from the terminal `fd`, which is not in canonical mode.
 * `reader` gets its name, "" if unknown.
 */
typedef bool query_reader(int fd, char reader[QUERY_READER]);

/* Whose DA1 ends the replies. */
enum query_fence {
	FENCE_WRAPPED, /* wrapped like the query: what replies to it replies to the fence */
	FENCE_NEAREST, /* not wrapped: the nearest terminal or multiplexer replies */
	FENCE_NONE     /* none is sent: `receive` knows the last reply, or time runs out */
};

struct query {
	/*
	 * The query: these sequences, then those that `encode` adds. NULL: none. With
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
	/* NULL: a terminal that is not in canonical mode is never queried */
	query_reader *is_read;
	/*
	 * Not sent, and QUERY_BUSY, if there is type-ahead, which a query would lose, or if
	 * another viatty has the lock for longer than QUERY_OPTIONAL_MS. A terminal that
	 * never replies costs QUERY_OPTIONAL_MS, or `timeout_ms` if that is more.
	 */
	bool optional;
	/*
	 * Sent only if a key was typed within the last seconds (reading_time.h); else the
	 * end is QUERY_BUSY.
	 */
	bool lately;
	/*
	 * Called when the terminal is ready for the reply, before the bytes are written:
	 * for a query that something else sends, such as tmux. False: it failed and no
	 * reply will come. NULL: nothing to call.
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
	bool strict; /* without a reply in time, no late one is waited for */
	size_t reply_max; /* bytes of the longest reply that is kept */
	/*
	 * Gets each reply. False: that was the last one. It may set a new time limit, which
	 * starts now.
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
 * Sends the query to the terminal `fd` (open for reading and writing, or
 * QUERY_CONTROLLING) and passes its replies to `receive`. Pending input is dropped first.
 * Echo and canonical mode are off meanwhile; the modes are restored on return, whatever
 * the end, and while the job is stopped (SIGTSTP). errno is that of the end.
 *
 * After a timeout, a signal or a reply that is too long, replies are discarded up to the
 * fence (DA1), so that the shell does not take them as typed: until none has come for
 * QUERY_LINGER_MS, and at most for QUERY_DRAIN_MS.
 */
struct query_result tty_query(int fd, const struct query *query);

/*
 * Whether tty_query() would send a query to this terminal: QUERY_DONE, or the end that
 * says why not, for query_failed().
 */
enum query_end query_allowed(int fd, query_reader *is_read);

/*
 * From now on a terminal that is not in canonical mode counts as read by another program.
 * For commands that run in a pipeline: a pager there is no ancestor.
 */
void query_beside_others(void);

/*
 * Drops pending input of the controlling terminal if a query of this process got no
 * reply: it may have come since. To be called before the terminal is left to another
 * program, and after that.
 */
void query_drop_late(void);

/* STATUS_NO_REPLY for a query whose reply came while the job was stopped. False. */
bool query_lost_reply(struct error *error);

/*
 * Whether the query failed for another reason than a missing reply. Then `error` is set:
 * STATUS_NO_TERMINAL in the background or without a terminal, STATUS_REFUSED for
 * QUERY_BUSY, with the name of the program that reads the terminal of the last query, else
 * STATUS_FAILED; with strerror(errno) for QUERY_NO_TERMINAL and QUERY_FAILED.
 */
bool query_failed(enum query_end end, struct error *error);

#endif
