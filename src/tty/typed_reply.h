/* SPDX-License-Identifier: MIT */
/*
 * What a terminal replies by OSC 5522, taken apart. Tty layer; pure.
 *
 *   type=write:status=DONE:id=ID             a write has arrived
 *   type=read:status=OK:id=ID                the data follow
 *   type=read:status=DATA:id=ID:mime=<base64> ; <base64>
 *   type=read:status=DONE:id=ID              that was all
 *
 * An error comes instead of OK or DONE. Source: kitty's "Copying all data types to the
 * clipboard"; the keys stand in any order, and keys that are not known are skipped.
 */
#ifndef TTY_TYPED_REPLY_H
#define TTY_TYPED_REPLY_H

#include "encoder/encoder.h"

#include <stdbool.h>
#include <stddef.h>

enum typed_status {
	TYPED_OK,
	TYPED_DATA,
	TYPED_DONE,
	TYPED_EIO,    /* an error of input or output */
	TYPED_EINVAL, /* a packet that it does not understand */
	TYPED_ENOSYS, /* it has no primary selection */
	TYPED_EPERM,  /* its user or its settings do not allow it */
	TYPED_EBUSY,  /* another program is at it */
	TYPED_UNKNOWN /* an error of another name */
};

struct typed_reply {
	bool write; /* about a write, not a read */
	enum typed_status status;
	char word[16]; /* the status as it came, cut */
	char type[TYPED_TYPE_MAX + 1]; /* of TYPED_DATA, or "" */
	const char *data; /* of TYPED_DATA: base64, borrowed from the text */
	size_t size;
};

/*
 * Takes apart the `n` bytes behind "5522;", with a NUL behind them. False: it is the reply
 * to the request with another id, or no reply at all. One without an id may be ours.
 */
bool typed_reply_parse(struct typed_reply *reply, const char *text, size_t n,
    const char *id);

#endif
