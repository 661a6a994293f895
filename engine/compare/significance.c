/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/significance.h"

#include <math.h>
#include <stdlib.h>

#include "compare/distributions.h"

/* In how many of 100 comparisons a difference is to be found that is planned for. */
static const double power = 0.95;

/* With as many samples on both sides the binomial distribution cannot be distinguished from it. */
static const double enough_for_normal = 1e6;

/* Part of a value that rounding can change: the last digits of some sums and products. */
static const double rounding = 1e-14;

struct compare_value
compare_mean(const double *values, const double *squares, uint32_t count, double per_unit)
{
	struct compare_value result = {.freedom = INFINITY, .per_unit = per_unit / count};
	double sum = 0, sum_of_squares = 0, spread = 0, sampling;

	for (uint32_t i = 0; i < count; i++) {
		sum += values[i];
		sum_of_squares += squares[i];
	}
	result.mean = sum / count;
	sampling = sum_of_squares / count / count;
	result.variance = result.sampling = sampling;
	if (count < 2)
		return result;
	for (uint32_t i = 0; i < count; i++)
		spread += (values[i] - result.mean) * (values[i] - result.mean);
	spread /= (double)(count - 1) * count;
	result.variance = isnan(sampling) || spread > sampling ? spread : sampling;
	result.freedom = count - 1;
	return result;
}

struct compare_value
compare_scaled(struct compare_value value, double factor)
{
	value.mean *= factor;
	value.variance *= factor * factor;
	value.sampling *= factor * factor;
	value.per_unit *= factor;
	value.whole *= factor;
	value.squares *= factor * factor;
	return value;
}

static bool
is_repeated(const struct compare_value *value)
{
	return isfinite(value->freedom);
}

/* What runs vary beyond what sampling explains, as a variance of the mean. */
static double
excess(const struct compare_value *value)
{
	return isnan(value->sampling) ? value->variance : value->variance - value->sampling;
}

/* A single run varies as those of the other side do, of which there is one more than freedom. */
static void
borrow_excess(struct compare_value *single, const struct compare_value *repeated)
{
	single->variance += excess(repeated) * (repeated->freedom + 1);
}

/* Of the sum of two variances (Welch 1947, Satterthwaite 1946). */
static double
freedom_of(const struct compare_value *base, const struct compare_value *new)
{
	double sum = base->variance + new->variance;
	double base_part = base->variance / sum, new_part = new->variance / sum;

	if (!(sum > 0))
		return INFINITY;
	return 1 / (base_part * base_part / base->freedom + new_part * new_part / new->freedom);
}

/* What a sample of a side counts: on average of all of them, else of those of the value. */
static double
unit_of(const struct compare_value *value)
{
	if (value->per_unit > 0)
		return value->per_unit;
	return value->mean > 0 && value->sampling > 0 ? value->sampling / value->mean : (double)NAN;
}

/* Values as numbers of samples, which are not whole if samples have different weights. */
struct samples {
	double base, new;
	double base_chance, new_chance; /* that a sample is on a side, if values are equal */
	double unit; /* what a sample that is on the other side changes the difference by */
};

/* Returns whether they are known. */
static bool
count_samples(struct samples *samples, const struct compare_value *base,
              const struct compare_value *new)
{
	double base_unit = unit_of(base), new_unit = unit_of(new), heavier;

	if (isnan(base_unit))
		base_unit = new_unit;
	if (isnan(new_unit))
		new_unit = base_unit;
	/* How much heavier the samples of the two values are than those of all. */
	heavier = (base->sampling / base_unit + new->sampling / new_unit) /
	          (base->mean + new->mean);
	samples->base = base->mean / base_unit / heavier;
	samples->new = new->mean / new_unit / heavier;
	samples->base_chance = new_unit / (base_unit + new_unit);
	samples->new_chance = base_unit / (base_unit + new_unit);
	samples->unit = heavier * (base_unit + new_unit);
	return heavier > 0 && samples->base >= 0 && samples->new >= 0 && isfinite(samples->base) &&
	       isfinite(samples->new) && samples->base_chance > 0 && samples->new_chance > 0;
}

/*
 * Whether a sample is on one side or the other is then decided as by a coin.  Of the outcome that
 * was found a half counts (Lancaster 1961), because all of it makes false alarms of few samples
 * rarer than the level says.
 */
static double
half_tail(double hits, double misses, double chance, double rest)
{
	double more = misses > 0 ? compare_binomial_tail(hits + 1, misses - 1, chance, rest) : 0;

	return (compare_binomial_tail(hits, misses, chance, rest) + more) / 2;
}
/*
 * A share as a value with samples of its own.  is_rest: all but the share, which differs by as much
 * the other way round, and has fewer samples.
 */
static struct compare_value
in_samples(const struct compare_value *value, bool is_rest)
{
	struct compare_value samples = *value;

	if (!(value->whole > 0))
		return samples;
	samples.sampling = value->squares;
	if (is_rest) {
		samples.mean = value->whole - value->mean;
		samples.sampling = value->per_unit * samples.mean;
	}
	return samples;
}

