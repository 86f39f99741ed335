/* SPDX-License-Identifier: MIT */
/*
 * The encoder: builds every escape sequence that viatty sends. This header shows the bytes
 * of each, separated by spaces; <...> is a field of any length.
 *
 * Pure: no descriptor, clock, environment or exit. Sizes are in bytes. Each encode_*() appends to
 * a buf of the caller that has no limit. What may be large is replaced in its buf, without a copy:
 * encode_clipboard_write() makes the sequence there, and wrap() the form for the multiplexers.
 *
 *   ESC   0x1b              introducers are 7-bit: C1 bytes are also UTF-8
 *   OSC   ESC ]             operating system command
 *   DCS   ESC P             device control string
 *   ST    ESC \             terminates both. VTE accepts nothing else for some
 *                           sequences, and no known parser rejects it
 *   BEL   0x07              also terminates an OSC; the only terminator that Screen forwards
 *   CAN   0x18              aborts a sequence in DEC's parser and its descendants
 */
#ifndef ENCODER_ENCODER_H
#define ENCODER_ENCODER_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

enum { BEL = 0x07, SHIFT_OUT = 0x0e, SHIFT_IN = 0x0f, CAN = 0x18, SUB = 0x1a, ESC = 0x1b };

#define ST "\x1b\\"

/* ---- clipboard (osc.c) -------------------------------------------------- */

/*
 * The letters of OSC 52 (xterm, ctlseqs, "Manipulate Selection Data"):
 *
 *     c  clipboard    p  primary    q  secondary    s  what the user has set    0-7  cut buffers
 */
#define CLIPBOARD_SELECTIONS "cpqs01234567"

/* What begins an OSC 52, and the reply to one. */
#define CLIPBOARD_START "\x1b]52;"

/*
 * OSC 52, write:
 *
 *     ESC ] 5 2 ; c ; <base64 of the payload> ESC \
 *
 * Replaces the payload by one sequence for each letter of `selections` (at least one, from
 * CLIPBOARD_SELECTIONS). An empty payload clears the selection. The base64 is padded and on one
 * line, because foot, Alacritty and Rio accept no other.
 *
 * Each sequence has exactly one letter. Ghostty and Contour reject several, Alacritty and Rio read
 * only the first, and xterm sets PRIMARY if there is none. mosh supports only the bytes `52;c;`.
 */
void encode_clipboard_write(struct buf *bytes, const char *selections);

/* The size of one such sequence for `n` bytes of payload. */
size_t clipboard_write_size(size_t n);

/*
 * Aborts an OSC 52 that was interrupted in the middle, so that half a text is never copied:
 *
 *     ! CAN ESC \
 *
 * CAN aborts it in most parsers. In foot, Alacritty and Konsole, CAN or ESC makes a copy of the
 * bytes so far, but with the `!` these are invalid base64.
 */
#define CLIPBOARD_ABORT "!\x18\x1b\\"

/* Aborts any other sequence: CAN ESC \ */
#define SEQUENCE_ABORT "\x18\x1b\\"

/* ---- title (osc.c) ------------------------------------------------------- */

/*
 * Sets the title, or the name of the window in tmux or Screen, to `n` bytes of text,
 * sanitized (text_sanitize()). An empty text resets it.
 *
 *   ESC ] 0 ; <text> ESC \    xterm, ctlseqs, "Operating System Commands": the title of the
 *                             window and of its icon
 *   ESC k <text> ESC \        Screen's manual, "Control Sequences"; tmux(1), NAMES AND
 *                             TITLES. BEL does not end it; terminals print the text
 */
void encode_title(struct buf *out, bool window_name, const char *text, size_t n);

/* The bytes of these around the text. */
enum { TITLE_FRAME = 6, WINDOW_NAME_FRAME = 4 };

/* The terminal's stack of titles (xterm, ctlseqs, "Window manipulation"). */
#define TITLE_PUSH "\x1b[22;0t"
#define TITLE_POP "\x1b[23;0t" /* no effect on an empty stack */

