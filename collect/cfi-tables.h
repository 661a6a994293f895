/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the unwind information of a function is, and the numbers in it; anywhere. */
#ifndef COLLECT_CFI_TABLES_H
#define COLLECT_CFI_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes to read, with their end; they are mapped, and nobody unmaps them meanwhile. */
struct cursor {
	const uint8_t *at, *end;
	bool has_failed;
};

/* A function's unwind information. */
struct function {
	uint64_t start, end;
	struct cursor first, program; /* of all functions like it, and of this one */
	uint64_t code_unit;
	int64_t data_unit;
	uint32_t return_register;
	bool is_signal_frame;
};

/* The next number: of some bytes, or as DWARF packs it. */
uint64_t cfi_bytes(struct cursor *cursor, size_t count);
int64_t cfi_signed(struct cursor *cursor, size_t count);
uint64_t cfi_uleb(struct cursor *cursor);
int64_t cfi_sleb(struct cursor *cursor);

/* A table, and the bytes that it can lead to. */
struct cfi_image {
	const uint8_t *header; /* .eh_frame_hdr */
	const uint8_t *low, *high;
};

/* The function of an address, by the sorted table that linkers make (.eh_frame_hdr); false: none.
 */
bool cfi_find_in(const struct cfi_image *image, uint64_t pc, struct function *function);

/*
 * cfi-find.c: the same in all that is loaded.  The launcher has another one, of a process that it
 * looks at.
 */
bool cfi_find(uint64_t pc, struct function *function);

#endif
