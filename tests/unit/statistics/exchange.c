/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files taken in groups, each by another process, against the same files taken by one: their
 * statistics are the same bytes.  And what bytes that are none do.  Takes a second.
 */
#include "smallrun.h"

#include "draws.h"
#include "statistics/exchange.h"
#include "statistics/late.h"
#include "statistics/state.h"
#include "statistics/statistics.h"

/* Bins are 4 bytes wide, from 0x1000 on, and there are two ranges of them. */
enum { FILES = 7, BINS = 20, RANGE_BYTES = 4 * BINS, ROUNDS = 90, MOST_FLIPS = 4000 };

static const struct small_function functions[] = {
	{"a", 0x1000, 6},  {"b", 0x1006, 13}, {"c", 0x1013, 3}, {"d", 0x1016, 26},
	{"e", 0x1030, 7},  {"f", 0x1037, 7},  {"g", 0x103e, 2}, {"h", 0x1041, 60},
	{"i", 0x107f, 10}, {"j", 0x1089, 40}, {NULL, 0, 0},
};

static const struct gprofx_file file = {.size = sizeof file, .name = "gmon.out"};

/* One process. */
struct process {
	struct profile *profile;
	struct statistics *statistics;
};

/* Adds file "number" of a round; each is another one, and always the same. */
static void
add_file(struct testrun *test, struct profile *profile, uint32_t round, uint32_t number)
{
	static const uint32_t rates[] = {100, 100, 250};
	uint64_t state = round * 100 + number;
	uint32_t records = (uint32_t)(draw(&state) % 3), calls = (uint32_t)(draw(&state) % 40);

	profile_begin_file(&test->run, profile, "file", 5, false);
	for (uint32_t i = 0; i < records; i++) {
		uint64_t low = 0x1000 + RANGE_BYTES * (draw(&state) % 2);
		uint8_t *bins = memory_alloc(&test->run, BINS);
		struct gprofx_histogram record = testrun_record(low, low + RANGE_BYTES, bins, BINS);

		record.rate = rates[draw(&state) % 3];
		for (uint32_t k = 0; k < BINS; k++)
			bins[k] = draw(&state) % 3 ? 0 : (uint8_t)(draw(&state) % 50);
		assert_int_equal(profile->public.builder->histogram(&test->run.gx, &profile->public,
		                                                    &file, &record),
		                 GPROFX_OK);
	}
	for (uint32_t i = 0; i < calls; i++) {
		struct gprofx_raw_arc arc = {.from = 0x1000 + draw(&state) % 0x80,
		                             .self = functions[draw(&state) % 10].address,
		                             .count = draw(&state) % 4 * 5};
		const struct gprofx_raw_call call = {arc.self, arc.count};

		if (draw(&state) % 5 == 0)
			profile->public.builder->calls(&test->run.gx, &profile->public, NULL, &call,
			                               1);
		else
			profile->public.builder->arcs(&test->run.gx, &profile->public, NULL, &arc,
			                              1);
	}
	assert_int_equal(profile_commit_file(&test->run, profile, &file), GPROFX_OK);
}

/* All processes have the rate of the same file, which counts for none of them. */
static void
add_base(struct testrun *test, struct profile *profile)
{
	static const uint8_t bins[BINS];
	const struct gprofx_histogram record = testrun_record(0x1000, 0x1000 + RANGE_BYTES, bins,
	                                                      BINS);

	assert_int_equal(
		profile->public.builder->histogram(&test->run.gx, &profile->public, &file, &record),
		GPROFX_OK);
	profile_add_up(&test->run, profile);
}

/* Takes files "first" to below "past", in batches of three. */
static struct process
begin_process(struct testrun *test, uint32_t round, uint32_t first, uint32_t past)
{
	struct symbols *symbols = small_symbols(test, functions);
	struct process process = {.profile = profile_new(&test->run)};
	const struct filters *filters = filters_resolve(&test->run, symbols);

	symbols->table.target.pointer_bytes = 8;
	/* They are of no table that says more about what is between them. */
	memory_array(&test->run, symbols->row, symbols->count);
	for (uint32_t i = 0; i < symbols->count; i++)
		symbols->row[i] = NO_SYMBOL;
	add_base(test, process.profile);
	process.statistics = statistics_new(&test->run, symbols, filters, NULL, process.profile,
	                                    round % 2 == 0);
	for (uint32_t i = first; i < past; i++) {
		add_file(test, process.profile, round, i);
		if (i % 3 == 0)
			profile_add_up(&test->run, process.profile);
	}
	profile_add_up(&test->run, process.profile);
	return process;
}

