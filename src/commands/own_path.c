/* SPDX-License-Identifier: MIT */
/* The path of the running program; the contract is in own_path.h. */
#include "commands/own_path.h"

#include "base/text.h"
#include "detect/environment.h"
#include "detect/path.h"
#include "detect/process.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_literal(const char *path)
{
	const unsigned char *c = (const unsigned char *)path;

	while (*c >= 0x20 && *c != 0x7f && strchr("'\"\\$`#%~^", *c) == NULL)
		c++;
	return *c == '\0';
}

static bool
leads_to(const char *path, const struct stat *program)
{
	struct stat there;

	return stat(path, &there) == 0 && there.st_dev == program->st_dev &&
	    there.st_ino == program->st_ino;
}

/* Fills `path`, of PATH_MAX bytes, with the first name in PATH that leads there. */
static bool
find_name(char *path, const struct stat *program)
{
	const char *folder = environment_get("PATH"), *end;

	for (; folder != NULL; folder = *end == ':' ? end + 1 : NULL) {
		end = folder + strcspn(folder, ":");
		if (folder[0] == '/' && end - folder < PATH_MAX - 8) {
			snprintf(path, PATH_MAX, "%.*s/viatty",
			    (int)(end - folder), folder);
			if (leads_to(path, program))
				return true;
		}
	}
	return false;
}

/* Fills `path`, of PATH_MAX bytes, with the name of the file `self` may only be a link to. */
static bool
find_file(char *path, const char *self, const struct stat *program)
{
	ssize_t n = readlink(self, path, PATH_MAX - 1);

	if (n < 0)
		return text_copy(path, PATH_MAX, self);
	path[n] = '\0';
	/* Linux appends " (deleted)" to a removed file */
	return leads_to(path, program);
}

bool
own_path(struct buf *out)
{
	char path[PATH_MAX], self[PROCESS_PATH];
	struct stat program;
	bool known = process_program(self, getpid()) && stat(self, &program) == 0 &&
	    (find_name(path, &program) || find_file(path, self, &program));
	bool literal = known && is_literal(path);

	buf_add_string(out, literal ? path : "viatty");
	buf_add(out, "", 1);
	return literal || !known;
}
