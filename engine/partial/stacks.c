/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks, in the order in which they came: each by the frames that it shares with the one before,
 * and its other ones, the outermost first.
 */
#include "profile/stacks.h"

#include <string.h>

#include "base/memory.h"
#include "partial/parts.h"
#include "profile/metrics.h"
#include "profile/stack-tree.h"
#include "profile/stack-weights.h"

/* What is read of the stacks, until all of it is known to be right. */
struct reading {
	struct partial *partial;
	struct stacks *stacks;
	uint32_t *places, place_count; /* numbers here */
	uint32_t *numbers, stack_count;
	uint32_t *calls, call_count;
	bool has_other_first; /* the first metric there is another one than here */
};

static void
code_names(struct codec *codec, struct stack_names *names)
{
	codec_text(codec, &names->function);
	codec_text(codec, &names->file);
	codec_text(codec, &names->object);
	codec_text(codec, &names->source);
}

/* Places that follow each other mostly share their names, which are written once. */
static void
write_places(struct codec *codec, const struct stacks *stacks)
{
	const struct stack_names *last = NULL;

	bytes_put_number(&codec->out, stacks->place_count);
	for (uint32_t i = 0; i < stacks->place_count; i++) {
		const struct stack_place *place = &stacks->places[i];
		struct stack_names names = *place->names;

		bytes_put_number(&codec->out, place->address);
		bytes_put_number(&codec->out, place->line);
		bytes_put_number(&codec->out, place->flags);
		bytes_put_number(&codec->out, place->names == last);
		if (place->names != last)
			code_names(codec, &names);
		last = place->names;
	}
}

/* The texts of a place that has those of the table. */
static struct stack_names
texts_of(struct reading *reading, const struct stack_names *names)
{
	struct name_table *table = &reading->stacks->texts;
	const char *const texts[] = {names->function, names->file, names->object, names->source};
	const char *kept[4] = {NULL};

	for (int i = 0; i < 4; i++) {
		uint32_t number = texts[i] ? name_table_add(reading->partial->run, table, texts[i])
		                           : NO_NAME;

		kept[i] = texts[i] ? table->items[number] : NULL;
	}
	return (struct stack_names){.function = kept[0],
	                            .file = kept[1],
	                            .object = kept[2],
	                            .source = kept[3]};
}

static void
read_places(struct reading *reading)
{
	struct partial *partial = reading->partial;
	struct codec *codec = &partial->codec;
	const struct symbols *symbols = partial->profile->image_symbols;
	struct stack_names names = {.function = NULL};

	codec_count(codec, &reading->place_count, 4);
	memory_array(partial->run, reading->places, (size_t)reading->place_count + 1);
	for (uint32_t i = 0; i < reading->place_count; i++) {
		struct stack_place place = {.address = bytes_take_number(&codec->in)};
		bool is_same;

		place.line = (uint32_t)bytes_take_up_to(&codec->in, UINT32_MAX);
		place.flags = (uint32_t)bytes_take_up_to(&codec->in, UINT32_MAX);
		is_same = bytes_take_up_to(&codec->in, 1) == 1;
		if (!is_same) {
			code_names(codec, &names);
			if (place.flags & PLACE_HAS_TEXTS)
				names = texts_of(reading, &names);
		}
		if (codec->in.has_failed || (is_same && i == 0)) {
			codec_fail(codec);
			return;
		}
		if (place.flags & PLACE_IS_PLACED)
			place.address = partial_location(partial, place.address);
		if (place.flags & PLACE_IS_PLACED && symbols_is_program(symbols, place.address))
			place.flags &= ~PLACE_IS_PLACED;
		reading->places[i] = stacks_add_known_place(partial->run, reading->stacks, &place,
		                                            &names);
	}
}

/* The frames of a stack, the outermost first, behind the depth that it shares. */
struct path {
	uint32_t *places, count, room;
};

