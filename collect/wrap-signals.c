/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The signal of the samples is not the program's: what a program does with all signals, such as
 * giving them back their defaults, blocking them, or waiting for them, leaves this one out.  What
 * others send with its number reaches the program's own handler.  In the shared library only.
 */
#include "collect.h"

#include <sys/signalfd.h>

#include "wrap.h"

static bool
is_ours(int number)
{
	return collect.signal != 0 && number == (int)collect.signal;
}

/* The set, or a copy without our signal. */
static const sigset_t *
without_ours(const sigset_t *set, sigset_t *copy)
{
	if (!set || collect.signal == 0 || sigismember(set, (int)collect.signal) != 1)
		return set;
	*copy = *set;
	(void)sigdelset(copy, (int)collect.signal);
	return copy;
}

/*
 * Whether a handler runs on a stack that has no room for another one on top: ours is to wait then.
 * A handler that leaves its signal unblocked is often left by a jump, and ours would wait for ever.
 */
static bool
has_small_stack(const struct sigaction *action)
{
	enum { ROOM_FOR_TWO = 16384 };
	stack_t stack;

	return action && (action->sa_flags & (SA_ONSTACK | SA_NODEFER)) == SA_ONSTACK &&
	       sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE) &&
	       stack.ss_size < ROOM_FOR_TWO;
}

/* For a signal that is not ours. */
static int
set_other(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction changed;
	int result;

	if (collect.signal != 0 && has_small_stack(action)) {
		changed = *action;
		(void)sigaddset(&changed.sa_mask, (int)collect.signal);
		action = &changed;
	}
	result = wrapped.sigaction(number, action, old);
	if (result == 0 && old && collect.signal != 0)
		(void)sigdelset(&old->sa_mask, (int)collect.signal);
	return result;
}

EXPORTED int
sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction before;

	wrapped_look_up();
	if (!is_ours(number))
		return set_other(number, action, old);
	sample_get_passed(&before);
	if (action)
		sample_set_passed(action);
	if (old)
		*old = before;
	return 0;
}

static sighandler_t
set_handler(int number, sighandler_t handler)
{
	struct sigaction action = {.sa_flags = SA_RESTART}, old;

	action.sa_handler = handler;
	return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

EXPORTED sighandler_t
signal(int number, sighandler_t handler)
{
	wrapped_look_up();
	return is_ours(number) ? set_handler(number, handler) : wrapped.signal(number, handler);
}

EXPORTED sighandler_t
__sysv_signal(int number, sighandler_t handler)
{
	wrapped_look_up();
	return is_ours(number) ? set_handler(number, handler)
	                       : wrapped.__sysv_signal(number, handler);
}

EXPORTED int
sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;

	wrapped_look_up();
	return wrapped.sigprocmask(how, how != SIG_UNBLOCK ? without_ours(set, &copy) : set, old);
}

EXPORTED int
pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;

	wrapped_look_up();
	return wrapped.pthread_sigmask(how, how != SIG_UNBLOCK ? without_ours(set, &copy) : set,
	                               old);
}

EXPORTED int
sigwait(const sigset_t *set, int *number)
{
	sigset_t copy;

	wrapped_look_up();
	return wrapped.sigwait(without_ours(set, &copy), number);
}

EXPORTED int
sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	sigset_t copy;

	wrapped_look_up();
	return wrapped.sigwaitinfo(without_ours(set, &copy), info);
}

EXPORTED int
sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	sigset_t copy;

	wrapped_look_up();
	return wrapped.sigtimedwait(without_ours(set, &copy), info, timeout);
}

EXPORTED int
signalfd(int descriptor, const sigset_t *set, int flags)
{
	sigset_t copy;

	wrapped_look_up();
	return wrapped.signalfd(descriptor, without_ours(set, &copy), flags);
}
