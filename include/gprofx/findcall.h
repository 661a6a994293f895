/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call scanners (findcall-*): find calls in machine code, called or not.
 */
#ifndef GPROFX_FINDCALL_H
#define GPROFX_FINDCALL_H

#include <gprofx/reader.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A piece of code to scan: one function, or a part of it.  Lifetime: call. */
struct gprofx_code {
	uint32_t size;
	const uint8_t *bytes;
	uint64_t byte_count;
	uint64_t address; /* of the first byte */
	const struct gprofx_target *target;
};

/* What sort of transfer was found. */
enum gprofx_call_kind {
	GPROFX_CALL_DIRECT = 0,
	GPROFX_CALL_INDIRECT = 1, /* the callee is not known; "to" is 0 */
	GPROFX_CALL_TAIL = 2      /* a jump to the entry of another function */
};

struct gprofx_found_call {
	uint64_t from, to; /* address of the instruction, address of the callee */
	uint32_t kind;     /* enum gprofx_call_kind */
};

/* The list of calls found; "add" belongs to the host. */
struct gprofx_calls {
	uint32_t size;
	void (*add)(struct gprofx *gx, struct gprofx_calls *calls,
	            const struct gprofx_found_call *rows, uint32_t count);
};

struct gprofx_findcall {
	uint32_t size;
	const uint16_t *machines; /* ELF machine numbers; machine_count of them; static */
	uint32_t machine_count;
	/* State of one worker thread, for example a disassembler handle.  Both may be NULL. */
	enum gprofx_result (*worker_open)(struct gprofx *gx, const struct gprofx_target *target,
	                                  const void *options, void **worker);
	void (*worker_close)(struct gprofx *gx, void *worker);
	/* Adds every call in the code, by ascending address.  Required. */
	enum gprofx_result (*scan)(struct gprofx *gx, void *worker, const struct gprofx_code *code,
	                           struct gprofx_calls *calls);
};

#ifdef __cplusplus
}
#endif

#endif
