/* SPDX-License-Identifier: Apache-2.0 */
/* A header that includes another one by a way up. */
#include "../third.h"

static __attribute__((noinline)) unsigned
deep_work(unsigned n)
{
	return third_work(n) + header_work(n / 4);
}
