/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Basic blocks of code that counts them by calls (-fsanitize-coverage=trace-pc): which there are,
 * whether they ran or not, and how far their counts hold.  A count holds from a block's call on, as
 * far as one instruction follows the other: up to the next block, up to a branch, and up to where
 * another branch leads.  What is there without a call of its own has no count: compilers leave out
 * blocks without statements, such as that of a "break".
 *
 * Only instructions of x86-64 are known here.  On other machines, only what ran is known.
 */
#include <elf.h>
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "plugin/plugins.h"
#include "scan/parts.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

#define COUNTER "__sanitizer_cov_trace_pc"

/* Functions behind whose calls the code does not go on. */
static const char *const endings[] = {"__cxa_throw",    "__cxa_rethrow", "__cxa_bad_cast",
                                      "_Unwind_Resume", "abort",         "exit",
                                      "_exit",          "_Exit",         "quick_exit",
                                      "longjmp",        "__longjmp_chk", "__stack_chk_fail",
                                      "__assert_fail",  "pthread_exit"};

/* Bytes that may be decoded, for each of the image: sections of hostile files overlap. */
enum { MOST_BYTES_PER_BYTE = 8 };

/* What an instruction is to the blocks. */
enum step { STEP_ON, STEP_COUNT, STEP_BRANCH, STEP_END };

struct instruction {
	enum step step;
	bool has_target;
	uint64_t target;
};

/* What happens at an address. */
enum event { EVENT_COUNT, EVENT_START, EVENT_TARGET, EVENT_END };

/* What calls lead to: functions, their stubs, and their slots, by ascending address. */
struct leads {
	uint64_t *address;
	uint32_t *is_counter; /* or an ending */
	uint32_t count, address_room, counter_room;
};

#define NO_LEAD UINT32_MAX

struct walk {
	struct run *run;
	const struct scanner *scanner;
	struct leads leads;
	uint64_t *address, *back;
	uint32_t *event;
	uint32_t count, address_room, back_room, event_room;
};

static bool
is_named(const char *name, const char *wanted)
{
	size_t length = strlen(wanted);

	return strncmp(name, wanted, length) == 0 && (name[length] == '\0' || name[length] == '@');
}

/* Adds an address under a name, if that matters. */
static void
add_lead(struct run *run, struct leads *leads, uint64_t address, const char *name)
{
	bool is_counter = is_named(name, COUNTER), matters = is_counter;

	for (size_t i = 0; !matters && i < sizeof endings / sizeof endings[0]; i++)
		matters = is_named(name, endings[i]);
	if (!matters)
		return;
	leads->address = memory_room(run, leads->address, sizeof *leads->address, leads->count,
	                             &leads->address_room, 1);
	leads->is_counter = memory_room(run, leads->is_counter, sizeof *leads->is_counter,
	                                leads->count, &leads->counter_room, 1);
	leads->address[leads->count] = address;
	leads->is_counter[leads->count++] = is_counter;
}

/* The place of an address among the first ones; NO_LEAD: it is none of them. */
static uint32_t
find_lead(const struct leads *leads, uint32_t count, uint64_t address)
{
	uint32_t up_to = sorted_up_to(leads->address, count, address);

	return up_to > 0 && leads->address[up_to - 1] == address ? up_to - 1 : NO_LEAD;
}

static struct leads
find_leads(struct run *run, struct symbols *symbols)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint32_t stub_count, named;
	const struct symbol_stub *stubs;
	struct leads leads = {0};

	symbols_find_slots(run, symbols);
	for (uint32_t i = 0; i < table->slot_count; i++)
		if (table->slots[i].name)
			add_lead(run, &leads, table->slots[i].address, table->slots[i].name);
	sort_ascending(run, leads.address, leads.is_counter, leads.count);
	named = leads.count;
	stubs = symbols_stubs(run, symbols, &stub_count);
	for (uint32_t i = 0; named > 0 && i < stub_count; i++) {
		uint32_t lead = find_lead(&leads, named, symbols->slots[stubs[i].slot].address);

		if (lead != NO_LEAD)
			add_lead(run, &leads, stubs[i].address,
			         leads.is_counter[lead] ? COUNTER : endings[0]);
	}
	for (uint32_t i = 0; i < symbols->count; i++)
		if (symbols->name[i] && !(symbols->flags[i] & SYMBOL_LINE))
			add_lead(run, &leads, symbols->address[i], symbols->name[i]);
	sort_ascending(run, leads.address, leads.is_counter, leads.count);
	return leads;
}

