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
	if (squares->first)
		return gprofx_real(squares, node);
	return values->weight > 0 ? values->weight * value_in(column, node, what) : (double)NAN;
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
 * takes off a part of their error, and the samples of all others add theirs.  As if a sample more
 * were in the function and one in the others (Agresti and Caffo 2000): of few samples, all or none
 * can be in a function by chance.  NaN: there are no samples.
 */
static double
square_of_share(const struct compare_values *values, uint32_t run, double value, double square)
{
	double total = values->totals[run], unit = values->squares[run] / total;
	double share = (value + unit) / (total + 2 * unit);
	double own = value > 0 ? square / value : unit;
	double of_others = total > value ? (values->squares[run] - square) / (total - value) : unit;

	if (!(total > 0))
		return NAN;
	if (values->squares[run] == 0)
		return 0;
	return total * share * (1 - share) * ((1 - share) * own + share * of_others);
}

/* How functions vary from run to run: chi-squared of a table of both. */
struct dispersion {
	double sum, freedom; /* the sum is in ticks of the new side's metric */
};

/* Adds a side.  How long runs are is not counted: it says nothing about samples. */
static void
add_dispersion(const struct compare_values *values, struct dispersion *dispersion)
{
	double all = 0, functions = 0, runs = 0;

	for (uint32_t run = 0; run < values->run_count; run++) {
		all += values->totals[run];
		runs += values->totals[run] > 0;
	}
	for (uint32_t i = 0; i < values->report->functions->count; i++) {
		double sum = 0;

		for (uint32_t run = 0; values->is_in[i] && run < values->run_count; run++)
			sum += value_in(column_of(values, run), i, COMPARE_SELF) * values->factor;
		if (!(sum > 0))
			continue;
		functions++;
		for (uint32_t run = 0; run < values->run_count; run++) {
			double value = value_in(column_of(values, run), i, COMPARE_SELF) *
			               values->factor;
			double expected = sum / all * values->totals[run];

			if (expected > 0)
				dispersion->sum += (value - expected) * (value - expected) /
				                   expected;
		}
	}
	if (functions > 1 && runs > 1)
		dispersion->freedom += (functions - 1) * (runs - 1);
}

/* Whether samples have weights that the format does not say. */
static bool
hides_weights(const struct compare_values *values)
{
	double sum = 0;

	/* Runs without samples have no squares in any case. */
	for (uint32_t i = 0; i < values->run_count; i++)
		sum += values->squares[i];
	return !values->is_exact && isnan(sum) &&
	       gprofx_metric_at(values->report, values->metric)->kind == GPROFX_SAMPLED;
}

/* weight: in ticks of the new side's metric; less than a tick of the own one counts as that. */
static void
set_weight(struct compare_values *values, double weight)
{
	weight /= values->factor;
	values->weight = weight > 1 ? weight : 1;
	for (uint32_t i = 0; i < values->run_count; i++)
		add_up(values, i);
	values->per_unit = per_unit(values);
}

void
compare_values_weigh(struct compare_values *base, struct compare_values *new_side)
{
	struct compare_values *const sides[] = {base, new_side};
	bool hides[] = {hides_weights(base), hides_weights(new_side)}, is_repeated = false;
	struct dispersion dispersion = {0};

	for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
		if (hides[i] && sides[i]->run_count > 1) {
			add_dispersion(sides[i], &dispersion);
			is_repeated = true;
		}
	for (size_t i = 0; i < sizeof sides / sizeof sides[0] && is_repeated; i++)
		if (hides[i])
			set_weight(sides[i], dispersion.freedom > 0
			                             ? dispersion.sum / dispersion.freedom
			                             : 0);
}

struct compare_value
compare_value_of(const struct compare_values *values, uint32_t function, enum compare_what what,
                 double factor)
{
	double runs[ENGINE_RUNS_AT_MOST], squares[ENGINE_RUNS_AT_MOST], own_squares = 0;
	uint32_t count = values->run_count;
	struct compare_value result;

	for (uint32_t i = 0; i < count; i++) {
		double scale = values->scale[i], value = 0, square = 0;

		if (function != UINT32_MAX) {
			const struct gprofx_column *column = column_of(values, i);

			value = value_in(column, function, what) * values->factor;
			square = square_in(values, column, function, what) * values->factor *
			         values->factor;
		}
		own_squares += square * scale * scale;
		if (values->is_share)
			square = square_of_share(values, i, value, square);
		runs[i] = value * scale;
		squares[i] = square * scale * scale;
	}
	result = compare_mean(runs, squares, count, values->per_unit);
	if (values->is_share) {
		result.whole = values->totals[0] * values->scale[0];
		result.squares = own_squares / count / count;
	}
	return factor == 1 ? result : compare_scaled(result, factor);
}

struct compare_value
compare_value_of_none(const struct compare_values *values)
{
	if (values->is_share)
		return compare_value_of(values, UINT32_MAX, COMPARE_SELF, 1);
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
