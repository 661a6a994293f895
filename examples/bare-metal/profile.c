/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the profile, and the file that they become: magic gmon, version 1. */
#include "profile.h"

#include <stdbool.h>

#if PROFILE_ARCS < 2 || (PROFILE_ARCS & (PROFILE_ARCS - 1)) != 0
#error "PROFILE_ARCS must be a power of 2"
#endif

struct arc {
	uintptr_t from, self;
	uint32_t count; /* 0: not used */
};

static struct arc arcs[PROFILE_ARCS];
static uint16_t bins[PROFILE_BINS];
static uintptr_t lowest;
static uint32_t bin_shift; /* a bin stands for 1 << bin_shift bytes */
static uint32_t samples_per_second;
static uint32_t lost_calls;
static volatile bool is_on;

void
profile_start(uintptr_t low, uintptr_t high, uint32_t rate)
{
	is_on = false;
	for (size_t i = 0; i < PROFILE_ARCS; i++)
		arcs[i].count = 0;
	for (size_t i = 0; i < PROFILE_BINS; i++)
		bins[i] = 0;
	lowest = low & ~(uintptr_t)3;
	bin_shift = 2;
	while ((high - lowest) >> bin_shift >= PROFILE_BINS)
		bin_shift++;
	samples_per_second = rate;
	lost_calls = 0;
	is_on = true;
}

void
profile_stop(void)
{
	is_on = false;
}

void
profile_sample(uintptr_t pc)
{
	uintptr_t bin = (pc - lowest) >> bin_shift;

	/* A full counter stays full: the function keeps its place. */
	if (is_on && pc >= lowest && bin < PROFILE_BINS && bins[bin] < UINT16_MAX)
		bins[bin]++;
}

void
profile_count(uintptr_t from, uintptr_t self)
{
	uint32_t at = ((uint32_t)from * 3 + (uint32_t)self) * UINT32_C(2654435761) >> 16;
	uintptr_t before;
	size_t tries = 0;

	if (!is_on)
		return;
	before = profile_disable();
	for (; tries < PROFILE_ARCS; tries++, at++) {
		struct arc *arc = &arcs[at & (PROFILE_ARCS - 1)];

		if (arc->count == 0) {
			arc->from = from;
			arc->self = self;
		} else if (arc->from != from || arc->self != self || arc->count == UINT32_MAX) {
			continue;
		}
		arc->count++;
		break;
	}
	if (tries == PROFILE_ARCS && lost_calls < UINT32_MAX)
		lost_calls++;
	profile_enable(before);
}

static void
put_bytes(void (*put)(uint8_t byte), const void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put(((const uint8_t *)bytes)[i]);
}

static void
put_address(void (*put)(uint8_t byte), uintptr_t address)
{
	put_bytes(put, &address, sizeof address);
}

static void
put_word(void (*put)(uint8_t byte), uint32_t word)
{
	put_bytes(put, &word, sizeof word);
}

uint32_t
profile_dump(void (*put)(uint8_t byte))
{
	static const char unit[15] = "seconds";
	const uint32_t version = 1;

	is_on = false;
	put_bytes(put, "gmon", 4);
	put_word(put, version);
	for (int i = 0; i < 3; i++)
		put_word(put, 0);

	put(0); /* samples */
	put_address(put, lowest);
	put_address(put, lowest + ((uintptr_t)PROFILE_BINS << bin_shift));
	put_word(put, PROFILE_BINS);
	put_word(put, samples_per_second);
	put_bytes(put, unit, sizeof unit);
	put('s');
	put_bytes(put, bins, sizeof bins);

	for (size_t i = 0; i < PROFILE_ARCS; i++) {
		if (arcs[i].count == 0)
			continue;
		put(1); /* calls */
		put_address(put, arcs[i].from);
		put_address(put, arcs[i].self);
		put_word(put, arcs[i].count);
	}
	return lost_calls;
}