/* What a call, or a jump, to an address or through a slot is. */
static enum step
lead_to(const struct leads *leads, uint64_t to, enum step usual)
{
	uint32_t lead = find_lead(leads, leads->count, to);

	if (lead == NO_LEAD)
		return usual;
	return leads->is_counter[lead] ? STEP_COUNT : STEP_END;
}

/* A distance at the end of an instruction. */
static uint64_t
target_of(const uint8_t *bytes, uint64_t length, uint64_t past, unsigned width)
{
	uint64_t number, sign = UINT64_C(1) << (width * 8 - 1);

	if (length < width)
		return 0;
	number = gprofx_number_at(bytes + length - width, width, false);
	return past + ((number ^ sign) - sign);
}

/* The instruction at bytes, which are so many; its address is "at". */
static struct instruction
classify(const struct leads *leads, const uint8_t *bytes, uint64_t length, uint64_t at)
{
	static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64,
	                                   0x65, 0x66, 0x67, 0xf2, 0xf3};
	uint64_t i = 0, past = at + length;
	uint8_t code, next;

	while (i + 1 < length &&
	       (memchr(prefixes, bytes[i], sizeof prefixes) || (bytes[i] & 0xf0) == 0x40))
		i++;
	code = bytes[i];
	next = i + 1 < length ? bytes[i + 1] : 0;
	if (code == 0xe8)
		return (struct instruction){
			lead_to(leads, target_of(bytes, length, past, 4), STEP_ON), false, 0};
	if (code == 0xff && (next >> 3 & 7) == 2)
		return (struct instruction){
			next == 0x15 ? lead_to(leads, target_of(bytes, length, past, 4), STEP_ON)
				     : STEP_ON,
			false, 0};
	if (code == 0xe9 || code == 0xeb)
		return (struct instruction){STEP_END, true,
		                            target_of(bytes, length, past, code == 0xe9 ? 4 : 1)};
	if ((code & 0xf0) == 0x70 || (code & 0xfc) == 0xe0)
		return (struct instruction){STEP_BRANCH, true, target_of(bytes, length, past, 1)};
	if (code == 0x0f && (next & 0xf0) == 0x80)
		return (struct instruction){STEP_BRANCH, true, target_of(bytes, length, past, 4)};
	if (code == 0xc2 || code == 0xc3 || code == 0xf4 || code == 0xcc ||
	    (code == 0x0f && next == 0x0b) || (code == 0xff && (next >> 3 & 6) == 4))
		return (struct instruction){STEP_END, false, 0};
	return (struct instruction){STEP_ON, false, 0};
}

/* What pointers lead to has this instruction, if the compiler guards them: endbr64. */
static bool
is_landing(const uint8_t *bytes, uint64_t length)
{
	static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa};

	return length == sizeof landing && memcmp(bytes, landing, sizeof landing) == 0;
}

static void
add_event(struct walk *walk, enum event event, uint64_t address, uint64_t back)
{
	walk->address = memory_room(walk->run, walk->address, sizeof *walk->address, walk->count,
	                            &walk->address_room, 1);
	walk->back = memory_room(walk->run, walk->back, sizeof *walk->back, walk->count,
	                         &walk->back_room, 1);
	walk->event = memory_room(walk->run, walk->event, sizeof *walk->event, walk->count,
	                          &walk->event_room, 1);
	walk->address[walk->count] = address;
	walk->back[walk->count] = back;
	walk->event[walk->count++] = (uint32_t)event;
}

