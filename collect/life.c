/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What runs by itself: at the start and the end of the process, and around fork. */
#include "collect.h"

#include <pthread.h>

/* Blocked before a fork, of the thread that forks. */
static __thread uint64_t signals __attribute__((tls_model("initial-exec")));

static void
before_fork(void)
{
	uint64_t old;

	if (collect.is_off)
		return;
	sample_block(&old);
	signals = old;
}

static void
after_fork_in_parent(void)
{
	uint64_t old = signals;

	if (!collect.is_off)
		sample_unblock(&old);
}

static void
after_fork_in_child(void)
{
	uint64_t old = signals;
	bool was_off = collect.is_off;

	collect_restart_in_child();
	if (!was_off)
		sample_unblock(&old);
}

/* Before what else is registered for forks, and so next to the fork itself. */
__attribute__((constructor(101))) static void
start(void)
{
	collect_prepare();
	if (collect.is_off)
		return;
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
	if (!collect.settings.only_instrumented)
		collect_begin();
}

__attribute__((destructor(101))) static void
end(void)
{
	collect_end();
}
