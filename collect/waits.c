/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where threads wait (clock=wall).
 *
 * A signal would end many a wait early (EINTR), so nothing is sent to a thread that waits.  A
 * thread of the collector looks at each one, at a random moment of each interval of the rate.  What
 * it costs to look is bounded: with many threads, each look skips some of them and weighs as much
 * more.
 *
 * The clock of its processor time shows whether a thread went on since the last look: as long as
 * that stands, the thread waits where it did.  Otherwise /proc shows whether it waits, and its
 * registers pc and sp; its stack is copied, and followed in the copy (cfi.h).  Only if that clock
 * still stands then, what was seen belongs together.  A thread that could run but has no processor
 * does not wait, wherever it waited before: the system says how long that was (delays.c).
 *
 * The thread is none that the C library knows of.  It has no file descriptors of the program, all
 * signals are blocked in it, and it ends with the last thread of the program.
 */
#include "waits.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include "cfi.h"
#include "delays.h"
#include "sys.h"
#include "unwinding.h"
#include "waits-state.h"

enum {
	STACK_BYTES = 64 * 1024,
	STORAGE_BYTES = 64 * 1024, /* for thread-local storage of libraries, all zero */
	COPY_BYTES = 256 * 1024,   /* of a stack */
	FIRST_COPY = 4 * 1024,
	TRIES = 3,
	BUDGET = 64,     /* looking may take 1/64 of a processor; the first looks take more */
	AVERAGE = 16,    /* looks over which the cost is averaged */
	CALM = 8,        /* looks after which fewer threads can be skipped */
	FILES_LEFT = 64, /* descriptors that stay free */
	LEAST_OWN = 128, /* threads that run at the same time and have tables of waits */
	NO_PLACE = 1
};

/* Memory of the looking thread; the same in the children of forks. */
struct work {
	uint64_t pcs[COLLECT_FRAMES];
	uint8_t copy[COPY_BYTES];
	uint8_t stack[STACK_BYTES];
	uint8_t storage[STORAGE_BYTES];
	/* What thread-local storage ends with: a pointer to itself, and what the C library keeps.
	 */
	uint64_t control[512];
};

static struct {
	struct work *work;
	uint32_t tid;     /* of the thread; 0: it ended.  The system sets it */
	uint32_t is_told; /* to end */
	uint32_t is_ready;
	uint32_t is_walking;                          /* it reads what is loaded */
	struct gxc_chunk *tables[COLLECT_PHASES + 1]; /* of threads without their own, by phase */
	uint64_t random;
	/* A look is at one thread of this number; a power of two. */
	uint64_t stride, cost, ticks, order;
	uint32_t calm;
	uint64_t second; /* since it began to look */
	/* Those known, which are in the list from "newest" on: to follow that takes longer than to
	 * look at a few of them. */
	struct thread **threads, *newest;
	uint64_t thread_count, thread_room;
} watch;

static uint64_t
next_random(void)
{
	watch.random ^= watch.random << 13;
	watch.random ^= watch.random >> 7;
	watch.random ^= watch.random << 17;
	return watch.random;
}

/* More of the stack, from the page on that the copy ends with; of its own memory a process may
 * read all, and what is not there is an error and no fault. */
static bool
extend(struct cfi_memory *memory, uint64_t end)
{
	uint64_t wanted = end - memory->low > 2 * (memory->high - memory->low)
	                          ? end - memory->low
	                          : 2 * (memory->high - memory->low);
	struct iovec to, from;
	long got;

	if (end - memory->low > COPY_BYTES)
		return false;
	if (wanted > COPY_BYTES)
		wanted = COPY_BYTES;
	to.iov_base = watch.work->copy + (memory->high - memory->low);
	from.iov_base = (void *)(uintptr_t)memory->high;
	to.iov_len = from.iov_len = wanted - (memory->high - memory->low);
	got = SYS6(process_vm_readv, watch.tid, &to, 1, &from, 1, 0);
	/* The stack can end there. */
	if (got < 0 && (memory->high + to.iov_len) % 4096 != 0) {
		to.iov_len = from.iov_len = 4096 - memory->high % 4096;
		got = SYS6(process_vm_readv, watch.tid, &to, 1, &from, 1, 0);
	}
	if (got <= 0)
		return false;
	memory->high += (uint64_t)got;
	return true;
}

/* While a library is closed, its unwind information goes. */
static bool
begin_walk(void)
{
	__atomic_store_n(&watch.is_walking, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&collect.closing, __ATOMIC_SEQ_CST) == 0)
		return true;
	__atomic_store_n(&watch.is_walking, 0, __ATOMIC_SEQ_CST);
	return false;
}

