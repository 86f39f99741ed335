/* SPDX-License-Identifier: MIT */
/* raw --filter: the output of a program, with the sequences in it wrapped. */
#ifndef COMMANDS_RAW_FILTER_H
#define COMMANDS_RAW_FILTER_H

#include "commands/command.h"

#include <stdbool.h>

/*
 * Passes standard input to the terminal, which needs no more memory for more input: see
 * encoder/wrap_stream.h. Where wrapped sequences are known to be dropped, or are too
 * long, the text passes without them. False: STATUS_REFUSED for that, at the end;
 * STATUS_USAGE for operands or `escapes` (--escapes).
 */
bool raw_filter(struct call *call, bool escapes, struct error *error);

#endif
