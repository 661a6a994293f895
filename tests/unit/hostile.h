/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds a reader damaged files: whatever they say, nothing outside of them is looked at, nothing is
 * allocated, no more is passed than they hold, and a failure is reported once, with its place.
 */
#ifndef TESTS_UNIT_HOSTILE_H
#define TESTS_UNIT_HOSTILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gprofx/reader.h>

enum { HOSTILE_ROOM = 4096, HOSTILE_LAYOUTS = 4 };

/* A file under construction, and what it is read for. */
struct hostile_file {
	uint8_t bytes[HOSTILE_ROOM];
	size_t length;
	struct gprofx_target target;
	bool strict;
};

/* What a reader did with a file; the builder's and the host's functions count here. */
struct hostile_outcome {
	struct gprofx gx; /* first */
	struct gprofx_profile profile;
	const struct gprofx_file *file;
	enum gprofx_result result;
	uint64_t sum; /* of all bytes of the bins, so that each is looked at */
	uint32_t histograms, arcs, arc_calls, calls, blocks, layouts, errors, warnings;
	struct gprofx_histogram histogram; /* the last one */
	struct gprofx_raw_arc last_arc;
	struct gprofx_raw_call last_call;
	struct gprofx_raw_block last_block;
};

static inline struct hostile_outcome *
hostile_outcome_of(struct gprofx *gx)
{
	return (struct hostile_outcome *)gx;
}

static inline void *
hostile_alloc(struct gprofx *gx, size_t bytes)
{
	(void)gx;
	(void)bytes;
	fail_msg("nothing has to be allocated");
	return NULL;
}

static inline void
hostile_check_told(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic)
{
	assert_non_null(diagnostic->id);
	assert_non_null(diagnostic->hint);
	if (diagnostic->place == GPROFX_AT_LINE)
		assert_true(diagnostic->line > 0);
	else
		assert_true(diagnostic->offset <= hostile_outcome_of(gx)->file->length);
}

static inline enum gprofx_result
hostile_fail(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	(void)format;
	hostile_outcome_of(gx)->errors++;
	hostile_check_told(gx, diagnostic);
	return GPROFX_FAILED;
}

static inline void
hostile_warn(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	(void)format;
	hostile_outcome_of(gx)->warnings++;
	hostile_check_told(gx, diagnostic);
}

static inline enum gprofx_result
hostile_check_histogram(struct gprofx *gx, struct gprofx_profile *profile,
                        const struct gprofx_file *file, const struct gprofx_histogram *histogram)
{
	(void)gx;
	(void)profile;
	(void)file;
	(void)histogram;
	return GPROFX_OK;
}

static inline enum gprofx_result
hostile_histogram(struct gprofx *gx, struct gprofx_profile *profile, const struct gprofx_file *file,
                  const struct gprofx_histogram *histogram)
{
	uint64_t bytes = (uint64_t)histogram->bin_count * histogram->bin_bytes;

	(void)profile;
	hostile_outcome_of(gx)->histograms++;
	hostile_outcome_of(gx)->histogram = *histogram;
	assert_true(bytes <= file->length);
	for (uint64_t i = 0; i < bytes; i++)
		hostile_outcome_of(gx)->sum += histogram->bins[i];
	return GPROFX_OK;
}

static inline void
hostile_arcs(struct gprofx *gx, struct gprofx_profile *profile, const struct gprofx_from *from,
             const struct gprofx_raw_arc *rows, uint32_t count)
{
	(void)profile;
	(void)from;
	hostile_outcome_of(gx)->arcs += count;
	hostile_outcome_of(gx)->arc_calls++;
	if (count > 0)
		hostile_outcome_of(gx)->last_arc = rows[count - 1];
}

static inline void
hostile_calls(struct gprofx *gx, struct gprofx_profile *profile, const struct gprofx_from *from,
              const struct gprofx_raw_call *rows, uint32_t count)
{
	(void)profile;
	(void)from;
	hostile_outcome_of(gx)->calls += count;
	if (count > 0)
		hostile_outcome_of(gx)->last_call = rows[count - 1];
}

static inline void
hostile_blocks(struct gprofx *gx, struct gprofx_profile *profile, const struct gprofx_from *from,
               const struct gprofx_raw_block *rows, uint32_t count)
{
	(void)profile;
	(void)from;
	hostile_outcome_of(gx)->blocks += count;
	if (count > 0)
		hostile_outcome_of(gx)->last_block = rows[count - 1];
}

static inline void
hostile_describe(struct gprofx *gx, struct gprofx_profile *profile,
                 const struct gprofx_layout *layout)
{
	(void)profile;
	hostile_outcome_of(gx)->layouts++;
	assert_int_equal(layout->size, sizeof *layout);
	assert_true(layout->pointer_bytes == 0 || layout->pointer_bytes == 4 ||
	            layout->pointer_bytes == 8);
}

/*
 * Reads a copy without a byte to spare.  least: bytes that an arc, a call or a block takes at
 * least.
 */
