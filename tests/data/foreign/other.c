/* SPDX-License-Identifier: Apache-2.0 */
/* The second file of the profiled program; its leaf() is another one. */
#include "program.h"

NOT_INLINE static void
leaf(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink += i * i;
}

void
other_work(unsigned turns)
{
	leaf(turns);
	leaf(turns / 2);
}

/* Never called. */
void
idle(void)
{
	leaf(1);
}
