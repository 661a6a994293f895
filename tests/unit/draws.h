/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers for unit tests, the same on every machine. */
#ifndef TESTS_UNIT_DRAWS_H
#define TESTS_UNIT_DRAWS_H

#include <math.h>
#include <stdint.h>

/* splitmix64 by Vigna (public domain). */
static inline uint64_t
draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline double
draw_part(uint64_t *state)
{
	return ((double)(draw(state) >> 11) + 0.5) / 9007199254740992.0;
}

/* A Poisson number: products of uniform numbers (Knuth), in pieces that do not underflow. */
static inline uint32_t
draw_poisson(uint64_t *state, double mean)
{
	const double piece = 30;
	uint32_t count = 0;

	while (mean > 0) {
		double least = exp(-(mean < piece ? mean : piece)), product = draw_part(state);

		while (product > least) {
			product *= draw_part(state);
			count++;
		}
		mean -= piece;
	}
	return count;
}

#endif
