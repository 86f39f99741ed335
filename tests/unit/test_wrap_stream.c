/* SPDX-License-Identifier: MIT */
/*
 * encoder/wrap_stream: which sequences of a program's output are wrapped, what becomes of
 * broken and of long ones, and that it makes no difference where the input is cut.
 */
#include "encoder/wrap_stream.h"
#include "mux.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define ST "\x1b\\"
#define T(body) "\x1bPtmux;\x1b" body "\x1b\\"
#define S(body) "\x1bP" body "\x1b\\"

static const struct wrap_stream_settings
	for_none = { .limit = 0 },
	for_tmux = { .chain = { 1, { LAYER_TMUX } }, .limit = TMUX_SEQUENCE_MAX },
	for_maybe = { .chain = { 1, { LAYER_TMUX_MAYBE } }, .limit = TMUX_SEQUENCE_MAX },
	for_copies = { .chain = { 1, { LAYER_TMUX } }, .tmux_copies = true,
		.tmux_progress = true },
	for_sixel = { .chain = { 1, { LAYER_TMUX } }, .tmux_sixel = true,
		.limit = TMUX_SEQUENCE_MAX, .drops = true },
	for_nobody = { .chain = { 1, { LAYER_TMUX } }, .drops = true },
	for_screen = { .chain = { 1, { LAYER_SCREEN } } },
	for_both = { .chain = { 2, { LAYER_TMUX, LAYER_SCREEN } } };

/* Feeds `n` bytes in pieces of `piece`; `first` bytes come before those. */
static struct buf
wrapped(const struct wrap_stream_settings *settings, const void *bytes, size_t n,
    size_t first, size_t piece, size_t *left_out)
{
	const char *at = bytes;
	struct wrap_stream w;
	struct buf out;
	size_t size;

	buf_init(&out, (size_t)1 << 26);
	wrap_stream_init(&w, settings);
	for (size = first; n > 0; at += size, n -= size, size = piece) {
		size = size < n ? size : n;
		cr_assert(wrap_stream_feed(&w, at, size, &out));
	}
	cr_assert(wrap_stream_end(&w, &out));
	if (left_out != NULL)
		*left_out = w.left_out;
	wrap_stream_free(&w);
	return out;
}

struct example {
	const char *name;
	const struct wrap_stream_settings *settings;
	const char *in, *out;
};

static void
check_example(const struct example *e, size_t first, size_t piece)
{
	struct buf out = wrapped(e->settings, e->in, strlen(e->in), first, piece, NULL);

	cr_expect(out.len == strlen(e->out) && memcmp(out.data, e->out, out.len) == 0,
	    "%s, cut at %zu and every %zu: %.*s", e->name, first, piece, (int)out.len,
	    (const char *)out.data);
	buf_free(&out);
}

/* Whole, cut in two at every byte, and byte by byte. */
static void
check_examples(const struct example *examples, size_t count)
{
	size_t i, first;

	for (i = 0; i < count; i++)
		for (first = 1; first <= strlen(examples[i].in); first++) {
			check_example(&examples[i], first, 1);
			check_example(&examples[i], first, (size_t)-1);
		}
}

