/* SPDX-License-Identifier: MIT */
/*
 * The encoder: builds every escape sequence that viatty sends. This header shows the
 * bytes of each, with one space between two bytes; <...> is a field of many bytes.
 *
 * Pure: no descriptor, clock, environment or exit. Sizes are in bytes. Each encode_*()
 * adds to a buf that the caller owns and never keeps an argument. False means that the
 * buf had no room: its `fault` says why, and it may end in part of a sequence, which
 * the caller must not send.
 *
 *   ESC   0x1b              introducers are 7-bit: C1 bytes are also UTF-8
 *   OSC   ESC ]             operating system command
 *   DCS   ESC P             device control string
 *   ST    ESC \             ends both. VTE accepts nothing else for some
 *                           sequences, and no parser is known to refuse it
 *   BEL   0x07              also ends an OSC; the only end that Screen passes on
 *   CAN   0x18              aborts a sequence in DEC's parser and those after it
 */
#ifndef ENCODER_ENCODER_H
#define ENCODER_ENCODER_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

struct chain;

/* ---- sources: sequences part by part (source.c) -------------------------- */

/*
 * A source builds the sequences of a payload and wraps them for a chain, a part
 * at a time, so that they need not all be in memory before the first is written. The
 * bytes are the same however they are taken.
 */
struct source;

/* What a part is of the sequence it belongs to. */
enum part {
	PART_GOES_ON, /* more of the sequence follows */
	PART_ENDS,    /* the sequence ends with it */
	PART_NONE     /* there is none: all sequences are built */
};

/* Bytes of payload in one part: a multiple of three, for base64. */
enum { SOURCE_PART = 12288 };

/* How far the building is; all zeros at the beginning. */
struct source_position {
	size_t sequence; /* number of the present one */
	size_t at;       /* bytes of payload that are used up */
	size_t end;      /* for source_bytes(): where the present sequence ends */
	bool open;       /* the present one has begun */
};

/*
 * Adds the next part to `out`: of a payload about SOURCE_PART bytes at most. The first
 * part of a sequence has at least two bytes, unless the sequence has only one, and its
 * ST is never divided. It depends on the position alone, which it moves. No room: the
 * fault of `out` says so, and the position no longer matters.
 */
typedef enum part source_part(struct source *s, struct buf *out);

enum { CHAIN_MAX = 8 };

/* How far a layer is in the string it makes. */
struct layer_state {
	bool open;   /* it has begun */
	bool begun;  /* Screen: and what it is made from */
	bool osc;    /* Screen: which is an OSC */
	bool escape; /* Screen: its last byte was ESC */
	size_t used; /* Screen: bytes in it */
};

struct source {
	/* set by the encode_*() function and constant afterwards */
	source_part *part;
	const unsigned char *payload; /* borrowed until source_free() */
	size_t size;
	const char *selections; /* for encode_clipboard_write(); borrowed */
	/* for source.c and wrap.c */
	const struct chain *chain; /* NULL: none; borrowed */
	struct source_position position;
	unsigned pass; /* LAYER_TMUX_MAYBE takes everything twice */
	struct layer_state layer[CHAIN_MAX];
	struct buf bare; /* a part that is not wrapped yet */
};

/* For encode_*() functions: a source of `n` bytes of payload that is not wrapped. */
void source_init(struct source *s, source_part *part, const void *payload, size_t n);

/* A source of bytes that are sequences already, `n` of them. */
void source_bytes(struct source *s, const void *bytes, size_t n);

/* Wraps for `chain`; has to come before the first part is taken. */
void source_wrap(struct source *s, const struct chain *chain);

/*
 * Adds the next part to `out`. False: nothing is left, or there was no room (the
 * fault of `out`), after which the source is of no use.
 */
bool source_next(struct source *s, struct buf *out);

/* Adds all that is left. False: no room (the fault of `out`). */
bool source_all(struct source *s, struct buf *out);

void source_free(struct source *s);

/* ---- clipboard (clipboard.c) ------------------------------------------- */

/*
 * The letters of OSC 52 (xterm, ctlseqs, "Manipulate Selection Data"):
 * c clipboard, p primary, q secondary, s what the user configured, 0-7 cut
 * buffers.
 */
#define CLIPBOARD_SELECTIONS "cpqs01234567"

