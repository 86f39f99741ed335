/* SPDX-License-Identifier: MIT */
/*
 * __finished: notifies that a slow command line has finished, unless the user was interacting
 * with a program in it. For the hooks of setup bash, zsh and fish, which measure the time; no help
 * or completion names it. Standard input is the line to show, or an empty one for a line that
 * is hidden from the history, and then the same as the shell has run it, without aliases.
 */
#include "commands/command.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- the programs ------------------------------------------------------- */

/* Values of `when` besides a number of operands: see interactive.def. */
enum { NEVER = -1, ALWAYS = 100, ENDED = 101, WRAPPER = 200 };
#define WRAPS(operands) (WRAPPER + (operands))

/* Arrays, because each pointer in a table would be relocated at every start of viatty. */
struct row {
	char names[400];
	short when;
	char values[24], batch[8], person[8];
};

static const struct row rows[] = {
#define PROGRAM(when, values, batch, person, names) \
	{ names, when, values, batch, person },
#include "commands/interactive.def"
#undef PROGRAM
}, unknown = { "", NEVER, "", "", "" };

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static const char long_options[] = "command detach edit eval execute file follow interactive "
    "message patch print shell stdin tty wait";

/* Without digits and dots at the end of the name, if it is not found with them. */
static const struct row *
find_row(const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < ROWS; i++)
		if (text_lists(rows[i].names, name, n))
			return &rows[i];
	return n > 0 && (text_is_digit(name[n - 1]) || name[n - 1] == '.') ?
	    find_row(name, n - 1) : &unknown;
}

/* ---- the command line --------------------------------------------------- */

/* A line, for all its commands. */
struct line {
	/* the variables of the user, or NULL */
	const char *ignored, *only; /* the first is used instead of the rows, unless `adds` */
	bool adds;
	char first[64]; /* the first program, or "" */
};

/* A simple command, as far as it has been read. */
struct simple {
	const struct row *row;  /* NULL: no program yet */
	char name[64];          /* with the operands that may be subcommands */
	int names, operands;    /* how many were read */
	bool value, target;     /* the next word is that of an option, or of a redirection */
	bool input;             /* standard input is not that of the shell */
	bool batch, person;     /* such an option was given */
	bool ignored, only;     /* named by the user */
};

/* Looks up the name as it is now; a subcommand without a row leaves that of the program. */
static void
look_up(const struct line *line, struct simple *command)
{
	size_t n = strlen(command->name);
	const struct row *row = find_row(command->name, n);

	if (command->row == NULL || row != &unknown) {
		command->row = row;
		command->operands = 0;
		command->batch = command->person = false;
	}
	command->ignored = command->ignored || text_lists(line->ignored, command->name, n);
	command->only = command->only || text_lists(line->only, command->name, n);
}

static void
read_options(struct simple *command, const char *word)
{
	const struct row *row = command->row;
	size_t dashes = word[1] == '-' ? 2 : 1, n = strcspn(word + 1, "=");

	if (dashes == 2 && !text_lists(long_options, word + 2, n - 1))
		return;
	/* of a long option, only its first letter */
	for (word += dashes, n = dashes == 2 ? 1 : n; n > 0 && *word != '\0'; n--, word++) {
		command->batch = command->batch || strchr(row->batch, *word) != NULL;
		command->person = command->person || strchr(row->person, *word) != NULL;
		if (strchr(row->values, *word) == NULL)
			continue;
		command->value = word[1] == '\0';
		return;
	}
}

static void
read_word(struct line *line, struct simple *command, const char *word)
{
	const struct row *row = command->row;
	const char *slash = strrchr(word, '/');
	bool ahead = row == NULL || row->when >= WRAPPER;
	size_t variable = strspn(word, TEXT_ALNUM "_");
	char joined[sizeof(command->name)];

	if (command->target || command->value) {
		command->value = command->value && command->target;
		command->target = false;
	} else if (word[0] == '-' && word[1] != '\0' && row != NULL) {
		/* what follows the operands belongs to another program */
		if (row->when < 0 || row->when >= ALWAYS || command->operands <= row->when)
			read_options(command, word);
	} else if (ahead && variable > 0 && word[variable] == '=') {
		return;
	} else if (ahead && row != NULL && command->operands < row->when - WRAPPER) {
		command->operands++;
	} else if (ahead) {
		text_format(command->name, sizeof(command->name), "%s",
		    slash != NULL && slash[1] != '\0' ? slash + 1 : word);
		command->row = NULL;
		command->names = 1;
		look_up(line, command);
	} else {
		command->operands++;
		if (command->names++ <= 2) {
			text_format(joined, sizeof(joined), "%s-%s", command->name, word);
			text_copy(command->name, sizeof(command->name), joined);
			look_up(line, command);
		}
	}
	if (ahead && line->first[0] == '\0' && command->row != NULL &&
	    command->row->when < WRAPPER)
		text_copy(line->first, sizeof(line->first), command->name);
}

