/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The clock of times at entry and exit, and what these times contain of the collector itself.
 *
 * At entry and at exit the clock is read twice: what the collector does in between is not counted
 * for the program.  What remains is the way from the function to the first reading and back from
 * the second one.  It is measured here, with calls of a function that does nothing else.
 */
#include "exact.h"

#include <fcntl.h>

#include "collect.h"
#include "sys.h"

enum { PART = 1024 }; /* of a tick */

/* What it is measured with, and the least number of ticks that a round took so far. */
static struct exact *measuring;
static uint64_t least_took = UINT64_MAX;

/* Calls the collector as programs do, from a function that does nothing else. */
static void (*call_empty)(uint32_t count);

/* Whether the system has found the counter unfit: those of the processors differ, for instance. */
static bool
is_distrusted(void)
{
	static const char *const unfit[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies"};
	char name[32];
	long file = SYS4(openat, AT_FDCWD,
	                 "/sys/devices/system/clocksource/clocksource0/current_clocksource",
	                 O_RDONLY | O_CLOEXEC, 0),
	     length;

	if (file < 0)
		return false;
	length = SYS3(read, file, name, sizeof name);
	SYS1(close, file);
	for (size_t i = 0; i < sizeof unfit / sizeof unfit[0]; i++) {
		long at = 0;

		while (at < length && unfit[i][at] != '\0' && unfit[i][at] == name[at])
			at++;
		if (unfit[i][at] == '\0' && at < length && name[at] == '\n')
			return true;
	}
	return false;
}

void
exact_clock_choose(void (*caller)(uint32_t count))
{
	call_empty = caller;
	exact.kind = machine_has_ticks() && !is_distrusted() ? GXC_TIMES_COUNTER : GXC_TIMES_SYSTEM;
}

/* One moment by both clocks: of several tries, the one that took least. */
static void
note_moment(uint64_t *tick, uint64_t *ns)
{
	enum { TRIES = 8 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = exact_ticks();
		uint64_t now = sys_nanoseconds(CLOCK_MONOTONIC);
		uint64_t took = exact_ticks() - before;

		if (took >= least)
			continue;
		least = took;
		*tick = before + took / 2;
		*ns = now;
	}
}

void
exact_clock_note(void)
{
	uint64_t tick = 0, ns = 0;

	if (!exact.is_on)
		return;
	note_moment(&tick, &ns);
	collect.header->last_tick = tick;
	collect.header->last_ns = ns;
}

/* A tree with two entries: these calls are not to be in the file. */
static struct exact *
make_scratch(void)
{
	enum { ENTRIES = 4, EDGES = 16 };
	struct exact *scratch = chunks_private(sizeof *scratch);
	struct exact_tree *tree = chunks_private(sizeof *tree);

	if (!scratch || !tree)
		return NULL;
	tree->chunk = chunks_private(sizeof *tree->chunk + ENTRIES * sizeof *tree->entries);
	tree->edges = chunks_private(EDGES * sizeof *tree->edges);
	scratch->calls = chunks_private(ENTRIES * sizeof *scratch->calls);
	if (!tree->chunk || !tree->edges || !scratch->calls)
		return NULL;
	tree->entries = chunk_entries(tree->chunk);
	tree->room = ENTRIES;
	tree->edge_mask = EDGES - 1;
	scratch->room = ENTRIES;
	scratch->phase = phases_now();
	scratch->tree = tree;
	scratch->is_scratch = true;
	return scratch;
}

/* One round: so many calls, in a call of another function, so that there is one to count for. */
static void
measure_round(struct exact *scratch, uint32_t calls)
{
	struct gxc_timed *outer = &scratch->tree->entries[0], *inner = outer + 1;
	uint64_t before, took, spent = inner->spent, inside = inner->ticks, outside;

	exact_enter((uint64_t)(uintptr_t)exact_clock_measure, 1, 1, UINT64_MAX, 0);
	spent += outer->spent;
	before = exact_ticks();
	call_empty(calls);
	took = exact_ticks() - before;
	scratch->depth = 0;
	inside = inner->ticks - inside;
	spent = inner->spent + outer->spent - spent;
	outside = took > inside + spent ? took - inside - spent : 0;
	if (inside + outside >= least_took)
		return;
	least_took = inside + outside;
	exact.inside = inside * PART / calls;
	exact.outside = outside * PART / calls;
}

/*
 * The least of all rounds: the others were interrupted, ran on a cold cache, or while the other
 * half of a processor was busy.  What is too much would be taken off the program's own time.
 * Rounds are short, so that some fall between what else the machine does.
 */
static void
measure(struct thread *thread, uint64_t until, uint32_t rounds)
{
	enum { LEAST_ROUNDS = 4, CALLS = 40 };
	struct exact *own = thread->exact;

	if (!measuring)
		measuring = make_scratch();
	if (!measuring)
		return;
	thread->exact = measuring;
	for (uint32_t i = 0; i < rounds; i++) {
		measure_round(measuring, CALLS);
		if (i >= LEAST_ROUNDS && sys_nanoseconds(CLOCK_MONOTONIC) > until)
			break;
	}
	thread->exact = own;
}

void
exact_clock_measure(struct thread *thread)
{
	const uint64_t LONG = 3000000; /* nanoseconds, in which both clocks are compared */
	uint64_t tick = 0, ns = 0;

	note_moment(&tick, &ns);
	collect.header->first_tick = tick;
	collect.header->first_ns = ns;
	if (thread)
		measure(thread, ns + LONG, UINT32_MAX);
	while (sys_nanoseconds(CLOCK_MONOTONIC) < ns + LONG) {
	}
	exact_clock_note();
}

void
exact_clock_end(void)
{
	enum { ROUNDS = 100 };
	const uint64_t LONG = 2000000;
	uint64_t signals;

	if (!exact.is_on)
		return;
	exact_clock_note();
	if (collect_is_nobody(collect_self))
		return;
	/* A handler would see calls that are none of the program's. */
	sample_block_all(&signals);
	measure(collect_self, sys_nanoseconds(CLOCK_MONOTONIC) + LONG, ROUNDS);
	exact_skip(collect_self);
	sample_unblock(&signals);
	collect.header->cost_inside = exact.inside;
	collect.header->cost_outside = exact.outside;
}
