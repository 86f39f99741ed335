/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* ---- values --------------------------------------------------------------- */

/* The start of messages about a value from the environment, or "". */
static char origin[64];

static _Noreturn void
bad_value(const struct option_spec *option, const char *text, const char *wanted)
{
	die(STATUS_USAGE, NULL, "%s--%s takes %s, not %s", origin, option->name, wanted,
	    text_quote(text).text);
}

/* Parses "2", "0.5" or ".25": above 0 and at most a day, in milliseconds. */
static void
store_seconds(const struct option_spec *option, const char *text)
{
	const char *at = text;
	unsigned long ms = 0, unit = 1000;

	for (; text_is_digit(*at) && ms <= 86400; at++)
		ms = ms * 10 + (unsigned long)(*at - '0');
	ms *= 1000;
	if (*at == '.')
		for (at++; text_is_digit(*at); at++) {
			unit /= 10;
			ms += unit * (unsigned long)(*at - '0');
		}
	if (*at != '\0' || ms == 0 || ms > 86400 * 1000UL)
		bad_value(option, text, "a number of seconds above 0, as in 2 or 0.5");
	*(unsigned *)option->value = (unsigned)ms;
}

/* Caps the number at SIZE_LIMIT. */
static void
store_size(const struct option_spec *option, const char *text)
{
	unsigned long value = SIZE_LIMIT;
	size_t digits = strspn(text, "0123456789");

	(void)text_number(text, SIZE_LIMIT, &value);
	if (digits == 0 || digits > 18 || text[digits] != '\0' || value == 0)
		bad_value(option, text, "a number of bytes above 0");
	*(size_t *)option->value = value;
}

/* `text`: NULL if given without a value. */
static void
store(const struct option_spec *option, const char *text)
{
	struct text_list *list = option->value;
	char unknown[sizeof(origin) + 64];

	/* an ignored option */
	if (option->value == NULL)
		return;
	if (text == NULL)
		text = option->kind == OPTION_MAYBE_WORD ? option->words[0] : option->name;
	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)option->value = true;
		break;
	case OPTION_TEXT:
		*(const char **)option->value = text;
		break;
	case OPTION_LIST:
		list->text = memory(list->text, (list->count + 1) * sizeof(*list->text));
		list->text[list->count++] = text;
		break;
	case OPTION_SIZE:
		store_size(option, text);
		break;
	case OPTION_SECONDS:
		store_seconds(option, text);
		break;
	case OPTION_MAYBE_WORD:
	case OPTION_WORD:
		text_format(unknown, sizeof(unknown), "%sunknown --%s", origin, option->name);
		*(const char **)option->value = option->words[choose_word(option->words, text,
		    "give one of: ", unknown)];
		break;
	case OPTION_END:
		break;
	}
}

bool
option_given(const struct option_spec *option)
{
	switch (option->kind) {
	case OPTION_FLAG:
		return *(bool *)option->value;
	case OPTION_LIST:
		return ((struct text_list *)option->value)->count > 0;
	case OPTION_SIZE:
		return *(size_t *)option->value != 0;
	case OPTION_SECONDS:
		return *(unsigned *)option->value != 0;
	default:
		return *(const char **)option->value != NULL;
	}
}

void
option_from_environment(const struct option_spec *option, const char *value)
{
	text_format(origin, sizeof(origin), "%s in the environment: ", option->variable);
	store(option, value);
	origin[0] = '\0';
}

/* ---- the command line ------------------------------------------------------- */

enum { NAME_MAX = 64 };

bool
option_takes_value(const struct option_spec *option)
{
	return option->argument != NULL && option->kind != OPTION_MAYBE_WORD;
}

static const struct option_spec *
option_by_letter(const struct option_spec *const tables[], char letter)
{
	const struct option_spec *option;
	size_t i;

	for (i = 0; letter != '\0' && tables[i] != NULL; i++)
		for (option = tables[i]; option->kind != OPTION_END; option++)
			if (option->letter == letter)
				return option;
	return NULL;
}

