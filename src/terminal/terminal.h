/* SPDX-License-Identifier: MIT */
/*
 * Tables of terminals, of multiplexers and editors, and of desktops. They say how each is
 * recognized, its features with default settings, and its limits. A multiplexer or an editor is a
 * terminal for the programs inside, so it has a row of the same type.
 *
 * The facts are rows of *.def, each with its source. To add a terminal or an editor, add a row;
 * CONTRIBUTING.md lists what a new kind of multiplexer needs besides.
 *
 * Pure: lookups in constant tables, which allocate no memory. Returned pointers are into the
 * tables. A NULL text matches nothing, and a NULL terminal is an unknown one.
 */
#ifndef TERMINAL_TERMINAL_H
#define TERMINAL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum feature {
#define FEATURE(ID, word, meaning) FEATURE_##ID,
#include "terminal/features.def"
#undef FEATURE
	FEATURE_COUNT
};

/*
 * How the current version supports a feature with default settings. UNKNOWN is separate: a wrong
 * guess either refuses a copy that would work, or reports a lost one as sent.
 */
enum support {
	SUPPORT_UNKNOWN, /* open, or without a primary source */
	SUPPORT_YES,
	SUPPORT_NO,      /* the sequence is ignored or shown as something else */
	SUPPORT_OFF,     /* disabled by default; terminal_setting() names the setting */
	SUPPORT_ASKS,    /* the terminal asks the user each time: a reply may take minutes */
	SUPPORT_EMPTIES, /* FEATURE_PASTE only: the query clears the clipboard */
	SUPPORT_COUNT
};

/*
 * Strings are arrays of fixed size, because a table of pointers would be relocated at every
 * start. An empty string ends a list or means "none".
 */

/* A variable that the terminal sets for its child. */
struct terminal_variable {
	char name[28];
	char value[12]; /* part of the value; "" matches any but an empty value */
};

/*
 * The bytes that OSC 52 can store in the clipboard. With others, terminals drop, truncate or change
 * the text, or clear the clipboard.
 */
enum clipboard_bytes {
	BYTES_UNKNOWN = 0,
	BYTES_ANY = 1,
	/* bits */
	BYTES_NO_NUL = 2, /* up to the first NUL */
	BYTES_UTF8 = 4,   /* valid UTF-8, with NUL unless the other bit is set */
	BYTES_TEXT = BYTES_NO_NUL | BYTES_UTF8
};

/*
 * A cell of the table: `support` from version `since`, and `older` before it. With "", `support` is
 * that of all versions, or the first one is unknown.
 */
struct terminal_support {
	unsigned char support; /* enum support, or enum clipboard_bytes */
	unsigned char older;
	char since[9];
};

/* What a copy without a selection letter sets. */
enum unlettered {
	UNLETTERED_UNKNOWN,
	UNLETTERED_CLIPBOARD,
	UNLETTERED_PRIMARY    /* only the primary selection */
};

/* The setting that enables a feature that is SUPPORT_OFF or that the user turned off. */
struct feature_setting {
	char id[20];           /* of the terminal or multiplexer */
	unsigned char feature; /* enum feature */
	char setting[128];     /* one line, which is "FILE: LINE" for a terminal */
};

/* The rows of one program stand together. An empty ID follows the last row. */
extern const struct feature_setting feature_settings[];

/* ---- programs --------------------------------------------------------------- */

/* What stands between one terminal device and the next, and so is a hop. */
enum hop_kind {
	HOP_TERMINAL,         /* a terminal: no hop */
	HOP_TMUX,
	HOP_TMUX_OR_SCREEN,   /* TERM=screen: one of the two */
	HOP_SCREEN,
	HOP_ZELLIJ,
	HOP_MOSH,
	HOP_EDITOR,           /* vim, neovim, emacs, dvtm: run terminals inside */
	HOP_NONE              /* dtach, sshd: passes every byte unchanged, so no hop */
};

