/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a scanner says of single instructions, wherever they lead to:
 *
 *     cc -Iinclude -include plugins/findcall-NAME/findcall-NAME.c -o scan-words scan-words.c
 *     scan-words BITS ADDRESS FLAGS [MARK] <CODE
 *
 * Each 8 bytes begin with one; those behind it are not looked at for others.  Prints number, kind
 * and callee of those that are calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM_BYTES = 8 };

static unsigned long number;

static bool
begins(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	(void)address;
	return true;
}

static void
print(struct gprofx_calls *calls, const struct gprofx_found_call *rows, uint32_t count)
{
	(void)calls;
	for (uint32_t i = 0; i < count; i++)
		printf("%lu %u %llx\n", number, (unsigned)rows[i].kind,
		       (unsigned long long)rows[i].to);
}

int
main(int count, char **words)
{
	static struct gprofx_scan_options options = {.tail_calls = true};
	static const struct gprofx_entries entries = {.begins = begins};
	struct gprofx_target target = {.size = sizeof target, .machine = findcall.machines[0]};
	struct gprofx_scanned_image image = {.size = sizeof image, .target = &target};
	struct gprofx_calls calls = {.add = print};
	uint8_t bytes[ITEM_BYTES];
	struct gprofx_code_mark mark;

	if (count != 4 && count != 5)
		return 2;
	target.pointer_bytes = (uint8_t)(strtoul(words[1], NULL, 10) / 8);
	image.machine_flags = (uint32_t)strtoul(words[3], NULL, 0);
	mark = (struct gprofx_code_mark){strtoull(words[2], NULL, 0), words[4]};
	for (; fread(bytes, sizeof bytes, 1, stdin) == 1; number++) {
		struct gprofx_code code = {.size = sizeof code,
		                           .bytes = bytes,
		                           .byte_count = 2,
		                           .readable = sizeof bytes,
		                           .address = mark.address + ITEM_BYTES * number,
		                           .image = &image,
		                           .entries = &entries,
		                           .marks = &mark,
		                           .mark_count = count == 5};

		findcall.scan(&options, &code, &calls);
	}
	return 0;
}
