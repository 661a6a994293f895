#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a file of speedscope has: hostile names, places, contexts that are left out, large values, no profile at all.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the program'
from exportcases import example
program, samples, calls = example()
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile(samples, calls).bytes())
open('nothing', 'wb').write(program.empty().bytes())
open('b-only', 'wb').write(program.profile({'b': 7}, [], rate=1, unit=b'bytes', letter=b'b').bytes())
open('many', 'wb').write(program.profile(samples, [('main', 'a', 4294967295)] * 20000).bytes())
END

# written WORD...: what the file of such a run says, in ./text: a line for each profile, and for each of its stacks.
written() {
	expect_status 0 "$GPROFX" --no-findings --output=speedscope "$@"
	expect_undiagnosed
	mv out file.json
	python3 - >text <<-'END' || fail 'the file cannot be read'
		import json
		file = json.load(open('file.json', encoding='utf-8'))
		frames = [f['name'] for f in file['shared']['frames']]
		for p in file['profiles']:
		    print(p['name'] + ':', p['unit'], p['endValue'])
		    for stack, weight in zip(p['samples'], p['weights']):
		        print(';'.join(frames[i] for i in stack), weight)
	END
}

written program gmon.out
cat >expected <<'END'
Estimated stacks (gprof propagation, paths not measured): microseconds 100000
program (gprof estimate, paths not measured);main 10000
program (gprof estimate, paths not measured);main;b 30000
program (gprof estimate, paths not measured);main;b;<cycle 1>;a 30000
program (gprof estimate, paths not measured);main;b;<cycle 1>;c 15000
program (gprof estimate, paths not measured);main;<cycle 1>;a 10000
program (gprof estimate, paths not measured);main;<cycle 1>;c 5000
Self time (measured): microseconds 100000
main 10000
a 40000
b 30000
c 20000
END
head -n 12 text >stacks.text
expect_same expected stacks.text
expect_match text '^Calls \(counted\): none [0-9]+$'
expect_match text '^b 2$'

# What is left out stays below its caller.
written --set=report.contexts=2 program gmon.out
expect_match text '^program \(gprof estimate, paths not measured\);main;b;\[paths too small to show\] 45000$'
expect_match text '^program \(gprof estimate, paths not measured\);main;\[paths too small to show\] 15000$'

# A metric of functions that have none of the first one is all there.
written program gmon.out b-only
expect_match text '^Estimated stacks .* of time: microseconds 100000$'
expect_match text '^Estimated stacks .* of bytes: none 7$'

# Measured stacks have no mark, the weights of the input, and no calls.
printf 'main;a;a 3\nmain;say "x\\y" 4\na\001b;\377 1\n' >stacks
written stacks
cat >expected <<'END'
Measured stacks: none 8
main;a;a 3
main;say "x\y" 4
a\x01b;\xff 1
END
expect_same expected text

# Names, files and lines of functions.
if [ -n "${GPROFX_CC-}" ]; then
	printf 'int main(void)\n{\n\treturn 0;\n}\n' >'o"ne.c'
	"$GPROFX_CC" -g -o one 'o"ne.c' || fail 'cannot compile'
	echo 'main 4' >of-one
	written one of-one
	python3 - <<-'END' || fail 'the place is missing'
		import json
		frame, = json.load(open('file.json'))['shared']['frames']
		assert frame['file'].endswith('o"ne.c') and frame['line'] in (1, 2), frame
	END
fi

# No samples: a file without stacks.
written program nothing
expect_match text '^Self time \(measured\): none 0$'

# What readers with doubles cannot tell exactly is refused; one less is not.
many=()
for ((i = 0; i < 106; i++)); do
	many+=(many)
done
expect_status 1 "$GPROFX" --no-findings --output=speedscope program "${many[@]}"
expect_in err 'report.values-too-large'
echo 'main 9007199254740991' >large
written large
expect_match text '^main 9007199254740991$'
echo 'main 9007199254740992' >large
expect_status 1 "$GPROFX" --output=speedscope:never large
expect_match err 'report\.values-too-large.*below 2\^53 in the unit of the format speedscope'
[ ! -e never ] || fail 'a file was left behind'
