/* SPDX-License-Identifier: MIT */
/*
 * notify-send; the contract is in notify_send.h. Options and defaults are those of
 * libnotify 0.8.8 (tools/notify-send.c), hints those of the Desktop Notifications
 * Specification 1.2.
 */
#include "cli/notify_send.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { TYPES_MAX = 8, URGENCIES = 3 };

struct notify_send_wants notify_send_wants;

static const char *const urgencies[URGENCIES + 1] = { "low", "normal", "critical", NULL };

static struct {
	const char *urgency, *milliseconds, *application, *icon, *app_icon, *category, *id;
	struct text_list hints, actions;
	bool print_id;
	bool no_effect;
	const char *no_value;
	const char *sound; /* by a hint */
} asked;

#define NO_EFFECT "has no effect in a terminal"

const struct option_spec notify_send_options[] = {
	{ OPTION_TEXT, 'u', "urgency", "LEVEL", "low, normal or critical", &asked.urgency,
	    urgencies, COMPLETE_NOTHING },
	VALUE(OPTION_TEXT, 't', "expire-time", "MS",
	    "remove the notification after MS; 0: keep it", asked.milliseconds),
	VALUE(OPTION_TEXT, 'a', "app-name", "NAME", "application name", asked.application),
	VALUE(OPTION_TEXT, 'i', "icon", "ICON", "icon name; files are for desktops",
	    asked.icon),
	VALUE(OPTION_TEXT, 'n', "app-icon", "ICON", "the same, if there is no --icon",
	    asked.app_icon),
	VALUE(OPTION_TEXT, 'c', "category", "TYPES", "categories, separated by commas",
	    asked.category),
	VALUE(OPTION_LIST, 'h', "hint", "TYPE:NAME:VALUE",
	    "urgency, sound-name, suppress-sound; others are for desktops", asked.hints),
	FLAG('p', "print-id", "print the ID", asked.print_id),
	VALUE(OPTION_TEXT, 'r', "replace-id", "ID", "replace the notification with this ID",
	    asked.id),
	FLAG('e', "transient", NO_EFFECT, asked.no_effect),
	FLAG('w', "wait", NO_EFFECT, asked.no_effect),
	VALUE(OPTION_LIST, 'A', "action", "[NAME=]TEXT", NO_EFFECT, asked.actions),
	VALUE(OPTION_TEXT, 0, "id-fd", "FD", NO_EFFECT, asked.no_value),
	VALUE(OPTION_TEXT, 0, "selected-action-fd", "FD", NO_EFFECT, asked.no_value),
	VALUE(OPTION_TEXT, 0, "activation-token-fd", "FD", NO_EFFECT, asked.no_value),
	FLAG(0, "help", "print this help", notify_send_wants.help),
	FLAG('v', "version", "print the version", notify_send_wants.version),
	{ .kind = OPTION_END }
};

/* ---- hints ---------------------------------------------------------------- */

/* The type is case-insensitive, as in notify-send. */
static bool
is_hint_type(const char *hint, size_t n)
{
	static const char *const types[] = { "boolean", "int", "double", "string", "byte",
		"variant" };
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strlen(types[i]) == n && strncasecmp(types[i], hint, n) == 0)
			return true;
	return false;
}

/* Whether it is the hint of this name; `*value` is then behind it. */
static bool
hint_is(const char *name, const char *of, const char **value)
{
	size_t n = strlen(of);

	*value = name + n + 1;
	return strncmp(name, of, n) == 0 && name[n] == ':';
}

static bool
read_hint(const char *hint, struct error *error)
{
	size_t n = strcspn(hint, ":");
	const char *name = hint + n + (hint[n] == ':'), *value;
	unsigned long level;

	if (!is_hint_type(hint, n) || strchr(name, ':') == NULL) {
		error_set(error, STATUS_USAGE, "--hint takes TYPE:NAME:VALUE, not %s",
		    text_quote(hint).text);
		return error_hint(error, "the types are boolean, int, double, string, "
		    "byte and variant");
	}
	if (hint_is(name, "urgency", &value) && text_number(value, URGENCIES - 1, &level))
		asked.urgency = urgencies[level];
	else if (hint_is(name, "sound-name", &value))
		asked.sound = value;
	else if (hint_is(name, "suppress-sound", &value) && strcasecmp(value, "true") == 0)
		asked.sound = "silent";
	return true;
}

/* ---- texts ---------------------------------------------------------------- */

/*
 * The length of a tag that bodies may have ("Markup" in the specification): its text is
 * shown without it. 0: none begins here.
 */
static size_t
tag_length(const char *text)
{
	static const char *const tags[] = { "b", "i", "u", "a", "img" };
	const char *name = text + 1 + (text[0] == '<' && text[1] == '/');
	const char *end = strchr(text, '>');
	size_t i, n;

	if (text[0] != '<' || end == NULL)
		return 0;
	n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (strlen(tags[i]) == n && strncasecmp(tags[i], name, n) == 0 &&
		    strchr(" />", name[n]) != NULL)
			return (size_t)(end - text) + 1;
	return 0;
}

