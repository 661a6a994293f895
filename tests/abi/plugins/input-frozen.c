/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader as it was built against the headers in include/: it uses all that the builder of
 * profiles offers, all types of options, and memory of the host.
 */
#include <gprofx/reader.h>

enum { BASE = 0x10000, STEP = 0x100, FUNCTIONS = 3 };

struct options {
	bool yes;
	int64_t five;
	const char *word;
	uint32_t second;
	double half;
	struct gprofx_choices two;
};

static const char *const letters[] = {"a", "b", "c", NULL};

#define OPTION(name, kind, text, ...)                                                 \
	{                                                                             \
		.key = #name, .type = kind, .offset = offsetof(struct options, name), \
		.initial = text, .help = "an option", __VA_ARGS__                     \
	}
static const struct gprofx_option options[] = {
	OPTION(yes, GPROFX_BOOL, "true", .minimum = 0),
	OPTION(five, GPROFX_INT, "5", .minimum = 1, .maximum = 9),
	OPTION(word, GPROFX_STRING, "word", .minimum = 0),
	OPTION(second, GPROFX_CHOICE, "b", .choices = letters),
	OPTION(half, GPROFX_REAL, "0.5", .minimum = 0, .maximum = 1),
	OPTION(two, GPROFX_CHOICES, "c,a", .choices = letters),
};

static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= 7 && memcmp(head, "frozen!", 7) == 0 ? 100 : 0;
}

static bool
options_are_initial(const struct options *o)
{
	return o->yes && o->five == 5 && strcmp(o->word, "word") == 0 && o->second == 1 &&
	       o->half == 0.5 && o->two.count == 2 && o->two.items[0] == 2 && o->two.items[1] == 0;
}

static enum gprofx_result
read_frozen(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
            struct gprofx_profile *profile, const void *opaque)
{
	struct gprofx_diagnostic bad = gprofx_at(file, 20, "frozen.bad", "make it again");
	struct gprofx_layout layout = gprofx_layout(target);
	struct gprofx_raw_arc arc = {BASE + 4, BASE + STEP, 7};
	struct gprofx_raw_call call = {BASE + 2 * STEP, 3};
	struct gprofx_raw_block block = {BASE + STEP, 7};
	struct gprofx_raw_line line = {2, 7};
	struct gprofx_raw_function function = {"work", 2, 3, 7};
	struct gprofx_raw_source source = {.size = sizeof source,
	                                   .path = "frozen.x",
	                                   .lines = &line,
	                                   .line_count = 1,
	                                   .functions = &function,
	                                   .function_count = 1};
	struct gprofx_histogram histogram = {.size = sizeof histogram,
	                                     .low = BASE,
	                                     .high = BASE + FUNCTIONS * STEP,
	                                     .bin_count = FUNCTIONS,
	                                     .rate = 100,
	                                     .dimension = "seconds",
	                                     .abbreviation = 's',
	                                     .bin_bytes = 1};
	struct gprofx_cursor cursor = gprofx_cursor(file, target->big_endian);
	char *block_of_host = gx->host->grow(gx, gprofx_alloc(gx, 3), 3, 300);

	if (!options_are_initial(opaque) || block_of_host[299] != 0 ||
	    gx->host->size < sizeof *gx->host || gx->host->abi_major != 1)
		return gprofx_fail(gx, &bad, "expected what was asked of the host");
	gx->host->release(gx, block_of_host);
	gprofx_take(&cursor, 20);
	histogram.bins = gprofx_take(&cursor, FUNCTIONS);
	if (cursor.short_by > 0)
		return gprofx_fail(gx, &bad, "expected %u more bytes", (unsigned)cursor.short_by);
	if (gprofx_left(&cursor) > 0)
		gprofx_warn(gx, &bad, "expected the end, found %u bytes",
		            (unsigned)gprofx_left(&cursor));
	if (gprofx_tracing(gx, GPROFX_TRACE_SAMPLES))
		gx->host->trace(gx, "frozen: %s", file->name);
	layout.variant = "frozen";
	profile->builder->describe(gx, profile, &layout);
	profile->builder->arcs(gx, profile, NULL, &arc, 1);
	profile->builder->calls(gx, profile, NULL, &call, 1);
	profile->builder->blocks(gx, profile, NULL, &block, 1);
	profile->builder->source(gx, profile, &source);
	if (profile->builder->check_histogram(gx, profile, file, &histogram) != GPROFX_OK)
		return GPROFX_FAILED;
	return profile->builder->histogram(gx, profile, file, &histogram);
}

static const struct gprofx_reader reader = {.size = sizeof reader,
                                            .format = "frozen",
                                            .probe = probe,
                                            .read = read_frozen};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "input-frozen",
                 .version = "1",
                 .summary = "Frozen profiles",
                 GPROFX_OPTIONS(struct options, options),
                 .reader = &reader};