Test(wrap_stream, sequences_in_text)
{
	static const struct example examples[] = {
		{ "text", &for_tmux, "a\r\n\x1b[1;31mb\x1b[m\x1b(B\x1b" "7\a\xc3\x9f\x9d",
			"a\r\n\x1b[1;31mb\x1b[m\x1b(B\x1b" "7\a\xc3\x9f\x9d" },
		{ "no layer", &for_none, "a\x1b_Gx" ST "b", "a\x1b_Gx" ST "b" },
		{ "kitty's graphics", &for_tmux, "a\x1b_Ga=T;AAAA" ST "b",
			"a" T("\x1b_Ga=T;AAAA\x1b\x1b\\") "b" },
		{ "two", &for_tmux, "\x1b_G1" ST "\x1b_G2" ST,
			T("\x1b_G1\x1b\x1b\\") T("\x1b_G2\x1b\x1b\\") },
		{ "sixel", &for_tmux, "\x1bP0;1q#0~" ST "b",
			T("\x1bP0;1q#0~\x1b\x1b\\") "b" },
		{ "iTerm2's image", &for_tmux, "\x1b]1337;File=:A\a",
			T("\x1b]1337;File=:A\a") },
		{ "with ST", &for_tmux, "\x1b]1337;File=:A" ST,
			T("\x1b]1337;File=:A\x1b\x1b\\") },
		{ "a notification", &for_tmux, "\x1b]9;t\a", T("\x1b]9;t\a") },
		{ "a copy", &for_tmux, "\x1b]52;c;YQ==\a", T("\x1b]52;c;YQ==\a") },
		{ "a color of kitty", &for_tmux, "\x1b]21;x\a", T("\x1b]21;x\a") },
		{ "SOS and PM", &for_tmux, "\x1bXs" ST "\x1b^p" ST,
			T("\x1bXs\x1b\x1b\\") T("\x1b^p\x1b\x1b\\") },
		{ "empty strings", &for_tmux, "\x1b]\a\x1b_" ST "\x1bP" ST,
			T("\x1b]\a") T("\x1b_\x1b\x1b\\") "\x1bP" ST },
		{ "a tmux that cannot be asked", &for_maybe, "a\x1b]9;t\a",
			"a" T("\x1b]9;t\a") },
		{ "Screen", &for_screen, "a\x1b_Gx" ST "b",
			"a" S("\x1b_Gx\x1b") S("\\") "b" },
		{ "Screen, an OSC", &for_screen, "a\x1b]1337;x" ST "b",
			"a" S("\x1b]1337;x\a") "b" },
		{ "tmux in Screen", &for_both, "a\x1b]9;x\a",
			"a" T("\x1bP\x1b\x1b]9;x\a\x1b\x1b\\") },
	};

	check_examples(examples, LEN(examples));
}

Test(wrap_stream, what_the_multiplexer_interprets_is_not_wrapped)
{
	static const char *const both[] = {
		"\x1b]0;t\a", "\x1b]1;t\a", "\x1b]2;t" ST, "\x1bkname" ST,
		"\x1b]8;;http://a\atext\x1b]8;;" ST, "\x1b]133;A\a",
		"\x1bPtmux;\x1b\x1b]9;a\x1b\x1b\\b" ST "c", "\x1bPtmux;" ST,
		"\x1bP\x1b]9;a\x1b\x1b" ST "c", "\x1bPtmux;\x18\x1b\x1b[m\x1a\a" ST,
	};
	static const char *const tmux[] = {
		"\x1b]4;1;red\a", "\x1b]10;red\a", "\x1b]11;?\a", "\x1b]12;red\a",
		"\x1b]104\a", "\x1b]104;1" ST, "\x1b]110" ST, "\x1b]7;file:///\a",
	};
	static const char *const screen[] = { "\x1b]83;x\a", "\x1b^message" ST };
	static const struct example conditional[] = {
		{ "a copy", &for_copies, "\x1b]52;c;YQ==\a", "\x1b]52;c;YQ==\a" },
		{ "progress", &for_copies, "\x1b]9;4;1;5\a", "\x1b]9;4;1;5\a" },
		{ "a text", &for_copies, "\x1b]9;4 files\a", T("\x1b]9;4 files\a") },
		{ "progress", &for_tmux, "\x1b]9;4;1;5\a", T("\x1b]9;4;1;5\a") },
		{ "sixel", &for_sixel, "a\x1bP0;1;12q~" ST "\x1bPq~" ST "\x1bPq" ST,
			"a\x1bP0;1;12q~" ST "\x1bPq~" ST "\x1bPq" ST },
		{ "other strings", &for_sixel, "a\x1bP$qm" ST "\x1b_q" ST "\x1bP1" ST "b",
			"ab" },
		{ "colors", &for_screen, "\x1b]4;1;red\a", S("\x1b]4;1;red\a") },
		{ "cut off", &for_tmux, "\x1b]2;t\x18" "b", "\x1b]2;t\x18" "b" },
		{ "cut off", &for_tmux, "\x1b]2;t\x1b]9;u\a", "\x1b]2;t" T("\x1b]9;u\a") },
	};
	size_t i;

	for (i = 0; i < LEN(both); i++) {
		check_examples(&(struct example){ "both", &for_tmux, both[i], both[i] }, 1);
		check_examples(&(struct example){ "both", &for_screen, both[i], both[i] }, 1);
	}
	for (i = 0; i < LEN(tmux); i++)
		check_examples(&(struct example){ "tmux", &for_tmux, tmux[i], tmux[i] }, 1);
	for (i = 0; i < LEN(screen); i++)
		check_examples(&(struct example){ "Screen", &for_screen, screen[i],
		    screen[i] }, 1);
	check_examples(conditional, LEN(conditional));
}

