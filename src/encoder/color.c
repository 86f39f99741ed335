/* SPDX-License-Identifier: MIT */
/* OSC 4, 10 to 12, 104 and 110 to 112; encoder.h shows the bytes. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0xff equals 0xffff: a channel has the byte twice. */
enum { BYTE_TO_CHANNEL = 0x101, CHANNEL_MAX = 0xffff };

/* ---- values ----------------------------------------------------------------- */

/* Reads one to four hexadecimal digits as a fraction: f, ff, fff and ffff are 1. */
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
