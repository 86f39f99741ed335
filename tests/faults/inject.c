/* SPDX-License-Identifier: MIT */
/*
 * inject JOBS REPORTS STEM PROGRAM [ARGUMENT...]
 *
 * Runs PROGRAM again and again and lets a system call of it go wrong. Each
 * line of JOBS (a FIFO) is one run:
 *
 *     NUMBER FAULTS CALLS
 *
 * The NUMBERth call that is among CALLS meets the first of FAULTS, the next
 * one the second, and so on; a `+` behind the last lets it go on for ever.
 * Number 0 is a run without a fault. CALLS are names joined by commas; `all`
 * is every call, some of ioctl's requests count as names. FAULTS are
 *
 *     EIO ...       the call does nothing and fails with this error
 *     likely        with the error that this call is most likely to meet; a call
 *                   for which that is not known is left alone
 *     short         it is asked for half the bytes
 *     pause         it begins 5 ms late
 *     SIGINT ...    the signal comes as the call begins; a program that stops
 *                   is continued
 *
 * Calls are counted from where main() begins, for what goes wrong in the
 * loader is not the program's: from the first fcntl(0, F_GETFD), with which
 * viatty begins, to the next, which tests/coverage/dump.c adds. A child that
 * PROGRAM starts from then on is followed until it is another program.
 *
 * Every run has the terminal for itself, in the foreground; stdin is STEM.in,
 * stdout and stderr go to STEM.out and STEM.err. To REPORTS goes one line:
 *
 *     HOW STATUS hits N of CALL FD modes HOW stop HOW front HOW left N
 *
 * exit 3 | signal 9 | hang 0; CALL is the first that was hit, with its first
 * argument; modes are `same` or `changed` after the run (and put right again);
 * so are those during a stop, or `none`; `front` is `same` if the foreground of
 * the terminal is still PROGRAM's process group; `left` is 1 for a process that
 * it left. Where nothing can be traced the line is `cannot WHY`.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* ptrace(2): not every library declares it. */
struct syscall_info {
	unsigned char op, pad[3];
	unsigned arch;
	unsigned long long instruction, stack;
	union {
		struct { unsigned long long number, argument[6]; } entry;
		struct { long long result; } end;
	};
};
enum { GET_SYSCALL_INFO = 0x420e, CALL_BEGINS = 1 };

/* How a child that may not be traced says so. */
enum { NOT_TRACED = 124 };

enum { HANG_SECONDS = 20, LEFT_MS = 5000, FAULTS_MAX = 8, TRACED_MAX = 16 };

static const struct call {
	const char *name;
	long number, request; /* request: of ioctl, else 0 */
	int likely;           /* the error, or 0 */
} calls[] = {
#define CALL(name, likely) { #name, SYS_##name, 0, likely },
#define REQUEST(name, likely) { #name, SYS_ioctl, name, likely },
	CALL(read, EIO) CALL(write, EIO) CALL(writev, EIO)
	CALL(openat, EMFILE) CALL(close, EIO) CALL(mmap, ENOMEM)
	CALL(brk, ENOMEM) CALL(fcntl, 0) CALL(ioctl, EIO) CALL(pipe2, EMFILE)
	CALL(ppoll, EINTR) CALL(pselect6, EINTR) CALL(wait4, EINTR)
	CALL(rt_sigtimedwait, EINTR) CALL(execve, ENOMEM) CALL(clone, EAGAIN)
	CALL(readlinkat, ENOMEM) CALL(faccessat, EACCES)
	CALL(newfstatat, ENOMEM) CALL(fstat, ENOMEM) CALL(dup3, EMFILE)
	CALL(socket, EMFILE) CALL(connect, ECONNREFUSED) CALL(kill, EPERM)
	CALL(statfs, ENOMEM) CALL(getdents64, EIO) CALL(getrandom, EINTR)
	CALL(utimensat, EPERM) CALL(uname, 0) CALL(exit_group, 0)
	CALL(rt_sigaction, 0) CALL(rt_sigprocmask, 0) CALL(rt_sigpending, 0)
	CALL(setitimer, 0) CALL(clock_gettime, 0) CALL(flock, EINTR)
	CALL(setpgid, EPERM)
#ifdef SYS_statx
	CALL(statx, ENOMEM)
#endif
#ifdef SYS_open
	CALL(open, EMFILE) CALL(poll, EINTR) CALL(select, EINTR)
	CALL(stat, ENOMEM) CALL(lstat, ENOMEM) CALL(readlink, ENOMEM)
	CALL(access, EACCES) CALL(dup2, EMFILE) CALL(fork, EAGAIN)
	CALL(vfork, EAGAIN) CALL(alarm, 0)
#endif
#ifdef SYS_faccessat2
	CALL(faccessat2, EACCES)
#endif
#ifdef SYS_clone3
	CALL(clone3, EAGAIN)
#endif
	/* rows of ioctl stand behind it, for the last that fits counts */
	REQUEST(TCGETS, EIO) REQUEST(TCSETS, EINTR) REQUEST(TIOCGPGRP, EIO)
	REQUEST(TCFLSH, EIO) REQUEST(FIONREAD, EIO)
};

