/* SPDX-License-Identifier: Apache-2.0 */
/* The members of the profile builder that take stacks: what readers pass is checked here. */
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/name-table.h"
#include "base/run.h"
#include "profile/metrics.h"
#include "profile/parts.h"
#include "profile/profile.h"

/* object: of all of them; NULL: not known. */
static void
add_places(struct gprofx *gx, struct gprofx_profile *public, const char *object,
           const struct gprofx_raw_place *rows, uint32_t count, uint32_t *numbers)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;

	profile_expect_rows(run, rows, count, "places");
	profile_expect_rows(run, numbers, count, "numbers of places");
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_raw_place *row = &rows[i];
		uint32_t known = profile->stacks.place_count;

		if (!row->function || row->function[0] == '\0')
			profile_give_up(run, "expected 1 name of a function, found none");
		numbers[i] = stacks_add_place(run, &profile->stacks, row, object);
		/* One text can be passed again and again. */
		if (profile->stacks.place_count > known)
			profile_spend(run, profile, 1,
			              strlen(row->function) + (row->file ? strlen(row->file) : 0) +
			                      (object ? strlen(object) : 0),
			              "places");
	}
}

void
profile_build_places(struct gprofx *gx, struct gprofx_profile *public,
                     const struct gprofx_raw_place *rows, uint32_t count, uint32_t *numbers)
{
	add_places(gx, public, NULL, rows, count, numbers);
}

void
profile_build_places_in(struct gprofx *gx, struct gprofx_profile *public, const char *object,
                        const struct gprofx_raw_place *rows, uint32_t count, uint32_t *numbers)
{
	if (!object || object[0] == '\0')
		profile_give_up((struct run *)gx, "expected 1 path of an object, found none");
	add_places(gx, public, object, rows, count, numbers);
}

void
profile_build_texts(struct gprofx *gx, struct gprofx_profile *public, const char *const *rows,
                    uint32_t count, uint32_t *numbers)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	struct name_table *texts = &profile->stacks.texts;

	profile_expect_rows(run, (const void *)rows, count, "texts");
	profile_expect_rows(run, numbers, count, "numbers of texts");
	for (uint32_t i = 0; i < count; i++) {
		uint32_t known = texts->count;

		if (!rows[i] || rows[i][0] == '\0')
			profile_give_up(run, "expected 1 text, found none");
		numbers[i] = name_table_add(run, texts, rows[i]) + 1;
		if (texts->count > known)
			profile_spend(run, profile, 1, strlen(rows[i]), "texts");
	}
}

static void
expect_text(struct run *run, const struct stacks *stacks, uint32_t number)
{
	if (number > stacks->texts.count)
		profile_give_up(run, "expected one of %u texts, found text %u", stacks->texts.count,
		                number);
}

void
profile_build_code(struct gprofx *gx, struct gprofx_profile *public,
                   const struct gprofx_raw_code *rows, uint32_t count, uint32_t *numbers)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	struct stacks *stacks = &profile->stacks;

	profile_expect_rows(run, rows, count, "places");
	profile_expect_rows(run, numbers, count, "numbers of places");
	for (uint32_t i = 0; i < count; i++) {
		uint32_t known = stacks->place_count;

		if (rows[i].function == 0)
			profile_give_up(run, "expected 1 name of a function, found none");
		expect_text(run, stacks, rows[i].function);
		expect_text(run, stacks, rows[i].file);
		expect_text(run, stacks, rows[i].object);
		expect_text(run, stacks, rows[i].line_file);
		numbers[i] = stacks_add_code(run, stacks, &rows[i]);
		if (stacks->place_count > known)
			profile_spend(run, profile, 1, 1, "places");
	}
}

static bool
is_same_frame(const struct gprofx_raw_stacks *rows, uint32_t a, uint32_t b)
{
	return rows->place ? rows->place[a] == rows->place[b]
	                   : rows->address[a] == rows->address[b];
}

/*
 * The frames without those that a stack shares with the one before it, from the outermost on: a
 * file with a tree of frames has them once.
 */
static uint32_t
count_distinct(const struct gprofx_raw_stacks *rows)
{
	uint32_t count = rows->first[rows->count] - rows->first[0];

	for (uint32_t i = 1; i < rows->count; i++) {
		uint32_t at = rows->first[i + 1], before = rows->first[i];

		while (at > rows->first[i] && before > rows->first[i - 1] &&
		       is_same_frame(rows, at - 1, before - 1)) {
			at--;
			before--;
			count--;
		}
	}
	return count;
}

/* What cannot be is a defect of the reader, whatever its file says. */
static void
expect_stacks(struct run *run, struct stacks *stacks, const struct gprofx_raw_stacks *rows)
{
	uint32_t first = rows->first[0], past = rows->first[rows->count], count;

	for (uint32_t i = 0; i < rows->count; i++)
		if (rows->first[i] > rows->first[i + 1])
			profile_give_up(run, "expected stacks one behind the other");
	profile_expect_rows(run, rows->place ? (const void *)rows->place : rows->address,
	                    past - first, "frames");
	for (uint32_t i = first; rows->place && i < past; i++)
		if (rows->place[i] >= stacks->place_count)
			profile_give_up(run, "expected one of %u places, found place %u",
			                stacks->place_count, rows->place[i]);
	count = past - first > stacks->frames_left ? count_distinct(rows) : past - first;
	if (count > stacks->frames_left)
		profile_give_up(run, "expected no more frames than the file has bytes");
	stacks->frames_left -= count;
}

