/* SPDX-License-Identifier: MIT */
/*
 * How rows of terminals.def and multiplexers.def write struct terminal_support, a cell
 * for each feature: `now` since version `first`, `before` in all older ones. For the two
 * files that expand these tables.
 */
#ifndef TERMINAL_CELLS_H
#define TERMINAL_CELLS_H

#define CELL(ID, now, first, before) \
	[FEATURE_##ID] = { .support = SUPPORT_##now, .older = SUPPORT_##before, \
		.since = first }
#define UNKNOWN(ID) CELL(ID, UNKNOWN, "", UNKNOWN)
#define NO(ID) CELL(ID, NO, "", NO)
#define YES(ID, first) CELL(ID, YES, first, NO)
#define OFF(ID, first) CELL(ID, OFF, first, NO)
#define ASKS(ID, first) CELL(ID, ASKS, first, NO)
#define EMPTIES(ID, first) CELL(ID, EMPTIES, first, NO)

#endif
