/* SPDX-License-Identifier: MIT */
/*
 * __finished: notifies that a slow command line has finished, unless the user typed while it ran.
 * For the hooks of setup bash, zsh and fish, which measure the time; help and completion omit it.
 * Standard input is the line; one that begins with a space is hidden from the history, and only its
 * program is shown. No query is sent: it would drop keys typed ahead.
 *
 * Without operands, as the login begins: queries the terminal for its name, if the environment
 * does not identify it, no key is pending and the reply can be remembered.
 */
#include "commands/command.h"

#include <signal.h>
#include <string.h>
#include <time.h>

/* ---- the program of a line ------------------------------------------------ */

/*
 * Programs whose use leaves no trace in the access time: pagers and others that read /dev/tty
 * (until Linux 6.6), and servers that Ctrl-C or Ctrl-D, which are never read, end with status 0.
 */
static const char unseen[] = "less more most bat man info git-log git-diff git-show git-blame "
    "journalctl fzf sk emacs su sudo passwd cat ping tcpdump mtr inotifywait entr nodemon vite "
    "http-server python-http.server python3-http.server npm-start npm-run-dev hugo-server "
    "mkdocs-serve flask-run rails-server docker-logs docker-compose-up docker-compose-logs "
    "kubectl-logs kubectl-port-forward";

enum { NAMES = 3 };

/* The first program, then with one and with two words after it: "npm", "npm-run", "npm-run-dev". */
struct names {
	char name[NAMES][64];
	size_t count;
};

static bool
is_assignment(const char *word, size_t n)
{
	const size_t variable = strspn(word, TEXT_ALNUM "_");

	return variable > 0 && variable < n && word[variable] == '=';
}

static bool
lists(const char *list, const struct names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		if (text_lists(list, names->name[i], strlen(names->name[i])))
			return true;
	return false;
}

/* Adds a name: the last one with this word, of which the directory is left out. */
static void
add_name(struct names *names, const char *word, size_t n)
{
	const char *before = names->count > 0 ? names->name[names->count - 1] : NULL, *at;

	for (at = word; before == NULL && at < word + n; at++)
		if (*at == '/') {
			n -= (size_t)(at + 1 - word);
			word = at + 1;
		}
	text_format(names->name[names->count++], sizeof(names->name[0]), "%s%s%.*s",
	    before != NULL ? before : "", before != NULL ? "-" : "", (int)n, word);
}

/* Skips sudo, env, time and options. */
static void
find_names(struct names *names, const char *at)
{
	static const char wrappers[] = "sudo env time", with_value[] = "-u -g -C -T -f -o";
	bool wrapped = true, is_value = false;
	size_t n;

	for (names->count = 0; names->count < NAMES; at += n) {
		at += strspn(at, " \t");
		n = strcspn(at, " \t\n;&|()<>");
		/* quotes would have to be understood */
		if (n == 0 || strcspn(at, "'\"\\$`") < n)
			return;
		if (is_value || at[0] == '-') {
			is_value = !is_value && wrapped && text_lists(with_value, at, n);
		} else if (!wrapped || !is_assignment(at, n)) {
			names->count = wrapped ? 0 : names->count;
			add_name(names, at, n);
			wrapped = wrapped && lists(wrappers, names);
		}
	}
}

/* ---- whether to notify ------------------------------------------------------ */

/* Whether a key was read since the command began, and not long before it ended. */
static bool
was_used(time_t seconds)
{
	/* the access time shows the first read of eight seconds */
	enum { LATELY = 16 };
	char device[DEVICE_NAME] = "";
	struct timespec now;
	time_t read;

	device_controlling(device);
	read = device_read_time(device);
	/* time() may be some milliseconds late, and so before the end by the clock of the shell */
	clock_gettime(CLOCK_REALTIME, &now);
	return read > now.tv_sec - seconds && now.tv_sec - read < LATELY;
}

static bool
is_left_out(const struct names *names, int status, time_t seconds)
{
	const char *only = environment_get("VIATTY_NOTIFY_ONLY");
	const char *ignored = environment_get("VIATTY_NOTIFY_IGNORE");
	const bool adds = ignored == NULL || ignored[0] == '+';
	const int number = status - 128;

	/* after Ctrl-C or Ctrl-Z the user needs no notification */
	if (number == SIGINT || number == SIGTSTP || number == SIGSTOP || number == SIGTTIN ||
	    number == SIGTTOU)
		return true;
	/* it notifies itself */
	if (lists("viatty-run", names) || was_used(seconds))
		return true;
	if (only != NULL && only[strspn(only, " \t\n")] != '\0')
		return !lists(only, names);
	if (ignored != NULL && lists(ignored + adds, names))
		return true;
	return adds && status == 0 && lists(unseen, names);
}

/* ---- the command -------------------------------------------------------- */

/* Queries an unknown terminal for its name, once. */
static void
ask_name(void)
{
	enum { TIMEOUT_MS = 300 };
	static struct sink sink;
	struct error error;

	globals.given.timeout_ms = TIMEOUT_MS;
	if (!sink_open(&sink, &notification_request, &error) || !sink.route.guessed ||
	    !identity_is_kept(&sink.path))
		return;
	sink.path.given.probe = true;
	path_learn(&sink.path, NEED_NAME | NEED_TMUX_CLIPBOARD);
}

static const struct option_spec options[] = {
#include "commands/notification.def"
	{ .kind = OPTION_END }
};

static int
finished_run(struct call *call)
{
	enum { TEXT_MAX = 64 * 1024, LONG = 1000000000 };
	struct notification *n = &notification_options.n;
	static struct buf line, body = BUF_EMPTY;
	struct error error = { .status = STATUS_DONE };
	const bool may_ask = globals.given.probe;
	unsigned long status, seconds;
	struct names names;
	const char *shown;
	int sent;
	size_t i;

	globals.given.probe = false;
	if (call->count == 0) {
		if (may_ask)
			ask_name();
		return STATUS_DONE;
	}
	if (call->count != 2 || !text_number(call->operand[0], 255, &status) ||
	    !text_number(call->operand[1], LONG, &seconds))
		die(STATUS_USAGE, "takes a status and the seconds that the command took");
	notification_check();
	buf_init(&line, TEXT_MAX);
	stream_read_text(&line);
	while (line.len > 0 && line.data[line.len - 1] == '\n')
		line.len--;
	line.max = BUF_NO_LIMIT;
	buf_add(&line, "", 1);
	shown = (char *)line.data;
	find_names(&names, shown);
	if (is_left_out(&names, (int)status, (time_t)seconds))
		return STATUS_DONE;
	if (shown[0] == '\0' || shown[0] == ' ' || shown[0] == '\t')
		shown = names.count > 0 ? names.name[0] : "a command";
	for (i = 0; i < line.len; i++)
		line.data[i] = line.data[i] == '\n' ? ' ' : line.data[i];
	n->title = (struct notification_text){ shown, strlen(shown) };
	command_outcome(&body, (int)status, (long long)seconds * 1000);
	n->body = (struct notification_text){ (char *)body.data, body.len };
	if (n->when == NULL)
		n->when = "unfocused";
	notification_options.or_bell = true;
	if (!notification_send(&sent, &error))
		die_of(&error);
	return sent;
}

const struct command command_finished = {
	.name = "__finished",
	.group = "Notify",
	.summary = "notify of a command line that the shell has run",
	.outcome = "not shown",
	.options = options,
	.run = finished_run,
};
