/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is done where the C library can be used: at the start of the program and at its end. */
#include "collect.h"

#include <string.h>
#include <elf.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "sys.h"

struct process collect = {.descriptor = -1};

/*
 * Whether the program is static and has a fixed address: such programs register their unwind
 * information by a call, later than this, and the unwinder then takes a lock to look it up.
 */
static bool
registers_frames(void)
{
	const Elf64_Phdr *part = (const Elf64_Phdr *)getauxval(AT_PHDR);
	unsigned long count = getauxval(AT_PHNUM);

	for (unsigned long i = 0; part && i < count; i++)
		if (part[i].p_type == PT_DYNAMIC)
			return false;
	return true;
}

void
collect_prepare(void)
{
	ssize_t length;

	if (collect.is_ready)
		return;
	collect.is_ready = true;
	say_prepare();
	collect.pid = (uint32_t)getpid();
	collect.entry = (uint64_t)getauxval(AT_ENTRY);
	/* A program with rights of others: its environment comes from who has none of them. */
	if (getauxval(AT_SECURE) != 0) {
		collect.is_off = true;
		return;
	}
	if (!getcwd(collect.folder, sizeof collect.folder))
		strcpy(collect.folder, ".");
	length = readlink("/proc/self/exe", collect.program, sizeof collect.program - 1);
	collect.program[length > 0 ? length : 0] = '\0';
	settings_read(&collect.settings);
	if (collect.settings.is_exact)
		exact_clock_choose(collect_call_empty);
	collect.registers_frames = registers_frames();
	unwind_prepare();
}

void
collect_end(void)
{
	if (collect.is_quiet)
		collect.header->state = GXC_CLOSED;
	if (collect.begun != 2 || collect.is_off || (uint32_t)getpid() != collect.pid)
		return;
	collect.is_ending = true;
	sample_check();
	control_end();
	sample_stop();
	objects_find();
	threads_finish();
	exact_clock_end();
	event_note(GXC_EVENT_STOP, 0);
	collect.header->end = sys_nanoseconds(CLOCK_REALTIME);
	collect.header->state = GXC_CLOSED;
	chunks_write_private(true);
	if (collect.settings.gmon != GMON_OFF)
		collect_write_gmon();
	if (collect.settings.gmon == GMON_ONLY && collect.file[0] != '\0')
		unlink(collect.file);
}

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
