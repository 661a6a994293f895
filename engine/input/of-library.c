/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles that the dynamic linker wrote for a shared library, beside a program: their addresses
 * are others, and would be taken for those of the program's functions.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/text.h"
#include "input/input.h"
#include "symbols/symbols.h"

/* The library that a profile is named after, as the dynamic linker does; NULL: none. */
static const char *
named_library(struct run *run, const char *profile)
{
	static const char suffix[] = ".profile";
	const char *base = text_last_name(profile), *library, *so;
	size_t length = strlen(base), more = sizeof suffix - 1;

	if (length <= more || strcmp(base + length - more, suffix) != 0)
		return NULL;
	library = text_format(run, "%.*s", (int)(length - more), base);
	so = strstr(library, ".so");
	return so && (so[3] == '\0' || so[3] == '.') ? library : NULL;
}

bool
input_warn_of_library(struct run *run, const struct symbols *symbols, const char *name)
{
	struct gprofx_diagnostic diagnostic = {.id = "profile.of-a-library", .file = name};
	const char *library = named_library(run, name), *own = symbols->table.library_name;

	/* GNU gprof says nothing. */
	if (!library || run->settings->strict_layouts || !symbols_have_image(symbols) ||
	    strcmp(library, text_last_name(symbols->image.name)) == 0 ||
	    (own && strcmp(library, own) == 0))
		return false;
	diagnostic.text[0] = library;
	diagnostic.hint = text_format(
		run,
		"add it to the profile of the program with --object=%s=%s, or "
		"report the library by itself: gprofx %s %s",
		library, name, library, name);
	run_warn(run, &diagnostic,
	         "the profile is named after the library %s, but read as one of %s", library,
	         symbols->image.name);
	return true;
}
