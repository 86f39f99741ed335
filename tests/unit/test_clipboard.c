/* SPDX-License-Identifier: MIT */
/*
 * encoder/clipboard: OSC 52 as xterm's control sequences define it, one
 * sequence a letter, whatever the payload.
 */
#include "encoder/encoder.h"
#include "reference.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static void
expect_bytes(const struct buf *b, const char *wanted, const char *what)
{
	cr_expect(b->len == strlen(wanted) &&
	    memcmp(b->data, wanted, b->len) == 0, "%s", what);
}

/* The sequences of that payload, in one buf of at most `max` bytes. */
static bool
encode(struct buf *b, size_t max, const void *payload, size_t n, const char *letters)
{
	struct source s;
	bool fine;

	buf_init(b, max);
	encode_clipboard_write(&s, payload, n, letters);
	fine = source_all(&s, b);
	source_free(&s);
	return fine;
}

Test(clipboard, every_letter)
{
	static const char letters[] = CLIPBOARD_SELECTIONS;
	char one[2] = "", wanted[256] = "", piece[] = "\x1b]52;?;eA==\x1b\\";
	struct buf b;
	size_t i;

	cr_expect_str_eq(letters, "cpqs01234567", "the letters of xterm");
	for (i = 0; letters[i] != '\0'; i++) {
		one[0] = piece[5] = letters[i];
		strcat(wanted, piece);
		cr_expect(encode(&b, 1000, "x", 1, one));
		expect_bytes(&b, piece, one);
		buf_free(&b);
	}
	cr_expect(encode(&b, 1000, "x", 1, letters));
	expect_bytes(&b, wanted, "all of them");
	buf_free(&b);
}

Test(clipboard, every_length)
{
	enum { LENGTHS = 3000 };
	static unsigned char raw[LENGTHS];
	static char wanted[2 * (LENGTHS * 2 + 9)];
	size_t n, size;
	struct buf b;

	for (n = 0; n < LENGTHS; n++)
		raw[n] = (unsigned char)(n * 151 >> 2);
	for (n = 0; n <= LENGTHS; n += n < 300 ? 1 : 17) {
		memcpy(wanted, "\x1b]52;c;", 7);
		size = 7 + reference_encode(wanted + 7, raw, n);
		memcpy(wanted + size, "\x1b\\", 2);
		size += 2;
		memcpy(wanted + size, wanted, size);
		wanted[size + 5] = 's';
		cr_expect_eq(clipboard_write_size(n), size, "%zu bytes", n);
		cr_expect(encode(&b, sizeof(wanted), raw, n, "cs"));
		cr_expect(b.len == 2 * size && memcmp(b.data, wanted,
		    2 * size) == 0, "%zu bytes", n);
		buf_free(&b);
	}
}

Test(clipboard, question)
{
	static const char letters[] = CLIPBOARD_SELECTIONS;
	char wanted[] = "\x1b]52;c;?\x1b\\";
	struct buf b;
	size_t i;

	for (i = 0; letters[i] != '\0'; i++) {
		wanted[5] = letters[i];
		buf_init(&b, 100);
		cr_expect(encode_clipboard_read(&b, letters[i]));
		expect_bytes(&b, wanted, "a question");
		buf_free(&b);
	}
}

/* A terminal must never get part of it, so the caller must be told. */
Test(clipboard, no_room_is_said_at_every_ceiling)
{
	size_t max, whole = 2 * clipboard_write_size(6);
	struct buf b;

	for (max = 0; max < whole; max++) {
		cr_expect_not(encode(&b, max, "foobar", 6, "cp"), "%zu", max);
		cr_expect_eq(b.fault, BUF_TOO_LARGE, "%zu", max);
		buf_free(&b);
	}
	cr_expect(encode(&b, whole, "foobar", 6, "cp"), "exactly enough");
	buf_free(&b);
}

/* What foot or Alacritty would set if it acted on an aborted sequence. */
Test(clipboard, an_abort_leaves_no_base64_behind)
{
	static const char whole[] = "\x1b]52;c;Zm9vYmFyCg==\x1b\\";
	static const char stop[] = CLIPBOARD_ABORT;
	unsigned char raw[64];
	char data[64];
	size_t n;

	cr_expect_eq(stop[1], 0x18, "CAN aborts");
	cr_expect_str_eq(stop + 2, "\x1b\\", "ST ends");
	for (n = 7; n < sizeof(whole) - 3; n++) {
		memcpy(data, whole + 7, n - 7);
		data[n - 7] = stop[0];
		cr_expect_lt(reference_decode(raw, data, n - 6), 0, "%zu", n);
	}
	cr_expect_str_eq(SEQUENCE_ABORT, "\x18\x1b\\");
}