static void
path_of(struct run *run, const struct stacks *stacks, uint32_t stack, struct path *path)
{
	uint32_t depth = 0;

	for (struct stack_walk at = stacks_walk(stacks, stack); at.frame != NO_FRAME;
	     at = stacks_outwards(stacks, at))
		depth++;
	path->places = memory_room(run, path->places, sizeof *path->places, 0, &path->room, depth);
	path->count = depth;
	for (struct stack_walk at = stacks_walk(stacks, stack); at.frame != NO_FRAME;
	     at = stacks_outwards(stacks, at))
		path->places[--depth] = stacks->place[at.frame];
}

static void
write_stacks(struct partial *partial, const struct stacks *stacks)
{
	struct bytes_out *out = &partial->codec.out;
	struct path paths[2] = {{.count = 0}, {.count = 0}};

	bytes_put_number(out, stacks->count);
	for (uint32_t i = 0; i < stacks->count; i++) {
		struct path *path = &paths[i % 2];
		const struct path *last = &paths[(i + 1) % 2];
		uint32_t shared = 0;

		path_of(partial->run, stacks, i, path);
		while (shared < path->count && shared < last->count &&
		       path->places[shared] == last->places[shared])
			shared++;
		bytes_put_number(out, shared);
		bytes_put_number(out, path->count - shared);
		for (uint32_t k = shared; k < path->count; k++)
			bytes_put_number(out, path->places[k]);
	}
	memory_release(partial->run, paths[0].places);
	memory_release(partial->run, paths[1].places);
}

/* As the reader of a file would pass it: the innermost frame first. */
static uint32_t
add_stack(const struct reading *reading, const struct path *path)
{
	struct run *run = reading->partial->run;
	const uint32_t first[] = {0, path->count};
	struct gprofx_raw_stacks row = {.size = sizeof row, .count = 1, .first = first};
	uint32_t *places, number;

	memory_array(run, places, (size_t)path->count + 1);
	for (uint32_t i = 0; i < path->count; i++)
		places[i] = path->places[path->count - 1 - i];
	row.place = places;
	number = stack_tree_add(run, reading->stacks, &row, 0, NULL);
	memory_release(run, places);
	return number;
}

static void
read_stacks(struct reading *reading)
{
	struct partial *partial = reading->partial;
	struct bytes_in *in = &partial->codec.in;
	struct path path = {.count = 0};

	reading->stack_count = bytes_take_count(in, 2);
	memory_array(partial->run, reading->numbers, (size_t)reading->stack_count + 1);
	for (uint32_t i = 0; i < reading->stack_count && !in->has_failed; i++) {
		uint32_t shared = (uint32_t)bytes_take_up_to(in, path.count);
		uint32_t own = bytes_take_count(in, 1);

		path.places = memory_room(partial->run, path.places, sizeof *path.places, shared,
		                          &path.room, own);
		path.count = shared + own;
		for (uint32_t k = shared; k < path.count && !in->has_failed; k++) {
			uint32_t place = (uint32_t)bytes_take_up_to(in, UINT32_MAX);

			if (place < reading->place_count)
				path.places[k] = reading->places[place];
			else
				in->has_failed = true;
		}
		/* Each was written with all frames: this is no more work than there was. */
		if (path.count == 0 || path.count > partial->profile->stacks.frames_left)
			in->has_failed = true;
		if (in->has_failed)
			break;
		partial->profile->stacks.frames_left -= path.count;
		partial->profile->partial_frames += path.count;
		reading->numbers[i] = add_stack(reading, &path);
	}
	memory_release(partial->run, path.places);
}

/* What a metric of stacks is, and what else is known about its weights. */
struct metric {
	char name[METRIC_NAME_BYTES], dimension[METRIC_UNIT_BYTES];
	uint8_t abbreviation;
	uint32_t kind, rate;
	bool is_there, has_squares, lacks_squares, is_saturated;
	bool has_costs, is_all; /* see struct call_costs */
	uint64_t nowhere, square_nowhere;
};

