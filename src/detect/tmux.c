/* SPDX-License-Identifier: MIT */
/* Queries to a tmux server; the contract is in tmux.h. */
#include "detect/tmux.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/version.h"
#include "base/subprocess.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Enough for hundreds of clients. */
enum { ANSWER_MAX = 256 * 1024 };

bool
tmux_address_parse(struct tmux_address *address, const char *value)
{
	const char *server, *session;
	unsigned long number;
	char digits[32];
	size_t n;

	*address = (struct tmux_address){ .server = 0 };
	/* the path of the socket may contain commas: only the last two separate */
	session = strrchr(value, ',');
	if (session == NULL || session == value)
		return false;
	for (server = session - 1; server > value && *server != ',';)
		server--;
	n = (size_t)(session - server);
	if (*server != ',' || value[0] != '/' || n > sizeof(digits) ||
	    (size_t)(server - value) >= sizeof(address->socket))
		return false;
	memcpy(address->socket, value, (size_t)(server - value));
	memcpy(digits, server + 1, n - 1);
	digits[n - 1] = '\0';
	if (!text_number(digits, 0x7fffffff, &number))
		return false;
	address->server = (pid_t)number;
	if (text_number(session + 1, 0x7fffffff, &number))
		snprintf(address->session, sizeof(address->session), "$%lu",
		    number);
	return true;
}

/* ---- one tmux process --------------------------------------------------- */

/* The first line of tmux's output, for a message. */
static struct quoted
first_line(struct buf *answer)
{
	char line[TEXT_QUOTED];
	size_t n = answer->len < sizeof(line) ? answer->len : sizeof(line) - 1;

	if (n > 0)
		memcpy(line, answer->data, n);
	line[n] = '\0';
	line[strcspn(line, "\r\n")] = '\0';
	return text_quote(line);
}

/*
 * Whether the client and the server have incompatible versions, by the messages of
 * client.c, 1.8 to 3.7. A client of 3.5a fails like this with a server of 3.7; a client
 * of 3.3 hangs with the server of tmate, which is a 2.4.
 */
