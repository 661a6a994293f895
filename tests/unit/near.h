/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that are equal but for the last digits. */
#ifndef TESTS_UNIT_NEAR_H
#define TESTS_UNIT_NEAR_H

#include "testrun.h"

#include <math.h>

/* precision: a part of what is expected. */
static inline void
assert_near(double value, double expected, double precision)
{
	if (!(fabs(value - expected) <= precision * fabs(expected)))
		fail_msg("expected %.17g, found %.17g", expected, value);
}

#endif
