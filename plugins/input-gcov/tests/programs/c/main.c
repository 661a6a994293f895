/* SPDX-License-Identifier: Apache-2.0 */
/* Loops, branches, recursion, lines that never run, callbacks, several statements on a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/common.h"
#include "lib/list.h"

static int depth_reached;

static int
descend(int depth)
{
	if (depth > depth_reached)
		depth_reached = depth;
	return depth == 0 ? 0 : 1 + descend(depth - 1);
}

static int is_even(int n);

static int
is_odd(int n)
{
	return n == 0 ? 0 : is_even(n - 1);
}

static int
is_even(int n)
{
	return n == 0 ? 1 : is_odd(n - 1);
}

static int
compare(const void *left, const void *right)
{
	const int *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static int
classify(int n)
{
	switch (n % 5) {
	case 0:
		return 'a';
	/* clang-format off */
	case 1: case 2: return 'b';
	/* clang-format on */
	case 3:
		if (n > 1000)
			return 'x'; /* never */
				    /* fall through */
	default:
		return 'c';
	}
}

void
unused(void)
{
	puts("never");
}

/* clang-format off */
static int one(void) { return 1; } static int two(void) { return one() + one(); }
/* clang-format on */

#define TWICE(x)   \
	do {       \
		x; \
		x; \
	} while (0)

int
main(void)
{
	int numbers[200], sum = 0, i = 0;
	struct list list = {0};

	for (i = 0; i < 200; i++) {
		numbers[i] = (i * 7919) % 211;
		/* clang-format off */
		if (numbers[i] % 3 == 0) continue;
		/* clang-format on */
		list_add(&list, numbers[i]);
	}
	qsort(numbers, 200, sizeof numbers[0], compare);
	/* clang-format off */
	for (i = 0; i < 60; i++) sum += classify(i) + clamp(i, 10, 20);
	/* clang-format on */
	TWICE(sum += two());
	sum += descend(40) + is_even(17);
	while (i-- > 0 && sum > 0)
		sum += list_sum(&list) % 3;
	goto done;
	sum = 0;
done:
	list_free(&list);
	if (sum == 0)
		exit(3);
	printf("%d\n", sum > 0);
	return 0;
}
