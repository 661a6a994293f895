/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The file in which the collector keeps what it measures, FILE.gxc, version 1.
 *
 * A process has its tables in a file that it maps and shares: whatever ends the process, the file
 * is complete up to that moment, and a copy of it is a snapshot of a running process.  Numbers are
 * in the byte order of the machine, addresses as they were in memory.
 *
 * The file is a header and chunks.  Both begin at multiples of the page size that the header
 * states.  Chunks are adjacent, but where one could not be made there are pages of zeros in its
 * place.  A reader
 *   - skips chunks of types that it does not know,
 *   - skips pages that begin with zeros where a chunk could begin,
 *   - stops at a chunk with impossible sizes, or beyond the end of the file, and keeps what came
 *     before,
 *   - adds up entries of the same key, of which one chunk or several can have many,
 *   - and treats an entry whose count is 0 as one that is not used, or not yet.
 * gprofx-collect(5) describes it for people.
 */
#ifndef GPROFX_GXC_H
#define GPROFX_GXC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GXC_MAGIC "GPROFXC\n"
#define GXC_VERSION 1
#define GXC_ORDER UINT32_C(0x01020304)
#define GXC_CHUNK UINT32_C(0x4b435847) /* "GXCK" in the order of a little-endian machine */

/* What readers call the image of the collector's own code, instead of the path of its library. */
#define GXC_OVERHEAD "profiling overhead"

enum gxc_state {
	GXC_RUNNING = 1, /* the process runs, or was ended without a chance to say so */
	GXC_CLOSED = 2,  /* it ended by itself */
	GXC_REPLACED = 3 /* it started another program in its place (exec) */
};

enum gxc_clock {
	GXC_CLOCK_OFF = 0,  /* nothing was sampled */
	GXC_CLOCK_CPU = 1,  /* a timer of each thread's processor time */
	GXC_CLOCK_TASK = 2, /* the same time, from perf_event */
	GXC_CLOCK_WALL = 3  /* as CPU; and where threads wait */
};

/* What happened: bits. */
enum gxc_flag {
	/* Some tables were not in the file while the program ran; at its end they were added. */
	GXC_PRIVATE_TABLES = 1,
	/* The clock that was asked for was refused; "clock" is the one that took its place. */
	GXC_OTHER_CLOCK = 2,
	/* Stacks were followed by frame pointers; otherwise by unwind information. */
	GXC_FRAME_POINTERS = 4,
	/* Something counts calls, or did: functions were compiled for it. */
	GXC_INSTRUMENTED = 8,
	/* A child of a process that was measured as well, made by fork. */
	GXC_FORKED = 16,
	/* Other code took the signal of the samples: times are incomplete. */
	GXC_SIGNAL_LOST = 32,
	/* The program restricted its system calls (seccomp) so that the collector could make none:
	 * from then on, "end", nothing was sampled, and calls of new threads are lost. */
	GXC_RESTRICTED = 64,
	/* A copy of the file, made at "end" while the process ran. */
	GXC_SNAPSHOT = 128,
	/* Tables could not be written at the end, since the file could not be enlarged: what they
	 * had is among what was lost. */
	GXC_UNWRITTEN = 1 << 17,
	/* With clock=wall, the system refused the thread that looks at others, at first or later:
	 * where threads wait is missing. */
	GXC_NO_WAITS = 65536,
	/* Written from outside of the process, by performance events, while it ran without the
	 * collector: calls were not counted, and there are no samples from before "start".  With
	 * GXC_SNAPSHOT, the process ran on. */
	GXC_ATTACHED = 1 << 20,
	/* The system allowed no samples of the kernel: time in it is missing. */
	GXC_USER_ONLY = 1 << 21
};

/* The clock of times at entry and exit, with time=exact. */
enum gxc_times {
	GXC_TIMES_OFF = 0,     /* they were not asked for */
	GXC_TIMES_COUNTER = 1, /* the processor's counter, whose rate does not change */
	GXC_TIMES_SYSTEM = 2   /* the system's monotonic clock, in nanoseconds */
};

