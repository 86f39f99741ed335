/* SPDX-License-Identifier: MIT */
/*
 * base/buf: what is added stays, the ceiling holds to the byte, and a fault
 * stays until the buf is released.
 */
#include "base/buf.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ALLOCATOR_ABORTS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ALLOCATOR_ABORTS 1
#endif
#endif

static void
expect_content(const struct buf *b, const char *text, const char *when)
{
	cr_expect(b->len == strlen(text), "%s: %zu bytes", when, b->len);
	cr_expect(b->len == 0 || memcmp(b->data, text, b->len) == 0,
	    "%s: \"%.*s\"", when, (int)b->len, (const char *)b->data);
}

Test(buf, holds_what_is_added)
{
	struct buf b;

	buf_init(&b, 100);
	cr_expect_null(b.data, "nothing is allocated before it is needed");
	cr_expect(buf_add(&b, "one\0two", 7));
	cr_expect(b.len == 7 && memcmp(b.data, "one\0two", 7) == 0,
	    "a NUL is a byte like any other");
	cr_expect(buf_add_string(&b, "!"));
	cr_expect(b.len == 8 && b.data[7] == '!');
	buf_free(&b);
	cr_expect_null(b.data);
	cr_expect_eq(b.len, 0);
}

Test(buf, zero_sizes_are_additions_of_nothing)
{
	struct buf b;

	buf_init(&b, 0);
	cr_expect(buf_add(&b, NULL, 0), "of nothing at all");
	cr_expect(buf_add_string(&b, ""));
	cr_expect(buf_reserve(&b, 0));
	cr_expect(buf_open_front(&b, 0));
	cr_expect_eq(b.len, 0);
	cr_expect_eq(b.fault, BUF_FINE);
	cr_expect_not(buf_add(&b, "x", 1), "the ceiling is 0");
	cr_expect_eq(b.fault, BUF_TOO_LARGE);
	cr_expect_not(buf_add(&b, NULL, 0), "even nothing, after a fault");
	buf_free(&b);
}

Test(buf, ceiling_holds_to_the_byte)
{
	static const size_t ceilings[] = {
		1, 2, 7, 2047, 2048, 2049, 4095, 4096, 4097, 100000,
	};
	size_t i, n, max;
	struct buf b;

	for (i = 0; i < sizeof(ceilings) / sizeof(ceilings[0]); i++) {
		max = ceilings[i];
		buf_init(&b, max);
		for (n = 0; n < max; n++) {
			unsigned char byte = (unsigned char)(n * 7);

			cr_assert(buf_add(&b, &byte, 1), "%zu of %zu", n, max);
		}
		cr_expect_not(buf_add(&b, "x", 1), "one over %zu", max);
		cr_expect_eq(b.fault, BUF_TOO_LARGE);
		cr_expect_eq(b.len, max, "%zu: a failed addition adds", max);
		for (n = 0; n < max && b.data[n] == (unsigned char)(n * 7);)
			n++;
		cr_expect_eq(n, max, "%zu: byte %zu has changed", max, n);
		buf_free(&b);
	}
}

Test(buf, sums_of_sizes_do_not_wrap_around)
{
	static const size_t extras[] = {
		SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 2, SIZE_MAX / 2 + 1, 100,
	};
	size_t i;
	struct buf b;

	for (i = 0; i < sizeof(extras) / sizeof(extras[0]); i++) {
		buf_init(&b, 100);
		cr_assert(buf_add(&b, "xy", 2));
		cr_expect_not(buf_reserve(&b, extras[i]), "%zu", extras[i]);
		cr_expect_eq(b.fault, BUF_TOO_LARGE, "%zu", extras[i]);
		expect_content(&b, "xy", "after too large a reservation");
		buf_free(&b);
		buf_init(&b, 100);
		cr_assert(buf_add(&b, "xy", 2));
		cr_expect_not(buf_open_front(&b, extras[i]), "%zu", extras[i]);
		expect_content(&b, "xy", "after too large a gap");
		buf_free(&b);
	}
}

Test(buf, a_fault_stays_until_it_is_released)
{
	struct buf b;

	buf_init(&b, 3);
	cr_expect(buf_add_string(&b, "ab"));
	cr_expect_not(buf_add_string(&b, "cd"));
	cr_expect_not(buf_add_string(&b, "c"), "it would fit, but is not whole");
	cr_expect_not(buf_reserve(&b, 0));
	cr_expect_not(buf_open_front(&b, 0));
	expect_content(&b, "ab", "after a fault");
	buf_free(&b);
	cr_expect_eq(b.fault, BUF_FINE);
	cr_expect(buf_add_string(&b, "abc"), "the same ceiling as before");
	cr_expect_not(buf_add_string(&b, "d"));
	buf_free(&b);
}

Test(buf, no_memory_is_told_apart)
{
#ifndef ALLOCATOR_ABORTS
	struct buf b;

	buf_init(&b, SIZE_MAX / 2);
	cr_assert(buf_add_string(&b, "kept"));
	cr_expect_not(buf_reserve(&b, SIZE_MAX / 2 - 4));
	cr_expect_eq(b.fault, BUF_NO_MEMORY);
	expect_content(&b, "kept", "out of memory");
	cr_expect_not(buf_reserve(&b, SIZE_MAX), "the first fault stays");
	cr_expect_eq(b.fault, BUF_NO_MEMORY);
	buf_free(&b);
#endif
}

Test(buf, reserved_room_may_be_written)
{
	struct buf b;
	size_t n;

	for (n = 0; n < 10000; n += 37) {
		buf_init(&b, 20000);
		cr_assert(buf_add_string(&b, "head"));
		cr_assert(buf_reserve(&b, n), "%zu", n);
		if (n > 0)
			memset(b.data + b.len, 'x', n);
		b.len += n;
		cr_expect(memcmp(b.data, "head", 4) == 0, "%zu", n);
		buf_free(&b);
	}
}

Test(buf, a_gap_opens_at_the_front)
{
	struct buf b;

	buf_init(&b, 10);
	cr_assert(buf_add_string(&b, "abcdef"));
	cr_assert(buf_open_front(&b, 4));
	memcpy(b.data, "1234", 4);
	expect_content(&b, "1234abcdef", "with a gap of 4");
	cr_expect_not(buf_open_front(&b, 1));
	expect_content(&b, "1234abcdef", "with no room for one more");
	buf_free(&b);
	cr_assert(buf_open_front(&b, 3), "an empty one");
	cr_expect_eq(b.len, 3);
	buf_free(&b);
}

Test(buf, a_text_in_it)
{
	static const struct {
		const char *text;
		bool wanted;
	} rows[] = {
		{ "abc", true }, { "c\n", true }, { "xabc\n", true }, { "xabc\n!", false },
		{ "bd", false }, { "\n\n", false },
	};
	struct buf b;
	size_t i;

	buf_init(&b, 100);
	cr_expect_not(buf_holds(&b, "a"), "an empty one");
	cr_assert(buf_add_string(&b, "xabc\n"));
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(buf_holds(&b, rows[i].text), rows[i].wanted, "%s",
		    rows[i].text);
	buf_free(&b);
}
