/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../shared/grown.h"
#include "records.h"
#include "numbers.h"
#include "reading.h"

enum {
	PAGE_BYTES = 4096,
	FEW_MAPS = 64,      /* bits of a number */
	MOST_MAPS = 1 << 15 /* each is put into its place, among all others */
};

/* The first map that ends at an address or behind it. */
static uint32_t
first_behind(const struct kernel_maps *maps, uint64_t address)
{
	uint32_t low = 0, high = maps->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (maps->items[middle].last < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Takes so many maps out, and makes room for others there. */
static void
replace(struct perfdata *p, uint32_t at, uint32_t out, uint32_t in)
{
	struct kernel_maps *maps = &p->kernel;
	uint32_t behind = maps->count - at - out;

	maps->items = grown(p->gx, maps->items, sizeof *maps->items, &maps->room, maps->count + in,
	                    64);
	memmove(maps->items + at + in, maps->items + at + out, behind * sizeof *maps->items);
	maps->count = at + in + behind;
}

enum gprofx_result
perfdata_map_kernel(struct perfdata *p, uint64_t address, uint64_t bytes, uint32_t image)
{
	struct kernel_maps *maps = &p->kernel;
	struct kernel_map row = {address, address + (bytes - 1), image, maps->numbers++};
	struct kernel_map parts[3];
	uint32_t at = first_behind(maps, row.low), past = at, count = 0;

	if (maps->count >= MOST_MAPS) {
		p->losses.kernel_maps++;
		return GPROFX_OK;
	}
	while (past < maps->count && maps->items[past].low <= row.last)
		past++;
	if (past > at && maps->items[at].low < row.low) {
		parts[count] = maps->items[at];
		parts[count++].last = row.low - 1;
	}
	parts[count++] = row;
	if (past > at && maps->items[past - 1].last > row.last) {
		parts[count] = maps->items[past - 1];
		parts[count].number = maps->numbers++;
		parts[count++].low = row.last + 1;
	}
	/* Samples before are of what was there before. */
	if (past > at && perfdata_batch_pass(p) != GPROFX_OK)
		return GPROFX_FAILED;
	replace(p, at, past - at, count);
	memcpy(maps->items + at, parts, count * sizeof *parts);
	maps->found = 0;
	return GPROFX_OK;
}

/* Whether a process has a map already; from now on, it has. */
static bool
has_map(struct perfdata *p, struct perfdata_process *process, uint32_t number)
{
	uint64_t bit, key;
	bool has;

	if (number < FEW_MAPS) {
		bit = UINT64_C(1) << number;
		has = (process->kernel & bit) != 0;
		process->kernel |= bit;
		return has;
	}
	/* With many maps and many processes, few processes have samples in many maps. */
	key = (uint64_t)(process - p->processes) << 32 | number;
	has = perfdata_number(&p->kernel.others, key) > 0;
	if (!has)
		perfdata_set_number(p->gx, &p->kernel.others, key, 1);
	return has;
}

static enum gprofx_result
map(struct perfdata *p, struct perfdata_process *process, const struct kernel_map *row)
{
	const struct gprofx_raw_mapping mapping = {
		.size = sizeof mapping,
		.process = perfdata_host_process(p, process),
		.address = row->low,
		.bytes = row->last - row->low + 1,
		.image = row->image,
		.offset = row->low,
	};

	return p->profile->builder->mapping(p->gx, p->profile, p->file, &mapping);
}

/* A page that stands for all code of an image. */
static uint64_t
page_address(struct perfdata *p, struct perfdata_process *process, uint64_t page, const char *name,
             uint32_t *image, uint32_t *number)
{
	struct kernel_map row = {page, page + PAGE_BYTES - 1, 0, 0};

	if (*image == 0) {
		*image = perfdata_image(p, GPROFX_IMAGE_NAMES, name, strlen(name), NULL, 0);
		*number = p->kernel.numbers++;
	}
	row.image = *image;
	row.number = *number;
	if (*image == 0)
		return 0;
	if (!has_map(p, process, *number) && map(p, process, &row) != GPROFX_OK)
		return 0;
	return page;
}

uint64_t
perfdata_guest_address(struct perfdata *p, struct perfdata_process *process)
{
	return page_address(p, process, GUEST_PAGE, "[guest]", &p->kernel.guest,
	                    &p->kernel.guest_number);
}

uint64_t
perfdata_kernel_address(struct perfdata *p, struct perfdata_process *process, uint64_t address)
{
	struct kernel_maps *maps = &p->kernel;
	uint32_t at = maps->found;

	if (at >= maps->count || address < maps->items[at].low || address > maps->items[at].last) {
		at = first_behind(maps, address);
		if (at == maps->count || address < maps->items[at].low)
			return page_address(p, process, NO_KERNEL_PAGE, "[kernel]", &maps->none,
			                    &maps->none_number);
		maps->found = at;
	}
	if (!has_map(p, process, maps->items[at].number) &&
	    map(p, process, &maps->items[at]) != GPROFX_OK)
		return 0;
	if (maps->items[at].image != maps->bpf)
		perfdata_note_kernel(p, address, maps->items[at].image);
	return address;
}
