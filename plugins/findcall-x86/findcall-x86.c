/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-x86: calls and jumps of i386 and x86-64 that lead to functions.
 *
 * Any byte can look like the start of a call.  What could be one is found first, as that is fast;
 * it counts if decoding by capstone, from the function entry on, comes to it.
 */
#include <elf.h>
#include <string.h>

#include <gprofx/code.h>

#include "../shared/decoder.h"
#include "fill.h"
#include "transfer.h"

enum {
	INDIRECT = 0xff,
	ADD = 0x81,
	ADD_EAX = 0x05,
	SHORT_REACH = 130,
	STRETCH = 1024,
	PLACES = 64,
	BLOCK = 64
};

struct options {
	struct gprofx_scan_options more; /* first */
	bool verify;
};

/*
 * What may lead to functions, some at a time.  Where functions begin is asked for all near
 * distances side by side: the answers lie far apart in memory.
 */
struct places {
	uint64_t begin; /* offset of a stretch of code */
	uint32_t bytes; /* in it */
	uint32_t found; /* places in it; their offsets from there: */
	uint16_t offset[STRETCH];
	uint32_t taken; /* of them: in rows or before */
	uint32_t count; /* rows */
	struct transfer rows[PLACES];
	bool is_near[PLACES], leads[PLACES];
};

struct worker {
	struct decoder decoder;
	const struct options *options;
	uint8_t is_looked_at[256]; /* per byte that can stand where something begins */
	/*
	 * The same less than SHORT_REACH from neither end of the code, where short jumps stay
	 * within it: with the mask it is a call; it is this one; or it is that one before a second
	 * byte of a jump.  Where options leave something out, these are calls once more.
	 */
	uint8_t near_mask, slot, two_bytes;
	uint8_t rare_bytes[256]; /* or one of these */
	uint32_t rare_count;
	struct places places; /* in the code that is scanned */
};

/* A piece of code under way. */
struct walk {
	const struct worker *worker;
	const struct gprofx_code *code;
	uint64_t boundary; /* offset: an instruction begins here, and what is before is known */
	/* i386: registers, as bits, that were set to the address of the GOT. */
	uint32_t linkage_registers;
};

/* GNU gprof's rules: distances have no sign, nothing is decoded. */
static void
scan_strictly(const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const uint8_t *next = code->bytes, *past = code->bytes + code->byte_count, *found;

	while (next < past && (found = memchr(next, CALL, (size_t)(past - next))) != NULL) {
		uint64_t at = (uint64_t)(found - code->bytes), from = code->address + at, to;

		next = found + 1;
		if (code->readable - at < NEAR_BYTES)
			return;
		to = from + NEAR_BYTES + gprofx_word_at(found + 1, false);
		if (!gprofx_begins(code, to))
			continue;
		gprofx_add_call(calls, from, to, GPROFX_CALL_DIRECT);
		next = found + NEAR_BYTES;
	}
}

/* Whether a byte before the opcode belongs to a call or jump: what else can stand there. */
static bool
is_prefix(const struct gprofx_code *code, uint8_t byte)
{
	bool is_wide = code->image->target->machine == EM_X86_64;

	return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e ||
	       byte == 0x3e || (is_wide && (byte & 0xf0) == 0x40);
}

/* Whether the candidate is an instruction; *from: offset of its first prefix. */
static bool
is_confirmed(struct walk *walk, const struct transfer *candidate, uint64_t *from)
{
	*from = candidate->at;
	if (!walk->worker->options->verify)
		return true;
	while (walk->boundary <= candidate->at) {
		uint64_t length = decoder_length(&walk->worker->decoder, walk->code,
		                                 walk->boundary);

		*from = walk->boundary;
		walk->boundary += length > 0 ? length : 1;
	}
	if (walk->boundary != candidate->past || *from > candidate->at)
		return false;
	for (uint64_t at = *from; at < candidate->at; at++)
		if (!is_prefix(walk->code, walk->code->bytes[at]))
			return false;
	return true;
}

/*
 * i386: notes a register that gets the address of the GOT: the distance to there is added to the
 * address of the instruction, after a call that reads it.
 */
