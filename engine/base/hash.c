/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include <string.h>
#include <sys/auxv.h>

uint64_t
hash_factor(void)
{
	uint64_t factor = 0x9e3779b97f4a7c15u, bytes;
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (random) {
		memcpy(&bytes, random, sizeof bytes);
		factor ^= bytes;
	}
	return factor | 1;
}
