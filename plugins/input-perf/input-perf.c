/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what perf record writes, without perf.
 *
 * Format: the kernel's records, as linux/perf_event.h describes them, and those of perf itself, in
 * a file of sections or as a stream.  It is gone through twice: for what has to be known before,
 * and for samples, in the order of time, since a sample counts where things were mapped then.
 */
#include <string.h>

#include "records.h"
#include "../shared/text-table.h"
#include "numbers.h"
#include "reading.h"

static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= 8 && (memcmp(head, "PERFILE2", 8) == 0 || memcmp(head, "2ELIFREP", 8) == 0)
	               ? 100
	               : 0;
}

static void
add_losses(struct perfdata *p, const struct perfdata_record *record)
{
	enum { AT_SAMPLES = 8, AT_LOST = 16 };

	if (record->type == RECORD_LOST && record->bytes >= AT_LOST + 8)
		p->losses.lost += perfdata_u64(p, record->at + AT_LOST);
	if (record->type == RECORD_LOST_SAMPLES && record->bytes >= AT_SAMPLES + 8 &&
	    (record->misc & MISC_FILTERED) == 0)
		p->losses.lost_samples += perfdata_u64(p, record->at + AT_SAMPLES);
}

enum gprofx_result
perfdata_take_record(struct perfdata *p, const struct perfdata_record *record)
{
	switch (record->type) {
	case RECORD_SAMPLE:
		return perfdata_take_sample(p, record);
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return perfdata_take_mapping(p, record);
	case RECORD_COMM:
		perfdata_take_command(p, record);
		break;
	case RECORD_FORK:
		perfdata_take_fork(p, record);
		break;
	case RECORD_KSYMBOL:
		return perfdata_take_symbol(p, record);
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		add_losses(p, record);
		break;
	case RECORD_THROTTLE:
		p->losses.throttled++;
		break;
	default:
		break;
	}
	return GPROFX_OK;
}

enum gprofx_result
perfdata_visit_in_order(struct perfdata *p, struct perfdata_block *block,
                        const struct perfdata_record *record)
{
	uint64_t time;

	/* Rounds are of one file. */
	if (record->type == RECORD_FINISHED_ROUND)
		return perfdata_parts(p) > 0 ? GPROFX_OK : perfdata_end_round(p);
	if (record->type > RECORD_LAST_OF_PERF ||
	    (record->type > RECORD_LAST_OF_KERNEL && record->type < RECORD_FIRST_OF_PERF))
		p->losses.unknown_records++;
	if (record->type > RECORD_LAST_OF_KERNEL)
		return GPROFX_OK;
	if (!perfdata_time(p, record, &time))
		return perfdata_take_record(p, record);
	perfdata_order_add(p, block, record, time);
	return GPROFX_OK;
}

/* Goes through the file once, for what has to be known before. */
static enum gprofx_result
look_through(struct perfdata *p)
{
	const struct gprofx_diagnostic directory = gprofx_at(
		p->file, 0, "perfdata.directory",
		"name the folder that also has its other files, data.0 and so on");
	const struct gprofx_diagnostic none = gprofx_at(
		p->file, 0, "perfdata.no-samples",
		"record the program for longer, or with a higher frequency (-F)");

	if (perfdata_read_header(p) != GPROFX_OK)
		return GPROFX_FAILED;
	if (p->is_directory && perfdata_parts(p) == 0)
		return gprofx_fail(
			p->gx, &directory,
			"expected all files of a recording with --threads, found its first "
			"one alone");
	if (perfdata_survey(p) != GPROFX_OK)
		return GPROFX_FAILED;
	if (p->sample_count == 0)
		return gprofx_fail(p->gx, &none,
		                   "expected samples, found none of %u events in the file",
		                   (unsigned int)p->attribute_count);
	perfdata_name_events(p);
	while (p->first_event + 1 < p->attribute_count &&
	       p->attributes[p->first_event].samples == 0)
		p->first_event++;
	return GPROFX_OK;
}

static enum gprofx_result
read_records(struct perfdata *p)
{
	if (look_through(p) != GPROFX_OK || perfdata_choose_program(p) != GPROFX_OK)
		return GPROFX_FAILED;
	if (perfdata_declare_events(p) != GPROFX_OK ||
	    perfdata_walk(p, perfdata_visit_in_order) != GPROFX_OK ||
	    perfdata_end_order(p) != GPROFX_OK)
		return GPROFX_FAILED;
	return perfdata_batch_pass(p) == GPROFX_OK ? perfdata_name_kernel(p) : GPROFX_FAILED;
}

static void
warn(const struct perfdata *p, const char *id, const char *hint, uint64_t count, const char *format)
{
	const struct gprofx_diagnostic diagnostic = {.id = id,
	                                             .file = p->file->name,
	                                             .number = {count},
	                                             .hint = hint};

	if (count != 0)
		gprofx_warn(p->gx, &diagnostic, format, (unsigned long long)count);
}

