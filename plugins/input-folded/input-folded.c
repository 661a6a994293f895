/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input-folded: stacks as text, a line each, such as flame graphs are made from:
 *
 *     main;parse;read_word 12
 *
 * The outermost frame comes first; the number behind the last blank is the weight of the stack.
 */
#include <string.h>

#include <gprofx/reader.h>

#include "../shared/grown.h"
#include "../shared/stack-batch.h"
#include "../shared/text-lines.h"
#include "../shared/text-table.h"
#include "line.h"
#include "names.h"

enum {
	LOOKED_AT = 100,    /* lines that show what a file is */
	SOUND_OF_THEM = 90, /* so many of a hundred have to be sound */
	LIKELY = 60,        /* how sure that is, */
	PERHAPS = 30,       /* and where no stack has a caller */
	FEWEST_FRAMES = 1024,
	DEEPEST = 1 << 24,
	COMPARED = 2,  /* metrics of a comparison of two runs */
	MOST_TOLD = 10 /* bad lines */
};

static struct text_lines
lines_of(const struct gprofx_file *file)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which some editors write */
	const char *begin = (const char *)file->bytes, *end = begin;

	if (file->length > 0)
		end = begin + file->length;
	if (file->length >= sizeof mark - 1 && memcmp(begin, mark, sizeof mark - 1) == 0)
		begin += sizeof mark - 1;
	return (struct text_lines){begin, end, 0};
}

/* Stacks on their way to the host. */
struct folding {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	struct folded_names names;
	struct stack_batch batch;
	/* The frames of the line before, the outermost first: where each ends, and its place. */
	struct folded_line last;
	size_t *ends;
	uint32_t *places;
	uint32_t depth, depth_room;
	uint32_t bad_lines;
	uint64_t stacks;
	uint32_t rate, dropped; /* ticks per unit; what a fraction as it is read is divided by */
	bool told_cut;
	/* Each line has a number of a run and one of a later run, which are metrics. */
	bool is_compared;
	uint32_t metrics[COMPARED];
};

/* How many frames the line begins with that the line before had, too. */
static uint32_t
shared_frames(const struct folding *f, const struct folded_line *line)
{
	size_t most = line->length < f->last.length ? line->length : f->last.length, same = 0;
	uint32_t frames = 0;

	while (same + 8 <= most && memcmp(line->frames + same, f->last.frames + same, 8) == 0)
		same += 8;
	while (same < most && line->frames[same] == f->last.frames[same])
		same++;
	/* What is equal has to end where a frame does in both of them. */
	while (frames < f->depth && f->ends[frames] <= same &&
	       (f->ends[frames] == line->length || line->frames[f->ends[frames]] == ';'))
		frames++;
	return frames;
}

/* Finds the places of the line's frames, the outermost first.  False: there are too many. */
static bool
split(struct folding *f, const struct folded_line *line)
{
	const char *end = line->frames + line->length, *at, *next;
	uint32_t room;

	f->depth = shared_frames(f, line);
	f->last = *line;
	/* A line ends with a frame, be it an empty one behind a semicolon. */
	for (at = line->frames + (f->depth > 0 ? f->ends[f->depth - 1] + 1 : 0); at <= end;
	     at = next + 1) {
		if (f->depth == DEEPEST)
			return false;
		next = memchr(at, ';', (size_t)(end - at));
		next = next ? next : end;
		room = f->depth_room;
		f->ends = grown(f->gx, f->ends, sizeof *f->ends, &room, f->depth + 1,
		                FEWEST_FRAMES);
		f->places = grown(f->gx, f->places, sizeof *f->places, &f->depth_room, f->depth + 1,
		                  FEWEST_FRAMES);
		f->ends[f->depth] = (size_t)(next - line->frames);
		f->places[f->depth++] = folded_place(&f->names, at, (size_t)(next - at));
	}
	return true;
}

/* A number of a line in ticks; it stays at the largest there is. */
static uint64_t
weight_of(const struct folding *f, const struct folded_number *number)
{
	uint32_t fraction = number->fraction / f->dropped;

	if (number->count > (UINT64_MAX - fraction) / f->rate)
		return UINT64_MAX;
	return number->count * f->rate + fraction;
}

