/* SPDX-License-Identifier: MIT */
/* Queries to a tmux server. */
#include "detect/path.h"

#include "base/base.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	ANSWER_MAX = 256 * 1024, /* enough for hundreds of clients */
	COMMAND_WORDS = 13       /* of the longest command */
};

bool
tmux_address_parse(struct tmux_address *address, const char *value, const char *pane)
{
	/* the path of the socket may contain commas: only the last two separate */
	const char *session = value != NULL ? strrchr(value, ',') : NULL, *server = session;
	unsigned long number;
	char digits[32];

	*address = (struct tmux_address){ .child = getpid() };
	while (server != NULL && server > value && *--server != ',')
		continue;
	if (server == NULL || *server != ',' || value[0] != '/' ||
	    (size_t)(server - value) >= sizeof(address->socket))
		return false;
	text_format(digits, sizeof(digits), "%.*s", (int)(session - server - 1), server + 1);
	if (!text_number(digits, INT_MAX, &number))
		return false;
	address->server = (pid_t)number;
	memcpy(address->socket, value, (size_t)(server - value));
	if (text_number(session + 1, INT_MAX, &number))
		snprintf(address->session, sizeof(address->session), "$%lu", number);
	if (pane != NULL)
		text_copy(address->pane, sizeof(address->pane), pane);
	return true;
}

/* ---- its socket ----------------------------------------------------------- */

/* Whether the path is a socket of our user, and no symbolic link. */
static bool
is_our_socket(const char *path, struct error *error)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return fail(error, errno == EACCES ? STATUS_REFUSED : STATUS_FAILED,
		    "cannot access the socket %s: %s", text_quote(path).text, strerror(errno));
	if (!S_ISSOCK(st.st_mode))
		return fail(error, STATUS_FAILED, "not a socket: %s", text_quote(path).text);
	return st.st_uid == geteuid() || fail(error, STATUS_REFUSED,
	    "it is the server of another user (UID %lu)", (unsigned long)st.st_uid);
}

/* The server, if it is an ancestor of this process, or NULL. */
static const struct process *
find_server(pid_t pid, pid_t server)
{
	const struct process *p = process_find(pid);

	while (p != NULL && p->pid != server)
		p = process_parent(p);
	return p;
}

/*
 * Whether the server is our user's process and an ancestor of the process with the variable.
 * The PID in the variable proves nothing, so the server must also listen on the socket. The
 * folder of that must be ours alone. `socket` becomes a path without symbolic links.
 */
static bool
is_ancestor(char socket[TMUX_SOCKET], const struct tmux_address *address)
{
	const char *file = strrchr(address->socket, '/');
	const struct process *p = find_server(address->child, address->server);
	char folder[PATH_MAX], named[TMUX_SOCKET];
	struct error ignored;
	struct stat st;
	uid_t owner;
	pid_t pid;

	if (p == NULL || process_ids(p)->owner != geteuid())
		return false;
	text_format(named, sizeof(named), "%.*s/", (int)(file - address->socket),
	    address->socket);
	return realpath(named, folder) != NULL && stat(folder, &st) == 0 &&
	    st.st_uid == geteuid() && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
	    snprintf(socket, TMUX_SOCKET, "%s%s", folder, file) < TMUX_SOCKET &&
	    is_our_socket(socket, &ignored) &&
	    compat_listener(socket, false, &pid, &owner) && pid == p->pid;
}

/* ---- one tmux process --------------------------------------------------- */

/* The first line of tmux's output, for a message. */
static struct quoted
first_line(const struct buf *answer)
{
	char line[TEXT_QUOTED];

	snprintf(line, sizeof(line), "%.*s", (int)answer->len,
	    answer->len > 0 ? (const char *)answer->data : "");
	line[strcspn(line, "\r\n")] = '\0';
	return text_quote(line);
}

/*
 * Whether the versions of client and server are incompatible, by the messages of client.c,
 * 1.8 to 3.7. A client of 3.5a fails like this with a server of 3.7; a client of 3.3 hangs
 * with the server of tmate, which is a 2.4.
 */
