// SPDX-License-Identifier: Apache-2.0
// Operators, virtual calls, exceptions, static initialization; `helper` exists in both files.
#include <cstdlib>
#include <ctime>
#include <memory>
#include "number.hpp"

namespace
{

__attribute__((noinline)) long
helper(long x)
{
	return x + 3;
}

struct Counter {
	Counter() : count(helper(0)) {}
	~Counter() { count = helper(count); }
	long count;
} counter;

} // namespace

static math::Number
measure(int kind)
{
	std::unique_ptr<math::Shape> shape(math::make_shape(kind));
	try {
		return shape->area();
	} catch (const math::failure &) {
		return math::Number(helper(kind));
	}
}

int
main(int argc, char **argv)
{
	int seed = argc > 1 ? std::atoi(argv[1]) : 1;
	math::Number sum;
	do {
		for (int i = 0; i < 60; i++) {
			math::Number one = measure(seed + i);
			sum = sum + -one;
			sum *= one(9) + one[2];
			if (sum < one && one)
				counter.count = helper(counter.count);
		}
		seed++;
	} while (std::clock() < CLOCKS_PER_SEC / 8);
	return sum(2) == 1;
}
