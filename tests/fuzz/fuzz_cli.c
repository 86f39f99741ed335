/* SPDX-License-Identifier: MIT */
/*
 * The whole command line: any words end in a status of the manual's, and with
 * something said where that is not 0; what is said is printable lines.
 *
 * The first line of the input is the name it is called by, each other a word.
 * What they could do is cut off: bytes are printed instead of sent, there is
 * no terminal, no program is found, standard input is empty, and no word leads
 * out of the folder it runs in.
 */
#include "base/text.h"
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where a sanitizer that is linked in reports to. */
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

enum { WORDS_MAX = 32 };

static struct {
	int own_out, own_err; /* those of the fuzzer */
	int out, err;         /* what takes their place */
	int nothing;          /* standard input */
} streams = { .out = -1 };

static void
need(bool fine)
{
	if (!fine)
		abort();
}

/* Once, for a process that does nothing else. */
static void
cut_off_effects(void)
{
	int terminal;

	signal(SIGHUP, SIG_IGN);
	terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (terminal >= 0) {
		ioctl(terminal, TIOCNOTTY);
		close(terminal);
	}
	clearenv();
	setenv("PATH", "/nonexistent", 1);
	streams.own_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
	streams.own_err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
	streams.out = memfd_create("out", MFD_CLOEXEC);
	streams.err = memfd_create("err", MFD_CLOEXEC);
	streams.nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	need(streams.own_err >= 0 && streams.err >= 0 && streams.nothing >= 0);
	if (__sanitizer_set_report_fd != NULL)
		__sanitizer_set_report_fd((void *)(intptr_t)streams.own_err);
}

/* ---- what options leave behind ------------------------------------------- */

static void
forget(const struct option *option)
{
	struct text_list *list;

	for (; option->kind != OPTION_END; option++)
		switch (option->kind) {
		case OPTION_FLAG:
			*(bool *)option->value = false;
			break;
		case OPTION_TEXT:
		case OPTION_WORD:
		case OPTION_MAYBE_WORD:
			*(const char **)option->value = NULL;
			break;
		case OPTION_SIZE:
			*(size_t *)option->value = 0;
			break;
		case OPTION_SECONDS:
			*(unsigned *)option->value = 0;
			break;
		case OPTION_LIST:
			list = option->value;
			free(list->text);
			*list = (struct text_list){ NULL, 0 };
			break;
		case OPTION_END:
			break;
		}
}

/* No option has another value than nothing to begin with. */
static void
forget_all(void)
{
	size_t i;

	forget(global_options);
	for (i = 0; commands[i] != NULL; i++)
		forget(commands[i]->options);
}

/* ---- a run --------------------------------------------------------------- */

static int
run(int count, char **words)
{
	int status;

	need(ftruncate(streams.out, 0) == 0 && ftruncate(streams.err, 0) == 0);
	lseek(streams.out, 0, SEEK_SET);
	lseek(streams.err, 0, SEEK_SET);
	dup2(streams.nothing, STDIN_FILENO);
	fflush(stdout);
	dup2(streams.out, STDOUT_FILENO);
	dup2(streams.err, STDERR_FILENO);
	status = cli_run(count, words);
	fflush(stdout);
	dup2(streams.own_out, STDOUT_FILENO);
	dup2(streams.own_err, STDERR_FILENO);
	forget_all();
	return status;
}

static void
check_said(void)
{
	char text[64 * 1024];
	ssize_t size = pread(streams.err, text, sizeof(text), 0), at, n;

	need(size >= 0 && size < (ssize_t)sizeof(text));
	need(size == 0 || text[size - 1] == '\n');
	for (at = 0; at < size; at += n) {
		n = text[at] == '\n' ? 1 :
		    (ssize_t)text_printable(text + at, (size_t)(size - at));
		need(n > 0);
	}
}

static off_t
size_of(int fd)
{
	struct stat st;

	need(fstat(fd, &st) == 0);
	return st.st_size;
}

/* Words into `text`, which they stay in; gives how many. */
static int
split(char *text, char **words)
{
	static char print[] = "--print", no_probe[] = "--no-probe";
	char *line;
	int count = 0;

	while (count < WORDS_MAX && (line = strsep(&text, "\n")) != NULL) {
		words[count++] = line;
		if (count == 1) {
			words[count++] = print;
			words[count++] = no_probe;
		}
	}
	words[count] = NULL;
	return count;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *words[WORDS_MAX + 4], *slash;
	int status;

	need(text != NULL);
	if (streams.out < 0)
		cut_off_effects();
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	for (slash = text; (slash = strchr(slash, '/')) != NULL;)
		*slash = '_';
	status = run(split(text, words), words);
	need(status >= 0 && status <= 6);
	need(status == 0 || size_of(streams.err) + size_of(streams.out) > 0);
	check_said();
	free(text);
	return 0;
}
