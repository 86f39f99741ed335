/* SPDX-License-Identifier: MIT */
/* cli/options: bytes that are no option, tables that are full. */
#include "cli/options.h"

#include <criterion/criterion.h>
#include <signal.h>

static struct error
read_words(char **argv, int argc, const struct option_spec *first,
    const struct option_spec *second)
{
	struct error error = { .status = STATUS_DONE };

	options_read(argc, argv, first, second, READ_ANYWHERE, &error);
	return error;
}

/* Bytes that musl's getopt makes numbers beyond a char of. */
Test(options, no_byte_is_taken_for_an_option)
{
	static bool set;
	static const struct option_spec table[] = {
		{ OPTION_FLAG, 'f', "first", NULL, "", &set, NULL, 0 },
		{ .kind = OPTION_END }
	};
	char word[3] = "-";
	char *argv[] = { (char *)"viatty", word, NULL };
	int byte;

	for (byte = 1; byte < 256; byte++) {
		if (byte == '-' || byte == 'f')
			continue;
		word[1] = (char)byte;
		cr_expect_eq(read_words(argv, 2, table, NULL).status,
		    STATUS_USAGE, "%#x", (unsigned)byte);
		cr_expect_not(set, "%#x", (unsigned)byte);
	}
}

static void
fill(struct option_spec *table, size_t n, bool *values)
{
	size_t i;

	for (i = 0; i < n; i++)
		table[i] = (struct option_spec){ OPTION_FLAG, 0,
			i + 1 == n ? "last" : "other", NULL, "", &values[i], NULL, 0 };
	table[n].kind = OPTION_END;
}

Test(options, a_full_table_is_read)
{
	static struct option_spec many[33], more[33];
	static bool values[32], others[32];
	char *argv[] = { (char *)"viatty", (char *)"--lasting", NULL };

	fill(many, 32, values);
	fill(more, 32, others);
	more[31].name = "lasting";
	cr_expect_eq(read_words(argv, 2, many, more).status, STATUS_DONE);
	cr_expect(others[31]);
}

Test(options, a_table_too_long_is_an_error_of_ours, .signal = SIGABRT)
{
	static struct option_spec long_table[66];
	static bool values[65];
	char *argv[] = { (char *)"viatty", NULL };

	fill(long_table, 65, values);
	read_words(argv, 1, long_table, NULL);
}
