/* SPDX-License-Identifier: MIT */
/*
 * Facts about terminals: how each is recognized, which features it has with its default
 * settings, and its limits. Layer terminal/: pure, two constant tables and lookups;
 * no file descriptor, clock, environment or allocation. The facts are rows of
 * terminals.def and features.def, each row with its source.
 *
 * Everything returned is constant, lives as long as the program and belongs to the
 * tables. NULL as an argument is allowed everywhere and finds nothing.
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
 * Of the current version with default settings. UNKNOWN is a value of its own, because a
 * wrong guess either refuses a copy that would have worked or reports a lost one as sent.
 */
enum support {
	SUPPORT_UNKNOWN, /* not looked up, or no primary source says */
	SUPPORT_YES,
	SUPPORT_NO,      /* the sequence is swallowed or shown as something else */
	SUPPORT_OFF,     /* disabled by default; terminal_switch() enables it */
	SUPPORT_ASKS,    /* the terminal asks the user each time: a reply may take minutes */
	SUPPORT_EMPTIES, /* FEATURE_PASTE only: the query clears the clipboard */
	SUPPORT_COUNT
};

/*
 * Text is in arrays of fixed size, because a table of pointers would be relocated at
 * every start. An empty string ends a list or means "none".
 */

/* A variable that the terminal sets for its child. */
struct terminal_variable {
	char name[28];
	char value[12]; /* prefix of the value; "" = any value that is not empty */
};

/*
 * What a terminal does with one feature: `support` since version `since`, `older` in
 * every version before it. "" = in all versions, or no source says since when.
 */
struct terminal_support {
	unsigned char support; /* enum support */
	unsigned char older;   /* enum support */
	char since[10];
};

/*
 * Which bytes OSC 52 can store in the clipboard. Terminals drop, truncate or replace other
 * bytes; some clear the clipboard.
 */
enum clipboard_bytes {
	BYTES_UNKNOWN,
	BYTES_ANY,
	BYTES_NO_NUL, /* any up to the first NUL */
	BYTES_UTF8,   /* valid UTF-8, NUL included */
	BYTES_TEXT,   /* valid UTF-8 without NUL */
	BYTES_COUNT
};

/* Whether only valid UTF-8 is stored. */
static inline bool
bytes_are_utf8(enum clipboard_bytes bytes)
{
	return bytes == BYTES_UTF8 || bytes == BYTES_TEXT;
}

/* Whether nothing behind a NUL is stored. */
static inline bool
bytes_end_at_nul(enum clipboard_bytes bytes)
{
	return bytes == BYTES_NO_NUL || bytes == BYTES_TEXT;
}

/* `bytes` since version `since`, `older` before; "" = in all versions. */
struct terminal_bytes {
	unsigned char bytes; /* enum clipboard_bytes */
	unsigned char older; /* enum clipboard_bytes */
	char since[10];
};

/* What enables a feature that is SUPPORT_OFF. */
struct feature_setting {
	unsigned char feature; /* enum feature */
	char setting[112];     /* one line; a terminal's begins with where it is set */
};

struct terminal {
	char id[20];   /* the word for --term */
	char name[20];  /* for messages, as its project writes it */
	char family[8]; /* the library that related terminals share, or "" */
	char article[5]; /* "the " where messages put one before the name */

	/*
	 * Recognition. "foot" in `term` matches TERM=foot and TERM=foot-...; no name that
	 * several terminals use. A variable is in one row only.
	 */
	char term[2][16];
	char term_program[16];                 /* TERM_PROGRAM, the whole value */
	struct terminal_variable variables[3];
	char version[12];                      /* how its XTVERSION text begins */
	char da2[12];                          /* its DA2 reply after "CSI >", the first bytes */
	char da3[12];                          /* its DA3 unit id, in hexadecimal as sent */
	char processes[16][16];                /* names as in /proc/PID/comm, 15 bytes at most */

