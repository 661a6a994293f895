/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/metrics.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "profile/parts.h"

static const char reader_defect[] =
	"this is a bug in the reader: report it to its author, or choose another with -O";

static const char different_run[] =
	"these files come from different programs or settings; report them one by one";

/* Whether a text has at least one byte, and with the NUL at its end fits into so many. */
static bool
fits(const char *text, size_t bytes)
{
	return text && text[0] != '\0' && memchr(text, '\0', bytes);
}

static void
expect_sound(struct run *run, const struct gprofx_raw_metric *metric)
{
	const struct gprofx_diagnostic diagnostic = {.id = "reader.bad-record",
	                                             .hint = reader_defect};

	if (!fits(metric->name, METRIC_NAME_BYTES))
		run_give_up(run, &diagnostic, "expected a metric with a name of 1 to %d bytes",
		            METRIC_NAME_BYTES - 1);
	if (!fits(metric->unit, METRIC_UNIT_BYTES))
		run_give_up(run, &diagnostic, "expected a metric with a unit of 1 to %d bytes",
		            (int)METRIC_UNIT_BYTES - 1);
	if (metric->kind < GPROFX_SAMPLED || metric->kind > GPROFX_CLOCKED)
		run_give_up(run, &diagnostic,
		            "expected a metric that is sampled, counted or clocked, found kind %u",
		            metric->kind);
}

static enum gprofx_result
fail_too_many(struct run *run, const struct gprofx_file *file, const char *where)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.too-many-metrics",
		.file = file->name,
		.hint = "the file is damaged, or report fewer files at a time",
	};

	return run_fail(run, &diagnostic, "expected at most %d metrics in %s, found more",
	                METRICS_AT_MOST, where);
}

uint32_t
metrics_declare(struct gprofx *gx, struct gprofx_profile *public, const struct gprofx_file *file,
                const struct gprofx_raw_metric *given)
{
	struct run *run = (struct run *)gx;
	struct profile *profile = (struct profile *)public;
	struct gprofx_raw_metric metric;
	struct declared_metric *row;

	profile_take(run, "the record of a metric", &metric, sizeof metric, given);
	expect_sound(run, &metric);
	if (profile->declared_count == METRICS_AT_MOST) {
		profile->is_refused = true;
		fail_too_many(run, file, "a file");
		return 0;
	}
	if (!profile->declared)
		memory_array(run, profile->declared, METRICS_AT_MOST);
	row = &profile->declared[profile->declared_count++];
	*row = (struct declared_metric){.abbreviation = metric.abbreviation,
	                                .ticks_per_unit = metric.ticks_per_unit,
	                                .kind = metric.kind};
	snprintf(row->name, sizeof row->name, "%s", metric.name);
	snprintf(row->unit, sizeof row->unit, "%s", metric.unit);
	return profile->declared_count;
}

void
metrics_resolve(struct run *run, const struct profile *profile, struct gprofx_histogram *record)
{
	const struct gprofx_diagnostic diagnostic = {.id = "reader.bad-record",
	                                             .hint = reader_defect};
	const struct declared_metric *row;

	record->dimension[sizeof record->dimension - 1] = '\0';
	if (record->metric == 0)
		return;
	if (record->metric > profile->declared_count)
		run_give_up(run, &diagnostic,
		            "expected a histogram in one of the %u metrics of the file, found "
		            "metric %u",
		            profile->declared_count, record->metric);
	row = &profile->declared[record->metric - 1];
	memcpy(record->dimension, row->unit, sizeof record->dimension);
	record->abbreviation = row->abbreviation;
	record->rate = row->ticks_per_unit;
	record->lacks_rate = false;
}

void
metrics_measure(struct run *run, const struct profile *profile,
                const struct gprofx_raw_stacks *rows, struct stack_measure *measures)
{
	if (rows->metric_count > METRICS_AT_MOST)
		profile_give_up(run, "expected weights of at most %d metrics, found %u",
		                METRICS_AT_MOST, rows->metric_count);
	profile_expect_rows(run, rows->metrics, rows->metric_count, "metrics of weights");
	for (uint32_t i = 0; i < rows->metric_count; i++) {
		uint32_t metric = rows->metrics[i];
		const struct declared_metric *row;

		if (metric == 0 || metric > profile->declared_count)
			profile_give_up(
				run,
				"expected weights in the %u metrics of the file, found metric "
				"%u",
				profile->declared_count, metric);
		row = &profile->declared[metric - 1];
		measures[i] = (struct stack_measure){
			.name = row->name,
			.kind = row->kind,
			.rate = row->ticks_per_unit != 0 ? row->ticks_per_unit : 1,
			.abbreviation = row->abbreviation,
			.weight = rows->weight + i,
			.squares = rows->squares ? rows->squares + i : NULL,
			.step = rows->metric_count,
		};
		memcpy(measures[i].dimension, row->unit, sizeof measures[i].dimension);
		for (uint32_t k = 0; k < i; k++)
			if (strcmp(measures[k].name, row->name) == 0)
				profile_give_up(run,
				                "expected each metric once, found \"%s\" twice",
				                row->name);
	}
}

