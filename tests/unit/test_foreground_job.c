/* SPDX-License-Identifier: MIT */
/*
 * tty/foreground_job: a command line run in our place. Its status, the signals that reach
 * it and us, stopping and going on.
 */
#include "tty/foreground_job.h"

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

	cr_assert(foreground_job_run(arguments, NULL, &end, &error), "%s", error.message);
	return end;
}

/* ---- its status --------------------------------------------------------- */

Test(foreground_job, status_is_that_of_the_command)
{
	cr_expect_eq(run(WORDS("true")).status, 0);
	cr_expect_eq(run(WORDS("false")).status, 1);
	cr_expect_eq(run(SHELL("exit 255")).status, 255);
}

Test(foreground_job, status_of_a_signal_is_128_and_its_number)
{
	struct foreground_job_end end = run(SHELL("kill -KILL $$"));

	cr_expect_eq(end.status, 128 + SIGKILL);
	cr_expect_eq(end.signal, 0);
}

Test(foreground_job, arguments_come_as_they_are)
{
	cr_expect_eq(run(WORDS("sh", "-c",
	    "[ $# = 3 ] && [ \"$1\" = 'a  b' ] && [ -z \"$2\" ] && [ \"$3\" = '*' ]",
	    "sh", "a  b", "", "*")).status, 0);
}

static int
failure(const char *name)
{
	struct error error = { .status = STATUS_DONE };
	struct foreground_job_end end;

	cr_assert_not(foreground_job_run(WORDS(name), NULL, &end, &error));
	cr_expect_neq(error.message[0], '\0');
	return (int)error.status;
}

Test(foreground_job, what_cannot_be_run_is_126_and_what_is_not_there_127)
{
	cr_expect_eq(failure("no such program"), 127);
	cr_expect_eq(failure("/nonexistent/program"), 127);
	cr_expect_eq(failure(""), 127);
	cr_expect_eq(failure("/"), 126);
	cr_expect_eq(failure("/etc/passwd"), 126);
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

Test(foreground_job, a_script_that_names_no_interpreter_is_run_by_a_shell)
{
	char path[] = "/tmp/viatty-job-XXXXXX";
	const char text[] = "exit $(($# + $1))\n";
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
	fchmod(fd, 0700);
	close(fd);
	cr_expect_eq(run(WORDS(path, "40", "x")).status, 42);
	unlink(path);
}

Test(foreground_job, its_end_is_seen_though_ends_of_children_were_ignored)
{
	signal(SIGCHLD, SIG_IGN);
	cr_expect_eq(run(SHELL("exit 3")).status, 3);
	cr_expect_eq(signal(SIGCHLD, SIG_DFL), SIG_IGN);
}

/* ---- signals ------------------------------------------------------------ */

Test(foreground_job, who_died_of_an_interrupt_lets_us_die_of_it)
{
	struct foreground_job_end end = run(SHELL("kill -INT $$"));

	cr_expect_eq(end.status, 128 + SIGINT);
	cr_expect_eq(end.signal, SIGINT);
}

Test(foreground_job, who_lives_through_an_interrupt_lets_us_live)
{
	struct foreground_job_end end = run(SHELL("trap 'exit 5' INT; kill -INT $$"));

	cr_expect_eq(end.status, 5);
	cr_expect_eq(end.signal, 0);
}

/* A process of its own kills us, $PPID, and only the trap ends the command. */
#define HANDED_ON(NAME) \
	"trap 'exit 9' " NAME "; (kill -" NAME " $PPID) & " \
	"while :; do sleep 0.01; done"

Test(foreground_job, signals_for_us_are_handed_on)
{
	cr_expect_eq(run(SHELL(HANDED_ON("TERM"))).status, 9);
	cr_expect_eq(run(SHELL(HANDED_ON("HUP"))).status, 9);
	cr_expect_eq(run(SHELL(HANDED_ON("QUIT"))).status, 9);
	cr_expect_eq(run(SHELL(HANDED_ON("INT"))).status, 9);
}

Test(foreground_job, what_it_sends_us_itself_does_not_come_back)
{
	cr_expect_eq(run(SHELL("trap 'exit 9' TERM; kill -TERM $PPID; "
	    "sleep 0.1; exit 6")).status, 6);
}

Test(foreground_job, what_was_ignored_stays_ignored)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	cr_expect_eq(run(SHELL("kill -INT $$; kill -HUP $$; exit 4")).status, 4);
	cr_expect_eq(signal(SIGINT, SIG_DFL), SIG_IGN);
	cr_expect_eq(signal(SIGHUP, SIG_DFL), SIG_IGN);
}

