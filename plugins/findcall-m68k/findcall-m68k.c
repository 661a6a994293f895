/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-m68k: calls and jumps of the Motorola 68000 family and of ColdFire that lead to
 * functions.  Instructions have 2 to 22 bytes; capstone tells how many, from the begin of a
 * function on.
 */
#include <gprofx/code.h>

#include "../shared/decoder.h"

struct walk {
	const struct gprofx_code *code;
	struct gprofx_calls *calls;
	uint64_t at; /* offset */
};

static void
add(const struct walk *walk, uint64_t to, enum gprofx_call_kind kind, uint64_t length)
{
	to = (uint32_t)to;
	if (gprofx_begins(walk->code, to))
		gprofx_add_site(walk->calls, walk->code->address + walk->at, to, kind,
		                (uint32_t)length);
}

/* bsr, bra, and branches on conditions: a distance of 1, 2 or 4 bytes. */
static uint64_t
take_branch(const struct walk *walk, const uint8_t *bytes, uint64_t readable)
{
	enum { CONDITION = 0xf, CALLS = 1, TWO_BYTES = 0, FOUR_BYTES = 0xff };
	uint64_t pc = walk->code->address + walk->at + 2, distance, length;
	bool calls = (bytes[0] & CONDITION) == CALLS;

	length = bytes[1] == TWO_BYTES ? 4 : bytes[1] == FOUR_BYTES ? 6 : 2;
	if (readable < length)
		return length;
	distance = length == 2   ? gprofx_signed(bytes[1], 8)
	           : length == 4 ? gprofx_signed(gprofx_half_at(bytes + 2, true), 16)
	                         : gprofx_signed(gprofx_word_at(bytes + 2, true), 32);
	add(walk, pc + distance, calls ? GPROFX_CALL_DIRECT : GPROFX_CALL_TAIL, length);
	return length;
}

/* jsr and jmp to an address, or to a distance; 0: it is another instruction. */
static uint64_t
take_jump(const struct walk *walk, const uint8_t *bytes, uint64_t readable)
{
	enum { SHORT_ADDRESS = 0x38, LONG_ADDRESS = 0x39, DISTANCE = 0x3a, LONG_DISTANCE = 0x3b };
	uint64_t pc = walk->code->address + walk->at + 2;
	enum gprofx_call_kind kind = bytes[1] & 0x40 ? GPROFX_CALL_TAIL : GPROFX_CALL_DIRECT;

	if (bytes[0] != 0x4e || (bytes[1] & 0x80) == 0 || readable < 4)
		return 0;
	switch (bytes[1] & 0x3f) {
	case SHORT_ADDRESS:
		add(walk, gprofx_signed(gprofx_half_at(bytes + 2, true), 16), kind, 4);
		return 4;
	case DISTANCE:
		add(walk, pc + gprofx_signed(gprofx_half_at(bytes + 2, true), 16), kind, 4);
		return 4;
	case LONG_ADDRESS:
		if (readable >= 6)
			add(walk, gprofx_word_at(bytes + 2, true), kind, 6);
		return 6;
	case LONG_DISTANCE:
		/* Without a base of its own, an index or a pointer in memory. */
		if (gprofx_half_at(bytes + 2, true) != 0x0170 || readable < 8)
			return 0;
		add(walk, pc + gprofx_signed(gprofx_word_at(bytes + 4, true), 32), kind, 8);
		return 8;
	default:
		return 0;
	}
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const struct decoder *decoder = worker;
	struct walk walk = {.code = code, .calls = calls};
	uint64_t length;

	for (; walk.at < code->byte_count && code->readable - walk.at >= 2; walk.at += length) {
		const uint8_t *bytes = code->bytes + walk.at;
		uint64_t readable = code->readable - walk.at;

		if (bytes[0] >> 4 == 6) {
			length = take_branch(&walk, bytes, readable);
			continue;
		}
		length = take_jump(&walk, bytes, readable);
		if (length == 0) {
			length = decoder_length(decoder, code, walk.at);
			/* jsr through a register, or with one. */
			if (code->image->wants_sites && length >= 2 && bytes[0] == 0x4e &&
			    (bytes[1] & 0xc0) == 0x80)
				gprofx_add_site(calls, code->address + walk.at, 0,
				                GPROFX_CALL_INDIRECT, (uint32_t)length);
		}
		/* What nobody knows is passed over, in the steps that instructions have. */
		length = length > 2 ? (length + 1) & ~(uint64_t)1 : 2;
	}
}

/* GNU gprof does not know the machine. */
static enum gprofx_result
worker_open(struct gprofx *gx, const struct gprofx_scanned_image *image, const void *options,
            void **worker)
{
	struct decoder *decoder;

	(void)options;
	*worker = NULL;
	if (image->strict)
		return GPROFX_DECLINED;
	*worker = decoder = gprofx_alloc(gx, sizeof *decoder);
	return decoder_open(gx, decoder, DECODER_M68K);
}

static void
worker_close(struct gprofx *gx, void *worker)
{
	(void)gx;
	decoder_close(worker);
}

static const uint16_t machines[] = {4};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = worker_open,
                                                .worker_close = worker_close,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-m68k", .version = "1.0",
                 .summary = "Calls in code of Motorola 68000", .findcall = &findcall};
