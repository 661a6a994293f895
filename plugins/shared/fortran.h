/* SPDX-License-Identifier: Apache-2.0 */
/* Names of gfortran. */
#ifndef PLUGINS_SHARED_FORTRAN_H
#define PLUGINS_SHARED_FORTRAN_H

#include <stddef.h>
#include <string.h>

/* "__module_MOD_procedure" in its parts; a submodule is "__module.submodule_MOD_procedure". */
struct fortran_name {
	const char *module, *procedure; /* module NULL: the name is none of these */
	size_t module_length, procedure_length;
};

/* Takes a name apart.  What a compiler adds to it behind a dot stays with the procedure. */
static inline struct fortran_name
fortran_name(const char *text, size_t length)
{
	static const char mark[] = "_MOD_";
	const size_t begin = 2, mark_length = sizeof mark - 1;
	struct fortran_name name = {NULL, NULL, 0, 0};
	size_t at = begin;

	/* gfortran writes modules in lower case; the mark is the first that is not. */
	if (length <= begin || memcmp(text, "__", begin) != 0 || text[at] < 'a' || text[at] > 'z')
		return name;
	while (at < length && (text[at] < 'A' || text[at] > 'Z'))
		at++;
	if (at < begin + 2 || length - at + 1 <= mark_length ||
	    memcmp(text + at - 1, mark, mark_length) != 0)
		return name;
	name.module = text + begin;
	name.module_length = at - 1 - begin;
	name.procedure = text + at - 1 + mark_length;
	name.procedure_length = length - (at - 1 + mark_length);
	return name;
}

#endif