Test(wrap_stream, broken_sequences_pass_unchanged)
{
	static const struct example examples[] = {
		{ "no end", &for_tmux, "a\x1b_Gb", "a\x1b_Gb" },
		{ "half an end", &for_tmux, "a\x1b]1337;b\x1b", "a\x1b]1337;b\x1b" },
		{ "an ESC", &for_tmux, "a\x1b", "a\x1b" },
		{ "ESC ESC", &for_tmux, "\x1b\x1b\x1b_a" ST,
			"\x1b\x1b" T("\x1b_a\x1b\x1b\\") },
		{ "CAN", &for_tmux, "\x1b_a\x18" "b\x1b_c" ST,
			"\x1b_a\x18" "b" T("\x1b_c\x1b\x1b\\") },
		{ "SUB", &for_tmux, "\x1bPq\x1a" "b", "\x1bPq\x1a" "b" },
		{ "a color", &for_tmux, "\x1b_a\nb\x1b[31mc\x1b_d" ST,
			"\x1b_a\nb\x1b[31mc" T("\x1b_d\x1b\x1b\\") },
		{ "another", &for_tmux, "\x1bPq~\x1bPq?" ST,
			"\x1bPq~" T("\x1bPq?\x1b\x1b\\") },
		{ "BEL ends no APC", &for_tmux, "\x1b_a\ab" ST,
			T("\x1b_a\ab\x1b\x1b\\") },
		{ "ESC ESC in an OSC", &for_tmux, "\x1b]9;a\x1b\x1b\\", "\x1b]9;a\x1b\x1b\\" },
		{ "tmux's, no end", &for_tmux, "\x1bPtmux;\x1b\x1b]9;a\x1b\x1b\\",
			"\x1bPtmux;\x1b\x1b]9;a\x1b\x1b\\" },
		{ "in Screen", &for_screen, "a\x1b_Gb", "a\x1b_Gb" },
	};

	check_examples(examples, LEN(examples));
}

Test(wrap_stream, text_passes_where_sequences_cannot)
{
	static const char in[] = "a\x1b_G1" ST "b\x1b]2;t\ac\x1b]1337;x\a\x1b[m\x1b_d",
	    expected[] = "ab\x1b]2;t\ac\x1b[m\x1b_d";
	size_t left_out;
	struct buf out = wrapped(&for_nobody, in, sizeof(in) - 1, 1, 1, &left_out);

	cr_expect(out.len == sizeof(expected) - 1 &&
	    memcmp(out.data, expected, out.len) == 0);
	cr_expect_eq(left_out, 2);
	buf_free(&out);
}

/* An APC of `n` bytes in all, between a and b. */
static char *
long_sequence(size_t n, bool ends)
{
	char *text = malloc(n + 2);

	cr_assert_not_null(text);
	memset(text, 'x', n + 2);
	memcpy(text, "a\x1b_", 3);
	memcpy(text + n + 1 - 2 * ends, &(ST "b")[2 * !ends], 1 + 2 * ends);
	return text;
}

Test(wrap_stream, what_is_too_long_for_tmux_is_left_out)
{
	static const size_t sizes[] = { TMUX_SEQUENCE_MAX - 1, TMUX_SEQUENCE_MAX,
		TMUX_SEQUENCE_MAX + 1, TMUX_SEQUENCE_MAX + 2, TMUX_SEQUENCE_MAX + 3,
		3 * TMUX_SEQUENCE_MAX };
	struct tmux_like tmux = { .passes = true };
	size_t i, left_out;

	for (i = 0; i < LEN(sizes); i++) {
		char *text = long_sequence(sizes[i], true);
		struct buf out = wrapped(&for_tmux, text, sizes[i] + 2, 1, 4099, &left_out);
		struct bytes passed = { .n = 0 };
		bool fits = sizes[i] <= TMUX_SEQUENCE_MAX;

		through_tmux(&tmux, out.data, out.len, &passed);
		cr_expect_eq(tmux.printed, 2);
		cr_expect_eq(left_out, !fits);
		cr_expect_eq(passed.n, fits ? sizes[i] : 0, "%zu: %zu", sizes[i], passed.n);
		cr_expect(!fits || memcmp(passed.at, text + 1, passed.n) == 0);
		cr_expect_eq(tmux.dropped, 0);
		cr_expect_eq(tmux.ends, GROUND);
		tmux.printed = 0;
		release(&passed);
		buf_free(&out);
		free(text);
	}
}

