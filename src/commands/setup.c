/* SPDX-License-Identifier: MIT */
/*
 * setup: prints configuration that makes other programs use viatty. The Makefile compiles in each
 * file src/setup/NAME.* as one text. In it, @VIATTY@ stands for the path of viatty, in quotes.
 */
#include "commands/command.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- programs ----------------------------------------------------------- */

#define SETUP(name, ...) extern const char snippet_##name[];
#include "commands/setup.def"
#undef SETUP

static const struct program {
	const char *command; /* NULL: of the same name */
	const char *snippet;
	const char *what;
} programs[] = {
#define SETUP(name, command_, what_) { command_, snippet_##name, what_ },
#include "commands/setup.def"
#undef SETUP
};

static const char *const program_names[] = {
#define SETUP(name_, ...) #name_,
#include "commands/setup.def"
#undef SETUP
	NULL
};

enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

static const struct program *
find_setup_program(const char *word)
{
	size_t i;

	for (i = 0; i < PROGRAMS; i++)
		if (strcmp(word, program_names[i]) == 0 || text_equal(word, programs[i].command))
			return &programs[i];
	die(STATUS_USAGE, "unknown program %s\n"
	    "viatty setup lists the programs; viatty-setup(1) has recipes for more",
	    text_quote(word).text);
}

/* ---- the path of viatty ------------------------------------------------- */

static bool
leads_to(const char *path, const struct stat *program)
{
	struct stat there;

	return stat(path, &there) == 0 && there.st_dev == program->st_dev &&
	    there.st_ino == program->st_ino;
}

/*
 * The absolute path of the running program: preferably the one found in PATH, because an
 * upgrade may move the file itself. Returns false if it is unknown.
 */
static bool
own_path(char path[PATH_MAX])
{
	const char *folders = environment_get("PATH");
	char self[PROCESS_PATH];
	struct stat program;
	ssize_t n;

	if (!process_program(self, getpid()) || stat(self, &program) != 0)
		return false;
	while (program_candidate(path, PATH_MAX, &folders, "viatty"))
		if (path[0] == '/' && leads_to(path, &program))
			return true;
	/* on Linux `self` is a link, to "FILE (deleted)" if the file is gone */
	n = readlink(self, path, PATH_MAX - 1);
	if (n < 0)
		return text_copy(path, PATH_MAX, self);
	path[n] = '\0';
	return leads_to(path, &program);
}

/* Whether it has no character that a shell, tmux or an editor interprets within quotes. */
static bool
is_literal(const char *path)
{
	const char *at;

	for (at = path; *at != '\0'; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f ||
		    strchr("'\"\\$`#%~^", *at) != NULL)
			return false;
	return true;
}

/* ---- the snippet -------------------------------------------------------- */

static void
add_snippet(struct buf *text, const char *name)
{
	static const char mark[] = "@VIATTY@";
	const struct program *program = find_setup_program(name);
	const char *snippet = program->snippet, *at;
	char path[PATH_MAX];
	bool known = own_path(path), literal = !known || is_literal(path);

	if (!known || !literal)
		text_copy(path, sizeof(path), "viatty");
	while ((at = strstr(snippet, mark)) != NULL) {
		buf_add(text, snippet, (size_t)(at - snippet));
		buf_add_string(text, path);
		snippet = at + strlen(mark);
	}
	buf_add_string(text, snippet);
	/* without the path, the other program has to find viatty in its PATH */
	if (!literal && snippet != program->snippet)
		message_warn("viatty is named without its path, which has a character that cannot "
		    "be quoted: ' \" \\ $ ` # %% ~ ^ or a control character\n"
		    "install viatty in a directory without them, or see that it is in the "
		    "PATH of the other program");
}

static int
setup_run(struct call *call)
{
	static struct buf text = BUF_EMPTY;
	size_t i;

	if (call->count > 1)
		die(STATUS_USAGE, "more than one program given");
	if (call->count == 1)
		add_snippet(&text, call->operand[0]);
	for (i = 0; call->count == 0 && i < PROGRAMS; i++)
		buf_format(&text, "%-9s %s\n", program_names[i], programs[i].what);
	stream_output(text.data, text.len);
	return STATUS_DONE;
}

const struct command command_setup = {
	.name = "setup",
	.group = "Setup",
	.operands = "[PROGRAM]",
	.summary = "print configuration for tmux, vim, bash and others",
	.refused = "tty wrap route term timeout no-probe print force",
	.refused_why = "setup prints configuration and sends nothing",
	.words = program_names,
	.examples = {
		{ "viatty setup", "list the programs" },
		{ "viatty setup screen >> ~/.screenrc", "copy from Screen" },
	},
	.run = setup_run,
};
