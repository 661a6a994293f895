/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the stage: what its parts share. */
#ifndef ENGINE_FIT_PARTS_H
#define ENGINE_FIT_PARTS_H

#include "base/run.h"
#include "fit/fit.h"         /* IWYU pragma: export */
#include "scan/scan.h"       /* IWYU pragma: export */
#include "symbols/symbols.h" /* IWYU pragma: export */

enum {
	FIT_ROUNDED = 16,          /* no runtime is known that rounds call sites to more bytes */
	FIT_ENTRY_BYTES = 256,     /* in which a function's profiling call stands */
	FIT_MOST_LOCAL_ENTRY = 16, /* bytes from a function's global entry to its local one */
	FIT_FEWEST_ALIKE = 4       /* callees that prove something by what they have in common */
};

/* Code of one function, or code behind a function up to the next symbol. */
struct fit_extent {
	uint64_t first, last; /* addresses */
	uint64_t next;        /* where the next symbol begins */
	bool is_gap;          /* no symbol holds it */
};

static inline bool
fit_holds(const struct fit_extent *extent, uint64_t address)
{
	return address - extent->first <= extent->last - extent->first;
}

/* What the code at a call site says about an arc. */
enum fit_verdict { FIT_UNASKED, FIT_UNTOLD, FIT_FITS, FIT_NO_CALL, FIT_OTHER_CALLEE };

/* An arc that is checked. */
struct fit_arc {
	uint64_t from, self;
	enum fit_verdict verdict; /* as far as it is known without decoding */
};

/* Where a called address lies. */
enum fit_place {
	FIT_UNKNOWN,
	FIT_BEHIND_HOOK, /* where a profiling call of its function returns to */
	FIT_AT_HOOK,     /* at such a call */
	FIT_AT_ENTRY,
	FIT_NOWHERE
};

/* A called address, once. */
struct fit_callee {
	uint64_t address;         /* without mode bit */
	struct fit_extent extent; /* that holds it */
	uint32_t symbol;          /* at or below it */
	bool has_hook;            /* the code that holds it has a profiling call */
	bool is_proven;           /* a call of the runtime stands before it, whatever is decoded */
	bool has_call;            /* a call returns to it */
	struct call_site call;
	uint32_t first_arc, arc_count;
	enum fit_place place;
};

/* Whether a callee's function is entered at an address. */
static inline bool
fit_is_entry(const struct fit_callee *callee, uint64_t address)
{
	return !callee->extent.is_gap && address - callee->extent.first <= FIT_MOST_LOCAL_ENTRY &&
	       fit_holds(&callee->extent, address);
}

struct fitting {
	struct run *run;
	struct symbols *symbols;
	struct scan *scan;
	/* All that are judged together. */
	const struct gprofx_raw_arc *given;
	uint32_t given_count;
	struct fit_arc *arcs; /* by callee */
	uint32_t arc_count;
	struct fit_callee *callees; /* ascending */
	uint32_t callee_count;
	const struct scan_decoded *decoded;
	bool *is_hook;               /* of each call that was decoded: of the profiling runtime */
	uint64_t bytes_left;         /* that may be decoded */
	bool is_partial;             /* not all code was decoded that was to be */
	uint64_t common;             /* what most functions call to be counted, or 0; see hooks.c */
	bool may_be_any;             /* a call through an unknown pointer may be one */
	bool needs_names;            /* not all calls of the runtime are known by what is common */
	struct scan_imports imports; /* found when they are needed */
	bool has_imports, has_locals;
	uint64_t mode_bit; /* set in addresses of some modes of instructions */
	struct fit found;
};

/*
 * The code that holds an address; false: none of the program does, or what precedes the address is
 * too long.
 */
bool fit_extent(const struct fitting *fitting, uint64_t address, struct fit_extent *extent);

/* The call that was decoded and returns to an address, or NULL. */
const struct call_site *fit_call_at(const struct fitting *fitting, uint64_t address);

/*
 * Has functions decoded, each from its entry up to "more" bytes behind an address that it holds.
 * Both arrays are used up.  False: there is no scanner.
 */
bool fit_decode(struct fitting *fitting, uint64_t *addresses, uint64_t *more, uint32_t count);

/*
 * hooks.c: marks callees of which bytes show that they are behind calls of the profiling runtime.
 * True: all are.
 */
bool fit_prove_callees(struct fitting *fitting);
/* Whether the code can contradict: not if entries were recorded, and there is no runtime. */
bool fit_can_tell(struct fitting *fitting);
/* Finds out which of the decoded calls are of the profiling runtime. */
void fit_find_hooks(struct fitting *fitting);
/* Once that is known: whether a call is one. */
bool fit_is_hook(struct fitting *fitting, const struct call_site *call);
/* Marks the calls that were decoded since. */
void fit_mark_hooks(struct fitting *fitting);
/*
 * Whether it is known what a call leads to, so that it is no call of the runtime if it was not
 * found to be one.
 */
bool fit_is_known_call(struct fitting *fitting, uint64_t target, bool is_indirect);

/* callees.c: whether called addresses lie behind profiling calls. */
void fit_check_callees(struct fitting *fitting);
/* Whether the bytes before an address are such that decoding may have missed a profiling call. */
bool fit_may_be_behind_hook(struct fitting *fitting, uint64_t address);
/* Whether a profiling call can have been written in front of an address when the program ran. */
bool fit_may_be_patched(const struct symbols *symbols, uint64_t address);
/* Whether all called addresses lie at one distance from entries. */
bool fit_has_one_distance(const struct fitting *fitting);

/* sites.c: whether call sites lie behind calls. */
void fit_check_sites(struct fitting *fitting);
/* Whether the bytes alone are such that decoding may have missed a call. */
bool fit_may_hold_call(const struct fitting *fitting, uint64_t from);

/* bytes.c: gives verdicts to arcs for which bytes are enough. */
void fit_settle_arcs(struct fitting *fitting);

/* unprofiled.c: whether arcs can be of a program that has no profiling call. */
void fit_check_unprofiled(struct fitting *fitting);

#endif