/*
 * OSC 52, write:
 *
 *   ESC ] 5 2 ; c ; <base64 of the payload> ESC \
 *
 * Makes `s` the source of it for `n` bytes of payload. One sequence for each letter
 * of `selections` (one at least, from CLIPBOARD_SELECTIONS): exactly one
 * letter a sequence, because Ghostty and Contour refuse more, Alacritty and
 * Rio read only the first and mosh knows the literal bytes `52;c;` alone; and
 * never none, because xterm takes that for PRIMARY. An empty payload clears
 * the selection. Padded, on one line: foot, Alacritty and Rio take nothing
 * else.
 */
void encode_clipboard_write(struct source *s, const void *payload, size_t n,
    const char *selections);

/* The bytes of one such sequence for `n` bytes of payload. */
size_t clipboard_write_size(size_t n);

/*
 * What stops an OSC 52 that was cut off in the middle:
 *
 *   ! CAN ESC \
 *
 * CAN aborts it in most parsers. Where CAN or ESC dispatch what has come so
 * far (foot, Alacritty, Konsole), `!` has made it something other than base64,
 * so no half of a text passes for the whole.
 */
#define CLIPBOARD_ABORT "!\x18\x1b\\"

/* What stops any other sequence: CAN ESC \ */
#define SEQUENCE_ABORT "\x18\x1b\\"

/* ---- clipboard with types (typed_clipboard.c) ---------------------------- */

/*
 * OSC 5522 (kitty, "Copying all data types to the clipboard"; read in kitty 0.48.2,
 * docs/clipboard.rst and kitty/clipboard.py). The terminal answers every read and every
 * write, so nobody may send one who does not read the reply.
 *
 * Write: a beginning, for each item its chunks in order and its aliases, an end.
 *
 *   ESC ] 5522 ; type=write:id=ID:loc=primary ESC \
 *   ESC ] 5522 ; type=wdata:mime=<base64 of the type> ; <base64 of a chunk> ESC \
 *   ESC ] 5522 ; type=walias:mime=<base64 of the type> ; <base64 of aliases> ESC \
 *   ESC ] 5522 ; type=wdata ESC \
 *
 * Read:   ESC ] 5522 ; type=read:id=ID:loc=primary ; <base64 of types> ESC \
 *
 * Keys are divided by colons: the document has a semicolon in `type=walias;mime=`, with
 * which kitty finds no type and ignores the packet. Without items a write clears the
 * clipboard. The replies are in tty/typed_reply.h.
 */

/*
 * Bytes of data in one packet. The protocol allows 4,096; this is the multiple of three
 * below, so that only the last chunk of a type is padded: kitty 0.36.0 to 0.36.2 loses
 * what follows a padded one (kovidgoyal/kitty#7858).
 */
enum { TYPED_CHUNK = 4095 };

/* Bytes of the longest type, so that its packets stay below 8 KiB; Ghostty has the same. */
enum { TYPED_TYPE_MAX = 256 };

/* One content of the clipboard. Nothing is owned. */
struct typed_item {
	const char *types; /* one, or several for the same bytes, divided by commas */
	const void *bytes;
	size_t size;
};

struct typed_write {
	const char *id;    /* letters, digits and - _ + . only, or NULL */
	bool primary;      /* the primary selection, not the clipboard */
	const struct typed_item *item;
	size_t count;
};

/* Makes `s` the source of all packets of the write, which is borrowed until then. */
void encode_typed_write(struct source *s, const struct typed_write *write);

/* Adds the request for one type, or with "." for the list of those that there are. */
bool encode_typed_read(struct buf *out, const char *id, bool primary, const char *type);

/*
 * Whether the `n` bytes are a media type, with parameters or not (RFC 6838, section 4.2),
 * without blanks, which divide types in the protocol, and without commas.
 */
bool typed_type_is_fine(const char *type, size_t n);

/* Whether it is text/plain, with parameters or not: what OSC 52 carries as well. */
bool typed_type_is_plain(const char *type, size_t n);

/* ---- title (title.c) ---------------------------------------------------- */

/* Which title. The values are the numbers of OSC 0, 1 and 2. */
enum title {
	TITLE_BOTH = 0,   /* icon and window */
	TITLE_ICON = 1,   /* shown on tabs by some terminals, ignored by most */
	TITLE_WINDOW = 2, /* in tmux the pane's title, in Screen the hardstatus line */
	TITLE_MUX_WINDOW  /* the name of a window of tmux or Screen */
};

