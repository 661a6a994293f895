#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The commands of the summary repeat the options that decide what is reported, and no others; what a finding of a
# library's profile says is not taken for the program's.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from gmonfile import library_profile
from profiled import Program
program = Program(['main', 'work'])
program.lines({'work': [(0, 7)]})
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'main': 10, 'work': 50}, [('main', 'work', 4)]).bytes())
open("it's.out", 'wb').write(program.profile({'work': 50}, [('main', 'work', 4)]).bytes())
library = Program(['work', 'leaf'], base=0x1000)
open('libone.so', 'wb').write(library.bytes())
open('one', 'wb').write(library_profile(0x1000, 0x1200, [0] * 4, [(0, library.at('work'), 7)]))
open('two', 'wb').write(library_profile(0x1000, 0x1200, [0] * 2 + [50] * 2, [(0, library.at('leaf'), 7)]))
open('symbols', 'w').write(''.join('%x T %s\n' % (program.at(name), name * 2) for name in ('main', 'work')))
END
# commands OPTION...: those of the summary, from the program's name on, without what they do.
commands() {
	expect_status 0 "$GPROFX" --summary --output-option=top.width=200 "$@"
	sed -n 's/^  \(gprofx .*\)/\1/p' out | sed 's/   .*//'
}
commands --no-findings --object=libone.so=one -b --color=never program >found
printf 'gprofx %s --object=libone.so=one program\n' --entry=work '-b -l -pwork' open >expected
expect_same found expected
commands --no-findings -S symbols -zaD --correct=all -a -kworkwork/mainmain --set=flat.top=3 -t3 program "it's.out" >found
head -1 found >first
printf '%s\n' "gprofx --entry=workwork -Ssymbols -a -D --correct=all -kworkwork/mainmain --set=flat.top=3 program 'it'\''s.out'" >expected
expect_same first expected
# What they show is of the same names.
expect_status 0 bash -c 'gprofx() { "$0" --no-findings "$@"; }; . ./first' "$GPROFX"
expect_match out '^\[[0-9]\].* workwork \['
# Functions of libraries have commands as well, by their own names.
commands --no-findings --object=libone.so=two program >found
expect_match found '^gprofx --entry=leaf --object=libone\.so=two program$'
# Seven profiles are not too many if they fit.
commands --no-findings program gmon.out gmon.out gmon.out gmon.out gmon.out gmon.out gmon.out >found
expect_match found '^gprofx --entry=work program( gmon\.out){7}$'

# A finding says of which file it is.
commands --object=libone.so=one program >found
expect_match out '^! one: calls were counted, but no samples '
expect_match found '^gprofx --explain --object=libone\.so=one program$'
# With its folder if another one has the same name.
mkdir folder
cp one folder/gmon.out
expect_status 0 "$GPROFX" --summary --object=libone.so=folder/gmon.out program gmon.out
expect_match out '^! folder/gmon\.out: calls were counted, '
expect_status 0 "$GPROFX" --summary --object=libone.so=one program
# Which the program's profiling runtime prevented.
expect_in err 'run a build of the program without -pg'
