#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the summary says: the account, shares, callers, places, estimates and what is not known.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
export TZ=UTC

python3 - <<'END' || fail 'nothing was made'
from elfimage import Image
from gmonfile import Profile
from profiled import Program
program = Program(['main', 'load', 'insert', 'compare', 'mcount', 'odd', 'even', '_ZN2ns1fIiEEvT_'])
program.lines({'insert': [(0, 41)], 'compare': [(0, 17)]}, source='src/table.c')
open('program', 'wb').write(program.bytes())
samples = {'insert': 40, 'compare': 30, 'mcount': 100, 'load': 20, 'odd': 6, 'even': 3, '_ZN2ns1fIiEEvT_': 1}
arcs = [('main', 'insert', 1200), ('load', 'insert', 104), ('insert', 'compare', 114000000), ('main', 'load', 1),
        ('compare', 'compare', 1000000), ('main', 'odd', 5), ('odd', 'even', 70), ('even', 'odd', 70)]
open('gmon.out', 'wb').write(program.profile(samples, arcs).bytes())
other = Program(program.names[:-1], base=0x70401000)
open('far', 'wb').write(other.profile(samples, arcs).bytes())
open('calls', 'wb').write(program.profile(None, arcs).bytes())
open('times', 'wb').write(program.profile({'insert': 40}).bytes())
open('cycles', 'wb').write(program.profile({'insert': 40}, rate=1000, unit=b'cycles', letter=b'c').bytes())
rest = {name: 8 for name in ('compare', 'load', 'odd', 'even', 'main')}
open('few', 'wb').write(program.profile({'insert': 9, '_ZN2ns1fIiEEvT_': 7, 'mcount': 90, **rest}, arcs).bytes())
open('more', 'wb').write(program.profile({'insert': 4000}, arcs).bytes())
open('many', 'wb').write(program.profile({'insert': 400, 'compare': 300}, arcs).bytes())
open('stacks', 'w').write('main;parse;read 12\nmain;parse 3\nmain;write 30\nother;read 4\n')
two = Program(['main', 'a', 'b'])
two.lines({'a': [(0, 1)]}, source='x/same.c')
open('two', 'wb').write(two.bytes())
open('recursive', 'wb').write(two.profile({'a': 400}, [('main', 'a', 3), ('a', 'a', 750)]).bytes())
END
touch -d '2026-11-23 20:44:29' program
touch -d '2026-11-23 20:44:30' gmon.out stacks

# says TEXT: the last summary.
says() {
	printf '%s\n' "$1" >expected
	expect_same out expected
}
expect_status 0 "$GPROFX" --no-findings --summary program
says 'program: 2.00 s sampled, 200 samples at 100 Hz, gmon.out of 2026-11-23 20:44
      1.00 s   50.0 %  of the sampled time, in the functions below
      1.00 s   50.0 %  in the call counting of -pg, not shown

  self   total   calls  function              at          called by (calls)
 40.0%  ~70.0%  1.30 k  insert                table.c:41  main 92%, load 8%
 30.0%   30.0%   114 M  compare               table.c:17  insert
 20.0%  ~25.6%       1  load                  -           main
  6.0%       -      75  odd                   -           even 93%, main 7%
  3.0%       -      70  even                  -           odd
  1.0%    1.0%       -  void ns::f<int>(int)  -           -
  few samples (100): the 40.0 % of the first row can be 31 to 50 %
  - total not known: the function is in a cycle
  ~ estimated: the profile does not say how long each call took

  gprofx --entry=insert program   its callers and callees
  gprofx -b -l -pinsert program   its lines that take the time
  gprofx open program             the same as a page in a browser'

# What few samples allow is what the flat profile states; it is not said where they are enough.
expect_status 0 "$GPROFX" --no-findings --summary program few
expect_in out '  few samples (56): the 16.1 % of the first row can be 9 to 28 %'
expect_status 0 "$GPROFX" --no-findings -b -p --output-option=flat.errors=true program few
expect_match out '^ *16\.07 +8\.69 +27\.81 .* insert$'
expect_status 0 "$GPROFX" --no-findings --summary program many
expect_not_in out 'few samples'

# Without a member of a cycle in the table, there is no word about it.
expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.top=3 program
expect_not_in out 'in a cycle'

