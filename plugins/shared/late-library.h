/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a library that is opened in the middle of a run, if at all. */
#ifndef PLUGINS_SHARED_LATE_LIBRARY_H
#define PLUGINS_SHARED_LATE_LIBRARY_H

#include <dlfcn.h>
#include <string.h>

/* Sets a pointer to a function, to NULL if the library has none of that name. */
static inline void
late_library_function(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof found);
}

#endif
