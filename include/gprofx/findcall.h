/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call scanners (findcall-*): find calls in machine code, whether they were executed or not.
 *
 * A scanner is selected by the machine of the image.  It gets the code of one function after the
 * other, or, if it says that it can, of several at once.  It knows instructions and nothing about
 * images: the host says where functions start.  The code is untrusted: whatever the bytes are, a
 * scanner terminates quickly and stays within them.
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
	 * Find exactly the calls that GNU gprof 2.40 finds, with its errors, and no others.
	 */
	bool strict;
	/*
	 * Find the call sites of recorded calls, rather than possible callees: calls whose return
	 * addresses were recorded.  So indirect calls matter, which -c does not use, and bytes that
	 * are not instructions do harm.  Jumps show which other functions a call can lead to.
	 * Never with strict.
	 */
	bool wants_sites;
};

/*
 * Function entries and GOT slots.  Lifetime: that of the worker; where there is none, call.
 * Members after the last belong to the host.
 */
struct gprofx_entries {
	/*
	 * Whether an address is the entry of a function that calls may lead to.  With strict, also
	 * whether GNU gprof considers the address profiled.  From any thread.
	 */
	bool (*begins)(const struct gprofx_entries *entries, uint64_t address);
	/*
	 * Whether an address is that of a slot, and it is known which function's address the loader
	 * writes into it.  From any thread.  May be NULL: there are none.  See gprofx_is_slot().
	 */
	bool (*is_slot)(const struct gprofx_entries *entries, uint64_t address);
};

/*
 * Function entries, as gprofx_entries.begins reports them, for scanners that ask about nearly every
 * instruction: bit i % 64 of bits[i / 64] is set if a function starts at low + (i << shift).  None
 * starts elsewhere.  The bits belong to the host and never change, for all threads.  Lifetime: that
 * of the worker.
 */
struct gprofx_begin_bits {
	const uint64_t *bits;
	/*
	 * Bytes: the first bit is that of the address low, the last one that of low + span.  One
	 * more bit follows, which is not set: it stands for all other addresses.
	 */
	uint64_t low, span;
	uint32_t shift; /* each bit is for 1 << shift bytes */
};

/*
 * A mapping symbol: a name in the code that is not that of a function.  ABIs mark instruction sets
 * and data in code with them, such as "$d" and "$t".  Where symbols have modes, as on MIPS, the
 * symbol provider turns these into marks: "$m" of microMIPS, "$s" of MIPS16, "$n" of neither.
 */
struct gprofx_code_mark {
	uint64_t address;
	const char *name; /* begins with '$'; run lifetime */
};

/*
 * A piece of code to scan: one function, or a part of it, so that no function starts after its
 * first byte; or, where gprofx_findcall.step allows it, several.  Lifetime: call.
 */
struct gprofx_code {
	uint32_t size;
	const uint8_t *bytes;
	uint64_t byte_count; /* find the calls that start in these bytes */
	uint64_t readable;   /* bytes that can be read; at least byte_count */
	uint64_t address;    /* of the first byte; an instruction starts there unless strict */
	const struct gprofx_scanned_image *image;
	const struct gprofx_entries *entries;
	/*
	 * By ascending address: the last one below this code, if there is any, and those in it.
	 * None with strict.  Names that say nothing about the code, such as "$data", are left out.
	 */
	const struct gprofx_code_mark *marks;
	uint32_t mark_count;
	const char *section; /* its name; run lifetime; NULL: not known */
	/* NULL: not known; call entries->begins(). */
	const struct gprofx_begin_bits *begin_bits;
};

/* The kind of call that was found. */
enum gprofx_call_kind {
	GPROFX_CALL_DIRECT = 0,
	/*
	 * The callee is not known; "to" is 0, or, with wants_sites, the address of the pointer to
	 * it, if the instruction states one.
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
	 * Never with wants_sites.  Not a call: an instruction that computes the address of a
	 * function, which can then be called through a pointer.
	 */
	GPROFX_CALL_POINTER = 5
};

/* For a call without a return address, or with an unknown one. */
#define GPROFX_NO_RETURN UINT32_MAX

