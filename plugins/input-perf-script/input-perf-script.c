/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input-perf-script: samples of perf as text, as "perf script" writes them: a line for each, with a
 * line for each frame of its stack, the innermost first, and an empty one.
 *
 * Format: perf-script(1), and what perf 6.1 writes.
 */
#include <string.h>

#include <gprofx/reader.h>

#include "../shared/grown.h"
#include "../shared/stack-batch.h"
#include "../shared/text-lines.h"
#include "../shared/text-table.h"
#include "events.h"
#include "frames.h"
#include "line.h"
#include "threads.h"

enum {
	LOOKED_AT = 400, /* lines that show what a file is */
	CERTAIN = 95,
	FEWEST_INLINED = 64,
	MOST_TOLD = 10 /* bad lines */
};

/* Samples on their way to the host. */
struct reading {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	struct events events;
	struct frames frames;
	struct threads threads;
	uint32_t bad_lines;
	uint64_t lost;

	/* The sample under way. */
	bool is_open;
	struct sample_line sample;
	struct text_span sample_text;

	struct stack_batch batch;
	struct frame_line *inlined; /* of the sample, those without a place yet */
	uint32_t inlined_count, inlined_room;
};

static struct text_lines
lines_of(const struct gprofx_file *file)
{
	const char *begin = (const char *)file->bytes;

	return (struct text_lines){begin, begin ? begin + file->length : NULL, 0};
}

/* Lines of other records of perf: "PERF_RECORD_LOST lost 12", behind what samples begin with. */
static bool
is_record(struct text_span line, uint64_t *lost)
{
	static const char name[] = "PERF_RECORD_";
	const char *at = memmem(line.text, line.length, name, strlen(name)), *number;
	const char *end = line.text + line.length;

	*lost = 0;
	if (!at)
		return false;
	number = memmem(at, (size_t)(end - at), " lost ", strlen(" lost "));
	for (number = number ? number + strlen(" lost ") : end; number < end; number++) {
		if (*number < '0' || *number > '9' || *lost > UINT32_MAX)
			break;
		*lost = 10 * *lost + (uint64_t)(*number - '0');
	}
	return true;
}

static bool
is_indented(struct text_span line)
{
	return line.length > 0 && (line.text[0] == ' ' || line.text[0] == '\t');
}

static bool
is_empty(struct text_span line)
{
	for (size_t i = 0; i < line.length; i++)
		if (line.text[i] != ' ' && line.text[i] != '\t')
			return false;
	return true;
}

static void
add_place(struct reading *r, uint32_t place)
{
	stack_batch_reserve(&r->batch, 1);
	r->batch.place[r->batch.frame_count++] = place;
}

/* Frames that are inlined into one of an object are in that. */
static void
add_inlined(struct reading *r, struct text_span object)
{
	for (uint32_t i = 0; i < r->inlined_count; i++)
		add_place(r, script_place(&r->frames, &r->inlined[i], object));
	r->inlined_count = 0;
}

static void
add_frame(struct reading *r, const struct frame_line *frame)
{
	if (frame->is_inlined) {
		r->inlined = grown(r->gx, r->inlined, sizeof *r->inlined, &r->inlined_room,
		                   r->inlined_count + 1, FEWEST_INLINED);
		r->inlined[r->inlined_count++] = *frame;
		return;
	}
	add_inlined(r, frame->object);
	add_place(r, script_place(&r->frames, frame, frame->object));
}

