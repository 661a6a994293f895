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
	/*
	 * The part of the variance that sampling alone explains; NaN: not known.  If freedom is
	 * INFINITY, it is all of it, and this is not read.
	 */
	double sampling;
	/*
	 * Of a share: what it is a share of, in the same unit, and the sum of squared weights,
	 * which would be "sampling" if it were none.  whole is 0 otherwise.
	 */
	double whole, squares;
};

/* What a difference of two values is worth. */
struct compare_difference {
	double difference; /* new less base */
	double error;      /* standard error of it; NaN: not known */
	double freedom;    /* degrees of freedom of the error; INFINITY: a normal one */
	double p;          /* two-sided; NaN: not tested */
};

/*
 * The mean of "count" runs, count > 0.  squares: per run the sum of the squared weights of its
 * samples, the variance that sampling alone gives it; NaN: not known.  With two runs and more the
 * variance is that of their spread, but never less than that of sampling, with count - 1 degrees of
 * freedom in both cases.  With one run and no squares it is not known.  per_unit: as in the result,
 * but of one run.
 *
 * The degrees of freedom are those of the spread even where sampling is more, because with five
 * runs on each side whose variance is twice that of sampling, a normal test would raise 6 times the
 * false alarms of a level of 0.00004, and 1.3 times those of a level of 0.002.  The
 * cost: differences of runs that vary by nothing but sampling have to be 1.5 times as large to be
 * found in 20 rows, and twice as large in 1000, as if that were known.
 */
struct compare_value
compare_mean(const double *values, const double *squares, uint32_t count, double per_unit);

/* The value multiplied by a constant. */
struct compare_value compare_scaled(struct compare_value value, double factor);

/*
 * Tests whether two values differ.
 *
 * - One run on each side: if values are equal, each sample is on one side or the other as by the
 *   toss of a coin whose odds are those of what samples count.  p is that of the binomial
 *   distribution (Przyborowski and Wilenski 1940), where half of the outcome itself counts
 *   (Lancaster 1961).  Samples of unequal weights count as fewer equal ones that have the same
 *   variance.  False alarms are not more than the level for means of 0.5 to 1000 samples and odds
 *   of up to 10, where a normal test has up to 300 times as many of a level of 0.000001.
 *   Of shares, the samples of both sides are given; as if they were not, the same test has at most
 *   the level, and the part that is not the share is tested if it is the smaller one.
 * - Several runs on each side: Welch's test (1947), with the degrees of freedom of Satterthwaite
 *   (1946).  p is not less than that of sampling alone, as above.  With five runs on each side
 *   false alarms are at most 0.8 times the level if both sides vary alike; if runs of one side
 *   alone vary 25 times as much as sampling explains, up to 3.5 times a level of 0.00004.
 * - One run against several: it is assumed to vary as the others do, and the degrees of freedom are
 *   theirs.
 *
 * Values without variance, as of exact counts, have a p of 1 if they are equal but for rounding,
 * else 0.  A value that is not finite, or whose variance is not, is not tested; nor are values of
 * repeated runs without any spread, if what sampling explains is not known: few runs of small
 * values often agree by chance.
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
 * measured and its degrees of freedom remain.  NaN: the error is not known; 0: without more.
 */
double compare_needed(const struct compare_difference *difference, double wanted, double level);

#endif
