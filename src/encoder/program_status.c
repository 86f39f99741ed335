/* SPDX-License-Identifier: MIT */
/* OSC 7501; the bytes are drawn in encoder.h. */
#include "encoder/encoder.h"

#include "base/base64.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define HEAD "\x1b]7501;"
#define TAIL "\x1b\\"

const char *const program_states[PROGRAM_STATES + 1] = {
	[PROGRAM_IDLE] = "idle",
	[PROGRAM_WORKING] = "working",
	[PROGRAM_BLOCKED] = "blocked",
	[PROGRAM_DONE] = "done",
	[PROGRAM_ERROR] = "error",
	[PROGRAM_CLEAR] = "clear",
};

/* Letters, digits and _ . + - */
static bool
is_name_character(char c)
{
	return text_is_letter(c) || text_is_digit(c) ||
	    (c != '\0' && strchr("_.+-", c) != NULL);
}

static size_t
status_name_length(const char *text)
{
	size_t n = 0;

	while (is_name_character(text[n]))
		n++;
	return n;
}

enum program_status_fault
program_status_check_id(const char *id)
{
	size_t depth = 0, n;
	const char *at = id;

	for (;; at += n + 1) {
		n = status_name_length(at);
		if (n == 0 || (at[n] != '\0' && at[n] != '/'))
			return PROGRAM_ID_INVALID;
		if (n > PROGRAM_NAME_MAX)
			return PROGRAM_ID_NAME_LONG;
		if (++depth > PROGRAM_ID_DEPTH_MAX)
			return PROGRAM_ID_DEEP;
		if (at[n] == '\0')
			break;
	}
	return strlen(id) > PROGRAM_ID_MAX ? PROGRAM_ID_LONG : PROGRAM_FINE;
}

static enum program_status_fault
check_app(const char *app)
{
	size_t n = status_name_length(app);

	if (n == 0 || app[n] != '\0')
		return PROGRAM_APP_INVALID;
	return n > PROGRAM_NAME_MAX ? PROGRAM_APP_LONG : PROGRAM_FINE;
}

static enum program_status_fault
check_state(const struct program_status *status)
{
	if (status->kind != NULL && status->state != PROGRAM_BLOCKED)
		return PROGRAM_KIND_MISPLACED;
	if (status->progress >= 0 && status->state != PROGRAM_WORKING &&
	    status->state != PROGRAM_BLOCKED)
		return PROGRAM_PROGRESS_MISPLACED;
	if (status->state == PROGRAM_CLEAR && (status->app != NULL ||
	    status->title != NULL || status->message != NULL))
		return PROGRAM_CLEAR_MISPLACED;
	return PROGRAM_FINE;
}

enum program_status_fault
program_status_check(const struct program_status *status)
{
	enum program_status_fault fault = check_state(status);

	if (fault == PROGRAM_FINE && status->id != NULL)
		fault = program_status_check_id(status->id);
	if (fault == PROGRAM_FINE && status->app != NULL)
		fault = check_app(status->app);
	if (fault != PROGRAM_FINE)
		return fault;
	if (status->title != NULL && strlen(status->title) > PROGRAM_TITLE_MAX)
		return PROGRAM_TITLE_LONG;
	return status->message != NULL && strlen(status->message) > PROGRAM_MESSAGE_MAX ?
	    PROGRAM_MESSAGE_LONG : PROGRAM_FINE;
}

static bool
add_pair(struct buf *out, const char *key, const char *value)
{
	return value == NULL || (buf_add_string(out, ":") && buf_add_string(out, key) &&
	    buf_add_string(out, "=") && buf_add_string(out, value));
}

/* An empty text says no more than none. */
static bool
add_text_pair(struct buf *out, const char *key, const char *text)
{
	return text == NULL || text[0] == '\0' || (add_pair(out, key, "") &&
	    base64_encode(out, text, strlen(text)));
}

bool
encode_program_status(struct buf *out, const struct program_status *status)
{
	char percent[sizeof("-2147483648")] = "";

	if (status->progress >= 0)
		snprintf(percent, sizeof(percent), "%d", status->progress);
	return buf_add_string(out, HEAD "state=") &&
	    buf_add_string(out, program_states[status->state]) &&
	    add_pair(out, "id", status->id) && add_pair(out, "app", status->app) &&
	    add_pair(out, "kind", status->kind) &&
	    add_pair(out, "progress", percent[0] != '\0' ? percent : NULL) &&
	    add_text_pair(out, "title", status->title) &&
	    add_text_pair(out, "msg", status->message) && buf_add_string(out, TAIL);
}
