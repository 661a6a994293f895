/* SPDX-License-Identifier: Apache-2.0 */
/* Call scanners, with code that is none. */
#include <setjmp.h>

#include "base/memory.h"
#include "base/run.h"
#include "plugin/plugins.h"
#include "plugin-check/plugin-check.h"
#include "plugin-check/try.h"

enum {
	PIECES = 64,
	MOST_CODE = 4096,
	KINDS_OF_TARGETS = 6,
	MOST_FILL = 64,   /* that a function's size is said to leave */
	MOST_LENGTH = 64, /* of an instruction */
	TEXT = 0x401000,
	/* Bits for functions, each for this many bytes of address: as far as branches lead. */
	BEGIN_WORDS = 1 << 12,
	BEGIN_SHIFT = 4
};

/* The list that a scanner adds to, and what it is compared with. */
struct finding {
	struct gprofx_calls public; /* first */
	struct plugin_check *check;
	const struct gprofx_code *code;
	uint64_t count, last;
	struct gprofx_found_call *alone; /* what was found of each function alone; or NULL */
	uint64_t alone_count;
	bool is_alone; /* it is being found */
};

/* Functions where bits say so. */
struct several {
	struct gprofx_entries public; /* first */
	struct gprofx_begin_bits begins;
};

static bool
begins(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	return address % 16 == 0;
}

static bool
is_slot(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	return address % 8 == 0;
}

static bool
begins_by_bit(const struct gprofx_entries *entries, uint64_t address)
{
	return gprofx_has_begin(&((const struct several *)entries)->begins, address);
}

/* Whether a call of several functions is one of those that were found of each alone. */
static bool
is_like_alone(const struct finding *finding, const struct gprofx_found_call *row)
{
	const struct gprofx_found_call *alone = &finding->alone[finding->count];

	return finding->count < finding->alone_count && row->from == alone->from &&
	       row->to == alone->to && row->kind == alone->kind;
}

/* What is wrong with a row, or NULL. */
static const char *
row_problem(const struct finding *finding, const struct gprofx_found_call *row)
{
	const struct gprofx_code *code = finding->code;

	if (row->from - code->address >= code->byte_count)
		return "a call inside of the code";
	if (finding->count > 0 && row->from < finding->last)
		return "calls by ascending address";
	if (finding->count >= code->byte_count)
		return "at most one call for each byte of the code";
	if (row->kind > GPROFX_CALL_POINTER)
		return "a value of enum gprofx_call_kind";
	if (row->kind == GPROFX_CALL_SLOT || row->kind == GPROFX_CALL_SLOT_TAIL)
		return code->image->strict               ? "no slots by GNU gprof's rules"
		       : is_slot(code->entries, row->to) ? NULL
		                                         : "a slot at its address";
	if (row->kind == GPROFX_CALL_INDIRECT && row->to != 0)
		return "0 as the callee of an indirect call";
	if (row->kind != GPROFX_CALL_INDIRECT && !code->entries->begins(code->entries, row->to))
		return "a callee that starts at its address";
	if (finding->alone && !finding->is_alone && !is_like_alone(finding, row))
		return "the same calls as in each function alone";
	return NULL;
}

static void
add(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct finding *finding = (struct finding *)public;
	struct plugin_check *check = finding->check;

	for (uint32_t i = 0; i < count; i++) {
		const char *problem = row_problem(finding, &rows[i]);

		if (problem) {
			check_fault(
				check,
				"%s: expected %s, found one from 0x%llx to 0x%llx in %llu bytes "
				"of code at 0x%llx",
				check->told->doing, problem, (unsigned long long)rows[i].from,
				(unsigned long long)rows[i].to,
				(unsigned long long)finding->code->byte_count,
				(unsigned long long)finding->code->address);
			/* It may go on for ever. */
			longjmp(check->run->give_up, 1);
		}
		if (finding->is_alone)
			finding->alone[finding->alone_count++] = rows[i];
		finding->last = rows[i].from;
		finding->count++;
	}
}

/* What a scanner says of stubs. */
struct stub_finding {
	struct gprofx_stubs public; /* first */
	struct plugin_check *check;
	const struct gprofx_code *code;
	uint64_t count;
};

