/* SPDX-License-Identifier: MIT */
/* Other processes on macOS, as far as it differs from the BSDs; see process.h. */
#include "detect/process.h"

#ifdef __APPLE__

#include "base/text.h"

#include <libproc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysctl.h>
#include <unistd.h>

/* The root directory of a process; zeros where nobody has changed it. */
static bool
read_root(struct vinfo_stat *root, pid_t pid)
{
	struct proc_vnodepathinfo folders;

	if (proc_pidinfo(pid, PROC_PIDVNODEPATHINFO, 0, &folders,
	    (int)sizeof(folders)) != (int)sizeof(folders))
		return false;
	*root = folders.pvi_rdir.vip_vi.vi_stat;
	return true;
}

enum process_root
process_root(pid_t pid)
{
	struct vinfo_stat its, ours;

	return read_root(&its, pid) && read_root(&ours, getpid()) &&
	    its.vst_dev == ours.vst_dev && its.vst_ino == ours.vst_ino ?
	    PROCESS_SAME_ROOT : PROCESS_OTHER_ROOT;
}

bool
process_program(char path[PROCESS_PATH], pid_t pid)
{
	char whole[PROC_PIDPATHINFO_MAXSIZE];

	path[0] = '\0';
	return proc_pidpath(pid, whole, sizeof(whole)) > 0 &&
	    text_copy(path, PROCESS_PATH, whole);
}

/*
 * KERN_PROCARGS2 gives the number of words, the path of the program, NULs up to a
 * multiple of a word, the words of the command line, and the environment up to an
 * empty string; of processes of ours only.
 */
struct strings {
	char *all;
	const char *words, *variables, *end;
};

/* What follows `n` strings from `at`, but not beyond the end. */
static const char *
skip_strings(const char *at, const char *end, int n)
{
	const char *nul;

	for (; n > 0 && at < end; n--) {
		nul = memchr(at, '\0', (size_t)(end - at));
		at = nul != NULL ? nul + 1 : end;
	}
	return at;
}

static bool
divide_strings(struct strings *s, size_t size)
{
	int words;

	if (size <= sizeof(words))
		return false;
	memcpy(&words, s->all, sizeof(words));
	s->end = s->all + size;
	s->words = skip_strings(s->all + sizeof(words), s->end, 1);
	while (s->words < s->end && *s->words == '\0')
		s->words++;
	s->variables = skip_strings(s->words, s->end, words);
	return true;
}

static bool
read_strings(struct strings *s, pid_t pid)
{
	int limit[] = { CTL_KERN, KERN_ARGMAX };
	int question[] = { CTL_KERN, KERN_PROCARGS2, pid };
	int most = 0;
	size_t size = sizeof(most);

	s->all = NULL;
	if (sysctl(limit, 2, &most, &size, NULL, 0) != 0 || most <= 0 ||
	    most > PROCESS_STRINGS_MAX)
		return false;
	size = (size_t)most;
	s->all = malloc(size);
	if (s->all != NULL && sysctl(question, 3, s->all, &size, NULL, 0) == 0 &&
	    divide_strings(s, size))
		return true;
	free(s->all);
	return false;
}

/* Adds the strings up to `end` or, with `whole` false, to an empty one. */
static bool
add_strings_between(struct buf *out, const char *at, const char *end, bool whole)
{
	const char *next;

	out->max = PROCESS_STRINGS_MAX;
	for (; at < end && (whole || *at != '\0'); at = next) {
		next = skip_strings(at, end, 1);
		if (next[-1] == '\0' && buf_add(out, at, (size_t)(next - at)))
			continue;
		out->len = 0;
		return false;
	}
	return out->len > 0;
}

/* None at all is what macOS gives of a protected program: it is hidden. */
bool
process_environment(struct buf *out, pid_t pid)
{
	struct strings s;
	bool fine;

	if (!read_strings(&s, pid))
		return false;
	fine = add_strings_between(out, s.variables, s.end, false);
	free(s.all);
	return fine;
}

bool
process_command_line(struct buf *out, pid_t pid)
{
	struct strings s;
	bool fine;

	if (!read_strings(&s, pid))
		return false;
	fine = add_strings_between(out, s.words, s.variables, true);
	free(s.all);
	return fine;
}

#endif
