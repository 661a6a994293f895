/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared libraries that are not of the system: they are work of the user's as the program is, and
 * their time is not sampled.  A library counts as such if it is a file where the program asks for
 * it, or beside the program, and that is in no folder of the system.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/text.h"
#include "findings/parts.h"
#include "symbols/symbols.h"

/* What packages install, and stores that have folders of their own. */
static const char *const system_folders[] = {
	"/usr/", "/lib/", "/lib32/", "/lib64/", "/libx32/", "/opt/", "/nix/", "/gnu/", "/snap/",
};

/* Libraries of compilers and systems, wherever they are installed; followed by no letter. */
static const char *const system_libraries[] = {
	"ld-linux",  "libc",     "libm",      "libmvec",     "libpthread",  "libdl",
	"librt",     "libgcc_s", "libatomic", "libgo",       "libgomp",     "libomp",
	"libstdc++", "libc++",   "libc++abi", "libgfortran", "libquadmath", "libunwind",
};

/* Files that are looked for, whatever an image asks for. */
enum { MOST_LOOKED_FOR = 256 };

struct search {
	const char *image; /* as it was named */
	uint32_t left;     /* of MOST_LOOKED_FOR */
	char path[PATH_MAX];
};

static bool
is_of_system(const char *library)
{
	const char *name = text_last_name(library);

	for (size_t i = 0; i < sizeof system_libraries / sizeof system_libraries[0]; i++) {
		size_t length = strlen(system_libraries[i]);

		if (strncmp(name, system_libraries[i], length) == 0 &&
		    (name[length] == '.' || name[length] == '-'))
			return true;
	}
	return false;
}

/* Whether search->path is a file; its real place decides whether it is the user's own. */
static bool
is_there(struct search *search, bool *is_own)
{
	char real[PATH_MAX];

	if (!realpath(search->path, real))
		return false;
	*is_own = true;
	for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++)
		if (strncmp(real, system_folders[i], strlen(system_folders[i])) == 0)
			*is_own = false;
	return true;
}

/* Whether the library is in a folder, whose name has this many bytes; "$ORIGIN" is the image's. */
static bool
is_in(struct search *search, const char *folder, size_t length, const char *library, bool *is_own)
{
	static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
	size_t own = (size_t)(text_last_name(search->image) - search->image), skipped = 0;
	int bytes;

	for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++)
		if (length >= strlen(origins[i]) &&
		    memcmp(folder, origins[i], strlen(origins[i])) == 0)
			skipped = strlen(origins[i]);
	search->left--;
	if (length >= PATH_MAX || own >= PATH_MAX ||
	    memchr(folder + skipped, '$', length - skipped))
		return false;
	if (skipped > 0)
		bytes = snprintf(search->path, sizeof search->path, "%.*s%.*s/%s",
		                 own > 0 ? (int)own - 1 : 1, own > 0 ? search->image : ".",
		                 (int)(length - skipped), folder + skipped, library);
	else
		bytes = snprintf(search->path, sizeof search->path, "%.*s/%s",
		                 length > 0 ? (int)length : 1, length > 0 ? folder : ".", library);
	return bytes > 0 && (size_t)bytes < sizeof search->path && is_there(search, is_own);
}

/* Whether a library that the program asks for is the user's own; its file is search->path then. */
static bool
is_own(struct search *search, const char *run_path, const char *library)
{
	static const char origin[] = "$ORIGIN";
	bool own = false;
	size_t length;

	if (search->left == 0 || is_of_system(library))
		return false;
	if (strchr(library, '/'))
		return search->left-- > 0 &&
		       snprintf(search->path, sizeof search->path, "%s", library) <
		               (int)sizeof search->path &&
		       is_there(search, &own) && own;
	for (; run_path && search->left > 0;
	     run_path = run_path[length] != '\0' ? run_path + length + 1 : NULL) {
		length = strcspn(run_path, ":");
		if (is_in(search, run_path, length, library, &own))
			return own;
	}
	/* As LD_LIBRARY_PATH has it found. */
	return search->left > 0 && is_in(search, origin, sizeof origin - 1, library, &own) && own;
}

static void
report(struct findings *findings, const char *library, const char *file, uint32_t count,
       uint32_t needed)
{
	struct run *run = findings->run;
	const char *name = text_last_name(library), *more = "";

	if (count > 1)
		more = text_format(run, " and %u more %s", count - 1,
		                   count == 2 ? "library" : "libraries");
	finding_add(findings, FINDING_OWN_LIBRARIES, NULL,
	            text_format(run,
	                        "time in %s%s is not in this profile: shared libraries are not "
	                        "sampled",
	                        name, more),
	            text_format(run,
	                        "of %u libraries that the program needs, %u %s not in a folder of "
	                        "the system: %s%s",
	                        needed, count, count == 1 ? "is" : "are", file, more));
	/* With -pg the program would take the only timer. */
	finding_advise(
		findings, FINDING_OWN_LIBRARIES,
		text_format(run,
	                    "link statically what is in %s, which shows true shares; or build the "
	                    "program without -pg, remove %s.profile, run the program with "
	                    "LD_PROFILE=%s and LD_PROFILE_OUTPUT=$PWD, and report the library "
	                    "by itself: gprofx %s %s.profile; calls from other objects then "
	                    "take much longer than usual",
	                    name, library, library, file, library));
}

void
findings_inspect_libraries(struct findings *findings, const struct gprofx_account *account)
{
	enum { MUCH = 3 };
	const struct symbols *symbols = findings->symbols;
	struct search search = {.image = symbols->image.name, .left = MOST_LOOKED_FOR};
	const char *first = NULL, *file = NULL;
	uint32_t count = 0;

	/* Little was not sampled; or whose files these are is not the user's business. */
	if ((account->cpu_time > 0 && account->unsampled * MUCH < account->cpu_time) ||
	    findings->run->settings->is_privileged || !symbols_have_image(symbols))
		return;
	for (uint32_t i = 0; i < account->library_count; i++) {
		if (!is_own(&search, symbols->table.run_path, account->libraries[i]))
			continue;
		if (count++ > 0)
			continue;
		first = account->libraries[i];
		file = text_format(findings->run, "%s", search.path);
	}
	if (count > 0)
		report(findings, first, file, count, account->library_count);
}
