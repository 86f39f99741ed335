/* SPDX-License-Identifier: MIT */
/*
 * The detected path: everything between this process and the screen, as facts with
 * their sources. Detect layer: the only one that looks at the environment, other
 * processes and tmux servers. It decides nothing; that is route/plan.c's.
 */
#ifndef DETECT_PATH_H
#define DETECT_PATH_H

#include "base/error.h"
#include "detect/environment.h"
#include "detect/probe.h"
#include "detect/process.h"
#include "detect/tmux.h"
#include "encoder/encoder.h"
#include "terminal/desktop_tool.h"
#include "terminal/multiplexer.h"
#include "terminal/terminal.h"
#include "tty/device.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a fact comes from. */
enum fact_source {
	SOURCE_ENVIRONMENT, /* ours */
	SOURCE_ANCESTOR,    /* the environment of a process further out */
	SOURCE_PROCESSES,   /* a process around us that runs our terminal */
	SOURCE_TERM,        /* TERM alone */
	SOURCE_REPLY        /* what replies at our terminal */
};

/* The same, and whose environment, process or server that is. */
struct origin {
	enum fact_source source;
	uid_t owner;
};

struct hop {
	enum hop_kind kind;
	struct origin origin;    /* where this hop was found */
	char name[PROCESS_NAME]; /* for messages: "tmux", "nvim" */
	char why[256];           /* HOP_TMUX_UNREACHABLE: why it is unreachable, or "" */
	char repair[64];         /* and what makes it reachable, or "" */
	bool detached;           /* HOP_SCREEN: no terminal shows the session */
	struct tmux tmux;        /* HOP_TMUX */
	struct probe_tmux probe; /* HOP_TMUX_UNREACHABLE: its replies */
	/*
	 * The terminal on its outer side; without a name if it is unknown or this user
	 * may not write to it. Bytes written there bypass the hop.
	 */
	struct tty_device outer;
};

/* Its row of multiplexers.def. */
const struct multiplexer *hop_row(const struct hop *hop);

/*
 * Whether it is a tmux or Screen whose server is unreachable: its options are known only
 * from its replies at our terminal, if at all.
 */
bool hop_is_unreachable(const struct hop *hop);

enum { HOPS_MAX = 6 };

/* Why the desktop that shows the terminal can be used, or not. */
enum desktop_state {
	DESKTOP_FOUND,       /* `program` has its tools */
	DESKTOP_OFF,         /* VIATTY_NATIVE=never */
	DESKTOP_UNSEEN,      /* the terminal is no process around us on this machine */
	DESKTOP_OF_ANOTHER,  /* the terminal is another user's */
	DESKTOP_HIDDEN,      /* its environment cannot be read */
	DESKTOP_CONTAINED,   /* the terminal has another root or other namespaces */
	DESKTOP_UNTOLD,      /* this system does not report its root */
	DESKTOP_NO_DISPLAY   /* it names no display of this user and this machine */
};

enum { DESKTOP_PATH = 256, DESKTOP_WHERE = 64 };

struct desktop {
	enum desktop_state state;
	bool own;                    /* of our own environment: the route was forced */
	pid_t terminal;              /* whose environment it is, if not */
	char process[PROCESS_NAME];
	unsigned long long started;  /* see process_started() */
	uid_t owner;                 /* whose processes and display these are */
	bool has[DESKTOPS];
	char where[DESKTOPS][DESKTOP_WHERE]; /* for messages: "X11 display :0" */
	/* NAME=value, for the tool's environment */
	char variable[DESKTOPS][DESKTOP_VARIABLES][DESKTOP_PATH];
	/* by the number of the tool: its file, or "" */
	char program[DESKTOP_TOOLS][DESKTOP_PATH];
};

/* How the device was found. */
enum device_source {
	DEVICE_NONE,
	DEVICE_ASKED_FOR,   /* --tty or VIATTY_TTY */
	DEVICE_STDOUT, DEVICE_STDERR, /* the same, by these words */
	DEVICE_CONTROLLING, /* /dev/tty */
	DEVICE_PANE,        /* no terminal, but a tmux pane or session */
	DEVICE_ANCESTOR     /* that of a process that started us */
};

