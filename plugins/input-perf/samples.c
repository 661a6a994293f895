/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: what they weigh, and their stacks. */
#include "../shared/grown.h"
#include "records.h"
#include "numbers.h"
#include "reading.h"

/* Chains have marks in them, which say where the addresses behind them are. */
#define FIRST_MARK (UINT64_MAX - 4094)

enum {
	MARK_HYPERVISOR = -32,
	MARK_KERNEL = -128,
	MARK_USER = -512,
	MARK_DEFERRED = -640,
	MARK_GUEST = -2048,
	MARK_GUEST_KERNEL = -2176,
	MARK_GUEST_USER = -2560
};

/* A sample as it is in its record. */
struct sample {
	const struct perfdata_record *record;
	uint32_t at; /* up to where it was read */
	uint32_t event, process, slice, tid;
	uint32_t first, frames;
};

/* What is read with a sample. */
struct reading {
	const uint8_t *values;
	uint64_t count;
	uint32_t step, id_at; /* bytes of each; 0: without a number of the event */
};

static bool
take(struct sample *sample, uint64_t bytes)
{
	if (bytes > sample->record->bytes - sample->at)
		return false;
	sample->at += (uint32_t)bytes;
	return true;
}

static bool
read_values(const struct perfdata *p, struct sample *sample, uint64_t format,
            struct reading *reading)
{
	uint32_t both = (format & READ_ENABLED ? 1U : 0U) + (format & READ_RUNNING ? 1U : 0U);
	const uint8_t *at = sample->record->at + sample->at;

	reading->id_at = format & READ_ID ? 8U : 0U;
	reading->step = 8 + reading->id_at + (format & READ_LOST ? 8U : 0U);
	reading->count = 1;
	reading->values = at;
	if (format & READ_GROUP) {
		if (!take(sample, 8 + 8 * both))
			return false;
		reading->count = perfdata_u64(p, at);
		reading->values = sample->record->at + sample->at;
		if (reading->count > (sample->record->bytes - sample->at) / reading->step)
			return false;
		return take(sample, reading->count * reading->step);
	}
	reading->id_at = format & READ_ID ? 8 + 8 * both : 0U;
	return take(sample, reading->step + 8 * both);
}

/* The mode behind a mark; 0: what follows means nothing known. */
static uint32_t
mode_behind(uint64_t mark)
{
	switch ((int64_t)mark) {
	case MARK_HYPERVISOR:
		return MODE_HYPERVISOR;
	case MARK_KERNEL:
		return MODE_KERNEL;
	case MARK_USER:
		return MODE_USER;
	case MARK_GUEST:
	case MARK_GUEST_KERNEL:
	case MARK_GUEST_USER:
		return MODE_GUEST_KERNEL;
	default:
		return 0;
	}
}

/* The address by which the host finds a frame; 0: failed. */
static inline uint64_t
address_of(struct perfdata *p, uint32_t process, uint32_t mode, uint64_t address)
{
	if (mode == MODE_USER)
		return address;
	if (mode == MODE_KERNEL)
		return perfdata_kernel_address(p, &p->processes[process], address);
	return perfdata_guest_address(p, &p->processes[process]);
}

/*
 * The frames of a chain, the innermost first.  Callers are at the addresses that they return to,
 * but the innermost one, and the outermost part that was interrupted.
 */
static bool
read_chain(struct perfdata *p, struct sample *sample, const uint8_t *at, uint64_t count,
           uint64_t innermost)
{
	uint64_t *frames = perfdata_batch_frames(p, (uint32_t)count + 1);
	uint32_t mode = sample->record->misc & MISC_MODE;
	bool is_exact = true;

	for (uint64_t i = 0; i < count; i++, at += 8) {
		uint64_t address = perfdata_u64(p, at);

		if (address >= FIRST_MARK) {
			uint32_t behind = mode_behind(address);

			if ((int64_t)address == MARK_DEFERRED)
				p->losses.without_callers++;
			if (behind == 0)
				break;
			is_exact = is_exact || behind != mode;
			mode = behind;
			continue;
		}
		if (sample->frames == 0)
			address = innermost;
		else if (!is_exact)
			address--;
		is_exact = false;
		if (mode != MODE_USER)
			address = address_of(p, sample->process, mode, address);
		if (mode != MODE_USER && address == 0)
			return false;
		frames[sample->frames++] = address;
	}
	if (sample->frames > 0)
		return true;
	frames[0] = address_of(p, sample->process, sample->record->misc & MISC_MODE, innermost);
	sample->frames = 1;
	return frames[0] != 0 || (sample->record->misc & MISC_MODE) == MODE_USER;
}

/*
 * The kernel keeps this number of frames, marks apart, unless the event or the system has another
 * limit.  A stack that has as many was cut, if none has more.
 */
static void
note_depth(struct perfdata *p, uint32_t frames, const struct perfdata_attribute *event,
           uint64_t weight)
{
	enum { USUAL_FRAMES = 127 };
	uint32_t most = event->max_stack > 0 ? event->max_stack : USUAL_FRAMES;

	p->losses.has_deeper = p->losses.has_deeper || frames > most;
	if (frames == most)
		p->losses.cut += weight / event->divisor;
}

