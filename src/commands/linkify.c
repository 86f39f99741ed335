/* SPDX-License-Identifier: MIT */
/* linkify: adds hyperlinks to the output of other programs (OSC 8). */
#include "commands/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct linkify linkify;
static struct text_list rules;

static const struct option_spec options[] = {
	VALUE(OPTION_LIST, 'e', "rule", "RULE",
	    "link matches of REGEX=TEMPLATE (may be repeated)", rules),
	FLAG('s', "strip", "remove hyperlinks instead", linkify.strip),
	LINK_OPTIONS,
	{ .kind = OPTION_END }
};

enum {
	PIECE = 2 * LINKIFY_LINE_MAX,
	/* an incomplete line, such as a prompt, is written after this time */
	PATIENCE_MS = 200
};

/* ---- files -------------------------------------------------------------- */

/*
 * The relative path to the top of git's working tree, such as "../../", for `git diff |
 * viatty linkify` in a subdirectory; "" at the top, or outside a working tree. In a linked
 * working tree and in a submodule, .git is a file.
 */
static const char *
way_to_top(void)
{
	enum { LEVELS = 32, WAY = 3 * LEVELS };
	static char way[WAY + sizeof(".git")];
	struct stat st;
	size_t n;

	for (n = 0; n <= WAY; n += 3) {
		memcpy(way + n, ".git", sizeof(".git"));
		if (stat(way, &st) == 0) {
			way[n] = '\0';
			return way;
		}
		memcpy(way + n, "../", 3);
	}
	way[0] = '\0';
	return way;
}

/*
 * The last path looked up and its absolute form, empty if it is no file: grep and compilers
 * name a file again and again.
 */
static struct {
	char path[PATH_MAX];
	bool from_top;
	struct buf absolute;
} last = { .absolute = BUF_EMPTY };

static bool
look_up(const char *folder, const char *path)
{
	char joined[PATH_MAX];
	struct stat st;

	if (folder[0] != '\0') {
		if (snprintf(joined, sizeof(joined), "%s%s", folder, path) >= PATH_MAX)
			return false;
		path = joined;
	}
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	link_absolute(&last.absolute, path);
	return true;
}

/*
 * git starts the pager at the top of the working tree, and exports the directory where it
 * was called as GIT_PREFIX (setup.c). git grep prints paths relative to that directory, git
 * diff relative to the top.
 */
static const char *git_prefix;

static bool
find_file(const char *path, bool from_top, struct buf *absolute)
{
	const char *other = git_prefix;

	if (linkify.output.format == NULL)
		return false;
	if (from_top != last.from_top || strcmp(path, last.path) != 0) {
		text_copy(last.path, sizeof(last.path), path);
		last.from_top = from_top;
		last.absolute.len = 0;
		if (other == NULL || path[0] == '/')
			other = "";
		if (other[0] == '\0' && from_top)
			other = way_to_top();
		if (!look_up(from_top ? "" : other, path) && other[0] != '\0')
			look_up(from_top ? other : "", path);
	}
	return last.absolute.len > 0 &&
	    buf_add(absolute, last.absolute.data, last.absolute.len);
}

/* ---- the stream --------------------------------------------------------- */

static bool plain; /* only copy the input */
static struct buf in, out = BUF_EMPTY;

static void
filter(enum ending ending)
{
	size_t n;

	/* a file may have been made since */
	if (last.absolute.len == 0)
		last.path[0] = '\0';
	n = plain ? in.len : linkify_feed(&linkify, in.data, in.len, ending, &out);
	stream_output(plain ? in.data : out.data, plain ? in.len : out.len);
	out.len = 0;
	in.len -= n;
	memmove(in.data, in.data + n, in.len);
}

static void
pass_file(const char *name)
{
	bool standard = strcmp(name, "-") == 0;
	struct quoted quoted = text_quote(name);
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	ssize_t n;

	if (!standard)
		p.fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (p.fd < 0)
		die(STATUS_FAILED, "cannot open %s: %s", quoted.text, strerror(errno));
	do {
		if (in.len > 0 && wait_on(&p, 1, PATIENCE_MS) == 0)
			filter(ENDING_PAUSE);
		n = stream_read(p.fd, &in);
		if (n < 0)
			die(STATUS_FAILED, "cannot read %s: %s",
			    standard ? "standard input" : quoted.text, strerror(errno));
		filter(ENDING_OPEN);
	} while (n > 0);
	if (!standard)
		close(p.fd);
}

/* The rules are compiled even if they are not needed, to always report errors. */
static void
add_rules(void)
{
	const char *variable = environment_get("VIATTY_LINKIFY_RULES");
	char *line, *rest;
	size_t i;

	for (i = 0; i < rules.count; i++)
		linkify_add_rule(&linkify, rules.text[i], "");
	if (variable == NULL)
		return;
	rest = strcpy(memory(NULL, strlen(variable) + 1), variable);
	while ((line = strtok_r(rest, "\n", &rest)) != NULL)
		linkify_add_rule(&linkify, line, "VIATTY_LINKIFY_RULES in the environment: ");
}

static int
linkify_run(struct call *call)
{
	size_t i;

	if (globals.print == PRINT_ESC)
		die(STATUS_USAGE, "linkify cannot be used with --print=esc");
	link_decide(&linkify.output, true);
	plain = !linkify.strip && !linkify.output.shown;
	linkify.find = find_file;
	git_prefix = environment_get("GIT_PREFIX");
	linkify_begin(&linkify);
	add_rules();
	if (call->count == 0 && isatty(STDIN_FILENO))
		die(STATUS_USAGE, "nothing to read: standard input is a terminal\n"
		    "pipe the output of a program in, or name a file");

	buf_init(&in, PIECE);
	buf_reserve(&in, PIECE);
	if (call->count == 0)
		pass_file("-");
	for (i = 0; i < call->count; i++)
		pass_file(call->operand[i]);
	filter(ENDING_LINE);
	return STATUS_DONE;
}

const struct command command_linkify = {
	.name = "linkify",
	.group = "Terminal",
	.operands = "[FILE...]",
	.summary = "add hyperlinks to the output of other programs",
	.options = options,
	.refused = (const char *const[]){ "tty", "wrap", "route", "json", NULL },
	.refused_why = "standard output carries the links",
	.completion = COMPLETE_FILE,
	.examples = {
		{ "make 2>&1 | viatty linkify", "click compiler errors" },
		{ "grep -rn TODO src | viatty linkify --format vscode",
		    "open search results in an editor" },
	},
	.run = linkify_run,
};
