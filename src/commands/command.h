/* SPDX-License-Identifier: MIT */
/*
 * What a command is. Each declares itself in its own file: options and all
 * that help, completions and checks need to know; commands.def lists them.
 */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

#include "base/error.h"
#include "encoder/encoder.h"
#include "route/plan.h"
#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

enum option_kind {
	OPTION_END,
	OPTION_FLAG,    /* bool */
	OPTION_NAME,    /* const char *: which of several flags was given */
	OPTION_TEXT,    /* const char * */
	OPTION_LIST,    /* struct text_list: may be given often */
	OPTION_SIZE,    /* size_t: bytes */
	OPTION_SECONDS, /* unsigned, milliseconds; written as 2 or 0.5 */
	OPTION_WORD,    /* const char *: one of `words` */
	OPTION_MAYBE_WORD /* the same, and the first of them if none is given */
};

/* What a text's value completes to in a shell. */
enum completion { COMPLETE_NOTHING, COMPLETE_FILE, COMPLETE_TERMINAL,
	COMPLETE_COMMAND };

struct option_spec {
	enum option_kind kind;
	char letter;                /* 0: none */
	const char *name;           /* without the dashes */
	const char *argument;       /* its value's name in help; NULL for a flag */
	const char *help;           /* a phrase, lower case, no full stop */
	void *value;                /* where it goes; its kind says which type */
	const char *const *words;   /* ended by NULL; of a text: suggestions */
	enum completion completion;
};

/* Rows of the two most frequent kinds: a flag, and a value that completes to nothing. */
#define FLAG(letter, name, help, value) \
	{ OPTION_FLAG, letter, name, NULL, help, &(value), NULL, COMPLETE_NOTHING }
#define VALUE(kind, letter, name, argument, help, value) \
	{ kind, letter, name, argument, help, &(value), NULL, COMPLETE_NOTHING }

struct text_list {
	const char **text; /* borrowed from the command line */
	size_t count;
};

enum print_form { PRINT_NOT, PRINT_RAW, PRINT_ESC, PRINT_HEX };

/* The options every command takes, checked and in their own terms. */
struct globals {
	const char *tty;
	bool way_given; /* a --tty, --wrap or --route, not only a variable */
	const struct chain *chain; /* NULL: auto */
	enum route_kind route;
	const struct terminal *terminal; /* NULL: not said */
	const char *terminal_name;       /* the name given by --term */
	unsigned timeout_ms;             /* 0: not said */
	enum print_form print;
	bool json, force, quiet, verbose;
	bool probe; /* the terminal may be asked what it is */
};

/* One call of a command. */
struct call {
	const struct command *command;
	const struct globals *globals;
	const char *title; /* "viatty copy" or the name it was called by */
	const char *verdict; /* as in struct command; a command may change it */
	size_t count;      /* operands */
	char **operand;
	int signal;        /* out: one that came meanwhile, to die of at the end */
	int status;        /* out: of a program that was run, to be ours; else 0 */
	enum route_kind taken; /* out: the route of send_message() */
};

struct command {
	const char *name;
	const char *operands;       /* "[FILE...]", or NULL */
	const char *summary;        /* a phrase, lower case, no full stop */
	const char *verdict;        /* what an error means: "not copied"; or NULL */
	const struct option_spec *options; /* ended by OPTION_END */
	enum completion completion; /* of the operands */
	const char *const *words;   /* what an operand can be, ended by NULL; or NULL */
	/* The first operand ends the options: the rest is a command line. */
	bool takes_command;
	/* False: the error says why and gives the exit status. */
	bool (*run)(struct call *call, struct error *error);
};

/* All of them, in the order of the help; NULL ends them. */
extern const struct command *const commands[];

/* The command of that name, or NULL. */
const struct command *command_find(const char *name);

#endif
