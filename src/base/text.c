/* SPDX-License-Identifier: MIT */
/* Text that came from outside; the contract is in text.h. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* The well-formed UTF-8 byte sequences: RFC 3629, section 4. */
static const struct {
	unsigned char first_low, first_high, second_low, second_high, length;
} utf8[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static bool
is_continuation(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

size_t
text_utf8(const char *text, size_t n)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t i, j;

	for (i = 0; i < sizeof(utf8) / sizeof(utf8[0]); i++) {
		if (c[0] < utf8[i].first_low || c[0] > utf8[i].first_high)
			continue;
		if (n < utf8[i].length || c[1] < utf8[i].second_low ||
		    c[1] > utf8[i].second_high)
			return 0;
		for (j = 2; j < utf8[i].length; j++)
			if (!is_continuation(c[j]))
				return 0;
		return utf8[i].length;
	}
	return 0;
}

/* U+0080 to U+009F: control characters, in their two-byte form. */
static bool
is_c1(const unsigned char *c)
{
	return c[0] == 0xc2 && c[1] < 0xa0;
}

/*
 * Characters that change how the text around them is shown: those that reorder
 * a line (Bidi_Control in Unicode's PropList.txt) and U+2028 and U+2029, which
 * break it. U+FEFF and the zero width space and joiners are not among them: they
 * move nothing, and scripts and emoji are written with them.
 */
static const struct {
	const char *lead;
	unsigned char last_low, last_high;
} rearranging[] = {
	{ "\xd8", 0x9c, 0x9c },     /* U+061C */
	{ "\xe2\x80", 0x8e, 0x8f }, /* U+200E, U+200F */
	{ "\xe2\x80", 0xa8, 0xae }, /* U+2028 to U+202E */
	{ "\xe2\x81", 0xa6, 0xa9 }, /* U+2066 to U+2069 */
};

/* For a whole character of two bytes or more. */
static bool
rearranges(const unsigned char *c)
{
	size_t i, n;

	for (i = 0; i < sizeof(rearranging) / sizeof(rearranging[0]); i++) {
		n = strlen(rearranging[i].lead);
		if (memcmp(c, rearranging[i].lead, n) == 0 &&
		    c[n] >= rearranging[i].last_low &&
		    c[n] <= rearranging[i].last_high)
			return true;
	}
	return false;
}

/* How many bytes at the beginning are ASCII: eight are looked at in one go. */
static size_t
ascii_prefix(const char *text, size_t n)
{
	static const uint64_t high_bits = UINT64_C(0x8080808080808080);
	uint64_t eight;
	size_t i = 0;

	for (; i + sizeof(eight) <= n; i += sizeof(eight)) {
		memcpy(&eight, text + i, sizeof(eight));
		if ((eight & high_bits) != 0)
			break;
	}
	while (i < n && (unsigned char)text[i] < 0x80)
		i++;
	return i;
}

size_t
text_utf8_prefix(const char *text, size_t n)
{
	size_t i = 0, length;

	for (;;) {
		i += ascii_prefix(text + i, n - i);
		length = i < n ? text_utf8(text + i, n - i) : 0;
		if (length == 0)
			return i;
		i += length;
	}
}

size_t
text_printable(const char *text, size_t n)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t length;

	if (n == 0)
		return 0;
	if (c[0] < 0x80)
		return c[0] >= 0x20 && c[0] != 0x7f;
	length = text_utf8(text, n);
	return length > 0 && (is_c1(c) || rearranges(c)) ? 0 : length;
}

