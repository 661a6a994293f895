/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared libraries that the program needs, and those that these need.  Files are looked for where
 * an image asks for its libraries, and beside the program: those of the system are not read, since
 * these need no others of the user's.
 */
#include "symbols/needed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/text.h"
#include "symbols/late-files.h"

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
enum { MOST_LOOKED_FOR = 256, MOST_ADDED = 256, MOST_OF_PROGRAM = 4096 };

struct search {
	const char *image; /* that asks for the library, as it was named */
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

static bool
is_in_system_folder(const char *path)
{
	for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++)
		if (strncmp(path, system_folders[i], strlen(system_folders[i])) == 0)
			return true;
	return false;
}

bool
symbols_is_of_system(const char *library)
{
	return is_of_system(library) || is_in_system_folder(library);
}

/* Whether search->path is a file; its real place decides whether it is the user's own. */
static bool
is_there(struct search *search, bool *is_own)
{
	char real[PATH_MAX];

	if (!realpath(search->path, real))
		return false;
	*is_own = !is_in_system_folder(real);
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

/* Whether a library that an image asks for is the user's own; its file is search->path then. */
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

struct needing {
	struct run *run;
	struct symbols *symbols;
	struct search search;
	uint32_t room;
};

/* Adds the libraries of an image, those of the program or ones that are not listed yet. */
static void
add_libraries(struct needing *needing, const struct gprofx_symtab *table, bool is_program)
{
	struct symbols *symbols = needing->symbols;

	for (uint32_t i = 0; i < table->library_count && symbols->needed_count < needing->room;
	     i++) {
		uint32_t k = is_program ? symbols->needed_count : 0;

		if (!is_program && i == MOST_ADDED)
			break;

		while (k < symbols->needed_count &&
		       strcmp(symbols->needed[k].name, table->libraries[i]) != 0)
			k++;
		if (k == symbols->needed_count)
			symbols->needed[symbols->needed_count++].name = table->libraries[i];
	}
}

/* Reads which libraries a library of the user's own needs; returns where it asks for them. */
static const char *
read_library(struct needing *needing, const char *path)
{
	int error;
	const struct mapped_file *file = mapfile_open(needing->run, path, MAPFILE_REGULAR, &error);
	const struct gprofx_symtab *table = file ? late_file_table(needing->run, path, file, NULL)
	                                         : NULL;

	/* A file for another machine is not what the loader takes. */
	if (table && table->target.machine == needing->symbols->table.target.machine)
		add_libraries(needing, table, false);
	return table ? table->run_path : NULL;
}

void
symbols_find_needed(struct run *run, struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	struct needing needing = {.run = run, .symbols = symbols};
	const char **run_path, **asks; /* of each library, and of what asks for it */
	uint32_t of_program = table->library_count;

	if (of_program == 0 || of_program > UINT32_MAX - MOST_ADDED)
		return;
	needing.room = of_program + MOST_ADDED;
	memory_array(run, symbols->needed, needing.room);
	add_libraries(&needing, table, true);
	/* Whose files these are is not the user's business. */
	if (run->settings->is_privileged || !symbols_have_image(symbols) ||
	    of_program > MOST_OF_PROGRAM)
		return;
	memory_array(run, run_path, needing.room);
	memory_array(run, asks, needing.room);
	needing.search.left = MOST_LOOKED_FOR;
	for (uint32_t i = 0; i < symbols->needed_count; i++) {
		struct needed_library *library = &symbols->needed[i];
		uint32_t before = symbols->needed_count;
		const char *asks_in;
		bool is_found;

		needing.search.image = i < of_program ? symbols->image.name : asks[i];
		is_found = is_own(&needing.search, i < of_program ? table->run_path : run_path[i],
		                  library->name);
		/* What the program asks for, it asks for on behalf of its libraries, too. */
		if (!is_found && i >= of_program) {
			needing.search.image = symbols->image.name;
			is_found = is_own(&needing.search, table->run_path, library->name);
		}
		if (!is_found)
			continue;
		library->file = text_format(run, "%s", needing.search.path);
		asks_in = read_library(&needing, library->file);
		for (uint32_t k = before; k < symbols->needed_count; k++) {
			run_path[k] = asks_in;
			asks[k] = library->file;
		}
	}
	memory_release(run, (void *)run_path);
	memory_release(run, (void *)asks);
}