static enum gprofx_result
add_line(struct folding *f, const struct folded_line *line)
{
	const struct gprofx_diagnostic deep = {
		.id = "folded.too-deep",
		.file = f->file->name,
		.hint = "cut the stacks when recording",
	};
	struct stack_batch *batch = &f->batch;
	uint64_t *weight = stack_batch_weights(batch);

	if (!split(f, line))
		return gprofx_fail(f->gx, &deep, "expected at most %u frames in a stack", DEEPEST);
	stack_batch_reserve(batch, f->depth);
	for (uint32_t i = f->depth; i-- > 0;)
		batch->place[batch->frame_count++] = f->places[i];
	weight[0] = weight_of(f, &line->last);
	if (f->is_compared)
		weight[1] = weight_of(f, &line->before);
	f->stacks++;
	return stack_batch_end_stack(batch);
}

static struct gprofx_diagnostic
at_line(const struct gprofx_file *file, uint32_t line, const char *id, const char *hint)
{
	return (struct gprofx_diagnostic){.id = id,
	                                  .file = file->name,
	                                  .place = line > 0 ? GPROFX_AT_LINE : GPROFX_NOWHERE,
	                                  .line = line,
	                                  .hint = hint};
}

/* A line that says nothing is left out, and reported. */
static void
tell_bad_line(struct folding *f, uint32_t number, enum folded_fault fault)
{
	struct gprofx_diagnostic diagnostic = at_line(
		f->file, number, "folded.bad-line",
		"write stacks as FRAME;FRAME;FRAME NUMBER; this line is left out");

	if (f->bad_lines++ < MOST_TOLD)
		gprofx_warn(
			f->gx, &diagnostic,
			fault == FOLDED_NEGATIVE
				? "expected a number of samples, found a negative one"
			: fault == FOLDED_SOUND
				? "expected two numbers of samples, as in the first lines, found "
				  "one"
				: "expected a number of samples after the last blank, found "
				  "none");
}

/* What the lines that were left out come to. */
static enum gprofx_result
tell_rest(struct folding *f)
{
	const char *name = f->file->name;
	struct gprofx_diagnostic many = {.id = "folded.bad-lines",
	                                 .file = name,
	                                 .hint = "check the file: what these lines say is in no "
	                                         "table"};
	struct gprofx_diagnostic none = {.id = "folded.no-stacks",
	                                 .file = name,
	                                 .hint = "write a stack on each line: FRAME;FRAME;FRAME "
	                                         "NUMBER"};

	if (f->bad_lines > MOST_TOLD)
		gprofx_warn(f->gx, &many, "%u more lines are left out",
		            (unsigned int)(f->bad_lines - MOST_TOLD));
	if (f->stacks == 0)
		return gprofx_fail(f->gx, &none, "expected folded stacks, found none");
	return GPROFX_OK;
}

/* How many decimals the numbers have, all that are read at most. */
static uint32_t
most_decimals(const struct gprofx_file *file)
{
	struct text_lines lines = lines_of(file);
	struct folded_line line;
	uint32_t most = 0;
	const char *text;
	size_t length;

	/* Most files have no point anywhere, and are not looked at twice. */
	if (file->length == 0 || !memchr(file->bytes, '.', file->length))
		return 0;
	while (most < FOLDED_DECIMALS && text_lines_next(&lines, &text, &length))
		if (folded_read_line(text, length, &line) == FOLDED_SOUND) {
			most = line.last.decimals > most ? line.last.decimals : most;
			most = line.before.decimals > most ? line.before.decimals : most;
		}
	return most;
}

/* Whether the first lines have two numbers each; a single one can also have a name with a number.
 */
static bool
compares(const struct gprofx_file *file)
{
	struct text_lines lines = lines_of(file);
	struct folded_line line;
	uint32_t count = 0;
	const char *text;
	size_t length;

	while (count < LOOKED_AT && text_lines_next(&lines, &text, &length)) {
		if (folded_read_line(text, length, &line) != FOLDED_SOUND)
			continue;
		if (!line.has_two)
			return false;
		count++;
	}
	return count > 1;
}

