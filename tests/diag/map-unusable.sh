#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# map.cannot-open, map.bad-line: maps of files that cannot be read, with the place.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
# refused PLACE TEXT: the file "map" is refused with one error, and a hint; so it is in GNU mode.
refused() {
	expect_status 1 "$GPROFX" -b -p -R map program
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'not just one error'
	expect_match err "^gprofx: error\\[map.bad-line\\]: map:$1: expected FILE:ADDRESS TYPE NAME, found $2\$"
	expect_match err '^  hint: .'
	expect_status 1 "$GPROFX" --gnu -b -p -R map program
	expect_empty out
	[ "${3:-}" = fits ] || expect_same err <(echo "$GPROFX: unable to parse mapping file map.")
}

good='a.o:401000 T main'
: >map
refused 1:1 'an empty file'
printf '\n%s\n' "$good" >map
refused 1:1 'no name of a file'
printf '%s\n:x y\n' "$good" >map
refused 2:1 'no name of a file'
printf '%s\n%s\nabc\n' "$good" "$good" >map
refused 3:4 'no colon'
printf '%s\nabc' "$good" >map
refused 2:4 'no colon'
printf '%s\n  abc:def\n' "$good" >map
refused 2:6 'no blank before a name'
printf 'abc:\n' >map
refused 1:4 'no blank before a name'
{ head -c 4097 /dev/zero | tr '\0' f; printf ':1 T main\n'; } >map
refused 1:1 'a longer name than files have' fits

rm map
for file in map .; do
	expect_status 1 "$GPROFX" -b -p -R $file program
	expect_match err "^gprofx: error\\[map.cannot-open\\]: $file: cannot read the map of files: "
	expect_match err '^  hint: .'
	expect_empty out
	expect_status 1 "$GPROFX" --gnu -b -p -R $file program
	expect_same err <(echo "$GPROFX: could not open $file.")
done
