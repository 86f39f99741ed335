/* SPDX-License-Identifier: MIT */
/* base: a buf keeps what is added, up to its limit, and needs memory. */
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

Test(buf, limit_holds_to_the_byte)
{
	static const size_t limits[] = { 0, 1, 2047, 2048, 2049, 4097, 100000 };
	unsigned char byte;
	struct buf b;
	size_t i, n;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		b = (struct buf){ .max = limits[i] };
		for (n = 0; n < limits[i]; n++) {
			byte = (unsigned char)(n * 7);
			cr_assert(buf_add(&b, &byte, 1));
		}
		cr_expect(buf_add(&b, NULL, 0) && !b.full, "%zu", limits[i]);
		cr_expect_not(buf_add_string(&b, "x"), "one over %zu", limits[i]);
		cr_expect(b.full && b.len == limits[i]);
		for (n = 0; n < limits[i] && b.data[n] == (unsigned char)(n * 7);)
			n++;
		cr_expect_eq(n, limits[i], "%zu: byte %zu has changed", limits[i], n);
		buf_free(&b);
	}
}

Test(buf, sums_of_sizes_do_not_wrap_around)
{
	static const size_t extras[] = { SIZE_MAX, SIZE_MAX - 2, SIZE_MAX / 2 + 1, 100 };
	struct buf b;
	size_t i;

	for (i = 0; i < sizeof(extras) / sizeof(extras[0]); i++) {
		b = (struct buf){ .max = 101 };
		cr_assert(buf_add_string(&b, "xy"));
		cr_expect_not(buf_reserve(&b, extras[i]), "%zu", extras[i]);
		cr_expect_not(buf_add(&b, "z", 1), "full until it is freed");
		cr_expect(b.len == 2 && memcmp(b.data, "xy", 2) == 0);
		buf_free(&b);
		cr_expect(b.data == NULL && buf_add_string(&b, "abc"), "the same limit");
		buf_free(&b);
	}
}

Test(buf, formats_up_to_the_last_byte)
{
	struct buf b;

	b = (struct buf){ .max = 10 };
	cr_assert(buf_format(&b, "%s%u", "12\n4abcd", 56U));
	cr_expect(b.len == 10 && memcmp(b.data, "12\n4abcd56", 10) == 0);
	cr_expect(buf_holds(&b, "6") && buf_holds(&b, "\n4a") && !buf_holds(&b, "567"));
	cr_expect_not(buf_format(&b, "%d", 1));
	buf_free(&b);
}
