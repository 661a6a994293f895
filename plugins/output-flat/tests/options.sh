#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The options of the flat profile: rows, columns, names, and what each of them refuses.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END_OF_PROGRAM' || fail 'cannot write the program'
from profiled import Program
names = ['main', '_ZN2ns1fIiEEvT_', '_ZN2ns1gEi', 'größe'.encode().decode('latin-1'), 'rare', 'idle']
program = Program(names)
open('program', 'wb').write(program.bytes())
samples = {'main': 50, names[1]: 30, names[2]: 15, names[3]: 4, 'rare': 1}
calls = [('main', names[1], 7), ('main', names[2], 3)]
open('gmon.out', 'wb').write(program.profile(samples, calls).bytes())
END_OF_PROGRAM

# flat OPTION=VALUE...: the table without explanations, in ./out.
flat() {
	expect_listing flat -p "$@"
}

# expect_rows TEXT: the lines of the table below its headings.
expect_rows() {
	sed 1,5d out >rows
	printf '%s\n' "$1" >expected
	expect_same rows expected
}

flat
cp out all
expect_rows ' 50.00      0.50     0.50                                main
 30.00      0.80     0.30        7    42.9ms     42.9ms  void ns::f<int>(int)
 15.00      0.95     0.15        3      50ms       50ms  ns::g(int)
  4.00      0.99     0.04                                größe
  1.00      1.00     0.01                                rare'

# All options as they are anyway.
flat top=0 minimum=0 names=full errors=false \
	columns=share,cumulative,self,calls,self-per-call,total-per-call,name
expect_same all out
expect_status 0 "$GPROFX" --gnu -b -p program gmon.out
cp out gnu
expect_match gnu '^ 15\.00      0\.95     0\.15        3    50\.00    50\.00  ns::g\(int\)$'
expect_status 0 "$GPROFX" --gnu -b -p program gmon.out --output-option=top=0 --output-option=errors=false \
	--output-option=columns=share,cumulative,self,calls,self-per-call,total-per-call,name
expect_same gnu out

flat top=2
expect_rows "$(sed 1,5d all | head -n 2)
... 3 more functions with 20.00% of the time"
flat top=4
expect_match out '^\.\.\. 1 more function with 1\.00% of the time$'
flat top=5
expect_same all out
flat top=4294967295
expect_same all out

flat minimum=4
expect_rows "$(sed 1,5d all | head -n 4)
... 1 more function with 1.00% of the time"
flat minimum=4.001
expect_match out '^\.\.\. 2 more functions with 5\.00% of the time$'
flat minimum=100
expect_rows '... 5 more functions with 100.00% of the time'
flat minimum=15 top=1
expect_match out '^\.\.\. 4 more functions with 50\.00% of the time$'

flat names=no-arguments
expect_match out '  ns::f<int>$'
expect_match out '  ns::g$'
flat names=no-templates
expect_match out '  ns::f$'
flat names=last-components
expect_match out '  ns::g$'

# A name before other columns has a width of its own: that of the widest, in characters.
flat columns=name,calls,share top=4
cat >expected <<'END_OF_TABLE'
Flat profile:

Each sample counts as 0.01 seconds.
                                %   
name                    calls  time 
main                           50.00
void ns::f<int>(int)        7  30.00
ns::g(int)                  3  15.00
größe                           4.00
... 1 more function with 1.00% of the time
END_OF_TABLE
expect_same expected out
flat columns=self
expect_rows '     0.50
     0.30
     0.15
     0.04
     0.01'
flat columns=name
expect_rows 'main
void ns::f<int>(int)
ns::g(int)
größe
rare'

# The columns of times per call can stand anywhere, with a unit for each figure or one for all.
flat columns=self-per-call,name,total-per-call,calls top=2
cat >expected <<'END_OF_TABLE'
Flat profile:

Each sample counts as 0.01 seconds.
                                                    
 self/call  name                 total/call    calls
            main                                    
    42.9ms  void ns::f<int>(int)     42.9ms        7
... 3 more functions with 20.00% of the time
END_OF_TABLE
expect_same expected out
expect_status 0 "$GPROFX" --correct=no-call-units -b -p program gmon.out --output-option=flat.top=2 \
	--output-option=flat.account=false \
	--output-option=flat.columns=self-per-call,name,total-per-call,calls
cat >expected <<'END_OF_TABLE'
Flat profile:

Each sample counts as 0.01 seconds.
   self                           total          
  ms/call  name                  ms/call    calls
           main                                  
    42.86  void ns::f<int>(int)    42.86        7
... 3 more functions with 20.00% of the time
END_OF_TABLE
expect_same expected out

# The error of 30 of 100 samples is the root of 21; Wilson's interval begins at 21.89.
flat errors=true top=2
cat >expected <<'END_OF_TABLE'
Flat profile:

