/* SPDX-License-Identifier: Apache-2.0 */
#include "start.h"

#include <stdbool.h>
#include <string.h>

enum {
	/* Where the version of 4.4BSD is, with addresses of 4 and of 8 bytes. */
	VERSION_32 = 12,
	VERSION_64 = 20
};

void
hexdump_reverse(uint8_t *bytes, size_t count, uint32_t item_bytes)
{
	for (size_t at = 0; at < count; at += item_bytes) {
		size_t last = (count - at < item_bytes ? count - at : item_bytes) - 1;

		for (size_t i = 0; i < last - i; i++) {
			uint8_t kept = bytes[at + i];

			bytes[at + i] = bytes[at + last - i];
			bytes[at + last - i] = kept;
		}
	}
}

static bool
is_at(const uint8_t *bytes, size_t count, size_t at, const char word[4])
{
	return count >= at + 4 && memcmp(bytes + at, word, 4) == 0;
}

enum order { ORDER_NONE, ORDER_ANY, ORDER_LITTLE, ORDER_BIG };

/* Whether a profile starts here, and in which byte order its numbers are if its first bytes say so.
 */
static enum order
order_of(const uint8_t *bytes, size_t count)
{
	static const char little[4] = {0x79, 0x18, 0x05, 0x00}, big[4] = {0x00, 0x05, 0x18, 0x79};
	/* Tagged profiles, recordings, what perf and pprof write. */
	static const char magic[][4] = {{'g', 'm', 'o', 'n'},
	                                {'G', 'P', 'R', 'O'},
	                                {'P', 'E', 'R', 'F'},
	                                {0x1f, (char)0x8b, 8, 0}};

	for (size_t i = 0; i < sizeof magic / sizeof *magic; i++)
		if (is_at(bytes, count, 0, magic[i]))
			return ORDER_ANY;
	if (is_at(bytes, count, VERSION_32, little) || is_at(bytes, count, VERSION_64, little))
		return ORDER_LITTLE;
	if (is_at(bytes, count, VERSION_32, big) || is_at(bytes, count, VERSION_64, big))
		return ORDER_BIG;
	return ORDER_NONE;
}

enum start
hexdump_start(const uint8_t *bytes, size_t count, uint32_t item_bytes)
{
	uint8_t head[HEXDUMP_HEAD];

	enum order written, reversed;

	count = count < HEXDUMP_HEAD ? count : HEXDUMP_HEAD;
	written = order_of(bytes, count);
	if (item_bytes <= 1 || count < item_bytes)
		return written != ORDER_NONE ? START_AS_WRITTEN : START_UNKNOWN;
	count -= count % item_bytes;
	memcpy(head, bytes, count);
	hexdump_reverse(head, count, item_bytes);
	reversed = order_of(head, count);
	if (written != ORDER_NONE && reversed != ORDER_NONE)
		return written == ORDER_LITTLE ? START_LITTLE_AS_WRITTEN : START_LITTLE_REVERSED;
	if (written != ORDER_NONE)
		return START_AS_WRITTEN;
	return reversed != ORDER_NONE ? START_REVERSED : START_UNKNOWN;
}