Test(foreground_job, afterwards_everything_is_as_before)
{
	sigset_t before, after;
	int number;

	sigprocmask(SIG_SETMASK, NULL, &before);
	run(SHELL("kill -TERM $PPID; kill -INT $PPID"));
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (number = 1; number < 32; number++)
		cr_expect_eq(sigismember(&after, number),
		    sigismember(&before, number), "%d", number);
	cr_expect_eq(signal(SIGTERM, SIG_DFL), SIG_DFL);
	cr_expect_eq(signal(SIGINT, SIG_DFL), SIG_DFL);
}

/* ---- stopping ----------------------------------------------------------- */

/* Somebody like us, in a group of its own that a shell looks after. */
static pid_t
start(char *const arguments[])
{
	struct error error;
	struct foreground_job_end end;
	pid_t pid = fork();

	cr_assert_neq(pid, -1);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0);
		_exit(foreground_job_run(arguments, NULL, &end, &error) ? end.status : 99);
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
stops_and_goes_on(char *const arguments[], int number)
{
	pid_t pid = start(arguments);
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
	stops_and_goes_on(SHELL("kill -TSTP $$; exit 5"), SIGTSTP);
	stops_and_goes_on(SHELL("kill -TTIN $$; exit 5"), SIGTTIN);
	stops_and_goes_on(SHELL("kill -TTOU $$; exit 5"), SIGTTOU);
	stops_and_goes_on(SHELL("kill -STOP $$; exit 5"), SIGSTOP);
}

Test(foreground_job, a_whole_group_stops_and_goes_on_once)
{
	stops_and_goes_on(SHELL("kill -TSTP 0; exit 5"), SIGTSTP);
}

Test(foreground_job, it_may_clear_up_before_it_stops)
{
	stops_and_goes_on(SHELL("trap 'sleep 0.05; kill -STOP $$; exit 5' TSTP; "
	    "kill -TSTP 0; while :; do sleep 0.01; done"), SIGSTOP);
}

/*
 * SIGCONT reaches the members of a group one after the other: who was woken by us
 * before may have stopped again when its own comes, and that stop is nobody's.
 */
