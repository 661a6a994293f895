/* SPDX-License-Identifier: Apache-2.0 */
/* What is recorded: functions with known callers, threads, a child, and another program in its
 * place. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef NAME
#define NAME "demo"
#endif
volatile unsigned long sink;
const char own_name[] = NAME; /* so that programs of other names are others */
#define NI __attribute__((noinline))
NI void
spin(unsigned n)
{
	unsigned long x = n;
	for (volatile unsigned i = 0; i < n * 100u; i++)
		x = x * 6364136223846793005ul + 1;
	sink += x;
}
NI void
gamma_(int n)
{
	spin(n);
	sink++;
}
NI void
alpha(int n)
{
	for (int i = 0; i < 2; i++)
		spin(n);
	sink++;
}
NI void
beta(int n)
{
	gamma_(n);
	sink++;
}
NI void
rec(int d, int n)
{
	spin(n);
	if (d)
		rec(d - 1, n);
	sink++;
}
NI void
run(int n)
{
	alpha(n);
	beta(n);
	rec(3, n / 4);
	sink++;
}
NI void
touch(void)
{
	for (int i = 0; i < 200; i++) {
		volatile char *p = malloc(1 << 20);
		p[9] = 1;
	}
	sink++;
}
static void *
thread(void *p)
{
	run(*(int *)p);
	return 0;
}

int
main(int c, char **v)
{
	int n = c > 1 ? atoi(v[1]) : 2000;
	const char *mode = c > 2 ? v[2] : "";

	if (!strcmp(mode, "threads")) {
		pthread_t t[2];
		for (int i = 0; i < 2; i++) {
			char name[] = "worker0";
			pthread_create(&t[i], 0, thread, &n);
			name[6] += i;
			pthread_setname_np(t[i], name);
		}
		for (int i = 0; i < 2; i++)
			pthread_join(t[i], 0);
	}
	if (!strcmp(mode, "exec")) {
		char other[4096];
		pid_t p;
		snprintf(other, sizeof other, "%s2", v[0]);
		p = fork();
		if (!p) {
			alpha(n);
			execl(other, "demo2", v[1], (char *)0);
			_exit(1);
		}
		waitpid(p, 0, 0);
	}
	if (!strcmp(mode, "touch"))
		touch();
	run(n);
	return 0;
}
