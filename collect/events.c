/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "collect.h"

#include "sys.h"

enum { ROOM = 252 }; /* a page */

static struct gxc_chunk *chunk;

void
event_note(enum gxc_event_kind kind, uint32_t value)
{
	struct gxc_chunk *to = __atomic_load_n(&chunk, __ATOMIC_ACQUIRE);
	struct gxc_event *event;
	uint64_t at = 0;

	if (to)
		at = __atomic_fetch_add(&to->filled, 1, __ATOMIC_RELAXED);
	if (!to || at >= to->capacity) {
		to = chunk_make(GXC_EVENTS, sizeof *event, ROOM, 0);
		if (!to)
			return;
		at = to->filled++;
		__atomic_store_n(&chunk, to, __ATOMIC_RELEASE);
	}
	event = (struct gxc_event *)chunk_entries(to) + at;
	event->time = sys_nanoseconds(CLOCK_REALTIME);
	event->value = value;
	/* A kind of 0 is none. */
	__atomic_store_n(&event->kind, kind, __ATOMIC_RELEASE);
	__atomic_fetch_add(&to->used, 1, __ATOMIC_RELEASE);
}

void
events_forget(void)
{
	chunk = NULL;
}
