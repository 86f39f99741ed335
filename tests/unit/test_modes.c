/* SPDX-License-Identifier: MIT */
/* relay_modes_reset(): what is switched off after each stream, in pieces of any size. */
#include "relay/relay.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

#define X50 "00000000000000000000000000000000000000000000000000"
#define X247 X50 X50 X50 X50 "00000000000000000000000000000000000000000000000"
#define X254 X247 "0000000"

enum { ROWS = 24 };

static void
reset_after(const struct buf *stream, size_t piece, struct buf *reset)
{
	struct relay_modes m = { .rows = ROWS };
	size_t at, n;

	for (at = 0; at < stream->len; at += n) {
		n = piece < stream->len - at ? piece : stream->len - at;
		relay_modes_see(&m, stream->data + at, n);
	}
	relay_modes_reset(&m, reset);
}

static const struct {
	const char *what, *stream, *reset;
} rows[] = {
	{ "nothing", "text\r\n\x1b[2J\x1b[H\x1b[K\x1b[?12h\x1b[?3h\x1b]0;title\a", "" },
	{ "mouse", "\x1b[?1000h\x1b[?1006h", "\x1b[?1000l\x1b[?1006l" },
	{ "several at once", "\x1b[?1002;1006;2004h", "\x1b[?1002l\x1b[?1006l\x1b[?2004l" },
	{ "in the order of the table", "\x1b[?1049h\x1b[?1h\x1b[?2026h\x1b[1m",
	    "\x1b[?2026l\x1b[?1l\x1b[?1049l\x1b[m" },
	{ "off again", "\x1b[?1000;1004h\x1b[?1004l\x1b[?1000l", "" },
	{ "each private mode", "\x1b[?2027;9;1001;1003;1005;1015;1016;2031;2048;66;5;69h",
	    "\x1b[?2027l\x1b[?9l\x1b[?1001l\x1b[?1003l\x1b[?1005l\x1b[?1015l\x1b[?1016l"
	    "\x1b[?2031l\x1b[?2048l\x1b[?66l\x1b[?5l\x1b[?69l" },
	{ "wrapping and the cursor", "\x1b[?7l\x1b[?25l", "\x1b[?7h\x1b[?25h" },
	{ "keypad", "\x1b=", "\x1b>" },
	{ "other keys", "\x1b[>4;2m", "\x1b[>4m" },
	{ "other keys, off", "\x1b[>4;2m\x1b[>4;m\x1b[>4;1m\x1b[>4m\x1b[>4;1m\x1b[>m", "" },
	{ "another of xterm's", "\x1b[>1;3m", "" },
	{ "insert", "\x1b[4h", "\x1b[4l" },
	{ "insert, off", "\x1b[4h\x1b[4l\x1b[20h", "" },
	{ "charset", "\x1b(0", "\x1b(B" },
	{ "shift out", "a\x0e" "b", "\x0f" },
	{ "shape", "\x1b[4 q", "\x1b[0 q" },
	{ "shape, off", "\x1b[4 q\x1b[0 q\x1b[4 q\x1b[ q", "" },
	{ "region", "\x1b[2;10r", "\x1b" "7\x1b[r\x1b" "8" },
	{ "the whole screen", "\x1b[2;10r\x1b[1;24r\x1b[2;10r\x1b[r\x1b[1;30r", "" },
	{ "a saved mode", "\x1b[?1000r", "" },
	{ "link", "\x1b]8;;https://a.example\x1b\\text", "\x1b]8;;\x1b\\" },
	{ "link with an ID", "\x1b]8;id=1;https://a.example\atext", "\x1b]8;;\x1b\\" },
	{ "link, closed", "\x1b]8;;https://a.example\x1b\\text\x1b]8;;\a", "" },
	{ "progress", "\x1b]9;4;1;50\x1b\\", "\x1b]9;4;0;0\x1b\\" },
	{ "progress, done", "\x1b]9;4;3\a\x1b]9;4;0;0\x1b\\\x1b]9;text\a", "" },
	{ "keyboard", "\x1b[>1u\x1b[>5u", "\x1b[<2u" },
	{ "keyboard, popped", "\x1b[>1u\x1b[>5u\x1b[<2u\x1b[>1u\x1b[<u\x1b[<u", "" },
	{ "keyboard, set", "\x1b[=5u", "\x1b[=0u" },
	{ "keyboard, set and unset", "\x1b[=5;1u\x1b[=0;3u\x1b[=0;1u", "" },
	{ "keyboard of each screen", "\x1b[>1u\x1b[?1049h\x1b[>1u\x1b[=1u",
	    "\x1b[<1u\x1b[=0u\x1b[?1049l\x1b[<1u" },
	{ "keyboard of the other screen, left", "\x1b[?1049h\x1b[>1u\x1b[?1049l", "" },
	{ "screen, by the mode that entered it", "\x1b[?47h", "\x1b[?47l" },
	{ "screen, left by another", "\x1b[?1049h\x1b[?1047l", "" },
	{ "colors", "\x1b[1;38;5;0m", "\x1b[m" },
	{ "colors, off", "\x1b[31mred\x1b[0m\x1b[1m\x1b[m\x1b[1m\x1b[00;0m", "" },
	{ "DECSTR", "\x1b[?25l\x1b[1m\x1b(0\x1b=\x1b[?1000h\x1b[?1049h\x1b[!p",
	    "\x1b[?1000l\x1b[?1049l" },
	{ "RIS", "\x1b[?25l\x1b[?1000h\x1b[?1049h\x1b[>1u\x1b[1m\x1b" "c", "" },
	{ "in an OSC", "\x1b[1m\x1b]0;tit", "\x18\x1b\\\x1b[m" },
	{ "in a DCS", "\x1bPq#0", "\x18\x1b\\" },
	{ "an OSC that was cut off", "\x1b]0;tit\x1b[1m", "\x1b[m" },
	{ "in a string that is wrapped", "\x1bPtmux;\x1b\x1b[?1000h\x1b\\", "" },
	{ "the reason of ssh", "\x1b[?1049hfile\r\n\x1b[5;1HConnection to far closed by remote host.\r\r\n",
	    "\x1b[?1049lConnection to far closed by remote host.\r\n" },
	{ "an echo behind it", "\x1b[?1049h\r\nbye\r\n^[[>0;276;0c", "\x1b[?1049lbye\r\n" },
	{ "a line without an end", "\x1b[?1049h\x1b[5;1Hbye\r\nfile", "\x1b[?1049l" },
	{ "the longest line", "\x1b[?1049h\r\n" X254 X254 "\r\n", "\x1b[?1049l" X254 X254 "\r\n" },
	{ "a longer line", "\x1b[?1049h\r\n" X254 X254 "000\r\n", "\x1b[?1049l" },
	{ "the longest sequence", "\x1b[?1000;" X247 "h", "\x1b[?1000l" },
	{ "a longer sequence", "\x1b[?1000;" X247 "0h", "" },
	{ "a line on the main screen", "a\r\nb\r\n\x1b[1mc\r\nd\r\n", "\x1b[m" },
};