struct gprofx_found_call {
	uint64_t from, to; /* address of the instruction; entry of the callee */
	uint32_t kind;     /* enum gprofx_call_kind */
	/*
	 * The return address less "from": profilers record the return address as that of the call.
	 * Ignored unless wants_sites is set.
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
	 * Adds a stub: "bytes" bytes of code at an address that only jump to the function whose
	 * address is in a slot that entries->is_slot() knows.
	 */
	void (*add)(struct gprofx_stubs *stubs, uint64_t address, uint64_t bytes, uint64_t slot);
	/* Set by the scanner, in any of the calls: scan() will report calls through slots. */
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
	 * GPROFX_FAILED: it reported the reason, with gprofx_warn() if the report does not need the
	 * calls.  May be NULL: there is no state.
	 */
	enum gprofx_result (*worker_open)(struct gprofx *gx,
	                                  const struct gprofx_scanned_image *image,
	                                  const void *options, void **worker);
	/* Frees the state.  Called by the run's own thread.  May be NULL. */
	void (*worker_close)(struct gprofx *gx, void *worker);
	/*
	 * Adds every call in the code whose callee is a function entry of code->entries, and every
	 * indirect call, by ascending address of the instruction; with wants_sites, in any order.
	 * Several threads call it at once, each with a worker of its own, so there are no services
	 * of the host.  Required.
	 */
	void (*scan)(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls);
	/*
	 * Adds the stubs in a section of code (those of the PLT, if it is one), before any call of
	 * worker_open; code->entries has no functions.  From the run's own thread, never with
	 * strict.  May be NULL: the scanner knows none.
	 */
	void (*stubs)(const struct gprofx_code *code, const void *options,
	              struct gprofx_stubs *stubs);
	/*
	 * Instructions start at multiples of this many bytes: a power of two up to 16; 0: scan()
	 * gets one function at a time.  If set, scan() may get several adjacent functions as one
	 * piece of code: most are so small that a call for each takes longer than scanning it.
	 * Then code->begin_bits is set, and the first function starts, or continues, where the code
	 * starts; never with strict or wants_sites.  The calls found are the same as in each
	 * function alone.
	 */
	uint32_t step;
	/*
	 * How many bytes at the end of the code, which reaches from one function to the next, are
	 * never executed: padding, after an instruction that does not continue to the next one.
	 * stated: by its size, the function does not own this many bytes at the end, and its
	 * compiler knew whether a last call returns; then only these bytes are in question.  stated
	 * 0: the size is not known.  code->entries is NULL, and so are marks.  Returns 0 if there
	 * are none, or that is not known.  From any thread, without a worker.  May be NULL: nothing
	 * is known.
	 */
	uint64_t (*fill)(const struct gprofx_code *code, uint64_t stated);
	/*
	 * The length in bytes of the instruction at an offset of the code, below byte_count: at
	 * most 64, or 0 if none is known there, so that any byte may start one.  code->marks has
	 * the last one at or before it, or none; code->entries is NULL.  Not needed where all
	 * instructions have one length, which is step.  From one thread at a time, with a worker
	 * that was opened with wants_sites.  May be NULL: the length is step, or, if that is 0, not
	 * known.
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
 * Whether the bit of an address is set, without a branch that processors could mispredict.
 */
static inline bool
gprofx_has_begin(const struct gprofx_begin_bits *begins, uint64_t address)
{
	uint64_t after = address - begins->low;
	/* Bits of a distance below the step become the highest ones: out of range. */
	uint64_t place = after >> begins->shift | after << (-begins->shift & 63);
	uint64_t past = (begins->span >> begins->shift) + 1;

	place = place < past ? place : past;
	return (begins->bits[place / 64] >> place % 64 & 1) != 0;
}

/* Whether an address is a function entry. */
static inline bool
gprofx_begins(const struct gprofx_code *code, uint64_t address)
{
	return code->begin_bits ? gprofx_has_begin(code->begin_bits, address)
	                        : code->entries->begins(code->entries, address);
}

/* Whether an address is that of a slot whose function is known. */
static inline bool
gprofx_is_slot(const struct gprofx_code *code, uint64_t address)
{
	return code->entries->is_slot && code->entries->is_slot(code->entries, address);
}

#ifdef __cplusplus
}
#endif

#endif
