/* SPDX-License-Identifier: MIT */
/*
 * What is known of desktops and of the programs that reach their clipboard and their
 * notifications. Layer terminal/: pure; the facts are the rows of desktops.def and
 * desktop_tools.def.
 */
#ifndef TERMINAL_DESKTOP_TOOL_H
#define TERMINAL_DESKTOP_TOOL_H

#include <stdbool.h>
#include <stddef.h>

enum desktop_id {
#define DESKTOP(ID, ...) DESKTOP_##ID,
#include "terminal/desktops.def"
#undef DESKTOP
	DESKTOPS
};

enum { DESKTOP_VARIABLES = 2 };

struct desktop_kind {
	const char *name;
	/* The first names the desktop; with the others its programs find it. */
	const char *variables[DESKTOP_VARIABLES];
	const char *install; /* what to do where none of its programs is found */
};

/* What a program of the desktop can be run for. */
enum desktop_action {
	DESKTOP_COPY, DESKTOP_COPY_PRIMARY, DESKTOP_CLEAR, DESKTOP_CLEAR_PRIMARY,
	DESKTOP_PASTE, DESKTOP_PASTE_PRIMARY, DESKTOP_LIST, DESKTOP_LIST_PRIMARY,
	DESKTOP_NOTIFY,
	DESKTOP_ACTIONS
};

struct desktop_tool {
	const char *program;
	unsigned char desktop; /* enum desktop_id */
	/* it leaves a process behind that serves the selection */
	bool serves;
	/* The arguments by what it is run for; NULL: it cannot. */
	const char *arguments[DESKTOP_ACTIONS];
	/* Of a copy; any where the row says nothing. */
	unsigned char bytes; /* enum clipboard_bytes */
	/* The option that a MIME type follows, NULL: text only; and the one for text. */
	const char *type, *text;
	/* it offers data of a type text/... as plain text, too */
	bool adds_plain_text;
	const char *empty[4];
	/* The options of a notification, NULL: none; and what ends them. */
	const char *urgency, *application, *expire, *end;
	bool markup; /* its body is markup, and a backslash begins an escape */
};

/* How many there are. */
enum {
	DESKTOP_TOOLS = 0
#define TOOL(...) + 1
#include "terminal/desktop_tools.def"
#undef TOOL
};

/* The tool of this number, or NULL. */
const struct desktop_tool *desktop_tool_at(size_t i);

/* The arguments for `action`, words that each end in a NUL, or NULL. */
const char *desktop_tool_arguments(const struct desktop_tool *tool,
    enum desktop_action action);

const struct desktop_kind *desktop_kind(enum desktop_id id);

#endif
