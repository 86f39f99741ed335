/* SPDX-License-Identifier: MIT */
/* Passes bytes between the command and our terminal. */
#include "relay/relay.h"

#include "tty/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PIECE = 64 * 1024,   /* bytes of one read; a pty of Linux gives 4,095 */
	/* We wait so long for the rest of a reply. A longer wait would delay the Esc key. */
	REPLY_MS = 50,
	FORGET_MS = 2000,    /* after this time no reply is expected */
	/*
	 * After the end of the command, its output ends after so long a pause, or so many reads:
	 * its children may go on printing. The kernel holds less than that.
	 */
	LEFT_MS = 200,
	LEFT_READS = 64,
	OF_SIGNAL = 128
};

enum {
	FROM_COMMAND, TO_COMMAND, FROM_TERMINAL, TO_TERMINAL, REPORTS, SIGNALS, CHILDREN,
	ENDS = CHILDREN + RELAY_KINDS
};

struct loop {
	struct relay *relay;
	struct pty pty;
	struct relay_modes modes;
	struct relay_replies replies;
	long long asked;      /* when the last query passed */
	long long typed;      /* when the last key came */
	size_t answered;      /* bytes of our answers since the last key */
	struct buf kept[2];   /* the last copy to selection c, and to p */
	struct relay_shown shown;
	struct pending screen, keys; /* for our terminal, and for the command */
	struct buf key;       /* the bytes of the key, while its picture is on its way */
	unsigned rings;       /* the bell has rung for so many pictures that failed */
	bool closed;          /* no process has the command's terminal open */
	bool ended;           /* the command has */
	unsigned reads;       /* how often its output was read since */
	int status;           /* the command's, of waitpid() */
	int failure;          /* why it was not run: an errno value, or 0 */
};

/* ---- signals ----------------------------------------------------------------------- */

static const int handled[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT, SIGTSTP };

static volatile sig_atomic_t resized, continued, stop_wanted;
static bool keeps_running; /* our caller ignores SIGTSTP: it is no shell with job control */
static int wake[2]; /* a pipe that a signal makes readable, so that none is missed */

static void
on_signal(int number)
{
	const int before = errno;

	if (number == SIGWINCH)
		resized = 1;
	else if (number == SIGCONT)
		continued = 1;
	else if (number == SIGTSTP)
		stop_wanted = 1;
	else if (signal_caught == 0)
		signal_caught = number;
	(void)!write(wake[1], "", 1);
	errno = before;
}

/*
 * Signals that our caller ignores stay ignored. SIGPIPE is always ignored, because the keeper may
 * have ended.
 */