# The program is newer than its profile: built again, or copied. Of several profiles, how many are older.
touch -d '2026-11-23 20:44:32' program
expect_status 0 "$GPROFX" --no-findings --summary program
expect_match out '^  older than the program$'
touch -d '2026-11-23 20:44:31' program
expect_status 0 "$GPROFX" --no-findings --summary program
expect_not_in out 'older'
cp gmon.out newer.out
touch -d '2026-11-23 20:44:32' program
expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.width=140 program gmon.out newer.out
expect_in out ', 2 profiles (gmon.out, newer.out), 1 of them older than the program'
touch -d '2026-11-23 20:44:30' newer.out
expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.width=140 program gmon.out newer.out
expect_in out ', 2 profiles (gmon.out, newer.out), all of them older than the program'
touch -d '2026-11-23 20:44:29' program

# Two profiles of one name are named with folders; a date keeps its time.
mkdir one two.d
cp gmon.out one
cp gmon.out two.d
expect_status 0 "$GPROFX" --no-findings --summary program "$PWD/one/gmon.out" two.d/gmon.out
expect_match out '^program: .*, 2 profiles [(]one/gmon\.out,$'
expect_match out '^  two\.d/gmon\.out[)]$'
cp -p program program-longer
expect_status 0 "$GPROFX" --no-findings --summary program-longer
expect_match out '^  2026-11-23 20:44'

# The processor time of the run: what was sampled of it.
expect_status 0 "$GPROFX" --no-findings --summary --cpu-time=5 program
expect_match out '^program: 2\.00 s sampled of 5\.00 s of CPU time, 200 samples at 100 Hz, gmon\.out'
expect_match out '^ +1\.00 s   50\.0 %  of the sampled time, in the functions below$'
expect_match out '^  not sampled: 3\.00 s of 5\.00 s of CPU time$'

# Without a histogram, without calls, without samples, in other units.
expect_status 0 "$GPROFX" --no-findings --summary program calls
expect_match out '^program: calls were counted, but no times were measured, calls of$'
expect_match out '^ *calls  function  at          called by [(]calls[)]$'
expect_match out '^ *114 M  compare   table\.c:17  insert$'
expect_in out '  no times were measured; sorted by calls'
expect_not_in out 'in a cycle'
expect_not_in out 'self'
expect_status 0 "$GPROFX" --no-findings --summary program times
expect_match out '^ *self  function  at$'
expect_match out '^100\.0%  insert    table\.c:41$'
expect_in out '  no column of calls: no calls of these functions were counted'
expect_status 0 "$GPROFX" --no-findings --summary program cycles
expect_match out '^program: 0\.04 cycles, sampled, cycles of '
python3 - <<'END' || fail 'no profile was made'
from profiled import Program
program = Program(['main', 'a', 'b'])
open('empty', 'wb').write(program.profile({}).bytes())
END
expect_status 0 "$GPROFX" --summary two empty
expect_match out '^two: 0\.00 s sampled, 0 samples at 100 Hz, empty of '
expect_in out 'no function has time or calls'
expect_match out '^! .* histogram\.all-zero$'
expect_match out '^  gprofx --explain two empty +what was found, and what to do$'

# Calls that give no function a row are not denied.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'work', 'mcount'])
open('walk', 'wb').write(program.bytes())
open('itself', 'wb').write(program.profile({}, [('work', 'work', 1200)]).bytes())
open('elsewhere', 'wb').write(program.profile({}, [('main', 0x700000, 3)]).bytes())
open('counting', 'wb').write(program.profile({'mcount': 30}, [('work', 'mcount', 3)]).bytes())
END
expect_status 0 "$GPROFX" --summary walk itself
expect_in out 'no function has time or is called by others; recursive calls:'
expect_in out 'recursive calls: 1.20 k'
expect_match out '^! calls were counted, but no samples were taken'
expect_status 0 "$GPROFX" --summary walk elsewhere
expect_match out '^no function has time, and none that was called has a row$'
expect_status 0 "$GPROFX" --summary walk counting
expect_match out '^functions with time or calls are not selected, or are the call counting of -pg$'

