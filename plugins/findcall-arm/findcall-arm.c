/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-arm: branches of 32-bit ARM that lead to functions, in both of its sets of instructions.
 * Marks in the code tell where it is ARM ($a), Thumb ($t) and data ($d).
 */
#include <gprofx/code.h>

/* In e_flags: instructions are little-endian though data are not. */
#define EF_ARM_BE8 0x00800000u

/* Something in the code under way. */
struct place {
	const struct gprofx_code *code;
	struct gprofx_calls *calls;
	uint64_t at; /* offset */
	bool big_endian;
};

static void
add(const struct place *place, uint64_t to, bool links)
{
	to = (uint32_t)to;
	if (gprofx_begins(place->code, to))
		gprofx_add_site(place->calls, place->code->address + place->at, to,
		                links ? GPROFX_CALL_DIRECT : GPROFX_CALL_TAIL, 4);
}

/* blx to what a register says. */
static void
add_indirect(const struct place *place, uint32_t length)
{
	if (place->code->image->wants_sites)
		gprofx_add_site(place->calls, place->code->address + place->at, 0,
		                GPROFX_CALL_INDIRECT, length);
}

static void
take_arm(const struct place *place, uint32_t word)
{
	uint64_t pc = place->code->address + place->at + 8;
	uint64_t to = pc + 4 * gprofx_signed(word, 24);

	if (word >> 28 == 0xf) {
		/* blx, to Thumb. */
		if ((word & 0x0e000000) == 0x0a000000)
			add(place, to + (word >> 23 & 2), true);
	} else if ((word & 0x0e000000) == 0x0a000000) {
		add(place, to, (word & 0x01000000) != 0);
	} else if ((word & 0x0ffffff0) == 0x012fff30) {
		add_indirect(place, 4);
	}
}

static void
take_thumb_half(const struct place *place, uint32_t half)
{
	uint64_t pc = place->code->address + place->at + 4;

	if ((half & 0xf800) == 0xe000)
		add(place, pc + 2 * gprofx_signed(half, 11), false);
	/* The last two conditions are other instructions. */
	else if ((half & 0xf000) == 0xd000 && (half & 0x0e00) != 0x0e00)
		add(place, pc + 2 * gprofx_signed(half, 8), false);
	else if ((half & 0xff87) == 0x4780)
		add_indirect(place, 2);
}

static void
take_thumb_pair(const struct place *place, uint32_t first, uint32_t second)
{
	uint64_t pc = place->code->address + place->at + 4;
	uint32_t sign = first >> 10 & 1, j1 = second >> 13 & 1, j2 = second >> 11 & 1;
	uint32_t far = sign << 24 | (1 ^ j1 ^ sign) << 23 | (1 ^ j2 ^ sign) << 22 |
	               (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
	uint32_t near = sign << 20 | j2 << 19 | j1 << 18 | (first & 0x3f) << 12 |
	                (second & 0x7ff) << 1;

	if ((first & 0xf800) != 0xf000)
		return;
	switch (second & 0xd000) {
	case 0xd000:
		add(place, pc + gprofx_signed(far, 25), true);
		return;
	case 0xc000:
		/* ARM code begins at multiples of 4 bytes. */
		if ((second & 1) == 0)
			add(place, (pc & ~(uint64_t)3) + gprofx_signed(far, 25), true);
		return;
	case 0x9000:
		add(place, pc + gprofx_signed(far, 25), false);
		return;
	case 0x8000:
		if ((first & 0x0380) != 0x0380)
			add(place, pc + gprofx_signed(near, 21), false);
		return;
	default:
		return;
	}
}

/* Looks at one instruction and returns how many bytes it has. */
static uint64_t
take(const struct place *place, char letter)
{
	const uint8_t *bytes = place->code->bytes + place->at;
	uint64_t readable = place->code->readable - place->at;
	uint32_t half;

	if (letter == 'd' || readable < 2)
		return 1;
	if (letter != 't') {
		if (readable >= 4)
			take_arm(place, gprofx_word_at(bytes, place->big_endian));
		return 4;
	}
	half = gprofx_half_at(bytes, place->big_endian);
	if (half < 0xe800) {
		take_thumb_half(place, half);
		return 2;
	}
	if (readable >= 4)
		take_thumb_pair(place, half, gprofx_half_at(bytes + 2, place->big_endian));
	return 4;
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct gprofx_mark_walk walk = {.letter = 'a'};
	struct place place = {.code = code, .calls = calls};

	(void)worker;
	place.big_endian = code->image->target->big_endian &&
	                   !(code->image->machine_flags & EF_ARM_BE8);
	while (place.at < code->byte_count)
		place.at += take(&place, gprofx_mark_at(&walk, code, code->address + place.at));
}

static const uint16_t machines[] = {40};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-arm", .version = "1.0",
                 .summary = "Calls in code of ARM", .findcall = &findcall};
