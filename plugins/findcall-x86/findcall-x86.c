/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-x86: calls and jumps of i386 and x86-64 that lead to functions.
 *
 * Any byte can look like the begin of a call.  What could be one is found first, as that is fast;
 * it counts where decoding from the begin of the function on, by capstone, comes to it.
 */
#include <string.h>

#include <gprofx/code.h>

#include "../shared/decoder.h"

enum {
	CALL = 0xe8,
	JUMP = 0xe9,
	SHORT_JUMP = 0xeb,
	NEAR_BYTES = 5,
	SHORT_BYTES = 2,
	SHORT_REACH = 130
};

struct options {
	bool verify, tail_calls;
};

struct worker {
	struct decoder decoder;
	const struct options *options;
	/*
	 * Per byte that can stand where something begins: less than SHORT_REACH from an end of the
	 * code, and elsewhere, where short jumps stay within it.
	 */
	bool is_looked_at[256], is_far_of_ends[256];
};

/* A piece of code under way. */
struct walk {
	const struct worker *worker;
	const struct gprofx_code *code;
	uint64_t boundary; /* offset: an instruction begins here, and what is before is known */
};

/* What could be a transfer to a function. */
struct candidate {
	uint64_t at, past; /* offsets of the opcode, and behind the instruction */
	uint64_t to;
	enum gprofx_call_kind kind;
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
	bool is_wide = code->image->target->machine == 62;

	return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e ||
	       byte == 0x3e || (is_wide && (byte & 0xf0) == 0x40);
}

/* Whether the candidate is an instruction; *from: offset of its first prefix. */
static bool
is_confirmed(struct walk *walk, const struct candidate *candidate, uint64_t *from)
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

/* A distance of 4 bytes at an offset, with what stands before it. */
static bool
take_near(const struct gprofx_code *code, uint64_t opcode, uint64_t at, enum gprofx_call_kind kind,
          struct candidate *candidate)
{
	bool is_wide = code->image->target->machine == 62;

	if (code->readable < at || code->readable - at < 4)
		return false;
	candidate->at = opcode;
	candidate->past = at + 4;
	candidate->to = code->address + candidate->past +
	                gprofx_signed(gprofx_word_at(code->bytes + at, false), 32);
	if (!is_wide)
		candidate->to = (uint32_t)candidate->to;
	candidate->kind = kind;
	return gprofx_begins(code, candidate->to);
}

/* Jumps within a function are many, and no begin of another one is so near to most of them. */
static bool
take_short(const struct gprofx_code *code, uint64_t at, struct candidate *candidate)
{
	uint64_t to;

	if (code->readable - at < SHORT_BYTES)
		return false;
	to = at + SHORT_BYTES + gprofx_signed(code->bytes[at + 1], 8);
	if (to < code->byte_count)
		return false;
	candidate->at = at;
	candidate->past = at + SHORT_BYTES;
	candidate->to = code->address + to;
	candidate->kind = GPROFX_CALL_TAIL;
	return gprofx_begins(code, candidate->to);
}

/* Whether what stands at an offset could lead to a function. */
static bool
take_candidate(const struct gprofx_code *code, bool jumps, uint64_t at, struct candidate *candidate)
{
	uint8_t byte = code->bytes[at];

	if (byte == CALL)
		return take_near(code, at, at + 1, GPROFX_CALL_DIRECT, candidate);
	if (!jumps)
		return false;
	if (byte == JUMP)
		return take_near(code, at, at + 1, GPROFX_CALL_TAIL, candidate);
	if (byte == SHORT_JUMP || (byte & 0xf0) == 0x70)
		return take_short(code, at, candidate);
	if (byte == 0x0f && code->readable - at > 1 && (code->bytes[at + 1] & 0xf0) == 0x80)
		return take_near(code, at, at + 2, GPROFX_CALL_TAIL, candidate);
	return false;
}

/* Where the pointer is that a call goes through, if its place stands in the instruction; or 0. */
static uint64_t
pointer_of(const struct gprofx_code *code, uint64_t at, uint64_t past)
{
	enum { MODE = 0xc7, PLACE = 0x05, PLACE_BYTES = 6 };
	bool is_wide = code->image->target->machine == 62;
	uint64_t place;

	if (past - at != PLACE_BYTES || (code->bytes[at + 1] & MODE) != PLACE)
		return 0;
	place = gprofx_word_at(code->bytes + at + 2, false);
	return is_wide ? code->address + past + gprofx_signed(place, 32) : place;
}

