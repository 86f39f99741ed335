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
	/* BuildKit, the builder before it, Compose */
	{ "#7 [2/5] RUN make\n", 40 }, { "#7 [builder 2/5] RUN make\n", 40 },
	{ "#7 [builder 2/5] RUN make\n#7 12.34 [ 90%] Building\n#7 12.5 [9/10] CC\n", 40 },
	{ "#9 sha256:ab 12.58MB / 56.78MB 1.2s\n", NONE }, { "#7 DONE 0.1s\n", NONE },
	{ "Step 3/10 : RUN make\n", 30 }, { "Step 3/10: x\n", NONE },
	{ "[+] Running 3/5\n", 60 }, { "[+] Building 12.3s (5/12)\n", 42 },
	{ "ab12: Downloading [==>   ]  12.3MB/45.6MB\r", NONE },
	/* apt: its own percentage, not that of a file or of a short part */
	{ "\r45% [12 sl 12 kB/13 kB 78%]  1,234 kB/s 12s", 45 }, { "\r0% [Working]\r100% [Working]\r", 100 },
	{ "Progress: [ 45%] [####....]", 45 }, { "45% [1 a 1 B/2 B 50%]\rReading package lists... 93%\r", 45 },
	{ "(Reading database ... 45%\r", NONE }, { "Building dependency tree... 50%\r", NONE },
	/* cargo, meson, ninja, pip */
	{ "    Building [========>       ] 1/3: c, a    \r", 33 }, { "    Building [=====>] 3/3\r", 100 },
	{ "  Downloading [..] 1/3: a\r", NONE }, { "       Fetch [===>   ] 45.00%, 1.2MiB/s\r", 45 },
	{ "1/5 a     OK              0.03s\n", 20 }, { " 2/10 suite - b:c FAIL 10.50s   exit status 1\n", 20 },
	{ "4/5 bad   EXPECTEDFAIL    0.05s   exit status 1\n", 80 }, { "1/5 a     NOTOK  0.03s\n", NONE },
	{ "1/5 of the cake was OK\n", NONE }, { "ninja: Entering\n\r[3/4] touch c\r", 75 },
	{ "     \xe2\x94\x81\xe2\x94\x81\xe2\x95\xb8 1.5/6.0 MB 50.2 MB/s eta 0:00:00\r", 25 },
	{ "     \xe2\x94\x81\xe2\x94\x81 512/1024 bytes 1 kB/s\r", 50 }, { "Saved 1.5/6.0 MB\n", NONE },
	{ "Progress 1500 of 6000\n", 25 }, { "     \xe2\x94\x81 7.0/6.0 MB 1 MB/s\r", NONE },
	/* CTest */
	{ "1/2 Test #1: a .......   Passed    0.00 sec\n", 50 },
	{ " 9/10 Test  #9: b ....***Failed    1.50 sec\n50% tests passed, 1 tests failed out of 10\n", 90 },
	{ "1/2 Test the cake\n", NONE },
	/* percentages that are no progress: of tests, of the machine, of files */
	{ "coverage 81%\n", NONE }, { "Coverage: 81.2% of statements\n", NONE }, { "81% coverage", NONE },
	{ "ok  \texample.org/a\t0.01s\tcoverage: 81.0% of statements\n", NONE },
	{ "TOTAL                1234    234    81%\n", NONE }, { "src/a.py   120   23    81%   12-14, 33\n", NONE },
	{ "Statements   : 81.25% ( 13/16 )\n", NONE }, { "  lines......: 81.2% (1234 of 1520 lines)\n", NONE },
	{ "Lines executed:81.25% of 16\nBranches executed:50.00% of 4\n", NONE },
	{ "Taken at least once:50.00% of 4\nCalls executed:75.00% of 4\n", NONE },
	{ "3 packets transmitted, 3 received, 0% packet loss, time 2003ms\n", NONE },
	{ "/dev/sda1       1000   450   550  45% /\n", NONE }, { "  adding: a (deflated 81%)\n", NONE },
	{ "0.00user 0.00system 0:00.00elapsed 81%CPU\n", NONE }, { "similarity index 95%\n", NONE },
	{ " rename src/{a => b}/c.c (95%)\n", NONE }, { "12% faster\n", NONE },
	/* the line before stays, and words that only look alike do not matter */
	{ "[1/2] x\ncoverage 81%\n", 50 }, { "[1/2] x\ncoverage 81", 50 }, { "Unused: 45%\n", 45 },
	{ "  1,234,567  45%  1.23MB/s  0:00:01 (xfr#1, to-chk=12/80)\r", 45 },
	{ " 45%|####5     | 45/100 [00:01<00:01]\r", 45 }, { "file.bin   45%[=====>     ] 1.2M\r", 45 },
};

static unsigned
read_in_pieces(const char *text, size_t n, size_t piece)
{
	struct percent_scan scan = { .len = 0 };
	int percent = PERCENT_NONE;
	size_t at, now;

	for (at = 0; at < n; at += now) {
		now = piece < n - at ? piece : n - at;
		percent = percent_read(&scan, text + at, now);
		cr_expect(percent >= PERCENT_NONE && percent <= 100);
	}
	return percent == PERCENT_NONE ? NONE : (unsigned)percent;
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