/* ---- progress (osc.c) ---------------------------------------------------- */

/* The state field of OSC 9;4. */
enum progress {
	PROGRESS_CLEAR = 0,
	PROGRESS_NORMAL = 1,
	PROGRESS_ERROR = 2,
	PROGRESS_BUSY = 3, /* indeterminate */
	PROGRESS_PAUSED = 4
};

/*
 * OSC 9;4, from ConEmu's "ANSI X3.64 and Xterm: additional support":
 *
 *     ESC ] 9 ; 4 ; <state> ; <percent> ESC \
 *
 * Always sends both numbers, because terminals differ in the defaults. `percent` is capped at 100,
 * and 0 for PROGRESS_CLEAR and PROGRESS_BUSY. VTE accepts only ST as the terminator. Check
 * FEATURE_PROGRESS first: other terminals with OSC 9 show "4;1;50" as a notification.
 */
void encode_progress(struct buf *out, enum progress state, unsigned percent);

/* ---- colors (color.c) ------------------------------------------------ */

/*
 * From xterm's ctlseqs, "Operating System Commands":
 *
 *     ESC ] 4 ; <c> ; <color> ESC \      ESC ] 1n ; <color> ESC \      set
 *     ESC ] 4 ; <c> ; ? ESC \            ESC ] 1n ; ? ESC \            report
 *     ESC ] 1 0 4 ; <c> ESC \            ESC ] 1 1n ESC \              reset
 *     ESC ] 1 0 4 ESC \                                                reset the palette
 *
 *     <c>        0 to 255, a color of the palette
 *     1n         10 foreground, 11 background, 12 cursor
 *     <color>    #rrggbb, which every terminal with OSC 4 parses. Konsole, which uses QColor,
 *                parses no other number (Session.cpp, setSessionAttribute)
 *
 * Foreground and background are reset twice. Konsole accepts OSC 110 and 111 only with a semicolon
 * (Vt102Emulation.cpp, processSessionAttributeRequest), st only without one (st.c, strhandle).
 */

/* A color by its number: the palette first. */
enum { COLOR_FOREGROUND = 256, COLOR_BACKGROUND, COLOR_CURSOR, COLOR_COUNT };

/* Each channel from 0 to 0xffff. */
struct color {
	unsigned short red, green, blue;
};

/*
 * Parses these forms, with one to four hexadecimal digits for each channel:
 *
 *     rgb:ff/80/0      of any number of digits, scaled: f, ff, fff and ffff are the same
 *     rgba:ff/80/0/f   the alpha is ignored
 *     #ff8000          of equally many digits, scaled likewise: #f80 is #ff8800, as in CSS
 *
 * Returns false for any other, with `*color` unchanged.
 */
bool color_parse(struct color *color, const char *text, size_t n);

/* The size of #rrggbb, with the NUL. */
enum { COLOR_TEXT = sizeof("#rrggbb") };

/* #rrggbb, rounded to nearest. */
void color_format(char text[COLOR_TEXT], const struct color *color);

/* Whether its luminance (ITU-R BT.601) is below one half. */
bool color_is_dark(const struct color *color);

/* Sets the color; NULL queries it. */
void encode_color(struct buf *out, unsigned which, const struct color *color);

/* Resets the color. COLOR_COUNT stands for all of them. */
void encode_color_reset(struct buf *out, unsigned which);

/* ---- hyperlinks (hyperlink.c) ------------------------------------------- */

/*
 * OSC 8 (Egmont Koblinger, "Hyperlinks in terminal emulators"):
 *
 *     ESC ] 8 ; ; <url> ESC \   <text>   ESC ] 8 ; ; ESC \
 *
 * The text between the two sequences is linked to the URL. Parameters could stand between the
 * semicolons, such as an ID for texts that are highlighted as one link. None is sent: Ghostty and
 * xterm.js reject them in the second sequence. Konsole reads another OSC between the two as the
 * URL.
 */

