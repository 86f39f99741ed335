/* SPDX-License-Identifier: MIT */
/*
 * text: a quotation is bounded, in quotation marks and printable from end to
 * end; nothing printable holds a control; a number is one.
 */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