static void
add_stub(struct gprofx_stubs *public, uint64_t address, uint64_t bytes, uint64_t slot)
{
	struct stub_finding *finding = (struct stub_finding *)public;
	const struct gprofx_code *code = finding->code;
	bool is_inside = address - code->address < code->byte_count && bytes > 0;

	if (is_inside && is_slot(code->entries, slot) && finding->count++ < code->byte_count)
		return;
	check_fault(finding->check,
	            "%s: expected a stub inside the code with a slot, at most one per byte, found "
	            "one at 0x%llx with the slot 0x%llx",
	            finding->check->told->doing, (unsigned long long)address,
	            (unsigned long long)slot);
	longjmp(finding->check->run->give_up, 1);
}

static struct gprofx_code
code_of(const struct gprofx_scanned_image *image, size_t bytes)
{
	return (struct gprofx_code){
		.size = sizeof(struct gprofx_code),
		.byte_count = bytes,
		.readable = bytes,
		.address = TEXT,
		.image = image,
	};
}

static void
scan(struct plugin_check *check, void *worker, const struct gprofx_scanned_image *image,
     size_t bytes)
{
	static const struct gprofx_entries entries = {begins, is_slot};
	struct gprofx_code code = code_of(image, bytes);
	struct finding finding = {.public = {add}, .check = check, .code = &code};
	struct stub_finding stubs = {.public = {.add = add_stub}, .check = check, .code = &code};
	uint8_t chance[MOST_CODE];

	code.entries = &entries;
	check_fill(check, chance, bytes);
	code.bytes = check_bytes(check, chance, bytes, false);
	check_begin(check, bytes > 0 ? "scanning random code" : "scanning no code");
	check->plugin->findcall.scan(worker, &code, &finding.public);
	check_end(check);
	if (!check->plugin->findcall.stubs || image->strict)
		return;
	code.section = ".plt";
	check_begin(check, "looking for stubs in random code");
	check->plugin->findcall.stubs(&code, check->plugin->options, &stubs.public);
	check_end(check);
}

/* Scans functions of some code one by one; returns how many calls were found. */
static uint64_t
scan_alone(struct plugin_check *check, void *worker, const struct gprofx_code *code,
           struct gprofx_found_call *found)
{
	uint64_t end, count = 0;

	check_begin(check, "scanning random code of one function");
	for (uint64_t at = 0; at < code->byte_count; at = end) {
		struct gprofx_code part = *code;
		struct finding finding = {.public = {add},
		                          .check = check,
		                          .code = &part,
		                          .alone = found,
		                          .alone_count = count,
		                          .is_alone = true};

		for (end = at + 1; end < code->byte_count &&
		                   !gprofx_has_begin(code->begin_bits, code->address + end);
		     end++)
			;
		part.begin_bits = NULL;
		part.bytes += at;
		part.address += at;
		part.byte_count = end - at;
		part.readable -= at;
		check->plugin->findcall.scan(worker, &part, &finding.public);
		count = finding.alone_count;
	}
	check_end(check);
	return count;
}

/* Scans code function by function, and then at once. */
static void
scan_functions(struct plugin_check *check, void *worker, const struct gprofx_code *code)
{
	struct finding finding = {.public = {add}, .check = check, .code = code};

	memory_array(check->run, finding.alone, code->byte_count);
	finding.alone_count = scan_alone(check, worker, code, finding.alone);
	check_begin(check, "scanning random code of several functions");
	check->plugin->findcall.scan(worker, code, &finding.public);
	if (finding.count < finding.alone_count)
		check_fault(check, "%s: expected %llu calls, as in each function alone, found %llu",
		            check->told->doing, (unsigned long long)finding.alone_count,
		            (unsigned long long)finding.count);
	check_end(check);
	memory_release(check->run, finding.alone);
}

/* Functions side by side, which begin by bits, as a scanner gets them that states a step. */
static void
scan_several(struct plugin_check *check, void *worker, const struct gprofx_scanned_image *image,
             size_t bytes, const uint64_t *bits)
{
	const struct several several = {.public = {begins_by_bit, is_slot},
	                                .begins = {bits, TEXT & ~(uint64_t)0xfffff,
	                                           ((uint64_t)BEGIN_WORDS * 64 - 1) << BEGIN_SHIFT,
	                                           BEGIN_SHIFT}};
	struct gprofx_code code = code_of(image, bytes);
	uint8_t chance[MOST_CODE];

	code.entries = &several.public;
	code.begin_bits = &several.begins;
	check_fill(check, chance, bytes);
	code.bytes = check_bytes(check, chance, bytes, false);
	scan_functions(check, worker, &code);
}

