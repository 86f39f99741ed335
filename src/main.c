/* SPDX-License-Identifier: MIT */
/* viatty: sends things to the terminal a person is sitting at. */
#include "cli/cli.h"

int
main(int argc, char **argv)
{
	return cli_run(argc, argv);
}
