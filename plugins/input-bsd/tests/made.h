/* SPDX-License-Identifier: Apache-2.0 */
/* Makes BSD profiles of every layout in memory. */
#ifndef INPUT_BSD_TESTS_MADE_H
#define INPUT_BSD_TESTS_MADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bsd.h"
#include "layout.h"

enum { ROOM = 4096, LOW = 0x401000, WIDTH = 4 };

/* A file under construction. */
struct made {
	uint8_t bytes[ROOM];
	struct gprofx_file file;
	struct gprofx_target target; /* what it is written for */
};

struct plan {
	uint32_t pointer_bytes;
	bool big_endian;
	enum bsd_header header;
	uint32_t bins, bin_bytes;
	int32_t counter_type;
	uint32_t arcs, trailing;
	uint64_t high_half; /* of the counts of arcs */
};

static void
put(struct made *made, uint64_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		made->bytes[made->file.length++] = (uint8_t)(value >> 8 * (made->target.big_endian
		                                                                   ? bytes - 1 - i
		                                                                   : i));
}

static void
make(struct made *made, const struct plan *plan)
{
	uint32_t header = 2 * plan->pointer_bytes + 4;
	uint32_t bin_bytes = plan->bin_bytes ? plan->bin_bytes : 2;

	memset(made, 0, sizeof *made);
	made->file = (struct gprofx_file){.size = sizeof made->file, .bytes = made->bytes};
	made->target = (struct gprofx_target){.size = sizeof made->target,
	                                      .pointer_bytes = plan->pointer_bytes,
	                                      .big_endian = plan->big_endian};
	if (plan->header != BSD_PLAIN)
		header += plan->header == BSD_ALIGNED ? 4 : 20;
	put(made, LOW, plan->pointer_bytes);
	put(made, LOW + plan->bins * WIDTH, plan->pointer_bytes);
	put(made, header + plan->bins * bin_bytes, 4);
	if (plan->header == BSD_VERSIONED) {
		put(made, BSD_VERSION, 4);
		put(made, 100, 4);
		put(made, (uint32_t)plan->counter_type, 4);
	}
	made->file.length = header;
	for (uint32_t i = 0; i < plan->bins; i++)
		put(made, i % 3, bin_bytes);
	for (uint32_t i = 0; i < plan->arcs; i++) {
		put(made, LOW + 4, plan->pointer_bytes);
		put(made, LOW, plan->pointer_bytes);
		if (plan->pointer_bytes == 8)
			put(made, plan->high_half << 32 | (i + 1), 8);
		else
			put(made, i + 1, 4);
	}
	made->file.length += plan->trailing;
	assert_true(made->file.length < ROOM);
}

#endif
