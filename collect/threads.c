/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads and their tables.  The first ones have tables of their own, which reports distinguish.
 * Each of the others leaves its tables, when it ends, to the next one that starts, so that memory
 * grows with the threads that run at the same time.
 */
#include "collect.h"

#include <errno.h>

#include "delays.h"
#include "proc.h"
#include "sys.h"

enum {
	ROWS = 72, /* a page */
	LOOKS = 8,
	OWN_SHARE = 4 /* of the memory, that tables may have which nobody uses again */
};

_Static_assert(sizeof(struct gxc_chunk) + ROWS * sizeof(struct gxc_thread) <= 4096, "a page");

static struct gxc_chunk *rows;

/* A row of the table of threads, or NULL. */
static struct gxc_thread *
make_row(void)
{
	struct gxc_chunk *to = __atomic_load_n(&rows, __ATOMIC_ACQUIRE);
	uint64_t at = 0;

	if (to)
		at = __atomic_fetch_add(&to->filled, 1, __ATOMIC_RELAXED);
	if (!to || at >= to->capacity) {
		to = chunk_make(GXC_THREADS, sizeof(struct gxc_thread), ROWS, 0);
		if (!to)
			return NULL;
		at = to->filled++;
		__atomic_store_n(&rows, to, __ATOMIC_RELEASE);
	}
	__atomic_fetch_add(&to->used, 1, __ATOMIC_RELEASE);
	return (struct gxc_thread *)chunk_entries(to) + at;
}

/* A name, with which several threads that have the tables one after the other must agree. */
static void
set_name(struct gxc_thread *row, const char *name)
{
	bool is_same = true;

	for (size_t i = 0; i < sizeof row->name && is_same && name[i] != '\0'; i++)
		is_same = row->name[i] == name[i];
	if (row->threads > 1 && !is_same)
		name = "";
	for (size_t i = 0; i < sizeof row->name; i++) {
		row->name[i] = *name;
		name += *name != '\0';
	}
	row->name[sizeof row->name - 1] = '\0';
}

void
thread_note_name(struct thread *thread)
{
	enum { GET_NAME = 16 };
	char name[sizeof thread->row->name] = "";

	if (!thread->row || thread->is_named)
		return;
	SYS2(prctl, GET_NAME, name);
	set_name(thread->row, name);
}

/* The same of another thread that still runs. */
static void
note_name_of(struct thread *thread)
{
	char name[sizeof thread->row->name + 1];
	long got;

	if (!thread->row || thread->is_named)
		return;
	got = proc_read(thread->tid, "comm", name, sizeof name - 1);
	if (got <= 0)
		return;
	/* It ends with a newline. */
	name[got - 1] = '\0';
	set_name(thread->row, name);
}

