/* SPDX-License-Identifier: Apache-2.0 */
/* Real numbers for formats that programs read: the digits that stand for this value alone. */
#ifndef PLUGINS_SHARED_EXPORT_REALS_H
#define PLUGINS_SHARED_EXPORT_REALS_H

#include <stddef.h>

enum {
	EXPORT_LEAST_DIGITS = 15,
	EXPORT_MOST_DIGITS = 17,
	EXPORT_REAL_BYTES = 32 /* more than any result of export_real() */
};

/* How many significant digits it takes so that the value, and no other, is read back: 15 to 17. */
int export_real_digits(double value);

/*
 * The bytes of "%.*g" for a finite value and 1 to 17 digits, with a point whatever the locale.
 * Returns their number.
 */
size_t export_real(char to[EXPORT_REAL_BYTES], double value, int digits);

/* The same with as many digits as it takes. */
size_t export_shortest(char to[EXPORT_REAL_BYTES], double value);

#endif
