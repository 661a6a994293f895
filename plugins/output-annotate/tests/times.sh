#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The times before lines: with and without -l, of selected functions, of inlined subroutines in another file;
# hot lines, colors, and profiles without samples.
. "$GPROFX_SOURCE/plugins/output-annotate/tests/lib.sh"

mkdir sub
python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work', 'rare'], step=64)
program.lines({'main': [(0, 2, 'prog.c'), (32, 3, 'prog.c')],
               'work': [(0, 5, 'prog.c'), (16, 1, 'part.h'), (32, 6, 'prog.c'), (48, 5, 'prog.c')],
               'rare': [(0, 8, 'prog.c')]}, 'prog.c', '.')
open('program', 'wb').write(program.bytes())
at = program.address
bins = [0] * 16
# main: 4 on line 2, 0 on 3; work: 10 on 5, 40 in part.h, 20 on 6, 25 on 5; rare: 1.
for place, count in (('main', 4), ('work', 10), ('work+16', 40), ('work+32', 20), ('work+48', 25), ('rare', 1)):
    bins[(program.at(place) - program.base) // 16] += count
profile = program.empty().histogram(program.base, program.base + 256, bins)
open('gmon', 'wb').write(profile.arc(at['main'] + 8, at['work'], 7).bytes())
open('calls', 'wb').write(program.empty().arc(at['main'] + 8, at['work'], 7).bytes())
# As many samples again in the profiling code, which no listing shows.
counted = Program(['main', 'work', 'rare', 'mcount'], step=64)
counted.lines({'main': [(0, 2, 'prog.c')], 'work': [(0, 5, 'prog.c')], 'rare': [(0, 8, 'prog.c')]}, 'prog.c', '.')
open('counted', 'wb').write(counted.bytes())
bins = [4, 0, 0, 0, 95, 0, 0, 0, 1, 0, 0, 0, 100, 0, 0, 0]
open('counted.gmon', 'wb').write(counted.empty().histogram(counted.base, counted.base + 256, bins).bytes())
PROGRAM
numbered 9 >prog.c
numbered 2 part >part.h

# times OPTION...: FILE:LINE:TIME:SHARE:MARK of the lines with times.
times() {
	"$GPROFX" "$@" -b -A -t 0 program gmon >out 2>err || fail "status $? from: $*"
	sed -n 's/^ *\([0-9.]*\) *\([0-9.]*\)% \([* ]\) .*\(line\|part\) \([0-9]*\)$/\4:\5:\1:\2:\3/p' out | sort | tr '\n' ';'
}
all='line:2:0.04:4.0: ;line:5:0.35:35.0:*;line:6:0.20:20.0:*;line:8:0.01:1.0: ;part:1:0.40:40.0:*;'
[ "$(times)" = "$all" ] || fail "$(times)"
[ "$(times -l)" = "$all" ] || fail "-l: $(times -l)"
[ "$(times -Awork)" = 'line:5:0.35:35.0:*;line:6:0.20:20.0:*;part:1:0.40:40.0:*;' ] || fail "$(times -Awork)"
[ "$(times -Jwork)" = 'line:2:0.04:4.0: ;line:8:0.01:1.0: ;' ] || fail "$(times -Jwork)"
[ "$(times -l -J:6)" = 'line:2:0.04:4.0: ;line:5:0.35:35.0:*;line:8:0.01:1.0: ;part:1:0.40:40.0:*;' ] ||
	fail "$(times -l -J:6)"
[ "$(times --output-option=annotate.hot=36 -Awork)" = 'line:5:0.35:35.0: ;line:6:0.20:20.0: ;part:1:0.40:40.0:*;' ] ||
	fail 'hot'
[ "$(times --threads=1)" = "$(times --threads=2)" ] || fail 'threads'
# What other listings leave out does not change the times.
"$GPROFX" -b -prare -A -t 0 program gmon >out
grep -q '^    0\.40  40\.0% \* .*part 1$' out || fail 'the flat profile changes the times'
expect_match out '^ +0\.60   seconds in this file, 60\.0% of all$'
expect_match out '^ seconds   share         count    source$'
# Shares are of the program's own time, as in the flat profile.
expect_status 0 "$GPROFX" --no-findings -b -p -A -t 0 counted counted.gmon
expect_match out '^ 95\.00 .* work$'
expect_match out '^    0\.95  95\.0% \* .*line 5$'
expect_match out '^ +1\.00   seconds in this file, 100\.0% of all$'
# Colors change no character.
expect_status 0 "$GPROFX" -b -A program gmon
cp out plain
expect_status 0 "$GPROFX" --color=always -b -A program gmon
expect_match out $'^\033\\[31m    0\\.40  40\\.0% \\*\033\\[0m +part 1$'
sed $'s/\033\\[[0-9]*m//g' out >bare
expect_same plain bare

# No times: GNU mode, its layout, and profiles without samples.
for words in '--gnu' '--output-option=annotate.layout=gprof'; do
	expect_status 0 "$GPROFX" "$words" -b -A program gmon
	expect_match out '^           7 -> line 5$'
	expect_not_in out %
done
expect_status 0 "$GPROFX" -b -A program calls
expect_match out '^           7 -> line 5$'

# The summary below a file speaks of functions where only these have counts.
"$GPROFX" -b -A program gmon >out || fail "status $?"
expect_match out '^ +[0-9]+   Lines with functions in this file '
expect_match out '^ +7   Total number of calls$'
for words in -l -x --gnu; do
	"$GPROFX" -b -A $words program gmon >out || fail "status $? with $words"
	expect_match out '^ +[0-9]+   Executable lines in this file$'
	expect_not_in out 'with functions'
done

# Where -A names functions, only the lines around what is known of them; all of a file of its own, and as GNU gprof.
numbered 90 >prog.c
excerpt() {
	"$GPROFX" "$@" -b -t 0 program gmon >out || fail "status $? from: $*"
	sed -nE '/prog\.c:$/,/^Execution/s/.* (line|left out:) ([0-9-]+)$/\2/p' out | tr '\n' ' '
}
[ "$(excerpt -Awork --set=annotate.context=2)" = '1-2 3 4 5 6 7 8 9-90 ' ] || fail "$(cat out)"
expect_in out '                                  ... 2 lines left out: 1-2'
[ "$(excerpt -Awork -Arare --set=annotate.context=1)" = '1-3 4 5 6 7 8 9 10-90 ' ] || fail "$(cat out)"
[ "$(excerpt -Amain -Arare --set=annotate.context=1)" = '1 2 3 4-6 7 8 9 10-90 ' ] || fail "$(cat out)"
[ "$(excerpt -Amain -Awork --set=annotate.context=1)" = '1 2 3 4 5 6 7 8-90 ' ] || fail "$(cat out)"
[ "$(excerpt -l -Aprog.c:6 --set=annotate.context=1)" = '1-4 5 6 7 8-90 ' ] || fail "$(cat out)"
[[ "$(excerpt -Awork)" = *' 16 17-90 ' ]] || fail "the default: $(cat out)"
whole="$(seq -s ' ' 90) "
for words in -A -Jwork -Aprog.c '-Awork -Aprog.c' '-Awork --set=annotate.context=0' '--gnu -Awork' \
	'-Awork --set=annotate.layout=gprof'; do
	# shellcheck disable=SC2086
	[ "$(excerpt $words)" = "$whole" ] || fail "not the whole file with $words: $(cat out)"
done
"$GPROFX" -b -y -Awork program gmon >out || fail "status $?"
[ "$(grep -c ' line ' prog.c-ann)" = 90 ] || fail 'not the whole file with -y'
rm ./*-ann
# A long line, and a last one without end.
{
	seq -f 'line %g' 40
	head -c 300000 /dev/zero | tr '\0' x
	printf '\nlast'
} >prog.c
expect_status 0 "$GPROFX" -b -t 0 -Awork program gmon
expect_not_in out xxx
expect_in out '... 26 lines left out: 17-42'
numbered 9 >prog.c

# Files of the system come last, in whatever order their code is; but not in GNU mode.
python3 - <<'PROGRAM' || fail 'cannot write the programs'
from profiled import Program
for name, functions in (('before', ['inlined', 'work']), ('behind', ['work', 'inlined'])):
    program = Program(['main'] + functions)
    program.lines({'inlined': [(0, 1, '/usr/include/far/part.h')], 'work': [(0, 5, 'prog.c')]}, 'prog.c', '.')
    open(name, 'wb').write(program.bytes())
    open(name + '.gmon', 'wb').write(program.profile({'inlined': 9, 'work': 5}, [('main', 'work', 7), ('main', 'inlined', 7)]).bytes())
PROGRAM
first=
for name in before behind; do
	"$GPROFX" -b -A --set=annotate.system-files=true --source-map=/usr/include/far=. $name $name.gmon >out || fail "status $?"
	[ "$(grep -c '^\*\*\* File' out)" = 2 ] || fail 'not two files'
	[[ "$(grep -m1 '^\*\*\* File' out)" = *prog.c: ]] || fail "a file of the system is first: $name"
	"$GPROFX" --gnu -b -A -I . $name $name.gmon >out 2>err
	first+=$(grep -m1 '^\*\*\* File' out)
done
[[ "$first" = *part.h:* ]] || fail "GNU mode has another order: $first"
