/* SPDX-License-Identifier: MIT */
/* Untrusted text, numbers and versions in it. */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

size_t
text_utf8(const char *text, size_t n, uint32_t *point)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	/* by the first four bits */
	static const unsigned char lengths[] = { 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 2, 3, 4 };
	const unsigned char *c = (const unsigned char *)text;
	size_t i, length;

	if (n == 0)
		return 0;
	length = lengths[c[0] >> 4];
	if (length == 0 || length > n || c[0] > 0xf7)
		return 0;
	*point = length == 1 ? c[0] : c[0] & 0x7fU >> length;
	for (i = 1; i < length; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (c[i] & 0x3fU);
	}
	return *point < least[length] || (*point >= 0xd800 && *point <= 0xdfff) ||
	    *point > 0x10ffff ? 0 : length;
}

/*
 * Bidi_Control in Unicode's PropList.txt has the characters that reorder a line. U+2028 and
 * U+2029 break it. U+FEFF and the zero width space and joiners are printable: they move nothing,
 * and scripts and emoji use them.
 */
size_t
text_printable(const char *text, size_t n)
{
	uint32_t c = 0;
	size_t length = text_utf8(text, n, &c);

	if (c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c || c == 0x200e || c == 0x200f ||
	    (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
		return 0;
	return length;
}

/* The number of bytes from 1 to 0x7f at the start of the text; compares eight at a time. */
static size_t
text_ascii_prefix(const char *text, size_t n)
{
	static const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t eight;
	size_t i = 0;

	for (; i + sizeof(eight) <= n; i += sizeof(eight)) {
		memcpy(&eight, text + i, sizeof(eight));
		/* a subtraction sets the high bit only of a byte that has it, or of the first 0 */
		if (((eight | (eight - ones)) & ones << 7) != 0)
			break;
	}
	while (i < n && text[i] != '\0' && (unsigned char)text[i] < 0x80)
		i++;
	return i;
}

size_t
text_utf8_prefix(const char *text, size_t n)
{
	size_t i = 0, length;
	uint32_t point;

	do {
		i += text_ascii_prefix(text + i, n - i);
		length = i < n && text[i] != '\0' ? text_utf8(text + i, n - i, &point) : 0;
		i += length;
	} while (length > 0);
	return i;
}

size_t
text_cut(const char *text, size_t n)
{
	while (n > 0 && (text[n] & 0xc0) == 0x80)
		n--;
	return n;
}

struct quoted
text_quote(const char *text)
{
	static const char ending[] = "...\"", escaped[] = "\n\t\"\\", letter[] = "nt\"\\";
	struct quoted q = { "\"" };
	size_t left, n, at = 1;
	const char *known;

	if (text == NULL)
		return (struct quoted){ "(none)" };
	for (left = strlen(text); left > 0; left -= n, text += n) {
		if (at + 4 + sizeof(ending) > sizeof(q.text)) {
			memcpy(q.text + at, ending, sizeof(ending));
			return q;
		}
		n = text_printable(text, left);
		known = strchr(escaped, *text);
		if (n > 0 && known == NULL) {
			memcpy(q.text + at, text, n);
			at += n;
			continue;
		}
		n = 1;
		at += (size_t)(known != NULL ?
		    snprintf(q.text + at, 5, "\\%c", letter[known - escaped]) :
		    snprintf(q.text + at, 5, "\\x%02x", (unsigned char)*text));
	}
	memcpy(q.text + at, "\"", 2);
	return q;
}

void
text_vformat(char *to, size_t size, const char *format, va_list arguments)
{
	static const char ending[] = "...";
	int length = vsnprintf(to, size, format, arguments);

	if (length >= 0 && (size_t)length >= size && size >= sizeof(ending))
		memcpy(to + text_cut(to, size - sizeof(ending)), ending, sizeof(ending));
}

void
text_format(char *to, size_t size, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text_vformat(to, size, format, arguments);
	va_end(arguments);
}

bool
text_number(const char *text, unsigned long max, unsigned long *value)
{
	unsigned long number;

	/* strtoul() would also accept a sign, and white space before it */
	if (text[0] == '\0' || text[strspn(text, DIGITS)] != '\0')
		return false;
	errno = 0;
	number = strtoul(text, NULL, 10);
	if (errno != 0 || number > max)
		return false;
	*value = number;
	return true;
}

bool
text_sanitize(struct buf *out, const char *text, size_t n, bool lines)
{
	size_t length;
	uint32_t c;

	for (; n > 0 && !out->full; n -= length, text += length) {
		length = text_printable(text, n);
		if (length > 0) {
			buf_add(out, text, length);
			continue;
		}
		length = text_utf8(text, n, &c);
		if (length == 0)
			c = 0xfffd;
		length = length > 0 ? length : 1;
		/* CR LF is one line break: skip the CR */
		if (c == '\r' && n > 1 && text[1] == '\n')
			continue;
		if (c == '\r' || c == '\n' || c == 0x2028 || c == 0x2029)
			buf_add(out, lines ? "\n" : " ", 1);
		else
			buf_add_string(out, c == '\t' ? " " : "\xef\xbf\xbd");
	}
	return !out->full;
}

bool
text_is_typable(const char *word)
{
	return word[0] != '\0' && word[strspn(word, TEXT_ALNUM "/._-+,:@%")] == '\0';
}

void
text_clean(char *text)
{
	for (; *text != '\0'; text++)
		if (*text < 0x20 || *text > 0x7e)
			*text = '?';
}

bool
text_begins(const char *text, const char *prefix)
{
	/* faster than strncmp(): many are compared, and most differ in the first character */
	for (; text != NULL && *prefix != '\0' && *text == *prefix; prefix++)
		text++;
	return text != NULL && *prefix == '\0';
}

bool
text_equal(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Not by strspn() of musl, which sets up a table at each call. */
bool
text_lists(const char *list, const char *word, size_t n)
{
	size_t length;

	for (; list != NULL && *list != '\0'; list += length + (list[length] != '\0')) {
		for (length = 0; (unsigned char)list[length] > ' '; length++)
			continue;
		if (n > 0 && length == n && memcmp(list, word, n) == 0)
			return true;
	}
	return false;
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

/* ---- versions -------------------------------------------------------------- */

bool
version_find(struct version *version, const char *text)
{
	size_t i, digits;
	char *end;

	for (;; text += digits) {
		text += strcspn(text, DIGITS);
		digits = strspn(text, DIGITS);
		if (digits == 0)
			return false;
		if (text[digits] == '.' && isdigit((unsigned char)text[digits + 1]))
			break;
	}
	*version = (struct version){ .part = { 0 } };
	for (i = 0; i < VERSION_PARTS && isdigit((unsigned char)*text); i++) {
		version->part[i] = (unsigned)strtoul(text, &end, 10);
		text = end + strspn(end, ".");
	}
	if (i < VERSION_PARTS && *text >= 'a' && *text <= 'z')
		version->part[i] = (unsigned)(*text - 'a' + 1);
	return true;
}

bool
version_is_at_least(const struct version *version, const struct version *other)
{
	size_t i;

	for (i = 0; i < VERSION_PARTS; i++)
		if (version->part[i] != other->part[i])
			return version->part[i] > other->part[i];
	return true;
}
