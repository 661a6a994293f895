/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks in code, which Mach-O has not as symbols: functions say whether they are in Thumb, and a
 * table says where there is data.
 */
#include <elf.h>
#include <stdlib.h>

#include <gprofx/findcall.h>
#include <gprofx/symbols.h>

#include "macho.h"

enum { DATA_ROW = 8 };

static int
compare_marks(const void *a, const void *b)
{
	const struct gprofx_code_mark *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static const char *
mode_name(bool is_thumb)
{
	return is_thumb ? "$t" : "$a";
}

/* Those of functions of ARM, by ascending address. */
static uint32_t
find_modes(const struct macho *named, const struct macho_starts *starts,
           struct gprofx_code_mark *marks)
{
	uint32_t count = 0;

	if (named->target.machine != EM_ARM)
		return 0;
	for (uint32_t i = 0; i < named->symbols.count; i++) {
		struct macho_symbol symbol = macho_symbol(named, i);
		bool is_thumb = (symbol.properties & SYMBOL_THUMB) != 0;

		if (macho_is_in_code(named, &symbol))
			marks[count++] = (struct gprofx_code_mark){
				symbol.value & ~(uint64_t)is_thumb, mode_name(is_thumb)};
	}
	for (uint32_t i = 0; i < starts->count; i++)
		if (!starts->is_named[i])
			marks[count++] = (struct gprofx_code_mark){
				starts->address[i] & ~(uint64_t)1,
				mode_name((starts->address[i] & 1) != 0)};
	qsort(marks, count, sizeof *marks, compare_marks);
	return count;
}

/* What goes on behind data: the mode of the function that it is in. */
static const char *
mode_at(const struct macho *macho, const struct gprofx_code_mark *modes, uint32_t count,
        uint64_t address)
{
	uint32_t low = 0, high = count;

	if (macho->target.machine != EM_ARM)
		return "$x";
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (modes[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? modes[low - 1].name : mode_name(false);
}

void
macho_find_marks(const struct macho *macho, const struct macho *named,
                 const struct macho_starts *starts, struct gprofx_symtab *symtab)
{
	bool is_arm = macho->target.machine == EM_ARM;
	uint32_t modes, count, data = 0;
	struct gprofx_code_mark *marks;

	if (macho_has(macho, &macho->data_in_code, 1))
		data = (uint32_t)(macho->data_in_code.count / DATA_ROW);
	if (!is_arm && data == 0)
		return;
	marks = gprofx_alloc(macho->gx, ((is_arm ? named->symbols.count + starts->count : 0) +
	                                 2 * (size_t)data + 1) *
	                                        sizeof *marks);
	count = modes = find_modes(named, starts, marks);
	for (uint32_t i = 0; i < data; i++) {
		const uint8_t *row = macho->bytes + macho->data_in_code.offset +
		                     (size_t)i * DATA_ROW;
		uint64_t start = macho->header_address + macho_word(macho, row);
		uint64_t end = start + gprofx_number_at(row + 4, 2, macho->target.big_endian);

		marks[count++] = (struct gprofx_code_mark){start, "$d"};
		marks[count++] = (struct gprofx_code_mark){end, mode_at(macho, marks, modes, end)};
	}
	symtab->marks = marks;
	symtab->mark_count = count;
}
