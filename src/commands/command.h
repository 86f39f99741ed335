/* SPDX-License-Identifier: MIT */
/*
 * The commands, and what they share. Commands layer. A command includes this header alone: it
 * brings those of the layers below.
 */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

#include "base/base.h"
#include "detect/path.h"
#include "encoder/encoder.h"
#include "relay/relay.h"
#include "route/route.h"
#include "terminal/terminal.h"
#include "tty/tty.h"

/* ---- a command and its options ------------------------------------------ */

/*
 * The description of a command: its function, its options, and the texts for help,
 * completions and checks. Each is defined in the file of the command; commands.def lists them.
 */

/* The largest payload in bytes: none of its encodings overflows a size_t. */
#define SIZE_LIMIT (SIZE_MAX / 16)

/* Strings, which are borrowed. */
struct text_list {
	const char **text;
	size_t count;
};

enum option_kind {
	OPTION_END,
	OPTION_FLAG,    /* bool */
	OPTION_TEXT,    /* const char *; of an option without values, its name */
	OPTION_LIST,    /* struct text_list: may be repeated */
	OPTION_SIZE,    /* size_t: bytes, capped at SIZE_LIMIT */
	OPTION_SECONDS, /* unsigned: milliseconds, given as 2 or 0.5 seconds */
	OPTION_SECONDS_OR_0,
	OPTION_WORD     /* unsigned: the number of one of `words`, from 1 */
};

/* How a shell completes the value. */
enum completion { COMPLETE_NOTHING, COMPLETE_FILE, COMPLETE_COMMAND };

struct option_spec {
	enum option_kind kind;
	char letter;                /* 0: none */
	const char *name;           /* without the dashes */
	const char *argument;       /* the name of its value in help; NULL: it takes none */
	const char *help;           /* a phrase, lower case, no period */
	void *value;                /* the variable for it, of this kind */
	const char *const *words;   /* NULL-terminated; for _TEXT, suggestions */
	const char *const *named;   /* those that help and completions name, or NULL for all */
	enum completion completion;
	const char *alone;          /* the value if none is given; NULL: it has to be */
	const char *not_with;       /* names of options that it excludes, separated by spaces */
	const char *variable;       /* of the environment, for its default; or NULL */
};

/* Rows for a flag, and for a value without completion. */
#define FLAG(letter, name, help, value) \
	{ OPTION_FLAG, letter, name, NULL, help, &(value), .words = NULL }
#define VALUE(kind, letter, name, argument, help, value) \
	{ kind, letter, name, argument, help, &(value), .words = NULL }

/*
 * A command line for --help and the section EXAMPLES of the manual page;
 * tests/docs/test_examples.py runs them.
 */
struct example {
	const char *line;
	const char *purpose; /* a phrase, lower case, no period */
};

enum { EXAMPLES = 2 };

/* The last two in the order of the words of --print. */
enum print_form { PRINT_NOT, PRINT_RAW, PRINT_ESC };

/* The global options, checked and parsed. */
struct globals {
	struct given given;
	bool way_given; /* --tty, --wrap or --route on the command line */
	unsigned print; /* enum print_form */
	bool json, verbose, help, version;
	char *const *line; /* all arguments of the program, NULL-terminated */
	char *words, *words_end; /* the memory of these */
};

/* In send.c; set before the command runs. */
extern struct globals globals;

/* The operands of a command. */
struct call {
	size_t count;
	char **operand; /* NULL-terminated */
};

struct command {
	const char *name;
	const char *group;          /* in the help: "Clipboard"; or NULL: it is no command */
	const char *operands;       /* "[FILE...]", or NULL */
	const char *summary;        /* a phrase, lower case, no period */
	const char *outcome;        /* "not copied", see `messages`; or NULL */
	const struct option_spec *options; /* terminated by OPTION_END; or NULL */
	/* the global options that it rejects, between spaces, and why; or NULL */
	const char *refused;
	const char *refused_why;    /* a clause: "help prints text" */
	/*
	 * Of the operands. With COMPLETE_COMMAND, here or on a flag that was given, those from
	 * index `line_at` on are a command line, at which the options end.
	 */
	enum completion completion;
	size_t line_at;
	const char *line_usage;     /* the operands in that case; or NULL */
	const char *const *words;   /* the possible operands, NULL-terminated; or NULL */
	const char *other_words;    /* other operands, for help; or NULL */
	struct example examples[EXAMPLES];
	/* returns the exit status, or dies */
	int (*run)(struct call *call);
	/*
	 * The command is called like the program of its name. Words of that begin at an operand,
	 * at `--`, and at a word with a single dash, except -h.
	 */
	bool is_program;
	/*
	 * Called first, before root becomes the user who called it; or NULL. Returns the exit
	 * status, or -1 if `run` is to be called as that user.
	 */
	int (*as_root)(struct call *call);
	/* instead of `run`, for another name of the program */
	bool single_dash_long;      /* a long option may follow a single dash */
	/* called after the options are read: sets those of the command, and its operands */
	const struct command *(*becomes)(struct call *call);
};

