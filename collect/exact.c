/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Times by a clock at the entry and the exit of functions.  Each thread has the list of its calls
 * in progress; at each entry and exit, the time since the one before it is added to the function
 * that is the last of the list.  So whatever ends the process, the file lacks only what passed
 * since the last entry or exit of each thread.
 *
 * Exits can be missing: longjmp, and exceptions in some functions, leave calls without them.  A
 * call is over when another one's frame ends where its own did, or above, which the next entry or
 * exit shows: stacks grow to lower addresses.  Functions that are inlined into one have the same
 * frame.  The place in the code says then whether the same was there before, and is over.
 *
 * A handler of signals that interrupts the code here is not measured by itself: it would see the
 * list half done.  If it leaves by a jump, the stack pointer shows that, too.
 */
#include "exact.h"

enum { FIRST_CALLS = 128, MOST_CALLS = 1 << 24, MARKS = 1024 };

struct exact_process exact;

/* When phases began, the last ones of them. */
static struct mark {
	uint64_t tick;
	uint32_t phase;
} marks[MARKS];
static uint32_t mark_count;

/* Of a child of fork: what its thread was in. */
static struct exact *inherited;

static void
add_to_header(uint64_t *number, uint64_t count)
{
	if (count != 0)
		__atomic_fetch_add(number, count, __ATOMIC_RELAXED);
}

/* The entry that time is added to; NULL: none. */
static struct gxc_timed *
current(const struct exact *own)
{
	uint32_t depth = own->depth, entry = depth != 0 ? own->calls[depth - 1].entry : 0;
	const struct exact_tree *tree = own->tree;

	/* At the end of the process, another thread can look while this one changes it. */
	return entry != 0 && entry <= tree->room ? &tree->entries[entry - 1] : NULL;
}

/* Adds up the time until a moment. */
static void
add_time(struct exact *own, uint64_t tick)
{
	struct gxc_timed *entry = current(own);

	/* Clocks of processors can differ by a little. */
	if (tick <= own->last)
		return;
	if (entry)
		entry->ticks += tick - own->last;
	own->last = tick;
}

/* Finds the entries of all calls in progress in a tree that has none of them. */
static bool
find_all(struct exact *own, struct thread *thread)
{
	bool has_grown;
	uint32_t from = 0;

	for (uint32_t i = 0; i < own->depth; i++) {
		uint32_t to = exact_child(own->tree, thread, own->phase, from,
		                          own->calls[i].function, &has_grown);

		if (has_grown)
			return false;
		/* Without memory for it, time is that of its caller. */
		own->calls[i].entry = from = to != 0 ? to : from;
	}
	return true;
}

/* Goes on in the tree of a phase. */
static void
change_tree(struct exact *own, struct thread *thread, uint32_t phase)
{
	enum { TRIES = 16 };
	struct exact_tree *tree = own->trees[phase];

	if (!tree && !collect.is_quiet)
		tree = own->trees[phase] = chunks_private(sizeof *tree);
	if (!tree)
		return;
	if (tree->unloads != exact.unloads) {
		tree->unloads = exact.unloads;
		exact_tree_renew(tree);
	}
	own->phase = phase;
	own->tree = tree;
	for (int i = 0; i < TRIES && !find_all(own, thread); i++) {
	}
}

/* Phases have begun, or objects are gone. */
static void
follow(struct exact *own, struct thread *thread, uint64_t now)
{
	uint32_t changes = __atomic_load_n(&exact.changes, __ATOMIC_ACQUIRE);
	uint32_t count = __atomic_load_n(&mark_count, __ATOMIC_ACQUIRE);

	if (count - own->marks > MARKS)
		own->marks = count - MARKS;
	for (; own->marks != count; own->marks++) {
		const struct mark *mark = &marks[own->marks % MARKS];

		if (mark->tick > now)
			return;
		add_time(own, mark->tick);
		change_tree(own, thread, mark->phase);
	}
	change_tree(own, thread, own->phase);
	own->changes = changes;
}

/* What a thread has when it begins; NULL: no memory. */
static struct exact *
begin(struct thread *thread)
{
	struct exact *own = collect.is_quiet ? NULL : chunks_private(sizeof *own);

	if (!own)
		return NULL;
	own->marks = mark_count;
	if (inherited && thread->tid == collect.pid) {
		own->calls = inherited->calls;
		own->room = inherited->room;
		own->depth = inherited->depth;
		own->deeper = inherited->deeper;
		own->deeper_stack = inherited->deeper_stack;
		inherited = NULL;
	}
	own->last = exact_ticks();
	change_tree(own, thread, phases_now());
	own->changes = exact.changes;
	thread->exact = own;
	return own->tree ? own : NULL;
}

