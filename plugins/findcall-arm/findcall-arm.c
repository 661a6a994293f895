/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-arm: branches of 32-bit ARM that lead to functions, in both of its sets of instructions.
 * Marks in the code say where it is ARM ($a), Thumb ($t) and data ($d).
 */
#include <gprofx/branches.h>

/* In e_flags: instructions are little-endian though data are not. */
#define EF_ARM_BE8 0x00800000u

/* The first half of Thumb that another one belongs to. */
enum { FIRST_PAIR = 0xe800 };

/* Something in the code under way. */
struct place {
	const struct gprofx_code *code;
	const struct gprofx_scan_options *more;
	uint64_t at; /* offset */
	bool big_endian;
	/* Lower halves that instructions put into registers, for those that add the upper ones. */
	uint32_t lower[16];
	uint32_t has_lower; /* bits */
	struct gprofx_call_batch batch;
};

static void
add(struct place *place, uint64_t to, bool links)
{
	if (links | place->more->tail_calls)
		gprofx_batch_branch(&place->batch, place->code->address + place->at, (uint32_t)to,
		                    !links, 4);
}

/* blx to what a register says. */
static void
add_indirect(struct place *place, uint32_t length)
{
	if (place->code->image->wants_sites)
		gprofx_batch_call(&place->batch, place->code->address + place->at, 0,
		                  GPROFX_CALL_INDIRECT, length);
}

static void
add_pointer(struct place *place, uint32_t to)
{
	/* The last bit says that it is Thumb. */
	to &= ~1u;
	if (gprofx_begins(place->code, to))
		gprofx_batch_call(&place->batch, place->code->address + place->at, to,
		                  GPROFX_CALL_POINTER, GPROFX_NO_RETURN);
}

/* A word of data in the code that an instruction loads. */
static void
take_literal(struct place *place, uint64_t address)
{
	const struct gprofx_code *code = place->code;
	uint64_t at = address - code->address;

	if (at < code->readable && code->readable - at >= 4)
		add_pointer(place,
		            gprofx_word_at(code->bytes + at, code->image->target->big_endian));
}

/* One half of a register is set to a number. */
static void
take_half_number(struct place *place, uint32_t reg, bool is_upper, uint32_t number)
{
	if (!is_upper) {
		place->lower[reg] = number;
		place->has_lower |= 1u << reg;
	} else if (place->has_lower >> reg & 1) {
		place->has_lower &= ~(1u << reg);
		add_pointer(place, number << 16 | place->lower[reg]);
	}
}

static void
take_arm_pointer(struct place *place, uint32_t word)
{
	uint64_t pc = place->code->address + place->at + 8;

	if ((word & 0x0f700000) == 0x05100000 && (word >> 16 & 15) == 15)
		take_literal(place, word & 0x00800000 ? pc + (word & 0xfff) : pc - (word & 0xfff));
	else if ((word & 0x0fb00000) == 0x03000000)
		take_half_number(place, word >> 12 & 15, (word & 0x00400000) != 0,
		                 (word >> 4 & 0xf000) | (word & 0xfff));
}

static void
take_thumb_pointer(struct place *place, uint32_t first, uint32_t second)
{
	uint64_t pc = (place->code->address + place->at + 4) & ~(uint64_t)3;

	if ((first & 0xf800) == 0x4800)
		take_literal(place, pc + 4 * (uint64_t)(first & 0xff));
	else if ((first & 0xff7f) == 0xf85f)
		take_literal(place, first & 0x80 ? pc + (second & 0xfff) : pc - (second & 0xfff));
	else if ((first & 0xfb70) == 0xf240)
		take_half_number(place, second >> 8 & 15, (first & 0x80) != 0,
		                 (first & 15) << 12 | (first & 0x0400) << 1 |
		                         (second >> 4 & 0x0700) | (second & 0xff));
}

/* A branch of ARM. */
static inline struct gprofx_branch
branch_at(const void *options, const struct gprofx_code *code, uint64_t from, uint32_t word)
{
	const struct gprofx_scan_options *more = options;
	/* blx, to Thumb. */
	bool is_exchange = word >> 28 == 0xf;
	bool links = is_exchange | ((word & 0x01000000) != 0);
	uint64_t to = from + 8 + 4 * gprofx_signed(word, 24);

	(void)code;
	return (struct gprofx_branch){
		.to = (uint32_t)(to + (is_exchange ? word >> 23 & 2 : 0)),
		.returns = 4,
		.is_tail = !links,
		.is_call = links | more->tail_calls,
	};
}

static void
take_arm(struct place *place, uint32_t word)
{
	uint64_t from = place->code->address + place->at;
	const struct gprofx_branch branch = branch_at(place->more, place->code, from, word);

	if ((word & 0x0e000000) == 0x0a000000)
		add(place, branch.to, !branch.is_tail);
	else if (word >> 28 != 0xf && (word & 0x0ffffff0) == 0x012fff30)
		add_indirect(place, 4);
}

