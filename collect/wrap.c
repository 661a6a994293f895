/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions of the C library that the collector stands in front of, in the shared library only:
 * threads are known from their start, other programs start without our signals, and code that is
 * unloaded is distinguished from what takes its addresses.
 */
#include "collect.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "waits.h"
#include "wrap.h"

struct wrapped wrapped;

static pthread_key_t key;
static bool has_key;

static void end_thread(void *data);

#define LOOK_UP(name) (*(void **)(void *)&wrapped.name = dlsym(RTLD_NEXT, #name))

__attribute__((constructor(102))) void
wrapped_look_up(void)
{
	if (wrapped.is_complete)
		return;
	LOOK_UP(pthread_create);
	LOOK_UP(dlclose);
	LOOK_UP(execve);
	LOOK_UP(execv);
	LOOK_UP(execvp);
	LOOK_UP(execvpe);
	LOOK_UP(fexecve);
	LOOK_UP(_Fork);
	LOOK_UP(clone);
	LOOK_UP(sigaction);
	LOOK_UP(signal);
	LOOK_UP(__sysv_signal);
	LOOK_UP(sigprocmask);
	LOOK_UP(pthread_sigmask);
	LOOK_UP(sigwait);
	LOOK_UP(sigwaitinfo);
	LOOK_UP(sigtimedwait);
	LOOK_UP(signalfd);
	LOOK_UP(prctl);
	LOOK_UP(syscall);
	LOOK_UP(unshare);
	LOOK_UP(setns);
	has_key = pthread_key_create(&key, end_thread) == 0;
	wrapped.is_complete = true;
}

/* What a thread is to run, and on which stack. */
struct start {
	void *(*function)(void *);
	void *argument;
	size_t stack_bytes;
};

/*
 * At the end of a thread.  Other keys can have code that calls functions, too, so this comes in the
 * last round of them.
 */
static void
end_thread(void *data)
{
	uintptr_t rounds = (uintptr_t)data;

	if (rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
		(void)pthread_setspecific(key, (void *)(rounds + 1));
		return;
	}
	if (collect_is_nobody(collect_self))
		return;
	/* What this is in goes with the thread, be the collector off. */
	phases_leave(collect_self);
	if (!collect.is_off)
		thread_leave(collect_self);
}

/* The thread's stack: where it is now is near the upper end. */
static void
find_stack(struct thread *thread, size_t bytes)
{
	enum { ABOVE = 512 };
	uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);

	thread->stack_high = here + ABOVE;
	thread->stack_low = thread->stack_high > bytes ? thread->stack_high - bytes : 0;
}

static void *
run(void *data)
{
	const struct start start = *(struct start *)data;
	struct thread *thread;

	free(data);
	if (collect.thread_entry == 0)
		unwind_learn_thread((uint64_t)(uintptr_t)__builtin_return_address(0));
	/* The parent can have blocked all signals for its threads; this one is not the program's.
	 */
	sample_allow();
	thread = thread_register(true);
	if (thread) {
		find_stack(thread, start.stack_bytes);
		if (!has_key || pthread_setspecific(key, (void *)1) != 0) {
			thread->is_waited_for = 0;
			phases_leave(thread);
		}
	}
	return start.function(start.argument);
}

static size_t
stack_bytes_of(const pthread_attr_t *attributes)
{
	static size_t usual;
	pthread_attr_t defaults;
	size_t bytes = 0;

	if (attributes) {
		(void)pthread_attr_getstacksize(attributes, &bytes);
		return bytes;
	}
	if (usual == 0 && pthread_getattr_default_np(&defaults) == 0) {
		(void)pthread_attr_getstacksize(&defaults, &bytes);
		(void)pthread_attr_destroy(&defaults);
		usual = bytes;
	}
	return usual;
}

EXPORTED int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
               void *argument)
{
	struct start *start;
	int result;

	wrapped_look_up();
	/* Where nothing is measured, nothing is changed. */
	if (collect.begun != 2 || collect.is_off)
		return wrapped.pthread_create(thread, attributes, function, argument);
	/* Later, this thread would not be the one that notices. */
	collect_notice_copy();
	start = malloc(sizeof *start);
	if (!start)
		return EAGAIN;
	*start = (struct start){function, argument, stack_bytes_of(attributes)};
	result = wrapped.pthread_create(thread, attributes, run, start);
	if (result != 0)
		free(start);
	return result;
}

EXPORTED int
dlclose(void *handle)
{
	uint32_t pid = collect.pid;
	int result;

	wrapped_look_up();
	if (collect.begun != 2 || collect.is_off)
		return wrapped.dlclose(handle);
	__atomic_fetch_add(&collect.closing, 1, __ATOMIC_SEQ_CST);
	waits_let_go();
	result = wrapped.dlclose(handle);
	objects_unloaded();
	/* What ran at its end can have forked. */
	if (pid == collect.pid)
		__atomic_fetch_sub(&collect.closing, 1, __ATOMIC_ACQ_REL);
	return result;
}

