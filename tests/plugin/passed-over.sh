#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A plugin that lies about itself is passed over, with the reason, where it was only found to be of use; a run
# that asks for it by name ends.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ "$GPROFX_BUILTIN" = 0 ] || skip 'plugins are linked in, without manifests'

make_program
expect_status 0 "$GPROFX" -b program gmon.out
cp out expected
# Not tagged, so that every reader is asked that has no bytes to be known by.
printf 'neither tagged nor of a known form, but long enough for some header\n' >odd
manifest m/input-liar <<-'END'
	name: input-liar
	abi: 1
	reader: { format: liar, unmarked: true }
END

# liar ID TEXT MEMBERS [DECLARATIONS]
liar() {
	module m/input-liar <<-END
		#include "stub.h"
		${4-}
		STUB_PLUGIN, .name = "input-liar", $3 };
	END
	expect_status 0 "$GPROFX" --plugin-path=m -b program gmon.out
	expect_same out expected
	expect_undiagnosed
	expect_status 1 "$GPROFX" --plugin-path=m -b program odd
	expect_match err "^gprofx: warning\\[$1\\]: .*/m/input-liar\\.so: .*$2"
	expect_in err 'error[profile.not-a-profile]: odd'
	for asked in --plugin=input-liar --plugin=./m/input-liar.so --file-format=liar; do
		expect_status 1 "$GPROFX" --plugin-path=m "$asked" -b program gmon.out
		expect_empty out
		expect_match err "^gprofx: error\\[$1\\]: .*/m/input-liar\\.so: .*$2"
	done
}

liar plugin.bad-descriptor 'impossible size' '.size = 3'
liar plugin.bad-descriptor 'smaller than its version' '.size = 48'
liar plugin.bad-descriptor 'no usable name' '.name = "../input-liar"'
liar plugin.bad-descriptor 'no read callback' '.reader = &reader' \
	'static const struct gprofx_reader reader = {.size = sizeof reader, .format = "liar"};'
liar plugin.bad-descriptor "reader's struct is too small" '.reader = &reader' \
	'static const struct gprofx_reader reader = {.size = 8, .format = "liar", .read = stub_read};'
liar plugin.bad-options 'outside the options struct' 'GPROFX_OPTIONS(int, table)' \
	'static const struct gprofx_option table[] = {
		{"far", GPROFX_STRING, 1u << 30, "x", 0, 0, NULL, "Far away"}};'
liar plugin.bad-options "sizes make no sense" '.option_count = UINT32_MAX, .options = table' \
	'static const struct gprofx_option table[1];'
liar plugin.wrong-abi 'needs 9\.1' '.abi_major = 9'
