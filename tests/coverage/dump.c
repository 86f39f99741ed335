/* SPDX-License-Identifier: MIT */
/*
 * Linked into the programs that count which lines are run: they write their
 * counts also when they end by a signal that they raise themselves. That they
 * begin to write is told to tests/faults/inject.py by a call it knows. Some
 * tests run as a user who may not write them.
 */
#include <fcntl.h>
#include <unistd.h>

void __gcov_dump(void);
int __real_raise(int number);
int __wrap_raise(int number);

/* What cannot be written would be told to the person, for each file. */
static void
mute(void)
{
	int nowhere;

	fcntl(STDIN_FILENO, F_GETFD);
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	dup2(nowhere, STDERR_FILENO);
	close(nowhere);
}

static void __attribute__((destructor))
tell(void)
{
	mute();
}

int
__wrap_raise(int number)
{
	/* one that only stops it goes on afterwards */
	int error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);

	mute();
	__gcov_dump();
	dup2(error, STDERR_FILENO);
	close(error);
	return __real_raise(number);
}
