/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Differences of sampled values, and whether chance explains them.
 */
#ifndef ENGINE_COMPARE_SIGNIFICANCE_H
#define ENGINE_COMPARE_SIGNIFICANCE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A sampled value of one side: the mean of its runs.  The variance is that of the mean.  freedom:
 * the degrees of freedom that the variance was estimated with; INFINITY: it is that of sampling.
 * variance is NaN: not known.
 */
struct compare_value {
	double mean, variance, freedom;
	/*
	 * What a sample of the side counts on average, in the same unit: the variance of all its
	 * values, divided by them.  NaN: not known.
	 */
	double per_unit;
};

/* What a difference of two values is worth. */
struct compare_difference {
	double difference; /* new less base */
	double error;      /* standard error of it; NaN: not known */
	double freedom;    /* of the error, by Welch and Satterthwaite; INFINITY: a normal one */
	double p;          /* two-sided; NaN: not tested */
};

/*
 * The mean of "count" runs, count > 0.  squares: per run the sum of the squared weights of its
 * samples, the variance that sampling alone gives it; NaN: not known.  With two runs and more the
 * variance is that of their spread, but never less than that of sampling, with count - 1 degrees of
 * freedom in both cases: fewer false alarms, but differences have to be larger to be found than if
 * it were known that runs do not differ.  With one run and no squares it is not known.  per_unit:
 * as in the result, but of one run.
 */
struct compare_value
compare_mean(const double *values, const double *squares, uint32_t count, double per_unit);

/* The value multiplied by a constant. */
struct compare_value compare_scaled(struct compare_value value, double factor);

/*
 * Tests whether two values differ.  Where both variances are those of sampling, by a score test:
 * the variance is the one that equal values would have, because a side without samples would
 * otherwise have none.  Else by Welch's test, whose degrees of freedom are those of Satterthwaite.
 */
struct compare_difference compare_test(struct compare_value base, struct compare_value new);

/*
 * Marks the tests that are significant at a false discovery rate by the procedure of Benjamini and
 * Hochberg (1995).  p: "count" of them; those that are NaN do not count.  scratch: room for as many
 * numbers.  Returns how many are.
 */
uint32_t
compare_discover(const double *p, uint32_t count, double rate, uint32_t *scratch, bool *is_found);

/* Half the width of an interval around a difference that covers the truth with this probability. */
double compare_half_width(const struct compare_difference *difference, double coverage);

/*
 * How many times as much must be measured on both sides so that a difference of "wanted" is found
 * at this two-sided level in 95 of 100 comparisons, if errors fall with the root of what is
 * measured.  NaN: the error is not known; 0: without more.
 */
double compare_needed(const struct compare_difference *difference, double wanted, double level);

/* Tails and quantiles of the standard normal distribution and that of Student. */
double compare_normal_quantile(double p);
double compare_student_tail(double t, double freedom);     /* P(T > t) */
double compare_student_quantile(double p, double freedom); /* t with P(T <= t) = p */

#endif
