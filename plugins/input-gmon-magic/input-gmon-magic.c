/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the tagged gmon.out format of the GNU C library: a header with the word "gmon", then
 * records of histograms, arcs and basic-block counts in any order.
 *
 * Format: "Profiling Data File Format" in the manual of GNU gprof, and files as they are written.
 */
#include <gprofx/reader.h>

#include <string.h>

enum {
	HEADER_SPARE = 12,
	DIMENSION_BYTES = 15,
	TAG_HISTOGRAM = 0,
	TAG_ARC = 1,
	TAG_BLOCKS = 2,
	HEADER_BYTES = 20,
	VERSION_OF_LIBRARIES = 0x1ffff,
	HARDLY_SURE = 40, /* others know better, if they are there */
	BATCH = 256
};

/* What small systems do otherwise than the GNU C library. */
struct options {
	uint32_t callers; /* enum callers */
	uint32_t bins;    /* enum bins */
	bool appended;
	bool samples_only;
};

enum callers { CALLERS_RECORDED, CALLERS_RELATIVE, CALLERS_UNKNOWN };
enum bins { BINS_OF_IMAGE, BINS_LITTLE_ENDIAN };

static const char *const callers_words[] = {"recorded", "relative", "unknown", NULL};
static const char *const bins_words[] = {"image", "little-endian", NULL};

static const struct gprofx_option table[] = {
	{.key = "callers",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, callers),
         .initial = "recorded",
         .choices = callers_words,
         .help = "addresses of calls: as recorded, relative to the start of the histogram, or "
                 "without the caller"},
	{.key = "bins",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, bins),
         .initial = "image",
         .choices = bins_words,
         .help = "byte order of counters of samples: that of the image, or little-endian"},
	{.key = "appended",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, appended),
         .initial = "false",
         .help = "a profile can follow another one in a file, and is added to it"},
	{.key = "samples-only",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, samples_only),
         .initial = "false",
         .help = "what wrote the file never counts calls"},
};

/* How the number of blocks in a record is written; producers differ. */
struct block_form {
	uint8_t bytes;
	bool is_swapped;
};

struct reading {
	struct gprofx *gx;
	const struct gprofx_file *file;
	const struct gprofx_target *target;
	struct gprofx_profile *profile;
	struct gprofx_cursor cursor;
	uint32_t version;
	uint32_t block_records;
	struct block_form form;
	bool knows_form;
	/* Arcs not yet passed on. */
	struct gprofx_raw_arc arcs[BATCH];
	uint32_t arc_count;
	struct options set;
	uint64_t low; /* of the first histogram */
	bool has_histogram;
};

static const char unfinished[] =
	"the program stopped before it finished writing; run it to a normal exit";

static enum gprofx_result
fail_short(const struct reading *r, uint64_t record, const char *what)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(r->file, record, "gmon.short-record",
	                                                unfinished);
	uint64_t left = gprofx_left(&r->cursor);

	return gprofx_fail(r->gx, &diagnostic, "expected %llu more bytes of %s, found %llu",
	                   (unsigned long long)(r->cursor.short_by + left), what,
	                   (unsigned long long)left);
}

static uint64_t
take_address(struct reading *r)
{
	return gprofx_take_address(&r->cursor, r->target);
}

static void
hand_over_arcs(struct reading *r)
{
	struct gprofx_raw_call calls[BATCH];

	if (r->arc_count > 0 && r->set.callers != CALLERS_UNKNOWN) {
		r->profile->builder->arcs(r->gx, r->profile, NULL, r->arcs, r->arc_count);
	} else if (r->arc_count > 0) {
		for (uint32_t i = 0; i < r->arc_count; i++)
			calls[i] = (struct gprofx_raw_call){r->arcs[i].self, r->arcs[i].count};
		/* There is a call graph, in which they come from outside. */
		r->profile->builder->arcs(r->gx, r->profile, NULL, NULL, 0);
		r->profile->builder->calls(r->gx, r->profile, NULL, calls, r->arc_count);
	}
	r->arc_count = 0;
}

/* The counters end early; a record that does not belong to the others is reported first. */
static enum gprofx_result
fail_bins(const struct reading *r, const struct gprofx_histogram *histogram, uint64_t left)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(r->file, r->cursor.at + left / 2 * 2,
	                                                "gmon.short-bins", unfinished);
	enum gprofx_result result = r->profile->builder->check_histogram(r->gx, r->profile, r->file,
	                                                                 histogram);

	if (result != GPROFX_OK)
		return result;
	diagnostic.number[0] = left / 2;
	diagnostic.number[1] = histogram->bin_count;
	return gprofx_fail(r->gx, &diagnostic,
	                   "expected %u bins of a histogram, found %llu before the end of file",
	                   histogram->bin_count, (unsigned long long)(left / 2));
}

