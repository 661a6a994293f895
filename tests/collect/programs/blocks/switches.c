/* SPDX-License-Identifier: Apache-2.0 */
/* Switches: few cases, many, falling through, and none that fits. */
#include <stdio.h>

static int
few(int number)
{
	switch (number % 4) {
	case 0:
		number++;
		break;
	case 1:
		number--;
		/* fall through */
	case 2:
		number += 2;
	}
	return number;
}

static const char *
many(int number)
{
	switch (number) {
	case 0:
		return "none";
	case 1:
		return "one";
	case 2:
		return "two";
	case 3:
		return "three";
	case 4:
	case 5:
	case 6:
		return "some";
	case 7:
		return "seven";
	case 8:
		return "eight";
	default:
		return "many";
	}
}

static int
sparse(int number)
{
	switch (number) {
	case 1:
		return 5;
	case 1000:
		return 6;
	case 100000:
		return 7;
	default:
		return 8;
	}
}

int
main(void)
{
	int sum = 0;

	for (int i = 0; i < 50; i++)
		sum += few(i) + many(i % 12)[0] + sparse(i * 20);
	printf("%d\n", sum);
	return 0;
}