/* A sample without any frame is of code that is not known. */
static enum gprofx_result
end_sample(struct reading *r)
{
	const struct frame_line unknown = {.key = {"", 0}, .name = {"", 0}, .object = {"", 0}};
	struct stack_batch *batch = &r->batch;
	uint64_t period, *weight, *squares;
	uint32_t number;

	if (!r->is_open)
		return GPROFX_OK;
	r->is_open = false;
	add_inlined(r, (struct text_span){"", 0});
	if (stack_batch_is_empty(batch))
		add_place(r, script_place(&r->frames, &unknown, unknown.object));
	number = script_events_find(&r->events, r->sample.event);
	if (number == NO_EVENT) {
		stack_batch_drop(batch);
		return GPROFX_OK;
	}
	weight = stack_batch_weights(batch);
	squares = stack_batch_squares(batch);
	memset(weight, 0, r->events.count * sizeof *weight);
	memset(squares, 0, r->events.count * sizeof *squares);
	period = r->sample.has_period ? r->sample.period / r->events.items[number].divisor : 1;
	weight[number] = period;
	squares[number] = stack_batch_square(period);
	batch->slice[batch->rows.count] = script_slice(&r->threads, r->sample_text, &r->sample);
	return stack_batch_end_stack(batch);
}

static enum gprofx_result
begin_sample(struct reading *r, struct text_span line, const struct sample_line *sample)
{
	struct frame_line frame;

	if (end_sample(r) != GPROFX_OK)
		return GPROFX_FAILED;
	r->is_open = true;
	r->sample = *sample;
	r->sample_text = line;
	r->inlined_count = 0;
	/* Without stacks, the place stands behind the event. */
	if (sample->rest.length > 0 && script_read_frame(sample->rest, &frame)) {
		add_frame(r, &frame);
		return end_sample(r);
	}
	return GPROFX_OK;
}

/* A line that says nothing is left out, and reported. */
static void
tell_bad_line(struct reading *r, uint32_t number)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "perf.bad-line",
		.file = r->file->name,
		.place = GPROFX_AT_LINE,
		.line = number,
		.hint = "write the file with perf script --ns -F "
			"comm,pid,tid,time,period,event,ip,sym,symoff,dso; this line is left out"};

	if (r->bad_lines++ < MOST_TOLD)
		gprofx_warn(r->gx, &diagnostic,
		            "expected a sample or a frame of perf script, found neither");
}

/* The place in the source that perf writes below a frame: "  program.c:12". */
static bool
is_source(const struct reading *r, struct text_span line)
{
	const char *colon = memrchr(line.text, ':', line.length);

	return r->is_open && is_indented(line) && colon;
}

/* Whether a line begins a sample: with a tab it is of one that began before. */
static bool
is_sample(struct text_span line, struct sample_line *sample)
{
	return line.length > 0 && line.text[0] != '\t' && script_read_sample(line, sample);
}

static enum gprofx_result
read_lines(struct reading *r)
{
	struct text_lines lines = lines_of(r->file);
	enum gprofx_result result = GPROFX_OK;
	struct sample_line sample;
	struct frame_line frame;
	struct text_span line;
	uint64_t lost;

	while (result == GPROFX_OK && script_next_line(&lines, &line)) {
		if (line.length > 0 && line.text[0] == '#')
			continue;
		if (is_empty(line)) {
			result = end_sample(r);
		} else if (r->is_open && is_indented(line) && script_read_frame(line, &frame)) {
			add_frame(r, &frame);
		} else if (is_record(line, &lost)) {
			r->lost += lost;
		} else if (is_sample(line, &sample)) {
			result = begin_sample(r, line, &sample);
		} else if (!is_source(r, line)) {
			tell_bad_line(r, lines.number);
		}
	}
	if (result == GPROFX_OK)
		result = end_sample(r);
	return result == GPROFX_OK ? stack_batch_pass(&r->batch) : result;
}

/* What there are samples of. */
static void
count_events(struct reading *r)
{
	struct text_lines lines = lines_of(r->file);
	struct sample_line sample;
	struct text_span line;
	uint64_t lost;

	while (script_next_line(&lines, &line))
		if (line.length > 0 && line.text[0] != '#' && is_sample(line, &sample) &&
		    !is_record(line, &lost))
			script_events_count(&r->events, &sample);
}