static const struct {
	const char *name;
	int number;
} faults[] = {
#define FAULT(name) { #name, name },
	FAULT(EACCES) FAULT(EAGAIN) FAULT(ECONNREFUSED) FAULT(EINTR) FAULT(EIO)
	FAULT(EMFILE) FAULT(ENFILE) FAULT(ENOENT) FAULT(ENOMEM) FAULT(ENOSPC)
	FAULT(ENOTTY) FAULT(EPERM) FAULT(EPIPE)
}, signals[] = {
	FAULT(SIGINT) FAULT(SIGTERM) FAULT(SIGHUP) FAULT(SIGQUIT) FAULT(SIGTSTP)
	FAULT(SIGKILL) FAULT(SIGALRM) FAULT(SIGCHLD)
};

struct fault {
	enum { FAIL, LIKELY, SHORT, PAUSE, SIGNAL } kind;
	int number;
};

struct job {
	long at;
	struct fault fault[FAULTS_MAX];
	long count;
	bool for_ever, any;
	bool wanted[sizeof(calls) / sizeof(calls[0])];
};

/* What has become of a run. */
static struct {
	pid_t pid;
	int marks; /* 1: main() runs */
	long seen, hits;
	char call[32];
	long long first_argument;
	const char *stop;
	bool in_front; /* at its end */
	long long end_of_data;
	struct traced {
		pid_t pid;
		unsigned long long call; /* that has begun */
		long long result;        /* what it is to give instead, or 0 */
		bool is_older;           /* than main(): none of its children */
	} traced[TRACED_MAX];
} run;

static volatile sig_atomic_t too_late;
static int terminal;
static struct termios modes;

static void
die(const char *what)
{
	perror(what);
	exit(125);
}

/* ---- a job --------------------------------------------------------------- */

static struct fault
fault_named(const char *name)
{
	size_t i;

	if (strcmp(name, "short") == 0)
		return (struct fault){ SHORT, 0 };
	if (strcmp(name, "likely") == 0)
		return (struct fault){ LIKELY, 0 };
	if (strcmp(name, "pause") == 0)
		return (struct fault){ PAUSE, 0 };
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (strcmp(faults[i].name, name) == 0)
			return (struct fault){ FAIL, faults[i].number };
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (strcmp(signals[i].name, name) == 0)
			return (struct fault){ SIGNAL, signals[i].number };
	fprintf(stderr, "inject: unknown fault %s\n", name);
	exit(125);
}

/* A call that this machine does not have never comes. */
static void
want(struct job *job, const char *name)
{
	size_t i;

	job->any = job->any || strcmp(name, "all") == 0;
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i].name, name) == 0)
			job->wanted[i] = true;
}