struct gxc_header {
	char magic[8]; /* GXC_MAGIC, without the zero byte */
	uint32_t version, order;
	uint8_t pointer_bytes;
	uint8_t state;    /* enum gxc_state */
	uint16_t machine; /* as in ELF headers, e_machine */
	uint32_t pid, parent_pid;
	uint32_t sequence; /* of the files of one process, from 0: it can exec */
	uint32_t page_bytes;
	uint32_t flags;        /* enum gxc_flag */
	uint64_t start, end;   /* nanoseconds since 1970; end: 0 while it runs */
	uint32_t rate;         /* samples in a second of the clock */
	uint32_t clock;        /* enum gxc_clock */
	uint64_t bytes;        /* of the file that are assigned to the header and chunks */
	uint64_t lost_calls;   /* not counted, since there was no memory for another pair */
	uint64_t lost_samples; /* not recorded, the same way */
	uint64_t failures;     /* chunks that could not be made */
	/* Odd while counts move to another table, since an object was unloaded; then it goes up. */
	uint32_t moves;
	uint32_t threads;      /* that were measured */
	uint64_t sampling_ns;  /* processor time that taking samples took */
	uint64_t program_name; /* offset of a text in the first chunk of strings; 0: none */
	/* Of tables that are in memory only, since the file could not be enlarged: what they have
	 * is missing.  At the end of the process they are written, or counted as lost. */
	uint64_t private_bytes;
	/* Of GXC_ATTACHED, in the file of the process that was named: processor time, in
	 * nanoseconds, that all processes of the recording took without a sample being due, or
	 * allowed; otherwise 0. */
	uint64_t unsampled_ns;
	uint64_t lost_blocks; /* executions of basic blocks, as lost_calls; 0 in older files */
	/* With clock=wall: how often it was seen whether a thread waits, and the sum of the weights
	 * of that; 0 in older files.  Where the sum is greater, threads were looked at less often
	 * than "rate" says. */
	uint64_t looks, look_weight;
	/* With clock=wall: nanoseconds in which threads could run, but no processor was free; 0:
	 * the system did not say, or the file is older. */
	uint64_t delayed_ns;
	/* With time=exact; all of it is 0 in older files. */
	uint32_t times; /* enum gxc_times */
	uint32_t rest2; /* 0 */
	/* Two moments, by the clock of these times, in ticks, and by the system's monotonic clock,
	 * in nanoseconds: how long a tick is. */
	uint64_t first_tick, last_tick, first_ns, last_ns;
	/* What a call takes that is measured, besides what its entries state: in the time of the
	 * called function, and in that of its caller; in 1024ths of a tick. */
	uint64_t cost_inside, cost_outside;
	uint64_t unwound; /* calls without an exit: they ended before the one that was seen next */
	uint64_t unmatched; /* exits of calls whose entry was not seen */
	/* Calls that were counted, but whose time is that of their callers: on another stack than
	 * the thread's; and others, for which there was no memory. */
	uint64_t other_stacks, untimed;
};

enum gxc_type {
	GXC_ARCS = 1,
	GXC_STACKS = 2,
	GXC_OBJECTS = 3,
	GXC_THREADS = 4,
	GXC_STRINGS = 5,
	GXC_BLOCKS = 6,
	GXC_EVENTS = 7,
	GXC_PHASES = 8,
	GXC_WAITS = 9, /* stacks in which threads waited; entries as of GXC_STACKS */
	GXC_TIMED = 10 /* calls with their times */
};

struct gxc_chunk {
	uint32_t magic; /* GXC_CHUNK */
	uint16_t type;  /* enum gxc_type */
	uint16_t entry_bytes;
	uint64_t size;     /* of the chunk with this header: a multiple of the page size */
	uint64_t capacity; /* entries for which there is room; for strings: bytes */
	/* How many entries to read, from the first one on.  Tables of arcs, stacks and blocks are
	 * hashed: used ones can be anywhere up to the capacity. */
	uint64_t used;
	/*
	 * Of arcs, stacks, blocks and timed calls: number of the thread whose table it is; 0: of
	 * all threads, with what has addresses in objects that are gone.
	 */
	uint32_t thread;
	/* Of the same: number of the phase of the program in which they happened; 0: none. */
	uint32_t phase;
	uint64_t mask;    /* the collector's own */
	uint64_t filled;  /* the collector's own */
	uint32_t is_busy; /* the collector's own */
	uint32_t rest;    /* 0 */
};

/* Calls. */
struct gxc_arc {
	uint64_t site;   /* address after the call; 1: not known */
	uint64_t callee; /* address in the function that was called; 0: not used */
	uint64_t count;
	uint64_t ticks; /* 0 in this version */
};

/*
 * How often code ran up to a call of __sanitizer_cov_trace_pc(), which compilers place at the start
 * of each basic block (-fsanitize-coverage=trace-pc).
 */
struct gxc_block {
	uint64_t address; /* after the call; 0: not used */
	uint64_t count;
};

/*
 * Time between the entry and the exit of functions, without that of functions that they call: a
 * tree, whose paths are the chains of calls in progress.  A call that is in its chain already, by
 * the same caller, is in an entry whose chain has the same functions and the same calls, and the
 * same function as the last: chains do not get longer with recursion.
 */
