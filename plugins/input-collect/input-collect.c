/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what the collector writes, also of a process that still runs, or that was ended in the
 * midst of something.
 *
 * Format: <gprofx/gxc.h>, gprofx-collect(5).
 */
#include <string.h>

#include "reading.h"

enum { BATCH = 1024 };

const char *
reading_text(const struct reading *r, uint64_t offset)
{
	const char *text;

	if (offset >= r->string_bytes)
		return NULL;
	text = (const char *)r->file->bytes + r->strings_at + offset;
	return memchr(text, '\0', (size_t)(r->string_bytes - offset)) ? text : NULL;
}

static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= 8 && memcmp(head, GXC_MAGIC, 8) == 0 ? 100 : 0;
}

static enum gprofx_result
refuse(const struct reading *r, uint64_t offset, const char *id, const char *what, uint64_t number)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(
		r->file, offset, id, "run the program again under the collector");

	diagnostic.number[0] = number;
	return gprofx_fail(r->gx, &diagnostic, "expected %s, found %llu", what,
	                   (unsigned long long)number);
}

static enum gprofx_result
read_header(struct reading *r)
{
	struct gprofx_diagnostic diagnostic;

	switch (gxc_begin(&r->walk, r->file->bytes, r->file->length)) {
	case GXC_FINE:
		break;
	case GXC_BAD_MAGIC:
		diagnostic = gprofx_at(r->file, 0, "collect.bad-magic",
		                       "name a file that gprofx record wrote");
		return gprofx_fail(r->gx, &diagnostic,
		                   "expected the bytes \"GPROFXC\", found others");
	case GXC_SHORT_HEADER:
		return refuse(r, 0, "collect.short-header", "a header of 4096 bytes",
		              r->file->length);
	case GXC_BAD_ORDER:
		return refuse(r, offsetof(struct gxc_header, order), "collect.bad-order",
		              "the byte order 0x01020304 or its reverse",
		              gxc_u32(&r->walk, offsetof(struct gxc_header, order)));
	case GXC_BAD_VERSION:
		return refuse(r, offsetof(struct gxc_header, version), "collect.bad-version",
		              "version 1", gxc_u32(&r->walk, offsetof(struct gxc_header, version)));
	case GXC_BAD_PAGE:
		return refuse(r, offsetof(struct gxc_header, page_bytes), "collect.bad-page",
		              "pages of 4096 bytes to 1 MiB, a power of 2",
		              gxc_u32(&r->walk, offsetof(struct gxc_header, page_bytes)));
	}
	r->rate = gxc_u32(&r->walk, offsetof(struct gxc_header, rate));
	r->clock = gxc_u32(&r->walk, offsetof(struct gxc_header, clock));
	r->flags = gxc_u32(&r->walk, offsetof(struct gxc_header, flags));
	return GPROFX_OK;
}

static void
keep_chunk(struct reading *r, const struct gxc_view *chunk, uint32_t *room)
{
	if (r->chunk_count == *room) {
		uint32_t more = *room * 2 + 64;

		r->chunks = r->gx->host->grow(r->gx, r->chunks, *room * sizeof *chunk,
		                              more * sizeof *chunk);
		*room = more;
	}
	r->chunks[r->chunk_count++] = *chunk;
	if (chunk->type == GXC_STRINGS && r->string_bytes == 0) {
		r->strings_at = chunk->at;
		r->string_bytes = chunk->count * chunk->entry_bytes;
	}
}

/* Finds all chunks up to the first bad one. */
static void
find_chunks(struct reading *r)
{
	struct gprofx_diagnostic diagnostic;
	struct gxc_view chunk;
	uint32_t room = 0;
	int found;

	while ((found = gxc_next(&r->walk, &chunk)) > 0)
		keep_chunk(r, &chunk, &room);
	if (found == 0)
		return;
	diagnostic = gprofx_at(r->file, r->walk.at, "collect.bad-chunk",
	                       "run the program again; if the file was copied while it was "
	                       "written, copy it again");
	diagnostic.number[0] = r->file->length - r->walk.at;
	gprofx_warn(r->gx, &diagnostic,
	            "the file is damaged or incomplete from here on: %llu bytes are not used",
	            (unsigned long long)diagnostic.number[0]);
}

static void
declare_process(struct reading *r)
{
	struct gprofx_raw_process process = {
		.size = sizeof process,
		.number = gxc_u32(&r->walk, offsetof(struct gxc_header, pid)),
	};
	const char *slash;

	r->program = reading_text(r, gxc_u64(&r->walk, offsetof(struct gxc_header, program_name)));
	slash = r->program ? strrchr(r->program, '/') : NULL;
	process.name = slash ? slash + 1 : r->program;
	r->process = r->profile->builder->process(r->gx, r->profile, r->file, &process);
}

