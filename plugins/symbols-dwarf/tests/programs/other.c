/* SPDX-License-Identifier: Apache-2.0 */
/* The first function of the file comes from another file. */
static int state;
#include "inner/parts.h"

int
other(int number)
{
	state += number;
	return part(state) + from_header(number);
}

static __attribute__((used)) int
kept(int number)
{
	return number;
}
