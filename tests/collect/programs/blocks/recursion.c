/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that call themselves and each other. */
#include <stdio.h>

static int
fibonacci(int number)
{
	if (number < 2)
		return number;
	return fibonacci(number - 1) + fibonacci(number - 2);
}

static int is_odd(int number);

static int
is_even(int number)
{
	if (number == 0)
		return 1;
	return is_odd(number - 1);
}

static int
is_odd(int number)
{
	return number == 0 ? 0 : is_even(number - 1);
}

static int
ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

int
main(void)
{
	int sum = fibonacci(15);

	for (int i = 0; i < 9; i++)
		sum += is_even(i);
	sum += ackermann(2, 5);
	printf("%d\n", sum);
	return 0;
}
