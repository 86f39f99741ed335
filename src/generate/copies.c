/* SPDX-License-Identifier: MIT */
/*
 * Where a copy ends up, by place and terminal: for each place a path is made up, and
 * the route for it planned as copy does.
 */
#include "generate/generate.h"

#include "route/plan.h"

#include <stdio.h>
#include <string.h>

static const struct copy_place {
	const char *name;
	size_t hops;
	enum hop_kind hop[2];   /* from the nearest on */
	bool stepped;           /* the hops are on this machine */
	bool here;              /* the terminal is */
} places[] = {
	{ "a terminal on this machine", 0, { 0 }, false, true },
	{ "tmux", 1, { HOP_TMUX }, true, true },
	{ "tmux in tmux", 2, { HOP_TMUX, HOP_TMUX }, true, true },
	{ "a terminal of vim or neovim", 1, { HOP_EDITOR }, true, true },
	{ "GNU Screen", 1, { HOP_SCREEN }, true, true },
	{ "a login by ssh", 0, { 0 }, false, false },
	{ "tmux, shown by ssh", 1, { HOP_TMUX }, true, false },
	{ "ssh from tmux or a container", 1, { HOP_TMUX_UNREACHABLE }, false, false },
	{ "mosh", 1, { HOP_MOSH }, false, false },
	{ "Zellij", 1, { HOP_ZELLIJ }, false, true },
};

/* One that copies, one that a setting allows it, one that does not. */
static const char *const representatives[] = { "foot", "xterm", "vte" };

static void
make_up_hop(struct hop *hop, const struct copy_place *place, enum hop_kind kind)
{
	*hop = (struct hop){ .kind = kind };
	strcpy(hop->name, multiplexer_of(kind, NULL)->id);
	if (place->stepped)
		strcpy(hop->outer.name, "/dev/pts/9");
	if (kind != HOP_TMUX)
		return;
	strcpy(hop->tmux.version, "3.5");
	hop->tmux.set_clipboard = SET_CLIPBOARD_EXTERNAL;
	hop->tmux.passthrough = PASSTHROUGH_OFF;
	hop->tmux.shown = hop->tmux.has_client = true;
	hop->tmux.clients = 1;
}

/* xclip on an X display, where the terminal is on this machine and can be seen. */
static void
make_up_desktop(struct desktop *desktop, const struct copy_place *place)
{
	size_t i;

	*desktop = (struct desktop){ .state = place->here &&
		(place->stepped || place->hops == 0) ? DESKTOP_FOUND :
		DESKTOP_UNSEEN };
	desktop->has[DESKTOP_X11] = true;
	for (i = 0; i < DESKTOP_TOOLS; i++)
		if (desktop_tool_at(i)->desktop == DESKTOP_X11)
			strcpy(desktop->program[i], "/usr/bin/it");
}

static void
put_route(const struct copy_place *place, const char *terminal)
{
	static const struct request request = { .feature = FEATURE_COPY,
		.selections = "c", .payload = 5, .sequence = 16 };
	static struct desktop desktop;
	static struct path path;
	struct route route = { .kind = ROUTE_AUTO };
	bool fine;

	path = (struct path){ .fd = -1, .source = DEVICE_CONTROLLING,
		.desktop = &desktop };
	strcpy(path.device.name, "/dev/tty");
	path.terminal = path.by_environment = terminal_by_id(terminal);
	while (path.hops < place->hops) {
		make_up_hop(&path.hop[path.hops], place, place->hop[path.hops]);
		path.hops++;
	}
	make_up_desktop(&desktop, place);
	fine = plan_route(&route, &path, &request);
	printf(" Ta %s", fine ? route_words[route.kind] : "refused");
}

void
put_copies(void)
{
	size_t i, j;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		printf(".It %s", places[i].name);
		for (j = 0; j < sizeof(representatives) / sizeof(representatives[0]); j++)
			put_route(&places[i], representatives[j]);
		printf("\n");
	}
}