/* Calls of one chunk. */
static void
read_arcs(struct reading *r, const struct gxc_view *chunk)
{
	const struct gprofx_profile_builder *builder = r->profile->builder;
	struct gprofx_from from = {
		.size = sizeof from,
		.process = r->process,
		.slice = threads_slice(r, chunk),
	};
	struct gprofx_raw_arc arcs[BATCH];
	struct gprofx_raw_call calls[BATCH];
	uint32_t arc_count = 0, call_count = 0;

	for (uint64_t i = 0; i < chunk->count; i++) {
		uint64_t at = chunk->at + i * chunk->entry_bytes;
		uint64_t site = gxc_u64(&r->walk, at + offsetof(struct gxc_arc, site));
		uint64_t callee = gxc_u64(&r->walk, at + offsetof(struct gxc_arc, callee));
		uint64_t count = gxc_u64(&r->walk, at + offsetof(struct gxc_arc, count));

		if (callee == 0 || count == 0)
			continue;
		if (site <= 1)
			calls[call_count++] = (struct gprofx_raw_call){callee, count};
		else
			arcs[arc_count++] = (struct gprofx_raw_arc){site, callee, count};
		if (arc_count == BATCH || call_count == BATCH) {
			builder->arcs(r->gx, r->profile, &from, arcs, arc_count);
			builder->calls(r->gx, r->profile, &from, calls, call_count);
			arc_count = call_count = 0;
		}
	}
	builder->arcs(r->gx, r->profile, &from, arcs, arc_count);
	builder->calls(r->gx, r->profile, &from, calls, call_count);
}

/* Basic blocks of one chunk, each at the last byte of its call: what is behind can be another's. */
static void
read_blocks(struct reading *r, const struct gxc_view *chunk)
{
	struct gprofx_from from = {.size = sizeof from,
	                           .process = r->process,
	                           .slice = threads_slice(r, chunk)};
	struct gprofx_raw_block blocks[BATCH];
	uint32_t count = 0;

	for (uint64_t i = 0; i < chunk->count; i++) {
		uint64_t at = chunk->at + i * chunk->entry_bytes;
		uint64_t address = gxc_u64(&r->walk, at + offsetof(struct gxc_block, address));
		uint64_t executions = gxc_u64(&r->walk, at + offsetof(struct gxc_block, count));

		if (address == 0 || executions == 0)
			continue;
		blocks[count++] = (struct gprofx_raw_block){address - 1, executions};
		if (count == BATCH) {
			r->profile->builder->blocks(r->gx, r->profile, &from, blocks, count);
			count = 0;
		}
	}
	r->profile->builder->blocks(r->gx, r->profile, &from, blocks, count);
	r->has_blocks = true;
}

static enum gprofx_result
read_tables(struct reading *r)
{
	for (uint32_t i = 0; i < r->chunk_count; i++) {
		if (r->chunks[i].type == GXC_ARCS)
			read_arcs(r, &r->chunks[i]);
		if (r->chunks[i].type == GXC_BLOCKS)
			read_blocks(r, &r->chunks[i]);
	}
	if (timed_read(r) != GPROFX_OK)
		return GPROFX_FAILED;
	if (r->rate == 0 || r->clock == GXC_CLOCK_OFF)
		return GPROFX_OK;
	if (stacks_declare(r) != GPROFX_OK)
		return GPROFX_FAILED;
	for (uint32_t i = 0; i < r->chunk_count; i++)
		if ((r->chunks[i].type == GXC_STACKS ||
		     (r->chunks[i].type == GXC_WAITS && r->clock == GXC_CLOCK_WALL)) &&
		    stacks_read(r, &r->chunks[i]) != GPROFX_OK)
			return GPROFX_FAILED;
	return GPROFX_OK;
}

static enum gprofx_byte_order
order_of(const struct gxc_walk *walk)
{
	return walk->bytes[offsetof(struct gxc_header, order)] == 1 ? GPROFX_ORDER_BIG
	                                                            : GPROFX_ORDER_LITTLE;
}

static void
describe(const struct reading *r)
{
	struct gprofx_layout layout = {
		.size = sizeof layout,
		.pointer_bytes = r->file->bytes[offsetof(struct gxc_header, pointer_bytes)],
		.byte_order = order_of(&r->walk),
		.has_version = true,
		.version = GXC_VERSION,
	};

	r->profile->builder->describe(r->gx, r->profile, &layout);
}

