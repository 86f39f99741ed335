/* SPDX-License-Identifier: MIT */
/* linkify: adds hyperlinks to the output of other programs (OSC 8). */
#include "linkify/linkify.h"

#include "base/stream.h"
#include "base/text.h"
#include "base/wait.h"
#include "commands/command.h"
#include "commands/link_output.h"
#include "detect/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	struct text_list rules;
	bool strip, list;
	struct link_options target;
} opt;

static const struct option_spec options[] = {
	VALUE(OPTION_LIST, 'e', "rule", "RULE",
	    "link matches of REGEX=TEMPLATE (may be repeated)", opt.rules),
	FLAG('s', "strip", "remove hyperlinks instead", opt.strip),
	FLAG('l', "list", "print the URL of each link, once", opt.list),
	LINK_OPTIONS(opt.target),
	{ .kind = OPTION_END }
};

enum {
	PIECE = 128 * 1024,
	/* an incomplete line, such as a prompt, is written after this time */
	PATIENCE_MS = 200,
	FILES = 1024,
	FILE_NAME = 248
};

/* ---- files -------------------------------------------------------------- */

/* Cache of stat() results: grep and compilers repeat the same file names. */
static struct known {
	char name[FILE_NAME];
	bool there;
} known[FILES];

static struct known *
remember_name(const char *name)
{
	size_t n = strlen(name);

	return n < FILE_NAME ? &known[text_hash(name, n) % FILES] : NULL;
}

static bool
is_file(const char *name)
{
	struct known *entry = remember_name(name);
	struct stat st;
	bool there;

	if (entry != NULL && strcmp(entry->name, name) == 0)
		return entry->there;
	there = stat(name, &st) == 0 && S_ISREG(st.st_mode);
	if (entry != NULL) {
		text_copy(entry->name, sizeof(entry->name), name);
		entry->there = there;
	}
	return there;
}

/*
 * git changes to the top of the working tree before it starts the pager, and exports the
 * directory where it was called as GIT_PREFIX (setup.c). git grep prints paths relative
 * to that directory, git diff relative to the top. NULL: not git, or called at the top.
 */
static const char *
git_prefix(void)
{
	const char *prefix = environment_get("GIT_PREFIX");

	return prefix != NULL && prefix[0] != '\0' ? prefix : NULL;
}

static bool
find_below(const char *folder, const char *path, struct buf *absolute)
{
	struct buf joined;
	bool found;

	buf_init(&joined, PATH_MAX);
	found = buf_add_string(&joined, folder) && buf_add_string(&joined, path) &&
	    buf_add(&joined, "", 1) && is_file((char *)joined.data) &&
	    link_output_absolute(absolute, (char *)joined.data);
	buf_free(&joined);
	return found;
}

/*
 * The way up to the top of the working tree, such as "../../", for `git diff | viatty
 * linkify` in a directory below. NULL: no working tree, or this is its top. In a linked
 * working tree and in a submodule .git is a file.
 */
static const char *
way_to_top(void)
{
	static const char up_one[] = "../", git[] = ".git";
	enum { LEVELS = 32, STEP = sizeof(up_one) - 1 };
	enum { WAY = LEVELS * STEP + (int)sizeof(git) };
	static char way[WAY];
	static bool looked, found;
	struct stat st;
	size_t up;

	for (up = 0; !looked && !found && up <= LEVELS; up++) {
		text_copy(way + STEP * up, sizeof(git), git);
		found = stat(way, &st) == 0;
		text_copy(way + STEP * up, sizeof(up_one), found ? "" : up_one);
	}
	looked = true;
	return found && way[0] != '\0' ? way : NULL;
}

/* Where path is looked for if it is no file here; NULL: nowhere. */
static const char *
other_folder(bool from_top)
{
	const char *prefix = git_prefix();

	return prefix != NULL || !from_top ? prefix : way_to_top();
}

static bool
find_absolute(void *context, const char *path, bool from_top, struct buf *absolute)
{
	const char *other = path[0] != '/' ? other_folder(from_top) : NULL;

	(void)context;
	if (other != NULL && !from_top && find_below(other, path, absolute))
		return true;
	if (is_file(path))
		return link_output_absolute(absolute, path);
	return other != NULL && from_top && find_below(other, path, absolute);
}

