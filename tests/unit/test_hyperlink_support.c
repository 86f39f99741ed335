/* SPDX-License-Identifier: MIT */
/* route/hyperlinks: who passes links on, who is known not to, and the limits. */
#include "route/hyperlink_support.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

struct row {
	int hop; /* enum hop_kind, or -1 for none */
	const char *version, *features; /* of a tmux; no features: nobody looks */
	const char *terminal, *term;
	bool shown;
	size_t limit;
	const char *says;
};

static const struct row rows[] = {
	{ -1, NULL, NULL, NULL, "xterm-256color", true, 0, "" },
	{ -1, NULL, NULL, NULL, "", true, 0, "" },
	{ -1, NULL, NULL, NULL, "dumb", false, 0, "TERM=dumb" },
	{ -1, NULL, NULL, "vte", "xterm-256color", true, 2083, "" },
	{ -1, NULL, NULL, "kitty", "xterm-kitty", true, 2045, "" },
	{ -1, NULL, NULL, "foot", "foot", true, 0, "" },
	{ -1, NULL, NULL, "warp", "xterm-256color", true, 2083, "" },
	{ -1, NULL, NULL, "xterm", "xterm-256color", false, 0, "xterm does not support hyperlinks" },
	{ -1, NULL, NULL, "linux", "linux", false, 0, 
	    "the Linux console does not support hyperlinks" },
	{ -1, NULL, NULL, "konsole", "xterm-256color", false, 0, "AllowEscapedLinks" },
	{ HOP_TMUX, "3.3a", "hyperlinks", "foot", "foot", false, 0, "3.4" },
	{ HOP_TMUX, "3.4", "256,hyperlinks,title", "foot", "foot", true, 0, "" },
	{ HOP_TMUX, "3.4", "256,title", "foot", "foot", false, 0,
	    "terminal-features ',foot*:hyperlinks' and attach again; to keep it" },
	{ HOP_TMUX, "3.4", "nohyperlinks", "foot", "foot", false, 0, "hyperlinks" },
	{ HOP_TMUX, "3.4", NULL, NULL, "", true, 0, "" },
	{ HOP_TMUX, "3.4", "hyperlinks", "xterm", "xterm", false, 0, "xterm" },
	{ HOP_TMUX, "3.8", "hyperlinks", "vte", "xterm", true, 1024, "" },
	{ HOP_TMUX, "3.8", "hyperlinks", "foot", "foot", true, 1024, "" },
	{ HOP_TMUX_UNREACHABLE, NULL, NULL, "foot", "foot", false, 0,
	    "if your terminal shows hyperlinks here: FORCE_HYPERLINK=1" },
	{ HOP_TMUX_OR_SCREEN, NULL, NULL, NULL, "screen", false, 0,
	    "if your terminal shows hyperlinks here: FORCE_HYPERLINK=1" },
	{ HOP_SCREEN, NULL, NULL, "foot", "foot", false, 0, "Screen" },
	{ HOP_MOSH, NULL, NULL, "foot", "foot", false, 0, "mosh" },
	{ HOP_ZELLIJ, NULL, NULL, "foot", "foot", true, 0, "" },
	{ HOP_EDITOR, NULL, NULL, "foot", "foot", false, 0, "Neovim" },
};

Test(hyperlinks, who_shows_them)
{
	struct path path;
	struct hyperlinks h;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		const struct row *row = &rows[i];

		memset(&path, 0, sizeof(path));
		path.terminal = terminal_by_id(row->terminal);
		strcpy(path.term, row->term);
		if (row->hop >= 0) {
			path.hops = 1;
			path.hop[0].kind = (enum hop_kind)row->hop;
			strcpy(path.hop[0].name, "nvim");
			if (row->version != NULL)
				strcpy(path.hop[0].tmux.version, row->version);
			if (row->features != NULL) {
				path.hop[0].tmux.has_client = true;
				strcpy(path.hop[0].tmux.client.features, row->features);
				strcpy(path.hop[0].tmux.client.term, row->term);
			}
		}
		hyperlinks_decide(&h, &path);
		cr_expect_eq(h.shown, row->shown, "row %zu: %s", i, h.reason);
		if (row->shown)
			cr_expect_eq(h.limit, row->limit, "row %zu: %zu", i, h.limit);
		cr_expect(strstr(h.reason, row->says) != NULL ||
		    strstr(h.hint, row->says) != NULL, "row %zu: %s; %s", i,
		    h.reason, h.hint);
	}
}

Test(hyperlinks, a_terminal_that_is_named_outranks_what_was_found)
{
	struct path path;
	struct hyperlinks h;

	memset(&path, 0, sizeof(path));
	path.terminal = terminal_by_id("xterm");
	path.named = terminal_by_id("kitty");
	hyperlinks_decide(&h, &path);
	cr_expect(h.shown);
	cr_expect_str_eq(h.limited_by, "kitty");
}