static void
code_metric(struct codec *codec, struct metric *metric)
{
	codec_bool(codec, &metric->is_there);
	if (!metric->is_there)
		return;
	codec_words(codec, metric->name, sizeof metric->name);
	codec_words(codec, metric->dimension, sizeof metric->dimension);
	codec_u8(codec, &metric->abbreviation);
	codec_up_to(codec, &metric->kind, GPROFX_CLOCKED);
	codec_u32(codec, &metric->rate);
	codec_bool(codec, &metric->has_squares);
	codec_bool(codec, &metric->lacks_squares);
	codec_bool(codec, &metric->is_saturated);
	codec_bool(codec, &metric->has_costs);
	codec_bool(codec, &metric->is_all);
	codec_u64(codec, &metric->nowhere);
	codec_u64(codec, &metric->square_nowhere);
	if (!codec->writes && (metric->rate == 0 || !metric->name[0] || !metric->dimension[0]))
		codec_fail(codec);
}

static void
write_weights(struct bytes_out *out, const uint64_t *weights, uint32_t known, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		bytes_put_number(out, i < known ? weights[i] : 0);
}

static void
write_slices(struct partial *partial, struct stacks *of)
{
	struct bytes_out *out = &partial->codec.out;
	const struct stack_slice *rows;

	kept_rows_merge(partial->run, &of->by_slice, sizeof *rows, true);
	rows = of->by_slice.items;
	bytes_put_number(out, of->by_slice.count);
	for (uint32_t i = 0; i < of->by_slice.count; i++) {
		bytes_put_number(out, rows[i].slice);
		/* NO_STACK becomes 0. */
		bytes_put_number(out, (uint32_t)(rows[i].stack + 1));
		bytes_put_number(out, rows[i].weight);
	}
}

static void
write_metric(struct partial *partial, struct stacks *of)
{
	const struct stacks *tree = &partial->profile->stacks, *squares = of->squares;
	struct bytes_out *out = &partial->codec.out;
	struct metric metric = {.abbreviation = (uint8_t)of->abbreviation,
	                        .kind = of->metric_kind,
	                        .rate = of->rate,
	                        .is_there = of->is_there,
	                        .has_squares = squares && squares->is_there,
	                        .lacks_squares = of->lacks_squares,
	                        .is_saturated = of->is_saturated,
	                        .has_costs = of->costs.weight != NULL,
	                        .is_all = of->costs.is_all,
	                        .nowhere = of->nowhere,
	                        .square_nowhere = squares ? squares->nowhere : 0};

	if (of->is_there) {
		strncpy(metric.name, of->metric_name, sizeof metric.name - 1);
		memcpy(metric.dimension, of->dimension, sizeof metric.dimension - 1);
	}
	code_metric(&partial->codec, &metric);
	if (!of->is_there)
		return;
	write_weights(out, of->weight, of->weighed, tree->count);
	if (squares && metric.has_squares)
		write_weights(out, squares->weight, squares->weighed, tree->count);
	write_slices(partial, of);
	if (metric.has_costs)
		write_weights(out, of->costs.weight, of->costs.weighed, tree->calls.count);
	if (metric.has_costs && !metric.is_all)
		write_weights(out, of->costs.self, of->costs.self_count, tree->place_count);
	partial_names(partial, &of->files);
}

/* Weights of stacks, to be added once the whole partial profile counts. */
static void
read_weights(const struct reading *reading, struct stacks *to, uint64_t nowhere, bool adds)
{
	struct partial *partial = reading->partial;
	struct bytes_in *in = &partial->codec.in;

	for (uint32_t i = 0; i < reading->stack_count && !in->has_failed; i++) {
		const struct stack_entry entry = {reading->numbers[i], 0, bytes_take_number(in)};

		if (adds && entry.weight > 0)
			stack_weights_add(partial->run, to, entry, NO_STACK);
	}
	if (adds && nowhere > 0)
		stack_weights_add(partial->run, to, (struct stack_entry){NO_STACK, 0, nowhere},
		                  NO_STACK);
}