/* ---- the list ----------------------------------------------------------- */

/* The URLs so far, NUL-terminated, and a hash table of their offsets. */
struct list {
	struct buf urls;
	size_t printed; /* bytes of `urls` */
	size_t *slot, slots, count; /* offset in `urls` plus 1; 0: empty */
	bool failed;
};

static size_t *
find_slot(const struct list *list, size_t *slot, size_t slots, const char *url)
{
	size_t at;

	for (at = text_hash(url, strlen(url)) % slots; slot[at] != 0; at = (at + 1) % slots)
		if (strcmp((const char *)list->urls.data + slot[at] - 1, url) == 0)
			break;
	return &slot[at];
}

/* Keeps at least half of the table empty. */
static bool
grow_list(struct list *list)
{
	size_t i, slots = list->slots > 0 ? list->slots * 2 : 1024, *slot;

	if (list->count * 2 < list->slots)
		return true;
	slot = calloc(slots, sizeof(*slot));
	if (slot == NULL)
		return false;
	for (i = 0; i < list->slots; i++)
		if (list->slot[i] != 0)
			*find_slot(list, slot, slots, (const char *)
			    list->urls.data + list->slot[i] - 1) = list->slot[i];
	free(list->slot);
	list->slot = slot;
	list->slots = slots;
	return true;
}

static void
note_url(void *context, const char *url, size_t n)
{
	struct list *list = context;
	size_t *slot, start = list->urls.len;

	if (!grow_list(list) || !url_encode(&list->urls, url, n) ||
	    !buf_add(&list->urls, "", 1)) {
		list->failed = true;
		return;
	}
	slot = find_slot(list, list->slot, list->slots,
	    (const char *)list->urls.data + start);
	if (*slot != 0) {
		list->urls.len = start;
		return;
	}
	*slot = start + 1;
	list->count++;
}

/* Prints the URLs found since the last call, one per line. */
static bool
print_list(struct list *list, struct error *error)
{
	struct buf lines;
	const char *url;
	bool fine;

	if (list->failed)
		return error_no_memory(error);
	buf_init(&lines, BUF_NO_LIMIT);
	while (list->printed < list->urls.len) {
		url = (const char *)list->urls.data + list->printed;
		list->printed += strlen(url) + 1;
		buf_add_string(&lines, url);
		buf_add_string(&lines, "\n");
	}
	fine = stream_output(&lines, error);
	buf_free(&lines);
	return fine;
}

/* ---- the stream --------------------------------------------------------- */

struct filter {
	struct linkify *linkify; /* NULL: copy unchanged */
	struct buf in, out;
	struct list list;
};

static bool
print_out(struct filter *f, struct error *error)
{
	bool fine;

	if (opt.list) {
		f->out.len = 0;
		return print_list(&f->list, error);
	}
	fine = f->out.len == 0 || stream_output(&f->out, error);
	f->out.len = 0;
	return fine;
}

/* Prints nothing if memory ran out: the output is incomplete. */
static bool
write_list(struct filter *f, bool whole, struct error *error)
{
	return whole ? print_out(f, error) : error_no_memory(error);
}

/* Writes an incomplete line when no input follows for a while. */
static bool
wait_for_more(struct filter *f, int fd, struct error *error)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (f->linkify == NULL || !linkify_waits(f->linkify) ||
	    wait_on(&p, 1, PATIENCE_MS) != 0)
		return true;
	return write_list(f, linkify_flush(f->linkify, &f->out), error);
}

static bool
pass(struct filter *f, int fd, const char *name, struct error *error)
{
	ssize_t n;

	for (;;) {
		if (!wait_for_more(f, fd, error))
			return false;
		f->in.len = 0;
		n = stream_read(fd, &f->in);
		if (n < 0)
			return error_set(error, STATUS_FAILED,
			    "cannot read %s: %s", name, strerror(errno));
		if (n == 0)
			return true;
		if (f->linkify == NULL) {
			if (!stream_output(&f->in, error))
				return false;
			continue;
		}
		if (!write_list(f, linkify_feed(f->linkify, f->in.data, f->in.len,
		    &f->out), error))
			return false;
	}
}

