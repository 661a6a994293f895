/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit for writing numbers: fmt printf|fixed|check N
 *
 * printf writes N rows of four numbers with the C library. fixed writes the same bytes from whole
 * numbers: x * 10^p is split exactly into a product and its rounding error by fma(), and the two
 * together decide the last digit, halfway cases included (to even on the exact binary value, as
 * printf does). check compares the two on N rounds of random and of awkward values.
 */
#include "common.h"

#include <math.h>

static char *
put_whole(char *o, uint64_t v, int width, char pad)
{
	char digit[24];
	int n = 0;

	do
		digit[n++] = (char)('0' + v % 10);
	while (v /= 10);
	for (int k = n; k < width; k++)
		*o++ = pad;
	while (n)
		*o++ = digit[--n];
	return o;
}

/* "%*.*f" for 0 <= precision <= 3. NULL when the value is too large for this way. */
static char *
put_fixed(char *o, double x, int width, int precision)
{
	static const double scale[] = {1, 10, 100, 1000};
	static const uint64_t divide[] = {1, 10, 100, 1000};
	char text[32], *end = text;

	if (!(fabs(x) < 0x1p52 / 1000))
		return NULL;
	double product = fabs(x) * scale[precision];
	double error = fma(fabs(x), scale[precision], -product);
	uint64_t n = (uint64_t)product;
	double rest = product - (double)n; /* exact */
	if (rest == 0 && error < 0) {      /* just below a whole number */
		n--;
		rest = 1;
	}
	if (rest > 0.5 || (rest == 0.5 && (error > 0 || (error == 0 && (n & 1)))))
		n++;
	if (signbit(x))
		*end++ = '-';
	end = put_whole(end, n / divide[precision], 0, 0);
	if (precision) {
		*end++ = '.';
		end = put_whole(end, n % divide[precision], precision, '0');
	}
	for (int k = (int)(end - text); k < width; k++)
		*o++ = ' ';
	memcpy(o, text, (size_t)(end - text));
	return o + (end - text);
}

static uint64_t
random_next(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static int
differs(double x)
{
	for (int precision = 0; precision <= 3; precision++) {
		char a[400], b[64];
		char *end = put_fixed(b, x, 7, precision);
		if (!end)
			continue;
		*end = 0;
		snprintf(a, sizeof a, "%7.*f", precision, x);
		if (strcmp(a, b)) {
			printf("%a with %d digits: printf '%s', fixed '%s'\n", x, precision, a, b);
			return 1;
		}
	}
	return 0;
}

static int
check(size_t rounds)
{
	int bad = 0;

	for (size_t i = 0; i < rounds && bad < 20; i++) {
		double decimal = (double)(random_next() % 100000000) / 100.0;
		double near_half = (double)(random_next() % 2000000000) / 2000.0;
		double half = (double)(random_next() % 1000000000) / 1024.0;
		uint64_t bits = (random_next() & 0x800fffffffffffffu) | (960 + random_next() % 104)
		                                                                << 52;
		double any;
		memcpy(&any, &bits, sizeof any);
		bad += differs(decimal) + differs(nextafter(decimal, 1e9)) +
		       differs(nextafter(decimal, -1e9)) + differs(near_half) +
		       differs(nextafter(near_half, 1e9)) + differs(nextafter(near_half, -1e9)) +
		       differs(half) + differs(-half) + differs(any);
	}
	printf("%zu rounds of 9 values, %d differences\n", rounds, bad);
	return bad != 0;
}

static size_t
write_rows(FILE *f, size_t rows, int by_printf)
{
	static char buffer[1 << 16];
	char *o = buffer;
	size_t written = 0;

	for (size_t i = 0; i < rows; i++) {
		double a = (double)(random_next() % 10000) / 100;
		double b = (double)(random_next() % 100000000) / 100;
		double c = a * b / 100;
		unsigned long k = random_next() % 100000;
		if (by_printf) {
			written += (size_t)fprintf(f, "%6.2f %10.2f %8.2f %8lu\n", a, b, c, k);
			continue;
		}
		o = put_fixed(o, a, 6, 2);
		*o++ = ' ';
		o = put_fixed(o, b, 10, 2);
		*o++ = ' ';
		o = put_fixed(o, c, 8, 2);
		*o++ = ' ';
		o = put_whole(o, k, 8, ' ');
		*o++ = '\n';
		if (o > buffer + sizeof buffer - 256) {
			written += fwrite(buffer, 1, (size_t)(o - buffer), f);
			o = buffer;
		}
	}
	return written + fwrite(buffer, 1, (size_t)(o - buffer), f);
}

int
main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: fmt printf|fixed|check N\n", stderr);
		return 2;
	}
	size_t n = strtoull(argv[2], NULL, 0);
	if (!strcmp(argv[1], "check"))
		return check(n);
	FILE *f = fopen("/dev/null", "w");
	if (!f)
		fail("/dev/null");
	double began = milliseconds();
	size_t written = write_rows(f, n, !strcmp(argv[1], "printf"));
	double took = milliseconds() - began;
	printf("%zu rows, %zu bytes; %.0f ns a row\n", n, written, took * 1e6 / (double)n);
	fclose(f);
	return 0;
}
