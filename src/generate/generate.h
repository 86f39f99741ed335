/* SPDX-License-Identifier: MIT */
/*
 * The generator, a program of its own for `make generated`: it fills templates from the
 * tables of viatty.
 */
#ifndef GENERATE_GENERATE_H
#define GENERATE_GENERATE_H

#include "cli/aliases.h"
#include "cli/cli.h"
#include "cli/help.h"
#include "generate/template.h"
#include "terminal/terminal.h"

#include <stddef.h>

extern const struct placeholder bash_placeholders[], zsh_placeholders[],
    fish_placeholders[], terminals_placeholders[], multiplexers_placeholders[];

/* Whether the values of this option are known. */
bool has_choices(const struct option_spec *option);

/* The flag with which the operands of the command end in a command line, or NULL. */
const struct option_spec *command_line_flag(const struct command *command);

/* Whether they can do so. */
bool has_command_line(const struct command *command);

/* These print to standard output, the words with a blank between. */
void put_words(const char *const *words);
void put_choices(const struct option_spec *option);
void put_commands(void);
void put_program_words(void);

/* The tables as lines of fields with tabs between, for the checks in tests/docs. */
void put_table(void);

/* ---- mdoc --------------------------------------------------------------- */

/* A paragraph as lines of few columns, none of which roff takes for a request. */
void put_paragraph(const char *text);

/* The features from first to last with their meanings. */
void put_features(enum feature first, enum feature last);

/* Row i: its cells, FEATURE_COUNT of them, and its first column. NULL at the end. */
typedef const struct terminal_support *support_rows(size_t i, const char **label);

/* A table of these features. `width` is as long as the longest label. */
void put_support(const char *heading, const char *width, support_rows *row_at,
    enum feature first, enum feature last);

/* A sentence for each feature whose older versions do something else than ignoring it. */
void put_changes(const struct terminal_support *row);

/* The routes of a copy: a row for each place, a column for each kind of terminal. */
void put_copies(void);

/* A line as it is, backslashes included. */
void put_literal(const char *line);

/* The settings, at most `most`; the features that one line enables are named together. */
void put_settings(const struct feature_setting *settings, size_t most);

#endif