static bool
watch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal }, before;
	size_t i;

	if (!relay_pipe(wake))
		return false;
	fcntl(wake[0], F_SETFL, O_NONBLOCK);
	fcntl(wake[1], F_SETFL, O_NONBLOCK);
	sigemptyset(&action.sa_mask);
	for (i = 0; i < sizeof(handled) / sizeof(handled[0]); i++) {
		sigaction(handled[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaction(handled[i], &action, NULL);
		if (handled[i] == SIGTSTP)
			keeps_running = before.sa_handler == SIG_IGN;
	}
	signal(SIGPIPE, SIG_IGN);
	return true;
}

/* ---- bytes --------------------------------------------------------------------------- */

size_t
pending_left(const struct pending *p)
{
	return p->bytes.len - p->from;
}

bool
pending_write(int fd, struct pending *p)
{
	const size_t left = pending_left(p);
	ssize_t n = left > 0 ? write(fd, p->bytes.data + p->from, left) : 0;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	p->from += (size_t)n;
	if (pending_left(p) > 0)
		return true;
	p->bytes.len = p->from = 0;
	/* its memory was for a large copy or paste */
	if (p->bytes.capacity > 4 * (size_t)PIECE)
		buf_free(&p->bytes);
	return true;
}

static void
hang_up(void)
{
	if (signal_caught == 0)
		signal_caught = SIGHUP;
}

/* Keeps a copy for reads, if it is for this selection and not too large. */
static void
keep(struct buf *kept, char selection, const struct copy *copy)
{
	if (strchr(copy->selections, selection) == NULL)
		return;
	kept->len = 0;
	if (copy->text.len <= RELAY_KEPT_MAX)
		buf_add(kept, copy->text.data, copy->text.len);
}

static void
take_copy(struct loop *l)
{
	struct relay_stream *stream = &l->relay->stream;
	struct copy copy = { .text = stream->held };

	text_copy(copy.selections, sizeof(copy.selections), stream->selections);
	stream->held = (struct buf)BUF_EMPTY;
	if (stream->answers_reads) {
		keep(&l->kept[0], 'c', &copy);
		keep(&l->kept[1], 'p', &copy);
	}
	copies_add(&l->relay->sent[RELAY_COPIES], &copy, &l->screen.bytes);
}

static bool
may_answer(struct loop *l, size_t n, size_t max)
{
	l->answered += n;
	return l->answered <= max;
}

static void
answer_read(struct loop *l)
{
	const char selection[] = { l->relay->stream.selections[0], '\0' };
	const struct buf *kept = &l->kept[selection[0] == 'p'];
	const size_t n = strchr("cp", selection[0]) != NULL ? kept->len : 0;
	struct buf reply = BUF_EMPTY;

	if (!may_answer(l, clipboard_write_size(n), RELAY_READS_MAX))
		return;
	buf_add(&reply, kept->data, n);
	encode_clipboard_write(&reply, selection);
	buf_add(&l->keys.bytes, reply.data, reply.len);
	buf_free(&reply);
}

/* Shows a notification, or answers the query of OSC 99. */
static void
take_shown(struct loop *l)
{
	const struct relay_stream *stream = &l->relay->stream;
	struct relay_shown *shown = &l->shown;
	const enum relay_piece piece = relay_shown_add(shown, stream->protocol, &stream->held);
	struct copy copy = { .low = shown->low };

	if (piece == RELAY_QUERY &&
	    may_answer(l, sizeof(REPLY_NOTIFIES) + RELAY_ID_MAX, RELAY_ANSWERS_MAX))
		buf_format(&l->keys.bytes, REPLY_NOTIFIES, shown->id[0] != '\0' ? shown->id : "0");
	if (piece != RELAY_WHOLE)
		return;
	copy.text = shown->title;
	copy.title = shown->title.len;
	shown->title = (struct buf){ .max = 0 };
	copy.text.max = 2 * (size_t)RELAY_SHOWN_MAX;
	buf_add(&copy.text, shown->body.data, shown->body.len);
	copies_add(&l->relay->sent[RELAY_SHOWN], &copy, &l->screen.bytes);
}

/*
 * Notes what passes to the terminal from `from` on. Another screen may belong to another program on
 * another host, so the texts for reads are forgotten when the screen changes.
 */
static void
see_output(struct loop *l, size_t from)
{
	const struct buf *out = &l->screen.bytes;
	const unsigned screens = l->modes.screens;

	relay_modes_see(&l->modes, out->data + from, out->len - from);
	if (l->modes.screens == screens)
		return;
	buf_free(&l->kept[0]);
	buf_free(&l->kept[1]);
}

static void
pass_output(struct loop *l, const unsigned char *bytes, size_t n)
{
	struct relay_stream *stream = &l->relay->stream;
	enum stream_event event;
	size_t before;

	do {
		before = l->screen.bytes.len;
		event = relay_stream_feed(stream, &bytes, &n, &l->screen.bytes);
		see_output(l, before);
		if (event == STREAM_COPY)
			take_copy(l);
		else if (event == STREAM_NOTIFIES)
			take_shown(l);
		else if (event == STREAM_ASKS_COPY &&
		    may_answer(l, sizeof(RELAY_TERMCAP), RELAY_ANSWERS_MAX))
			buf_add_string(&l->keys.bytes, RELAY_TERMCAP);
		else if (event == STREAM_READS)
			answer_read(l);
		else if (event == STREAM_ASKS_DA1)
			l->replies.da1 += stream->answers;
		else if (event == STREAM_ASKS_VERSION)
			l->replies.version += stream->answers || stream->notifies;
		if (event == STREAM_ASKS_DA1 || event == STREAM_ASKS_VERSION)
			l->asked = clock_ms();
	} while (event != STREAM_PASSES);
}

/* Reads without waiting, and returns whether it got anything. */
static bool
read_output(struct loop *l)
{
	static unsigned char bytes[PIECE];
	size_t size = 0;
	ssize_t n;

	do {
		n = read(l->pty.master, bytes + size, sizeof(bytes) - size);
		size += n > 0 ? (size_t)n : 0;
	} while (n > 0 && size < sizeof(bytes));
	/* EIO: no process has that terminal open any more */
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		l->closed = true;
	if (size > 0)
		pass_output(l, bytes, size);
	if (!pending_write(l->pty.tty, &l->screen))
		hang_up();
	return size > 0;
}

/* The key passes if the clipboard has no picture, and while one is on its way. */
static void
press(struct loop *l)
{
	struct copies *pictures = &l->relay->sent[RELAY_PICTURES];
	struct copy picture = { .text = BUF_EMPTY, .selections = "c" };
	const bool found = l->key.len == 0 && picture_find(pictures);

	l->replies.pressed = false;
	relay_replies_release(&l->replies, found ? &l->key : &l->keys.bytes);
	if (!found)
		return;
	pictures->way[0] = '\0';
	copies_add(pictures, &picture, NULL);
}

/*
 * Pastes the path of a picture that has arrived, after any other paste and key that has begun.
 * Rings the bell for a picture that failed, but after a sequence, because BEL ends some.
 */
static void
see_to_picture(struct loop *l)
{
	const struct copies *pictures = &l->relay->sent[RELAY_PICTURES];
	const bool marks = relay_modes_marks_pastes(&l->modes);

	if (pictures->failed > l->rings && l->modes.parser.state == PARSER_TEXT) {
		buf_add_string(&l->screen.bytes, "\a");
		l->rings = pictures->failed;
	}
	if (l->key.len == 0 || pictures->child != 0 || l->replies.pastes || l->replies.size > 0)
		return;
	if (pictures->way[0] == '\0')
		buf_add(&l->keys.bytes, l->key.data, l->key.len);
	else
		buf_format(&l->keys.bytes, "%s%s%s", marks ? PASTE_BEGINS : "", pictures->way,
		    marks ? PASTE_ENDS : "");
	l->key.len = 0;
}

static void
read_keys(struct loop *l)
{
	static unsigned char bytes[PIECE];
	const unsigned char *at = bytes;
	ssize_t n = read(l->pty.tty, bytes, sizeof(bytes));

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		hang_up();
	if (n <= 0)
		return;
	l->answered = 0;
	l->typed = clock_ms();
	if (l->replies.da1 + l->replies.version > 0 && clock_ms() - l->asked > FORGET_MS) {
		relay_replies_release(&l->replies, &l->keys.bytes);
		l->replies.da1 = l->replies.version = 0;
	}
	while (at < bytes + n) {
		at += relay_replies_feed(&l->replies, at, (size_t)(bytes + n - at), &l->keys.bytes);
		if (l->replies.pressed)
			press(l);
	}
}

/* Writes all of the output so far, even to a slow terminal. A signal ends this. */
static void
flush(struct loop *l)
{
	struct pollfd end = { .fd = l->pty.tty, .events = POLLOUT };

	while (pending_left(&l->screen) > 0 && signal_caught == 0) {
		wait_on(&end, 1, 1000);
		if (!pending_write(l->pty.tty, &l->screen))
			hang_up();
	}
}

/* Writes the rest of the output, and what makes the terminal usable again. */
static void
end_output(struct loop *l)
{
	struct buf *out = &l->screen.bytes;
	const size_t before = out->len;

	relay_stream_end(&l->relay->stream, out);
	see_output(l, before);
	relay_modes_reset(&l->modes, out);
	flush(l);
	/* a signal has ended flush(): what fits at once is still written */
	(void)pending_write(l->pty.tty, &l->screen);
}

/* ---- stopping ----------------------------------------------------------------------- */

/* Makes the terminal raw again and continues the command, if we are in the foreground. */
static void
resume(struct loop *l)
{
	continued = 0;
	if (!tty_raw_begin(l->pty.tty))
		return;
	l->modes.rows = tty_copy_size(l->pty.master, l->pty.tty);
	kill(l->pty.keeper, SIGCONT);
}

/* Stops our job, until it is in the foreground again. */
static void
stop(struct loop *l)
{
	unsigned i;

	stop_wanted = 0;
	for (i = 0; i < LEFT_READS && read_output(l); i++)
		flush(l);
	tty_raw_end();
	continued = 0;
	if (!keeps_running)
		job_stop(0, SIGTSTP);
	while (!tty_foreground(l->pty.tty) && signal_caught == 0) {
		/* if we ran on, there is no shell that would continue us */
		if (!continued)
			hang_up();
		continued = 0;
		job_stop(0, SIGTTIN);
	}
	resume(l);
}

static void
see_to_signals(struct loop *l)
{
	char bytes[64];

	while (read(wake[0], bytes, sizeof(bytes)) > 0)
		continue;
	if (stop_wanted)
		stop(l);
	/* SIGSTOP has no handler; a shell has then set its own modes */
	if (continued)
		resume(l);
	if (resized)
		l->modes.rows = tty_copy_size(l->pty.master, l->pty.tty);
	resized = 0;
}

static void
take_report(struct loop *l)
{
	struct pty_report report;
	ssize_t n;

	n = read(l->pty.reports, &report, sizeof(report));
	if (n < 0 && errno == EINTR)
		return;
	if (n != (ssize_t)sizeof(report))
		report = (struct pty_report){ PTY_ENDED, SIGKILL };
	if (report.what == PTY_STOPPED) {
		stop(l);
		return;
	}
	if (report.what == PTY_NOT_RUN && l->failure == 0)
		l->failure = report.value;
	l->status = report.value;
	l->ended = report.what == PTY_ENDED;
}

/* ---- the loop -------------------------------------------------------------------------- */

static int
patience(const struct loop *l)
{
	int least = -1, one;
	size_t i;

	if (l->ended)
		return LEFT_MS;
	if (l->replies.size > 0)
		return REPLY_MS;
	for (i = 0; i < RELAY_KINDS; i++) {
		one = copies_patience(&l->relay->sent[i]);
		least = least < 0 || (one >= 0 && one < least) ? one : least;
	}
	return least;
}

static void
set_ends(const struct loop *l, struct pollfd ends[ENDS])
{
	const bool shows = pending_left(&l->screen) > 0, types = pending_left(&l->keys) > 0;
	const bool reads_keys = !l->ended && pending_left(&l->keys) <= RELAY_KEYS_MAX;
	size_t i;

	ends[FROM_COMMAND] = (struct pollfd){ shows || l->closed ? -1 : l->pty.master, POLLIN, 0 };
	ends[TO_COMMAND] = (struct pollfd){ types && !l->closed ? l->pty.master : -1, POLLOUT, 0 };
	ends[FROM_TERMINAL] = (struct pollfd){ reads_keys ? l->pty.tty : -1, POLLIN, 0 };
	ends[TO_TERMINAL] = (struct pollfd){ shows ? l->pty.tty : -1, POLLOUT, 0 };
	ends[REPORTS] = (struct pollfd){ l->ended ? -1 : l->pty.reports, POLLIN, 0 };
	ends[SIGNALS] = (struct pollfd){ wake[0], POLLIN, 0 };
	for (i = 0; i < RELAY_KINDS; i++)
		ends[CHILDREN + i] = (struct pollfd){ l->relay->sent[i].fd, POLLIN, 0 };
}

/* Waits for the next events and handles them. Returns false after the last output. */
static bool
turn(struct loop *l)
{
	struct pollfd ends[ENDS];
	int ready;
	size_t i;

	set_ends(l, ends);
	ready = wait_on(ends, ENDS, patience(l));
	if (ready < 0)
		return errno == EINTR;
	if (ready == 0 && l->ended)
		return pending_left(&l->screen) > 0;
	if (ends[SIGNALS].revents != 0)
		see_to_signals(l);
	for (i = 0; i < RELAY_KINDS; i++) {
		if (ends[CHILDREN + i].revents != 0)
			copies_collect(&l->relay->sent[i]);
		copies_start(&l->relay->sent[i]);
	}
	if (ends[TO_TERMINAL].revents != 0 && !pending_write(l->pty.tty, &l->screen))
		hang_up();
	if (ends[FROM_COMMAND].revents != 0)
		l->reads += read_output(l) && l->ended;
	if (ends[FROM_TERMINAL].revents != 0)
		read_keys(l);
	/* the command may write on and on */
	if (l->replies.size > 0 && (ready == 0 || clock_ms() - l->typed >= REPLY_MS))
		relay_replies_release(&l->replies, &l->keys.bytes);
	see_to_picture(l);
	if (pending_left(&l->keys) > 0 && !l->closed && !pending_write(l->pty.master, &l->keys))
		l->closed = true;
	if (ends[REPORTS].revents != 0)
		take_report(l);
	return !l->ended || pending_left(&l->screen) > 0 || (!l->closed && l->reads < LEFT_READS);
}

int
relay_terminal(void)
{
	const struct tty_device device = { .name = "/dev/tty" };
	int fd = isatty(STDOUT_FILENO) ? device_open(&device, O_RDWR) : -1;

	if (fd >= 0 && tty_foreground(fd) && pty_is_terminal(STDOUT_FILENO, fd))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool
relay_run(struct relay *relay, int tty, int *status, struct error *error)
{
	static struct loop l;
	static const char *const names[] = { "", RELAY_NAME, RELAY_NOTIFIES,
		RELAY_NAME RELAY_NOTIFIES };
	sigset_t all, before;
	bool started;
	size_t i;

	l = (struct loop){ .relay = relay, .screen.bytes = BUF_EMPTY, .keys.bytes = BUF_EMPTY,
		.key = BUF_EMPTY, .kept = { BUF_EMPTY, BUF_EMPTY } };
	l.replies.name = names[relay->stream.answers + 2 * relay->stream.notifies];
	l.replies.finds_key = relay->sent[RELAY_PICTURES].socket != NULL;
	/* before watch_signals() a signal would kill us, and leave the terminal raw */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	started = pty_start(&l.pty, tty, relay->command, &before, error);
	if (started && !watch_signals())
		hang_up();
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!started)
		return false;
	for (i = 0; i < RELAY_KINDS; i++) {
		relay->sent[i].fd = -1;
		relay->sent[i].master = l.pty.master;
	}
	l.modes.rows = tty_copy_size(l.pty.master, tty);
	while (signal_caught == 0 && turn(&l))
		continue;
	end_output(&l);
	tty_raw_end();
	pty_end(&l.pty);
	/* the path of that picture would come too late */
	if (relay->sent[RELAY_PICTURES].child != 0)
		kill(relay->sent[RELAY_PICTURES].child, SIGKILL);
	for (i = 0; i < RELAY_KINDS; i++)
		copies_finish(&relay->sent[i]);
	if (l.failure != 0)
		return job_cannot_run(relay->command, l.failure, error);
	*status = WIFSIGNALED(l.status) ? OF_SIGNAL + WTERMSIG(l.status) : WEXITSTATUS(l.status);
	/* a shell ends its loop only if what it ran died of SIGINT, so we do, too */
	if (WIFSIGNALED(l.status) && WTERMSIG(l.status) == SIGINT && signal_caught == 0)
		signal_caught = SIGINT;
	return true;
}