/* Decodes a function, or what a section has of it. */
static void
decode(struct walk *walk, const struct gprofx_code *code)
{
	const struct gprofx_findcall *findcall = &walk->scanner->plugin->findcall;
	uint64_t length;

	add_event(walk, EVENT_START, code->address, 0);
	for (uint64_t at = 0; at < code->byte_count; at += length) {
		uint64_t address = code->address + at, past;
		struct instruction found;

		length = findcall->length(walk->scanner->worker, code, at);
		if (length == 0 || length > code->readable - at) {
			length = 1;
			add_event(walk, EVENT_END, address + 1, 0);
			continue;
		}
		past = address + length;
		found = classify(&walk->leads, code->bytes + at, length, address);
		/* The counter that is jumped to returns to the caller, by whose address it counts.
		 */
		if (found.has_target && lead_to(&walk->leads, found.target, STEP_ON) == STEP_COUNT)
			add_event(walk, EVENT_END, address, 0);
		if (at > 0 && is_landing(code->bytes + at, length))
			add_event(walk, EVENT_TARGET, address, 0);
		if (found.step == STEP_COUNT)
			add_event(walk, EVENT_COUNT, address, past);
		else if (found.step != STEP_ON)
			add_event(walk, EVENT_END, past, 0);
		if (found.has_target)
			add_event(walk, EVENT_TARGET, found.target, 0);
	}
}

static void
decode_all(struct walk *walk, const struct symbols *symbols)
{
	struct scan_pieces pieces = scan_pieces(walk->run, symbols, NULL, false);
	uint64_t left = symbols->image.length * MOST_BYTES_PER_BYTE;

	for (uint32_t i = 0; i < pieces.count && pieces.items[i].byte_count <= left; i++) {
		const struct gprofx_code code = scan_code(walk->scanner, &pieces, &pieces.items[i],
		                                          NULL);

		left -= pieces.items[i].byte_count;
		decode(walk, &code);
	}
	memory_release(walk->run, pieces.items);
	memory_release(walk->run, pieces.marks);
}

/* Makes rows of what happens at each address. */
static struct scan_blocks
settle(struct walk *walk)
{
	uint32_t *order, start = UINT32_MAX;
	struct scan_blocks blocks = {.is_known = true};

	memory_array(walk->run, order, walk->count);
	memory_array(walk->run, blocks.rows, walk->count);
	for (uint32_t i = 0; i < walk->count; i++)
		order[i] = i;
	sort_ascending(walk->run, walk->address, order, walk->count);
	for (uint32_t i = 0, end; i < walk->count; i = end) {
		struct scan_block row = {.address = walk->address[i]};
		bool is_start = false, is_target = false;

		for (end = i; end < walk->count && walk->address[end] == row.address; end++) {
			enum event event = (enum event)walk->event[order[end]];

			is_start = is_start || event == EVENT_START;
			is_target = is_target || event == EVENT_TARGET;
			if (event == EVENT_COUNT)
				row.back = walk->back[order[end]];
		}
		row.is_block = row.back != 0;
		/* A function runs as often as its first block, if only its entry leads there. */
		if (row.is_block && !is_target && start != UINT32_MAX)
			blocks.rows[start].back = row.back;
		start = is_start && !is_target && !row.is_block ? blocks.count : UINT32_MAX;
		blocks.rows[blocks.count++] = row;
	}
	memory_release(walk->run, order);
	return blocks;
}

void
scan_find_blocks(struct run *run, struct scan *scan, struct symbols *symbols)
{
	struct walk walk = {.run = run};

	if (!symbols_have_image(symbols) || symbols->table.target.machine != EM_X86_64)
		return;
	walk.scanner = scan_open_for_sites(run, scan, false);
	if (!walk.scanner || !walk.scanner->plugin->findcall.length)
		return;
	walk.leads = find_leads(run, symbols);
	if (walk.leads.count > 0) {
		decode_all(&walk, symbols);
		scan->blocks = settle(&walk);
	}
	memory_release(run, walk.leads.address);
	memory_release(run, walk.leads.is_counter);
	memory_release(run, walk.address);
	memory_release(run, walk.back);
	memory_release(run, walk.event);
}
