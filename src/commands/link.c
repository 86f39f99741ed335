/* SPDX-License-Identifier: MIT */
/* link: prints a hyperlink (OSC 8). */
#include "commands/command.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	const char *file, *format, *host;
	unsigned fallback, when;
	bool no_newline;
} opt;

enum { LINKS_AUTO = 1, LINKS_ALWAYS, LINKS_NEVER };
static const char *const when_words[] = { "auto", "always", "never", NULL };

enum { FALLBACK_BOTH = 1, FALLBACK_TEXT, FALLBACK_URL };
static const char *const fallback_words[] = { "both", "text", "url", NULL };

static const struct option_spec options[] = {
	{ OPTION_TEXT, 0, "file", "PATH",
	    "link to a file: PATH, PATH:LINE or PATH:LINE:COL", &opt.file,
	    .completion = COMPLETE_FILE },
	FLAG('n', "no-newline", "print no trailing newline", opt.no_newline),
	{ OPTION_WORD, 0, "fallback", "WHAT",
	    "what to print where links do not work", &opt.fallback, .words = fallback_words },
	{ OPTION_WORD, 0, "when", "WHEN", "when to make hyperlinks", &opt.when,
	    .words = when_words },
	{ OPTION_TEXT, 0, "format", "FORMAT", "file URL: an editor, or {path} {line} {col}",
	    &opt.format, .words = editor_words },
	VALUE(OPTION_TEXT, 0, "host", "NAME",
	    "host in file URLs (default: this host), or none", opt.host),
	{ .kind = OPTION_END }
};

const struct request link_request = { .feature = FEATURE_LINK, .selections = "" };

/* ---- when and how hyperlinks are made --------------------------------------- */

/* How hyperlinks are printed. */
struct link_output {
	bool shown;         /* as hyperlinks; otherwise as text */
	const char *why;    /* why they are shown or not */
	struct route route;
	const char *format; /* URL template for positions in files; NULL if they are not linked */
	bool by_terminal;   /* `format` is the default for the terminal */
	/* of WSL, whose files Windows Terminal opens by their names in Windows; or NULL */
	const char *distribution;
	char host[256];
};

/*
 * Standard output may be our own terminal, which can be queried then. TERM=dumb describes its
 * reader, as in a shell of Emacs.
 */
static bool
prints_on_own_terminal(void)
{
	char device[DEVICE_NAME], own[DEVICE_NAME];

	return !text_equal(environment_get("TERM"), "dumb") &&
	    device_name(device, STDOUT_FILENO) && device_controlling(own) &&
	    strcmp(device, own) == 0;
}

/* Chooses the format of positions in files by the terminal. */
static void
set_format(struct link_output *to, const struct path *path)
{
	const char *id = path->end.terminal != NULL ? path->end.terminal->id : "";
	const char *name = path->end.name;
	const bool is_windows = strcmp(id, "windows-terminal") == 0;

	/*
	 * kitty uses the fragment (hyperlinked_grep in its documentation), which xdg-open ignores.
	 * VS Code treats the host as part of the path, and opens vscode: URLs on the machine of
	 * its window. In a terminal of its server it detects positions itself, so there is no
	 * format. Windows Terminal opens files of its own machine only.
	 */
	if (is_windows && !path->remote)
		to->distribution = environment_get("WSL_DISTRO_NAME");
	if (strcmp(id, "kitty") == 0)
		to->format = editor_template("kitty");
	else if (strcmp(id, "vscode") == 0 && !path->remote)
		to->format = editor_template(text_equal(name, "VS Code") ? "vscode" : name);
	else if (text_begins(id, "vscode") || (is_windows && to->distribution == NULL))
		to->format = NULL;
}

/*
 * Decides whether to make hyperlinks: by --when, else by FORCE_HYPERLINK, else by the path of
 * standard output. If that is our own terminal and unknown, it is queried. With --print, standard
 * output counts as a terminal.
 */
static void
decide_when(struct link_output *to)
{
	/* like the npm package supports-hyperlinks: 0 is off, any other value is on */
	const char *variable = environment_get("FORCE_HYPERLINK"), *on = NULL;
	const bool terminal = globals.print == PRINT_NOT && isatty(STDOUT_FILENO);
	struct request request = link_request;
	static struct path path;
	struct error ignored;
	bool found;

	to->format = editor_template("file");
	if (opt.when == LINKS_NEVER)
		to->why = "--when never";
	else if (opt.when == LINKS_ALWAYS)
		on = "--when always";
	else if (text_equal(variable, "0"))
		to->why = "FORCE_HYPERLINK=0";
	else if (variable != NULL)
		on = "FORCE_HYPERLINK is set";
	else if (globals.print == PRINT_NOT && !terminal)
		to->why = "standard output is not a terminal";
	if (to->why != NULL)
		return;

	request.given = (struct given){
		.tty = terminal && !prints_on_own_terminal() ? "stdout" : NULL,
		.probe = globals.given.probe && on == NULL,
		.in_pipeline = !isatty(STDIN_FILENO),
		.terminal = globals.given.terminal,
		.terminal_name = globals.given.terminal_name,
		.timeout_ms = globals.given.timeout_ms };
	path_begin(&path, &request.given);
	/* the limits of the terminal apply even if hyperlinks are forced */
	found = (terminal || (on != NULL && to->by_terminal)) &&
	    path_find(&path, &request.given, &ignored);
	if (found || !terminal)
		to->shown = route_find(&to->route, &path, &request);
	set_format(to, &path);
	to->why = to->shown ? to->route.why : to->route.refusal.text;
	if (on != NULL) {
		to->why = on;
		to->shown = true;
	}
}

