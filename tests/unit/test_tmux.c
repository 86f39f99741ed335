/* SPDX-License-Identifier: MIT */
/*
 * detect/tmux: what TMUX and a list of features mean; and what is
 * made of a server's answer, given here by a program called tmux that prints
 * what the test has written down.
 */
#include "detect/path.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* ---- addresses ----------------------------------------------------------- */

Test(tmux, address)
{
	static const struct {
		const char *value, *socket;
		int server;
		const char *session; /* NULL: refused */
	} rows[] = {
		{ "/tmp/tmux-1000/default,4711,0", "/tmp/tmux-1000/default", 4711,
		    "$0" },
		{ "/tmp/a,b,c,4711,12", "/tmp/a,b,c", 4711, "$12" },
		/* what #() gets */
		{ "/s,4711,-1", "/s", 4711, "" },
		{ "/s,4711,99999999999999999999", "/s", 4711, "" },
		{ "/,1,2", "/", 1, "$2" },
		{ "", NULL, 0, NULL },
		{ ",", NULL, 0, NULL },
		{ ",,", NULL, 0, NULL },
		{ "/s,", NULL, 0, NULL },
		{ "/s,1", NULL, 0, NULL },
		{ "/s,-1,0", NULL, 0, NULL },
		{ "/s,2147483648,0", NULL, 0, NULL },
		{ "/s,11111111111111111111111111111111111111111111111111,0",
		    NULL, 0, NULL },
		{ "-S/s,4711,0", NULL, 0, NULL },
	};
	struct tmux_address address;
	size_t i;
	bool fine;

	for (i = 0; i < LEN(rows); i++) {
		memset(&address, 0x55, sizeof(address));
		fine = tmux_address_parse(&address, rows[i].value, NULL);
		cr_expect_eq(fine, rows[i].session != NULL, "\"%s\"",
		    rows[i].value);
		if (!fine || rows[i].session == NULL)
			continue;
		cr_expect_str_eq(address.socket, rows[i].socket, "\"%s\": %s",
		    rows[i].value, address.socket);
		cr_expect_eq(address.server, rows[i].server, "\"%s\": %d",
		    rows[i].value, (int)address.server);
		cr_expect_str_eq(address.session, rows[i].session, "\"%s\": %s",
		    rows[i].value, address.session);
	}
}

Test(tmux, address_of_every_length)
{
	char value[512];
	struct tmux_address address;
	size_t n;

	for (n = 1; n < 400; n++) {
		memset(value, 'x', n);
		value[0] = '/';
		strcpy(value + n, ",1,2");
		memset(&address, 0x55, sizeof(address));
		cr_expect_eq(tmux_address_parse(&address, value, NULL),
		    n < TMUX_SOCKET, "a socket of %zu", n);
		if (n < TMUX_SOCKET)
			cr_expect_eq(strlen(address.socket), n);
	}
}

/* ---- clients --------------------------------------------------------------- */

Test(tmux, clipboard_of_clients)
{
	static const struct {
		const char *term, *features;
		enum support wanted;
	} rows[] = {
		/* what tmux says is true of any TERM */
		{ "xterm-256color", "256,clipboard,title", SUPPORT_YES },
		{ "vt220", "clipboard", SUPPORT_YES },
		{ "screen-256color", "bpaste,clipboard,mouse", SUPPORT_YES },
		/* words that only look like it */
		{ "vt220", "clipboards", SUPPORT_NO },
		{ "vt220", "noclipboard", SUPPORT_NO },
		/* TERMs whose terminfo has Ms, or may have */
		{ "tmux-256color", "", SUPPORT_UNKNOWN },
		{ "", "", SUPPORT_UNKNOWN },
		/* those that have not */
		{ "linux", "", SUPPORT_NO },
		{ "screen-256color", "title", SUPPORT_NO },
		{ "vt220", "", SUPPORT_NO },
	};
	struct tmux_client client;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		client = (struct tmux_client){ .pid = 1 };
		strcpy(client.term, rows[i].term);
		strcpy(client.features, rows[i].features);
		cr_expect_eq(tmux_client_drops_copies(&client), rows[i].wanted == SUPPORT_NO,
		    "TERM=%s with %s", rows[i].term, rows[i].features);
	}
}

