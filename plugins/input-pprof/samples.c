/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.h"

#include "../shared/grown.h"
#include "../shared/stack-batch.h"
#include "ids.h"
#include "labels.h"
#include "metrics.h"
#include "places.h"
#include "wire.h"

enum {
	PROFILE_SAMPLE = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	FEWEST_NUMBERS = 256,
	/* A location of a byte or two can stand for many frames: so many at most. */
	FRAMES_A_BYTE = 64,
	FREE_FRAMES = 1 << 16
};

static const char is_damaged[] = "the file is damaged or no profile of pprof; write it again";

/* Numbers of one kind of a sample. */
struct numbers {
	uint64_t *items;
	uint32_t count, room;
};

/* Samples on their way to the host. */
struct reading {
	const struct pprof *p;
	struct gprofx_profile *profile;
	struct pprof_places places;
	struct pprof_metrics metrics;
	uint64_t weight_of_sample[PPROF_MOST_TYPES];
	uint32_t type_of_samples;
	bool has_squares;
	struct numbers locations, values;
	struct pprof_labels labels;
	bool skips_locations; /* values alone are asked for */

	struct stack_batch batch;
	uint64_t frames_left;
	uint64_t negative; /* values below 0 */
};

static void
add_number(const struct reading *r, struct numbers *numbers, uint64_t number)
{
	numbers->items = grown(r->p->gx, numbers->items, sizeof *numbers->items, &numbers->room,
	                       numbers->count + 1, FEWEST_NUMBERS);
	numbers->items[numbers->count++] = number;
}

/* Numbers come one to a field, or many in one, or both. */
static enum gprofx_result
add_numbers(const struct reading *r, struct numbers *numbers, struct wire_field *field)
{
	uint64_t number;

	if (field->type == WIRE_NUMBER)
		add_number(r, numbers, field->value);
	else if (field->type != WIRE_BYTES)
		return GPROFX_FAILED;
	while (field->type == WIRE_BYTES && wire_number(&field->bytes, &number))
		add_number(r, numbers, number);
	return field->type == WIRE_BYTES && field->bytes.fault ? GPROFX_FAILED : GPROFX_OK;
}

