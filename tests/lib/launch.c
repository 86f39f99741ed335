/* SPDX-License-Identifier: MIT */
/*
 * launch SPECIFICATION.spec
 *
 * Run as a separate program in the place where a test needs viatty: starts it with the
 * descriptors, signals, limits, user and process group of the specification, and records
 * its state in files beside it: .pid, .stopped, .ended. Not in Python, which would take longer
 * to start than most tests take.
 *
 * The specification is words that end with NUL: the process group, the bytes of memory and the
 * user, each empty for that of the caller; what is to be set, three words each; and behind an
 * empty word the command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* This process survives anything that happens to the terminal. */
static const int survived[] = { SIGHUP, SIGINT, SIGQUIT, SIGTTOU };

static void
must(int fine, const char *what)
{
	if (!fine) {
		fprintf(stderr, "launch: %s: %s\n", what, strerror(errno));
		_exit(127);
	}
}

static char **
read_words(const char *path)
{
	struct stat stat;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	must(fd >= 0 && fstat(fd, &stat) == 0, path);
	size_t size = (size_t)stat.st_size, count = 0;
	char *text = malloc(size + 1), **words = calloc(size + 1, sizeof(*words));
	must(text && words, "memory");
	must(read(fd, text, size) == stat.st_size, path);
	for (char *word = text; word < text + size; word += strlen(word) + 1)
		words[count++] = word;
	close(fd);
	return words;
}

/* Creates the file atomically. */
static void
report(const char *specification, const char *name, const char *text)
{
	char path[4096], early[4096];
	size_t stem = strlen(specification) - strlen("spec");
	snprintf(path, sizeof(path), "%.*s%s", (int)stem, specification, name);
	snprintf(early, sizeof(early), "%.*s%s.new", (int)stem, specification, name);
	FILE *file = fopen(early, "w");
	must(file && fputs(text, file) >= 0 && fclose(file) == 0, early);
	must(rename(early, path) == 0, path);
}

/* As a shell with job control does. */
static void
join_group(const char *group)
{
	if (!*group)
		return;
	setpgid(0, 0);
	if (strcmp(group, "foreground") == 0) {
		int terminal = open("/dev/tty", O_RDWR);
		must(tcsetpgrp(terminal, getpgrp()) == 0, "/dev/tty");
		close(terminal);
	}
}

/* A file with 5,000 bytes and then EIO: memory of this process before a hole. */
static int
memory_with_an_end(void)
{
	size_t size = 16 * (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(memory != MAP_FAILED && munmap(memory + size, size) == 0, "mmap");
	int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	must(lseek(fd, (off_t)(memory + size - 5000), SEEK_SET) >= 0, "/proc/self/mem");
	return fd;
}

static void
give(int fd, int opened)
{
	must(opened >= 0 && (opened == fd || dup2(opened, fd) == fd), "descriptor");
	if (opened != fd)
		close(opened);
}

static void
set(char kind, const char *name, const char *value, int damaged, sigset_t *blocked)
{
	int number = atoi(name);
	switch (kind) {
	case 'i': signal(number, SIG_IGN); break;
	case 'b': sigaddset(blocked, number); break;
	case 'c': close(number); break;
	case 'm': dup2(damaged, number); break;
	case 'r': give(number, open(value, O_RDONLY | O_NOCTTY)); break;
	case 'w': give(number, open(value, O_WRONLY | O_NOCTTY)); break;
	case 'n': give(number, open(value, O_WRONLY | O_NONBLOCK | O_NOCTTY)); break;
	case 'e': must(setenv(name, value, 1) == 0, name); break;
	case 'u': unsetenv(name); break;
	}
}

static void
become(char **words, int damaged)
{
	const char *memory = words[1], *user = words[2];
	join_group(words[0]);
	for (size_t i = 0; i < sizeof(survived) / sizeof(*survived); i++)
		signal(survived[i], SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigset_t blocked;
	sigemptyset(&blocked);
	for (words += 3; *words[0]; words += 3)
		set(*words[0], words[1], words[2], damaged, &blocked);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	if (*memory) {
		rlim_t bytes = strtoul(memory, NULL, 10);
		must(setrlimit(RLIMIT_AS, &(struct rlimit){ bytes, bytes }) == 0, "memory");
	}
	if (*user) {
		unsigned id = (unsigned)atoi(user);
		must(setgroups(0, NULL) == 0 && setgid(id) == 0 && setuid(id) == 0, user);
	}
	execvp(words[1], words + 1);
	must(0, words[1]);
}

int
main(int argc, char **argv)
{
	char **words = read_words(argv[argc - 1]), text[64];
	for (size_t i = 0; i < sizeof(survived) / sizeof(*survived); i++)
		signal(survived[i], SIG_IGN);
	/* That of the parent, which stays when the child becomes viatty. */
	int damaged = memory_with_an_end();
	/* Its end is seen when the child has its signals, and becomes the program. */
	int started[2];
	must(pipe2(started, O_CLOEXEC) == 0, "pipe");
	pid_t pid = fork();
	if (pid == 0)
		become(words, damaged);
	must(pid > 0 && close(started[1]) == 0, "fork");
	must(read(started[0], text, 1) == 0, "the start");
	snprintf(text, sizeof(text), "%d\n", (int)pid);
	report(argv[1], "pid", text);
	int status;
	struct rusage usage;
	while (wait4(pid, &status, WUNTRACED, &usage) == pid && WIFSTOPPED(status)) {
		snprintf(text, sizeof(text), "%d\n", WSTOPSIG(status));
		report(argv[1], "stopped", text);
	}
	snprintf(text, sizeof(text), "%d %ld\n",
	    WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), usage.ru_maxrss * 1024);
	report(argv[1], "ended", text);
	return 0;
}
