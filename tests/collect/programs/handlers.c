/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals whose handlers call functions, in the midst of calls.  Prints how often each function
 * was called.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile long handled, sum;

__attribute__((noinline)) void
leaf(void)
{
	sum += 2;
}

__attribute__((noinline)) void
other(void)
{
	sum++;
}

void
on_alarm(int number)
{
	(void)number;
	handled++;
	leaf();
	for (int i = 0; i < 3; i++)
		other();
	/* So that no call is a jump, which would seem to come from the system. */
	sum++;
}

int
main(int argc, char **argv)
{
	struct itimerval interval = {{0, 200}, {0, 200}}, none = {{0, 0}, {0, 0}};
	long calls = argc > 1 ? atol(argv[1]) : 1000000;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &interval, NULL);
	for (long i = 0; i < calls; i++)
		other();
	setitimer(ITIMER_REAL, &none, NULL);
	signal(SIGALRM, SIG_IGN);
	/* What the handler adds to "sum" can be lost, but not that it called. */
	printf("on_alarm %ld leaf %ld other %ld\n", handled, handled, calls + 3 * handled);
	return 0;
}
