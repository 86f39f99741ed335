/* SPDX-License-Identifier: MIT */
/*
 * OSC 5522 in both directions. Replies: any text is taken apart without reading past
 * it, is not ours with another id, and what is borrowed lies in the text; a
 * reply made of any status, type and data comes out as it went in. Writes: a reader of
 * the packets finds the bytes of each type, in chunks of no more than 4,096 bytes.
 *
 * The first byte chooses what is around the rest: the repetitions of a content, the
 * order of a reply's keys, the place of the cut between type and data.
 */
#include "tty/typed_reply.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char id[] = "v-1.a_b+c";

/* ---- replies ------------------------------------------------------------- */

/* Whether a key with this value stands between colons of the metadata. */
static bool
has_pair(const char *text, size_t n, const char *pair)
{
	size_t length = strlen(pair), i;

	for (i = 0; i + length <= n; i++)
		if ((i == 0 || text[i - 1] == ':') &&
		    memcmp(text + i, pair, length) == 0 &&
		    (i + length == n || text[i + length] == ':'))
			return true;
	return false;
}

static bool
has_key(const char *text, size_t n, const char *key)
{
	size_t length = strlen(key), i;

	for (i = 0; i + length <= n; i++)
		if ((i == 0 || text[i - 1] == ':') && memcmp(text + i, key, length) == 0)
			return true;
	return false;
}

static void
check_any_reply(const char *text, size_t n)
{
	const char *payload = memchr(text, ';', n);
	size_t keys = payload != NULL ? (size_t)(payload - text) : n;
	struct typed_reply reply;
	char pair[sizeof(id) + 3];

	snprintf(pair, sizeof(pair), "id=%s", id);
	if (!typed_reply_parse(&reply, text, n, id))
		return;
	need(has_pair(text, keys, pair) || !has_key(text, keys, "id="));
	need(has_pair(text, keys, reply.write ? "type=write" : "type=read"));
	need(reply.status <= TYPED_UNKNOWN && strlen(reply.word) > 0 &&
	    strlen(reply.word) < sizeof(reply.word));
	need(memchr(reply.type, '\0', sizeof(reply.type)) != NULL);
	need(reply.data >= text && reply.data + reply.size == text + n);
	need(reply.size == (payload != NULL ? n - keys - 1 : 0));
}

static void
put_base64(struct bytes *out, const void *raw, size_t n)
{
	char *text = malloc(n * 2 + 8);

	need(text != NULL);
	put(out, text, reference_encode(text, raw, n));
	free(text);
}

/* What a terminal says of this type and data. */
static void
check_own_reply(const uint8_t *type, size_t type_n, const uint8_t *data, size_t n,
    bool late)
{
	unsigned char *raw = malloc(n + 3);
	struct bytes text = { .n = 0 };
	struct typed_reply reply;
	bool fine = type_n <= TYPED_TYPE_MAX && memchr(type, '\0', type_n) == NULL;

	need(raw != NULL);
	put(&text, "type=read:status=DATA", 21);
	if (!late) {
		put(&text, ":id=", 4);
		put(&text, id, strlen(id));
	}
	put(&text, ":mime=", 6);
	put_base64(&text, type, type_n);
	if (late) {
		put(&text, ":id=", 4);
		put(&text, id, strlen(id));
	}
	put(&text, ";", 1);
	put_base64(&text, data, n);
	put(&text, "", 1);
	need(typed_reply_parse(&reply, (char *)text.at, text.n - 1, id) == fine);
	if (fine) {
		need(!reply.write && reply.status == TYPED_DATA);
		need(bytes_equal(reply.type, strlen(reply.type), type, type_n));
		need(reference_decode(raw, reply.data, reply.size) == (long)n &&
		    bytes_equal(raw, n, data, n));
	}
	/* and it is nobody else's */
	need(!typed_reply_parse(&reply, (char *)text.at, text.n - 1, "v"));
	release(&text);
	free(raw);
}

/* ---- writes -------------------------------------------------------------- */

/* The body of the next packet; false: there is none. */
static bool
next_packet(const char **at, const char *end, const char **body, size_t *n)
{
	const char *st;

	if (*at == end)
		return false;
	need(end - *at >= 9 && memcmp(*at, "\x1b]5522;", 7) == 0);
	st = memmem(*at + 7, (size_t)(end - *at) - 7, "\x1b\\", 2);
	need(st != NULL);
	*body = *at + 7;
	*n = (size_t)(st - *body);
	*at = st + 2;
	return true;
}

/* Adds what a chunk of this type holds; false: it is another packet. */
static bool
add_chunk(struct bytes *found, const char *body, size_t n, const char *type)
{
	unsigned char raw[8192];
	struct bytes head = { .n = 0 };
	long got = -1;

	put(&head, "type=wdata:mime=", 16);
	put_base64(&head, type, strlen(type));
	put(&head, ";", 1);
	if (n >= head.n && memcmp(body, head.at, head.n) == 0) {
		need(n - head.n < sizeof(raw));
		got = reference_decode(raw, body + head.n, n - head.n);
		need(got >= 0 && got <= 4096);
		put(found, raw, (size_t)got);
	}
	release(&head);
	return got >= 0;
}

static void
check_write(const uint8_t *data, size_t n, bool primary)
{
	const struct typed_item items[] = { { "image/png", data, n },
		{ "text/html,text/plain", data, n / 2 } };
	const struct typed_write write = { id, primary, items, 2 };
	struct bytes png = { .n = 0 }, html = { .n = 0 };
	const char *at, *end, *body;
	size_t length, others = 0;
	struct source source;
	struct buf b;

	buf_init(&b, (size_t)-1 / 2);
	encode_typed_write(&source, &write);
	need(source_all(&source, &b));
	source_free(&source);
	at = (const char *)b.data;
	end = at + b.len;
	while (next_packet(&at, end, &body, &length)) {
		if (others == 1 && add_chunk(&png, body, length, "image/png"))
			need(html.n == 0);
		else if (others != 1 || !add_chunk(&html, body, length, "text/html"))
			others++;
		if (others == 3)
			need(at == end && bytes_equal(body, length, "type=wdata", 10));
	}
	/* the beginning, the aliases, the end */
	need(others == 3 && bytes_equal(png.at, png.n, data, n) &&
	    bytes_equal(html.at, html.n, data, n / 2));
	release(&png);
	release(&html);
	buf_free(&b);
}

/* What is taken for a type has nothing in it that divides types or packets. */
static void
check_type(const char *text, size_t n)
{
	size_t i;

	if (!typed_type_is_fine(text, n))
		return;
	need(n >= 3 && n <= TYPED_TYPE_MAX && memchr(text, '/', n) != NULL);
	for (i = 0; i < n; i++)
		need(text[i] > ' ' && text[i] < 0x7f && text[i] != ',');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t times = size > 0 ? data[0] % 7 : 0, cut, i;
	struct bytes content = { .n = 0 };
	char *text;

	if (size < 2)
		return 0;
	cut = data[1] < size - 2 ? data[1] : size - 2;
	text = malloc(size - 1);
	need(text != NULL);
	memcpy(text, data + 2, size - 2);
	text[size - 2] = '\0';
	check_any_reply(text, strlen(text));
	check_type(text, size - 2);
	check_own_reply(data + 2, cut, data + 2 + cut, size - 2 - cut, data[0] > 127);
	for (i = 0; i <= times; i++)
		put(&content, data + 2, size - 2);
	check_write(content.at, content.n, data[0] > 127);
	release(&content);
	free(text);
	return 0;
}
