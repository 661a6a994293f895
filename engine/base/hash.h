/* SPDX-License-Identifier: Apache-2.0 */
/* Hashing of what files say. */
#ifndef ENGINE_BASE_HASH_H
#define ENGINE_BASE_HASH_H

#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

/*
 * An odd factor that is not known beforehand, so that no file can be made whose rows all fall on
 * one slot of a table.  No result may depend on it.
 */
static inline uint64_t
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

/* Each bit of the upper half depends on the whole key and on the factor. */
static inline uint64_t
hash_word(uint64_t key, uint64_t factor)
{
	key *= factor;
	return (key ^ key >> 32) * 0x9e3779b97f4a7c15u;
}

/* The hash of a NUL-terminated text. */
static inline uint64_t
hash_text(const char *text, uint64_t factor)
{
	uint64_t hash = 0;

	for (; *text; text++)
		hash = hash_word(hash ^ (uint8_t)*text, factor);
	return hash;
}

/*
 * Bits of the number of slots for so many rows, within these bounds.  One slot to two rows is the
 * least room in which searches are short.
 */
static inline uint32_t
hash_bits(uint32_t rows, uint32_t least, uint32_t most)
{
	uint32_t bits = least;

	while (bits < most && (uint64_t)1 << (bits - 1) < rows)
		bits++;
	return bits;
}

#endif
