// SPDX-License-Identifier: Apache-2.0
// Spends most of its time in the C library and the mathematical one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double
wave(double x)
{
	return sin(x) * exp(-x * x) + pow(x + 2, 1.5);
}

static size_t
text(char *line, size_t size, int number)
{
	snprintf(line, size, "%d: %08x and %.6f", number, (unsigned)number, number / 7.0);
	return strlen(line);
}

static unsigned
count(const char *line, const char *word)
{
	unsigned found = 0;

	for (; (line = strstr(line, word)); ++line)
		++found;
	return found;
}

int
main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	char line[200];
	double sum = 0;
	size_t length = 0;

	for (int i = 0; i < rounds * 300; ++i) {
		char *copy;

		sum += wave(i % 100 / 30.0);
		length += text(line, sizeof line, i);
		copy = strdup(line);
		length += count(copy, "0");
		free(copy);
	}
	printf("%f %zu\n", sum, length);
	return 0;
}
