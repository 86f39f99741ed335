/* SPDX-License-Identifier: MIT */
/* Other processes on the BSDs, as far as macOS differs from them; see process.h. */
#include "detect/process.h"

#if !defined(__linux__) && !defined(__APPLE__)

#include "base/kinfo.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/sysctl.h>
#include <unistd.h>

/* A jail has its own root directory. Where there is none, chroot(2) is not told. */
enum process_root
process_root(pid_t pid)
{
	struct kinfo its, ours;

	if (!kinfo_read(&its, pid) || !kinfo_read(&ours, getpid()) ||
	    its.jail != ours.jail)
		return PROCESS_OTHER_ROOT;
	return PROCESS_ROOT_UNKNOWN;
}

bool
process_program(char path[PROCESS_PATH], pid_t pid)
{
#if defined(__FreeBSD__)
	int question[] = { CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, pid };
#elif defined(__NetBSD__)
	int question[] = { CTL_KERN, KERN_PROC_ARGS, pid, KERN_PROC_PATHNAME };
#endif
#ifndef __OpenBSD__
	size_t size = PROCESS_PATH;

	if (sysctl(question, 4, path, &size, NULL, 0) == 0 && size > 0 &&
	    path[size - 1] == '\0' && path[0] == '/')
		return true;
#endif
	(void)pid;
	path[0] = '\0';
	return false;
}

/* ---- strings ------------------------------------------------------------- */

enum strings_kind { WORDS, VARIABLES };

/* The answer to KERN_PROC_ARGS; free() it. NULL: gone, not ours to read, too large. */
static char *
ask_strings(pid_t pid, enum strings_kind kind, size_t *size)
{
#ifdef __FreeBSD__
	int question[] = { CTL_KERN, KERN_PROC,
		kind == WORDS ? KERN_PROC_ARGS : KERN_PROC_ENV, pid };
#else
	int question[] = { CTL_KERN, KERN_PROC_ARGS, pid,
		kind == WORDS ? KERN_PROC_ARGV : KERN_PROC_ENV };
#endif
	size_t room = 64 * 1024;
	char *answer = NULL, *larger;

	for (; room <= PROCESS_STRINGS_MAX; room *= 2) {
		larger = realloc(answer, room);
		if (larger == NULL)
			break;
		answer = larger;
		*size = room;
		if (sysctl(question, 4, answer, size, NULL, 0) == 0)
			return answer;
		if (errno != ENOMEM)
			break;
	}
	free(answer);
	return NULL;
}

#ifdef __OpenBSD__

/* It answers with pointers, the last one NULL, to strings behind them. */
static bool
add_answer(struct buf *out, char *answer, size_t size)
{
	char **string = (char **)(void *)answer;
	bool fine = size >= sizeof(*string);

	for (; fine && *string != NULL; string++)
		fine = buf_add(out, *string, strlen(*string) + 1);
	return fine;
}

#else

static bool
add_answer(struct buf *out, const char *answer, size_t size)
{
	return size > 0 && answer[size - 1] == '\0' && buf_add(out, answer, size);
}

#endif

static bool
add_strings_of(struct buf *out, pid_t pid, enum strings_kind kind)
{
	size_t size;
	char *answer = ask_strings(pid, kind, &size);
	bool fine;

	if (answer == NULL)
		return false;
	out->max = PROCESS_STRINGS_MAX;
	fine = add_answer(out, answer, size) && out->len > 0;
	if (!fine)
		out->len = 0;
	free(answer);
	return fine;
}

bool
process_environment(struct buf *out, pid_t pid)
{
	return add_strings_of(out, pid, VARIABLES);
}

bool
process_command_line(struct buf *out, pid_t pid)
{
	return add_strings_of(out, pid, WORDS);
}

#endif
