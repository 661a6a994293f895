/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/values.h"

#include <math.h>

#include "base/memory.h"

static const struct gprofx_column *
column_of(const struct compare_values *values, uint32_t run)
{
	return gprofx_column_of(values->report, values->report->graph->columns, run,
	                        values->metric);
}

/* Whether a run has values of one kind. */
static bool
has_values(const struct gprofx_column *column, enum compare_what what)
{
	return (what == COMPARE_SELF ? column->self_origin : column->total_origin) !=
	       GPROFX_UNKNOWN;
}

static double
value_in(const struct gprofx_column *column, uint32_t node, enum compare_what what)
{
	double value;

	if (!has_values(column, what))
		return 0;
	value = gprofx_real(&column->self, node);
	return what == COMPARE_SELF ? value : value + gprofx_real(&column->below, node);
}

/* NaN: not known. */
static double
square_in(const struct compare_values *values, const struct gprofx_column *column, uint32_t node,
          enum compare_what what)
{
	const struct gprofx_reals *squares = what == COMPARE_SELF ? &column->self_squares
	                                                          : &column->total_squares;

	if (values->is_exact)
		return 0;
	return squares->first ? gprofx_real(squares, node) : (double)NAN;
}

/* The functions that the flat profile lists, which are those of the selection. */
static const uint8_t *
mark_selected(struct run *run, const struct gprofx_report *report)
{
	uint8_t *is_in;

	memory_array(run, is_in, (size_t)report->functions->count + 1);
	for (uint32_t i = 0; i < report->graph->flat_count; i++)
		is_in[report->graph->flat[i]] = 1;
	return is_in;
}

static void
add_up(struct compare_values *values, uint32_t run)
{
	const struct gprofx_column *column = column_of(values, run);
	double total = 0, squares = 0;

	for (uint32_t i = 0; i < values->report->functions->count; i++)
		if (values->is_in[i] && value_in(column, i, COMPARE_SELF) != 0) {
			total += value_in(column, i, COMPARE_SELF);
			squares += square_in(values, column, i, COMPARE_SELF);
		}
	values->totals[run] = total * values->factor;
	values->squares[run] = squares * values->factor * values->factor;
}

/* What a sample counts on average, as it is compared. */
static double
per_unit(const struct compare_values *values)
{
	double totals = 0, squares = 0;

	for (uint32_t i = 0; i < values->run_count; i++) {
		totals += values->totals[i] * values->scale[i];
		squares += values->squares[i] * values->scale[i] * values->scale[i];
	}
	return totals > 0 ? squares / totals : (double)NAN;
}

void
compare_values_begin(struct run *run, struct compare_values *values,
                     const struct gprofx_report *report, uint32_t metric, uint32_t ticks_per_unit)
{
	const struct gprofx_metric *of = gprofx_metric_at(report, metric);
	double sum = 0;

	*values = (struct compare_values){
		.report = report,
		.metric = metric,
		.run_count = report->origin->run_count,
		.factor = of->ticks_per_unit == 0 || ticks_per_unit == 0
	                          ? 1
	                          : (double)ticks_per_unit / of->ticks_per_unit,
		.is_exact = of->kind == GPROFX_COUNTED,
		.has_total = true,
		.measures_total = true,
		.is_in = mark_selected(run, report),
	};
	memory_array(run, values->totals, values->run_count);
	memory_array(run, values->squares, values->run_count);
	memory_array(run, values->scale, values->run_count);
	for (uint32_t i = 0; i < values->run_count; i++) {
		const struct gprofx_column *column = column_of(values, i);

		add_up(values, i);
		values->scale[i] = 1;
		values->has_total = values->has_total && has_values(column, COMPARE_TOTAL);
		values->measures_total = values->measures_total &&
		                         column->total_origin == GPROFX_MEASURED;
		sum += values->totals[i];
	}
	values->mean = sum / values->run_count;
	values->per_unit = per_unit(values);
}

void
compare_values_to_total(struct compare_values *values, double total)
{
	values->is_share = true;
	for (uint32_t i = 0; i < values->run_count; i++)
		values->scale[i] = values->totals[i] > 0 ? total / values->totals[i] : 1;
	values->per_unit = per_unit(values);
}

/*
 * The variance of a share times the total: the function's own samples are in the total, too, which
 * takes off a part of their error, and the samples of all others add theirs.
 */
static double
square_of_share(const struct compare_values *values, uint32_t run, double value, double square)
{
	double total = values->totals[run], share = total > 0 ? value / total : 0;

	return (1 - 2 * share) * square + share * share * values->squares[run];
}

struct compare_value
compare_value_of(const struct compare_values *values, uint32_t function, enum compare_what what,
                 double factor)
{
	double runs[ENGINE_RUNS_AT_MOST], squares[ENGINE_RUNS_AT_MOST];
	uint32_t count = values->run_count;

	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_column *column = column_of(values, i);
		double value = value_in(column, function, what) * values->factor;
		double square = square_in(values, column, function, what) * values->factor *
		                values->factor;

		if (values->is_share)
			square = square_of_share(values, i, value, square);
		runs[i] = value * values->scale[i];
		squares[i] = square * values->scale[i] * values->scale[i];
	}
	if (factor == 1)
		return compare_mean(runs, squares, count, values->per_unit);
	return compare_scaled(compare_mean(runs, squares, count, values->per_unit), factor);
}

struct compare_value
compare_value_of_none(const struct compare_values *values)
{
	return (struct compare_value){
		.freedom = values->run_count > 1 ? values->run_count - 1 : (double)INFINITY,
		.per_unit = values->per_unit / values->run_count,
	};
}

struct compare_value
compare_value_of_all(const struct compare_values *values)
{
	double runs[ENGINE_RUNS_AT_MOST], squares[ENGINE_RUNS_AT_MOST];

	for (uint32_t i = 0; i < values->run_count; i++) {
		runs[i] = values->totals[i] * values->scale[i];
		squares[i] = values->is_share
		                     ? 0
		                     : values->squares[i] * values->scale[i] * values->scale[i];
	}
	return compare_mean(runs, squares, values->run_count, NAN);
}

bool
compare_counts_calls(const struct compare_values *values)
{
	return values->report->origin->has_arcs && !values->report->graph->calls->some_unknown;
}

uint64_t
compare_calls_of(const struct compare_values *values, uint32_t function)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < values->run_count; i++) {
		const struct gprofx_call_column *column = gprofx_calls_in(
			values->report->graph->calls, i);
		uint64_t calls = gprofx_count(&column->calls, function);

		if (!values->report->origin->has_arcs || !gprofx_is_counted(column, calls))
			return GPROFX_CALLS_UNKNOWN;
		sum = calls < GPROFX_CALLS_UNKNOWN - 1 - sum ? sum + calls
		                                             : GPROFX_CALLS_UNKNOWN - 1;
	}
	return sum;
}

bool
compare_has_any(const struct compare_values *values, uint32_t function)
{
	uint64_t calls;

	if (!values->is_in[function])
		return false;
	for (uint32_t i = 0; i < values->run_count; i++) {
		const struct gprofx_column *column = column_of(values, i);

		if (value_in(column, function, COMPARE_SELF) != 0 ||
		    (values->has_total && value_in(column, function, COMPARE_TOTAL) != 0))
			return true;
	}
	calls = compare_calls_of(values, function);
	return calls != 0 && calls != GPROFX_CALLS_UNKNOWN;
}