Test(foreground_job, it_stops_and_goes_on_many_times)
{
	pid_t pid = start(SHELL("i=0; while [ $i -lt 50 ]; do i=$((i + 1)); "
	    "kill -STOP $$; done; exit 5"));
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

struct noted {
	int begun, ended, signal; /* sent to ourselves in both */
	bool was_run;
	struct foreground_job_end end;
};

static bool
note_begin(void *context)
{
	struct noted *noted = context;

	noted->begun++;
	if (noted->signal != 0)
		kill(getpid(), noted->signal);
	return true;
}

static void
note_end(void *context, const struct foreground_job_end *end)
{
	struct noted *noted = context;

	noted->ended++;
	noted->was_run = end != NULL;
	if (end != NULL)
		noted->end = *end;
	if (noted->signal != 0)
		kill(getpid(), noted->signal);
}

static bool
run_noted(struct noted *noted, char *const arguments[], struct foreground_job_end *end)
{
	struct foreground_job_hooks hooks = { .begin = note_begin, .end = note_end,
		.context = noted };
	struct error error;

	return foreground_job_run(arguments, &hooks, end, &error);
}

Test(foreground_job, its_end_is_told_before_anything_is_as_before)
{
	struct noted noted = { .signal = 0 };
	struct foreground_job_end end;

	cr_assert(run_noted(&noted, SHELL("exit 3"), &end));
	cr_expect(noted.begun == 1 && noted.ended == 1 && noted.was_run);
	cr_expect_eq(noted.end.status, 3);
}

Test(foreground_job, what_cannot_be_run_has_an_end_too)
{
	struct noted noted = { .signal = 0 };
	struct foreground_job_end end;

	cr_assert_not(run_noted(&noted, WORDS("/nonexistent/program"), &end));
	cr_expect(noted.begun == 1 && noted.ended == 1 && !noted.was_run);
}

/* Neither the one at its begin nor the one at its end kills us. */
Test(foreground_job, after_a_signal_at_its_begin_it_is_not_started_but_ended)
{
	static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	char path[] = "/tmp/viatty-job-XXXXXX";
	int fd = mkstemp(path);
	size_t i;

	cr_assert_geq(fd, 0);
	close(fd);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct noted noted = { .signal = numbers[i] };
		struct foreground_job_end end;

		cr_assert(run_noted(&noted, WORDS("rm", path), &end));
		cr_expect(noted.ended == 1 && !noted.was_run);
		cr_expect_eq(end.signal, numbers[i]);
		cr_expect_eq(access(path, F_OK), 0);
	}
	unlink(path);
}

static bool
refuse_to_begin(void *context)
{
	(void)context;
	return false;
}

Test(foreground_job, who_refuses_at_its_begin_is_obeyed)
{
	struct foreground_job_hooks hooks = { .begin = refuse_to_begin };
	struct foreground_job_end end;
	struct error error;

	cr_assert(foreground_job_run(SHELL("kill -KILL $PPID"), &hooks, &end, &error));
	cr_expect(end.status == 0 && end.signal == 0);
}

static bool
stop_before_it(void *context)
{
	(void)context;
	kill(getpid(), SIGTSTP);
	return true;
}

static void
add_letter(void *context, char letter)
{
	char *letters = context;

	letters[strlen(letters)] = letter;
}

static void
note_stop(void *context)
{
	add_letter(context, 's');
}

static void
note_resume(void *context)
{
	add_letter(context, 'r');
}

/* A Control-Z that came before it stops it, and us, when it runs. */
Test(foreground_job, stops_are_told_also_one_that_came_before_it)
{
	char letters[16] = "";
	struct foreground_job_hooks hooks = { .begin = stop_before_it, .stop = note_stop,
		.resume = note_resume, .context = letters };
	struct foreground_job_end end;
	struct error error;
	pid_t pid = fork();
	int status;

	cr_assert_neq(pid, -1);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0);
		if (!foreground_job_run(SHELL("sleep 0.1; exit 5"), &hooks, &end, &error) ||
		    strcmp(letters, "sr") != 0)
			_exit(99);
		_exit(end.status);
	}
	setpgid(pid, pid);
	status = wait_for(pid);
	cr_assert(WIFSTOPPED(status));
	kill(pid, SIGCONT);
	status = wait_for(pid);
	cr_assert(WIFEXITED(status));
	cr_expect_eq(WEXITSTATUS(status), 5);
}

static void
count_to_three(void *context)
{
	int *count = context;

	if (++count[0] == 3)
		close(count[1]);
}

Test(foreground_job, a_tick_comes_again_and_again)
{
	int ends[2], count[2] = { 0, 0 };
	struct foreground_job_hooks hooks = { .tick = count_to_three, .every_ms = 5,
		.context = count };
	struct error error;
	struct foreground_job_end end;

	cr_assert_eq(pipe(ends), 0);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	count[1] = ends[1];
	/* it ends at the end of its input, which is the third tick */
	cr_assert(foreground_job_run(WORDS("cat"), &hooks, &end, &error));
	cr_expect_eq(end.status, 0);
	cr_expect_geq(count[0], 3);
}
