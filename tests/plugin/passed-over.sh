#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A plugin that lies about itself is skipped, with the reason, where it was only found to be of use; a run
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
	# However many files there are: it is said once.
	expect_status 1 "$GPROFX" --plugin-path=m -b program odd gmon.out odd odd
	[ "$(grep -c "warning\\[$1\\]" err)" -eq 1 ] || fail 'not just one warning'
	for asked in --plugin=input-liar --plugin=./m/input-liar.so --file-format=liar; do
		expect_status 1 "$GPROFX" --plugin-path=m "$asked" -b program gmon.out
		expect_empty out
		expect_match err "^gprofx: error\\[$1\\]: .*/m/input-liar\\.so: .*$2"
	done
}

liar plugin.bad-descriptor 'impossible size' '.size = 3'
liar plugin.bad-descriptor 'descriptor is too small' '.size = 48'
liar plugin.bad-descriptor 'no valid name' '.name = "../input-liar"'
liar plugin.bad-descriptor 'no read callback' '.reader = &reader' \
	'static const struct gprofx_reader reader = {.size = sizeof reader, .format = "liar"};'
liar plugin.bad-descriptor "reader's struct is too small" '.reader = &reader' \
	'static const struct gprofx_reader reader = {.size = 8, .format = "liar", .read = stub_read};'
liar plugin.bad-options 'outside the options struct' 'GPROFX_OPTIONS(int, table)' \
	'static const struct gprofx_option table[] = {
		{"far", GPROFX_STRING, 1u << 30, "x", 0, 0, NULL, "Far away"}};'
liar plugin.bad-options "the sizes of the table are not valid" '.option_count = UINT32_MAX, .options = table' \
	'static const struct gprofx_option table[1];'
liar plugin.wrong-abi "needs 9\.$(abi_minor)\$" '.abi_major = 9'

# The same for the other kinds, each with the way in which it is come upon and that in which it is asked for.
# other KIND RUN ASKED MANIFEST: RUN, words of a command line, goes on without the plugin and warns; ASKED ends.
other() {
	local name=$1-liar
	manifest "of-$1/$name" <<<"name: $name
abi: 1
$4"
	cp broken.so "of-$1/$name.so"
	# shellcheck disable=SC2086 # Several words.
	expect_status "${5-0}" "$GPROFX" --no-findings --plugin-path="of-$1" $2
	[ "$(grep -cE "^gprofx: warning\\[plugin\\.bad-descriptor\\]: .*/$name\\.so: " err)" -eq 1 ] ||
		fail "not just one warning of $name"
	for asked in "--plugin=$name" "--plugin=of-$1/$name.so" $3; do
		expect_status 1 "$GPROFX" --plugin-path="of-$1" "$asked" -b program gmon.out
		expect_empty out
		expect_match err "^gprofx: error\\[plugin\\.bad-descriptor\\]: .*/$name\\.so: "
	done
}
module broken <<-'END'
	#include "stub.h"
	STUB_PLUGIN, .name = NULL };
END
printf 'LIARS and more bytes' >image
other symbols '-b image gmon.out' '' 'symbols: { magic: [{ bytes: LIARS }] }' 1
python3 - <<-'END'
	data = bytearray(open('program', 'rb').read())
	data[18:20] = (4661).to_bytes(2, 'little')
	open('foreign', 'wb').write(data)
END
other findcall '-b -c foreign gmon.out' '' 'findcall: { machines: [4661] }'
other output '--list-settings' --output=liar 'emitter: { format: liar }'
other config '--list-settings' '' 'document: { syntax: liar }'
other labels '--list-settings' '' 'labels: { syntax: liar }'
