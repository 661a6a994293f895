#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Samples of the collector itself are one function, "[profiling overhead]", in all outputs, wherever its library is
# and whatever its symbols are called.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	library = Program(['mcount', 'sample'], base=0x1000)
	path, bias = os.path.abspath('libgprofx-collect.so.1'), 0x7000000
	save('libgprofx-collect.so.1', library.bytes())
	with_library = new()
	with_library.objects([(bias + library.base, bias + library.end, bias, 0, b'', with_library.text(path))])
	with_library.arcs([(at('main+5'), at('work'), 7), (1, at('main'), 1)])
	with_library.stacks([(at('main+5'), 0, 0, 0, 0), (at('work+3'), 1, CFI, 10, 10), (at('work+9'), 1, CFI, 0, 0),
	                     (bias + library.at('mcount+2'), 3, CFI, 25, 25), (bias + library.at('sample+2'), 3, CFI, 5, 5)])
	save('counted', with_library)
END

expect_status 0 "$GPROFX" -b -p program counted
expect_undiagnosed
expect_match out '^ 75\.00 +0\.30 +0\.30 .* \[profiling overhead\]$'
expect_not_in out mcount
expect_status 0 "$GPROFX" -b -q program counted
expect_match out '^\[[0-9]+\] +75\.0 +0\.30 +0\.00 +\[profiling overhead\] \[[0-9]+\]$'
expect_match out '^ +0\.30 +0\.00 +\[profiling overhead\] \[[0-9]+\]$'
expect_status 0 "$GPROFX" --summary program counted
expect_match out '^ 75\.0% +75\.0% +- +\[profiling overhead\] .* work'
for format in json html callgrind folded csv pprof speedscope dot; do
	expect_status 0 "$GPROFX" --output=$format:file program counted
	if [ $format = pprof ]; then
		gzip -dc file >unpacked
		mv unpacked file
	fi
	grep -qaF '[profiling overhead]' file || fail "$format does not have the profiling overhead"
	! grep -qaE '\bmcount\b' file || fail "$format has a function of the collector"
done
