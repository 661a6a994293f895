#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A symbol provider that is no part of the project: names and source positions for an image of its own kind.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
module syms <<-'END'
	#include "stub.h"
	/* The image is "SYMS", then a letter for each function; functions are 0x100 bytes apart. */
	static int probe(const uint8_t *head, size_t bytes) {
		return bytes > 4 && memcmp(head, "SYMS", 4) == 0 ? 100 : 0;
	}
	static enum gprofx_result load(struct gprofx *gx, const struct gprofx_image *image,
	                               struct gprofx_symtab *table, const void *options) {
		uint32_t count = (uint32_t)image->length - 4;
		char *names = gprofx_alloc(gx, 2 * count);
		(void)options;
		table->target.pointer_bytes = 8;
		table->has_text = table->has_source = true;
		table->text_start = 0x401000;
		table->text_end = 0x401000 + 0x100 * (uint64_t)count;
		table->builder->reserve(gx, table, count);
		for (uint32_t i = 0; i < count; i++) {
			names[2 * i] = (char)image->bytes[4 + i];
			table->rows.address[i] = 0x401000 + 0x100 * (uint64_t)i;
			table->rows.name[i] = names + 2 * i;
			table->rows.flags[i] = GPROFX_SYMBOL_FUNCTION;
		}
		table->count = count;
		return GPROFX_OK;
	}
	static enum gprofx_result locate(struct gprofx *gx, const struct gprofx_image *image,
	                                 struct gprofx_positions *positions, const void *options) {
		(void)image; (void)options;
		for (uint32_t i = 0; i < positions->count; i++) {
			positions->file[i] = positions->builder->file(gx, positions, "dir/file.s");
			positions->line[i] = (uint32_t)(positions->address[i] >> 8 & 0xff) + 1;
		}
		return GPROFX_OK;
	}
	static const struct gprofx_symbols symbols = {
		.size = sizeof symbols, .probe = probe, .load = load, .locate = locate};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "symbols-syms", .symbols = &symbols};
END
printf 'SYMSabcd' >image

expect_status 1 "$GPROFX" -b -p image gmon.out
expect_in err 'error[image.not-an-object]: image: '

expect_status 0 "$GPROFX" --plugin=./syms.so -b -p image gmon.out
expect_empty err
expect_match out '^ 75\.00 +0\.30 +0\.30 +7 +42\.9ms +42\.9ms  b$'
expect_match out '^ 25\.00 +0\.40 +0\.10 +a$'
expect_status 0 "$GPROFX" --plugin=./syms.so -b -C image gmon.out
expect_same out <(echo 'dir/file.s:18: (b:0x401100) 7 executions')
expect_status 0 "$GPROFX" --plugin=./syms.so -b -pfile.s:17 image gmon.out
expect_match out ' a$'
expect_not_in out ' b'

# An ELF image still has its own provider.
expect_status 0 "$GPROFX" --plugin=./syms.so -b -p program gmon.out
expect_match out ' work$'

expect_status 0 "$GPROFX" --plugin=./syms.so --list-plugins
expect_match out '^symbols-syms +symbols +source positions '
