/* SPDX-License-Identifier: Apache-2.0 */
/* Calls before an address, as assemblers write them. */
#include "testrun.h"

#include <elf.h>

#include "scan/scan.h"
#include "symbols/symbols.h"

struct row {
	uint16_t machine;
	const char *code; /* before the address, in hexadecimal */
	uint64_t address;
	bool is_call;
	uint64_t target;
};

static void
test_calls(void **state)
{
	static const struct row rows[] = {
		{EM_X86_64, "90e8fbb9dcff", 0x234605, true, 0},
		{EM_X86_64, "90e800341200", 0x23460a, true, 0x357a0a},
		{EM_X86_64, "67e800341200", 0x23460a, true, 0x357a0a},
		{EM_X86_64, "ff1500341200", 0x23460a, true, 0x357a0a},
		{EM_386, "90e8fbb9dcff", 0x234605, true, 0},
		{EM_386, "ff9310000000", 0x234605, true, 0x10},
		{EM_386, "ff1510000000", 0x234605, true, 0x10},
		{EM_X86_64, "90909041ffd2", 0x234605, true, 0},
		{EM_X86_64, "909090909090", 0x234605, false, 0},
		{EM_X86_64, "90e900341200", 0x23460a, false, 0},
		{EM_AARCH64, "0000802ef797", 0x234604, true, 0},
		{EM_AARCH64, "0000018d0494", 0x234608, true, 0x357a08},
		{EM_AARCH64, "000000013fd6", 0x234608, true, 0},
		{EM_AARCH64, "0000018d0414", 0x234608, false, 0},
		{EM_ARM, "00007e2ef7eb", 0x234604, true, 0},
		{EM_ARM, "0000cbf5fefc", 0x234604, true, 0},
		{EM_ARM, "000023f100fa", 0x234608, true, 0x357a08},
		{EM_ARM, "000023f100fa", 0x234609, true, 0x357a08},
		{EM_ARM, "00007e2ef7ea", 0x234604, false, 0},
		{EM_MIPS, "90e8fbb9dcff", 0x234605, false, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint8_t bytes[16];
		uint32_t length = 0;
		uint64_t address = rows[i].machine == EM_ARM ? rows[i].address & ~(uint64_t)1
		                                             : rows[i].address;
		struct gprofx_code_range range;
		struct symbols symbols = {.table.target.machine = rows[i].machine};
		struct call_site call;
		unsigned byte;

		for (const char *at = rows[i].code; sscanf(at, "%2x", &byte) == 1; at += 2)
			bytes[length++] = (uint8_t)byte;
		range = (struct gprofx_code_range){.address = address - length, .bytes = length};
		symbols.table.code = &range;
		symbols.table.code_count = 1;
		symbols.image.bytes = bytes;
		symbols.image.length = length;
		assert_int_equal(scan_call_before(&symbols, rows[i].address, &call),
		                 rows[i].is_call);
		if (rows[i].is_call)
			assert_true(call.to == rows[i].target);
		/* Code that is not there, or not all of it. */
		symbols.image.length--;
		assert_false(scan_call_before(&symbols, rows[i].address, &call));
		symbols.image.length++;
		range.file_offset = UINT64_MAX;
		assert_false(scan_call_before(&symbols, rows[i].address, &call));
		range.file_offset = 0;
		assert_false(scan_call_before(&symbols, range.address + 2, &call));
		assert_false(scan_call_before(&symbols, range.address, &call));
		symbols.table.code_count = 0;
		assert_false(scan_call_before(&symbols, rows[i].address, &call));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(test_calls)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
