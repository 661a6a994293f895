/* SPDX-License-Identifier: Apache-2.0 */
/* How a BSD profile is laid out: as the image says, or as the file itself shows. */
#ifndef INPUT_BSD_LAYOUT_H
#define INPUT_BSD_LAYOUT_H

#include <gprofx/reader.h>

enum { BSD_VERSION = 0x51879 };

enum bsd_header {
	BSD_PLAIN,    /* two addresses and a number */
	BSD_ALIGNED,  /* the same, filled up to a multiple of eight bytes, as OSF/1 did */
	BSD_VERSIONED /* 4.4BSD: version, rate and 12 more bytes follow */
};

/* The header, and what follows from it.  All places are offsets in the file. */
struct bsd_layout {
	struct gprofx_target target; /* with the address size and the byte order of the file */
	enum bsd_header header;
	uint32_t header_bytes;
	uint64_t low, high;
	uint32_t size; /* of header and bins together, as the header states it */
	uint32_t version;
	uint32_t rate;        /* the following make sense if the version fits */
	int32_t counter_type; /* FreeBSD: bits of a bin, negative if signed; 0 is 16 */
	bool spare_is_zero;
	uint32_t bin_count;
	uint8_t bin_bytes;
	bool bins_signed;
	bool narrow_counts; /* of the 8 bytes of an arc's count only the first four are used */
};

static inline uint32_t
bsd_arc_bytes(const struct bsd_layout *layout)
{
	return 3 * layout->target.pointer_bytes;
}

static inline uint64_t
bsd_arcs_at(const struct bsd_layout *layout)
{
	return layout->header_bytes + (uint64_t)layout->bin_count * layout->bin_bytes;
}

/* Takes the counters for unsigned ones of 2 bytes, whatever the header says. */
void bsd_take_usual_counts(struct bsd_layout *layout);

/* Whether the header can be one at all. */
bool bsd_is_sane(const struct bsd_layout *layout);

/*
 * The layout by GNU gprof's rules, which take everything but the version from the image.  False:
 * the file ends within the header.
 */
bool bsd_strict_layout(struct bsd_layout *layout, const struct gprofx_file *file,
                       const struct gprofx_target *target, bool needs_version);

/*
 * The layout that fits the file best, whatever the image is.  Returns how well it fits, 1 … 99; 0:
 * none does, and nothing was stored.
 */
int bsd_inferred_layout(struct bsd_layout *layout, const struct gprofx_file *file,
                        const struct gprofx_target *target, bool needs_version);

/* Whether a file of this layout is likely one, taking into account nothing but the file. */
bool bsd_is_likely(const struct bsd_layout *layout, const struct gprofx_file *file);

#endif
