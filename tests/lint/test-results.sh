#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The end of a test run says what it took, which tests were the slowest, what failed, and counts.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

cd "$scratch" || exit 1
{
	echo '<testsuite>'
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "<testcase name=\"cli.t$i\" time=\"0.$i\" status=\"run\"/>"
	done
	cat <<-'END'
		<testcase name="unit.graph" time="20.04" status="run"><system-out>[  PASSED  ] 7 test(s).</system-out></testcase>
		<testcase name="compare.gprof" time="100.5" status="fail"><failure message=""/><system-out>FAIL x
		40 passed, 2 failed
		</system-out></testcase>
		<testcase name="cli.died" time="0.05" status="fail"><failure message=""/></testcase>
		<testcase name="cli.absent" time="0.01" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
		</testsuite>
	END
} >release.xml
printf '%s\n' 'passed 31 build release' 'took 152' >release.steps
printf '%s\n' 'failed 240 cppcheck' 'took 241' >tidy.steps

# count WHAT-IS-EXPECTED FILE...
count() {
	local wanted=$1
	shift
	run "$GPROFX_SOURCE/scripts/count-tests" "$@"
	[ "$status" -eq 1 ] || fail "status $status although something failed"
	[ "$(cat "$scratch/out")" = "$wanted" ] || fail "expected: $wanted, printed: $(cat "$scratch/out")"
}
count 'configurations: release 152 s, tidy 241 s
slowest:
   240.0 s  cppcheck (tidy)
   100.5 s  compare.gprof (release)
    31.0 s  build release (release)
    20.0 s  unit.graph (release)
     0.9 s  cli.t9 (release)
     0.8 s  cli.t8 (release)
     0.7 s  cli.t7 (release)
     0.6 s  cli.t6 (release)
     0.5 s  cli.t5 (release)
     0.4 s  cli.t4 (release)
failed: compare.gprof (release): 2 tests
failed: cli.died (release)
failed: cppcheck (tidy)
57 passed, 4 failed, 1 skipped' release.xml release.steps tidy.steps
: >empty.steps
count '0 passed, 0 failed' empty.steps

printf '%s\n' 'passed 3 build clang' >clang.steps
run "$GPROFX_SOURCE/scripts/count-tests" clang.steps
[ "$status" -eq 0 ] || fail "status $status although nothing failed"
