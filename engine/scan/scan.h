/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code of the image, decoded: calls in it, whether they ever happened or not.  Plugins
 * (findcall-*) know the instructions; which code is looked at, and what is a function, is decided
 * here.
 */
#ifndef ENGINE_SCAN_SCAN_H
#define ENGINE_SCAN_SCAN_H

#include "base/run.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

/* IWYU pragma: no_include "scan/parts.h" */
struct scanner;
struct scan_decoded;
struct never_ran;

/* A call that returns to an address in question. */
struct call_site {
	uint64_t back; /* where it returns, as profilers see it */
	uint64_t from; /* address of the instruction */
	uint64_t to;   /* where the function begins that it calls; is_indirect: the pointer, or 0 */
	bool is_indirect;
	bool is_exact; /* a scanner says so, or would if it is a call at all */
};

/* The call by which functions have their own calls counted. */
struct counting_call {
	struct call_site call;
	bool is_known;
};

/* PLT stubs and GOT slots of an image. */
struct scan_imports {
	uint64_t *address; /* ascending; of stubs and slots */
	bool *is_hook;     /* whether it stands for a profiling function */
	uint32_t count;
	bool has_hook;
};

/* Where the count of basic blocks changes in code that counts them by calls. */
struct scan_block {
	uint64_t address; /* of the call of a block, of a function, or where counts do not hold */
	uint64_t back;    /* where the call returns whose count holds from here on; 0: none does */
	bool is_block;    /* that call is here */
};

struct scan_blocks {
	struct scan_block *rows; /* by ascending address, which each has alone; run lifetime */
	uint32_t count;
	bool is_known; /* the code was looked at, and functions of the image count their blocks */
};

/*
 * The code of an image, for all stages of a run that ask for it: one scanner, opened when the first
 * of them asks, serves all, and what one had decoded no other has decoded again.  It is asked by
 * the run's own thread alone.
 */
struct scan {
	const struct symbols *symbols;
	struct scanner *scanner;       /* NULL: not opened, or in vain */
	bool lacks_scanner;            /* it was tried */
	struct scan_decoded *decoded;  /* NULL: nothing */
	struct counting_call counting; /* as profiles show it; known from the first that does */
	struct scan_imports imports;   /* empty before scan_find_imports() */
	struct scan_blocks blocks;     /* empty before scan_find_blocks() */
	struct never_ran *never_ran;   /* what the graph keeps here; NULL: nothing */
};

/* Nothing is opened or decoded yet.  Run lifetime. */
struct scan *scan_new(struct run *run, const struct symbols *symbols);

/*
 * The scanner for the image's code, if calls in it are wanted.  NULL: they are not, or there is
 * none for the machine, which was reported.
 */
struct scanner *
scan_open(struct run *run, const struct symbols *symbols, const struct profile *profile);

/*
 * The scanner for finding out who called, or NULL: there is none for the machine, of which nothing
 * is said.  says: that it cannot work here, as without its library, is a warning.  The first one
 * that was opened serves all stages until the run ends.
 */
struct scanner *scan_open_for_sites(struct run *run, struct scan *scan, bool says);

/* What to do so that there is one, in words.  NULL: gprofx has none, or it was opened. */
const char *scan_advice(struct run *run, uint16_t machine);

/* Addresses in question: from first[i] up to and including last[i], ascending, disjoint. */
struct scan_windows {
	uint64_t *first, *last;
	uint32_t count;
};

struct call_sites {
	struct call_site *items; /* by ascending "back" */
	uint32_t count;
};

/*
 * All calls that return to addresses in question; only functions that lie there are scanned.  The
 * list has run lifetime.
 */
struct call_sites
scan_sites(struct run *run, struct scanner *scanner, const struct scan_windows *windows);

/*
 * All jumps to function entries in the functions at the addresses in question, by where they stand,
 * which is their "back", too; the list has run lifetime.
 */
struct call_sites
scan_jumps(struct run *run, struct scanner *scanner, const struct scan_windows *windows);

/*
 * All calls that stand in the code at addresses in question, wherever they lead to; each range of
 * addresses is decoded from its first one on.  The list has run lifetime.
 */
struct call_sites
scan_all_calls(struct run *run, struct scanner *scanner, const struct scan_windows *windows);

/*
 * Calls wherever they lead to, decoded once for all stages of a run that ask for the same code.  It
 * is asked by the run's own thread alone; the run's workers decode.
 */
struct scan_decoded {
	struct call_sites calls; /* by "back", then by "from", each once */
	uint64_t *backs;         /* of each */
	/* Code that was decoded, by its first instruction. */
	struct scan_windows code;
};

/*
 * Has ranges of code decoded as far as they were not: each from the instruction at first[i] on, up
 * to a call at last[i].  They may be in any order and overlap; both arrays are used up.  *left: how
 * many bytes may be decoded; those at higher addresses are left out if that is not enough, and it
 * returns false.  NULL in *decoded: there is no scanner.  What was decoded has run lifetime; it
 * moves when more is.
 */
bool scan_decode(struct run *run, struct scan *scan, uint64_t *first, uint64_t *last,
                 uint32_t count, uint64_t *left, const struct scan_decoded **decoded);

/* The number of the first call that returns above an address. */
uint32_t scan_calls_above(const struct scan_decoded *decoded, uint64_t address);

/* Frees what was decoded. */
void scan_forget_decoded(struct run *run, struct scan *scan);

/*
 * The call that ends right before an address, as far as bytes show without decoding: they can be
 * the end of another instruction, and a call of another form is missed.  False: there is none, or
 * it is not known here how calls of the machine look.
 */
bool scan_call_before(const struct symbols *symbols, uint64_t back, struct call_site *call);

/*
 * What most of some functions call before their calls are counted; before the arcs of the profile
 * are used up.  Not known where bytes do not show it: see scan_call_before().
 */
struct counting_call
scan_counting_call(const struct symbols *symbols, const struct profile *profile);
/* The same, for scan->counting, unless it is known. */
void scan_find_counting_call(struct scan *scan, const struct profile *profile);

/* Whether the function that begins at an address has that call, which is known. */
bool scan_counts_calls(const struct symbols *symbols, const struct counting_call *counting,
                       uint64_t address);
/*
 * Whether a function has its calls counted by a profiling function of that name: what no profile
 * with calls is needed for.  False also where that cannot be known; see scan_find_imports().
 */
bool scan_calls_hook(const struct scan *scan, uint64_t address);

/* Finds the basic blocks of the program that are counted by calls, for scan->blocks. */
void scan_find_blocks(struct run *run, struct scan *scan, struct symbols *symbols);

/* Whether a name is that of a function that profiled code calls to be counted. */
bool scan_is_hook(const char *name);

/* Finds them; the arrays have run lifetime. */
struct scan_imports scan_imports(struct run *run, struct symbols *symbols);
/* The same, for scan->imports. */
void scan_find_imports(struct run *run, struct scan *scan, struct symbols *symbols);

#endif