/* False: they are of other kinds in files that were read before, which was reported. */
static bool
declare_metrics(struct folding *f)
{
	static const char *const names[COMPARED] = {"after", "before"};

	for (uint32_t i = 0; i < COMPARED; i++) {
		const struct gprofx_raw_metric metric = {
			.size = sizeof metric,
			.name = names[i],
			.unit = "samples",
			.ticks_per_unit = f->rate,
			.kind = GPROFX_SAMPLED,
		};

		f->metrics[i] = f->profile->builder->metric(f->gx, f->profile, f->file, &metric);
		if (f->metrics[i] == 0)
			return false;
	}
	f->batch.rows.metrics = f->metrics;
	f->batch.rows.metric_count = COMPARED;
	return true;
}

/* Ticks are as fine as the numbers of the file. */
static void
choose_rate(struct folding *f)
{
	uint32_t decimals = most_decimals(f->file);

	f->rate = f->dropped = 1;
	for (uint32_t i = 0; i < FOLDED_DECIMALS; i++) {
		if (i < decimals)
			f->rate *= 10;
		else
			f->dropped *= 10;
	}
}

static enum gprofx_result
read_lines(struct folding *f)
{
	struct text_lines lines = lines_of(f->file);
	enum gprofx_result result = GPROFX_OK;
	struct folded_line line;
	const char *text;
	size_t length;
	bool is_cut;

	while (result == GPROFX_OK && text_lines_next(&lines, &text, &length)) {
		enum folded_fault fault = folded_read_line(text, length, &line);
		struct gprofx_diagnostic cut = at_line(
			f->file, lines.number, "folded.rounded",
			"count in a smaller unit: what is cut off is in no table");

		if (fault == FOLDED_EMPTY)
			continue;
		if (f->is_compared && line.has_two)
			line.length = line.short_length;
		if (fault != FOLDED_SOUND || (f->is_compared && !line.has_two)) {
			tell_bad_line(f, lines.number, fault);
			continue;
		}
		is_cut = line.last.is_cut || (f->is_compared && line.before.is_cut);
		if (is_cut && !f->told_cut)
			gprofx_warn(f->gx, &cut, "numbers are cut off after the ninth decimal");
		f->told_cut = f->told_cut || is_cut;
		result = add_line(f, &line);
	}
	return result == GPROFX_OK ? stack_batch_pass(&f->batch) : result;
}

static void
release(struct folding *f)
{
	const struct gprofx_host *host = f->gx->host;

	stack_batch_release(&f->batch);
	host->release(f->gx, f->ends);
	host->release(f->gx, f->places);
	text_table_release(&f->names.table);
}

static enum gprofx_result
read_folded(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
            struct gprofx_profile *profile, const void *options)
{
	struct folding f = {.gx = gx, .file = file, .profile = profile};
	enum gprofx_result result = GPROFX_FAILED;

	(void)target;
	(void)options;
	f.names.table.gx = gx;
	f.names.profile = profile;
	choose_rate(&f);
	f.is_compared = compares(file);
	f.batch = (struct stack_batch){.gx = gx,
	                               .file = file,
	                               .profile = profile,
	                               .rows = {.rate = f.rate, .dimension = "samples"},
	                               .weights = f.is_compared ? COMPARED : 1};
	stack_batch_begin(&f.batch);
	if (!f.is_compared || declare_metrics(&f))
		result = read_lines(&f);
	release(&f);
	return result == GPROFX_OK ? tell_rest(&f) : result;
}

/* Text, most lines of which are stacks. */
static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	struct text_lines lines = lines_of(file);
	uint32_t sound = 0, all = 0;
	bool has_callers = false;
	struct folded_line line;
	const char *text;
	size_t length;

	(void)target;
	while (all < LOOKED_AT && text_lines_next(&lines, &text, &length)) {
		enum folded_fault fault = folded_read_line(text, length, &line);

		if (memchr(text, '\0', length))
			return 0;
		if (fault == FOLDED_EMPTY)
			continue;
		all++;
		sound += fault == FOLDED_SOUND;
		has_callers = has_callers ||
		              (fault == FOLDED_SOUND && memchr(line.frames, ';', line.length));
	}
	if (all == 0 || 100 * sound < SOUND_OF_THEM * all)
		return 0;
	return has_callers ? LIKELY : PERHAPS;
}

static const struct gprofx_reader reader = {.size = sizeof reader,
                                            .format = "folded",
                                            .read = read_folded,
                                            .weigh = weigh,
                                            .carries_names = true};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-folded", .version = "1.0",
                 .summary = "Folded stacks, one per line, as used for flame graphs",
                 .reader = &reader};