static struct bytes_out
write_all(struct testrun *test, const struct process *process)
{
	struct bytes_out out = {.run = &test->run};

	assert_ptr_equal(process->profile->watch_write, statistics_write);
	process->profile->watch_write(process->profile->watcher, &out);
	return out;
}

/* Has the files of another process in the profile, as if all but the statistics were merged. */
static void
add_files(struct testrun *test, struct process *process, uint32_t round, uint32_t first,
          uint32_t past)
{
	process->profile->watch = NULL;
	for (uint32_t i = first; i < past; i++)
		add_file(test, process->profile, round, i);
	profile_add_up(&test->run, process->profile);
}

static bool
read_bytes(struct process *process, const uint8_t *bytes, size_t count)
{
	struct bytes_in in = {.at = bytes, .end = bytes + count};

	if (!process->profile->watch_read(process->profile->watcher, &in))
		return false;
	if (in.at == in.end)
		return true;
	statistics_forget(process->statistics);
	return false;
}

/* Nothing waits any more. */
static void
finish(struct testrun *test, struct process *process)
{
	struct statistics *statistics = process->statistics;

	statistics_divide(statistics, process->profile);
	late_finish(&test->run, &statistics->late, NULL, &statistics->arcs, &statistics->calls,
	            statistics->values);
}

/* A series has the values of the report: how many, and which file is the first without one. */
static void
expect_values(const struct series *series, const struct gprofx_report_files *files, uint32_t row,
              bool is_calls)
{
	uint32_t count = 0, gap = 0;
	double total = 0;

	for (uint32_t i = files->value_first[row]; i < files->value_first[row + 1]; i++) {
		const struct gprofx_file_value *value = &files->value[i];
		double one = is_calls ? (double)value->calls : value->self;

		if (one == 0)
			continue;
		gap += gap == value->file;
		count++;
		total += one;
	}
	assert_int_equal(series->row.count, count);
	assert_int_equal(series->row.gap, gap);
	assert_true(fabs(series_finish(series, FILES).total - total) <= total * 1e-14);
}

/* Values are by file in any order of blocks, so they are compared where they are reported. */
static void
expect_same(struct testrun *test, struct process *one, struct process *all)
{
	uint32_t rows = statistics_rows(one->statistics);
	struct gprofx_function_spread spread[64] = {{.size = 0}};
	struct gprofx_report_files a = {.spread = spread}, b;

	assert_int_equal(one->statistics->file_count, all->statistics->file_count);
	for (uint32_t i = 0; i < rows; i++) {
		const struct series ticks = series_at(&one->statistics->self, i);
		const struct series called = series_at(&one->statistics->calls, i);
		const struct series all_ticks = series_at(&all->statistics->self, i);
		const struct series all_called = series_at(&all->statistics->calls, i);

		assert_memory_equal(&ticks, &all_ticks, sizeof ticks);
		assert_memory_equal(&called, &all_called, sizeof called);
	}
	if (!one->statistics->values)
		return;
	for (uint32_t i = 0; i < rows; i++)
		if (one->statistics->self.rows[i].count > 0 ||
		    one->statistics->calls.rows[i].count > 0)
			spread[a.spread_count++].function = i;
	b = a;
	file_values_report(&test->run, one->statistics->values, &a);
	file_values_report(&test->run, all->statistics->values, &b);
	assert_memory_equal(a.value_first, b.value_first,
	                    (a.spread_count + 1) * sizeof *a.value_first);
	assert_memory_equal(a.value, b.value, a.value_first[a.spread_count] * sizeof *a.value);
	for (uint32_t i = 0; i < a.spread_count; i++) {
		uint32_t symbol = spread[i].function;

		const struct series ticks = series_at(&one->statistics->self, symbol);
		const struct series called = series_at(&one->statistics->calls, symbol);

		expect_values(&ticks, &a, i, false);
		expect_values(&called, &a, i, true);
	}
}

/* Shared bins and calls in doubt wait, or not. */
static void
set_corrections(struct testrun *test, uint32_t round)
{
	enum { DIVIDED = GPROFX_CORRECT_EXACT_BINS | GPROFX_CORRECT_SHARED_BINS };
	static const uint64_t corrections[] = {
		GPROFX_CORRECT_RATES | DIVIDED | GPROFX_CORRECT_CALL_SITES,
		GPROFX_CORRECT_RATES,
		GPROFX_CORRECT_RATES | DIVIDED,
	};

	test->run.corrections = corrections[round / 2 % 3];
}

