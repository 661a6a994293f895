/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Phases of the program.  Each thread has tables for each phase that it counted or sampled in, and
 * takes them again if the phase returns.
 *
 * Who begins a phase changes the number of the process, and then empties what mcount looks at in
 * the other threads: the next call of each takes the slow way, which finds the tables of the phase.
 * Calls that are being counted meanwhile go to the tables of the phase before, which stay valid.
 * Threads whose end nobody reports get a signal instead: their memory can vanish at any time.
 */
#include "collect.h"

#include "sys.h"
#include "tables.h"

enum { MOST_EVENTS = 10000 };

_Static_assert(COLLECT_PHASES == 64, "a message says so");

static struct phase {
	char name[sizeof((struct gxc_phase *)NULL)->name];
	uint32_t text; /* its offset in the strings */
} phases[COLLECT_PHASES];
static uint32_t phase_count, mark_count;
static struct gxc_chunk *rows;

/* Of a child of fork, whose file has no phases yet: the name of the one that it is in; and whether
 * the program had any. */
static char inherited[sizeof phases[0].name];
static bool has_any;

static uint32_t is_marking; /* changed atomically: one thread at a time is at it */
static uint32_t is_walking; /* through the threads */

static void
copy(char *to, const char *name)
{
	for (size_t i = 0; i < sizeof phases[0].name; i++) {
		to[i] = *name;
		name += *name != '\0';
	}
	to[sizeof phases[0].name - 1] = '\0';
}

static bool
is_same(const char *a, const char *b)
{
	while (*a == *b && *a != '\0') {
		a++;
		b++;
	}
	return *a == *b;
}

/* The number of a phase with this name, which gets one if it has none; 0: no memory. */
static uint32_t
number_of(const char *name)
{
	struct gxc_phase *row;

	for (uint32_t i = 0; i < phase_count; i++)
		if (is_same(phases[i].name, name))
			return i + 1;
	if (phase_count == COLLECT_PHASES)
		return COLLECT_PHASES;
	if (phase_count == COLLECT_PHASES - 1) {
		name = GXC_OTHER_PHASES;
		SAY("the program has more than 63 phases: the others are counted together, as "
		    "phase " GXC_OTHER_PHASES);
	}
	if (!rows)
		rows = chunk_make(GXC_PHASES, sizeof *row, COLLECT_PHASES, 0);
	if (!rows) {
		SAY("no memory for phases: what follows is measured as of no phase");
		return 0;
	}
	copy(phases[phase_count].name, name);
	phases[phase_count].text = chunks_text(phases[phase_count].name);
	row = (struct gxc_phase *)chunk_entries(rows) + phase_count;
	copy(row->name, name);
	row->start = sys_nanoseconds(CLOCK_REALTIME);
	row->number = ++phase_count;
	__atomic_store_n(&rows->used, phase_count, __ATOMIC_RELEASE);
	return phase_count;
}

/* All threads look up their tables at their next call. */
static void
tell_threads(void)
{
	__atomic_store_n(&is_walking, 1, __ATOMIC_SEQ_CST);
	for (struct thread *thread = __atomic_load_n(&collect.threads, __ATOMIC_ACQUIRE); thread;
	     thread = thread->next) {
		struct gxc_arc **looks = __atomic_load_n(&thread->looks, __ATOMIC_SEQ_CST);

		if (looks) {
			__atomic_store_n(looks, arcs_none(), __ATOMIC_SEQ_CST);
			__atomic_store_n(thread->looks_at_blocks, blocks_none(), __ATOMIC_SEQ_CST);
		} else if (__atomic_load_n(&thread->is_used, __ATOMIC_ACQUIRE) != 0 &&
		           !thread->is_waited_for) {
			sample_notify(thread);
		}
	}
	__atomic_store_n(&is_walking, 0, __ATOMIC_SEQ_CST);
}

/* Notes that a phase begins; nothing else does so at the same time. */
static void
enter(const char *name)
{
	uint32_t number = name[0] != '\0' ? number_of(name) : 0;

	if (number != 0)
		((struct gxc_phase *)chunk_entries(rows))[number - 1].marks++;
	if (mark_count++ < MOST_EVENTS)
		event_note(GXC_EVENT_MARK, number != 0 ? phases[number - 1].text : 0);
	if (number == collect.phase)
		return;
	__atomic_store_n(&collect.phase, number, __ATOMIC_SEQ_CST);
	exact_mark(number);
	tell_threads();
}

void
phases_mark(const char *name)
{
	char kept[sizeof inherited];
	uint64_t signals;

	copy(kept, name ? name : "");
	/* A handler that began a phase would wait for ever. */
	sample_block_all(&signals);
	while (__atomic_exchange_n(&is_marking, 1, __ATOMIC_ACQUIRE) != 0)
		SYS0(sched_yield);
	enter(kept);
	__atomic_store_n(&is_marking, 0, __ATOMIC_RELEASE);
	sample_unblock(&signals);
}

struct tables *
phases_make_tables(struct thread *thread, uint32_t phase)
{
	struct tables *all = __atomic_load_n(&thread->of_phases, __ATOMIC_ACQUIRE), *none = NULL;

	if (!all && collect.is_quiet)
		return NULL;
	if (!all) {
		all = chunks_private(COLLECT_PHASES * sizeof *all);
		if (!all)
			return NULL;
		/* A handler can have been faster. */
		if (!__atomic_compare_exchange_n(&thread->of_phases, &none, all, false,
		                                 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			all = none;
	}
	return &all[phase - 1];
}

void
phases_follow(void)
{
	uint32_t phase = phases_now();

	if (table_of(__atomic_load_n(&collect_arcs, __ATOMIC_RELAXED))->phase != phase)
		arcs_look_in(NULL);
	if (table_of(__atomic_load_n(&collect_blocks, __ATOMIC_RELAXED))->phase != phase)
		blocks_look_in(NULL);
}

void
phases_leave(struct thread *thread)
{
	__atomic_store_n(&thread->looks, NULL, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&is_walking, __ATOMIC_SEQ_CST) != 0)
		SYS0(sched_yield);
}

void
phases_begin(void)
{
	if (inherited[0] != '\0')
		enter(inherited);
	/* What this process does is of no phase, which is not the same as not known. */
	else if (has_any)
		rows = chunk_make(GXC_PHASES, sizeof(struct gxc_phase), COLLECT_PHASES, 0);
}

void
phases_forget(void)
{
	has_any = has_any || phase_count > 0;
	copy(inherited, collect.phase != 0 ? phases[collect.phase - 1].name : "");
	collect.phase = 0;
	phase_count = 0;
	mark_count = 0;
	rows = NULL;
	is_marking = 0;
	is_walking = 0;
}
