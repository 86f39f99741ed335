/* SPDX-License-Identifier: MIT */
/* Notes what a command switches on, so that the relay can switch it off again. */
#include "relay/relay.h"

#include <stdlib.h>
#include <string.h>

enum {
#define MODE(name, ...) MODE_##name,
#include "relay/modes.def"
#undef MODE
	MODES
};

static const struct mode {
	enum { PRIVATE, HIDING, SCREEN, OTHER } kind;
	unsigned number;
	bool soft;
	const char *reset;
} modes[] = {
#define MODE(name, ...) { __VA_ARGS__ },
#include "relay/modes.def"
#undef MODE
};

_Static_assert(MODES <= 64, "a bit for each");

enum { PARAMETERS = 16, PUSHES_MAX = 99 };

static void
set(struct relay_modes *m, unsigned mode, bool on)
{
	const unsigned long long bit = 1ULL << mode;

	m->on = on ? m->on | bit : m->on & ~bit;
}

static bool
is_alternate(const struct relay_modes *m)
{
	return (m->on >> MODE_SCREEN_47 & 7) != 0;
}

/* ---- CSI ---------------------------------------------------------------------------- */

/* `mode` of CSI ? ... h and l; others are not noted. */
static void
switch_private(struct relay_modes *m, unsigned number, bool on)
{
	size_t i;

	for (i = 0; i < MODES; i++) {
		if (modes[i].kind == OTHER || modes[i].number != number)
			continue;
		if (modes[i].kind == SCREEN) {
			m->screens++;
			/* left by whichever mode */
			m->on &= ~(7ULL << MODE_SCREEN_47);
		}
		set(m, (unsigned)i, on == (modes[i].kind != HIDING));
	}
}

/* For each screen, CSI > flags u pushes, CSI < n u pops, and CSI = flags ; how u sets. */
static void
switch_keyboard(struct relay_modes *m, char how, const unsigned number[])
{
	const bool alternate = is_alternate(m);
	unsigned *pushes = &m->pushes[alternate];

	if (how == '>')
		*pushes += *pushes < PUSHES_MAX;
	else if (how == '<')
		*pushes -= number[0] == 0 ? *pushes > 0 : number[0] < *pushes ? number[0] : *pushes;
	else if (how == '=' && (number[0] != 0 || number[1] <= 1))
		set(m, alternate ? MODE_KEYBOARD : MODE_MAIN_KEYBOARD, number[0] != 0);
}

/* The numbers of a CSI, 0 if missing; a colon ends one, too. */
static unsigned
read_numbers(const char *text, unsigned number[PARAMETERS])
{
	unsigned count = 0;
	char *end;

	memset(number, 0, PARAMETERS * sizeof(number[0]));
	for (; count < PARAMETERS; text = end + 1) {
		number[count++] = (unsigned)strtoul(text, &end, 10);
		if (*end != ';' && *end != ':')
			break;
	}
	return count;
}

static void
soft_reset(struct relay_modes *m)
{
	size_t i;

	for (i = 0; i < MODES; i++)
		if (modes[i].soft)
			set(m, (unsigned)i, false);
}

/* `text` is what follows ESC [, with its final byte at `last`. */
static void
see_csi(struct relay_modes *m, const char *text, size_t last)
{
	const char final = text[last];
	unsigned number[PARAMETERS], count, i;
	char mark = '\0';

	if (text[0] >= '<' && text[0] <= '?')
		mark = text[0];
	if (strchr("mhlruqp", final) == NULL)
		return;
	if (final == 'm' && mark == '\0') {
		set(m, MODE_COLORS, strspn(text, "0;") < last);
		return;
	}
	count = read_numbers(text + (mark != '\0'), number);
	if (mark == '?' && (final == 'h' || final == 'l'))
		for (i = 0; i < count; i++)
			switch_private(m, number[i], final == 'h');
	else if (mark == '\0' && (final == 'h' || final == 'l'))
		for (i = 0; i < count && number[i] == 4; i++)
			set(m, MODE_INSERT, final == 'h');
	else if (mark == '>' && final == 'm' && (number[0] == 4 || last == 1))
		set(m, MODE_OTHER_KEYS, number[1] != 0);
	else if (mark != '\0' && mark != '?' && final == 'u')
		switch_keyboard(m, mark, number);
	else if (mark == '\0' && final == 'r')
		set(m, MODE_REGION, number[0] > 1 || (number[1] != 0 && number[1] < m->rows));
	else if (final == 'q' && text[last - (last > 0)] == ' ')
		set(m, MODE_SHAPE, number[0] != 0);
	else if (final == 'p' && strcmp(text, "!p") == 0)
		soft_reset(m);
}

/*
 * Most sequences in the output of an editor color or move. Returns the length of such a sequence
 * behind its ESC, if all of it is there, else 0. The parser then takes it.
 */
static size_t
see_frequent(struct relay_modes *m, const unsigned char *bytes, size_t n)
{
	bool on = false;
	size_t at;

	if (n == 0 || bytes[0] != '[')
		return 0;
	for (at = 1; at < n && bytes[at] >= '0' && bytes[at] <= ';'; at++)
		on = on || (bytes[at] != '0' && bytes[at] != ';');
	/* all that end in capital letters change no mode */
	if (at == n || !(bytes[at] == 'm' || (bytes[at] >= 'A' && bytes[at] <= 'Z')))
		return 0;
	if (bytes[at] == 'm')
		set(m, MODE_COLORS, on);
	m->line_n = 0;
	return at + 1;
}

/* ---- all sequences ------------------------------------------------------------------ */

