/* SPDX-License-Identifier: MIT */
/* ssh: runs ssh in a relay. */
#include "commands/command.h"

#include <string.h>

static const struct option_spec options[] = {
	{ .kind = OPTION_END }
};

/* ---- the command line of ssh ---------------------------------------------------- */

/* The options that ssh(1) of OpenSSH 9.9 takes with a value */
static const char with_value[] = "BbcDEeFIiJLlmOoPpQRSWw";

/* Whether -f is there, before the host or between it and the command: the main() of ssh. */
static bool
goes_to_background(char *const *words)
{
	const char *letter;
	bool after_host = false;

	for (; *words != NULL; words++) {
		if (words[0][0] != '-' || words[0][1] == '\0' || strcmp(*words, "--") == 0) {
			words += strcmp(*words, "--") == 0;
			if (after_host || *words == NULL)
				return false;
			after_host = true;
			continue;
		}
		letter = *words + 1 + strcspn(*words + 1, with_value);
		if (memchr(*words, 'f', (size_t)(letter - *words)) != NULL)
			return true;
		/* the next word is the value */
		if (letter[0] != '\0' && letter[1] == '\0' && words[1] != NULL)
			words++;
	}
	return false;
}

/* ---- the command ------------------------------------------------------------------------ */

static int
ssh_main(struct call *call)
{
	struct text_list words = { .count = 0 };
	size_t i;

	words.text = memory(NULL, (call->count + 2) * sizeof(*words.text));
	words.text[words.count++] = "ssh";
	for (i = 0; i <= call->count; i++)
		words.text[words.count++] = call->operand[i];
	/* the prototypes lack const */
	if (goes_to_background(call->operand))
		command_execute((char *const *)words.text, "ssh");
	return relay_command((char *const *)words.text);
}

const struct command command_ssh = {
	.name = "ssh",
	.group = "Clipboard",
	.operands = "HOST [COMMAND...]",
	.summary = "run ssh, and bring the copies of its host here",
	.options = options,
	.refused = "tty wrap print json",
	.refused_why = "ssh gets this terminal",
	.completion = COMPLETE_COMMAND,
	.is_program = true,
	.relays = true,
	.examples = {
		{ "viatty ssh host", "copy there, to this desktop, in any terminal" },
		{ "viatty ssh -p 2222 host", "with the options of ssh" },
	},
	.run = ssh_main,
};