static void
add(struct perfdata *p, const struct sample *sample, uint32_t event, uint64_t weight)
{
	const struct perfdata_sample row = {
		.process = sample->process,
		.event = event,
		.slice = sample->slice,
		.first = sample->first,
		.frames = sample->frames,
		.weight = weight,
	};

	if (p->attributes[event].metric_count == 0) {
		p->losses.other_events++;
		return;
	}
	if (event == p->first_event)
		note_depth(p, sample->frames, &p->attributes[event], weight);
	perfdata_batch_add(p, &row);
}

/* By how much a counter grew since it was read last. */
static uint64_t
growth_of(struct perfdata *p, uint64_t id, uint64_t value)
{
	uint32_t number = perfdata_number(&p->counters, id);
	uint64_t before;

	if (number == 0) {
		p->counter = grown(p->gx, p->counter, sizeof *p->counter, &p->counter_room,
		                   p->counter_count + 1, 64);
		number = ++p->counter_count;
		p->counter[number - 1] = 0;
		perfdata_set_number(p->gx, &p->counters, id, number);
	}
	before = p->counter[number - 1];
	p->counter[number - 1] = value;
	return value > before ? value - before : 0;
}

/* A sample counts for each event whose values were read with it. */
static void
add_values(struct perfdata *p, const struct sample *sample, const struct reading *reading,
           uint64_t own_id)
{
	for (uint64_t i = 0; i < reading->count; i++) {
		const uint8_t *at = reading->values + i * reading->step;
		uint64_t id = reading->id_at ? perfdata_u64(p, at + reading->id_at) : own_id;
		uint32_t event = perfdata_number(&p->of_id, id);
		uint64_t growth;

		if (p->attribute_count == 1 && event == 0)
			event = 1;
		if (event == 0) {
			p->losses.foreign_samples++;
			continue;
		}
		/* Threads that inherited an event share its number. */
		if (p->attributes[event - 1].flags >> FLAG_INHERIT & 1)
			id ^= (uint64_t)sample->tid << 32;
		growth = growth_of(p, id, perfdata_u64(p, at));
		if (growth > 0)
			add(p, sample, event - 1, growth);
	}
}

/* Reads what comes before the chain, and the chain.  False: it is damaged, or the host failed. */
static bool
read_sample(struct perfdata *p, struct sample *sample, const struct perfdata_attribute *event,
            struct reading *reading)
{
	const struct perfdata_record *record = sample->record;
	uint32_t ip_at = (event->sample_type & SAMPLE_IDENTIFIER) != 0 ? 16 : 8;
	uint64_t innermost, count = 0;
	const uint8_t *chain;

	if (record->bytes < event->read_at || (event->sample_type & SAMPLE_IP) == 0)
		return false;
	innermost = perfdata_u64(p, record->at + ip_at);
	sample->at = event->read_at;
	if ((event->sample_type & SAMPLE_READ) != 0 &&
	    !read_values(p, sample, event->read_format, reading))
		return false;
	chain = record->at + sample->at;
	if (event->sample_type & SAMPLE_CALLCHAIN) {
		if (!take(sample, 8))
			return false;
		count = perfdata_u64(p, chain);
		chain += 8;
		if (count > (record->bytes - sample->at) / 8)
			return false;
	}
	sample->first = p->batch.address_count;
	if (!read_chain(p, sample, chain, count, innermost))
		p->is_failed = true;
	return true;
}

enum gprofx_result
perfdata_take_sample(struct perfdata *p, const struct perfdata_record *record)
{
	const struct perfdata_attribute *event = perfdata_attribute_of(p, record);
	struct sample sample = {.record = record};
	struct reading reading = {0};
	uint32_t pid = UINT32_MAX;

	if (!event) {
		p->losses.foreign_samples++;
		return GPROFX_OK;
	}
	if (record->bytes < event->read_at) {
		p->losses.bad_samples++;
		return GPROFX_OK;
	}
	if (event->tid_at != 0) {
		pid = perfdata_u32(p, record->at + event->tid_at);
		sample.tid = perfdata_u32(p, record->at + event->tid_at + 4);
	}
	sample.process = perfdata_process(p, pid);
	if (p->programs.is_listing)
		perfdata_note_sample(p, &p->processes[sample.process], event, record);
	if (perfdata_is_left_out(p, sample.process))
		return GPROFX_OK;
	if (perfdata_batch_begin(p) != GPROFX_OK)
		return GPROFX_FAILED;
	if (event->tid_at != 0)
		sample.slice = perfdata_slice(p, sample.process, sample.tid);
	if (!read_sample(p, &sample, event, &reading)) {
		p->losses.bad_samples++;
		return GPROFX_OK;
	}
	if (p->is_failed)
		return GPROFX_FAILED;
	/* All rows of the sample have these. */
	p->batch.address_count += sample.frames;
	if (event->sample_type & SAMPLE_READ)
		add_values(p, &sample, &reading,
		           event->id_at ? perfdata_u64(p, record->at + event->id_at) : 0);
	else
		add(p, &sample, (uint32_t)(event - p->attributes),
		    perfdata_weight(p, event, record));
	return GPROFX_OK;
}
