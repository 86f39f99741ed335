/* SPDX-License-Identifier: MIT */
/*
 * Runs files through a fuzz target without a fuzzer: `replay FILE...`. A target that finds
 * a fault aborts.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
replay(const char *path)
{
	static uint8_t bytes[1 << 20];
	FILE *file = fopen(path, "rb");
	size_t size = file != NULL ? fread(bytes, 1, sizeof(bytes), file) : 0;
	/* exactly as long as it is: one byte too far is seen */
	uint8_t *data = malloc(size + (size == 0));

	if (file == NULL || data == NULL) {
		perror(path);
		exit(1);
	}
	memcpy(data, bytes, size);
	fclose(file);
	/* named before it can abort */
	printf("%s\n", path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

int
main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		replay(argv[i]);
	return argc < 2;
}
