// SPDX-License-Identifier: Apache-2.0
unsigned other(unsigned n);

static unsigned
work(unsigned n)
{
	unsigned sum = n;

	for (unsigned i = 0; i < 2000; ++i)
		sum = sum * 33 + i;
	return sum;
}

unsigned
other(unsigned n)
{
	return work(n) + work(n + 1);
}
