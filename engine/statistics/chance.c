/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each file is tested against the mean of the others, with the tests of comparisons.  The file
 * that differs most is set apart first, because it moves the mean that all others are compared
 * with.
 */
#include "statistics/chance.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compare/compare.h"
#include "compare/significance.h"

/* Tests of single values; past that, no more files are set apart. */
enum { MOST_TESTS = 1 << 20 };

/* The files that were not set apart. */
struct group {
	double least, most, total;
	uint32_t count;
	double unit; /* what a sample counts; 0: values have no error; NaN: that is not known */
};

struct judging {
	const struct chance_rows *rows;
	double level;    /* what p of a single function may be at most */
	double *nonzero; /* of the function at hand, ascending */
	uint32_t tests;
};

/* Whether a value differs from the mean of the others, which has as many of them. */
static double
p_against(double value, double others, uint32_t count, double unit)
{
	struct compare_value alone = {
		.mean = value,
		.variance = value * unit,
		.freedom = INFINITY,
		.per_unit = unit,
	};
	struct compare_value rest = alone;

	rest.mean = others;
	rest.variance = others * unit;
	return compare_test(compare_scaled(rest, 1.0 / count), alone).p;
}

/* The p of one end of the group; it could have been that of any file (Bonferroni). */
static double
p_of_end(const struct group *group, double value)
{
	double p = p_against(value, group->total - value, group->count - 1, group->unit);

	/* With two files, what tests one of them tests the other. */
	return group->count > 2 ? p * group->count : p;
}

/* The p of the end that differs more; of ends that differ alike, the one that is farther away. */
static double
p_of_group(const struct group *group, bool *is_most)
{
	double mean, most, least;

	*is_most = true;
	if (group->count < 2 || !(group->total > 0))
		return NAN;
	mean = group->total / group->count;
	most = p_of_end(group, group->most);
	least = p_of_end(group, group->least);
	*is_most = most < least || (most == least && group->most - mean >= mean - group->least);
	return *is_most ? most : least;
}

static double
unit_of(const struct chance_basis *basis, uint32_t function)
{
	const struct gprofx_column *column = basis->column;
	double self = gprofx_real(&column->self, function), squares;

	if (basis->is_exact)
		return 0;
	if (column->self_origin != GPROFX_MEASURED || !column->self_squares.first)
		return NAN;
	squares = gprofx_real(&column->self_squares, function);
	return self > 0 && squares > 0 ? squares / self : (double)NAN;
}

static struct group
group_of(const struct chance_basis *basis, const struct gprofx_function_spread *row, uint32_t files)
{
	return (struct group){row->self.least, row->self.most, row->self.total, files,
	                      unit_of(basis, row->function)};
}

/* The ends of a row with a difference: which of them differ. */
static void
set_verdicts(const struct judging *at, struct group group, struct gprofx_function_spread *row)
{
	bool is_most;
	double p;

	p_of_group(&group, &is_most);
	if (is_most)
		row->most_verdict = GPROFX_VERDICT_MORE;
	else
		row->least_verdict = GPROFX_VERDICT_LESS;
	if (group.count > 2) {
		group.total -= is_most ? group.most : group.least;
		group.count--;
		p = p_of_end(&group, is_most ? group.least : group.most);
		if (!(p <= at->level))
			return;
	}
	row->most_verdict = GPROFX_VERDICT_MORE;
	row->least_verdict = GPROFX_VERDICT_LESS;
}

static int
compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* Value i of a function in the order of their sizes; the first ones are 0. */
static double
value_at(const struct judging *at, uint32_t zeros, uint32_t i)
{
	return i < zeros ? 0 : at->nonzero[i - zeros];
}

/* Sets files apart, at most half of them, until chance explains how the others differ. */
static void
set_bounds(struct judging *at, struct group group, uint32_t number)
{
	const struct chance_rows *rows = at->rows;
	struct gprofx_function_spread *row = &rows->row[number];
	uint32_t first = 0, last = group.count - 1, nonzero = 0, zeros;
	bool is_most;

	for (uint32_t k = rows->value_first[number]; k < rows->value_first[number + 1]; k++)
		if (rows->value[k].self != 0)
			at->nonzero[nonzero++] = rows->value[k].self;
	qsort(at->nonzero, nonzero, sizeof *at->nonzero, compare_doubles);
	zeros = group.count - nonzero;
	while (2 * (uint64_t)group.count > (uint64_t)rows->files + 1 && at->tests++ < MOST_TESTS &&
	       p_of_group(&group, &is_most) <= at->level) {
		group.total -= is_most ? group.most : group.least;
		group.count--;
		if (is_most)
			group.most = value_at(at, zeros, --last);
		else
			group.least = value_at(at, zeros, ++first);
	}
	row->low = group.least;
	row->high = group.most;
}

static void
judge_row(struct judging *at, const struct chance_basis *basis, uint32_t number, double p,
          bool is_found)
{
	const struct chance_rows *rows = at->rows;
	struct gprofx_function_spread *row = &rows->row[number];
	struct group group = group_of(basis, row, rows->files);

	row->p = p;
	row->low = row->high = NAN;
	row->most_verdict = isnan(p) ? (uint32_t)GPROFX_VERDICT_UNTESTED
	                             : (uint32_t)GPROFX_VERDICT_EQUAL;
	row->least_verdict = row->most_verdict;
	if (is_found)
		set_verdicts(at, group, row);
	if (isnan(p) || !rows->value_first ||
	    rows->value_first[number] == rows->value_first[number + 1])
		return;
	row->low = row->self.least;
	row->high = row->self.most;
	if (is_found)
		set_bounds(at, group, number);
}

void
chance_judge(struct run *run, const struct chance_basis *basis, const struct chance_rows *rows)
{
	struct judging at = {.rows = rows};
	uint32_t *scratch, tests = 0, found;
	bool *is_found, is_most;
	double *p;

	memory_array(run, p, (size_t)rows->count + 1);
	memory_array(run, scratch, (size_t)rows->count + 1);
	memory_array(run, is_found, (size_t)rows->count + 1);
	memory_array(run, at.nonzero, (size_t)rows->files + 1);
	for (uint32_t i = 0; i < rows->count; i++) {
		struct group group = group_of(basis, &rows->row[i], rows->files);

		p[i] = p_of_group(&group, &is_most);
		p[i] = p[i] > 1 ? 1 : p[i];
		if (!isnan(p[i]))
			tests++;
	}
	found = compare_discover(p, rows->count, COMPARE_ROW_RATE, scratch, is_found);
	at.level = tests > 0 ? COMPARE_ROW_RATE * found / tests : 0;
	for (uint32_t i = 0; i < rows->count; i++)
		judge_row(&at, basis, i, p[i], is_found[i]);
	memory_release(run, p);
	memory_release(run, scratch);
	memory_release(run, is_found);
	memory_release(run, at.nonzero);
}
