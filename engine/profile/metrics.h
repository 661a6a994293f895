/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What histograms measure.  The metric that is shown first is that of the profile itself: the one
 * that the settings name, or the first that appears.  Each further one is a profile of its own that
 * has nothing but histograms; nothing of different units is ever added up.
 */
#ifndef ENGINE_PROFILE_METRICS_H
#define ENGINE_PROFILE_METRICS_H

#include <string.h>

#include "base/run.h"
#include "profile/profile.h"

enum {
	METRICS_AT_MOST = 256,  /* of a file, and of a run */
	METRIC_NAME_BYTES = 64, /* with the NUL at its end */
	METRIC_UNIT_BYTES = sizeof((struct gprofx_histogram *)NULL)->dimension
};

/* What a metric is called that has a unit and no name of its own. */
static inline const char *
metrics_name_of_unit(const char *unit)
{
	return strcmp(unit, "seconds") == 0 ? "time" : unit;
}

/* The name of a profile's metric, where that is another one than its unit gives; or NULL. */
static inline const char *
metrics_given_name(const struct profile *of)
{
	bool is_given = of->metric_name &&
	                strcmp(of->metric_name, metrics_name_of_unit(of->dimension)) != 0;

	return is_given ? of->metric_name : NULL;
}

/* What a reader said of a metric of the file that it reads. */
struct declared_metric {
	char name[METRIC_NAME_BYTES], unit[METRIC_UNIT_BYTES];
	char abbreviation;
	uint32_t ticks_per_unit, kind;
};

/* The member "metric" of the profile builder. */
uint32_t metrics_declare(struct gprofx *gx, struct gprofx_profile *public,
                         const struct gprofx_file *file, const struct gprofx_raw_metric *given);

/* Gives a record whose metric was declared what that is in; one of no such metric ends the run. */
void
metrics_resolve(struct run *run, const struct profile *profile, struct gprofx_histogram *record);

/* What stacks whose metrics were declared measure; what was not declared ends the run. */
void metrics_measure(struct run *run, const struct profile *profile,
                     const struct gprofx_raw_stacks *rows, struct stack_measure *measures);

/* The profile that a record's metric has, or NULL: there is none yet. */
struct profile *
metrics_find(const struct run *run, struct profile *profile, const struct gprofx_histogram *record);

/* The same, made if need be; NULL: they are too many, which was reported. */
struct profile *
metrics_enter(struct run *run, struct profile *profile, const struct gprofx_file *file,
              const struct gprofx_histogram *record);

/*
 * Fails if the record measures its metric in another unit, or otherwise, than those before it; or,
 * where there can be but one, another metric in the same unit.
 */
enum gprofx_result
metrics_check(struct run *run, const struct profile *of, const struct gprofx_file *file,
              const struct gprofx_histogram *record);

/* A record is the first one of its metric. */
void metrics_learn(struct run *run, struct profile *of, const struct gprofx_histogram *record);

/* What a run has measured: row 0 is what is shown first, then histograms of further metrics. */
struct run_metric {
	const char *name;
	const char *unit;
	char abbreviation;
	uint32_t ticks_per_unit, kind;
	const struct file_names *files,
		*more_files; /* that measured it; the second: NULL for none */
};
uint32_t metrics_count(const struct profile *profile);
struct run_metric metrics_row(const struct profile *profile, uint32_t i);

/* Fails where two runs have measured one metric in different units. */
enum gprofx_result metrics_compare_runs(struct run *run, const struct profile *first);

/*
 * Everything was read: fails unless the metric that the settings name is there, and, where there
 * can be but one, if stacks have measured another one than samples.
 */
enum gprofx_result metrics_expect_chosen(struct run *run, const struct profile *profile);

#endif
