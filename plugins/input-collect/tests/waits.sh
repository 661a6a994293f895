#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Recordings with clock=wall: the metrics cpu and wait side by side; waits whose callers are not known are reported.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	main, work, idle = (at('main+8'), 0, CFI, 0, 0), (at('work+3'), 1, CFI, 30, 30), (at('idle'), 1, CFI, 10, 10)
	def wall(**header):
	    return new(clock=3, flags=0, **header).stacks([main, work, idle])
	save('wall', wall().waits([main, (at('idle'), 1, CFI, 200, 4)]).waits([main, (at('work+3'), 1, CFI, 100, 9)], thread=0))
	save('busy', wall())
	save('cpu', new(clock=1, flags=0).stacks([main, work, idle]).waits([main, (at('idle'), 1, CFI, 200, 4)]))
	save('broken', wall().waits([main, (at('idle'), 1, CFI, 180, 4), (at('work+3'), 0, CFI | BROKEN, 20, 20)]))
	save('refused', new(clock=1, flags=NO_WAITS).stacks([main, work, idle]))
	save('whole', wall().waits([main, (at('idle'), 1, CFI, 190, 4), (at('work+3'), 0, CFI | BROKEN, 10, 10)]))
END

expect_status 0 "$GPROFX" -b -p program wall
expect_match out '^ +75\.00 +0\.30 +0\.30 .* 1\.00 +1\.00 +work$'
expect_match out '^ +25\.00 +0\.40 +0\.10 .* 2\.00 +2\.00 +idle$'
expect_status 0 "$GPROFX" -b -p --metric=wait program wall
expect_match out '^ +66\.67 +2\.00 +2\.00 .* 0\.10 +0\.10 +idle$'
expect_match out '^ +33\.33 +3\.00 +1\.00 .* 0\.30 +0\.30 +work$'
expect_match out '^ +0\.00 +3\.00 +0\.00 .* 0\.00 +0\.40 +main$'
# A sample of a wait is not one of many independent ones.
expect_status 0 "$GPROFX" -p --metric=wait program wall
expect_match out '^Of cpu, each sample counts as 0\.01 seconds'
expect_status 0 "$GPROFX" --summary program wall
expect_match out '^program: 0\.40 s of cpu, 3\.00 s of wait, measured from call stacks, '
# It leads to where threads wait; commands are about the metric that was chosen.
expect_match out '^  gprofx --summary --metric=wait program wall +where threads wait$'
expect_status 0 "$GPROFX" --summary --metric=wait program wall
expect_match out '^program: 3\.00 s of wait, 0\.40 s of cpu, measured from call stacks, '
expect_match out '^  gprofx --entry=idle --metric=wait program wall '
expect_not_in out '--summary'
# The metric is there if nothing waited.
expect_status 0 "$GPROFX" -b -p --metric=wait program busy
expect_match out ' 0\.30 +0\.30 +work$'
# A file with another clock has none.
expect_status 0 "$GPROFX" -b -p program cpu
expect_undiagnosed
expect_match out '^ +75\.00 +0\.30 +0\.30 +work$'

expect_status 0 "$GPROFX" -b -p program broken
expect_match err '^gprofx: warning\[collect\.waits-incomplete\]: broken: 10 % of the time that threads waited has no outermost callers: total times of wait are lower bounds$'
expect_match err '^  hint: .'
expect_status 0 "$GPROFX" -b -p program whole
expect_not_in err 'waits-incomplete'

expect_status 0 "$GPROFX" -b -p program refused
expect_match err '^gprofx: warning\[collect\.no-waits\]: refused: the system refused a thread for clock=wall: where threads wait is missing or incomplete$'
expect_match err '^  hint: .'

# Threads that were looked at less often than the rate says.
for looks in 20 980; do
	make_recorded <<-END
		save('seldom', new(clock=3, flags=0, looks=$looks, look_weight=1000).waits([(at('main+8'), 0, CFI, 200, 4)]))
	END
	expect_status 0 "$GPROFX" --explain -b -p program seldom
	expect_match err '^gprofx: finding\[time\.waiting\]: threads wait for 100 % of the time, which cpu does not show; 100 % of that is in main and below$'
	if [[ $looks == 20 ]]; then
		expect_match err '^  evidence: 2\.00 s of waiting and 0\.00 s of processor time, of all threads;$'
		expect_match err '^ +each thread was looked at 2 times a second on average and not 100,$'
	else
		expect_not_in err 'looked at'
	fi
done
