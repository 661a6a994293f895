// SPDX-License-Identifier: Apache-2.0
// Templates, lambdas, standard containers and algorithms: long names, many of them weak symbols.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace outer::inner
{

template <typename T, unsigned N> class Ring
{
public:
	__attribute__((noinline)) void
	push(const T &value)
	{
		slots[next++ % N] = value;
	}

	template <typename F>
	__attribute__((noinline)) auto
	fold(F function) const // @line
	{
		T sum{};
		for (const T &slot : slots)
			sum = function(sum, slot);
		return sum;
	}

private:
	T slots[N] = {};
	unsigned next = 0;
};

template <int N>
__attribute__((noinline)) int
fibonacci(int scale)
{
	if constexpr (N < 2)
		return scale;
	else
		return fibonacci<N - 1>(scale) + fibonacci<N - 2>(scale);
}

template <typename... Parts>
__attribute__((noinline)) std::string
join(const Parts &...parts)
{
	std::string text;
	((text += parts), ...);
	return text;
}

} // namespace outer::inner

using outer::inner::Ring;

static std::map<std::string, std::vector<int>> words;

__attribute__((noinline)) static int
plain(int x)
{
	return x * 7 + 1;
}

extern "C" __attribute__((noinline)) int
c_linkage(int x)
{
	return plain(x) - 1;
}

static int
one_round(int seed)
{
	Ring<double, 16> doubles;
	Ring<std::string, 4> strings;
	std::vector<int> numbers(500);
	std::iota(numbers.begin(), numbers.end(), seed);
	std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % 101 > b % 101; });
	std::function<int(int)> twice = [&numbers](int x) { return numbers[x % 500] + c_linkage(x); };
	for (int i = 0; i < 200; i++) {
		doubles.push(twice(i));
		strings.push(outer::inner::join("word", std::string(i % 7, 'x'), std::to_string(i)));
		words[outer::inner::join(std::to_string(i % 20))].push_back(i);
	}
	double sum = doubles.fold([](double a, double b) { return a + b; });
	std::string text = strings.fold([](const std::string &a, const std::string &b) { return a + b; });
	return static_cast<int>(sum) + static_cast<int>(text.size()) + outer::inner::fibonacci<6>(seed);
}

int
main(int argc, char **argv)
{
	int seed = argc > 1 ? std::atoi(argv[1]) : 1;
	long sum = 0;
	do
		sum += one_round(seed++);
	while (std::clock() < CLOCKS_PER_SEC / 8);
	return sum == 1;
}