struct gxc_timed {
	uint64_t function; /* its address; 0: not used */
	uint32_t parent;   /* number of the entry of its caller in this chunk, plus 1; 0: none */
	uint32_t same;     /* the collector's own */
	uint64_t ticks;    /* what passed, without "spent" */
	uint64_t calls;    /* that began here */
	uint64_t made;     /* calls by this function, of those that are measured */
	uint64_t spent;    /* ticks that the collector itself took, at entry and exit */
};

/* Properties of a stack: bits of gxc_stack.flags. */
enum gxc_stack_flag {
	GXC_STACK_CUT = 1,    /* it has more frames than are recorded */
	GXC_STACK_BROKEN = 2, /* the chain of callers ends before the thread's first function */
	GXC_STACK_CFI = 4,    /* it was followed by unwind information */
	GXC_STACK_FREE = 8    /* of an entry whose count is 0: the collector can use it again */
};

/*
 * A frame below another one: a tree, whose paths are the stacks.  Frames but the innermost are
 * addresses after calls.
 */
struct gxc_stack {
	uint64_t pc;      /* 0: not used */
	uint32_t parent;  /* number of the entry of its caller in this chunk, plus 1; 0: none */
	uint32_t flags;   /* enum gxc_stack_flag, of the samples that end here */
	uint64_t count;   /* weight of the samples of which this is the innermost frame */
	uint64_t squares; /* sum of the squares of their weights */
};

/*
 * Objects that are gone have addresses from here on, where no code is: another object can have
 * those that it had.  What was measured in it has the new addresses, too.
 */
#define GXC_KEPT (UINT64_C(1) << 62)

/* Code that was mapped.  No two ranges overlap; an empty one is not used, or not yet. */
struct gxc_object {
	uint64_t low, high; /* its first address, and the one after its last */
	uint64_t bias;      /* what was added to the addresses in the file, modulo 2^64 */
	uint64_t reserved;  /* 0 */
	uint8_t build_id[20];
	uint32_t path; /* offset in the strings: the first chunk's first byte is 0 */
};

struct gxc_thread {
	uint32_t number;     /* from 1 */
	uint32_t tid;        /* the system's */
	uint64_t start, end; /* nanoseconds since 1970; end: 0 while it runs */
	uint64_t cpu_ns;     /* processor time; 0 while it runs */
	char name[16];       /* "": none, or several threads have different ones */
	/*
	 * How many threads had the tables, one after the other: the members above are then the
	 * start of the first, the end and the tid of the last, the sum of the times, and the name
	 * that all of them have.  Not there in files of the first versions.
	 */
	uint32_t threads;
	uint32_t reserved; /* 0 */
};

/* Strings: one after the other, each with a zero byte; offset 0 is the empty one. */

enum gxc_event_kind {
	GXC_EVENT_FORK = 1, /* value: pid of the child */
	GXC_EVENT_EXEC = 2,
	GXC_EVENT_START = 3,
	GXC_EVENT_STOP = 4,
	GXC_EVENT_UNLOAD = 5, /* value: the number of the object, from 1; the first time of each */
	/* value: offset of the phase's name in the strings; 0: what follows is of none.  Only the
	 * first 10000 are noted. */
	GXC_EVENT_MARK = 6
};

struct gxc_event {
	uint64_t time; /* nanoseconds since 1970 */
	uint32_t kind; /* enum gxc_event_kind */
	uint32_t value;
};

/* The most phases that a file distinguishes; the last of so many has what is of any further one. */
#define GXC_MOST_PHASES 64
#define GXC_OTHER_PHASES "other-phases"

/* A part of the run that the program gave a name. */
struct gxc_phase {
	uint32_t number; /* from 1; 0: not used, or not yet */
	uint32_t marks;  /* how often it began */
	uint64_t start;  /* the first time; nanoseconds since 1970 */
	uint64_t rest;   /* 0 */
	char name[64];   /* ends with a zero byte */
};

/*
 * Walking through the chunks of a file, of either byte order and of any content.  Nothing is
 * copied; the bytes have to stay where they are.
 */
struct gxc_walk {
	const uint8_t *bytes;
	uint64_t length;
	uint64_t at; /* offset of the next chunk; of a bad one after gxc_next() has found it */
	uint32_t page_bytes;
	bool is_swapped; /* its byte order is not that of this machine */
};

/* What the header of a chunk says. */
struct gxc_view {
	uint64_t at;    /* offset of its first entry */
	uint64_t count; /* entries to look at: all are in the file; 0 for types that are unknown */
	uint32_t type,
		entry_bytes; /* entries have at least the members above, if the type is known */
	uint32_t thread, phase;
};

/* Numbers at an offset that is known to be in the file. */
static inline uint16_t
gxc_u16(const struct gxc_walk *walk, uint64_t offset)
{
	uint16_t value;

	memcpy(&value, walk->bytes + offset, sizeof value);
	return walk->is_swapped ? __builtin_bswap16(value) : value;
}

