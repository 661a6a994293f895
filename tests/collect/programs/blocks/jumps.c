/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps: forward, backward, out of loops, and to computed places. */
#include <stdio.h>

static int
search(const int *items, int count, int wanted)
{
	int i = 0;

again:
	if (i == count)
		goto missing;
	if (items[i] == wanted)
		goto found;
	i++;
	goto again;
found:
	return i;
missing:
	return -1;
}

static int
run(const char *code)
{
	static void *const labels[] = {&&stop, &&up, &&down};
	int value = 0;

	goto *labels[*code++ - '0'];
up:
	value += 2;
	goto *labels[*code++ - '0']; /* counts: gcc 8: one jump for all */
down:
	value--;
	goto *labels[*code++ - '0'];
stop:
	return value; /* counts: clang 8: the same */
}

static int
leave(int rows)
{
	int count = 0;

	for (int i = 0; i < rows; i++) {
		for (int k = 0; k < rows; k++) {
			count++;
			if (count > 50)
				goto out;
		}
	}
out: /* counts: clang 10 */
	return count;
}

int
main(void)
{
	static const int items[] = {4, 8, 15, 16, 23, 42};
	int sum = run("1121220") + run("0");

	for (int i = 0; i < 45; i++)
		sum += search(items, 6, i);
	for (int i = 0; i < 10; i++)
		sum += leave(i);
	printf("%d\n", sum);
	return 0;
}
