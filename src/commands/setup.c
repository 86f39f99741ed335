/* SPDX-License-Identifier: MIT */
/* setup: prints configuration that makes other programs use viatty. */
#include "base/closest.h"
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/own_path.h"
#include "commands/report.h"
#include "commands/setup_snippet.h"
#include "base/subprocess.h"

#include <string.h>

enum { OUTPUT_MAX = 256 * 1024, ANSWER_MAX = 64 * 1024, ANSWER_MS = 3000 };

static struct {
	const char *version;
} opt;

static const struct option_spec options[] = {
	VALUE(OPTION_TEXT, 0, "for", "VERSION",
	    "print lines for VERSION, not the installed one", opt.version),
	{ .kind = OPTION_END }
};

/* ---- programs ----------------------------------------------------------- */

struct program {
	const char *name;
	const char *const *snippet;
	const char *const *version; /* command that prints it; NULL: not needed */
};

#define ANY NULL
#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }
#define SETUP(name_, version_) { #name_, snippet_##name_, version_ },
static const struct program programs[] = {
#include "commands/setup.def"
};
#undef SETUP
#undef WORDS
#undef ANY

static const char *const program_names[] = {
#define SETUP(name_, ...) #name_,
#include "commands/setup.def"
#undef SETUP
	NULL
};

enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

/* Programs whose command has another name. */
static const struct {
	const char *name, *program;
} also_called[] = {
	{ "nvim", "neovim" }, { "hx", "helix" },
};

static const char *
real_name(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(also_called) / sizeof(also_called[0]); i++)
		if (strcmp(name, also_called[i].name) == 0)
			return also_called[i].program;
	return name;
}

static struct suggestion
suggest_program(const struct call *call)
{
	struct closest closest = { .name = NULL };
	size_t i;

	if (call->count == 1) {
		closest.word = call->operand[0];
		closest_add_words(&closest, program_names);
		for (i = 0; i < sizeof(also_called) / sizeof(also_called[0]); i++)
			closest_add(&closest, also_called[i].name);
	}
	return closest_suggestion(&closest, "");
}

static const struct program *
find_setup_program(const struct call *call, struct error *error)
{
	struct buf names;
	size_t i;

	for (i = 0; call->count == 1 && i < PROGRAMS; i++)
		if (strcmp(real_name(call->operand[0]), programs[i].name) == 0)
			return &programs[i];
	if (call->count == 0)
		error_set(error, STATUS_USAGE, "no program given");
	else if (call->count == 1)
		error_set(error, STATUS_USAGE, "unknown program %s",
		    text_quote(call->operand[0]).text);
	else
		error_set(error, STATUS_USAGE, "more than one program given");
	buf_init(&names, OUTPUT_MAX);
	for (i = 0; i < PROGRAMS; i++) {
		buf_add_string(&names, i > 0 ? ", " : "");
		buf_add_string(&names, programs[i].name);
	}
	error_hint(error, "%sthe programs are %.*s", suggest_program(call).text,
	    (int)names.len, (char *)names.data);
	buf_free(&names);
	return NULL;
}

/* ---- versions ----------------------------------------------------------- */

/*
 * The installed version, or the newest if there is none. A program whose configuration is
 * the same for every version is not run: shells read theirs at every start.
 */
static void
ask_version(struct version *version, const struct program *program)
{
	const struct subprocess_command command = { .arguments = program->version };
	struct buf answer;

	*version = version_newest;
	if (program->version == NULL)
		return;
	buf_init(&answer, ANSWER_MAX);
	if (subprocess_run_command(&command, "", 0, &answer, NULL, ANSWER_MS) == 0 &&
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

/* Without the path the other program needs a PATH that leads to viatty. */
static void
warn_of_missing_path(const struct call *call)
{
	report_warning(call, "viatty is named without its path, which has a character "
	    "that cannot be quoted: ' \" \\ $ ` # % ~ ^ or a control character",
	    "install viatty in a directory without them, or see that it is in the PATH "
	    "of the other program");
}

static bool
setup_run(struct call *call, struct error *error)
{
	const struct program *program = find_setup_program(call, error);
	struct version version;
	struct buf snippet, path;
	bool fine;

	if (program == NULL || !choose_version(&version, program, error))
		return false;
	buf_init(&snippet, OUTPUT_MAX);
	buf_init(&path, OUTPUT_MAX);
	if (!own_path(&path) && snippet_has_path(program->snippet))
		warn_of_missing_path(call);
	if (path.fault == BUF_FINE)
		snippet_text(&snippet, program->snippet, &version,
		    (char *)path.data);
	fine = path.fault == BUF_FINE ? stream_output(&snippet, error) :
	    error_no_memory(error);
	buf_free(&path);
	buf_free(&snippet);
	return fine;
}

const struct command command_setup = {
	.name = "setup",
	.operands = "PROGRAM",
	.summary = "print configuration that makes another program use viatty",
	.options = options,
	.refused = (const char *const[]){ "tty", "wrap", "route", "print", "json", "force", NULL },
	.refused_why = "setup prints configuration and sends nothing",
	.words = program_names,
	.examples = {
		{ "viatty setup tmux >> ~/.tmux.conf", "copy from tmux" },
		{ "viatty setup vim >> ~/.vimrc", "copy from vim" },
	},
	.run = setup_run,
};