/*
 * The two-sided p of a difference if runs do not vary beyond sampling; NaN: that is not known.
 * variance: what the difference has if values are equal, for then both sides say how many samples
 * to expect, even on one that has none.
 */
static double
chance_of_samples(const struct compare_value *base_value, const struct compare_value *new_value,
                  double *variance)
{
	bool is_most = base_value->mean + new_value->mean >
	               (base_value->whole + new_value->whole) / 2;
	const struct compare_value of_base = in_samples(base_value, is_most);
	const struct compare_value of_new = in_samples(new_value, is_most);
	const struct compare_value *base = &of_base, *new = &of_new;
	struct samples samples;
	double all, fewer, difference = fabs(new->mean - base->mean);

	*variance = base->sampling + new->sampling;
	if (!(*variance > 0))
		return *variance == 0 ? 0 : (double)NAN;
	if (!count_samples(&samples, base, new))
		return 2 * compare_normal_tail(difference / sqrt(*variance));
	all = samples.base + samples.new;
	fewer = all * fmin(samples.base_chance, samples.new_chance);
	*variance = samples.unit * samples.unit * all * samples.base_chance * samples.new_chance;
	if (fewer > enough_for_normal)
		return 2 * compare_normal_tail(difference / sqrt(*variance));
	if (new->mean < base->mean)
		return 2 * half_tail(samples.base, samples.new, samples.base_chance,
		                     samples.new_chance);
	return 2 * half_tail(samples.new, samples.base, samples.new_chance, samples.base_chance);
}

static double
p_of(const struct compare_value *base, const struct compare_value *new, double freedom)
{
	double variance, chance = chance_of_samples(base, new, &variance), t;

	if (isinf(freedom) && !isnan(chance))
		return chance;
	variance = isnan(variance) ? base->variance + new->variance
	                           : variance + excess(base) + excess(new);
	t = fabs(new->mean - base->mean) / sqrt(variance);
	/* fmax() ignores what is not known. */
	return fmax(2 * compare_student_tail(t, freedom), chance);
}

/*
 * Only the spread of runs says their error, and there is none: chance makes a few runs equal.
 * larger: of the values, whose rounding is no spread.
 */
static bool
agree_by_chance(const struct compare_value *base, const struct compare_value *new, double larger)
{
	return sqrt(base->variance + new->variance) <= rounding * larger &&
	       (isnan(base->sampling) || isnan(new->sampling));
}

struct compare_difference
compare_test(struct compare_value base, struct compare_value new)
{
	struct compare_difference result = {.difference = new.mean - base.mean, .p = NAN};
	double larger = fmax(fabs(base.mean), fabs(new.mean));

	if (!is_repeated(&base))
		base.sampling = base.variance;
	if (!is_repeated(&new))
		new.sampling = new.variance;
	if (is_repeated(&base) == is_repeated(&new)) {
		result.freedom = freedom_of(&base, &new);
	} else if (is_repeated(&base)) {
		borrow_excess(&new, &base);
		result.freedom = base.freedom;
	} else {
		borrow_excess(&base, &new);
		result.freedom = new.freedom;
	}
	result.error = sqrt(base.variance + new.variance);
	if (!isfinite(result.difference) || !isfinite(result.error) ||
	    agree_by_chance(&base, &new, larger))
		result.error = NAN;
	else if (fabs(result.difference) <= rounding * larger)
		result.p = 1;
	else
		result.p = fmin(p_of(&base, &new, result.freedom), 1);
	return result;
}

static int
compare_p(const void *left, const void *right, void *context)
{
	const double *p = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (p[a] != p[b])
		return p[a] < p[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

uint32_t
compare_discover(const double *p, uint32_t count, double rate, uint32_t *scratch, bool *is_found)
{
	uint32_t tests = 0, small = 0, found = 0;

	for (uint32_t i = 0; i < count; i++) {
		is_found[i] = false;
		tests += isnan(p[i]) ? 0 : 1;
		/* Larger ones are behind these and never found; the 2 allows for rounding. */
		if (p[i] <= 2 * rate)
			scratch[small++] = i;
	}
	qsort_r(scratch, small, sizeof *scratch, compare_p, (void *)(uintptr_t)p);
	for (uint32_t i = 0; i < small; i++)
		if (p[scratch[i]] <= rate * (i + 1) / tests)
			found = i + 1;
	for (uint32_t i = 0; i < found; i++)
		is_found[scratch[i]] = true;
	return found;
}

double
compare_half_width(const struct compare_difference *difference, double coverage)
{
	if (isnan(difference->error) || difference->error == 0)
		return difference->error;
	return difference->error *
	       compare_student_quantile((1 + coverage) / 2, difference->freedom);
}

double
compare_needed(const struct compare_difference *difference, double wanted, double level)
{
	double quantiles = compare_normal_quantile(power) -
	                   compare_student_quantile(level / 2, difference->freedom);
	double ratio = quantiles * difference->error / wanted;

	if (isnan(difference->error) || wanted <= 0)
		return NAN;
	return ratio <= 1 ? 0 : ratio * ratio;
}
