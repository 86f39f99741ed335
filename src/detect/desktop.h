/* SPDX-License-Identifier: MIT */
/*
 * The desktop that shows the terminal: which process the terminal is, which display it
 * is on, and which programs reach its clipboard. Detect layer; for detect/detect.c.
 *
 * A copy through a program of the desktop ends where that program's display is, so the
 * display is the terminal's own: taken from the environment of its process, which is
 * found among our ancestors past every hop. Nothing is found where a connection or a
 * container is in between, and nothing is taken from another user.
 */
#ifndef DETECT_DESKTOP_H
#define DETECT_DESKTOP_H

#include "detect/hops.h"
#include "detect/path.h"
#include "terminal/desktop_tool.h"

/*
 * The desktop of the terminal at the end of `path`, where `end` stands and which is
 * `expected` unless that is NULL. With `forced`, where no such terminal is found, the
 * one that our own environment names. Its `state` says what was found. Valid until the
 * next call.
 */
const struct desktop *desktop_find(const struct path *path, const struct cursor *end,
    const struct terminal *expected, bool forced);

#endif