/* What a record measures.  A histogram without a metric has its unit alone to be called by. */
struct measured {
	const char *name;
	uint32_t kind;
	char unit[METRIC_UNIT_BYTES];
};

static void
measured_by(const struct profile *profile, const struct gprofx_histogram *record,
            struct measured *measured)
{
	const struct profile *whole = profile->whole ? profile->whole : profile;

	if (record->metric != 0) {
		measured->name = whole->declared[record->metric - 1].name;
		measured->kind = whole->declared[record->metric - 1].kind;
		return;
	}
	memcpy(measured->unit, record->dimension, sizeof measured->unit);
	measured->unit[sizeof measured->unit - 1] = '\0';
	measured->name = metrics_name_of_unit(measured->unit);
	measured->kind = GPROFX_SAMPLED;
}

/* The metric that the settings name, or NULL. */
static const char *
chosen_name(const struct run *run)
{
	const char *name = run->settings->metric;

	return name && name[0] != '\0' ? name : NULL;
}

/* The profile of a metric of that name, or NULL. */
static struct profile *
find(const struct run *run, struct profile *profile, const char *name)
{
	const char *chosen = chosen_name(run);

	if (profile_is_measured(profile) ? strcmp(profile->metric_name, name) == 0
	                                 : !chosen || strcmp(chosen, name) == 0)
		return profile;
	for (uint32_t i = 0; i < profile->other_count; i++)
		if (strcmp(profile->others[i]->metric_name, name) == 0)
			return profile->others[i];
	return NULL;
}

struct profile *
metrics_find(const struct run *run, struct profile *profile, const struct gprofx_histogram *record)
{
	struct measured measured;

	if (run->settings->one_metric)
		return profile;
	measured_by(profile, record, &measured);
	return find(run, profile, measured.name);
}

struct profile *
metrics_enter(struct run *run, struct profile *profile, const struct gprofx_file *file,
              const struct gprofx_histogram *record)
{
	struct measured measured;
	struct profile *found;

	if (run->settings->one_metric)
		return profile;
	measured_by(profile, record, &measured);
	found = find(run, profile, measured.name);
	if (found)
		return found;
	/* One of them is the profile's own. */
	if (profile->other_count == METRICS_AT_MOST - 1) {
		fail_too_many(run, file, "all files");
		return NULL;
	}
	found = memory_alloc(run, sizeof *found);
	found->whole = profile;
	found->metric_name = text_keep(run, measured.name, strlen(measured.name));
	profile->others = memory_room(run, profile->others, sizeof(struct profile *),
	                              profile->other_count, &profile->other_room, 1);
	profile->others[profile->other_count++] = found;
	return found;
}

/* A second metric where there can be but one. */
static enum gprofx_result
fail_second(struct run *run, const struct gprofx_file *file, uint64_t offset, const char *first,
            const char *second)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(file, offset, "profile.dimension-changed",
	                                                different_run);

	diagnostic.text[0] = first;
	diagnostic.text[1] = second;
	return run_fail(run, &diagnostic, "expected no metric but \"%s\", found \"%s\"", first,
	                second);
}

enum gprofx_result
metrics_check(struct run *run, const struct profile *of, const struct gprofx_file *file,
              const struct gprofx_histogram *record)
{
	static const char *const kinds[] = {[GPROFX_SAMPLED] = "sampled",
	                                    [GPROFX_COUNTED] = "counted",
	                                    [GPROFX_CLOCKED] = "clocked"};
	bool same_unit = strncmp(of->dimension, record->dimension, METRIC_UNIT_BYTES - 1) == 0;
	struct gprofx_diagnostic diagnostic;
	struct measured measured;

	measured_by(of, record, &measured);
	/* Units that differ are GNU gprof's own matter there. */
	if (run->settings->one_metric && !same_unit)
		return GPROFX_OK;
	if (run->settings->one_metric && strcmp(of->metric_name, measured.name) != 0)
		return fail_second(run, file, record->offset, of->metric_name, measured.name);
	if (same_unit && of->metric_kind == measured.kind)
		return GPROFX_OK;
	diagnostic = gprofx_at(file, record->offset, "profile.metric-changed", different_run);
	return run_fail(run, &diagnostic,
	                "expected the metric \"%s\" in \"%s\", %s, like those before it, found it "
	                "in \"%s\", %s",
	                measured.name, of->dimension, kinds[of->metric_kind], record->dimension,
	                kinds[measured.kind]);
}

void
metrics_learn(struct run *run, struct profile *of, const struct gprofx_histogram *record)
{
	struct measured measured;

	measured_by(of, record, &measured);
	of->metric_kind = measured.kind;
	of->metric_name = text_keep(run, measured.name, strlen(measured.name));
}

/* "time, cycles", or as many names as there is room for. */
static const char *
join_names(struct run *run, const char *const *names, uint32_t count)
{
	enum { MOST_BYTES = 512 };
	char *text = memory_alloc(run, MOST_BYTES);
	size_t length = 0;

	for (uint32_t i = 0; i < count; i++) {
		/* What does not fit any more is left out, with a word. */
		if (length + strlen(names[i]) + sizeof ", " + sizeof ", ..." > MOST_BYTES) {
			snprintf(text + length, MOST_BYTES - length, ", ...");
			break;
		}
		length += (size_t)snprintf(text + length, MOST_BYTES - length, "%s%s",
		                           i > 0 ? ", " : "", names[i]);
	}
	return text;
}

