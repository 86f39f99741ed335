/* SPDX-License-Identifier: MIT */
/*
 * Shared by link and linkify: whether hyperlinks are printed, and the URL of a position
 * in a file.
 */
#ifndef COMMANDS_LINK_OUTPUT_H
#define COMMANDS_LINK_OUTPUT_H

#include "base/buf.h"
#include "commands/command.h"
#include "route/hyperlink_support.h"

#include <stdbool.h>
#include <stddef.h>

/* The values of the shared options, whose rows are LINK_OPTIONS. */
struct link_options {
	const char *when, *format, *host;
};

extern const char *const when_words[];

#define LINK_OPTIONS(opt)                                                     \
	{ OPTION_WORD, 0, "when", "WHEN",                                       \
	    "make hyperlinks: auto (where they work), always, never",           \
	    &(opt).when, when_words, COMPLETE_NOTHING },                        \
	{ OPTION_TEXT, 0, "format", "FORMAT",                                   \
	    "file URL: an editor's name, or with {path} {line} {col}",          \
	    &(opt).format, editor_words, COMPLETE_NOTHING },                    \
	{ OPTION_TEXT, 0, "host", "NAME",                                       \
	    "host in file URLs (default: this host), or none",                  \
	    &(opt).host, NULL, COMPLETE_NOTHING }

/* How hyperlinks are printed. */
struct link_output {
	struct hyperlinks links;
	const char *format; /* URL template for positions in files */
	char host[256];
};

/*
 * Checks the options and decides. --when goes before FORCE_HYPERLINK, and that
 * before what is found at standard output, which is asked about nothing; with
 * --print it counts as a terminal. False: STATUS_USAGE, also for global options
 * that say where to send: links are text.
 */
bool link_output_decide(struct link_output *target, const struct link_options *options,
    struct call *call, struct error *error);

/*
 * Adds the absolute form of a path: `..` is resolved as the files are, for who
 * follows the link resolves it in the text. False: no room.
 */
bool link_output_absolute(struct buf *out, const char *path);

#endif
