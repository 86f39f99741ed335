/* SPDX-License-Identifier: MIT */
/* base/percent_scan: what is a progress in what programs write, and what is none. */
#include "base/percent_scan.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

enum { NONE = 1000 };

struct row {
	const char *text;
	unsigned percent;
};

static const struct row rows[] = {
	{ "45%", 45 }, { " 45.3 %", 45 }, { "45,3%", 45 }, { "0%", 0 },
	{ "100%", 100 }, { "100.0%", 100 }, { "45.5%", 46 }, { "99.9%", 99 },
	{ "007%", 7 }, { "[ 45%] Building C object", 45 },
	{ "Receiving objects:  45% (123/273)", 45 },
	{ "45% of 1.2 GB", 45 }, { "\r\033[K 12%\r\033[K 13%", 13 },
	{ "=====>     ] 45%", 45 }, { "\xe2\x96\x8f" "45%", 45 },
	{ "0.4%", 0 }, { "12.3456%", 12 }, { "done=45%", 45 },
	/* pairs */
	{ "[12/80] CC foo.o", 15 }, { "(12/80)", 15 }, { "[ 12 / 80 ]", 15 },
	{ "[80/80]", 100 }, { "[799/800]", 99 }, { "[0/80]", 0 },
	{ "[12 of 80]", 15 }, { "(12 of 80)", 15 }, { "12 of 80\n", 15 },
	{ "Step 12 of 80: copy", 15 }, { "12 of 80.", 15 }, { "1 of 3, then", 33 },
	{ "\033[1m[12/80]\033[0m", 15 }, { "[999999999/999999999]", 100 },
	/* the last one counts */
	{ "1% 2% 3%", 3 }, { "[1/2] 3%", 3 }, { "3% [1/2]", 50 },
	/* none */
	{ "", NONE }, { "%", NONE }, { " %", NONE }, { "a%", NONE },
	{ "101%", NONE }, { "100.1%", NONE }, { "-5%", NONE }, { ".5%", NONE },
	{ "5.%", NONE }, { "1.2.3%", NONE }, { "a45%", NONE }, { "foo%20bar", NONE },
	{ "45  %", NONE }, { "45", NONE }, { "45.3", NONE }, { "/100%25", NONE },
	{ "1234567890%", NONE }, { "99999999999999999999%", NONE },
	{ "12/80", NONE }, { "12/80 ", NONE }, { "on 11/21 at", NONE },
	{ "[81/80]", NONE }, { "[0/0]", NONE }, { "[/80]", NONE },
	{ "[12/]", NONE }, { "[12/80", NONE }, { "[12/80)", NONE },
	{ "[a/80]", NONE }, { "[1/2/3]", NONE }, { "[-1/2]", NONE },
	{ "[1.5/2]", NONE }, { "12 of80 ", NONE }, { "12of 80 ", NONE },
	{ "x12 of 80 ", NONE }, { "12 of 80", NONE }, { "12 of 80th", NONE },
	{ "12 off 80 ", NONE }, { "[1234567890/9999999999]", NONE },
	{ "81 of 80 ", NONE },
};

static unsigned
read_in_pieces(const char *text, size_t n, size_t piece)
{
	struct percent_scan gauge = { .len = 0 };
	unsigned percent = NONE, before;
	size_t at, now;
	bool found;

	for (at = 0; at < n; at += now) {
		now = piece < n - at ? piece : n - at;
		before = percent;
		found = percent_read(&gauge, text + at, now, &percent);
		cr_expect(found || percent == before);
		cr_expect(!found || percent <= 100);
	}
	return percent;
}

Test(percent_scan, what_it_finds_however_it_is_cut)
{
	size_t i, piece;
	unsigned found;

	for (i = 0; i < LEN(rows); i++)
		for (piece = 1; piece <= strlen(rows[i].text) + 1; piece++) {
			found = read_in_pieces(rows[i].text, strlen(rows[i].text),
			    piece);
			cr_expect_eq(found, rows[i].percent, "\"%s\" by %zu: %u",
			    rows[i].text, piece, found);
		}
}

/* Wherever the window slides. */
Test(percent_scan, behind_any_amount_of_text)
{
	char text[512];
	size_t before;

	for (before = 0; before < 400; before++) {
		memset(text, ' ', before);
		strcpy(text + before, " [123456/234567] ");
		cr_expect_eq(read_in_pieces(text, strlen(text), 7), 53, "%zu",
		    before);
	}
}

Test(percent_scan, any_bytes)
{
	char noise[4096];
	size_t i, round;

	srand(1);
	for (round = 0; round < 200; round++) {
		for (i = 0; i < sizeof(noise); i++)
			noise[i] = round % 2 == 0 ? (char)rand() :
			    "0123456789%[]() of/.,\n"[rand() % 22];
		read_in_pieces(noise, sizeof(noise), 1 + (size_t)rand() % 300);
	}
}

Test(percent_scan, words)
{
	static const struct row words[] = {
		{ "0", 0 }, { "45", 45 }, { "45.3", 45 }, { "45.5", 46 },
		{ "45%", 45 }, { "100", 100 }, { "99.7", 99 }, { "12/80", 15 },
		{ "80/80", 100 }, { "0/1", 0 }, { "1/3", 33 }, { "2/3", 67 },
		{ "45,5", 46 }, { "", NONE }, { "%", NONE }, { "-1", NONE },
		{ "+1", NONE }, { "101", NONE }, { "100.5", NONE }, { "a", NONE },
		{ "45x", NONE }, { " 45", NONE }, { "45 ", NONE }, { "45%%", NONE },
		{ "1/0", NONE }, { "0/0", NONE }, { "2/1", NONE }, { "/", NONE },
		{ "1/", NONE }, { "/1", NONE }, { "1/2/3", NONE }, { "1 / 2", NONE },
		{ "1/2%", NONE }, { "12 of 80", NONE }, { "1e2", NONE },
		{ "0x10", NONE }, { "nan", NONE }, { "1234567890", NONE },
		{ "45%\n", NONE }, { "\x1b[2J", NONE },
	};
	unsigned percent;
	size_t i;
	bool fine;

	for (i = 0; i < LEN(words); i++) {
		percent = NONE;
		fine = percent_parse(words[i].text, &percent);
		cr_expect(fine == (words[i].percent != NONE) &&
		    percent == words[i].percent, "\"%s\": %u", words[i].text,
		    percent);
	}
}
