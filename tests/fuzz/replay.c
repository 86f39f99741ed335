/* SPDX-License-Identifier: MIT */
/*
 * Runs files through a fuzz target without a fuzzer: `replay PATH...`, where a
 * path is a file or a folder of files. A target that finds a fault aborts.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t files;

static void
fail(const char *path)
{
	perror(path);
	exit(1);
}

static void
replay_file(const char *path, size_t size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = malloc(size + 1);

	if (file == NULL || data == NULL || fread(data, 1, size, file) != size)
		fail(path);
	fclose(file);
	/* named before it can abort */
	printf("%s\n", path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	files++;
}

static void replay(const char *path);

static void
replay_folder(const char *path)
{
	char name[4096];
	DIR *folder = opendir(path);
	struct dirent *entry;

	if (folder == NULL)
		fail(path);
	while ((entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		replay(name);
	}
	closedir(folder);
}

static void
replay(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		fail(path);
	if (S_ISDIR(st.st_mode))
		replay_folder(path);
	else
		replay_file(path, (size_t)st.st_size);
}

int
main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		replay(argv[i]);
	if (files == 0) {
		fprintf(stderr, "nothing to replay\n");
		return 1;
	}
	return 0;
}
