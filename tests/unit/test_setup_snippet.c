/* SPDX-License-Identifier: MIT */
/* commands/setup_snippet: lines that depend on the version of their program. */
#include "commands/setup_snippet.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

Test(setup_snippet, conditions)
{
	static const struct {
		const char *line, *version, *rest; /* NULL: not for this version */
	} table[] = {
		{ "bind", "3.3a", "bind" },
		{ "", "3.3a", "" },
		{ "@>=3.2 set", "3.2", "set" },
		{ "@>=3.2 set", "3.10", "set" },
		{ "@>=3.2 set", "4.0", "set" },
		{ "@>=3.2 set", "3.1c", NULL },
		{ "@>=3.2 set", "2.9a", NULL },
		{ "@<3.2 set", "3.2", NULL },
		{ "@<3.2 set", "3.1c", "set" },
		{ "@>=3.3a set", "3.3", NULL },
		{ "@>=3.3a set", "3.3b", "set" },
		{ "@>=4.1 set", "4.09.00", "set" },
		{ "@>=0.10 set", "0.9.5", NULL },
		{ "@>=2.4 @<3.2 set", "3.1", "set" },
		{ "@>=2.4 @<3.2 set", "3.2", NULL },
		{ "@>=2.4 @<3.2 set", "2.3", NULL },
		{ "@<8.1   indented", "8.0", "  indented" },
		{ "@<8.1", "8.0", "" },
		{ "@other set", "8.0", "@other set" },
	};
	struct version version;
	const char *line;
	size_t i;
	bool applies;

	for (i = 0; i < LEN(table); i++) {
		cr_assert(version_find(&version, table[i].version));
		line = table[i].line;
		applies = snippet_applies(&line, &version);
		cr_expect_eq(applies, table[i].rest != NULL, "%s for %s",
		    table[i].line, table[i].version);
		if (applies && table[i].rest != NULL)
			cr_expect_str_eq(line, table[i].rest);
	}
}

Test(setup_snippet, the_newest_is_later_than_all)
{
	const char *line = "@>=999.9 set", *other = "@<999.9 set";

	cr_expect(snippet_applies(&line, &version_newest));
	cr_expect_not(snippet_applies(&other, &version_newest));
}

Test(setup_snippet, the_text_has_its_lines_and_the_version)
{
	static const char *const lines[] = { "# for @VERSION@:", "",
		"@<2.4 old", "@>=2.4 new", "run @VIATTY@ a@b @PATH@", NULL };
	static const char wanted[] = "# for 3.3a:\n\nnew\n"
	    "run '/my tools/viatty' a@b /my tools/viatty\n";
	struct version version;
	struct buf out;

	buf_init(&out, 1024);
	cr_assert(version_find(&version, "3.3a"));
	snippet_text(&out, lines, &version, "/my tools/viatty");
	cr_assert_eq(out.fault, BUF_FINE);
	cr_expect_eq(out.len, sizeof(wanted) - 1);
	cr_expect_eq(memcmp(out.data, wanted, out.len), 0);
	buf_free(&out);
}
