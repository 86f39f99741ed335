/* SPDX-License-Identifier: MIT */
/* OSC 4, 10 to 12, 104 and 110 to 112, and colors in words; the bytes are drawn in encoder.h. */
#include "encoder/encoder.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define TAIL "\x1b\\"

/* 0xff and 0xffff are the same color: each byte stands in both halves of a channel. */
enum { BYTE_TO_CHANNEL = 0x101, CHANNEL_MAX = 0xffff };

static const char *const dynamic_names[] = { "foreground", "background", "cursor" };

/* OSC 10 to 12 set them, OSC 110 to 112 reset them. */
enum { SET_DYNAMIC = 10, RESET_DYNAMIC = 110 };

/* ---- numbers ------------------------------------------------------------ */

static bool
hexadecimal(const char *text, size_t n, unsigned *value)
{
	int digit;
	size_t i;

	*value = 0;
	for (i = 0; i < n; i++) {
		digit = text_hex_value(text[i]);
		if (digit < 0)
			return false;
		*value = *value * 16 + (unsigned)digit;
	}
	return n > 0;
}

/* One to four digits are a fraction: f, ff, fff and ffff are all of it. */
static bool
parse_channel(const char *text, size_t n, unsigned short *channel)
{
	unsigned value;

	if (n > 4 || !hexadecimal(text, n, &value))
		return false;
	*channel = (unsigned short)(value * CHANNEL_MAX / ((1U << (4 * n)) - 1));
	return true;
}

/* #rgb, #rrggbb, #rrrgggbbb or #rrrrggggbbbb, without the # */
static bool
parse_digits(struct color *color, const char *text, size_t n)
{
	unsigned short channel[3];
	size_t each = n / 3;

	if (n % 3 != 0 || !parse_channel(text, each, &channel[0]) ||
	    !parse_channel(text + each, each, &channel[1]) ||
	    !parse_channel(text + 2 * each, each, &channel[2]))
		return false;
	*color = (struct color){ channel[0], channel[1], channel[2] };
	return true;
}

/* Channels with slashes between them: three, and with `alpha` a fourth, which is dropped. */
static bool
parse_channels(struct color *color, const char *text, size_t n, bool alpha)
{
	unsigned short channel[4];
	size_t i, length, count = alpha ? 4 : 3;

	for (i = 0; i < count; i++) {
		const char *slash = memchr(text, '/', n);

		length = slash != NULL ? (size_t)(slash - text) : n;
		if ((slash == NULL) != (i + 1 == count) ||
		    !parse_channel(text, length, &channel[i]))
			return false;
		text += length + (slash != NULL);
		n -= length + (slash != NULL);
	}
	*color = (struct color){ channel[0], channel[1], channel[2] };
	return true;
}

static bool
has_prefix(const char *text, size_t n, const char *prefix)
{
	return n >= strlen(prefix) && memcmp(text, prefix, strlen(prefix)) == 0;
}

bool
color_parse(struct color *color, const char *text, size_t n)
{
	if (has_prefix(text, n, "#"))
		return parse_digits(color, text + 1, n - 1);
	if (has_prefix(text, n, "rgb:"))
		return parse_channels(color, text + 4, n - 4, false);
	return has_prefix(text, n, "rgba:") && parse_channels(color, text + 5, n - 5, true);
}

/* ---- names -------------------------------------------------------------- */

/* Longer than any name of the table. */
enum { NAME_MAX_BYTES = 24 };

static const struct named {
	char name[NAME_MAX_BYTES];
	unsigned value, shade[4];
} named[] = {
#define NAMED(name, value) { name, value, { 0, 0, 0, 0 } },
#define SHADES(name, value, first, second, third, fourth) \
	{ name, value, { first, second, third, fourth } },
#include "encoder/x11_colors.def"
#undef NAMED
#undef SHADES
};

static struct color
color_of(unsigned value)
{
	return (struct color){
		(unsigned short)((value >> 16 & 0xff) * BYTE_TO_CHANNEL),
		(unsigned short)((value >> 8 & 0xff) * BYTE_TO_CHANNEL),
		(unsigned short)((value & 0xff) * BYTE_TO_CHANNEL) };
}

/* Blanks and case make no difference. False: longer than any name. */
static bool
fold_name(char to[NAME_MAX_BYTES], const char *name)
{
	size_t n = 0;

	for (; *name != '\0'; name++) {
		if (*name == ' ')
			continue;
		if (n == NAME_MAX_BYTES - 1)
			return false;
		to[n++] = (char)tolower((unsigned char)*name);
	}
	to[n] = '\0';
	return true;
}

/*
 * gray0 to gray100: percent, as rgb.txt rounds it, where a half goes up but for 50 and
 * 90. Not by floating point, which the i387 rounds otherwise.
 */