/* Whether it is a valid template, found by using it. */
static bool
is_template(const char *format)
{
	static const struct place place = { "/", "", 1, 1 };
	static struct buf filled = BUF_EMPTY;

	return encode_place(&filled, format, &place) && template_has_path(format) &&
	    buf_add(&filled, "", 1) && url_has_scheme((const char *)filled.data);
}

/* Checks the options, or dies, and decides how to print hyperlinks. */
static void
decide(struct link_output *to)
{
	const char *variable = environment_get("VIATTY_LINK_FORMAT");
	const char *format = opt.format, *host = opt.host;

	if (format == NULL && variable != NULL && variable[0] != '\0')
		format = variable;
	*to = (struct link_output){ .by_terminal = format == NULL && opt.file != NULL };
	decide_when(to);
	if (format != NULL)
		to->format = editor_template(format);
	if (format != NULL && to->format == NULL && !is_template(format))
		die(STATUS_USAGE, "unknown %s %s\n"
		    "give file, kitty, vscode, another editor of viatty-link(1), or a URL "
		    "with {path} or %%p", opt.format != NULL ? "--format" :
		    "VIATTY_LINK_FORMAT", text_quote(format).text);
	if (to->format == NULL)
		to->format = format;

	if (!to->by_terminal || host != NULL)
		to->distribution = NULL;
	if (to->distribution != NULL)
		text_format(to->host, sizeof(to->host), "wsl.localhost/%s", to->distribution);
	else if (host == NULL && gethostname(to->host, sizeof(to->host) - 1) != 0)
		host = "none";
	if (host != NULL && !text_copy(to->host, sizeof(to->host),
	    strcmp(host, "none") == 0 ? "" : host))
		die(STATUS_USAGE, "--host %s is too long", text_quote(host).text);

	if (globals.verbose && to->shown)
		message_note("links are made: %s", to->why);
	else if (globals.verbose)
		message_note("no links are made: %s", to->why);
}

/*
 * Appends the absolute form of a path, encoded by url_encode_path(). `..` is resolved in the file
 * system, because a program that opens the link would resolve it as text. Returns false if the
 * path is relative, and the current directory has been removed.
 */
static bool
make_absolute(struct buf *out, const char *path)
{
	char directory[PATH_MAX], resolved[PATH_MAX];
	size_t before = out->len, n = strlen(path);
	const char *up = path;

	while ((up = strstr(up, "..")) != NULL && !((up == path || up[-1] == '/') &&
	    (up[2] == '\0' || up[2] == '/')))
		up++;
	if (up != NULL && realpath(path, resolved) != NULL) {
		url_encode_path(out, resolved, strlen(resolved));
		return true;
	}
	/* on Linux "(unreachable)/..." outside of the root directory */
	if (path[0] != '/' &&
	    (getcwd(directory, sizeof(directory)) == NULL || directory[0] != '/'))
		return false;
	if (path[0] != '/' && strcmp(directory, "/") != 0)
		url_encode_path(out, directory, strlen(directory));
	/* without doubled slashes and "." components */
	for (; *path != '\0'; path += strcspn(path, "/")) {
		path += strspn(path, "/");
		if (strcspn(path, "/") > (size_t)(path[0] == '.')) {
			buf_add(out, "/", 1);
			url_encode_path(out, path, strcspn(path, "/"));
		}
	}
	if (out->len == before || (n > 1 && path[-1] == '/'))
		buf_add(out, "/", 1);
	return true;
}

/* ---- the URL and the text ------------------------------------------------- */

/* Removes ":NUMBER" from the end. Returns false if there is none. */
static bool
cut_number(char *path, unsigned long *number)
{
	char *colon = strrchr(path, ':');

	if (colon == NULL || colon == path ||
	    !text_number(colon + 1, 999999999, number) || *number == 0)
		return false;
	*colon = '\0';
	return true;
}

/*
 * Fills in the host and such a path, which is borrowed. Returns the template: in WSL those of
 * Windows Terminal, file:///C:/x for /mnt/c/x, else file://wsl.localhost/DISTRIBUTION/x.
 */
