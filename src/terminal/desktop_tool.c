/* SPDX-License-Identifier: MIT */
/* The tables of desktops and their programs; the contract is in desktop_tool.h. */
#include "terminal/desktop_tool.h"

static const struct desktop_kind kinds[DESKTOPS] = {
#define DESKTOP(ID, ...) [DESKTOP_##ID] = { __VA_ARGS__ },
#include "terminal/desktops.def"
#undef DESKTOP
};

static const struct desktop_tool tools[DESKTOP_TOOLS] = {
#define TOOL(name, ID, ...) { .program = name, .desktop = DESKTOP_##ID, __VA_ARGS__ },
#include "terminal/desktop_tools.def"
#undef TOOL
};

const struct desktop_tool *
desktop_tool_at(size_t i)
{
	return i < DESKTOP_TOOLS ? &tools[i] : NULL;
}

const char *
desktop_tool_arguments(const struct desktop_tool *tool, enum desktop_action action)
{
	switch (action) {
	case DESKTOP_COPY:
		return tool->copy;
	case DESKTOP_COPY_PRIMARY:
		return tool->copy_primary;
	case DESKTOP_CLEAR:
		return tool->clear;
	case DESKTOP_CLEAR_PRIMARY:
		return tool->clear_primary;
	case DESKTOP_PASTE:
		return tool->paste;
	case DESKTOP_PASTE_PRIMARY:
		return tool->paste_primary;
	case DESKTOP_LIST:
		return tool->list;
	case DESKTOP_LIST_PRIMARY:
		return tool->list_primary;
	case DESKTOP_NOTIFY:
		return tool->notify;
	case DESKTOP_ACTIONS:
		break;
	}
	return NULL;
}

const struct desktop_kind *
desktop_kind(enum desktop_id id)
{
	return &kinds[id];
}
