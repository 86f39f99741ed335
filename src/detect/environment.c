/* SPDX-License-Identifier: MIT */
/* Environments; the contract is in environment.h. */
#include "detect/environment.h"

#include <stdlib.h>
#include <string.h>

const char *
environment_get(const char *name)
{
	return getenv(name);
}

const char *
environment_value(const struct buf *environment, const char *name)
{
	const char *at = (const char *)environment->data, *end;
	size_t n = strlen(name);

	if (environment->len == 0)
		return NULL;
	for (end = at + environment->len; at < end; at += strlen(at) + 1)
		if (strncmp(at, name, n) == 0 && at[n] == '=')
			return at + n + 1;
	return NULL;
}
