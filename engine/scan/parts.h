/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this stage share. */
#ifndef ENGINE_SCAN_PARTS_H
#define ENGINE_SCAN_PARTS_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

struct scanner {
	const struct plugin *plugin;
	const struct symbols *symbols;
	struct gprofx_scanned_image image;
	void *worker; /* the first one, made to find out whether the plugin knows the image */
};

/* Code to scan in one go. */
struct scan_piece {
	uint64_t address, byte_count, readable;
	const uint8_t *bytes;
	uint32_t symbol; /* that it is of */
	uint32_t mark_first, mark_count;
	const char *section;
};

struct scan_pieces {
	struct scan_piece *items;
	uint32_t count, room;
	struct gprofx_code_mark *marks; /* ascending */
	uint32_t mark_count;
};

/* What histograms cover, apart from each other, by ascending address. */
struct scan_profiled {
	uint64_t *low, *high;
	uint32_t *number; /* of the histogram, as they were read */
	uint32_t count, next;
};

/* The arrays have run lifetime. */
struct scan_profiled scan_profiled(struct run *run, const struct profile *profile);

/*
 * Cuts the addresses from "low" to below "high", which ascend from call to call, down to what the
 * first histogram covers of them that was read; false: none does.
 */
bool scan_profiled_part(struct scan_profiled *profiled, uint64_t *low, uint64_t *high);

/* Whether a histogram of GNU gprof's mind holds an address, which is cut to 32 bits. */
bool scan_is_profiled(const struct scan_profiled *profiled, uint64_t address);

/* Where functions begin, as a scanner gets it, and what stands behind it. */
struct scan_entries {
	struct gprofx_entries public;        /* first */
	struct gprofx_begin_bits begin_bits; /* bits is NULL: not that many */
	const struct symbols *symbols;
	bool strict; /* by GNU gprof's rules: only what histograms cover */
	struct scan_profiled profiled;
};

/*
 * The bits have the lifetime of the run, or until they are released.  profile: NULL, or the one by
 * GNU gprof's rules.
 */
struct scan_entries
scan_entries(struct run *run, const struct symbols *symbols, const struct profile *profile);

/* What there is to scan, by address. */
struct scan_pieces scan_pieces(struct run *run, const struct symbols *symbols,
                               const struct profile *profile, bool strict);

/* Finds the names in code that say what it is; they have run lifetime. */
void scan_find_marks(struct run *run, struct scan_pieces *pieces, const struct symbols *symbols);

struct scan_windows;

/* What code there is at given addresses, each range one piece in each section. */
struct scan_pieces
scan_pieces_in(struct run *run, const struct symbols *symbols, const struct scan_windows *windows);

/*
 * Bit i: symbol i is what profiled functions call to notify the profiling runtime that they were
 * called.  NULL: there is none.
 */
uint64_t *scan_hooks(struct run *run, const struct symbols *symbols);

/* A piece as a scanner gets it. */
static inline struct gprofx_code
scan_code(const struct scanner *scanner, const struct scan_pieces *pieces,
          const struct scan_piece *piece, const struct gprofx_entries *entries)
{
	return (struct gprofx_code){
		.size = sizeof(struct gprofx_code),
		.bytes = piece->bytes,
		.byte_count = piece->byte_count,
		.readable = piece->readable,
		.address = piece->address,
		.image = &scanner->image,
		.entries = entries,
		.marks = pieces->marks ? pieces->marks + piece->mark_first : NULL,
		.mark_count = piece->mark_count,
		.section = piece->section,
	};
}

#endif
