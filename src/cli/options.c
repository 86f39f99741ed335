/* SPDX-License-Identifier: MIT */
/* Options by table; the contract is in options.h. */
#include "cli/options.h"

#include "base/closest.h"
#include "base/text.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPTIONS_MAX = 64,
	/* of a number of bytes: what 64 bits hold */
	SIZE_DIGITS = 18,
	/* what getopt returns for a long option: above every letter, which is a byte
	   in glibc and a code point in musl */
	FIRST_NUMBER = 0x110000
};

/* The tables joined in getopt's forms. */
struct joined {
	size_t count;
	const struct option_spec *option[OPTIONS_MAX];
	struct option long_form[OPTIONS_MAX + 1];
	char short_form[2 + OPTIONS_MAX * 3 + 1];
};

static int
argument_mode(enum option_kind kind)
{
	if (kind == OPTION_FLAG || kind == OPTION_NAME)
		return no_argument;
	return kind == OPTION_MAYBE_WORD ? optional_argument : required_argument;
}

static void
join_tables(struct joined *j, const struct option_spec *table)
{
	static const char *const colons[] = {
		[no_argument] = "", [required_argument] = ":",
		[optional_argument] = "::",
	};
	int mode;

	for (; table != NULL && table->kind != OPTION_END; table++) {
		if (j->count == OPTIONS_MAX)
			abort();
		mode = argument_mode(table->kind);
		j->option[j->count] = table;
		j->long_form[j->count] = (struct option){ table->name, mode,
		    NULL, FIRST_NUMBER + (int)j->count };
		j->count++;
		if (table->letter == '\0')
			continue;
		strncat(j->short_form, &table->letter, 1);
		strcat(j->short_form, colons[mode]);
	}
}

static const struct option_spec *
find_option(const struct joined *j, int value)
{
	size_t i;

	if (value >= FIRST_NUMBER && value - FIRST_NUMBER < (int)j->count)
		return j->option[value - FIRST_NUMBER];
	for (i = 0; i < j->count; i++)
		if (j->option[i]->letter == value)
			return j->option[i];
	return NULL;
}

/* ---- values ------------------------------------------------------------- */

static bool
bad_value(const struct option_spec *option, const char *text, struct error *error)
{
	return error_set(error, STATUS_USAGE, "--%s takes a number%s, not %s",
	    option->name, option->kind == OPTION_SECONDS ?
	        " of seconds above 0, as in 2 or 0.5" : " of bytes above 0",
	    text_quote(text).text);
}

static bool
store_word(const struct option_spec *option, const char *text, struct error *error)
{
	struct closest closest = { .word = text };
	char choices[256];
	size_t i;

	for (i = 0; option->words[i] != NULL; i++)
		if (strcmp(option->words[i], text) == 0) {
			*(const char **)option->value = option->words[i];
			return true;
		}
	text_join(choices, sizeof(choices), option->words, ", ");
	error_set(error, STATUS_USAGE, "unknown --%s %s", option->name,
	    text_quote(text).text);
	closest_add_words(&closest, option->words);
	return error_hint(error, "%sgive one of: %s",
	    closest_suggestion(&closest, "").text, choices);
}

/* "2", "0.5", ".25": milliseconds, more than none. */
static bool
store_seconds(const struct option_spec *option, const char *text, struct error *error)
{
	unsigned long whole = 0, thousandths = 0;
	const char *point = strchr(text, '.');
	char digits[16], fraction[4] = "000";
	size_t i, n = point != NULL ? (size_t)(point - text) : strlen(text);

	if (n >= sizeof(digits) || text[0] == '\0' || strcmp(text, ".") == 0)
		return bad_value(option, text, error);
	memcpy(digits, text, n);
	digits[n] = '\0';
	for (i = 0; point != NULL && i < 3 && point[i + 1] != '\0'; i++)
		fraction[i] = point[i + 1];
	if ((n > 0 && !text_number(digits, 86400, &whole)) ||
	    !text_number(fraction, 999, &thousandths) ||
	    (point != NULL && strspn(point + 1, "0123456789") !=
	        strlen(point + 1)) || whole * 1000 + thousandths == 0)
		return bad_value(option, text, error);
	*(unsigned *)option->value = (unsigned)(whole * 1000 + thousandths);
	return true;
}

static bool
store_size(const struct option_spec *option, const char *text, struct error *error)
{
	unsigned long value = SIZE_LIMIT;
	size_t digits = strspn(text, "0123456789");

	if (digits == 0 || digits > SIZE_DIGITS || text[digits] != '\0')
		return bad_value(option, text, error);
	/* a number that is too large for a size_t of 32 bits is one all the same */
	(void)text_number(text, SIZE_LIMIT, &value);
	if (value == 0)
		return bad_value(option, text, error);
	*(size_t *)option->value = value;
	return true;
}

/* gcc 12's analyzer loses what is stored behind a pointer that was a void * */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
static bool
add_to_list(struct text_list *list, const char *text, struct error *error)
{
	const char **grown = realloc(list->text,
	    (list->count + 1) * sizeof(*grown));

	if (grown == NULL)
		return error_no_memory(error);
	list->text = grown;
	list->text[list->count++] = text;
	return true;
}
#pragma GCC diagnostic pop