static struct job
parse_job(char *line)
{
	struct job job = { .at = strtol(line, &line, 10) };
	char *words[2] = { strtok(line, " \n"), strtok(NULL, " \n") }, *word;
	size_t n;

	if (words[1] == NULL) {
		fprintf(stderr, "inject: not a job\n");
		exit(125);
	}
	n = strlen(words[0]);
	if (words[0][n - 1] == '+') {
		job.for_ever = true;
		words[0][n - 1] = '\0';
	}
	for (word = strtok(words[0], ","); word != NULL && job.count < FAULTS_MAX;
	    word = strtok(NULL, ","))
		job.fault[job.count++] = fault_named(word);
	for (word = strtok(words[1], ","); word != NULL; word = strtok(NULL, ","))
		want(&job, word);
	return job;
}

/* ---- a call -------------------------------------------------------------- */

/* Of a call that begins the number (-1 does nothing), an argument; its result. */
enum place { NUMBER, RESULT, THIRD };

static void
set_register(pid_t pid, enum place which, long long value)
{
	struct user_regs_struct registers;
	struct iovec all = { &registers, sizeof(registers) };
#if defined(__aarch64__)
	int number = (int)value;
	struct iovec call = { &number, sizeof(number) };

	if (which == NUMBER) {
		ptrace(PTRACE_SETREGSET, pid, NT_ARM_SYSTEM_CALL, &call);
		return;
	}
#endif
	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &all) != 0)
		return;
#if defined(__x86_64__)
	*(which == NUMBER ? &registers.orig_rax : which == RESULT ?
	    &registers.rax : &registers.rdx) = (unsigned long long)value;
#elif defined(__aarch64__)
	registers.regs[which == RESULT ? 0 : 2] = (unsigned long long)value;
#else
#error "which registers hold a system call on this machine?"
#endif
	ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &all);
}

/* What is known of a call that is wanted, of ioctl's by its request; or NULL. */
static const struct call *
wanted(const struct job *job, const struct traced *traced,
    const struct syscall_info *info)
{
	static const struct call another = { "another", -1, 0, 0 };
	/* a child that is not another program yet meets errors only */
	bool found = job->any && (traced->pid == run.pid ||
	    job->fault[0].kind == LIKELY);
	const struct call *call = &another;
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if ((unsigned long long)calls[i].number == info->entry.number &&
		    (calls[i].request == 0 || (unsigned long long)calls[i].request ==
		        info->entry.argument[1])) {
			found = found || job->wanted[i];
			call = &calls[i];
		}
	if (job->fault[0].kind == LIKELY && call->likely == 0)
		return NULL;
	return found ? call : NULL;
}

static void
fail(struct traced *traced, const struct syscall_info *info, int number)
{
	set_register(traced->pid, NUMBER, -1);
	/* this one fails by giving the end as it is */
	traced->result = info->entry.number == SYS_brk ? run.end_of_data : -number;
}

static void
apply(const struct fault *fault, const struct call *call, struct traced *traced,
    const struct syscall_info *info)
{
	const struct timespec pause = { 0, 5000000 };

	switch (fault->kind) {
	case FAIL:
		fail(traced, info, fault->number);
		break;
	case LIKELY:
		fail(traced, info, call->likely);
		break;
	case SHORT:
		if (info->entry.argument[2] > 1)
			set_register(traced->pid, THIRD,
			    (long long)info->entry.argument[2] / 2);
		break;
	case PAUSE:
		nanosleep(&pause, NULL);
		break;
	case SIGNAL:
		syscall(SYS_tgkill, traced->pid, traced->pid, fault->number);
		break;
	}
}

static void
enter(const struct job *job, struct traced *traced,
    const struct syscall_info *info)
{
	const struct call *call;
	long which;

	run.marks += info->entry.number == SYS_fcntl &&
	    info->entry.argument[0] == 0 && info->entry.argument[1] == F_GETFD;
	if (run.marks != 1 || (call = wanted(job, traced, info)) == NULL)
		return;
	which = ++run.seen - job->at;
	if (job->at == 0 || which < 0 || (which >= job->count && !job->for_ever))
		return;
	if (which >= job->count)
		which = job->count - 1;
	if (run.hits++ == 0) {
		snprintf(run.call, sizeof(run.call), "%s", call->name);
		run.first_argument = (long long)info->entry.argument[0];
	}
	apply(&job->fault[which], call, traced, info);
}

