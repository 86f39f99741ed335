/* SPDX-License-Identifier: MIT */
/* viatty: sends escape sequences to the terminal of the user. */
#include "cli/cli.h"

int
main(int argc, char **argv)
{
	return cli_run(argc, argv);
}