static inline struct hostile_outcome
hostile_read(const struct gprofx_reader *tried, const struct hostile_file *made, uint32_t least)
{
	static const struct gprofx_host host = {.size = sizeof host,
	                                        .alloc = hostile_alloc,
	                                        .fail = hostile_fail,
	                                        .warn = hostile_warn};
	static const struct gprofx_profile_builder builder = {
		.size = sizeof builder,
		.check_histogram = hostile_check_histogram,
		.histogram = hostile_histogram,
		.arcs = hostile_arcs,
		.blocks = hostile_blocks,
		.calls = hostile_calls,
		.describe = hostile_describe};
	struct hostile_outcome outcome = {.gx.host = &host, .profile.builder = &builder};
	uint8_t *copy = malloc(made->length ? made->length : 1);
	struct gprofx_file file = {.size = sizeof file,
	                           .name = "hostile",
	                           .bytes = copy,
	                           .length = made->length,
	                           .strict = made->strict};
	int weight;

	assert_non_null(copy);
	memcpy(copy, made->bytes, made->length);
	weight = tried->weigh ? tried->weigh(&file, &made->target)
	                      : tried->probe(file.bytes, (size_t)file.length);
	assert_true(weight >= 0 && weight <= 100);
	outcome.file = &file;
	outcome.result = tried->read(&outcome.gx, &file, &made->target, &outcome.profile, NULL);
	assert_int_equal(outcome.errors, outcome.result == GPROFX_OK ? 0 : 1);
	outcome.file = NULL;
	outcome.histogram.bins = NULL;
	free(copy);
	assert_true(outcome.layouts <= 1);
	assert_true(outcome.arcs + outcome.calls + outcome.blocks <= made->length / least);
	return outcome;
}

static inline uint32_t
hostile_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33);
}

/* Changes some bytes, mostly among the first ones, and cuts some files. */
static inline void
hostile_change(struct hostile_file *made, uint64_t *seed, uint32_t first)
{
	static const uint8_t odd[] = {0, 1, 2, 0x7f, 0x80, 0xff, 'g', ' ', '\n', '9'};
	uint32_t changes = 1 + hostile_random(seed) % 6;

	while (changes-- > 0) {
		uint32_t among = hostile_random(seed) % 4 ? first : (uint32_t)made->length;
		uint32_t place = hostile_random(seed) % among, kind = hostile_random(seed);

		if (place >= made->length)
			continue;
		if (kind & 1)
			made->bytes[place] = odd[kind / 2 % sizeof odd];
		else
			made->bytes[place] ^= (uint8_t)(1u << kind / 2 % 8);
	}
	if (hostile_random(seed) % 4 == 0)
		made->length = hostile_random(seed) % (made->length + 1);
	if (hostile_random(seed) % 4 == 0)
		made->target.pointer_bytes = 12 - made->target.pointer_bytes;
	if (hostile_random(seed) % 4 == 0)
		made->target.big_endian = !made->target.big_endian;
	made->target.sign_extends = hostile_random(seed) % 4 == 0;
	made->strict = hostile_random(seed) % 4 == 0;
}

/* Reads so many files that are made by number and then changed. */
static inline void
hostile_try_changes(const struct gprofx_reader *tried,
                    void (*writer)(struct hostile_file *made, uint32_t number), uint32_t changes,
                    uint32_t first, uint32_t least)
{
	uint64_t seed = 20;

	for (uint32_t i = 0; i < changes; i++) {
		struct hostile_file made;

		writer(&made, i);
		hostile_change(&made, &seed, first);
		hostile_read(tried, &made, least);
	}
}

/* One of the HOSTILE_LAYOUTS by its number, of which further bits do not matter. */
static inline struct gprofx_target
hostile_layout(uint32_t number)
{
	return (struct gprofx_target){.size = sizeof(struct gprofx_target),
	                              .pointer_bytes = number & 1 ? 4 : 8,
	                              .big_endian = number & 2};
}

/* An empty file for an image of this layout. */
static inline void
hostile_begin(struct hostile_file *made, uint32_t number)
{
	memset(made, 0, sizeof *made);
	made->target = hostile_layout(number);
}

/* Reads a file of each layout for an image of each; what is another one is warned about. */
static inline void
hostile_try_layouts(const struct gprofx_reader *tried,
                    void (*writer)(struct hostile_file *made, uint32_t number), uint32_t least,
                    void (*check)(const struct hostile_outcome *outcome))
{
	for (uint32_t number = 0; number < HOSTILE_LAYOUTS; number++)
		for (uint32_t image = 0; image < HOSTILE_LAYOUTS; image++) {
			struct hostile_file made;
			struct hostile_outcome outcome;

			writer(&made, number);
			made.target = hostile_layout(image);
			outcome = hostile_read(tried, &made, least);
			assert_int_equal(outcome.result, GPROFX_OK);
			assert_int_equal(outcome.warnings, number != image);
			check(&outcome);
		}
}

static inline void
hostile_put_bytes(struct hostile_file *made, const void *bytes, size_t count)
{
	assert_true(count <= HOSTILE_ROOM - made->length);
	memcpy(made->bytes + made->length, bytes, count);
	made->length += count;
}

/* Appends a number in the byte order of the image. */
static inline void
hostile_put(struct hostile_file *made, uint64_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		uint32_t shift = 8 * (made->target.big_endian ? bytes - 1 - i : i);
		uint8_t byte = (uint8_t)(value >> shift);

		hostile_put_bytes(made, &byte, 1);
	}
}

#endif