static struct traced *
traced_as(pid_t pid)
{
	size_t i;

	for (i = 0; i < TRACED_MAX; i++)
		if (run.traced[i].pid == pid)
			return &run.traced[i];
	for (i = 0; i < TRACED_MAX; i++)
		if (run.traced[i].pid == 0) {
			run.traced[i] = (struct traced){ .pid = pid };
			return &run.traced[i];
		}
	fprintf(stderr, "inject: too many processes\n");
	exit(125);
}

static void
at_call(const struct job *job, struct traced *traced)
{
	struct syscall_info info;

	if (ptrace((enum __ptrace_request)GET_SYSCALL_INFO, traced->pid,
	    sizeof(info), &info) <= 0)
		return;
	if (info.op == CALL_BEGINS) {
		traced->call = info.entry.number;
		enter(job, traced, &info);
		return;
	}
	if (traced->result != 0)
		set_register(traced->pid, RESULT, traced->result);
	else if (traced->call == SYS_brk)
		run.end_of_data = info.end.result;
	traced->result = 0;
}

/* ---- a run --------------------------------------------------------------- */

static struct termios
termios_now(void)
{
	struct termios now;

	memset(&now, 0, sizeof(now));
	tcgetattr(terminal, &now);
	return now;
}

static const char *
compare_modes(void)
{
	struct termios now = termios_now();

	return memcmp(&now, &modes, sizeof(now)) == 0 ? "same" : "changed";
}

static void
give(const char *stem, const char *end, int fd, int flags)
{
	char path[4096];
	int opened;

	snprintf(path, sizeof(path), "%s%s", stem, end);
	opened = open(path, flags, 0600);
	if (opened < 0 || dup2(opened, fd) != fd)
		die(path);
	close(opened);
}

static void
become(const char *stem, char **argv)
{
	static const int usual[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTTOU,
		SIGTSTP, SIGPIPE, SIGALRM };
	sigset_t none;
	size_t i;

	setpgid(0, 0);
	tcsetpgrp(terminal, getpid());
	close(terminal);
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		signal(usual[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	give(stem, ".in", 0, O_RDONLY);
	give(stem, ".out", 1, O_WRONLY | O_TRUNC | O_CREAT);
	give(stem, ".err", 2, O_WRONLY | O_TRUNC | O_CREAT);
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
		_exit(NOT_TRACED);
	execvp(argv[0], argv);
	die(argv[0]);
}

/* A signal is on its way to it, or it has stopped. Gives what to pass on. */
static int
at_signal(pid_t pid, int number)
{
	siginfo_t info;

	if (ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == 0)
		return number;
	/* stopped by job control: a shell would have the terminal now */
	run.stop = compare_modes();
	kill(pid, SIGCONT);
	return 0;
}

/* One stop of a process. */
static void
resume(const struct job *job, pid_t pid, int status)
{
	struct traced *traced = traced_as(pid);
	int number = WSTOPSIG(status), event = status >> 16, pass = 0;
	unsigned long child;

	if (number == (SIGTRAP | 0x80)) {
		at_call(job, traced);
	} else if (pid != run.pid && (event == PTRACE_EVENT_EXEC ||
	    traced->is_older || (number == SIGSTOP && run.marks == 0))) {
		traced->pid = 0;
		ptrace(PTRACE_DETACH, pid, 0, 0);
		return;
	} else if (event == 0 && !(number == SIGTRAP && run.marks == 0) &&
	    !(number == SIGSTOP && pid != run.pid)) {
		pass = at_signal(pid, number);
	} else if (event != 0 && event != PTRACE_EVENT_EXEC && run.marks == 0 &&
	    ptrace(PTRACE_GETEVENTMSG, pid, 0, &child) == 0) {
		traced_as((pid_t)child)->is_older = true;
	}
	ptrace(PTRACE_SYSCALL, pid, 0, pass);
}

static void
on_alarm(int number)
{
	(void)number;
	too_late = 1;
	if (run.pid > 0)
		kill(run.pid, SIGKILL);
}

/* Whether it has left a process behind that does not end in time. */
static bool
has_left_one(const struct job *job)
{
	const struct timespec pause = { 0, 1000000 };
	int waits = 0, status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) >= 0) {
		if (pid == 0 && waits++ == LEFT_MS)
			return true;
		if (pid == 0)
			nanosleep(&pause, NULL);
		else if (WIFSTOPPED(status))
			resume(job, pid, status);
	}
	return false;
}

