/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Counts of calls.  Only the thread itself, and handlers of signals in it, use its table.
 *
 * A slot is taken by writing the callee, in one step, and then the site.  A handler that comes
 * between the two does not recognize it and takes another slot for the same pair: readers add.
 */
#include "collect.h"
#include "hash.h"
#include "sys.h"
#include "tables.h"

enum { LONG_SEARCH = 8 };

_Static_assert(sizeof(struct gxc_arc) == 2u << TABLE_MASK_BITS, "mcount counts on it");

/* A table in which nothing is ever found, and into which nothing is written. */
static struct {
	struct gxc_chunk chunk;
	struct gxc_arc slots[4]; /* mcount looks at so many */
} nothing __attribute__((aligned(64)));

static struct thread nobody = {.timer = -1, .event = -1};

__thread struct thread *collect_self __attribute__((tls_model("initial-exec"))) = &nobody;

/*
 * Where mcount looks: the table of collect_self, or an older one of it, or one without room.  What
 * changes the thread or its table changes this last, and the next call that mcount does not find
 * corrects what a handler did between the two.
 */
__thread struct gxc_arc *collect_arcs __attribute__((tls_model("initial-exec"))) = nothing.slots;

void
arcs_leave(struct thread *thread)
{
	__atomic_store_n(&thread->of_phases, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&thread->tables.arcs, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&thread->tables.blocks, NULL, __ATOMIC_RELAXED);
}

/*
 * Code of the same thread, a handler, must not see this before what came before.  A thread that
 * begins a phase writes here, too, after it changed the phase: who looks at the phase after this
 * sees the new one, or what that thread writes comes later.
 */
void
arcs_look_in(struct gxc_arc *arcs)
{
	if (!arcs)
		arcs = nothing.slots;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&collect_arcs, __ATOMIC_RELAXED) != arcs)
		__atomic_store_n(&collect_arcs, arcs, __ATOMIC_SEQ_CST);
}

struct gxc_arc *
arcs_none(void)
{
	return nothing.slots;
}

/* The first slot where a pair can be, as in mcount. */
static uint64_t
place_of(const struct gxc_chunk *chunk, uint64_t site, uint64_t callee)
{
	return table_place(chunk, COLLECT_SITE_FACTOR * site + COLLECT_CALLEE_FACTOR * callee);
}

/* Writes a slot's callee if nobody has; only code of one thread competes. */
static bool
take(struct gxc_arc *slot, uint64_t callee)
{
	uint64_t none = 0;

	return __atomic_compare_exchange_n(&slot->callee, &none, callee, false, __ATOMIC_RELAXED,
	                                   __ATOMIC_RELAXED);
}

/* Counts a call in a table if it has the pair, or room for it. */
static bool
count_in(struct gxc_arc *arcs, uint64_t site, uint64_t callee)
{
	struct gxc_chunk *chunk = table_of(arcs);
	uint64_t at = place_of(chunk, site, callee);

	for (uint64_t i = 0; i <= COLLECT_SPARE; i++) {
		struct gxc_arc *slot = &arcs[at + i];

		if (slot->callee == callee && slot->site == site) {
			machine_increment(&slot->count);
			return true;
		}
		if (slot->callee != 0)
			continue;
		if (i >= LONG_SEARCH && chunk->filled * TABLE_CROWDED > chunk->capacity)
			return false;
		if (!take(slot, callee))
			continue;
		__atomic_store_n(&slot->site, site, __ATOMIC_RELAXED);
		machine_increment(&slot->count);
		chunk->filled++;
		/* Where code was loaded meanwhile, it is noted while it is there. */
		objects_meet(callee, true);
		objects_meet(site, true);
		return true;
	}
	return false;
}

/* Puts a table in front that is larger than the one so far. */
static bool
grow(struct tables *tables, uint32_t thread, uint32_t phase)
{
	struct gxc_chunk *chunk = table_larger(GXC_ARCS, tables->arcs, thread, phase);

	if (!chunk)
		return false;
	__atomic_store_n(&tables->arcs, (struct gxc_arc *)chunk_entries(chunk), __ATOMIC_RELEASE);
	return true;
}

/* Looks at slots beyond those of a search: where there is no memory, it is the only way left. */
static bool
count_anywhere(struct gxc_arc *arcs, uint64_t site, uint64_t callee)
{
	for (uint64_t i = 0; arcs && i < table_of(arcs)->capacity; i++)
		if (arcs[i].callee == callee && arcs[i].site == site) {
			machine_increment(&arcs[i].count);
			return true;
		}
	return false;
}

/* Counts in the tables that there are, or that the call is lost. */
static void
count_or_lose(struct tables *tables, uint64_t site, uint64_t callee)
{
	if (!tables || !tables->arcs ||
	    !(count_in(tables->arcs, site, callee) || count_anywhere(tables->arcs, site, callee)))
		__atomic_fetch_add(&collect.header->lost_calls, 1, __ATOMIC_RELAXED);
}