Test(wrap_stream, screen_takes_sequences_of_any_length)
{
	static const size_t sizes[] = { WRAP_STREAM_HELD - 1, WRAP_STREAM_HELD,
		WRAP_STREAM_HELD + 1, WRAP_STREAM_HELD + 2, WRAP_STREAM_HELD + 3,
		3 * WRAP_STREAM_HELD };
	struct screen_like screen = { .printed = 0 };
	size_t i, cut;

	for (i = 0; i < LEN(sizes); i++)
		for (cut = 0; cut < 2; cut++) {
			char *text = long_sequence(sizes[i], true);
			struct buf out = wrapped(&for_screen, text, sizes[i] + 2,
			    cut ? sizes[i] : 1, 4099, NULL);
			struct bytes passed = { .n = 0 };

			through_screen(&screen, out.data, out.len, &passed);
			cr_expect_eq(screen.printed, 2);
			cr_expect(passed.n == sizes[i] &&
			    memcmp(passed.at, text + 1, passed.n) == 0, "%zu", sizes[i]);
			screen.printed = 0;
			release(&passed);
			buf_free(&out);
			free(text);
		}
}

/* It was wrapped as it came, so it cannot pass unchanged: the terminal is freed of it. */
Test(wrap_stream, a_long_sequence_without_end_is_aborted)
{
	size_t n = 2 * WRAP_STREAM_HELD;
	char *text = long_sequence(n, false);
	struct buf out = wrapped(&for_screen, text, n, 1, 4099, NULL);
	struct screen_like screen = { .printed = 0 };
	struct bytes passed = { .n = 0 };

	through_screen(&screen, out.data, out.len, &passed);
	cr_expect(passed.n > 3 && memcmp(passed.at + passed.n - 3, SEQUENCE_ABORT, 3) == 0);
	cr_expect_eq(screen.ends, GROUND);
	release(&passed);
	buf_free(&out);
	free(text);
}

static double
seconds_of(const struct wrap_stream_settings *settings, const char *unit, size_t n)
{
	size_t at, length = strlen(unit);
	char *text = malloc(n + length);
	struct timespec before, after;
	struct buf out;

	for (at = 0; at < n; at += length)
		memcpy(text + at, unit, length);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	out = wrapped(settings, text, n, 1, 65536, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	buf_free(&out);
	free(text);
	return (double)(after.tv_sec - before.tv_sec) +
	    (double)(after.tv_nsec - before.tv_nsec) / 1e9;
}

/* Whatever it is, eight times as much takes no more than about eight times as long. */
Test(wrap_stream, time_grows_as_the_input_does)
{
	static const char *const units[] = { "text ", "\x1b", "\x1b_", ("\x1b_G" ST), "\x1b]2;",
		"\x1bPtmux;\x1b\x1b", "\x1bP\x1b", "\x1b_x\x18", "\x1b]9;\x1b", "\x1b_x\x1b[m" };
	size_t i;

	for (i = 0; i < LEN(units); i++) {
		double small = seconds_of(&for_tmux, units[i], 1 << 20),
		    large = seconds_of(&for_tmux, units[i], 8 << 20);

		cr_expect(large < 8 * 4 * small + 0.05, "%zu: %g and %g", i, small, large);
	}
}

Test(wrap_stream, what_is_held_has_a_limit)
{
	static const char *const begins[] = { "\x1b_", "\x1b]1337;", "\x1b]2;", "\x1bPtmux;",
		"\x1bP\x1b" };
	static char x[65536];
	struct wrap_stream w;
	struct buf out;
	size_t i, at, held;

	memset(x, 'x', sizeof(x));
	for (i = 0; i < LEN(begins) * 2; i++) {
		buf_init(&out, (size_t)1 << 22);
		wrap_stream_init(&w, i % 2 == 0 ? &for_tmux : &for_screen);
		cr_assert(wrap_stream_feed(&w, begins[i / 2], strlen(begins[i / 2]), &out));
		for (at = held = 0; at < 64; at++) {
			out.len = 0;
			cr_assert(wrap_stream_feed(&w, x, sizeof(x), &out));
			held = w.held.len > held ? w.held.len : held;
		}
		cr_expect_leq(held, WRAP_STREAM_HELD);
		cr_expect(i < 4 || held == 0);
		wrap_stream_free(&w);
		buf_free(&out);
	}
}