struct terminal {
	char id[20];    /* the name for --term; of a multiplexer or editor, that of its program */
	char name[20];  /* as its project spells it, with the article that it needs */
	char family[8]; /* the library that related terminals share, or "" */
	unsigned char kind; /* enum hop_kind */

	/*
	 * Recognition. A name that several terminals use is omitted. A variable of a terminal is in
	 * one row only. That of a multiplexer is a hint: it may be left over from another session.
	 */
	char processes[160]; /* as in /proc/PID/comm, at most 15 bytes each; "vim*" is a prefix */
	char term[2][16];    /* "foot" is also TERM=foot-..., and "screen." any TERM=screen.... */
	char term_program[16];                 /* TERM_PROGRAM, the whole value */
	struct terminal_variable variables[4];
	char version[12];                      /* prefix of its XTVERSION text */
	char da2[12];                          /* prefix of its DA2 reply after "CSI >" */
	char da3[12];                          /* its DA3 unit ID, in hexadecimal as sent */

	/* The row that its replies match, because it embeds that terminal, or "". */
	char engine[8];

	/*
	 * The row that this is a variant of, or "". Both have the same TERM_PROGRAM or process. A
	 * program identified as that row is this one if it sets one of `variables`.
	 */
	char variant_of[8];

	/*
	 * The variables that have the version. TERM_PROGRAM_VERSION and LC_TERMINAL_VERSION count
	 * only if TERM_PROGRAM and LC_TERMINAL name this terminal. A version may be one number, as
	 * in XTerm(379). With QUIRK_PACKED that is three parts in one: 221203 is 22.12.3.
	 */
	char version_variables[2][24];

	/*
	 * The terminal has the versions from the first up to, and without, the second. Others are
	 * those of a fork that sets the same TERM_PROGRAM. With "" all are its own.
	 */
	char own_versions[2][8];

	/*
	 * Assumed if the version is unknown: the oldest in distributions of the last three
	 * years. With "" nothing is assumed.
	 */
	char oldest[10];

	/*
	 * Support for each feature; read it with terminal_support(). For a multiplexer, a
	 * missing feature is not supported. `passes`, read with terminal_passes(): whether a
	 * multiplexer passes the unwrapped sequence on to the terminal.
	 */
	struct terminal_support support[FEATURE_COUNT];
	struct terminal_support passes[FEATURE_COUNT];

	/* for terminal_bytes(), and of a multiplexer those of a copy that it sends again */
	struct terminal_support bytes;

	/*
	 * What a copy without a letter sets. tmux sends those, by `load-buffer -w` and `set-buffer
	 * -w` (cmd-load-buffer.c, cmd-set-buffer.c).
	 */
	unsigned char unlettered; /* enum unlettered */

	/*
	 * The first version whose DA1 reply lists 52 if and only if the settings let programs copy,
	 * or "". Read with terminal_copy_allowed().
	 */
	char copy_in_da1[8];

	/*
	 * Limits in bytes, or 0 if none is known. The longest OSC 52 counts from the 5 up to the
	 * terminator: "52;c;" and the base64. Some terminals leave up to five of these bytes out,
	 * so the limit errs on the safe side. A longer title is cut. A link with a longer URL is
	 * dropped or truncated.
	 */
	size_t copy_limit;
	size_t title_limit;
	size_t link_limit;

	/* ---- multiplexers only ------------------------------------------------------ */

	/* it sends what it interprets again, and drops the rest, wrapped or not */
	bool interprets;
	bool names_windows;   /* ESC k NAME ST names its window */
	char copy_letters[4]; /* the selection letter that a copy must have, or "" */
	bool marks_bells;     /* a bell marks the window that it came from */

	/*
	 * The longest OSC that it handles itself, in bytes between the introducer and the
	 * terminator, or 0 if none is known. If copy_max is above 0, it is the limit of copies.
	 */
	size_t body_max, copy_max;

	char outer[40];   /* its terminal, if it can be bypassed: "that it runs in"; or "" */
	char instead[24]; /* advice if it blocks a feature, or "" */
};

