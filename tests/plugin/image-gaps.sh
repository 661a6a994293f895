#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Code that is in no function, by the sizes of symbols: what is there counts for no function before it, but for a row
# of its own, be it samples, frames of stacks or calls; in the program, a library of --object, and images of profiles.
# Takes 2 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
module maps -DFAILURE=GPROFX_FAILED <<<'#include "maps-reader.h"'
python3 - <<'END' || fail 'cannot write the images'
from elfimage import Image, ET_DYN
def write(name, image, at, symbols, names='abc'):
    image.section('.text', at, b'\x90' * 0x400)
    image.section('.fini', at + 0x600, b'\x90' * 0x40)
    for letter, (offset, size) in zip(names, symbols):
        image.symbol('g' + letter, at + offset, size)
    open(name, 'wb').write(image.bytes())
sized = (0, 0x40), (0x100, 0x40), (0x300, 0x35)
write('program', Image('x86_64'), 0x401000, sized)
write('libgap.so', Image('x86_64', kind=ET_DYN), 0x1000, sized)
# Without a size a function goes on to the next one, or to the end of its section; in another one it is none.
write('libopen.so', Image('x86_64', kind=ET_DYN), 0x1000, ((0x100, 0), (0x120, 0x20), (0x300, 0)))
END

# profiles PROCESS BASE [LINE...]: writes ./samples, ./frames, ./bins and ./calls, with these lines in front.
profiles() {
	local process=$1 base=$2 kind row
	for kind in samples frames bins calls; do printf '%s\n' '#maps' "${@:3}" >$kind; done
	# In functions 1 + 4, in what aligns what is behind the last one 16, in none 2 + 8 + 32 + 64.
	for row in 0x10=1 0x90=2 0x13f=4 0x160=8 0x338=16 0x3f0=32 0x610=64; do
		printf "sample $process %#x ${row#*=}\n" $((base + ${row%=*})) >>samples
		printf "stack $process ${row#*=} %#x\n" $((base + ${row%=*})) >>frames
	done
	printf "histogram $process %#x %#x 1 2 4 8 16 32 64 128\n" "$base" $((base + 0x200)) >>bins
	printf "arc $process %#x %#x 3\n" $((base + 0x92)) $((base + 0x100)) >>calls
	printf "arc $process %#x %#x 5\n" $((base + 0x10)) $((base + 0x200)) >>calls
	printf "call $process %#x 7\nsample $process %#x 1\n" $((base + 0x90)) $((base + 0x10)) >>calls
}
# rows FILE [OPTION...]: ./found gets the functions with samples or calls, and how many of both.
rows() {
	expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings --output=csv "${@:2}" program "$1"
	awk -F, 'NR > 1 && $10 + $6 > 0 { printf "%s %.0f %d\n", $1, $10, $6 }' out | tr -d '"' | LC_ALL=C sort >found
}
# expect_rows LINE...: these are the rows in ./found.
expect_rows() {
	printf '%s\n' "$@" | LC_ALL=C sort >expected
	expect_same found expected
}

# The program, where calls count for the function before.
profiles 0 0x401000
for kind in samples frames; do
	rows $kind
	expect_rows '<outside any function> 106 0' 'ga 1 0' 'gb 4 0' 'gc 16 0'
done
rows bins
expect_rows '<outside any function> 238 0' 'ga 1 0' 'gb 16 0'
# An outer frame there is not the function's either.
printf '%s\n' '#maps' 'stack 0 5 0x401110 0x401090' >outer
rows outer
expect_rows 'gb 5 0'
expect_match out '^"<outside any function>",.*,0,5,'
# The index has what has an entry, and nothing else.
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -q program outer
[ "$(sed '1,/^Index/d' out | grep -o '\[[0-9]*\] [^ ]*' | LC_ALL=C sort | tr '\n' ' ')" = '[1] <outside [2] gb ' ] ||
	fail 'not just these in the index'
# GNU gprof's rule stays one that can be had.
rows frames --correct=no-gaps
expect_rows '<outside any function> 64 0' 'ga 3 0' 'gb 12 0' 'gc 48 0'

# A library that the user names.
printf '%s\n' '#maps' 'sample 0 0x401010 1000' >of-program
profiles 0 0x1000
rows of-program --object=libgap.so=samples
expect_rows '[libgap.so] 106 0' 'ga (libgap.so) 1 0' 'gb (libgap.so) 4 0' 'gc (libgap.so) 16 0' 'ga 1000 0'
sed -i s/sample/stack/\;'s/\(0x401010\) \(1000\)/\2 \1/' of-program
rows of-program --object=libgap.so=frames
expect_rows '[libgap.so] 106 0' 'ga (libgap.so) 1 0' 'gb (libgap.so) 4 0' 'gc (libgap.so) 16 0' 'ga 1000 0'
rows of-program --object=libgap.so=calls
expect_rows '[libgap.so] 0 12' 'gb (libgap.so) 0 3' 'ga (libgap.so) 1 0' 'ga 1000 0'
rows of-program --object=libopen.so=samples
expect_rows '[libopen.so] 75 0' 'gb (libopen.so) 4 0' 'gc (libopen.so) 48 0' 'ga 1000 0'

# Images of a profile, the second one without a file.
for image in "2 $PWD/libgap.so" '5 libgap.so'; do
	names=()
	[ "$image" != '5 libgap.so' ] || names=('name 1 0x1000 0x40 ga' 'name 1 0x1100 0x40 gb' 'name 1 0x1300 0x40 gc')
	profiles 1 0x7f0000001000 'process 0' "image $image -" "${names[@]}" 'map 1 0x7f0000001000 0x1000 1 0x1000 0'
	for kind in samples frames; do
		rows $kind
		expect_rows '[libgap.so] 106 0' 'ga (libgap.so) 1 0' 'gb (libgap.so) 4 0' 'gc (libgap.so) 16 0'
	done
	rows bins
	expect_rows '[libgap.so] 238 0' 'ga (libgap.so) 1 0' 'gb (libgap.so) 16 0'
	rows calls
	expect_rows '[libgap.so] 0 12' 'gb (libgap.so) 0 3' 'ga (libgap.so) 1 0'
done
# Each piece of that code is the one row.
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -q program frames
[ "$(grep -c '^ *\[[0-9]*\].*\[libgap\.so\]' out)" -eq 2 ] || fail 'not one entry, and once in the index'