/*
 * Sets the title to `n` bytes of text, which pass text_sanitize(). An empty text
 * resets it.
 *
 *   ESC ] 0 ; <text> ESC \            TITLE_BOTH: xterm, ctlseqs, "Operating System
 *   ESC ] 1 ; <text> ESC \            TITLE_ICON   Commands"
 *   ESC ] 2 ; <text> ESC \            TITLE_WINDOW
 *   ESC k <text> ESC \                TITLE_MUX_WINDOW: Screen's manual, "Control
 *                                     Sequences"; tmux(1), NAMES AND TITLES.
 *                                     BEL does not end it; terminals print the
 *                                     text
 */
bool encode_title(struct buf *out, enum title which, const char *text, size_t n);

/* The size of that sequence for `n` bytes of sanitized text. */
size_t title_size(enum title which, size_t n);

/*
 * Pushes the title on the terminal's stack and pops it (xterm, ctlseqs, "Window
 * manipulation"). The last number is that of enum title, of which TITLE_MUX_WINDOW
 * has none.
 *
 *   ESC [ 2 2 ; 2 t   push
 *   ESC [ 2 3 ; 2 t   pop and set; no effect on an empty stack
 */
bool encode_title_push(struct buf *out, enum title which);
bool encode_title_pop(struct buf *out, enum title which);

/* ---- progress (progress.c) ---------------------------------------------- */

/* The state field of OSC 9;4. */
enum progress {
	PROGRESS_CLEAR = 0,
	PROGRESS_NORMAL = 1,
	PROGRESS_ERROR = 2,
	PROGRESS_BUSY = 3, /* indeterminate */
	PROGRESS_PAUSED = 4
};

/*
 * OSC 9;4 (ConEmu, "ANSI X3.64 and Xterm: additional support"):
 *
 *   ESC ] 9 ; 4 ; <state> ; <percent> ESC \
 *
 * Both numbers are always sent, because terminals differ in the default of a missing
 * one. `percent` is capped at 100, and 0 for PROGRESS_CLEAR and PROGRESS_BUSY. VTE
 * accepts no terminator but ST. A terminal with OSC 9 notifications but without this
 * form shows "4;1;50" as a notification: FEATURE_PROGRESS says which have it.
 */
bool encode_progress(struct buf *out, enum progress state, unsigned percent);

/* ---- program status (program_status.c) ----------------------------------- */

/*
 * OSC 7501 (Program Status Protocol, revision 0.4): what a program does, for the terminal
 * to show beside its tab.
 *
 *   ESC ] 7501 ; state=<state> : id=<id> : app=<app> : kind=<kind> : progress=<percent> :
 *       title=<base64> : msg=<base64> ESC \
 *
 * Pairs that are not given are left out. A report replaces its record whole; `clear`
 * removes the record and all beneath it, without an id every record of the terminal. A
 * terminal drops a report that breaks a limit, which is why they are checked here.
 */
enum program_state {
	PROGRAM_IDLE,
	PROGRAM_WORKING,
	PROGRAM_BLOCKED, /* it waits for the user */
	PROGRAM_DONE,
	PROGRAM_ERROR,
	PROGRAM_CLEAR,
	PROGRAM_STATES
};

/* Their words, by enum program_state; NULL ends them. */
extern const char *const program_states[PROGRAM_STATES + 1];

/* Limits in bytes, of texts before base64. A sequence within them has less than 4,096. */
enum {
	PROGRAM_NAME_MAX = 32, /* of `app`, and of each name in an id */
	PROGRAM_ID_MAX = 128,
	PROGRAM_ID_DEPTH_MAX = 8, /* names */
	PROGRAM_TITLE_MAX = 192,
	PROGRAM_MESSAGE_MAX = 2048
};

/* Strings are borrowed; NULL: not given. */
struct program_status {
	enum program_state state;
	const char *id;      /* names of letters, digits and _ . + - joined by one / each */
	const char *app;     /* one such name */
	const char *kind;    /* permission, question or auth; of PROGRAM_BLOCKED only */
	int progress;        /* 0 to 100, of PROGRAM_WORKING and _BLOCKED only; -1: none */
	const char *title, *message; /* texts that have passed text_sanitize() */
};

