/* SPDX-License-Identifier: MIT */
/*
 * OSC 4, 10 to 12, 104 and 110 to 112, color names, and the chart; encoder.h shows the
 * bytes.
 */
#include "encoder/encoder.h"

#include "base/base.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0xff equals 0xffff: a channel has the byte twice. */
enum { BYTE_TO_CHANNEL = 0x101, CHANNEL_MAX = 0xffff };

/* ---- names and numbers ------------------------------------------------------ */

/* One to four hexadecimal digits are a fraction: f, ff, fff and ffff are 1. */
static unsigned short
scale_channel(const char *digits)
{
	unsigned long one = (1UL << (4 * strlen(digits))) - 1;

	return (unsigned short)(strtoul(digits, NULL, 16) * CHANNEL_MAX / one);
}

bool
color_parse(struct color *color, const char *text, size_t n)
{
	char red[5], green[5], blue[5], form[sizeof("rgba:ffff/ffff/ffff/ffff")];
	const bool hash = n > 0 && text[0] == '#';
	const int width = hash ? (int)((n - 1) / 3) : 0;
	int used = 0;

	if (n >= sizeof(form))
		return false;
	if (hash)
		snprintf(form, sizeof(form), "rgb:%.*s/%.*s/%.*s", width, text + 1, width,
		    text + 1 + width, width, text + 1 + width + width);
	else
		snprintf(form, sizeof(form), "%.*s", (int)n, text);
	if (sscanf(form, "rgb:%4[0-9a-fA-F]/%4[0-9a-fA-F]/%4[0-9a-fA-F]%n", red, green, blue,
	        &used) != 3 &&
	    sscanf(form, "rgba:%4[0-9a-fA-F]/%4[0-9a-fA-F]/%4[0-9a-fA-F]/%*4[0-9a-fA-F]%n",
	        red, green, blue, &used) != 3)
		return false;
	/* all of it: a # becomes five bytes with the slashes */
	if ((size_t)used != n + (hash ? 5 : 0))
		return false;
	*color = (struct color){ scale_channel(red), scale_channel(green), scale_channel(blue) };
	return true;
}

/* Longer than any name in the table. */
enum { NAME_MAX_BYTES = 24 };

static const struct {
	char name[NAME_MAX_BYTES];
	unsigned value;
} named[] = {
#define NAMED(name, value) { name, value },
#define SHADES(name, value, first, second, third, fourth) \
	{ name, value }, { name "1", first }, { name "2", second }, { name "3", third }, \
	{ name "4", fourth },
#include "encoder/x11_colors.def"
};

bool
color_by_name(struct color *color, const char *name, struct closest *closest)
{
	char folded[NAME_MAX_BYTES];
	unsigned long percent;
	unsigned value;
	size_t i, n = 0, count = sizeof(named) / sizeof(named[0]);

	for (; *name != '\0' && n < sizeof(folded) - 1; name++)
		if (*name != ' ')
			folded[n++] = (char)tolower((unsigned char)*name);
	folded[n] = '\0';
	for (i = 0; i < count && strcmp(folded, named[i].name) != 0; i++)
		closest_add(closest, named[i].name);
	if (i < count) {
		value = named[i].value;
	} else if ((text_begins(folded, "gray") || text_begins(folded, "grey")) &&
	    text_number(folded + 4, 100, &percent)) {
		/* rgb.txt rounds a half up, except for 50 and 90. Not in floating point,
		   which the i387 rounds differently. */
		value = (unsigned)(percent * 255 + (percent == 50 || percent == 90 ? 49 : 50));
		value = value / 100 * 0x010101;
	} else {
		return false;
	}
	*color = (struct color){ (unsigned short)((value >> 16) * BYTE_TO_CHANNEL),
		(unsigned short)((value >> 8 & 0xff) * BYTE_TO_CHANNEL),
		(unsigned short)((value & 0xff) * BYTE_TO_CHANNEL) };
	return *name == '\0';
}

void
color_format(char text[COLOR_TEXT], const struct color *color)
{
	/* rounds to the nearest of 256 levels */
	enum { HALF = BYTE_TO_CHANNEL / 2 };

	snprintf(text, COLOR_TEXT, "#%02x%02x%02x",
	    (color->red + HALF) / BYTE_TO_CHANNEL & 0xff,
	    (color->green + HALF) / BYTE_TO_CHANNEL & 0xff,
	    (color->blue + HALF) / BYTE_TO_CHANNEL & 0xff);
}

