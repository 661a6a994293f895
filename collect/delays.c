/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "delays.h"

#include "proc.h"

/* The second number of "ran delayed times", in nanoseconds; false: the system does not say. */
static bool
read_delay(const struct thread *thread, uint64_t *delay)
{
	uint32_t tid = __atomic_load_n(&thread->tid, __ATOMIC_ACQUIRE);
	char text[80];
	long length = tid != 0 ? proc_read(tid, "schedstat", text, sizeof text) : 0, at = 0;

	while (at < length && text[at] != ' ')
		at++;
	if (at + 1 >= length)
		return false;
	*delay = 0;
	for (at++; at < length && text[at] >= '0' && text[at] <= '9'; at++)
		*delay = *delay * 10 + (uint64_t)(text[at] - '0');
	return true;
}

void
delays_begin(struct thread *thread)
{
	uint64_t delay;

	if (read_delay(thread, &delay))
		__atomic_store_n(&thread->delayed, delay, __ATOMIC_RELAXED);
}

/* The thread itself and who looks at it can ask at once: each part is added once. */
void
delays_add(struct thread *thread)
{
	uint64_t before = __atomic_load_n(&thread->delayed, __ATOMIC_RELAXED), delay;

	if (!read_delay(thread, &delay))
		return;
	while (delay > before) {
		if (__atomic_compare_exchange_n(&thread->delayed, &before, delay, false,
		                                __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			__atomic_fetch_add(&collect.header->delayed_ns, delay - before,
			                   __ATOMIC_RELAXED);
			return;
		}
	}
}

void
delays_begin_all(void)
{
	for (struct thread *thread = collect.threads; thread; thread = thread->next)
		delays_begin(thread);
}

void
delays_add_all(void)
{
	for (struct thread *thread = collect.threads; thread; thread = thread->next)
		if (thread->is_used != 0)
			delays_add(thread);
}