/* Says what is in no table. */
static void
report_losses(const struct perfdata *p)
{
	const struct perfdata_losses *losses = &p->losses;

	warn(p, "perfdata.throttled", "record with a lower frequency (-F)", losses->throttled,
	     "the kernel stopped sampling %llu times for a while, since samples took too much time");
	warn(p, "perfdata.bad-samples", "record the program again: the file is damaged",
	     losses->bad_samples,
	     "%llu samples are left out: their records are shorter than what they should have, or "
	     "without an address");
	warn(p, "perfdata.foreign-samples", "record the program again: the file is damaged",
	     losses->foreign_samples,
	     "%llu samples are left out: they are of no event that the file describes");
	warn(p, "perfdata.too-many-events", "record fewer events at a time", losses->other_events,
	     "expected at most 100 events with samples, left out %llu samples of more");
	warn(p, "perfdata.too-many-maps", "record again after you restart the system",
	     losses->kernel_maps,
	     "expected at most 32768 parts of the kernel, left out %llu more: samples in them are in "
	     "[kernel]");
	warn(p, "perfdata.unknown-records", "read the file with a newer gprofx",
	     losses->unknown_records, "%llu records are of types that are not known, and left out");
	warn(p, "perfdata.deferred-callers",
	     "record with an older perf, or use perf script and report its text",
	     losses->without_callers,
	     "%llu stacks lack the callers in the program, which the kernel recorded later");
}

/* What the report has findings on. */
static void
state_losses(const struct perfdata *p)
{
	const struct perfdata_losses *losses = &p->losses;
	const struct gprofx_raw_recording row = {
		.size = sizeof row,
		.flags = GPROFX_RECORDING_BY_OTHERS,
		/* Newer kernels state lost samples in both ways. */
		.lost_samples = losses->lost > losses->lost_samples ? losses->lost
	                                                            : losses->lost_samples,
		.cut_ticks = losses->has_deeper ? 0 : losses->cut,
	};

	p->profile->builder->recording(p->gx, p->profile, &row);
}

static void
describe(const struct perfdata *p)
{
	const struct gprofx_layout layout = {
		.size = sizeof layout,
		.byte_order = p->is_big ? GPROFX_ORDER_BIG : GPROFX_ORDER_LITTLE,
		.variant = p->is_pipe ? "written to a pipe" : NULL,
	};

	p->profile->builder->describe(p->gx, p->profile, &layout);
}

static void
release(struct perfdata *p)
{
	const struct gprofx_host *host = p->gx->host;

	host->release(p->gx, p->part_blocks);
	host->release(p->gx, p->attributes);
	perfdata_forget_numbers(p->gx, &p->of_id);
	text_table_release(&p->build_ids);
	host->release(p->gx, p->build_id);
	text_table_release(&p->images);
	perfdata_release_kernel(p);
	perfdata_release_processes(p);
	perfdata_forget_numbers(p->gx, &p->counters);
	host->release(p->gx, p->counter);
	perfdata_release_programs(p);
	perfdata_release_batch(p);
	perfdata_release_order(p);
	host->release(p->gx, p);
}

static struct perfdata *
begin(struct gprofx *gx, const struct gprofx_file *file)
{
	struct perfdata *p = gprofx_alloc(gx, sizeof *p);

	*p = (struct perfdata){.gx = gx,
	                       .file = file,
	                       .whole = {.users = 1},
	                       .build_ids = {.gx = gx},
	                       .images = {.gx = gx},
	                       .programs = {.paths = {.gx = gx}}};
	return p;
}

static enum gprofx_result
list_programs(struct gprofx *gx, const struct gprofx_file *file, gprofx_program_sink *each,
              void *opaque)
{
	struct perfdata *p = begin(gx, file);
	enum gprofx_result result = look_through(p);

	if (result == GPROFX_OK)
		result = perfdata_find_programs(p);
	if (result == GPROFX_OK)
		perfdata_list_programs(p, each, opaque);
	release(p);
	return result;
}

static enum gprofx_result
read_perf(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	struct perfdata *p = begin(gx, file);
	enum gprofx_result result;

	(void)target;
	(void)options;
	p->profile = profile;
	result = read_records(p);
	if (result == GPROFX_OK) {
		describe(p);
		state_losses(p);
		report_losses(p);
	}
	release(p);
	return result;
}

static const struct gprofx_reader reader = {.size = sizeof reader,
                                            .format = "perf",
                                            .probe = probe,
                                            .read = read_perf,
                                            .carries_names = true,
                                            .programs = list_programs,
                                            .takes_symbol_list = true};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-perf", .version = "1.0",
                 .summary = "Recordings of perf, as perf record writes them", .reader = &reader};
