/* SPDX-License-Identifier: MIT */
/* One call, several systems; the contract is in compat.h. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* pipe2, memfd_create, POSIX_SPAWN_SETSID, setresuid, ucred */
#endif

#include "base/compat.h"

#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * What each system has. COMPAT_PLAIN is for tests: Linux does with as little as it can,
 * see `make check-plain`. DESCRIPTORS is a folder that lists them all; the /dev/fd of a
 * BSD may hold three only.
 */
#ifdef __linux__
#define HAS_GETRANDOM
#endif
#if defined(COMPAT_PLAIN)
#elif defined(__linux__)
#define HAS_PIPE2
#define HAS_MEMFD
#define HAS_ABSTRACT_SOCKETS
#define HAS_SIGTIMEDWAIT
#define HAS_SAVED_IDS
#define SPAWN_SESSION POSIX_SPAWN_SETSID
#define DESCRIPTORS "/proc/self/fd"
#define SLEEPS "/proc/self/status"
#elif defined(__APPLE__)
#define SPAWN_SESSION POSIX_SPAWN_SETSID
#define DESCRIPTORS "/dev/fd"
#elif defined(__FreeBSD__)
#define HAS_PIPE2
#define HAS_SIGTIMEDWAIT
#define HAS_SAVED_IDS
#elif defined(__NetBSD__)
#define HAS_PIPE2
#define HAS_SIGTIMEDWAIT
#elif defined(__OpenBSD__)
#define HAS_PIPE2
#define HAS_SAVED_IDS
#else
#error "viatty knows Linux, macOS, FreeBSD, NetBSD and OpenBSD"
#endif
#ifndef SPAWN_SESSION
#define SPAWN_SESSION 0
#endif

#ifdef HAS_ABSTRACT_SOCKETS
#include <sys/socket.h>
#include <sys/un.h>
#endif
#ifdef HAS_GETRANDOM
#include <sys/random.h>
#endif

/* ---- descriptors ---------------------------------------------------------- */

#ifndef HAS_PIPE2

