/* SPDX-License-Identifier: MIT */
/* The tables of desktops and their programs; the contract is in desktop_tool.h. */
#include "terminal/desktop_tool.h"

#include "terminal/terminal.h"

static const struct desktop_kind kinds[DESKTOPS] = {
#define DESKTOP(ID, ...) [DESKTOP_##ID] = { __VA_ARGS__ },
#include "terminal/desktops.def"
#undef DESKTOP
};

static const struct desktop_tool tools[DESKTOP_TOOLS] = {
#define ACTION(ID) .arguments[DESKTOP_##ID]
#define TOOL(name, ID, ...) { .program = name, .desktop = DESKTOP_##ID, __VA_ARGS__ },
#include "terminal/desktop_tools.def"
#undef TOOL
#undef ACTION
};

const struct desktop_tool *
desktop_tool_at(size_t i)
{
	return i < DESKTOP_TOOLS ? &tools[i] : NULL;
}

const char *
desktop_tool_arguments(const struct desktop_tool *tool, enum desktop_action action)
{
	return tool->arguments[action];
}

const struct desktop_kind *
desktop_kind(enum desktop_id id)
{
	return &kinds[id];
}
