/* SPDX-License-Identifier: MIT */
/*
 * Why a route was chosen or refused, and what may be lost on it. Route layer: only
 * identifiers and what they are about. The words, which name options and settings,
 * are those of commands/reasons.def.
 */
#ifndef ROUTE_REASON_H
#define ROUTE_REASON_H

#include <stdbool.h>
#include <stddef.h>

struct desktop_tool;
struct hop;

enum reason_id {
	REASON_NONE,

	/* why this route */
	REASON_NO_MULTIPLEXER,
	REASON_ANCESTOR,       /* the terminal of a process that started us */
	REASON_DIRECT_FORCED,  /* although there is a multiplexer */
	REASON_LAYERS_GIVEN,
	REASON_CLIENT_TTY,
	REASON_WRAPPED,
	REASON_FOR_MULTIPLEXER,
	REASON_INTERPRETED,
	REASON_LOAD_BUFFER,
	REASON_TMUX_BUFFER,
	REASON_CONFIRMED,      /* the terminal has said so */
	REASON_NATIVE,         /* the terminal does not do it */
	REASON_NATIVE_FORCED,

	/* notes and warnings */
	REASON_TMUX_OVERWRITES,     /* it cannot clear: a newline is sent */
	REASON_TERMINAL_OVERWRITES,
	REASON_NEEDS_SETTING,
	REASON_LETTER_LOST,
	REASON_SIZE_DOUBTFUL,
	REASON_TMUX_OR_SCREEN,
	REASON_TMUX_UNKNOWN_COPY,   /* a tmux that cannot be asked */
	REASON_TMUX_UNKNOWN,
	REASON_TITLE_OVERWRITTEN,

	/* a forced route that does not exist here: an error of usage */
	REASON_NOTHING_TO_STEP_OVER,
	REASON_NOTHING_TO_PASS,
	REASON_NOTHING_INTERPRETS,
	REASON_NO_TMUX,
	REASON_NO_TEXT,
	REASON_NOT_PLAIN,      /* tmux does not interpret it */
	REASON_NOT_NATIVE,     /* nothing that a desktop's program does */
	REASON_NO_DESKTOP,

	/* refused: who shows the multiplexer */
	REASON_NO_DEVICE,           /* none that this user may write to */
	REASON_CLIENT_NOT_OURS,
	REASON_CONTROL_CLIENTS,
	REASON_NOBODY_ATTACHED,
	REASON_NOBODY_ATTACHED_COPY, /* of a text, which a buffer of tmux can hold */
	REASON_ATTACHED_ELSEWHERE,
	REASON_ATTACHED_ELSEWHERE_COPY,
	REASON_GUESTS_ATTACHED,
	REASON_CLIENT_CLAIMED,
	REASON_SCREEN_DETACHED,

	/* refused: what a hop does */
	REASON_NAMES_NO_WINDOWS,
	REASON_KEEPS_NO_TITLES,
	REASON_SHOWS_NO_TITLES,
	REASON_RENAME_OFF,
	REASON_CONTROL_MODE,
	REASON_COPY_MODE,
	REASON_PANE_HIDDEN,         /* and its tmux has no allow-passthrough all */
	REASON_PASSTHROUGH_HIDDEN,  /* allow-passthrough on, the pane is not shown */
	REASON_PASSTHROUGH_OFF,
	REASON_PASSTHROUGH_OFF_DRAWN, /* what moves the cursor */
	REASON_EDITOR_DROPS,
	REASON_TMUX_DROPS_COPY,     /* known by its replies */
	REASON_TMUX_DROPS,
	REASON_UNASKED_TMUX_DROPS_COPY, /* the same, and it is known how to ask it */
	REASON_UNASKED_TMUX_DROPS,
	REASON_OUTER_TMUX_DROPS,    /* what the inner one sends of its own */
	REASON_SCREEN_DROPS_OWN,
	REASON_HOP_DROPS_OWN,       /* for want of a selection letter */
	REASON_SET_CLIPBOARD_OFF,
	REASON_KEPT_FOR_HIDDEN_PANE,
	REASON_NOT_INTERPRETED,
	REASON_CLIENT_FEATURE,      /* tmux does not know that its client copies */
	REASON_CLIENT_TERMINFO,     /* the same before 3.2 */
	REASON_LOAD_BUFFER_OLD,
	REASON_HOP_DROPS,
	REASON_HOP_SELECTION,
	REASON_HOP_POPS_UP,         /* the numbers of progress */
	REASON_HOP_UTF8,

