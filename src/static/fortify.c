/* SPDX-License-Identifier: MIT */
/*
 * For `make static` with musl: the archives of libtermkey and libunibilium were built
 * for glibc with _FORTIFY_SOURCE and call these functions, which musl lacks.
 */
#include <stdarg.h>
#include <stdio.h>

int __snprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, ...);
int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...);
int __fprintf_chk(FILE *to, int flag, const char *format, ...);

int
__snprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, ...)
{
	va_list arguments;
	int length;

	(void)flag;
	va_start(arguments, format);
	length = vsnprintf(to, n < size ? n : size, format, arguments);
	va_end(arguments);
	return length;
}

int
__sprintf_chk(char *to, int flag, size_t size, const char *format, ...)
{
	va_list arguments;
	int length;

	(void)flag;
	va_start(arguments, format);
	length = vsnprintf(to, size, format, arguments);
	va_end(arguments);
	return length;
}

int
__fprintf_chk(FILE *to, int flag, const char *format, ...)
{
	va_list arguments;
	int length;

	(void)flag;
	va_start(arguments, format);
	length = vfprintf(to, format, arguments);
	va_end(arguments);
	return length;
}