static enum gprofx_result
tell_rest(struct reading *r)
{
	const char *name = r->file->name;
	const struct gprofx_diagnostic many = {
		.id = "perf.bad-lines",
		.file = name,
		.hint = "check the file: what these lines say is in no table"};
	const struct gprofx_diagnostic events = {.id = "perf.too-many-events",
	                                         .file = name,
	                                         .hint = "choose events with perf script -e"};
	const struct gprofx_diagnostic lost = {
		.id = "perf.lost",
		.file = name,
		.hint = "record with more memory or fewer samples: perf record -m, -F"};

	if (r->bad_lines > MOST_TOLD)
		gprofx_warn(r->gx, &many, "%u more lines are left out",
		            (unsigned int)(r->bad_lines - MOST_TOLD));
	if (r->events.left_out > 0)
		gprofx_warn(r->gx, &events,
		            "expected at most %d events, left out %llu samples of more",
		            MOST_EVENTS, (unsigned long long)r->events.left_out);
	if (r->lost > 0)
		gprofx_warn(r->gx, &lost, "perf lost %llu records, which are in no table",
		            (unsigned long long)r->lost);
	return GPROFX_OK;
}

static enum gprofx_result
read_samples(struct reading *r)
{
	const struct gprofx_diagnostic none = {
		.id = "perf.no-samples",
		.file = r->file->name,
		.hint = "write the file with perf script, whose lines have the time and the event"};

	count_events(r);
	if (r->events.count == 0)
		return gprofx_fail(r->gx, &none, "expected samples of perf script, found none");
	r->batch = (struct stack_batch){
		.gx = r->gx,
		.file = r->file,
		.profile = r->profile,
		.rows = {.metrics = r->events.metrics, .metric_count = r->events.count},
		.weights = r->events.count,
		.has_squares = true,
		.has_slices = true,
	};
	stack_batch_begin(&r->batch);
	if (script_events_declare(&r->events, r->file, r->profile) != GPROFX_OK ||
	    read_lines(r) != GPROFX_OK)
		return GPROFX_FAILED;
	return tell_rest(r);
}

static void
release(struct reading *r)
{
	text_table_release(&r->events.names);
	script_forget_frames(&r->frames);
	script_forget_threads(&r->threads);
	/* It has not begun where there was no event. */
	if (r->batch.gx)
		stack_batch_release(&r->batch);
	r->gx->host->release(r->gx, r->inlined);
}

static enum gprofx_result
read_perf_script(struct gprofx *gx, const struct gprofx_file *file,
                 const struct gprofx_target *target, struct gprofx_profile *profile,
                 const void *options)
{
	struct reading r = {
		.gx = gx,
		.file = file,
		.profile = profile,
		.events = {.gx = gx, .names = {.gx = gx}},
		.frames = {.gx = gx,
	                   .profile = profile,
	                   .places = {.gx = gx},
	                   .inlined = {.gx = gx}},
		.threads = {.gx = gx,
	                    .file = file,
	                    .profile = profile,
	                    .slices = {.gx = gx},
	                    .processes = {.gx = gx}},
	};
	enum gprofx_result result;

	(void)target;
	(void)options;
	result = read_samples(&r);
	release(&r);
	return result;
}

/* Text with samples that have a frame, in the same line or below. */
static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	struct text_lines lines = lines_of(file);
	struct sample_line sample;
	struct frame_line frame;
	bool is_open = false;
	struct text_span line;

	(void)target;
	while (lines.number < LOOKED_AT && script_next_line(&lines, &line)) {
		if (memchr(line.text, '\0', line.length))
			return 0;
		if (line.length > 0 && line.text[0] == '#')
			continue;
		if (is_open && is_indented(line) && script_read_frame(line, &frame))
			return CERTAIN;
		is_open = script_read_sample(line, &sample);
		if (is_open && script_read_frame(sample.rest, &frame))
			return CERTAIN;
	}
	return 0;
}

static const struct gprofx_reader reader = {.size = sizeof reader,
                                            .format = "perf-script",
                                            .read = read_perf_script,
                                            .weigh = weigh,
                                            .carries_names = true};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-perf-script", .version = "1.0",
                 .summary = "Samples of perf as text, written by perf script", .reader = &reader};
