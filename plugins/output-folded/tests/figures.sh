#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Folded stacks: measured ones have the weights of the input, exactly; estimated ones say so in a frame that no
# conversion loses, and have the figures of the call graph.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

# folded WORD...: the stacks of such a run, in ./folded.
folded() {
	expect_status 0 "$GPROFX" --no-findings --output=folded:folded "$@"
	expect_undiagnosed
	expect_empty out
	! grep -vqE '^[^;]+(;[^;]+)* [1-9][0-9]*$' folded || fail 'a line is no stack'
}

# expect_sum NUMBER: the numbers of ./folded add up to it.
expect_sum() {
	[ "$(awk '{ s += $NF } END { print s + 0 }' folded)" = "$1" ] || fail "the sum is not $1"
}

# Measured stacks: what was read is what is written, in any number of rounds.
cat >stacks <<'END'
main 1
main;a 2
main;a;a 3
main;a;a;b_[k] 9007199254740993
main;p;q;p 5
main;q;p 5
main;b;b_[k];read_[k] 6
start it;[T, 4] 7
END
folded stacks
expect_same <(LC_ALL=C sort stacks) <(LC_ALL=C sort folded)
cp folded first
folded first
expect_same first folded
# Beyond what doubles hold, too, and added up; of one selected function, what its stacks have.
printf 'main;a 9007199254740993\nmain;b 4611686018427387905\nmain;a 2\n' >stacks
folded stacks
expect_same <(sort folded) <(printf 'main;a 9007199254740995\nmain;b 4611686018427387905\n')
folded --time=a stacks
expect_same folded <(printf 'main;a 9007199254740995\n')
# Fractions are counted in their smallest part.
printf 'main;a 1.25\nmain 2\n' >stacks
folded stacks
expect_same <(sort folded) <(printf 'main 200\nmain;a 125\n')

# main 1, a 4, c 2, b 3; main calls a once and b twice, b calls a 3 times; a and c are a cycle.
python3 - <<'END' || fail 'cannot write the program'
from exportcases import example
program, samples, calls = example()
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile(samples, calls).bytes())
open('flat', 'wb').write(program.profile(samples).bytes())
open('rate-0', 'wb').write(program.profile(samples, calls, rate=0).bytes())
open('cycles', 'wb').write(program.profile(samples, calls, rate=1000, unit=b'cycles', letter=b'c').bytes())
open('nothing', 'wb').write(program.empty().bytes())
END
estimate='program (gprof estimate, paths not measured)'
folded program gmon.out
sort >expected <<END
$estimate;main 10000
$estimate;main;b 30000
$estimate;main;b;<cycle 1>;a 30000
$estimate;main;b;<cycle 1>;c 15000
$estimate;main;<cycle 1>;a 10000
$estimate;main;<cycle 1>;c 5000
END
expect_same expected <(sort folded)
folded --set=folded.unit=ns program gmon.out
expect_same <(sed 's/$/000/' expected) <(sort folded)
folded --set=folded.unit=ms program gmon.out
expect_same <(sed 's/000$//' expected) <(sort folded)
# Ticks: 1.5 and 0.5 are rounded, and the sum is not.
folded --set=folded.unit=ticks program gmon.out
expect_sum 10
cp folded ticks
for profile in rate-0 cycles; do
	folded program $profile
	expect_same ticks folded
done
folded --gnu program gmon.out
expect_sum 100000
expect_in folded "$estimate;main;b 30000"
# Without calls each function is a stack; without samples there is none.
folded program flat
expect_same <(sort folded) <(printf '%s\n' 'a 40000' 'b 30000' 'c 20000' 'main 10000' | sed "s/^/$estimate;/")
folded program nothing
expect_empty folded
# What the bound leaves out is in the sum, and in no function's name.
folded --set=report.contexts=2 program gmon.out
expect_sum 100000
expect_in folded "$estimate;main;b;[paths too small to show] 45000"
# A plugin check asks for no contexts at all.
module=$GPROFX_BUILD/lib/gprofx/1/output-folded.so
[ ! -e "$module" ] || expect_status 0 "$GPROFX" --check-plugin="$module"

# Any bytes are names; each is a function of its own.
python3 - <<'END' || fail 'no profile was made'
from profiled import Program
names = ['main', 'two\nlines', '\xff\xfe', 'op 3', 'op 3', '[T; 4]', '#begin', ' ', 'x' * 100000, 'f', 'f']
program = Program(names)
open('hostile', 'wb').write(program.bytes())
profile = program.empty()
bins = [i + 1 for i in range(len(names))] + [0] * (len(program.names) - len(names))
profile.histogram(program.base, program.end, bins)
profile.arc(program.base + 4, program.base + 0x100, 3)
open('gmon.out', 'wb').write(profile.bytes())
END
for mode in --raw-bytes --gnu; do
	folded $mode hostile gmon.out
	python3 - <<-'END' || fail 'not all is there'
		lines = [line.rsplit(' ', 1) for line in open('folded', encoding='utf-8')]
		assert sorted(int(count) for _, count in lines) == [10000 * (i + 1) for i in range(11)], lines
		leaves = {stack.split(';')[-1] for stack, _ in lines}
		assert len(leaves) == 11, leaves
		assert leaves >= {'two\\x0alines', '\\xff\\xfe', 'op 3 [0x401300]', '[T, 4]', '_begin', 'f [0x401a00]'}, leaves
	END
done
