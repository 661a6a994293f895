// SPDX-License-Identifier: Apache-2.0
// Instances that classes.cc has as well: the linker keeps one of each.
#include <map>
#include <string>
#include <vector>

struct base {
	virtual int number() { return 1; }
	virtual ~base() {}
};

struct derived : base {
	int number() override { return 2; }
};

int
total(std::map<std::string, int> &names)
{
	int sum = 0;
	std::vector<int> sums;
	derived made;
	base *used = &made;

	for (auto &name : names)
		sum += name.second;
	sums.push_back(sum);
	return sum + static_cast<int>(sums.size()) + used->number();
}
