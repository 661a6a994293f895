#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# option.bad-value: a value from the command line that an emitter's option does not take.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
module narrow <<-'END'
	#include "stub.h"
	struct options { int64_t width; };
	static const struct gprofx_option table[] = {
		{.key = "width", .type = GPROFX_INT, .offset = 0, .initial = "20", .minimum = 10,
		 .maximum = 40, .help = "the width, from 10 to 40"}};
	static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
		struct gprofx_writer *writer = emission->writer;
		(void)gx;
		gprofx_out(writer, "width %d\n", (int)((const struct options *)options)->width);
		return GPROFX_OK;
	}
	static const struct gprofx_emitter emitter = {
		.size = sizeof emitter, .format = "narrow", .emit = emit};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-narrow", .emitter = &emitter,
		GPROFX_OPTIONS(struct options, table)};
END
expect_status 0 "$GPROFX" --plugin=./narrow.so --output=narrow program
expect_same out <(echo 'width 20')
expect_status 0 "$GPROFX" --plugin=./narrow.so --output=narrow -w 33 program
expect_same out <(echo 'width 33')
expect_status 1 "$GPROFX" --plugin=./narrow.so --output=narrow -w 50 program
expect_empty out
expect_in err 'gprofx: error[option.bad-value]: '
expect_in err 'output-narrow width: expected a whole number from 10 to 40, found "50"'
expect_in err '  hint: the width, from 10 to 40'
