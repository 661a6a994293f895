#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# reader.bad-record, plugin.no-id: readers that pass rows which are not there, and diagnostics without a name.
# Whatever a plugin leaves out, the run ends with a message.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program

# reader STATEMENT: builds ./reader.so, which executes the statement to read a profile.
reader() {
	module reader <<-END
		#include "stub.h"
		static enum gprofx_result read_it(struct gprofx *gx, const struct gprofx_file *file,
		                                  const struct gprofx_target *target,
		                                  struct gprofx_profile *profile, const void *options) {
			const struct gprofx_profile_builder *builder = profile->builder;
			struct gprofx_diagnostic nameless = {.file = "some", .hint = "try"};
			struct gprofx_histogram bins = {.size = sizeof bins, .low = 0x401000, .high = 0x401400,
				.bin_count = 16, .rate = 100, .bin_bytes = 2};
			struct gprofx_raw_source source = {.size = sizeof source, .path = "a.c"};
			struct gprofx_raw_function function = {.first_line = 1};
			(void)target; (void)options; (void)builder; (void)nameless; (void)bins; (void)source;
			(void)function;
			$1;
			return GPROFX_OK;
		}
		static const struct gprofx_reader reader = {
			.size = sizeof reader, .format = "careless", .read = read_it};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-careless", .version = "1", .summary = "Nothing",
		                 .reader = &reader};
	END
}

# expect_bad_record WHAT STATEMENT
expect_bad_record() {
	reader "$2"
	for words in '' -d64 -d2048; do
		expect_status 1 "$GPROFX" --plugin=./reader.so -O careless $words -b program gmon.out
		expect_match err "^gprofx: error\\[reader\\.bad-record\\]: expected $1, found none\$"
		expect_in err '  while reading gmon.out with input-careless'
		expect_in err '  hint: '
	done
	expect_status 1 "$GPROFX" --check-plugin=reader.so
	expect_match out "FAILED .*expected $1, found none"
}

expect_bad_record '16 bins' 'return builder->histogram(gx, profile, file, &bins)'
expect_bad_record '5 calls' 'builder->arcs(gx, profile, NULL, NULL, 5)'
expect_bad_record '1 calls' 'builder->calls(gx, profile, NULL, NULL, 1)'
expect_bad_record '2 basic blocks' 'builder->blocks(gx, profile, NULL, NULL, 2)'
expect_bad_record '1 path of a source file' 'source.path = NULL; builder->source(gx, profile, &source)'
expect_bad_record '3 lines of a source file' 'source.line_count = 3; builder->source(gx, profile, &source)'
expect_bad_record '1 functions of a source file' 'source.function_count = 1; builder->source(gx, profile, &source)'
expect_bad_record '1 name of a function' \
	'source.functions = &function; source.function_count = 1; builder->source(gx, profile, &source)'

reader 'return gprofx_fail(gx, &nameless, "expected %d, found none", 4)'
expect_status 1 "$GPROFX" --plugin=./reader.so -O careless -b program gmon.out
expect_in err 'gprofx: error[plugin.no-id]: some: expected 4, found none'
expect_in err '  hint: try'
expect_status 1 "$GPROFX" --check-plugin=reader.so
expect_in out 'expected an id with each diagnostic, found none with "expected 4, found none"'

reader 'nameless.id = ""; gprofx_warn(gx, &nameless, "odd"); return gx->host->fail(gx, NULL, "%s", "no reason")'
expect_status 1 "$GPROFX" --plugin=./reader.so -O careless -b program gmon.out
expect_in err 'gprofx: warning[plugin.no-id]: some: odd'
expect_in err 'gprofx: error[plugin.no-id]: no reason'

# A name is text that anybody may have written, too.
reader 'nameless.id = "a\nb\033[31m"; return gprofx_fail(gx, &nameless, "odd")'
expect_status 1 "$GPROFX" --plugin=./reader.so -O careless -b program gmon.out
expect_in err 'gprofx: error[a\x0ab\x1b[31m]: some: odd'