enum program_status_fault {
	PROGRAM_FINE,
	PROGRAM_ID_INVALID, /* an empty name, or another character */
	PROGRAM_ID_NAME_LONG,
	PROGRAM_ID_DEEP,
	PROGRAM_ID_LONG,
	PROGRAM_APP_INVALID,
	PROGRAM_APP_LONG,
	PROGRAM_KIND_MISPLACED,
	PROGRAM_PROGRESS_MISPLACED,
	PROGRAM_CLEAR_MISPLACED, /* more than an id */
	PROGRAM_TITLE_LONG,
	PROGRAM_MESSAGE_LONG,
	PROGRAM_FAULTS
};

/* The first rule of the protocol that it breaks; or that an id does. */
enum program_status_fault program_status_check(const struct program_status *status);
enum program_status_fault program_status_check_id(const char *id);

/* Adds the report of a status that program_status_check() finds fine. */
bool encode_program_status(struct buf *out, const struct program_status *status);

/* CAN: aborts the sequence that has begun. */
#define SEQUENCE_CANCEL "\x18"

/* ---- colors (color.c, color_chart.c) ------------------------------------ */

/*
 * From xterm's ctlseqs, "Operating System Commands"; c is 0 to 255, a color of the
 * palette, and 1n is 10 foreground, 11 background, 12 cursor:
 *
 *   ESC ] 4 ; <c> ; <color> ESC \      ESC ] 1n ; <color> ESC \      set
 *   ESC ] 4 ; <c> ; ? ESC \            ESC ] 1n ; ? ESC \            report
 *   ESC ] 1 0 4 ; <c> ESC \            ESC ] 1 1n ESC \              reset
 *   ESC ] 1 0 4 ESC \                                                reset the palette
 *
 * A color is rgb:hh/hh/hh, or rgb:hhhh/hhhh/hhhh where it is not made of whole bytes:
 * the forms of XParseColor() that every terminal with OSC 4 parses.
 */

/* A color by its number: the palette first. */
enum { COLOR_FOREGROUND = 256, COLOR_BACKGROUND, COLOR_CURSOR, COLOR_COUNT };

/* Each channel from 0 to 0xffff. */
struct color {
	unsigned short red, green, blue;
};

/*
 * Parses rgb: with one to four hexadecimal digits a channel, rgba: with an alpha that is
 * dropped, and # with the digits of each channel, which are scaled as in rgb: (#f00 is
 * #ff0000, as in CSS). False, with `*color` unchanged: anything else.
 */
bool color_parse(struct color *color, const char *text, size_t n);

/* The color of this name in X11's rgb.txt, in any case, with or without its blanks. */
bool color_by_name(struct color *color, const char *name);

/* Room for a name of a color's number, and for #rrggbb. */
enum { COLOR_NAME = sizeof("foreground"), COLOR_TEXT = sizeof("#rrggbb") };

/* "foreground", "background", "cursor" or 0 to 255; and back. */
bool color_which(unsigned *which, const char *name);
void color_name(char name[COLOR_NAME], unsigned which);

/* #rrggbb, to the nearest. */
void color_format(char text[COLOR_TEXT], const struct color *color);

/* Whether its luminance (ITU-R BT.601) is below one half. */
bool color_is_dark(const struct color *color);

bool encode_color_set(struct buf *out, unsigned which, const struct color *color);
bool encode_color_reset(struct buf *out, unsigned which);
bool encode_color_reset_all(struct buf *out);
bool encode_color_read(struct buf *out, unsigned which);

/*
 * Lines of text that show 16, 256 and true color, text attributes, and underline styles
 * and colors. SGR as in ECMA-48, section 8.3.117, with 48;5;c, 48;2;r;g;b and 90 to 107
 * of xterm's ctlseqs and 4:1 to 4:5 and 58 of kitty's "Colored and styled underlines":
 *
 *   ESC [ <parameters> m   <text>   ESC [ m
 */
bool encode_color_chart(struct buf *out);

/* ---- hyperlinks (hyperlink.c) ------------------------------------------- */

/*
 * OSC 8 (Egmont Koblinger, "Hyperlinks in terminal emulators"):
 *
 *   ESC ] 8 ; id=<id> ; <url> ESC \   <text>   ESC ] 8 ; ; ESC \
 *
 * The text between the two is a link to the URL. Without an id the first begins
 * ESC ] 8 ; ; and pieces of text with the same id and URL are highlighted as one link.
 *
 * The second never has parameters: Ghostty and xterm.js do not accept ESC ] 8 ; id=x ;
 * as the end. No other OSC may stand between the two: Konsole reads it as the URL.
 */

/* The first; the URL passes url_encode(), the id (NULL: none) url_encode_path(). */
bool encode_hyperlink_open(struct buf *out, const char *url, size_t n,
    const char *id);

