#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# -R lists files in their order, and shows files in place of functions in the listings that are asked
# for with it.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
printf '%s\n' 'a.o:0000 T main' 'b.o:0000 t work' 'b.o:0010 T idle' >map
printf '%s\n' a.o b.o >order
expect_status 0 "$GPROFX" -b -p -z program
sed '/ idle$/d; s/ main$/ a.o/; s/ work$/ b.o/' out | cat - order >expected
expect_in expected a.o
for mode in '' --gnu; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" $mode -b -q -R map program
	expect_in out 'a.o [1]'
	expect_in out 'b.o [2]'
	expect_not_in out work
	expect_undiagnosed
	# Alone it asks for the order only.
	# shellcheck disable=SC2086
	for words in '-R map' '-P -R map' '-b -R map' '--file-ordering=map'; do
		expect_status 0 "$GPROFX" $mode $words program
		expect_same order out
	done
done
run "$GPROFX" -b -p -z -R map program
expect_same expected out
# A reference is no definition.
sed '1p; 1s/.*/b.o:                 U main/' map >references
run "$GPROFX" -b -p -z -R references program
expect_same expected out
sed '1a b.o:                 U main' map >references
run "$GPROFX" -b -p -z -R references program
expect_same expected out
# Files that have nothing in the program stand behind the others, sorted.
printf '%s\n' 'z.o:0 T none' 'b.o:0 T work' 'aa.o:0 T nothing' 'z.o:0 T more' >map
expect_status 0 "$GPROFX" -R map program
printf '%s\n' b.o aa.o z.o >expected
expect_same expected out
# The map is for symbols of lists as well, but not in GNU mode.
printf '%s\n' '401000 T main' '401100 T work' '401200 T idle' >list
run "$GPROFX" -b -p -S list -R map program
expect_in out '  b.o'
run "$GPROFX" --gnu -b -p -S list -R map program
expect_in out '  work'
# Nothing is written over the map.
cp map kept
expect_status 1 "$GPROFX" -p -R map --output=csv:map program
expect_in err 'error[output.same-file]: map: '
expect_same kept map
