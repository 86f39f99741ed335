/* SPDX-License-Identifier: MIT */
/* Sends the picture on the clipboard of this desktop to the host, over a connection of ssh. */
#include "relay/relay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- the connection -------------------------------------------------------------- */

/* ssh binds a name with such an end, and then links it (OpenSSH 9.2, muxserver_listen()). */
#define BOUND ".0123456789abcdef"

static char folder[PROCESS_PATH], own_socket[PROCESS_PATH];

static void
remove_socket(void)
{
	unlink(own_socket);
	rmdir(folder);
}

const char *
picture_socket(void)
{
	const char *runtime = environment_get("XDG_RUNTIME_DIR");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	bool bound;

	/* ssh expands % and ${ in it */
	if (runtime == NULL || runtime[0] != '/' ||
	    strlen(runtime) + sizeof("/viatty-XXXXXX/s" BOUND) > sizeof(address.sun_path) ||
	    runtime[strspn(runtime, TEXT_ALNUM "/._-")] != '\0')
		runtime = "/tmp";
	text_format(folder, sizeof(folder), "%s/viatty-XXXXXX", runtime);
	atexit(remove_socket);
	bound = mkdtemp(folder) != NULL;
	text_format(own_socket, sizeof(own_socket), "%s/s", folder);
	text_format(address.sun_path, sizeof(address.sun_path), "%s" BOUND, own_socket);
	bound = bound && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    link(address.sun_path, own_socket) == 0;
	if (!bound)
		message_warn("no pictures, because no connection can be shared in %s: %s", runtime,
		    strerror(errno));
	close(fd);
	unlink(address.sun_path);
	unlink(own_socket);
	return bound ? own_socket : NULL;
}

void
host_command(struct buf *out, const char *snippet, const char *arguments)
{
	const char *at = strstr(snippet, "\n\n");

	buf_format(out, "exec sh -c 'set -- %s;", arguments);
	for (; *at != '\0'; at++)
		buf_add(out, *at == '\n' ? " " : at, 1);
	/* with its NUL */
	buf_add(out, "'", 2);
}

/* ---- the picture ----------------------------------------------------------------- */

#define READY "viatty-ssh: ready"
#define MARK "viatty-ssh: picture "

/* src/setup/picture.sh */
extern const char snippet_picture[];

bool
picture_find(struct copies *c)
{
	static const char *const known[] = { "image/png", "image/jpeg", "image/webp", "image/gif" };
	struct request request = c->request;
	struct buf types = BUF_EMPTY;
	struct error error;
	size_t i, n = sizeof(known) / sizeof(known[0]);

	request.type = TYPE_LIST;
	request.given.timeout_ms = RELAY_FIND_MS / 2;
	if (!native_paste(c->route, c->path, &request, &types, &error))
		copies_fail(c, &error);
	for (i = 0; i < n && !buf_holds(&types, known[i]); i++)
		continue;
	c->request.type = i < n && !buf_holds(&types, "text/plain") ? known[i] : NULL;
	buf_free(&types);
	return c->request.type != NULL;
}

/* Nothing is sent before: a menu or a router would execute what it reads. */
static enum child_state
is_ready(const struct buf *answer)
{
	return buf_holds(answer, READY "\n") ? CHILD_HAS_ANSWERED : CHILD_GOES_ON;
}

/* Finds the path in what the host has printed: it is to be typed, so it has one form. */
static bool
read_answer(char path[RELAY_WAY], struct buf *answer, struct error *error)
{
	char *found = buf_add(answer, "", 1) ? strstr((char *)answer->data, MARK) : NULL;
	char *end = found != NULL ? strchr(found, '\n') : NULL;

	if (end == NULL)
		return fail(error, STATUS_FAILED, "the connection of ssh took no second session "
		    "for it, or no sh runs there");
	*end = '\0';
	found += strlen(MARK);
	if (strcmp(found, "-") == 0)
		return fail(error, STATUS_FAILED, "~/.cache/viatty there cannot be written, or "
		    "no space is left");
	if (found[0] != '/' || !text_is_typable(found) || !text_copy(path, RELAY_WAY, found))
		return fail(error, STATUS_FAILED, "its path there would have to be quoted");
	return true;
}

bool
picture_send(const struct copies *c, const struct route *route, struct outcome *outcome)
{
	enum { ANSWER_MAX = 4096, READY_MS = 15 * 1000, COMMAND = 18 };
	struct buf picture = { .max = RELAY_PICTURE_MAX }, answer = { .max = ANSWER_MAX };
	struct buf command = BUF_EMPTY, errors = BUF_EMPTY;
	char arguments[32];
	pid_t pid = 0;
	/* it never makes a connection of its own, which would ask for a password */
	const char *words[] = { "sh", "-c", "exec \"$@\" <&3", "sh", "ssh", "-F", "none", "-T",
		"-o", "BatchMode=yes", "-o", "ControlMaster=no", "-o", "ProxyCommand=false", "-S",
		c->socket, "--", "host", [COMMAND] = NULL, NULL };
	const struct subprocess_command ssh = { .arguments = words, .inherits = true,
		.errors = &errors, .stays = &pid };

	alarm(RELAY_PICTURE_S);
	if (!native_paste(route, c->path, &c->request, &picture, &outcome->failure))
		return false;
	text_format(arguments, sizeof(arguments), "%s %zu", c->request.type + strlen("image/"),
	    picture.len);
	host_command(&command, snippet_picture, arguments);
	words[COMMAND] = (const char *)command.data;
	if (subprocess_run_command(&ssh, "", 0, &answer, is_ready, READY_MS) == 0)
		subprocess_tell(pid, "", picture.data, picture.len, &answer,
		    RELAY_PICTURE_S * 1000);
	return read_answer(outcome->way, &answer, &outcome->failure);
}