static enum gprofx_result
read_labels(struct reading *r, struct wire wire)
{
	struct wire_field field;

	pprof_begin_label(&r->labels);
	while (wire_next(&wire, &field)) {
		if (field.number != SAMPLE_LABEL)
			continue;
		if (field.type != WIRE_BYTES)
			return pprof_fail(r->p, wire.at, "pprof.damaged", "labels in a sample",
			                  "another type of field");
		if (pprof_add_label(r->p, &r->labels, field.bytes) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
}

static enum gprofx_result
read_sample(struct reading *r, struct wire wire)
{
	const uint8_t *begin = wire.at;
	struct wire_field field;
	bool is_sound = true;

	r->locations.count = r->values.count = 0;
	while (is_sound && wire_next(&wire, &field)) {
		if (field.number == SAMPLE_LOCATION && !r->skips_locations)
			is_sound = add_numbers(r, &r->locations, &field) == GPROFX_OK;
		else if (field.number == SAMPLE_VALUE)
			is_sound = add_numbers(r, &r->values, &field) == GPROFX_OK;
	}
	if (!is_sound || wire.fault)
		return pprof_fail(r->p, is_sound ? wire.at : begin, "pprof.damaged",
		                  "numbers of locations and values in a sample",
		                  is_sound ? wire.fault : "other bytes");
	if (r->values.count != r->p->types.count)
		return pprof_fail(r->p, begin, "pprof.bad-values",
		                  "a value of each type in a sample",
		                  r->values.count < r->p->types.count ? "fewer" : "more");
	return GPROFX_OK;
}

static enum gprofx_result
take_frames(struct reading *r, uint32_t count)
{
	const struct gprofx_diagnostic many = {
		.id = "pprof.too-many-frames",
		.file = r->p->file->name,
		.hint = "record fewer frames of each stack, or a shorter time"};

	if (count > r->frames_left)
		return gprofx_fail(r->p->gx, &many,
		                   "expected at most %d frames for each byte of the profile, "
		                   "found more",
		                   FRAMES_A_BYTE);
	r->frames_left -= count;
	stack_batch_reserve(&r->batch, count);
	return GPROFX_OK;
}

static enum gprofx_result
add_frames(struct reading *r, uint64_t id)
{
	const struct pprof *p = r->p;
	uint32_t item = ids_find(&p->location_ids, id), count;
	const struct gprofx_diagnostic unknown = {.id = "pprof.bad-reference",
	                                          .file = p->file->name,
	                                          .hint = is_damaged};
	const struct pprof_location *location;
	struct stack_batch *batch = &r->batch;

	if (item == NO_ITEM)
		return gprofx_fail(p->gx, &unknown,
		                   "expected locations of the profile in samples, found %llu, "
		                   "which is none",
		                   (unsigned long long)id);
	location = PPROF_ITEM(&p->locations, struct pprof_location, item);
	count = location->line_count > 0 ? location->line_count : 1;
	if (take_frames(r, count) != GPROFX_OK)
		return GPROFX_FAILED;
	if (batch->is_by_address)
		batch->address[batch->frame_count++] = location->address;
	else if (location->line_count == 0)
		batch->place[batch->frame_count++] = pprof_place_of_mapping(
			p, r->profile, &r->places, location->mapping);
	else
		for (uint32_t i = 0; i < count; i++)
			batch->place[batch->frame_count++] =
				r->places.of_line[location->first_line + i];
	return GPROFX_OK;
}

/* The square of samples of one weight.  It stays at the largest number there is. */
static uint64_t
square_of(uint64_t ticks, uint64_t weight)
{
	return weight > 0 && ticks > UINT64_MAX / weight ? UINT64_MAX : ticks * weight;
}

/* Adds the values of a sample; false: there are none but 0. */
static bool
add_values(struct reading *r)
{
	uint32_t types = r->values.count;
	uint64_t *weight = stack_batch_weights(&r->batch);
	uint64_t *squares = stack_batch_squares(&r->batch);
	bool has_any = false;

	for (uint32_t i = 0; i < types; i++) {
		uint32_t type = r->metrics.order[i];
		uint64_t value = r->values.items[type], divisor = r->metrics.divisor[i];
		bool is_negative = (int64_t)value < 0;

		r->negative += is_negative;
		weight[i] = is_negative ? 0 : value / divisor;
		squares[i] = square_of(weight[i], r->weight_of_sample[type] / divisor);
		has_any = has_any || weight[i] > 0;
	}
	return has_any;
}

static enum gprofx_result
add_sample(struct reading *r)
{
	if (!add_values(r))
		return GPROFX_OK;
	for (uint32_t i = 0; i < r->locations.count; i++)
		if (add_frames(r, r->locations.items[i]) != GPROFX_OK)
			return GPROFX_FAILED;
	if (*r->labels.key != '\0') {
		if (take_frames(r, 1) != GPROFX_OK)
			return GPROFX_FAILED;
		r->batch.place[r->batch.frame_count++] = pprof_place_of_label(r->p, r->profile,
		                                                              &r->labels);
	}
	return stack_batch_end_stack(&r->batch);
}

/* Calls "use" for each sample of the message. */
static enum gprofx_result
each_sample(struct reading *r, enum gprofx_result (*use)(struct reading *r))
{
	struct wire wire = {.at = r->p->bytes, .end = r->p->bytes + r->p->length};
	struct wire_field field;

	while (wire_next(&wire, &field)) {
		if (field.number != PROFILE_SAMPLE)
			continue;
		if (read_sample(r, field.bytes) != GPROFX_OK)
			return GPROFX_FAILED;
		if (*r->labels.key != '\0' && !r->skips_locations &&
		    read_labels(r, field.bytes) != GPROFX_OK)
			return GPROFX_FAILED;
		if (use(r) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	return GPROFX_OK;
}

/* Whether each value is as large as its number of samples says, which tells what they weigh. */
static enum gprofx_result
check_squares(struct reading *r)
{
	const uint64_t *values = r->values.items;

	for (uint32_t i = 0; i < r->values.count; i++)
		if (values[i] != values[r->type_of_samples] * r->weight_of_sample[i] ||
		    (int64_t)values[i] < 0)
			r->has_squares = false;
	return GPROFX_OK;
}

static enum gprofx_result
find_squares(struct reading *r)
{
	enum gprofx_result result;

	r->type_of_samples = pprof_type_of_samples(r->p);
	r->has_squares = r->type_of_samples != NO_ITEM;
	for (uint32_t i = 0; i < r->p->types.count; i++) {
		r->weight_of_sample[i] = pprof_weight_of_sample(r->p, i);
		r->has_squares = r->has_squares && r->weight_of_sample[i] > 0;
	}
	if (!r->has_squares)
		return GPROFX_OK;
	r->skips_locations = true;
	result = each_sample(r, check_squares);
	r->skips_locations = false;
	return result;
}

/* What is not as in pprof. */
static void
tell(const struct reading *r)
{
	const char *drop = pprof_text(r->p, r->p->drop_frames);
	const struct gprofx_diagnostic negative = {
		.id = "pprof.negative",
		.file = r->p->file->name,
		.hint = "read the two profiles that the file is the difference of"};
	const struct gprofx_diagnostic dropped = {
		.id = "pprof.drop-frames",
		.file = r->p->file->name,
		.hint = "their time is that of their callers in pprof"};

	if (r->negative > 0)
		gprofx_warn(r->p->gx, &negative,
		            "expected values from 0 on, left out %llu negative ones",
		            (unsigned long long)r->negative);
	pprof_report_labels(r->p, &r->labels);
	if (*drop != '\0')
		gprofx_warn(r->p->gx, &dropped,
		            "the file asks to hide functions like \"%.60s\", which are shown",
		            drop);
}

static enum gprofx_result
read_all(struct reading *r)
{
	const struct pprof *p = r->p;
	const struct gprofx_diagnostic addresses = {
		.id = "pprof.label-of-addresses",
		.file = p->file->name,
		.hint = "add names with: go tool pprof -proto PROGRAM PROFILE"};

	if (find_squares(r) != GPROFX_OK ||
	    pprof_declare_metrics(p, r->profile, r->has_squares ? r->weight_of_sample : NULL,
	                          &r->metrics) != GPROFX_OK ||
	    pprof_add_places(p, r->profile, &r->places) != GPROFX_OK)
		return GPROFX_FAILED;
	if (r->places.are_addresses && *r->labels.key != '\0') {
		gprofx_warn(p->gx, &addresses,
		            "expected names of functions beside the label \"%.60s\", found "
		            "addresses alone",
		            r->labels.key);
		r->labels.key = "";
	}
	r->batch = (struct stack_batch){
		.gx = p->gx,
		.file = p->file,
		.profile = r->profile,
		.rows = {.metrics = r->metrics.number, .metric_count = p->types.count},
		.from = {.process = r->places.process},
		.weights = p->types.count,
		.is_by_address = r->places.are_addresses,
		.has_squares = r->has_squares,
	};
	stack_batch_begin(&r->batch);
	if (each_sample(r, add_sample) != GPROFX_OK || stack_batch_pass(&r->batch) != GPROFX_OK)
		return GPROFX_FAILED;
	tell(r);
	return GPROFX_OK;
}

static uint64_t
most_frames(const struct pprof *p)
{
	/* As the host counts, which does not know what was compressed. */
	const uint64_t most_of_file = 1000 * p->file->length;
	uint64_t most = FRAMES_A_BYTE * (uint64_t)p->length + FREE_FRAMES;

	return most < most_of_file ? most : most_of_file;
}

enum gprofx_result
pprof_read_samples(const struct pprof *p, struct gprofx_profile *profile, const char *label)
{
	const struct gprofx_host *host = p->gx->host;
	const struct gprofx_diagnostic none = {.id = "pprof.bad-values",
	                                       .file = p->file->name,
	                                       .hint = is_damaged};
	struct reading r = {.p = p, .profile = profile, .frames_left = most_frames(p)};
	enum gprofx_result result;

	if (p->sample_count > 0 && (p->types.count == 0 || p->types.count > PPROF_MOST_TYPES))
		return gprofx_fail(p->gx, &none, "expected 1 to %d types of values, found %u",
		                   PPROF_MOST_TYPES, (unsigned int)p->types.count);
	if (p->sample_count == 0)
		return GPROFX_OK;
	pprof_begin_labels(p, label, &r.labels);
	result = read_all(&r);
	pprof_release_labels(p, &r.labels);
	pprof_release_places(p->gx, &r.places);
	host->release(p->gx, r.locations.items);
	host->release(p->gx, r.values.items);
	/* It has not begun where something failed before. */
	if (r.batch.gx)
		stack_batch_release(&r.batch);
	return result;
}