# Stacks measure the total: it has no mark. There are no numbers of calls; callers go by time.
expect_status 0 "$GPROFX" --no-findings --summary stacks
says 'stacks: 49 samples, measured from call stacks, written 2026-11-23 20:44

  self   total  function  called by (time)
 61.2%   61.2%  write     main
 32.7%   32.7%  read      parse 75%, other 25%
  6.1%   30.6%  parse     main
  0.0%   91.8%  main      -
  0.0%    8.2%  other     -
  no column of calls: no calls of these functions were counted

  gprofx --entry=write stacks   its callers and callees
  gprofx open stacks            the same as a page in a browser'

# A selection: what the shares refer to is stated; of the call graph alone, totals have another time.
expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.width=80 -Pinsert -pload program
sed '/^\f$/,$d' out >head
expect_match head '^ +0\.20 s   10\.0 %  of the sampled time, in the functions below$'
expect_match head '^ +0\.80 s   40\.0 %  in functions that are not selected$'
expect_match head '^100\.0% +100\.0% +1  load '
expect_in head '  no column of places: these functions have no debug information (-g)'
expect_status 0 "$GPROFX" --no-findings --summary -Ecompare program
expect_match out '^ *self   calls  function '
expect_in out 'no column of total: '
expect_not_in out '~7'

# Calls by the function itself are apart, as in other tables, if both numbers fit; shares of callers are of the others.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'walk', 'deep', 'self'])
open('r', 'wb').write(program.bytes())
arcs = [('main', 'walk', 600), ('deep', 'walk', 150), ('walk', 'walk', 181707), ('main', 'deep', 12000),
        ('deep', 'deep', 450000), ('self', 'self', 7)]
open('r.out', 'wb').write(program.profile({'walk': 800, 'deep': 100, 'self': 50}, arcs).bytes())
END
expect_status 0 "$GPROFX" --no-findings --summary r r.out
expect_match out '^ +self +total +calls  function  called by [(]calls[)]$'
expect_match out ' 750[+]182 k  walk +main 80%, deep 20%$'
expect_match out '% +12[.]0 k  deep +main$'
expect_match out '% +0[+]7  self +-$'
expect_status 0 "$GPROFX" --no-findings --summary -w 63 r r.out
expect_match out '% +750  walk$'
expect_status 0 "$GPROFX" --no-findings -b -p --output-option=flat.columns=calls,name r r.out
expect_match out '^ *750  walk$'

# Files of one name are distinguished by a folder.
python3 - <<'END' || fail 'nothing was made'
from dwarfinfo import Function, Unit, add_debug_info
from profiled import Program
program = Program(['main', 'a', 'b', 'c'])
units = [Unit(file, [Function(name, program.address[name], program.step, [(0, 1)])])
         for name, file in (('a', 'x/same.c'), ('b', 'y/same.c'), ('c', 'y/other.c'))]
add_debug_info(program.image, units)
open('two', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'a': 30, 'b': 20, 'c': 10}).bytes())
END
expect_status 0 "$GPROFX" --no-findings --summary two
expect_match out ' a +x/same\.c:1$'
expect_match out ' b +y/same\.c:1$'
expect_match out ' c +other\.c:1$'

# What a shortened name leaves is for the line number.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
name = '_ZN8geometry14triangulations9TrianglesIdSt4lessIdEE6insertEd'
program = Program(['main', name]).lines({name: [(0, 1234)]}, source='triangulation.cpp')
open('long', 'wb').write(program.bytes())
open('long.out', 'wb').write(program.profile({name: 30}, [('main', name, 3)]).bytes())
END
expect_status 0 "$GPROFX" --no-findings --summary long long.out
expect_match out ' [.]{3}Triangles::insert +triangulation\.cpp:1234  main$'

# Callers that do not fit the column get a line each, if the second one is worth it; a caller of at least half
# of the calls that is called itself has a command.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
names = ['main', 'run', 'smooth_the_whole_grid', 'relax_with_the_boundaries', 'weight_function', 'norm']
program = Program(names).lines({name: [(0, 7)] for name in names}, source='source_of_some_length.c')
open('s', 'wb').write(program.bytes())
arcs = [('main', 'run', 1), ('run', names[2], 5), ('main', names[3], 5), ('weight_function', 'norm', 3),
        (names[2], 'weight_function', 60), (names[3], 'weight_function', 40), (names[2], 'norm', 91), (names[3], 'norm', 6)]