static uint32_t
recording_flags(const struct reading *r)
{
	/* Children of fork mostly end by _exit, which is the way to end them. */
	bool is_unfinished = r->file->bytes[offsetof(struct gxc_header, state)] == GXC_RUNNING &&
	                     !(r->flags & (GXC_FORKED | GXC_SNAPSHOT));

	return (is_unfinished ? GPROFX_RECORDING_UNFINISHED : 0) |
	       (r->flags & GXC_OTHER_CLOCK ? GPROFX_RECORDING_OTHER_CLOCK : 0) |
	       (r->flags & GXC_SIGNAL_LOST ? GPROFX_RECORDING_STOPPED : 0) |
	       (r->flags & GXC_SNAPSHOT ? GPROFX_RECORDING_SNAPSHOT : 0) |
	       (r->flags & GXC_UNWRITTEN ? GPROFX_RECORDING_UNWRITTEN : 0) |
	       (r->flags & GXC_ATTACHED ? GPROFX_RECORDING_ATTACHED : 0) |
	       (r->flags & GXC_FRAME_POINTERS ? GPROFX_RECORDING_FRAME_POINTERS : 0) |
	       (r->has_blocks ? GPROFX_RECORDING_BLOCK_CALLS : 0);
}

/* What is not in the file. */
static void
describe_recording(const struct reading *r)
{
	struct gprofx_raw_recording row = {
		.size = sizeof row,
		.flags = recording_flags(r),
		.lost_calls = gxc_u64(&r->walk, offsetof(struct gxc_header, lost_calls)),
		.lost_samples = gxc_u64(&r->walk, offsetof(struct gxc_header, lost_samples)),
		.cut_ticks = r->cut,
		.broken_ticks = r->broken,
		.clocked_calls = timed_whole(r->timing.calls),
		.taken_ns = timed_whole(r->timing.taken),
		.emptied_calls = timed_whole(r->timing.emptied),
		.excess_ns = timed_whole(r->timing.excess),
	};

	/* What is first has no stacks that end too early. */
	if (r->metrics[METRIC_CLOCK] != 0)
		row.cut_ticks = row.broken_ticks = 0;
	if (r->clock == GXC_CLOCK_WALL) {
		row.looks = gxc_u64(&r->walk, offsetof(struct gxc_header, looks));
		row.look_ticks = gxc_u64(&r->walk, offsetof(struct gxc_header, look_weight));
		row.delayed_ns = gxc_u64(&r->walk, offsetof(struct gxc_header, delayed_ns));
	}

	r->profile->builder->recording(r->gx, r->profile, &row);
}

/* What was not in the file yet when the process was killed, or the file copied. */
static void
report_private(const struct reading *r)
{
	uint64_t bytes = gxc_u64(&r->walk, offsetof(struct gxc_header, private_bytes));
	struct gprofx_diagnostic diagnostic = {
		.id = "collect.not-in-file",
		.file = r->file->name,
		.number = {bytes},
		.hint = "make room on the disk, or let the program end by itself",
	};

	if (bytes != 0)
		gprofx_warn(r->gx, &diagnostic,
		            "calls and samples are missing: %llu bytes of tables were in memory "
		            "only, since the file could not be enlarged",
		            (unsigned long long)bytes);
}

/* Blocks that had no room. */
static void
report_lost_blocks(const struct reading *r)
{
	uint64_t lost = gxc_u64(&r->walk, offsetof(struct gxc_header, lost_blocks));
	const struct gprofx_diagnostic diagnostic = {
		.id = "collect.lost-blocks",
		.file = r->file->name,
		.number = {lost},
		.hint = r->flags & GXC_UNWRITTEN
	                        ? "make room on the disk, or allow larger files (ulimit -f)"
	                        : "record the program again, with more --memory",
	};

	if (lost != 0)
		gprofx_warn(r->gx, &diagnostic,
		            "%llu executions of basic blocks were not counted: %s",
		            (unsigned long long)lost,
		            r->flags & GXC_UNWRITTEN
		                    ? "the file could not be enlarged"
		                    : "the collector had no memory left for other blocks");
}

/* What the program kept the collector from. */
static void
report_restricted(const struct reading *r)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "collect.restricted",
		.file = r->file->name,
		.hint = "record the program with its filter of system calls (seccomp) turned off",
	};

	if (r->flags & GXC_RESTRICTED)
		gprofx_warn(r->gx, &diagnostic,
		            "the program restricted its system calls: from then on, nothing was "
		            "sampled, and calls of new threads and children were not counted");
}