/*
 * Appends a linked text. It is sanitized, and its line breaks become spaces. url_encode() encodes
 * the URL.
 */
void encode_hyperlink(struct buf *out, const char *url, size_t n, const char *text,
    size_t text_n);

/*
 * Appends `n` bytes of a URL, with %XX for those that RFC 3986 forbids: spaces, control characters,
 * bytes from 0x80, and a `%` before anything but two hexadecimal digits. Reserved characters such
 * as `;` stay, because encoding them would make another URL.
 */
void url_encode(struct buf *out, const char *text, size_t n);

/* Appends a path or name, with %XX for all but letters, digits, `-._~` and `/`. */
void url_encode_path(struct buf *out, const char *path, size_t n);

/* Whether the URL begins with a scheme and a colon (RFC 3986, section 3.1). */
bool url_has_scheme(const char *url);

/* A position in a file; the strings are borrowed. */
struct place {
	const char *path;           /* absolute, encoded by url_encode_path() */
	const char *host;           /* or "" */
	unsigned long line, column; /* from 1, or 0 if unknown */
};

/* The names in editors.def, for --format, NULL-terminated. */
extern const char *const editor_words[];

/* The template of that name, in either case, or NULL. */
const char *editor_template(const char *word);

/*
 * Appends the URL of a place: the template, encoded, with these fields replaced. Returns
 * false for another name in braces or an unclosed brace; part of the URL was added then.
 *
 *   {path} %p   the absolute path; its first slash is omitted after a single slash
 *   {line} %l   the line, 1 if unknown
 *   {col}  %c   the column, 1 if unknown; %c0 to %cf are encoded bytes
 *   {host} %h   the host, or nothing
 */
bool encode_place(struct buf *out, const char *template, const struct place *place);

/* Whether the template has a field for the path. */
bool template_has_path(const char *template);

/* ---- notifications (osc.c) ---------------------------------------------- */

enum notification_protocol {
	NOTIFICATION_99,   /* kitty's: every field of struct notification */
	NOTIFICATION_777,  /* rxvt-unicode's: a title and a body */
	NOTIFICATION_9     /* iTerm2's: one text */
};

enum { NOTIFICATION_PROTOCOLS = NOTIFICATION_9 + 1 };

/* Any bytes; sanitized when encoded. Borrowed. */
struct notification_text {
	const char *bytes;
	size_t size;
};

/* In a notification, 0 stands for the terminal's default. The words are NULL-terminated. */
enum urgency { URGENCY_LOW = 1, URGENCY_NORMAL, URGENCY_CRITICAL };
enum shown { SHOWN_ALWAYS = 1, SHOWN_UNFOCUSED, SHOWN_INVISIBLE };
extern const char *const notification_urgencies[], *const notification_times[];

/* OSC 777 and 9 carry only the title and the body. */
struct notification {
	struct notification_text title, body;
	const char *id;   /* for OSC 99: letters, digits and _ + - . but not "0" */
	const char *application; /* for desktop tools */
	unsigned urgency; /* enum urgency */
	unsigned when;    /* enum shown */
	bool ascii;       /* send ASCII only: Screen corrupts other bytes */
};

/*
 * Limits in bytes. A longer text is cut and ends in an ellipsis. Ghostty drops an OSC 9 or 777 of
 * more than 2,048 bytes. It shows 63 bytes of a title and 255 of a body. With OSC 99, kitty shows
 * 1,024 characters. No desktop shows as much.
 */
enum {
	NOTIFICATION_TITLE_MAX = 256,
	NOTIFICATION_BODY_MAX = 1024,
	NOTIFICATION_BODY99_MAX = 16 * 1024
};

