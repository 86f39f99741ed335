/* SPDX-License-Identifier: MIT */
/* Calls that differ between Linux, macOS and FreeBSD. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* memfd_create, ucred */
#endif

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#else
#include <sys/param.h>
#include <sys/sysctl.h>
#endif
#ifdef __FreeBSD__
#include <sys/user.h>
#endif
#ifndef __APPLE__
#include <sys/syscall.h>
#endif

/* ---- descriptors ---------------------------------------------------------- */

int
compat_unnamed_file(void)
{
#ifdef __APPLE__
	char name[] = "/tmp/viatty.XXXXXX";
	int fd = mkstemp(name);

	if (fd >= 0 && (unlink(name) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)) {
		close(fd);
		return -1;
	}
	return fd;
#else
	return memfd_create("viatty", MFD_CLOEXEC);
#endif
}

void
compat_close_at_exec(void)
{
	enum { CLOEXEC = 1 << 2, USUAL = 1024, MOST = 65536 };
	long fd, limit = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOEXEC) == 0)
		return;
#endif
	if (limit < 0)
		limit = USUAL;
	for (fd = STDERR_FILENO + 1; fd < limit && fd < MOST; fd++)
		fcntl((int)fd, F_SETFD, FD_CLOEXEC);
}

int
compat_open_pty(int *slave)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), failure;
	const char *name = NULL;

	if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
		name = ptsname(master);
	*slave = name != NULL ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
	if (*slave < 0) {
		failure = errno;
		if (master >= 0)
			close(master);
		errno = failure;
		return -1;
	}
	fcntl(master, F_SETFD, FD_CLOEXEC);
	return master;
}

/*
 * On macOS, poll() of /dev/tty returns POLLNVAL at once, and a loop around it would spin. So
 * select() is used there, except for a descriptor beyond FD_SETSIZE.
 */
int
wait_on(struct pollfd *ends, size_t count, int timeout_ms)
{
#ifdef __APPLE__
	struct timeval limit = { timeout_ms / 1000, timeout_ms % 1000 * 1000 };
	int highest = -1, ready = 0;
	fd_set in, out;
	size_t i;

	FD_ZERO(&in);
	FD_ZERO(&out);
	for (i = 0; i < count; i++) {
		if (ends[i].fd >= FD_SETSIZE)
			return poll(ends, (nfds_t)count, timeout_ms);
		if (ends[i].fd >= 0)
			FD_SET(ends[i].fd, ends[i].events == POLLIN ? &in : &out);
		highest = ends[i].fd > highest ? ends[i].fd : highest;
	}
	if (select(highest + 1, &in, &out, NULL, timeout_ms < 0 ? NULL : &limit) < 0)
		return -1;
	for (i = 0; i < count; i++) {
		ends[i].revents = 0;
		if (ends[i].fd >= 0 && (FD_ISSET(ends[i].fd, &in) || FD_ISSET(ends[i].fd, &out)))
			ends[i].revents = ends[i].events;
		ready += ends[i].revents != 0;
	}
	return ready;
#else
	return poll(ends, (nfds_t)count, timeout_ms);
#endif
}

/* ---- sockets and processes -------------------------------------------------- */

#ifdef __linux__

bool
compat_seal(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3];

	return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L) == 0 &&
	    syscall(SYS_capget, &header, has) == 0 && has[0].permitted == 0 &&
	    has[1].permitted == 0;
}

bool
compat_listener(const char *path, bool is_abstract, pid_t *pid, uid_t *owner)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct ucred peer;
	/* a NUL before the name makes it abstract, and its size counts, unix(7) */
	socklen_t size = is_abstract ? (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
	    strlen(path)) : (socklen_t)sizeof(address);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool listens;

	*pid = 0;
	*owner = (uid_t)-1;
	if (fd < 0)
		return true;
	text_copy(address.sun_path + is_abstract, sizeof(address.sun_path) - is_abstract, path);
	listens = connect(fd, (struct sockaddr *)&address, size) == 0 || errno != ECONNREFUSED;
	size = sizeof(peer);
	if (listens && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0) {
		*pid = peer.pid;
		*owner = peer.uid;
	}
	close(fd);
	return listens;
}

unsigned long long
compat_written(pid_t pid)
{
	char text[512];
	const char *at;
	ssize_t n = -1;
	int fd;

	snprintf(text, sizeof(text), "/proc/%ld/io", (long)pid);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	at = strstr(text, "wchar: ");
	return at != NULL ? strtoull(at + strlen("wchar: "), NULL, 10) : 0;
}

#else

/* The kernel forbids other users to trace a process that has changed its user. */
bool
compat_seal(void)
{
	return true;
}

bool
compat_listener(const char *path, bool is_abstract, pid_t *pid, uid_t *owner)
{
	(void)path;
	*pid = 0;
	*owner = (uid_t)-1;
	return !is_abstract;
}

unsigned long long
compat_written(pid_t pid)
{
	(void)pid;
	return 0;
}

/*
 * macOS also has proc_pidinfo(), but that hides processes of other users, such as the login
 * above a shell.
 */
bool
kinfo_read(struct kinfo *kinfo, pid_t pid)
{
	int question[] = { CTL_KERN, KERN_PROC, KERN_PROC_PID, pid };
	struct kinfo_proc k;
	size_t size = sizeof(k);

	/* for an unused process ID, macOS succeeds with an empty result */
	if (sysctl(question, 4, &k, &size, NULL, 0) != 0 || size < sizeof(k))
		return false;
#ifdef __APPLE__
	*kinfo = (struct kinfo){ .parent = k.kp_eproc.e_ppid, .terminal = k.kp_eproc.e_tdev,
		.in_foreground = k.kp_eproc.e_pgid == k.kp_eproc.e_tpgid,
		.user = { k.kp_eproc.e_pcred.p_ruid, k.kp_eproc.e_ucred.cr_uid,
			k.kp_eproc.e_pcred.p_svuid },
		.group = { k.kp_eproc.e_pcred.p_rgid, k.kp_eproc.e_ucred.cr_groups[0],
			k.kp_eproc.e_pcred.p_svgid } };
	kinfo->started = (unsigned long long)k.kp_proc.p_starttime.tv_sec * 1000000 +
	    (unsigned long long)k.kp_proc.p_starttime.tv_usec;
	text_format(kinfo->name, sizeof(kinfo->name), "%s", k.kp_proc.p_comm);
#else
	*kinfo = (struct kinfo){ .parent = k.ki_ppid, .terminal = (dev_t)k.ki_tdev,
		.in_foreground = k.ki_pgid == k.ki_tpgid,
		.user = { k.ki_ruid, k.ki_uid, k.ki_svuid },
		.group = { k.ki_rgid, k.ki_groups[0], k.ki_svgid }, .jail = k.ki_jid };
	kinfo->started = (unsigned long long)k.ki_start.tv_sec * 1000000 +
	    (unsigned long long)k.ki_start.tv_usec;
	text_format(kinfo->name, sizeof(kinfo->name), "%s", k.ki_comm);
#endif
	kinfo->has_terminal = kinfo->terminal != (dev_t)-1;
	return true;
}

#endif
