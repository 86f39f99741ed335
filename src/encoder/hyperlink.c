/* SPDX-License-Identifier: MIT */
/* OSC 8 and its URLs; the contract is in encoder.h. */
#include "encoder/encoder.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define OSC8 "\x1b]8;"
#define ST "\x1b\\"

enum { BEL = 0x07 };

/* ---- percent-encoding --------------------------------------------------- */

static bool
is_hex(unsigned char c)
{
	return text_hex_value((char)c) >= 0;
}

/* RFC 3986, section 2.3. */
static bool
is_unreserved(unsigned char c)
{
	return text_is_letter((char)c) || text_is_digit((char)c) || c == '-' || c == '.' ||
	    c == '_' || c == '~';
}

/* Section 2.2, but for the semicolon: encoder.h says why. */
static bool
is_reserved(unsigned char c)
{
	switch (c) {
	case ':': case '/': case '?': case '#': case '[': case ']': case '@':
	case '!': case '$': case '&': case '\'': case '(': case ')': case '*':
	case '+': case ',': case '=':
		return true;
	default:
		return false;
	}
}

/* How many bytes at the front of a URL may stay as they are. */
static size_t
kept_in_url(const unsigned char *c, size_t n)
{
	size_t i = 0;

	while (i < n && (is_unreserved(c[i]) || is_reserved(c[i]) ||
	    (c[i] == '%' && n - i > 2 && is_hex(c[i + 1]) && is_hex(c[i + 2]))))
		i++;
	return i;
}

/* How many at the front of a path. */
static size_t
kept_in_path(const unsigned char *c, size_t n)
{
	size_t i = 0;

	while (i < n && (is_unreserved(c[i]) || c[i] == '/'))
		i++;
	return i;
}

static void
add_percent(struct buf *out, unsigned char c)
{
	static const char digits[] = "0123456789ABCDEF";
	char code[3] = { '%', digits[c >> 4], digits[c & 15] };

	buf_add(out, code, sizeof(code));
}

static bool
percent_encode(struct buf *out, const char *text, size_t n,
    size_t (*kept)(const unsigned char *c, size_t n))
{
	const unsigned char *c = (const unsigned char *)text, *end = c + n;
	size_t run;

	while (c < end && out->fault == BUF_FINE) {
		run = kept(c, (size_t)(end - c));
		buf_add(out, c, run);
		c += run;
		if (c < end)
			add_percent(out, *c++);
	}
	return out->fault == BUF_FINE;
}

bool
url_encode(struct buf *out, const char *text, size_t n)
{
	return percent_encode(out, text, n, kept_in_url);
}

bool
url_encode_path(struct buf *out, const char *path, size_t n)
{
	return percent_encode(out, path, n, kept_in_path);
}

/* RFC 3986, section 3.1: a letter, then letters, digits, + - . */
bool
url_has_scheme(const char *url, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i > 0 && url[i] == ':')
			return true;
		if (!text_is_letter(url[i]) && (i == 0 || url[i] == '\0' ||
		    strchr("0123456789+-.", url[i]) == NULL))
			return false;
	}
	return false;
}

/* ---- places in files ---------------------------------------------------- */

static const struct {
	char word[16];
	char template[56];
} editors[] = {
#define EDITOR(word, template) { word, template },
#include "encoder/editors.def"
#undef EDITOR
};

const char *const editor_words[] = {
#define EDITOR(word, template) word,
#include "encoder/editors.def"
#undef EDITOR
	NULL
};

const char *
editor_template(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(editors) / sizeof(editors[0]); i++)
		if (strcmp(editors[i].word, word) == 0)
			return editors[i].template;
	return NULL;
}

/* What stands for a place in a template: {name}, or % and one letter. */
static const struct {
	char name[8];
	char letter;
} fields[] = {
	{ "path", 'p' }, { "line", 'l' }, { "col", 'c' }, { "host", 'h' },
};

/*
 * The letter of the field that the template begins with, and the field's length, or '\0'.
 * %ca is a byte in hexadecimal digits, as in any URL.
 */
