#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# profile.cannot-open: the hint tells why there may be no gmon.out, as far as the program tells; of
# another name, which file may be meant.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need gcc

echo 'int main(void) { return 0; }' >sound.c
printf '#include <stdlib.h>\n#include <unistd.h>\nint main(int n, char **words)\n{\n' >leaves.c
printf '\tif (n > 1)\n\t\tabort();\n\treturn chdir(words[0]);\n}\n' >>leaves.c
gcc sound.c -o plain || fail 'no program'
gcc -pg sound.c -o sound || skip 'nothing to link with -pg'
gcc -pg leaves.c -o leaves || fail 'no program'

mkdir runs
touch runs/gmon.out.1 runs/gmon.out.2

# hint PATTERN WORD...: what is said, shortly, without a profile.
hint() {
	local pattern=$1
	shift
	expect_status 1 "$GPROFX" -b "$@"
	expect_match err '^gprofx: error\[profile.cannot-open\]: '
	expect_match err "^  hint: .*$pattern"
	[ "$(grep '^  hint' err | wc -c)" -lt 180 ] || fail 'the hint is long'
}
# What is there for its machine goes first: it needs no other build.
if [ "$(uname -m)" = x86_64 ]; then
	hint 'sample it as it is: gprofx record ./plain; it has no profiling call, .* with -pg$' plain
	hint 'gprofx record ./plain; ' ./plain
	hint "gprofx record $PWD/plain; " "$PWD/plain"
	cp plain 'two words'
	hint 'gprofx record PROGRAM; ' 'two words'
else
	hint 'with -pg: it has no profiling call' plain
fi
need python3
PYTHONPATH=$GPROFX_SOURCE/tests/tools python3 -c "
from profiled import Program
program = Program(['main', 'work'], machine='s390x')
open('foreign', 'wb').write(program.bytes())" || fail 'no program'
hint 'compile and link the program with -pg: it has no profiling call' foreign
hint 'run the program first, to a normal end .a signal, abort or _exit writes no profile.; .*was started in' sound
hint 'to a normal end .a signal or its abort writes no profile.; .*ends in .it calls chdir., or .*GMON_OUT_PREFIX' leaves
# Other names than the usual one are looked for where they should be.
hint 'with -pg' plain gmon.out
hint 'did you mean runs/gmon.out.2[?]$' plain runs/gmon.uot.2
hint 'did you mean runs/gmon.out.1[?]$' plain runs/gmon.out
hint "did you mean $PWD/runs/gmon.out.1[?]" plain "$PWD/runs/gmn.out.1"
hint 'check the path: no file there has a similar name' plain runs/other
hint 'check the path: its folder cannot be read' plain absent/gmon.out

# What lies beside the program, where the command was typed in another folder: a profile, or a recording of it.
mkdir old 'old one'
mv sound old
hint 'run the program first' old/sound
touch old/gmon.out
hint 'there is a profile beside it: gprofx old/sound old/gmon.out$' old/sound
cp old/* 'old one'
hint 'there is a profile beside it: gprofx PROGRAM PROFILE$' 'old one/sound'
mkdir old/gprofx.data
PYTHONPATH=$GPROFX_SOURCE/tests/tools python3 -c "
import os, gxcfile
for name in 'other', 'sound':
    file = gxcfile.File().program(os.path.abspath('old/' + name), 0x1000, 0x2000)
    open(name + '.gxc', 'wb').write(file.bytes())" || fail 'no recordings'
cp other.gxc old/gprofx.data
hint 'there is a profile beside it: gprofx old/sound old/gmon.out$' old/sound
cp sound.gxc old/gprofx.data
hint 'there is a recording beside it: gprofx old/sound old/gprofx.data$' old/sound
expect_status 1 "$GPROFX" --gnu -b old/sound
expect_not_in err beside
