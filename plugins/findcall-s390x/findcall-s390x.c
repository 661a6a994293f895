/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findcall-s390x: branches of s390 and s390x that lead to functions.  An instruction has 2, 4 or 6
 * bytes, as its first two bits say, so code is walked from the begin of a function on.
 */
#include <gprofx/code.h>

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

static void
scan(void *worker, const struct gprofx_code *code, struct gprofx_calls *calls)
{
	bool is_wide = code->image->target->pointer_bytes == 8;
	uint32_t length;

	(void)worker;
	for (uint64_t at = 0; at < code->byte_count; at += length) {
		static const uint8_t lengths[] = {2, 4, 4, 6};
		enum gprofx_call_kind kind;
		uint64_t to;

		length = lengths[code->bytes[at] >> 6];
		if (code->readable - at < length)
			return;
		/* basr and bas; without a register, basr is no call. */
		if (code->image->wants_sites &&
		    ((code->bytes[at] == 0x0d && (code->bytes[at + 1] & 0xf) != 0) ||
		     code->bytes[at] == 0x4d))
			gprofx_add_site(calls, code->address + at, 0, GPROFX_CALL_INDIRECT, length);
		if (!take_branch(code->bytes + at, length, code->address + at, &to, &kind))
			continue;
		if (!is_wide)
			to &= 0x7fffffff;
		if (gprofx_begins(code, to))
			gprofx_add_site(calls, code->address + at, to, kind, length);
	}
}

static const uint16_t machines[] = {22};

static const struct gprofx_findcall findcall = {.size = sizeof findcall,
                                                .machines = machines,
                                                .machine_count = 1,
                                                .worker_open = gprofx_open_unless_strict,
                                                .scan = scan};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "findcall-s390x", .version = "1.0",
                 .summary = "Calls in code of s390 and s390x", .findcall = &findcall};