void
waits_let_go(void)
{
	while (__atomic_load_n(&watch.is_walking, __ATOMIC_SEQ_CST) != 0 &&
	       __atomic_load_n(&watch.tid, __ATOMIC_ACQUIRE) != 0)
		SYS0(sched_yield);
}

/* The frames of a thread that waits. */
static void
follow(struct frames *frames, uint64_t sp, uint64_t pc)
{
	struct cfi_memory memory = {watch.work->copy, sp, sp, extend, false};
	struct cfi_frame frame = {.known = 1u << CFI_RSP | 1u << CFI_PC, .is_exact = true};
	enum cfi_result result = CFI_UNKNOWN;

	frame.value[CFI_RSP] = sp;
	frame.value[CFI_PC] = pc;
	frames->count = 0;
	frames->flags = 0;
	unwind_add(frames, pc);
	if (collect.settings.unwind == UNWIND_OFF)
		return;
	frames->flags = GXC_STACK_CFI;
	memory.high = sp;
	if (begin_walk()) {
		if (extend(&memory, sp + (FIRST_COPY - sp % FIRST_COPY)))
			while (!(frames->flags & GXC_STACK_CUT) &&
			       (result = cfi_step(&frame, &memory)) == CFI_CALLER)
				unwind_add(frames, frame.value[CFI_PC]);
		__atomic_store_n(&watch.is_walking, 0, __ATOMIC_SEQ_CST);
	}
	if (!(frames->flags & GXC_STACK_CUT) && result != CFI_OUTERMOST &&
	    !unwind_is_first(frames->pc[frames->count - 1]))
		frames->flags |= GXC_STACK_BROKEN;
}

static uint64_t
clock_of(uint32_t tid)
{
	return sys_nanoseconds(sys_thread_clock((int)tid));
}

/* Whether a thread has tables of waits of its own: those threads that have other tables of their
 * own, and as many of any others as that is usual for, who leave them to later ones. */
static bool
has_own(const struct thread *thread, struct watched *watched)
{
	if (!watched->own &&
	    (thread->number <= collect.settings.own_tables || thread->number <= LEAST_OWN))
		watched->own = chunks_private((COLLECT_PHASES + 1) * sizeof(struct gxc_chunk *));
	return watched->own != NULL;
}

/* Notes where a thread waits that went on since the last look. */
static void
look_closely(const struct thread *thread, struct watched *watched, uint64_t weight)
{
	uint32_t phase = phases_now(), number = has_own(thread, watched) ? thread->number : 0;
	struct gxc_chunk **table = number != 0 ? &watched->own[phase] : &watch.tables[phase];
	struct frames frames = {.pc = watch.work->pcs};

	watched->table = NULL;
	for (int tries = 0; tries < TRIES; tries++) {
		uint64_t sp = 0, pc = NO_PLACE, clock;
		enum waits_state state = waits_state_of(watched, &sp, &pc);

		if (state == STATE_RUNS)
			return;
		if (state == STATE_WAITS) {
			follow(&frames, sp, pc);
		} else {
			frames.count = 0;
			frames.flags = GXC_STACK_BROKEN;
			unwind_add(&frames, NO_PLACE);
		}
		clock = clock_of(watched->tid);
		if (clock == watched->clock) {
			watched->epoch = stacks_epoch();
			watched->entry = stacks_add_wait(table, &frames, weight, number, phase);
			watched->table = watched->entry != 0 ? *table : NULL;
			watched->weight = weight;
			objects_meet(frames.pc[0], false);
			return;
		}
		watched->clock = clock;
	}
}

/* What to add to the squares of a wait that goes on: each look skips more threads than before. */
static uint64_t
squares_of(struct watched *watched, uint64_t weight)
{
	uint64_t before = watched->weight;

	if (weight <= before)
		return 0;
	watched->weight = weight;
	return weight * weight - before * before;
}

static void
look(struct thread *thread, uint64_t weight)
{
	struct watched *watched = &thread->watched;
	uint32_t tid = __atomic_load_n(&thread->tid, __ATOMIC_ACQUIRE);
	uint64_t clock, sp, pc;

	if (thread->is_used == 0 || tid == 0 || tid != watched->tid) {
		waits_forget_thread(watched);
		watched->tid = thread->is_used != 0 ? tid : 0;
		if (watched->tid == 0)
			return;
	}
	clock = clock_of(tid);
	/* It ended, and nobody said so yet. */
	if (clock == 0) {
		waits_forget_thread(watched);
		return;
	}
	collect.header->looks++;
	collect.header->look_weight += weight;
	if (watched->table && clock == watched->clock && watched->table->phase == phases_now()) {
		/* It is over where the thread only waits for a processor. */
		if (waits_state_of(watched, &sp, &pc) == STATE_RUNS) {
			watched->table = NULL;
			return;
		}
		if (stacks_add_again(watched, weight, squares_of(watched, weight)))
			return;
	}
	watched->clock = clock;
	if (watched->second != watch.second) {
		watched->second = watch.second;
		delays_add(thread);
	}
	look_closely(thread, watched, weight);
}