static enum gprofx_result
read_histogram(struct reading *r, uint64_t record)
{
	struct gprofx_histogram histogram = {.size = sizeof histogram, .offset = record};
	const uint8_t *unit;
	uint64_t bin_bytes, left;

	histogram.low = take_address(r);
	histogram.high = take_address(r);
	histogram.bin_count = (uint32_t)gprofx_number(&r->cursor, 4);
	histogram.rate = (uint32_t)gprofx_number(&r->cursor, 4);
	unit = gprofx_take(&r->cursor, DIMENSION_BYTES + 1);
	if (!unit || r->cursor.short_by != 0)
		return fail_short(r, record, "a histogram header");
	memcpy(histogram.dimension, unit, DIMENSION_BYTES);
	histogram.abbreviation = (char)unit[DIMENSION_BYTES];
	left = gprofx_left(&r->cursor);
	bin_bytes = (uint64_t)histogram.bin_count * 2;
	histogram.bins = gprofx_take(&r->cursor, bin_bytes);
	if (!histogram.bins && bin_bytes > 0)
		return fail_bins(r, &histogram, left);
	histogram.bin_bytes = 2;
	histogram.bins_big_endian = r->target->big_endian && r->set.bins == BINS_OF_IMAGE;
	if (!r->has_histogram)
		r->low = histogram.low;
	r->has_histogram = true;
	return r->profile->builder->histogram(r->gx, r->profile, r->file, &histogram);
}

static enum gprofx_result
read_arc(struct reading *r, uint64_t record)
{
	struct gprofx_raw_arc *arc = &r->arcs[r->arc_count];

	arc->from = take_address(r);
	arc->self = take_address(r);
	arc->count = gprofx_number(&r->cursor, 4);
	if (r->cursor.short_by != 0)
		return fail_short(r, record, "an arc record");
	if (r->set.callers == CALLERS_RELATIVE) {
		arc->from += r->low;
		arc->self += r->low;
	}
	if (++r->arc_count == BATCH)
		hand_over_arcs(r);
	return GPROFX_OK;
}

static enum gprofx_result
fail_blocks(const struct reading *r, uint64_t record, uint64_t found, uint64_t announced)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(r->file, record, "gmon.short-blocks",
	                                                unfinished);

	diagnostic.number[0] = found;
	diagnostic.number[1] = announced;
	return gprofx_fail(r->gx, &diagnostic,
	                   "expected %llu basic blocks, found %llu before the end of file",
	                   (unsigned long long)announced, (unsigned long long)found);
}

/* A NUL-terminated text; false: the file ends within it. */
static bool
skip_text(struct gprofx_cursor *cursor)
{
	const uint8_t *begin = cursor->bytes + cursor->at;
	const uint8_t *end = memchr(begin, 0, (size_t)gprofx_left(cursor));

	if (!end)
		return false;
	cursor->at += (uint64_t)(end - begin) + 1;
	return true;
}

/*
 * A block of the older layout: count and address in eight bytes each, two texts, a line number; the
 * numbers in the byte order of the machine that reads, which is how such files were always used.
 */
static bool
read_old_block(struct reading *r, struct gprofx_raw_block *block)
{
	const uint16_t one = 1;
	struct gprofx_cursor *cursor = &r->cursor;
	bool target_order = cursor->big_endian;

	cursor->big_endian = *(const uint8_t *)&one == 0;
	block->count = gprofx_number(cursor, 8);
	block->address = gprofx_number(cursor, 8);
	cursor->big_endian = target_order;
	return cursor->short_by == 0 && skip_text(cursor) && skip_text(cursor) &&
	       gprofx_take(cursor, 4) != NULL;
}

/* The number of blocks in a record of this form. */
static uint64_t
block_count(struct gprofx_cursor *cursor, struct block_form form)
{
	struct gprofx_cursor other = *cursor;
	uint64_t count;

	other.big_endian ^= form.is_swapped;
	count = gprofx_number(&other, form.bytes);
	cursor->at = other.at;
	cursor->short_by = other.short_by;
	return count;
}

