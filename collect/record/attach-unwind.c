/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stacks of samples. */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <gprofx/gxc.h>

#include "../cfi.h"
#include "attach-events.h"
#include "attach-image.h"
#include "attach-process.h"
#include "attach-session.h"
#include "attach.h"

/* Of all processes: each takes about 60 bytes. */
#define MOST_NODES (UINT64_C(4) << 20)

/* A copy of a stack that ends where more would have been needed. */
struct copied {
	struct cfi_memory memory; /* first: it is what the other functions see */
	bool is_too_short;
};

static bool
see_end(struct cfi_memory *memory, uint64_t end)
{
	struct copied *copied = (struct copied *)(void *)memory;

	(void)end;
	copied->is_too_short = true;
	return false;
}

static uint64_t
value_at(const uint8_t *values, uint64_t i)
{
	uint64_t value;

	memcpy(&value, values + i * sizeof value, sizeof value);
	return value;
}

static void
set_registers(struct cfi_frame *frame, const uint8_t *values)
{
	*frame = (struct cfi_frame){.is_exact = true};
	for (uint32_t i = 0; i < events_register_count; i++) {
		frame->value[events_registers[i]] = value_at(values, i);
		frame->known |= 1u << events_registers[i];
	}
}

/* By unwind information.  Returns the number of frames. */
static uint32_t
follow_cfi(const struct session *session, struct cfi_frame *frame,
           const struct events_sample *sample, uint32_t *flags)
{
	uint64_t sp = frame->value[CFI_RSP];
	struct copied copied = {
		.memory = {sample->stack, sp, sp + sample->stack_bytes, see_end, true}};
	uint32_t count = 1;

	*flags = GXC_STACK_CFI;
	for (;;) {
		enum cfi_result result = cfi_step(frame, &copied.memory);

		if (result == CFI_OUTERMOST)
			return count;
		if (result == CFI_UNKNOWN) {
			/* The rest of it was not copied, or there is none. */
			*flags |= copied.is_too_short && sample->stack_bytes == EVENTS_STACK_BYTES
			                  ? GXC_STACK_CUT
			                  : GXC_STACK_BROKEN;
			return count;
		}
		if (count == session->attach->depth) {
			*flags |= GXC_STACK_CUT;
			return count;
		}
		session->pcs[count++] = frame->value[CFI_PC];
	}
}

/* Whether an address is where programs begin, or, if unwind information is not read here, in the
 * library that begins threads. */
static bool
is_first(const struct process *process, uint64_t pc)
{
	enum { ENTRY_BYTES = 64 };
	struct image_place place;
	const char *slash;

	if (!process_place(process, pc, &place))
		return false;
	if (pc - (place.image->entry + place.bias) < ENTRY_BYTES)
		return true;
	if (EVENTS_HAS_CFI)
		return false;
	slash = strrchr(place.image->path, '/');
	return slash && strncmp(slash, "/libc.", 6) == 0;
}

/* Whether nothing calls the code at an address. */
static bool
is_outermost(const struct process *process, uint64_t pc)
{
	struct cfi_simple simple;

	return (EVENTS_HAS_CFI && cfi_simplify(pc, &simple) && simple.is_outermost) ||
	       is_first(process, pc);
}

/* By frame pointers, which the system followed. */
static uint32_t
follow_chain(const struct session *session, const struct process *process,
             const struct events_sample *sample, uint32_t *flags)
{
	uint32_t count = 1, most = session->events.attributes.sample_max_stack;
	bool is_innermost = true;

	*flags = 0;
	for (uint64_t i = 0; i < sample->count; i++) {
		uint64_t pc = value_at(sample->chain, i);

		/* Marks of whose frames follow; the first is where the thread is. */
		if (pc >= (uint64_t)PERF_CONTEXT_MAX)
			continue;
		if (!is_innermost && count < session->attach->depth && pc != 0)
			session->pcs[count++] = pc;
		is_innermost = false;
	}
	if (count >= most || count >= session->attach->depth)
		*flags = GXC_STACK_CUT;
	else if (!is_outermost(process, session->pcs[count - 1] - 1))
		*flags = GXC_STACK_BROKEN;
	return count;
}

void
session_sample(struct session *session, const struct session_thread *thread,
               const struct events_sample *sample)
{
	struct process *process = thread->process;
	struct cfi_frame frame;
	uint32_t flags = 0, count = 1;

	/* In the midst of its end, or of exec, a thread has no code of its own: that is time
	 * without a sample. */
	if (!sample->values)
		return;
	session->samples++;
	set_registers(&frame, sample->values);
	session->pcs[0] = frame.value[CFI_PC];
	if (session->pcs[0] == 0)
		session->pcs[0] = 1;
	image_follow(process_place, process);
	if (session->attach->stacks == EVENTS_CFI)
		count = follow_cfi(session, &frame, sample, &flags);
	else if (session->attach->stacks == EVENTS_FP)
		count = follow_chain(session, process, sample, &flags);
	process_sample(process, thread->table, session->pcs, count, flags, &session->nodes,
	               MOST_NODES);
}
