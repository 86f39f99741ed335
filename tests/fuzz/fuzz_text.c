/* SPDX-License-Identifier: MIT */
/*
 * text: a quotation is bounded, in quotation marks and printable from end to
 * end; nothing printable holds a control; a number is one; a text is made harmless
 * as the contract says.
 */
#include "base/text.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_printable(const char *text, size_t n)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t length = text_printable(text, n), i;

	if (length > 4 || length > n)
		abort();
	if (length == 1 && (c[0] < 0x20 || c[0] > 0x7e))
		abort();
	for (i = 0; length > 1 && i < length; i++)
		if (c[i] < 0x80)
			abort();
	if (length == 2 && c[0] == 0xc2 && c[1] < 0xa0)
		abort();
}

static void
check_quotation(const char *text)
{
	struct quoted q;
	size_t n, length, at;

	memset(&q, '#', sizeof(q));
	q = text_quote(text);
	if (memchr(q.text, '\0', sizeof(q.text)) == NULL)
		abort();
	n = strlen(q.text);
	if (n < 2 || q.text[0] != '"' || q.text[n - 1] != '"')
		abort();
	for (at = 0; at < n; at += length) {
		length = text_printable(q.text + at, n - at);
		if (length == 0)
			abort();
		/* inside, a mark or a backslash begins an escape of two or four */
		if (q.text[at] == '\\')
			length = q.text[at + 1] == 'x' ? 4 : 2;
		else if (q.text[at] == '"' && at != 0 && at != n - 1)
			abort();
	}
}

static void
check_number(const char *text)
{
	unsigned long value = 0;
	const char *digits = text + strspn(text, "0");
	char back[32];

	if (text_number(text, 4294967295UL, &value)) {
		if (value > 4294967295UL || *text == '\0')
			abort();
		snprintf(back, sizeof(back), "%lu", value);
		if (strcmp(back, *digits == '\0' ? "0" : digits) != 0)
			abort();
	} else if (*text != '\0' && strlen(digits) < 10 &&
	    text[strspn(text, "0123456789")] == '\0') {
		abort();
	}
}

static void
check_harmless(const uint8_t *data, size_t size, bool lines)
{
	struct bytes wanted = judge_sanitized(data, size, lines);
	struct buf b;

	buf_init(&b, (size_t)-1 / 2);
	need(text_sanitize(&b, (const char *)data, size, lines) &&
	    bytes_equal(b.data, b.len, wanted.at, wanted.n));
	release(&wanted);
	buf_free(&b);
}

static void
check_characters(const uint8_t *data, size_t size)
{
	size_t i, length;
	uint32_t point = 0;

	for (i = 0; i < size; i++) {
		length = judge_utf8(data + i, size - i, &point);
		need(text_printable((const char *)data + i, size - i) ==
		    (point < 0x20 || (point > 0x7e && point < 0xa0) ||
		    judge_is_bidi(point) || point == 0x2028 ||
		    point == 0x2029 ? 0 : length));
	}
}

/* Cut to any size it keeps whole characters, and says that it was cut. */
static void
check_format(const char *text, size_t size)
{
	char to[64];
	size_t n;

	text_format(to, sizeof(to), "%s", text);
	n = strlen(to);
	if (size < sizeof(to))
		need(strcmp(to, text) == 0);
	else
		need(n >= 3 && strcmp(to + n - 3, "...") == 0 &&
		    memcmp(to, text, n - 3) == 0 &&
		    (n == 3 || ((unsigned char)text[n - 3] & 0xc0) != 0x80));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), small[8];
	size_t i;

	if (text == NULL)
		abort();
	for (i = 0; i < size; i++)
		check_printable((const char *)data + i, size - i);
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	check_quotation(text);
	check_number(text);
	check_format(text, strlen(text));
	check_characters(data, size);
	check_harmless(data, size, false);
	check_harmless(data, size, true);
	if (text_copy(small, sizeof(small), text) ?
	    strcmp(small, text) != 0 : small[0] != '\0' || strlen(text) < 8)
		abort();
	text_clean(text);
	for (i = 0; text[i] != '\0'; i++)
		if (text[i] < 0x20 || text[i] > 0x7e)
			abort();
	free(text);
	return 0;
}