/* The second. */
bool encode_hyperlink_close(struct buf *out);

/* Both around a text, which passes text_sanitize(); line breaks become blanks. */
bool encode_hyperlink(struct buf *out, const char *url, size_t n, const char *id,
    const char *text, size_t text_n);

/* Bytes of the longest id: VTE replaces a longer one, kitty keeps 256. */
enum { HYPERLINK_ID_MAX = 250 };

/* Bytes of what hyperlink_id() writes: v, 16 digits, NUL. */
enum { HYPERLINK_ID_SIZE = 18 };

/* An id that is a hash of the URL. */
void hyperlink_id(char id[HYPERLINK_ID_SIZE], const char *url, size_t n);

/* Whether a complete OSC is an OSC 8, and which; `*url` points into `bytes`. */
enum hyperlink { HYPERLINK_NONE, HYPERLINK_OPEN, HYPERLINK_CLOSE };
enum hyperlink hyperlink_read(const unsigned char *bytes, size_t n,
    const char **url, size_t *url_n);

/*
 * Adds `n` bytes of a URL and encodes as %XX what RFC 3986 does not allow in one:
 * blanks, controls, bytes from 0x80 on, and a `%` that two hexadecimal digits do not
 * follow. It also encodes the semicolon, which ends a field in WezTerm, Rio and hterm.
 */
bool url_encode(struct buf *out, const char *text, size_t n);

/* Adds a path or name and encodes all but letters, digits, `-._~` and `/`. */
bool url_encode_path(struct buf *out, const char *path, size_t n);

/* Whether the URL begins with a scheme and a colon (RFC 3986, section 3.1). */
bool url_has_scheme(const char *url, size_t n);

/* A place in a file; the strings are borrowed. */
struct place {
	const char *path;           /* absolute */
	const char *host;           /* "" = none */
	unsigned long line, column; /* from 1 on; 0 = unknown */
};

/* The words of editors.def, for --format; NULL ends them. */
extern const char *const editor_words[];

/* The template of that word, or NULL. */
const char *editor_template(const char *word);

/*
 * Adds the URL of a place: the template, encoded, with these fields replaced. False:
 * another name in braces, a brace that is not closed (out->fault is BUF_FINE then, and
 * part of the URL was added), or no room.
 *
 *   {path} %p   the absolute path; its first slash is left out behind a single slash
 *   {line} %l   the line, 1 if unknown
 *   {col}  %c   the column, 1 if unknown; %c0 to %cf are bytes in hexadecimal digits
 *   {host} %h   the host, or nothing
 */
bool encode_place(struct buf *out, const char *template, const struct place *place);

/* Whether the template has a field for the path. */
bool template_has_path(const char *template);

/* ---- notifications (notification.c) ------------------------------------- */

enum notification_protocol {
	NOTIFICATION_99,   /* kitty's: every field of struct notification */
	NOTIFICATION_777,  /* rxvt-unicode's: a title and a body */
	NOTIFICATION_9     /* iTerm2's: one text */
};

/* Any bytes; they pass text_sanitize(). Borrowed. */
struct notification_text {
	const char *bytes;
	size_t size;
};

/* Strings of at most 256 bytes, else shortened; they pass text_sanitize(). Borrowed. */
struct notification_list {
	const char *const *text;
	size_t count;
};

enum notification_urgency {
	NOTIFICATION_URGENCY_NONE, /* the terminal's default */
	NOTIFICATION_LOW, NOTIFICATION_NORMAL, NOTIFICATION_CRITICAL
};

/*
 * OSC 777 and 9 send the title and the body alone. Fields that are 0 or NULL are not
 * sent, which leaves them to the terminal.
 */
struct notification {
	struct notification_text title, body;
	const char *id;   /* required by OSC 99: notification_id_is_fine() */
	enum notification_urgency urgency;
	const char *application, *sound;
	struct notification_list icons; /* names; the first that is known is shown */
	struct notification_list types; /* categories */
	struct notification_list buttons;
	const char *when; /* show only when "always", "unfocused" or "invisible" */
	unsigned expire_ms;
	bool stays;       /* never expires */
	bool reports;     /* the terminal reports clicks and the end */
	bool ascii;       /* send ASCII only: Screen corrupts other bytes */
};