static void
expect_at_most(struct plugin_check *check, const struct gprofx_code *code, const char *what,
               uint64_t most, uint64_t found)
{
	if (found <= most)
		return;
	check_fault(check, "%s: expected %s of at most %llu bytes, found %llu in code of %llu",
	            check->told->doing, what, (unsigned long long)most, (unsigned long long)found,
	            (unsigned long long)code->byte_count);
	longjmp(check->run->give_up, 1);
}

/* Asks what fills up space at the end of code, and how long instructions are. */
static void
measure(struct plugin_check *check, void *worker, const struct gprofx_scanned_image *image,
        size_t bytes)
{
	const struct gprofx_findcall *findcall = &check->plugin->findcall;
	struct gprofx_code code = code_of(image, bytes);
	uint8_t chance[MOST_CODE];
	uint64_t stated;

	check_fill(check, chance, bytes);
	code.bytes = check_bytes(check, chance, bytes, false);
	if (findcall->fill) {
		stated = check_random(check) % 2 ? check_random(check) % MOST_FILL : 0;
		check_begin(check, "looking for padding at the end of random code");
		expect_at_most(check, &code, "padding",
		               stated > 0 && stated < bytes ? stated : bytes,
		               findcall->fill(&code, stated));
		check_end(check);
	}
	if (findcall->length) {
		check_begin(check, "asking for the lengths of random instructions");
		for (uint64_t at = 0; at < bytes; at++)
			expect_at_most(check, &code, "an instruction", MOST_LENGTH,
			               findcall->length(worker, &code, at));
		check_end(check);
	}
}

/* Scans pieces of code for one machine. */
static void
scan_machine(struct plugin_check *check, uint16_t machine, uint32_t kind, size_t most_bytes)
{
	const struct gprofx_findcall *findcall = &check->plugin->findcall;
	const struct gprofx_target target = {
		.size = sizeof target,
		.machine = machine,
		.pointer_bytes = kind & 1 ? 4 : 8,
		.big_endian = (kind & 1) != 0,
	};
	const struct gprofx_scanned_image image = {
		.size = sizeof image,
		.target = &target,
		.strict = (kind & 2) != 0,
		.wants_sites = kind >= 4,
	};
	void *worker = NULL;
	int result = GPROFX_OK;
	uint64_t *bits;

	if (findcall->worker_open) {
		check_begin(check, "opening a worker for machine %u", machine);
		result = findcall->worker_open(&check->run->gx, &image, check->plugin->options,
		                               &worker);
		/* The reason of a failure is a warning. */
		if (result != GPROFX_FAILED)
			check_end_with(check, result);
	}
	if (result != GPROFX_OK)
		return;
	memory_array(check->run, bits, BEGIN_WORDS + 1);
	check_fill(check, (uint8_t *)bits, BEGIN_WORDS * sizeof *bits);
	for (uint32_t i = 0; i < PIECES; i++) {
		size_t bytes = most_bytes ? check_random(check) % most_bytes + 1 : 0;

		if (image.wants_sites) {
			measure(check, worker, &image, bytes);
			continue;
		}
		scan(check, worker, &image, bytes);
		if (findcall->step > 0 && !image.strict)
			scan_several(check, worker, &image, bytes, bits);
	}
	memory_release(check->run, bits);
	if (findcall->worker_close && worker) {
		check_begin(check, "closing a worker");
		findcall->worker_close(&check->run->gx, worker);
		check_end(check);
	}
}

static void
scan_machines(struct plugin_check *check, size_t most_bytes)
{
	const struct gprofx_findcall *findcall = &check->plugin->findcall;

	for (uint32_t i = 0; i < findcall->machine_count; i++)
		for (uint32_t kind = 0; kind < KINDS_OF_TARGETS; kind++)
			scan_machine(check, findcall->machines[i], kind, most_bytes);
}

void
check_scanner_empty(struct plugin_check *check)
{
	scan_machines(check, 0);
}

void
check_scanner_random(struct plugin_check *check)
{
	scan_machines(check, MOST_CODE);
}
