/* SPDX-License-Identifier: MIT */
/* Error messages; the contract is in error.h. */
#include "base/error.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

bool
error_set(struct error *e, enum status status, const char *format, ...)
{
	va_list arguments;

	e->status = status;
	e->hint[0] = '\0';
	va_start(arguments, format);
	text_vformat(e->message, sizeof(e->message), format, arguments);
	va_end(arguments);
	return false;
}

bool
error_silent(struct error *e, enum status status)
{
	*e = (struct error){ .status = status };
	return false;
}

bool
error_hint(struct error *e, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text_vformat(e->hint, sizeof(e->hint), format, arguments);
	va_end(arguments);
	return false;
}

bool
error_system(struct error *e, const char *what)
{
	return error_set(e, STATUS_FAILED, "%s: %s", what, strerror(errno));
}

bool
error_stdout(struct error *e)
{
	return error_system(e, "cannot write to standard output");
}

bool
error_no_memory(struct error *e)
{
	return error_set(e, STATUS_FAILED, "out of memory");
}