static void
read_slices(const struct reading *reading, struct stacks *to, bool adds)
{
	struct partial *partial = reading->partial;
	struct bytes_in *in = &partial->codec.in;
	uint32_t count = bytes_take_count(in, 3);

	for (uint32_t i = 0; i < count && !in->has_failed; i++) {
		struct stack_entry entry = {.slice = partial_slice(partial, bytes_take_number(in))};
		uint32_t stack = (uint32_t)bytes_take_up_to(in, reading->stack_count);

		entry.stack = stack > 0 ? reading->numbers[stack - 1] : NO_STACK;
		entry.weight = bytes_take_number(in);
		if (adds && !in->has_failed)
			stack_weights_add(partial->run, to, entry, NO_STACK);
	}
}

/* What calls cost, and what places have themselves in files with calls. */
static void
read_costs(const struct reading *reading, struct stacks *to, const struct metric *metric, bool adds)
{
	struct partial *partial = reading->partial;
	struct bytes_in *in = &partial->codec.in;
	uint64_t *self = NULL;

	if (metric->has_costs)
		for (uint32_t i = 0; i < reading->call_count && !in->has_failed; i++) {
			uint64_t weight = bytes_take_number(in);

			if (adds)
				call_costs_add(partial->run, &to->costs, reading->calls[i], weight);
		}
	if (metric->has_costs && !metric->is_all) {
		memory_array(partial->run, self, (size_t)partial->profile->stacks.place_count + 1);
		for (uint32_t i = 0; i < reading->place_count && !in->has_failed; i++) {
			uint64_t weight = bytes_take_number(in);

			if (adds)
				self[reading->places[i]] = weight;
		}
	}
	if (!adds)
		return;
	to->costs.file_calls = !metric->has_costs ? FILE_CALLS_NONE
	                       : metric->is_all   ? FILE_CALLS_AS_READ
	                                          : FILE_CALLS_MIXED;
	to->costs.file_self = self;
	to->costs.file_self_count = self ? partial->profile->stacks.place_count : 0;
}

/* What is known about single files is in the first metric of all. */
static enum gprofx_result
check_first(const struct partial *partial, const struct metric *metric)
{
	const struct profile *profile = partial->profile;
	const struct gprofx_diagnostic diagnostic = {
		.id = "partial.other-metric",
		.file = partial->file->name,
		.hint = "write partial profiles with the first file of all as their base, or with "
			"--metric",
	};

	if (!profile->facts && !profile->watch_read)
		return GPROFX_OK;
	return run_fail(
		partial->run, &diagnostic,
		"expected stacks whose first metric is \"%s\", as before, found another one "
		"before it",
		metric->name);
}

/* is_first: it is the first metric of the run that wrote. */
static enum gprofx_result
read_metric(struct reading *reading, bool is_first)
{
	struct partial *partial = reading->partial;
	struct stacks *stacks = &partial->profile->stacks, *to;
	struct codec *codec = &partial->codec;
	bool adds = !partial->is_base, by_slice;
	struct metric metric = {.is_there = false};
	const uint64_t none = 0;
	struct stack_measure measure;

	code_metric(codec, &metric);
	if (codec->in.has_failed)
		return GPROFX_FAILED;
	if (!metric.is_there)
		return GPROFX_OK;
	measure = (struct stack_measure){.name = metric.name,
	                                 .kind = metric.kind,
	                                 .rate = metric.rate,
	                                 .abbreviation = (char)metric.abbreviation,
	                                 .squares = metric.has_squares ? &none : NULL};
	memcpy(measure.dimension, metric.dimension, sizeof measure.dimension);
	to = stacks_enter_metric(partial->run, stacks, partial->file, &measure);
	if (is_first)
		reading->has_other_first = to != stacks;
	if (!to || (to == stacks && reading->has_other_first &&
	            check_first(partial, &metric) != GPROFX_OK))
		return GPROFX_FAILED;
	to->file_lacks_squares = metric.lacks_squares;
	to->is_saturated = to->is_saturated || metric.is_saturated;
	by_slice = to->keeps_slices;
	read_weights(reading, to, metric.nowhere, adds && !by_slice);
	if (metric.has_squares)
		read_weights(reading, to->squares, metric.square_nowhere, adds);
	read_slices(reading, to, adds && by_slice);
	/* What squares are of is a row of its own, which is made for the weights. */
	if (metric.has_squares && to->squares->file_nowhere > 0 && to->file_nowhere == 0)
		codec_fail(codec);
	read_costs(reading, to, &metric, adds);
	partial_names(partial, &to->files);
	return codec->in.has_failed ? GPROFX_FAILED : GPROFX_OK;
}