	/* The row that its replies match, because it embeds that terminal, or "". */
	char engine[8];

	/*
	 * The variables that hold the version. TERM_PROGRAM_VERSION and
	 * LC_TERMINAL_VERSION count only if TERM_PROGRAM and LC_TERMINAL name this
	 * terminal. A number without a point is a version (XTerm(379), 20240203), or
	 * with packed_version three parts in one: 221203 is 22.12.3.
	 */
	char version_variables[2][24];
	bool packed_version;

	/*
	 * Assumed where the version is unknown: the oldest in distributions of the last
	 * three years. "" = none is assumed.
	 */
	char oldest[10];

	/* Versions without FEATURE_PROGRESS show OSC 9;4 as a notification. */
	bool numbers_pop_up;

	struct terminal_support support[FEATURE_COUNT]; /* terminal_support() reads it */
	struct terminal_bytes bytes;                    /* terminal_bytes() reads it */

	/*
	 * Bytes of the longest OSC 52, 0 = no known limit, counted from the 5 of "52" up
	 * to the terminator: with "52;c;" and the base64, without ESC ] and ST or BEL.
	 * Some terminals do not count up to five of these, so the limit is on the safe
	 * side.
	 *
	 * Above copy_limit every build drops the sequence or stores a part of it. Above
	 * copy_doubt (0 = the same as copy_limit) some builds do.
	 */
	size_t copy_limit;
	size_t copy_doubt;

	/* Bytes of the longest title that is shown completely, 0 = no known limit. */
	size_t title_limit;

	/*
	 * Bytes of the URL and id of an OSC 8 together, 0 = no known limit. A longer link
	 * is dropped or truncated.
	 */
	size_t link_limit;

	/* The query of OSC 99 (p=?) terminates some versions. */
	bool ends_at_query99;

	struct feature_setting switches[2];
	char source[112]; /* project, version and files that the row is based on */
};

/* Gives the value of an environment variable, or NULL; borrowed until it changes. */
typedef const char *variable_getter(void *context, const char *name);

/* The rows, sorted by id. NULL at and after terminal_count(). */
size_t terminal_count(void);
const struct terminal *terminal_at(size_t i);

/* The row of this id, exactly as written (what --term takes), or NULL. */
const struct terminal *terminal_by_id(const char *id);

/*
 * The terminal with this process name, or NULL. `comm` is as in /proc/PID/comm, which
 * Linux truncates to 15 bytes, without the newline. Try ancestors from the nearest
 * outwards.
 */
const struct terminal *terminal_by_process(const char *comm);

/*
 * The terminal that replies to XTVERSION with this text ("foot(1.27.0)", without DCS >|
 * and ST), or NULL, also for a multiplexer.
 */
const struct terminal *terminal_by_version(const char *xtversion);

/*
 * The terminal with this reply, or NULL: to DA2 without CSI > ("1;4000;48c"), to DA3
 * without DCS !| and ST ("464f4f54", in either case). For terminals without XTVERSION;
 * many copy the reply of another and are not found.
 */
const struct terminal *terminal_by_da2(const char *reply);
const struct terminal *terminal_by_da3(const char *unit);

/*
 * Identifies the terminal after a reply that matches `replied`: that row, or
 * `environment`, the row that the environment names, if its engine is `replied`.
 */
const struct terminal *terminal_after_reply(const struct terminal *environment,
	const struct terminal *replied);

