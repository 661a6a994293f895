/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in classes and inline ones: several on a line, called from several places. */
#include <cstdio>

class counter {
public:
	explicit counter(int first) : value(first) {}
	int next() { return value++; }
	bool is_full() const { return value > 20; }
	void skip(int by)
	{
		if (by > 3)
			value += by;
		else
			value++;
	}

private:
	int value;
};

inline int
larger(int a, int b)
{
	return a > b ? a : b;
}

static int
use(counter &c, int times)
{
	int most = 0;

	for (int i = 0; i < times; i++) {
		most = larger(most, c.next());
		if (c.is_full())
			return most;
		c.skip(i);
	}
	return larger(most, 5);
}

int
main()
{
	int sum = 0;

	for (int i = 0; i < 12; i++) {
		counter c(i);

		sum += use(c, 3 + i % 5);
	}
	auto twice = [&sum](int by) { sum += 2 * by; };
	twice(3);
	twice(4);
	std::printf("%d\n", sum);
	return 0;
}