/*
 * What the running thread has, if this call is to be measured; from then on, handlers of signals
 * leave it alone.
 */
static struct exact *
take(uint64_t stack, bool is_entry, uint64_t now)
{
	struct thread *thread = collect_self;
	struct exact *own = thread->exact;

	if (!own) {
		if (collect_is_nobody(thread) || !is_entry)
			return NULL;
		own = begin(thread);
		if (!own)
			return NULL;
	}
	if (thread->stack_high != 0 && (stack < thread->stack_low || stack > thread->stack_high) &&
	    !own->is_scratch) {
		add_to_header(&collect.header->other_stacks, is_entry);
		return NULL;
	}
	if (own->busy != 0 && stack < own->busy) {
		add_to_header(&collect.header->untimed, is_entry);
		return NULL;
	}
	own->busy = stack;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (own->changes != __atomic_load_n(&exact.changes, __ATOMIC_RELAXED) && !own->is_scratch)
		follow(own, thread, now);
	add_time(own, now);
	return own;
}

/* What passed since the last moment is the collector's. */
static void
skip(struct exact *own)
{
	struct gxc_timed *entry = current(own);
	uint64_t now = exact_ticks();

	if (now <= own->last)
		return;
	if (entry)
		entry->spent += now - own->last;
	own->last = now;
}

static void
give_back(struct exact *own)
{
	skip(own);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	own->busy = 0;
}

/* Takes calls from the list, of which some have ended without an exit. */
static void
cut(struct exact *own, uint32_t depth, uint32_t exits)
{
	add_to_header(&collect.header->unwound, own->depth - depth - exits);
	own->depth = depth;
}

/* Whether both are in one frame: one function is inlined into the other, or into the same one. */
static bool
is_same_frame(const struct exact_call *a, const struct exact_call *b)
{
	return a->frame == b->frame && a->stack == b->stack && a->site == b->site;
}

/* How many calls are left when another one begins. */
static uint32_t
left_at_entry(const struct exact *own, const struct exact_call *call)
{
	uint32_t depth = own->depth, same;

	while (depth > 0 && own->calls[depth - 1].frame <= call->frame &&
	       !is_same_frame(&own->calls[depth - 1], call))
		depth--;
	for (same = depth; same > 0 && is_same_frame(&own->calls[same - 1], call); same--)
		if (own->calls[same - 1].place == call->place)
			return same - 1;
	return depth;
}

/* Room for one call more. */
static bool
make_room(struct exact *own)
{
	struct exact_call *larger;
	uint32_t room = own->room != 0 ? own->room * 2 : FIRST_CALLS;

	if (own->depth < own->room)
		return true;
	if (room > MOST_CALLS || collect.is_quiet)
		return false;
	larger = chunks_private(room * sizeof *larger);
	if (!larger)
		return false;
	for (uint32_t i = 0; i < own->depth; i++)
		larger[i] = own->calls[i];
	/* Others can be about to look at the old one, which is small in comparison. */
	__atomic_store_n(&own->calls, larger, __ATOMIC_RELEASE);
	own->room = room;
	return true;
}

/* Whether this is in a call that is not in the list, since that is full. */
static bool
is_deeper(struct exact *own, uint64_t stack, bool is_entry)
{
	if (own->deeper == 0)
		return false;
	if (stack > own->deeper_stack) {
		own->deeper = 0;
		return false;
	}
	if (is_entry)
		own->deeper++;
	else
		own->deeper--;
	return true;
}

/* The entry of a function that is called now. */
static uint32_t
entry_of(struct exact *own, struct thread *thread, uint64_t function)
{
	enum { TRIES = 16 };
	uint32_t from = own->depth != 0 ? own->calls[own->depth - 1].entry : 0, to = 0;
	bool has_grown;

	for (int i = 0; i < TRIES; i++) {
		to = exact_child(own->tree, thread, own->phase, from, function, &has_grown);
		if (!has_grown)
			break;
		(void)find_all(own, thread);
		from = own->depth != 0 ? own->calls[own->depth - 1].entry : 0;
	}
	if (to == 0)
		add_to_header(&collect.header->untimed, 1);
	return to != 0 ? to : from;
}

