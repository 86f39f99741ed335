/* SPDX-License-Identifier: MIT */
/* The terminal of the command, and the keeper of its session. */
#include "relay/relay.h"

#include "tty/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The keeper knows the command by this: the group that it leads. */
static volatile sig_atomic_t command_group;

/* ---- the command ------------------------------------------------------------- */

static void
report(int reports, const struct pty_report *what)
{
	/* less than PIPE_BUF bytes are written whole or not at all */
	(void)!write(reports, what, sizeof(*what));
}

bool
pty_is_terminal(int fd, int tty)
{
	char name[DEVICE_NAME], own[DEVICE_NAME];

	return isatty(fd) && device_name(name, fd) && device_name(own, tty) &&
	    strcmp(name, own) == 0;
}

static _Noreturn void
run_command(const struct pty *pty, int terminal, char *const *command, int reports,
    const sigset_t *mask)
{
	int fd;

	/* the keeper does the same, because either may be first; SIGTTOU is blocked, as all are */
	setpgid(0, 0);
	tcsetpgrp(terminal, getpid());
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (pty_is_terminal(fd, pty->tty))
			dup2(terminal, fd);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(command[0], command);
	report(reports, &(struct pty_report){ PTY_NOT_RUN, errno });
	_exit(STATUS_FAILED);
}

/* ---- the keeper -------------------------------------------------------------- */

static void
continue_command(int number)
{
	(void)number;
	if (command_group != 0)
		kill(-(pid_t)command_group, SIGCONT);
}

/* The relay has ended. If SIGKILL ended it, its terminal is still raw. */
static void
hang_up(int number)
{
	tty_raw_clean_up();
	signal(number, SIG_DFL);
	raise(number);
}

/* Reports each stop of the command, and its end. */
static void
watch_command(pid_t command, int reports)
{
	struct pty_report what = { PTY_ENDED, 0 };
	int status = 0;
	pid_t found;

	do {
		found = waitpid(command, &status, WUNTRACED);
		if (found < 0)
			continue;
		what.what = WIFSTOPPED(status) ? PTY_STOPPED : PTY_ENDED;
		what.value = WIFSTOPPED(status) ? WSTOPSIG(status) : status;
		if (what.what == PTY_ENDED)
			tcsetpgrp(STDIN_FILENO, getpgrp());
		report(reports, &what);
	} while (found < 0 ? errno == EINTR : what.what == PTY_STOPPED);
}

static _Noreturn void
keep(const struct pty *pty, int terminal, char *const *command, int reports,
    const sigset_t *mask)
{
	struct sigaction action = { .sa_flags = SA_RESTART };
	sigset_t blocked = *mask;
	pid_t pid;

	close(pty->master);
	close(pty->reports);
	setsid();
	ioctl(terminal, TIOCSCTTY, 0);
	pid = fork();
	if (pid == 0)
		run_command(pty, terminal, command, reports, mask);
	if (pid < 0)
		report(reports, &(struct pty_report){ PTY_NOT_RUN, errno });
	if (pid < 0)
		_exit(STATUS_FAILED);
	setpgid(pid, pid);
	tcsetpgrp(terminal, pid);
	command_group = pid;
	sigemptyset(&action.sa_mask);
	action.sa_handler = continue_command;
	sigaction(SIGCONT, &action, NULL);
	action.sa_handler = hang_up;
	sigaction(SIGHUP, &action, NULL);
	/* otherwise tcsetpgrp() would stop us when we are in the background */
	sigaddset(&blocked, SIGTTOU);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	/* no file of the command stays open here */
	dup2(terminal, STDIN_FILENO);
	dup2(terminal, STDOUT_FILENO);
	dup2(terminal, STDERR_FILENO);
	close(terminal);
	watch_command(pid, reports);
	_exit(STATUS_DONE);
}

/* ---- for the relay ---------------------------------------------------------- */

bool
relay_pipe(int ends[2])
{
	return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
	    fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

bool
pty_start(struct pty *pty, int tty, char *const *command, const sigset_t *mask,
    struct error *error)
{
	int terminal, reports[2] = { -1, -1 };

	*pty = (struct pty){ .tty = tty, .master = compat_open_pty(&terminal), .keeper = -1 };
	if (pty->master < 0)
		return fail(error, STATUS_FAILED, "cannot open a terminal for the command: %s",
		    strerror(errno));
	if (relay_pipe(reports) && tty_copy_modes(terminal, tty) && tty_raw_begin(tty)) {
		pty->reports = reports[0];
		pty->keeper = fork();
	}
	if (pty->keeper == 0)
		keep(pty, terminal, command, reports[1], mask);
	if (pty->keeper < 0) {
		tty_raw_end();
		return fail(error, STATUS_FAILED, "cannot start the command on a terminal of "
		    "its own: %s", strerror(errno));
	}
	close(terminal);
	close(reports[1]);
	fcntl(tty, F_SETFL, O_NONBLOCK);
	fcntl(pty->master, F_SETFL, O_NONBLOCK);
	return true;
}

void
pty_end(struct pty *pty)
{
	close(pty->master);
	while (waitpid(pty->keeper, NULL, 0) < 0 && errno == EINTR)
		continue;
	close(pty->reports);
}
