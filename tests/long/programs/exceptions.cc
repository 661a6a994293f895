// SPDX-License-Identifier: Apache-2.0
// Exceptions through several functions with destructors on the way.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

static unsigned released;
static volatile unsigned sink;

struct Guard {
	unsigned value;
	explicit Guard(unsigned v) : value(v) {}
	~Guard() { released += value & 1; }
};

__attribute__((noinline)) static void work(unsigned n)
{
	for (unsigned i = 0; i < 500; ++i)
		sink = sink + (n ^ i);
}

__attribute__((noinline)) static void inner(unsigned n)
{
	Guard guard(n);

	work(n);
	if (n % 3 == 0)
		throw std::runtime_error("three");
	if (n % 7 == 0)
		throw n;
}

__attribute__((noinline)) static void middle(unsigned n)
{
	Guard guard(n + 1);

	try {
		inner(n);
	} catch (unsigned) {
		work(n);
		throw;
	}
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1, caught = 0;

	for (unsigned i = 1; i <= rounds * 100; ++i) {
		try {
			middle(i);
		} catch (const std::exception &) {
			++caught;
		} catch (...) {
			caught += 2;
		}
	}
	std::printf("%u %u\n", caught, released);
	return 0;
}