static void
begin_round(uint64_t stride)
{
	watch.stride = stride;
	watch.order = next_random();
	watch.ticks = 0;
}

/* Skips as many threads as it takes to stay within what looking may cost. */
static void
adapt(uint64_t cost, uint64_t intervals)
{
	uint64_t budget = collect_interval() / BUDGET, stride = watch.stride;

	watch.cost += cost / AVERAGE;
	for (uint64_t i = 0; i < intervals && i < (uint64_t)10 * AVERAGE; i++)
		watch.cost -= watch.cost / AVERAGE;
	watch.calm++;
	while (watch.cost > budget && stride < watch.thread_count) {
		stride *= 2;
		watch.cost /= 2;
		watch.calm = 0;
	}
	/* With twice as many, it would still be no more. */
	if (stride > 1 && watch.calm > CALM && watch.cost * 2 < budget) {
		stride /= 2;
		watch.cost *= 2;
		watch.calm = 0;
	}
	watch.ticks++;
	if (stride != watch.stride || watch.ticks == stride)
		begin_round(stride);
}

/* Notes threads that are new. */
static void
list_threads(void)
{
	struct thread *newest = __atomic_load_n(&collect.threads, __ATOMIC_ACQUIRE);

	for (struct thread *thread = newest; thread != watch.newest; thread = thread->next) {
		if (watch.thread_count == watch.thread_room) {
			uint64_t room = watch.thread_room * 4 + 512;
			struct thread **more = chunks_private(room * sizeof(struct thread *));

			/* The next time, all of them are added again, from the first one on. */
			if (!more) {
				watch.thread_count = 0;
				watch.newest = NULL;
				return;
			}
			for (uint64_t i = 0; i < watch.thread_count; i++)
				more[i] = watch.threads[i];
			watch.threads = more;
			watch.thread_room = room;
		}
		watch.threads[watch.thread_count++] = thread;
	}
	watch.newest = newest;
}

/*
 * Looks at each thread once in a round of as many looks as are skipped, in another order in each,
 * so that no rhythm of the program is met.
 */
static void
look_at_all(uint64_t intervals)
{
	uint64_t begun = sys_nanoseconds(CLOCK_THREAD_CPUTIME_ID), cost, stride = watch.stride;

	list_threads();
	for (uint64_t i = (watch.ticks ^ watch.order) & (stride - 1); i < watch.thread_count;
	     i += stride)
		look(watch.threads[i], intervals * stride);
	cost = sys_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begun;
	__atomic_fetch_add(&collect.header->sampling_ns, cost, __ATOMIC_RELAXED);
	adapt(cost, intervals);
}

/* Waits up to a moment; false: the thread is to end. */
static bool
wait_until(uint64_t moment)
{
	const struct timespec until = {(time_t)(moment / 1000000000), (long)(moment % 1000000000)};

	while (__atomic_load_n(&watch.is_told, __ATOMIC_ACQUIRE) == 0) {
		if (sys_nanoseconds(CLOCK_MONOTONIC) >= moment)
			return true;
		SYS6(futex, &watch.is_told, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, &until, 0,
		     FUTEX_BITSET_MATCH_ANY);
	}
	return false;
}

static void
wake(uint32_t *word)
{
	__atomic_store_n(word, 1, __ATOMIC_RELEASE);
	SYS3(futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT32_MAX);
}

/* The program's descriptors are copies here, and would keep pipes open. */
static void
close_descriptors(void)
{
	uint32_t ours = collect.descriptor >= 0 ? (uint32_t)collect.descriptor : 0;
	struct rlimit limit = {1024, 1024};

	(void)SYS2(getrlimit, RLIMIT_NOFILE, &limit);
	waits_begin_states(limit.rlim_cur > FILES_LEFT && limit.rlim_cur < UINT32_MAX
	                           ? (uint32_t)limit.rlim_cur - FILES_LEFT
	                           : 0);
	if ((ours == 0 || SYS3(close_range, 0, ours - 1, 0) == 0) &&
	    SYS3(close_range, collect.descriptor >= 0 ? ours + 1 : 0, UINT32_MAX, 0) == 0)
		return;
	/* Linux before 5.9. */
	for (uint32_t i = 0; i < limit.rlim_cur && i < 65536; i++)
		if (collect.descriptor < 0 || i != ours)
			SYS1(close, i);
}