static bool
is_foreign(const struct buf *answer)
{
	static const char *const words[] = {
		"protocol version mismatch", "server exited unexpectedly",
		"lost server", "server version is too old",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (buf_holds(answer, words[i]))
			return true;
	return false;
}

/* The result of running tmux, which printed `answer`. */
static bool
judge_run(int status, struct buf *answer, unsigned timeout_ms, struct error *error)
{
	if (status == SUBPROCESS_NOT_STARTED)
		return error_system(error, "cannot run tmux");
	if (status == SUBPROCESS_TOO_SLOW && !is_foreign(answer))
		return error_set(error, STATUS_FAILED,
		    "the tmux server did not answer within %u.%u s",
		    timeout_ms / 1000, timeout_ms % 1000 / 100);
	if (status == SUBPROCESS_UNREAD)
		return error_set(error, STATUS_FAILED,
		    "tmux ended before it had read everything");
	return status == 0 || error_set(error, STATUS_FAILED, "tmux said %s",
	    first_line(answer).text);
}

/*
 * The executable of the server. Its PID comes from TMUX and is not trusted: the process
 * must be a tmux or tmate that belongs to the owner of the socket.
 */
static bool
find_server_program(char program[PROCESS_PATH], const struct tmux *tmux)
{
	struct process server;
	uid_t owner;

	return process_read(&server, tmux->address.server) &&
	    (text_begins(server.name, "tmux") ||
	        text_begins(server.name, "tmate")) &&
	    process_owner(server.pid, &owner) && owner == tmux->owner &&
	    process_program(program, server.pid);
}

/* Another user's socket may have replaced it since it was last looked at. */
static bool
is_same_owners(const struct tmux *tmux, struct error *error)
{
	struct socket socket;

	return socket_look(&socket, tmux->address.socket, error) &&
	    (socket.owner == tmux->owner || error_set(error, STATUS_FAILED,
	        "the tmux server has become another user's"));
}

/*
 * Runs tmux with `arguments` (the first is the program), `n` bytes to its stdin, and
 * adds what it prints to `answer`; `enough` and `*status` as for
 * subprocess_run_command(), or 0 if it was not run. Its socket has just been looked at.
 */
static bool
run_client(const struct tmux *tmux, const char *const arguments[],
    const void *bytes, size_t n, struct buf *answer, subprocess_enough *enough,
    unsigned timeout_ms, int *status, struct error *error)
{
	/* without SHELL its client looks for ours in the user database, for nothing */
	static const char *const variables[] = { "SHELL=/bin/sh", NULL };
	struct subprocess_command command = { .arguments = arguments,
		.variables = variables };
	char program[PROCESS_PATH];
	struct account user;

	*status = 0;
	if (tmux->asks_by_own) {
		if (!find_server_program(program, tmux))
			return error_set(error, STATUS_FAILED,
			    "the tmux server has ended");
		command.program = program;
	}
	if (tmux->owner != geteuid()) {
		if (!user_find(&user, tmux->owner))
			return error_set(error, STATUS_FAILED, "it is the server of "
			    "user %lu, who is not in the user database",
			    (unsigned long)tmux->owner);
		command.user = &user;
	}
	*status = subprocess_run_command(&command, bytes, n, answer, enough, timeout_ms);
	return judge_run(*status, answer, timeout_ms, error);
}

/* The same where only success matters and, unless `answer` is NULL, what is printed. */
static bool
run_tmux(const struct tmux *tmux, const char *const arguments[], const void *bytes,
    size_t n, struct buf *answer, unsigned timeout_ms, struct error *error)
{
	struct buf message;
	int status;
	bool fine;

	buf_init(&message, ANSWER_MAX);
	fine = is_same_owners(tmux, error) && run_client(tmux, arguments, bytes, n,
	    answer != NULL ? answer : &message, NULL, timeout_ms, &status, error);
	buf_free(&message);
	return fine;
}

/* ---- the state of the server ----------------------------------------------- */

/*
 * One line for each client, then one for the pane, of words that consist of a letter and
 * a value. The first word with a letter counts, so values from tmux precede values from
 * clients. Names may contain blanks, which would end a word, so blanks are replaced.
 * What a client reports about its terminal is untrusted and may contain line feeds.
 */
#define WITHOUT_BLANKS(name) "#{s/[ \n]/_/:" name "}"
static const char client_format[] =
    "C P#{client_pid} A#{client_activity} K#{client_control_mode} "
    "I#{session_id} W#{window_id} G#{s/ /_/:session_group} "
    "U#{client_uid} T" WITHOUT_BLANKS("client_tty")
    " N" WITHOUT_BLANKS("client_termname") " "
    "X#{client_cell_width} F#{client_termfeatures} Y#{s/ /|/:client_termtype}";
static const char pane_format[] =
    "P V#{version} B#{set-clipboard} L#{allow-passthrough} Q#{get-clipboard} "
    "J#{sixel_support} M#{pane_in_mode} "
    "Z#{window_zoomed_flag} A#{pane_active} X#{window_active} "
    "R#{allow-rename} E#{set-titles} "
    "I#{session_id} W#{window_id} G#{s/ /_/:session_group} "
    "T#{pane_tty} D#{pane_id} S#{s/ /_/:session_name} "
    "C" WITHOUT_BLANKS("client_name");

/*
 * Copies the value of the word with this letter, without control characters; "" if there
 * is none or it does not fit.
 */
static const char *
word(char *to, size_t size, const char *line, char letter)
{
	size_t n;

	to[0] = '\0';
	while ((line = strchr(line, ' ')) != NULL) {
		line++;
		if (*line != letter)
			continue;
		n = strcspn(line + 1, " ");
		if (n < size) {
			memcpy(to, line + 1, n);
			to[n] = '\0';
			text_clean(to);
		}
		return to;
	}
	return to;
}

/* Above the largest PID of any kernel. */
enum { PID_LARGEST = 0x7fffffff };

/* A number in that word, up to `largest`; else 0. */
static long
number(const char *line, char letter, long largest)
{
	char digits[32];
	unsigned long value;

	word(digits, sizeof(digits), line, letter);
	return text_number(digits, (unsigned long)largest, &value) ?
	    (long)value : 0;
}

/* What tells the owner of a client. */
struct location {
	char session[TMUX_WORD], window[TMUX_WORD], group[TMUX_WORD];
};

static void
read_location(struct location *place, const char *line)
{
	word(place->session, sizeof(place->session), line, 'I');
	word(place->window, sizeof(place->window), line, 'W');
	word(place->group, sizeof(place->group), line, 'G');
}

static bool
shows(const struct location *client, const struct location *pane)
{
	return strcmp(client->session, pane->session) == 0 ||
	    strcmp(client->window, pane->window) == 0 ||
	    (pane->group[0] != '\0' && strcmp(client->group, pane->group) == 0);
}

/*
 * The owner of a client. tmux 3.3 and later report it from the socket (client_uid in
 * format.c). Before, it is that of the process, if it is on the reported terminal: the
 * client itself reports its PID. False: unknown.
 */
static bool
read_user(uid_t *user, const struct tmux_client *client, const char *line)
{
	char digits[TMUX_WORD];
	unsigned long value;
	struct process process;

	if (text_number(word(digits, sizeof(digits), line, 'U'), 0xfffffffe,
	    &value)) {
		*user = (uid_t)value;
		return true;
	}
	return process_owner(client->pid, user) && (client->tty[0] == '\0' ||
	    (process_read(&process, client->pid) &&
	        strcmp(process.tty, client->tty) == 0));
}

/* False: it is not known to be a client of `owner`. */
static bool
read_client(struct tmux_client *client, const char *line, uid_t owner)
{
	char *blank;

	client->pid = (pid_t)number(line, 'P', PID_LARGEST);
	client->activity = number(line, 'A', LONG_MAX);
	client->control = number(line, 'K', LONG_MAX) != 0;
	word(client->tty, sizeof(client->tty), line, 'T');
	word(client->term, sizeof(client->term), line, 'N');
	client->has_pixels = number(line, 'X', LONG_MAX) > 0;
	word(client->features, sizeof(client->features), line, 'F');
	word(client->type, sizeof(client->type), line, 'Y');
	for (blank = client->type; (blank = strchr(blank, '|')) != NULL;)
		*blank = ' ';
	return read_user(&client->user, client, line) && client->user == owner;
}

/*
 * `favourite` is the client that tmux considers the most recent; it breaks ties of the
 * activity time, which is in whole seconds.
 */
static void
consider_client(struct tmux *tmux, const char *line, const struct location *pane,
    const char *favourite)
{
	struct tmux_client client;
	struct location place;

	read_location(&place, line);
	if (!read_client(&client, line, tmux->owner)) {
		tmux->guests += shows(&place, pane);
		return;
	}
	if (!shows(&place, pane)) {
		text_copy(tmux->elsewhere, sizeof(tmux->elsewhere), client.tty);
		return;
	}
	tmux->clients++;
	if (client.control || client.tty[0] == '\0') {
		tmux->control_clients++;
		return;
	}
	if (tmux->has_client && strcmp(client.tty, favourite) != 0 &&
	    (strcmp(tmux->client.tty, favourite) == 0 ||
	        client.activity <= tmux->client.activity))
		return;
	tmux->client = client;
	tmux->has_client = true;
}

/*
 * Whether another user's client claims to be on `tty`: tmux believes it, and chooses the
 * first client with the given name (cmd_find_client() in cmd-find.c, which also accepts
 * the name without /dev/).
 */
static bool
is_claimed(const char *line, const char *end, const char *tty, uid_t owner)
{
	struct tmux_client client;

	for (; line < end; line += strlen(line) + 1)
		if (strncmp(line, "C ", 2) == 0 &&
		    !read_client(&client, line, owner) &&
		    (strcmp(client.tty, tty) == 0 ||
		        (text_begins(client.tty, "/dev/") &&
		        strcmp(client.tty + strlen("/dev/"), tty) == 0)))
			return true;
	return false;
}

static enum set_clipboard
read_set_clipboard(const char *text)
{
	if (strcmp(text, "on") == 0 || strcmp(text, "1") == 0)
		return SET_CLIPBOARD_ON;
	if (strcmp(text, "external") == 0)
		return SET_CLIPBOARD_EXTERNAL;
	if (strcmp(text, "off") == 0 || strcmp(text, "0") == 0)
		return SET_CLIPBOARD_OFF;
	return SET_CLIPBOARD_UNKNOWN;
}

/* tmux up to 3.2a has no such option and always passes. */
static enum passthrough
read_passthrough(const struct tmux *tmux, const char *text)
{
	if (strcmp(text, "all") == 0)
		return PASSTHROUGH_ALL;
	if (strcmp(text, "on") == 0 || strcmp(text, "1") == 0)
		return PASSTHROUGH_ON;
	if (strcmp(text, "off") == 0 || strcmp(text, "0") == 0)
		return PASSTHROUGH_OFF;
	return tmux->version[0] != '\0' && !tmux_is_at_least(tmux, 3, 3) ?
	    PASSTHROUGH_ON : PASSTHROUGH_UNKNOWN;
}

/* A flag as old and new versions write it; false if it is missing. */
static bool
is_set(const char *line, char letter, bool on)
{
	char value[TMUX_WORD];

	word(value, sizeof(value), line, letter);
	return strcmp(value, on ? "1" : "0") == 0 ||
	    strcmp(value, on ? "on" : "off") == 0;
}

static enum get_clipboard
read_get_clipboard(const char *text)
{
	if (strcmp(text, "request") == 0 || strcmp(text, "both") == 0)
		return GET_CLIPBOARD_REQUEST;
	if (strcmp(text, "buffer") == 0)
		return GET_CLIPBOARD_BUFFER;
	if (strcmp(text, "off") == 0)
		return GET_CLIPBOARD_OFF;
	return GET_CLIPBOARD_UNKNOWN;
}

static void
read_pane(struct tmux *tmux, const char *line)
{
	char value[TMUX_WORD];

	word(tmux->version, sizeof(tmux->version), line, 'V');
	word(tmux->session, sizeof(tmux->session), line, 'S');
	word(tmux->pane, sizeof(tmux->pane), line, 'D');
	word(tmux->pane_tty, sizeof(tmux->pane_tty), line, 'T');
	tmux->set_clipboard =
	    read_set_clipboard(word(value, sizeof(value), line, 'B'));
	tmux->passthrough =
	    read_passthrough(tmux, word(value, sizeof(value), line, 'L'));
	tmux->allow_rename = !is_set(line, 'R', false);
	tmux->sets_titles = is_set(line, 'E', true);
	tmux->get_clipboard =
	    read_get_clipboard(word(value, sizeof(value), line, 'Q'));
	tmux->draws_sixel = number(line, 'J', LONG_MAX) == 1;
	tmux->in_mode = number(line, 'M', LONG_MAX) != 0;
	tmux->shown = number(line, 'X', LONG_MAX) != 0 &&
	    (number(line, 'Z', LONG_MAX) == 0 || number(line, 'A', LONG_MAX) != 0);
}

/* The line about the pane comes last but is needed first. */
bool
tmux_read_answer(struct tmux *tmux, char *text)
{
	struct location pane;
	char favourite[DEVICE_NAME], *first = text, *line, *next;

	line = strncmp(text, "P ", 2) == 0 ? text : strstr(text, "\nP ");
	if (line == NULL)
		return false;
	line += *line == '\n';
	line[strcspn(line, "\n")] = '\0';
	read_pane(tmux, line);
	read_location(&pane, line);
	/* tmux reports nothing about a closed pane, whose session may still exist */
	if (pane.session[0] == '\0')
		text_copy(pane.session, sizeof(pane.session),
		    tmux->address.session);
	word(favourite, sizeof(favourite), line, 'C');
	for (; text < line; text = next) {
		next = text + strcspn(text, "\n");
		*next++ = '\0';
		if (strncmp(text, "C ", 2) == 0)
			consider_client(tmux, text, &pane, favourite);
	}
	tmux->client_claimed = tmux->has_client &&
	    is_claimed(first, line, tmux->client.tty, tmux->owner);
	return true;
}

/* The line about the pane is the last one. */
static enum child_state
judge_answer(const struct buf *answer)
{
	const char *text = (const char *)answer->data;
	const char *line;

	if (answer->len < 2 || text[answer->len - 1] != '\n')
		return CHILD_GOES_ON;
	for (line = text + answer->len - 1; line > text && line[-1] != '\n';)
		line--;
	if (strncmp(line, "P ", 2) == 0)
		return CHILD_HAS_ANSWERED;
	return is_foreign(answer) ? CHILD_HAS_FAILED : CHILD_GOES_ON;
}

/*
 * Checks the socket if the user who named it may see it. Other files there, visible only
 * to root, are not revealed.
 */
static bool
look_at(struct socket *socket, const struct tmux_address *address,
    struct error *error)
{
	bool fine = socket_look(socket, address->socket, error);
	char by[USER_NAME];

	/* reveal no more than the user who named it can see */
	if (geteuid() != 0 || !address->limited ||
	    socket->owner == address->owner[0] ||
	    (fine && socket->owner == address->owner[1]))
		return fine;
	user_name(by, address->owner[0]);
	return error_set(error, STATUS_REFUSED,
	    "it is not a server of %s, who named it", by);
}

bool
tmux_ask(struct tmux *answer, const struct tmux_address *address,
    const char *pane, unsigned timeout_ms, struct error *error)
{
	const char *target = pane != NULL ? pane : address->session;
	const char *arguments[] = { "tmux", "-S", answer->address.socket,
	    "list-clients", "-F", client_format, ";", "display-message", "-p",
	    "-t", target, pane_format, NULL };
	char program[PROCESS_PATH];
	struct socket socket;
	struct buf text;
	int status;
	bool fine;

	*answer = (struct tmux){ .address = *address };
	if (!look_at(&socket, address, error))
		return false;
	text_copy(answer->address.socket, sizeof(answer->address.socket),
	    socket.path);
	answer->owner = socket.owner;
	if (target[0] == '\0') {
		/* no target: tmux takes its most recent session */
		arguments[9] = pane_format;
		arguments[10] = NULL;
	}
	buf_init(&text, ANSWER_MAX);
	fine = run_client(answer, arguments, NULL, 0, &text, judge_answer, timeout_ms,
	    &status, error);
	if (!fine && (status == SUBPROCESS_NOT_STARTED || is_foreign(&text)) &&
	    find_server_program(program, answer)) {
		answer->asks_by_own = true;
		text.len = 0;
		fine = is_same_owners(answer, error) && run_client(answer, arguments,
		    NULL, 0, &text, judge_answer, timeout_ms, &status, error);
	}
	if (fine && (!buf_add(&text, "", 1) ||
	    !tmux_read_answer(answer, (char *)text.data)))
		fine = error_set(error, STATUS_FAILED,
		    "tmux gave no usable answer: %s", first_line(&text).text);
	buf_free(&text);
	return fine;
}

bool
tmux_is_at_least(const struct tmux *tmux, unsigned major, unsigned minor)
{
	struct version found;
	const struct version wanted = { .part = { major, minor } };

	return version_find(&found, tmux->version) &&
	    version_is_at_least(&found, &wanted);
}

/* ---- features of a client -------------------------------------------------- */

bool
tmux_client_has(const struct tmux_client *client, const char *feature)
{
	const char *list = client->features;
	size_t n = strlen(feature);

	for (; *list != '\0'; list += strspn(list, ",")) {
		if (strncmp(list, feature, n) == 0 &&
		    (list[n] == ',' || list[n] == '\0'))
			return true;
		list += strcspn(list, ",");
	}
	return false;
}

enum support
tmux_client_copies(const struct tmux_client *client)
{
	static const char *const without[] = {
		"screen", "rxvt", "linux", "vt1", "vt2", "ansi", "konsole",
		"putty", "mlterm",
	};
	size_t i;

	if (tmux_client_has(client, "clipboard"))
		return SUPPORT_YES;
	if (strstr(client->term, "xterm") != NULL)
		return SUPPORT_UNKNOWN;
	for (i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (text_begins(client->term, without[i]))
			return SUPPORT_NO;
	return SUPPORT_UNKNOWN;
}

/*
 * The name of a temporary buffer, unique among simultaneous copies, even from containers,
 * where PIDs repeat.
 */
static const char *
passing_buffer(char name[TMUX_WORD])
{
	snprintf(name, TMUX_WORD, "viatty-passing-%ld-%lld", (long)getpid(),
	    clock_ms());
	return name;
}

bool
tmux_load(const struct tmux *tmux, const struct tmux_client *to_client,
    const void *bytes, size_t n, unsigned timeout_ms, struct error *error)
{
	const char *socket = tmux->address.socket;
	const char *client = to_client != NULL ? to_client->tty : "";
	char name[TMUX_WORD];
	const char *passing = passing_buffer(name);
	const char *const send[] = { "tmux", "-S", socket, "load-buffer", "-w", "-b",
	    passing, "-t", client, "-", ";", "delete-buffer", "-b", passing, NULL };
	const char *const keep[] = { "tmux", "-S", socket, "load-buffer", "-", NULL };

	return run_tmux(tmux, to_client != NULL ? send : keep, bytes, n, NULL, timeout_ms,
	    error);
}

bool
tmux_request_clipboard(const struct tmux *tmux, unsigned timeout_ms,
    struct error *error)
{
	const char *const arguments[] = { "tmux", "-S", tmux->address.socket,
	    "refresh-client", "-t", tmux->client.tty, "-l", tmux->pane, NULL };

	return run_tmux(tmux, arguments, NULL, 0, NULL, timeout_ms, error);
}

/* ---- titles -------------------------------------------------------------- */

bool
tmux_title(const struct tmux *tmux, bool window_name, struct buf *text,
    unsigned timeout_ms, struct error *error)
{
	const char *const arguments[] = { "tmux", "-S", tmux->address.socket,
	    "display-message", "-p", "-t", tmux->pane, window_name ?
	    "#{?automatic-rename,,#{window_name}}" : "#{pane_title}", NULL };

	if (!run_tmux(tmux, arguments, NULL, 0, text, timeout_ms, error))
		return false;
	if (text->len > 0 && text->data[text->len - 1] == '\n')
		text->len--;
	return true;
}
