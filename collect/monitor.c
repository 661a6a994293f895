/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the C library has for programs that are compiled with -pg.  In glibc, the code that such
 * programs start with calls it; musl has neither.  Both together tell a static program which of
 * them it is linked with: this file is part of it only in the first case.
 */
#include "collect.h"

#include <unwind.h>

#include <gprofx/collect.h>

#define EXPORTED __attribute__((visibility("default")))

/* Called at the start and end of the program. */
void __monstartup(unsigned long low, unsigned long high);
void monstartup(unsigned long low, unsigned long high);
void _mcleanup(void);
int moncontrol(int mode);

/*
 * Makes the unwinder part of the program.  That of a compiler for glibc needs a function of glibc
 * (_dl_find_object), so for a program with musl it could not be linked.
 */
__attribute__((used)) static _Unwind_Reason_Code (*const unwinder)(_Unwind_Trace_Fn,
                                                                   void *) = _Unwind_Backtrace;

EXPORTED void
__monstartup(unsigned long low, unsigned long high)
{
	collect_prepare();
	collect.text_low = low;
	collect.text_high = high;
	if (collect_begin())
		collect.header->flags |= GXC_INSTRUMENTED;
}

EXPORTED void
monstartup(unsigned long low, unsigned long high)
{
	__monstartup(low, high);
}

/*
 * The C library's file is written here.  At the end of the process that happens once more, since
 * libraries run code after this.
 */
EXPORTED void
_mcleanup(void)
{
	if (collect.begun == 2 && !collect.is_off && collect.settings.gmon != GMON_OFF &&
	    !collect.is_ending)
		collect_write_gmon();
}

EXPORTED int
moncontrol(int mode)
{
	if (mode)
		gprofx_collect_start();
	else
		gprofx_collect_stop();
	return 0;
}
