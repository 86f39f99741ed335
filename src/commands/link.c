/* SPDX-License-Identifier: MIT */
/* link: prints a hyperlink (OSC 8). */
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/link_output.h"

#include <string.h>
#include <sys/stat.h>

static struct {
	const char *file, *id, *fallback;
	bool no_newline;
	struct link_options target;
} opt;

enum fallback { FALLBACK_BOTH, FALLBACK_TEXT, FALLBACK_URL };
static const char *const fallback_words[] = { "both", "text", "url", NULL };

static const struct option_spec options[] = {
	{ OPTION_TEXT, 0, "file", "PATH",
	    "link to a file: PATH, PATH:LINE or PATH:LINE:COL", &opt.file, NULL,
	    COMPLETE_FILE },
	VALUE(OPTION_TEXT, 0, "id", "ID",
	    "link ID; auto derives it from the URL", opt.id),
	FLAG('n', "no-newline", "print no trailing newline", opt.no_newline),
	{ OPTION_WORD, 0, "fallback", "WHAT",
	    "without hyperlinks print text, url or both: TEXT (URL)", &opt.fallback,
	    fallback_words, COMPLETE_NOTHING },
	LINK_OPTIONS(opt.target),
	{ .kind = OPTION_END }
};

/* What is printed. */
struct link {
	struct buf url, text;
	char id[HYPERLINK_ID_MAX + 1];
};

/* ---- the URL ------------------------------------------------------------ */

/* Cuts ":NUMBER" off the end. False: there is none. */
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

/* If a file with the whole name exists, ":3" is part of its name. */
static void
read_file_place(char *path, struct place *place)
{
	struct stat st;
	unsigned long last, number;

	if (stat(path, &st) == 0 || !cut_number(path, &last))
		return;
	if (cut_number(path, &number)) {
		place->line = number;
		place->column = last;
	} else {
		place->line = last;
	}
}

static bool
make_file_url(struct buf *url, const struct link_output *target, struct error *error)
{
	struct place place = { .host = target->host };
	struct buf path, absolute;
	bool fine;

	if (opt.file[0] == '\0')
		return error_set(error, STATUS_USAGE, "--file needs a path");
	buf_init(&path, BUF_NO_LIMIT);
	buf_init(&absolute, BUF_NO_LIMIT);
	fine = buf_add(&path, opt.file, strlen(opt.file) + 1);
	if (fine) {
		read_file_place((char *)path.data, &place);
		fine = link_output_absolute(&absolute, (char *)path.data) &&
		    buf_add(&absolute, "", 1);
		place.path = (char *)absolute.data;
	}
	fine = fine && encode_place(url, target->format, &place);
	buf_free(&path);
	buf_free(&absolute);
	return fine || error_no_memory(error);
}

static bool
make_url(struct call *call, struct buf *url, struct error *error)
{
	const char *given;

	if (call->count == 0) {
		error_set(error, STATUS_USAGE, "no URL given");
		return error_hint(error, "viatty link URL [TEXT], or viatty link "
		    "--file PATH");
	}
	given = *call->operand++;
	call->count--;
	if (!url_has_scheme(given, strlen(given))) {
		error_set(error, STATUS_USAGE, "%s is not a URL",
		    text_quote(given).text);
		return error_hint(error, "a URL begins with a scheme such as https: or "
		    "mailto:; --file takes a path");
	}
	return url_encode(url, given, strlen(given)) ||
	    error_no_memory(error);
}

/* ---- the text ----------------------------------------------------------- */

static bool
make_text(struct call *call, struct link *link, struct error *error)
{
	struct buf raw;
	size_t i;
	bool fine = true;

	buf_init(&raw, BUF_NO_LIMIT);
	if (call->count == 1 && strcmp(call->operand[0], "-") == 0)
		fine = stream_read_text(&raw, error);
	else
		for (i = 0; i < call->count; i++) {
			buf_add_string(&raw, i > 0 ? " " : "");
			buf_add_string(&raw, call->operand[i]);
		}
	/* a hyperlink without text would be invisible */
	if (fine && raw.len == 0 && opt.file != NULL)
		buf_add_string(&raw, opt.file);
	else if (fine && raw.len == 0)
		buf_add(&raw, link->url.data, link->url.len);
	fine = fine && (text_sanitize(&link->text, (const char *)raw.data, raw.len,
	    false) || error_no_memory(error));
	buf_free(&raw);
	return fine;
}