static const char *
set_place(struct place *place, const struct link_output *to, const char *path)
{
	static char on_drive[] = "file:///C:{path}";
	const size_t mount = strlen("/mnt/c");

	place->host = to->host;
	place->path = path;
	if (to->distribution == NULL || !text_begins(path, "/mnt/") ||
	    !isalpha((unsigned char)path[mount - 1]) || (path[mount] != '/' && path[mount] != '\0'))
		return to->format;
	on_drive[strlen("file:///")] = (char)toupper((unsigned char)path[mount - 1]);
	place->path = path[mount] != '\0' ? path + mount : "/";
	return on_drive;
}

/* The URL of --file. */
static void
make_file_url(struct buf *url, const struct link_output *target)
{
	struct place place = { .line = 0 };
	unsigned long before;
	size_t n = strlen(opt.file) + 1;
	static char *path;
	static struct buf absolute = BUF_EMPTY;
	const char *format;
	struct stat st;

	if (opt.file[0] == '\0')
		die(STATUS_USAGE, "--file needs a path");
	path = memcpy(xrealloc(NULL, n), opt.file, n);
	/* unless ":3" is part of the name */
	if (stat(path, &st) != 0 && cut_number(path, &place.line) && cut_number(path, &before)) {
		place.column = place.line;
		place.line = before;
	}
	if (!make_absolute(&absolute, path))
		die(STATUS_REFUSED, "the current directory no longer exists: %s names no file\n"
		    "change to another directory, or give an absolute path",
		    text_quote(path).text);
	buf_add(&absolute, "", 1);
	format = set_place(&place, target, (const char *)absolute.data);
	/* without a line it may be a picture: only --format opens that in an editor */
	if (target->by_terminal && place.line == 0 && target->distribution == NULL)
		format = editor_template("file");
	encode_place(url, format, &place);
}

/* ---- the command ----------------------------------------------------------- */

/* Whether the URL would be cut on the way. */
static bool
is_cut(const struct route *route, const struct buf *url)
{
	const bool long_url = route->limit != 0 && url->len > route->limit;
	const bool semicolon = route->cut_by != NULL && memchr(url->data, ';', url->len) != NULL;

	if (globals.given.force || (!long_url && !semicolon))
		return false;
	if (globals.verbose && long_url)
		message_note("no link is made: %s takes at most %zu bytes, the URL has %zu\n"
		    "--force prints it", route->limited_by, route->limit, url->len);
	else if (globals.verbose)
		message_note("no link is made: %s does not take a semicolon in a URL\n"
		    "--force prints it", route->cut_by);
	return true;
}

/* By --fallback; both are "TEXT (URL)", or the URL once. */
static void
add_plain(struct buf *out, const struct buf *url, const struct buf *text)
{
	const bool same = text->len == url->len && memcmp(text->data, url->data, url->len) == 0;

	if (opt.fallback == FALLBACK_URL || same) {
		buf_add(out, url->data, url->len);
		return;
	}
	buf_add(out, text->data, text->len);
	if (opt.fallback == FALLBACK_TEXT)
		return;
	buf_add_string(out, " (");
	buf_add(out, url->data, url->len);
	buf_add_string(out, ")");
}

static int
link_run(struct call *call)
{
	static struct buf url = BUF_EMPTY, text = BUF_EMPTY, words = BUF_EMPTY, out = BUF_EMPTY;
	static struct link_output target;
	const char *address;

	decide(&target);
	if (opt.file != NULL && target.format == NULL) {
		target.shown = false;
		text_sanitize(&url, opt.file, strlen(opt.file), false);
	} else if (opt.file != NULL) {
		make_file_url(&url, &target);
	} else {
		if (call->count == 0)
			die(STATUS_USAGE, "no URL given\n"
			    "viatty link URL [TEXT], or viatty link --file PATH");
		call->count--;
		address = *call->operand++;
		if (!url_has_scheme(address))
			die(STATUS_USAGE, "not a URL: %s\n"
			    "a URL begins with a scheme such as https: or mailto:; --file "
			    "takes a path", text_quote(address).text);
		url_encode(&url, address, strlen(address));
	}
	operands_read(&words, call->operand, call->count);
	/* a hyperlink without text would be invisible */
	if (words.len == 0 && opt.file != NULL)
		buf_add_string(&words, opt.file);
	else if (words.len == 0)
		buf_add(&words, url.data, url.len);
	text_sanitize(&text, (const char *)words.data, words.len, false);
	if (target.shown && !is_cut(&target.route, &url))
		encode_hyperlink(&out, (const char *)url.data, url.len,
		    (const char *)text.data, text.len);
	else
		add_plain(&out, &url, &text);
	buf_add_string(&out, opt.no_newline ? "" : "\n");
	sequences_print(&out, true);
	return STATUS_DONE;
}

const struct command command_link = {
	.name = "link",
	.group = "Terminal",
	.operands = "[URL] [TEXT...]",
	.summary = "print a hyperlink",
	.outcome = "not linked",
	.options = options,
	.refused = "tty wrap route",
	.refused_why = "standard output carries the links",
	.examples = {
		{ "viatty link https://example.org 'the report'", "print a hyperlink" },
		{ "viatty link --file src/main.c:3", "link a position in a file" },
	},
	.run = link_run,
};
