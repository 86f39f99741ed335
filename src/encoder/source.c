/* SPDX-License-Identifier: MIT */
/* Sequences part by part; the contract is in encoder.h. */
#include "encoder/encoder.h"

void
source_init(struct source *s, source_part *part, const void *payload, size_t n)
{
	*s = (struct source){ .part = part, .payload = payload, .size = n };
	buf_init(&s->bare, BUF_NO_LIMIT);
}

void
source_wrap(struct source *s, const struct chain *chain)
{
	s->chain = chain->count > 0 ? chain : NULL;
}

/* Where sequences begin and end matters to layers only. */
static enum part
bytes_part(struct source *s, struct buf *out)
{
	struct source_position *p = &s->position;
	enum sequence_kind kind;
	size_t n;

	if (p->at == s->size)
		return PART_NONE;
	if (p->at == p->end)
		p->end = s->chain == NULL ? s->size : p->at +
		    sequence_next(s->payload + p->at, s->size - p->at, &kind);
	n = p->end - p->at;
	/* what is left for the next part may be an ST */
	if (n > SOURCE_PART)
		n = n == SOURCE_PART + 1 ? SOURCE_PART - 1 : SOURCE_PART;
	buf_add(out, s->payload + p->at, n);
	p->at += n;
	return p->at == p->end ? PART_ENDS : PART_GOES_ON;
}

void
source_bytes(struct source *s, const void *bytes, size_t n)
{
	source_init(s, bytes_part, bytes, n);
}

/* Once more from the beginning, if a layer wants it. */
static bool
start_over(struct source *s)
{
	if (s->pass + 1 >= wrap_passes(s->chain))
		return false;
	s->pass++;
	s->position = (struct source_position){ .at = 0 };
	return true;
}

static bool
next_wrapped(struct source *s, struct buf *out)
{
	enum part part;

	s->bare.len = 0;
	while ((part = s->part(s, &s->bare)) == PART_NONE)
		if (!start_over(s))
			return false;
	if (s->bare.fault != BUF_FINE) {
		out->fault = s->bare.fault;
		return false;
	}
	return wrap_part(s, s->bare.data, s->bare.len, part, out);
}

bool
source_next(struct source *s, struct buf *out)
{
	if (out->fault != BUF_FINE)
		return false;
	if (s->chain != NULL)
		return next_wrapped(s, out);
	return s->part(s, out) != PART_NONE && out->fault == BUF_FINE;
}

bool
source_all(struct source *s, struct buf *out)
{
	while (source_next(s, out))
		continue;
	return out->fault == BUF_FINE;
}

void
source_free(struct source *s)
{
	buf_free(&s->bare);
}

bool
wrap(struct buf *b, const struct chain *chain)
{
	struct source source;
	struct buf out;

	if (chain->count == 0)
		return true;
	buf_init(&out, b->max);
	source_bytes(&source, b->data, b->len);
	source_wrap(&source, chain);
	source_all(&source, &out);
	source_free(&source);
	if (out.fault != BUF_FINE) {
		b->fault = out.fault;
		buf_free(&out);
		return false;
	}
	buf_free(b);
	*b = out;
	return true;
}
