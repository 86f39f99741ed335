/* SPDX-License-Identifier: MIT */
/* base/text: versions as programs tell them, and which is the later one. */
#include "base/base.h"

#include <criterion/criterion.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

Test(version, one_is_found_in_what_programs_say)
{
	static const struct {
		const char *said;
		unsigned part[VERSION_PARTS]; /* all 0: none */
	} table[] = {
		{ "tmux 3.3a", { 3, 3, 1 } },
		{ "tmux master", { 0 } },
		{ "VIM - Vi IMproved 9.0 (2022 Jun 28)\nIncluded 1-1378", { 9, 0 } },
		{ "3.3a", { 3, 3, 1 } },
		{ "foot(1.13.1)", { 1, 13, 1 } },
		{ "Konsole 24.12.0", { 24, 12, 0 } },
		{ "3.", { 0 } },
		{ ".3", { 0 } },
		{ "", { 0 } },
		{ "1.2.3.4.5.6.7.8.9.10", { 1, 2, 3, 4 } },
		{ "99999999999999999999999 3.1", { 3, 1 } },
	};
	struct version version;
	size_t i;
	bool found;

	for (i = 0; i < LEN(table); i++) {
		found = version_find(&version, table[i].said);
		cr_expect_eq(found, table[i].part[0] != 0 || table[i].part[1] != 0, "%s",
		    table[i].said);
		if (found)
			cr_expect_arr_eq(version.part, table[i].part, sizeof(version.part), "%s",
			    table[i].said);
	}
}

Test(version, part_by_part)
{
	/* each later than the one before */
	static const char *const order[] = { "0.9", "0.10", "1.0.1", "1.13.1",
		"1.18", "3.3", "3.3a", "3.3b", "3.10", "6.1.0-beta.9",
		"6.2.0-beta.1", "24.11.9", "24.12" };
	struct version earlier, later;
	size_t i;

	for (i = 0; i + 1 < LEN(order); i++) {
		cr_assert(version_find(&earlier, order[i]));
		cr_assert(version_find(&later, order[i + 1]));
		cr_expect(version_is_at_least(&later, &earlier), "%s", order[i]);
		cr_expect_not(version_is_at_least(&earlier, &later), "%s", order[i]);
		cr_expect(version_is_at_least(&later, &later), "%s", order[i]);
	}
	cr_assert(version_find(&earlier, "1.18"));
	cr_assert(version_find(&later, "1.18.0"));
	cr_expect(version_is_at_least(&earlier, &later), "nothing is a zero");
}
