/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

void
message(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("gprofx record: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}