struct path {
	/* the device nearest to us; without a name if none is ours to write */
	enum device_source source;
	struct tty_device device;
	char ancestor[PROCESS_NAME]; /* DEVICE_ANCESTOR: whose it is */
	int fd;                      /* open for writing; -1 until deliver opens it */
	/* outwards from there */
	size_t hops;
	struct hop hop[HOPS_MAX];
	/* at the end of the path; NULL: not known */
	const struct terminal *terminal;
	const char *terminal_name; /* the name that its variables give it, or NULL */
	/* by --term, and the word that was given; or NULL */
	const struct terminal *named;
	const char *named_as;
	const struct terminal *by_environment; /* by its variables, or NULL */
	char version[PROBE_TEXT];        /* its XTVERSION reply, or "" */
	char environment_version[TMUX_WORD]; /* by its variables, or "" */
	struct probe probe;              /* its replies to our queries */
	char term[TMUX_WORD];            /* TERM at the end of the path, or "" */
	bool remote;                     /* this machine was reached by ssh */
	bool silent;                     /* it was queried and has not replied */
	char peer[TMUX_WORD];            /* address of the ssh client, or "" */
	/* NULL: not needed, as the terminal may support everything; see detect/desktop.h */
	const struct desktop *desktop;
	/* a TMUX inherited from elsewhere, and why it is ignored; or "" */
	char stale[320];
	/* where no device was found: what was tried, and what was refused */
	char tried[128], refused[192];
	int signal;          /* one that came during a query, or 0 */
};

/* When the terminal is queried to identify it. */
enum identify {
	IDENTIFY_NOT,
	/* if the environment is inconclusive, as an `optional` query (struct query) */
	IDENTIFY_UNKNOWN,
	IDENTIFY_TERMINAL, /* always */
	IDENTIFY_ALL       /* always, and every unreachable hop */
};

/* When the desktop that shows the terminal is looked for. */
enum detect_desktop {
	DETECT_DESKTOP_NOT,
	/* if the terminal is known not to support one of the features */
	DETECT_DESKTOP_INSTEAD,
	DETECT_DESKTOP_FORCED
};

/* The bit of a feature in detect_request. */
#define FEATURE_BIT(feature) (1u << (feature))

struct detect_request {
	const char *tty;     /* --tty: DEVICE, stdout, stderr, pane:%3; NULL */
	bool device_only;    /* the chain is given: only the device matters */
	bool probe;          /* unreachable hops may be queried */
	enum identify identify;
	/* the data has bytes that only some versions of a terminal store */
	bool binary;
	unsigned features;   /* that the terminal needs, as FEATURE_BIT()s */
	enum detect_desktop desktop;
	/* by --term, and the word that was given; or NULL */
	const struct terminal *terminal;
	const char *terminal_name;
	/*
	 * For each tmux server and query; 0: the defaults, with which a terminal that
	 * never replies costs one second, and two with IDENTIFY_ALL.
	 */
	unsigned timeout_ms;
};

/* The device by its real name, not /dev/tty, which every process has. */
void path_device(char name[DEVICE_NAME], const struct path *path);

/*
 * The layers of a query to the terminal whose reply has to come back through every hop:
 * only Screen forwards replies, tmux types them into the pane. Returns the first hop that
 * does not, or NULL. `*reply_max`: bytes of the longest reply that passes, 0 for any.
 */
const struct hop *path_reply_chain(const struct path *path, struct chain *chain,
    size_t *reply_max);

/* The terminal that the user names, else the one at the end, or NULL. */
const struct terminal *path_terminal(const struct path *path);

/*
 * The version of the terminal at the end, for terminal_version_support(): its own reply,
 * or what the variables say of the same terminal; "" where neither tells.
 */
const char *path_version(const struct path *path);

/* That of path_terminal(): "" where the user names another than the one at the end. */
const char *path_terminal_version(const struct path *path);

/*
 * Whether path_terminal() supports the feature: in the version that is known of it,
 * else, if the user names it, in the current one.
 */
enum support path_support(const struct path *path, enum feature feature);

/*
 * Whether that one is known not to support it. A terminal that clears the clipboard when
 * it is queried counts as one that does not.
 */
bool path_lacks(const struct path *path, enum feature feature);

/* Closes the device that detect_path() opened and reaps the processes it started. */
void path_free(struct path *path);

#endif