/* Skips the blocks of a record; false: the file ends before. */
static bool
skip_blocks(struct gprofx_cursor *cursor, uint32_t version, uint32_t pointer_bytes, uint64_t count)
{
	if (version != 0)
		return count <= gprofx_left(cursor) / (2 * pointer_bytes) &&
		       gprofx_take(cursor, count * 2 * pointer_bytes);
	if (!skip_text(cursor))
		return false;
	for (; count > 0; count--)
		if (!gprofx_take(cursor, 16) || !skip_text(cursor) || !skip_text(cursor) ||
		    !gprofx_take(cursor, 4))
			return false;
	return true;
}

/* Whether the file consists of whole records from here on if those of blocks have this form. */
static bool
fits_form(const struct gprofx_file *file, struct gprofx_cursor cursor, uint32_t version,
          uint32_t pointer_bytes, struct block_form form)
{
	while (gprofx_left(&cursor) > 0 && !gprofx_is_padding(file, cursor.at)) {
		uint64_t tag = gprofx_number(&cursor, 1), count;

		switch (tag) {
		case TAG_HISTOGRAM:
			gprofx_take(&cursor, 2 * pointer_bytes);
			count = gprofx_number(&cursor, 4);
			gprofx_take(&cursor, 4 + DIMENSION_BYTES + 1);
			gprofx_take(&cursor, count * 2);
			break;
		case TAG_ARC:
			gprofx_take(&cursor, 2 * pointer_bytes + 4);
			break;
		case TAG_BLOCKS:
			count = block_count(&cursor, form);
			if (cursor.short_by == 0 &&
			    !skip_blocks(&cursor, version, pointer_bytes, count))
				return false;
			break;
		default:
			return false;
		}
		if (cursor.short_by != 0)
			return false;
	}
	return true;
}

/*
 * The form that blocks have in the rest of the file, from the tag of the first record of them.  GNU
 * gprof writes the number of blocks in the wrong byte order if that of the image is not its own,
 * and the GNU C library writes it in eight bytes on 64-bit machines, which gprof does not read.
 * False: none fits, and it is the usual one.
 */
static bool
find_form(struct block_form *form, const struct gprofx_file *file, struct gprofx_cursor cursor,
          uint32_t version, uint32_t pointer_bytes)
{
	static const struct block_form forms[] = {{4, false}, {4, true}, {8, false}};
	const uint16_t one = 1;
	bool host_big_endian = *(const uint8_t *)&one == 0;

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		if (forms[i].bytes == 8 && (file->strict || pointer_bytes == 4))
			continue;
		if (forms[i].is_swapped && file->strict && cursor.big_endian == host_big_endian)
			continue;
		*form = forms[i];
		if (fits_form(file, cursor, version, pointer_bytes, forms[i]))
			return true;
	}
	*form = forms[0];
	return false;
}

static bool
read_block(struct reading *r, struct gprofx_raw_block *block)
{
	if (r->version == 0)
		return read_old_block(r, block);
	block->address = take_address(r);
	block->count = gprofx_number(&r->cursor, r->target->pointer_bytes);
	return r->cursor.short_by == 0;
}

static enum gprofx_result
read_blocks(struct reading *r, uint64_t record)
{
	struct gprofx_raw_block rows[BATCH];
	uint64_t announced;
	uint32_t held = 0;

	r->block_records++;
	if (!r->knows_form) {
		struct gprofx_cursor from_here = r->cursor;

		from_here.at = record;
		find_form(&r->form, r->file, from_here, r->version, r->target->pointer_bytes);
		r->knows_form = true;
	}
	announced = block_count(&r->cursor, r->form);
	if (r->cursor.short_by != 0)
		return fail_short(r, record, "a basic-block record");
	if (r->version == 0 && !skip_text(&r->cursor))
		return fail_blocks(r, record, 0, announced);
	for (uint64_t i = 0; i < announced; i++) {
		if (!read_block(r, &rows[held]))
			return fail_blocks(r, record, i, announced);
		if (++held == BATCH) {
			r->profile->builder->blocks(r->gx, r->profile, NULL, rows, held);
			held = 0;
		}
	}
	r->profile->builder->blocks(r->gx, r->profile, NULL, rows, held);
	return GPROFX_OK;
}

static void
describe(const struct reading *r)
{
	struct gprofx_layout layout = gprofx_layout(r->target);

	layout.has_version = true;
	layout.version = r->version;
	layout.block_records = r->block_records;
	layout.counts_no_calls = r->set.samples_only;
	r->profile->builder->describe(r->gx, r->profile, &layout);
}