static void
note_linkage(struct walk *walk, uint64_t at)
{
	enum { TO_REGISTER = 0xc0 };
	const struct gprofx_code *code = walk->code;
	const uint8_t *bytes = code->bytes + at;
	uint64_t readable = code->readable - at;
	bool is_short = bytes[0] == ADD_EAX;
	uint32_t value;

	if ((!is_short && bytes[0] != ADD) || readable < 6 || at < NEAR_BYTES ||
	    bytes[-NEAR_BYTES] != CALL || (!is_short && (bytes[1] & 0xf8) != TO_REGISTER))
		return;
	value = gprofx_word_at(bytes + (is_short ? 1 : 2), false);
	if ((uint32_t)(code->address + at + value) == (uint32_t)code->image->linkage_base)
		walk->linkage_registers |= 1u << (is_short ? 0 : bytes[1] & 7);
}

/* Whether what stands at an offset, and has no near distance, could lead to a function. */
static bool
take_candidate(struct walk *walk, uint64_t at, struct transfer *candidate)
{
	const struct gprofx_scan_options *more = &walk->worker->options->more;
	const struct gprofx_code *code = walk->code;
	uint8_t byte = code->bytes[at];

	if (code->image->linkage_base != 0 && (byte == ADD || byte == ADD_EAX))
		note_linkage(walk, at);
	if (byte == INDIRECT && more->got)
		return transfer_slot(code, more, walk->linkage_registers, at, candidate);
	if (more->pointers && transfer_pointer(code, walk->linkage_registers, at, candidate))
		return true;
	return more->tail_calls && (byte == SHORT_JUMP || (byte & 0xf0) == 0x70) &&
	       transfer_short(code, at, candidate);
}

/* Where the pointer is that a call goes through, if its place stands in the instruction; or 0. */
static uint64_t
pointer_of(const struct gprofx_code *code, uint64_t at, uint64_t past)
{
	enum { MODE = 0xc7, PLACE = 0x05, PLACE_BYTES = 6 };
	bool is_wide = code->image->target->machine == EM_X86_64;
	uint64_t place;

	if (past - at != PLACE_BYTES || (code->bytes[at + 1] & MODE) != PLACE)
		return 0;
	place = gprofx_word_at(code->bytes + at + 2, false);
	return is_wide ? code->address + past + gprofx_signed(place, 32) : place;
}

/* Whether an instruction, known from its opcode to its end, is a jump to a function entry.
 */
static bool
take_jump(const struct gprofx_code *code, uint64_t at, uint64_t past, struct transfer *candidate)
{
	uint8_t byte = code->bytes[at];
	bool is_short = byte == SHORT_JUMP || (byte & 0xf0) == 0x70;

	if (is_short)
		return past - at == SHORT_BYTES && transfer_short(code, at, candidate);
	return byte != CALL && transfer_near(code, at, candidate) && candidate->past == past &&
	       gprofx_begins(code, candidate->to);
}

/* Every call, wherever it leads to, with where it returns: each instruction is looked at. */
static void
scan_sites(const struct worker *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	enum { GROUP = 0xff, OPERATION = 0x38, NEAR = 0x10, FAR = 0x18, REGISTER = 0xc0 };
	struct transfer candidate;
	uint64_t length;

	for (uint64_t from = 0; from < code->byte_count; from += length) {
		uint64_t at = from, past;

		length = decoder_length(&worker->decoder, code, from);
		past = from + length;
		if (length == 0)
			length = 1;
		while (at < past && is_prefix(code, code->bytes[at]))
			at++;
		if (past - from < 2 || past - at < 2)
			continue;
		if (take_jump(code, at, past, &candidate)) {
			gprofx_add_call(calls, code->address + from, candidate.to,
			                GPROFX_CALL_TAIL);
			continue;
		}
		if (code->bytes[at] == CALL && transfer_near(code, at, &candidate) &&
		    candidate.past == past && gprofx_begins(code, candidate.to))
			gprofx_add_site(calls, code->address + from, candidate.to,
			                GPROFX_CALL_DIRECT, (uint32_t)length);
		else if (code->bytes[at] == GROUP && ((code->bytes[at + 1] & OPERATION) == NEAR ||
		                                      ((code->bytes[at + 1] & OPERATION) == FAR &&
		                                       code->bytes[at + 1] < REGISTER)))
			gprofx_add_site(calls, code->address + from, pointer_of(code, at, past),
			                GPROFX_CALL_INDIRECT, (uint32_t)length);
	}
}

/*
 * Bit i: at byte i of a block something stands that is looked at far of the ends.  These loops over
 * all bytes are such that compilers make them compare many at once.
 */