/*
 * Bytes of the longest texts; a longer one ends in an ellipsis. Ghostty drops OSC 9
 * and 777 of more than 2,048 bytes and shows 63 of the title and 255 of the body.
 * kitty shows 1,024 characters of a text by OSC 99. No desktop shows as much.
 */
enum {
	NOTIFICATION_TITLE_MAX = 256,
	NOTIFICATION_BODY_MAX = 1024,
	NOTIFICATION_BODY99_MAX = 16 * 1024
};

/*
 * Adds the sequences of a notification.
 *
 * OSC 99 (kitty, "Desktop notifications"): one sequence for each 1,536 bytes of
 * the title, then of the body, then of the buttons. The last has d=1, all others d=0;
 * <more> stands in the first only, each of its keys with a colon in front.
 *
 *   ESC ] 9 9 ; i=<id> : d=0 : p=title : e=1 <more> ; <base64> ESC \
 *   ESC ] 9 9 ; i=<id> : d=1 : p=body : e=1 ; <base64> ESC \
 *
 *     p=            title, body, buttons (the labels, with U+2028 between two)
 *     a=report:c=1  report clicks and the end
 *     u=            urgency: 0 low, 1 normal, 2 critical
 *     o=            when to show it
 *     w=            milliseconds until it expires; 0: never
 *     f= s= n= t=   in base64: application, sound, icon, type; n and t repeat
 *
 *   All text is base64, which also passes Screen. 1,536 bytes become 2,048; the
 *   protocol allows 2,048 before encoding and 4,096 after. Each piece is padded by itself
 *   and ends with a whole character, because foot decodes them one by one. Contour
 *   drops a notification without an id.
 *
 * OSC 777 (rxvt-unicode, perl extension `notify`):
 *
 *   ESC ] 7 7 7 ; n o t i f y ; <title> ; <body> ESC \
 *
 *   An empty field is sent as a blank: Ghostty, Rio, Warp and Contour drop the
 *   notification otherwise. A semicolon, which ends a field in WezTerm and Rio,
 *   becomes the Greek question mark (U+037E), its canonical equivalent in Unicode;
 *   in ASCII a comma.
 *
 * OSC 9 (iTerm2, "Proprietary Escape Codes"):
 *
 *   ESC ] 9 ; <title> : <body> ESC \
 *
 *   ConEmu's commands begin with a number (9;4;1;50 is progress), so a text that
 *   begins with a digit gets a blank in front. Semicolons are replaced as in OSC 777:
 *   WezTerm drops the text, foot divides it, Rio truncates it.
 *
 * Line breaks stay in OSC 99 and become blanks in the others. With `ascii`,
 * quotation marks, dashes and the like become their ASCII form, and other characters
 * a question mark.
 */
bool encode_notification(struct buf *out, enum notification_protocol protocol,
    const struct notification *n);

/* Whether `id` is 1 to 128 letters, digits and _ + - . and not "0". */
bool notification_id_is_fine(const char *id);

/*
 * Of OSC 99; the query asks which of its keys the terminal supports.
 *
 *   ESC ] 9 9 ; i=<id> : p=close ; ESC \
 *   ESC ] 9 9 ; i=<id> : p=? ; ESC \
 */
bool encode_notification_close(struct buf *out, const char *id);
bool encode_notification_query(struct buf *out, const char *id);

/* BEL outside of any sequence: a sound, a flag on the window, or both. */
#define BELL "\a"

/* ---- queries ------------------------------------------------------------ */

/*
 * From xterm's ctlseqs. The replies are in tty/reply.def.
 *
 * QUERY_DA1        ESC [ c         every terminal replies, and in order: sent last,
 *                                  its reply is the fence behind all others
 * QUERY_DA2        ESC [ > c       the reply begins with 84 in tmux, 83 in Screen
 * QUERY_DA3        ESC [ = c       the unit id; few terminals reply
 * QUERY_VERSION    ESC [ > q       XTVERSION, since xterm 354
 * QUERY_TITLE      ESC [ 2 1 t     the window's title; few terminals reply
 * QUERY_TYPED      ESC [ ? 5 5 2 2 $ p   whether mode 5522 is known (DECRQM), and with
 *                                  it OSC 5522: kitty's document, "Detecting support"
 * QUERY_SCHEME     ESC [ ? 9 9 6 n   dark or light: Contour's "Dark and light mode
 *                                  detection", with mode 2031
 * QUERY_PROGRAM    ESC ] 7501 ; ? ESC \   whether OSC 7501 is known: the reply begins
 *                                  with the same bytes (Program Status Protocol)
 */
