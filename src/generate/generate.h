/* SPDX-License-Identifier: MIT */
/*
 * The generator's parts: each fills one template from the tables. Not part of
 * viatty: a program of its own for `make generated`.
 */
#ifndef GENERATE_GENERATE_H
#define GENERATE_GENERATE_H

#include "cli/aliases.h"
#include "cli/cli.h"
#include "generate/template.h"

/* The name that stands for one command, osc52, and the command. */
#define alias_name (aliases[0].name)
#define alias_command (aliases[0].command)

extern const struct placeholder bash_placeholders[], zsh_placeholders[],
    fish_placeholders[];

/* Whether the values of this option are known. */
bool has_choices(const struct option_spec *option);

/* These print to standard output, the words with a blank between. */
void put_words(const char *const *words);
void put_choices(const struct option_spec *option);
void put_commands(void);
void put_alias(void);
void put_alias_command(void);

/* The tables as lines of fields with tabs between, for the checks in tests/docs. */
void put_table(void);

/* viatty-terminals(7) as mdoc. */
void put_terminals_page(void);

#endif
