/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Samples: each thread has a clock of the processor time that it takes, which sends a signal to
 * the thread after each interval.
 *
 * The signal is one that nobody uses, unless the user names one: SIGPROF belongs to programs, which
 * can set a timer for it at any time.
 */
#include "collect.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <unwind.h>

#include "sys.h"
#include "unwinding.h"
#include "waits.h"

enum {
	LAST_SIGNAL = 64,
	FIRST_REALTIME = 35, /* the C library has those before */
	SET_BYTES = 8,
	HIGH_DESCRIPTOR = 700,
	LEAST_PENDING = 256,
#if defined __x86_64__
	RESTORER = 0x04000000 /* flag of an action: it has one */
#else
	RESTORER = 0
#endif
};

/* As the kernel has it. */
struct kernel_action {
	void (*handler)(int, siginfo_t *, void *);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static struct kernel_action before; /* what the program had for the signal */
static struct kernel_action ours;

#if defined __x86_64__
/* The end of a handler; unwinders know the instructions.  Other processors' system has it. */
void collect_restore(void);
__asm__(".text\n"
        ".p2align 4\n"
        ".globl collect_restore\n"
        ".hidden collect_restore\n"
        ".type collect_restore, @function\n"
        "nop\n" /* unwinders look up the byte before */
        "collect_restore:\n"
        "movq $15, %rax\n"
        "syscall\n"
        ".size collect_restore, . - collect_restore\n");
#else
#define collect_restore NULL
#endif

static long
set_action(uint32_t number, const struct kernel_action *action, struct kernel_action *old);

/* The program did nothing about the signal, which then ends it: once the handler returns. */
static void
end_by_signal(int number)
{
	set_action((uint32_t)number, &before, NULL);
	SYS3(tgkill, SYS0(getpid), SYS0(gettid), number);
}

static void
pass_on(int number, siginfo_t *info, void *context)
{
	if ((uintptr_t)before.handler == 1)
		return;
	if (!before.handler) {
		end_by_signal(number);
		return;
	}
	if (before.flags & SA_SIGINFO)
		before.handler(number, info, context);
	else
		((void (*)(int))(void (*)(void))before.handler)(number);
}

static void
take_sample(struct thread *thread, uint64_t weight, void *context)
{
	uint64_t begun = sys_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
	struct frames frames = {.pc = thread->frames};
	struct unwinding walk;

	exact_settle(thread);
	/* Where nobody can write to what this thread looks at. */
	phases_follow();
	if (unwind_begin(&walk, &frames, thread, context)) {
		(void)_Unwind_Backtrace(unwind_see, &walk);
		unwind_end(&walk);
	}
	stacks_add(thread, &frames, weight);
	objects_meet(thread->frames[0], false);
	__atomic_fetch_add(&collect.header->sampling_ns,
	                   sys_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begun, __ATOMIC_RELAXED);
	exact_skip(thread);
}

/* A moment of an interval, at random: 1 to the interval.  Anywhere. */
static uint64_t
any_moment(void)
{
	/* Only the low digits of the time differ at random. */
	uint64_t mixed = sys_nanoseconds(CLOCK_MONOTONIC) + ((uint64_t)SYS0(gettid) << 32);

	mixed = (mixed ^ mixed >> 32) * UINT64_C(0xd6e8feb86659fd93);
	mixed = (mixed ^ mixed >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return (mixed ^ mixed >> 32) % collect_interval() + 1;
}

static struct timespec
to_timespec(uint64_t nanoseconds)
{
	return (struct timespec){(time_t)(nanoseconds / 1000000000),
	                         (long)(nanoseconds % 1000000000)};
}

/* 0 as the first interval: never. */
static long
set_timer(int timer, uint64_t first, uint64_t interval)
{
	struct itimerspec period = {.it_interval = to_timespec(interval),
	                            .it_value = to_timespec(first)};
	long result = SYS4(timer_settime, timer, 0, &period, NULL);

	/* Who stops all clocks can have seen this one before. */
	if (first > 0 && __atomic_load_n(&collect.clocks_are_off, __ATOMIC_SEQ_CST))
		set_timer(timer, 0, 0);
	return result;
}

/*
 * The first sample of a thread is that of a random moment in its first interval, so that threads
 * and processes that are shorter than an interval have as many samples as their time is worth.  For
 * an event, it was the interval until now.  The kernel looks at timers in each of its ticks, and
 * the first one did not wait for more: what is sampled then are the moments of a tick.  Returns
 * how many.
 */
static uint64_t
take_first(struct thread *thread, const siginfo_t *info)
{
	const uint64_t interval = collect_interval();
	uint64_t moment = any_moment(), count = 0;
	struct timespec tick = {0};

	thread->has_first = false;
	if (info->si_code != SI_TIMER) {
		SYS3(ioctl, thread->event, PERF_EVENT_IOC_PERIOD, &interval);
		return 1;
	}
	SYS2(clock_getres, CLOCK_MONOTONIC_COARSE, &tick);
	if (moment <= (uint64_t)tick.tv_nsec)
		count = ((uint64_t)tick.tv_nsec - moment) / interval + 1;
	set_timer(info->si_timerid, moment + count * interval - (uint64_t)tick.tv_nsec, interval);
	return count;
}

static void
handle(int number, siginfo_t *info, void *context)
{
	struct thread *thread = collect_self;
	bool is_ours = info->si_code == SI_TIMER ? info->si_value.sival_ptr == &collect
	                                         : info->si_code > 0 && collect.has_events;
	uint64_t weight = 1;

	if (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &collect) {
		phases_follow();
		return;
	}
	if (!is_ours) {
		pass_on(number, info, context);
		return;
	}
	if (info->si_code == SI_TIMER && info->si_overrun > 0)
		weight += (uint64_t)info->si_overrun;
	if (thread->has_first)
		weight = take_first(thread, info);
	if (weight > 0 && collect.begun == 2 && !collect.is_off && !collect.is_stopped &&
	    !collect_is_nobody(thread))
		take_sample(thread, weight, context);
}

static long
set_action(uint32_t number, const struct kernel_action *action, struct kernel_action *old)
{
	return SYS4(rt_sigaction, number, action, old, SET_BYTES);
}

/* A signal that nobody handles; 0: none. */
static uint32_t
choose_signal(void)
{
	struct kernel_action action;

	if (collect.settings.signal != 0) {
		if (set_action(collect.settings.signal, NULL, &action) == 0 &&
		    (uintptr_t)action.handler <= 1)
			return collect.settings.signal;
		SAY("the program already uses the signal of the samples: another one is used");
	}
	/* Programs take them from the first one on, debuggers the last ones. */
	for (uint32_t number = LAST_SIGNAL - 3; number >= FIRST_REALTIME; number--)
		if (set_action(number, NULL, &action) == 0 && action.handler == NULL)
			return number;
	return 0;
}

bool
sample_begin(void)
{
	collect.header->clock = GXC_CLOCK_OFF;
	if (collect.settings.clock == GXC_CLOCK_OFF)
		return true;
	/* A child of fork has the handler already. */
	if (collect.signal != 0) {
		collect.clocks_are_off = false;
		collect.header->clock = collect.settings.clock;
		return true;
	}
	collect.signal = choose_signal();
	ours.handler = handle;
	ours.flags = SA_SIGINFO | SA_RESTART | RESTORER;
	ours.restorer = collect_restore;
	ours.mask = ~UINT64_C(0);
	if (collect.signal == 0 || set_action(collect.signal, &ours, &before) < 0) {
		SAY("no signal is free: nothing is sampled");
		collect.signal = 0;
		return false;
	}
	collect.header->clock = collect.settings.clock;
	return true;
}

/* A clock of the kernel's profiler; finer than timers.  Returns its descriptor. */
static int
open_event(const struct thread *thread)
{
	enum { TO_THREAD = 0, LEAST = 20000 }; /* the kernel takes no shorter intervals */
	const struct {
		int type, id;
	} owner = {TO_THREAD, (int)thread->tid};
	struct perf_event_attr attributes;
	struct rlimit limit;
	uint64_t first = any_moment();
	long event, high;

	for (size_t i = 0; i < sizeof attributes / 8; i++)
		((volatile uint64_t *)(void *)&attributes)[i] = 0;
	/* Where signals cannot queue up, it sends SIGIO in their place, which ends programs. */
	if (SYS2(getrlimit, RLIMIT_SIGPENDING, &limit) == 0 && limit.rlim_cur < LEAST_PENDING)
		return -EAGAIN;
	attributes.type = PERF_TYPE_SOFTWARE;
	attributes.size = sizeof attributes;
	attributes.config = PERF_COUNT_SW_TASK_CLOCK;
	attributes.sample_period = first > LEAST ? first : LEAST;
	attributes.exclude_kernel = 1;
	attributes.exclude_hv = 1;
	attributes.disabled = 1;
	attributes.wakeup_events = 1;
	event = SYS5(perf_event_open, &attributes, thread->tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return (int)event;
	high = SYS3(fcntl, event, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
	if (high >= 0) {
		SYS1(close, event);
		event = high;
	}
	if (SYS3(fcntl, event, F_SETFL, O_ASYNC) < 0 ||
	    SYS3(fcntl, event, F_SETSIG, collect.signal) < 0 ||
	    SYS3(fcntl, event, F_SETOWN_EX, &owner) < 0 ||
	    SYS3(ioctl, event, PERF_EVENT_IOC_ENABLE, 0) < 0) {
		SYS1(close, event);
		return -EINVAL;
	}
	return (int)event;
}

static void
open_timer(struct thread *thread)
{
	struct sigevent event;
	int timer = -1, none = -1;
	long result;

	for (size_t i = 0; i < sizeof event / 8; i++)
		((volatile uint64_t *)(void *)&event)[i] = 0;
	event.sigev_value.sival_ptr = &collect;
	event.sigev_signo = (int)collect.signal;
	event.sigev_notify = SIGEV_THREAD_ID;
	event._sigev_un._tid = (int)thread->tid;
	result = SYS3(timer_create, sys_thread_clock((int)thread->tid), &event, &timer);
	/* Who starts sampling for all threads can have been faster. */
	if (result == 0 && !__atomic_compare_exchange_n(&thread->timer, &none, timer, false,
	                                                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
		SYS1(timer_delete, timer);
		return;
	}
	thread->has_first = true;
	if (result == 0)
		result = set_timer(timer, 1, 0);
	if (result == 0)
		return;
	if (timer >= 0) {
		thread->timer = -1;
		SYS1(timer_delete, timer);
	}
	if (__atomic_fetch_or(&collect.is_refused, 1, __ATOMIC_RELAXED) == 0)
		SAY("the system refuses timers: calls are counted, times are not measured");
}

void
sample_thread(struct thread *thread)
{
	if (collect.signal == 0 || collect.is_stopped)
		return;
	if (collect.header->clock == GXC_CLOCK_TASK) {
		thread->has_first = true;
		thread->event = open_event(thread);
		if (thread->event >= 0) {
			collect.has_events = true;
			return;
		}
		/*
		 * It is refused to all alike, or some have one and no descriptor is left, and a
		 * timer of the same time is as good.
		 */
		if (!collect.has_events) {
			collect.header->clock = GXC_CLOCK_CPU;
			__atomic_fetch_or(&collect.header->flags, GXC_OTHER_CLOCK,
			                  __ATOMIC_RELAXED);
			SAY("the system refuses clock=task (",
			    thread->event == -EAGAIN ? "ulimit -i" : "perf_event_paranoid",
			    "): clock=cpu is used");
		}
	}
	open_timer(thread);
}

/* The program can have closed the event and opened something else with its number. */
static bool
is_event(int descriptor)
{
	uint64_t id;

	return descriptor >= 0 && SYS3(ioctl, descriptor, PERF_EVENT_IOC_ID, &id) == 0;
}

void
sample_end_thread(struct thread *thread)
{
	if (thread->timer >= 0)
		SYS1(timer_delete, thread->timer);
	thread->timer = -1;
	if (is_event(thread->event))
		SYS1(close, thread->event);
	thread->event = -1;
}

/* Stops the clocks of all threads, or lets them run again. */
static void
set_clocks(bool runs)
{
	__atomic_store_n(&collect.clocks_are_off, !runs, __ATOMIC_SEQ_CST);
	for (struct thread *thread = collect.threads; thread; thread = thread->next) {
		if (thread->timer >= 0) {
			thread->has_first = runs;
			set_timer(thread->timer, runs ? 1 : 0, 0);
		}
		if (is_event(thread->event))
			SYS3(ioctl, thread->event,
			     runs ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
	}
}

void
sample_stop(void)
{
	if (collect.signal != 0)
		set_clocks(false);
	waits_end();
}

void
sample_resume(void)
{
	waits_begin();
	if (collect.signal == 0)
		return;
	set_clocks(true);
	for (struct thread *thread = collect.threads; thread; thread = thread->next)
		if (thread->is_used && thread->tid != 0 && thread->timer < 0 && thread->event < 0)
			sample_thread(thread);
}

/*
 * The next program has no handler for the signal, and one that is on its way would end it.  What is
 * ignored is thrown away; then the signal gets back what it had.
 */
static void
drop_signal(void)
{
	struct kernel_action ignore = ours;

	ignore.handler = (void (*)(int, siginfo_t *, void *))(uintptr_t)1;
	ignore.flags = ours.flags & ~(unsigned long)SA_SIGINFO;
	set_action(collect.signal, &ignore, NULL);
	set_action(collect.signal, &before, NULL);
}

void
sample_before_exec(void)
{
	if (collect.signal == 0)
		return;
	/* A child that shares its parent's memory has none of its timers. */
	if ((uint32_t)SYS0(getpid) == collect.pid)
		set_clocks(false);
	drop_signal();
}

void
sample_after_exec(void)
{
	if (collect.signal == 0)
		return;
	set_action(collect.signal, &ours, NULL);
	if ((uint32_t)SYS0(getpid) == collect.pid && !collect.is_stopped)
		set_clocks(true);
}

void
sample_block(uint64_t *old)
{
	const uint64_t set = collect.signal != 0 ? UINT64_C(1) << (collect.signal - 1) : 0;

	SYS4(rt_sigprocmask, SIG_BLOCK, &set, old, SET_BYTES);
}

void
sample_block_all(uint64_t *old)
{
	const uint64_t set = ~UINT64_C(0);

	SYS4(rt_sigprocmask, SIG_SETMASK, &set, old, SET_BYTES);
}

void
sample_unblock(const uint64_t *old)
{
	SYS4(rt_sigprocmask, SIG_SETMASK, old, NULL, SET_BYTES);
}

void
sample_allow(void)
{
	const uint64_t set = collect.signal != 0 ? UINT64_C(1) << (collect.signal - 1) : 0;

	if (set != 0)
		SYS4(rt_sigprocmask, SIG_UNBLOCK, &set, NULL, SET_BYTES);
}

bool
sample_take_signal(uint32_t number, void (*handler)(int))
{
	struct kernel_action action = {.flags = SA_RESTART | RESTORER,
	                               .restorer = collect_restore,
	                               .mask = ~UINT64_C(0)};
	struct kernel_action now;

	if (set_action(number, NULL, &now) < 0 || now.handler != NULL)
		return false;
	action.handler = (void (*)(int, siginfo_t *, void *))(void (*)(void))handler;
	return set_action(number, &action, NULL) == 0;
}

bool
sample_has_signal(uint32_t number, void (*handler)(int))
{
	struct kernel_action now;

	return set_action(number, NULL, &now) == 0 &&
	       now.handler == (void (*)(int, siginfo_t *, void *))(void (*)(void))handler;
}

void
sample_forget(void)
{
	if (collect.signal != 0)
		set_action(collect.signal, &before, NULL);
	collect.signal = 0;
}

void
sample_get_passed(struct sigaction *action)
{
	action->sa_sigaction = before.handler;
	action->sa_flags = (int)(before.flags & ~(unsigned long)RESTORER);
	action->sa_restorer = NULL;
	for (size_t i = 0; i < sizeof action->sa_mask / sizeof before.mask; i++)
		action->sa_mask.__val[i] = i == 0 ? before.mask : 0;
}

void
sample_set_passed(const struct sigaction *action)
{
	before.handler = NULL;
	before.flags = (unsigned long)(unsigned)action->sa_flags | RESTORER;
	before.restorer = collect_restore;
	before.mask = action->sa_mask.__val[0];
	before.handler = action->sa_sigaction;
}

void
sample_notify(const struct thread *thread)
{
	uint32_t tid = __atomic_load_n(&thread->tid, __ATOMIC_ACQUIRE);
	siginfo_t info;

	if (collect.signal == 0 || tid == 0)
		return;
	for (size_t i = 0; i < sizeof info / 8; i++)
		((volatile uint64_t *)(void *)&info)[i] = 0;
	info.si_signo = (int)collect.signal;
	info.si_code = SI_QUEUE;
	info.si_value.sival_ptr = &collect;
	SYS4(rt_tgsigqueueinfo, collect.pid, tid, collect.signal, &info);
}

void
sample_check(void)
{
	struct kernel_action action;

	if (collect.signal == 0 || set_action(collect.signal, NULL, &action) < 0 ||
	    action.handler == handle)
		return;
	__atomic_fetch_or(&collect.header->flags, GXC_SIGNAL_LOST, __ATOMIC_RELAXED);
	SAY("the program took over the signal of the samples: its times are incomplete");
}
