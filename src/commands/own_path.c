/* SPDX-License-Identifier: MIT */
/* The path of the running program; the contract is in own_path.h. */
#include "commands/own_path.h"

#include "detect/environment.h"
#include "detect/path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SELF "/proc/self/exe"

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
		end = strchrnul(folder, ':');
		if (folder[0] == '/' && end - folder < PATH_MAX - 8) {
			snprintf(path, PATH_MAX, "%.*s/viatty",
			    (int)(end - folder), folder);
			if (leads_to(path, program))
				return true;
		}
	}
	return false;
}

void
own_path(struct buf *out)
{
	char path[PATH_MAX];
	struct stat program;
	ssize_t n;
	bool known = stat(SELF, &program) == 0;

	if (known && !find_name(path, &program)) {
		n = readlink(SELF, path, sizeof(path) - 1);
		path[n > 0 ? n : 0] = '\0';
		/* Linux appends " (deleted)" to a removed file */
		known = n > 0 && leads_to(path, &program);
	}
	buf_add_string(out, known && is_literal(path) ? path : "viatty");
	buf_add(out, "", 1);
}