/*
 * What few terminals or multiplexers do. A column that hardly any row would set is a kind of quirk.
 *
 *   COPY        a warning about every copy to the clipboard, and every paste: `text`
 *   CUTS_URLS   it takes a semicolon for the end of a URL, or drops the hyperlink
 *   LARGE_COPY  some builds drop an OSC 52 longer than `above`, counted as copy_limit
 *   UNLETTERED  what `unlettered` says is not true of a long copy
 *   UNMARKED    what the user pastes has no marks around it (mode 2004, bracketed paste)
 *   IN_PARTS    a large text that is pasted has marks around each part
 *   PROGRESS    only these of its processes show progress: `text`
 *   POPS_UP     versions without FEATURE_PROGRESS show OSC 9;4 as a notification
 *   OCCASIONS   OSC 99 without its occasion (o=)
 *   QUERY99     the query of OSC 99 (p=?) crashes it
 *   NOTIFY      its own command for a notification: `text`
 *   NO_RELAY    runs where no relay can hand a copy to a desktop tool
 *   LETTERS     has only the selections c, p and s; a copy for another one sets the clipboard,
 *               or nothing
 *   FOCUS       copies only while its window has the keyboard focus
 *   KEEPS       keeps a session for which terminals come and go
 *   PRIMARY     replies to a query without a selection letter with the primary selection
 *   TELLS       reports its settings to a query; others do in the DA1 reply
 *   TYPED       a reply for the clipboard has CR for each LF, as if it were typed
 *   PASTE_KEY   its key for a paste: `text`
 *   EMBEDDED    other programs reply like it, so a reply does not identify the program
 *   MOUSE       what its mouse copies, after "use another terminal", if no key does: `text`
 *   PACKED      a version without a dot is three parts in one; without `since` and `before`
 */
enum quirk_kind {
	QUIRK_COPY, QUIRK_CUTS_URLS, QUIRK_LARGE_COPY, QUIRK_UNLETTERED, QUIRK_UNMARKED,
	QUIRK_IN_PARTS, QUIRK_PROGRESS, QUIRK_POPS_UP, QUIRK_OCCASIONS, QUIRK_QUERY99,
	QUIRK_NOTIFY, QUIRK_NO_RELAY, QUIRK_LETTERS, QUIRK_FOCUS, QUIRK_TYPED, QUIRK_PASTE_KEY,
	QUIRK_EMBEDDED, QUIRK_PACKED, QUIRK_MOUSE, QUIRK_PRIMARY, QUIRK_TELLS,
	QUIRK_KEEPS
};

/* A row of quirks.def. */
struct quirk {
	char id[20];
	unsigned char kind; /* enum quirk_kind */
	char since[9], before[9];
	size_t above;
	char text[112];
};

/* Returns the value of an environment variable, or NULL; borrowed until it changes. */
typedef const char *variable_getter(const void *context, const char *name);

/* The rows, an empty ID after the last; terminals are sorted by ID. */
extern const struct terminal terminals[], multiplexers[];

/*
 * What to look for in a row:
 *
 *     BY_ID         the exact ID
 *     BY_PROCESS    the name of a process
 *     BY_TERM       TERM
 *     BY_VERSION    the reply to XTVERSION without DCS >| and ST: "foot(1.27.0)"
 *     BY_DA2        the reply to DA2 without CSI >: "1;4000;48c"
 *     BY_DA3        the reply to DA3 without DCS !| and ST, in either case: "464f4f54"
 *
 * Many terminals copy the DA2 or DA3 of another; the rows of these have none.
 */
enum terminal_key { BY_ID, BY_PROCESS, BY_TERM, BY_VERSION, BY_DA2, BY_DA3 };

/* The first of the rows, `terminals` or `multiplexers`, that matches this text, or NULL. */
const struct terminal *terminal_by(const struct terminal *rows, enum terminal_key key,
    const char *text);

/*
 * The terminal that sent a reply of the row `replied`. This is `other`, which the environment or a
 * process names, if its engine is `replied`; else that row.
 */