const struct option_spec *
option_by_name(const struct option_spec *const tables[], const char *name, size_t n)
{
	const struct option_spec *option, *found = NULL;
	size_t i;
	bool ambiguous = false;

	for (i = 0; tables[i] != NULL; i++)
		for (option = tables[i]; option->kind != OPTION_END; option++) {
			if (strncmp(option->name, name, n) != 0)
				continue;
			if (option->name[n] == '\0')
				return option;
			ambiguous = found != NULL;
			found = option;
		}
	return ambiguous || n == 0 ? NULL : found;
}

/* Reports one ASCII letter of several alone, otherwise the whole argument. */
static _Noreturn void
unknown_option(const struct option_spec *const tables[], const char *word, const char *letter)
{
	const char short_form[] = { '-', letter[0], '\0' };
	const char *dashes = word[1] == '-' ? "--" : "-";
	struct closest closest = { .name = NULL };
	const struct option_spec *option;
	char name[NAME_MAX];
	size_t i;

	if (letter[0] > ' ' && letter[0] < 0x7f)
		die(STATUS_USAGE, NULL, "unknown option %s", text_quote(short_form).text);
	text_format(name, sizeof(name), "%.*s", (int)strcspn(word + strlen(dashes), "="),
	    word + strlen(dashes));
	closest.word = name;
	for (i = 0; tables[i] != NULL; i++)
		for (option = tables[i]; option->kind != OPTION_END; option++)
			closest_add(&closest, option->name);
	die(STATUS_USAGE, closest.name == NULL ? NULL : hint("%s--help lists the options",
	    closest_suggestion(&closest, dashes)), "unknown option %s",
	    text_quote(word).text);
}

const struct option_spec *
option_next(const struct option_spec *const tables[], enum option_syntax syntax, const char *word,
    const char **at, const char **value)
{
	const struct option_spec *option = NULL;
	size_t dashes = word[1] == '-' ? 2 : 1, n = strcspn(word + dashes, "=");

	*value = word[dashes + n] == '=' ? word + dashes + n + 1 : NULL;
	if (dashes == 2 || (syntax == READ_ONE_DASH &&
	    (n > 1 || option_by_letter(tables, word[1]) == NULL)))
		option = option_by_name(tables, word + dashes, n);
	if (dashes == 2 || option != NULL) {
		*at = "";
		return option;
	}
	option = option_by_letter(tables, **at);
	*at += option != NULL;
	*value = option != NULL && option->argument != NULL && **at != '\0' ? *at : NULL;
	*at = *value != NULL ? "" : *at;
	return option;
}

int
options_read(int argc, char **argv, const struct option_spec *const tables[],
    enum option_syntax syntax)
{
	const struct option_spec *option;
	const char *word, *at, *value;
	int i, count = 0;

	for (i = 1; i < argc; i++) {
		word = argv[i];
		if (word[0] != '-' || word[1] == '\0') {
			if (syntax == READ_UNTIL_OPERAND)
				break;
			argv[1 + count++] = argv[i];
			continue;
		}
		if (strcmp(word, "--") == 0) {
			i++;
			break;
		}
		for (at = word + 1; *at != '\0';) {
			option = option_next(tables, syntax, word, &at, &value);
			if (option == NULL)
				unknown_option(tables, word, syntax == READ_ONE_DASH ? "" : at);
			if (value != NULL && option->argument == NULL)
				die(STATUS_USAGE, NULL, "--%s takes no value", option->name);
			if (value == NULL && option_takes_value(option)) {
				value = argv[++i];
				if (value == NULL)
					die(STATUS_USAGE, NULL, "--%s needs %s", option->name,
					    option->argument);
			}
			store(option, value);
		}
	}
	/* move the operands found among the options before the others */
	memmove(argv + i - count, argv + 1, (size_t)count * sizeof(*argv));
	return i - count;
}

void
options_check(const struct option_spec *const tables[])
{
	const struct option_spec *option, *other;
	const char *name;
	size_t i, n;

	for (i = 0; tables[i] != NULL; i++)
		for (option = tables[i]; option->kind != OPTION_END; option++) {
			name = option_given(option) ? option->not_with : NULL;
			for (; name != NULL && *name != '\0'; name += n + (name[n] == ' ')) {
				n = strcspn(name, " ");
				other = option_by_name(tables, name, n);
				if (other != NULL && option_given(other))
					die(STATUS_USAGE, NULL, "--%s cannot be used with --%s",
					    option->name, other->name);
			}
		}
}
