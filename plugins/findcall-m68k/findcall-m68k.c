/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-m68k: calls and jumps of the Motorola 68000 family and of ColdFire that lead to
 * functions.  Instructions have 2 to 22 bytes; capstone gives the number, from the entry of a
 * function on.
 */
#include <string.h>

#include <gprofx/code.h>

#include "../shared/decoder.h"

struct worker {
	struct decoder decoder;
	const struct gprofx_scan_options *more;
};

struct walk {
	const struct gprofx_scan_options *more;
	const struct gprofx_code *code;
	struct gprofx_calls *calls;
	uint64_t at; /* offset */
};

static void
add(const struct walk *walk, uint64_t to, enum gprofx_call_kind kind, uint64_t length)
{
	to = (uint32_t)to;
	if ((kind != GPROFX_CALL_TAIL || walk->more->tail_calls) && gprofx_begins(walk->code, to))
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

/* lea and pea of an address or a distance, and a number that is moved. */
static void
take_pointer(const struct walk *walk, const uint8_t *bytes, uint64_t readable)
{
	enum { PEA_SHORT = 0x4878, PEA = 0x4879, PEA_DISTANCE = 0x487a, MODES = 0xf1ff };
	uint32_t first = gprofx_half_at(bytes, true);
	uint64_t pc = walk->code->address + walk->at + 2;

	if (readable < 4)
		return;
	if (first == PEA_DISTANCE || (first & MODES) == 0x41fa)
		add(walk, pc + gprofx_signed(gprofx_half_at(bytes + 2, true), 16),
		    GPROFX_CALL_POINTER, GPROFX_NO_RETURN);
	else if (readable >= 6 &&
	         (first == PEA || (first & MODES) == 0x41f9 || (first & 0xf03f) == 0x203c))
		add(walk, gprofx_word_at(bytes + 2, true), GPROFX_CALL_POINTER, GPROFX_NO_RETURN);
}

/* Unknown instructions are skipped, in the steps that instructions have. */
static uint64_t
whole_steps(uint64_t length)
{
	return length > 2 ? (length + 1) & ~(uint64_t)1 : 2;
}

static void
scan(void *opaque, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const struct worker *worker = opaque;
	struct walk walk = {.more = gprofx_scan_options(code, worker->more),
	                    .code = code,
	                    .calls = calls};
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
			length = decoder_length(&worker->decoder, code, walk.at);
			/* jsr through a register, or with one. */
			if (code->image->wants_sites && length >= 2 && bytes[0] == 0x4e &&
			    (bytes[1] & 0xc0) == 0x80)
				gprofx_add_site(calls, code->address + walk.at, 0,
				                GPROFX_CALL_INDIRECT, (uint32_t)length);
		}
		if (walk.more->pointers)
			take_pointer(&walk, bytes, readable);
		length = whole_steps(length);
	}
}

/* GNU gprof does not know the machine. */
static enum gprofx_result
worker_open(struct gprofx *gx, const struct gprofx_scanned_image *image, const void *options,
            void **opaque)
{
	struct worker *worker;

	*opaque = NULL;
	if (image->strict)
		return GPROFX_DECLINED;
	*opaque = worker = gprofx_alloc(gx, sizeof *worker);
	worker->more = options;
	return decoder_open(gx, &worker->decoder, DECODER_M68K);
}

static void
worker_close(struct gprofx *gx, void *opaque)
{
	struct worker *worker = opaque;

	(void)gx;
	decoder_close(&worker->decoder);
}

/* Stubs: a jump to what is in a slot, at a distance. */
static void
find_stubs(const struct gprofx_code *code, const void *options, struct gprofx_stubs *stubs)
{
	static const uint8_t jump[] = {0x4e, 0xfb, 0x01, 0x71};
	enum { JUMP_BYTES = 8 };
	const struct gprofx_scan_options *more = options;

	if (!more->plt || !gprofx_is_linkage(code))
		return;
	for (uint64_t at = 0; at < code->byte_count && code->readable - at >= JUMP_BYTES; at += 2) {
		const uint8_t *bytes = code->bytes + at;
		uint64_t slot;

		if (memcmp(bytes, jump, sizeof jump) != 0)
			continue;
		slot = code->address + at + 2 + gprofx_signed(gprofx_word_at(bytes + 4, true), 32);
		slot = (uint32_t)slot;
		if (gprofx_is_slot(code, slot))
			stubs->add(stubs, code->address + at, JUMP_BYTES, slot);
	}
}

static uint64_t
length_at(void *opaque, const struct gprofx_code *code, uint64_t offset)
{
	return whole_steps(decoder_length(&((const struct worker *)opaque)->decoder, code, offset));
}

/* What fills up space behind a return or a jump. */
static uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form fills[] = {
		{UINT16_MAX, 0x4e71, 2}, /* nop */
		{UINT16_MAX, 0, 2},      /* what linkers put there */
	};
	static const struct gprofx_fill_form ends[] = {
		{UINT16_MAX, 0x4e75, 2},             /* rts */
		{0xffff0000, 0x4e740000, 4},         /* rtd */
		{0xffff0000, 0x60000000, 4},         /* bra */
		{0xffff00000000, 0x60ff00000000, 6}, /* bra, far */
		{0xff00, 0x6000, 2},                 /* bra, near */
		{0xfff8, 0x4ed0, 2},                 /* jmp */
		{0xffff0000, 0x4efa0000, 4},         /* jmp at a distance */
		{0xffff00000000, 0x4ef900000000, 6}, /* jmp to an address */
		{UINT16_MAX, 0x4afc, 2},             /* illegal */
		{0xfff0, 0x4e40, 2},                 /* trap */
	};
	static const struct gprofx_fill_form calls[] = {
		{0xffff0000, 0x61000000, 4},         /* bsr */
		{0xffff00000000, 0x61ff00000000, 6}, /* bsr, far */
		{0xff00, 0x6100, 2},                 /* bsr, near */
		{0xfff8, 0x4e90, 2},                 /* jsr */
		{0xffff0000, 0x4eba0000, 4},         /* jsr at a distance */
		{0xffff00000000, 0x4eb900000000, 6}, /* jsr to an address */
	};
	static const struct gprofx_fill_rules rules = {.unit = 2,
	                                               .big_endian = true,
	                                               GPROFX_FILL_LISTS(fills, ends, calls)};

	return gprofx_fill_by_rules(code, stated, &rules);
}

static const struct gprofx_option option_table[] = {
	GPROFX_OPTION_TAIL_CALLS,
	GPROFX_OPTION_PLT,
	GPROFX_OPTION_POINTERS,
};

static const uint16_t machines[] = {4};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = worker_open,
                                                .worker_close = worker_close,
                                                .scan = scan,
                                                .stubs = find_stubs,
                                                .fill = fill_at_end,
                                                .length = length_at};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-m68k",
                 .version = "1.0",
                 .summary = "Calls in code of Motorola 68000",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
