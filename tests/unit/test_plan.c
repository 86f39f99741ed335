/* SPDX-License-Identifier: MIT */
/*
 * route/plan: paths and requests in words, and the route that
 * must follow from them. The expectations are those of the promise (it arrives,
 * or it is said what drops it and what would open it), not of the code.
 *
 * A row is { path, request, outcome, words, words }.
 *
 * Path, from the nearest hop outwards: "tmux 3.4 pass=on hidden > screen > foot".
 *   @asked @stdout @stderr @pane @ancestor @last   first: where our device comes from,
 *                   without one it is the controlling terminal; @unnamed: a pane
 *                   whose terminal tmux does not name; @dumb: TERM=dumb; @silent: it did not
 *                   reply; @busy: another program reads it; @in-pane: our terminal is
 *                   that of the tmux
 *   tmux            3.3a as shipped, shown by an xterm of ours on /dev/pts/9; or
 *                   a version, set= (set-clipboard), pass= (allow-passthrough),
 *                   hidden, copy-mode, term=, features=, keeps-names, sets-titles, requests
 *                   (get-clipboard);
 *                   who shows it: nobody, control (clients only), elsewhere; guests
 *                   (another user too)
 *   tmux?           one that cannot be asked; what the terminal's replies told of
 *                   it: passes, copies, both, drops, half-asked, newer (it is 3.7,
 *                   where silence about the clipboard proves nothing); or a version
 *   tmux-or-screen, screen, zellij, mosh; any other word is an editor's name
 *   on=TTY          the terminal outside of the hop; foreign: it is not ours
 *   foot 1.2        last: the terminal, if it is known, and its variable's version;
 *                   called=Tilix: the name that its user knows; program=: its process;
 *                   da1=62;22, its reply; allows, denies: what xterm has told of its
 *                   settings
 *   @ssh            logged in by ssh
 *   +x11:xclip,xsel the desktop that shows it, and the programs there; +own: the one
 *                   of our environment; +off, +unseen: none was found
 *
 * Request: a copy of 5 bytes of text to the clipboard, or title, stack and name (for
 * the nearest multiplexer), outer-title, outer-stack, progress, raw, notify (OSC 9),
 * notify777, notify99, paste, link, color (and -cursor, -reset, -query);
 * person (who may be asked to paste), at-once (is asked); route=, wrap=, term=, called=Tilix,
 * select=, bytes=, clear, not-utf8 (byte 3), nul=BYTE, type=MIME, force.
 *
 * Outcome: refused, usage, no-terminal, no-reply; or the route ("auto": a link), its program, its
 * device unless that is /dev/tty, wrap=, unknown where it is not known to arrive, "else key" where
 * a paste may need the terminal's own key, "key" where that is the way; overwrites where a newline
 * has to stand for an empty clipboard; cuts where a semicolon ends a URL. Where a limit= is named:
 * ascii, and keeps-titles, of titles. lacks=: what was looked at, is unknown and may be learned.
 *
 * Words: part of what is said of it; "!words" must not be.
 */
#include "base/base.h"
#include "route/route.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

enum { PATH, REQUEST, OUTCOME, WORDS, MORE, COLUMNS };

#define EXPECT(...) \
	expect_rows((const char *const[][COLUMNS]){ __VA_ARGS__ }, \
	    LEN(((const char *const[][COLUMNS]){ __VA_ARGS__ })))

/* ---- the words of a row ---------------------------------------------------- */

enum { WORD_MAX = 128 };

/* The next word of the text; false at its end. */
static bool
next_word(const char **text, char word[WORD_MAX])
{
	size_t n;

	*text += strspn(*text, " ");
	n = strcspn(*text, " ");
	cr_assert_lt(n, (size_t)WORD_MAX, "%s", *text);
	memcpy(word, *text, n);
	word[n] = '\0';
	*text += n;
	return n > 0;
}

