// SPDX-License-Identifier: Apache-2.0
// Lambdas: called straight, through std::function, and inside each other.
#include <cstdio>
#include <cstdlib>
#include <functional>

static unsigned apply(const std::function<unsigned(unsigned)> &f, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; ++i)
		sum += f(i);
	return sum;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
	auto heavy = [](unsigned x) __attribute__((noinline)) {
		unsigned y = x;
		for (unsigned i = 0; i < 300; ++i)
			y = y * 33 + i;
		return y;
	};
	auto outer = [&heavy, rounds](unsigned x) __attribute__((noinline)) {
		auto inner = [x](unsigned z) __attribute__((noinline)) { return z ^ x; };
		return inner(heavy(x + rounds));
	};
	unsigned sum = 0;

	for (unsigned i = 0; i < rounds * 30; ++i)
		sum += apply(outer, 10) + heavy(i);
	std::printf("%u\n", sum);
	return 0;
}
