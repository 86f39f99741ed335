/* SPDX-License-Identifier: MIT */
/*
 * The desktop that shows the terminal: which process the terminal is, which display it
 * is on, and which programs reach its clipboard. Detect layer; for detect/detect.c.
 *
 * A copy through a program of the desktop ends where that program's display is, so the
 * display is the terminal's own: taken from the environment of its process, which is
 * found among our ancestors past every hop. No desktop is found behind ssh, mosh or a
 * container, nor that of another user.
 */
#ifndef DETECT_DESKTOP_H
#define DETECT_DESKTOP_H

#include "detect/hops.h"
#include "detect/path.h"
#include "terminal/desktop_tool.h"

/*
 * The desktop of the terminal at the end of `path`; `end` is the cursor there. A terminal
 * other than `expected` does not count (NULL: any does). With `forced`, if no such
 * terminal is found, the desktop of our own environment. `state` says what was found.
 * Static: valid until the next call.
 */
const struct desktop *desktop_find(const struct path *path, const struct cursor *end,
    const struct terminal *expected, bool forced);

#endif
