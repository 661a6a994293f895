/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes that are not known beforehand. */
#ifndef PLUGINS_SHARED_HASH_FACTOR_H
#define PLUGINS_SHARED_HASH_FACTOR_H

#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

/*
 * An odd factor that is not known beforehand, so that no file can be made whose rows all fall on
 * one slot of a table.  It is the same for as long as the process runs; no result may depend on it.
 */
static inline uint64_t
new_hash_factor(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t factor = 0x9e3779b97f4a7c15u, bytes;

	if (random) {
		memcpy(&bytes, random, sizeof bytes);
		factor ^= bytes;
	}
	return factor | 1;
}

#endif