open('s.out', 'wb').write(program.profile({'weight_function': 80, 'norm': 30}, arcs).bytes())
END
expect_status 0 "$GPROFX" --no-findings --summary s s.out
expect_match out '^ +72[.]7% .* weight_function +source_of[^ ]* +smooth_[.]{3} 60%$'
expect_match out '^ {50,}relax_[a-z_]*[.]{3} 40%$'
expect_match out '^ +27[.]3% .* norm +source_of[^ ]* +smooth_[.]{3} 91%$'
[ "$(grep -c '^ \{50,\}[^ ]' out)" -eq 1 ] || fail 'not one second line'
expect_match out '^  gprofx --entry=smooth_the_whole_grid .* the caller of 60 % of its calls$'
expect_status 0 "$GPROFX" --no-findings --summary -w 140 s s.out
expect_match out ' smooth_the_whole_grid 60%, relax_with_the_boundaries 40%$'

# Commands can be typed as they are: quoted where a shell asks for it, and not there if they cannot be.
cp two "it is"
expect_status 0 "$GPROFX" --no-findings --summary 'it is'
expect_match out "^  gprofx -b -l -pa 'it is'"
cp two "it's"
expect_status 0 "$GPROFX" --no-findings --summary "it's"
expect_match out "^  gprofx -b -l -pa 'it'.''s'  "
cp gmon.out ./-x
expect_status 0 "$GPROFX" --no-findings --summary two ./-x
expect_match out '^  gprofx -b -l -pa two \./-x  '
# What a pipe had, and what does not fit, is what the last command named.
for profiles in - "gmon.out $PWD/gmon.out $PWD/gmon.out"; do
	# shellcheck disable=SC2086
	expect_status 0 bash -c '"$0" --no-findings --summary two "$@" <gmon.out' "$GPROFX" $profiles
	expect_match out '^  add to the command: -b -l -pa   its lines'
done
expect_status 0 "$GPROFX" --no-findings --summary two gmon.out gmon.out
expect_match out '^  gprofx -b -l -pa two gmon.out gmon.out'
expect_match out '^two: 1\.20 s sampled, 120 samples at 100 Hz, 2 profiles$'

# By line: places are in the names, and what a line has with what it calls is not known; there is no column of it.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'work']).lines({'work': [(0, 7), (128, 9)]}, source='work.c')
open('lines', 'wb').write(program.bytes())
open('lines.out', 'wb').write(program.profile({'work': 40}, [('main', 'work', 3)]).bytes())
END
expect_status 0 "$GPROFX" --no-findings --summary -l --output-option=top.top=1 lines lines.out
expect_match out '^ +self +calls +line +called by$'
expect_match out '^ +50\.0% +(-|3) +.*work \(work\.c:[79] @ [0-9a-f]+\) '
expect_match out '^  1 of [23] lines; the other '
expect_status 0 "$GPROFX" --no-findings --summary -l lines lines.out
expect_match out '^ +50\.0% +- +work \(work\.c:9 @ 401180\) '
expect_not_in out 'no column of'

# Counts can be too low where threads are possible.
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'work', 'pthread_create'])
open('threads', 'wb').write(program.bytes())
open('threads.out', 'wb').write(program.profile({'work': 30}, [('main', 'work', 3)]).bytes())
open('alone.out', 'wb').write(program.profile({'work': 30}).bytes())
END
expect_status 0 "$GPROFX" --summary threads threads.out
expect_match out '^  calls are lower bounds if several threads ran: the program can start threads$'
expect_empty err
expect_status 0 "$GPROFX" --no-findings --summary threads alone.out
expect_not_in out 'threads ran'
expect_status 0 "$GPROFX" --summary program gmon.out
expect_not_in out 'threads ran'

# Code that is no function counts as none.
python3 - <<'END' || fail 'nothing was made'
from elfimage import Image
from gmonfile import Profile
image = Image('x86_64')
image.section('.text', 0x401000, b'\x90' * 0x400)
image.functions(['main', 'work', 'leaf'], 0x401000, 0x100)
for symbol in image.symbols:
    symbol.size = 0x100
