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

	cr_assert(foreground_job_run(arguments, NULL, &end, &error), "%s", error.text);
	return end;
}

/* ---- its status --------------------------------------------------------- */

static int
failure(const char *name)
{
	struct error error = { .status = STATUS_DONE };
	struct foreground_job_end end;

	cr_assert_not(foreground_job_run(WORDS(name), NULL, &end, &error));
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

/* Somebody like us, in a group of its own that a shell looks after. */
static pid_t
start(char *const arguments[], const struct meanwhile *shown)
{
	struct error error;
	struct foreground_job_end end;
	pid_t pid = fork();

	cr_assert_neq(pid, -1);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0);
		_exit(foreground_job_run(arguments, shown, &end, &error) ? end.status : 99);
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
stops_and_goes_on(char *const arguments[], const struct meanwhile *shown, int number)
{
	pid_t pid = start(arguments, shown);
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
	stops_and_goes_on(SHELL("kill -TSTP $$; exit 5"), NULL, SIGTSTP);
	stops_and_goes_on(SHELL("kill -TTIN $$; exit 5"), NULL, SIGTTIN);
	stops_and_goes_on(SHELL("kill -TTOU $$; exit 5"), NULL, SIGTTOU);
	stops_and_goes_on(SHELL("kill -STOP $$; exit 5"), NULL, SIGSTOP);
	/* all of its group, and once */
	stops_and_goes_on(SHELL("kill -TSTP 0; exit 5"), NULL, SIGTSTP);
}

Test(foreground_job, it_may_clear_up_before_it_stops)
{
	stops_and_goes_on(SHELL("trap 'sleep 0.05; kill -STOP $$; exit 5' TSTP; "
	    "kill -TSTP 0; while :; do sleep 0.01; done"), NULL, SIGSTOP);
}

/*
 * SIGCONT reaches the members of a group one after the other: who was woken by us
 * before may have stopped again when its own comes, and that stop is nobody's.
 */
Test(foreground_job, it_stops_and_goes_on_many_times)
{
	pid_t pid = start(SHELL("i=0; while [ $i -lt 50 ]; do i=$((i + 1)); "
	    "kill -STOP $$; done; exit 5"), NULL);
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

static struct noted {
	int calls, signal; /* sent to ourselves in each */
} noted;

static bool
signal_self(void *context, struct error *error)
{
	(void)context;
	(void)error;
	noted.calls++;
	kill(getpid(), noted.signal);
	return true;
}

/* Neither the one before it nor the one after it kills us. */
Test(foreground_job, after_a_signal_it_is_not_started_but_restored)
{
	static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	char path[] = "/tmp/viatty-job-XXXXXX";
	int fd = mkstemp(path);
	size_t i;

	cr_assert_geq(fd, 0);
	close(fd);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct meanwhile shown = { .set = signal_self, .restore = signal_self };
		struct foreground_job_end end;
		struct error error;

		noted = (struct noted){ .signal = numbers[i] };
		cr_assert(foreground_job_run(WORDS("rm", path), &shown, &end, &error));
		cr_expect_eq(noted.calls, 2, "set and restored");
		cr_expect_eq(end.signal, numbers[i]);
		cr_expect_eq(access(path, F_OK), 0);
	}
	unlink(path);
}

static bool
stop_before_it(void *context, struct error *error)
{
	(void)context;
	(void)error;
	kill(getpid(), SIGTSTP);
	return true;
}

static bool
restore_nothing(void *context, struct error *error)
{
	(void)context;
	(void)error;
	return true;
}

/* A Control-Z that came before it stops it, and us, when it runs. */
Test(foreground_job, a_stop_that_came_before_it_stops_it)
{
	struct meanwhile shown = { .set = stop_before_it, .restore = restore_nothing };

	stops_and_goes_on(SHELL("sleep 0.1; exit 5"), &shown, SIGTSTP);
}