/*
 * Runs a NULL-terminated command, unless a signal arrived before. Dies if it cannot be run. In
 * signal_caught is then the signal that the caller should die of.
 */
struct foreground_job_end run_command(char *const *command);

/*
 * The index of `word` in a NULL-terminated list. If it is missing, dies with "unknown WHAT WORD".
 * The hint lists after `intro` the words of `named`, which are all or the common ones.
 */
size_t choose_word(const char *const *words, const char *const *named, const char *word,
    const char *intro, const char *what);

/*
 * Replaces the usual remedy where there is no terminal: what is read comes from the terminal of
 * the command, whatever --tty names.
 */
void advise_own_terminal(struct error *error, const char *operand);

/* Appends the operands, joined by spaces; a single `-` is standard input. */
void operands_read(struct buf *out, char *const *operand, size_t count);

/* ---- sending (send.c) --------------------------------------------------- */

/*
 * Sends the bytes of a command. That is to find the path and the route, to encode, to wrap, to
 * deliver or print, and to report.
 *
 * Most commands need only send_request(). Others send several times by one route, as title does,
 * or continue after a failure. They call delivery_open(), delivery_send() and delivery_report().
 * The first two return false with the reason in `error`.
 */

/*
 * Like path_find(), but succeeds without a terminal where none is needed: to print the sequence,
 * or for a desktop tool or a buffer of tmux.
 */
bool path_where_needed(struct path *path, const struct given *given, struct error *error);

/*
 * Sends the bytes of a request, which are consumed, according to the global options, and
 * prints warnings. Dies if that fails. Returns STATUS_DONE or STATUS_UNLIKELY.
 */
int send_request(const struct request *request, struct buf *bytes);

/* What is sent by one route, in one or more pieces. */
struct delivery {
	struct path path;
	struct route route;
	struct request request; /* the last one planned */
	/* bytes so far: before encoding, unless the command sets it, and as sent */
	size_t payload, sent;
};

/* Finds the path, for the options of the request. */
bool delivery_begin(struct delivery *delivery, const struct request *request, struct error *error);

/* The same, and the route of the request. */
bool delivery_open(struct delivery *delivery, const struct request *request, struct error *error);

/*
 * Plans this request on the path that was found, also after another one whose route was refused.
 * Sets `request.given` of the delivery from the global options.
 */
bool delivery_plan(struct delivery *delivery, const struct request *request, struct error *error);

/* Encodes, wraps and delivers or prints the bytes, which it replaces. */
bool delivery_send(struct delivery *delivery, struct buf *bytes, struct error *error);

/*
 * Prints the bytes to standard output, with --print=esc in readable notation. `ends`: no more
 * follow, and that notation ends with a newline.
 */
void sequences_print(const struct buf *bytes, bool ends);

/* Whether the sequence is probably lost; the warning was printed. */
bool route_is_unlikely(const struct route *route);

/*
 * Prints warnings, and the report of -v and --json on the bytes sent so far. Returns STATUS_DONE.
 * If the bytes are probably lost and --force was not given, returns STATUS_UNLIKELY.
 */
int delivery_report(const struct delivery *delivery);

/* delivery_send() and delivery_report(), or dies. */
int delivery_finish(struct delivery *delivery, struct buf *bytes);

/*
 * What each command requests, without the payload and what its options change: doctor plans the
 * same.
 */
extern const struct request color_request, copy_request, link_request, notification_request,
    paste_request, progress_request, raw_request, title_request;

/* ---- reports of several commands with -v and --json (send.c) ------------- */

/* Initializes `out` and opens an object for this command. */
void report_begin(struct buf *out);

/* Closes the object, writes it as one line to standard output, and frees `out`. */
void report_end(struct buf *out);