const struct terminal *terminal_after_reply(const struct terminal *other,
    const struct terminal *replied);

/*
 * The terminal that the environment of a program names, or NULL if it names none or several. Gets
 * the value of a variable by `get`, each at most once, and no other once TERM has decided. An empty
 * value counts as unset.
 *
 *  1. A TERM that only one terminal uses decides alone: a terminal always sets TERM,
 *     while all other variables may be inherited from the terminal in whose shell it was
 *     started.
 *  2. Any other TERM outside the xterm family (dumb, screen-256color, tmux-256color,
 *     vt100, eterm-color ...): unknown.
 *  3. With TERM=xterm, xterm-..., or unset, each variable is evidence for its terminal, and
 *     a TERM_PROGRAM without a row is evidence for an unknown one. Conflicting evidence
 *     means unknown.
 *
 * TERM_PROGRAM has no higher rank in step 3. Start WezTerm from xterm's shell, or xterm from
 * WezTerm's: both have TERM_PROGRAM=WezTerm, XTERM_VERSION and the same TERM. A wrong result is
 * worse than none. If ALACRITTY_WINDOW_ID and VTE_VERSION meant VTE, a copy that works would be
 * refused. After NULL the terminal is only queried, or found among the processes.
 *
 * If `embedder` is set, `*embedder` gets the candidate that embeds another terminal, or NULL, for
 * terminal_after_reply(). Replies cannot tell two of them apart. The one that TERM_PROGRAM names
 * was started last, since all that have one set it.
 *
 * Multiplexers and terminals inside editors inherit the variables of the terminal in which they
 * were started. TERM does not always reveal them, so leave them before calling this.
 */
const struct terminal *terminal_by_environment(variable_getter *get, const void *context,
    const struct terminal **embedder);

/* The variant of a row that this environment names, or the row itself. */
const struct terminal *terminal_variant(const struct terminal *rows,
    const struct terminal *row, variable_getter *get, const void *context);

/* An alias of a terminal, see names.def. */
struct terminal_name {
	char word[20];
	char name[20];
	char id[20];
	char variable[24];
	char value[12]; /* contained in the value of the variable */
};

/* Sorted by word. An empty word follows the last row. */
extern const struct terminal_name terminal_names[];

/*
 * Looks up a terminal by its exact ID or alias, and stores the name for messages in `*name`. Both
 * may be NULL.
 */
const struct terminal *terminal_by_word(const char *word, const char **name);

/*
 * The name of the product, such as Tilix, if one variable identifies it. Otherwise that of the row,
 * or NULL if the row has a family.
 */
const char *terminal_environment_name(const struct terminal *terminal,
    variable_getter *get, const void *context);

/* The same, by the name of its process. */
const char *terminal_process_name(const struct terminal *terminal, const char *comm);

/* The size of a terminal_title(). */
enum { TERMINAL_TITLE = 64 };

/*
 * The name of the terminal for messages: "Tilix (like every VTE terminal)". If `name` is
 * NULL: "a VTE terminal such as GNOME Terminal", or the name of a row without a family. If
 * `terminal` is NULL: "".
 */
void terminal_title(char title[TERMINAL_TITLE], const struct terminal *terminal,
    const char *name);

/* As the version of a terminal: the newest known one. */
#define NEWEST "newest"

/*
 * Whether this version of the terminal or multiplexer supports the feature. Requests may have a
 * number outside enum feature: a multiplexer never supports it, and of a terminal that is unknown.
 *
 * `version` is the XTVERSION text, the result of terminal_environment_version(), or the version of
 * a tmux. If it has no number, or is the reply of another terminal, the oldest version in use is
 * assumed. The result is UNKNOWN if that is older than the feature.
 */
enum support terminal_support(const struct terminal *terminal, const char *version,
    unsigned feature);

/* Whether an unwrapped sequence of the feature reaches the terminal. */
enum support terminal_passes(const struct terminal *multiplexer, const char *version,
    unsigned feature);

