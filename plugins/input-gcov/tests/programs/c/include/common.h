/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMON_H
#define COMMON_H

static inline int
clamp(int value, int low, int high)
{
	if (value < low)
		return low;
	return value > high ? high : value;
}

#endif
