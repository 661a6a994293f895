// SPDX-License-Identifier: Apache-2.0
// Templates and containers: many functions with long names, most in sections that are merged.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

template <typename T, unsigned N> struct Ring {
	T slots[N] = {};
	unsigned at = 0;
	void put(T value) { slots[at++ % N] = value; }
	T sum() const
	{
		T total = T();
		for (const T &slot : slots)
			total = total + slot;
		return total;
	}
};

template <typename T> static T reduce(const std::vector<T> &list)
{
	Ring<T, 16> ring;
	T last = T();

	for (const T &item : list) {
		ring.put(item);
		last = ring.sum();
	}
	return last;
}

namespace deep { namespace inside {
struct Word {
	std::string text;
	int weight;
	bool operator<(const Word &other) const { return weight < other.weight; }
};
} }

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
	double result = 0;

	for (int round = 0; round < rounds; ++round) {
		std::vector<int> whole;
		std::vector<double> real;
		std::map<std::string, int> counts;
		std::vector<deep::inside::Word> words;
		for (int i = 0; i < 200; ++i) {
			whole.push_back(i * round);
			real.push_back(i / 3.0);
			++counts[std::to_string(i % 37)];
			words.push_back({std::to_string(i), i * 7919 % 101});
		}
		std::sort(words.begin(), words.end());
		result += reduce(whole) + reduce(real) + static_cast<double>(counts.size()) + words[0].weight;
	}
	std::printf("%f\n", result);
	return 0;
}
