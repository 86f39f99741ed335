/* SPDX-License-Identifier: MIT */
/*
 * The builders, with any texts: what they build is whole sequences and nothing
 * else, and a terminal that reads them finds what went in, made harmless where
 * the contract says so.
 *
 * The input is three texts with a NUL between them: a URL (a template),
 * an id (a path, an application, a label), what is linked (a body).
 */
#include "base/base.h"
#include "encoder/encoder.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
	const char *at;
	size_t n;
};

/* ---- what the terminal hears -------------------------------------------- */

/* Whole OSC strings that end in ST, and no other byte. */
static struct heard
read_back(const struct buf *b)
{
	struct heard heard;
	size_t i, n = 0;

	need(!b->full && b->len > 0);
	terminal_hears(&heard, b->data, b->len);
	need(heard.ends == GROUND && heard.count <= HEARD_MAX);
	for (i = 0; i < heard.count; i++) {
		need(!heard.osc[i].cut);
		n += heard.osc[i].body.n + 4;
	}
	need(n == b->len && heard.printed == 0);
	return heard;
}

/* The rest of a string that begins with `prefix`. */
static struct text
behind(const struct bytes *body, const char *prefix)
{
	size_t n = strlen(prefix);

	need(body->n >= n && memcmp(body->at, prefix, n) == 0);
	return (struct text){ (const char *)body->at + n, body->n - n };
}

/* What stands before the first `c`, which is passed over. */
static struct text
field(struct text *rest, char c)
{
	const char *end = memchr(rest->at, c, rest->n);
	struct text found = *rest;

	need(end != NULL);
	found.n = (size_t)(end - found.at);
	rest->at += found.n + 1;
	rest->n -= found.n + 1;
	return found;
}

static void
add_decoded(struct bytes *out, struct text base64)
{
	unsigned char *raw = malloc(base64.n + 1);
	long n;

	need(raw != NULL && base64.n % 4 == 0);
	n = reference_decode(raw, base64.at, base64.n);
	need(n >= 0);
	put(out, raw, (size_t)n);
	free(raw);
}

static void
need_harmless(struct text text, struct text original, bool lines)
{
	struct bytes wanted = judge_sanitized(original.at, original.n, lines);

	need(bytes_equal(text.at, text.n, wanted.at, wanted.n));
	release(&wanted);
}

static void
need_meaning(struct text url, struct text original)
{
	struct bytes is = { .n = 0 }, wanted = { .n = 0 };
	struct buf again;
	size_t i;

	for (i = 0; i < url.n; i++)
		need(url.at[i] > 0x20 && url.at[i] < 0x7f);
	judge_percent(&is, url.at, url.n);
	judge_percent(&wanted, original.at, original.n);
	need(bytes_equal(is.at, is.n, wanted.at, wanted.n));
	again = (struct buf){ .max = (size_t)-1 / 2 };
	url_encode(&again, url.at, url.n);
	need(bytes_equal(again.data, again.len, url.at, url.n));
	buf_free(&again);
	release(&is);
	release(&wanted);
}

/* ---- links -------------------------------------------------------------- */

/* `8;;URL`, the text, `8;;`. */
static void
check_link(struct text url, struct text text)
{
	struct text open, close, parameters;
	struct heard heard;
	struct buf b;
	size_t begins;

	b = (struct buf){ .max = (size_t)-1 / 2 };
	encode_hyperlink(&b, url.at, url.n, text.at, text.n);
	terminal_hears(&heard, b.data, b.len);
	need(heard.ends == GROUND && heard.count == 2);
	begins = heard.osc[0].body.n + strlen("\x1b]\x1b\\");
	open = behind(&heard.osc[0].body, "8;");
	parameters = field(&open, ';');
	need_meaning(open, url);
	need(parameters.n == 0);
	need(b.len >= begins + 7);
	close = (struct text){ (char *)b.data + b.len - 7, 7 };
	need(memcmp(close.at, "\x1b]8;;\x1b\\", 7) == 0);
	need_harmless((struct text){ (char *)b.data + begins,
	    b.len - 7 - begins }, text, false);
	forget(&heard);
	buf_free(&b);
}

/* Whatever the template, only what may stand in a URL. */
static void
check_place(const char *template, const char *path)
{
	struct buf encoded = BUF_EMPTY, b;
	struct place place = { NULL, "a b", 17, 0 };
	size_t i;

	url_encode_path(&encoded, path, strlen(path) + 1);
	encoded.data[encoded.len - strlen("%00")] = '\0';
	place.path = (const char *)encoded.data;
	b = (struct buf){ .max = (size_t)-1 / 2 };
	(void)encode_place(&b, template, &place);
	for (i = 0; i < b.len; i++)
		need(b.data[i] > 0x20 && b.data[i] < 0x7f);
	buf_free(&encoded);
	buf_free(&b);
}

/* ---- notifications ------------------------------------------------------ */

