#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Samples beside call stacks: a finding where they contradict each other by more than chance explains, and none where they
# do not; and stacks that lack the callers of functions without frames, by the calls that stand in the code.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
python3 - <<-'END' || fail 'cannot write the files'
	import struct
	import gxcfile
	from elfimage import Image
	from profiled import Program
	program = Program(['main', 'work', 'idle', 'mcount'])
	open('program', 'wb').write(program.bytes())

	def sampled(name, calls=7, **ticks):
	    open(name, 'wb').write(program.profile(ticks, [('main', 'work', calls)] if calls else []).bytes())

	def stacked(name, squares=1, **ticks):
	    file = gxcfile.File().program('program', program.base, program.end)
	    file.stacks([(program.at('main+5'), 0, 0, 0, 0)] +
	                [(program.at(name + '+3'), 1, 0, n, n * squares) for name, n in ticks.items()])
	    open(name, 'wb').write(file.bytes())

	stacked('stacks', work=600, idle=400)
	stacked('coarse', 50, work=600, idle=400)
	sampled('equal', work=580, idle=420, mcount=5000)
	sampled('other', work=400, idle=600)
	sampled('few', work=20, idle=20)
	sampled('twice', work=1200, idle=800)
	sampled('twice-uncounted', calls=0, work=1200, idle=800)
	sampled('near', work=640, idle=430)

	for name, calls in ('costs', 7), ('other-costs', 9):
	    open(name, 'w').write('# callgrind format\nevents: Ir\nfn=main\n1 10\ncfn=work\ncalls=%d 1\n1 100\nfn=work\n1 100\n' % calls)

	# main calls middle and tail; middle calls leaf, and tail goes on there with a jump.
	base = 0x401000
	def call(at, to, code=0xe8):
	    return bytes([code]) + struct.pack('<i', to - (at + 5))
	first, main, middle, tail, leaf, start = range(base, base + 0x60, 0x10)
	code = {main: call(main, middle) + call(main + 5, tail), middle: call(middle, leaf), tail: call(tail, leaf, 0xe9),
	        start: b'\xff\xd0'}
	image = Image('x86_64')
	image.section('.text', base, b''.join(code.get(at, b'').ljust(0x10, b'\x90') for at in range(base, base + 0x70, 0x10)))
	image.functions(['first', 'main', 'middle', 'tail', 'leaf', '__libc_start_call_main', 'zz_end'], base, 0x10)
	open('frames', 'wb').write(image.bytes())

	def followed(name, rows):
	    file = gxcfile.File().program('frames', base, base + 0x70)
	    file.stacks([(start + 2, 0, 0, 0, 0), (main + 5, 1, 0, 0, 0), (main + 10, 1, 0, 0, 0)] +
	                [(at, parent, 0, n, n) for at, parent, n in rows])
	    open(name, 'wb').write(file.bytes())

	followed('sound', [(middle + 6, 2, 60), (leaf + 1, 3, 40)])
	followed('lost', [(leaf + 1, 2, 60), (leaf + 2, 3, 40)])
	followed('seldom', [(leaf + 1, 2, 4), (middle + 6, 2, 96)])
	followed('lost-main', [(leaf + 1, 1, 70), (middle + 6, 2, 30)])
END

# found FINDINGS PROGRAM FILE...: the findings, but for the one that samples are not used; "list" has their texts.
found() {
	local findings=$1
	shift
	expect_status 0 "$GPROFX" --slide=none --output=json:report "$@"
	python3 - >list <<-'END' || fail 'no report'
		import json
		for row in json.load(open('report'))['findings']:
		    if row['id'] != 'samples.not-used':
		        print('finding[%s]: %s\nevidence: %s' % (row['id'], row['summary'], row['evidence']))
	END
	sed -nE 's/^finding\[([a-z.-]+)\].*/\1/p' list | tr '\n' ' ' >names
	[ "$(cat names)" = "$findings" ] || fail "$*: found $(cat names)instead of $findings: $(cat list)"
}
found '' program equal stacks
found 'profile.shares-differ ' program other stacks
expect_match list 'finding\[profile\.shares-differ\]: .*: work has 40\.0 % of the time by samples of [a-z]*, but 60\.0 % by call stacks of stacks$'
expect_match list 'evidence: 2 of 2 functions .*error of this difference is 2\.2 points$'
found 'profile.shares-differ ' program stacks other
# Fewer samples, or heavier ones, prove less.
found '' program few stacks
found '' program other coarse
# The same shares of twice the work: only times per call are wrong.
found 'profile.sums-differ ' program twice stacks
expect_match list 'finding\[profile\.sums-differ\]: .* take 20\.00 s by samples of [a-z]*, but 10\.00 s by call stacks of stacks$'
expect_match list 'a factor of 2\.00; the standard error of the difference is 0\.5[45] s$'
found '' program twice-uncounted stacks
found '' program near stacks

# Calls that are counted twice come from counters.
found 'calls.not-used ' program equal costs
expect_match list 'finding\[calls\.not-used\]: .* come from counters: those of costs are in no table$'
expect_match list 'evidence: 1 function has calls in both, all equal$'
expect_status 0 "$GPROFX" --no-findings -b -p program equal costs
expect_match out '^ *90\.91 +100\.00 +100\.00 +7 +14\.29 +14\.29 +work$'
expect_in out 'Values are from costs, calls from equal.'
found 'profile.calls-differ ' program equal other-costs
expect_match list 'finding\[profile\.calls-differ\]: .* the calls of 1 of 1 functions, .* differ from those of other-costs, '
expect_match list 'evidence: work: 7 calls by counters, 9 by other-costs$'

found '' frames sound
found 'stacks.lost-callers ' frames lost
expect_match list 'finding\[stacks\.lost-callers\]: 60 % of the time '
expect_match list 'evidence: main calls middle before 0x401015, but stacks have leaf there, '
found '' frames seldom
found 'stacks.lost-callers ' frames lost-main
expect_match list '70 % of the time .*whose total time is too low$'
expect_match list 'evidence: __libc_start_call_main calls main before 0x40'
