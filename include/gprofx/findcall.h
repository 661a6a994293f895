/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call scanners (findcall-*): find calls in machine code, called or not.
 *
 * A scanner is chosen by the machine of the image, and looks at the code of one function after the
 * other, or, if it says that it can, of several at once.  It knows instructions, and nothing about
 * images: where functions begin the host tells it. It reads code that anybody may have written:
 * whatever the bytes are, it ends soon and stays within them.
 */
#ifndef GPROFX_FINDCALL_H
#define GPROFX_FINDCALL_H

#include <gprofx/reader.h> /* IWYU pragma: export */

#ifdef __cplusplus
extern "C" {
#endif

/* What is the same for all code of an image.  Lifetime: run. */
struct gprofx_scanned_image {
	uint32_t size;
	const struct gprofx_target *target;
	uint32_t machine_flags; /* e_flags of an ELF image; 0: not known */
	/* What gprofx_symtab.linkage_base says; 0: nothing. */
	uint64_t linkage_base;
	/*
	 * The calls that GNU gprof 2.40 finds are wanted, with what it gets wrong, and no others:
	 * one that it does not take for a call is none.
	 */
	bool strict;
	/*
	 * Who called is wanted, rather than what may be called: the calls that return to where
	 * somebody was called from.  So indirect calls matter for which -c has no use, bytes that
	 * are no instructions do harm.  Jumps tell who else a call can lead to.  Never with strict.
	 */
	bool wants_sites;
};

/*
 * Where functions begin, and the slots of the linkage table.  Lifetime: that of the worker; where
 * there is none, call.  Members after the last belong to the host.
 */
struct gprofx_entries {
	/*
	 * Whether a function that calls may lead to begins at an address.  With strict, also
	 * whether GNU gprof thinks that the address was profiled.  From any thread.
	 */
	bool (*begins)(const struct gprofx_entries *entries, uint64_t address);
	/*
	 * Whether at an address there is a slot of which it is known what function the loader
	 * writes into it.  From any thread.  May be NULL: there are none.  See gprofx_is_slot().
	 */
	bool (*is_slot)(const struct gprofx_entries *entries, uint64_t address);
};

/*
 * Where functions begin, as gprofx_entries.begins tells it, for scanners that ask about nearly
 * every instruction: bit i % 64 of bits[i / 64] is set if one begins at low + (i << shift).  None
 * begins elsewhere.  They are the host's and stay as they are, for all threads.  Lifetime: that of
 * the worker.
 */
struct gprofx_begin_bits {
	const uint64_t *bits;
	/*
	 * Bytes: the first bit is that of the address low, the last one that of low + span.  Behind
	 * that one is another bit, which is not set: it is that of all other addresses.
	 */
	uint64_t low, span;
	uint32_t shift; /* each bit is for 1 << shift bytes */
};

/*
 * A name in the code that is none of a function: what ABIs mark modes of instructions and data in
 * code with, as "$d" and "$t".  Where symbols have modes, as those of MIPS, the provider of symbols
 * makes marks of them: "$m" of microMIPS, "$s" of MIPS16, "$n" of neither.
 */
struct gprofx_code_mark {
	uint64_t address;
	const char *name; /* begins with '$'; run lifetime */
};

/*
 * A piece of code to scan: one function, or a part of it, so that behind its first byte no function
 * begins; or, where gprofx_findcall.step says so, several.  Lifetime: call.
 */
struct gprofx_code {
	uint32_t size;
	const uint8_t *bytes;
	uint64_t byte_count; /* calls that begin in these bytes are wanted */
	uint64_t readable;   /* at least byte_count: so many bytes are there from "bytes" on */
	uint64_t address;    /* of the first byte: with strict of any, else of an instruction */
	const struct gprofx_scanned_image *image;
	const struct gprofx_entries *entries;
	/*
	 * By ascending address: the last one below this code, if there is any, and those in it.
	 * None with strict.  Names that say nothing of the code, as "$data", are not among them.
	 */
	const struct gprofx_code_mark *marks;
	uint32_t mark_count;
	const char *section; /* its name; run lifetime; NULL: not known */
	/* NULL: not known; entries->begins() is to be asked. */
	const struct gprofx_begin_bits *begin_bits;
};

/* What sort of transfer was found. */
enum gprofx_call_kind {
	GPROFX_CALL_DIRECT = 0,
	/*
	 * The callee is not known; "to" is 0, or, with wants_sites, where the pointer to it is, if
	 * that is a place in memory that the instruction states.
	 */
	GPROFX_CALL_INDIRECT = 1,
	GPROFX_CALL_TAIL = 2, /* a jump to the entry of another function */
	/*
	 * Never with wants_sites.  A call, or a jump, to the function whose address is in a slot
	 * that entries->is_slot() knows; "to" is the address of the slot.
	 */
	GPROFX_CALL_SLOT = 3,
	GPROFX_CALL_SLOT_TAIL = 4,
	/*
	 * Never with wants_sites.  No call: an instruction that makes the address of a function,
	 * which can so be called through a pointer.
	 */
	GPROFX_CALL_POINTER = 5
};

/* For a call that nobody returns to, or where that is not known. */
#define GPROFX_NO_RETURN UINT32_MAX

struct gprofx_found_call {
	uint64_t from, to; /* address of the instruction; where the function called begins */
	uint32_t kind;     /* enum gprofx_call_kind */
	/*
	 * What the callee is handed to return to, less "from": that is the address that profilers
	 * take for the call's.  Nobody looks at it unless wants_sites is set.
	 */
	uint32_t returns;
};

/* The list of calls found.  Members after the first belong to the host. */
struct gprofx_calls {
	void (*add)(struct gprofx_calls *calls, const struct gprofx_found_call *rows,
	            uint32_t count);
};

/* The list of stubs found.  Members after the last belong to the host. */
struct gprofx_stubs {
	/*
	 * Adds a stub: so many bytes of code at an address that do nothing but jump to the function
	 * whose address is in a slot that entries->is_slot() knows.
	 */
	void (*add)(struct gprofx_stubs *stubs, uint64_t address, uint64_t bytes, uint64_t slot);
	/* Set by the scanner, in any of the calls: scan() will tell of calls through slots. */
	bool follows_slots;
};

struct gprofx_findcall {
	uint32_t size;
	const uint16_t *machines; /* ELF machine numbers; machine_count of them; static */
	uint32_t machine_count;
	/*
	 * Makes the state of one worker thread, for example a disassembler handle.  Called by the
	 * run's own thread, at least once before any scan.  GPROFX_DECLINED: this image is not of a
	 * kind that the scanner knows, or, with strict, GNU gprof does not know the machine.
	 * GPROFX_FAILED: it told why, with gprofx_warn() if the report can do without.  May be
	 * NULL: there is no state.
	 */
	enum gprofx_result (*worker_open)(struct gprofx *gx,
	                                  const struct gprofx_scanned_image *image,
	                                  const void *options, void **worker);
	/* Ends it.  Called by the run's own thread.  May be NULL. */
	void (*worker_close)(struct gprofx *gx, void *worker);
	/*
	 * Adds every call in the code whose callee begins where code->entries says so, and every
	 * indirect one, by ascending address of the instruction, with wants_sites in any order.
	 * Called by several threads at once, each with a worker of its own, so there are no
	 * services of the host.  Required.
	 */
	void (*scan)(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls);
	/*
	 * Adds the stubs in a section of code (its linkage table, if that is one), before any call
	 * of worker_open; code->entries has no functions.  From the run's own thread, never with
	 * strict.  May be NULL: the scanner knows none.
	 */
	void (*stubs)(const struct gprofx_code *code, const void *options,
	              struct gprofx_stubs *stubs);
	/*
	 * Instructions begin at multiples of so many bytes whatever comes before them, so that
	 * scan() may be handed several functions as one piece of code, one behind the other: by far
	 * most are so small that handing them over takes longer than to look at them.  Then
	 * code->begin_bits is there, and the first function begins, or goes on, where the code
	 * begins; never with strict or wants_sites.  What is found is the same as in each of them
	 * alone.  A power of two up to 16; 0: one function at a time.
	 */
	uint32_t step;
	/*
	 * How many bytes at the end of the code, that of one function up to the next, are never
	 * executed: instructions that only fill up space, behind one that does not go on to the
	 * next.  stated: by the size that the function states, so many bytes at the end are not its
	 * own, and its compiler knows whether a last call returns; then nothing else is asked than
	 * whether these are never executed.  0: the size is not stated.  code->entries is NULL, and
	 * so are marks.  0: none, or that is not known.  From any thread, without any worker.  May
	 * be NULL: nothing is known.
	 */
	uint64_t (*fill)(const struct gprofx_code *code, uint64_t stated);
	/*
	 * How many bytes the instruction has that starts at an offset of the code, below
	 * byte_count: at most 64, or 0 if none is known there, so that every byte may start one.
	 * code->marks has the last one at or before it, or none; code->entries is NULL.  Where a
	 * machine has only one length this is not needed: step tells.  From one thread at a time,
	 * with a worker that was opened with wants_sites.  May be NULL: step tells, or, if that is
	 * 0, nothing is known.
	 */
	uint64_t (*length)(void *worker, const struct gprofx_code *code, uint64_t offset);
};

/* Adds one call, with the distance to where it returns. */
static inline void
gprofx_add_site(struct gprofx_calls *calls, uint64_t from, uint64_t to, enum gprofx_call_kind kind,
                uint32_t returns)
{
	struct gprofx_found_call row;

	row.from = from;
	row.to = to;
	row.kind = (uint32_t)kind;
	row.returns = kind == GPROFX_CALL_TAIL ? GPROFX_NO_RETURN : returns;
	calls->add(calls, &row, 1);
}

/* Adds one call. */
static inline void
gprofx_add_call(struct gprofx_calls *calls, uint64_t from, uint64_t to, enum gprofx_call_kind kind)
{
	gprofx_add_site(calls, from, to, kind, GPROFX_NO_RETURN);
}

/*
 * Whether the bit of an address is set, without a decision, which processors could guess wrong.
 */
static inline bool
gprofx_has_begin(const struct gprofx_begin_bits *begins, uint64_t address)
{
	uint64_t after = address - begins->low;
	/* Bits of a distance that no bit stands for become the highest ones: too far. */
	uint64_t place = after >> begins->shift | after << (-begins->shift & 63);
	uint64_t past = (begins->span >> begins->shift) + 1;

	place = place < past ? place : past;
	return (begins->bits[place / 64] >> place % 64 & 1) != 0;
}

/* Whether a function begins at an address. */
static inline bool
gprofx_begins(const struct gprofx_code *code, uint64_t address)
{
	return code->begin_bits ? gprofx_has_begin(code->begin_bits, address)
	                        : code->entries->begins(code->entries, address);
}

/* Whether there is a slot at an address whose function is known. */
static inline bool
gprofx_is_slot(const struct gprofx_code *code, uint64_t address)
{
	return code->entries->is_slot && code->entries->is_slot(code->entries, address);
}

#ifdef __cplusplus
}
#endif

#endif