/* Pieces of text are whole characters: each is decoded by itself. */
static void
need_whole_characters(const struct heard *heard)
{
	size_t i, at, length;
	uint32_t point;

	for (i = 0; i < heard->count; i++) {
		struct text said = behind(&heard->osc[i].body, "99;");
		struct bytes raw = { .n = 0 };

		field(&said, ';');
		add_decoded(&raw, said);
		for (at = 0; at < raw.n; at += length) {
			length = judge_utf8(raw.at + at, raw.n - at, &point);
			need(length > 0);
		}
		release(&raw);
	}
}

static bool
is_text(struct text text, const char *wanted)
{
	return bytes_equal(text.at, text.n, wanted, strlen(wanted));
}

/* `99;i=ID:d=0:p=title:e=1...;BASE64`: together the title and the body, and nothing else. */
static void
check_99(const struct notification *n)
{
	struct bytes said[2] = { { .n = 0 }, { .n = 0 } }, wanted;
	const struct notification_text *given;
	struct text rest, id, part, keys;
	struct heard heard;
	size_t i, at;
	bool is_body;
	struct buf b;

	b = (struct buf){ .max = (size_t)-1 / 2 };
	encode_notification(&b, NOTIFICATION_99, n);
	heard = read_back(&b);
	need(heard.count > 0);
	need_whole_characters(&heard);
	for (i = 0; i < heard.count; i++) {
		rest = behind(&heard.osc[i].body, "99;i=");
		id = field(&rest, ':');
		need(bytes_equal(id.at, id.n, n->id, strlen(n->id)));
		/* shown when the last has come */
		need(is_text(field(&rest, ':'), i + 1 == heard.count ? "d=1" : "d=0"));
		part = field(&rest, ':');
		is_body = is_text(part, "p=body");
		need(is_body || (is_text(part, "p=title") && said[1].n == 0));
		keys = field(&rest, ';');
		for (at = 0; at < keys.n; at++)
			need(keys.at[at] > ' ' && keys.at[at] < 0x7f);
		need(is_text((struct text){ keys.at, keys.n < 3 ? keys.n : 3 }, "e=1"));
		add_decoded(&said[is_body], rest);
	}
	for (i = 0; i < 2; i++) {
		given = i == 0 ? &n->title : &n->body;
		wanted = judge_sanitized(given->bytes, given->size, true);
		need(wanted.n > NOTIFICATION_BODY99_MAX ||
		    bytes_equal(said[i].at, said[i].n, wanted.at, wanted.n));
		release(&wanted);
		release(&said[i]);
	}
	forget(&heard);
	buf_free(&b);
}

/* Printable, and ASCII if it has to be. */
static bool
is_fit(const struct bytes *body, bool ascii)
{
	size_t at, length;
	uint32_t point;

	for (at = 0; at < body->n; at += length) {
		length = judge_utf8(body->at + at, body->n - at, &point);
		if (length == 0 || point < 0x20 || (ascii && point > 0x7e) ||
		    (point >= 0x7f && point < 0xa0) || judge_is_bidi(point))
			return false;
	}
	return true;
}

/* Fields are divided by semicolons, and numbers are ConEmu's commands. */
static void
check_older(struct notification *n)
{
	struct text said, title;
	struct heard heard;
	struct buf b;

	b = (struct buf){ .max = (size_t)-1 / 2 };
	encode_notification(&b, NOTIFICATION_777, n);
	heard = read_back(&b);
	need(heard.count == 1 && is_fit(&heard.osc[0].body, n->ascii));
	said = behind(&heard.osc[0].body, "777;notify;");
	title = field(&said, ';');
	need(title.n > 0 && title.n <= NOTIFICATION_TITLE_MAX && said.n > 0 &&
	    said.n <= NOTIFICATION_BODY_MAX && memchr(said.at, ';', said.n) ==
	    NULL);
	forget(&heard);
	buf_free(&b);
	b = (struct buf){ .max = (size_t)-1 / 2 };
	encode_notification(&b, NOTIFICATION_9, n);
	heard = read_back(&b);
	need(heard.count == 1 && is_fit(&heard.osc[0].body, n->ascii));
	said = behind(&heard.osc[0].body, "9;");
	need(said.n == 0 || ((*said.at < '0' || *said.at > '9') &&
	    memchr(said.at, ';', said.n) == NULL));
	forget(&heard);
	buf_free(&b);
}

static void
check_notification(struct text title, struct text body)
{
	struct notification n = {
		.title = { title.at, title.n }, .body = { body.at, body.n },
		.id = "v1", .urgency = URGENCY_LOW,
	};

	check_99(&n);
	check_older(&n);
	n.ascii = true;
	check_older(&n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bytes = malloc(size + 3);
	struct text url, id, text;

	need(bytes != NULL);
	if (size > 0)
		memcpy(bytes, data, size);
	memset(bytes + size, '\0', 3);
	url = (struct text){ bytes, strlen(bytes) };
	id.at = url.n < size ? bytes + url.n + 1 : bytes + size;
	id.n = strlen(id.at);
	text.at = id.at + id.n < bytes + size ? id.at + id.n + 1 : bytes + size;
	text.n = (size_t)(bytes + size - text.at);
	if (url.n > 0)
		check_link(url, text);
	check_place(url.at, id.at);
	check_notification(url, text);
	free(bytes);
	return 0;
}