	/* refused: too large, with `size` and `limit` */
	REASON_LARGE_FOR_PASSTHROUGH,
	REASON_LARGE_FOR_TMUX,
	REASON_LARGE_FOR_OLD_TMUX,
	REASON_LARGE_AND_CUT,       /* a hop cuts off the rest */
	REASON_LARGE_FOR_HOP,
	REASON_LARGE_FOR_TERMINAL,

	/* refused: what the terminal does */
	REASON_TERM_DUMB,
	REASON_ONLY_MULTIPLEXERS,   /* name windows */
	REASON_CAME_LATER,
	REASON_CAME_LATER_POPS_UP,
	REASON_NO_COPY_EVER,
	REASON_NO_COPY,
	REASON_NO_PRIMARY,
	REASON_NO_FEATURE,
	REASON_NUL,                 /* at offset `size` */
	REASON_NOT_UTF8,            /* the same */
	REASON_PROGRESS_UNKNOWN,

	/* how the clipboard is read */
	REASON_READ_STRAIGHT,
	REASON_READ_WRAPPED,
	REASON_READ_BY_TMUX_CLIENT, /* tmux asks the terminal that shows it */
	REASON_READ_BY_TMUX,        /* tmux hands the question on */

	/* why it cannot be */
	REASON_READ_NO_REPLIES,     /* a hop that carries copies only */
	REASON_READ_THROUGH_HOP,
	REASON_READ_OTHER_PANE,     /* our terminal is not that of the pane */
	REASON_READ_NOBODY_ATTACHED,
	REASON_READ_CLIENT_CLAIMED,
	REASON_READ_GUESTS,
	REASON_READ_TMUX_IN_TMUX,
	REASON_READ_SCREEN_IN_TMUX,
	REASON_READ_TMUX_IN_XTERM,
	REASON_READ_TMUX_SELECTION,
	REASON_READ_TMUX_SETTING,   /* get-clipboard */
	REASON_READ_TMUX_SETTINGS,  /* set-clipboard as well */
	REASON_READ_TMUX_OLD,
	REASON_READ_PERSON_SLOW,    /* slower than tmux waits */
	REASON_READ_EMPTIES,
	REASON_READ_NOT_LET,
	REASON_READ_NO_PRIMARY,
	REASON_READ_SILENT,         /* the terminal answers no query at all */
	REASON_READ_NO_REPLY,
	REASON_READ_NO_REPLY_SETTING, /* there is one that makes it reply */
	REASON_READ_NO_REPLY_PERSON,  /* it asks the user */
	REASON_READ_NO_REPLY_TMUX,    /* the same, and tmux waits `limit` seconds */
	REASON_READ_LARGE,          /* larger than `limit`, which was asked for */
	REASON_READ_LARGE_FOR_HOP,  /* which hands back `limit` bytes whole */
	REASON_READ_NOT_BASE64,

	/* refused: the desktop's programs */
	REASON_NATIVE_OFF,
	REASON_NATIVE_NO_PRIMARY,
	REASON_NATIVE_SELECTION,    /* neither clipboard nor primary selection */
	REASON_NO_TOOL,             /* none is installed that does it */
	REASON_NO_TOOL_FORCED,
	REASON_TOOL_TEXT_ONLY,      /* `type` is another */
	REASON_TOOL_NUL,            /* at offset `size` */
	REASON_TOOL_NOT_UTF8,       /* the same */

	REASON_COUNT
};

/* One of them, and what it is about; the rest is in the route and the path. */
struct reason {
	enum reason_id id;
	const struct hop *hop; /* borrowed from the path, or NULL */
	unsigned feature;      /* of the terminal, where it is about one */
	size_t size, limit;    /* bytes */
	const struct desktop_tool *tool; /* a program of the desktop, or NULL */
	const char *type;      /* borrowed from the request, or NULL */
};

#endif
