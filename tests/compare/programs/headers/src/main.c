/* SPDX-License-Identifier: Apache-2.0 */
/* Uses the code in the headers until an eighth of a second is over. */
#include <stdlib.h>
#include <time.h>
#include "first.h"

unsigned unit_work(unsigned n);
unsigned generated_work(unsigned n);

int
main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) * 100 : 100, sum = 0;
	do
		sum += unit_work(n) + generated_work(n) + header_work(n);
	while (clock() < CLOCKS_PER_SEC / 8);
	return sum == 1;
}
