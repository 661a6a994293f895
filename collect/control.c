/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Starts and stops sampling, as the program or the user asks: a signal of the user's starts it, and
 * the next one stops it, as CPUPROFILESIGNAL does in gperftools.  A program that handles the signal
 * itself keeps it, be it from later on.
 */
#include "collect.h"

static uint32_t is_busy, was_started;

void
control_start(void)
{
	if (collect.begun != 2 || collect.is_off || !collect.is_stopped)
		return;
	collect.is_stopped = false;
	sample_resume();
	event_note(GXC_EVENT_START, 0);
}

void
control_stop(void)
{
	if (collect.begun != 2 || collect.is_off || collect.is_stopped)
		return;
	sample_stop();
	collect.is_stopped = true;
	event_note(GXC_EVENT_STOP, 0);
}

/* Other threads can get one at the same time: two at once are none. */
static void
toggle(int number)
{
	(void)number;
	if (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE) != 0)
		return;
	was_started = 1;
	if (collect.is_stopped)
		control_start();
	else
		control_stop();
	__atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
}

void
control_begin(void)
{
	/* A child of fork has the handler, and samples if its parent did. */
	is_busy = 0;
	if (collect.settings.control == 0 || collect.is_forked)
		return;
	if (!sample_take_signal(collect.settings.control, toggle)) {
		SAY("the program already uses the signal of control=: sampling starts at once");
		collect.settings.control = 0;
		return;
	}
	collect.is_stopped = true;
	event_note(GXC_EVENT_STOP, 0);
}

void
control_end(void)
{
	char number[24];

	if (collect.settings.control == 0 || was_started || collect.is_forked)
		return;
	say_number(number, collect.settings.control);
	if (sample_has_signal(collect.settings.control, toggle))
		SAY("nothing was sampled, since nobody sent signal ", number,
		    " (control=) to start it");
	else
		SAY("nothing was sampled, since the program itself handles signal ", number,
		    " (control=)");
}
