/* SPDX-License-Identifier: MIT */
/*
 * copy: sets the clipboard of the terminal (OSC 52). Types other than text need a desktop tool.
 */
#include "commands/command.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct clipboard_options clipboard_options;

static const struct option_spec options[] = {
	VALUE(OPTION_LIST, 's', "string", "TEXT",
	    "copy TEXT (may be repeated)", clipboard_options.strings),
	FLAG('n', "trim-newline", "remove one trailing newline", clipboard_options.trim_newline),
	{ OPTION_FLAG, 'p', "primary", NULL, "set the primary selection, not the clipboard",
	    &clipboard_options.primary, .not_with = "selection" },
	VALUE(OPTION_TEXT, 'S', "selection", "LETTERS",
	    "selections: c clipboard, p primary, q, s, 0-7", clipboard_options.selections),
	{ OPTION_TEXT, 't', "type", "MIME",
	    "MIME type of the data", &clipboard_options.type, .words = mime_words,
	    .not_with = "clear" },
	FLAG('c', "clear", "clear the selection", clipboard_options.clear),
	FLAG(0, "allow-empty",
	    "clear the selection if the input is empty", clipboard_options.allow_empty),
	{ OPTION_FLAG, 0, "tee", NULL, "also write standard input to standard output",
	    &clipboard_options.tee, .not_with = "clear print json" },
	VALUE(OPTION_SIZE, 0, "max", "BYTES", "refuse more than BYTES", clipboard_options.max),
	{ OPTION_FLAG, 0, "from-tmux", NULL, "copy what tmux does not: for its copy-command",
	    &clipboard_options.from_tmux, .not_with = "clear print" },
	{ OPTION_FLAG, 0, "json", NULL, "print a JSON report", &globals.json,
	    .not_with = "print" },
	{ .kind = OPTION_END }
};

const char *const mime_words[] = { "text/plain", "text/html", "text/uri-list",
	"image/png", "image/jpeg", "image/svg+xml", NULL };

const struct request copy_request = { .feature = FEATURE_COPY, .selections = "c" };

/* The text, up to --max, and the request for it, with the selections. */
static struct buf payload;
static struct request request;
static char letters[sizeof(CLIPBOARD_SELECTIONS)];
static struct delivery delivery;

#define UNCHANGED "the clipboard is unchanged; --clear clears it"

/* ---- input -------------------------------------------------------------- */

static void
check_size(void)
{
	if (payload.full && payload.max == SIZE_LIMIT)
		die(STATUS_REFUSED, "the input is larger than the limit of %zu bytes\n"
		    "copy less", payload.max);
	if (payload.full)
		die(STATUS_REFUSED, "the input is larger than --max %zu\n"
		    "raise --max, or copy less", payload.max);
}

static void
read_all(int fd, const char *name, bool tee)
{
	size_t before;
	ssize_t n;

	do {
		before = payload.len;
		n = stream_read(fd, &payload);
		if (n < 0 && !payload.full)
			die(STATUS_FAILED, "cannot read %s: %s", name, strerror(errno));
		if (tee && n > 0)
			stream_output(payload.data + before, (size_t)n);
		check_size();
	} while (n > 0);
}

static void
read_file(const char *name)
{
	struct quoted quoted = text_quote(name);
	int fd;

	if (strcmp(name, "-") == 0) {
		read_all(STDIN_FILENO, "standard input", clipboard_options.tee);
		return;
	}
	fd = file_open(name);
	if (fd < 0 && errno == ENOENT)
		die(STATUS_FAILED, "cannot open %s: %s\n"
		    "to copy a text: --string TEXT", quoted.text, strerror(ENOENT));
	if (fd < 0)
		die(STATUS_FAILED, "cannot open %s: %s", quoted.text, strerror(errno));
	read_all(fd, quoted.text, false);
	close(fd);
}

/* A type that other programs paste only under its MIME type, if a tool may copy it, or NULL. */
static const char *
recognize(void)
{
	static const struct {
		size_t at;
		const char *bytes, *type;
	} known[] = {
		{ 0, "\x89PNG\r\n\x1a\n", "image/png" },
		{ 0, "\xff\xd8\xff", "image/jpeg" },
		{ 0, "GIF8", "image/gif" },
		{ 8, "WEBP", "image/webp" },
		{ 0, "%PDF-", "application/pdf" },
	};
	const bool binary = request.not_utf8 != 0 || request.nul != 0;
	const bool may = globals.print == PRINT_NOT && globals.given.chain == NULL &&
	    (globals.given.route == ROUTE_AUTO || globals.given.route == ROUTE_NATIVE);
	size_t i;

	for (i = 0; may && binary && payload.len > 12 && i < sizeof(known) / sizeof(known[0]); i++)
		if (memcmp(payload.data + known[i].at, known[i].bytes,
		    strlen(known[i].bytes)) == 0)
			return known[i].type;
	return NULL;
}

/* Empty input usually comes from a command that found nothing, so the clipboard stays. */
static void
refuse_empty(const struct call *call, bool trimmed)
{
	if (trimmed)
		die(STATUS_REFUSED, "the input is only a newline\n" UNCHANGED);
	if (call->count + clipboard_options.strings.count > 1)
		die(STATUS_REFUSED, "all inputs are empty\n" UNCHANGED);
	if (clipboard_options.strings.count == 1)
		die(STATUS_REFUSED, "the text is empty\n" UNCHANGED);
	if (call->count == 1 && strcmp(call->operand[0], "-") != 0)
		die(STATUS_REFUSED, "the file is empty\n" UNCHANGED);
	die(STATUS_REFUSED, "standard input is empty\n" UNCHANGED);
}