/*
 * Appends the sequences of a notification.
 *
 * OSC 99 (kitty, "Desktop notifications"): one sequence for each 1,536 bytes of the title, then of
 * the body.
 *
 *     ESC ] 9 9 ; i=<id> : d=0 : p=title : e=1 <more> ; <base64> ESC \
 *     ESC ] 9 9 ; i=<id> : d=1 : p=body : e=1 ; <base64> ESC \
 *
 *     d=        1 in the last sequence, 0 in the others
 *     p=        title, body
 *     <more>    only in the first sequence: u= and o=, each after a colon
 *     u=        urgency: 0 low, 1 normal, 2 critical
 *     o=        when to show it
 *
 * The text is base64, which also passes Screen. 1,536 bytes become 2,048. The protocol allows 2,048
 * before encoding and 4,096 after. Each piece is padded and ends with a complete character, because
 * foot decodes each separately. Contour drops a notification that has no ID.
 *
 * OSC 777 (rxvt-unicode, perl extension `notify`):
 *
 *     ESC ] 7 7 7 ; n o t i f y ; <title> ; <body> ESC \
 *
 * An empty field is sent as a space, because Ghostty, Rio, Warp and Contour drop a notification
 * with an empty one. In WezTerm and Rio, a semicolon ends a field. So it becomes the canonically
 * equivalent Greek question mark (U+037E), or a comma in ASCII.
 *
 * OSC 9 (iTerm2, "Proprietary Escape Codes"):
 *
 *     ESC ] 9 ; <title> : <body> ESC \
 *
 * ConEmu's commands begin with a number (9;4;1;50 is progress), so a space is inserted before a
 * text that begins with a digit. Semicolons are replaced as in OSC 777: at one, WezTerm drops the
 * text, foot splits it, and Rio truncates it.
 *
 * OSC 99 keeps line breaks; in the others they become spaces. With `ascii`, other characters become
 * question marks.
 */
void encode_notification(struct buf *out, enum notification_protocol protocol,
    const struct notification *n);

/* Asks for the keys that the terminal supports; the reply has the ID. */
#define QUERY_NOTIFICATION "\x1b]99;i=viatty:p=?;\x1b\\"

/* BEL outside a sequence: a sound, a mark on the window, or both. */
#define BELL "\a"

/* ---- queries ------------------------------------------------------------ */

/*
 * From xterm's ctlseqs. The replies are in tty/reply.def.
 *
 * QUERY_DA1        ESC [ c         every terminal replies, in order: sent last, its reply
 *                                  is the fence after all others
 * QUERY_DA2        ESC [ > c       the reply begins with 84 in tmux, 83 in Screen
 * QUERY_DA3        ESC [ = c       the unit ID; few terminals reply
 * QUERY_VERSION    ESC [ > q       XTVERSION, since xterm 354
 * QUERY_ALLOWED    ESC ] 6 0, 6 1  what xterm's settings allow (since 377). Up to 400, OSC
 *                  61 names the window operations `allowWinOps`, and the list for
 *                  `allowWindowOps` is empty; since 401 both lists are the same
 *                  (charproc.c, unparse_disallowed_ops; allow_categories of 400b)
 * QUERY_CLIPBOARD  ESC ] 5 2 ; c ; ? ESC \   OSC 52, read. Konsole and st decode the question
 *                                  mark as base64 and clear the clipboard: their
 *                                  FEATURE_PASTE is SUPPORT_EMPTIES
 * QUERY_BEHIND_TMUX                QUERY_DA1, wrapped for tmux
 */
#define QUERY_DA1 "\x1b[c"
#define QUERY_DA2 "\x1b[>c"
#define QUERY_DA3 "\x1b[=c"
#define QUERY_VERSION "\x1b[>q"
#define QUERY_ALLOWED "\x1b]60\x1b\\" "\x1b]61;allowWinOps\x1b\\" \
	"\x1b]61;allowWindowOps\x1b\\"
#define QUERY_CLIPBOARD CLIPBOARD_START "c;?" ST
#define QUERY_BEHIND_TMUX TMUX_OPENS "\x1b" QUERY_DA1 "\x1b\\"

/* ---- pasted text -------------------------------------------------------- */

/*
 * Bracketed paste: xterm, ctlseqs, "Bracketed Paste Mode". With mode 2004 the terminal sends a
 * mark before and after what the user pastes. ESC [ K erases to the end of the line, ESC [ A
 * moves the cursor up.
 */
