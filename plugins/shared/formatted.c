/* SPDX-License-Identifier: Apache-2.0 */
#include "formatted.h"

#include <stdio.h>

const char *
formatted_with(struct gprofx *gx, const char *format, va_list arguments)
{
	va_list again;
	int length;
	char *text;

	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	text = gprofx_alloc(gx, (length > 0 ? (size_t)length : 0) + 1);
	if (length > 0)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

const char *
formatted(struct gprofx *gx, const char *format, ...)
{
	const char *text;
	va_list arguments;

	va_start(arguments, format);
	text = formatted_with(gx, format, arguments);
	va_end(arguments);
	return text;
}
