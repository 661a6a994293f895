#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.no-reason, symbols.bad-table: plugins that fail without a word, and symbol providers whose
# table is not what they said.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
module silent <<-'END'
	#include "stub.h"
	static enum gprofx_result fail_read(struct gprofx *gx, const struct gprofx_file *file,
	                                    const struct gprofx_target *target,
	                                    struct gprofx_profile *profile, const void *options) {
		(void)gx; (void)file; (void)target; (void)profile; (void)options;
		return GPROFX_FAILED;
	}
	static enum gprofx_result fail_emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		(void)gx; (void)emission; (void)options;
		return GPROFX_FAILED;
	}
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = "silent", .read = fail_read};
	static const struct gprofx_emitter emitter = {
		.size = sizeof emitter, .format = "silent", .emit = fail_emit};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-silent", .reader = &reader, .emitter = &emitter};
END
expect_status 1 "$GPROFX" --plugin=./silent.so -O silent -b program gmon.out
expect_in err 'error[plugin.no-reason]: '
expect_in err '  while reading gmon.out with input-silent'
expect_in err '  hint: '
expect_status 1 "$GPROFX" --plugin=./silent.so --output=silent:report -b program gmon.out
expect_in err 'error[plugin.no-reason]: '
expect_in err '  while writing report with input-silent'
[ ! -e report ] || fail 'a report that failed was kept'

for defect in 'table->count = 2' 'table->rows.name[0] = NULL' 'table->target.pointer_bytes = 9'; do
	module careless -DDEFECT="$defect" <<-'END'
		#include "stub.h"
		static int probe(const uint8_t *head, size_t bytes) {
			return bytes > 4 && memcmp(head, "SYMS", 4) == 0 ? 100 : 0;
		}
		static enum gprofx_result load(struct gprofx *gx, const struct gprofx_image *image,
		                               struct gprofx_symtab *table, const void *options) {
			(void)image; (void)options;
			table->target.pointer_bytes = 8;
			table->has_text = true;
			table->text_end = 0x1000;
			table->builder->reserve(gx, table, 1);
			table->rows.name[0] = "f";
			table->count = 1;
			DEFECT;
			return GPROFX_OK;
		}
		static const struct gprofx_symbols symbols = {
			.size = sizeof symbols, .probe = probe, .load = load};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "symbols-careless", .symbols = &symbols};
	END
	printf 'SYMSabcd' >image
	expect_status 1 "$GPROFX" --plugin=./careless.so -b image gmon.out
	expect_in err 'error[symbols.bad-table]: image: expected from symbols-careless '
	expect_in err '  hint: '
done

# What a table says it has and does not.
for defect in 'table->code_count = 1' 'table->slot_count = 3' 'table->mark_count = 1' 'table->build_id_bytes = 20'; do
	sed "s/DEFECT/$defect/" careless.c | module absent
	for words in '' -c -l; do
		expect_status 1 "$GPROFX" --plugin=./absent.so $words -b image gmon.out
		expect_in err 'error[symbols.bad-table]: image: expected from symbols-careless as much code, slots'
	done
done
