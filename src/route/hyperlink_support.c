/* SPDX-License-Identifier: MIT */
/* Which hops keep hyperlinks; the contract is in hyperlink_support.h. */
#include "route/hyperlink_support.h"

#include "base/text.h"

#include <string.h>

/* tmux 3.8, hyperlinks.c; versions up to 3.7 accept URLs of any length. */
enum { TMUX_URL_MAX = 1024 };

static bool
lacks(struct hyperlinks *h, const char *reason, const char *hint)
{
	text_format(h->reason, sizeof(h->reason), "%s", reason);
	text_format(h->hint, sizeof(h->hint), "%s", hint);
	return false;
}

static void
limit(struct hyperlinks *h, size_t bytes, const char *name)
{
	if (bytes == 0 || (h->limit != 0 && h->limit <= bytes))
		return;
	h->limit = bytes;
	text_copy(h->limited_by, sizeof(h->limited_by), name);
}

/* tmux strips hyperlinks unless the client has the feature `hyperlinks`. */
static bool
tmux_passes(struct hyperlinks *h, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;

	if (multiplexer_passes(hop_row(hop), FEATURE_LINK, tmux->version) != SUPPORT_OFF)
		return lacks(h, "tmux before 3.4 does not support hyperlinks",
		    "use tmux 3.4 or later");
	if (tmux_is_at_least(tmux, 3, 8))
		limit(h, TMUX_URL_MAX, "tmux");
	if (!tmux->has_client || tmux_client_has(&tmux->client, "hyperlinks"))
		return true;
	text_format(h->reason, sizeof(h->reason), "tmux does not know that a terminal "
	    "with TERM=%s has hyperlinks", text_quote(tmux->client.term).text);
	text_format(h->hint, sizeof(h->hint),
	    TMUX_SET_TERMINAL("as terminal-features ',%s*:hyperlinks'"),
	    tmux->client.term);
	return false;
}

static bool
hop_passes(struct hyperlinks *h, const struct hop *hop)
{
	static const char force[] = "if your terminal shows hyperlinks here: "
	    "FORCE_HYPERLINK=1";
	const struct multiplexer *row = hop_row(hop);

	if (multiplexer_passes(row, FEATURE_LINK, "") == SUPPORT_YES)
		return true;
	if (hop->kind == HOP_TMUX)
		return tmux_passes(h, hop);
	if (hop_is_unreachable(hop))
		return lacks(h, "the tmux or Screen around this terminal cannot be "
		    "asked, and most drop hyperlinks", force);
	text_format(h->reason, sizeof(h->reason),
	    multiplexer_passes_now(row, FEATURE_LINK) == SUPPORT_NO ?
	    "%s drops hyperlinks" : "%s is not known to pass on hyperlinks", row->name);
	text_copy(h->hint, sizeof(h->hint), row->instead[0] != '\0' ? row->instead :
	    force);
	return false;
}

static bool
terminal_shows(struct hyperlinks *h, const char *term,
    const struct terminal *terminal)
{
	enum support support = terminal_support(terminal, FEATURE_LINK);

	if (terminal == NULL && strcmp(term, "dumb") == 0)
		return lacks(h, "with TERM=dumb this terminal shows escape sequences "
		    "as text", "");
	if (terminal == NULL)
		return true;
	limit(h, terminal->link_limit, terminal->name);
	if (support != SUPPORT_NO && support != SUPPORT_OFF)
		return true;
	text_format(h->reason, sizeof(h->reason), "%s%s %s", terminal->article,
	    terminal->name, support == SUPPORT_NO ? "does not support hyperlinks" :
	    "shows hyperlinks only with a setting");
	if (support == SUPPORT_OFF)
		text_format(h->hint, sizeof(h->hint), "set FORCE_HYPERLINK=1 and, in "
		    "the terminal, %s", terminal_switch(terminal, FEATURE_LINK));
	return false;
}

void
hyperlinks_decide(struct hyperlinks *h, const struct path *path)
{
	size_t i;

	*h = (struct hyperlinks){ .shown = true };
	for (i = 0; i < path->hops && h->shown; i++)
		h->shown = hop_passes(h, &path->hop[i]);
	if (h->shown)
		h->shown = terminal_shows(h, path->term, path_terminal(path));
	if (h->shown)
		text_format(h->reason, sizeof(h->reason),
		    "nothing on the path is known to drop hyperlinks");
}