/* Whether another profile starts here; its header is skipped then. */
static bool
skip_header(struct reading *r, uint64_t record)
{
	struct gprofx_cursor cursor = r->cursor;
	const uint8_t *word;

	cursor.at = record;
	word = gprofx_take(&cursor, 4);
	if (!r->set.appended || !word || memcmp(word, "gmon", 4) != 0 ||
	    gprofx_number(&cursor, 4) != r->version || !gprofx_take(&cursor, HEADER_SPARE))
		return false;
	r->cursor = cursor;
	return true;
}

static enum gprofx_result
read_records(struct reading *r)
{
	enum gprofx_result result = GPROFX_OK;

	while (result == GPROFX_OK && gprofx_left(&r->cursor) > 0 &&
	       !gprofx_is_padding(r->file, r->cursor.at)) {
		uint64_t record = r->cursor.at;
		uint32_t tag = (uint32_t)gprofx_number(&r->cursor, 1);

		if (tag == TAG_HISTOGRAM) {
			result = read_histogram(r, record);
		} else if (tag == TAG_ARC) {
			result = read_arc(r, record);
		} else if (tag == TAG_BLOCKS) {
			result = read_blocks(r, record);
		} else if (!skip_header(r, record)) {
			struct gprofx_diagnostic diagnostic = gprofx_at(
				r->file, record, "gmon.bad-tag",
				"the file is damaged, or several files were joined; name them one "
				"after the other instead");

			diagnostic.number[0] = tag;
			result = gprofx_fail(r->gx, &diagnostic,
			                     "expected a record tag of 0 to 2, found %u", tag);
		}
	}
	hand_over_arcs(r);
	describe(r);
	return result;
}

static enum gprofx_result
fail_version(const struct reading *r)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(
		r->file, 4, "gmon.unsupported-version",
		"the profile may come from a machine of the other byte order than that of the "
		"program");

	if (r->version == VERSION_OF_LIBRARIES)
		diagnostic.hint =
			"read the profile of a shared library, written under LD_PROFILE, with "
			"input-ldprofile, and name the library instead of the program";
	diagnostic.number[0] = r->version;
	return gprofx_fail(r->gx, &diagnostic, "expected version 0 or 1, found %u", r->version);
}

/*
 * Whether the file begins with blocks and goes wrong there: it can be one of the four-byte numbers
 * of bbconv.pl, which fit only some images.
 */
static bool
begins_with_odd_blocks(const struct gprofx_file *file, const struct gprofx_target *target)
{
	struct gprofx_cursor cursor = gprofx_cursor(file, target->big_endian);
	struct block_form form;
	uint64_t version;

	gprofx_take(&cursor, 4);
	version = gprofx_number(&cursor, 4);
	gprofx_take(&cursor, HEADER_SPARE);
	if (gprofx_left(&cursor) == 0 || file->bytes[HEADER_BYTES] != TAG_BLOCKS)
		return false;
	return version > 1 ||
	       !find_form(&form, file, cursor, (uint32_t)version, target->pointer_bytes);
}

static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	if (file->length < 4 || memcmp(file->bytes, "gmon", 4) != 0)
		return 0;
	if (file->strict || file->length < HEADER_BYTES)
		return 100;
	if (gprofx_number_at(file->bytes + 4, 4, false) == VERSION_OF_LIBRARIES ||
	    gprofx_number_at(file->bytes + 4, 4, true) == VERSION_OF_LIBRARIES ||
	    begins_with_odd_blocks(file, target))
		return HARDLY_SURE;
	return 100;
}

static enum gprofx_result
read_file(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	struct reading r = {.gx = gx, .file = file, .target = target, .profile = profile};
	const uint8_t *word;

	/* GNU gprof knows none of this. */
	if (options && !file->strict)
		r.set = *(const struct options *)options;
	r.cursor = gprofx_cursor(file, target->big_endian);
	word = gprofx_take(&r.cursor, 4);
	if (!word || memcmp(word, "gmon", 4) != 0) {
		struct gprofx_diagnostic diagnostic = gprofx_at(
			file, 0, "gmon.bad-cookie", "leave out -O to detect the format");

		return gprofx_fail(gx, &diagnostic, "expected the bytes \"gmon\", found others");
	}
	r.version = (uint32_t)gprofx_number(&r.cursor, 4);
	if (r.version > 1)
		return fail_version(&r);
	gprofx_take(&r.cursor, HEADER_SPARE);
	if (r.cursor.short_by != 0)
		return fail_short(&r, 0, "the header");
	return read_records(&r);
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "magic",
	.read = read_file,
	.weigh = weigh,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "input-gmon-magic",
	.version = "1.0",
	.summary = "Tagged gmon.out files of the GNU C library and others",
	GPROFX_OPTIONS(struct options, table),
	.reader = &reader,
};
