/* SPDX-License-Identifier: Apache-2.0 */
/* How profiles start, in bytes or in words of either order. */
#ifndef INPUT_HEXDUMP_START_H
#define INPUT_HEXDUMP_START_H

#include <stddef.h>
#include <stdint.h>

enum { HEXDUMP_HEAD = 24 /* bytes that show it */ };

enum start {
	START_UNKNOWN,
	START_AS_WRITTEN, /* a profile starts here */
	START_REVERSED,   /* it does if the bytes of each word are the other way round */
	/* It does in both ways, of which the first one has numbers in little-endian order. */
	START_LITTLE_AS_WRITTEN,
	START_LITTLE_REVERSED
};

/* How the bytes of a dump start; item_bytes: of each word as it was written. */
enum start hexdump_start(const uint8_t *bytes, size_t count, uint32_t item_bytes);

/* Reverses the bytes of each item; what is left at the end is an item, too. */
void hexdump_reverse(uint8_t *bytes, size_t count, uint32_t item_bytes);

#endif
