/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which local names count as functions.  Compilers make local labels and clones whose names would
 * only clutter a report; what is rejected here belongs to the symbol before it.
 */
#include <string.h>

#include "symbols/symbols.h"

static bool
begins_with(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/*
 * A dot begins a group of a suffix: an optional word, then digits up to the end of the name or to
 * the dot of the next group.  *at is at the dot; afterwards it is at the terminating NUL.
 */
static bool
suffix_counts(const char **at)
{
	static const char *const words[] = {".clone.", ".constprop."};
	const char *p = *at;

	for (;;) {
		bool digit = false;

		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
			size_t length = strlen(words[i]);

			if (strncmp(p, words[i], length) == 0 && p[length] != '\0') {
				p += length - 1;
				break;
			}
		}
		for (p++; *p >= '0' && *p <= '9'; p++)
			digit = true;
		if (*p == '\0')
			break;
		if (*p != '.' || !digit)
			return false;
	}
	*at = p;
	return true;
}

bool
symbols_name_counts(const struct gprofx_symtab *table, const char *name)
{
	const char *limit = name + strlen(name) + 1;

	if (name[0] == '\0' || begins_with(name, "__gnu_compiled") ||
	    begins_with(name, "___gnu_compiled"))
		return false;
	if (table->leading_underscore && name[0] != '_')
		return false;
	/* The strings that follow in the table are looked at below; they end with the table. */
	if (table->strings && name >= table->strings &&
	    name < table->strings + table->strings_bytes)
		limit = table->strings + table->strings_bytes;
	for (const char *p = name; p < limit && *p != '\0'; p++) {
		if (*p == '$')
			return false;
		/*
		 * gprof steps over the NUL that ends a suffix and so applies the rule to the next
		 * string of the table as well; which clones are kept depends on it.
		 */
		if (*p == '.' && !suffix_counts(&p))
			return false;
	}
	return true;
}