static bool
is_foreign(const struct buf *answer)
{
	return buf_holds(answer, "protocol version mismatch") ||
	    buf_holds(answer, "server exited unexpectedly") ||
	    buf_holds(answer, "lost server") || buf_holds(answer, "server version is too old");
}

/* The line about the pane is the last one, except for errors of the command that waits. */
static enum child_state
judge_answer(const struct buf *answer)
{
	if (answer->len < 2 || answer->data[answer->len - 1] != '\n')
		return CHILD_GOES_ON;
	if (memcmp(answer->data, "P ", 2) == 0 || buf_holds(answer, "\nP "))
		return CHILD_HAS_ANSWERED;
	return is_foreign(answer) ? CHILD_HAS_FAILED : CHILD_GOES_ON;
}

/* The program that talks to the server, which has the name of it. */
static const char *
program_for(const struct tmux_address *address)
{
	const struct process *server = process_find(address->server);

	return server != NULL && text_begins(server->name, "tmate") ? "tmate" : "tmux";
}

/* Whether tmux has succeeded, by the result of subprocess_run_command(). */
static bool
has_done(int status, const struct buf *answer, unsigned timeout_ms, struct error *error)
{
	if (status == SUBPROCESS_NOT_STARTED)
		return fail(error, STATUS_FAILED, "cannot run tmux: %s", strerror(errno));
	if (status != 0 && is_foreign(answer))
		return fail(error, STATUS_FAILED, "another version of tmux runs there");
	if (status == SUBPROCESS_TOO_SLOW)
		return fail(error, STATUS_FAILED,
		    "the tmux server did not reply within %u.%u s", timeout_ms / 1000,
		    timeout_ms % 1000 / 100);
	if (status == SUBPROCESS_UNREAD)
		return fail(error, STATUS_FAILED, "tmux exited before reading all input");
	return status == 0 || fail(error, STATUS_FAILED, "tmux failed: %s",
	    first_line(answer).text);
}

/*
 * Runs the NULL-terminated command of tmux, with `n` bytes as its stdin. `answer` gets its output.
 * `stays` is that of struct subprocess_command, or NULL.
 */
static bool
run_tmux(const struct tmux *tmux, const char *const command[], pid_t *stays, const void *bytes,
    size_t n, struct buf *answer, unsigned timeout_ms, struct error *error)
{
	/* without SHELL the client needlessly searches the user database */
	static const char *const variables[] = { "SHELL=/bin/sh", NULL };
	const char *arguments[COMMAND_WORDS + 4] = { "tmux", "-S", tmux->address.socket };
	const struct subprocess_command client = { .arguments = arguments,
		.program = program_for(&tmux->address), .variables = variables, .stays = stays };
	size_t i;

	for (i = 0; i < COMMAND_WORDS && command[i] != NULL; i++)
		arguments[3 + i] = command[i];
	answer->len = 0;
	answer->max = ANSWER_MAX;
	return has_done(subprocess_run_command(&client, bytes, n, answer, judge_answer,
	    timeout_ms), answer, timeout_ms, error);
}

/* The same, without the output. */
static bool
tell_tmux(const struct tmux *tmux, const char *const command[], const void *bytes, size_t n,
    unsigned timeout_ms, struct error *error)
{
	struct buf ignored = BUF_EMPTY;
	const bool done = run_tmux(tmux, command, NULL, bytes, n, &ignored, timeout_ms, error);

	buf_free(&ignored);
	return done;
}

/* ---- the fields of a reply --------------------------------------------------- */

/* A line of a reply: about a client or, as the last one, about the pane. */
struct line {
	struct tmux_client client;
	struct tmux tmux;
	char session[TMUX_WORD], window[TMUX_WORD], group[TMUX_WORD];
	unsigned long pid, written; /* `written`: bytes of output so far */
	bool control, zoomed, pane_active, window_active;
	char user[TMUX_WORD], flags[TMUX_FEATURES];
	unsigned get_clipboard, allow_rename;
	char favourite[DEVICE_NAME]; /* the client that tmux considers the most recent */
};

enum { CHOICES = 3 };