/* The size of terminal_version_words(). */
enum { TERMINAL_VERSION = 80 };

/*
 * The version for messages, in quotation marks. A packed version gets dots: 7006 is "0.70.6".
 * `version` as above.
 */
void terminal_version_words(char words[TERMINAL_VERSION],
    const struct terminal *terminal, const char *version);

/* Whether this version is `since` or later. Every version is, if that is "". */
enum support terminal_reaches(const struct terminal *terminal, const char *version,
    const char *since);

/*
 * The quirk of this kind that this version may have, or NULL. An unknown version may have those of
 * all versions. `version` as above.
 */
const struct quirk *terminal_quirk(const struct terminal *terminal, const char *version,
    enum quirk_kind kind);

/* The bytes that this version stores; `version` as above. */
enum clipboard_bytes terminal_bytes(const struct terminal *terminal,
    const char *version);

/*
 * Whether the settings of this terminal let programs copy to the clipboard: SUPPORT_YES,
 * SUPPORT_OFF, or SUPPORT_UNKNOWN. Its DA1 reply tells ("62;22;52", without CSI ? and c). `version`
 * as above.
 */
enum support terminal_copy_allowed(const struct terminal *terminal,
    const char *version, const char *da1);

/*
 * The version of the terminal from the variables that it sets. "" if there is none, or in a fork
 * that has versions of its own. The text lives as long as the variable.
 */
const char *terminal_environment_version(const struct terminal *terminal,
    variable_getter *get, const void *context);

/*
 * The setting that turns on a feature that is off, by default or by the user. It is one line
 * without a period, or NULL if unknown. FEATURE_CLEAR and FEATURE_PRIMARY share that of
 * FEATURE_COPY.
 */
const char *terminal_setting(const struct terminal *terminal, enum feature feature);

/* Words for messages and the manual. */
extern const struct feature_text {
	char word[16], meaning[64];
} feature_texts[FEATURE_COUNT];
extern const char support_words[SUPPORT_COUNT][8];

/* ---- desktops --------------------------------------------------------------- */

enum desktop_id {
#define DESKTOP(ID, ...) DESKTOP_##ID,
#include "terminal/desktops.def"
#undef DESKTOP
	DESKTOPS
};

enum { DESKTOP_VARIABLES = 2 };

struct desktop_kind {
	const char *name;
	/* the first identifies the desktop; its tools need the second, too */
	const char *variables[DESKTOP_VARIABLES];
	const char *install; /* advice if none of its tools is installed */
};

/* Actions of a desktop tool. */
enum desktop_action {
	DESKTOP_COPY, DESKTOP_CLEAR, DESKTOP_PASTE, DESKTOP_LIST, DESKTOP_NOTIFY, DESKTOP_ACTIONS
};

struct desktop_tool {
	const char *program;
	unsigned char desktop; /* enum desktop_id */
	/* it leaves a process in the background that serves the selection */
	bool serves;
	/* the arguments of each enum desktop_action, each with a NUL, or NULL if it has none */
	const char *arguments[DESKTOP_ACTIONS];
	/* the same, after those, for each selection; `primary` is NULL if it has none */
	const char *clipboard, *primary;
	/* that a copy may contain; any if unset */
	unsigned char bytes; /* enum clipboard_bytes */
	/* the option for a MIME type, or NULL if it takes only text; and its value for text */
	const char *type, *text;
	const char *empty[4]; /* see desktop_tools.def */
	/* the options of a notification, or NULL, and the argument that ends them */
	const char *urgency, *application, *end;
	bool markup; /* the body is markup, and a backslash begins an escape */
};

/* The number of tools. */
enum {
	DESKTOP_TOOLS = 0
#define TOOL(...) + 1
#include "terminal/desktop_tools.def"
#undef TOOL
};

extern const struct desktop_kind desktop_kinds[DESKTOPS];
extern const struct desktop_tool desktop_tools[DESKTOP_TOOLS];

#endif
