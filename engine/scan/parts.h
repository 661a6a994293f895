/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this stage share. */
#ifndef ENGINE_SCAN_PARTS_H
#define ENGINE_SCAN_PARTS_H

#include "plugin/plugins.h"
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
};

struct scan_pieces {
	struct scan_piece *items;
	uint32_t count, room;
	struct gprofx_code_mark *marks; /* ascending */
	uint32_t mark_count;
};

/* What there is to scan, by address. */
struct scan_pieces scan_pieces(struct run *run, const struct symbols *symbols,
                               const struct profile *profile, bool strict);

/* The histogram of GNU gprof's mind that holds an address cut to 32 bits. */
bool scan_is_profiled(const struct profile *profile, uint64_t address);

#endif
