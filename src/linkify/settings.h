/* SPDX-License-Identifier: MIT */
/* What linkify looks for, and its limits. Layer linkify/; only types. */
#ifndef LINKIFY_SETTINGS_H
#define LINKIFY_SETTINGS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Bytes: a longer line is processed in pieces, a longer URL is not linked. In a text of
 * twice LINKIFY_RULE_MATCH_MAX or more a longer match of a rule is not linked either.
 */
enum {
	LINKIFY_LINE_MAX = 64 * 1024,
	LINKIFY_URL_MAX = 16 * 1024,
	LINKIFY_RULE_MATCH_MAX = 1024
};

enum linkify_mode { LINKIFY_ADD, LINKIFY_STRIP };

/* What is linked, and how. Borrowed until linkify_free(). */
struct linkify_settings {
	enum linkify_mode mode;
	/*
	 * Adds the absolute form of a path. `from_top`: in a diff, where git names files
	 * from the top of the working tree. False, with nothing added: no such file.
	 */
	bool (*find)(void *context, const char *path, bool from_top,
	    struct buf *absolute);
	/* Called with the URL of each link, found or made; may be NULL. */
	void (*found)(void *context, const char *url, size_t n);
	void *context;
	const char *place; /* template for encode_place() */
	const char *host;  /* for {host}; "" for none */
	size_t limit;      /* bytes of the longest URL, 0 for LINKIFY_URL_MAX */
};

#endif