static uint64_t
find_in_block(const struct worker *worker, const uint8_t *bytes)
{
	uint8_t mask = worker->near_mask, slot = worker->slot, two = worker->two_bytes;
	uint8_t hits[BLOCK];
	uint64_t found = 0;

	for (uint32_t i = 0; i < BLOCK; i++) {
		uint8_t is_near = (bytes[i] & mask) == CALL, is_slot = bytes[i] == slot;
		uint8_t is_first = bytes[i] == two, is_second = (bytes[i + 1] & 0xf0) == 0x80;

		hits[i] = is_near | is_slot | (is_first & is_second);
	}
	for (uint32_t k = 0; k < worker->rare_count; k++)
		for (uint32_t i = 0; i < BLOCK; i++)
			hits[i] |= bytes[i] == worker->rare_bytes[k];
	/* Puts eight bits of eight bytes side by side. */
	for (uint32_t i = 0; i < BLOCK; i += 8)
		found |= (gprofx_number_at(hits + i, 8, false) * 0x0102040810204080u >> 56) << i;
	return found;
}

/* Looks through the next stretch of code, without branches that are hard to predict. */
static bool
next_stretch(const struct worker *worker, const struct gprofx_code *code, struct places *places)
{
	uint64_t begin = places->begin + places->bytes, end = code->byte_count;
	uint64_t far = end > SHORT_REACH ? end - SHORT_REACH : 0;
	uint64_t limit = begin < SHORT_REACH && SHORT_REACH < end ? SHORT_REACH : end;
	const uint8_t *bytes = code->bytes + begin;
	uint32_t found = 0, i = 0;

	if (begin >= end)
		return false;
	if (begin >= SHORT_REACH && begin + BLOCK <= far)
		limit = far - (far - begin) % BLOCK;
	places->begin = begin;
	places->bytes = limit - begin < STRETCH ? (uint32_t)(limit - begin) : STRETCH;
	places->taken = 0;
	for (; limit <= far && begin >= SHORT_REACH && i < places->bytes; i += BLOCK)
		for (uint64_t bits = find_in_block(worker, bytes + i); bits != 0; bits &= bits - 1)
			places->offset[found++] = (uint16_t)(i + (uint32_t)__builtin_ctzll(bits));
	for (; i < places->bytes; i++) {
		places->offset[found] = (uint16_t)i;
		found += worker->is_looked_at[bytes[i]];
	}
	places->found = found;
	return true;
}

/* Makes the next rows; false: there are none. */
static bool
next_places(const struct worker *worker, const struct gprofx_code *code, struct places *places)
{
	while (places->taken == places->found)
		if (!next_stretch(worker, code, places))
			return false;
	for (places->count = 0; places->count < PLACES && places->taken < places->found;
	     places->count++, places->taken++) {
		struct transfer *row = &places->rows[places->count];

		*row = (struct transfer){.at = places->begin + places->offset[places->taken]};
		places->is_near[places->count] = transfer_near(code, row->at, row);
	}
	for (uint32_t i = 0; i < places->count; i++)
		places->leads[i] = gprofx_begins(code, places->rows[i].to) & places->is_near[i];
	return true;
}

static void
look_at(struct worker *worker, uint32_t first, uint32_t count)
{
	memset(worker->is_looked_at + first, 1, count);
}

static void
scan(void *opaque, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	struct worker *worker = opaque;
	struct walk walk = {.worker = worker, .code = code};
	struct places *places;
	uint64_t next = 0;

	if (code->image->strict) {
		scan_strictly(code, calls);
		return;
	}
	if (code->image->wants_sites) {
		scan_sites(worker, code, calls);
		return;
	}
	places = &worker->places;
	places->begin = places->bytes = places->taken = places->found = 0;
	while (next_places(worker, code, places))
		for (uint32_t i = 0; i < places->count; i++) {
			struct transfer *row = &places->rows[i];
			uint64_t from;

			/* What lies in an instruction that is known is none. */
			if (row->at < next)
				continue;
			if ((places->is_near[i] ? places->leads[i]
			                        : take_candidate(&walk, row->at, row)) &&
			    is_confirmed(&walk, row, &from)) {
				gprofx_add_call(calls, code->address + from, row->to, row->kind);
				next = row->past;
			} else {
				next = walk.boundary;
			}
		}
}

