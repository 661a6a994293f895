/* SPDX-License-Identifier: Apache-2.0 */
/* Names that an image has, be it for what it defines or for what it imports. */
#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "symbols/symbols.h"

/* Whether a symbol's name is at this very place: names can be the ends of longer ones. */
static bool
is_a_name(const struct gprofx_symtab *table, const char *at)
{
	if (at > table->strings && at[-1] == '\0')
		return true;
	for (uint32_t i = 0; i < table->count; i++)
		if (table->rows.name[i] == at)
			return true;
	return false;
}

/* The table of names holds those of imported functions as well, with the version behind an '@'. */
bool
symbols_mention(const struct symbols *symbols, const char *name)
{
	const struct gprofx_symtab *table = &symbols->table;
	const char *at = table->strings, *limit;
	size_t length = strlen(name);

	if (!at || table->strings_bytes == 0)
		return false;
	limit = at + table->strings_bytes;
	while ((at = memmem(at, (size_t)(limit - at), name, length)) != NULL) {
		const char *end = at + length;

		if (end < limit && (*end == '\0' || *end == '@') && is_a_name(table, at))
			return true;
		at = end;
	}
	return false;
}

/* What code that is compiled with -pg calls, then what starts and stops profiling. */
static const char *const profiling_names[] = {
	"mcount",       "_mcount",     "__mcount",    "___mcount",       ".mcount",
	"._mcount",     "__fentry__",  "_mcount_ptr", "__gnu_mcount_nc", "__cyg_profile_func_enter",
	"__monstartup", "_monstartup", "monstartup",
};

enum {
	PROFILING_NAMES = sizeof profiling_names / sizeof profiling_names[0],
	COUNTING_NAMES = PROFILING_NAMES - 3
};

/* Whether the image has none of the first names. */
static bool
lack_names(const struct symbols *symbols, size_t count)
{
	/* Of an image whose names come from elsewhere, or that has none, nothing is known. */
	if (!symbols->table.strings || symbols->table.strings_bytes == 0 ||
	    symbols->list.bytes != symbols->image.bytes)
		return false;
	for (size_t i = 0; i < count; i++)
		if (symbols_mention(symbols, profiling_names[i]))
			return false;
	return true;
}

bool
symbols_lack_profiling(const struct symbols *symbols)
{
	return lack_names(symbols, PROFILING_NAMES);
}

bool
symbols_lack_counting(const struct symbols *symbols)
{
	return lack_names(symbols, COUNTING_NAMES);
}

bool
symbols_can_record(const struct symbols *symbols)
{
	return symbols->table.target.machine == EM_X86_64;
}
