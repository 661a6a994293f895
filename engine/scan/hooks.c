/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Imported functions by which others tell the collector that they were called.  Compilers put a
 * call of one into each function that is profiled; no source has it, and none is ever counted.
 * Where the program has the collector in itself it is a function like others, also to GNU gprof.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "scan/parts.h"
#include "symbols/symbols.h"

/*
 * Without what compilers and systems put before the name: mcount, _mcount, __mcount, .mcount (the
 * BSDs), ._mcount (the code on 64-bit PowerPC), __fentry__ (x86 and s390x), __gnu_mcount_nc (ARM).
 */
static const char *const names[] = {"mcount", "fentry__", "gnu_mcount_nc"};

static bool
is_hook(const char *name)
{
	/* What is imported has the table's name behind its own: mcount@got. */
	name += strspn(name, "._");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		size_t length = strlen(names[i]);

		if (name[0] == names[i][0] && strncmp(name, names[i], length) == 0 &&
		    (name[length] == '\0' || name[length] == '@'))
			return true;
	}
	return false;
}

uint64_t *
scan_hooks(struct run *run, const struct symbols *symbols)
{
	uint64_t *bits = NULL;

	for (uint32_t i = 0; i < symbols->count; i++) {
		if (!symbols_import(symbols, i) || !is_hook(symbols->name[i]))
			continue;
		if (!bits)
			memory_array(run, bits, symbols->count / 64 + 1);
		bits[i / 64] |= (uint64_t)1 << i % 64;
	}
	return bits;
}
