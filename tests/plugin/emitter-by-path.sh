#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# An emitter that is no part of the project: by its format, to standard output and to a file, beside the
# listings of the program.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
module e <<-'END'
	#include "stub.h"
	struct options { const char *mark; };
	static const struct gprofx_option table[] = {
		{.key = "mark", .type = GPROFX_STRING, .offset = 0, .initial = "*", .help = "mark"}};
	static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		const struct gprofx_report *report = emission->report;
		struct gprofx_writer *writer = emission->writer;
		(void)gx;
		for (uint32_t i = 0; i < report->graph->flat_count; i++) {
			struct gprofx_text name = report->services->name(report, report->graph->flat[i]);
			gprofx_puts(writer, ((const struct options *)options)->mark);
			gprofx_put(writer, name.bytes, name.length);
			gprofx_blanks(writer, 3);
			writer->services->fixed(writer, gprofx_self_of(report, report->graph->flat[i]), 0, 0);
			gprofx_putc(writer, '\n');
		}
		for (uint32_t i = 0; i < 9000; i++)
			gprofx_puts(writer, "more than a buffer holds\n");
		return GPROFX_OK;
	}
	static const struct gprofx_needs needs = {.size = sizeof needs, .parts = GPROFX_PART_FLAT};
	static const struct gprofx_emitter emitter = {
		.size = sizeof emitter, .format = "x", .extension = "x", .needs = &needs, .emit = emit};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-any", .emitter = &emitter,
		GPROFX_OPTIONS(struct options, table)};
END
{
	printf '*work   30\n*main   10\n'
	yes 'more than a buffer holds' | head -n 9000
} >expected

expect_status 0 "$GPROFX" --plugin=./e.so --output=x program
expect_empty err
expect_same out expected
expect_status 0 "$GPROFX" --plugin=./e.so --output=x:report.x program
expect_empty out
expect_same report.x expected

"$GPROFX" -b -p program >flat
expect_status 0 "$GPROFX" --plugin=./e.so --output=x:again.x -b -p program
expect_same out flat
expect_same again.x expected

# A failure of the emitter is one of the run.
module failing <<-'END'
	#include "stub.h"
	static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		static const struct gprofx_diagnostic diagnostic = {.id = "failing.always", .hint = "no"};
		(void)emission; (void)options;
		return gprofx_fail(gx, &diagnostic, "expected nothing, found %d", 1);
	}
	static const struct gprofx_emitter emitter = {
		.size = sizeof emitter, .format = "failing", .emit = emit};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-failing", .emitter = &emitter};
END
expect_status 1 "$GPROFX" --plugin=./failing.so --output=failing program
expect_in err 'gprofx: error[failing.always]: expected nothing, found 1'
expect_in err 'with output-failing'
