/* SPDX-License-Identifier: MIT */
/* Sockets of servers; the contract is in socket.h. */
#include "detect/socket.h"

#include "base/text.h"
#include "base/user.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether only root and `owner` can put something else in place of an entry. */
static bool
directory_is_safe(const char *path, uid_t owner, struct error *error)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return error_set(error, STATUS_FAILED, "%s: %s",
		    text_quote(path).text, strerror(errno));
	if (st.st_uid != 0 && st.st_uid != owner)
		return error_set(error, STATUS_REFUSED, "its socket is in %s, which "
		    "belongs to another user", text_quote(path).text);
	return (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 ||
	    (st.st_mode & S_ISVTX) != 0 || error_set(error, STATUS_REFUSED,
	    "its socket is in %s, which other users may write to",
	    text_quote(path).text);
}

/* The same of each directory above `path`, which holds no symbolic links. */
static bool
path_is_safe(const char *path, uid_t owner, struct error *error)
{
	char directory[SOCKET_PATH];
	size_t n;

	for (n = 0; path[n] != '\0'; n++) {
		if (path[n] != '/')
			continue;
		memcpy(directory, path, n + 1);
		directory[n > 0 ? n : 1] = '\0';
		if (!directory_is_safe(directory, owner, error))
			return false;
	}
	return true;
}

/* The last part is left as it is: a link there is no socket. */
static bool
resolve(char to[SOCKET_PATH], const char *path)
{
	const char *name = strrchr(path, '/');
	char directory[SOCKET_PATH], *resolved;
	bool fits;

	if (name == NULL || (size_t)(name - path) >= sizeof(directory))
		return false;
	memcpy(directory, path, (size_t)(name - path));
	directory[name - path] = '\0';
	resolved = realpath(directory[0] != '\0' ? directory : "/", NULL);
	if (resolved == NULL)
		return false;
	errno = ENAMETOOLONG;
	fits = strlen(resolved) + strlen(name) < SOCKET_PATH;
	if (fits)
		text_format(to, SOCKET_PATH, "%s%s",
		    strcmp(resolved, "/") == 0 ? "" : resolved, name);
	free(resolved);
	return fits;
}

bool
socket_look(struct socket *socket, const char *path, struct error *error)
{
	char owner[USER_NAME];
	struct stat st;

	*socket = (struct socket){ .owner = 0 };
	if (!resolve(socket->path, path) || lstat(socket->path, &st) != 0)
		return error_set(error, errno == EACCES ? STATUS_REFUSED :
		    STATUS_FAILED, "cannot access the socket %s: %s",
		    text_quote(path).text, strerror(errno));
	if (!S_ISSOCK(st.st_mode))
		return error_set(error, STATUS_FAILED, "%s is not a socket",
		    text_quote(path).text);
	socket->owner = st.st_uid;
	if (st.st_uid != geteuid() && geteuid() != 0) {
		user_name(owner, st.st_uid);
		return error_set(error, STATUS_REFUSED,
		    "it is the server of another user, %s", owner);
	}
	return path_is_safe(socket->path, st.st_uid, error);
}