static inline uint32_t
gxc_u32(const struct gxc_walk *walk, uint64_t offset)
{
	uint32_t value;

	memcpy(&value, walk->bytes + offset, sizeof value);
	return walk->is_swapped ? __builtin_bswap32(value) : value;
}

static inline uint64_t
gxc_u64(const struct gxc_walk *walk, uint64_t offset)
{
	uint64_t value;

	memcpy(&value, walk->bytes + offset, sizeof value);
	return walk->is_swapped ? __builtin_bswap64(value) : value;
}

/* What is wrong with a header. */
enum gxc_problem {
	GXC_FINE = 0,
	GXC_SHORT_HEADER,
	GXC_BAD_MAGIC,
	GXC_BAD_ORDER,
	GXC_BAD_VERSION,
	GXC_BAD_PAGE
};

/* Begins a walk. */
static inline enum gxc_problem
gxc_begin(struct gxc_walk *walk, const uint8_t *bytes, uint64_t length)
{
	uint32_t order, page;

	walk->bytes = bytes;
	walk->length = length;
	walk->is_swapped = false;
	if (length < 8 || memcmp(bytes, GXC_MAGIC, 8) != 0)
		return GXC_BAD_MAGIC;
	if (length < sizeof(struct gxc_header))
		return GXC_SHORT_HEADER;
	order = gxc_u32(walk, offsetof(struct gxc_header, order));
	if (order != GXC_ORDER && order != __builtin_bswap32(GXC_ORDER))
		return GXC_BAD_ORDER;
	walk->is_swapped = order != GXC_ORDER;
	if (gxc_u32(walk, offsetof(struct gxc_header, version)) != GXC_VERSION)
		return GXC_BAD_VERSION;
	page = gxc_u32(walk, offsetof(struct gxc_header, page_bytes));
	if (page < 4096 || page > 1 << 20 || (page & (page - 1)) != 0)
		return GXC_BAD_PAGE;
	walk->page_bytes = page;
	walk->at = page;
	return GXC_FINE;
}

/* The least size of an entry of a type; 0: the type is unknown. */
static inline uint32_t
gxc_entry_bytes(uint32_t type)
{
	switch (type) {
	case GXC_ARCS:
		return sizeof(struct gxc_arc);
	case GXC_STACKS:
	case GXC_WAITS:
		return sizeof(struct gxc_stack);
	case GXC_OBJECTS:
		return sizeof(struct gxc_object);
	case GXC_THREADS:
		return offsetof(struct gxc_thread, threads);
	case GXC_STRINGS:
		return 1;
	case GXC_BLOCKS:
		return sizeof(struct gxc_block);
	case GXC_TIMED:
		return sizeof(struct gxc_timed);
	case GXC_EVENTS:
		return sizeof(struct gxc_event);
	case GXC_PHASES:
		return sizeof(struct gxc_phase);
	default:
		return 0;
	}
}

/* The next chunk: 1; 0: the file ends; -1: it is damaged from walk->at on. */
static inline int
gxc_next(struct gxc_walk *walk, struct gxc_view *view)
{
	uint64_t at, size, used;
	uint32_t least;

	/* Where a chunk could not be made there are zeros. */
	for (at = walk->at; at <= walk->length; at += walk->page_bytes) {
		if (walk->length - at < sizeof(struct gxc_chunk))
			return 0;
		if (gxc_u64(walk, at) != 0)
			break;
	}
	walk->at = at;
	if (at > walk->length)
		return 0;
	size = gxc_u64(walk, at + offsetof(struct gxc_chunk, size));
	used = gxc_u64(walk, at + offsetof(struct gxc_chunk, used));
	view->type = gxc_u16(walk, at + offsetof(struct gxc_chunk, type));
	view->entry_bytes = gxc_u16(walk, at + offsetof(struct gxc_chunk, entry_bytes));
	view->thread = gxc_u32(walk, at + offsetof(struct gxc_chunk, thread));
	view->phase = gxc_u32(walk, at + offsetof(struct gxc_chunk, phase));
	view->at = at + sizeof(struct gxc_chunk);
	view->count = 0;
	least = gxc_entry_bytes(view->type);
	if (gxc_u32(walk, at) != GXC_CHUNK || size < sizeof(struct gxc_chunk) ||
	    (size & (walk->page_bytes - 1)) != 0 || size > walk->length - at ||
	    (least > 0 && view->entry_bytes < least))
		return -1;
	if (least > 0 && view->entry_bytes > 0)
		view->count = (size - sizeof(struct gxc_chunk)) / view->entry_bytes;
	if (view->count > used)
		view->count = used;
	walk->at = at + size;
	return 1;
}

#ifdef __cplusplus
}
#endif

#endif
