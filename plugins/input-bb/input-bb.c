/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads counts of basic blocks, in the two forms they are kept in: the listing that a program
 * compiled with -a appends to bb.out, and what the script bbconv.pl makes of it, a tagged profile
 * whose numbers have four bytes each, in the byte order of the machine the script ran on.
 */
#include "listing.h"

#include <string.h>

#include <gprofx/reader.h>

enum { HEADER_BYTES = 20, TAG_BLOCKS = 2, RECORD_BYTES = 5, BLOCK_BYTES = 8, BATCH = 256 };

static uint32_t
word_at(const struct gprofx_file *file, uint64_t at, bool big_endian)
{
	return (uint32_t)gprofx_number_at(file->bytes + at, 4, big_endian);
}

static bool
is_tagged(const struct gprofx_file *file)
{
	return file->length >= HEADER_BYTES && memcmp(file->bytes, "gmon", 4) == 0;
}

/* Where the file stops making sense in one of the byte orders: at its end, if it is whole. */
static uint64_t
whole_up_to(const struct gprofx_file *file, bool big_endian)
{
	uint64_t at = HEADER_BYTES;

	if (word_at(file, 4, big_endian) != 1)
		return 0;
	while (file->length - at >= RECORD_BYTES && file->bytes[at] == TAG_BLOCKS) {
		uint64_t bytes = (uint64_t)word_at(file, at + 1, big_endian) * BLOCK_BYTES;

		if (bytes > file->length - at - RECORD_BYTES)
			break;
		at += RECORD_BYTES + bytes;
	}
	return at;
}

/* The byte order of a converted file; that of the image, where both would do. */
static bool
order_of(const struct gprofx_file *file, bool of_image)
{
	if (file->strict)
		return of_image;
	return whole_up_to(file, !of_image) > whole_up_to(file, of_image) ? !of_image : of_image;
}

static enum gprofx_result
fail_record(struct gprofx *gx, const struct gprofx_file *file, uint64_t at, bool big_endian)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(
		file, at, "bb.bad-record",
		"name bb.out itself: a part of it had more or fewer blocks than it stated");
	uint64_t left = file->length - at;

	if (file->bytes[at] != TAG_BLOCKS)
		return gprofx_fail(gx, &diagnostic, "expected a record tag of 2, found %u",
		                   file->bytes[at]);
	if (left < RECORD_BYTES)
		return gprofx_fail(gx, &diagnostic,
		                   "expected a number of blocks, found the end of the file");
	return gprofx_fail(gx, &diagnostic,
	                   "expected %u basic blocks, found %llu before the end of file",
	                   word_at(file, at + 1, big_endian),
	                   (unsigned long long)(left - RECORD_BYTES) / BLOCK_BYTES);
}

static void
read_record(struct gprofx *gx, const struct gprofx_file *file, uint64_t at, bool big_endian,
            bool sign_extends, struct gprofx_profile *profile)
{
	struct gprofx_raw_block rows[BATCH];
	uint32_t count = word_at(file, at + 1, big_endian), held = 0;

	at += RECORD_BYTES;
	for (uint32_t i = 0; i < count; i++, at += BLOCK_BYTES) {
		uint32_t address = word_at(file, at, big_endian);

		rows[held].address = sign_extends ? (uint64_t)(int64_t)(int32_t)address : address;
		rows[held].count = word_at(file, at + 4, big_endian);
		if (++held == BATCH) {
			profile->builder->blocks(gx, profile, NULL, rows, held);
			held = 0;
		}
	}
	profile->builder->blocks(gx, profile, NULL, rows, held);
}

static enum gprofx_result
read_converted(struct gprofx *gx, const struct gprofx_file *file,
               const struct gprofx_target *target, struct gprofx_profile *profile)
{
	bool big_endian = order_of(file, target->big_endian);
	bool sign_extends = target->sign_extends && target->pointer_bytes == 4;
	uint64_t end = whole_up_to(file, big_endian), at = HEADER_BYTES;
	const struct gprofx_target converter = {.size = sizeof converter,
	                                        .pointer_bytes = 4,
	                                        .big_endian = big_endian};
	struct gprofx_layout layout = gprofx_layout(&converter);

	if (end == 0) {
		struct gprofx_diagnostic diagnostic = gprofx_at(
			file, 4, "bb.bad-version", "leave out -O to detect the format");

		diagnostic.number[0] = word_at(file, 4, big_endian);
		return gprofx_fail(gx, &diagnostic, "expected version 1, found %u",
		                   word_at(file, 4, big_endian));
	}
	while (at < end) {
		uint64_t bytes = (uint64_t)word_at(file, at + 1, big_endian) * BLOCK_BYTES;

		read_record(gx, file, at, big_endian, sign_extends, profile);
		at += RECORD_BYTES + bytes;
		layout.block_records++;
	}
	layout.variant = "converted";
	profile->builder->describe(gx, profile, &layout);
	return end == file->length ? GPROFX_OK : fail_record(gx, file, end, big_endian);
}

/*
 * Of tagged profiles only those that are nothing but blocks of this form.  The reader of all others
 * is surer where its own form fits as well.
 */
static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	(void)target;
	if (!is_tagged(file))
		return bb_listing_weigh(file);
	if (file->length == HEADER_BYTES)
		return 0;
	return whole_up_to(file, false) == file->length || whole_up_to(file, true) == file->length
	               ? 90
	               : 0;
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	(void)options;
	return is_tagged(file) ? read_converted(gx, file, target, profile)
	                       : bb_listing_read(gx, file, target, profile);
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "bb",
	.read = read_file,
	.weigh = weigh,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,        .name = "input-bb",
	.version = "1.0",  .summary = "Basic-block counts that old compilers list in bb.out",
	.reader = &reader,
};
