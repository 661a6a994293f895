/* SPDX-License-Identifier: Apache-2.0 */
/* What readers call the code of an object that they have no names for. */
#ifndef PLUGINS_SHARED_REST_NAME_H
#define PLUGINS_SHARED_REST_NAME_H

#include <stdio.h>
#include <string.h>

/* "[libc.so.6]", of the path of the object; "[unknown]" of an empty one. */
static inline void
rest_name(char *to, size_t bytes, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash && slash[1] ? slash + 1 : path;

	if (*base == '\0')
		base = "[unknown]";
	snprintf(to, bytes, *base == '[' ? "%s" : "[%s]", base);
}

#endif