/* Without system calls. */
static void
count_quietly(uint64_t site, uint64_t callee)
{
	uint32_t phase;

	count_or_lose(tables_of_self(&phase), site, callee);
}

void
arcs_make_room(void)
{
	uint32_t phase;
	struct tables *tables = tables_of_self(&phase);

	if (tables)
		(void)grow(tables, collect_self->number, phase);
}

/* Phases can begin, and handlers count, while a table is made. */
static void
count_of(struct thread *thread, uint64_t site, uint64_t callee)
{
	struct tables *tables = NULL;

	for (int tries = 0; tries < TABLE_TRIES; tries++) {
		uint32_t phase;

		tables = tables_follow(thread, &phase);
		if (tables && tables->arcs && count_in(tables->arcs, site, callee))
			return;
		if (!tables || !grow(tables, thread->number, phase))
			break;
	}
	/* Where phases begin faster than their tables are made, the call was in the last one, too.
	 */
	count_or_lose(tables, site, callee);
}

struct thread *
collect_counting(uint64_t site, uint64_t callee)
{
	if (collect.is_off)
		return NULL;
	if (collect.begun == 2)
		collect_notice_copy();
	if (__atomic_load_n(&collect.closing, __ATOMIC_ACQUIRE) != 0)
		objects_check(site, callee);
	return collect_self == &nobody ? thread_register(false) : collect_self;
}

void
collect_count(uint64_t site, uint64_t callee)
{
	struct thread *thread;

	/* What a site is of is not known; 0 would look like a slot that is being written. */
	if (site == 0)
		site = 1;
	if (callee == 0)
		return;
	if (collect_keeps_quiet()) {
		count_quietly(site, callee);
		return;
	}
	thread = collect_counting(site, callee);
	if (!thread)
		return;
	/* What is here most of the time: mcount looks in the right table, but not far enough. */
	if (collect_arcs == thread->tables.arcs && phases_now() == 0 &&
	    count_in(thread->tables.arcs, site, callee))
		return;
	count_of(thread, site, callee);
}

/* Calls from and to objects that are gone, by phase; one thread at a time uses these tables. */
static struct gxc_chunk *kept[COLLECT_PHASES + 1];

/* The slot of a pair, or one that is free; NULL: no room. */
static struct gxc_arc *
find_kept(struct gxc_chunk *chunk, uint64_t site, uint64_t callee)
{
	struct gxc_arc *slots;
	uint64_t at;

	if (!chunk)
		return NULL;
	slots = chunk_entries(chunk);
	at = place_of(chunk, site, callee);
	for (uint64_t i = at; i <= at + COLLECT_SPARE; i++)
		if (slots[i].callee == 0 || (slots[i].callee == callee && slots[i].site == site))
			return &slots[i];
	return NULL;
}

static void
keep(struct gxc_arc *slot, uint64_t site, uint64_t callee, uint32_t phase)
{
	struct gxc_chunk **in = &kept[phase];
	struct gxc_arc *to = find_kept(*in, site, callee);

	if (!to) {
		table_keep_larger(in, GXC_ARCS, phase);
		to = find_kept(*in, site, callee);
	}
	if (!to) {
		__atomic_fetch_add(&collect.header->lost_calls, slot->count, __ATOMIC_RELAXED);
	} else {
		to->site = site;
		to->callee = callee;
		to->count += slot->count;
	}
	/* A search ends here now, so what is behind can get a second slot. */
	slot->count = 0;
	slot->site = 0;
	__atomic_store_n(&slot->callee, 0, __ATOMIC_RELEASE);
}

bool
arcs_put_away(const struct gone *gone)
{
	bool has_any = false;

	for (const struct chunk_list *list = chunks_all(); list; list = list->next) {
		struct gxc_arc *slots = chunk_entries(list->chunk);

		if (list->chunk->type != GXC_ARCS)
			continue;
		for (uint64_t i = 0; i < list->chunk->capacity; i++) {
			bool is_callee = slots[i].callee - gone->low < gone->bytes;
			bool is_site = slots[i].site - gone->low < gone->bytes;

			if (slots[i].count == 0 || !(is_callee || is_site))
				continue;
			keep(&slots[i], slots[i].site + (is_site ? gone->distance : 0),
			     slots[i].callee + (is_callee ? gone->distance : 0),
			     list->chunk->phase);
			has_any = true;
		}
	}
	return has_any;
}

void
arcs_forget(void)
{
	for (uint32_t phase = 0; phase <= COLLECT_PHASES; phase++)
		kept[phase] = NULL;
}

void
arcs_slow(uint64_t site, uint64_t callee)
{
	collect_count(site, callee);
}

void
collect_forget_self(void)
{
	collect_self = &nobody;
	arcs_look_in(NULL);
	blocks_look_in(NULL);
}

bool
collect_is_nobody(const struct thread *thread)
{
	return thread == &nobody;
}