/* What the weights measure, each metric by itself. */
static uint32_t
measures_of(struct run *run, const struct profile *profile, const struct gprofx_raw_stacks *rows,
            struct stack_measure measures[STACK_MEASURES_AT_MOST])
{
	struct stack_measure *only = &measures[0];

	if (rows->metric_count > 0) {
		metrics_measure(run, profile, rows, measures);
		return rows->metric_count;
	}
	if (rows->rate == 0 || !memchr(rows->dimension, '\0', sizeof rows->dimension) ||
	    rows->dimension[0] == '\0')
		profile_give_up(run, "expected the unit of weights, found none");
	*only = (struct stack_measure){
		.name = metrics_name_of_unit(rows->dimension),
		.kind = GPROFX_SAMPLED,
		.rate = rows->rate,
		.abbreviation = rows->abbreviation,
		.weight = rows->weight,
		.squares = rows->squares,
		.step = 1,
	};
	memcpy(only->dimension, rows->dimension, sizeof only->dimension);
	return 1;
}

/*
 * Readers of large text go from the first line to the last.  What they have passed would stay in
 * memory beside what it became; what they come back to is there again.
 */
static void
let_go(struct run *run, struct profile *profile, const struct gprofx_file *file, uint32_t count)
{
	enum { ROWS = 1 << 17 };

	profile->stack_rows = profile->stack_rows < ROWS ? profile->stack_rows + count : count;
	if (profile->stack_rows >= ROWS)
		mapfile_let_all_go(run, file->bytes);
}

enum gprofx_result
profile_build_stacks(struct gprofx *gx, struct gprofx_profile *public,
                     const struct gprofx_file *file, const struct gprofx_from *given_from,
                     const struct gprofx_raw_stacks *given)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	struct stack_measure measures[STACK_MEASURES_AT_MOST];
	struct gprofx_raw_stacks rows;
	struct stack_batch batch = {.rows = &rows, .measures = measures};
	enum gprofx_result result;
	struct gprofx_from from;
	uint64_t *placed = NULL;

	from = profile_take_from(run, profile, given_from, false);
	profile_take(run, "the record of stacks", &rows, sizeof rows, given);
	profile_expect_rows(run, rows.first, 1, "begin of stacks");
	profile_expect_rows(run, rows.weight, rows.count, "weights");
	expect_stacks(run, &profile->stacks, &rows);
	batch.count = measures_of(run, profile, &rows, measures);
	batch.slices = slices_of_stacks(run, profile, from.slice, &rows);
	batch.left_out = phases_left_out_stacks(run, profile, from.slice, &rows);
	placed = rows.place ? NULL
	                    : profile_placed_frames(run, profile, &from, &rows, &batch.placed);
	rows.address = placed ? placed : rows.address;
	result = stacks_add(run, &profile->stacks, file, &batch);
	let_go(run, profile, file, rows.count);
	memory_release(run, placed);
	memory_release(run, (void *)batch.left_out);
	return result;
}

/* An end of a call is a place with a name: those with addresses can still move. */
static void
expect_end(struct run *run, const struct stacks *stacks, uint32_t place)
{
	if (place >= stacks->place_count || !stacks->places[place].names->function)
		profile_give_up(run, "expected one of %u places with names, found place %u",
		                stacks->place_count, place);
}

enum gprofx_result
profile_build_costed_calls(struct gprofx *gx, struct gprofx_profile *public,
                           const struct gprofx_file *file, const struct gprofx_from *given_from,
                           const struct gprofx_raw_costed_calls *given)
{
	enum { ROW_BYTES = 2 };
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	struct stack_measure measures[STACK_MEASURES_AT_MOST];
	struct gprofx_raw_costed_calls calls;
	struct gprofx_from from;
	struct gprofx_raw_stacks weights = {.size = sizeof weights};

	from = profile_take_from(run, profile, given_from, false);
	profile_take(run, "the record of calls", &calls, sizeof calls, given);
	profile_expect_rows(run, calls.rows, calls.count, "calls");
	profile_expect_rows(run, calls.weight, calls.count, "weights");
	for (uint32_t i = 0; i < calls.count; i++) {
		expect_end(run, &profile->stacks, calls.rows[i].caller);
		expect_end(run, &profile->stacks, calls.rows[i].callee);
	}
	if (calls.metric_count == 0)
		profile_give_up(run, "expected metrics of calls, found none");
	profile_spend(run, profile, calls.count, ROW_BYTES, "calls");
	weights.count = calls.count;
	weights.weight = calls.weight;
	weights.metrics = calls.metrics;
	weights.metric_count = calls.metric_count;
	metrics_measure(run, profile, &weights, measures);
	if (from.slice == SLICE_LEFT_OUT)
		calls.count = 0;
	return stacks_add_calls(run, &profile->stacks, file, calls.rows, calls.count, measures,
	                        calls.metric_count);
}
