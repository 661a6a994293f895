#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Positions by line, in other files where code was inlined; how often lines were executed; objects.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the program'
from gcovfile import Source, gcov_document
from profiled import Program
program = Program(['main', 'a'], step=0x100)
program.lines({'main': [(0, 10), (0x40, 12), (0x80, 3, 'inl.h'), (0xc0, 14)], 'a': [(0, 30), (0x80, 31)]}, directory='/src')
open('program', 'wb').write(program.bytes())
profile = program.empty()
bins = [0] * ((program.end - program.base) // 0x40)
bins[1:5] = [2, 7, 1, 4]
profile.histogram(program.base, program.end, bins)
profile.arc(program.base + 0x44, program.address['a'], 3)
profile.arc(program.base + 0xc4, program.address['a'], 5)
open('gmon.out', 'wb').write(profile.bytes())
source = Source('prog.c', {10: 1, 12: 40, 30: 8, 31: 8}, [('main', 10, 14, 1), ('a', 30, 31, 8)])
open('counts.gcov.json', 'wb').write(gcov_document([source]))
library = Program(['lib_open', 'a'])
open('libother.so', 'wb').write(library.bytes())
open('libother.profile', 'wb').write(library.profile({'lib_open': 3, 'a': 2}, [('lib_open', 'a', 6)]).bytes())
END

# body WORD...: the file of such a run behind its header, in ./out.
body() {
	expect_status 0 "$GPROFX" --no-findings --output=callgrind "$@"
	sed '1,/^summary/d' out >file && mv file out
}

cat >expected <<'END'

ob=(1) program
fl=(1) /src/prog.c
fn=(1) main
10 0 0
12 2000000 2
fi=(2) /src/inl.h
3 7000000 7
fe=(1)
14 1000000 1
cfi=(1)
cfn=(5) a
calls=3 30
12 1500000 2
cfi=(1)
cfn=(5)
calls=5 30
14 2500000 2

fl=(1)
fn=(5)
30 4000000 4
END
body -l program gmon.out
expect_same expected out

# Executions are of lines, by the file that they are in.
body -l program gmon.out counts.gcov.json
expect_same out - <<'END'

ob=(1) program
fl=(1) /src/prog.c
fn=(1) main
10 0 0 0
12 2000000 2 0
fi=(2) /src/inl.h
3 7000000 7 0
fe=(1)
14 1000000 1 0
10 0 0 1
12 0 0 40
cfi=(1)
cfn=(5) a
calls=3 30
12 1500000 2 0
cfi=(1)
cfn=(5)
calls=5 30
14 2500000 2 0

fl=(1)
fn=(5)
30 4000000 4 0
30 0 0 8
31 0 0 8
END

# cachegrind's form names the function again where the file changes.
expect_status 0 "$GPROFX" --no-findings --output=callgrind:file --set=callgrind.style=cachegrind -l program gmon.out
expect_same file - <<'END'
desc: Profile: gmon.out
cmd: program
events: Time_(10ns) Samples
fl=/src/prog.c
fn=main
10 0 0
12 2000000 2
fl=/src/inl.h
fn=main
3 7000000 7
fl=/src/prog.c
fn=main
14 1000000 1
fl=/src/prog.c
fn=a
30 4000000 4
summary: 14000000 14
END
if command -v cg_annotate >/dev/null; then
	expect_status 0 cg_annotate --auto=no --threshold=0 file
	expect_empty err
	expect_match out '^ *7,000,000 .*/src/inl\.h:main$'
	expect_match out '^ *3,000,000 .*/src/prog\.c:main$'
fi

# Numbers of executions whose sum no reader has room for.
python3 - <<'END' || fail 'cannot write the counts'
from gcovfile import Source, gcov_document
source = Source('prog.c', {10: 2 ** 63 - 1, 12: 2 ** 63 - 1}, [('main', 10, 14, 1)])
open('large.gcov.json', 'wb').write(gcov_document([source]))
END
expect_status 1 "$GPROFX" --no-findings --output=callgrind:never program gmon.out large.gcov.json
expect_match err 'report\.values-too-large.*below 2\^63 in the unit of the format callgrind'
[ ! -e never ] || fail 'a file was left behind'

# Without -l, functions have the line on which they are defined; objects are apart.
body --object=libother.so=libother.profile program gmon.out
expect_same out - <<'END'

ob=(1) program
fl=(1) /src/prog.c
fn=(1) main
10 10000000 10
cfi=(1)
cfn=(2) a
calls=8 30
10 4000000 4

fl=(1)
fn=(2)
30 4000000 4

ob=(2) libother.so
fl=(2) ???
fn=(4) lib_open (libother.so)
0 3000000 3
cfi=(2)
cfn=(5) a (libother.so)
calls=6 0
0 2000000 2

fl=(2)
fn=(5)
0 2000000 2
END
