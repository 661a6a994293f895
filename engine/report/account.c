/* SPDX-License-Identifier: Apache-2.0 */
/* The account of all samples, and of the time that no sample covers. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sums.h"
#include "graph/graph.h"
#include "profile/metrics.h"
#include "profile/profile.h"
#include "report/model.h"
#include "select/filters.h"
#include "symbols/symbols.h"

/* Whether some profile of the run is of a library that the program asks for by that name. */
static bool
has_profile(const struct symbols *symbols, const char *library)
{
	for (uint32_t i = 1; i < symbols->image_count; i++) {
		const struct symbol_image *object = &symbols->images[i];

		if (strcmp(object->name, library) == 0 ||
		    (object->library_name && strcmp(object->library_name, library) == 0))
			return true;
	}
	return false;
}

static void
list_libraries(struct run *run, const struct symbols *symbols, struct gprofx_account *account)
{
	const char **names = memory_alloc_array(run, sizeof(const char *), symbols->needed_count);

	for (uint32_t i = 0; i < symbols->needed_count; i++)
		if (!has_profile(symbols, symbols->needed[i].name))
			names[account->library_count++] = symbols->needed[i].name;
	account->libraries = names;
}

static bool
can_load_libraries(const struct symbols *symbols)
{
	return symbols_mention(symbols, "dlopen") || symbols_mention(symbols, "dlmopen");
}

/* Whether the image holds the profiling code, and not just the way to it. */
static bool
has_profiling_code(const struct symbols *symbols)
{
	for (uint32_t i = 0; i < symbols->count; i++) {
		const char *name = symbols->name[i];

		if ((name[0] == '_' || name[0] == 'm') && name[1] != 'Z' &&
		    filter_is_collector(name) && !strchr(name, '@'))
			return true;
	}
	return false;
}

/*
 * Counting a call takes longer than many a function, and on most systems a library does it. Not
 * where the image holds that code, nor where it mentions none: then something else has counted.
 */
static uint64_t
calls_counted_by_libraries(const struct symbols *symbols, const struct profile *profile,
                           const struct gprofx_account *account)
{
	uint64_t calls = 0;

	if (account->library_count == 0 || has_profiling_code(symbols) ||
	    symbols_lack_profiling(symbols))
		return 0;
	for (uint32_t i = 0; i < profile->file_count; i++)
		calls += profile->files[i].calls - profile->files[i].copied_calls;
	return calls;
}

/*
 * Whether gprofx record would sample the libraries whose time is missing: not of a library that was
 * profiled by itself, nor on machines without the collector.
 */
static bool
is_recordable(const struct symbols *symbols, const struct profile *profile,
              const struct gprofx_account *account)
{
	for (uint32_t i = 0; i < profile->file_count; i++)
		if (profile->files[i].image)
			return false;
	return account->library_count > 0 && symbols_can_record(symbols);
}

/* What samples there are, and where there are none. */
static void
count_samples(struct run *run, const struct symbols *symbols, const struct profile *profile,
              struct gprofx_account *account)
{
	for (uint32_t i = 0; i < profile->file_count; i++) {
		const struct profile_file *file = &profile->files[i];

		sum_add(&account->samples, file->samples - file->copied_samples);
		account->copied_samples += file->copied_samples;
		account->copied_files += file->copied_from != NULL;
	}
	list_libraries(run, symbols, account);
	account->loads_libraries = account->library_count > 0 && can_load_libraries(symbols);
	account->counted_calls = calls_counted_by_libraries(symbols, profile, account);
	account->is_recordable = is_recordable(symbols, profile, account);
}

const struct gprofx_account *
report_account(struct run *run, const struct symbols *symbols, const struct profile *profile,
               const struct graph *graph)
{
	struct gprofx_account *account;
	const struct gprofx_account_part *parts = graph->account;
	const struct run_metric metric = metrics_row(profile, 0);

	if (!profile_is_measured(profile) || !run_corrects(run, GPROFX_CORRECT_EXACT_BINS))
		return NULL;
	account = memory_alloc(run, sizeof *account);
	account->size = sizeof *account;
	account->is_of_stacks = profile->stacks.is_there;
	if (account->is_of_stacks)
		account->samples = profile->stacks.total;
	else
		count_samples(run, symbols, profile, account);
	account->shown = parts[ACCOUNT_SHOWN];
	account->profiling = parts[ACCOUNT_PROFILING];
	account->outside = parts[ACCOUNT_OUTSIDE];
	account->excluded = parts[ACCOUNT_EXCLUDED];
	account->beyond = parts[ACCOUNT_BEYOND];
	for (int kind = 0; kind < ACCOUNT_KINDS; kind++)
		account->ticks += parts[kind].ticks;
	account->cpu_time = run->settings->cpu_time;
	if (account->cpu_time > 0 && metric.ticks_per_unit > 0 &&
	    strcmp(metric.unit, "seconds") == 0)
		account->unsampled = account->cpu_time - account->ticks / metric.ticks_per_unit;
	return account;
}