/* ---- a server of our own making -------------------------------------------- */

static char folder[64];

/* Of a client, U@ stands for our own user. */
static void
write_file(const char *name, const char *text)
{
	const char *user;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	cr_assert_not_null(file);
	while ((user = strstr(text, "U@")) != NULL) {
		fprintf(file, "%.*sU%u", (int)(user - text), text, geteuid());
		text = user + strlen("U@");
	}
	fputs(text, file);
	fclose(file);
	cr_assert_eq(chmod(path, 0755), 0);
}

/* A file's content with its NUL; longer ones are cut. */
static void
read_text(const char *name, char *text, size_t size)
{
	char path[128];
	FILE *file;
	size_t n = 0;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	if (file != NULL) {
		n = fread(text, 1, size - 1, file);
		fclose(file);
	}
	text[n] = '\0';
}

/* Whether the tmux of the test was given these words, as <...>. */
static bool
was_given(const char *words)
{
	char arguments[4096];

	read_text("arguments", arguments, sizeof(arguments));
	return strstr(arguments, words) != NULL;
}

/* Where the server would be. */
static struct tmux_address address = { .server = 4711, .session = "$3", .pane = "%3" };

/* A socket of ours that nobody listens at: it is looked at first. */
static void
bind_socket(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(name.sun_path, sizeof(name.sun_path), "%s/s,1", folder);
	cr_assert_eq(bind(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	close(fd);
	strcpy(address.socket, name.sun_path);
}

/* From here on `tmux` is this script, in $D its folder. */
static void
become_tmux(const char *script)
{
	char path[1024], text[4096];
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%.40s/viatty-XXXXXX",
	    tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
	cr_assert_not_null(mkdtemp(folder));
	bind_socket();
	snprintf(text, sizeof(text), "#!/bin/sh\nD='%s'\n%s\n", folder, script);
	write_file("tmux", text);
	snprintf(path, sizeof(path), "%s:%s", folder, getenv("PATH"));
	setenv("PATH", path, 1);
}

static void
forget_tmux(void)
{
	static const char *const names[] = { "tmux", "answer", "arguments", "in", "s,1",
		"environment" };
	char path[128];
	size_t i;

	if (folder[0] == '\0')
		return;
	for (i = 0; i < LEN(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

/* Root believes no TMUX that a server above it has not set. */
static void
be_a_user(void)
{
	if (geteuid() == 0)
		cr_assert(setgid(1) == 0 && setuid(1) == 0);
}

TestSuite(tmux_server, .init = be_a_user, .fini = forget_tmux);

#define PANE "P V3.3a Bexternal L0 M0 Z0 A1 X1 I$3 W@5 G T/dev/pts/3 "
#define CLIENT(pid, activity, control, session, window, tty) \
	"C P" pid " A" activity " K" control " I" session " W" window " G U@ T" tty \
	" Nxterm-256color F256,clipboard YXTerm(370)\n"

static void
expect_answer(struct tmux *tmux, const char *answer, const char *what)
{
	struct error error = { .status = STATUS_DONE };

	write_file("answer", answer);
	cr_assert(tmux_ask(tmux, &address, false, 5000, &error), "%s: %s", what, error.text);
}

/* What is known of them, in words. */
static void
options_known(const struct tmux *tmux, char text[64])
{
	static const char *const set[] = { [SET_CLIPBOARD_UNKNOWN] = "",
		[SET_CLIPBOARD_OFF] = " set=off", [SET_CLIPBOARD_EXTERNAL] = " set=external",
		[SET_CLIPBOARD_ON] = " set=on" };
	static const char *const pass[] = { [PASSTHROUGH_UNKNOWN] = "",
		[PASSTHROUGH_OFF] = " pass=off", [PASSTHROUGH_ON] = " pass=on" };

	snprintf(text, 64, "%s%s%s%s", set[tmux->set_clipboard], pass[tmux->passthrough],
	    tmux->requests_clipboard ? " get=request" : "", tmux->shown ? " shown" : "");
}

Test(tmux_server, options_of_all_versions)
{
	/* the options stand between the version and the session */
	static const struct { const char *options, *known; } rows[] = {
		{ "V3.3a Bexternal L0 Z0 A1 X1", " set=external pass=off shown" },
		{ "V3.7c Bon Loff Z1 A0 X1", " set=on pass=off" },
		{ "V3.2a Bexternal L Z0 A1 X1", " set=external pass=on shown" },
		{ "V2.9a B1 L Z0 A1 X1", " set=on pass=on shown" },
		{ "V3.4 Bnew Lnew Z0 A1 X1", " shown" },
		{ "V B L Z A X", "" },
		{ "V3.7c Bon Qoff", " set=on" },
		{ "V3.7c Bon Qrequest", " set=on get=request" },
		{ "V3.7c Bon Qboth", " set=on get=request" },
		{ "V3.3a Bon Q", " set=on" },
	};
	struct tmux tmux;
	char answer[128], known[64];
	size_t i;

	become_tmux("cat \"$D/answer\"");
	for (i = 0; i < LEN(rows); i++) {
		snprintf(answer, sizeof(answer), "P %s I$3 W@5 G T/dev/pts/3 C S",
		    rows[i].options);
		expect_answer(&tmux, answer, rows[i].options);
		options_known(&tmux, known);
		cr_expect_str_eq(known, rows[i].known, "%s: %s", rows[i].options, known);
		cr_expect(tmux.clients == 0 && !tmux.has_client, "%s", rows[i].options);
	}
}

Test(tmux_server, whose_client_is_whose)
{
	static const struct {
		const char *what, *answer;
		unsigned clients, control;
		const char *tty, *elsewhere;
	} rows[] = {
		{ "nobody", PANE "C Swork\n", 0, 0, "", "" },
		{ "the one used last",
		    CLIENT("1", "100", "0", "$3", "@5", "/dev/pts/1")
		    CLIENT("2", "300", "0", "$3", "@5", "/dev/pts/2")
		    CLIENT("3", "200", "0", "$3", "@5", "/dev/pts/4")
		    PANE "C Swork\n", 3, 0, "/dev/pts/2", "" },
		{ "tmux's favourite among those of one second",
		    CLIENT("1", "100", "0", "$3", "@5", "/dev/pts/1")
		    CLIENT("2", "100", "0", "$3", "@5", "/dev/pts/2")
		    CLIENT("3", "100", "0", "$3", "@5", "/dev/pts/4")
		    PANE "C/dev/pts/2 Swork\n", 3, 0, "/dev/pts/2", "" },
		{ "the favourite first",
		    CLIENT("1", "100", "0", "$3", "@5", "/dev/pts/1")
		    CLIENT("2", "100", "0", "$3", "@5", "/dev/pts/2")
		    PANE "C/dev/pts/1 Swork\n", 2, 0, "/dev/pts/1", "" },
		{ "a control client is none to write to",
		    CLIENT("1", "100", "0", "$3", "@5", "/dev/pts/1")
		    CLIENT("2", "900", "1", "$3", "@5", "/dev/pts/2")
		    PANE "C/dev/pts/2 Swork\n", 2, 1, "/dev/pts/1", "" },
		{ "control clients only",
		    CLIENT("2", "900", "1", "$3", "@5", "")
		    PANE "C Swork\n", 1, 1, "", "" },
		{ "the one used last of other sessions, and not by control",
		    CLIENT("1", "100", "0", "$7", "@6", "/dev/pts/1")
		    CLIENT("2", "300", "0", "$8", "@7", "/dev/pts/2")
		    CLIENT("3", "200", "0", "$7", "@6", "/dev/pts/4")
		    CLIENT("4", "900", "1", "$8", "@7", "/dev/pts/5")
		    PANE "C/dev/pts/5 Swork\n", 0, 0, "", "/dev/pts/2" },
		{ "another session that shows the same window",
		    CLIENT("1", "100", "0", "$8", "@5", "/dev/pts/1")
		    PANE "C Swork\n", 1, 0, "/dev/pts/1", "" },
		{ "another session of the group",
		    "C P1 A100 K0 I$8 W@7 Gteam U@ T/dev/pts/1 Nfoot F Y\n"
		    "P V3.3a Bon L0 M0 Z0 A1 X1 I$3 W@5 Gteam T/dev/pts/3 C "
		    "Swork\n", 1, 0, "/dev/pts/1", "" },
		{ "another user's, used later",
		    CLIENT("1", "100", "0", "$3", "@5", "/dev/pts/1")
		    "C P2 A900 K0 I$3 W@5 G U4242 T/dev/pts/2 Nfoot F Y\n"
		    PANE "C/dev/pts/2 Swork\n", 1, 0, "/dev/pts/1", "" },
		{ "another user's, elsewhere and by control",
		    "C P2 A900 K0 I$8 W@7 G U4242 T/dev/pts/2 Nfoot F Y\n"
		    "C P3 A900 K1 I$3 W@5 G U4242 T Nfoot F Y\n"
		    PANE "C Swork\n", 0, 0, "", "" },
		{ "nobody knows whose",
		    "C P2147483647 A900 K0 I$3 W@5 G U T/dev/pts/2 Nfoot F Y\n"
		    PANE "C Swork\n", 0, 0, "", "" },
		{ "before 3.3, of a process that sits elsewhere",
		    "C P1 A900 K0 I$3 W@5 G T/dev/pts/99999 N F Y\n"
		    PANE "C Swork\n", 0, 0, "", "" },
		{ "no group is not the same group",
		    "C P1 A100 K0 I$8 W@7 G U@ T/dev/pts/1 Nfoot F Y\n"
		    "P V3.3a Bon L0 M0 Z0 A1 X1 I$3 W@5 G T/dev/pts/3 C "
		    "Swork\n", 0, 0, "", "/dev/pts/1" },
	};
	struct tmux tmux;
	size_t i;

	become_tmux("cat \"$D/answer\"");
	for (i = 0; i < LEN(rows); i++) {
		expect_answer(&tmux, rows[i].answer, rows[i].what);
		cr_expect_eq(tmux.clients, rows[i].clients, "%s: %u",
		    rows[i].what, tmux.clients);
		cr_expect_eq(tmux.control_clients, rows[i].control, "%s: %u",
		    rows[i].what, tmux.control_clients);
		cr_expect_eq(tmux.has_client, rows[i].tty[0] != '\0', "%s",
		    rows[i].what);
		cr_expect_str_eq(tmux.client.tty, rows[i].tty, "%s: %s",
		    rows[i].what, tmux.client.tty);
		cr_expect_str_eq(tmux.elsewhere.tty, rows[i].elsewhere, "%s: %s",
		    rows[i].what, tmux.elsewhere.tty);
	}
}

/* What comes back is untrusted: fields that do not fit are empty. */
Test(tmux_server, hostile_answers)
{
	static char answer[8192];
	struct tmux tmux;
	size_t i;

	become_tmux("cat \"$D/answer\"");
	strcpy(answer, "C P1 A100 K0 I$3 W@5 G U@ T/dev/");
	memset(answer + strlen(answer), 'x', 2000);
	strcat(answer, " Nxterm\x1b]52;c;!\a F Y\x9b\n" PANE "C S\x1b[2J\xff\n");
	expect_answer(&tmux, answer, "long");
	cr_expect_str_eq(tmux.client.tty, "");
	cr_expect_not(tmux.has_client, "a terminal without a name is none");
	for (i = 0; tmux.session[i] != '\0'; i++)
		cr_expect(tmux.session[i] >= 0x20 && tmux.session[i] < 0x7f);
	expect_answer(&tmux, "C P99999999999999999999999 A-5 Kx I$3 W@5 G "
	    "U@ T/dev/pts/1 N F Y\n" PANE "C S\n", "no numbers");
	cr_expect_eq(tmux.client.pid, 0, "%d", (int)tmux.client.pid);
	cr_expect_eq(tmux.client.activity, 0);
	cr_expect_str_eq(tmux.client.tty, "/dev/pts/1");
	expect_answer(&tmux, "C P4294967297 A1 K0 I$3 W@5 G U@ T/dev/pts/1 N F Y\n"
	    PANE "C S\n", "32 bits");
	cr_expect_neq(tmux.client.pid, 1, "a number too large is not init");
}

/* Four characters of base64 count for a text of one to three bytes. */
Test(tmux_server, copy_is_sent_only_if_the_counts_say_so)
{
	static const struct {
		const char *text, *answer, *loaded, *last, *refusal;
	} rows[] = {
		{ "abc", "C P7 B10 T/dev/pts/9\nC P7 B21 T/dev/pts/9\n", "ab", "-- \"\\143\"", NULL },
		{ "a", "C P7 B10 T/dev/pts/9\nC P7 B21 T/dev/pts/9\n", "", "-- \"\\141\"", NULL },
		{ "x;", "C P7 B1 T/dev/pts/9\nC P7 B12 T/dev/pts/9\n", "x", "-- \"\\073\"", NULL },
		{ "abcd", "C P7 B10 T/dev/pts/9\nC P7 B17 T/dev/pts/9\n", "abc", "-- \"\\144\"",
		    "did not send it" },
		{ "abc", "C P7 B10 T/dev/pts/9\nC P7 B10 T/dev/pts/9\n", "ab", "-- \"\\143\"",
		    "does not keep up" },
		{ "abc", "C P7 B10 T/dev/pts/8\nC P7 B10 T/dev/pts/9\nC P7 B21 T/dev/pts/8\n"
		    "C P7 B10 T/dev/pts/9\n", "ab", "-- \"\\143\"", "did not send it" },
		{ "abc", "C P7 B10 T/dev/pts/8\nC P7 B21 T/dev/pts/8\n", "ab", "-- \"\\143\"",
		    "no longer attached" },
		/* another client of that name: in a container, even with the same PID */
		{ "abc", "C P8 B10 T/dev/pts/9\nC P7 B10 T/dev/pts/9\nC P8 B21 T/dev/pts/9\n"
		    "C P7 B10 T/dev/pts/9\n", "ab", "-- \"\\143\"", "another terminal" },
		{ "abc", "C P7 B10 T/dev/pts/9\nC P8 B10 T/dev/pts/9\nC P7 B21 T/dev/pts/9\n"
		    "C P8 B10 T/dev/pts/9\n", "ab", "-- \"\\143\"", "another terminal" },
		{ "abc", "C P7 B10 T/dev/pts/9\nC P7 B90 T/dev/pts/9\nC P7 B21 T/dev/pts/9\n"
		    "C P7 B90 T/dev/pts/9\n", "ab", "-- \"\\143\"", "another terminal" },
		/* no growth */
		{ "abc", "", "ab", "-- \"\\143\"", "no longer attached" },
	};
	struct tmux tmux = { .clients = 1, .has_client = true };
	struct error error;
	char loaded[8], passing[64];
	bool taken;
	size_t i;

	/* another copy at the same time has another one */
	snprintf(passing, sizeof(passing), " -b viatty-passing-%ld-", (long)getpid());
	strcpy(tmux.client.tty, "/dev/pts/9");
	tmux.client.pid = 7;
	become_tmux("printf '<%s>' \"$@\" >\"$D/arguments\"\ncat >\"$D/in\"; cat \"$D/answer\"");
	tmux.address = address;
	for (i = 0; i < LEN(rows); i++) {
		error.text[0] = '\0';
		write_file("answer", rows[i].answer);
		taken = tmux_hand(&tmux, rows[i].text, strlen(rows[i].text), 5000, &error);
		cr_expect_eq(taken, rows[i].refusal == NULL, "%zu: %s", i, error.text);
		cr_expect(taken || (rows[i].refusal != NULL &&
		    strstr(error.text, rows[i].refusal) != NULL), "%zu: %s", i,
		    error.text);
		read_text("in", loaded, sizeof(loaded));
		cr_expect_str_eq(loaded, rows[i].loaded, "%zu", i);
		cr_expect(was_given(rows[i].last), "%zu", i);
		cr_expect(was_given(" ; set-buffer -a -w -b viatty-passing-"));
		cr_expect(was_given(passing));
		cr_expect(was_given("-t \"\\057\\144\\145\\166"));
		cr_expect(was_given(" ; delete-buffer -b viatty-passing-"));
	}
}