/* What there is instead of the metric that the settings name: histograms beside stacks are not
 * used. */
static const char *
known_names(struct run *run, const struct profile *profile)
{
	const struct stacks *stacks = &profile->stacks;
	bool has_stacks = stacks->is_there || stacks->other_count > 0;
	uint32_t others = has_stacks ? stacks->other_count : profile->other_count, count = 0;
	const char **names = memory_alloc_array(run, sizeof(const char *), (size_t)others + 1);

	if (stacks->is_there)
		names[count++] = stacks->metric_name;
	for (uint32_t i = 0; i < others; i++)
		names[count++] = has_stacks ? stacks->others[i]->metric_name
		                            : profile->others[i]->metric_name;
	return count > 0 ? join_names(run, names, count) : NULL;
}

enum gprofx_result
metrics_expect_chosen(struct run *run, const struct profile *profile)
{
	const struct stacks *stacks = &profile->stacks;
	bool has_stacks = stacks->is_there || stacks->other_count > 0;
	const char *name = chosen_name(run), *known;
	const struct gprofx_file none = {.size = sizeof none};
	struct gprofx_diagnostic diagnostic = {
		.id = "profile.unknown-metric",
		.hint = "name one of these with --metric, or leave it out",
	};

	if (run->settings->one_metric && stacks->is_there && profile_is_measured(profile) &&
	    strcmp(stacks->metric_name, profile->metric_name) != 0)
		return fail_second(run, &none, 0, stacks->metric_name, profile->metric_name);
	if (!name || (has_stacks ? stacks->is_there && strcmp(name, stacks->metric_name) == 0
	                         : profile_is_measured(profile)))
		return GPROFX_OK;
	known = known_names(run, profile);
	if (known)
		return run_fail(run, &diagnostic, "the profiles have no metric \"%s\", only: %s",
		                name, known);
	diagnostic.hint = "leave out --metric: the profile has no samples";
	return run_fail(run, &diagnostic,
	                "the profiles have no metric \"%s\": they have no "
	                "samples",
	                name);
}

uint32_t
metrics_count(const struct profile *profile)
{
	/* Histograms beside stacks are not used. */
	return 1 + (profile->stacks.is_there ? profile->stacks.other_count : profile->other_count);
}

static struct run_metric
metric_of_stacks(const struct stacks *stacks)
{
	return (struct run_metric){.name = stacks->metric_name,
	                           .unit = stacks->dimension,
	                           .abbreviation = stacks->abbreviation,
	                           .ticks_per_unit = stacks->rate,
	                           .kind = stacks->metric_kind,
	                           .files = &stacks->files};
}

struct run_metric
metrics_row(const struct profile *profile, uint32_t i)
{
	const struct stacks *stacks = &profile->stacks;
	const struct profile *of;

	if (stacks->is_there)
		return metric_of_stacks(i == 0 ? stacks : stacks->others[i - 1]);
	of = i == 0 ? profile : profile->others[i - 1];
	return (struct run_metric){
		.name = profile_is_measured(of) && of->metric_name
	                        ? of->metric_name
	                        : metrics_name_of_unit(of->dimension),
		.unit = of->dimension,
		.abbreviation = of->abbreviation,
		.ticks_per_unit = of->rate,
		.kind = of->metric_kind != 0 ? of->metric_kind : GPROFX_SAMPLED,
		.files = &of->histogram_files,
		.more_files = &of->sparse_files,
	};
}

/* The metric of that name that the runs before one have, the first of them; or NULL in "name". */
static struct run_metric
find_before(const struct profile *first, const struct profile *end, const char *name)
{
	for (const struct profile *i = first; i != end; i = i->next_run)
		for (uint32_t k = 0; k < metrics_count(i); k++)
			if (strcmp(metrics_row(i, k).name, name) == 0)
				return metrics_row(i, k);
	return (struct run_metric){0};
}

enum gprofx_result
metrics_compare_runs(struct run *run, const struct profile *first)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.runs-differ",
		.hint = "report the runs one by one",
	};

	for (const struct profile *i = first->next_run; i; i = i->next_run)
		for (uint32_t k = 0; k < metrics_count(i); k++) {
			struct run_metric own = metrics_row(i, k);
			struct run_metric other = find_before(first, i, own.name);

			if (!other.name ||
			    (strcmp(own.unit, other.unit) == 0 && own.kind == other.kind &&
			     (own.ticks_per_unit == 0) == (other.ticks_per_unit == 0)))
				continue;
			return run_fail(
				run, &diagnostic,
				"expected the metric \"%s\" in \"%s\" with %u ticks per unit, as "
				"in earlier runs, found it in \"%s\" with %u in the run \"%s\"",
				own.name, other.unit, other.ticks_per_unit, own.unit,
				own.ticks_per_unit, i->label ? i->label : "");
		}
	return GPROFX_OK;
}
