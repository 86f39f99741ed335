/* SPDX-License-Identifier: MIT */
/*
 * FOLDER/run/NAME, a copy of this program: runs FOLDER/NAME, a static program of
 * another processor, under EMULATOR, with the same words and argv[0].
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char RUN[] = "/run/";

int
main(int argc, char **argv)
{
	char self[PATH_MAX], *found, *next;
	char **words = calloc((size_t)argc + 4, sizeof(*words));
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int i;

	if (words == NULL || n < 0)
		return 126;
	self[n] = '\0';
	found = strstr(self, RUN);
	if (found == NULL)
		return 126;
	while ((next = strstr(found + 1, RUN)) != NULL)
		found = next;
	next = found + strlen(RUN) - 1;
	memmove(found, next, strlen(next) + 1);
	words[0] = (char *)EMULATOR;
	words[1] = (char *)"-0";
	words[2] = argv[0];
	words[3] = self;
	for (i = 1; i < argc; i++)
		words[i + 3] = argv[i];
	execv(EMULATOR, words);
	perror(EMULATOR);
	return 126;
}
