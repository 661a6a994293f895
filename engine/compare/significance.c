/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tails are computed from those of the normal distribution and of the incomplete beta function, so
 * that they are exact far out, where tests of many rows look.
 */
#include "compare/significance.h"

#include <math.h>
#include <stdlib.h>

/* In how many of 100 comparisons a difference is to be found that is planned for. */
static const double power = 0.95;

/* More degrees of freedom cannot be distinguished from a normal distribution. */
static const double most_freedom = 1e7;

static double
normal_tail(double z)
{
	return erfc(z / sqrt(2)) / 2;
}

static double
normal_density(double z)
{
	static const double root_of_two_pi = 2.5066282746310002;

	return exp(-z * z / 2) / root_of_two_pi;
}

/*
 * A first value by Abramowitz and Stegun, 26.2.23, which is off by less than 5e-4, then Halley's
 * steps, each of which triples the number of digits.
 */
double
compare_normal_quantile(double p)
{
	enum { STEPS = 4 };

	double tail = p < 0.5 ? p : 1 - p, t, z;

	if (isnan(p) || p < 0 || p > 1)
		return NAN;
	if (tail == 0)
		return p < 0.5 ? -INFINITY : INFINITY;
	t = sqrt(-2 * log(tail));
	z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
	                (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
	for (int i = 0; i < STEPS; i++) {
		double step = (normal_tail(z) - tail) / normal_density(z);

		z += step / (1 - z * step / 2);
	}
	return p < 0.5 ? -z : z;
}

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
static double
beta_fraction(double a, double b, double x)
{
	enum { MOST_STEPS = 100000 };
	const double least = 1e-300, precision = 1e-15;
	double c = 1, d = 1 - (a + b) * x / (a + 1), fraction;

	d = 1 / (fabs(d) < least ? least : d);
	fraction = d;
	for (int m = 1; m <= MOST_STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double before = fraction;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < least ? least : d);
		c = fabs(c) < least ? least : c;
		fraction *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < least ? least : d);
		c = fabs(c) < least ? least : c;
		fraction *= d * c;
		if (fabs(fraction - before) <= precision * fabs(fraction))
			break;
	}
	return fraction;
}

static double
log_gamma(double x)
{
	int sign;

	/* lgamma() has a global variable. */
	return lgamma_r(x, &sign);
}

/* The regularized incomplete beta function; rest: 1 - x, which is exact where x is almost 1. */
static double
incomplete_beta(double a, double b, double x, double rest)
{
	double scale;

	if (x <= 0)
		return 0;
	if (rest <= 0)
		return 1;
	scale = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log(rest));
	if (x < (a + 1) / (a + b + 2))
		return scale * beta_fraction(a, b, x) / a;
	return 1 - scale * beta_fraction(b, a, rest) / b;
}

double
compare_student_tail(double t, double freedom)
{
	double square = t * t, tail;

	if (isnan(t) || isnan(freedom) || freedom <= 0)
		return NAN;
	if (freedom > most_freedom)
		return normal_tail(t);
	tail = isinf(square) ? 0
	                     : incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square),
	                                       square / (freedom + square)) /
	                               2;
	return t < 0 ? 1 - tail : tail;
}

static double
student_density(double t, double freedom)
{
	return exp(log_gamma((freedom + 1) / 2) - log_gamma(freedom / 2) - log(freedom * M_PI) / 2 -
	           (freedom + 1) / 2 * log1p(t * t / freedom));
}

/* Between two bounds, by Newton's steps where they stay there, else by halves. */
double
compare_student_quantile(double p, double freedom)
{
	enum { MOST_STEPS = 200 };
	const double precision = 1e-14;
	double tail = p < 0.5 ? p : 1 - p, low = 0, high = 1, t;

	if (isnan(p) || p < 0 || p > 1 || isnan(freedom) || freedom <= 0)
		return NAN;
	if (freedom > most_freedom)
		return compare_normal_quantile(p);
	if (tail == 0)
		return p < 0.5 ? -INFINITY : INFINITY;
	while (compare_student_tail(high, freedom) > tail && high < 1e300) {
		low = high;
		high *= 2;
	}
	t = (low + high) / 2;
	for (int i = 0; i < MOST_STEPS && high - low > precision * high; i++) {
		double off = compare_student_tail(t, freedom) - tail, next;

		if (off > 0)
			low = t;
		else
			high = t;
		next = t + off / student_density(t, freedom);
		if (fabs(next - t) <= precision * t)
			break;
		t = next > low && next < high ? next : (low + high) / 2;
	}
	return p < 0.5 ? -t : t;
}

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
	result.variance = sampling;
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
	value.per_unit *= factor;
	return value;
}

/* The degrees of freedom of the sum of two variances (Welch 1947). */
static double
freedom_of(struct compare_value base, struct compare_value new)
{
	double sum = base.variance + new.variance;
	double parts = base.variance * base.variance / base.freedom +
	               new.variance *new.variance / new.freedom;

	return parts > 0 ? sum * sum / parts : INFINITY;
}

/*
 * The variance that the difference has if both values are equal.  Then each sample, of all on both
 * sides, could as well be on the other one, with the odds of the sides: one that counts more has
 * fewer of them.
 */
static double
common_variance(struct compare_value base, struct compare_value new)
{
	double odds = new.per_unit / base.per_unit;

	if (!(odds > 0) || isinf(odds))
		odds = 1;
	return odds * base.variance + new.variance / odds;
}

struct compare_difference
compare_test(struct compare_value base, struct compare_value new)
{
	struct compare_difference result = {
		.difference = new.mean - base.mean,
		.error = sqrt(base.variance + new.variance),
		.freedom = freedom_of(base, new),
	};
	double error = result.error;

	if (isinf(base.freedom) && isinf(new.freedom))
		error = sqrt(common_variance(base, new));
	if (isnan(error))
		result.p = NAN;
	else if (result.difference == 0)
		result.p = 1;
	else
		result.p = 2 *
		           compare_student_tail(fabs(result.difference) / error, result.freedom);
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
	uint32_t tests = 0, found = 0;

	for (uint32_t i = 0; i < count; i++) {
		is_found[i] = false;
		if (!isnan(p[i]))
			scratch[tests++] = i;
	}
	qsort_r(scratch, tests, sizeof *scratch, compare_p, (void *)(uintptr_t)p);
	for (uint32_t i = 0; i < tests; i++)
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
	double quantiles = compare_normal_quantile(1 - level / 2) + compare_normal_quantile(power);
	double ratio = quantiles * difference->error / wanted;

	if (isnan(difference->error) || wanted <= 0)
		return NAN;
	return ratio <= 1 ? 0 : ratio * ratio;
}
