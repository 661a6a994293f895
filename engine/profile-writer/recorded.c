/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings in a sum: what gmon.out has room for, which is calls and samples within the program.
 * The rest is counted, so that the user learns what the sum lacks.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sums.h"
#include "profile/profile.h"
#include "profile-writer/parts.h"
#include "profile-writer/profile-writer.h"
#include "symbols/symbols.h"

enum {
	BIN_BYTES = 4, /* as in files that the collector writes itself */
	UNITS = 2      /* bytes, in which scales are */
};

/* Beyond, no program has code. */
#define MOST_BINS (UINT32_C(1) << 28)

/* Code of the program, from the first to behind the last function. */
struct code {
	uint64_t low, high;
};

bool
profile_sum_takes_recordings(const struct symbols *symbols, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (!profile->files[i].is_recording)
			return false;
	return profile->file_count > 0 && symbols_have_image(symbols) && !profile->has_histogram &&
	       profile->stacks.other_count == 0;
}

static struct code
find_code(const struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	struct code code = {UINT64_MAX, 0};

	if (table->has_text)
		code = (struct code){table->text_start, table->text_end};
	for (uint32_t i = 0; i < symbols->count; i++) {
		if (!symbols_is_program(symbols, symbols->address[i]))
			continue;
		if (symbols->address[i] < code.low)
			code.low = symbols->address[i];
		if (symbols->end[i] >= code.high && symbols->end[i] < UINT64_MAX)
			code.high = symbols->end[i] + 1;
	}
	/* The last bin has to end at an address. */
	if (code.high > UINT64_MAX - BIN_BYTES)
		code.high = UINT64_MAX - BIN_BYTES;
	return code;
}

static bool
has_address(const struct code *code, uint64_t address)
{
	return address >= code->low && address < code->high;
}

/* Keeps calls from the program to itself. */
static void
take_arcs(struct sum *sum, const struct code *code, struct sum_rest *rest)
{
	struct gprofx_raw_arc *kept;
	uint32_t count = 0;

	memory_array(sum->run, kept, sum->arc_count);
	for (uint32_t i = 0; i < sum->arc_count; i++)
		if (has_address(code, sum->arcs[i].from) && has_address(code, sum->arcs[i].self))
			kept[count++] = sum->arcs[i];
		else
			sum_add(&rest->calls, sum->arcs[i].count);
	for (uint32_t i = 0; i < sum->profile->call_count; i++)
		sum_add(&rest->calls, sum->profile->calls[i].count);
	sum->arcs = kept;
	sum->arc_count = count;
}

/* Keeps basic blocks of the program. */
static void
take_blocks(struct sum *sum, const struct code *code, struct profile *taken, struct sum_rest *rest)
{
	const struct profile *profile = sum->profile;

	taken->block_count = 0;
	memory_array(sum->run, taken->blocks, profile->block_count);
	for (uint32_t i = 0; i < profile->block_count; i++)
		if (has_address(code, profile->blocks[i].address))
			taken->blocks[taken->block_count++] = profile->blocks[i];
		else
			sum_add(&rest->blocks, profile->blocks[i].count);
}

/* Where a stack was sampled, if that is in the program; else an address that is not. */
static uint64_t
sampled_at(const struct stacks *stacks, uint32_t stack, const struct code *code)
{
	uint32_t frame = stacks_end(stacks, stack);
	const struct stack_place *place;

	if (frame == NO_FRAME)
		return code->high;
	place = &stacks->places[stacks->place[frame]];
	return place->names->function ? code->high : place->address;
}

static enum gprofx_result
fail_spread_code(const struct sum *sum, const struct code *code)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "sum.too-large",
		.file = sum->run->settings->sum_file,
		.number = {code->low, code->high},
		.hint = "name the recordings themselves in reports; they can be as many as you like",
	};

	return run_fail(sum->run, &diagnostic,
	                "the code of the program is from 0x%llx to 0x%llx; the histogram of a sum "
	                "has room for %llu MiB",
	                (unsigned long long)code->low, (unsigned long long)code->high,
	                (unsigned long long)MOST_BINS * BIN_BYTES >> 20);
}

/* Samples by the innermost frame of their stacks. */
static enum gprofx_result
take_samples(struct sum *sum, const struct code *code, struct profile *taken, struct sum_rest *rest)
{
	const struct stacks *stacks = &taken->stacks;
	uint64_t bins = (code->high - code->low + BIN_BYTES - 1) / BIN_BYTES;
	struct histogram *histogram;

	if (bins > MOST_BINS)
		return fail_spread_code(sum, code);
	memory_array(sum->run, histogram, 1);
	*histogram = (struct histogram){
		.low = code->low,
		.high = code->low + bins * BIN_BYTES,
		.bin_count = (uint32_t)bins,
		.rate = stacks->rate,
		.sibling = NO_HISTOGRAM,
		.scale = (double)BIN_BYTES / UNITS,
	};
	memory_array(sum->run, histogram->bins64, bins);
	sum_add(&rest->samples, stacks->nowhere);
	for (uint32_t i = 0; i < stacks->weighed; i++) {
		uint64_t address = sampled_at(stacks, i, code);

		rest->has_stacks = rest->has_stacks || stacks->weight[i] > 0;
		sum_add(has_address(code, address)
		                ? &histogram->bins64[(address - code->low) / BIN_BYTES]
		                : &rest->samples,
		        stacks->weight[i]);
	}
	taken->histograms = histogram;
	taken->histogram_count = 1;
	taken->has_histogram = true;
	taken->rate = stacks->rate;
	taken->scale = histogram->scale;
	memcpy(taken->dimension, stacks->dimension, sizeof taken->dimension);
	taken->abbreviation = stacks->abbreviation;
	return GPROFX_OK;
}

enum gprofx_result
sum_take_recordings(struct sum *sum, struct profile *taken, struct sum_rest *rest)
{
	struct code code = find_code(sum->symbols);

	if (code.high < code.low)
		code.high = code.low;
	*taken = *sum->profile;
	take_arcs(sum, &code, rest);
	take_blocks(sum, &code, taken, rest);
	taken->call_count = 0;
	sum->profile = taken;
	return taken->stacks.is_there ? take_samples(sum, &code, taken, rest) : GPROFX_OK;
}

void
sum_warn_rest(const struct sum *sum, const struct sum_rest *rest)
{
	const char *blocks = "";
	const struct gprofx_diagnostic diagnostic = {
		.id = "sum.program-only",
		.file = sum->run->settings->sum_file,
		.number = {rest->calls, rest->samples},
		.hint = "name the recordings themselves in reports; they can be as many as you like",
	};

	if (rest->blocks > 0)
		blocks = text_format(sum->run, ", nor are %llu executions of basic blocks",
		                     (unsigned long long)rest->blocks);
	run_warn(
		sum->run, &diagnostic,
		"the format has no room for libraries, call stacks, threads and processes: %llu "
		"calls and %llu samples from or in other code than the program are not in the sum%s%s",
		(unsigned long long)rest->calls, (unsigned long long)rest->samples, blocks,
		rest->has_stacks ? ", and reports of it estimate total times" : "");
}
