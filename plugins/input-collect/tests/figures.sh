#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What files of the collector say is in the report: calls, measured times, both byte orders, equal entries in one
# chunk and in several, several processes, libraries that are loaded elsewhere, trees that are none, and an address
# that belonged to one object and then to another one.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	import shutil
	save('usual', usual())
	save('swapped', usual('>'))
	again = new().arcs([(at('main+5'), at('work'), 3), (at('main+5'), at('work'), 2), (1, at('main'), 1)])
	again.arcs([(at('main+5'), at('work'), 2)])
	again.stacks([(at('main+8'), 0, 0, 4, 4), (at('main+5'), 0, 0, 0, 0), (at('work+3'), 2, CFI, 10, 10)])
	again.stacks([(at('work+3'), 2, 0, 20, 20), (at('main+5'), 0, 0, 0, 0), (at('main+8'), 0, 0, 6, 6)], thread=2)
	save('again', again)
	save('moved', File().program(os.path.abspath('program'), program.base + 0x5000, program.end + 0x5000, 0x5000).arcs(
	    [(at('main+5') + 0x5000, at('work') + 0x5000, 7), (1, at('main') + 0x5000, 1)]).stacks(
	    [(at('main+8') + 0x5000, 0, 0, 10, 10), (at('main+5') + 0x5000, 0, 0, 0, 0), (at('work+3') + 0x5000, 2, 0, 30, 30)]))
	odd = usual()
	# Entries that are their own ancestors, or below one that is not there, are in no stack.
	odd.stacks([(at('work'), 2, 0, 100, 100), (at('work'), 1, 0, 100, 100), (at('work'), 3, 0, 9, 9), (at('work'), 77, 0, 9, 9)])
	save('odd', odd)
	library = Program(['helper', 'other'], base=0x1000)
	for name in 'one.so', 'two.so':
	    save(name, library.bytes())
	twice = new()
	one, two = (twice.text(os.path.abspath(name)) for name in ('one.so', 'two.so'))
	bias = 0x7000000
	low, high = bias + library.base, bias + library.end
	# What is gone has addresses where no code is.
	kept = (1 << 62) - low
	twice.objects([(low + kept, high + kept, bias + kept, 0, b'', one), (low, high, bias, 0, b'', two)])
	twice.arcs([(at('main+5'), bias + kept + library.at('helper'), 3)], thread=0).arcs([(at('main+5'), bias + library.at('other'), 4)])
	twice.stacks([(bias + kept + library.at('helper'), 0, 0, 5, 5)], thread=0).stacks([(bias + library.at('other'), 0, 0, 6, 6)])
	save('twice', twice)
END

expect_status 0 "$GPROFX" -b -p program usual
expect_undiagnosed
expect_match out '^ 75\.00 +0\.30 +0\.30 +7 .* work$'
expect_match out '^ 25\.00 +0\.40 +0\.10 +1 +100ms +400ms +main$'
for options in '-b -p' '-b -q'; do
	expect_status 0 "$GPROFX" $options program usual
	cp out expected
	for file in swapped again moved; do
		expect_status 0 "$GPROFX" $options program "$file"
		expect_same out expected
	done
done
expect_status 0 "$GPROFX" -b -p program usual
cp out expected
expect_status 0 "$GPROFX" -b -p program odd
expect_same out expected
expect_status 0 "$GPROFX" -b -p program usual again
expect_match out '^ 75\.00 +0\.60 +0\.60 +14 .* work$'
expect_status 0 "$GPROFX" -b -p program twice
expect_undiagnosed
expect_match out ' 0\.06 +4 .* other \(two\.so\)$'
expect_match out ' 0\.05 +3 .* helper \(one\.so\)$'