int
compat_pipe(int end[2])
{
	if (pipe(end) != 0)
		return -1;
	/* nothing else runs in this process that could fork meanwhile */
	fcntl(end[0], F_SETFD, FD_CLOEXEC);
	fcntl(end[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

#else

int
compat_pipe(int end[2])
{
	return pipe2(end, O_CLOEXEC);
}

#endif

#ifdef HAS_MEMFD

int
compat_unnamed_file(void)
{
	return memfd_create("viatty", MFD_CLOEXEC);
}

#else

int
compat_unnamed_file(void)
{
	char name[] = "/tmp/viatty.XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		return -1;
	unlink(name);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

#endif

#ifdef HAS_ABSTRACT_SOCKETS

bool
compat_abstract_listener(const char *name, uid_t *owner)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct ucred peer;
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
	    strlen(name));
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool listens;

	*owner = (uid_t)-1;
	if (fd < 0)
		return true;
	/* a NUL before the name makes it abstract, unix(7) */
	text_copy(address.sun_path + 1, sizeof(address.sun_path) - 1, name);
	listens = connect(fd, (struct sockaddr *)&address, size) == 0 ||
	    errno != ECONNREFUSED;
	size = sizeof(peer);
	if (listens && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
		*owner = peer.uid;
	close(fd);
	return listens;
}

#else

bool
compat_abstract_listener(const char *name, uid_t *owner)
{
	(void)name;
	*owner = (uid_t)-1;
	return false;
}

#endif

#ifdef DESCRIPTORS

/* Without /proc none is seen. */
void
compat_each_descriptor(void (*each)(void *context, int fd), void *context)
{
	DIR *folder = opendir(DESCRIPTORS);
	const struct dirent *entry;
	unsigned long fd;

	while (folder != NULL && (entry = readdir(folder)) != NULL)
		if (text_number(entry->d_name, 0x7fffffff, &fd) &&
		    fd > STDERR_FILENO)
			each(context, (int)fd);
	if (folder != NULL)
		closedir(folder);
}

#else

void
compat_each_descriptor(void (*each)(void *context, int fd), void *context)
{
	enum { USUAL = 1024, MOST = 65536 };
	long limit = sysconf(_SC_OPEN_MAX);
	int fd;

	limit = limit < 0 ? USUAL : limit > MOST ? MOST : limit;
	for (fd = STDERR_FILENO + 1; fd < (int)limit; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			each(context, fd);
}

#endif

/* ---- processes ------------------------------------------------------------ */

const short compat_spawn_session = SPAWN_SESSION;

#ifdef __APPLE__

int
compat_group_list(const char *user, gid_t gid, gid_t *group, int *count)
{
	return getgrouplist(user, (int)gid, (int *)group, count);
}

#else

int
compat_group_list(const char *user, gid_t gid, gid_t *group, int *count)
{
	return getgrouplist(user, gid, group, count);
}

#endif

#ifndef HAS_SAVED_IDS

bool
compat_set_ids(uid_t uid, gid_t gid)
{
	/* done by root, both set all three */
	return setgid(gid) == 0 && setuid(uid) == 0;
}

bool
compat_has_only(uid_t uid, gid_t gid)
{
	return getuid() == uid && geteuid() == uid && getgid() == gid &&
	    getegid() == gid;
}

#else

bool
compat_set_ids(uid_t uid, gid_t gid)
{
	return setresgid(gid, gid, gid) == 0 && setresuid(uid, uid, uid) == 0;
}

bool
compat_has_only(uid_t uid, gid_t gid)
{
	uid_t u[3];
	gid_t g[3];

	return getresuid(&u[0], &u[1], &u[2]) == 0 &&
	    getresgid(&g[0], &g[1], &g[2]) == 0 && u[0] == uid && u[1] == uid &&
	    u[2] == uid && g[0] == gid && g[1] == gid && g[2] == gid;
}

#endif

#ifdef SLEEPS

int
compat_open_sleeps(void)
{
	unsigned long count;
	bool stopped;
	int fd = open(SLEEPS, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || compat_sleeps(fd, &count, &stopped))
		return fd;
	close(fd);
	return -1;
}

/* proc(5): each line is a name, a colon, a tab and the value. */
bool
compat_sleeps(int fd, unsigned long *count, bool *stopped)
{
	static const char name[] = "\nvoluntary_ctxt_switches:\t";
	char status[8192], *at;
	ssize_t n = pread(fd, status, sizeof(status) - 1, 0);

	if (n <= 0)
		return false;
	status[n] = '\0';
	*stopped = strstr(status, "\nState:\tT") != NULL;
	at = strstr(status, name);
	if (at == NULL)
		return false;
	at += sizeof(name) - 1;
	at[strcspn(at, "\n")] = '\0';
	return text_number(at, (unsigned long)-1, count);
}

#else

int
compat_open_sleeps(void)
{
	return -1;
}

bool
compat_sleeps(int fd, unsigned long *count, bool *stopped)
{
	(void)fd;
	(void)count;
	(void)stopped;
	return false;
}

#endif

#ifndef HAS_SIGTIMEDWAIT

/* A child that has closed its streams ends very soon. */
bool
compat_ends_within(pid_t pid, unsigned timeout_ms, int *status)
{
	struct timespec pause = { 0, 1000000 };
	unsigned passed = 0;
	pid_t ended;

	while ((ended = waitpid(pid, status, WNOHANG)) == 0) {
		if (passed++ >= timeout_ms)
			return false;
		nanosleep(&pause, NULL);
	}
	return ended == pid;
}

#else

bool
compat_ends_within(pid_t pid, unsigned timeout_ms, int *status)
{
	struct timespec left = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };
	sigset_t child;
	pid_t ended;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while ((ended = waitpid(pid, status, WNOHANG)) == 0)
		if (sigtimedwait(&child, NULL, &left) < 0 && errno == EAGAIN)
			return false;
	return ended == pid;
}

#endif

/* ---- others --------------------------------------------------------------- */

#ifdef HAS_GETRANDOM

bool
compat_random(void *bytes, size_t n)
{
	return getrandom(bytes, n, 0) == (ssize_t)n;
}

#else

bool
compat_random(void *bytes, size_t n)
{
	arc4random_buf(bytes, n);
	return true;
}

#endif
