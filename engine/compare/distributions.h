/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tails and quantiles of distributions.  All are exact far out, where tests of many rows look; of
 * what is not a probability or a number the result is NaN.
 */
#ifndef ENGINE_COMPARE_DISTRIBUTIONS_H
#define ENGINE_COMPARE_DISTRIBUTIONS_H

/* The standard normal distribution: P(Z > z), and z with P(Z <= z) = p. */
double compare_normal_tail(double z);
double compare_normal_quantile(double p);

/* That of Student, freedom > 0: P(T > t), and t with P(T <= t) = p. */
double compare_student_tail(double t, double freedom);
double compare_student_quantile(double p, double freedom);

/*
 * The binomial one: the probability of "hits" or more in hits + misses trials that each hit with
 * this chance, 0 < chance < 1; hits >= 0, misses > -1.  Numbers of trials need not be whole:
 * samples of unequal weights are as good as fewer of equal ones.  rest: 1 - chance, which says more
 * where that is almost 1.
 */
double compare_binomial_tail(double hits, double misses, double chance, double rest);

#endif
