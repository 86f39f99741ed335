/* SPDX-License-Identifier: MIT */
/*
 * Runs PROGRAM, a static program of another processor, under EMULATOR, with the same
 * words and argv[0]. Both are absolute: tests copy and link this program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	char **words = calloc((size_t)argc + 4, sizeof(*words));
	int i;

	if (words == NULL)
		return 126;
	words[0] = (char *)EMULATOR;
	words[1] = (char *)"-0";
	words[2] = argv[0];
	words[3] = (char *)PROGRAM;
	for (i = 1; i < argc; i++)
		words[i + 3] = argv[i];
	execv(EMULATOR, words);
	perror(EMULATOR);
	return 126;
}
