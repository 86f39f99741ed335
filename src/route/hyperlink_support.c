/* SPDX-License-Identifier: MIT */
/* Whether the hops keep hyperlinks. */
#include "route/route.h"

#include "base/base.h"

#include <string.h>

/* tmux 3.8, hyperlinks.c; versions up to 3.7 accept URLs of any length. */
enum { TMUX_URL_MAX = 1024 };

static void
limit(struct route *route, size_t bytes, const char *name)
{
	if (bytes == 0 || (route->limit != 0 && route->limit <= bytes))
		return;
	route->limit = bytes;
	route->limited_by = name;
}

/* tmux strips hyperlinks unless the client has the feature `hyperlinks`. */
static bool
tmux_passes(struct route *route, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	const char *term = tmux->client.term;

	if (terminal_passes(hop->row, tmux->version, FEATURE_LINK) != SUPPORT_OFF)
		return refuse_route(route, "tmux before 3.4 does not support hyperlinks\n"
		    "use tmux 3.4 or later");
	if (tmux_is_at_least(tmux, 3, 8))
		limit(route, TMUX_URL_MAX, "tmux");
	return !tmux->has_client || tmux_client_has(&tmux->client, "hyperlinks") ||
	    refuse_route(route,
	        "tmux does not know that a terminal with TERM=%s has hyperlinks\n"
	        TMUX_SET_TERMINAL("as terminal-features ',%s*:hyperlinks'"),
	        text_quote(term).text, text_is_typable(term) ? term : "TERM");
}

static bool
hop_passes(struct route *route, const struct hop *hop)
{
	static const char force[] = "if your terminal shows hyperlinks here: "
	    "FORCE_HYPERLINK=1";
	const struct terminal *row = hop->row;

	if (row->cuts_urls)
		route->cut_by = row->name;
	if (terminal_passes(row, hop->tmux.version, FEATURE_LINK) == SUPPORT_YES)
		return true;
	if (hop->tmux.reachable)
		return tmux_passes(route, hop);
	if (hop_is_unreachable(hop))
		return refuse_route(route, "the tmux or Screen around this terminal cannot "
		    "be asked, and most drop hyperlinks\n%s", force);
	return refuse_route(route, "%s %s hyperlinks\n%s", row->name,
	    hop_support(hop, FEATURE_LINK) == SUPPORT_NO ? "drops" : "is not known to pass on",
	    row->instead[0] != '\0' ? row->instead : force);
}

static bool
terminal_shows(struct route *route, const struct path *path)
{
	const struct terminal *terminal = path->terminal;
	enum support support = path_support(path, FEATURE_LINK);

	if (path_is_dumb(path))
		return refuse_route(route,
		    "with TERM=dumb this terminal shows escape sequences as text");
	if (terminal == NULL)
		return true;
	limit(route, terminal->link_limit, terminal->name);
	if (terminal->cuts_urls)
		route->cut_by = terminal->name;
	if (support == SUPPORT_OFF)
		return refuse_route(route, "%s%s shows hyperlinks only with a setting\n"
		    "export FORCE_HYPERLINK=1, and %s", terminal->article, terminal->name,
		    setting_hint(terminal_switch(terminal, FEATURE_LINK)).text);
	return support != SUPPORT_NO || refuse_route(route,
	    "%s%s does not support hyperlinks", terminal->article, terminal->name);
}

bool
plan_links(struct route *route, const struct path *path)
{
	size_t i;

	route_begin(route, ROUTE_AUTO, path);
	text_copy(route->why, sizeof(route->why),
	    "nothing on the path is known to drop hyperlinks");
	for (i = 0; i < path->hops; i++)
		if (!hop_passes(route, &path->hop[i]))
			return false;
	/* the terminal that will show a detached session is unknown */
	return path_is_detached(path) || terminal_shows(route, path);
}