/* Appends " to /dev/pts/3 by --route direct, --wrap none, terminal foot: " and the reason. */
void route_describe(struct buf *out, const struct route *route, const struct path *path);

/* The members for a route. limit_bytes 0: no known limit. */
void report_route_json(struct buf *out, const struct route *route, const char *device);

/* ---- notifications (notify.c) ------------------------------------------- */

/*
 * Notifications of notify and run: options, choice of the protocol, the bell, sending.
 *
 * The protocol is the first of OSC 99, 777 and 9 that the terminal supports. An unknown terminal
 * is identified and queried for OSC 99 if possible and allowed. If it stays unknown, it gets OSC 9
 * with a warning: most terminals show that, and the others ignore it, as far as is known. If the
 * terminal supports no notifications, only --bell has an effect.
 *
 * --when depends on the focus. The terminal decides for its window, but only tmux knows which pane
 * it shows. A notification from a pane that is not active is always shown, with the window in
 * its title. For the active pane, a terminal with OSC 99 decides. To any other it is sent
 * unless tmux reports that the terminal has the focus.
 *
 * --bell rings the bell, and --no-bell prevents it. By default it replaces a notification that is
 * not shown or probably lost, but only in tmux, Screen and Zellij, which mark the window. A pane
 * with the focus needs no mark. The bell goes to the nearest of these, or to the terminal, by a
 * route of its own.
 */

/* The values of the rows of notification.def. */
extern struct notify_options {
	struct notification n;
	bool bell, no_bell;
} notify_options;

/*
 * Sends the queries of notification_send() now, and none from now on: after a command they would
 * take keys that were typed ahead for the shell.
 */
void notification_ask(void);

/*
 * Shows the notification of the options and rings the bell, unless --when excludes it. Fails
 * like delivery_open(), or with STATUS_REFUSED if the terminal supports no notifications; succeeds
 * with a warning if --bell rang instead. Then `*status` is that of delivery_report().
 */
bool notification_send(int *status, struct error *error);

/* ---- options of copy and paste ------------------------------------------ */

/* Also set under other names of the program. */
extern struct clipboard_options {
	bool trim_newline, primary;
	const char *selections, *type;
	size_t max;
	/* of copy */
	struct text_list strings;
	bool clear, allow_empty, tee, from_tmux;
	/* of paste */
	bool add_newline, raw_output, list_types, prompt, no_prompt;
	bool fail_if_empty; /* like the desktop, which then has no selection */
	bool silent;        /* say nothing where no terminal controls this process */
} clipboard_options;

/*
 * The letters that --selection or --primary names. Dies if one is unknown, or if there are more
 * than `most`.
 */
const char *clipboard_selections(size_t most);

/*
 * With --from-tmux: shows the last message in the status line of tmux, a warning only once. At
 * exit, because options and variables are checked before the command runs.
 */
void copy_tell_tmux(void);

/*
 * When a paste may ask the user for the terminal's own key: somebody has to see it, who may use
 * the terminal. Dies if --prompt demands it where that is not so.
 */
enum prompt paste_prompt(void);

/* ---- commands whose copies are delivered (relay.c) ----------------------- */

/*
 * The words of an ssh over whose connection pictures go, by the socket. Unchanged, with a warning,
 * if that cannot be.
 */
typedef char *const *relay_share(char *const *command, const char **socket);

/*
 * Runs the NULL-terminated command, and delivers the copies in its output as `viatty copy` would
 * here. Its notifications are shown in the name of `host`, which may be NULL. Pictures are sent to
 * it unless `share` is NULL. Returns its exit status. Where a relay is impossible or of no use,
 * executes the command instead of this program. Dies if it cannot be run.
 */
int relay_command(char *const *command, const char *host, relay_share *share);

/*
 * Copies of the words of a command line between others, `after` being one or NULL; all
 * NULL-terminated. relay_command() overwrites those of the program.
 */
char **join_words(const char *const *before, char *const *words, const char *after);

/* Executes the NULL-terminated command instead of this program. Dies if it cannot be run. */
_Noreturn void command_execute(char *const *command);

/* ---- MIME types of copy and paste (copy.c) ------------------------------ */

/* Types for completions, NULL-terminated. */
extern const char *const mime_words[];

/* Whether it means text, by its name in MIME or X11, whatever its charset. */
bool mime_is_text(const char *type);

/* The type of a request, NULL for one that means text. Dies if it is not a MIME type. */
const char *mime_of_data(const char *type);

#endif
