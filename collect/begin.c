/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The beginning of collecting: at the start of the program, in the first counted call, or in a
 * child of fork.
 */
#include "collect.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "sys.h"
#include "waits.h"

uint64_t
collect_now(void)
{
	return sys_nanoseconds(CLOCK_REALTIME);
}

/* The stack of the first thread; it can grow down to the limit. */
static void
find_first_stack(struct thread *thread)
{
	const uint64_t MOST = UINT64_C(1) << 30;
	struct rlimit limit;
	uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0), room = MOST;

	if (!maps_region(here, &thread->stack_low, &thread->stack_high))
		return;
	if (thread->tid != collect.pid)
		return;
	if (SYS2(getrlimit, RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < MOST)
		room = limit.rlim_cur;
	if (thread->stack_high > room && thread->stack_low > thread->stack_high - room)
		thread->stack_low = thread->stack_high - room;
}

static void
write_names(void)
{
	char command[1024];
	long descriptor, length;

	collect.header->program_name = chunks_text(collect.program);
	(void)chunks_text(collect.folder);
	descriptor = SYS4(openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
	if (descriptor < 0)
		return;
	length = SYS3(read, descriptor, command, sizeof command - 1);
	SYS1(close, descriptor);
	if (length <= 0)
		return;
	command[length] = '\0';
	for (long i = 0; i < length; i++)
		if (i == 0 || command[i - 1] == '\0')
			(void)chunks_text(command + i);
}

/* A page that the system clears in children that get a copy of the memory, and in no others. */
static void
place_witness(void)
{
	enum { BYTES = 4096 };
	long memory;

	if (!collect.witness) {
		memory = SYS6(mmap, 0, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		              -1, 0);
		if (!sys_is_address(memory))
			return;
		if (SYS3(madvise, memory, BYTES, MADV_WIPEONFORK) < 0) {
			SYS2(munmap, memory, BYTES);
			return;
		}
		collect.witness = (uint32_t *)memory;
	}
	__atomic_store_n(collect.witness, 1, __ATOMIC_RELEASE);
}

static bool
begin(void)
{
	struct thread *thread;

	if (!chunks_begin())
		return false;
	place_witness();
	collect.begun = 2;
	write_names();
	event_note(GXC_EVENT_START, 0);
	if (collect.is_forked)
		collect.header->flags |= GXC_FORKED;
	if (collect.settings.unwind == UNWIND_FP)
		collect.header->flags |= GXC_FRAME_POINTERS;
	objects_find();
	phases_begin();
	control_begin();
	(void)sample_begin();
	thread = thread_register(true);
	if (thread)
		find_first_stack(thread);
	exact_begin(thread);
	waits_begin();
	return true;
}

/* Another thread is at it; a handler that interrupts this cannot wait for it. */
static bool
wait_for_beginning(void)
{
	while (__atomic_load_n(&collect.begun, __ATOMIC_ACQUIRE) == 1) {
		if (collect.beginner == (uint32_t)SYS0(gettid))
			return false;
		SYS0(sched_yield);
	}
	return !collect.is_off;
}

bool
collect_begin(void)
{
	uint32_t state = __atomic_load_n(&collect.begun, __ATOMIC_ACQUIRE);
	uint64_t signals;

	if (state == 2) {
		collect_notice_copy();
		return !collect.is_off;
	}
	/* Called before the constructors ran: not yet. */
	if (!collect.is_ready || collect.is_off)
		return false;
	if (state == 1 || !__atomic_compare_exchange_n(&collect.begun, &state, 1, false,
	                                               __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return wait_for_beginning();
	collect.beginner = (uint32_t)SYS0(gettid);
	/* A handler that left this by a jump would leave it undone. */
	sample_block_all(&signals);
	if (!begin()) {
		collect.is_off = true;
		collect.begun = 2;
	}
	sample_unblock(&signals);
	/* Who started the program can have blocked all signals. */
	sample_allow();
	return !collect.is_off;
}

void
collect_restart_in_child(void)
{
	bool was_begun = collect.begun == 2 && !collect.is_off;

	/* Nothing can be done about its file. */
	if (collect.is_quiet) {
		collect.is_quiet = false;
		arcs_leave(collect_self);
		collect_forget_self();
		return;
	}
	collect.pid = (uint32_t)SYS0(getpid);
	collect.is_forked = true;
	collect.begun = 0;
	if (was_begun)
		chunks_leave();
	exact_forget();
	threads_forget();
	objects_forget();
	arcs_forget();
	blocks_forget();
	stacks_forget();
	waits_forget();
	events_forget();
	phases_forget();
	collect.sequence = 0;
	collect.is_refused = 0;
	collect.closing = 0;
	if (!collect.settings.follows_children)
		collect.is_off = true;
	if (collect.is_off)
		sample_forget();
	else if (was_begun)
		collect_begin();
	if (collect.is_off && collect.witness)
		*collect.witness = 1;
}

void
collect_notice_copy(void)
{
	uint32_t wiped = 0;
	uint64_t signals;

	if (!collect.witness || __atomic_load_n(collect.witness, __ATOMIC_ACQUIRE) == 1)
		return;
	sample_block_all(&signals);
	if (__atomic_compare_exchange_n(collect.witness, &wiped, 2, false, __ATOMIC_ACQ_REL,
	                                __ATOMIC_ACQUIRE))
		collect_restart_in_child();
	else
		while (__atomic_load_n(collect.witness, __ATOMIC_ACQUIRE) == 2)
			SYS0(sched_yield);
	sample_unblock(&signals);
}

void
collect_become_quiet(void)
{
	arcs_make_room();
	blocks_make_room();
	exact_settle(collect_self);
	exact_clock_note();
	sample_stop();
	SAY("the program restricts its system calls (seccomp): from here on, nothing is sampled, and "
	    "only calls of threads that run already are counted");
	collect.header->end = sys_nanoseconds(CLOCK_REALTIME);
	__atomic_fetch_or(&collect.header->flags, GXC_RESTRICTED, __ATOMIC_RELAXED);
	collect.is_off = true;
	collect.is_quiet = true;
}

bool
collect_keeps_quiet(void)
{
	if (collect.is_quiet && collect.witness && *collect.witness == 0)
		collect_restart_in_child();
	return collect.is_quiet;
}

void
collect_speak_again(void)
{
	collect.is_quiet = false;
	collect.is_off = false;
	collect.header->end = 0;
	__atomic_fetch_and(&collect.header->flags, ~(uint32_t)GXC_RESTRICTED, __ATOMIC_RELAXED);
	if (!collect.is_stopped)
		sample_resume();
	SAY("the system refused that restriction: everything is measured again");
}