static const struct field {
	char line, letter[2];
	size_t offset, size;
	enum { WORD, NUMBER, FLAG, CHOICE } kind;
	char words[CHOICES][9];
} fields[] = {
#define FIELD(of, letter, member, ...) { of, letter, offsetof(struct line, member), \
	sizeof(((struct line *)NULL)->member), .kind = __VA_ARGS__ },
#define CLIENT(letter, format, ...) FIELD('C', letter, __VA_ARGS__)
#define PANE(letter, format, ...) FIELD('P', letter, __VA_ARGS__)
#include "detect/tmux.def"
#undef CLIENT
#undef PANE
};

static const char client_format[] = "C"
#define CLIENT(letter, format, ...) " " letter format
#define PANE(...)
#include "detect/tmux.def"
#undef CLIENT
#undef PANE
    ;

static const char pane_format[] = "P"
#define CLIENT(...)
#define PANE(letter, format, ...) " " letter format
#include "detect/tmux.def"
    ;

static void
read_line(struct line *line, const char *text)
{
	char value[TMUX_FEATURES];
	const struct field *field;
	const char *at, *word;
	unsigned long number;
	unsigned choice;
	void *to;
	size_t n;

	for (field = fields; field < fields + sizeof(fields) / sizeof(fields[0]); field++) {
		if (text[0] != field->line)
			continue;
		for (at = strchr(text, ' '); at != NULL && at[1] != field->letter[0];)
			at = strchr(at + 1, ' ');
		at = at != NULL ? at + 2 : "";
		n = strcspn(at, " ");
		snprintf(value, sizeof(value), "%.*s", n < sizeof(value) ? (int)n : 0, at);
		to = (char *)line + field->offset;
		if (field->kind == WORD) {
			text_copy(to, field->size, value);
			continue;
		}
		number = 0;
		word = !text_number(value, ULONG_MAX, &number) ? value : number != 0 ? "on" : "off";
		choice = word[0] != '\0' ? CHOICES : 0;
		if (field->kind == NUMBER)
			*(unsigned long *)to = number;
		else if (field->kind == FLAG)
			*(bool *)to = strcmp(word, "on") == 0;
		else {
			while (choice > 0 && strcmp(word, field->words[choice - 1]) != 0)
				choice--;
			*(unsigned *)to = choice;
		}
	}
}

/* ---- the state of the server ----------------------------------------------- */

/*
 * Returns whether it is a client of ours. tmux 3.3 and later report its user, from the
 * socket (client_uid in format.c). Before, the user is the owner of the process, if that is
 * on the reported terminal, because the PID is reported by the client itself.
 */
static bool
read_client(struct line *line, const char *text)
{
	struct tmux_client *client = &line->client;
	struct process process;
	struct process_ids ids;
	unsigned long uid;
	char *blank;

	*line = (struct line){ .control = false };
	read_line(line, text);
	client->pid = line->pid <= INT_MAX ? (pid_t)line->pid : 0;
	client->focused = strstr(line->flags, "focused") != NULL;
	for (blank = client->type; (blank = strchr(blank, '|')) != NULL;)
		*blank = ' ';
	if (text_number(line->user, 0xfffffffe, &uid))
		return uid == geteuid();
	return process_read(&process, client->pid) && process_read_ids(&ids, client->pid) &&
	    ids.owner == geteuid() &&
	    (client->tty[0] == '\0' || strcmp(process.tty, client->tty) == 0);
}

static void
read_pane(struct line *line, const char *text)
{
	struct tmux *tmux = &line->tmux;

	read_line(line, text);
	tmux->reachable = true;
	tmux->shown = line->window_active && (!line->zoomed || line->pane_active);
	tmux->requests_clipboard = line->get_clipboard != 0;
	tmux->allow_rename = line->allow_rename != 1;
	/* tmux up to 3.2a has no such option and always passes them */
	if (tmux->passthrough == PASSTHROUGH_UNKNOWN && tmux->version[0] != '\0' &&
	    !tmux_is_at_least(tmux, 3, 3))
		tmux->passthrough = PASSTHROUGH_ON;
	/* tmux reports nothing about a closed pane, whose session may still exist */
	if (line->session[0] == '\0')
		text_copy(line->session, sizeof(line->session), tmux->address.session);
}