static bool
choose_id(struct link *link, struct error *error)
{
	struct buf encoded;
	bool fine;

	if (opt.id == NULL)
		return true;
	if (strcmp(opt.id, "auto") == 0) {
		hyperlink_id(link->id, (const char *)link->url.data,
		    link->url.len);
		return true;
	}
	buf_init(&encoded, HYPERLINK_ID_MAX);
	fine = opt.id[0] != '\0' &&
	    url_encode_path(&encoded, opt.id, strlen(opt.id));
	if (fine)
		memcpy(link->id, opt.id, strlen(opt.id) + 1);
	buf_free(&encoded);
	return fine || error_set(error, STATUS_USAGE, "--id takes 1 to %d bytes, "
	    "percent-encoded", HYPERLINK_ID_MAX);
}

/* ---- printing ----------------------------------------------------------- */

/*
 * Whether to print a hyperlink. False with an error: the URL is longer than the
 * terminal accepts, and no --fallback was given.
 */
static bool
is_linked(const struct link *link, const struct link_output *target,
    const struct globals *g, struct error *error)
{
	const struct hyperlinks *links = &target->links;
	size_t size = link->url.len + strlen(link->id);

	if (!links->shown || links->limit == 0 || size <= links->limit || g->force)
		return links->shown;
	if (opt.fallback != NULL)
		return false;
	error_set(error, STATUS_REFUSED, "too long for %s: the URL has %zu bytes, "
	    "the limit is %zu", links->limited_by, size, links->limit);
	return error_hint(error, "--fallback both prints text and URL instead; --force "
	    "prints the link anyway");
}

static enum fallback
fallback(void)
{
	size_t i = FALLBACK_URL;

	while (i > FALLBACK_BOTH && !text_equal(fallback_words[i], opt.fallback))
		i--;
	return (enum fallback)i;
}

static void
add_plain(struct buf *out, const struct link *link)
{
	enum fallback form = fallback();
	bool same = link->text.len > 0 && link->text.len == link->url.len &&
	    memcmp(link->text.data, link->url.data, link->url.len) == 0;

	if (form != FALLBACK_URL)
		buf_add(out, link->text.data, link->text.len);
	if (form == FALLBACK_TEXT || (same && form == FALLBACK_BOTH))
		return;
	if (form == FALLBACK_BOTH)
		buf_add_string(out, " (");
	buf_add(out, link->url.data, link->url.len);
	if (form == FALLBACK_BOTH)
		buf_add_string(out, ")");
}

static bool
print_link(const struct link *link, bool linked, enum print_form form,
    struct error *error)
{
	struct buf out, shown;
	bool fine;

	buf_init(&out, BUF_NO_LIMIT);
	buf_init(&shown, BUF_NO_LIMIT);
	if (linked)
		encode_hyperlink(&out, (const char *)link->url.data,
		    link->url.len, link->id, (const char *)link->text.data,
		    link->text.len);
	else
		add_plain(&out, link);
	if (!opt.no_newline)
		buf_add_string(&out, "\n");
	if (form == PRINT_ESC || form == PRINT_HEX) {
		(form == PRINT_ESC ? escape_notation_write : escape_notation_hex)(&shown,
		    out.data, out.len);
		buf_add_string(&shown, "\n");
		fine = (out.fault == BUF_FINE || error_no_memory(error)) &&
		    stream_output(&shown, error);
	} else {
		fine = stream_output(&out, error);
	}
	buf_free(&out);
	buf_free(&shown);
	return fine;
}

static bool
link_run(struct call *call, struct error *error)
{
	struct link_output target;
	struct link link = { .id = "" };
	bool fine, linked;

	buf_init(&link.url, BUF_NO_LIMIT);
	buf_init(&link.text, BUF_NO_LIMIT);
	fine = link_output_decide(&target, &opt.target, call, error) &&
	    (opt.file != NULL ? make_file_url(&link.url, &target, error) :
	        make_url(call, &link.url, error)) &&
	    make_text(call, &link, error) && choose_id(&link, error);
	if (fine) {
		linked = is_linked(&link, &target, call->globals, error);
		fine = error->status == STATUS_DONE && print_link(&link, linked,
		    call->globals->print, error);
	}
	buf_free(&link.url);
	buf_free(&link.text);
	return fine;
}

const struct command command_link = {
	.name = "link",
	.operands = "[URL] [TEXT...]",
	.summary = "print a hyperlink",
	.verdict = "not linked",
	.options = options,
	.refused = (const char *const[]){ "tty", "wrap", "route", "json", NULL },
	.refused_why = "standard output carries the links",
	.examples = {
		{ "viatty link https://example.org 'the report'", "print a hyperlink" },
		{ "viatty link --file src/main.c:3", "link a position in a file" },
	},
	.run = link_run,
};