/* Behind the "=" of the word if it is this one, else NULL. */
static const char *
value_of(const char *word, const char *name)
{
	size_t n = strlen(name);

	return strncmp(word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

static int
index_of(const char *word, const char *const *words, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (words[i] != NULL && strcmp(words[i], word) == 0)
			return i;
	return -1;
}

/* ---- paths ---------------------------------------------------------------- */

static void
begin_hop(struct hop *hop, const char *word)
{
	const char *id = strcmp(word, "tmux?") == 0 ? "tmux" :
	    strcmp(word, "tmux-or-screen") == 0 ? "tmux or screen" : word;

	*hop = (struct hop){ .row = terminal_by(multiplexers, BY_ID, id) };
	if (strcmp(word, "tmux") != 0)
		return;
	hop->tmux.reachable = true;
	strcpy(hop->tmux.address.socket, "/tmp/tmux-1000/default");
	hop->tmux.address.server = 4711;
	strcpy(hop->tmux.version, "3.3a");
	strcpy(hop->tmux.session, "work");
	strcpy(hop->tmux.pane_tty, "/dev/pts/3");
	hop->tmux.set_clipboard = SET_CLIPBOARD_EXTERNAL;
	hop->tmux.passthrough = PASSTHROUGH_OFF;
	hop->tmux.shown = hop->tmux.allow_rename = hop->tmux.has_client = true;
	hop->tmux.clients = 1;
	strcpy(hop->tmux.client.tty, "/dev/pts/9");
	strcpy(hop->tmux.client.term, "xterm-256color");
	strcpy(hop->tmux.client.features, "256,clipboard,title");
	strcpy(hop->outer.name, "/dev/pts/9");
}

static bool
set_clients(struct hop *hop, const char *word)
{
	struct tmux *tmux = &hop->tmux;

	if (strcmp(word, "nobody") != 0 && strcmp(word, "control") != 0 &&
	    strcmp(word, "elsewhere") != 0)
		return false;
	tmux->clients = tmux->control_clients = word[0] == 'c';
	tmux->has_client = false;
	tmux->client.tty[0] = tmux->client.term[0] = '\0';
	tmux->client.features[0] = hop->outer.name[0] = '\0';
	hop->detached = word[0] != 'c';
	if (word[0] != 'e')
		return true;
	strcpy(tmux->elsewhere.tty, "/dev/pts/77");
	strcpy(hop->outer.name, tmux->elsewhere.tty);
	return true;
}

static bool
set_tmux(struct hop *hop, const char *word)
{
	struct tmux *tmux = &hop->tmux;
	const char *value;

	if ((value = value_of(word, "set")) != NULL)
		tmux->set_clipboard = strcmp(value, "on") == 0 ?
		    SET_CLIPBOARD_ON : strcmp(value, "off") == 0 ?
		    SET_CLIPBOARD_OFF : SET_CLIPBOARD_UNKNOWN;
	else if ((value = value_of(word, "pass")) != NULL)
		tmux->passthrough = strcmp(value, "on") == 0 ? PASSTHROUGH_ON :
		    strcmp(value, "all") == 0 ? PASSTHROUGH_ALL :
		    PASSTHROUGH_UNKNOWN;
	else if ((value = value_of(word, "term")) != NULL)
		strcpy(tmux->client.term, value);
	else if ((value = value_of(word, "features")) != NULL)
		strcpy(tmux->client.features, value);
	else if (strcmp(word, "hidden") == 0)
		tmux->shown = false;
	else if (strcmp(word, "copy-mode") == 0)
		tmux->in_mode = true;
	else if (strcmp(word, "keeps-names") == 0)
		tmux->allow_rename = false;
	else if (strcmp(word, "sets-titles") == 0)
		tmux->sets_titles = true;
	else if (strcmp(word, "odd-session") == 0)
		strcpy(tmux->session, "my work"), tmux->pane[0] = '\0';
	else if (strcmp(word, "odd-socket") == 0)
		strcpy(tmux->address.socket, "/tmp/$(id)/here");
	else if (strcmp(word, "guests") == 0)
		tmux->guests = 1;
	else if (strcmp(word, "requests") == 0)
		tmux->requests_clipboard = true;
	else if (strpbrk(word, "0123456789") != NULL)
		strcpy(tmux->version, word);
	else
		return set_clients(hop, word);
	return true;
}

static bool
set_replies(struct tmux *tmux, const char *word)
{
	static const char *const words[] = {
		"passes", "copies", "drops", "half-asked", "newer", "both",
	};
	enum { PASSES, COPIES, DROPS, HALF_ASKED, NEWER, BOTH };
	int told = index_of(word, words, (int)LEN(words));

	if (told == PASSES || told == BOTH)
		tmux->passthrough = PASSTHROUGH_ON;
	else if (told == DROPS || told == NEWER)
		tmux->passthrough = PASSTHROUGH_OFF;
	if (told == COPIES || told == BOTH)
		tmux->set_clipboard = SET_CLIPBOARD_ON;
	else if (told != NEWER)
		tmux->set_clipboard = SET_CLIPBOARD_NOT_ON;
	return told >= 0;
}

static void
set_hop(struct hop *hop, const char *word)
{
	const char *value = value_of(word, "on");

	if (value != NULL) {
		strcpy(hop->outer.name, value);
	} else if (strcmp(word, "foreign") == 0) {
		hop->outer.name[0] = '\0';
		strcpy(hop->why, "/dev/pts/9: it belongs to another user");
	} else if (strcmp(word, "detached") == 0)
		hop->detached = true;
	else if (hop->row->kind == HOP_ZELLIJ || (hop->row->kind == HOP_TMUX && !hop->tmux.reachable &&
	    strpbrk(word, "0123456789") != NULL))
		strcpy(hop->tmux.version, word);
	else
		cr_assert(hop->tmux.reachable ? set_tmux(hop, word) :
		    set_replies(&hop->tmux, word), "%s", word);
}

/* Where our device comes from; the two shapes: what /dev/tty is, and a pane's. */
static void
set_source(struct path *path, const char *word)
{
	static const char *const words[] = {
		[DEVICE_CONTROLLING] = "@", [DEVICE_ASKED_FOR] = "@asked",
		[DEVICE_STDOUT] = "@stdout", [DEVICE_STDERR] = "@stderr",
		[DEVICE_PANE] = "@pane", [DEVICE_ANCESTOR] = "@ancestor",
		[DEVICE_LAST] = "@last",
	};
	static const char *const devices[] = {
		[DEVICE_CONTROLLING] = "/dev/tty",
		[DEVICE_ASKED_FOR] = "/dev/pts/5", [DEVICE_STDOUT] = "stdout",
		[DEVICE_STDERR] = "stderr", [DEVICE_PANE] = "/dev/pts/3",
		[DEVICE_ANCESTOR] = "/dev/pts/7", [DEVICE_LAST] = "/dev/pts/8",
	};
	bool unnamed = strcmp(word, "@unnamed") == 0;
	int source = unnamed ? DEVICE_PANE : index_of(word, words, (int)LEN(words));

	cr_assert(source >= 0, "%s", word);
	path->source = (enum device_source)source;
	strcpy(path->device.name, unnamed ? "" : devices[source]);
	if (path->source == DEVICE_ANCESTOR)
		strcpy(path->ancestor, "vim");
}

/* "+x11:xclip,xsel": a desktop that was found, and the programs that are there. */
static void
set_desktop(struct path *path, const char *word)
{
	static const char *const kinds[] = {
		[DESKTOP_WSL] = "+wsl", [DESKTOP_WAYLAND] = "+wayland",
		[DESKTOP_X11] = "+x11", [DESKTOP_AQUA] = "+aqua", [DESKTOP_BUS] = "+bus",
	};
	static struct desktop desktop;
	char kind[WORD_MAX], *programs;
	int id;
	size_t i;

	if (path->desktop == NULL)
		desktop = (struct desktop){ .off = false };
	path->desktop = &desktop;
	if (strcmp(word, "+own") == 0)
		desktop.own = true;
	else if ((desktop.off = strcmp(word, "+off") == 0) || strcmp(word, "+unseen") == 0)
		desktop.refusal = desktop.off ? "off" : "unseen";
	else {
		strcpy(kind, word);
		cr_assert_not_null(programs = strchr(kind, ':'), "%s", word);
		*programs++ = '\0';
		id = index_of(kind, kinds, (int)LEN(kinds));
		cr_assert(id >= 0, "%s", word);
		desktop.has[id] = true;
		strcpy(desktop.where[id], kind + 1);
		for (i = 0; i < DESKTOP_TOOLS; i++)
			if (strstr(programs, desktop_tools[i].program) != NULL)
				strcpy(desktop.program[i], "/usr/bin/it");
	}
}

/* One part between two ">": a hop, or at the end the terminal. */
static void
set_part(struct path *path, const char *word)
{
	struct hop *hop = &path->hop[path->hops > 0 ? path->hops - 1 : 0];

	if (path->found != NULL && value_of(word, "called") != NULL)
		path->found_name = "Tilix";
	else if (path->found != NULL && value_of(word, "program") != NULL)
		strcpy(path->program, value_of(word, "program"));
	else if (path->found != NULL && value_of(word, "da1") != NULL)
		strcpy(path->probe.da1, value_of(word, "da1"));
	else if (path->found != NULL && strcmp(word, "allows") == 0)
		path->probe.allows_copy = SUPPORT_YES;
	else if (path->found != NULL && strcmp(word, "denies") == 0)
		path->probe.allows_copy = SUPPORT_OFF;
	else if (path->found != NULL)
		strcpy(path->environment_version, word);
	else
		set_hop(hop, word);
}

static void
begin_part(struct path *path, const char *word)
{
	path->found = path->by_environment = terminal_by(terminals, BY_ID, word);
	if (path->found == NULL)
		begin_hop(&path->hop[path->hops++], word);
}

static void
path_of(struct path *path, const char *text)
{
	char word[WORD_MAX];
	bool begins = true;

	*path = (struct path){ .fd = -1, .term = "xterm-256color" };
	set_source(path, "@");
	while (next_word(&text, word))
		if (strcmp(word, "@dumb") == 0)
			strcpy(path->term, "dumb");
		else if (strcmp(word, "@silent") == 0)
			path->queried.silent = true;
		else if (strcmp(word, "@ssh") == 0)
			path->remote = true;
		else if (strcmp(word, "@display") == 0)
			path->names_display = true;
		else if (strcmp(word, "@in-pane") == 0)
			path->in_pane = true;
		else if (strcmp(word, "@busy") == 0)
			path->queried.error.status = STATUS_REFUSED,
			    strcpy(path->queried.error.text, "vim is reading this terminal");
		else if (word[0] == '@')
			set_source(path, word);
		else if (word[0] == '+')
			set_desktop(path, word);
		else if (strcmp(word, ">") == 0)
			begins = true;
		else if (begins) {
			begin_part(path, word);
			begins = false;
		} else
			set_part(path, word);
	path_update_end(path);
}

/* ---- requests --------------------------------------------------------------- */

/* A request, and what it points to. */
struct asked {
	struct request request;
	struct chain chain;
	char selections[WORD_MAX], type[WORD_MAX];
	/* what the path has: the terminal that the user names */
	const struct terminal *named;
	const char *named_as;
};

static bool
set_feature(struct request *request, const char *word)
{
	static const char *const words[] = {
		"title", "stack", "name", "outer-title", "outer-stack", "progress", "raw",
		"notify", "notify777", "notify99", "color", "color-cursor", "color-reset",
		"color-query", "paste", "link", "notify-best",
	};
	static const unsigned features[] = {
		FEATURE_TITLE, FEATURE_TITLE_STACK, FEATURE_WINDOW_NAME,
		FEATURE_TITLE, FEATURE_TITLE_STACK, FEATURE_PROGRESS, FEATURE_ANY,
		FEATURE_NOTIFY9, FEATURE_NOTIFY777, FEATURE_NOTIFY99, FEATURE_COLOR,
		FEATURE_COLOR_CURSOR, FEATURE_COLOR_RESET, FEATURE_COLOR_QUERY, FEATURE_PASTE,
		FEATURE_LINK, FEATURE_NOTIFICATION,
	};
	int i = index_of(word, words, (int)LEN(words));

	if (i < 0)
		return false;
	request->feature = features[i];
	request->for_multiplexer = i < 3 || text_begins(word, "color");
	request->any_session = text_begins(word, "notify");
	request->selections = features[i] == FEATURE_PASTE ? "c" : "";
	return true;
}

static void
set_request(struct asked *asked, const char *word)
{
	struct request *request = &asked->request;
	const char *value;

	if ((value = value_of(word, "route")) != NULL)
		for (; strcmp(route_words[request->given.route], value) != 0; request->given.route++)
			cr_assert(request->given.route < ROUTE_COUNT - 1, "%s", word);
	else if ((value = value_of(word, "wrap")) != NULL) {
		cr_assert(chain_parse(&asked->chain, value), "%s", word);
		request->given.chain = &asked->chain;
	} else if ((value = value_of(word, "term")) != NULL)
		cr_assert_not_null(asked->named = terminal_by(terminals, BY_ID, value));
	else if (strcmp(word, "called=Tilix") == 0)
		asked->named_as = "Tilix";
	else if ((value = value_of(word, "select")) != NULL)
		request->selections = strcpy(asked->selections, value);
	else if ((value = value_of(word, "bytes")) != NULL)
		request->payload = strtoul(value, NULL, 10);
	else if ((value = value_of(word, "type")) != NULL)
		request->type = strcpy(asked->type, value);
	else if ((value = value_of(word, "nul")) != NULL)
		request->nul = strtoul(value, NULL, 10);
	else if (strcmp(word, "ends-in-nul") == 0)
		request->ends_in_nul = true;
	else if (strcmp(word, "clear") == 0)
		request->payload = 0;
	else if (strcmp(word, "not-utf8") == 0)
		request->not_utf8 = 3;
	else if (strcmp(word, "person") == 0)
		request->prompt = PROMPT_ELSE;
	else if (strcmp(word, "at-once") == 0)
		request->prompt = PROMPT_AT_ONCE;
	else if (strcmp(word, "force") == 0)
		request->given.force = true;
	else
		cr_assert(set_feature(request, word), "%s", word);
}

static const struct request *
request_of(struct asked *asked, const char *text)
{
	struct request *request = &asked->request;
	char word[WORD_MAX];

	*request = (struct request){ .feature = FEATURE_COPY,
	    .selections = "c", .payload = 5, .given = { .probe = true } };
	asked->named = NULL;
	asked->named_as = NULL;
	while (next_word(&text, word))
		set_request(asked, word);
	request->sequence = request->feature == FEATURE_COPY ?
	    clipboard_write_size(request->payload) :
	    request->feature == FEATURE_ANY ? request->payload : 0;
	return request;
}

/* ---- outcomes --------------------------------------------------------------- */

/* What was decided for a row, and the words for it. */
struct answer {
	struct path path;
	struct asked asked;
	struct route route;
	bool sent;
};

static void
decide(struct answer *a)
{
	a->path.given.terminal = a->asked.named;
	a->path.given.terminal_name = a->asked.named_as;
	path_update_end(&a->path);
	a->sent = plan(&a->route, &a->path, &a->asked.request);
}

static void
answer_to(struct answer *a, const char *path, const char *request)
{
	path_of(&a->path, path);
	request_of(&a->asked, request);
	decide(a);
}

/* What a query or another look could show, where the row names it. */
static void
add_lacks(char *text, unsigned lacks, const char *wanted)
{
	static const char *const words[] = { "identity", "name", "setting", "hop", "clipboard",
		"passthrough", "99", "process", "desktop", "statement" };
	const char *before = " lacks=";
	size_t i;

	if (strstr(wanted, "lacks=") == NULL)
		return;
	for (i = 0; i < LEN(words); i++)
		if ((lacks & 1u << i) != 0) {
			sprintf(text + strlen(text), "%s%s", before, words[i]);
			before = ",";
		}
	strcat(text, lacks == 0 ? " lacks=nothing" : "");
}

/* In the words of a row, what is named in `wanted` only where it is named. */
static void
outcome_of(const struct answer *a, const char *wanted, char text[256])
{
	const struct route *r = &a->route;
	char layers[CHAIN_TEXT];
	const unsigned feature = a->asked.request.feature;
	struct request stack = a->asked.request;
	struct route other;
	bool by_program = r->kind == ROUTE_LOAD_BUFFER || r->kind == ROUTE_TMUX_BUFFER ||
	    r->kind == ROUTE_NATIVE || feature == FEATURE_PASTE || feature == FEATURE_LINK;

	if (!a->sent) {
		strcpy(text, a->route.refusal.status == STATUS_REFUSED ? "refused" :
		    a->route.refusal.status == STATUS_USAGE ? "usage" :
		    a->route.refusal.status == STATUS_NO_TERMINAL ? "no-terminal" :
		    a->route.refusal.status == STATUS_NO_REPLY ? "no-reply" : "failed");
		add_lacks(text, r->needs, wanted);
		return;
	}
	chain_format(&r->chain, layers);
	snprintf(text, 256, "%s%s%s%s%s%s%s%s%s", route_words[r->kind],
	    r->tool != NULL ? " " : "", r->tool != NULL ? r->tool->program : "",
	    strcmp(r->device.name, by_program ? "" : "/dev/tty") == 0 ? "" : " ",
	    strcmp(r->device.name, "/dev/tty") == 0 ? "" : r->device.name,
	    r->chain.count > 0 ? " wrap=" : "", r->chain.count > 0 ? layers : "",
	    r->by_key ? " key" : r->verdict == VERDICT_KEY ? " else key" :
	    r->verdict != VERDICT_YES ? " unknown" : "",
	    r->overwrites ? " overwrites" : "");
	add_lacks(text, r->needs, wanted);
	strcat(text, r->cut_by != NULL ? " cuts" : "");
	if (feature == FEATURE_NOTIFICATION && r->kind != ROUTE_NATIVE)
		sprintf(text + strlen(text), " by=%s%s",
		    feature_texts[notification_features[r->protocol]].word + 4,
		    r->guessed ? " guessed" : "");
	if (strstr(wanted, "limit=") == NULL)
		return;
	sprintf(text + strlen(text), " limit=%zu", r->limit);
	if (feature == FEATURE_COPY || feature == FEATURE_LINK)
		return;
	strcat(text, route_is_ascii(r) ? " ascii" : "");
	stack.feature = FEATURE_TITLE_STACK;
	plan(&other, &a->path, &stack);
	strcat(text, other.verdict == VERDICT_YES ? " keeps-titles" : "");
}

static bool
says(const struct answer *a, const char *words)
{
	const char *limited_by = a->route.limited_by != NULL ? a->route.limited_by : "";
	const char *all[] = { a->route.why, a->route.note, a->route.warning,
		a->route.refusal.text, limited_by };
	bool unwanted = words != NULL && words[0] == '!';
	size_t i;

	if (words == NULL || words[0] == '\0')
		return true;
	for (i = 0; i < LEN(all); i++)
		if (strstr(all[i], words + unwanted) != NULL)
			return !unwanted;
	return unwanted;
}

static void
expect_rows(const char *const (*row)[COLUMNS], size_t count)
{
	static struct answer a;
	char outcome[256];

	for (; count-- > 0; row++) {
		answer_to(&a, (*row)[PATH], (*row)[REQUEST]);
		outcome_of(&a, (*row)[OUTCOME], outcome);
		cr_expect_str_eq(outcome, (*row)[OUTCOME], "%s, %s: %s, not %s "
		    "(%s%s)", (*row)[PATH], (*row)[REQUEST], outcome,
		    (*row)[OUTCOME], a.route.why, a.route.refusal.text);
		cr_expect_neq((a.sent ? a.route.why : a.route.refusal.text)[0], '\0',
		    "%s, %s: no reason", (*row)[PATH], (*row)[REQUEST]);
		cr_expect(says(&a, (*row)[WORDS]) && says(&a, (*row)[MORE]),
		    "%s, %s: \"%s\" \"%s\" \"%s\" \"%s\"", (*row)[PATH], (*row)[REQUEST],
		    a.route.why, a.route.note, a.route.warning, a.route.refusal.text);
	}
}

/* ---- no multiplexer ------------------------------------------------------ */

Test(route, no_multiplexer)
{
	EXPECT(
		{ "foot", "", "direct", "no multiplexer" },
		{ "@ancestor foot", "", "direct /dev/pts/7", "vim" },
		{ "@last tmux > foot", "notify777", "client-tty /dev/pts/9" },
		{ "@last foot", "", "refused", "only notifications" },
		{ "@last foot", "title force", "refused", "only notifications" },
		{ "linux", "raw", "direct" },
		{ "", "wrap=tmux,screen",
		    "passthrough wrap=tmux,screen unknown" });
}

Test(route, terminals_that_do_not_copy)
{
	EXPECT(
		{ "vte", "", "refused",
		    "programs may not set the clipboard of a VTE terminal such as GNOME Terminal",
		    "--term" },
		{ "foot", "term=vte called=Tilix", "refused", "Tilix (like" },
		{ "vte called=Tilix", "", "refused", "Tilix (like" },
		{ "@dumb", "wrap=tmux", "passthrough wrap=tmux unknown" });
}

/* The selection and the emptying have rows of their own in the table. */
Test(route, terminals_that_do_not_clear_or_have_no_such_selection)
{
	EXPECT(
		{ "alacritty", "clear", "direct overwrites", "a newline overwrites" },
		{ "alacritty", "", "direct", "only while its window has the focus" },
		{ "contour", "select=p", "refused", "Contour" },
		{ "kitty", "select=q", "refused", "no such selection" },
		{ "mintty", "select=q", "refused", "no such selection" },
		{ "windows-terminal", "select=0", "refused", "no such selection" });
}

/* Which bytes arrive; what is known not to is not sent, for it destroys what is there. */
Test(route, bytes_that_a_terminal_does_not_store)
{
	EXPECT(
		{ "windows-terminal", "not-utf8 nul=1", "refused", "byte 1",
		    "NUL" },
		{ "windows-terminal", "not-utf8 nul=6", "refused", "byte 3",
		    "UTF-8" },
		{ "kitty", "not-utf8", "direct lacks=name" });
}

/* What other programs do not get, although the terminal takes it. */
Test(route, clipboards_of_a_page)
{
	EXPECT(
		{ "vscode-browser", "", "direct unknown", "in a browser has a clipboard of its own" },
		{ "vscode-browser", "select=p", "direct unknown", "!clipboard of its own" });
}

/* Terminals in editors, and those of other libraries. */
Test(route, what_else_people_run)
{
	EXPECT(
		{ "orca 1.4.160", "bytes=98305", "refused", "Orca", "the limit is 98304" },
		{ "warp", "link", "auto" },
		{ "xterm allows", "bytes=20000", "direct", "14994 bytes; this one has 20000" });
}

/* A version that is known and older does not; one that is not known may. */
Test(route, what_came_with_a_later_version)
{
	EXPECT(
		{ "konsole 221203", "", "refused", "before version 24.12",
		    "this is \"22.12.3\"" },
		{ "kitty 0.26.5", "progress", "refused", "0.39", "it may pop up" },
		{ "vte 7000", "progress", "refused", "0.80", "!it may pop up" });
}

/* ---- limits -------------------------------------------------------------- */

/*
 * The largest payload whose sequence fits, and one byte more of sequence. The
 * numbers are computed from the bodies that the sources of the terminals
 * count: "52;c;" and 4 characters for each 3 bytes.
 */
Test(route, limits_hold_exactly)
{
	EXPECT(
		/* 12,282 bytes were seen whole, 12,283 cut */
		{ "mosh > foot", "bytes=12282", "plain", "mosh does not send the same text twice" },
		/* ESC ]52;c; and ST around 4 * 262140 characters: 1048569 */
		{ "", "raw wrap=tmux bytes=1048570",
		    "passthrough wrap=tmux unknown" },
		{ "", "raw wrap=tmux bytes=1048571", "refused" },
		{ "screen > foot", "bytes=5000000", "passthrough wrap=screen" },
		/* 1048569 bytes, and 7 + 2 more ESC + 2 around them */
		{ "", "wrap=tmux,tmux bytes=786420", "refused", "too large" },
		{ "tmux 3.2a foreign", "route=load-buffer bytes=100000",
		    "refused", "too large" },
		{ "tmux? 3.2a copies", "bytes=100000", "refused", "before 3.3" },
		{ "tmux? 3.3a copies > foot", "bytes=100000", "plain" });
}

/* The smallest on the way, for those who want to know before they send. */
Test(route, limits_are_told)
{
	EXPECT(
		{ "mosh", "", "plain unknown limit=16388" },
		{ "tmux pass=on foreign > contour", "",
		    "passthrough wrap=tmux limit=51203" },
		{ "tmux > foot", "", "load-buffer /dev/pts/9 limit=0" });
}

/* What it has told of its settings, and what a program of the desktop does instead. */
Test(route, terminals_that_tell_their_settings)
{
	EXPECT(
		{ "xterm denies", "select=p", "refused", "disallowedWindowOps" },
		{ "xterm denies", "term=foot", "direct" },
		{ "kitty 0.42.1 da1=62;", "", "direct" },
		/* which has a setting of its own */
		{ "kitty 0.48.2 da1=62;", "select=p", "direct unknown",
		    "kitty ignores it unless its settings allow it",
		    "set in kitty.conf:\n  clipboard_control" },
		{ "iterm2 3.6.11 da1=62;4;52", "", "direct", "!setting" },
		{ "iterm2 3.6.11 da1=1;2", "", "direct unknown", "Applications in terminal may access" },
		{ "windows-terminal da1=61;4", "", "direct unknown" },
		{ "alacritty da1=6", "", "direct" },
		{ "xterm +x11:xclip", "", "native xclip",
		    "a setting is needed to let programs copy in xterm", "xclip needs none" },
		{ "tmux > xterm", "", "client-tty /dev/pts/9 unknown", "disallowedWindowOps" },
		/* without a tool the setting is what is missing */
		{ "xterm denies +x11:", "", "refused", "disallowedWindowOps", "!installed" });
}

/* ---- tmux on this machine ------------------------------------------------ */

Test(route, tmux_situations)
{
	EXPECT(
		/* whatever its options, the terminal of its client is written to past it */
		{ "tmux 2.9a set=off pass=? hidden > foot", "select=p", "client-tty /dev/pts/9" },
		{ "tmux 3.4 set=on pass=all copy-mode > foot", "select=p",
		    "client-tty /dev/pts/9" },
		{ "@asked tmux > foot", "", "refused", "allow-passthrough" },
		{ "tmux set=on foreign > foot", "route=plain bytes=786421",
		    "refused", "too large for tmux" },
		{ "@unnamed tmux foreign set=on", "route=plain", "no-terminal",
		    "reports no terminal" },
		{ "@unnamed tmux foreign > foot", "", "load-buffer" },
		{ "tmux > foot", "clear", "client-tty /dev/pts/9" },
		{ "tmux pass=on control", "raw", "plain unknown" },
		{ "tmux pass=on control", "raw route=passthrough", "refused", "control mode" },
		{ "tmux foreign > foot", "", "load-buffer", "!selection" },
		{ "tmux foreign > xterm allows", "", "load-buffer",
		    "xterm then sets the primary selection" },
		{ "tmux foreign", "", "load-buffer unknown",
		    "some terminals then set the primary selection" },
		{ "tmux set=on pass=on hidden foreign > foot", "",
		    "load-buffer" },
		{ "tmux set=on foreign", "clear", "plain unknown overwrites",
		    "a newline overwrites" });
}

/* Its terminal must take what has no selection letter as the clipboard. */
Test(route, copies_that_tmux_is_handed)
{
	EXPECT(
		{ "tmux > kitty 0.48.2", "", "load-buffer /dev/pts/9", "handed to tmux" },
		{ "tmux 3.8 > windows-terminal", "", "load-buffer /dev/pts/9" },
		{ "tmux > kitty 0.48.2", "nul=4 ends-in-nul", "client-tty /dev/pts/9", "ends in NUL" },
		{ "tmux > kitty 0.48.2", "nul=4 ends-in-nul route=load-buffer", "refused", "ends in NUL" },
		{ "tmux > kitty 0.48.2", "select=p", "client-tty /dev/pts/9", "only the clipboard" },
		{ "tmux > kitty 0.48.2", "clear", "client-tty /dev/pts/9", "cannot clear" },
		{ "tmux > kitty 0.48.2", "notify99", "client-tty /dev/pts/9", "!tmux se" },
		{ "tmux > kitty 0.26.5", "", "client-tty /dev/pts/9", "may need it" },
		{ "tmux 3.2a > kitty 0.48.2", "", "client-tty /dev/pts/9", "reliably" },
		{ "tmux term=rxvt-unicode features= > kitty 0.48.2", "", "client-tty /dev/pts/9",
		    "reliably" },
		{ "tmux > zellij > xterm", "", "load-buffer /dev/pts/9 unknown" },
		{ "tmux > tmux? > kitty 0.48.2", "", "client-tty /dev/pts/9 wrap=tmux? unknown" });
}

/* ---- routes that were asked for ----------------------------------------- */

Test(route, forced_in_tmux)
{
	EXPECT(
		{ "tmux", "route=passthrough", "refused",
		    "allow-passthrough is off", "to keep it, add it to ~/.tmux.conf without "
		    "\"tmux\":\n  tmux set -g allow-passthrough on" },
		{ "tmux 3.4 pass=on hidden", "route=passthrough", "refused",
		    "hidden pane", "allow-passthrough all" },
		{ "tmux 3.4 pass=all hidden > foot", "route=passthrough",
		    "passthrough wrap=tmux" },
		{ "tmux 3.4 pass=all copy-mode", "route=passthrough", "refused",
		    "copy mode" },
		{ "tmux set=off", "route=plain", "refused", "set-clipboard" },
		{ "tmux set=on hidden", "route=plain", "refused", "hidden pane" },
		{ "tmux 3.3a set=on > foot", "route=plain", "plain", "!selection letter" },
		{ "tmux 3.1c", "clear route=load-buffer force", "refused", "3.2" },
		{ "tmux control", "route=load-buffer", "refused", "control" },
		{ "tmux term=rxvt-unicode features=title", "route=load-buffer",
		    "refused", "rxvt-unicode",
		    "then attach again:\n  tmux set -as terminal-features ',rxvt-unicode*:clipboard'" },
		{ "tmux foreign", "route=client-tty", "refused",
		    "belongs to another user" });
}

/* What tmux sends to all clients of a session is not for another user's. */
Test(route, guests)
{
	EXPECT(
		{ "tmux nobody guests", "", "refused", "only other users have attached" },
		{ "tmux guests pass=on", "route=passthrough", "refused",
		    "another user is attached" },
		{ "tmux guests", "route=direct", "refused",
		    "another user is attached" },
		{ "tmux guests", "raw route=direct", "direct unknown" },
		{ "tmux guests", "route=load-buffer", "refused",
		    "another user is attached" },
		{ "tmux guests pass=on set=on foreign > foot", "", "refused" });
}

/* The line that would open it must be one that this tmux understands. */
Test(route, hints_fit_the_version)
{
	EXPECT(
		{ "tmux 3.2 set=on term=vt220 features=", "route=plain", "refused",
		    "terminal-features", "!terminal-overrides" },
		{ "tmux 3.1c set=on term=vt220 features=", "route=plain",
		    "refused", "terminal-overrides", "!terminal-features" },
		{ "tmux 3.3a pass=on hidden", "route=passthrough", "refused",
		    "hidden pane", "!allow-passthrough all" });
}

Test(route, reason_of_a_forced_route_is_true)
{
	EXPECT(
		{ "tmux", "route=direct", "direct unknown", "!no multiplexer",
		    "although tmux is on the path" },
		{ "screen > tmux pass=on foreign > foot", "",
		    "passthrough wrap=screen,tmux", "wrapped for screen" });
}

/* route.h: STATUS_USAGE for a forced route that cannot exist here. */
Test(route, a_forced_route_that_cannot_exist_is_a_usage_error)
{
	EXPECT(
		{ "", "route=passthrough", "usage" },
		{ "", "route=plain", "usage" },
		{ "tmux?", "route=load-buffer", "usage", "no tmux server can be reached" },
		{ "screen > foot", "route=client-tty", "usage",
		    "no tmux or editor can be bypassed" },
		{ "", "route=tmux-buffer", "usage" });
}

/* What it stores is the text of a copy: it is named to nobody else. */
Test(route, without_a_client_the_buffer_is_named_for_copied_text_only)
{
	EXPECT(
		{ "tmux nobody", "", "refused", "tmux session \"work\"",
		    "attach to it (tmux attach -t work), or store the text" },
		{ "tmux nobody", "bytes=1", "refused", "or store the text" },
		{ "tmux nobody odd-session", "", "refused", "!attach -t" },
		{ "tmux nobody odd-socket", "", "refused", "attach to it (tmux -S SOCKET attach",
		    "!$(id)" },
		{ "tmux nobody", "clear", "refused", "is detached",
		    "!tmux-buffer" },
		{ "tmux elsewhere", "", "refused", "/dev/pts/77",
		    "tmux-buffer" },
		{ "tmux elsewhere", "outer-title", "refused",
		    "the terminal of another session: --tty /dev/pts/77",
		    "!tmux-buffer" },
		{ "tmux set=on > tmux nobody", "route=plain clear", "refused",
		    "is detached", "!tmux-buffer" });
}

/* Whom a detached session has something to tell may look at another session. */
Test(route, a_notification_of_a_detached_session_goes_to_the_one_that_is_shown)
{
	EXPECT(
		{ "tmux > tmux elsewhere > kitty", "notify99", "client-tty /dev/pts/77" },
		{ "tmux elsewhere > vte +bus:notify-send", "notify", "native notify-send" },
		{ "tmux elsewhere > vte +x11:xclip", "", "refused", "is detached" });
}

/* tmux keeps what it does not interpret; its panes have titles, colors and bells. */
Test(route, plain_in_tmux_is_for_what_tmux_interprets)
{
	EXPECT(
		{ "tmux", "notify route=plain", "usage",
		    "--route plain: only copies, titles, colors and bells pass tmux unwrapped",
		    "use --route auto" },
		{ "tmux > ghostty 1.3.1", "progress route=plain force", "usage" },
		{ "tmux-or-screen", "raw route=plain", "usage", "tmux or screen" },
		{ "zellij > foot", "notify route=plain", "plain" },
		{ "screen > foot", "notify route=plain", "refused",
		    "not interpreted by" });
}

/* Both hand over the text itself, and an escape sequence is none. */
Test(route, buffers_are_for_the_clipboard_only)
{
	EXPECT(
		{ "tmux", "raw route=load-buffer", "usage", "for copied text" },
		{ "tmux", "route=tmux-buffer clear", "tmux-buffer overwrites",
		    "a newline overwrites" });
}

/* ---- nesting, and tmux that is not ours ---------------------------------- */

Test(route, nested_multiplexers)
{
	EXPECT(
		{ "tmux on=/dev/pts/4 > tmux > foot", "",
		    "load-buffer /dev/pts/9" },
		{ "tmux on=/dev/pts/4 > tmux pass=on foreign > foot", "",
		    "client-tty /dev/pts/4 wrap=tmux" },
		{ "tmux pass=on foreign > tmux pass=on foreign > foot", "",
		    "passthrough wrap=tmux,tmux" },
		{ "tmux > screen > foot", "",
		    "client-tty /dev/pts/9 wrap=screen" },
		{ "tmux > zellij", "", "load-buffer /dev/pts/9 unknown" },
		{ "tmux pass=? foreign > foot", "",
		    "passthrough wrap=tmux unknown" });
}

/* The outer one ignores what the inner one sends of its own. */
Test(route, an_outer_tmux_may_drop_what_the_inner_one_sends)
{
	EXPECT(
		{ "tmux set=on > tmux", "route=plain", "refused",
		    "set-clipboard" },
		{ "tmux set=on > tmux set=on", "route=plain", "plain unknown" },
		{ "tmux set=on foreign > screen", "", "refused" },
		{ "tmux > screen", "route=load-buffer", "refused" });
}

/* tmux sends no letter at all, and mosh knows 52;c; only. */
Test(route, mosh_drops_what_tmux_sends_of_its_own)
{
	EXPECT(
		/* with its letter, and Zellij with none */
		{ "tmux 3.4 set=on > mosh > foot", "route=plain", "plain" },
		{ "tmux set=on > zellij > foot", "route=plain", "plain" },
		{ "tmux set=on > mosh", "route=plain", "refused", "mosh" });
}

Test(route, tmux_that_cannot_be_asked)
{
	EXPECT(
		{ "tmux? > foot", "route=direct", "direct unknown",
		    "!cannot be queried" },
		{ "tmux?", "", "passthrough wrap=tmux? unknown",
		    "cannot be queried", "set-clipboard on" },
		{ "tmux? drops", "", "refused", "drops it",
		    "set -g set-clipboard on" },
		{ "tmux? drops", "route=plain", "refused", "drops it: set-clipboard is not on there\n",
		    "set -g set-clipboard on" },
		{ "tmux? drops", "raw", "refused", "drops it",
		    "set -g allow-passthrough on" },
		{ "tmux? passes", "raw", "passthrough wrap=tmux" },
		{ "tmux? newer", "", "passthrough wrap=tmux? unknown",
		    "cannot be queried" },
		{ "tmux? newer", "raw", "refused", "drops it",
		    "set -g allow-passthrough on" });
}

/* A clipboard of nothing it takes for none; up to 3.3a it sends no selection letter. */
Test(route, what_a_tmux_that_copies_does_not_send_on)
{
	EXPECT(
		{ "tmux? copies > foot", "select=p", "plain unknown", "the clipboard instead" },
		{ "tmux? 3.3a both > foot", "select=p", "passthrough wrap=tmux",
		    "!instead" },
		{ "tmux? 3.3a both > foot", "", "plain", "!instead" },
		{ "tmux? 3.4 copies > foot", "select=p", "plain", "!instead" },
		{ "tmux? copies", "clear", "plain unknown overwrites",
		    "a newline overwrites" },
		{ "tmux? both > foot", "clear", "passthrough wrap=tmux" });
}

/* ---- the others ----------------------------------------------------------- */

Test(route, screen_zellij_and_mosh)
{
	EXPECT(
		{ "zellij > foot", "raw bytes=100", "refused", "dropped by Zellij" },
		{ "mosh > foot", "raw bytes=100", "refused", "dropped by mosh", "ssh" },
		{ "zellij > foot", "name wrap=none", "refused", "Zellij" },
		{ "zellij", "not-utf8", "refused", "UTF-8" },
		{ "zellij > foot", "select=p", "plain unknown", "the selection letter is ignored by Zellij",
		    "copy_clipboard" },
		{ "mosh > foot", "clear", "plain" },
		{ "mosh", "select=pc", "refused", "mosh" },
		{ "screen > foot", "", "passthrough wrap=screen" },
		{ "screen detached", "", "refused", "session is detached",
		    "screen -r" });
}

Test(route, host_programs)
{
	EXPECT(
		{ "nvim on=/dev/pts/3 > foot", "", "client-tty /dev/pts/3",
		    "nvim" },
		{ "nvim", "", "refused", "nvim", "outside nvim" },
		{ "nvim on=/dev/pts/3", "raw", "refused", "nvim" },
		/* what tmux sends of its own it sends to Vim's terminal */
		{ "tmux set=on > vim > foot", "route=load-buffer", "refused", "vim" });
}

/* A device that was asked for is the one that is written to. */
Test(route, devices_that_were_asked_for)
{
	EXPECT(
		{ "@stdout tmux set=on > foot", "", "plain stdout" },
		{ "@stderr tmux pass=on > foot", "",
		    "passthrough stderr wrap=tmux" });
}

/* ---- the desktop --------------------------------------------------------- */

#define CANNOT "programs may not set the clipboard"

Test(route, desktop_instead_of_a_terminal_that_does_not_copy)
{
	EXPECT(
		{ "vte +x11:xclip,xsel", "", "native xclip", "GNOME Terminal", "xclip does it" },
		/* Xwayland has the same clipboard */
		{ "vte +wayland: +x11:xclip", "", "native xclip" },
		{ "@pane tmux > vte +x11:xclip", "", "native xclip" },
		/* it copies, but knows no such selection */
		{ "contour +x11:xclip", "select=p", "native xclip" },
		{ "tmux > tmux > foot +x11:xclip", "", "load-buffer /dev/pts/9" },
		{ "screen on=/dev/pts/9 > foot +x11:xclip", "", "passthrough wrap=screen" });
}

Test(route, desktop_only_where_the_terminal_is_known_not_to_copy)
{
	EXPECT(
		{ "@display vte +unseen", "", "refused", CANNOT, "--route native; or use foot" },
		/* only where it was asked for */
		{ "vte +x11:xclip +own", "", "refused", CANNOT });
}

Test(route, desktop_without_a_program)
{
	EXPECT(
		{ "vte +x11:xclip", "select=q", "refused", "only the clipboard",
		    "choose the clipboard (c) or the primary selection (p)" },
		{ "+aqua:pbcopy +own", "route=native select=p", "refused",
		    "no primary selection exists on aqua" },
		{ "+x11: +own", "route=native", "refused", "is installed",
		    "install xclip or xsel" });
}

Test(route, desktop_program_that_would_change_it)
{
	EXPECT(
		{ "alacritty +x11:xclip", "not-utf8", "native xclip", "are not taken by Alacritty",
		    "xclip takes them" },
		{ "alacritty +x11:xclip", "not-utf8 force", "direct unknown" },
		{ "foot +wayland:wl-copy", "nul=4", "native wl-copy" },
		{ "foot +wsl:powershell.exe", "route=native nul=1 not-utf8 force", "refused",
		    "byte 1 of the input is NUL, and powershell.exe stores nothing after it" });
}

Test(route, desktop_that_was_asked_for)
{
	EXPECT(
		{ "foot +x11:xclip", "route=native", "native xclip", "forced" },
		{ "vte +unseen", "route=native", "usage", "no desktop" },
		{ "", "route=native", "usage", "no desktop" },
		{ "foot +off", "route=native", "refused", "VIATTY_NATIVE=never" },
		{ "foot +x11:xclip", "route=native outer-title", "usage", "desktop tools only copy" });
}

Test(route, desktop_shows_notifications)
{
	EXPECT(
		{ "vte +bus:notify-send", "notify777", "native notify-send" },
		/* what shows another kind of them needs no desktop */
		{ "iterm2 +bus:notify-send", "notify777", "refused", "iTerm2" });
}

/* Where a display is named, which may be searched for at every copy. */
Test(route, desktop_copies_without_the_focus)
{
	EXPECT(
		{ "@display foot +wayland:wl-copy", "", "native wl-copy",
		    "only while its window has the focus does foot take a copy; wl-copy" },
		{ "@display tmux > alacritty +x11:xclip", "", "native xclip", "the focus" },
		{ "@display @ssh foot +wayland:wl-copy", "", "direct" },
		{ "@display alacritty 0.10 +x11:xclip", "", "direct" });
}

Test(route, desktop_pastes)
{
	EXPECT(
		{ "vte +x11:", "paste select=c", "refused", "no clipboard tool for X11" },
		/* its question would empty the clipboard */
		{ "st +x11:xclip", "paste select=c", "native xclip", "on this machine" },
		/* the question of the terminal would stand above ours */
		{ "kitty +x11:xclip", "paste select=c", "native xclip", "on this machine" },
		/* it replies only with a setting; an unknown version counts as the newest */
		{ "alacritty +wayland:wl-copy,wl-paste", "paste select=c", "native wl-paste" },
		{ "alacritty 0.12 +x11:xclip", "paste select=c", "direct" });
}

Test(route, any_sequence)
{
	EXPECT(
		{ "tmux", "raw", "refused", "allow-passthrough",
		    "--route client-tty" },
		{ "tmux pass=on", "raw", "passthrough wrap=tmux" });
}

/* ---- titles and progress -------------------------------------------------- */

/* What a multiplexer does itself ends there, whatever is around it. */
Test(route, titles_are_for_the_nearest)
{
	EXPECT(
		{ "@pane tmux", "title", "plain /dev/pts/3" },
		{ "screen > linux", "title", "plain" },
		{ "zellij", "stack", "plain" },
		{ "nvim on=/dev/pts/3 > foot", "title",
		    "client-tty /dev/pts/3" },
		{ "@stdout nvim on=/dev/pts/3", "title", "refused", "nvim" },
		{ "nvim", "title", "refused", "nvim", "--outer" });
}

/* tmux and Zellij keep colors for each pane; through the others they are the terminal's. */
Test(route, colors_are_for_the_nearest_that_has_its_own)
{
	EXPECT(
		{ "nvim on=/dev/pts/3 > tmux", "color", "plain /dev/pts/3" },
		{ "nvim on=/dev/pts/3 > foot", "color", "client-tty /dev/pts/3" },
		{ "screen > linux", "color", "refused", "Linux console" },
		/* Zellij before 0.44 takes only the palette, and never a cursor */
		{ "zellij 0.45.0 > foot", "color-cursor", "refused", "dropped by Zellij" },
		/* input_osc_parse_colour takes #rrggbb since 3.2 */
		{ "tmux 3.1c", "color", "refused", "this version of tmux" },
		{ "tmux 3.1c", "color-cursor", "plain" });
}

Test(route, not_every_terminal_resets_its_colors)
{
	EXPECT(
		{ "tmux", "color-reset", "plain" },
		{ "screen > mlterm", "color-reset force", "passthrough wrap=screen unknown" });
}

Test(route, what_the_nearest_does_not_do_is_said)
{
	EXPECT(
		{ "screen", "stack", "refused", "titles cannot be saved and restored in screen" },
		{ "tmux-or-screen", "stack", "refused" },
		{ "tmux keeps-names", "name", "refused", "allow-rename",
		    "set -g allow-rename on" },
		{ "tmux", "name", "plain" },
		{ "tmux keeps-names", "title", "plain" },
		{ "xterm", "name", "refused", "tmux and Screen" },
		{ "", "name wrap=none", "direct unknown" },
		{ "zellij", "name", "refused", "zellij" },
		{ "mosh", "name", "refused" });
}

Test(route, titles_of_the_terminal_around)
{
	EXPECT(
		{ "tmux > xterm", "outer-title", "client-tty /dev/pts/9",
		    "!set-titles" },
		{ "tmux sets-titles > xterm", "outer-title",
		    "client-tty /dev/pts/9", "set-titles" },
		{ "tmux > tmux sets-titles > xterm", "outer-title",
		    "client-tty /dev/pts/9", "set-titles" },
		/* it keeps titles of its own */
		{ "zellij > xterm", "outer-stack", "refused", "Zellij" });
}

/* Who does not know it pops up a notification of its numbers. */
Test(route, progress_is_for_terminals_that_are_known_to_show_it)
{
	EXPECT(
		{ "", "progress", "refused", "the terminal is unknown", "--term" },
		{ "", "progress wrap=none term=kitty", "direct unknown" },
		{ "apple-terminal", "progress", "refused" },
		{ "kitty", "progress", "refused", "its version is unknown", "--force" },
		/* of programs around a library only some show it */
		{ "vte 8400 program=gnome-terminal-", "progress", "direct" },
		{ "vte 8400", "progress", "direct unknown" },
		{ "vte 8400 program=tilix", "progress", "refused", "no progress is shown by tilix" },
		{ "vte 7000 program=tilix", "progress", "refused", "before VTE 0.80" },
		{ "zellij > kitty", "progress", "refused", "Zellij" });
}

/* A title can be cut: its limit is told, and never a reason to refuse. */
Test(route, limits_of_titles_are_told)
{
	EXPECT(
		{ "xterm 402", "stack", "direct limit=1006 keeps-titles" },
		/* Debian's saves none since 403, and tells if it is asked */
		{ "kitty", "title", "direct limit=0 keeps-titles" },
		{ "tmux > ghostty", "title",
		    "plain limit=1048574 keeps-titles" },
		{ "screen", "name", "plain limit=771 ascii" },
		{ "tmux-or-screen", "name", "plain unknown limit=771 ascii" },
		{ "mosh", "title", "plain limit=260" },
		{ "screen > xterm 402", "outer-title",
		    "passthrough wrap=screen limit=1006 ascii keeps-titles" },
		{ "tmux > mosh", "outer-title",
		    "client-tty /dev/pts/9 unknown limit=260" });
}

/* ---- hyperlinks ------------------------------------------------------------- */

/* Who passes links on, who is known not to, and the limits of those that are shown. */
Test(hyperlinks, who_shows_them)
{
	EXPECT(
		{ "@dumb", "link", "refused", "TERM=dumb" },
		{ "konsole", "link", "refused", "AllowEscapedLinks" },
		{ "xterm", "link term=kitty", "auto limit=2045", "kitty" },
		{ "tmux 3.3a features=hyperlinks term=foot > foot", "link", "refused", "3.4" },
		{ "tmux 3.4 features=256,hyperlinks,title term=foot > foot", "link",
		    "auto limit=0" },
		{ "tmux 3.4 features=256,title term=foot > foot", "link", "refused",
		    "then attach again:\n  tmux set -as terminal-features ',foot*:hyperlinks'" },
		{ "tmux 3.4 features=nohyperlinks term=foot > foot", "link", "refused",
		    "hyperlinks" },
		{ "tmux 3.4 nobody", "link", "auto unknown" },
		{ "tmux 3.4 features=hyperlinks term=xterm > xterm", "link", "refused", "xterm" },
		{ "tmux 3.8 features=hyperlinks term=xterm > vte", "link", "auto limit=1024" },
		{ "tmux-or-screen", "link", "refused",
		    "if your terminal shows hyperlinks here: FORCE_HYPERLINK=1" },
		{ "screen > foot", "link", "refused", "Screen" },
		{ "mosh > foot", "link", "refused", "mosh" },
		{ "nvim > foot", "link", "refused", "Neovim" },
		/* who does not take a semicolon in a URL */
		{ "wezterm", "link", "auto cuts" },
		{ "zellij > kitty", "link", "auto cuts" });
}

/* ---- what is read ------------------------------------------------------------ */

/* Only a terminal that has just told its name is asked for its clipboard. */
Test(route, who_is_asked_for_the_clipboard)
{
	EXPECT(
		{ "foot", "paste", "direct lacks=identity", "queried directly" },
		{ "foot", "paste term=kitty", "direct lacks=desktop" },
		{ "konsole", "paste select=p force", "refused", "Konsole" },
		{ "xterm", "paste select=p", "direct unknown" },
		{ "mintty", "paste select=p", "refused", "no primary selection" },
		{ "mintty", "paste", "direct unknown" },
		{ "@dumb", "paste", "refused lacks=nothing", "TERM=dumb" },
		{ "@silent foot", "paste", "no-reply", "does not reply to queries" },
		{ "@busy foot", "paste", "refused", "vim is reading" },
		{ "@pane tmux > foot", "paste", "no-terminal", "no terminal to read from" },
		{ "@in-pane tmux > foot", "paste", "direct lacks=nothing",
		    "tmux queries its terminal" },
		{ "@in-pane tmux 3.2 > foot", "paste", "refused", "tmux before 3.3" },
		{ "@in-pane tmux 3.7 set=on > foot", "paste", "refused", "get-clipboard request" },
		{ "@in-pane tmux 3.7 requests > foot", "paste", "refused",
		    "get-clipboard request" },
		{ "@in-pane tmux 3.7 set=on requests > foot", "paste", "direct" },
		{ "@in-pane tmux 3.7 set=on requests > kitty", "paste", "refused",
		    "tmux in kitty, which asks you first" },
		{ "@in-pane tmux 3.7 set=on requests > kitty", "paste force", "direct unknown" },
		{ "@in-pane tmux 3.7 set=on requests guests > foot", "paste", "refused", "another user" },
		{ "@in-pane tmux 3.7 > xterm", "paste", "refused", "xterm", "!get-clipboard" },
		{ "@in-pane tmux > foot", "paste select=p", "refused", "only the clipboard" },
		{ "@in-pane tmux nobody", "paste", "refused", "without a terminal of yours" },
		{ "@in-pane tmux > zellij > foot", "paste", "direct" },
		{ "@in-pane tmux > screen > foot", "paste", "refused", "tmux inside GNU Screen" },
		{ "tmux > foot", "paste", "refused", "a popup of tmux" },
		{ "tmux? > foot", "paste", "refused lacks=identity,hop", "through tmux" },
		{ "mosh > foot", "paste", "refused", "through mosh" });
}

/* The user pastes by the terminal's own key where nothing can be read: the last way. */
Test(route, pastes_by_key)
{
	EXPECT(
		{ "", "paste person", "direct else key lacks=identity" },
		{ "vte", "paste person", "direct key lacks=identity,desktop", "own key" },
		{ "@in-pane tmux > foot", "paste person", "direct" },
		{ "vte +x11:xclip", "paste at-once", "direct key lacks=nothing" },
		{ "@in-pane tmux 3.7 > foot", "paste person", "direct key" },
		{ "screen > tmux > vte", "paste person", "direct key" },
		{ "vte", "paste person select=p", "refused", "middle mouse button" },
		{ "@pane tmux > foot", "paste person", "no-terminal" });
}

Test(route, types_other_than_text_are_for_desktop_tools)
{
	EXPECT(
		{ "kitty", "type=image/png", "refused lacks=desktop", "need a desktop tool",
		    "run it where the desktop is" },
		{ "kitty +x11:", "type=image/png", "refused",
		    "no clipboard tool for X11 is installed", "xclip" },
		{ "xterm +x11:xsel", "type=image/png", "refused",
		    "only text is supported by xsel, not \"image/png\"", "xclip" },
		{ "kitty +x11:xsel", "paste type=TARGETS", "native xsel" },
		{ "kitty +unseen", "type=image/png route=native", "usage" });
}

/* Over ssh, the command at the desk comes first, where a copy may be lost. */
Test(route, what_a_relay_at_the_desk_would_take)
{
	static const char desk[] = "on the machine at the desk: viatty ssh HOST\nor ";

	EXPECT(
		{ "@ssh xterm denies", "", "refused", desk },
		/* as in a container */
		{ "vte +unseen", "", "refused", "start this shell by: viatty relay COMMAND" },
		{ "@ssh tmux?", "", "passthrough wrap=tmux? unknown", desk },
		{ "@ssh tmux-or-screen", "", "passthrough wrap=screen unknown", desk },
		{ "@ssh vte da1=65;1;9;52", "", "direct", "viatty ssh, or viatty relay, at the desk takes it" },
		/* it sets the selection that was meant, whatever tmux says of it */
		{ "tmux set=on foreign > vte da1=65;1;9;52", "select=p", "plain", "!selection letter" },
		/* it takes copies only, and of these all */
		{ "@ssh tmux?", "raw", "passthrough wrap=tmux unknown", "!viatty ssh" });
}

/* The best protocol that the terminal has; of one that is unknown, the most widespread. */
Test(route, the_protocol_of_a_notification)
{
	EXPECT(
		{ "kitty", "notify-best", "direct lacks=name by=99" },
		/* by its version, or with --term by none */
		{ "", "notify-best term=foot", "direct by=777" },
		{ "contour", "notify-best", "direct lacks=name,99 by=777" },
		{ "iterm2 3.4", "notify-best", "direct lacks=name by=9" },
		{ "", "notify-best", "direct unknown lacks=name,99,process by=9 guessed" },
		{ "zellij 0.45 > foot", "notify-best", "plain by=99" },
		{ "vte", "notify-best", "refused lacks=name,99,process,desktop",
		    "no support for notifications in", "viatty notify --bell and viatty run --bell" },
		{ "vte +bus:notify-send", "notify-best", "native notify-send" },
		{ "vte +bus:", "notify-best", "refused", "libnotify" },
		{ "mosh > foot", "notify-best", "refused", "mosh" },
		{ "@dumb", "notify-best", "refused", "TERM=dumb" });
}

/* A query for colors cannot bypass a hop. */
Test(route, who_reports_colors)
{
	EXPECT(
		{ "", "color-query", "direct lacks=nothing" },
		{ "tmux > foot", "color-query", "plain", "handled by tmux" },
		{ "nvim on=/dev/pts/4 > foot", "color-query", "passthrough unknown" },
		{ "mosh > foot", "color-query", "refused", "use ssh" });
}

/* A query is sent exactly where the plan looked at something unknown. */
Test(route, what_a_plan_lacks)
{
	EXPECT(
		{ "kitty", "", "direct lacks=nothing" },
		{ "", "title", "direct unknown lacks=process" },
		{ "", "title bytes=1000", "direct unknown lacks=name,process" },
		{ "", "link", "auto unknown lacks=name,process" },
		{ "", "raw", "direct lacks=name" },
		{ "foot", "notify99", "direct unknown lacks=name" },
		{ "xterm", "", "direct unknown lacks=name,setting,desktop", "ignores it unless" },
		{ "xterm allows", "", "direct lacks=nothing" },
		{ "vte", "", "refused lacks=name,process,desktop" },
		{ "vte da1=61;1", "", "refused lacks=process,desktop" },
		{ "xterm 403", "stack", "direct unknown lacks=name,setting" },
		{ "tmux > xterm", "title", "plain lacks=nothing" },
		{ "tmux?", "", "passthrough wrap=tmux? unknown lacks=name,clipboard,statement" },
		{ "tmux? half-asked", "",
		    "passthrough wrap=tmux? unknown lacks=name,passthrough,statement" },
		{ "tmux? copies", "", "plain unknown lacks=name" },
		{ "tmux? drops", "", "refused lacks=nothing", "the outer tmux drops it" },
		{ "tmux-or-screen", "title", "plain unknown lacks=hop" },
		{ "zellij", "color", "plain unknown lacks=hop" });
}

/* ---- whatever there is ---------------------------------------------------- */

/* What is wrong with the answer, or NULL. */
static const char *
fault_of(const struct answer *a)
{
	const struct route *route = &a->route;
	const struct request *request = &a->asked.request;
	/* what tmux does not take is written to the terminal of its client */
	bool handed = route->kind == ROUTE_LOAD_BUFFER && route->tmux != NULL &&
	    request->given.route == ROUTE_AUTO && route->device.name[0] != '\0' &&
	    strcmp(route->device.name, route->tmux->outer.name) == 0;
	bool by_program = (route->kind == ROUTE_LOAD_BUFFER && !handed) ||
	    route->kind == ROUTE_TMUX_BUFFER;
	size_t i;

	if (!a->sent)
		return a->route.refusal.status != STATUS_REFUSED &&
		    a->route.refusal.status != STATUS_USAGE ?
		    "refused with another status than 2 or 4" :
		    a->route.refusal.text[0] == '\0' ? "refused without a word" : NULL;
	if (route->kind <= ROUTE_AUTO || route->kind >= ROUTE_COUNT)
		return "sent by no route";
	if (by_program != (route->device.name[0] == '\0') ||
	    (by_program && route->tmux == NULL))
		return "sent to nowhere, or to two places";
	if (a->route.why[0] == '\0')
		return "sent without a reason";
	if (route->own_device != (strcmp(route->device.name, a->path.device.name) == 0))
		return "own_device is wrong";
	if (route->chain.count > 0 && route->kind != ROUTE_PASSTHROUGH &&
	    route->kind != ROUTE_CLIENT_TTY)
		return "layers where none belong";
	if (route->kind == ROUTE_PLAIN && route->destination == NULL &&
	    a->path.hop[0].tmux.reachable != (route->tmux != NULL))
		return "plain, and the tmux that interprets it is not named";
	if (route->kind == ROUTE_CLIENT_TTY && route->tmux != NULL &&
	    strcmp(route->device.name, route->tmux->outer.name) != 0)
		return "written to a terminal where another tmux draws";
	for (i = 0; i < a->path.hops; i++)
		if (a->path.hop[i].tmux.reachable &&
		    a->path.hop[i].tmux.clients == 0 && !request->given.force &&
		    request->given.route == ROUTE_AUTO)
			return "sent although nobody is attached";
	return NULL;
}

/*
 * Every pair of hops that there can be, both kinds of request, each route: an
 * answer that says something, and never exit 0 without anything sent.
 */
Test(route, every_answer_says_something)
{
	/* behind the last ones nothing can be seen */
	enum { STEPPABLE = 7 };
	static const char *const hops[] = {
		"tmux", "tmux foreign", "tmux set=on pass=all",
		"tmux pass=on set=on hidden foreign", "tmux 3.0a pass=on foreign",
		"screen on=/dev/pts/4", "nvim on=/dev/pts/4",
		"", "tmux nobody", "tmux control", "tmux?", "tmux-or-screen",
		"screen", "zellij", "mosh", "nvim",
	};
	static const char *const sources[] = { "", "@pane", "@stdout" };
	static const char *const requests[] = {
		"", "clear", "raw", "raw bytes=2000000",
		"force", "clear force", "raw force", "raw bytes=2000000 force",
	};
	enum { EACH = LEN(sources) * LEN(requests) * ROUTE_COUNT };
	static struct answer a;
	char path[256], request[256];
	size_t first, second, i, sent = 0;
	const char *fault;

	for (i = 0; i < LEN(hops) * LEN(hops) * EACH; i++) {
		first = i / EACH / LEN(hops), second = i / EACH % LEN(hops);
		if (first >= STEPPABLE && second != STEPPABLE)
			continue;
		snprintf(path, sizeof(path), "%s %s%s%s",
		    sources[i % LEN(sources)], hops[first],
		    hops[first][0] != '\0' && hops[second][0] != '\0' ? " > " : "",
		    hops[second]);
		snprintf(request, sizeof(request), "%s route=%s",
		    requests[i / LEN(sources) % LEN(requests)],
		    route_words[i / LEN(sources) / LEN(requests) % ROUTE_COUNT]);
		answer_to(&a, path, request);
		fault = fault_of(&a);
		cr_assert_null(fault, "%s, %s: %s", path, request, fault);
		sent += a.sent;
	}
	cr_expect_gt(sent, (size_t)1000, "only %zu were sent", sent);
}

/* Names from outside stand in messages without being able to do anything. */
Test(route, hostile_names_are_quoted)
{
	static const char hostile[] = "\x1b]52;c;!\a\n\xc2\x9b";
	static const char *const paths[] = { "tmux nobody", "tmux elsewhere" };
	static struct answer a;
	const char *at;
	char *newline;
	size_t i;

	for (i = 0; i < LEN(paths); i++) {
		path_of(&a.path, paths[i]);
		request_of(&a.asked, "");
		strcpy(a.path.hop[0].tmux.session, hostile);
		if (a.path.hop[0].tmux.elsewhere.tty[0] != '\0')
			strcpy(a.path.hop[0].tmux.elsewhere.tty, hostile);
		decide(&a);
		cr_expect_not(a.sent);
		cr_expect_not_null(strstr(a.route.refusal.text, "]52;c;!"), "%s: %s",
		    paths[i], a.route.refusal.text);
		/* the problem and the remedy, of one line each */
		newline = strchr(a.route.refusal.text, '\n');
		cr_assert_not_null(newline);
		*newline = ' ';
		for (at = a.route.refusal.text; *at != '\0'; at++)
			cr_expect((unsigned char)*at >= 0x20 && *at != 0x7f, "%s",
			    a.route.refusal.text);
	}
}

/* ---- the text of a copy ----------------------------------------------------- */

Test(route, the_first_bytes_that_terminals_may_not_store)
{
	static const struct {
		const char *text;
		size_t n, nul, not_utf8;
	} rows[] = {
		{ "plain text", 10, 0, 0 },
		{ "\xc3\xbc and a NUL\0", 13, 13, 0 },
		{ "a NUL\0\0, then \xff", 15, 6, 15 },
		{ "\xff, then a NUL\0", 14, 14, 1 },
		{ "\0\0", 2, 1, 0 },
	};
	struct request request = { .feature = FEATURE_COPY };
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		request_describe(&request, rows[i].text, rows[i].n);
		cr_expect(request.nul == rows[i].nul && request.not_utf8 == rows[i].not_utf8,
		    "row %zu: %zu, %zu", i, request.nul, request.not_utf8);
	}
}
