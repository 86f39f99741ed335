/* SPDX-License-Identifier: MIT */
/*
 * Untrusted text: arguments, environment, replies. Base layer. Sizes are in bytes.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/buf.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for one quoted text with its NUL; longer ones end in "...". */
enum { TEXT_QUOTED = 160 };

struct quoted {
	char text[TEXT_QUOTED];
};

/*
 * `text` in quotation marks for a message: characters of text_printable() stay, any
 * other byte and `"` and `\` become \n, \t, \", \\ or \xNN. So a file name cannot write
 * an escape sequence to the terminal or reorder the message. NULL gives "(none)".
 */
struct quoted text_quote(const char *text);

/*
 * The length in bytes of the well-formed UTF-8 character of two bytes or more
 * that `text` (`n` bytes left) begins with, or 0. RFC 3629, section 4.
 */
size_t text_utf8(const char *text, size_t n);

/* The length of the valid UTF-8 that the `n` bytes of `text` begin with. */
size_t text_utf8_prefix(const char *text, size_t n);

/*
 * The length in bytes of the printable character that `text` (`n` bytes left)
 * begins with: 1 for printable ASCII, 2 to 4 for other valid UTF-8; 0 for broken
 * UTF-8, for controls (C0, DEL, C1: U+0080-009F), for bidirectional controls
 * (U+061C, U+200E-200F, U+202A-202E, U+2066-2069) and for the line and paragraph
 * separators (U+2028, U+2029).
 */
size_t text_printable(const char *text, size_t n);

/*
 * printf into `to`, which has `size` bytes. A text that is too long ends, whole
 * characters only, in "..."; for which a `size` below 4 has no room.
 */
void text_format(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_vformat(char *to, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Whether it is an ASCII digit, in any locale. */
static inline bool
text_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether it is an ASCII letter, in any locale. */
static inline bool
text_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The value of a hexadecimal digit in either case, or -1. */
static inline int
text_hex_value(char c)
{
	if (text_is_digit(c))
		return c - '0';
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/*
 * Parses a decimal integer without sign, at most `max`. False, with `*value` unchanged:
 * anything else.
 */
bool text_number(const char *text, unsigned long max, unsigned long *value);

/*
 * Adds `n` bytes of text in a form that is safe inside any sequence:
 *
 *   printable ASCII and UTF-8             unchanged
 *   tab                                   blank
 *   LF, CR LF, CR, U+2028, U+2029         blank, or LF with `lines`
 *   other controls (C0, DEL, C1 as one    U+FFFD, the replacement character
 *   byte or two, bidirectional), bytes
 *   of invalid UTF-8
 *
 * The result cannot end or begin a sequence or reorder what is displayed around it, and
 * is empty only for an empty text. False: no room, see out->fault; part was added.
 */
bool text_sanitize(struct buf *out, const char *text, size_t n, bool lines);

/* Replaces every byte that is not printable ASCII by `?`, in place. */
void text_clean(char *text);

/* Joins the words, ended by NULL, into `to`, which has `size` bytes; cuts what is too long. */
void text_join(char *to, size_t size, const char *const *words, const char *separator);

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
uint64_t text_hash(const char *text, size_t n);

/* Whether `text` begins with `prefix`. NULL text does not. */
bool text_begins(const char *text, const char *prefix);

/* Whether both are strings and equal; NULL equals nothing. */
bool text_equal(const char *a, const char *b);

/*
 * Copies `from` with its NUL into `to`, which has `size` bytes (at least 1).
 * False: it was too long; `to` is then empty, because a truncated name is another name.
 */
bool text_copy(char *to, size_t size, const char *from);

#endif
