/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The classical file, gmon.out, from tables of the collector. */
#ifndef COLLECT_GMON_H
#define COLLECT_GMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gxc_chunk;
struct gxc_object;

struct gmon_input {
	const struct gxc_chunk *const
		*chunks; /* of calls, samples and blocks; others are passed over */
	size_t count;
	const struct gxc_object *program;
	uint64_t low, high; /* of its code, as in memory */
	uint32_t rate;      /* 0: no histogram */
	bool has_blocks;    /* basic blocks are wanted, too */
};

/* Uses the C library; false: not all was written. */
bool gmon_write(int descriptor, const struct gmon_input *input);

#endif