static char
template_field(const char *template, size_t *n)
{
	const char *end;
	size_t i;

	if (*template == '{') {
		end = strchr(template, '}');
		*n = end != NULL ? (size_t)(end - template) + 1 : 0;
	} else {
		*n = is_hex((unsigned char)template[1]) &&
		    is_hex((unsigned char)template[2]) ? 0 : 2;
	}
	for (i = 0; *n > 0 && i < sizeof(fields) / sizeof(fields[0]); i++)
		if (*template == '%' ? template[1] == fields[i].letter :
		    strlen(fields[i].name) == *n - 2 &&
		    memcmp(fields[i].name, template + 1, *n - 2) == 0)
			return fields[i].letter;
	return '\0';
}

/* A path behind a single slash brings its own: vscode://file/%p. */
static bool
add_path(struct buf *out, const char *path)
{
	bool slash = out->len > 1 && out->data[out->len - 1] == '/' &&
	    out->data[out->len - 2] != '/' && path[0] == '/';

	return url_encode_path(out, path + slash, strlen(path + slash));
}

static bool
add_field(struct buf *out, char letter, const struct place *place)
{
	unsigned long value = letter == 'l' ? place->line : place->column;
	char number[24];

	if (letter == 'p')
		return add_path(out, place->path);
	if (letter == 'h')
		return url_encode_path(out, place->host, strlen(place->host));
	snprintf(number, sizeof(number), "%lu", value != 0 ? value : 1);
	return buf_add_string(out, number);
}

/* The length of the text before the next field or brace; a `%` alone is text. */
static size_t
template_text(const char *template)
{
	size_t n, field;

	for (n = 0; template[n] != '\0' && template[n] != '{'; n++)
		if (template[n] == '%' && template_field(template + n, &field) != '\0')
			break;
	return n;
}

bool
encode_place(struct buf *out, const char *template, const struct place *place)
{
	size_t n;
	char letter;

	while (*template != '\0') {
		n = template_text(template);
		url_encode(out, template, n);
		template += n;
		if (*template == '\0')
			break;
		letter = template_field(template, &n);
		if (letter == '\0')
			return false;
		add_field(out, letter, place);
		template += n;
	}
	return out->fault == BUF_FINE;
}

bool
template_has_path(const char *template)
{
	char letter = '\0';
	size_t n;

	while (*template != '\0' && letter != 'p') {
		template += template_text(template);
		if (*template == '\0')
			break;
		n = 0;
		letter = template_field(template, &n);
		template += n > 0 ? n : 1;
	}
	return letter == 'p';
}

/* ---- the sequence ------------------------------------------------------- */

void
hyperlink_id(char id[HYPERLINK_ID_SIZE], const char *url, size_t n)
{
	snprintf(id, HYPERLINK_ID_SIZE, "v%016llx", (unsigned long long)text_hash(url, n));
}

bool
encode_hyperlink_open(struct buf *out, const char *url, size_t n, const char *id)
{
	buf_add_string(out, OSC8);
	if (id != NULL && id[0] != '\0') {
		buf_add_string(out, "id=");
		url_encode_path(out, id, strlen(id));
	}
	buf_add_string(out, ";");
	url_encode(out, url, n);
	return buf_add_string(out, ST);
}

bool
encode_hyperlink_close(struct buf *out)
{
	return buf_add_string(out, OSC8 ";" ST);
}

bool
encode_hyperlink(struct buf *out, const char *url, size_t n, const char *id,
    const char *text, size_t text_n)
{
	encode_hyperlink_open(out, url, n, id);
	text_sanitize(out, text, text_n, false);
	return encode_hyperlink_close(out);
}

enum hyperlink
hyperlink_read(const unsigned char *bytes, size_t n, const char **url,
    size_t *url_n)
{
	const size_t prefix = strlen(OSC8);
	const unsigned char *field;
	size_t end;

	if (n <= prefix || memcmp(bytes, OSC8, prefix) != 0)
		return HYPERLINK_NONE;
	end = n - (bytes[n - 1] == BEL ? 1 : strlen(ST));
	if (end < prefix)
		return HYPERLINK_NONE;
	/* the end of the parameters; some terminals treat an OSC 8 without it as the end */
	field = memchr(bytes + prefix, ';', end - prefix);
	if (field == NULL)
		return HYPERLINK_NONE;
	*url = (const char *)field + 1;
	*url_n = end - (size_t)(field + 1 - bytes);
	return *url_n > 0 ? HYPERLINK_OPEN : HYPERLINK_CLOSE;
}
