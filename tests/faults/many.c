/* SPDX-License-Identifier: MIT */
/*
 * many COUNT REPORT PROGRAM [ARGUMENT...]
 *
 * Runs PROGRAM so often, one after the other, and then tells REPORT in one
 * line: how many failed, whether a child is left, how many descriptors are open
 * here before and after.
 */
#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int
count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int n = 0;

	while (folder != NULL && readdir(folder) != NULL)
		n++;
	closedir(folder);
	return n;
}

int
main(int argc, char **argv)
{
	long count, i, failed = 0;
	int before, status;
	FILE *report;
	pid_t pid;

	if (argc < 4)
		return 2;
	count = strtol(argv[1], NULL, 10);
	before = count_descriptors();
	for (i = 0; i < count; i++)
		if (posix_spawnp(&pid, argv[3], NULL, NULL, argv + 3, environ) != 0 ||
		    waitpid(pid, &status, 0) != pid || status != 0)
			failed++;
	report = fopen(argv[2], "w");
	if (report == NULL)
		return 1;
	fprintf(report, "%ld %d %d %d\n", failed,
	    waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD, before,
	    count_descriptors() - 1);
	return fclose(report) != 0;
}
