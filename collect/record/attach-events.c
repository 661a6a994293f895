/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "attach-events.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <syscall.h>
#include <time.h>
#include <unistd.h>

#include "system.h"

enum {
	LARGEST = 1 << 16, /* of a record */
	MOST_RING = 4 << 20,
	LEAST_RING = 128 << 10,
	TRAILER = 24, /* of what is no sample: thread, time and number of the event */
	MOST_PROCESSORS = 4096
};

#if defined __x86_64__
/* ax, bx, cx, dx, si, di, bp, sp, ip, and 8 to 15. */
#define REGISTERS UINT64_C(0xff01ff)
enum { REGISTER_COUNT = 17 };
const uint8_t events_registers[] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15};
#else
/* sp and pc. */
#define REGISTERS (UINT64_C(1) << 31 | UINT64_C(1) << 32)
enum { REGISTER_COUNT = 2 };
const uint8_t events_registers[] = {7, 16};
#endif
const uint32_t events_register_count = REGISTER_COUNT;

/* Which processors run: "0-3,6". */
static bool
list_processors(struct events *events)
{
	char text[4096], *at = text;

	events->processors = calloc(MOST_PROCESSORS, sizeof *events->processors);
	if (!events->processors)
		return false;
	(void)system_read("/sys/devices/system/cpu/online", text, sizeof text);
	while (*at >= '0' && *at <= '9') {
		unsigned long first = strtoul(at, &at, 10), last = first;

		if (*at == '-')
			last = strtoul(at + 1, &at, 10);
		for (; first <= last && events->processor_count < MOST_PROCESSORS; first++)
			events->processors[events->processor_count++] = (int)first;
		at += *at == ',';
	}
	/* Where that is not shown, these are the numbers of most machines. */
	if (events->processor_count == 0)
		for (long i = 0; i < sysconf(_SC_NPROCESSORS_ONLN) && i < MOST_PROCESSORS; i++)
			events->processors[events->processor_count++] = (int)i;
	return events->processor_count > 0;
}

/* Greater depths than the system follows are those that it does. */
static uint16_t
chain_depth(uint32_t depth)
{
	enum { USUAL = 127 };
	long most = system_number("/proc/sys/kernel/perf_event_max_stack", USUAL);

	return (uint16_t)(most > 0 && most < (long)depth ? most : (long)depth);
}

static int
open_event(struct perf_event_attr *attributes, uint32_t tid, int processor)
{
	return (int)syscall(SYS_perf_event_open, attributes, tid, processor, -1,
	                    PERF_FLAG_FD_CLOEXEC);
}

/* Finds out what the system allows, on this process. */
static int
probe(struct perf_event_attr *attributes, bool follows)
{
	int event = open_event(attributes, (uint32_t)getpid(), -1);

	if (event < 0 && (errno == EACCES || errno == EPERM)) {
		attributes->exclude_kernel = 1;
		event = open_event(attributes, (uint32_t)getpid(), -1);
	}
	/* From Linux 6.0 on. */
	if (event < 0 && errno == EINVAL) {
		attributes->read_format = 0;
		event = open_event(attributes, (uint32_t)getpid(), -1);
	}
	/* From Linux 5.13 on; before, samples of children are left out one by one. */
	if (event < 0 && errno == EINVAL && !follows) {
		attributes->inherit_thread = 0;
		event = open_event(attributes, (uint32_t)getpid(), -1);
	}
	if (event < 0)
		return errno;
	close(event);
	return 0;
}

int
events_begin(struct events *events, enum events_stacks stacks, uint32_t rate, uint32_t depth,
             bool follows)
{
	struct perf_event_attr *attributes = &events->attributes;

	*attributes = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof *attributes,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = UINT64_C(1000000000) / rate,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
	                       PERF_SAMPLE_REGS_USER,
		.sample_regs_user = REGISTERS,
		.read_format = PERF_FORMAT_LOST,
		.disabled = 1,
		.inherit = 1,
		.inherit_thread = !follows,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.exclude_hv = 1,
		.exclude_callchain_kernel = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = LEAST_RING / 4,
	};
	if (stacks == EVENTS_FP) {
		attributes->sample_type |= PERF_SAMPLE_CALLCHAIN;
		attributes->sample_max_stack = chain_depth(depth);
	} else if (stacks == EVENTS_CFI && EVENTS_HAS_CFI) {
		attributes->sample_type |= PERF_SAMPLE_STACK_USER;
		attributes->sample_stack_user = EVENTS_STACK_BYTES;
	}
	if (!list_processors(events))
		return ENOMEM;
	events->rings = calloc(events->processor_count, sizeof *events->rings);
	events->waits = calloc(events->processor_count + 1, sizeof *events->waits);
	if (!events->rings || !events->waits)
		return ENOMEM;
	return probe(attributes, follows);
}

