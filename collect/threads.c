/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads and their tables.  A thread that ended leaves its tables to the next one that starts, so
 * memory grows with the threads that run at the same time.
 */
#include "collect.h"

#include <errno.h>

#include "sys.h"

enum { ROWS = 84, LOOKS = 8 };

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

static void
fill_row(struct thread *thread)
{
	struct gxc_thread *row = thread->row;

	if (!row)
		return;
	row->number = thread->number;
	row->tid = thread->tid;
	row->end = 0;
	if (row->start == 0)
		row->start = sys_nanoseconds(CLOCK_REALTIME);
	if (row->name[0] == '\0') {
		enum { GET_NAME = 16 };

		SYS2(prctl, GET_NAME, row->name);
	}
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

/* Tables that nobody uses any more, or NULL. */
static struct thread *
find_idle(void)
{
	int looks = 0;

	if (collect.settings.separates_threads)
		return NULL;
	if (__atomic_load_n(&collect.idle_count, __ATOMIC_RELAXED) > 0)
		for (struct thread *thread = collect.threads; thread; thread = thread->next)
			if (thread->is_used == 0 && take(thread)) {
				__atomic_fetch_sub(&collect.idle_count, 1, __ATOMIC_RELAXED);
				return thread;
			}
	if (__atomic_load_n(&collect.unreported_count, __ATOMIC_RELAXED) == 0)
		return NULL;
	for (struct thread *thread = collect.threads; thread && looks < LOOKS;
	     thread = thread->next) {
		if (thread->is_waited_for || thread->is_used == 0)
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
	__atomic_store_n(&thread->tid, (uint32_t)SYS0(gettid), __ATOMIC_RELEASE);
	thread->is_waited_for = is_waited_for;
	if (!is_waited_for)
		__atomic_fetch_add(&collect.unreported_count, 1, __ATOMIC_RELAXED);
	/* Wrapped threads know better. */
	thread->stack_low = thread->stack_high = 0;
	if (!is_waited_for)
		maps_region(here, &thread->stack_low, &thread->stack_high);
	__atomic_fetch_add(&collect.header->threads, 1, __ATOMIC_RELAXED);
	fill_row(thread);
	collect_self = thread;
	if (is_waited_for)
		__atomic_store_n(&thread->looks, &collect_arcs, __ATOMIC_SEQ_CST);
	/* A handler can have counted before that. */
	arcs_follow();
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
	row->end = sys_nanoseconds(CLOCK_REALTIME);
	row->cpu_ns += sys_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - thread->started_cpu;
}

void
thread_leave(struct thread *thread)
{
	phases_leave(thread);
	sample_end_thread(thread);
	finish_row(thread);
	collect_forget_self();
	if (!thread->is_waited_for)
		__atomic_fetch_sub(&collect.unreported_count, 1, __ATOMIC_RELAXED);
	/* Until it is known who has the tables next. */
	__atomic_store_n(&thread->tid, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&thread->is_used, 0, __ATOMIC_RELEASE);
	__atomic_fetch_add(&collect.idle_count, 1, __ATOMIC_RELAXED);
}

/* At the end of the process: the times of threads that still run. */
void
threads_finish(void)
{
	for (struct thread *thread = collect.threads; thread; thread = thread->next) {
		uint64_t cpu;

		if (thread->is_used == 0 || thread->tid == 0 || !thread->row ||
		    is_gone(thread, thread->tid))
			continue;
		cpu = sys_nanoseconds(sys_thread_clock((int)thread->tid));
		if (cpu > thread->started_cpu)
			thread->row->cpu_ns += cpu - thread->started_cpu;
		thread->row->end = sys_nanoseconds(CLOCK_REALTIME);
	}
}

void
threads_forget(void)
{
	rows = NULL;
	collect.threads = NULL;
	collect.thread_count = 0;
	collect.idle_count = 0;
	collect.unreported_count = 0;
	collect_forget_self();
}

void
threads_name(const char *name)
{
	struct gxc_thread *row = collect_self->row;

	for (size_t i = 0; row && i < sizeof row->name; i++) {
		row->name[i] = *name;
		name += *name != '\0';
	}
	if (row)
		row->name[sizeof row->name - 1] = '\0';
}
