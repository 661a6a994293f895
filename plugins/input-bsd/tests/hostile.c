/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged files: every prefix of files of each layout, and 100,000 random changes of them. Whatever
 * a file says, nothing outside of it is looked at, nothing is allocated, and what is handed over is
 * no more than the file holds.
 */
#include <stdlib.h>

#include "tests/made.h"

enum { CHANGES = 100000 };

/* What the reader did with a file; the builder's and the host's functions count here. */
struct outcome {
	struct gprofx gx; /* first */
	struct gprofx_profile profile;
	uint64_t sum; /* of all bytes of the bins, so that each is looked at */
	uint32_t histograms, arcs, arc_calls, layouts, errors, warnings;
};

static struct outcome *
outcome_of(struct gprofx *gx)
{
	return (struct outcome *)gx;
}

static void *
no_alloc(struct gprofx *gx, size_t bytes)
{
	(void)gx;
	(void)bytes;
	fail_msg("nothing has to be allocated");
	return NULL;
}

static enum gprofx_result
count_error(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	(void)format;
	outcome_of(gx)->errors++;
	assert_non_null(diagnostic->id);
	assert_non_null(diagnostic->hint);
	return GPROFX_FAILED;
}

static void
count_warning(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format,
              ...)
{
	(void)format;
	outcome_of(gx)->warnings++;
	assert_non_null(diagnostic->id);
	assert_non_null(diagnostic->hint);
}

static enum gprofx_result
check_histogram(struct gprofx *gx, struct gprofx_profile *profile, const struct gprofx_file *file,
                const struct gprofx_histogram *histogram)
{
	(void)gx;
	(void)profile;
	(void)file;
	assert_true(histogram->is_only);
	return GPROFX_OK;
}

static enum gprofx_result
take_histogram(struct gprofx *gx, struct gprofx_profile *profile, const struct gprofx_file *file,
               const struct gprofx_histogram *histogram)
{
	uint64_t bytes = (uint64_t)histogram->bin_count * histogram->bin_bytes;

	(void)profile;
	outcome_of(gx)->histograms++;
	assert_true(histogram->low <= histogram->high);
	assert_true(bytes <= file->length);
	for (uint64_t i = 0; i < bytes; i++)
		outcome_of(gx)->sum += histogram->bins[i];
	return GPROFX_OK;
}

static void
take_arcs(struct gprofx *gx, struct gprofx_profile *profile, const struct gprofx_raw_arc *rows,
          uint32_t count)
{
	(void)profile;
	(void)rows;
	outcome_of(gx)->arcs += count;
	outcome_of(gx)->arc_calls++;
}

static void
no_blocks(struct gprofx *gx, struct gprofx_profile *profile, const struct gprofx_raw_block *rows,
          uint32_t count)
{
	(void)gx;
	(void)profile;
	(void)rows;
	(void)count;
	fail_msg("these files have no basic blocks");
}

static void
take_layout(struct gprofx *gx, struct gprofx_profile *profile, const struct gprofx_layout *layout)
{
	(void)profile;
	outcome_of(gx)->layouts++;
	assert_int_equal(layout->size, sizeof *layout);
	assert_true(layout->pointer_bytes == 4 || layout->pointer_bytes == 8);
	assert_int_not_equal(layout->byte_order, GPROFX_ORDER_UNKNOWN);
	assert_true(layout->has_version == (layout->version == BSD_VERSION));
}

static const struct gprofx_host host = {.size = sizeof host,
                                        .alloc = no_alloc,
                                        .fail = count_error,
                                        .warn = count_warning};
static const struct gprofx_profile_builder builder = {.size = sizeof builder,
                                                      .check_histogram = check_histogram,
                                                      .histogram = take_histogram,
                                                      .arcs = take_arcs,
                                                      .blocks = no_blocks,
                                                      .describe = take_layout};

/* Reads a copy without a byte to spare, in one of the modes. */
static void
read_one(const uint8_t *bytes, size_t length, const struct gprofx_target *target, uint32_t mode)
{
	struct outcome outcome = {.gx.host = &host, .profile.builder = &builder};
	uint8_t *copy = malloc(length ? length : 1);
	struct gprofx_file file = {.size = sizeof file,
	                           .name = "hostile",
	                           .bytes = copy,
	                           .length = length,
	                           .strict = mode & 1};
	enum gprofx_result result;

	assert_non_null(copy);
	memcpy(copy, bytes, length);
	result = bsd_read(&outcome.gx, &file, target, &outcome.profile, mode & 2);
	assert_true(bsd_weigh(&file, target, mode & 2) < 100);
	free(copy);
	assert_int_equal(outcome.errors, result == GPROFX_OK ? 0 : 1);
	assert_int_equal(outcome.histograms, result == GPROFX_OK);
	assert_int_equal(outcome.layouts, result == GPROFX_OK);
	assert_int_equal(outcome.arc_calls > 0, result == GPROFX_OK);
	assert_true(outcome.arcs <= length / 12);
	if (file.strict)
		assert_int_equal(outcome.warnings, 0);
}

/* One of the layouts; there are 16. */
static void
make_layout(struct made *made, uint32_t number)
{
	struct plan plan = {.pointer_bytes = number & 1 ? 4 : 8,
	                    .big_endian = number & 2,
	                    .header = number & 4 ? BSD_VERSIONED : BSD_PLAIN,
	                    .bins = number & 8 ? 3 : 24,
	                    .counter_type = number & 8 ? -16 : 0,
	                    .arcs = 3};

	make(made, &plan);
	made->target.machine = number & 8 ? 0x9026 : 62;
}

static void
every_prefix(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < 16; number++) {
		struct made made;

		make_layout(&made, number);
		for (uint32_t length = 0; length <= made.file.length; length++)
			for (uint32_t mode = 0; mode < 4; mode++)
				read_one(made.bytes, length, &made.target, mode);
	}
}

static uint32_t
next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33);
}

static void
random_changes(void **state)
{
	static const uint8_t odd[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x79, 0x18};
	uint64_t seed = 20;

	(void)state;
	for (uint32_t i = 0; i < CHANGES; i++) {
		uint32_t changes = 1 + next_random(&seed) % 6;
		struct gprofx_target target;
		struct made made;
		uint32_t length;

		make_layout(&made, i);
		length = (uint32_t)made.file.length;
		while (changes-- > 0) {
			/* Mostly in the header, which decides about the rest. */
			uint32_t place = next_random(&seed) %
			                 (next_random(&seed) % 4 ? 44 : length);
			uint32_t kind = next_random(&seed);

			if (place >= length)
				continue;
			if (kind & 1)
				made.bytes[place] = odd[kind / 2 % sizeof odd];
			else
				made.bytes[place] ^= (uint8_t)(1u << kind / 2 % 8);
		}
		if (next_random(&seed) % 4 == 0)
			length = next_random(&seed) % (length + 1);
		target = made.target;
		if (next_random(&seed) % 4 == 0)
			target.pointer_bytes = 12 - target.pointer_bytes;
		target.sign_extends = next_random(&seed) % 4 == 0;
		read_one(made.bytes, length, &target, next_random(&seed));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_prefix),
		cmocka_unit_test(random_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
