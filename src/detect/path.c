/* SPDX-License-Identifier: MIT */
/* A detected path; the contract is in path.h. */
#include "detect/path.h"

#include "base/subprocess.h"
#include "base/text.h"

#include <unistd.h>

const struct multiplexer *
hop_row(const struct hop *hop)
{
	return multiplexer_of(hop->kind, hop->name);
}

bool
hop_is_unreachable(const struct hop *hop)
{
	return hop->kind == HOP_TMUX_UNREACHABLE || hop->kind == HOP_TMUX_OR_SCREEN;
}

void
path_device(char name[DEVICE_NAME], const struct path *path)
{
	if (path->source != DEVICE_CONTROLLING || !device_name(name, path->fd))
		text_copy(name, DEVICE_NAME, path->device.name);
}

const struct hop *
path_reply_chain(const struct path *path, struct chain *chain, size_t *reply_max)
{
	const struct multiplexer *row;
	size_t i;

	*chain = (struct chain){ 0 };
	*reply_max = 0;
	for (i = 0; i < path->hops; i++) {
		row = hop_row(&path->hop[i]);
		if (!row->returns_replies || path->hop[i].detached ||
		    !chain_add(chain, LAYER_SCREEN))
			return &path->hop[i];
		if (row->reply_max != 0 && (*reply_max == 0 || row->reply_max < *reply_max))
			*reply_max = row->reply_max;
	}
	return NULL;
}

const struct terminal *
path_terminal(const struct path *path)
{
	return path->named != NULL ? path->named : path->terminal;
}

const char *
path_version(const struct path *path)
{
	bool replied = path->terminal != NULL &&
	    terminal_by_version(path->version) == path->terminal;

	return !replied && path->terminal == path->by_environment ?
	    path->environment_version : path->version;
}

const char *
path_terminal_version(const struct path *path)
{
	return path_terminal(path) == path->terminal ? path_version(path) : "";
}

enum support
path_support(const struct path *path, enum feature feature)
{
	const char *version = path_terminal_version(path);

	return path->named != NULL && version[0] == '\0' ?
	    terminal_support(path->named, feature) :
	    terminal_version_support(path_terminal(path), feature, version);
}

bool
path_lacks(const struct path *path, enum feature feature)
{
	enum support support = path_support(path, feature);

	return support == SUPPORT_NO || support == SUPPORT_EMPTIES;
}

void
path_free(struct path *path)
{
	subprocess_reap();
	if (path->fd > STDERR_FILENO)
		close(path->fd);
	path->fd = -1;
}
