/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as printf writes them, without its cost. */
#ifndef ENGINE_EMIT_NUMBER_H
#define ENGINE_EMIT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Room that any result of these functions fits in, padding apart. */
enum { NUMBER_ROOM = 32, NUMBER_MOST_PRECISION = 3 };

/* The decimal digits of a value; returns their number. */
size_t number_digits(char *to, uint64_t value);

/*
 * The bytes of "%.*f" for a precision of 0 to 3.  Returns their number, or 0 for values outside the
 * exact range of this method (infinite, not a number, 2^53 or larger in the last place printed).
 */
size_t number_fixed(char *to, double value, int precision);

#endif