#define QUERY_DA1 "\x1b[c"
#define QUERY_DA2 "\x1b[>c"
#define QUERY_DA3 "\x1b[=c"
#define QUERY_VERSION "\x1b[>q"
#define QUERY_TITLE "\x1b[21t"
#define QUERY_TYPED "\x1b[?5522$p"
#define QUERY_SCHEME "\x1b[?996n"
#define QUERY_PROGRAM "\x1b]7501;?\x1b\\"

/*
 * OSC 52, read (clipboard.c):   ESC ] 5 2 ; c ; ? ESC \
 *
 * Konsole and st decode the question mark as text and empty the clipboard:
 * SUPPORT_EMPTIES of FEATURE_PASTE names such terminals.
 */
bool encode_clipboard_read(struct buf *out, char selection);

/* ---- bracketed paste ---------------------------------------------------- */

/*
 * Mode 2004 (xterm, ctlseqs, "Bracketed Paste Mode"): the terminal marks what is
 * pasted.
 *
 *   ESC [ ? 2 0 0 4 h   on
 *   ESC [ ? 2 0 0 4 l   off
 */
#define BRACKETED_PASTE_ON "\x1b[?2004h"
#define BRACKETED_PASTE_OFF "\x1b[?2004l"

/* ---- colors of our own output ------------------------------------------ */

/* SGR (ECMA-48, section 8.3.117): ESC [ 3 2 m, and so on; ESC [ m resets. */
#define COLOR_GREEN "\x1b[32m"
#define COLOR_RED "\x1b[31m"
#define COLOR_YELLOW "\x1b[33m"
#define COLOR_NONE "\x1b[m"

/* ---- parsing (sequence.c) ----------------------------------------------- */

enum sequence_kind {
	SEQUENCE_TEXT,     /* bytes outside any sequence, C0 controls included */
	SEQUENCE_ESCAPE,   /* ESC, intermediates, final: ESC 7, ESC ( B */
	SEQUENCE_CSI,      /* ESC [ parameters, intermediates, final */
	SEQUENCE_OSC,      /* ESC ] ... BEL or ST */
	SEQUENCE_STRING,   /* DCS, SOS, PM, APC, Screen's ESC k: ... ST */
	SEQUENCE_IGNORED,  /* complete, but with an invalid byte in it */
	SEQUENCE_BROKEN    /* unterminated, or cut off by ESC, CAN or SUB */
};

/*
 * The length of the sequence or text that the `n` bytes (at least 1) begin with, and
 * its kind. A broken sequence extends to the end or to the byte that cut it off.
 * ECMA-48, sections 5.3 to 5.6; a DCS that begins with `tmux;` ends as in tmux: at an
 * ESC \ whose ESC is not the second of a pair.
 *
 * An invalid byte ends no sequence (vt100.net/emu/dec_ansi_parser, states csi_ignore
 * and the like): terminals read on to the final byte and execute controls on the way,
 * newlines included. They ignore a CSI with a parameter behind an intermediate or a
 * private mark amid its parameters. Some print what follows the invalid byte, so an
 * ignored sequence may show text.
 */
size_t sequence_next(const unsigned char *bytes, size_t n, enum sequence_kind *kind);

/* A sequence that continues behind the bytes read so far. */
enum sequence_open {
	SEQUENCE_CLOSED,
	SEQUENCE_CUT, /* closed, but without its terminator */
	SEQUENCE_OPEN_ESCAPE, SEQUENCE_OPEN_INTERMEDIATE, SEQUENCE_OPEN_CSI,
	SEQUENCE_OPEN_OSC, SEQUENCE_OPEN_STRING, SEQUENCE_OPEN_TMUX
};

/* The sequence that these bytes begin, which end before it does. */
enum sequence_open sequence_opened(const unsigned char *bytes, size_t n);

/*
 * How many of the `n` bytes that follow still belong to the sequence `*open`, which is
 * updated: closed, cut or still open. An ESC at the end of the bytes is not counted in
 * a string, because the next byte decides what it is. CAN and SUB cut off any sequence,
 * ESC all but strings.
 */
size_t sequence_rest(const unsigned char *bytes, size_t n, enum sequence_open *open);

/* ---- passthrough (wrap.c) ----------------------------------------------- */