/* The run ends before it has begun, and so do we. */
static int
cannot(int reports, const char *why)
{
	dprintf(reports, "cannot %s\n", why);
	exit(125);
}

static int
trace(const struct job *job, int reports, const char *stem, char **argv)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL |
	    PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
	    PTRACE_O_TRACECLONE;
	int status;
	pid_t pid;

	memset(&run, 0, sizeof(run));
	run.stop = "none";
	snprintf(run.call, sizeof(run.call), "-");
	too_late = 0;
	run.pid = fork();
	if (run.pid == 0)
		become(stem, argv);
	alarm(HANG_SECONDS);
	if (waitpid(run.pid, &status, 0) != run.pid || !WIFSTOPPED(status))
		return cannot(reports, WEXITSTATUS(status) == NOT_TRACED ?
		    "be traced: ptrace is not permitted here" :
		    "start the program");
	if (ptrace(PTRACE_SETOPTIONS, run.pid, 0, options) != 0)
		return cannot(reports, strerror(errno));
	ptrace(PTRACE_SYSCALL, run.pid, 0, 0);
	for (;;) {
		pid = waitpid(-1, &status, __WALL);
		if (pid < 0 && errno != EINTR)
			die("waitpid");
		if (pid <= 0)
			continue;
		if (WIFSTOPPED(status))
			resume(job, pid, status);
		else if (pid == run.pid)
			break;
		else
			traced_as(pid)->pid = 0;
	}
	alarm(0);
	run.in_front = tcgetpgrp(terminal) == run.pid;
	run.pid = 0;
	tcsetpgrp(terminal, getpgrp());
	return status;
}

static void
do_job(const struct job *job, int reports, const char *stem, char **argv)
{
	const char *after;
	int status, n;
	bool left;
	char line[256];

	modes = termios_now();
	status = trace(job, reports, stem, argv);
	after = compare_modes();
	tcsetattr(terminal, TCSANOW, &modes);
	left = has_left_one(job);
	n = snprintf(line, sizeof(line),
	    "%s %d hits %ld of %s %lld modes %s stop %s front %s left %d\n",
	    too_late ? "hang" : WIFEXITED(status) ? "exit" : "signal",
	    too_late ? 0 : WIFEXITED(status) ? WEXITSTATUS(status) :
	    WTERMSIG(status), run.hits, run.call, run.first_argument, after,
	    run.stop, run.in_front ? "same" : "changed", left);
	if (write(reports, line, (size_t)n) != n)
		die("report");
}

int
main(int argc, char **argv)
{
	struct sigaction on_time = { .sa_handler = on_alarm };
	static const int survived[] = { SIGHUP, SIGINT, SIGQUIT, SIGTTOU,
		SIGTSTP };
	char line[512];
	struct job job;
	int reports;
	FILE *jobs;
	size_t i;

	if (argc < 5) {
		fprintf(stderr, "usage: inject JOBS REPORTS STEM PROGRAM...\n");
		return 2;
	}
	for (i = 0; i < sizeof(survived) / sizeof(survived[0]); i++)
		signal(survived[i], SIG_IGN);
	sigaction(SIGALRM, &on_time, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	jobs = fopen(argv[1], "re");
	reports = open(argv[2], O_WRONLY | O_CLOEXEC);
	if (terminal < 0 || jobs == NULL || reports < 0)
		die("inject");
	while (fgets(line, sizeof(line), jobs) != NULL) {
		job = parse_job(line);
		do_job(&job, reports, argv[3], argv + 4);
	}
	return 0;
}
