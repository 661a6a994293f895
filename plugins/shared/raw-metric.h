/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics that readers declare: what fits into their names and units, and times. */
#ifndef PLUGINS_SHARED_RAW_METRIC_H
#define PLUGINS_SHARED_RAW_METRIC_H

#include <string.h>

#include <gprofx/reader.h>

/* With the NUL at the end: see struct gprofx_raw_metric. */
enum { RAW_METRIC_NAME_BYTES = 64, RAW_METRIC_UNIT_BYTES = 16 };

/* Cuts a text to what fits, between its characters. */
static inline void
raw_metric_cut(char *to, size_t bytes, const char *text, size_t length)
{
	if (length >= bytes) {
		length = bytes - 1;
		while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
			length--;
	}
	memcpy(to, text, length);
	to[length] = '\0';
}

/*
 * Samples weigh nanoseconds.  Where all weigh the same, and so many are a second, ticks are
 * samples.  weight: that of each, or 0.  Returns what weights are divided by.
 */
static inline uint64_t
raw_metric_of_nanoseconds(struct gprofx_raw_metric *metric, char unit[RAW_METRIC_UNIT_BYTES],
                          uint64_t weight)
{
	enum { NANOSECONDS = 1000000000 };
	uint64_t divisor = weight > 0 && NANOSECONDS % weight == 0 ? weight : 1;

	memcpy(unit, "seconds", sizeof "seconds");
	metric->abbreviation = 's';
	metric->ticks_per_unit = (uint32_t)(NANOSECONDS / divisor);
	return divisor;
}

#endif