/*
 * What stands between the program and the terminal and interprets bytes.
 *
 * LAYER_TMUX          ESC P t m u x ; <every ESC twice> ESC \
 *   One DCS for each sequence: tmux writes control sequences of its own after
 *   every DCS, so a sequence spread over two never arrives. tmux(1),
 *   allow-passthrough; input.c:input_dcs_dispatch.
 *
 * LAYER_SCREEN        ESC P <at most 767 bytes> ESC \   as often as needed
 *   Screen copies the bytes and keeps 767 of a string (MAXSTR in screen.h,
 *   4.2.1 to 5.0.0). Nothing is doubled; the first ESC \ ends the string,
 *   so an ST inside is cut between its two bytes, and an OSC gets BEL instead.
 *
 * LAYER_TMUX_MAYBE    the sequence, then the sequence as for LAYER_TMUX
 *   For a tmux that cannot be asked: with set-clipboard on it takes the first,
 *   with allow-passthrough on the second, and swallows the other.
 */
enum layer { LAYER_TMUX, LAYER_SCREEN, LAYER_TMUX_MAYBE };

enum { CHAIN_TEXT = CHAIN_MAX * 8, SCREEN_STRING_MAX = 767 };

/* tmux drops a longer sequence: input.c:INPUT_BUF_LIMIT, less "tmux;". */
enum { TMUX_SEQUENCE_MAX = 1048570 };

/* Layers from the program outwards: layer[0] is met first. */
struct chain {
	size_t count;
	enum layer layer[CHAIN_MAX];
};

/* "tmux", "screen", "tmux?", joined by commas, or "none". False: not one. */
bool chain_parse(struct chain *chain, const char *text);

/* The same words; `text` has CHAIN_TEXT bytes. */
void chain_format(const struct chain *chain, char *text);

bool chain_add(struct chain *chain, enum layer layer);

/* Whether a layer of the chain is of this kind. */
bool chain_has(const struct chain *chain, enum layer layer);

/*
 * Wraps every sequence in `b` (text between two counts as one) for the whole
 * chain: the outermost layer is put on first, the nearest last. For what is
 * short; source_wrap() does it part by part. False: no room (b->fault), and nothing
 * else has changed.
 */
bool wrap(struct buf *b, const struct chain *chain);

/*
 * Adds what the layers of a source make of the next part of a sequence to `out`: for
 * source.c. False: no room.
 */
bool wrap_part(struct source *s, const void *bytes, size_t n, enum part part,
    struct buf *out);

/* How many times the layers take all sequences: twice for each LAYER_TMUX_MAYBE. */
unsigned wrap_passes(const struct chain *chain);

/*
 * The longest OSC that every tmux of the chain takes, wrapped as it then is; 0
 * for no limit. There is none where Screen is around the tmux: each of its
 * short strings is wrapped by itself.
 */
size_t wrap_limit(const struct chain *chain);

/*
 * Fills `out`, which is empty, with what stops a sequence that was cut off in
 * the middle while it was written through `chain`, wherever that was: what was
 * written may not all have been read. It has to reach the terminal, which may
 * hold the first half:
 *
 *   tmux     <abort, every ESC twice> ESC \      the DCS goes on to its end;
 *                                               in it CAN would be data
 *   Screen   \ ESC \ ESC P <abort> ESC \        the backslash completes an ST
 *                                               or spoils the base64; another
 *                                               string brings the abort
 *
 * With more layers behind tmux it follows once more as a sequence of its own,
 * for tmux may have been between two strings. `abort` is one of the *_ABORT
 * above; no layer: its bytes alone.
 */
bool wrap_abort(struct buf *out, const char *abort, const struct chain *chain);

/* ---- notation for people and tests (escape_notation.c) ------------------ */

/*
 * Adds `n` bytes as one line of ASCII: ESC as \e, BEL as \a, a backslash as \\,
 * printable ASCII as it is, any other byte as \xNN.
 */
bool escape_notation_write(struct buf *out, const unsigned char *bytes, size_t n);

/*
 * Adds the bytes of such a line, in which \n, \r and \t may also stand. False: another
 * letter behind a backslash (out->fault is BUF_FINE, and the bytes before it were
 * added), or no room.
 */
bool escape_notation_read(struct buf *out, const char *text);

/* The bytes of such a line before the first unknown escape; all of them: there is none. */
size_t escape_notation_known(const char *text);

/* Adds two hexadecimal digits for each byte. */
bool escape_notation_hex(struct buf *out, const unsigned char *bytes, size_t n);

#endif