/* Whether the user was interacting with the program. */
static bool
was_used(const struct line *line, const struct simple *command, int status)
{
	const struct row *row = command->row;

	if (command->ignored || row == NULL || (line->ignored != NULL && !line->adds))
		return command->ignored;
	if (row->when == ENDED)
		return status == 0 && !command->batch;
	if (row->when == ALWAYS || command->batch)
		return !command->batch;
	return !command->input && (command->person ||
	    (row->when < WRAPPER && command->operands <= row->when));
}

/*
 * Whether the line does not notify. Reads enough of the syntax of sh and fish to find the
 * programs: words, quotation marks, redirections, and what separates commands. The lines of a
 * here-document count as commands.
 */
static bool
is_left_out(struct line *line, const char *at, int status)
{
	static const char ends[] = " \t\n;&|()<>`";
	struct simple command = { .row = NULL };
	char word[128], quote = '\0';
	size_t n = 0;
	bool begun = false, used = false, named = false, piped;

	for (;; at++) {
		if (*at != '\0' && quote != '\0' && *at == quote) {
			quote = '\0';
		} else if (quote == '\0' && (*at == '\'' || *at == '"')) {
			quote = *at;
			begun = true;
		} else if (*at != '\0' && (quote != '\0' || strchr(ends, *at) == NULL)) {
			at += *at == '\\' && quote != '\'' && at[1] != '\0';
			/* a backslash at the end of a line joins it and the next one */
			if (*at == '\n' && quote == '\0')
				continue;
			word[n] = *at;
			n += n < sizeof(word) - 1;
			begun = true;
		} else {
			word[n] = '\0';
			/* the number in 2>file is no word */
			if (begun && ((*at != '<' && *at != '>') || n == 0 ||
			    word[strspn(word, "0123456789")] != '\0'))
				read_word(line, &command, word);
			begun = false;
			n = 0;
			if (*at == '<' || *at == '>') {
				command.input = command.input || (*at == '<' && at[1] != '(');
				at += strspn(at + 1, "<>&|");
				command.target = at[1] != '(';
			} else if (*at != ' ' && *at != '\t' && !text_begins(at, "&>")) {
				used = used || was_used(line, &command, status);
				named = named || command.only;
				piped = *at == '|' && at[1] != '|';
				at += *at == '|' && (at[1] == '|' || at[1] == '&');
				command = (struct simple){ .input = piped };
			}
			if (*at == '\0')
				return line->only != NULL ? !named : used;
		}
	}
}

/* ---- the command -------------------------------------------------------- */

static const struct option_spec options[] = {
#include "commands/notification.def"
	{ .kind = OPTION_END }
};

static int
finished_run(struct call *call)
{
	enum { TEXT_MAX = 64 * 1024, LONG = 1000000000, OF_SIGNAL = 128 };
	struct notification *n = &notification_options.n;
	struct line line = { .ignored = environment_get("VIATTY_NOTIFY_IGNORE"),
		.only = environment_get("VIATTY_NOTIFY_ONLY") };
	struct error error = { .status = STATUS_DONE };
	static struct buf body = BUF_EMPTY;
	unsigned long status, seconds;
	static struct buf text;
	const char *shown, *end;
	int number;

	if (call->count != 2 || !text_number(call->operand[0], 255, &status) ||
	    !text_number(call->operand[1], LONG, &seconds))
		die(STATUS_USAGE, "takes a status and the seconds that the command took");
	notification_check();
	line.adds = text_begins(line.ignored, "+");
	if (line.adds)
		line.ignored++;
	if (line.only != NULL && line.only[strspn(line.only, " \t\n")] == '\0')
		line.only = NULL;

	buf_init(&text, TEXT_MAX);
	stream_read_text(&text);
	text.max = BUF_NO_LIMIT;
	buf_add(&text, "", 1);
	shown = (char *)text.data;
	n->title = (struct notification_text){ shown, strcspn(shown, "\n") };
	end = shown + n->title.size;
	number = (int)status - OF_SIGNAL;
	/* after Ctrl-C or Ctrl-Z the user needs no notification */
	if (number == SIGINT || number == SIGTSTP || number == SIGSTOP || number == SIGTTIN ||
	    number == SIGTTOU || is_left_out(&line, *end != '\0' ? end + 1 : shown, (int)status))
		return STATUS_DONE;
	if (n->title.size == 0) {
		shown = line.first[0] != '\0' ? line.first : "a command";
		n->title = (struct notification_text){ shown, strlen(shown) };
	}
	command_outcome(&body, (int)status, (long long)seconds * 1000);
	n->body = (struct notification_text){ (char *)body.data, body.len };
	if (n->when == NULL)
		n->when = "unfocused";
	if (!notification_send(&error))
		die_of(&error);
	return STATUS_DONE;
}

const struct command command_finished = {
	.name = "__finished",
	.group = "Notify",
	.summary = "notify of a command line that the shell has run",
	.verdict = "not shown",
	.options = options,
	.run = finished_run,
};