#define PASTE_MARKS_ON "\x1b[?2004h"
#define PASTE_MARKS_OFF "\x1b[?2004l"
#define PASTE_BEGINS "\x1b[200~"
#define PASTE_ENDS "\x1b[201~"
#define ERASE_LINE "\r\x1b[K"
#define ERASE_LINE_ABOVE "\x1b[A\x1b[K"

/* ---- colored output ----------------------------------------------------- */

/* SGR (ECMA-48, section 8.3.117): ESC [ 3 2 m is green, ESC [ m resets. */
#define COLOR_GREEN "\x1b[32m"
#define COLOR_RED "\x1b[31m"
#define COLOR_YELLOW "\x1b[33m"
#define COLOR_NONE "\x1b[m"

/* ---- parsing (parse.c) --------------------------------------------------- */

enum sequence_kind {
	SEQUENCE_TEXT,     /* bytes outside any sequence, including C0 controls */
	SEQUENCE_ESCAPE,   /* ESC, intermediates, final: ESC 7, ESC ( B */
	SEQUENCE_CSI,      /* ESC [ parameters, intermediates, final */
	SEQUENCE_OSC,      /* ESC ] ... BEL or ST */
	SEQUENCE_STRING,   /* DCS, SOS, PM, APC, Screen's ESC k: ... ST */
	SEQUENCE_IGNORED,  /* complete, but contains an invalid byte */
	SEQUENCE_BROKEN    /* unterminated, or cut off by ESC, CAN or SUB */
};

/*
 * The only parser of sequences, byte by byte: ECMA-48, sections 5.3 to 5.6, with the states
 * of DEC's VT500 (vt100.net/emu/dec_ansi_parser). Starts zeroed. C1 bytes are UTF-8.
 *
 * CAN, SUB and ESC cut a sequence off. A string ends at ST, an OSC also at BEL. A string may be
 * wrapped already, for tmux (ESC P tmux;) or for Screen (ESC P ESC). Inside it, ESC, CAN and SUB
 * are data, and for tmux the second ESC of a pair is, too.
 *
 * An invalid byte does not end a sequence (states csi_ignore and the like). Terminals skip to the
 * final byte, and execute control characters before it, also newlines. They ignore a CSI with a
 * parameter after an intermediate, or with a private marker after a parameter. Some print the bytes
 * after the invalid one, so an ignored sequence may show text.
 */
struct parser {
	enum { PARSER_TEXT, PARSER_ESCAPE, PARSER_INTERMEDIATE, PARSER_CSI, PARSER_STRING,
		PARSER_STRING_ESCAPE } state;
	unsigned char introducer;   /* of CSI and strings: the byte after ESC */
	enum sequence_kind kind;    /* of the sequence that just ended */
	bool nested;                /* a string wrapped for tmux or Screen */
	/* for parse.c */
	bool invalid, intermediate;
	unsigned char tmux;         /* bytes of "tmux;" so far */
	size_t size;                /* after the introducer */
};

enum parsed {
	PARSED_TEXT, /* outside of sequences */
	PARSED_MORE, /* begins or continues one */
	PARSED_END,  /* completes it: parser.kind */
	/* not consumed, parse it again: the sequence was cut off before this byte */
	PARSED_CUT,
	PARSED_CUT_BY_ESCAPE /* or before the preceding ESC, which begins another */
};

enum parsed parse_byte(struct parser *p, unsigned char c);

/*
 * The number of leading bytes that only continue a string, such as base64: they need not be
 * parsed one at a time.
 */
size_t parse_run(const struct parser *p, const unsigned char *bytes, size_t n);

/*
 * The length and kind of the sequence or text at the start of the `n` bytes (at least 1).
 * A broken sequence extends to the end or to the byte that cut it off.
 */
size_t sequence_next(const unsigned char *bytes, size_t n, enum sequence_kind *kind);

/* ---- passthrough (wrap.c) ----------------------------------------------- */

