#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Plugins of each kind that were built against the headers of every version there was are loaded, by their files
# and by their manifests, and work together as they did then.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END'
code = bytearray(0x300)
code[0x10:0x12] = b'C\1'
code[0x20:0x22] = b'C\2'
code[0x110:0x112] = b'I\0'
open('image', 'wb').write(b'FROZEN' + code)
open('profile', 'wb').write(b'frozen!'.ljust(20) + bytes([10, 30, 0]))
open('longer', 'wb').write(b'frozen!'.ljust(20) + bytes([10, 30, 0, 1]))
open('shorter', 'wb').write(b'frozen!'.ljust(20) + bytes([10]))
END

for folder in "$GPROFX_SOURCE"/tests/abi/*/; do
	version=$(basename "$folder")
	mkdir "$version"
	named=
	for source in "$folder"*.c; do
		name=$(basename "$source" .c)
		"$GPROFX_CC" -std=c11 -shared -fPIC -Wall -Wextra -Werror -I"$folder/include" \
			-o "$version/$name.so" "$source" || fail "$source does not compile"
		cp "$folder$name.yaml" "$version"
		named="$named --plugin=./$version/$name.so"
	done
	for words in "$named" "--plugin-path=$version"; do
		[[ $words = --plugin-path=* && $GPROFX_BUILTIN = 1 ]] && continue
		# shellcheck disable=SC2086 # Several words.
		expect_status 0 "$GPROFX" $words --no-findings -c --output=frozen image profile
		expect_not_in err 'error['
		expect_not_in err 'frozen.'
		expect_same out "$folder/expected"
		expect_status 0 "$GPROFX" $words --no-findings --output=frozen image longer
		expect_match err '^gprofx: warning\[frozen\.bad\]: longer:0x14: expected the end, found 1 bytes$'
		expect_status 1 "$GPROFX" $words --no-findings --output=frozen image shorter
		expect_match err '^gprofx: error\[frozen\.bad\]: shorter:0x14: expected 2 more bytes$'
		expect_status 0 "$GPROFX" $words --no-findings -b -l -p image profile
		expect_match out 'work \(frozen\.x:2 @ 10100\)'
	done
	seen=yes
done
[ "${seen-}" = yes ] || fail 'no version was frozen'
