// SPDX-License-Identifier: Apache-2.0
// Exceptions, templates, lambdas, virtual functions, static objects.
#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include "include/shapes.hpp"

int other_total(int n);

namespace {

struct Counter {
	Counter() : count(0) {}
	~Counter() { count = -1; }
	int count;
} counter;

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int careful(int size)
{
	try {
		Square square(size);

		counter.count++;
		return square.area();
	} catch (const std::out_of_range &) {
		return -1;
	} catch (...) {
		std::cerr << "never\n";
		throw;
	}
}

} // namespace

int never_called(int n)
{
	for (int i = 0; i < n; i++)
		counter.count += i;
	return n;
}

int main()
{
	std::vector<std::unique_ptr<Shape>> shapes;
	Box<int> box;
	Box<double> wide;
	long total = 0;

	for (int i = 0; i < 120; i += 7) {
		total += careful(i);
		box.put(i); wide.put(i / 2.0);
	}
	for (int i = 0; i < 5; i++)
		shapes.push_back(std::make_unique<Square>(i));
	for (const auto &shape : shapes)
		total += shape->area();
	std::vector<int> numbers{5, 3, 9, 1};
	std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a > b; });
	auto add = [&total](int n) {
		if (n > 3)
			total += n;
	};
	std::for_each(numbers.begin(), numbers.end(), add);
	try {
		total += Box<long>::of(4) + Box<long>::of(-1);
	} catch (const std::invalid_argument &) {
		total++;
	}
	total += fibonacci(15) + other_total(6) + box.value + largest('a', 'b');
	std::cout << (total > 0) << "\n";
	return 0;
}
