/* SPDX-License-Identifier: MIT */
/*
 * Facts about multiplexers and other programs between a process and its terminal: how
 * each is recognized, what it does to sequences, and its limits.
 * Layer terminal/: pure, a constant table and lookups; no file descriptor, clock,
 * environment or allocation. The facts are rows of multiplexers.def, each row with its
 * source. To add a multiplexer of a kind that is here, an editor for example, add a row.
 * A new kind also needs a value of enum hop_kind, lines in generate/copies.c and
 * tests/unit/test_plan.c, and, where it tells which terminal shows it, a case in
 * step_over_hop() of detect/hops.c.
 *
 * detect/ recognizes hops with the lookups by process, TERM and reply; route/ decides by
 * their rows what reaches the terminal, and viatty-multiplexers(7) shows them.
 *
 * Everything returned is constant, lives as long as the program and belongs to the
 * table. NULL for a text is allowed and finds nothing. A feature is one of enum feature;
 * any other, such as the numbers above them that requests have, is one of no row.
 */
#ifndef TERMINAL_MULTIPLEXER_H
#define TERMINAL_MULTIPLEXER_H

#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

/* What stands between a terminal device and the next one outwards. */
enum hop_kind {
	HOP_TMUX,             /* its server has answered */
	HOP_TMUX_UNREACHABLE, /* around us, but not ours to ask */
	HOP_TMUX_OR_SCREEN,   /* TERM says one of the two, nothing says which */
	HOP_SCREEN,
	HOP_ZELLIJ,
	HOP_MOSH,
	HOP_EDITOR            /* vim, neovim, emacs, dvtm: runs terminals of its own */
};

/* The kind of a row that is no hop: it passes every byte unchanged. */
enum { HOP_NONE = 255 };

/* In which form a sequence can get through. */
enum multiplexer_form {
	FORM_PLAIN,  /* as it is: interpreted and sent again, or passed unchanged */
	FORM_TMUX,   /* in tmux's passthrough string */
	FORM_SCREEN, /* in Screen's strings */
	FORM_NONE,   /* in none that is sent: dropped, or shown as text */
	FORM_COUNT
};

/* Text stands in arrays of fixed size, as in struct terminal. "" = none. */

struct multiplexer {
	char id[16];        /* the short name, as struct hop has it */
	char name[20];      /* for messages, as its project writes it */
	unsigned char kind; /* enum hop_kind, or HOP_NONE */

	/*
	 * Recognition. A process name is as in /proc/PID/comm; "vim*" stands for all
	 * that begin with vim. A TERM begins with one of `term`, which only
	 * something inside the terminal sets. A variable is a hint only: it may be
	 * left over from elsewhere.
	 */
	char processes[4][16];
	char term[12];
	char variables[2][20];
	unsigned char da2;  /* the first number of its DA2 reply, 0 = not known */
	char version[8];    /* how its XTVERSION text begins, the version is next */

	/* Assumed where the version is unknown: the oldest in use; "" = none. */
	char oldest[8];

	/*
	 * `does` has the bit 1 << FEATURE_... of each feature that the multiplexer itself
	 * implements; `passes` says which unwrapped sequences reach the terminal.
	 */
	unsigned does;
	bool names_windows; /* ESC k NAME ST names its window */
	struct terminal_support passes[FEATURE_COUNT]; /* multiplexer_passes() reads it */
	unsigned char form; /* enum multiplexer_form */
	char copy_letters[4]; /* the selection that a copy must name; "" = any, or none */
	bool utf8_only;       /* drops a copy that is not valid UTF-8 */
	bool low_bits_only;   /* keeps the low eight bits of a character in a string */
	bool numbers_pop_up;  /* shows the numbers of OSC 9;4 as a notification */
	bool marks_bells;     /* a bell marks the window that it came from */

	/*
	 * The reply to a wrapped query comes back to the window it was sent from, with
	 * up to reply_max bytes whole; 0 = no limit known.
	 */
	bool returns_replies;
	size_t reply_max;

	/*
	 * The line of its configuration without which it drops wrapped sequences,
	 * and the first version that does.
	 */
	char passthrough[32];
	char passthrough_since[8];

	struct feature_setting settings[7]; /* to add where `passes` says SUPPORT_OFF */

	/*
	 * Bytes of the longest OSC that it takes whole, counted from the number to
	 * the terminator, which are both not in; 0 = no limit known. copy_max and
	 * title_max, if not 0, are for copies and titles instead.
	 */
	size_t body_max, copy_max, title_max;

	/*
	 * Versions before `queue_before` drop what is left of a sequence when its
	 * client does not take it at once: more than queue_max bytes of it, all
	 * counted, may be cut. 0 = none does.
	 */
	size_t queue_max;
	char queue_before[8];

	char outer[40];   /* stepped over to the terminal "that it runs in", or "" */
	/* it may be shown elsewhere later, and nothing tells where */
	bool outer_changes;
	char instead[24]; /* what a person does where it is in the way, or "" */
	char source[112]; /* project, versions and files that the row is based on */
};

/* The rows, those that are recognized alike together. NULL at and after the last. */
const struct multiplexer *multiplexer_at(size_t i);

/* The row that a process of this name is, or NULL; comm as /proc/PID/comm has it. */
const struct multiplexer *multiplexer_by_process(const char *comm);

/* The row that sets this TERM, or NULL. "screen.xterm" is Screen, "screen" may be tmux. */
const struct multiplexer *multiplexer_by_term(const char *term);

/* The row that replies to DA2 with this number in front, or NULL. */
const struct multiplexer *multiplexer_by_da2(long number);

/*
 * The row that answers XTVERSION with this text, or NULL; `version`, if not NULL,
 * gets where the version begins in it.
 */
const struct multiplexer *multiplexer_by_version(const char *xtversion,
    const char **version);

/*
 * The row of a hop: of its kind, and where several rows are of that kind, as editors
 * are, the one whose process is called `name`; the first if that is NULL or no row's.
 */
const struct multiplexer *multiplexer_of(enum hop_kind kind, const char *name);

/*
 * Whether the multiplexer itself does what the feature asks for, so that a route may end
 * there.
 */
bool multiplexer_does(const struct multiplexer *row, unsigned feature);

/*
 * Whether it is stepped over by itself: the terminal on its outer side can be known, and
 * stays the one that shows it.
 */
bool multiplexer_is_stepped_over(const struct multiplexer *row);

/*
 * Bytes of the longest body (number to terminator, both not in) of an OSC with this
 * feature that it takes whole; 0 = no limit known.
 */
size_t multiplexer_body_max(const struct multiplexer *row, unsigned feature);

/*
 * Bytes of the longest sequence, all of it, that this version sends on whole to a
 * terminal that is slow; 0 = no limit. A version that is not known ("") is taken for
 * an old one.
 */
size_t multiplexer_queue_max(const struct multiplexer *row, const char *version);

/*
 * Whether a sequence of the feature that is not wrapped reaches the terminal through
 * this version; "" is taken for the oldest in use. SUPPORT_UNKNOWN also where only the
 * version would tell.
 */
enum support multiplexer_passes(const struct multiplexer *row, unsigned feature,
    const char *version);

/* The same of its newest version. */
enum support multiplexer_passes_now(const struct multiplexer *row, unsigned feature);

#endif