static void
see_escape(struct relay_modes *m, const char *text)
{
	if (text[0] == 'c')
		*m = (struct relay_modes){ .rows = m->rows, .screens = m->screens + 1 };
	else if (text[0] == '=' || text[0] == '>')
		set(m, MODE_KEYPAD, text[0] == '=');
	else if (text[0] == '(')
		set(m, MODE_CHARSET, text[1] != 'B');
}

/* A longer one opens a link: `whole` is false. */
static void
see_osc(struct relay_modes *m, const char *text, bool whole)
{
	const char *url = text_begins(text, "8;") ? strchr(text + 2, ';') : NULL;

	if (url != NULL)
		set(m, MODE_LINK, !whole || (url[1] != BEL && url[1] != ESC));
	else if (text_begins(text, "9;4;"))
		set(m, MODE_PROGRESS, text[4] != '0');
}

static void
see_sequence(struct relay_modes *m)
{
	const char *text = (const char *)m->held;

	m->line_n = 0;
	m->held[m->size] = '\0';
	if (m->parser.kind == SEQUENCE_ESCAPE)
		see_escape(m, text);
	else if (m->parser.kind == SEQUENCE_CSI && m->size < RELAY_HELD_MAX)
		see_csi(m, text + 1, m->size - 2);
	else if (m->parser.kind == SEQUENCE_OSC)
		see_osc(m, text + 1, m->size < RELAY_HELD_MAX);
}

/* Keeps the last line of the text behind the last sequence, on the other screen. */
static void
see_text(struct relay_modes *m, unsigned char c)
{
	if (c == '\r' || c == '\n') {
		m->line_ended = true;
		m->line_echoes = false;
		return;
	}
	/* a late reply of the terminal, which ECHOCTL of termios(3) shows as ^[[... */
	m->line_echoes = m->line_echoes || (m->line_ended && c == '^');
	if (m->line_echoes)
		return;
	if (m->line_ended || c < 0x20)
		m->line_n = 0;
	m->line_ended = false;
	if (c >= 0x20 && m->line_n <= RELAY_LINE_MAX)
		m->line[m->line_n++] = c;
}

static void
hold(struct relay_modes *m, const unsigned char *bytes, size_t n)
{
	const size_t room = RELAY_HELD_MAX - m->size;

	n = n < room ? n : room;
	memcpy(m->held + m->size, bytes, n);
	m->size += n;
}

bool
relay_modes_marks_pastes(const struct relay_modes *m)
{
	return (m->on >> MODE_PASTE_MARKS & 1) != 0;
}

void
relay_modes_see(struct relay_modes *m, const unsigned char *bytes, size_t n)
{
	const unsigned char *at = bytes, *end = bytes + n, *next;
	bool alternate;
	size_t run;

	while (at < end) {
		if (m->parser.state == PARSER_TEXT) {
			alternate = is_alternate(m);
			/* mostly a word: memchr() would be slower */
			for (next = at; next < end && *next != ESC; next++) {
				if (*next == SHIFT_OUT || *next == SHIFT_IN)
					set(m, MODE_SHIFT, *next == SHIFT_OUT);
				if (alternate)
					see_text(m, *next);
			}
			if (next == end)
				return;
			at = next + 1;
			run = see_frequent(m, at, (size_t)(end - at));
			at += run;
			if (run > 0)
				continue;
			m->size = 0;
			parse_byte(&m->parser, ESC);
			continue;
		}
		run = parse_run(&m->parser, at, (size_t)(end - at));
		hold(m, at, run);
		at += run;
		if (at == end)
			return;
		switch (parse_byte(&m->parser, *at)) {
		case PARSED_END:
			hold(m, at++, 1);
			see_sequence(m);
			break;
		case PARSED_CUT:
			break;
		case PARSED_CUT_BY_ESCAPE:
			m->size = 0;
			break;
		default:
			/* a control acts within a sequence, but for a string */
			if (m->parser.state < PARSER_STRING &&
			    (*at == SHIFT_OUT || *at == SHIFT_IN))
				set(m, MODE_SHIFT, *at == SHIFT_OUT);
			hold(m, at++, 1);
		}
	}
}

/* ---- the reset ---------------------------------------------------------------------- */

static void
reset_keyboard(const struct relay_modes *m, bool alternate, struct buf *out)
{
	if (m->pushes[alternate] > 0)
		buf_format(out, KEYBOARD_POP, m->pushes[alternate]);
	if ((m->on >> (alternate ? MODE_KEYBOARD : MODE_MAIN_KEYBOARD) & 1) != 0)
		buf_add_string(out, KEYBOARD_OFF);
}

void
relay_modes_reset(const struct relay_modes *m, struct buf *out)
{
	const bool alternate = is_alternate(m);
	unsigned i;

	if (m->parser.state == PARSER_STRING || m->parser.state == PARSER_STRING_ESCAPE)
		buf_add_string(out, SEQUENCE_ABORT);
	for (i = 0; i < MODES; i++) {
		/* of the other screen only there */
		if (i == MODE_KEYBOARD && alternate)
			reset_keyboard(m, true, out);
		else if (i == MODE_MAIN_KEYBOARD)
			reset_keyboard(m, false, out);
		else if ((m->on >> i & 1) != 0 && modes[i].reset != NULL)
			buf_add_string(out, modes[i].reset);
		else if ((m->on >> i & 1) != 0 && modes[i].kind != OTHER)
			buf_format(out, modes[i].kind == HIDING ? MODE_ON : MODE_OFF,
			    modes[i].number);
	}
	/* ssh says there why it ends, behind what the command wrote */
	if (alternate && m->line_ended && m->line_n > 0 && m->line_n <= RELAY_LINE_MAX) {
		buf_add(out, m->line, m->line_n);
		buf_add_string(out, "\r\n");
	}
}
