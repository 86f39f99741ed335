/* SPDX-License-Identifier: MIT */
/* What a terminal can draw, for a person to look at; the bytes are drawn in encoder.h. */
#include "encoder/encoder.h"

#include <stdio.h>

enum {
	CUBE = 6,          /* levels of each channel of the colors 16 to 231 */
	CUBE_FIRST = 16,
	GRAYS_FIRST = 232,
	WIDTH = 72,        /* cells of a line: two for each of 36 colors */
	LEVEL_MAX = 255
};

struct sample {
	const char *sgr, *name;
};

static const struct sample attributes[] = {
	{ "1", "bold" }, { "2", "dim" }, { "3", "italic" }, { "4", "underline" },
	{ "5", "blink" }, { "7", "inverse" }, { "8", "hidden" }, { "9", "strike" },
	{ "53", "overline" }
};

static const struct sample underlines[] = {
	{ "4:1", "single" }, { "4:2", "double" }, { "4:3", "curly" },
	{ "4:4", "dotted" }, { "4:5", "dashed" }
};

static const struct sample underline_colors[] = {
	{ "4;58:5:1", "color 1" }, { "4;58:5:208", "color 208" },
	{ "4:3;58:2::0:128:255", "true color" }
};

static void
chart_heading(struct buf *out, const char *text)
{
	buf_add_string(out, text);
	buf_add_string(out, "\n  ");
}

static void
chart_line_end(struct buf *out)
{
	buf_add_string(out, "\x1b[m\n");
}

/* `text` on a background of the palette. */
static void
chart_cell(struct buf *out, unsigned color, const char *text)
{
	char sgr[32];

	snprintf(sgr, sizeof(sgr), "\x1b[48;5;%um", color);
	buf_add_string(out, sgr);
	buf_add_string(out, text);
}

/* By their own numbers, 40 to 47 and 100 to 107, which need no palette of 256. */
static void
chart_16(struct buf *out)
{
	char cell[32];
	unsigned i;

	chart_heading(out, "16 colors");
	for (i = 0; i < 16; i++) {
		snprintf(cell, sizeof(cell), "\x1b[%um%3u ", i < 8 ? 40 + i : 92 + i, i);
		buf_add_string(out, cell);
		if (i == 7) {
			chart_line_end(out);
			buf_add_string(out, "  ");
		}
	}
	chart_line_end(out);
}

static void
chart_256(struct buf *out)
{
	unsigned row, i;

	chart_heading(out, "256 colors");
	for (row = 0; row < CUBE; row++) {
		for (i = 0; i < CUBE * CUBE; i++)
			chart_cell(out, CUBE_FIRST + row * CUBE * CUBE + i, "  ");
		chart_line_end(out);
		buf_add_string(out, "  ");
	}
	for (i = GRAYS_FIRST; i <= LEVEL_MAX; i++)
		chart_cell(out, i, "   ");
	chart_line_end(out);
}

/* Red falls, blue rises, green does both: without true color there are steps. */
static void
chart_true_color(struct buf *out)
{
	char cell[48];
	unsigned i;

	chart_heading(out, "True color: smooth from red to blue");
	for (i = 0; i < WIDTH; i++) {
		unsigned blue = i * LEVEL_MAX / (WIDTH - 1), red = LEVEL_MAX - blue;

		snprintf(cell, sizeof(cell), "\x1b[48;2;%u;%u;%um ", red,
		    2 * (red < blue ? red : blue), blue);
		buf_add_string(out, cell);
	}
	chart_line_end(out);
}

static void
chart_samples(struct buf *out, const char *heading, const struct sample *sample, size_t n)
{
	size_t i;

	chart_heading(out, heading);
	for (i = 0; i < n; i++) {
		buf_add_string(out, i > 0 ? "  \x1b[" : "\x1b[");
		buf_add_string(out, sample[i].sgr);
		buf_add_string(out, "m");
		buf_add_string(out, sample[i].name);
		buf_add_string(out, "\x1b[m");
	}
	buf_add_string(out, "\n");
}

#define SAMPLES(array) array, sizeof(array) / sizeof((array)[0])

bool
encode_color_chart(struct buf *out)
{
	chart_16(out);
	chart_256(out);
	chart_true_color(out);
	chart_samples(out, "Text attributes", SAMPLES(attributes));
	chart_samples(out, "Underline styles", SAMPLES(underlines));
	chart_samples(out, "Underline colors", SAMPLES(underline_colors));
	return out->fault == BUF_FINE;
}
