/* SPDX-License-Identifier: MIT */
/*
 * What the targets hold the program to, written once more from the contracts
 * and the RFCs; shares no code with what it judges.
 */
#ifndef TESTS_FUZZ_JUDGE_H
#define TESTS_FUZZ_JUDGE_H

#include "encoder/encoder.h"

#include "mux.h"

#include <stdint.h>
#include <stdio.h>

static inline void
need_at(bool fine, int line)
{
	if (fine)
		return;
	fprintf(stderr, "line %d of the target is not so\n", line);
	abort();
}

#define need(fine) need_at(fine, __LINE__)

static inline bool
bytes_equal(const void *a, size_t a_n, const void *b, size_t b_n)
{
	return a_n == b_n && (a_n == 0 || memcmp(a, b, a_n) == 0);
}

/* The bytes of the character, at most 4, by its code point: RFC 3629; or 0. */
static inline size_t
judge_utf8(const unsigned char *at, size_t n, uint32_t *point)
{
	static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 :
	    at[0] >> 4 == 14 ? 3 : at[0] >> 3 == 30 ? 4 : 0, i;

	if (length == 0 || length > n)
		return 0;
	*point = length == 1 ? at[0] : at[0] & (0x7fU >> length);
	for (i = 1; i < length; i++) {
		if (at[i] >> 6 != 2)
			return 0;
		*point = *point << 6 | (at[i] & 0x3f);
	}
	return *point < lowest[length] || *point > 0x10ffff ||
	    *point >> 11 == 0xd800 >> 11 ? 0 : length;
}

/* Bidirectional controls: Bidi_Control in Unicode's PropList.txt. */
static inline bool
judge_is_bidi(uint32_t point)
{
	return point == 0x61c || point == 0x200e || point == 0x200f ||
	    (point >= 0x202a && point <= 0x202e) ||
	    (point >= 0x2066 && point <= 0x2069);
}

/* text_sanitize() as base/base.h has it. */
static inline struct bytes
judge_sanitized(const void *text, size_t n, bool lines)
{
	const unsigned char *at = text;
	struct bytes out = { .n = 0 };
	uint32_t point = 0;
	size_t i, length;

	for (i = 0; i < n; i += length) {
		length = judge_utf8(at + i, n - i, &point);
		if (length == 1 && (point == '\n' || point == '\r')) {
			length += point == '\r' && i + 1 < n && at[i + 1] == '\n';
			put_byte(&out, lines ? '\n' : ' ');
		} else if (length == 3 && (point == 0x2028 || point == 0x2029)) {
			put_byte(&out, lines ? '\n' : ' ');
		} else if (length == 1 && point == '\t') {
			put_byte(&out, ' ');
		} else if (length == 0 || point < 0x20 ||
		    (point >= 0x7f && point < 0xa0) || judge_is_bidi(point)) {
			put(&out, "\xef\xbf\xbd", 3);
			length = length == 0 ? 1 : length;
		} else {
			put(&out, at + i, length);
		}
	}
	return out;
}

static inline int
judge_hex(unsigned char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = c == '\0' ? NULL :
	    strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);

	return found != NULL ? (int)(found - digits) : -1;
}

/* Adds what a URL means: every %XX the byte it stands for (RFC 3986, 2.1). */
static inline void
judge_percent(struct bytes *out, const void *url, size_t n)
{
	const unsigned char *at = url;
	size_t i;

	for (i = 0; i < n; i++)
		if (at[i] == '%' && n - i > 2 && judge_hex(at[i + 1]) >= 0 &&
		    judge_hex(at[i + 2]) >= 0) {
			put_byte(out, (unsigned char)(judge_hex(at[i + 1]) * 16 +
			    judge_hex(at[i + 2])));
			i += 2;
		} else {
			put_byte(out, at[i]);
		}
}

/* ---- through multiplexers ------------------------------------------------ */

/* Replaces `bytes` by what the layer passes on; gives its last state. */
static inline enum where
pass(struct bytes *bytes, enum layer layer, bool demand_silence)
{
	struct tmux_like tmux;
	struct screen_like screen;
	struct bytes out = { .n = 0 };
	enum where ends;

	if (layer == LAYER_SCREEN) {
		through_screen(&screen, bytes->at, bytes->n, &out);
		need(!demand_silence || screen.printed + screen.overflows == 0);
		ends = screen.ends;
	} else {
		through_tmux(&tmux, bytes->at, bytes->n, &out);
		need(!demand_silence || tmux.printed == 0);
		ends = tmux.ends;
	}
	release(bytes);
	*bytes = out;
	return ends;
}

/* Equal, but that the ST of an OSC may have become BEL. */
static inline bool
same(const struct bytes *out, const uint8_t *in, size_t n)
{
	size_t i = 0, j = 0;

	for (; i < out->n && j < n; i++, j++)
		if (out->at[i] == 0x07 && in[j] == 0x1b && j + 1 < n &&
		    in[j + 1] == '\\')
			j++;
		else if (out->at[i] != in[j])
			return false;
	return i == out->n && j == n;
}

#endif