bool
option_store(const struct option_spec *option, const char *text, struct error *error)
{
	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)option->value = true;
		return true;
	case OPTION_NAME:
		*(const char **)option->value = option->name;
		return true;
	case OPTION_TEXT:
		*(const char **)option->value = text;
		return true;
	case OPTION_LIST:
		return add_to_list(option->value, text, error);
	case OPTION_SIZE:
		return store_size(option, text, error);
	case OPTION_SECONDS:
		return store_seconds(option, text, error);
	case OPTION_MAYBE_WORD:
		if (text == NULL)
			text = option->words[0];
		/* fall through */
	case OPTION_WORD:
		return store_word(option, text, error);
	case OPTION_END:
		break;
	}
	abort();
}

/* ---- the command line --------------------------------------------------- */

/*
 * The argument that getopt reads next. To be taken before the call, because getopt
 * reorders `argv`, and whether optind then points to this argument or behind it depends
 * on the library and on further letters in the argument.
 */
static char *
next_word(char **argv, enum option_syntax syntax)
{
	int i = optind > 0 ? optind : 1;

	while (syntax != READ_UNTIL_OPERAND && argv[i] != NULL &&
	    (argv[i][0] != '-' || argv[i][1] == '\0'))
		i++;
	return argv[i];
}

/* Suggests a long option for `word`, which begins with one dash or two. */
static void
suggest_option(const struct joined *j, const char *word, struct error *error)
{
	const char *dashes = word[1] == '-' ? "--" : "-";
	struct closest closest = { .name = NULL };
	char name[64];
	size_t i;

	text_format(name, sizeof(name), "%.*s",
	    (int)strcspn(word + strlen(dashes), "="), word + strlen(dashes));
	closest.word = name;
	for (i = 0; i < j->count; i++)
		closest_add(&closest, j->option[i]->name);
	if (closest.name != NULL)
		error_hint(error, "%s--help lists the options",
		    closest_suggestion(&closest, dashes).text);
}

/* Names one ASCII letter of several alone, anything else by the whole argument. */
static bool
unknown(const struct joined *j, const char *word, enum option_syntax syntax,
    struct error *error)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	bool alone = syntax != READ_ONE_DASH && optopt > ' ' && optopt < 0x7f;

	error_set(error, STATUS_USAGE, "unknown option %s",
	    text_quote(alone ? letter : word).text);
	if (!alone)
		suggest_option(j, word, error);
	return false;
}

/* getopt says `?` for an unknown option and `:` for a missing value. */
static bool
complain(const struct joined *j, int found, const char *word,
    enum option_syntax syntax, struct error *error)
{
	const struct option_spec *option = optopt != 0 ? find_option(j, optopt) : NULL;

	if (option == NULL)
		return unknown(j, word, syntax, error);
	if (found == '?')
		return error_set(error, STATUS_USAGE, "--%s takes no value",
		    option->name);
	return error_set(error, STATUS_USAGE, "--%s needs %s", option->name,
	    option->argument);
}

/* No letter and no number of an option. */
enum { NO_MEMORY = -2 };

/* Whether a word of one dash is a long option: its name or how that begins. */
static bool
is_long(const struct joined *j, const char *word)
{
	size_t i, n;

	if (word == NULL || word[0] != '-' || word[1] == '-' || word[1] == '\0')
		return false;
	n = strcspn(word + 1, "=");
	if (n == 1 && strchr(j->short_form, word[1]) != NULL)
		return false;
	for (i = 0; i < j->count; i++)
		if (strncmp(j->option[i]->name, word + 1, n) == 0)
			return true;
	return false;
}

/*
 * As getopt_long_only(), which NetBSD does not have: the word that is next gets a second
 * dash for the call.
 */
static int
get_one_dash(int argc, char **argv, const struct joined *j, char *word)
{
	size_t n = strlen(word) + 1;
	char *dashed = malloc(n + 1);
	int found, i;

	if (dashed == NULL)
		return NO_MEMORY;
	dashed[0] = '-';
	memcpy(dashed + 1, word, n);
	for (i = 0; argv[i] != word; i++)
		continue;
	argv[i] = dashed;
	found = getopt_long(argc, argv, j->short_form, j->long_form, NULL);
	for (i = 0; argv[i] != dashed; i++)
		continue;
	argv[i] = word;
	/* the value behind = */
	if (optarg != NULL && optarg > dashed && optarg <= dashed + n)
		optarg = word + (optarg - dashed) - 1;
	free(dashed);
	return found;
}

int
options_read(int argc, char **argv, const struct option_spec *first,
    const struct option_spec *second, enum option_syntax syntax, struct error *error)
{
	struct joined j = { .count = 0 };
	const struct option_spec *option;
	char *word;
	int found;

	/* `:` reports a missing value as such, `+` stops at an operand */
	strcpy(j.short_form, syntax == READ_UNTIL_OPERAND ? "+:" : ":");
	join_tables(&j, first);
	join_tables(&j, second);
	opterr = 0;
	optind = 0;
	for (;;) {
		word = next_word(argv, syntax);
		found = syntax == READ_ONE_DASH && is_long(&j, word) ?
		    get_one_dash(argc, argv, &j, word) :
		    getopt_long(argc, argv, j.short_form, j.long_form, NULL);
		if (found == -1)
			return optind;
		if (found == NO_MEMORY && !error_no_memory(error))
			return -1;
		option = find_option(&j, found);
		if (option == NULL) {
			complain(&j, found, word, syntax, error);
			return -1;
		}
		if (!option_store(option, optarg, error))
			return -1;
	}
}