static bool
pass_file(struct filter *f, const char *name, struct error *error)
{
	struct quoted quoted = text_quote(name);
	bool fine;
	int fd;

	if (strcmp(name, "-") == 0)
		return pass(f, STDIN_FILENO, "standard input", error);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return error_set(error, STATUS_FAILED, "cannot open %s: %s",
		    quoted.text, strerror(errno));
	fine = pass(f, fd, quoted.text, error);
	close(fd);
	return fine;
}

static bool
pass_all(struct filter *f, const struct call *call, struct error *error)
{
	size_t i;

	if (call->count == 0 && isatty(STDIN_FILENO)) {
		error_set(error, STATUS_USAGE,
		    "nothing to read: standard input is a terminal");
		return error_hint(error, "pipe the output of a program in, or name a "
		    "file");
	}
	if (call->count == 0 && !pass_file(f, "-", error))
		return false;
	for (i = 0; i < call->count; i++)
		if (!pass_file(f, call->operand[i], error))
			return false;
	if (f->linkify == NULL)
		return true;
	return write_list(f, linkify_end(f->linkify, &f->out), error);
}

/* ---- the command -------------------------------------------------------- */

static bool
begin_filter(struct filter *f, const struct link_output *target, struct error *error)
{
	struct linkify_settings settings = {
		.mode = opt.strip ? LINKIFY_STRIP : LINKIFY_ADD,
		.find = find_absolute,
		.found = opt.list ? note_url : NULL,
		.context = &f->list,
		.place = target->format,
		.host = target->host,
		.limit = target->links.limit < LINKIFY_URL_MAX ?
		    target->links.limit : 0,
	};
	size_t i;

	f->linkify = linkify_new(&settings);
	if (f->linkify == NULL)
		return error_no_memory(error);
	for (i = 0; i < opt.rules.count; i++)
		if (!linkify_rule(f->linkify, opt.rules.text[i], error))
			return false;
	return true;
}

/* Parses the rules even if they are not needed, so that errors are always reported. */
static bool
linkify_run(struct call *call, struct error *error)
{
	struct filter f = { .linkify = NULL };
	struct link_output target;
	bool fine;

	if (opt.strip && opt.list)
		return error_set(error, STATUS_USAGE,
		    "--strip and --list exclude each other");
	if (call->globals->print == PRINT_ESC || call->globals->print == PRINT_HEX)
		return error_set(error, STATUS_USAGE,
		    "linkify prints only raw bytes: no --print=esc or --print=hex");
	buf_init(&f.in, PIECE);
	buf_init(&f.out, BUF_NO_LIMIT);
	buf_init(&f.list.urls, BUF_NO_LIMIT);
	fine = link_output_decide(&target, &opt.target, call, error) &&
	    begin_filter(&f, &target, error);
	if (fine && !opt.strip && !opt.list && !target.links.shown) {
		linkify_free(f.linkify);
		f.linkify = NULL;
	}
	fine = fine && (buf_reserve(&f.in, PIECE) || error_no_memory(error)) &&
	    pass_all(&f, call, error);
	linkify_free(f.linkify);
	buf_free(&f.in);
	buf_free(&f.out);
	buf_free(&f.list.urls);
	free(f.list.slot);
	return fine;
}

const struct command command_linkify = {
	.name = "linkify",
	.operands = "[FILE...]",
	.summary = "add hyperlinks to the output of other programs",
	.options = options,
	.refused = (const char *const[]){ "tty", "wrap", "route", "json", NULL },
	.refused_why = "standard output carries the links",
	.completion = COMPLETE_FILE,
	.examples = {
		{ "make 2>&1 | viatty linkify", "open compiler errors by a click" },
		{ "grep -rn TODO src | viatty linkify --format vscode",
		    "open search results in an editor" },
	},
	.run = linkify_run,
};