/* A child that pthread_atfork() says nothing of.  In a handler of signals it is allowed, too. */
EXPORTED pid_t
_Fork(void)
{
	uint64_t old;
	pid_t child;
	bool is_quiet = collect.is_quiet; /* the child forgets it */

	wrapped_look_up();
	/* The C library before 2.34 has none. */
	if (!wrapped._Fork)
		return fork();
	if (collect.is_off && !is_quiet)
		return wrapped._Fork();
	if (!is_quiet)
		sample_block(&old);
	child = wrapped._Fork();
	if (child == 0)
		collect_restart_in_child();
	if (!is_quiet)
		sample_unblock(&old);
	return child;
}

/* What a child is to run. */
struct copy {
	int (*function)(void *);
	void *argument;
};

static int
run_copy(void *data)
{
	const struct copy copy = *(struct copy *)data;

	collect_restart_in_child();
	return copy.function(copy.argument);
}

EXPORTED int
clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	/* The child has a copy of this. */
	struct copy copy = {function, argument};
	pid_t *parent_tid, *child_tid;
	void *tls;
	va_list list;

	va_start(list, argument);
	parent_tid = va_arg(list, pid_t *);
	tls = va_arg(list, void *);
	child_tid = va_arg(list, pid_t *);
	va_end(list);
	wrapped_look_up();
	if (function && stack && !(flags & CLONE_VM)) {
		function = run_copy;
		argument = &copy;
	}
	return wrapped.clone(function, stack, flags, argument, parent_tid, tls, child_tid);
}

static void
before_exec(void)
{
	wrapped_look_up();
	if (collect.begun != 2 || collect.is_off)
		return;
	if ((uint32_t)getpid() == collect.pid) {
		event_note(GXC_EVENT_EXEC, 0);
		threads_finish();
		exact_clock_note();
		chunks_write_private(false);
		collect.header->state = GXC_REPLACED;
		collect.header->end = collect_now();
	}
	sample_before_exec();
}

/* It failed: the program goes on. */
static int
after_exec(int result)
{
	if (collect.begun != 2 || collect.is_off)
		return result;
	if ((uint32_t)getpid() == collect.pid) {
		collect.header->state = GXC_RUNNING;
		collect.header->end = 0;
		chunks_keep_private();
	}
	sample_after_exec();
	return result;
}

EXPORTED int
execve(const char *path, char *const words[], char *const environment[])
{
	before_exec();
	return after_exec(wrapped.execve(path, words, environment));
}

EXPORTED int
execv(const char *path, char *const words[])
{
	before_exec();
	return after_exec(wrapped.execv(path, words));
}

EXPORTED int
execvp(const char *file, char *const words[])
{
	before_exec();
	return after_exec(wrapped.execvp(file, words));
}

EXPORTED int
execvpe(const char *file, char *const words[], char *const environment[])
{
	before_exec();
	return after_exec(wrapped.execvpe(file, words, environment));
}

EXPORTED int
fexecve(int descriptor, char *const words[], char *const environment[])
{
	before_exec();
	return after_exec(wrapped.fexecve(descriptor, words, environment));
}

/* Counts the words of a list that ends with NULL. */
static size_t
count_words(va_list list)
{
	size_t count = 1;

	while (va_arg(list, char *))
		count++;
	return count;
}

/* Copies them behind the first one, with the NULL; the environment can follow. */
static char *const *
copy_words(char **words, const char *first, size_t count, va_list list)
{
	*(const char **)words = first;
	for (size_t i = 1; i <= count; i++)
		words[i] = va_arg(list, char *);
	return words;
}

EXPORTED int
execl(const char *path, const char *first, ...)
{
	va_list list;
	size_t count;
	char **words;

	va_start(list, first);
	count = count_words(list);
	va_end(list);
	words = alloca((count + 1) * sizeof *words);
	va_start(list, first);
	copy_words(words, first, count, list);
	va_end(list);
	return execv(path, words);
}

EXPORTED int
execlp(const char *file, const char *first, ...)
{
	va_list list;
	size_t count;
	char **words;

	va_start(list, first);
	count = count_words(list);
	va_end(list);
	words = alloca((count + 1) * sizeof *words);
	va_start(list, first);
	copy_words(words, first, count, list);
	va_end(list);
	return execvp(file, words);
}

EXPORTED int
execle(const char *path, const char *first, ...)
{
	char *const *environment;
	va_list list;
	size_t count;
	char **words;

	va_start(list, first);
	count = count_words(list);
	va_end(list);
	words = alloca((count + 1) * sizeof *words);
	va_start(list, first);
	copy_words(words, first, count, list);
	environment = va_arg(list, char *const *);
	va_end(list);
	return execve(path, words, environment);
}
