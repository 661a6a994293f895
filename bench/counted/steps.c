/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What bench.py --collect measures of basic blocks: loops with short blocks, which cost the most to
 * count.
 *
 *     steps COUNT   sorts COUNT numbers, and follows as many to their end
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1000000 };

static unsigned numbers[MOST];

static unsigned
length_of(unsigned long number)
{
	unsigned steps = 0;

	while (number != 1) {
		if (number % 2 == 0)
			number /= 2;
		else
			number = 3 * number + 1;
		steps++;
	}
	return steps;
}

static void
sort(unsigned count)
{
	for (unsigned gap = count / 2; gap > 0; gap /= 2)
		for (unsigned i = gap; i < count; i++) {
			unsigned number = numbers[i], at = i;

			for (; at >= gap && numbers[at - gap] > number; at -= gap)
				numbers[at] = numbers[at - gap];
			numbers[at] = number;
		}
}

int
main(int argc, char **argv)
{
	unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;

	if (count > MOST)
		count = MOST;
	for (unsigned i = 0; i < count; i++)
		numbers[i] = length_of(i + 1) * 2654435761u ^ i * 40503u;
	sort(count);
	printf("%u\n", numbers[count / 2]);
	return 0;
}
