/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tails are computed from those of the normal distribution and of the incomplete beta function,
 * never as 1 less something, unless they are more than a half.
 */
#include "compare/distributions.h"

#include <math.h>

/* More degrees of freedom cannot be distinguished from a normal distribution. */
static const double most_freedom = 1e7;

double
compare_normal_tail(double z)
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
		double step = (compare_normal_tail(z) - tail) / normal_density(z);

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

/* What Stirling's formula for log gamma leaves out (DLMF 5.11.1), for x of 100 and more. */
static double
after_stirling(double x)
{
	double square = x * x;

	return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / x;
}

/* For a large number logarithms of gamma, which have no digits left, are not subtracted. */
static double
log_beta(double a, double b)
{
	const double large = 100;
	double most = fmax(a, b), least = fmin(a, b), sum = a + b;

	if (most < large)
		return log_gamma(a) + log_gamma(b) - log_gamma(sum);
	return log_gamma(least) - (most - 0.5) * log1p(least / most) - least * log(sum) + least -
	       after_stirling(sum) + after_stirling(most);
}

/* The logarithm of x; rest: 1 - x. */
static double
log_part(double x, double rest)
{
	return x < 0.5 ? log(x) : log1p(-rest);
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
	scale = exp(a * log_part(x, rest) + b * log_part(rest, x) - log_beta(a, b));
	if (x < (a + 1) / (a + b + 2))
		return scale * beta_fraction(a, b, x) / a;
	return 1 - scale * beta_fraction(b, a, rest) / b;
}

/* t > 0, so large that the beta function's series has one term, and that squares overflow. */
static double
student_far_tail(double t, double freedom)
{
	return exp(freedom * (log(freedom) / 2 - log(t)) - log_beta(freedom / 2, 0.5)) / freedom;
}

double
compare_student_tail(double t, double freedom)
{
	const double far = 1e100;
	double square = t * t, tail;

	if (isnan(t) || isnan(freedom) || freedom <= 0)
		return NAN;
	if (freedom > most_freedom)
		return compare_normal_tail(t);
	if (fabs(t) > far)
		tail = student_far_tail(fabs(t), freedom);
	else
		tail = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square),
		                       square / (freedom + square)) /
		       2;
	return t < 0 ? 1 - tail : tail;
}

static double
student_density(double t, double freedom)
{
	return exp(-log_beta(freedom / 2, 0.5) - log(freedom) / 2 -
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
	while (compare_student_tail(high, freedom) > tail && !isinf(high)) {
		low = high;
		high *= 2;
	}
	if (isinf(high))
		return p < 0.5 ? -high : high;
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

double
compare_binomial_tail(double hits, double misses, double chance, double rest)
{
	if (!(hits >= 0) || !(misses > -1) || !(chance > 0) || !(rest > 0))
		return NAN;
	return hits > 0 ? incomplete_beta(hits, misses + 1, chance, rest) : 1;
}