/* The line about the pane comes last but is needed first. */
bool
tmux_read_answer(struct tmux *tmux, char *text)
{
	char *last = text_begins(text, "P ") ? text : strstr(text, "\nP "), *rest = text, *at;
	struct line pane = { .tmux = *tmux }, line = { .control = false };
	const char *tty = line.client.tty, *favourite = pane.favourite;
	struct tmux_client *latest;
	bool ours, terminal, shown;

	if (last == NULL)
		return false;
	last += *last == '\n';
	last[strcspn(last, "\n")] = '\0';
	text_clean(last);
	read_pane(&pane, last);
	*tmux = pane.tmux;
	while ((at = strsep(&rest, "\n")) != last) {
		if (!text_begins(at, "C "))
			continue;
		text_clean(at);
		ours = read_client(&line, at);
		if (pane.tmux.address.popup &&
		    find_server(line.client.pid, pane.tmux.address.server) != NULL)
			continue;
		/* a client in control mode has no terminal */
		terminal = !line.control && tty[0] != '\0';
		shown = pane.tmux.address.popup || strcmp(line.session, pane.session) == 0 ||
		    strcmp(line.window, pane.window) == 0 ||
		    (pane.group[0] != '\0' && strcmp(line.group, pane.group) == 0);
		tmux->guests += !ours;
		tmux->clients += shown && ours;
		tmux->control_clients += shown && ours && !terminal;
		/* the most recently used one; the favourite decides within the same second */
		latest = shown ? &tmux->client : &tmux->elsewhere;
		if (ours && terminal && (latest->tty[0] == '\0' || strcmp(tty, favourite) == 0 ||
		    (strcmp(latest->tty, favourite) != 0 &&
		    line.client.activity > latest->activity)))
			*latest = line.client;
	}
	tmux->has_client = tmux->client.tty[0] != '\0';
	return true;
}

bool
tmux_ask(struct tmux *answer, const struct tmux_address *address, bool stays,
    unsigned timeout_ms, struct error *error)
{
	const char *target = address->pane[0] != '\0' ? address->pane : address->session;
	const char *command[COMMAND_WORDS + 1] = { "list-clients", "-F", client_format, ";",
	    "display-message", "-p" };
	size_t n = 6;
	struct buf text = BUF_EMPTY;
	bool answered;

	*answer = (struct tmux){ .address = *address };
	/* without a target tmux uses its most recent session */
	if (target[0] != '\0') {
		command[n++] = "-t";
		command[n++] = target;
	}
	command[n++] = pane_format;
	if (stays) {
		command[n++] = ";";
		command[n++] = "source-file";
		command[n++] = "-";
	}
	/* the reason is left out, because another user must not learn it */
	if (!environment_is_ours() && !is_ancestor(answer->address.socket, address))
		return fail(error, STATUS_REFUSED,
		    geteuid() == 0 ? "as root, viatty asks only a server that started it" :
		    "another user may have set it, and that server did not start this process");
	if (!is_our_socket(answer->address.socket, error))
		return false;
	answered = run_tmux(answer, command, stays ? &answer->waits : NULL, NULL, 0, &text,
	    timeout_ms, error);
	if (answered && (!buf_add(&text, "", 1) ||
	    !tmux_read_answer(answer, (char *)text.data)))
		answered = fail(error, STATUS_FAILED, "unexpected output from tmux: %s",
		    first_line(&text).text);
	buf_free(&text);
	return answered;
}

bool
tmux_is_at_least(const struct tmux *tmux, unsigned major, unsigned minor)
{
	struct version found;
	const struct version wanted = { .part = { major, minor } };

	return version_find(&found, tmux->version) && version_is_at_least(&found, &wanted);
}

/* ---- clients --------------------------------------------------------------- */

const struct tmux_client *
tmux_nearest_client(const struct tmux *tmux)
{
	if (tmux->has_client)
		return &tmux->client;
	return tmux->clients == 0 && tmux->elsewhere.tty[0] != '\0' ? &tmux->elsewhere :
	    NULL;
}