static void
write_calls(struct partial *partial, struct stacks *stacks)
{
	struct bytes_out *out = &partial->codec.out;

	bytes_put_number(out, stacks->calls.count);
	for (uint32_t i = 0; i < stacks->calls.count; i++) {
		const struct costed_call *call = &stacks->calls.items[i];

		bytes_put_number(out, call->caller);
		bytes_put_number(out, call->callee);
		bytes_put_number(out, call->flags);
		bytes_put_number(out, call->count);
	}
	partial_names(partial, &stacks->calls.files);
}

static void
read_calls(struct reading *reading)
{
	struct partial *partial = reading->partial;
	struct bytes_in *in = &partial->codec.in;

	reading->call_count = bytes_take_count(in, 4);
	memory_array(partial->run, reading->calls, (size_t)reading->call_count + 1);
	for (uint32_t i = 0; i < reading->call_count && !in->has_failed; i++) {
		uint32_t caller = (uint32_t)bytes_take_up_to(in, UINT32_MAX);
		uint32_t callee = (uint32_t)bytes_take_up_to(in, UINT32_MAX);
		struct costed_call call = {.flags = (uint32_t)bytes_take_up_to(in, UINT32_MAX),
		                           .count = bytes_take_number(in)};

		if (caller >= reading->place_count || callee >= reading->place_count)
			in->has_failed = true;
		if (in->has_failed)
			return;
		call.caller = reading->places[caller];
		call.callee = reading->places[callee];
		reading->calls[i] = costed_calls_add(partial->run, &reading->stacks->calls, &call);
	}
	partial_names(partial, &reading->stacks->calls.files);
}

/* Whether a run has any stacks or calls of them. */
static bool
has_any(const struct stacks *stacks)
{
	bool has = stacks->is_there || stacks->place_count > 0;

	for (uint32_t i = 0; i < stacks->other_count; i++)
		has = has || stacks->others[i]->is_there;
	return has;
}

enum gprofx_result
partial_stacks(struct partial *partial)
{
	struct stacks *stacks = &partial->profile->stacks, unused = {.factor = stacks->factor};
	struct reading reading = {.partial = partial,
	                          .stacks = partial->is_base ? &unused : stacks};
	struct codec *codec = &partial->codec;
	enum gprofx_result result = GPROFX_OK;
	uint32_t metrics = 1 + stacks->other_count;
	bool is_there = has_any(stacks);

	codec_bool(codec, &is_there);
	if (!is_there)
		return GPROFX_OK;
	codec_up_to(codec, &metrics, METRICS_AT_MOST);
	if (codec->writes) {
		write_places(codec, stacks);
		write_stacks(partial, stacks);
		write_calls(partial, stacks);
		for (uint32_t i = 0; i < metrics; i++)
			write_metric(partial, i > 0 ? stacks->others[i - 1] : stacks);
		return GPROFX_OK;
	}
	stacks_prepare(stacks);
	unused.factor = stacks->factor;
	read_places(&reading);
	read_stacks(&reading);
	read_calls(&reading);
	for (uint32_t i = 0; i < metrics && !codec->in.has_failed && result == GPROFX_OK; i++)
		result = read_metric(&reading, i == 0);
	return codec->in.has_failed ? GPROFX_FAILED : result;
}