/* Returns false if nothing was selected in tmux. */
static bool
gather_payload(const struct call *call)
{
	bool trimmed;
	size_t i;

	for (i = 0; i < clipboard_options.strings.count; i++)
		buf_add_string(&payload, clipboard_options.strings.text[i]);
	check_size();
	for (i = 0; i < call->count; i++)
		read_file(call->operand[i]);
	if (call->count == 0 && clipboard_options.strings.count == 0 && !clipboard_options.clear) {
		if (isatty(STDIN_FILENO))
			die(STATUS_USAGE, "nothing to copy: standard input is a terminal\n"
			    "pipe data in, name a file, or give a text: --string TEXT");
		read_file("-");
	}
	trimmed = clipboard_options.trim_newline && buf_trim_newline(&payload);
	if (payload.len == 0 && clipboard_options.from_tmux)
		return false;
	if (payload.len == 0 && !clipboard_options.clear && !clipboard_options.allow_empty)
		refuse_empty(call, trimmed);

	request_describe(&request, payload.data, payload.len);
	return true;
}

/* ---- MIME types ---------------------------------------------------------- */

bool
mime_is_text(const char *type)
{
	static const char *const names[] = { "text/plain", "text", "UTF8_STRING", "STRING" };
	const size_t n = strcspn(type, ";");
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncasecmp(type, names[i], n) == 0 && names[i][n] == '\0')
			return true;
	return false;
}

/* RFC 6838, section 4.2. */
static bool
is_media_type(const char *type)
{
	static const char name[] = TEXT_ALNUM "!#$&-^_.+";
	const size_t major = strspn(type, name);
	const char *minor = type + major + 1, *at;

	if (major == 0 || type[major] != '/' || strspn(minor, name) == 0)
		return false;
	at = minor + strspn(minor, name);
	if (*at != '\0' && *at != ';')
		return false;
	while (*at > ' ' && *at <= '~' && *at != ',')
		at++;
	return *at == '\0';
}

const char *
mime_of_data(const char *type)
{
	if (type == NULL || mime_is_text(type))
		return NULL;
	if (!is_media_type(type))
		die(STATUS_USAGE, "not a MIME type: %s\n"
		    "for example image/png", text_quote(type).text);
	return type;
}

/* ---- selections of tmux ----------------------------------------------------- */

/* Whether tmux itself copies what was selected in it: a second copy could cut that one short. */
static bool
tmux_has_copied(const struct path *path)
{
	return clipboard_options.from_tmux && strcmp(request.selections, "c") == 0 &&
	    unlettered_copy_arrives(path) && path->hop[0].tmux.reachable &&
	    tmux_copies(&path->hop[0].tmux);
}

void
copy_tell_tmux(void)
{
	struct tmux_address address;
	static struct tmux tmux;
	struct error error;

	if (clipboard_options.from_tmux && messages.printed[0] != '\0' && signal_caught == 0 &&
	    tmux_address_parse(&address, environment_get("TMUX"), environment_get("TMUX_PANE")) &&
	    tmux_ask(&tmux, &address, false, TMUX_TIMEOUT_MS, &error))
		tmux_show(&tmux, messages.printed, !messages.failed);
}

/* ---- the command ---------------------------------------------------------- */

static int
copy_run(struct call *call)
{
	const char *const type = mime_of_data(clipboard_options.type);
	const char *recognized, *letter;
	struct error error, no_tool;
	int status;

	request = copy_request;
	messages.quiet = messages.quiet || clipboard_options.from_tmux;
	payload.max = clipboard_options.max != 0 ? clipboard_options.max : SIZE_LIMIT;
	if (clipboard_options.clear)
		messages.outcome = "not cleared";
	if (clipboard_options.clear && (call->count > 0 || clipboard_options.strings.count > 0))
		die(STATUS_USAGE, "--clear takes no input\ngive --clear alone");
	if (type != NULL && (globals.print != PRINT_NOT ||
	    (globals.way_given && globals.given.route != ROUTE_NATIVE)))
		die(STATUS_USAGE, "--type %s needs a desktop tool: no --print, --tty, --wrap, or "
		    "--route other than native", text_quote(type).text);
	/* each once */
	for (letter = clipboard_selections(SIZE_MAX); *letter != '\0'; letter++)
		if (strchr(letters, *letter) == NULL)
			letters[strlen(letters)] = *letter;
	request.selections = letters;
	if (!gather_payload(call))
		return STATUS_DONE;
	recognized = clipboard_options.type == NULL ? recognize() : NULL;
	/* an empty text clears the clipboard */
	if (payload.len > 0)
		request.type = recognized != NULL ? recognized : type;
	if (!delivery_begin(&delivery, &request, &error))
		die_of(&error);
	if (tmux_has_copied(&delivery.path))
		return STATUS_DONE;
	if (!delivery_plan(&delivery, &request, &error)) {
		/* where no desktop tool takes a picture, the terminal gets it */
		if (recognized == NULL || signal_caught != 0)
			die_of(&error);
		no_tool = error;
		request.type = NULL;
		if (!delivery_plan(&delivery, &request, &error))
			die_of(&error);
	}
	status = delivery_finish(&delivery, &payload);
	if (recognized != NULL && request.type == NULL)
		message_warn("copied as text, not as %s\n%s", recognized,
		    message_remedy(no_tool.text));
	return status;
}

const struct command command_copy = {
	.name = "copy",
	.group = "Clipboard",
	.operands = "[FILE...]",
	.summary = "copy standard input, files or text to the clipboard",
	.outcome = "not copied",
	.options = options,
	.completion = COMPLETE_FILE,
	.examples = {
		{ "git rev-parse HEAD | viatty copy -n",
		    "copy the current commit, without the newline" },
		{ "viatty copy ~/.ssh/id_ed25519.pub", "copy a file" },
	},
	.run = copy_run,
};
