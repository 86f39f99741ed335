/* SPDX-License-Identifier: MIT */
/*
 * What TMUX, a server and a client may say: an address that is accepted stands
 * in the text as it was; whatever is answered, the client that is chosen is the owner's;
 * and nothing that a guest's client says of itself changes which one that is.
 */
#include "detect/path.h"

#include "judge.h"

#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
ends_within(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

/* SOCKET,PID or SOCKET,PID,SESSION, taken apart from the end. */
static void
check_address(const char *text)
{
	struct tmux_address address;
	const char *pid;
	char number[32];
	size_t n;

	memset(&address, 0x55, sizeof(address));
	if (!tmux_address_parse(&address, text, NULL))
		return;
	need(ends_within(address.socket, sizeof(address.socket)));
	need(ends_within(address.session, sizeof(address.session)));
	n = strlen(address.socket);
	need(address.socket[0] == '/' && strncmp(text, address.socket, n) == 0);
	need(text[n] == ',' && address.server >= 0);
	pid = text + n + 1;
	pid += strspn(pid, "0");
	snprintf(number, sizeof(number), "%ld,", (long)address.server);
	need(text_begins(address.server == 0 ? pid - 1 : pid, number));
	need(address.session[0] == '\0' || (address.session[0] == '$' &&
	    address.session[1 + strspn(address.session + 1, "0123456789")] == '\0'));
}

/* ---- answers ------------------------------------------------------------ */

static void
check_word(const char *word, size_t size)
{
	need(ends_within(word, size));
	for (; *word != '\0'; word++)
		need((unsigned char)*word >= ' ' && *word != 0x7f);
}

static void
check_read(const struct tmux *tmux)
{
	check_word(tmux->session, sizeof(tmux->session));
	check_word(tmux->pane_tty, sizeof(tmux->pane_tty));
	check_word(tmux->client.tty, sizeof(tmux->client.tty));
	check_word(tmux->client.term, sizeof(tmux->client.term));
	check_word(tmux->client.features, sizeof(tmux->client.features));
	need(tmux->control_clients <= tmux->clients);
	need(tmux->has_client == (tmux->clients > tmux->control_clients));
	need(!tmux->has_client || (tmux->client.tty[0] != '\0' && tmux->client.pid >= 0));
}

static void
check_answer(const char *text)
{
	struct tmux tmux = { .clients = 0 };
	char *answer = strdup(text);

	need(answer != NULL);
	if (tmux_read_answer(&tmux, answer))
		check_read(&tmux);
	free(answer);
}

/* As the formats in tmux.c have it: a blank becomes `blank`, a line feed `feed`. */
static char *
said(const char *text, size_t size, char blank, char feed)
{
	char *word = strndup(text, size), *at;

	need(word != NULL);
	for (at = word; *at != '\0'; at++)
		*at = *at == ' ' ? blank : *at == '\n' ? feed : *at;
	return word;
}

/* A guest, who had the last key, before or behind the owner's client. */
static void
check_guest(const char *text, size_t size)
{
	char ours[128];
	size_t third = size / 3;
	char *tty = said(text, third, '_', '_');
	char *term = said(text + third, third, '_', '_');
	char *type = said(text + 2 * third, size - 2 * third, '|', '\n');
	size_t room = size * 2 + 512;
	char *answer = malloc(room);
	struct tmux tmux = { .clients = 0 };
	bool before = size % 2 == 0;

	need(answer != NULL);
	snprintf(ours, sizeof(ours), "C P1 A1 K0 I$0 W@0 G U%ld T/dev/pts/7 Nxterm F Y\n",
	    (long)geteuid());
	snprintf(answer, room, "%sC P2 A9 K0 I$0 W@0 G U%ld T%s N%s F Y%s\n%s"
	    "P V3.3a M0 Z0 A1 X1 I$0 W@0 G T/dev/pts/1 D%%0 Smain C%s\n",
	    before ? "" : ours, (long)geteuid() + 1, tty, term, type, before ? ours : "", tty);
	need(tmux_read_answer(&tmux, answer));
	check_read(&tmux);
	need(tmux.has_client && tmux.clients == 1 && tmux.guests == 1);
	need(tmux.client.pid == 1 && strcmp(tmux.client.tty, "/dev/pts/7") == 0);
	need(strcmp(tmux.client.term, "xterm") == 0);
	need(strcmp(tmux.pane_tty, "/dev/pts/1") == 0 && strcmp(tmux.session, "main") == 0);
	free(answer);
	free(type);
	free(term);
	free(tty);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	need(text != NULL);
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	check_address(text);
	check_answer(text);
	check_guest(text, strlen(text));
	free(text);
	return 0;
}
