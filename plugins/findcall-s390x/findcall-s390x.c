/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-s390x: branches of s390 and s390x that lead to functions.  An instruction has 2, 4 or 6
 * bytes, as its first two bits say, so code is walked from the function entry on.
 */
#include <string.h>

#include <gprofx/code.h>

enum { LARL = 0xc0 };

/* The address that an instruction of 6 bytes has the distance to. */
static uint64_t
distant(const uint8_t *bytes, uint64_t from)
{
	return from + 2 * gprofx_signed(gprofx_word_at(bytes + 2, true), 32);
}

static void
take_pointer(const struct gprofx_code *code, const uint8_t *bytes, uint64_t from,
             struct gprofx_calls *calls)
{
	uint64_t to = distant(bytes, from);

	if (code->image->target->pointer_bytes == 4)
		to &= 0x7fffffff;
	if (bytes[0] == LARL && (bytes[1] & 15) == 0 && gprofx_begins(code, to))
		gprofx_add_call(calls, from, to, GPROFX_CALL_POINTER);
}

/* Where a branch leads to, and of what kind it is; false: it is none. */
static bool
take_branch(const uint8_t *bytes, uint32_t length, uint64_t from, uint64_t *to,
            enum gprofx_call_kind *kind)
{
	enum { LONG = 0xc0, SHORT = 0xa7, SAVES = 5, ALWAYS = 0xf4 };
	uint64_t distance;

	if (length == 6 && bytes[0] == LONG)
		distance = gprofx_signed(gprofx_word_at(bytes + 2, true), 32);
	else if (length == 4 && bytes[0] == SHORT)
		distance = gprofx_signed(gprofx_half_at(bytes + 2, true), 16);
	else
		return false;
	/* brasl and bras keep where to return to; brcl and brc on any condition are jumps. */
	if ((bytes[1] & 0xf) != SAVES && bytes[1] != ALWAYS)
		return false;
	*kind = bytes[1] == ALWAYS ? GPROFX_CALL_TAIL : GPROFX_CALL_DIRECT;
	*to = from + 2 * distance;
	return true;
}

/* As the first two bits say. */
static uint32_t
length_of(const uint8_t *bytes)
{
	static const uint8_t lengths[] = {2, 4, 4, 6};

	return lengths[bytes[0] >> 6];
}

static uint64_t
length_at(void *worker, const struct gprofx_code *code, uint64_t offset)
{
	(void)worker;
	return length_of(code->bytes + offset);
}

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	bool is_wide = code->image->target->pointer_bytes == 8;
	const struct gprofx_scan_options *more = gprofx_scan_options(code, worker);
	uint32_t length;

	for (uint64_t at = 0; at < code->byte_count; at += length) {
		enum gprofx_call_kind kind;
		uint64_t to;

		length = length_of(code->bytes + at);
		if (code->readable - at < length)
			return;
		/* basr and bas; without a register, basr is no call. */
		if (code->image->wants_sites &&
		    ((code->bytes[at] == 0x0d && (code->bytes[at + 1] & 0xf) != 0) ||
		     code->bytes[at] == 0x4d))
			gprofx_add_site(calls, code->address + at, 0, GPROFX_CALL_INDIRECT, length);
		if (more->pointers && length == 6)
			take_pointer(code, code->bytes + at, code->address + at, calls);
		if (!take_branch(code->bytes + at, length, code->address + at, &to, &kind))
			continue;
		if (!is_wide)
			to &= 0x7fffffff;
		if ((kind == GPROFX_CALL_DIRECT || more->tail_calls) && gprofx_begins(code, to))
			gprofx_add_site(calls, code->address + at, to, kind, length);
	}
}

/* Stubs: the address of a slot, a load from it, and a jump. */
static void
find_stubs(const struct gprofx_code *code, const void *options, struct gprofx_stubs *stubs)
{
	static const uint8_t behind[] = {0xe3, 0x10, 0x10, 0x00, 0x00, 0x04, 0x07, 0xf1};
	enum { REGISTER_1 = 0x10, ADDRESS_BYTES = 6, STUB_BYTES = 32 };
	const struct gprofx_scan_options *more = options;

	if (!more->plt || !gprofx_is_linkage(code))
		return;
	for (uint64_t at = 0; at < code->byte_count && code->readable - at >= STUB_BYTES; at += 2) {
		const uint8_t *bytes = code->bytes + at;
		uint64_t slot = distant(bytes, code->address + at);

		if (bytes[0] == LARL && bytes[1] == REGISTER_1 &&
		    memcmp(bytes + ADDRESS_BYTES, behind, sizeof behind) == 0 &&
		    gprofx_is_slot(code, slot))
			stubs->add(stubs, code->address + at, STUB_BYTES, slot);
	}
}

/* What fills up space behind a return or a jump. */
static uint64_t
fill_at_end(const struct gprofx_code *code, uint64_t stated)
{
	static const struct gprofx_fill_form fills[] = {
		{0xfff0, 0x0700, 2},                 /* nopr */
		{0xfff00000, 0x47000000, 4},         /* nop */
		{0xffff00000000, 0xc00400000000, 6}, /* jgnop */
		{UINT16_MAX, 0, 2},                  /* what linkers put there */
	};
	static const struct gprofx_fill_form ends[] = {
		{0xfff0, 0x07f0, 2},                 /* br */
		{0xffff0000, 0xa7f40000, 4},         /* j */
		{0xffff00000000, 0xc0f400000000, 6}, /* jg */
		{0xfff00000, 0x47f00000, 4},         /* b */
	};
	static const struct gprofx_fill_form calls[] = {
		{0xff0f0000, 0xa7050000, 4},         /* bras */
		{0xff0f00000000, 0xc00500000000, 6}, /* brasl */
		{0xff00, 0x0d00, 2},                 /* basr */
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

static const uint16_t machines[] = {22};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan,
                                                .stubs = find_stubs,
                                                .fill = fill_at_end,
                                                .length = length_at};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "findcall-s390x",
                 .version = "1.0",
                 .summary = "Calls in code of s390 and s390x",
                 .findcall = &findcall,
                 GPROFX_OPTIONS(struct gprofx_scan_options, option_table)};