# Structs of a size that cannot be, and members of a newer version.
# expect_bad_struct ID WHAT STATEMENT
expect_bad_struct() {
	reader "$3"
	expect_status 1 "$GPROFX" --plugin=./reader.so -O careless -b program gmon.out
	expect_match err "^gprofx: error\\[$1\\]: $2"
	expect_in err '  while reading gmon.out with input-careless'
	expect_status 1 "$GPROFX" --check-plugin=reader.so
	expect_match out "FAILED .*$2"
}
expect_bad_struct reader.bad-record 'the histogram record is too small$' \
	'bins.size = 3; return builder->histogram(gx, profile, file, &bins)'
expect_bad_struct reader.bad-record 'the record of a source file states an impossible size$' \
	'source.size = 65537; builder->source(gx, profile, &source)'
expect_bad_struct plugin.unknown-member \
	'the layout of a file has a member that this gprofx does not know: it knows [0-9]+ bytes, and byte [0-9]+ is set$' \
	'struct { struct gprofx_layout known; char more[8]; } later = {{.size = sizeof later}, {[7] = 1}};
	builder->describe(gx, profile, &later.known)'

# Rows of a slice or a metric that nobody declared.
expect_bad_struct reader.bad-record 'expected one of the 0 slices of the file, found slice 5$' \
	'struct gprofx_from from = {.size = sizeof from, .slice = 5}; builder->arcs(gx, profile, &from, NULL, 0)'
expect_bad_struct reader.bad-record 'expected rows of no metric, found metric 1$' \
	'struct gprofx_from from = {.size = sizeof from, .metric = 1}; builder->calls(gx, profile, &from, NULL, 0)'
expect_bad_record '2 samples' 'builder->samples(gx, profile, file, NULL, NULL, 2)'
expect_bad_struct reader.bad-record 'the record of a process is too small$' \
	'struct gprofx_raw_process row = {.size = 3}; builder->process(gx, profile, file, &row)'
expect_bad_struct reader.bad-record 'the record of a thread is too small$' \
	'struct gprofx_raw_thread row = {.size = 3}; builder->thread(gx, profile, file, &row)'
expect_bad_struct reader.bad-record 'the record of a phase is too small$' \
	'struct gprofx_raw_phase row = {.size = 3}; builder->phase(gx, profile, file, &row)'
expect_bad_struct reader.bad-record 'what the rows have in common is too small$' \
	'struct gprofx_from from = {.slice = 0}; builder->blocks(gx, profile, &from, NULL, 0)'

# A contained profile that is not there, and one that contains itself.
expect_bad_record '1 name of a contained profile' \
	'struct gprofx_file inside = {.size = sizeof inside}; builder->contained(gx, profile, &inside)'
expect_bad_record '1 range of bytes of a contained profile' \
	'struct gprofx_file inside = {.size = sizeof inside, .name = "a", .length = 5}; builder->contained(gx, profile, &inside)'
expect_bad_struct reader.bad-record 'the contained profile is too small$' \
	'struct gprofx_file inside = {.name = "a"}; builder->contained(gx, profile, &inside)'
# What is in it has a reader of its own, and what was passed beside it is left out.
reader 'struct gprofx_file inside = {.size = sizeof inside, .name = "inside", .bytes = file->bytes, .length = file->length};
	struct gprofx_raw_arc arc = {0x401004, 0x401100, 1000};
	builder->arcs(gx, profile, NULL, &arc, 1); builder->contained(gx, profile, &inside)'
expect_status 0 "$GPROFX" -b program gmon.out
mv out expected
expect_status 0 "$GPROFX" --plugin=./reader.so -O careless -b program gmon.out
expect_same expected out
reader 'struct gprofx_file inside = {.size = sizeof inside, .name = "inside", .bytes = (const uint8_t *)"no profile at all", .length = 17};
	builder->contained(gx, profile, &inside)'
expect_status 1 "$GPROFX" --plugin=./reader.so -O careless -b program gmon.out
expect_in err 'error[profile.short-file]: inside: '
