/* SPDX-License-Identifier: MIT */
/*
 * The description of a command: its function, its options, and what help, completions and
 * checks need. Each command defines its own in its file; commands.def lists them.
 */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

#include "base/error.h"
#include "encoder/encoder.h"
#include "route/plan.h"
#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes: no payload is larger, and none of its encodings overflows a size_t. */
#define SIZE_LIMIT (SIZE_MAX / 16)

enum option_kind {
	OPTION_END,
	OPTION_FLAG,    /* bool */
	OPTION_NAME,    /* const char *: which of several flags was given */
	OPTION_TEXT,    /* const char * */
	OPTION_LIST,    /* struct text_list: may be repeated */
	OPTION_SIZE,    /* size_t: bytes, at most SIZE_LIMIT; a larger number is that */
	OPTION_SECONDS, /* unsigned, milliseconds; written as 2 or 0.5 */
	OPTION_WORD,    /* const char *: one of `words` */
	OPTION_MAYBE_WORD /* the same, with an optional value: by default the first */
};

/* What a shell completes as the value. */
enum completion { COMPLETE_NOTHING, COMPLETE_FILE, COMPLETE_TERMINAL,
	COMPLETE_COMMAND };

struct option_spec {
	enum option_kind kind;
	char letter;                /* 0: none */
	const char *name;           /* without the dashes */
	const char *argument;       /* its value's name in help; NULL for a flag */
	const char *help;           /* a phrase, lower case, no full stop */
	void *value;                /* where it is stored; `kind` gives the type */
	const char *const *words;   /* ended by NULL; _TEXT, _LIST: suggestions */
	enum completion completion;
};

/* Rows for a flag, and for a value without completion. */
#define FLAG(letter, name, help, value) \
	{ OPTION_FLAG, letter, name, NULL, help, &(value), NULL, COMPLETE_NOTHING }
#define VALUE(kind, letter, name, argument, help, value) \
	{ kind, letter, name, argument, help, &(value), NULL, COMPLETE_NOTHING }

/*
 * A command line as a person would type it. They end the text of --help, open the section
 * EXAMPLES of the manual page, and are run by tests/docs/test_examples.py.
 */
struct example {
	const char *line;
	const char *purpose; /* a phrase, lower case, no full stop */
};

enum { EXAMPLES = 2 };

struct text_list {
	const char **text; /* borrowed from the command line */
	size_t count;
};

enum print_form { PRINT_NOT, PRINT_RAW, PRINT_ESC, PRINT_HEX };

/* The global options, checked and parsed. */
struct globals {
	const char *tty;
	bool way_given; /* --tty, --wrap or --route on the command line */
	const struct chain *chain; /* NULL: auto */
	enum route_kind route;
	const struct terminal *terminal; /* --term, or NULL */
	const char *terminal_name;       /* the name given by --term */
	unsigned timeout_ms;             /* 0: not given */
	enum print_form print;
	bool json, force, quiet, verbose;
	bool probe; /* queries to identify the terminal are allowed */
};

/* One call of a command. */
struct call {
	const struct command *command;
	const struct globals *globals;
	const char *title; /* for messages: "viatty copy", or the name of an alias */
	const char *verdict; /* as in struct command; a command may change it */
	/* argv of the other program that it was called as, ended by NULL; or NULL */
	char *const *original;
	size_t count;      /* operands */
	char **operand;
	int signal;        /* out: one that arrived, to be raised again at exit */
	int status;        /* out: exit status of a command that was run; else 0 */
	enum route_kind taken; /* out: the route of send_message() */
};

struct command {
	const char *name;
	const char *operands;       /* "[FILE...]", or NULL */
	const char *summary;        /* a phrase, lower case, no full stop */
	const char *verdict;        /* what an error means: "not copied"; or NULL */
	const struct option_spec *options; /* ended by OPTION_END */
	/* the global options that it does not take, ended by NULL, and why; or NULL */
	const char *const *refused;
	const char *refused_why;    /* a clause: "help prints text" */
	/*
	 * Of the operands. COMPLETE_COMMAND, here or on a flag that was given: from operand
	 * `line_at` on, counted from 0, they are a command line.
	 */
	enum completion completion;
	size_t line_at;
	const char *line_usage;     /* the operands in that case; or NULL */
	const char *const *words;   /* the possible operands, ended by NULL; or NULL */
	const char *other_words;    /* what the operand may be besides, for help; or NULL */
	struct example examples[EXAMPLES];
	/* the first operand ends the options: the rest is a command line */
	bool takes_command;
	/* false: `error` has the message and the exit status */
	bool (*run)(struct call *call, struct error *error);
};

/* A variable that stands for a global option. */
struct option_variable {
	const char *name;
	const char *option; /* replaced where it is not given, nor is `unless` */
	const char *unless;
	const char *value;  /* what stands for a value in messages */
};

/* Ended by a name of NULL. */
extern const struct option_variable option_variables[];

/* All commands in the order of the help, ended by NULL. */
extern const struct command *const commands[];

/* The command of that name, or NULL. */
const struct command *command_find(const char *name);

/* Whether it takes this global option. */
bool command_takes(const struct command *command, const struct option_spec *option);

#endif
