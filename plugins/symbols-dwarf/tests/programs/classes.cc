// SPDX-License-Identifier: Apache-2.0
// Templates, virtual functions, lambdas, functions in COMDAT sections.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace shapes {
template <class T> struct holder {
	T value;
	T get() const { return value; }
	__attribute__((noinline)) void put(T given) { value = given; }
	virtual ~holder() {}
};
}

struct counter {
	counter();
	~counter();
	int count;
};

counter::counter() : count(1) {}
counter::~counter() {}

int total(std::map<std::string, int> &names);

static int
hold(int number)
{
	shapes::holder<int> holder;

	holder.put(number);
	return holder.get();
}

int
main(int count, char **words)
{
	std::vector<int> numbers;
	std::map<std::string, int> names;
	counter counted;

	(void)words;
	for (int i = 0; i < count + 10; i++)
		numbers.push_back(i * 7 % 5);
	std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a > b; });
	for (int number : numbers)
		names[std::to_string(number)]++;
	return total(names) + hold(numbers[0]) + counted.count < 0;
}
