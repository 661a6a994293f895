/* SPDX-License-Identifier: Apache-2.0 */
/* How a mon.out is laid out: nothing in it states the size of addresses or the byte order. */
#ifndef INPUT_PROF_LAYOUT_H
#define INPUT_PROF_LAYOUT_H

#include <gprofx/reader.h>

struct prof_layout {
	struct gprofx_target target; /* with the address size and the byte order of the file */
	uint32_t header_bytes;
	uint64_t low, high;
	uint32_t count; /* of functions; rows that were not used are zero */
	uint64_t bins_at;
	uint32_t bin_count; /* without those that no address can have */
};

/* What the header says in one size and order.  False: the file ends within it. */
bool prof_take_header(struct prof_layout *layout, const struct gprofx_file *file,
                      const struct gprofx_target *target);

/* Whether the counts of functions are within the file; if so, bins_at and bin_count are set. */
bool prof_take_bins(struct prof_layout *layout, const struct gprofx_file *file);

static inline uint32_t
prof_row_bytes(const struct prof_layout *layout)
{
	return 2 * layout->target.pointer_bytes;
}

/* A row of the counts of functions. */
static inline struct gprofx_raw_call
prof_row(const struct prof_layout *layout, const struct gprofx_file *file, uint32_t i)
{
	const uint8_t *row = file->bytes + layout->header_bytes +
	                     (uint64_t)i * prof_row_bytes(layout);
	uint32_t bytes = layout->target.pointer_bytes;

	return (struct gprofx_raw_call){
		gprofx_address_at(row, &layout->target),
		gprofx_number_at(row + bytes, bytes, layout->target.big_endian)};
}

/*
 * The layout that fits the file best, whatever the image is.  Returns how well it fits, 1 … 99; 0:
 * none does, and nothing was stored.
 */
int prof_inferred_layout(struct prof_layout *layout, const struct gprofx_file *file,
                         const struct gprofx_target *target);

#endif
