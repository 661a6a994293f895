/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the list of mappings of a process without the C library; all anywhere. */
#ifndef COLLECT_MAPS_H
#define COLLECT_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where reading the list is. */
struct maps_reader {
	/* Negative: it cannot be read. */
	int descriptor;
	size_t at, end;
	char buffer[2048];
};

/* A line of the list of mappings. */
struct mapping {
	uint64_t low, high, offset, device, inode;
	bool has_code;
	size_t path_length;
	char path[1024];
};

/* Begins with /proc/.../maps, and a descriptor that the caller closes; false: the list cannot be
 * read. */
bool maps_open(struct maps_reader *reader, const char *path);
/* The next mapping; false: there is none. */
bool maps_next(struct maps_reader *reader, struct mapping *mapping);

#endif
