#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# report.no-histogram, report.no-arcs: a table that the profile has no data for; by default it is left
# out. profile.blocks-ignored: a warning, once, and the tables all the same.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

python3 - <<-'END' || fail 'cannot write the files'
	from profiled import Program
	program = Program(['main', 'work'])
	open('program', 'wb').write(program.bytes())
	calls = [('main', 'work', 7)]
	open('arcs', 'wb').write(program.profile(None, calls).bytes())
	open('samples', 'wb').write(program.profile({'work': 3}).bytes())
	blocks = program.profile({'work': 3}, calls).blocks([(program.base, 1)]).blocks([(program.base, 1)])
	open('blocks', 'wb').write(blocks.bytes())
END

expect_status 1 "$GPROFX" -b -p program arcs
expect_match err '^gprofx: error\[report\.no-histogram\]: expected a histogram for the flat profile, found none$'
expect_match err '^  hint: .'
expect_empty out
expect_status 0 "$GPROFX" -b program arcs
expect_in out 'Call graph'
expect_not_in out 'Flat profile:'

expect_status 1 "$GPROFX" -b -q program samples
expect_match err '^gprofx: error\[report\.no-arcs\]: expected arcs for the call graph, found none$'
expect_match err '^  hint: .*-pg'
expect_empty out
expect_status 0 "$GPROFX" -b program samples
expect_in out 'Flat profile:'
expect_not_in out 'Call graph'

expect_status 0 "$GPROFX" -b program samples arcs
cp out expected
expect_status 0 "$GPROFX" -b program blocks
expect_same out expected
[ "$(grep -c 'warning\[profile\.blocks-ignored\]' err)" -eq 1 ] || fail 'not just one warning'
expect_match err '^  hint: .'
