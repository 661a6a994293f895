/* SPDX-License-Identifier: Apache-2.0 */
/* A handler of signals with blocks of its own, which a program calls and the system. */
#include <signal.h>
#include <stdio.h>

static volatile int even, odd;

static void
handle(int number)
{
	(void)number;
	if ((even + odd) % 2 == 0)
		even++;
	else
		odd++;
}

static int
work(int rounds)
{
	int sum = 0;

	for (int i = 0; i < rounds; i++) {
		if (i % 10 == 0)
			raise(SIGUSR1);
		sum += i;
	}
	return sum;
}

int
main(void)
{
	struct sigaction action = {.sa_handler = handle};
	int sum = 0;

	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 100; i++)
		sum += work(i);
	handle(0);
	printf("%d %d %d\n", sum, even, odd);
	return 0;
}
