/* SPDX-License-Identifier: MIT */
/* linkify: adds hyperlinks to the output of other programs (OSC 8). */
#include "commands/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	struct text_list rules;
	bool strip;
} opt;

static const struct option_spec options[] = {
	VALUE(OPTION_LIST, 0, "rule", "RULE",
	    "link matches of REGEX=TEMPLATE (may be repeated)", opt.rules),
	FLAG(0, "strip", "remove hyperlinks instead", opt.strip),
	LINK_OPTIONS,
	{ .kind = OPTION_END }
};

enum {
	PIECE = 2 * LINKIFY_LINE_MAX,
	/* an incomplete line, such as a prompt, is written after this time */
	PATIENCE_MS = 200
};

/* ---- files -------------------------------------------------------------- */

enum { LEVELS = 32, WAY = 3 * LEVELS, WAY_SIZE = WAY + sizeof(".git") };

/*
 * Finds the relative path to the top of git's working tree, such as "../../", for `git diff |
 * viatty linkify` in a subdirectory; "" at the top, or outside a working tree. In a linked
 * working tree and in a submodule, .git is a file.
 */
static const char *
find_top(char way[WAY_SIZE])
{
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

struct files {
	/*
	 * git starts the pager at the top of the working tree, and exports the directory where
	 * it was called (setup.c); NULL: not called by git.
	 */
	const char *prefix;
	const char *top; /* of the working tree, or NULL if it was not needed yet */
	char way[WAY_SIZE];
	/*
	 * The last path looked up and its absolute form, empty if it is no file: grep and
	 * compilers name a file again and again.
	 */
	char path[PATH_MAX];
	bool from_top;
	struct buf absolute; /* with a NUL */
};

static bool
look_up(struct files *files, const char *folder, const char *path)
{
	const char *home = path[0] == '~' && path[1] == '/' ? environment_get("HOME") : NULL;
	char joined[PATH_MAX];
	struct stat st;

	if (home != NULL) {
		folder = home;
		path++;
	}
	if (folder[0] != '\0') {
		if (snprintf(joined, sizeof(joined), "%s%s", folder, path) >= PATH_MAX)
			return false;
		path = joined;
	}
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	return link_absolute(&files->absolute, path) && buf_add(&files->absolute, "", 1);
}

/* git grep prints paths relative to the directory where it was called, git diff to the top. */
static const char *
find_file(void *context, const char *path, bool from_top)
{
	struct files *files = context;
	const char *other = files->prefix;

	if (from_top != files->from_top || strcmp(path, files->path) != 0) {
		text_copy(files->path, sizeof(files->path), path);
		files->from_top = from_top;
		files->absolute.len = 0;
		if (other == NULL || path[0] == '/' || path[0] == '~')
			other = "";
		if (other[0] == '\0' && from_top)
			other = files->top = files->top != NULL ? files->top : find_top(files->way);
		if (!look_up(files, from_top ? "" : other, path) && other[0] != '\0')
			look_up(files, from_top ? other : "", path);
	}
	return files->absolute.len > 0 ? (const char *)files->absolute.data : NULL;
}

/* ---- the stream --------------------------------------------------------- */

struct stream {
	struct linkify linkify;
	struct files files;
	bool plain; /* only copy the input */
	struct buf in, out;
};

static void
filter(struct stream *s, enum ending ending)
{
	struct buf *out = s->plain ? &s->in : &s->out;
	size_t n = s->in.len;

	/* a file may have been made since */
	if (s->files.absolute.len == 0)
		s->files.path[0] = '\0';
	if (!s->plain)
		n = linkify_feed(&s->linkify, s->in.data, s->in.len, ending, out);
	stream_output(out->data, out->len);
	s->out.len = 0;
	s->in.len -= n;
	memmove(s->in.data, s->in.data + n, s->in.len);
}

static void
pass_file(struct stream *s, const char *name)
{
	bool standard = strcmp(name, "-") == 0;
	struct quoted quoted = text_quote(name);
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	ssize_t n;

	if (!standard)
		p.fd = file_open(name);
	if (p.fd < 0)
		die(STATUS_FAILED, "cannot open %s: %s", quoted.text, strerror(errno));
	do {
		if (s->in.len > 0 && wait_on(&p, 1, PATIENCE_MS) == 0)
			filter(s, ENDING_PAUSE);
		n = stream_read(p.fd, &s->in);
		if (n < 0)
			die(STATUS_FAILED, "cannot read %s: %s",
			    standard ? "standard input" : quoted.text, strerror(errno));
		filter(s, ENDING_OPEN);
	} while (n > 0);
	if (!standard)
		close(p.fd);
}

/*
 * The rules are compiled even if they are not needed, to always report errors. Returns what the
 * templates of the variable point to; the caller frees it behind them.
 */
static char *
add_rules(struct linkify *linkify)
{
	const char *variable = environment_get("VIATTY_LINKIFY_RULES");
	char *lines, *line, *rest;
	size_t i;

	for (i = 0; i < opt.rules.count; i++)
		linkify_add_rule(linkify, opt.rules.text[i], "");
	if (variable == NULL)
		return NULL;
	rest = lines = strcpy(memory(NULL, strlen(variable) + 1), variable);
	while ((line = strtok_r(rest, "\n", &rest)) != NULL)
		linkify_add_rule(linkify, line, " in VIATTY_LINKIFY_RULES");
	return lines;
}

/* Of the terminal, or without one the default of programs. */
static size_t
columns(void)
{
	enum { USUAL = 80, COLUMNS_MAX = 10000 };
	struct winsize size = { .ws_col = 0 };
	unsigned long number = 0;
	const char *variable = environment_get("COLUMNS");
	int fd;

	if (variable != NULL && text_number(variable, COLUMNS_MAX, &number) && number > 0)
		return number;
	for (fd = STDERR_FILENO; fd >= STDIN_FILENO; fd--)
		if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
			return size.ws_col;
	return USUAL;
}

static int
linkify_run(struct call *call)
{
	struct stream s = { .files = { .absolute = BUF_EMPTY }, .in = { .max = PIECE },
		.out = BUF_EMPTY };
	char *rules;
	size_t i;

	if (globals.print == PRINT_ESC)
		die(STATUS_USAGE, "linkify cannot be used with --print=esc");
	link_decide(&s.linkify.output, true);
	s.plain = !opt.strip && !s.linkify.output.shown;
	s.files.prefix = environment_get("GIT_PREFIX");
	s.linkify.strip = opt.strip;
	s.linkify.find = find_file;
	s.linkify.context = &s.files;
	s.linkify.columns = columns();
	linkify_begin(&s.linkify);
	rules = add_rules(&s.linkify);
	if (call->count == 0 && isatty(STDIN_FILENO))
		die(STATUS_USAGE, "nothing to read: standard input is a terminal\n"
		    "pipe the output of a program in, or name a file");

	buf_reserve(&s.in, PIECE);
	if (call->count == 0)
		pass_file(&s, "-");
	for (i = 0; i < call->count; i++)
		pass_file(&s, call->operand[i]);
	filter(&s, ENDING_LINE);
	linkify_free(&s.linkify);
	free(rules);
	buf_free(&s.files.absolute);
	buf_free(&s.in);
	buf_free(&s.out);
	return STATUS_DONE;
}

const struct command command_linkify = {
	.name = "linkify",
	.group = "Terminal",
	.operands = "[FILE...]",
	.summary = "add hyperlinks to the output of other programs",
	.options = options,
	.refused = "tty wrap route json",
	.refused_why = "standard output carries the links",
	.completion = COMPLETE_FILE,
	.examples = {
		{ "make 2>&1 | viatty linkify", "click compiler errors" },
		{ "grep -rn TODO src | viatty linkify --format vscode",
		    "open search results in an editor" },
	},
	.run = linkify_run,
};
