/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What programs and compilers call by name, but for mcount itself and functions of the C library.
 */
#include <gprofx/collect.h>

#include "collect.h"
#include "exact.h"
#include "sys.h"

#define EXPORTED __attribute__((visibility("default")))

/* Where the function is called, the stack pointer there, and the frame pointer. */
#define HERE machine_plain((uint64_t)(uintptr_t)__builtin_return_address(0))
#define STACK ((uint64_t)(uintptr_t)__builtin_dwarf_cfa())
#define FRAME (*(const uint64_t *)__builtin_frame_address(0))

/* Of compilers, with -finstrument-functions. */
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

EXPORTED void
__cyg_profile_func_enter(void *function, void *site)
{
	if (collect.settings.is_exact)
		exact_enter((uint64_t)(uintptr_t)function, machine_plain((uint64_t)(uintptr_t)site),
		            HERE, STACK, FRAME);
	else
		collect_count((uint64_t)(uintptr_t)site, (uint64_t)(uintptr_t)function);
}

EXPORTED void
__cyg_profile_func_exit(void *function, void *site)
{
	if (collect.settings.is_exact)
		exact_exit((uint64_t)(uintptr_t)function, machine_plain((uint64_t)(uintptr_t)site),
		           HERE, STACK);
}

void
collect_call_empty(uint32_t count)
{
	/* As programs call them: the compiler does not know what is there. */
	void (*volatile enter)(void *, void *) = __cyg_profile_func_enter;
	void (*volatile leave)(void *, void *) = __cyg_profile_func_exit;
	void *function = __builtin_return_address(0), *site = (char *)function + 1;

	for (uint32_t i = 0; i < count; i++) {
		enter(function, site);
		leave(function, site);
	}
}

EXPORTED void
gprofx_collect_start(void)
{
	control_start();
}

EXPORTED void
gprofx_collect_stop(void)
{
	control_stop();
}

EXPORTED int
gprofx_collect_snapshot(const char *path)
{
	if (collect.begun != 2 || collect.is_off)
		return -1;
	objects_find();
	return gmon_snapshot(path) ? 0 : -1;
}

EXPORTED void
gprofx_collect_thread_name(const char *name)
{
	if (collect_begin() && (!collect_is_nobody(collect_self) || thread_register(false)))
		threads_name(name);
}

EXPORTED void
gprofx_collect_mark(const char *phase)
{
	if (collect_begin())
		phases_mark(phase);
}

EXPORTED int
gprofx_collect_status(struct gprofx_collect_status *status)
{
	if (status->size < sizeof *status)
		return -1;
	status->is_on = collect.begun == 2 && !collect.is_off;
	status->samples = status->is_on && collect.signal != 0 && !collect.is_stopped;
	status->threads = status->is_on ? collect.header->threads : 0;
	status->bytes = status->is_on ? collect.header->bytes : 0;
	status->lost_calls = status->is_on ? collect.header->lost_calls : 0;
	status->lost_samples = status->is_on ? collect.header->lost_samples : 0;
	status->file = status->is_on && collect.file[0] != '\0' ? collect.file : NULL;
	return 0;
}
