/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far figures that come from samples can be trusted.
 *
 * Each sample falls on a function with the probability of the function's share, so the number of
 * samples of a function, out of a known total, has a binomial distribution.  The number is a
 * fraction where bins of the histogram cover parts of two functions.  It is taken as it is: the
 * formulas do not need whole numbers, rounding would favour one of the two, and a part of a sample
 * varies less than a whole one that is there or not, so that the error comes out too large rather
 * than too small.  Whose the samples of such a bin are is an estimate, too: the interval is from
 * where none of them are the function's to where all are.
 */
#ifndef PLUGINS_SHARED_ESTIMATE_H
#define PLUGINS_SHARED_ESTIMATE_H

#include <gprofx/emitter.h>

/* A share, from 0 to 1. */
struct share_interval {
	double low, high;
};

/* The standard error of a number of samples out of a total, in samples; 0 without samples. */
double estimate_error(double samples, double total);

/* The standard error of a sum of samples, by the sum of the squares of their weights. */
double estimate_root(double squares);

/* Wilson's interval, which holds the true share in 95 of 100 profiles.  All shares, if no total. */
struct share_interval estimate_share(double samples, double total);

/* The same where bins that are shared leave open how many samples there are; or NULL: they do not.
 */
struct share_interval
estimate_open_share(double samples, const struct gprofx_doubt *doubt, double total);

#endif