Test(relay_modes, reset_after_each_stream)
{
	struct buf stream = BUF_EMPTY, reset = BUF_EMPTY;
	size_t i, piece;

	for (i = 0; i < LEN(rows); i++)
		for (piece = 1; piece < 9; piece++) {
			stream.len = reset.len = 0;
			buf_add_string(&stream, rows[i].stream);
			reset_after(&stream, piece, &reset);
			buf_add(&reset, "", 1);
			cr_expect_str_eq((char *)reset.data, rows[i].reset, "%s in %zu: %s",
			    rows[i].what, piece, (char *)reset.data);
		}
	buf_free(&stream);
	buf_free(&reset);
}

/* It is all that is needed: whatever the stream was, the next reset is empty. */
Test(relay_modes, the_reset_leaves_nothing)
{
	struct buf stream = BUF_EMPTY, reset = BUF_EMPTY;
	size_t i, k;

	for (i = 0; i < LEN(rows); i++)
		for (k = 0; k < LEN(rows); k++) {
			stream.len = reset.len = 0;
			buf_add_string(&stream, rows[i].stream);
			buf_add_string(&stream, rows[k].stream);
			reset_after(&stream, stream.len, &reset);
			buf_add(&stream, reset.data, reset.len);
			reset.len = 0;
			reset_after(&stream, stream.len, &reset);
			cr_expect_eq(reset.len, 0U, "%s, %s", rows[i].what, rows[k].what);
		}
	buf_free(&stream);
	buf_free(&reset);
}
