// SPDX-License-Identifier: Apache-2.0
// The second object file: the same inline functions and templates, and one more instance.
#include "include/shapes.hpp"

int other_total(int n)
{
	Box<int> box;
	int total = 0;

	for (int i = 0; i < n; i++) {
		box.put(square(i));
		total += largest(i, 3);
	}
	return total + box.value + static_cast<int>(largest(2.5f, 1.5f));
}