/* The length of a reference to a character, which is stored; or 0. */
static size_t
reference_length(const char *text, char *character)
{
	static const struct { const char *reference; char character; } known[] = {
		{ "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' },
		{ "&apos;", '\'' },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (text_begins(text, known[i].reference)) {
			*character = known[i].character;
			return strlen(known[i].reference);
		}
	return 0;
}

/* The length of an escape as g_strcompress() reads it; what it stands for is stored. */
static size_t
escape_length(const char *text, char *character)
{
	static const char letters[] = "bfnrtv", controls[] = "\b\f\n\r\t\v";
	const char *letter;
	size_t n;

	if (text[0] != '\\' || text[1] == '\0')
		return 0;
	letter = strchr(letters, text[1]);
	*character = text[1];
	if (letter != NULL)
		*character = controls[letter - letters];
	if (text[1] < '0' || text[1] > '7')
		return 2;
	*character = 0;
	for (n = 1; n < 4 && text[n] >= '0' && text[n] <= '7'; n++)
		*character = (char)(*character * 8 + (text[n] - '0'));
	return n;
}

/* viatty takes a dash for standard input: a blank behind it makes it a text. */
static const char dash[] = "-", dash_as_text[] = "- ";

static void
replace_escapes(char *to, const char *from)
{
	size_t n;

	for (; *from != '\0'; from += n > 0 ? n : 1, to++) {
		n = escape_length(from, to);
		if (n == 0)
			*to = *from;
	}
	*to = '\0';
}

/* In place. */
static void
remove_markup(char *text)
{
	const char *from = text;
	size_t n;

	for (; *from != '\0'; from += n) {
		n = tag_length(from);
		if (n > 0)
			continue;
		n = reference_length(from, text);
		if (n == 0) {
			*text = *from;
			n = 1;
		}
		text++;
	}
	*text = '\0';
}

/* A copy without escapes, then without markup. NULL: no memory. */
static char *
plain_body(const char *body)
{
	char *plain = calloc(strlen(body) + sizeof(dash_as_text), 1);

	if (plain == NULL)
		return NULL;
	replace_escapes(plain, body);
	remove_markup(plain);
	if (strcmp(plain, dash) == 0)
		strcpy(plain, dash_as_text);
	return plain;
}

/* ---- options -------------------------------------------------------------- */

static void
add_urgency(struct arguments *arguments)
{
	size_t i;

	for (i = 0; asked.urgency != NULL && i < URGENCIES; i++)
		if (strcasecmp(urgencies[i], asked.urgency) == 0)
			asked.urgency = urgencies[i];
	add_option_value(arguments, "--urgency", asked.urgency);
}

/* Less than 0 is the default of the desktop, more than a day is for good. */
static bool
add_time(struct arguments *arguments, struct error *error)
{
	const char *text = asked.milliseconds, *seconds;
	size_t sign = text != NULL && text[0] == '-';

	if (text == NULL)
		return true;
	if (text[sign] == '\0' || strspn(text + sign, "0123456789") != strlen(text + sign))
		return error_set(error, STATUS_USAGE,
		    "--expire-time takes milliseconds, not %s", text_quote(text).text);
	seconds = seconds_of(text);
	if (seconds != NULL && strcmp(seconds, "0.000") != 0)
		add_option_value(arguments, "--expire", seconds);
	else
		add_argument_if(arguments, sign == 0, "--stay");
	return true;
}

/* The names of files mean nothing to a terminal, which may be on another machine. */
static void
add_icon(struct arguments *arguments)
{
	const char *icon = asked.icon != NULL ? asked.icon : asked.app_icon;

	if (icon != NULL && icon[0] != '\0' && strchr(icon, '/') == NULL)
		add_option_value(arguments, "--icon", icon);
}

static bool
add_categories(struct arguments *arguments, struct error *error)
{
	/* the options are in it until the end */
	static char *types;
	char *type, *rest;
	size_t count;

	if (asked.category == NULL)
		return true;
	types = strdup(asked.category);
	if (types == NULL)
		return error_no_memory(error);
	type = strtok_r(types, ",", &rest);
	for (count = 0; type != NULL && count < TYPES_MAX; count++) {
		add_option_value(arguments, "--type", type);
		type = strtok_r(NULL, ",", &rest);
	}
	return true;
}

/* A new ID is a number, as those of desktops are, for scripts that look at it. */
static bool
add_id(struct arguments *arguments, struct error *error)
{
	static char id[24];
	unsigned long number;

	if (asked.id != NULL && !text_number(asked.id, 4294967295UL, &number))
		return error_set(error, STATUS_USAGE, "--replace-id takes a number, not %s",
		    text_quote(asked.id).text);
	if (asked.id == NULL || number == 0)
		number = (unsigned long)((clock_ms() ^ ((long long)getpid() << 12)) &
		    0x3fffffff) + 1;
	snprintf(id, sizeof(id), "%lu", number);
	if (asked.id != NULL || asked.print_id)
		add_option_value(arguments, "--id", id);
	add_argument_if(arguments, asked.print_id, "--print-id");
	return true;
}

bool
notify_send(struct arguments *arguments, size_t count, char **operand,
    struct error *error)
{
	static char *body; /* lasts as long as the arguments */
	size_t i;

	if (count == 0 || operand[0][0] == '\0') {
		error_set(error, STATUS_USAGE, "no summary given");
		return error_hint(error, "notify-send 'Build finished' 'No warnings'");
	}
	if (count > 2)
		return no_operands(count - 2, operand + 2, error);
	for (i = 0; i < asked.hints.count; i++)
		if (!read_hint(asked.hints.text[i], error))
			return false;
	if (!begin_arguments(arguments, "notify", count, error))
		return false;
	add_urgency(arguments);
	add_option_value(arguments, "--app", asked.application);
	add_option_value(arguments, "--sound", asked.sound);
	add_icon(arguments);
	if (!add_time(arguments, error) || !add_categories(arguments, error) ||
	    !add_id(arguments, error))
		return false;
	add_argument(arguments, "--");
	add_argument(arguments, strcmp(operand[0], dash) == 0 ? dash_as_text : operand[0]);
	if (count == 1)
		return true;
	body = plain_body(operand[1]);
	if (body == NULL)
		return error_no_memory(error);
	add_argument(arguments, body);
	return true;
}