static void
fill_row(struct thread *thread)
{
	struct gxc_thread *row = thread->row;

	thread->is_named = 0;
	if (!row)
		return;
	row->number = thread->number;
	row->tid = thread->tid;
	row->end = 0;
	if (row->start == 0)
		row->start = sys_nanoseconds(CLOCK_REALTIME);
	/* Mostly its creator's until it gets one of its own, which is not compared with others. */
	if (row->threads++ == 0)
		thread_note_name(thread);
	thread->started_cpu = sys_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

static bool
take(struct thread *thread)
{
	uint32_t unused = 0;

	return __atomic_compare_exchange_n(&thread->is_used, &unused, 1, false, __ATOMIC_ACQUIRE,
	                                   __ATOMIC_RELAXED);
}

/* Whether a thread whose end nobody reports has ended: the one of this number, or 0 while a record
 * changes hands. */
static bool
is_gone(const struct thread *thread, uint32_t tid)
{
	return !thread->is_waited_for && tid != 0 && SYS3(tgkill, collect.pid, tid, 0) == -ESRCH;
}

/*
 * Takes the tables of a thread that has ended.  Several threads can find that it has, so its number
 * decides: it is replaced in one step, and who comes late finds another.
 */
static bool
take_over(struct thread *thread)
{
	uint32_t tid = __atomic_load_n(&thread->tid, __ATOMIC_ACQUIRE);

	return is_gone(thread, tid) &&
	       __atomic_compare_exchange_n(&thread->tid, &tid, 0, false, __ATOMIC_ACQUIRE,
	                                   __ATOMIC_RELAXED);
}

/* Whether only this thread ever uses its tables. */
static bool
has_own_tables(const struct thread *thread)
{
	return thread->number <= collect.settings.own_tables;
}

/* Whether so much memory is in use that threads are not distinguished any more. */
static bool
is_short_of_memory(void)
{
	return collect.settings.own_tables != UINT32_MAX &&
	       collect.header->bytes > collect.settings.memory / OWN_SHARE;
}

static uint32_t *
count_with(const struct thread *thread)
{
	return has_own_tables(thread) ? &collect.kept_count : &collect.idle_count;
}

/* Tables that are counted there, or NULL. */
static struct thread *
find_counted(const uint32_t *count)
{
	if (__atomic_load_n(count, __ATOMIC_RELAXED) == 0)
		return NULL;
	for (struct thread *thread = collect.threads; thread; thread = thread->next)
		if (count_with(thread) == count && thread->is_used == 0 && take(thread)) {
			__atomic_fetch_sub(count_with(thread), 1, __ATOMIC_RELAXED);
			return thread;
		}
	return NULL;
}

/* Tables that nobody uses any more, or NULL. */
static struct thread *
find_idle(void)
{
	bool is_short = is_short_of_memory();
	struct thread *found = NULL;
	int looks = 0;

	if (!is_short &&
	    __atomic_load_n(&collect.thread_count, __ATOMIC_RELAXED) < collect.settings.own_tables)
		return NULL;
	found = find_counted(&collect.idle_count);
	if (!found && is_short)
		found = find_counted(&collect.kept_count);
	if (found)
		return found;
	if (__atomic_load_n(&collect.unreported_count, __ATOMIC_RELAXED) == 0)
		return NULL;
	for (struct thread *thread = collect.threads; thread && looks < LOOKS;
	     thread = thread->next) {
		if (thread->is_waited_for || thread->is_used == 0)
			continue;
		if (has_own_tables(thread) && !is_short)
			continue;
		looks++;
		if (!take_over(thread))
			continue;
		sample_end_thread(thread);
		__atomic_fetch_sub(&collect.unreported_count, 1, __ATOMIC_RELAXED);
		return thread;
	}
	return NULL;
}

static struct thread *
make(void)
{
	struct thread *thread = chunks_private(sizeof *thread);

	if (!thread)
		return NULL;
	thread->frames = chunks_private(collect.settings.depth * sizeof *thread->frames);
	if (!thread->frames)
		return NULL;
	thread->is_used = 1;
	thread->timer = -1;
	thread->event = -1;
	thread->number = __atomic_add_fetch(&collect.thread_count, 1, __ATOMIC_RELAXED);
	thread->row = make_row();
	thread->next = __atomic_load_n(&collect.threads, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&collect.threads, &thread->next, thread, false,
	                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
	}
	return thread;
}

struct thread *
thread_register(bool is_waited_for)
{
	struct thread *thread;
	uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);

	if (!collect_begin())
		return NULL;
	/* Beginning registers the thread that it happens in. */
	if (!collect_is_nobody(collect_self))
		return collect_self;
	thread = find_idle();
	if (!thread)
		thread = make();
	if (!thread)
		return NULL;
	thread->delayed = 0;
	__atomic_store_n(&thread->tid, (uint32_t)SYS0(gettid), __ATOMIC_RELEASE);
	thread->is_waited_for = is_waited_for;
	exact_start(thread);
	if (!is_waited_for)
		__atomic_fetch_add(&collect.unreported_count, 1, __ATOMIC_RELAXED);
	/* Wrapped threads know better. */
	thread->stack_low = thread->stack_high = 0;
	if (!is_waited_for)
		maps_region(here, &thread->stack_low, &thread->stack_high);
	__atomic_fetch_add(&collect.header->threads, 1, __ATOMIC_RELAXED);
	fill_row(thread);
	collect_self = thread;
	thread->looks_at_blocks = &collect_blocks;
	if (is_waited_for)
		__atomic_store_n(&thread->looks, &collect_arcs, __ATOMIC_SEQ_CST);
	/* A handler can have counted before that. */
	phases_follow();
	sample_thread(thread);
	return thread;
}

/* Adds what a thread took; only the thread itself can ask. */
static void
finish_row(struct thread *thread)
{
	struct gxc_thread *row = thread->row;

	if (!row)
		return;
	thread_note_name(thread);
	row->end = sys_nanoseconds(CLOCK_REALTIME);
	row->cpu_ns += sys_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - thread->started_cpu;
}

void
thread_leave(struct thread *thread)
{
	phases_leave(thread);
	exact_settle(thread);
	sample_end_thread(thread);
	finish_row(thread);
	if (collect.header->clock == GXC_CLOCK_WALL && !collect.is_stopped)
		delays_add(thread);
	collect_forget_self();
	if (!thread->is_waited_for)
		__atomic_fetch_sub(&collect.unreported_count, 1, __ATOMIC_RELAXED);
	/* Until it is known who has the tables next. */
	__atomic_store_n(&thread->tid, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&thread->is_used, 0, __ATOMIC_RELEASE);
	__atomic_fetch_add(count_with(thread), 1, __ATOMIC_RELAXED);
}

/* At the end of the process: the times and names of threads that still run. */
void
threads_finish(void)
{
	for (struct thread *thread = collect.threads; thread; thread = thread->next) {
		uint64_t cpu;

		if (thread->is_used == 0 || thread->tid == 0 || !thread->row ||
		    is_gone(thread, thread->tid))
			continue;
		exact_settle(thread);
		cpu = sys_nanoseconds(sys_thread_clock((int)thread->tid));
		if (cpu > thread->started_cpu)
			thread->row->cpu_ns += cpu - thread->started_cpu;
		thread->row->end = sys_nanoseconds(CLOCK_REALTIME);
		note_name_of(thread);
	}
}

void
threads_forget(void)
{
	rows = NULL;
	collect.threads = NULL;
	collect.thread_count = 0;
	collect.idle_count = collect.kept_count = 0;
	collect.unreported_count = 0;
	collect_forget_self();
}

void
threads_name(const char *name)
{
	collect_self->is_named = 1;
	if (collect_self->row)
		set_name(collect_self->row, name);
}
