/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged files: every prefix of files of each layout, and 100,000 random changes of them. Whatever
 * a file says, nothing outside of it is looked at, nothing is allocated, and what is passed is no
 * more than the file holds.
 */
#include "tests/made.h"

#include "hostile.h"

enum { CHANGES = 100000, ARC_LEAST = 12 };

static enum gprofx_result
read_any(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
         struct gprofx_profile *profile, const void *options)
{
	(void)options;
	return bsd_read(gx, file, target, profile, (struct bsd_needs){.version = false});
}

static enum gprofx_result
read_versioned(struct gprofx *gx, const struct gprofx_file *file,
               const struct gprofx_target *target, struct gprofx_profile *profile,
               const void *options)
{
	(void)options;
	return bsd_read(gx, file, target, profile, (struct bsd_needs){.version = true});
}

static int
weigh_any(const struct gprofx_file *file, const struct gprofx_target *target)
{
	return bsd_weigh(file, target, false);
}

static int
weigh_versioned(const struct gprofx_file *file, const struct gprofx_target *target)
{
	return bsd_weigh(file, target, true);
}

static const struct gprofx_reader readers[] = {
	{.size = sizeof readers[0], .read = read_any, .weigh = weigh_any},
	{.size = sizeof readers[0], .read = read_versioned, .weigh = weigh_versioned},
};

/* Reads a part of a file in one of the modes. */
static void
read_one(const struct made *made, size_t length, const struct gprofx_target *target, uint32_t mode)
{
	struct hostile_file part = {.length = length, .target = *target, .strict = mode & 1};
	struct hostile_outcome outcome;

	memcpy(part.bytes, made->bytes, length);
	outcome = hostile_read(&readers[mode / 2 % 2], &part, ARC_LEAST);
	assert_int_equal(outcome.histograms, outcome.result == GPROFX_OK);
	assert_int_equal(outcome.arc_calls > 0, outcome.result == GPROFX_OK);
	assert_int_equal(outcome.calls + outcome.blocks, 0);
	if (outcome.result == GPROFX_OK) {
		assert_true(outcome.histogram.is_only);
		assert_true(outcome.histogram.low <= outcome.histogram.high);
	}
	if (part.strict)
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
				read_one(&made, length, &made.target, mode);
	}
}

static void
random_changes(void **state)
{
	static const uint8_t odd[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x79, 0x18};
	uint64_t seed = 20;

	(void)state;
	for (uint32_t i = 0; i < CHANGES; i++) {
		uint32_t changes = 1 + hostile_random(&seed) % 6;
		struct gprofx_target target;
		struct made made;
		uint32_t length;

		make_layout(&made, i);
		length = (uint32_t)made.file.length;
		while (changes-- > 0) {
			/* Mostly in the header, which decides about the rest. */
			uint32_t place = hostile_random(&seed) %
			                 (hostile_random(&seed) % 4 ? 44 : length);
			uint32_t kind = hostile_random(&seed);

			if (place >= length)
				continue;
			if (kind & 1)
				made.bytes[place] = odd[kind / 2 % sizeof odd];
			else
				made.bytes[place] ^= (uint8_t)(1u << kind / 2 % 8);
		}
		if (hostile_random(&seed) % 4 == 0)
			length = hostile_random(&seed) % (length + 1);
		target = made.target;
		if (hostile_random(&seed) % 4 == 0)
			target.pointer_bytes = 12 - target.pointer_bytes;
		target.sign_extends = hostile_random(&seed) % 4 == 0;
		read_one(&made, length, &target, hostile_random(&seed));
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