/* ITU-R BT.601: the weights of red, green and blue. */
bool
color_is_dark(const struct color *color)
{
	return color->red * 299UL + color->green * 587UL + color->blue * 114UL <
	    CHANNEL_MAX * 500UL;
}

/* ---- sequences -------------------------------------------------------------- */

void
encode_color(struct buf *out, unsigned which, const struct color *color)
{
	char value[COLOR_TEXT] = "?";

	if (color != NULL)
		color_format(value, color);
	if (which < COLOR_FOREGROUND)
		buf_format(out, "\x1b]4;%u;%s" ST, which, value);
	else
		buf_format(out, "\x1b]%u;%s" ST, 10 + which - COLOR_FOREGROUND, value);
}

void
encode_color_reset(struct buf *out, unsigned which)
{
	const unsigned number = 110 + which - COLOR_FOREGROUND;
	unsigned each;

	if (which < COLOR_FOREGROUND) {
		buf_format(out, "\x1b]104;%u" ST, which);
	} else if (which == COLOR_CURSOR) {
		buf_format(out, "\x1b]%u" ST, number);
	} else if (which < COLOR_COUNT) {
		buf_format(out, "\x1b]%u" ST "\x1b]%u;" ST, number, number);
	} else {
		buf_add_string(out, "\x1b]104" ST);
		for (each = COLOR_FOREGROUND; each < COLOR_COUNT; each++)
			encode_color_reset(out, each);
	}
}

/* ---- the chart -------------------------------------------------------------- */

void
encode_color_chart(struct buf *out)
{
	enum {
		CUBE_FIRST = 16, GRAYS_FIRST = 232,
		LEVEL_MAX = 255,
		WIDTH = 72 /* cells: two for each of 36 colors */
	};
	/* a heading, or parameters and text */
	static const struct {
		char parameters[24], text[20];
	} samples[] = {
		{ "", "Text attributes" },
		{ "1", "bold" }, { "2", "dim" }, { "3", "italic" }, { "4", "underline" },
		{ "5", "blink" }, { "7", "inverse" }, { "8", "hidden" }, { "9", "strike" },
		{ "53", "overline" },
		{ "", "Underline styles" },
		{ "4:1", "single" }, { "4:2", "double" }, { "4:3", "curly" },
		{ "4:4", "dotted" }, { "4:5", "dashed" },
		{ "", "Underline colors" },
		{ "4;58:5:1", "color 1" }, { "4;58:5:208", "color 208" },
		{ "4:3;58:2::0:128:255", "true color" },
	};
	unsigned i, red, blue;

	/* 40 to 47 and 100 to 107 work without 256 colors; with green in it, 30 is legible */
	buf_add_string(out, "16 colors\n  ");
	for (i = 0; i < 16; i++)
		buf_format(out, "\x1b[%u;%um%3u %s", i < 8 ? 40 + i : 92 + i,
		    (i & 2) != 0 || i > 8 ? 30 : 97, i, i == 7 ? "\x1b[m\n  " : "");
	buf_add_string(out, "\x1b[m\n256 colors\n  ");
	for (i = CUBE_FIRST; i < GRAYS_FIRST; i++)
		buf_format(out, "\x1b[48;5;%um  %s", i,
		    (i - CUBE_FIRST) % 36 == 35 ? "\x1b[m\n  " : "");
	for (; i <= LEVEL_MAX; i++)
		buf_format(out, "\x1b[48;5;%um   ", i);
	/* red falls, blue rises, green does both; steps are visible without true color */
	buf_add_string(out, "\x1b[m\nTrue color: smooth from red to blue\n  ");
	for (i = 0; i < WIDTH; i++) {
		blue = i * LEVEL_MAX / (WIDTH - 1);
		red = LEVEL_MAX - blue;
		buf_format(out, "\x1b[48;2;%u;%u;%um ", red, 2 * (red < blue ? red : blue), blue);
	}
	buf_add_string(out, "\x1b[m");
	for (i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		if (samples[i].parameters[0] == '\0')
			buf_format(out, "\n%s\n", samples[i].text);
		else
			buf_format(out, "  \x1b[%sm%s\x1b[m", samples[i].parameters,
			    samples[i].text);
	buf_add_string(out, "\n");
}
