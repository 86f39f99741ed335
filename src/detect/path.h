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
	struct origin origin;    /* what told that it is there */
	char name[PROCESS_NAME]; /* for messages: "tmux", "nvim" */
	char why[256];           /* HOP_TMUX_UNREACHABLE: why it was not asked, or "" */
	char repair[64];         /* and what makes that possible, or "" */
	bool detached;           /* HOP_SCREEN: no terminal shows the session */
	struct tmux tmux;        /* HOP_TMUX */
	struct probe_tmux probe; /* HOP_TMUX_UNREACHABLE: what the questions told */
	/*
	 * The terminal on its outer side, without a name if not known or not ours
	 * to write: what is written there has stepped over the hop.
	 */
	struct tty_device outer;
};

/* Its row, by which the policy goes. */
const struct multiplexer *hop_row(const struct hop *hop);

/*
 * Whether it is a tmux or Screen that could not be asked: only its replies at our
 * terminal, if any, tell how it is set up.
 */
bool hop_is_unreachable(const struct hop *hop);

enum { HOPS_MAX = 6 };

/* Why the desktop that shows the terminal can be used, or not. */
enum desktop_state {
	DESKTOP_FOUND,       /* which programs are there `program` tells */
	DESKTOP_OFF,         /* VIATTY_NATIVE=never */
	DESKTOP_UNSEEN,      /* the terminal is no process around us on this machine */
	DESKTOP_OF_ANOTHER,  /* the terminal is another user's */
	DESKTOP_HIDDEN,      /* its environment cannot be read */
	DESKTOP_CONTAINED,   /* the terminal has another root or other namespaces */
	DESKTOP_UNTOLD,      /* this system does not tell whether it has */
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
	char where[DESKTOPS][DESKTOP_WHERE]; /* for people: "X11 display :0" */
	/* NAME=value for those who are to find the display */
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
	/* at the end of the chain, as far as it can be seen; NULL: not known */
	const struct terminal *terminal;
	const char *terminal_name; /* what the person calls that one, or NULL */
	/* what the user says that it is, and the word for that; or NULL */
	const struct terminal *named;
	const char *named_as;
	const struct terminal *by_environment; /* what the variables say it is */
	char version[PROBE_TEXT];        /* what it said of itself, or "" */
	char environment_version[TMUX_WORD]; /* what its variables say, or "" */
	struct probe probe;              /* what it was asked by us and said */
	char term[TMUX_WORD];            /* TERM out there, or "" */
	bool remote;                     /* it was reached by ssh */
	bool silent;                     /* it was asked and has not replied */
	char peer[TMUX_WORD];            /* from this address, or "" */
	/* NULL: not looked for, as the terminal may do it all; see detect/desktop.h */
	const struct desktop *desktop;
	/* a TMUX that is left over from elsewhere, and why it is not followed; or "" */
	char stale[320];
	/* where no device was found: what was tried, and what was refused */
	char tried[128], refused[192];
	int signal;          /* one that came during a question, or 0 */
};

/* When the terminal is asked who it is. */
enum identify {
	IDENTIFY_NOT,
	/*
	 * Where the environment does not tell enough, unless that disturbs
	 * anybody: see `optional` of struct query.
	 */
	IDENTIFY_UNKNOWN,
	IDENTIFY_TERMINAL, /* in any case */
	IDENTIFY_ALL       /* and everything on the way to it */
};

/* When the desktop that shows the terminal is looked for. */
enum detect_desktop {
	DETECT_DESKTOP_NOT,
	/* where the terminal is known not to do what it has to */
	DETECT_DESKTOP_INSTEAD,
	DETECT_DESKTOP_FORCED
};

/* The bit of a feature in detect_request. */
#define FEATURE_BIT(feature) (1u << (feature))

struct detect_request {
	const char *tty;     /* --tty: DEVICE, stdout, stderr, pane:%3; NULL */
	bool device_only;    /* the chain is given: only the device matters */
	bool probe;          /* the terminal may be asked what is around us */
	enum identify identify; /* and who it is */
	/* it holds bytes that only some versions store, and the terminal may be asked */
	bool binary;
	unsigned features;   /* what it has to do, as FEATURE_BIT()s */
	enum detect_desktop desktop;
	/* what the user says that it is, and the word for that; or NULL */
	const struct terminal *terminal;
	const char *terminal_name;
	/*
	 * For each tmux server and question; 0: as usual, which for a terminal
	 * that never replies is a second in all, and two with IDENTIFY_ALL.
	 */
	unsigned timeout_ms;
};

/* The device by the name it has for others: /dev/tty is everybody's. */
void path_device(char name[DEVICE_NAME], const struct path *path);

/*
 * The layers of a query to the terminal whose reply has to come back through every hop:
 * only Screen hands replies on, tmux types them into the pane. The first hop that is in
 * the way, or NULL. `*reply_max`: bytes of the longest reply that passes, 0 for any.
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

/* Closes what detect_path() opened and sees to the end of what it started. */
void path_free(struct path *path);

#endif
