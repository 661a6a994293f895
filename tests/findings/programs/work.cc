// SPDX-License-Identifier: Apache-2.0
// The same in C++: templates, virtual calls, exceptions, lambdas, objects made before main.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
};

struct square : shape {
	explicit square(double side) : side(side) {}
	double area() const override { return side * side; }
	double side;
};

struct circle : shape {
	explicit circle(double radius) : radius(radius) {}
	double area() const override { return radius * radius * 3.14159; }
	double radius;
};

template <typename T>
T largest(const std::vector<T> &all)
{
	if (all.empty())
		throw std::runtime_error("empty");
	return *std::max_element(all.begin(), all.end());
}

std::map<std::string, int> made_before_main = {{"one", 1}, {"two", 2}};
}

double round_of_work(int seed)
{
	std::vector<std::unique_ptr<shape>> shapes;
	std::vector<double> areas;
	std::function<double(const shape &)> measure = [](const shape &s) { return s.area(); };

	for (int i = 0; i < 200; i++)
		if ((i * seed) % 3 == 0)
			shapes.emplace_back(new square(i));
		else
			shapes.emplace_back(new circle(i));
	// So often that little of the time is in calls of new and delete.
	for (int again = 0; again < 8; again++) {
		areas.clear();
		for (const auto &s : shapes)
			areas.push_back(measure(*s));
		std::sort(areas.begin(), areas.end());
	}
	made_before_main[std::to_string(seed % 50)]++;
	try {
		largest(std::vector<double>());
	} catch (const std::runtime_error &) {
	}
	return largest(areas);
}

int main(int argc, char **argv)
{
	clock_t end = (argc > 1 ? std::atoi(argv[1]) : 40) * (CLOCKS_PER_SEC / 100);
	double sum = 0;
	int seed = 1;

	do
		sum += round_of_work(seed++);
	while (clock() < end);
	return sum == 0;
}