static void
begin_call(struct exact *own, struct exact_call *call, uint64_t pointer)
{
	struct gxc_timed *caller;

	call->frame = exact_frame_end(own, collect_self, call, pointer);
	cut(own, left_at_entry(own, call), 0);
	if (is_deeper(own, call->stack, true))
		return;
	if (!make_room(own)) {
		own->deeper = 1;
		own->deeper_stack = call->stack;
		add_to_header(&collect.header->untimed, 1);
		return;
	}
	call->entry = entry_of(own, collect_self, call->function);
	caller = current(own);
	own->calls[own->depth] = *call;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	own->depth++;
	if (call->entry != 0)
		own->tree->entries[call->entry - 1].calls++;
	if (caller)
		caller->made++;
}

void
exact_enter(uint64_t function, uint64_t site, uint64_t place, uint64_t stack, uint64_t pointer)
{
	struct exact_call call = {.function = function,
	                          .site = site,
	                          .place = place,
	                          .stack = stack};
	uint64_t begun = exact_ticks();
	struct exact *own;

	if (!collect_self->exact || !collect_self->exact->is_scratch)
		collect_count(site, function);
	own = exact.is_on && !collect.is_off ? take(stack, true, begun) : NULL;
	if (!own)
		return;
	begin_call(own, &call, pointer);
	give_back(own);
}

static void
end_call(struct exact *own, uint64_t function, bool has_left, uint64_t stack)
{
	uint32_t depth = own->depth, found;

	if (is_deeper(own, stack, false))
		return;
	while (depth > 0 && own->calls[depth - 1].stack < stack)
		depth--;
	/* With the function's frame gone already, it is the outermost one that was below. */
	if (has_left) {
		if (depth < own->depth && own->calls[depth].function == function)
			cut(own, depth, 1);
		else
			add_to_header(&collect.header->unmatched, 1);
		return;
	}
	for (found = depth; found > 0; found--)
		if (own->calls[found - 1].function == function)
			break;
	if (found == 0)
		add_to_header(&collect.header->unmatched, 1);
	else
		cut(own, found - 1, 1);
}

void
exact_exit(uint64_t function, uint64_t site, uint64_t place, uint64_t stack)
{
	uint64_t begun = exact_ticks();
	struct exact *own = exact.is_on && !collect.is_off ? take(stack, false, begun) : NULL;

	if (!own)
		return;
	/* A call of the collector as the last thing that a function does returns to its caller. */
	end_call(own, function, place == site, stack);
	give_back(own);
}

void
exact_begin(struct thread *thread)
{
	if (!collect.settings.is_exact)
		return;
	exact.is_on = 1;
	exact_clock_measure(exact.is_measured ? NULL : thread);
	exact.is_measured = 1;
	collect.header->times = exact.kind;
	collect.header->cost_inside = exact.inside;
	collect.header->cost_outside = exact.outside;
	if (thread && inherited)
		(void)begin(thread);
}

/* Whether it is known what the time of a thread is of. */
static bool
is_settled(const struct exact *own)
{
	return own && exact.is_on && own->busy == 0 && own->changes == exact.changes;
}

void
exact_settle(struct thread *thread)
{
	if (is_settled(thread->exact))
		add_time(thread->exact, exact_ticks());
}

void
exact_skip(struct thread *thread)
{
	if (is_settled(thread->exact))
		skip(thread->exact);
}

void
exact_start(struct thread *thread)
{
	struct exact *own = thread->exact;

	if (!own)
		return;
	own->depth = 0;
	own->deeper = 0;
	own->busy = 0;
}

void
exact_mark(uint32_t phase)
{
	uint32_t at = mark_count;

	if (!exact.is_on)
		return;
	marks[at % MARKS] = (struct mark){exact_ticks(), phase};
	__atomic_store_n(&mark_count, at + 1, __ATOMIC_RELEASE);
	__atomic_fetch_add(&exact.changes, 1, __ATOMIC_RELEASE);
}

bool
exact_put_away(const struct gone *gone)
{
	bool has_any = false;

	for (const struct chunk_list *list = chunks_all(); list; list = list->next) {
		struct gxc_timed *entries = chunk_entries(list->chunk);

		if (list->chunk->type != GXC_TIMED)
			continue;
		for (uint64_t i = 0; i < list->chunk->used; i++) {
			if (entries[i].function - gone->low >= gone->bytes)
				continue;
			entries[i].function += gone->distance;
			has_any = true;
		}
	}
	if (has_any) {
		__atomic_fetch_add(&exact.unloads, 1, __ATOMIC_RELEASE);
		__atomic_fetch_add(&exact.changes, 1, __ATOMIC_RELEASE);
	}
	return has_any;
}

void
exact_forget(void)
{
	inherited = exact.is_on ? collect_self->exact : NULL;
	exact.is_on = 0;
}