/* One byte that must not stand for itself; 4 characters at most. */
static size_t
escape(char *to, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	static const char named[][2] = {
		{ '\n', 'n' }, { '\t', 't' }, { '"', '"' }, { '\\', '\\' },
	};
	size_t i;

	to[0] = '\\';
	for (i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (c == (unsigned char)named[i][0]) {
			to[1] = named[i][1];
			return 2;
		}
	to[1] = 'x';
	to[2] = hex[c >> 4];
	to[3] = hex[c & 15];
	return 4;
}

struct quoted
text_quote(const char *text)
{
	static const char ending[] = "...\"";
	struct quoted q = { "" };
	size_t left, n, at = 0;

	if (text == NULL) {
		text_copy(q.text, sizeof(q.text), "(none)");
		return q;
	}
	q.text[at++] = '"';
	for (left = strlen(text); left > 0; left -= n, text += n) {
		if (at + 4 + sizeof(ending) > sizeof(q.text)) {
			memcpy(q.text + at, ending, sizeof(ending));
			return q;
		}
		n = text_printable(text, left);
		if (n == 0 || *text == '"' || *text == '\\') {
			at += escape(q.text + at, (unsigned char)*text);
			n = 1;
		} else {
			memcpy(q.text + at, text, n);
			at += n;
		}
	}
	q.text[at++] = '"';
	q.text[at] = '\0';
	return q;
}

void
text_vformat(char *to, size_t size, const char *format, va_list arguments)
{
	static const char ending[] = "...";
	int length = vsnprintf(to, size, format, arguments);
	size_t cut;

	if (length < 0 || (size_t)length < size)
		return;
	if (size < sizeof(ending))
		return;
	cut = size - sizeof(ending);
	while (cut > 0 && is_continuation((unsigned char)to[cut]))
		cut--;
	memcpy(to + cut, ending, sizeof(ending));
}

void
text_format(char *to, size_t size, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text_vformat(to, size, format, arguments);
	va_end(arguments);
}

void
text_join(char *to, size_t size, const char *const *words, const char *separator)
{
	size_t i, at = 0;

	to[0] = '\0';
	for (i = 0; words[i] != NULL && at + sizeof("...") <= size;
	    i++, at += strlen(to + at))
		text_format(to + at, size - at, "%s%s", i > 0 ? separator : "",
		    words[i]);
}

bool
text_number(const char *text, unsigned long max, unsigned long *value)
{
	unsigned long digit, sum = 0;

	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		if (!text_is_digit(*text))
			return false;
		digit = (unsigned long)(*text - '0');
		if (digit > max || sum > (max - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}

/* U+2028 or U+2029. */
static bool
is_line_separator(const char *text)
{
	return memcmp(text, "\xe2\x80\xa8", 3) == 0 ||
	    memcmp(text, "\xe2\x80\xa9", 3) == 0;
}

/* What is not printable, `n` bytes left; gives the bytes it takes. */
static size_t
sanitize_other(struct buf *out, const char *text, size_t n, bool lines)
{
	static const char replacement[] = "\xef\xbf\xbd";
	size_t length = n > 1 && (unsigned char)text[0] >= 0x80 ?
	    text_utf8(text, n) : 0;

	if (length == 3 && is_line_separator(text)) {
		buf_add(out, lines ? "\n" : " ", 1);
		return length;
	}
	switch (text[0]) {
	case '\r':
		/* the LF behind it stands for both */
		if (n > 1 && text[1] == '\n')
			return 1;
		/* fall through */
	case '\n':
		buf_add(out, lines ? "\n" : " ", 1);
		return 1;
	case '\t':
		buf_add(out, " ", 1);
		return 1;
	default:
		buf_add_string(out, replacement);
		return length > 0 ? length : 1;
	}
}

bool
text_sanitize(struct buf *out, const char *text, size_t n, bool lines)
{
	size_t length;

	for (; n > 0 && out->fault == BUF_FINE; n -= length, text += length) {
		length = text_printable(text, n);
		if (length > 0)
			buf_add(out, text, length);
		else
			length = sanitize_other(out, text, n, lines);
	}
	return out->fault == BUF_FINE;
}

void
text_clean(char *text)
{
	for (; *text != '\0'; text++)
		if (*text < 0x20 || *text > 0x7e)
			*text = '?';
}

uint64_t
text_hash(const char *text, size_t n)
{
	uint64_t hash = 0xcbf29ce484222325;
	size_t i;

	for (i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
	return hash;
}

bool
text_begins(const char *text, const char *prefix)
{
	return text != NULL && strncmp(text, prefix, strlen(prefix)) == 0;
}

bool
text_equal(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

bool
text_copy(char *to, size_t size, const char *from)
{
	size_t n = strlen(from) + 1;

	if (n > size) {
		to[0] = '\0';
		return false;
	}
	memcpy(to, from, n);
	return true;
}
