/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What programs and compilers call by name, but for mcount itself and functions of the C library.
 */
#include <gprofx/collect.h>

#include "collect.h"

#define EXPORTED __attribute__((visibility("default")))

/* Of compilers, with -finstrument-functions. */
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

EXPORTED void
__cyg_profile_func_enter(void *function, void *site)
{
	collect_count((uint64_t)(uintptr_t)site, (uint64_t)(uintptr_t)function);
}

EXPORTED void
__cyg_profile_func_exit(void *function, void *site)
{
	(void)function;
	(void)site;
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
