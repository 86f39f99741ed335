/* SPDX-License-Identifier: MIT */
/* Looking for snippets; the contract is in placed.h. */
#include "commands/placed.h"

#include "base/stream.h"
#include "base/text.h"
#include "route/child.h"
#include "route/surroundings.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SETTINGS_MAX = 4 * 1024 * 1024, QUESTION_MS = 3000 };

/* ---- lines -------------------------------------------------------------- */

/* One line without the blanks around it. */
struct line {
	const char *text;
	size_t n;
};

#define BLANKS " \t\r"

static bool
next_line(const char **rest, struct line *line)
{
	size_t n = strcspn(*rest, "\n");
	const char *text = *rest;

	if (*text == '\0')
		return false;
	*rest += n + ((*rest)[n] == '\n');
	line->text = text + strspn(text, BLANKS);
	if (line->text > text + n)
		line->text = text + n;
	line->n = (size_t)(text + n - line->text);
	while (line->n > 0 && strchr(BLANKS, line->text[line->n - 1]) != NULL)
		line->n--;
	return true;
}

static bool
begins(const struct line *line, const char *with)
{
	size_t n = strlen(with);

	return line->n >= n && memcmp(line->text, with, n) == 0;
}

static bool
has(const struct line *line, const char *word)
{
	return memmem(line->text, line->n, word, strlen(word)) != NULL;
}

/* A comment begins as the snippet does, whose first line is one. */
static bool
matters(const struct line *line, const char *snippet)
{
	return line->n > 0 && line->text[0] != snippet[0];
}

/* Equal, any number of blanks counting as one. */
static bool
same(const struct line *a, const struct line *b)
{
	size_t i = 0, j = 0;

	while (i < a->n && j < b->n) {
		if (strchr(BLANKS, a->text[i]) != NULL &&
		    strchr(BLANKS, b->text[j]) != NULL) {
			i += strspn(a->text + i, BLANKS);
			j += strspn(b->text + j, BLANKS);
		} else if (a->text[i++] != b->text[j++]) {
			return false;
		}
	}
	return i == a->n && j == b->n;
}

static bool
contains(const char *text, const struct line *wanted)
{
	struct line line;

	while (next_line(&text, &line))
		if (same(&line, wanted))
			return true;
	return false;
}

/* ---- comparing ---------------------------------------------------------- */

/* Which of the snippet's lines that begin with `about` are not in `there`. */
static void
compare(struct placement *p, const char *snippet, const char *about,
    const char *there)
{
	const char *rest = snippet;
	struct line line;

	while (next_line(&rest, &line)) {
		if (!matters(&line, snippet) || !begins(&line, about))
			continue;
		p->lines++;
		if (contains(there, &line)) {
			p->named = p->named || has(&line, "viatty");
			continue;
		}
		p->missing++;
		buf_add(&p->text, line.text, line.n);
		buf_add(&p->text, "\n", 1);
	}
}

/* Whether a line that is no comment runs `viatty setup NAME`. */
static bool
runs_setup(const char *there, const char *name, const char *snippet)
{
	char call[64], text[512];
	struct line line;
	const char *at;

	snprintf(call, sizeof(call), "viatty setup %s", name);
	while (next_line(&there, &line)) {
		if (!matters(&line, snippet) || line.n >= sizeof(text))
			continue;
		memcpy(text, line.text, line.n);
		text[line.n] = '\0';
		at = strstr(text, call);
		if (at != NULL && strchr(" \t)|;`\"", at[strlen(call)]) != NULL)
			return true;
	}
	return false;
}

/* ---- where settings are ------------------------------------------------- */

/* False: it cannot be read, as most of them cannot. */
static bool
read_settings(struct buf *out, const char *name)
{
	const char *home = environment_get("HOME");
	struct error silent = { .status = STATUS_DONE };
	char path[PATH_MAX];
	bool fine;
	int fd;

	snprintf(path, sizeof(path), "%s%s", name[0] != '~' ? "" :
	    home != NULL ? home : "/nonexistent", name + (name[0] == '~'));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return false;
	fine = stream_read_all(fd, path, out, &silent);
	close(fd);
	return fine && buf_add(out, "", 1);
}

static void
placement_set(struct placement *p, const char *where)
{
	buf_free(&p->text);
	p->where = where;
	p->lines = p->missing = 0;
	p->asked = p->named = false;
}

static void
look_into_file(struct placement *p, const struct program *program,
    const char *snippet, const char *file, struct buf *settings)
{
	struct placement here = { .where = NULL };

	buf_init(&here.text, SETTINGS_MAX);
	placement_set(&here, file);
	compare(&here, snippet, "", (char *)settings->data);
	if (runs_setup((char *)settings->data, program->name, snippet)) {
		here.missing = 0;
		here.named = true;
		buf_free(&here.text);
	}
	/* a "fi" alone is nobody's */
	if (here.named && here.missing < p->missing) {
		buf_free(&p->text);
		*p = here;
	} else {
		buf_free(&here.text);
	}
}

/* Nothing of it anywhere is where it starts from. */
static void
look_into_files(struct placement *p, const struct program *program,
    const char *snippet)
{
	const char *const *file;
	struct buf settings;

	placement_set(p, NULL);
	compare(p, snippet, "", "");
	for (file = program->files; *file != NULL; file++) {
		buf_init(&settings, SETTINGS_MAX);
		if (read_settings(&settings, *file))
			look_into_file(p, program, snippet, *file, &settings);
		buf_free(&settings);
	}
}

/* ---- what the program says ---------------------------------------------- */

/* The answer with `before` in front of each of its lines. False: no answer. */
static bool
ask(struct buf *out, const struct question *question)
{
	struct buf answer;
	const char *rest;
	struct line line;
	bool fine;

	buf_init(&answer, SETTINGS_MAX);
	fine = child_run(question->words, "", 0, &answer, NULL, QUESTION_MS) == 0 &&
	    buf_add(&answer, "", 1);
	rest = fine ? (char *)answer.data : "";
	while (next_line(&rest, &line)) {
		buf_add_string(out, question->before);
		buf_add(out, line.text, line.n);
		buf_add(out, "\n", 1);
	}
	buf_free(&answer);
	return fine && buf_add(out, "", 1);
}

static bool
ask_program(struct placement *p, const struct program *program,
    const char *snippet)
{
	const struct question *question = program->questions;
	struct buf settings;
	bool fine = question->words != NULL;
	size_t i;

	placement_set(p, program->name);
	p->asked = true;
	for (i = 0; fine && i < QUESTIONS_MAX && question[i].words != NULL; i++) {
		buf_init(&settings, SETTINGS_MAX);
		fine = ask(&settings, &question[i]);
		if (fine)
			compare(p, snippet, question[i].about,
			    (char *)settings.data);
		buf_free(&settings);
	}
	return fine;
}

bool
placed_find(struct placement *p, const struct program *program,
    const char *text, struct error *error)
{
	*p = (struct placement){ .where = NULL };
	buf_init(&p->text, SETTINGS_MAX);
	if (!ask_program(p, program, text))
		look_into_files(p, program, text);
	if (p->text.fault == BUF_FINE)
		return true;
	return error_no_memory(error);
}
