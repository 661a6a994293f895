/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A process with one thread can enter namespaces that others cannot.  The thread that looks for
 * waits (clock=wall) must not make a difference: it ends before.
 */
#include <sched.h>

#include "collect.h"
#include "waits.h"
#include "wrap.h"

static bool
is_watched(void)
{
	wrapped_look_up();
	return collect.begun == 2 && !collect.is_off && !collect.is_stopped &&
	       collect.settings.clock == GXC_CLOCK_WALL;
}

EXPORTED int
unshare(int flags)
{
	bool goes_on = is_watched();
	int result;

	if (goes_on)
		waits_end();
	result = wrapped.unshare(flags);
	if (goes_on)
		waits_begin();
	return result;
}

EXPORTED int
setns(int descriptor, int kind)
{
	bool goes_on = is_watched();
	int result;

	if (goes_on)
		waits_end();
	result = wrapped.setns(descriptor, kind);
	if (goes_on)
		waits_begin();
	return result;
}
