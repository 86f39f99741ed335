/* SPDX-License-Identifier: MIT */
/* base/user: users that only getent(1) knows, as in a program linked with musl. */
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A number that /etc/passwd is not likely to have. */
#define NUMBER "61234567"
enum { UID = 61234567 };

static char folder[] = "/tmp/viatty-user-XXXXXX", getent[sizeof(folder) + 8];

/* A getent that prints the line for this user, and an empty PATH but for it. */
static void
stand_in(const char *line, int status)
{
	FILE *file;

	cr_assert_not_null(mkdtemp(folder));
	snprintf(getent, sizeof(getent), "%s/getent", folder);
	file = fopen(getent, "w");
	cr_assert_not_null(file);
	fprintf(file, "#!/bin/sh\n[ \"$*\" = 'passwd " NUMBER "' ] && echo '%s'\nexit %d\n",
	    line, status);
	fclose(file);
	chmod(getent, 0700);
	setenv("PATH", folder, 1);
}

static void
tear_down(void)
{
	unlink(getent);
	rmdir(folder);
}

Test(user, of_a_directory_service_is_found, .fini = tear_down)
{
	struct account user;
	char name[USER_NAME];

	stand_in("ada:*:" NUMBER ":61230000:Ada, Countess:/home/ada:/bin/bash", 0);
	cr_assert(user_find(&user, UID));
	cr_expect_eq(user.uid, UID);
	cr_expect_eq(user.gid, 61230000);
	cr_expect_str_eq(user.name, "ada");
	cr_expect_str_eq(user.home, "/home/ada");
	user_name(name, UID);
	cr_expect_str_eq(name, "ada");
}

static void
is_not_found(const char *line, int status)
{
	struct account user;
	char name[USER_NAME];

	stand_in(line, status);
	cr_expect_not(user_find(&user, UID), "%s", line);
	user_name(name, UID);
	cr_expect_str_eq(name, "user " NUMBER);
}

Test(user, whom_getent_does_not_know, .fini = tear_down)
{
	is_not_found("", 2);
}

Test(user, of_another_number_is_another, .fini = tear_down)
{
	is_not_found("root:x:0:0:root:/root:/bin/sh", 0);
}

Test(user, whose_line_is_cut_off_is_not_found, .fini = tear_down)
{
	is_not_found("ada:*:" NUMBER ":61230000:Ada", 0);
}

Test(user, whose_group_is_no_number_is_not_found, .fini = tear_down)
{
	is_not_found("ada:*:" NUMBER ":users:Ada:/home/ada:/bin/bash", 0);
}
