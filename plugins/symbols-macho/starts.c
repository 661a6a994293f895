/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where functions start: a table that linkers write and strippers leave.  So the functions of a
 * stripped image are known apart, though not by their names.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>

#include <gprofx/symbols.h>

#include "macho.h"

enum {
	/* Names that are made up are to take less than four times the bytes of the image. */
	BYTES_EACH = 8,
	NAME_ROOM = 32
};

/* The next number, in groups of 7 bits; false: there are no more. */
static bool
take_number(const uint8_t **at, const uint8_t *end, uint64_t *number)
{
	uint32_t shift = 0;

	for (*number = 0; *at < end; shift += 7) {
		uint8_t byte = *(*at)++;

		if (shift < 64)
			*number |= (uint64_t)(byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
			return true;
	}
	return false;
}

void
macho_read_starts(const struct macho *macho, const struct gprofx_symtab *symtab,
                  struct macho_starts *starts)
{
	const uint8_t *at = macho->bytes + macho->starts.offset, *end = at + macho->starts.count;
	uint64_t most = macho->length / BYTES_EACH, address = macho->header_address, step;
	uint64_t mode = macho->target.machine == EM_ARM ? 1 : 0;
	uint32_t range = 0;

	*starts = (struct macho_starts){.count = 0};
	if (macho->kind == MACHO_OBJECT || !macho_has(macho, &macho->starts, 1))
		return;
	most = most < macho->starts.count ? most : macho->starts.count;
	starts->address = gprofx_alloc(macho->gx, (most + 1) * sizeof *starts->address);
	starts->is_named = gprofx_alloc(macho->gx, (most + 1) * sizeof *starts->is_named);
	while (starts->count < most && take_number(&at, end, &step) && step > 0) {
		if (address + step < address)
			break;
		address += step;
		while (range < symtab->code_count &&
		       (address & ~mode) >= symtab->code[range].address &&
		       (address & ~mode) - symtab->code[range].address >= symtab->code[range].bytes)
			range++;
		if (range == symtab->code_count)
			break;
		if ((address & ~mode) >= symtab->code[range].address)
			starts->address[starts->count++] = address;
	}
	starts->nameless = starts->count;
}

void
macho_name_start(struct macho_starts *starts, uint64_t address)
{
	uint32_t low = 0, high = starts->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (starts->address[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	/* Bit 0 is not a part of the address. */
	if (low == starts->count ||
	    (starts->address[low] != address && starts->address[low] != (address | 1)) ||
	    starts->is_named[low])
		return;
	starts->is_named[low] = true;
	starts->nameless--;
}

void
macho_fill_nameless(const struct macho *macho, const struct macho_starts *starts,
                    struct gprofx_symtab *symtab)
{
	uint64_t mode = macho->target.machine == EM_ARM ? 1 : 0;
	char *name;

	if (starts->nameless == 0)
		return;
	name = gprofx_alloc(macho->gx, (size_t)starts->nameless * NAME_ROOM);
	for (uint32_t i = 0; i < starts->count; i++) {
		uint64_t address = starts->address[i] & ~mode;

		if (starts->is_named[i])
			continue;
		snprintf(name, NAME_ROOM, "function_%" PRIx64, address);
		symtab->rows.name[symtab->count] = name;
		symtab->rows.address[symtab->count] = address;
		symtab->rows.flags[symtab->count++] = GPROFX_SYMBOL_FUNCTION | GPROFX_SYMBOL_LOCAL |
		                                      GPROFX_SYMBOL_SYNTHETIC;
		name += NAME_ROOM;
	}
}