static bool
gray_by_name(struct color *color, const char *name)
{
	unsigned long percent;
	unsigned level;

	if ((!text_begins(name, "gray") && !text_begins(name, "grey")) ||
	    !text_number(name + 4, 100, &percent))
		return false;
	level = (unsigned)(percent * 255 + (percent == 50 || percent == 90 ? 49 : 50)) / 100;
	*color = color_of(level << 16 | level << 8 | level);
	return true;
}

/* The name itself, or with a digit behind it. */
static bool
is_named(const struct named *row, const char *name, unsigned *value)
{
	size_t n = strlen(row->name);
	const char *digit = name + n;

	if (!text_begins(name, row->name))
		return false;
	*value = row->value;
	if (*digit == '\0')
		return true;
	if (row->shade[0] == 0 || *digit < '1' || *digit > '4' || digit[1] != '\0')
		return false;
	*value = row->shade[*digit - '1'];
	return true;
}

bool
color_by_name(struct color *color, const char *name)
{
	char folded[NAME_MAX_BYTES];
	unsigned value;
	size_t i;

	if (!fold_name(folded, name))
		return false;
	if (gray_by_name(color, folded))
		return true;
	for (i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (is_named(&named[i], folded, &value)) {
			*color = color_of(value);
			return true;
		}
	return false;
}

bool
color_which(unsigned *which, const char *name)
{
	unsigned long number;
	unsigned i;

	for (i = 0; i < sizeof(dynamic_names) / sizeof(dynamic_names[0]); i++)
		if (strcmp(name, dynamic_names[i]) == 0) {
			*which = COLOR_FOREGROUND + i;
			return true;
		}
	if (!text_number(name, COLOR_FOREGROUND - 1, &number))
		return false;
	*which = (unsigned)number;
	return true;
}

void
color_name(char name[COLOR_NAME], unsigned which)
{
	if (which < COLOR_FOREGROUND)
		snprintf(name, COLOR_NAME, "%u", which);
	else
		snprintf(name, COLOR_NAME, "%s", which < COLOR_COUNT ?
		    dynamic_names[which - COLOR_FOREGROUND] : "");
}

void
color_format(char text[COLOR_TEXT], const struct color *color)
{
	/* to the nearest of 256 levels */
	enum { HALF = BYTE_TO_CHANNEL / 2 };

	snprintf(text, COLOR_TEXT, "#%02x%02x%02x",
	    (color->red + HALF) / BYTE_TO_CHANNEL & 0xff,
	    (color->green + HALF) / BYTE_TO_CHANNEL & 0xff,
	    (color->blue + HALF) / BYTE_TO_CHANNEL & 0xff);
}

/* ITU-R BT.601: what the eye makes of red, green and blue. */
bool
color_is_dark(const struct color *color)
{
	return color->red * 299UL + color->green * 587UL + color->blue * 114UL <
	    CHANNEL_MAX * 500UL;
}

/* ---- sequences ---------------------------------------------------------- */

static bool
is_whole_bytes(const struct color *color)
{
	return color->red % BYTE_TO_CHANNEL == 0 &&
	    color->green % BYTE_TO_CHANNEL == 0 && color->blue % BYTE_TO_CHANNEL == 0;
}

/* ESC ] and the number, for a color of the palette with its own behind it. */
static bool
add_head(struct buf *out, unsigned which, const char *palette, unsigned first)
{
	char head[32];

	if (which < COLOR_FOREGROUND)
		snprintf(head, sizeof(head), "\x1b]%s;%u", palette, which);
	else
		snprintf(head, sizeof(head), "\x1b]%u", first + which - COLOR_FOREGROUND);
	return buf_add_string(out, head);
}

bool
encode_color_set(struct buf *out, unsigned which, const struct color *color)
{
	char value[32];

	if (is_whole_bytes(color))
		snprintf(value, sizeof(value), ";rgb:%02x/%02x/%02x",
		    color->red / BYTE_TO_CHANNEL & 0xff,
		    color->green / BYTE_TO_CHANNEL & 0xff,
		    color->blue / BYTE_TO_CHANNEL & 0xff);
	else
		snprintf(value, sizeof(value), ";rgb:%04x/%04x/%04x", color->red,
		    color->green, color->blue);
	return add_head(out, which, "4", SET_DYNAMIC) && buf_add_string(out, value) &&
	    buf_add_string(out, TAIL);
}

bool
encode_color_reset(struct buf *out, unsigned which)
{
	return add_head(out, which, "104", RESET_DYNAMIC) && buf_add_string(out, TAIL);
}

bool
encode_color_reset_all(struct buf *out)
{
	unsigned which;

	buf_add_string(out, "\x1b]104" TAIL);
	for (which = COLOR_FOREGROUND; which < COLOR_COUNT; which++)
		encode_color_reset(out, which);
	return out->fault == BUF_FINE;
}

bool
encode_color_read(struct buf *out, unsigned which)
{
	return add_head(out, which, "4", SET_DYNAMIC) && buf_add_string(out, ";?" TAIL);
}