static void
take_thumb_half(struct place *place, uint32_t half)
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
take_thumb_pair(struct place *place, uint32_t first, uint32_t second)
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

/* Looks at instructions up to an offset, from one that is before it. */
static void
take_words(struct place *place, uint64_t end)
{
	/* b, bl and blx; blx to what a register says; everything. */
	struct gprofx_word_form forms[2] = {{0x0e000000, 0x0a000000}, {0x0e000000, 0x0a000000}};
	struct gprofx_code part = *place->code;
	struct gprofx_words words = {0};
	uint32_t word;

	/* Instructions are aligned, and marks need not be. */
	place->at += (0 - (part.address + place->at)) & 3;
	if (place->at >= end)
		return;
	words.next = place->at;
	part.byte_count = end;
	part.mark_count = 0;
	if (part.image->wants_sites)
		forms[1] = (struct gprofx_word_form){0x0ffffff0, 0x012fff30};
	if (place->more->pointers)
		forms[1] = (struct gprofx_word_form){0, 0};
	while (gprofx_next_word_of(&words, &part, place->big_endian, forms, 2, &word)) {
		place->at = words.at;
		take_arm(place, word);
		if (place->more->pointers)
			take_arm_pointer(place, word);
	}
	place->at += (end - place->at + 3) & ~(uint64_t)3;
}

/* The same in Thumb. */
static void
take_halves(struct place *place, uint64_t end)
{
	bool takes_pointers = place->more->pointers;
	uint64_t readable = place->code->readable;

	while (place->at < end && readable - place->at >= 2) {
		const uint8_t *bytes = place->code->bytes + place->at;
		uint32_t half = gprofx_half_at(bytes, place->big_endian), second = 0;

		if (half < FIRST_PAIR) {
			take_thumb_half(place, half);
			if (takes_pointers)
				take_thumb_pointer(place, half, 0);
			place->at += 2;
			continue;
		}
		if (readable - place->at >= 4) {
			second = gprofx_half_at(bytes + 2, place->big_endian);
			take_thumb_pair(place, half, second);
			if (takes_pointers)
				take_thumb_pointer(place, half, second);
		}
		place->at += 4;
	}
}

static bool
is_big_endian(const struct gprofx_code *code)
{
	return code->image->target->big_endian && !(code->image->machine_flags & EF_ARM_BE8);
}

static void
scan_function(const struct gprofx_scan_options *more, const struct gprofx_code *code,
              struct gprofx_calls *calls)
{
	struct gprofx_mark_walk walk = {.letter = 'a'};
	struct place place;
	uint64_t end;

	place.code = code;
	place.more = more;
	place.big_endian = is_big_endian(code);
	place.has_lower = 0;
	gprofx_begin_batch(&place.batch, code, calls);
	for (place.at = 0; place.at < code->byte_count;
	     place.at = place.at < end ? end : place.at) {
		char letter = gprofx_mark_at(&walk, code, code->address + place.at);

		end = walk.next < code->mark_count ? code->marks[walk.next].address - code->address
		                                   : code->byte_count;
		if (end <= place.at || end > code->byte_count)
			end = code->byte_count;
		if (letter == 't')
			take_halves(&place, end);
		else if (letter != 'd')
			take_words(&place, end);
	}
	gprofx_hand_over(&place.batch);
}

static bool
has_thumb(const struct gprofx_code *code)
{
	struct gprofx_mark_walk walk = {.letter = 'a'};

	while (walk.next < code->mark_count)
		if (gprofx_mark_at(&walk, code, code->marks[walk.next].address) == 't')
			return true;
	return false;
}

/* Any number of functions, all in ARM. */
static void
scan_functions(const struct gprofx_scan_options *more, const struct gprofx_code *code,
               struct gprofx_calls *calls)
{
	static const struct gprofx_word_form forms[] = {{0x0e000000, 0x0a000000}};

	gprofx_find_branches(code, calls, forms, 1,
	                     (struct gprofx_branches){.letter = 'a',
	                                              .big_endian = is_big_endian(code),
	                                              .branch_at = branch_at,
	                                              .how = more});
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	bool is_plain = code->address % 4 == 0 && !has_thumb(code);

	gprofx_scan_functions(gprofx_scan_options(code, worker), code, calls,
	                      is_plain ? scan_functions : NULL, scan_function);
}

/* A number of 8 bits, turned by an even number of bits. */
static uint32_t
turned(uint32_t word)
{
	uint32_t by = word >> 7 & 30, number = word & 0xff;

	return by == 0 ? number : number >> by | number << (32 - by);
}

/*
 * Stubs: what adds up to the address of a slot, and a jump through it; for callers in Thumb, two
 * short instructions before it.
 */