bool
tmux_is_controlled(const struct tmux *tmux)
{
	return tmux->clients > 0 && tmux->clients == tmux->control_clients;
}

bool
tmux_client_has(const struct tmux_client *client, const char *feature)
{
	const char *at = client->features;
	const size_t n = strlen(feature);

	for (; (at = strstr(at, feature)) != NULL; at += n)
		if ((at == client->features || at[-1] == ',') &&
		    (at[n] == ',' || at[n] == '\0'))
			return true;
	return false;
}

bool
tmux_client_drops_copies(const struct tmux_client *client)
{
	static const char *const without[] = {
		"screen", "rxvt", "linux", "vt1", "vt2", "ansi", "konsole",
		"putty", "mlterm",
	};
	size_t i;

	if (tmux_client_has(client, "clipboard") || strstr(client->term, "xterm") != NULL)
		return false;
	for (i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (text_begins(client->term, without[i]))
			return true;
	return false;
}

bool
tmux_copies(const struct tmux *tmux)
{
	const char *const command[] = { "show-messages", "-T", "-t", tmux->client.tty, NULL };
	struct buf capabilities = BUF_EMPTY;
	struct error error;
	bool known;

	if (!tmux->has_client || tmux->set_clipboard == SET_CLIPBOARD_UNKNOWN ||
	    tmux->set_clipboard == SET_CLIPBOARD_OFF)
		return false;
	known = run_tmux(tmux, command, NULL, NULL, 0, &capabilities, TMUX_TIMEOUT_MS, &error) &&
	    buf_holds(&capabilities, " Ms: (string)") &&
	    /* before 3.2 it lists the terminals of all clients, whatever -t names */
	    (tmux_is_at_least(tmux, 3, 2) || !buf_holds(&capabilities, "\nTerminal 1:"));
	buf_free(&capabilities);
	return known;
}

bool
tmux_load(const struct tmux *tmux, const void *bytes, size_t n, unsigned timeout_ms,
    struct error *error)
{
	static const char *const command[] = { "load-buffer", "-", NULL };

	return tell_tmux(tmux, command, bytes, n, timeout_ms, error);
}

/*
 * The bytes written for the client between two lists of all clients. 0 if the count stays, and 0
 * unless each list has the client exactly once. A client is found by the name of its terminal.
 * One in a container may share that name, and only the PID is unique.
 */
static unsigned long
written_between(char *text, const struct tmux_client *client, bool *namesake)
{
	struct line line = { .written = 0 };
	unsigned long first = 0, last = 0;
	unsigned found = 0, others = 0;
	char *at;

	while ((at = strsep(&text, "\n")) != NULL) {
		read_line(&line, at);
		if (!text_begins(at, "C ") || strcmp(line.client.tty, client->tty) != 0)
			continue;
		others += line.pid != (unsigned long)client->pid;
		first = found++ == 0 ? line.written : first;
		last = line.written;
	}
	*namesake = others > 0 || found > 2;
	return !*namesake && found == 2 && last > first ? last - first : 0;
}

static void
add_octal(struct buf *line, const char *text)
{
	for (; *text != '\0'; text++)
		buf_format(line, "\\%03o", (unsigned char)*text);
}

/*
 * Commands that load a buffer from `file`, unless the last byte is all, append that byte, and send
 * it. Only the one that renames the buffer ends them where nothing was loaded.
 *
 * tmux runs those after load-buffer at once, so only the copy is counted between the two lists.
 * tty_set_selection() of tty.c adds either all of it to the output of the client
 * (client_written), or nothing. A client that does not keep up is blocked: tty_add() then throws
 * away all output for it.
 */
static void
write_commands(struct buf *line, const char *file, const char *client, const char *bytes, size_t n)
{
	static const char list[] = "list-clients -F "
	    "'C P#{client_pid} B#{client_written} T#{s/[^!-~]/_/:client_tty}'";
	const char last[] = { bytes[n - 1], '\0' };
	char passing[TMUX_WORD];

	/* unique among simultaneous copies, even from containers, where PIDs repeat */
	text_format(passing, sizeof(passing), "viatty-passing-%ld-%lld", (long)getpid(),
	    clock_ms());
	line->len = 0;
	if (n > 1)
		buf_format(line, "load-buffer -b %s-part %s ; set-buffer -b %s-part -n %s ; ",
		    passing, file, passing, passing);
	buf_format(line, "%s ; set-buffer -a -w -b %s -t \"", list, passing);
	add_octal(line, client);
	buf_add_string(line, "\" -- \"");
	add_octal(line, last);
	buf_format(line, "\" ; %s ; delete-buffer -b %s", list, passing);
	buf_add(line, "", 1);
}

bool
tmux_hand(const struct tmux *tmux, const void *bytes, size_t n, unsigned timeout_ms,
    struct error *error)
{
	const char *client = tmux->client.tty;
	struct buf line = BUF_EMPTY, answer = { .max = ANSWER_MAX };
	bool namesake = false, done;
	int status;

	write_commands(&line, "/dev/fd/3", client, bytes, n);
	status = subprocess_tell(tmux->waits, (char *)line.data, bytes, n - 1, &answer, timeout_ms);
	done = has_done(status, &answer, timeout_ms, error);
	if (!done && status != SUBPROCESS_TOO_SLOW) {
		/* start another client: none waits, or that one failed to open /dev/fd */
		write_commands(&line, "-", client, bytes, n);
		done = run_tmux(tmux, (const char *const[]){ "if-shell", "-F", "1",
		    (char *)line.data, NULL }, NULL, bytes, n - 1, &answer, timeout_ms, error);
	}
	if (done && (!buf_add(&answer, "", 1) || written_between((char *)answer.data,
	    &tmux->client, &namesake) < base64_encoded_size(n)))
		done = namesake ? fail(error, STATUS_FAILED, "tmux may have sent it to another "
		    "terminal that is also called %s", text_quote(client).text) :
		    fail(error, STATUS_FAILED, "tmux did not send it, because the terminal %s "
		    "does not keep up with the output, or is no longer attached",
		    text_quote(client).text);
	buf_free(&answer);
	buf_free(&line);
	return done;
}

void
tmux_show(const struct tmux *tmux, const char *line, bool once)
{
	const bool stays = tmux_is_at_least(tmux, 3, 2);
	struct buf text = BUF_EMPTY, last = BUF_EMPTY;
	char option[32];
	const char *const asked[] = { "show-options", "-gqv", option, NULL };
	const char *const set[] = { "set-option", "-g", option, line, NULL };
	const char *show[] = { "display-message", "-c", tmux->client.tty, NULL, NULL, NULL, NULL };
	struct error error;
	const char *at;
	bool is_known;

	text_format(option, sizeof(option), "@viatty-%ld", (long)tmux->client.pid);
	is_known = once && run_tmux(tmux, asked, NULL, NULL, 0, &last, TMUX_TIMEOUT_MS, &error) &&
	    last.len == strlen(line) + 1 && memcmp(last.data, line, last.len - 1) == 0;
	if (once && !is_known)
		tell_tmux(tmux, set, NULL, 0, TMUX_TIMEOUT_MS, &error);
	/* a format, with the date */
	for (at = line; *at != '\0'; at++)
		buf_format(&text, *at == '#' || *at == '%' ? "%c%c" : "%c", *at, *at);
	buf_add(&text, "", 1);
	show[3] = stays ? "-d" : (const char *)text.data;
	show[4] = stays ? "5000" : NULL;
	show[5] = (const char *)text.data;
	if (!is_known)
		tell_tmux(tmux, show, NULL, 0, TMUX_TIMEOUT_MS, &error);
	buf_free(&text);
	buf_free(&last);
}

bool
tmux_request_clipboard(const struct tmux *tmux, struct error *error)
{
	const char *const command[] = { "refresh-client", "-t", tmux->client.tty, "-l", tmux->pane,
	    NULL };

	return tell_tmux(tmux, command, NULL, 0, TMUX_TIMEOUT_MS, error);
}