__attribute__((noreturn, used)) static void
watch_threads(void)
{
	enum { SET_NAME = 15 };
	uint64_t begun = sys_nanoseconds(CLOCK_MONOTONIC), at = 0;
	bool goes_on = true;
	long status = 0;

	close_descriptors();
	/* What an earlier one knew. */
	for (struct thread *thread = collect.threads; thread; thread = thread->next)
		thread->watched.tid = 0;
	SYS2(prctl, SET_NAME, "gprofx-wall");
	wake(&watch.is_ready);
	while (goes_on) {
		uint64_t now, length = collect_interval();

		/* A random moment of each interval: programs have rhythms of their own. */
		goes_on = wait_until(begun + at * length + next_random() % length);
		if (!goes_on)
			break;
		now = (sys_nanoseconds(CLOCK_MONOTONIC) - begun) / length;
		/* For those that were missed, too. */
		now = now > at ? now : at;
		watch.second = now / collect.settings.rate;
		look_at_all(now - at + 1);
		if (now / collect.settings.rate != (now + 1) / collect.settings.rate ||
		    now - at >= collect.settings.rate)
			goes_on = !waits_is_alone(&status);
		at = now + 1;
	}
	SYS1(exit, status);
	__builtin_unreachable();
}

/* A thread on a stack of its own, which the C library knows nothing of. */
static long
start_thread(void)
{
#ifdef __x86_64__
	register long r10 __asm__("r10") = (long)(uintptr_t)&watch.tid;
	register long r8 __asm__("r8") = (long)(uintptr_t)watch.work->control;
	register long r9 __asm__("r9") = (long)(uintptr_t)watch_threads;
	long flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
	             CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
	long result;

	__asm__ volatile("syscall\n"
	                 "testq %%rax, %%rax\n"
	                 "jnz 1f\n"
	                 "xorl %%ebp, %%ebp\n"
	                 "callq *%%r9\n"
	                 "hlt\n"
	                 "1:\n"
	                 : "=a"(result)
	                 : "0"((long)SYS_clone), "D"(flags), "S"(watch.work->stack + STACK_BYTES),
	                   "d"(&watch.tid), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
#else
	(void)watch_threads;
	return -1;
#endif
}

void
waits_begin(void)
{
	uint64_t signals;
	long result = -1;

	if (collect.settings.clock != GXC_CLOCK_WALL || collect.is_stopped || watch.tid != 0)
		return;
	if (!watch.work) {
		long memory = SYS6(mmap, 0, sizeof *watch.work, PROT_READ | PROT_WRITE,
		                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (sys_is_address(memory))
			watch.work = (struct work *)memory;
	}
	if (watch.work) {
		watch.work->control[0] = watch.work->control[2] = (uint64_t)(uintptr_t)
		                                                          watch.work->control;
		watch.is_told = watch.is_ready = watch.is_walking = 0;
		watch.random = sys_nanoseconds(CLOCK_MONOTONIC) << 20 ^ collect.pid;
		watch.random |= 1;
		begin_round(1);
		watch.cost = 0;
		sample_block_all(&signals);
		result = start_thread();
		sample_unblock(&signals);
	}
	if (result < 0) {
		if (collect.header->looks == 0)
			collect.header->clock = GXC_CLOCK_CPU;
		__atomic_fetch_or(&collect.header->flags, GXC_NO_WAITS, __ATOMIC_RELAXED);
		SAY("the system refuses a thread for clock=wall: waiting is not measured");
		return;
	}
	collect.header->clock = GXC_CLOCK_WALL;
	delays_begin_all();
	/* Until it has closed the program's descriptors. */
	while (__atomic_load_n(&watch.is_ready, __ATOMIC_ACQUIRE) == 0)
		SYS4(futex, &watch.is_ready, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, NULL);
}

void
waits_end(void)
{
	uint32_t tid, former = watch.tid;

	if (former == 0)
		return;
	delays_add_all();
	wake(&watch.is_told);
	/* The system wakes who waits for the end of a thread like this, in any process. */
	while ((tid = __atomic_load_n(&watch.tid, __ATOMIC_ACQUIRE)) != 0)
		SYS4(futex, &watch.tid, FUTEX_WAIT, tid, NULL);
	/* A moment later it is none of the process any more. */
	while (SYS3(tgkill, collect.pid, former, 0) == 0)
		SYS0(sched_yield);
}

bool
waits_is_here(void)
{
	uint32_t tid = __atomic_load_n(&watch.tid, __ATOMIC_ACQUIRE);

	return tid != 0 && (uint32_t)SYS0(gettid) == tid;
}

void
waits_forget(void)
{
	watch.tid = 0;
	for (uint32_t phase = 0; phase <= COLLECT_PHASES; phase++)
		watch.tables[phase] = NULL;
	watch.thread_count = watch.thread_room = 0;
	watch.newest = NULL;
}
