/* SPDX-License-Identifier: MIT */
/* setup: the lines that make other programs use viatty. */
#include "base/json.h"
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/placed.h"
#include "commands/snippet.h"
#include "route/child.h"

#include <string.h>

enum { OUTPUT_MAX = 256 * 1024, ANSWER_MAX = 64 * 1024, ANSWER_MS = 3000 };

static struct {
	bool check;
	const char *version;
} opt;

static const struct option options[] = {
	{ OPTION_FLAG, 0, "check", NULL,
	    "say whether it is in place, and what is missing", &opt.check, NULL, 0 },
	{ OPTION_TEXT, 0, "for", "VERSION",
	    "for this version instead of the one found here", &opt.version, NULL,
	    COMPLETE_NOTHING },
	{ .kind = OPTION_END }
};

/* ---- programs ----------------------------------------------------------- */

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }
#define SETUP(name_, ...) { .name = #name_, .snippet = snippet_##name_, __VA_ARGS__ },
static const struct program programs[] = {
#include "commands/setup.def"
};
#undef SETUP

static const char *const program_names[] = {
#define SETUP(name_, ...) #name_,
#include "commands/setup.def"
#undef SETUP
	NULL
};

enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

static const struct program *
find_program(const struct call *call, struct error *error)
{
	struct buf names;
	size_t i;

	for (i = 0; call->count == 1 && i < PROGRAMS; i++)
		if (strcmp(call->operand[0], programs[i].name) == 0)
			return &programs[i];
	if (call->count == 0)
		error_set(error, STATUS_USAGE, "for which program?");
	else if (call->count == 1)
		error_set(error, STATUS_USAGE, "unknown program %s",
		    text_quote(call->operand[0]).text);
	else
		error_set(error, STATUS_USAGE, "one program at a time");
	buf_init(&names, OUTPUT_MAX);
	for (i = 0; i < PROGRAMS; i++) {
		buf_add_string(&names, i > 0 ? ", " : "");
		buf_add_string(&names, programs[i].name);
	}
	error_hint(error, "it knows %.*s", (int)names.len, (char *)names.data);
	buf_free(&names);
	return NULL;
}

/* ---- versions ----------------------------------------------------------- */

/*
 * The one that is installed; what is not, or does not tell, is taken to be
 * new. A program whose snippet is the same for all is not even asked: shells
 * read theirs at every start.
 */
static void
ask_version(struct version *version, const struct program *program)
{
	struct buf answer;

	*version = version_newest;
	if (program->version == NULL)
		return;
	buf_init(&answer, ANSWER_MAX);
	if (child_run(program->version, "", 0, &answer, NULL, ANSWER_MS) == 0 &&
	    buf_add(&answer, "", 1))
		version_find(version, (char *)answer.data);
	buf_free(&answer);
}

static bool
choose_version(struct version *version, const struct program *program,
    struct error *error)
{
	if (opt.version == NULL)
		ask_version(version, program);
	else if (!version_find(version, opt.version))
		return error_set(error, STATUS_USAGE,
		    "--for takes a version such as 3.3a, not %s",
		    text_quote(opt.version).text);
	return true;
}

/* ---- is it in place? ---------------------------------------------------- */

static void
add_files(struct buf *out, const struct program *program)
{
	size_t i;

	for (i = 0; program->files[i] != NULL; i++) {
		buf_add_string(out, i == 0 ? "" :
		    program->files[i + 1] != NULL ? ", " : " or ");
		buf_add_string(out, program->files[i]);
	}
}

static void
say_placement(struct buf *out, const struct program *program,
    const struct placement *p)
{
	if (p->missing == 0) {
		buf_add_string(out, "in place: ");
		buf_add_string(out, p->where);
		buf_add_string(out, p->asked ? " says so" : "");
	} else if (p->where != NULL) {
		buf_add_string(out, p->where);
		buf_add_string(out, " lacks:\n");
		buf_add(out, p->text.data, p->text.len);
	} else {
		buf_add_string(out, "no line of it in ");
		add_files(out, program);
	}
	if (p->missing == 0 || p->where == NULL)
		buf_add_string(out, "\n");
	if (p->missing > 0) {
		buf_add_string(out, "to add it: ");
		buf_add_string(out, program->add);
		buf_add_string(out, "\n");
	}
}

static void
say_placement_json(struct buf *out, const struct program *program,
    const struct placement *p)
{
	const char *rest = (char *)p->text.data, *end;

	json_open(out, NULL, '{');
	json_text(out, "command", "setup");
	json_text(out, "program", program->name);
	json_bool(out, "in_place", p->missing == 0);
	json_text(out, "where", p->where);
	json_open(out, "missing", '[');
	for (; rest != NULL && *rest != '\0'; rest = end + 1) {
		char line[1024];

		end = strchr(rest, '\n');
		text_format(line, sizeof(line), "%.*s", (int)(end - rest), rest);
		json_text(out, NULL, line);
	}
	json_close(out, ']');
	json_text(out, "add", program->add);
	json_close(out, '}');
	buf_add_string(out, "\n");
}

static bool
check(const struct call *call, const struct program *program,
    struct buf *snippet, struct error *error)
{
	struct placement p;
	struct buf out;
	bool fine;

	if (!buf_add(snippet, "", 1))
		return error_no_memory(error);
	fine = placed_find(&p, program, (char *)snippet->data, error) &&
	    (buf_add(&p.text, "", 1) || error_no_memory(error));
	if (fine) {
		buf_init(&out, OUTPUT_MAX);
		p.text.len--;
		if (call->globals->json)
			say_placement_json(&out, program, &p);
		else
			say_placement(&out, program, &p);
		fine = stream_output(&out, error);
		buf_free(&out);
		if (fine && p.missing > 0)
			fine = error_silent(error, STATUS_FAILED);
	}
	buf_free(&p.text);
	return fine;
}

static bool
setup_run(struct call *call, struct error *error)
{
	const struct program *program = find_program(call, error);
	struct version version;
	struct buf snippet;
	bool fine;

	if (program == NULL || !choose_version(&version, program, error))
		return false;
	buf_init(&snippet, OUTPUT_MAX);
	snippet_text(&snippet, program->snippet, &version);
	if (opt.check)
		fine = check(call, program, &snippet, error);
	else
		fine = stream_output(&snippet, error);
	buf_free(&snippet);
	return fine;
}

const struct command command_setup = {
	.name = "setup",
	.operands = "PROGRAM",
	.summary = "print the lines that make another program use viatty",
	.options = options,
	.words = program_names,
	.run = setup_run,
};
