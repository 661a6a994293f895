/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files here are of, as Valgrind 3.19 wrote them (gcc -g -O1 -pthread; valgrind
 * --tool=callgrind, with
 * --toggle-collect=main but for "sep" and "recs1"): plain; nocomp: --compress-strings=no
 * --compress-pos=no; events:
 * --cache-sim=yes --branch-sim=yes; instr: --dump-instr=yes --collect-jumps=yes; sep:
 * --separate-recs=3
 * --separate-callers=2; recs1: --separate-recs=1.  Folders have other names.
 */
#include <stdio.h>
#include <string.h>
#include <pthread.h>
#include "inl.h"
#define NI __attribute__((noinline))
volatile unsigned sink;
NI void odd(int n);
NI void
even(int n)
{
	sink = mix(sink);
	if (n)
		odd(n - 1);
	sink++;
}
NI void
odd(int n)
{
	sink += n;
	if (n)
		even(n - 1);
	sink++;
}
NI unsigned
fact(int n)
{
	sink++;
	return n < 2 ? 1 : n * fact(n - 1);
}
NI void
leaf(int n)
{
	for (int i = 0; i < n; i++)
		sink = mix(sink);
}
NI void
phase1(void)
{
	leaf(100);
	even(10);
}
NI void
phase2(void)
{
	leaf(50);
	sink += fact(5);
	odd(3);
}
static void *
th(void *p)
{
	leaf(10);
	return 0;
}
int
main(int c, char **v)
{
	phase1();
	phase2();
	if (c > 1) {
		pthread_t t;
		pthread_create(&t, 0, th, 0);
		pthread_join(t, 0);
	}
	return 0;
}