/*
 * Passthrough layers: the multiplexers to wrap for.
 *
 *     LAYER_TMUX          ESC P t m u x ; <every ESC twice> ESC \
 *     LAYER_SCREEN        ESC P <at most 767 bytes> ESC \   as often as needed
 *     LAYER_TMUX_MAYBE    the sequence, then the sequence as for LAYER_TMUX
 *
 * LAYER_TMUX has one DCS for each sequence. After every DCS, tmux writes control sequences to its
 * client, so a sequence split over two never arrives. Source: allow-passthrough in tmux(1), and
 * input_dcs_dispatch() in input.c.
 *
 * LAYER_SCREEN: Screen copies the bytes and keeps 767 of a string (MAXSTR in screen.h, 4.2.1 to
 * 5.0.0). No byte is doubled. The first ESC \ ends the string, so an ST inside is split between its
 * two bytes, and an OSC ends with BEL instead.
 *
 * LAYER_TMUX_MAYBE is for a tmux with unknown options. With set-clipboard on it accepts the first
 * form, with allow-passthrough on the second, and drops the other.
 */
enum layer { LAYER_TMUX, LAYER_SCREEN, LAYER_TMUX_MAYBE };

/* What these strings begin with; a sequence within one of Screen begins with ESC. */
#define TMUX_OPENS "\x1bPtmux;"
#define SCREEN_OPENS "\x1bP"
#define SCREEN_OPENS_SEQUENCE SCREEN_OPENS "\x1b"

enum { CHAIN_MAX = 8, CHAIN_TEXT = CHAIN_MAX * 8, SCREEN_STRING_MAX = 767 };

/* tmux drops a longer sequence: input.c:INPUT_BUF_LIMIT, less "tmux;". */
enum { TMUX_SEQUENCE_MAX = 1048570 };

/* Layers from the inside out: layer[0] is nearest to the program. */
struct chain {
	size_t count;
	enum layer layer[CHAIN_MAX];
};

/* Parses "tmux", "screen", "tmux?", joined by commas, or "none". */
bool chain_parse(struct chain *chain, const char *text);

/* The same notation; `text` has CHAIN_TEXT bytes. */
void chain_format(const struct chain *chain, char *text);

bool chain_add(struct chain *chain, enum layer layer);

/* Whether a layer of the chain is of this kind. */
bool chain_has(const struct chain *chain, enum layer layer);

/*
 * Replaces `bytes` by their form for the whole chain; one that is empty or NULL changes nothing.
 * Wraps each sequence, and each text between two, for the outermost layer first. All of it comes
 * again for each LAYER_TMUX_MAYBE. Takes memory for the result beside `bytes`. If the outermost of
 * several layers is a tmux, also takes memory for one form of the longest sequence.
 */
void wrap(struct buf *bytes, const struct chain *chain);

/*
 * The longest OSC that, once wrapped, every tmux of the chain accepts, or 0 if none limits it. A
 * tmux inside Screen does not: the sequence is split for Screen and spread over as many strings of
 * tmux as needed.
 */
size_t wrap_limit(const struct chain *chain);

/*
 * Fills the empty `out` with bytes that abort a sequence after any part of it was written through
 * `chain`. The layers may have read less. The bytes have to reach the terminal, which may have
 * received the first half:
 *
 *   tmux     <abort, every ESC twice> ESC \      completes the DCS, in which CAN would be
 *                                               data
 *   Screen   \ ESC \ ESC P <abort> ESC \        the backslash completes an ST or makes
 *                                               the base64 invalid; a second string
 *                                               carries the abort
 *
 * If there are more layers outside tmux, repeats the abort as a separate sequence, because tmux may
 * have been between two strings. `abort` is one of the *_ABORT above. A chain that is empty or NULL
 * leaves it as it is.
 */
void wrap_abort(struct buf *out, const char *abort, const struct chain *chain);

/* ---- streams (wrap_stream.c) --------------------------------------------- */