open('gap', 'wb').write(image.bytes())
for name, bins in ('heavy', [10, 30, 20, 40]), ('light', [10, 60, 20, 10]):
    profile = Profile.of(image)
    profile.histogram(0x401000, 0x401400, bins, 100, b'seconds', b's')
    open(name, 'wb').write(profile.bytes())
END
expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.top=2 gap heavy
expect_in out '  1 of 3 functions; the other 2 take 30.0 %'
expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.top=2 gap light
expect_in out '  2 of 3 functions; the other one takes 10.0 %, code outside of all 10.0 %'
expect_status 0 "$GPROFX" --no-findings --summary gap light
expect_not_in out 'functions;'

# A name of one letter is followed by one blank.
cp two w
expect_status 0 "$GPROFX" --no-findings --summary w
expect_match out '^w: 0\.60 s sampled, '

# That the profile is of another program comes first, in full, and no function is worth a command.
expect_status 0 "$GPROFX" --summary two far
sed '/^$/,$d' out >first
expect_match first '^! '
expect_match first '^! .*\(image\.no-sample-fits\)$'
expect_match first '^  hint: '
expect_not_in out ' ...'
expect_match out '^  gprofx --explain two far '
expect_not_in out '  gprofx -b'
expect_not_in out '  gprofx --entry'

# What they show is there.
expect_status 0 "$GPROFX" --no-findings --summary two
grep -o '^  gprofx [^ ]* .*' out | grep -v ' open ' | sed 's/   .*//; s/^ *gprofx //' | while read -r words; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" $words
	expect_undiagnosed
	expect_match out '^ *[0-9]'
done || exit 1

# One is no plural, and a time that cannot be is said with where it comes from.
echo 'main;work 1' >single
expect_status 0 "$GPROFX" --no-findings --summary single
expect_match out '^single: 1 sample, measured from call stacks'
python3 - <<'END' || fail 'nothing was made'
from profiled import Program
program = Program(['main', 'work'])
open('short', 'wb').write(program.bytes())
open('short.out', 'wb').write(program.profile({'work': 40}).bytes())
END
expect_status 0 "$GPROFX" --no-findings --summary --cpu-time=0,25 short short.out
expect_match out '^short: 0.40 s sampled, more than the 0.25 s of --cpu-time, 40 samples at 100 Hz'

# A quantity stays in one line of the head, with its unit and what is before that.
for width in {36..72}; do
	expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.width=$width program more
	sed '/%/,$d' out | sed '$d' >head
	[ -s head ] || fail "$width columns: all in a line"
	! grep -E '( at|[0-9]| [kM])$' head || fail "$width columns: a quantity is divided"
done

# Of a function without samples, whose calls were counted, callers are those of most calls; without calls there are none.
python3 - <<'END' || fail 'nothing was recorded'
import os
from gxcfile import *
from profiled import Program
program = Program(['main', 'work', 'idle', 'never'])
at = program.at
open('ran', 'wb').write(program.bytes())
file = File().program(os.path.abspath('ran'), program.base, program.end)
file.arcs([(at('main+5'), at('work'), 7), (1, at('main'), 1), (at('main+5'), at('idle'), 3), (at('work+5'), at('idle'), 9)])
file.stacks([(at('main+8'), 0, 0, 10, 10), (at('main+5'), 0, 0, 0, 0), (at('work+3'), 2, CFI, 30, 30)])
open('ran.gxc', 'wb').write(file.bytes())
END
expect_status 0 "$GPROFX" --no-findings --summary ran ran.gxc
expect_match out '^  self   total   calls  function  called by$'
expect_match out '^ 75\.0%   75\.0%       7  work      main$'
expect_match out '^  0\.0%    0\.0%      12  idle      work, main$'
expect_match out '^ 25\.0%  100\.0%       1  main      -$'

# Of two numbers of calls it is said which they are.
expect_status 0 "$GPROFX" --no-findings --summary two recursive
expect_match out ' 3\+750 '
expect_in out '  a+b calls: a by other functions, b by itself'
expect_status 0 "$GPROFX" --no-findings --summary program
expect_not_in out 'a+b'