/* Waits of which it is not known from where they came. */
static void
report_broken_waits(const struct reading *r)
{
	enum { PART = 20 };
	double share = r->waits > 0 ? 100 * (double)r->broken_waits / (double)r->waits : 0;
	const struct gprofx_diagnostic diagnostic = {
		.id = "collect.waits-incomplete",
		.file = r->file->name,
		.number = {r->broken_waits},
		.hint = "go by self times of wait, which are complete; if the stacks are deep, record "
			"with a greater --depth",
	};

	if (r->broken_waits > r->waits / PART)
		gprofx_warn(
			r->gx, &diagnostic,
			"%.0f %% of the time that threads waited has no outermost callers: total "
			"times of wait are lower bounds",
			share);
}

/* The system refused what it takes to see where threads wait. */
static void
report_no_waits(const struct reading *r)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "collect.no-waits",
		.file = r->file->name,
		.hint = "allow the user one process or thread more for each process (ulimit -u)",
	};

	if (r->flags & GXC_NO_WAITS)
		gprofx_warn(
			r->gx, &diagnostic,
			"the system refused a thread for clock=wall: where threads wait is missing "
			"or incomplete");
}

/* Of a process that was attached to: processor time that no sample stands for. */
static void
report_unsampled(const struct reading *r)
{
	enum { PART = 20, FEW = 10, NS_PER_SECOND = 1000000000 };
	uint64_t time = r->flags & GXC_ATTACHED
	                        ? gxc_u64(&r->walk, offsetof(struct gxc_header, unsampled_ns))
	                        : 0;
	double seconds = (double)time / NS_PER_SECOND;
	bool is_user_only = (r->flags & GXC_USER_ONLY) != 0;
	const struct gprofx_diagnostic diagnostic = {
		.id = "collect.time-not-sampled",
		.file = r->file->name,
		.number = {time},
		.hint = is_user_only ? "sysctl kernel.perf_event_paranoid=1, or the capability "
	                               "CAP_PERFMON, allows samples of the kernel"
	                             : "record with a greater --rate, or the whole run with gprofx "
	                               "record PROGRAM",
	};

	/* A little is always missing: what came after the last sample of a thread. */
	if (r->rate == 0 || seconds * r->rate < FEW || seconds * r->rate < (double)r->weight / PART)
		return;
	gprofx_warn(r->gx, &diagnostic,
	            is_user_only
	                    ? "%.2f s of processor time have no samples: the system allows none of "
	                      "the kernel, and threads can have ended before one was due"
	                    : "%.2f s of processor time have no samples: threads ended before one "
	                      "was due, or the system sampled less than it was asked to",
	            seconds);
}

/* Samples whose stacks the collector would not have written. */
static void
report_unreached(const struct reading *r)
{
	/* Sums of a hostile file can wrap. */
	uint64_t samples = r->recorded > r->weight ? r->recorded - r->weight : 0;
	const struct gprofx_diagnostic diagnostic = {
		.id = "collect.stacks-left-out",
		.file = r->file->name,
		.number = {samples},
		.hint = "record the program again: the file is damaged, or another program wrote it",
	};

	if (samples != 0)
		gprofx_warn(
			r->gx, &diagnostic,
			"%llu samples are left out: expected stacks of at most 1024 frames from "
			"an outermost one on, found deeper ones or such without it",
			(unsigned long long)samples);
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	struct reading r = {.gx = gx, .file = file, .profile = profile};
	enum gprofx_result result;

	(void)target;
	(void)options;
	result = read_header(&r);
	if (result != GPROFX_OK)
		return result;
	find_chunks(&r);
	declare_process(&r);
	phases_declare(&r);
	threads_declare(&r);
	for (uint32_t i = 0; i < r.chunk_count; i++)
		if (r.chunks[i].type == GXC_OBJECTS)
			objects_add(&r, &r.chunks[i]);
	describe(&r);
	result = objects_map(&r);
	if (result != GPROFX_OK)
		return result;
	/* The file says so, even where nothing was called. */
	if (r.flags & GXC_INSTRUMENTED)
		profile->builder->arcs(gx, profile, NULL, NULL, 0);
	result = read_tables(&r);
	describe_recording(&r);
	report_private(&r);
	report_broken_waits(&r);
	report_no_waits(&r);
	if (result == GPROFX_OK)
		report_unreached(&r);
	report_unsampled(&r);
	report_lost_blocks(&r);
	report_restricted(&r);
	timed_report(&r);
	return result;
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "collect",
	.probe = probe,
	.read = read_file,
	.carries_names = true,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "input-collect",
	.version = "1.0",
	.summary = "Profiles of the collector, with calls, stacks, threads and shared libraries",
	.reader = &reader,
};
