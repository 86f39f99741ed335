/* SPDX-License-Identifier: MIT */
/* Interactive test of the routes; the contract is in doctor_live.h. */
#include "commands/doctor_live.h"

#include "base/compat.h"
#include "base/stream.h"
#include "base/text.h"
#include "commands/send.h"
#include "detect/reader.h"
#include "tty/line.h"
#include "tty/tty.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Long enough not to match old text by chance, short enough to type. */
enum { WORD = 8, LINE_MAX_BYTES = 256 };

static bool
choose_word(char word[WORD + 1], struct error *error)
{
	static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
	unsigned char random[WORD];
	size_t i;

	if (!compat_random(random, sizeof(random)))
		return error_system(error, "cannot get random numbers");
	for (i = 0; i < WORD; i++)
		word[i] = letters[random[i] % (sizeof(letters) - 1)];
	word[WORD] = '\0';
	return true;
}

static bool
copy_word(struct call *call, const char *word, enum route_kind route,
    struct error *error)
{
	struct globals globals = *call->globals;
	struct call one = *call;
	struct buf payload;
	const struct message message = {
		.request = {
			.feature = FEATURE_COPY,
			.payload = WORD,
			.sequence = clipboard_write_size(WORD),
			.selections = "c",
		},
		.identify = true,
		.abort = CLIPBOARD_ABORT,
		.encode = encode_clipboard_write,
	};
	bool fine;

	globals.route = route;
	globals.json = false;
	globals.quiet = true;
	one.globals = &globals;
	buf_init(&payload, 4096);
	fine = (buf_add_string(&payload, word) ||
	    error_no_memory(error)) &&
	    send_message(&one, &message, &payload, error);
	call->signal = one.signal;
	call->taken = one.taken;
	buf_free(&payload);
	return fine;
}

/* The pasted text may be an old clipboard of many lines. */
static bool
read_pasted_line(struct call *call, int fd, struct buf *line, struct error *error)
{
	enum query_end end = line_read(fd, reader_is_another, line, &call->signal);

	return end == QUERY_DONE || (!query_failed(end, error) &&
	    error_set(error, STATUS_FAILED, "no answer"));
}

static bool
print_live(int fd, const char *text, struct error *error)
{
	return stream_write(fd, text, strlen(text)) ||
	    error_system(error, "cannot write to /dev/tty");
}

/* Tries one route; the user confirms by pasting. */
static bool
comes_back(struct call *call, int fd, enum route_kind route, bool *back,
    struct error *error)
{
	char word[WORD + 1], text[256];
	struct buf line;
	bool fine;

	*back = false;
	if (!choose_word(word, error))
		return false;
	if (!copy_word(call, word, route, error)) {
		text_format(text, sizeof(text), "route %s: %s\n",
		    route_words[route], error->message);
		return call->signal == 0 && print_live(fd, text, error);
	}
	text_format(text, sizeof(text), "route %s: a word of %d letters was "
	    "copied.\nPaste it here and press Enter (if nothing arrived, press only "
	    "Enter): ",
	    route_words[route], WORD);
	buf_init(&line, LINE_MAX_BYTES);
	fine = print_live(fd, text, error) && read_pasted_line(call, fd, &line, error);
	*back = fine && buf_holds(&line, word);
	buf_free(&line);
	return fine;
}

static bool
announce(int fd, enum route_kind route, struct error *error)
{
	char text[256];

	text_format(text, sizeof(text), "It came back: route %s works.\n%s%s%s",
	    route_words[route], route == ROUTE_AUTO ? "" :
	    "To make it the default: export VIATTY_ROUTE=",
	    route == ROUTE_AUTO ? "" : route_words[route],
	    route == ROUTE_AUTO ? "" : "\n");
	return print_live(fd, text, error);
}

bool
doctor_live(struct call *call, struct error *error)
{
	static const enum route_kind routes[] = {
		ROUTE_AUTO, ROUTE_CLIENT_TTY, ROUTE_PASSTHROUGH, ROUTE_PLAIN,
		ROUTE_LOAD_BUFFER, ROUTE_DIRECT,
	};
	int fd = tty_open("/dev/tty", true);
	enum route_kind automatic = ROUTE_AUTO;
	bool back = false, fine = true;
	size_t i;

	if (fd < 0)
		return error_set(error, STATUS_NO_TERMINAL,
		    "no terminal to ask on: /dev/tty: %s", strerror(errno));
	for (i = 0; fine && !back && i < sizeof(routes) / sizeof(routes[0]); i++) {
		/* do not repeat the route that auto chose */
		if (i > 0 && routes[i] == automatic)
			continue;
		fine = comes_back(call, fd, routes[i], &back, error) &&
		    (!back || announce(fd, routes[i], error));
		if (i == 0)
			automatic = call->taken;
	}
	close(fd);
	if (!fine)
		return false;
	if (back)
		return true;
	error_set(error, STATUS_REFUSED, "no route brought it back");
	return error_hint(error, "the terminal may need a setting: see "
	    "viatty-terminals(7)");
}