/* Every call, wherever it leads to, with where it returns: each instruction is looked at. */
static void
scan_sites(const struct worker *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	enum { GROUP = 0xff, OPERATION = 0x38, NEAR = 0x10, FAR = 0x18, REGISTER = 0xc0 };
	struct candidate candidate;
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
		if (code->bytes[at] == CALL &&
		    take_near(code, at, at + 1, GPROFX_CALL_DIRECT, &candidate) &&
		    candidate.past == past)
			gprofx_add_site(calls, code->address + from, candidate.to,
			                GPROFX_CALL_DIRECT, (uint32_t)length);
		else if (code->bytes[at] == GROUP && ((code->bytes[at + 1] & OPERATION) == NEAR ||
		                                      ((code->bytes[at + 1] & OPERATION) == FAR &&
		                                       code->bytes[at + 1] < REGISTER)))
			gprofx_add_site(calls, code->address + from, pointer_of(code, at, past),
			                GPROFX_CALL_INDIRECT, (uint32_t)length);
	}
}

/* The first offset from there on where something stands that take_candidate() looks at. */
static uint64_t
next_place(const struct worker *worker, const struct gprofx_code *code, uint64_t at)
{
	uint64_t end = code->byte_count, far = end > SHORT_REACH ? end - SHORT_REACH : 0;

	for (; at < end && at < SHORT_REACH; at++)
		if (worker->is_looked_at[code->bytes[at]])
			return at;
	for (; at < far; at++)
		if (worker->is_far_of_ends[code->bytes[at]])
			return at;
	for (; at < end; at++)
		if (worker->is_looked_at[code->bytes[at]])
			return at;
	return end;
}

static void
look_at(struct worker *worker, uint32_t first, uint32_t count)
{
	memset(worker->is_looked_at + first, true, count);
}

static void
scan(void *opaque, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	const struct worker *worker = opaque;
	struct walk walk = {.worker = worker, .code = code};
	struct candidate candidate;
	uint64_t from, at = 0;

	if (code->image->strict) {
		scan_strictly(code, calls);
		return;
	}
	if (code->image->wants_sites) {
		scan_sites(worker, code, calls);
		return;
	}
	while ((at = next_place(worker, code, at)) < code->byte_count) {
		if (take_candidate(code, worker->options->tail_calls, at, &candidate) &&
		    is_confirmed(&walk, &candidate, &from)) {
			gprofx_add_call(calls, code->address + from, candidate.to, candidate.kind);
			at = candidate.past;
		} else {
			/* What lies in an instruction that is known is none. */
			at = walk.boundary > at ? walk.boundary : at + 1;
		}
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
	look_at(worker, CALL, 1);
	if (worker->options->tail_calls) {
		look_at(worker, JUMP, 1);
		look_at(worker, 0x0f, 1);
	}
	memcpy(worker->is_far_of_ends, worker->is_looked_at, sizeof worker->is_looked_at);
	if (worker->options->tail_calls) {
		look_at(worker, SHORT_JUMP, 1);
		look_at(worker, 0x70, 16);
	}
	if (!worker->options->verify && !image->wants_sites)
		return GPROFX_OK;
	return decoder_open(gx, &worker->decoder,
	                    image->target->machine == 62 ? DECODER_X86_64 : DECODER_I386);
}

static void
worker_close(struct gprofx *gx, void *opaque)
{
	struct worker *worker = opaque;

	(void)gx;
	decoder_close(&worker->decoder);
}

static const struct gprofx_option option_table[] = {
	{.key = "verify",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, verify),
         .initial = "true",
         .help = "decode code, so that no bytes are taken for a call that are none"},
	{.key = "tail-calls",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, tail_calls),
         .initial = "true",
         .help = "take jumps to the begin of another function for calls"},
};

static const uint16_t machines[] = {3, 62};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 2,
                                                .worker_open = worker_open,
                                                .worker_close = worker_close,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-x86",
                 .version = "1.0",
                 .summary = "Calls in code of i386 and x86-64",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct options, option_table)};
