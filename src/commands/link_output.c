/* SPDX-License-Identifier: MIT */
/* Whether and how hyperlinks are printed; the contract is in link_output.h. */
#include "commands/link_output.h"

#include "base/text.h"
#include "commands/report.h"
#include "detect/environment.h"
#include "detect/detect.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const when_words[] = { "auto", "always", "never", NULL };

/* ---- whether to print hyperlinks ----------------------------------------- */

static void
say_links(struct link_output *target, bool shown, const char *reason)
{
	target->links = (struct hyperlinks){ .shown = shown };
	text_format(target->links.reason, sizeof(target->links.reason), "%s",
	    reason);
}

/* Overrides what was detected, except for the limits. */
static void
wanted(struct link_output *target, const char *reason)
{
	target->links.shown = true;
	text_format(target->links.reason, sizeof(target->links.reason), "%s",
	    reason);
}

/*
 * As in the npm package supports-hyperlinks: 0 is off, any other value is on. False: the
 * variable is not set.
 */
static bool
forced_by_variable(bool *shown)
{
	const char *value = environment_get("FORCE_HYPERLINK");

	if (value == NULL)
		return false;
	*shown = strcmp(value, "0") != 0;
	return true;
}

/* Detects the terminal on standard output without queries. */
static void
look_at_stdout(struct link_output *target, const struct globals *g)
{
	struct detect_request request = {
		.tty = "stdout",
		.terminal = g->terminal,
		.timeout_ms = g->timeout_ms,
	};
	struct path path;
	struct error ignored;

	if (detect_path(&path, &request, &ignored))
		hyperlinks_decide(&target->links, &path);
	path_free(&path);
}

/* The limits of the terminal apply even if hyperlinks are forced. */
static void
decide_links(struct link_output *target, const char *when, const struct globals *g)
{
	struct path nowhere = { .fd = -1, .named = g->terminal };
	bool terminal = isatty(STDOUT_FILENO) != 0;
	bool shown = true, by_variable = forced_by_variable(&shown);

	if (text_equal(when, "never")) {
		say_links(target, false, "--when never");
		return;
	}
	if (text_equal(when, "auto"))
		when = NULL;
	if (when == NULL && by_variable && !shown) {
		say_links(target, false, "FORCE_HYPERLINK=0");
		return;
	}
	if (terminal && g->print == PRINT_NOT)
		look_at_stdout(target, g);
	else
		hyperlinks_decide(&target->links, &nowhere);
	if (when != NULL)
		wanted(target, "--when always");
	else if (by_variable)
		wanted(target, "FORCE_HYPERLINK is set");
	else if (!terminal && g->print == PRINT_NOT)
		say_links(target, false, "standard output is not a terminal");
}

/* ---- host and format ----------------------------------------------------- */

static bool
choose_host(struct link_output *target, const char *host, struct error *error)
{
	if (text_equal(host, "none"))
		host = "";
	if (host != NULL)
		return text_copy(target->host, sizeof(target->host), host) ||
		    error_set(error, STATUS_USAGE, "--host %s is too long",
		        text_quote(host).text);
	if (gethostname(target->host, sizeof(target->host)) != 0)
		target->host[0] = '\0';
	target->host[sizeof(target->host) - 1] = '\0';
	return true;
}

/* Validates a template by filling it in. False, with no error: it is none. */
static bool
find_format(struct link_output *target, const char *format)
{
	static const struct place place = { "/", "", 1, 1 };
	struct buf url;
	bool fine;

	target->format = editor_template(format);
	if (target->format != NULL)
		return true;
	target->format = format;
	buf_init(&url, BUF_NO_LIMIT);
	fine = encode_place(&url, format, &place) && template_has_path(format) &&
	    url_has_scheme((const char *)url.data, url.len);
	buf_free(&url);
	return fine;
}

/* --format, then VIATTY_LINK_FORMAT. An empty variable counts as unset. */
static bool
choose_format(struct link_output *target, const char *format, struct error *error)
{
	const char *variable = environment_get("VIATTY_LINK_FORMAT");

	if (variable != NULL && variable[0] == '\0')
		variable = NULL;
	if (find_format(target, format != NULL ? format : variable != NULL ? variable :
	    "file"))
		return true;
	if (format != NULL)
		error_set(error, STATUS_USAGE, "unknown --format %s",
		    text_quote(format).text);
	else
		error_set(error, STATUS_USAGE, "VIATTY_LINK_FORMAT in the environment: "
		    "unknown format %s", text_quote(variable).text);
	return error_hint(error, "give file, kitty, vscode, another editor of "
	    "viatty-link(1), or a URL with {path} or %%p");
}

bool
link_output_decide(struct link_output *target, const struct link_options *options,
    struct call *call, struct error *error)
{
	const struct globals *g = call->globals;

	if (!choose_format(target, options->format, error) ||
	    !choose_host(target, options->host, error))
		return false;
	decide_links(target, options->when, g);
	if (g->verbose)
		report_links(call->title, &target->links);
	return true;
}

/* ---- paths -------------------------------------------------------------- */

static bool
has_parent_step(const char *path)
{
	const char *step;

	for (step = strstr(path, ".."); step != NULL; step = strstr(step + 1, ".."))
		if ((step == path || step[-1] == '/') &&
		    (step[2] == '\0' || step[2] == '/'))
			return true;
	return false;
}

/* Removes "." components and doubled slashes. */
static void
add_steps(struct buf *out, const char *path)
{
	size_t n;

	for (; *path != '\0'; path += n) {
		path += strspn(path, "/");
		n = strcspn(path, "/");
		if (n == 0 || (n == 1 && path[0] == '.'))
			continue;
		buf_add(out, "/", 1);
		buf_add(out, path, n);
	}
}

/*
 * To be followed by "/...", so "" for the root. Read once: linkify needs it for every
 * file, and viatty never changes it.
 */
static const char *
working_directory(void)
{
	static char directory[PATH_MAX];

	if (directory[0] == '\0' && getcwd(directory, sizeof(directory)) == NULL)
		directory[0] = '\0';
	return directory[0] == '/' && directory[1] == '\0' ? "" : directory;
}

bool
link_output_absolute(struct buf *out, const char *path)
{
	char resolved[PATH_MAX];
	size_t before = out->len, n = strlen(path);

	if (has_parent_step(path) && realpath(path, resolved) != NULL)
		return buf_add_string(out, resolved);
	if (path[0] != '/')
		buf_add_string(out, working_directory());
	add_steps(out, path);
	if (out->len == before || (n > 1 && path[n - 1] == '/'))
		buf_add(out, "/", 1);
	return out->fault == BUF_FINE;
}