static void
test_groups(void **state)
{
	struct testrun *test = *state;
	size_t bins = 0, late = 0;

	for (uint32_t round = 0; round < ROUNDS; round++)
		for (uint32_t i = 0; i < (FILES + 1) * (FILES + 1); i++) {
			uint32_t a = i / (FILES + 1), b = i % (FILES + 1);
			struct process left, middle, right, one;
			struct bytes_out out;

			if (a > b)
				continue;
			testrun_again(test);
			set_corrections(test, round);
			left = begin_process(test, round, 0, a);
			middle = begin_process(test, round, a, b);
			right = begin_process(test, round, b, FILES);
			one = begin_process(test, round, 0, FILES);
			bins += one.statistics->bins.count;
			late += one.statistics->late.count;
			out = write_all(test, &right);
			add_files(test, &middle, round, b, FILES);
			assert_true(read_bytes(&middle, out.items, out.count));
			out = write_all(test, &middle);
			add_files(test, &left, round, a, FILES);
			assert_true(read_bytes(&left, out.items, out.count));
			finish(test, &left);
			finish(test, &one);
			expect_same(test, &left, &one);
			statistics_forget(left.statistics);
			statistics_forget(middle.statistics);
			statistics_forget(right.statistics);
			statistics_forget(one.statistics);
			assert_null(left.profile->watch_read);
		}
	assert_true(bins > 100 && late > 100);
}

/* Each shorter text is refused; each changed one is, or does no harm. */
static void
test_hostile(void **state)
{
	struct testrun *test = *state;
	uint64_t drawing = 7;
	uint8_t bytes[8192];
	size_t length = 0;
	uint32_t refused = 0;

	for (uint32_t round = 0; round < MOST_FLIPS + 3; round++) {
		struct process first, second;
		struct bytes_out out;
		size_t part;

		testrun_again(test);
		set_corrections(test, 0);
		first = begin_process(test, 0, 0, 3);
		if (length == 0) {
			second = begin_process(test, 0, 3, FILES);
			out = write_all(test, &second);
			assert_true(out.count < sizeof bytes);
			memcpy(bytes, out.items, out.count);
			length = out.count;
			statistics_forget(second.statistics);
		}
		add_files(test, &first, 0, 3, FILES);
		part = length;
		if (round > 0 && round <= length) {
			part = round - 1;
		} else if (round > length) {
			uint8_t *byte = &bytes[draw(&drawing) % length];
			uint8_t before = *byte;

			*byte = (uint8_t)(draw(&drawing) % 2
			                          ? draw(&drawing)
			                          : before ^ UINT64_C(1) << draw(&drawing) % 8);
			if (read_bytes(&first, bytes, length)) {
				finish(test, &first);
				for (uint32_t i = 0; i < statistics_rows(first.statistics); i++) {
					const struct series series = series_at(
						&first.statistics->self, i);
					struct gprofx_spread spread = series_finish(
						&series, first.statistics->file_count);

					assert_true(spread.least_file <= FILES &&
					            spread.most_file < FILES);
				}
				statistics_forget(first.statistics);
			} else {
				refused++;
			}
			*byte = before;
			continue;
		}
		assert_int_equal(read_bytes(&first, bytes, part), part == length);
		if (part == length)
			statistics_forget(first.statistics);
	}
	assert_true(refused > 100);
}

/* Another program, other settings, and more files than the profile has. */
static void
test_mismatches(void **state)
{
	struct testrun *test = *state;
	struct process writer, reader;
	struct bytes_out out;

	set_corrections(test, 0);
	writer = begin_process(test, 0, 2, 5);
	writer.statistics->crowded = "crowd";
	out = write_all(test, &writer);
	reader = begin_process(test, 0, 0, 2);
	assert_false(read_bytes(&reader, out.items, out.count));
	reader = begin_process(test, 1, 0, 2);
	add_files(test, &reader, 0, 2, 5);
	assert_false(read_bytes(&reader, out.items, out.count));
	reader = begin_process(test, 0, 0, 2);
	add_files(test, &reader, 0, 2, 5);
	reader.statistics->quantum++;
	assert_false(read_bytes(&reader, out.items, out.count));
	out.items[0]++;
	reader.statistics->quantum--;
	assert_false(read_bytes(&reader, out.items, out.count));
	out.items[0]--;
	assert_null(reader.statistics->crowded);
	assert_true(read_bytes(&reader, out.items, out.count));
	assert_string_equal(reader.statistics->crowded, "crowd");
	assert_int_equal(reader.statistics->file_count, 5);
	statistics_forget(reader.statistics);
	statistics_forget(writer.statistics);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_groups),
		TESTRUN(test_hostile),
		TESTRUN(test_mismatches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
