/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files of code that other processes have mapped: how they were linked, and their unwind
 * information. */
#ifndef RECORD_ATTACH_IMAGE_H
#define RECORD_ATTACH_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { IMAGE_LOADS = 16, IMAGE_BUILD_ID = 20 };

/* A part that is mapped, as its program header says. */
struct image_load {
	uint64_t offset, address, bytes;
	bool is_code;
};

struct image {
	struct image *next;
	uint64_t device, inode;
	struct image_load loads[IMAGE_LOADS];
	uint32_t load_count; /* 0: it is no image, or cannot be read */
	uint8_t build_id[IMAGE_BUILD_ID];
	uint64_t entry; /* where it starts, if it is a program */
	/* A copy of what has the unwind information, as linked from this address on; or NULL. */
	uint8_t *table;
	uint64_t table_address, table_bytes, header_address;
	char path[];
};

/* Where a process has mapped code. */
struct image_mapping {
	int pid;
	uint64_t low, high, offset, device, inode;
	const char *path; /* as the system states it; "": none */
};

/*
 * The image of a mapping, which is read once: from the file, or from the process, if it still runs.
 * NULL: there is no memory.
 */
const struct image *image_of(struct image **list, const struct image_mapping *mapping);

/* What was added to the linked addresses of code that is mapped there; modulo 2^64. */
uint64_t image_bias(const struct image *image, const struct image_mapping *mapping);

void image_release_all(struct image *list);

/* An image in a process, as cfi_find() is to see it. */
struct image_place {
	const struct image *image;
	uint64_t bias;
};

/*
 * Names who says where code is, until the next call: place() finds the image of an address.  For
 * cfi_step().
 */
void image_follow(bool (*place)(const void *data, uint64_t pc, struct image_place *place),
                  const void *data);

#endif