/*
 * The terminal that the environment of a program names, or NULL where it names none
 * or more than one. get(context, name) gives a variable's value or NULL; empty counts
 * as unset. Every name is asked for at most once, the others not at all once TERM has
 * decided.
 *
 *  1. A TERM that only one make uses decides alone: a terminal always sets TERM
 *     itself, while all other variables may be inherited from the terminal whose shell
 *     it was started from.
 *  2. Any other TERM outside the xterm family (dumb, screen-256color, tmux-256color,
 *     vt100, eterm-color ...) is somebody the table does not know: NULL.
 *  3. With TERM=xterm, xterm-..., or none, every variable is a claim for its terminal,
 *     a TERM_PROGRAM that no row knows a claim for a stranger. One claimant is the
 *     answer, two are none.
 *
 * TERM_PROGRAM has no higher rank in step 3. WezTerm started from xterm's shell and
 * xterm started from WezTerm's leave the same TERM_PROGRAM=WezTerm, XTERM_VERSION and
 * TERM behind, and a wrong answer costs more than none: ALACRITTY_WINDOW_ID beside
 * VTE_VERSION read as VTE would refuse a copy that works, while NULL only means that
 * the terminal has to be asked, or the process tree looked at.
 *
 * Multiplexers and terminals inside editors keep the variables of whatever started
 * them. Step outside those before asking; TERM is not always there to tell.
 */
const struct terminal *terminal_by_environment(
	variable_getter *get, void *context);

/* Another name of a terminal, see names.def. */
struct terminal_name {
	char word[20];
	char name[20];
	char id[20];
	char variable[24];
};

/* Sorted by word. NULL at and after their number. */
const struct terminal_name *terminal_name_at(size_t i);

/*
 * The terminal that people call so: its id or one of the further words, exactly as
 * written; NULL for none. `name`, if not NULL, gets the name for messages.
 */
const struct terminal *terminal_by_word(const char *word, const char **name);

/*
 * What the person calls this terminal, as far as a variable tells which of its family
 * it is; where none or more than one does, the name of the row.
 */
const char *terminal_environment_name(const struct terminal *terminal,
	variable_getter *get, void *context);

/* Room for a name with the family. */
enum { TERMINAL_TITLE = 64 };

/*
 * The terminal as messages name it: "Tilix (like every VTE terminal)", since what holds
 * for one holds for its relatives. `name` NULL: the name of the row. No terminal: "".
 */
void terminal_title(char title[TERMINAL_TITLE], const struct terminal *terminal,
	const char *name);

/* What is known of this feature there. No terminal: SUPPORT_UNKNOWN. */
enum support terminal_support(const struct terminal *terminal, enum feature feature);

/*
 * The same of one version. `version` is the terminal's XTVERSION text or what
 * terminal_environment_version() found; "", no number in it or another terminal's
 * reply: of the oldest version that is in use, and UNKNOWN where that one is older than
 * the feature.
 */
enum support terminal_version_support(const struct terminal *terminal,
	enum feature feature, const char *version);

/* The version since which the feature is there as terminal_support() says, or "". */
const char *terminal_since(const struct terminal *terminal, enum feature feature);

/* Room for a version as messages say it. */
enum { TERMINAL_VERSION = 80 };

/*
 * The version as messages say it, quoted; three parts in one number are written with
 * points, "0.70.6" of 7006. `version` as above.
 */
void terminal_version_words(char words[TERMINAL_VERSION],
	const struct terminal *terminal, const char *version);

/* Which bytes this version stores; `version` as above. */
enum clipboard_bytes terminal_bytes(const struct terminal *terminal,
	const char *version);

/*
 * The version of the terminal as the variables that it sets tell it, "" without one.
 * get() as for terminal_by_environment(); the text lives as long as the variable.
 */
const char *terminal_environment_version(const struct terminal *terminal,
	variable_getter *get, void *context);

/*
 * What the person has to set where the support is SUPPORT_OFF, one line without a full
 * stop; else NULL. FEATURE_CLEAR and FEATURE_PRIMARY hang on the switch of FEATURE_COPY.
 */
const char *terminal_switch(const struct terminal *terminal, enum feature feature);

/* The words for people; NULL for a number that is none of the enum. */
const char *feature_name(enum feature feature);
const char *feature_meaning(enum feature feature);
const char *support_name(enum support support);
const char *clipboard_bytes_name(enum clipboard_bytes bytes);

#endif