/* Maps a ring, of a size that the system allows. */
static int
map_ring(struct events_ring *ring, int descriptor)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	ring->joined = malloc(LARGEST);
	if (!ring->joined)
		return ENOMEM;
	for (size_t bytes = MOST_RING; bytes >= LEAST_RING; bytes /= 2) {
		void *memory = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		                    descriptor, 0);

		if (memory == MAP_FAILED)
			continue;
		ring->page = memory;
		ring->data = (uint8_t *)memory + page;
		ring->bytes = bytes;
		ring->descriptor = descriptor;
		return 0;
	}
	return errno;
}

/* Its event of one processor: the first one has the ring, further ones use it. */
static int
attach_on(struct events *events, struct target *target, uint32_t i)
{
	struct events_ring *ring = &events->rings[i];
	int event = open_event(&events->attributes, target->tid, events->processors[i]), error;

	if (event < 0)
		return errno;
	target->descriptors[i] = event;
	if (ioctl(event, PERF_EVENT_IOC_ID, &target->ids[i]) != 0)
		return errno;
	if (!ring->page) {
		error = map_ring(ring, event);
		events->waits[i + 1] = (struct pollfd){.fd = event, .events = POLLIN};
		return error;
	}
	return ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, ring->descriptor) == 0 ? 0 : errno;
}

static void
close_target(struct events *events, struct target *target)
{
	for (uint32_t i = 0; i < events->processor_count; i++)
		if (target->descriptors && target->descriptors[i] >= 0 &&
		    target->descriptors[i] != events->rings[i].descriptor)
			close(target->descriptors[i]);
	free(target->descriptors);
	free(target->ids);
}

int
events_attach(struct events *events, uint32_t tid)
{
	struct target target = {.tid = tid};
	int error = 0;

	if (events->target_count == events->target_room) {
		uint32_t room = events->target_room * 2 + 64;
		struct target *targets = realloc(events->targets, room * sizeof *targets);

		if (!targets)
			return ENOMEM;
		events->targets = targets;
		events->target_room = room;
	}
	target.descriptors = calloc(events->processor_count, sizeof *target.descriptors);
	target.ids = calloc(events->processor_count, sizeof *target.ids);
	if (!target.descriptors || !target.ids)
		error = ENOMEM;
	for (uint32_t i = 0; i < events->processor_count && target.descriptors; i++)
		target.descriptors[i] = -1;
	for (uint32_t i = 0; i < events->processor_count && error == 0; i++)
		error = attach_on(events, &target, i);
	/* An event also sets off those of the threads that started meanwhile. */
	for (uint32_t i = 0; i < events->processor_count && error == 0; i++)
		if (ioctl(target.descriptors[i], PERF_EVENT_IOC_ENABLE, 0) != 0)
			error = errno;
	if (error != 0)
		close_target(events, &target);
	else
		events->targets[events->target_count++] = target;
	return error;
}

struct target *
events_target(const struct events *events, uint32_t tid)
{
	for (uint32_t i = 0; i < events->target_count; i++)
		if (events->targets[i].tid == tid)
			return &events->targets[i];
	return NULL;
}

bool
events_is_of(const struct events *events, const struct target *target, uint64_t id)
{
	for (uint32_t i = 0; i < events->processor_count; i++)
		if (target->ids[i] == id)
			return true;
	return false;
}

/* What the events of a target counted, with what was started by it. */
static void
stop_target(const struct events *events, const struct target *target, struct events_count *sum)
{
	for (uint32_t i = 0; i < events->processor_count; i++) {
		uint64_t counts[2] = {0, 0};

		(void)ioctl(target->descriptors[i], PERF_EVENT_IOC_DISABLE, 0);
		if (read(target->descriptors[i], counts, sizeof counts) <= 0)
			continue;
		sum->time += counts[0];
		sum->lost += counts[1];
	}
}

void
events_detach(struct events *events, struct target *target)
{
	struct events_count ignored = {0, 0};

	stop_target(events, target, &ignored);
	close_target(events, target);
	*target = events->targets[--events->target_count];
}

struct events_count
events_stop(struct events *events)
{
	struct events_count sum = {0, 0};

	for (uint32_t i = 0; i < events->target_count; i++)
		stop_target(events, &events->targets[i], &sum);
	return sum;
}

