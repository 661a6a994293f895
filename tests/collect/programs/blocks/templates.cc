/* SPDX-License-Identifier: Apache-2.0 */
/* Templates: the lines of each copy are the same, and their counts are added up. */
#include <cstdio>
#include <vector>

template <typename T, int N>
static T
sum_of(const T (&items)[N])
{
	T sum = 0;

	for (int i = 0; i < N; i++) {
		if (items[i] < 0)
			continue;
		sum += items[i];
	}
	return sum;
}

template <typename T>
static T
power(T base, int exponent)
{
	if (exponent == 0)
		return 1;
	if (exponent % 2 == 0)
		return power(base * base, exponent / 2);
	return base * power(base, exponent - 1);
}

int
main()
{
	const int whole[] = {1, -2, 3, 4};
	const double parts[] = {0.5, 1.5, -3};
	double sum = sum_of(whole) + sum_of(parts);
	std::vector<int> list;

	for (int i = 0; i < 6; i++)
		list.push_back(power(2, i));
	for (int item : list)
		sum += power(0.5, item);
	sum += power(3L, 9);
	std::printf("%g\n", sum);
	return 0;
}
