/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of all kinds, with and without a way out. */
#include <stdio.h>

static int
count(int most)
{
	int sum = 0;

	for (int i = 0; i < most; i++) {
		if (i == 7)
			continue;
		if (i > 20 && most > 25)
			break; /* counts: gcc - */
		sum += i % 3 ? i : -i;
		while (sum > 100)
			sum -= 10;
	}
	do {
		sum++;
	} while (sum % 5 != 0);
	return sum;
}

static int
nested(int rows, int columns)
{
	int sum = 0;

	for (int i = 0; i < rows; i++)
		for (int k = i; k < columns; k++)
			sum += i * k;
	for (;;) {
		if (sum-- < 100)
			return sum;
	}
}

static int
never(int number)
{
	for (int i = 0; i < number; i++)
		number--;
	return number;
}

int
main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 0; i < 30; i++)
		sum += count(i);
	sum += nested(20, 30);
	if (argc > 5)
		sum += never(argc);
	printf("%d %s\n", sum, argv[0] ? "ended" : "");
	return 0;
}