/*
 * Wraps the pictures in the output of a program for a chain: APC (kitty's), DCS ... q (sixel) and
 * OSC 1337 (iTerm2's). Everything else passes unchanged, in order. A multiplexer draws with CSI
 * itself. A hyperlink or a title that was wrapped would reach the terminal apart from its text.
 * Takes linear time, and memory for the longest picture and its wrapped form.
 *
 * A string is buffered until its end, at ST, or for an OSC at BEL. If CAN, SUB or another ESC cuts
 * it off, or the input ends, it passes unchanged. A string above TMUX_SEQUENCE_MAX that is no
 * picture passes as it arrives. C1 bytes are UTF-8.
 */

/* The longest picture that is wrapped if no layer limits its size. */
enum { WRAP_STREAM_MAX = 64 * 1024 * 1024 };

/* Starts zeroed. */
struct wrap_stream {
	/* set by the caller */
	struct chain chain;  /* LAYER_TMUX_MAYBE counts as LAYER_TMUX */
	size_t limit;        /* longer pictures are omitted; 0 stands for WRAP_STREAM_MAX */
	bool drops;          /* omit every picture */
	/* the number of complete pictures omitted, and the size of the longest */
	size_t left_out, longest;
	/* for wrap_stream.c */
	struct buf held;     /* the sequence so far */
	struct parser parser;
	unsigned char way;
	size_t size;         /* of the current sequence */
};

void wrap_stream_begin(struct wrap_stream *w);

/* Processes the next `n` bytes of input and appends the result to `out`. */
void wrap_stream_feed(struct wrap_stream *w, const void *bytes, size_t n, struct buf *out);

/* The end of the input: appends an incomplete sequence unchanged, and frees what was held. */
void wrap_stream_end(struct wrap_stream *w, struct buf *out);

/* ---- what a program may leave switched on -------------------------------- */

/*
 * Private modes by number, and the stack and the flags of the keyboard (kitty, "Comprehensive
 * keyboard handling").
 */
#define MODE_ON "\x1b[?%uh"
#define MODE_OFF "\x1b[?%ul"
#define KEYBOARD_POP "\x1b[<%uu"
#define KEYBOARD_OFF "\x1b[=0u"
/* xterm, ctlseqs; CSI r also moves the cursor, so it is saved around that */
#define KEYPAD_OFF "\x1b>"
#define OTHER_KEYS_OFF "\x1b[>4m"
#define INSERT_OFF "\x1b[4l"
#define CHARSET_ASCII "\x1b(B"
#define CURSOR_SHAPE "\x1b[0 q"
#define WHOLE_REGION "\x1b" "7\x1b[r\x1b" "8"
#define LINK_OFF "\x1b]8;;\x1b\\"
#define PROGRESS_OFF "\x1b]9;4;0;0\x1b\\"

/* ---- replies that announce a relay --------------------------------------- */

/* A relay adds this to the reply to XTVERSION that it passes: see relay/relay.h. */
#define RELAY_NAME " viatty-relay"
/* A relay that takes notifications adds this, too. */
#define RELAY_NOTIFIES " viatty-notify"

/* The reply to the query of OSC 99, with its id. */
#define REPLY_NOTIFIES "\x1b]99;i=%s:p=?;o=always:p=title,body:u=0,1,2\x1b\\"

/* The reply to XTGETTCAP for Ms (neovim 0.10): \E]52;%p1%s;%p2%s\007 */
#define RELAY_TERMCAP "\x1bP1+r4D73=5C455D35323B25703125733B25703225735C303037\x1b\\"

/* What the replies to DA1 and XTVERSION begin with. */
#define DA1_REPLY "\x1b[?"
#define VERSION_REPLY "\x1bP>|"

/* ---- readable notation (parse.c) ---------------------------------------- */

/*
 * Appends `n` bytes as one line of ASCII:
 *
 *     ESC  \e    BEL  \a    backslash  \\    printable ASCII  unchanged    any other byte  \xNN
 */
void escape_notation_write(struct buf *out, const unsigned char *bytes, size_t n);

#endif