/* Stubs: a jump through a slot, mostly with a mark before it that lets indirect jumps come here. */
static void
find_stubs(const struct gprofx_code *code, const void *opaque, struct gprofx_stubs *stubs)
{
	enum { JUMP_BYTES = 6, MARK_BYTES = 4, EBX = 3, BOUND = 0xf2 };
	static const uint8_t mark[] = {0xf3, 0x0f, 0x1e};
	const struct options *options = opaque;
	const struct gprofx_scan_options both = {.tail_calls = true};
	uint32_t registers = code->image->linkage_base != 0 ? 1u << EBX : 0;
	struct transfer jump;

	stubs->follows_slots |= options->more.got;
	if (!options->more.plt || !gprofx_is_linkage(code))
		return;
	for (uint64_t at = 0; at < code->byte_count; at++) {
		uint64_t begin = at;

		if (code->bytes[at] != INDIRECT ||
		    !transfer_slot(code, &both, registers, at, &jump) ||
		    jump.kind != GPROFX_CALL_SLOT_TAIL)
			continue;
		if (begin > 0 && code->bytes[begin - 1] == BOUND)
			begin--;
		if (begin >= MARK_BYTES &&
		    memcmp(code->bytes + begin - MARK_BYTES, mark, sizeof mark) == 0)
			begin -= MARK_BYTES;
		stubs->add(stubs, code->address + begin, jump.past - begin, jump.to);
		at = jump.past - 1;
	}
}

static void
look_at_rarely(struct worker *worker, uint8_t first, uint32_t count)
{
	look_at(worker, first, count);
	for (uint32_t i = 0; i < count; i++)
		worker->rare_bytes[worker->rare_count++] = (uint8_t)(first + i);
}

/* What scan() looks at. */
static void
choose_places(struct worker *worker, const struct gprofx_scanned_image *image)
{
	const struct gprofx_scan_options *more = &worker->options->more;

	worker->near_mask = more->tail_calls ? UINT8_MAX & ~(CALL ^ JUMP) : UINT8_MAX;
	worker->two_bytes = more->tail_calls ? TWO_BYTES : CALL;
	worker->slot = more->got ? INDIRECT : CALL;
	look_at(worker, CALL, 1);
	look_at(worker, worker->slot, 1);
	if (image->linkage_base != 0 && image->target->machine != EM_X86_64) {
		look_at_rarely(worker, ADD, 1);
		look_at_rarely(worker, ADD_EAX, 1);
	}
	if (more->pointers) {
		look_at_rarely(worker, PUSH, 1);
		look_at_rarely(worker, LEA, 1);
		look_at_rarely(worker, MOVE, 1);
		look_at_rarely(worker, MOVE_REGISTER, 8);
	}
	if (more->tail_calls) {
		look_at(worker, JUMP, 1);
		look_at(worker, TWO_BYTES, 1);
		look_at(worker, SHORT_JUMP, 1);
		look_at(worker, 0x70, 16);
	}
}

static enum gprofx_result
worker_open(struct gprofx *gx, const struct gprofx_scanned_image *image, const void *options,
            void **opaque)
{
	struct worker *worker;

	*opaque = NULL;
	/* GNU gprof's rules need no decoder. */
	if (image->strict)
		return GPROFX_OK;
	*opaque = worker = gprofx_alloc(gx, sizeof *worker);
	worker->options = options;
	choose_places(worker, image);
	if (!worker->options->verify && !image->wants_sites)
		return GPROFX_OK;
	return decoder_open(gx, &worker->decoder,
	                    image->target->machine == EM_X86_64 ? DECODER_X86_64 : DECODER_I386);
}

static void
worker_close(struct gprofx *gx, void *opaque)
{
	struct worker *worker = opaque;

	(void)gx;
	decoder_close(&worker->decoder);
}

static uint64_t
length_at(void *opaque, const struct gprofx_code *code, uint64_t offset)
{
	return decoder_length(&((const struct worker *)opaque)->decoder, code, offset);
}

static const struct gprofx_option option_table[] = {
	{.key = "verify",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, verify),
         .initial = "true",
         .help = "decode the code, so that other bytes are not mistaken for calls"},
	GPROFX_OPTION_TAIL_CALLS,
	GPROFX_OPTION_PLT,
	GPROFX_OPTION_GOT,
	GPROFX_OPTION_POINTERS,
};

static const uint16_t machines[] = {EM_386, EM_X86_64};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 2,
                                                .worker_open = worker_open,
                                                .worker_close = worker_close,
                                                .scan = scan,
                                                .stubs = find_stubs,
                                                .fill = fill_at_end,
                                                .length = length_at};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-x86",
                 .version = "1.0",
                 .summary = "Calls in code of i386 and x86-64",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct options, option_table)};