uint64_t
events_time(const struct perf_event_header *record)
{
	/* In a sample behind its number and its thread; otherwise in what all records end with. */
	size_t at = record->type == PERF_RECORD_SAMPLE ? sizeof *record + 16
	                                               : record->size - TRAILER + 8u;
	uint64_t time;

	memcpy(&time, (const uint8_t *)record + at, sizeof time);
	return time;
}

/* Makes the next record of a ring one piece. */
static void
look(struct events_ring *ring)
{
	struct perf_event_header header;
	uint64_t at, first;

	ring->record = NULL;
	if (!ring->page)
		return;
	if (ring->tail == ring->head)
		ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	if (ring->tail == ring->head)
		return;
	at = ring->tail & (ring->bytes - 1);
	/* Records are multiples of 8 bytes, and so is the ring. */
	memcpy(&header, ring->data + at, sizeof header);
	if (header.size < sizeof header + TRAILER || header.size > ring->head - ring->tail) {
		ring->tail = ring->head;
		return;
	}
	first = ring->bytes - at;
	if (first < header.size) {
		memcpy(ring->joined, ring->data + at, (size_t)first);
		memcpy(ring->joined + first, ring->data, (size_t)(header.size - first));
		ring->record = ring->joined;
	} else {
		ring->record = ring->data + at;
	}
	ring->time = events_time((const struct perf_event_header *)(const void *)ring->record);
}

const struct perf_event_header *
events_next(struct events *events, uint64_t before)
{
	struct events_ring *oldest = NULL;

	for (uint32_t i = 0; i < events->processor_count; i++) {
		struct events_ring *ring = &events->rings[i];

		/* What was taken is given back. */
		if (ring->page && !ring->record) {
			__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
			look(ring);
		}
		if (ring->record && ring->time < before && (!oldest || ring->time < oldest->time))
			oldest = ring;
	}
	if (!oldest)
		return NULL;
	{
		const struct perf_event_header *record = (const void *)oldest->record;

		oldest->record = NULL;
		oldest->tail += record->size;
		return record;
	}
}

/* What is left of a record. */
struct rest {
	const uint8_t *at, *end;
};

static bool
take(struct rest *rest, void *to, uint64_t bytes)
{
	if (bytes > (uint64_t)(rest->end - rest->at))
		return false;
	if (to)
		memcpy(to, rest->at, (size_t)bytes);
	rest->at += bytes;
	return true;
}

bool
events_read(const struct events *events, const struct perf_event_header *record,
            struct events_sample *sample)
{
	uint64_t type = events->attributes.sample_type, abi, size;
	struct rest rest = {(const uint8_t *)(record + 1), (const uint8_t *)record + record->size};

	memset(sample, 0, sizeof *sample);
	if (!take(&rest, &sample->id, 8) || !take(&rest, &sample->pid, 4) ||
	    !take(&rest, &sample->tid, 4) || !take(&rest, NULL, 8))
		return false;
	if (type & PERF_SAMPLE_CALLCHAIN) {
		if (!take(&rest, &sample->count, 8) || sample->count > LARGEST / 8)
			return false;
		sample->chain = rest.at;
		if (!take(&rest, NULL, sample->count * 8))
			return false;
	}
	if (!take(&rest, &abi, 8))
		return false;
	if (abi != PERF_SAMPLE_REGS_ABI_NONE) {
		sample->values = abi == PERF_SAMPLE_REGS_ABI_64 ? rest.at : NULL;
		if (!take(&rest, NULL, REGISTER_COUNT * 8))
			return false;
	}
	if (!(type & PERF_SAMPLE_STACK_USER))
		return true;
	if (!take(&rest, &size, 8))
		return false;
	sample->stack = rest.at;
	return size == 0 || (take(&rest, NULL, size) && take(&rest, &sample->stack_bytes, 8) &&
	                     sample->stack_bytes <= size);
}

void
events_end(struct events *events)
{
	for (uint32_t i = 0; i < events->target_count; i++)
		close_target(events, &events->targets[i]);
	for (uint32_t i = 0; events->rings && i < events->processor_count; i++) {
		struct events_ring *ring = &events->rings[i];

		if (ring->page) {
			munmap(ring->page,
			       (size_t)(ring->data - (uint8_t *)ring->page) + ring->bytes);
			close(ring->descriptor);
		}
		free(ring->joined);
	}
	free(events->targets);
	free(events->rings);
	free(events->waits);
	free(events->processors);
}