static void
find_stubs(const struct gprofx_code *code, const void *options, struct gprofx_stubs *stubs)
{
	enum { TO_ARM = 0x4778, ENTRY_BYTES = 4 };
	const struct gprofx_scan_options *more = options;
	bool big_endian = is_big_endian(code), is_open = false;
	struct gprofx_words words = {0};
	uint64_t begin = 0, slot = 0;
	uint32_t word;

	if (!more->plt || !gprofx_is_linkage(code))
		return;
	while (gprofx_next_word(&words, code, big_endian, &word)) {
		if ((word & 0xfffff000) == 0xe28fc000) {
			begin = words.at;
			slot = code->address + begin + 8 + turned(word);
			is_open = true;
		} else if ((word & 0xfffff000) == 0xe28cc000) {
			slot += turned(word);
		} else {
			slot = (uint32_t)(slot + (word & 0xfff));
			if (is_open && (word & 0xfffff000) == 0xe5bcf000 &&
			    gprofx_is_slot(code, slot)) {
				if (begin >= ENTRY_BYTES &&
				    gprofx_half_at(code->bytes + begin - ENTRY_BYTES, big_endian) ==
				            TO_ARM)
					stubs->add(stubs, code->address + begin - ENTRY_BYTES,
					           ENTRY_BYTES, slot);
				stubs->add(stubs, code->address + begin, words.at + 4 - begin,
				           slot);
			}
			is_open = false;
		}
	}
}

static uint64_t
length_at(void *worker, const struct gprofx_code *code, uint64_t offset)
{
	struct gprofx_mark_walk walk = {.letter = 'a'};
	uint64_t address = code->address + offset;

	(void)worker;
	if (gprofx_mark_at(&walk, code, address) != 't')
		return 4 - address % 4;
	if (address % 2 != 0 || code->readable - offset < 2)
		return 1;
	return gprofx_half_at(code->bytes + offset, is_big_endian(code)) < FIRST_PAIR ? 2 : 4;
}

/* What fills up space behind a return or a jump of ARM. */
static uint64_t
fill_of_words(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form fills[] = {
		{UINT32_MAX, 0xe320f000, 4}, /* nop */
		{UINT32_MAX, 0xe1a00000, 4}, /* mov r0, r0 */
		{UINT32_MAX, 0, 4}};         /* what linkers put there */
	static const struct gprofx_fill_form ends[] = {
		{0xfffffff0, 0xe12fff10, 4},  /* bx */
		{0xff000000, 0xea000000, 4},  /* b */
		{UINT32_MAX, 0xe1a0f00e, 4},  /* mov pc, lr */
		{0xfe108000, 0xe8108000, 4},  /* ldm with pc */
		{0xfe10f000, 0xe410f000, 4},  /* ldr to pc */
		{0xfff000f0, 0xe7f000f0, 4}}; /* udf */
	static const struct gprofx_fill_form calls[] = {{0xff000000, 0xeb000000, 4}, /* bl */
	                                                {0xfe000000, 0xfa000000, 4}, /* blx */
	                                                {0xfffffff0, 0xe12fff30, 4}};
	const struct gprofx_fill_rules rules = {.unit = 4,
	                                        .big_endian = is_big_endian(code),
	                                        GPROFX_FILL_LISTS(fills, ends, calls)};

	return gprofx_fill_by_rules(code, stated, &rules);
}

/* The same, or that of Thumb: which of them it is the code does not tell. */
static uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form fills[] = {
		{UINT32_MAX, 0xf3af8000, 4}, /* nop.w */
		{UINT16_MAX, 0xbf00, 2},     /* nop */
		{UINT16_MAX, 0x46c0, 2},     /* mov r8, r8 */
		{UINT16_MAX, 0, 2}};         /* what linkers put there */
	static const struct gprofx_fill_form ends[] = {
		{0xff87, 0x4700, 2},          /* bx */
		{0xff00, 0xbd00, 2},          /* pop with pc */
		{0xf800, 0xe000, 2},          /* b */
		{0xff87, 0x4687, 2},          /* mov pc */
		{0xff00, 0xde00, 2},          /* udf */
		{0xf800d000, 0xf0009000, 4},  /* b.w */
		{0xffd08000, 0xe8908000, 4},  /* ldm with pc */
		{0xfff0f000, 0xf850f000, 4}}; /* ldr to pc */
	static const struct gprofx_fill_form calls[] = {{0xf800c000, 0xf000c000, 4}, /* bl, blx */
	                                                {0xff87, 0x4780, 2}};
	const struct gprofx_fill_rules rules = {.unit = 2,
	                                        .big_endian = is_big_endian(code),
	                                        GPROFX_FILL_LISTS(fills, ends, calls)};
	uint64_t fill = fill_of_words(code, stated);

	return fill > 0 ? fill : gprofx_fill_by_rules(code, stated, &rules);
}

static const struct gprofx_option option_table[] = {
	GPROFX_OPTION_TAIL_CALLS,
	GPROFX_OPTION_PLT,
	GPROFX_OPTION_POINTERS,
};

static const uint16_t machines[] = {40};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan,
                                                .stubs = find_stubs,
                                                .step = 4,
                                                .fill = fill_at_end,
                                                .length = length_at};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-arm",
                 .version = "1.0",
                 .summary = "Calls in code of ARM",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
