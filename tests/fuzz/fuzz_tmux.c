/* SPDX-License-Identifier: MIT */
/*
 * What TMUX and a client's words may say: an address that is accepted stands
 * in the text as it was, and no version or list of features leads astray.
 */
#include "route/tmux.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	if (!tmux_address_parse(&address, text))
		return;
	if (!ends_within(address.socket, sizeof(address.socket)) ||
	    !ends_within(address.session, sizeof(address.session)))
		abort();
	n = strlen(address.socket);
	if (address.socket[0] != '/' || strncmp(text, address.socket, n) != 0 ||
	    text[n] != ',' || address.server < 0)
		abort();
	pid = text + n + 1;
	pid += strspn(pid, "0");
	snprintf(number, sizeof(number), "%ld,", (long)address.server);
	if (strncmp(address.server == 0 ? pid - 1 : pid, number,
	    strlen(number)) != 0)
		abort();
	if (address.session[0] != '\0' && (address.session[0] != '$' ||
	    address.session[1 + strspn(address.session + 1, "0123456789")] !=
	        '\0'))
		abort();
}

static void
check_version(const char *text, size_t size)
{
	struct tmux tmux = { .clients = 0 };
	int minor;

	if (size >= sizeof(tmux.version))
		return;
	memcpy(tmux.version, text, size);
	/* at least one version means at least all that are lower */
	for (minor = 1; minor < 12; minor++)
		if (tmux_is_at_least(&tmux, 3, minor) &&
		    (!tmux_is_at_least(&tmux, 3, minor - 1) ||
		        !tmux_is_at_least(&tmux, 2, 9)))
			abort();
}

static void
check_client(const char *text, size_t size)
{
	struct tmux_client client = { .pid = 1 };
	size_t half = size / 2;
	int has;

	if (half >= sizeof(client.term) || size - half >= sizeof(client.features))
		return;
	memcpy(client.term, text, half);
	memcpy(client.features, text + half, size - half);
	has = tmux_client_has_clipboard(&client);
	if (has < -1 || has > 1 ||
	    (has == 1 && strstr(client.features, "clipboard") == NULL))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (text == NULL)
		abort();
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	check_address(text);
	check_version(text, size);
	check_client(text, size);
	free(text);
	return 0;
}
