/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that are decided early, and lines with several branches. */
#include <stdio.h>

static int calls;

static int
ask(int number, int by)
{
	calls++;
	return number % by == 0;
}

static int
decide(int number)
{
	int found = 0;

	if (ask(number, 2) && ask(number, 3) && ask(number, 5))
		found = 30;
	if (ask(number, 7) || ask(number, 11) || number > 90)
		found++;
	/* clang-format off */
	if (number > 50) found += 2; else if (number > 20) found += 3; else found--;
	/* clang-format on */
	found = number < 10 ? number < 5 ? 1 : 2 : found;
	found += (number & 1) && (number & 2);
	return found ? found : !number;
}

int
main(void)
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += decide(i);
	printf("%d %d\n", sum, calls);
	return 0;
}
