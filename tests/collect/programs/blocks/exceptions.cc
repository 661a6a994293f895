/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions that are caught where they are thrown, further up, and on their way through
 * destructors. */
#include <cstdio>
#include <stdexcept>

static int gone;

struct guard {
	~guard()
	{
		gone++;
	}
};

static int
check(int number)
{
	if (number % 3 == 0)
		throw std::runtime_error("three");
	if (number % 5 == 0)
		throw number;
	return number;
}

static int
pass(int number)
{
	guard here;
	int sum = number;

	if (check(number) > 0)
		sum++;
	return sum;
} /* counts: gcc 21 clang 21: and 19 on another way */

static int
catch_all(int number)
{
	try {
		return pass(number);
	} catch (const std::exception &e) {
		return -1;
	} catch (int thrown) { /* counts: gcc 13 clang 13: and 6 on another way */
		return thrown;
	} /* counts: clang 13 */
}

int
main()
{
	int sum = 0;

	for (int i = 1; i <= 40; i++)
		sum += catch_all(i);
	std::printf("%d %d\n", sum, gone);
	return 0;
}
