#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reports by line (-l) in formats of functions, this one and others: functions as wholes, called as such; by gprof's rules,
# where each line is a row of its own, all rows are there.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
program = Program(['main', 'a', 'b'])
program.lines({'main': [(0, 10), (0x40, 12), (0x80, 3, 'inl.h'), (0xc0, 14)], 'a': [(0, 30), (0x80, 31)], 'b': [(0, 40)]})
open('program', 'wb').write(program.bytes())
profile = program.empty()
bins = [0] * ((program.end - program.base) // 0x40)
bins[1:9] = [2, 7, 1, 4, 0, 3, 0, 5]
profile.histogram(program.base, program.end, bins)
profile.arc(program.base + 0x44, program.address['a'], 3)
profile.arc(program.base + 0xc4, program.address['a'], 5)
profile.arc(program.base + 0xc4, program.address['b'], 1)
open('gmon.out', 'wb').write(profile.bytes())
END

# rows FORM WORD...: figures and names of such a file, one a line, in ./rows: what stacks end with, or boxes and arrows.
rows() {
	form=$1
	shift
	expect_status 0 "$GPROFX" --no-findings --output="$form:file" "$@" program gmon.out
	expect_undiagnosed
	python3 - "$form" >rows <<-'END' || fail 'the file cannot be read'
		import json
		import re
		import sys
		if sys.argv[1] == 'pprof':
		    from pprofreader import Pprof
		    p = Pprof('file')
		    stacks = [(';'.join(names), value) for names, value in p.stacks(len(p.types) - 1)]
		elif sys.argv[1] == 'speedscope':
		    j = json.load(open('file'))
		    names = [frame['name'] for frame in j['shared']['frames']]
		    stacks = [(p['name'] + ';'.join(names[i] for i in stack), weight) for p in j['profiles']
		              for stack, weight in zip(p['samples'], p['weights'])]
		elif sys.argv[1] == 'folded':
		    stacks = [line.rsplit(' ', 1) for line in open('file').read().splitlines()]
		else:
		    text = open('file', encoding='utf-8').read()
		    name = dict(re.findall(r'^\t(n\d+) \[.*?label="([^\\]*)', text, re.M))
		    stacks = [(name[box], label) for box, label in re.findall(r'^\t(n\d+) \[.*?label="([^"]*)', text, re.M)]
		    stacks += [(name[left] + name[right], label) for left, right, label in
		               re.findall(r'^\t(n\d+) -> (n\d+) \[label="([^"]*)', text, re.M)]
		for row in sorted('%s %s' % row if isinstance(row, tuple) else ' '.join(row) for row in stacks):
		    print(row)
	END
}

for form in folded speedscope pprof dot; do
	rows "$form"
	mv rows expected
	expect_match expected 'main'
	rows "$form" -l
	expect_same expected rows
done

# 22 samples of 10 ms, whatever the rows are.
for mode in --gnu --correct=no-line-graph; do
	rows folded "$mode" -l
	[ "$(awk '{ s += $NF } END { print int(s / 10000) }' rows)" = 22 ] || fail "folded, $mode: time was lost"
	expect_match rows 'main \(prog\.c:12 @ 401040\)'
	rows pprof "$mode" -l
	[ "$(awk '{ s += $NF } END { print int(s / 10000000) }' rows)" = 22 ] || fail "pprof, $mode: time was lost"
	rows pprof "$mode" -l --set=pprof.flat=true
	[ "$(awk '{ s += $NF } END { print int(s / 10000000) }' rows)" = 22 ] || fail "pprof.flat, $mode: time was lost"
	rows pprof "$mode" -l --set=report.contexts=1
	[ "$(awk '{ s += $NF } END { print int(s / 10000000) }' rows)" = 22 ] || fail "two contexts, $mode: time was lost"
	rows dot "$mode" -l --set=dot.node=0
	[ "$(grep -oE 'n\([0-9.]+%\)' rows | tr -d 'n()%' | awk '{ s += $1 } END { print int(s + 0.5) }')" = 100 ] ||
		fail "dot, $mode: time was lost"
	# The line calls, not the function.
	expect_match rows '^main \(prog\.c:14 @ 4010c0\)a \(prog\.c:30 @ 401100\) '
done
