/* SPDX-License-Identifier: MIT */
/*
 * tty/foreground_job: a command line run in our place. Its status, the signals that reach
 * it and us, stopping and going on.
 */
#include "tty/tty.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* exec's arguments are not const, and are not written to either */
#define WORDS(...) (char *const *)(const char *const []){ __VA_ARGS__, NULL }
#define SHELL(text) WORDS("sh", "-c", text)

static struct foreground_job_end
run(char *const arguments[])
{
	struct error error = { .status = STATUS_DONE };
	struct foreground_job_end end;

	foreground_job_begin();
	cr_assert(foreground_job_run(arguments, &end, &error), "%s", error.text);
	foreground_job_end();
	return end;
}

/* ---- its status --------------------------------------------------------- */

static int
failure(const char *name)
{
	struct error error = { .status = STATUS_DONE };
	struct foreground_job_end end;

	foreground_job_begin();
	cr_assert_not(foreground_job_run(WORDS(name), &end, &error));
	foreground_job_end();
	cr_expect_neq(error.text[0], '\0');
	return (int)error.status;
}

/* The folders cannot be searched; root has to be somebody else for that. */
Test(foreground_job, what_is_in_no_folder_that_can_be_searched_is_not_there)
{
	char closed[] = "/tmp/viatty-job-XXXXXX", path[64];
	FILE *file;

	cr_assert(mkdtemp(closed) != NULL);
	snprintf(path, sizeof(path), "%s/viatty-job-file", closed);
	file = fopen(path, "w");
	cr_assert(file != NULL && fclose(file) == 0);
	if (geteuid() == 0)
		cr_assert(chown(closed, 65534, 65534) == 0 &&
		    setgid(65534) == 0 && setuid(65534) == 0);
	snprintf(path, sizeof(path), "%s:/usr/bin:/bin", closed);
	setenv("PATH", path, 1);
	cr_expect_eq(failure("viatty-job-file"), 126);
	chmod(closed, 0);
	cr_expect_eq(failure("viatty-job-none"), 127);
	cr_expect_eq(failure("viatty-job-file"), 127);
	cr_expect_eq(run(WORDS("true")).status, 0);
	snprintf(path, sizeof(path), "%s/none", closed);
	cr_expect_eq(failure(path), 126);
	chmod(closed, 0700);
	snprintf(path, sizeof(path), "%s/viatty-job-file", closed);
	unlink(path);
	rmdir(closed);
}

/* ---- stopping ----------------------------------------------------------- */

/* Somebody like us, in a group of its own that a shell looks after; gets a signal first, or 0. */
static pid_t
start(char *const arguments[], int first)
{
	struct error error;
	struct foreground_job_end end;
	pid_t pid = fork();

	cr_assert_neq(pid, -1);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0);
		foreground_job_begin();
		kill(getpid(), first);
		_exit(foreground_job_run(arguments, &end, &error) ? end.status : 99);
	}
	setpgid(pid, pid);
	return pid;
}

static int
wait_for(pid_t pid)
{
	int status;

	cr_assert_eq(waitpid(pid, &status, WUNTRACED), pid);
	return status;
}

static void
stops_and_goes_on(char *const arguments[], int first, int number)
{
	pid_t pid = start(arguments, first);
	int status = wait_for(pid);

	cr_assert(WIFSTOPPED(status));
	cr_expect_eq(WSTOPSIG(status), number);
	/* to us alone: it is continued by us */
	kill(pid, SIGCONT);
	status = wait_for(pid);
	cr_assert(WIFEXITED(status));
	cr_expect_eq(WEXITSTATUS(status), 5);
}

Test(foreground_job, when_it_stops_we_stop_by_the_same_signal)
{
	stops_and_goes_on(SHELL("kill -TSTP $$; exit 5"), 0, SIGTSTP);
	stops_and_goes_on(SHELL("kill -TTIN $$; exit 5"), 0, SIGTTIN);
	stops_and_goes_on(SHELL("kill -TTOU $$; exit 5"), 0, SIGTTOU);
	stops_and_goes_on(SHELL("kill -STOP $$; exit 5"), 0, SIGSTOP);
	/* all of its group, and once */
	stops_and_goes_on(SHELL("kill -TSTP 0; exit 5"), 0, SIGTSTP);
}

Test(foreground_job, it_may_clear_up_before_it_stops)
{
	stops_and_goes_on(SHELL("trap 'sleep 0.05; kill -STOP $$; exit 5' TSTP; "
	    "kill -TSTP 0; while :; do sleep 0.01; done"), 0, SIGSTOP);
}

/*
 * SIGCONT reaches the members of a group one after the other: who was woken by us
 * before may have stopped again when its own comes, and that stop is nobody's.
 */
Test(foreground_job, it_stops_and_goes_on_many_times)
{
	pid_t pid = start(SHELL("i=0; while [ $i -lt 50 ]; do i=$((i + 1)); "
	    "kill -STOP $$; done; exit 5"), 0);
	int rounds = 0, status;

	for (status = wait_for(pid); WIFSTOPPED(status); status = wait_for(pid)) {
		rounds++;
		kill(-pid, SIGCONT);
	}
	cr_assert(WIFEXITED(status), "round %d: %#x", rounds, status);
	cr_expect_eq(WEXITSTATUS(status), 5);
	cr_expect(rounds > 1 && rounds <= 50, "%d rounds", rounds);
}

/* ---- what is done around it --------------------------------------------- */

/* Neither the one before it nor the one after it kills us. */
Test(foreground_job, after_a_signal_it_is_not_started)
{
	static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	char path[] = "/tmp/viatty-job-XXXXXX";
	int fd = mkstemp(path);
	size_t i;

	cr_assert_geq(fd, 0);
	close(fd);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct foreground_job_end end;
		struct error error;

		signal_caught = 0;
		foreground_job_begin();
		kill(getpid(), numbers[i]);
		cr_assert(foreground_job_run(WORDS("rm", path), &end, &error));
		kill(getpid(), numbers[i]);
		foreground_job_end();
		cr_expect_eq(end.signal, numbers[i]);
		cr_expect_eq(access(path, F_OK), 0);
	}
	unlink(path);
}

/* A Control-Z that came before it stops it, and us, when it runs. */
Test(foreground_job, a_stop_that_came_before_it_stops_it)
{
	stops_and_goes_on(SHELL("sleep 0.1; exit 5"), SIGTSTP, SIGTSTP);
}
