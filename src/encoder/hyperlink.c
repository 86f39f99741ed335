/* SPDX-License-Identifier: MIT */
/* OSC 8 and its URLs. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

/* ---- percent-encoding ------------------------------------------------------- */

static bool
is_hex(char c)
{
	return c != '\0' && strchr("0123456789ABCDEFabcdef", c) != NULL;
}

/*
 * The number of leading bytes that need no encoding: RFC 3986, section 2.3, and in a URL
 * also section 2.2.
 */
static size_t
kept(const char *c, size_t n, bool path)
{
	enum { IN_PATH = 1, IN_URL = 2 };
	static unsigned char class[UCHAR_MAX + 1];
	const int wanted = path ? IN_PATH : IN_URL;
	const char *at;
	size_t i = 0;

	for (at = TEXT_ALNUM "/.-_~"; class['~'] == 0 && *at != '\0'; at++)
		class[(unsigned char)*at] = IN_PATH | IN_URL;
	for (at = ":?#[]@!$&'()*+,;="; class['='] == 0 && *at != '\0'; at++)
		class[(unsigned char)*at] = IN_URL;
	for (;; i += 3) {
		while (i < n && (class[(unsigned char)c[i]] & wanted) != 0)
			i++;
		if (path || n - i < 3 || c[i] != '%' || !is_hex(c[i + 1]) || !is_hex(c[i + 2]))
			return i;
	}
}

static void
percent_encode(struct buf *out, const char *text, size_t n, bool path)
{
	const char *end = text + n;
	size_t run;

	while (text < end) {
		run = kept(text, (size_t)(end - text), path);
		buf_add(out, text, run);
		text += run;
		if (text < end)
			buf_format(out, "%%%02X", (unsigned char)*text++);
	}
}

void
url_encode(struct buf *out, const char *text, size_t n)
{
	percent_encode(out, text, n, false);
}

void
url_encode_path(struct buf *out, const char *path, size_t n)
{
	percent_encode(out, path, n, true);
}

/* RFC 3986, section 3.1: a letter, then letters, digits, + - . */
bool
url_has_scheme(const char *url)
{
	return isalpha((unsigned char)url[0]) && url[strspn(url, TEXT_ALNUM "+-.")] == ':';
}

/* ---- places in files ---------------------------------------------------- */

const char *const editor_words[] = {
#define EDITOR(word, template) word,
#include "encoder/editors.def"
#undef EDITOR
	NULL
};

const char *
editor_template(const char *word)
{
	static const char templates[][56] = {
#define EDITOR(word, template) template,
#include "encoder/editors.def"
#undef EDITOR
	};
	size_t i;

	for (i = 0; editor_words[i] != NULL; i++)
		if (strcasecmp(editor_words[i], word) == 0)
			return templates[i];
	return NULL;
}

/* The fields of a template: {name}, or % and one letter. */
static const struct {
	char name[8];
	char letter;
} fields[] = {
	{ "{path}", 'p' }, { "{line}", 'l' }, { "{col}", 'c' }, { "{host}", 'h' },
};

/* The letter of the field at `at` and its length, or '\0' and 1. %ca is an encoded byte. */
static char
field_at(const char *at, size_t *length)
{
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (*at == '%' ? at[1] != fields[i].letter || (is_hex(at[1]) && is_hex(at[2])) :
		    at[0] != '{' || at[1] != fields[i].letter || !text_begins(at, fields[i].name))
			continue;
		*length = *at == '%' ? 2 : strlen(fields[i].name);
		return fields[i].letter;
	}
	*length = 1;
	return '\0';
}

static void
add_field(struct buf *out, char letter, const struct place *place)
{
	unsigned long number = letter == 'l' ? place->line : place->column;
	const char *path = place->path;

	/* the path replaces a single slash before it: vscode://file/%p */
	if (letter == 'p' && path[0] == '/' && out->len > 1 &&
	    out->data[out->len - 1] == '/' && out->data[out->len - 2] != '/')
		path++;
	if (letter == 'p')
		buf_add_string(out, path);
	else if (letter == 'h')
		url_encode_path(out, place->host, strlen(place->host));
	else
		buf_format(out, "%lu", number != 0 ? number : 1);
}

bool
encode_place(struct buf *out, const char *template, const struct place *place)
{
	const char *at = template;
	size_t length;
	char letter;

	for (; *(at += strcspn(at, "{%")) != '\0'; at += length) {
		letter = field_at(at, &length);
		if (letter != '\0') {
			url_encode(out, template, (size_t)(at - template));
			add_field(out, letter, place);
			template = at + length;
		} else if (*at == '{') {
			return false;
		}
	}
	url_encode(out, template, (size_t)(at - template));
	return true;
}

bool
template_has_path(const char *template)
{
	size_t length;

	while (*template != '\0' && field_at(template, &length) != 'p')
		template++;
	return *template != '\0';
}

/* ---- the sequence ------------------------------------------------------- */

void
encode_hyperlink(struct buf *out, const char *url, size_t n, const char *text, size_t text_n)
{
	buf_add_string(out, "\x1b]8;;");
	url_encode(out, url, n);
	buf_add_string(out, ST);
	text_sanitize(out, text, text_n, false);
	buf_add_string(out, "\x1b]8;;" ST);
}
