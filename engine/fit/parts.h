/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the stage: what its parts share. */
#ifndef ENGINE_FIT_PARTS_H
#define ENGINE_FIT_PARTS_H

#include "base/run.h"
#include "fit/fit.h"         /* IWYU pragma: export */
#include "scan/scan.h"       /* IWYU pragma: export */
#include "symbols/symbols.h" /* IWYU pragma: export */

enum {
	FIT_ROUNDED = 16,     /* no runtime is known that rounds call sites to more bytes */
	FIT_ENTRY_BYTES = 256 /* in which a function's profiling call stands */
};

/* Code of one function, or code behind a function up to the next symbol. */
struct fit_extent {
	uint64_t first, last; /* addresses */
	uint64_t next;        /* where the next symbol begins */
	bool is_gap;          /* no symbol holds it */
};

/* An arc that is checked. */
struct fit_arc {
	uint64_t from, self;
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
	uint64_t address; /* without mode bit */
	uint32_t symbol;  /* at or below it */
	bool is_gap;      /* it does not hold it */
	bool has_hook;    /* the code that holds it has a profiling call */
	uint32_t first_arc, arc_count;
	enum fit_place place;
};

struct fitting {
	struct run *run;
	struct symbols *symbols;
	const struct profile *profile;
	struct scanner *scanner;
	struct fit_arc *arcs; /* by callee */
	uint32_t arc_count;
	struct fit_callee *callees; /* ascending */
	uint32_t callee_count;
	/* All calls in the functions of the arcs, by where they return, and whether each is a call
	 * of the profiling runtime. */
	struct call_sites calls;
	uint64_t *backs;
	bool *is_hook;
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

/* The first call that returns above an address. */
uint32_t fit_first_call(const struct fitting *fitting, uint64_t address);

/* The call that returns to an address, or NULL. */
const struct call_site *fit_call_at(const struct fitting *fitting, uint64_t address);

/*
 * Has functions decoded, each from its entry up to so many bytes ("more") behind an address that it
 * holds.  Both arrays are used up.  The calls have run lifetime.
 */
struct call_sites
fit_decode(struct fitting *fitting, uint64_t *addresses, uint64_t *more, uint32_t count);

/* hooks.c: finds out which calls are of the profiling runtime. */
void fit_find_hooks(struct fitting *fitting);
/* Whether a call is one of the profiling runtime, once these are known. */
bool fit_is_hook(struct fitting *fitting, const struct call_site *call);
/*
 * Whether it is known what a call leads to, so that it is no call of the runtime if it was not
 * found to be one.
 */
bool fit_is_known_call(struct fitting *fitting, uint64_t target, bool is_indirect);

/* callees.c: whether called addresses lie behind profiling calls. */
void fit_check_callees(struct fitting *fitting);
/* sites.c: whether call sites lie behind calls. */
void fit_check_sites(struct fitting *fitting);

#endif