Each sample counts as 0.01 seconds.
  %    95% from       to cumulative   self     error                                         
 time     % time   % time  seconds   seconds  seconds    calls self/call total/call  name    
 50.00     40.38    59.62      0.50     0.50    0.050                                main
 30.00     21.89    39.58      0.80     0.30    0.046        7    42.9ms     42.9ms  void ns::f<int>(int)
... 3 more functions with 20.00% of the time
END_OF_TABLE
expect_same expected out
# Columns that stand there already are not added.
flat errors=true columns=error,name,low
expect_match out '^    0\.050  main                     40\.38    59\.62$'
[ "$(grep -o error out | wc -l)" = 1 ] || fail 'a column stands there twice'

# What is explained is what is there, and the lines below the table are no part of it.
expect_status 0 "$GPROFX" -p program gmon.out
expect_match out '^ cumulative  '
expect_not_in out ' 95% from    '
expect_in out 'Of the total per call'
expect_status 0 "$GPROFX" -p program gmon.out --output-option=flat.columns=name,error,low,high
expect_not_in out cumulative
expect_not_in out 'total per call'
expect_not_in out ' cumulative  '
expect_match out '^ 95% from    with'
expect_match out '^ to          '
expect_match out '^ error       '
unit='--correct=no-call-units'
expect_status 0 "$GPROFX" $unit -p program gmon.out
expect_match out '^ self, total /call  self time, and '
expect_status 0 "$GPROFX" $unit -p program gmon.out --output-option=flat.columns=total-per-call,name,self-per-call
[ "$(grep -c ' /call' out)" = 1 ] || fail 'times per call are explained twice'
expect_status 0 "$GPROFX" $unit -p program gmon.out --output-option=flat.columns=self-per-call,name
expect_match out '^ self /call  self time divided by calls'
expect_not_in out 'total /call'
expect_status 0 "$GPROFX" $unit -p program gmon.out --output-option=flat.columns=name,total-per-call
expect_match out '^ total /call self time plus '
expect_not_in out ' self /call'
expect_status 0 "$GPROFX" -T -p program gmon.out --output-option=errors=true
expect_match out '^ error       '
expect_match out '^ %time       '

# refuse OPTION=VALUE TEXT: one error, before anything is written.
refuse() {
	expect_status 1 "$GPROFX" -b -p program gmon.out --output-option="$1"
	expect_empty out
	expect_in err 'gprofx: error[option.bad-value]: output-flat '
	expect_in err "$2"
	[ "$(grep -c 'error\[' err)" = 1 ] || fail "more than one error for $1"
}

for value in '' -1 4294967296 99999999999999999999 1.5 all 0x10 '3 '; do
	refuse "top=$value" "top: expected a"
done
for value in '' -0.1 100.01 1e1 nan inf . half 1,5; do
	refuse "minimum=$value" 'minimum: expected a'
done
for value in '' Full short full,full; do
	refuse "names=$value" 'names: expected one of full, no-arguments, no-templates, last-components'
done
expect_in err 'hint: how much of each name is shown'
for value in '' nothing share, ,share share,,name Share 'share name'; do
	refuse "columns=$value" 'columns: expected some of share, low, '
done
expect_in err 'share, low, high, cumulative, self, error, calls, self-per-call, total-per-call, name'
refuse columns=self,share,self 'each once, separated by commas'
refuse columns=self,nmae 'found "self,nmae"'
expect_in err 'did you mean name?'
refuse errors=1 'errors: expected true or false'

# By line, rows are lines, and the text says whose the calls are.
python3 - <<'END_OF_PROGRAM' || fail 'cannot write the program'
from profiled import Program
program = Program(['main', 'work']).lines({'work': [(0, 7), (128, 9)]}, source='work.c')
open('lines', 'wb').write(program.bytes())
open('lines.out', 'wb').write(program.profile({'work': 40}, [('main', 'work', 3)]).bytes())
END_OF_PROGRAM
expect_status 0 "$GPROFX" --no-findings -l -p --output-option=flat.top=1 lines lines.out
expect_match out '^\.\.\. 1 more line with 50\.00% of the time$'
expect_match out '^How to read this table\. Each row is a line of source; '
expect_not_in out 'Each row is a function'

# No samples at all: nothing is known about any share.
python3 - <<'END_OF_PROFILE' || fail 'cannot write the profile'
from profiled import Program
program = Program(['main', 'work'])
open('program', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({}, [('main', 'work', 7)]).bytes())
END_OF_PROFILE
flat columns=share,low,high,error,name
expect_match out '^  0\.00      0\.00   100\.00    0\.000  work$'

# What is in no function has a row, too, whose name is none that could be shortened.
make_program_with_gap
flat names=last-components columns=name,share,self-per-call,error
expect_rows 'main                    50.00              0.016
<outside any function>  40.00              0.015
ns::g                   10.00     5.0ms    0.009'
flat top=1
expect_match out '^\.\.\. 2 more functions with 50\.00% of the time$'
