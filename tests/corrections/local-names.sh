#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# local-names: a local symbol that has code is a function, whatever its name. The truth: the bins of
# each, and which of them main calls. About 1 s.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profiles'
import struct
from elfimage import LOCAL, NOTYPE, Image
from gmonfile import Profile

BASE, STEP = 0x401000, 0x100
# What compilers make of one function, with a type and a size.
typed = ['main._omp_fn.0', '.omp_outlined.', '.omp_outlined..3', '.omp_task_entry..2', '$_0', 'kernel.avx2',
         '_Z4workPZ4workvE14_Z4workv.Frame.actor', '_ZN4core17h$LT$u8$GT$E', '$s4main3fooyyF', 'a.b.c',
         '.Lodd', '$x']
names = ['main', *typed, 'sized$1', 'asm$1', 'asm.1x', 'f.loop', '.Lbare', '$x.1', '$Lbare', '$e..ng', 'end']
code = bytearray(b'\x90' * STEP * len(names))
place = {name: BASE + i * STEP for i, name in enumerate(names)}
for i, name in enumerate(('asm$1', 'asm.1x', '$e..ng')):
    code[5 * i:5 * i + 5] = b'\xe8' + struct.pack('<i', place[name] - BASE - 5 * i - 5)
# Where am I? A call of what stands right behind it calls no function.
own = place['f.loop'] - BASE
code[own - 5:own] = b'\xe8\0\0\0\0'
image = Image('x86_64').section('.text', BASE, bytes(code))
for name in names:
    if name in ('main', 'end'):
        image.symbol(name, place[name], STEP)
    elif name in typed:
        image.symbol(name, place[name], STEP, LOCAL)
    else:
        image.symbol(name, place[name], STEP if name == 'sized$1' else 0, LOCAL, NOTYPE)
open('program', 'wb').write(image.bytes())
profile = Profile.of(image).histogram(BASE, BASE + STEP * len(names), [1 + i for i in range(len(names))])
for i, name in enumerate(typed):
    profile.arc(BASE + 0x20, place[name], 10 + i)
open('gmon', 'wb').write(profile.bytes())
# An object file of NASM has hundreds of labels for each function, and none is called.
many = Image('x86_64').section('.text', BASE, b'\x90' * 0x4000)
many.symbol('main', BASE, 0x100)
for i in range(1000):
    many.symbol(f'main.l{i}', BASE + 4 * i, 0, LOCAL, NOTYPE)
open('many', 'wb').write(many.bytes())
with open('rows', 'w') as rows:
    for i, name in enumerate(names):
        print(1 + i, name, file=rows)
PROGRAM

# row NAME: its own hundredths of a second, or nothing.
row() {
	awk -v name="$1" '$NF == name {printf "%.0f", 100 * $3}' out
}

# Names are those of the symbol table: how they are shown is another matter.
expect_status 0 "$GPROFX" --no-demangle --no-findings -b -p program gmon
expect_undiagnosed
while read -r ticks name; do
	case $name in
	f.loop | .Lbare | '$x.1' | '$Lbare' | '$e..ng') expected='' ;;
	asm.1x) expected=$((ticks + 17 + 18 + 19 + 20 + 21)) ;;
	*) expected=$ticks ;;
	esac
	[ "$(row "$name")" = "$expected" ] || fail "$name: not $expected"
done <rows
expect_status 0 "$GPROFX" --no-demangle --no-findings -b -q program gmon
expect_match out ' 10 +main._omp_fn.0 '
expect_match out ' 14 +\$_0 '
expect_not_in out '+1'

# All is main's, and it calls itself.
for words in --gnu --correct=no-local-names; do
	expect_status 0 "$GPROFX" $words --no-demangle --no-findings -b -p program gmon
	[ "$(row main)" -gt 200 ] || fail "$words: main"
	expect_not_in out omp
	expect_status 0 "$GPROFX" $words --no-demangle --no-findings -b -q program gmon
	expect_match out '[0-9]\+1'
done

# Static functions that are not wanted stay out.
expect_status 0 "$GPROFX" -a --no-findings -b -p program gmon
expect_not_in out omp

# In a list there are no sizes, and all is a function; what names instructions is none.
printf '%s\n' '0000000000401000 T main' '0000000000401100 t main._omp_fn.0' '0000000000401200 t $x' \
	'0000000000401300 t .L12' '0000000000401400 T end' >list
expect_status 0 "$GPROFX" --no-findings -b -p --no-demangle -S list program gmon
[ "$(row main._omp_fn.0)" = 9 ] || fail 'list'
expect_not_in out '$x'

# Labels are no functions, and to find that out takes no long search.
expect_status 0 "$GPROFX" --no-findings -b -p many gmon
expect_not_in out main.l

# Names are readable, unless that is not wanted, and a region belongs to its function if clones do.
expect_status 0 "$GPROFX" --no-findings -b -p program gmon
for name in 'main \[omp 0\]' '\[omp 3\]' 'kernel \[avx2\]' 'work\(\) \[coroutine actor\]'; do
	expect_match out " $name\$"
done
expect_status 0 "$GPROFX" --no-findings -b -p --clones=fold program gmon
[ "$(row main)" = 3 ] || fail 'fold: main'
expect_status 0 "$GPROFX" --no-findings -b -q --clones=fold program gmon
expect_not_in out '+'
expect_status 0 "$GPROFX" --no-findings -b -p:main._omp_fn.0 program gmon
expect_match out ' main \[omp 0\]$'
expect_not_in out avx2

# What is left out can be listed, with the reason; marks of modes are no symbols of the program.
expect_status 0 "$GPROFX" --no-findings -i program gmon
expect_in out 'symbols left out, which are charged to the function before them'
expect_match out '^  without a type and a size, and not called: f\.loop$'
expect_match out '^  label: \.Lbare, \$Lbare, \$e\.\.ng$'
expect_not_in out '$x'
expect_status 0 "$GPROFX" --no-findings -i many gmon
expect_match out 'not called: main\.l0, main\.l1, .*, main\.l7 and 992 more$'
expect_status 0 "$GPROFX" --no-findings -i -a program gmon
expect_match out '^  static: main\._omp_fn\.0, '
expect_status 0 "$GPROFX" --no-findings -i --correct=no-local-names program gmon
expect_match out "^  name, by gprof's rule: main\._omp_fn\.0, "
expect_status 0 "$GPROFX" --gnu -i program gmon
expect_not_in out 'left out'
if "$GPROFX" --no-findings --output=json program gmon >out 2>err; then
	python3 - out <<'CHECK' || fail 'JSON'
import json, sys
left = {row['name']: row['reason'] for row in json.load(open(sys.argv[1]))['left_out']}
assert left == {'f.loop': 'without a type and a size, and not called', '.Lbare': 'label', '$Lbare': 'label',
                '$e..ng': 'label'}, left
CHECK
fi
