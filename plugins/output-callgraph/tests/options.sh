#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The options of the call graph: entries, columns, names, and what each of them refuses.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END_OF_PROGRAM' || fail 'cannot write the program'
from profiled import Program
names = ['main', '_ZN2ns1fIiEEvT_', '_ZN2ns1gEi', 'größe'.encode().decode('latin-1'), 'rare', 'ping', 'pong']
program = Program(names)
open('program', 'wb').write(program.bytes())
samples = {'main': 10, names[1]: 40, names[2]: 30, names[3]: 9, 'rare': 1, 'ping': 6, 'pong': 4}
calls = [('main', names[1], 7), (names[1], names[2], 3), (names[1], names[1], 2), ('main', names[3], 1),
         ('main', 'rare', 1), ('main', 'ping', 5), ('ping', 'pong', 8), ('pong', 'ping', 8)]
open('gmon.out', 'wb').write(program.profile(samples, calls).bytes())
END_OF_PROGRAM

# graph OPTION=VALUE...: the listing without explanations, in ./out.
graph() {
	expect_listing callgraph -q "$@"
}

# entry N: the lines of the entry with that number.
entry() {
	awk -v number="[$1]" '/^-----/ { if (found) print text; text = ""; found = 0; next }
		/^index/ { text = ""; next }
		{ text = text (text == "" ? "" : "\n") $0; if ($1 == number) found = 1 }' out
}

expect_entry() {
	[ "$(entry "$1")" = "$2" ] || {
		entry "$1" | diff - <(printf '%s\n' "$2") >&2
		fail "entry $1 differs"
	}
}

graph
cp out all
expect_match all '^index % time    self  children    called     name$'
expect_entry 2 '                                   2             void ns::f<int>(int) [2]
                0.40    0.30       7/7           main [1]
[2]     70.0    0.40    0.30       7+2       void ns::f<int>(int) [2]
                0.30    0.00       3/3           ns::g(int) [3]
                                   2             void ns::f<int>(int) [2]'
graph top=0 minimum=0 names=full errors=false columns=share,self,children,called
expect_same all out
expect_status 0 "$GPROFX" --gnu -b -q program gmon.out
cp out gnu
expect_status 0 "$GPROFX" --gnu -b -q program gmon.out --output-option=top=0 --output-option=errors=false \
	--output-option=columns=share,self,children,called
expect_same gnu out

# What has no entry is referred to in parentheses, and not in the index.
graph top=2
[ "$(grep -c '^\[' out)" = 2 ] || fail 'not two entries'
expect_match out '^\.\.\. 6 more entries with 50\.00% of the self time$'
expect_match out ' ns::g\(int\) \(3\)$'
expect_match out ' void ns::f<int>\(int\) \[2\]$'
sed -n '/^Index/,$p' out >index
expect_in index '[2] void ns::f<int>(int)'
expect_not_in index 'ns::g'
expect_not_in index cycle
graph minimum=9
expect_match out '^\.\.\. 3 more entries with 11\.00% of the self time$'
expect_match out '<cycle 1> \([0-9]\)$'
expect_match out '<cycle 1 as a whole> \[[0-9]\]$'
graph minimum=1.5
expect_match out '^\.\.\. 1 more entry with 1\.00% of the self time$'
graph minimum=100
expect_match out '^\[1\]    100\.0 '
graph top=8
expect_same all out
graph top=1
expect_match out '^   \[1\] main *$'
expect_status 0 "$GPROFX" -b -T -q program gmon.out --output-option=top=1
expect_match out '^\.\.\. 7 more entries with 90\.00% of the self time$'
expect_not_in out '[2]'

graph names=no-templates
expect_match out ' ns::f \[2\]$'
expect_match out ' ns::g \[3\]$'
graph names=no-arguments
expect_match out '\[2\] ns::f<int>'

graph columns=called,share
expect_match out '^index       called    % time name$'
expect_entry 2 '             2                   void ns::f<int>(int) [2]
             7/7                 main [1]
[2]          7+2        70.0 void ns::f<int>(int) [2]
             3/3                 ns::g(int) [3]
             2                   void ns::f<int>(int) [2]'
expect_entry 1 '                                 <spontaneous>
[1]                    100.0 main [1]
             7/7                 void ns::f<int>(int) [2]
             5/5                 ping <cycle 1> [6]
             1/1                 größe [5]
             1/1                 rare [8]'
graph columns=self
expect_match out '^\[2\]       0\.40 void ns'
expect_match out '^          0\.30     ns::g\(int\) \[3\]$'

# 70 of 100 samples: the error is the root of 21; an arc has one, but no share.
graph errors=true
expect_match out '^index % time 95% from      to    self  children  error      called     name$'
expect_entry 2 '                                                             2             void ns::f<int>(int) [2]
                                 0.40    0.30    0.046       7/7           main [1]
[2]     70.0     60.4    78.1    0.40    0.30    0.046       7+2       void ns::f<int>(int) [2]
                                 0.30    0.00    0.046       3/3           ns::g(int) [3]
                                                             2             void ns::f<int>(int) [2]'
expect_match out '^ +0\.06    0\.00    0\.024      13 +ping <cycle 1> \[[0-9]\]$'

# The callers of a cycle have the columns of all callers.
graph errors=true cycle-callers=always
expect_entry 4 '                                 0.10    0.00    0.030       5/5           main [1]
[4]     10.0      5.5    17.4    0.10    0.00    0.030       5+16      <cycle 1 as a whole> [4]
                                 0.06    0.00    0.024      13             ping <cycle 1> [6]
                                 0.04    0.00    0.020       8             pong <cycle 1> [7]'
graph columns=called,children,share cycle-callers=always
expect_entry 4 '             5/5          0.00           main [1]
[4]          5+16         0.00  10.0 <cycle 1 as a whole> [4]
            13            0.00           ping <cycle 1> [6]
             8            0.00           pong <cycle 1> [7]'
graph minimum=9.5 cycle-callers=always
expect_match out '^ +0\.10    0\.00       5/5           main \[1\]$'
graph columns=self names=last-components
expect_entry 3 '          0.30     ns::f [2]
[3]       0.30 ns::g [3]'

# Explained is what was added.
expect_status 0 "$GPROFX" -q program gmon.out
expect_not_in out '95% from'
cp out explained
expect_status 0 "$GPROFX" -q program gmon.out --output-option=errors=true
expect_match out '^ 95% from    with'
expect_match out '^ to          '
expect_match out '^ error       the standard error'
expect_status 0 "$GPROFX" -q -T program gmon.out --output-option=columns=self,error
expect_not_in out ' descendants '
expect_not_in out ' children  '
expect_match out '^ error       the standard error'
expect_not_in out '95% from'

# refuse OPTION=VALUE TEXT: one error, before anything is written.
refuse() {
	expect_status 1 "$GPROFX" -b -q program gmon.out --output-option="$1"
	expect_empty out
	expect_in err 'gprofx: error[option.bad-value]: output-callgraph '
	expect_in err "$2"
}

for value in '' -1 4294967296 2.0 x; do
	refuse "top=$value" 'top: expected a'
done
for value in '' -1 101 '5%'; do
	refuse "minimum=$value" 'minimum: expected a'
done
refuse names=none 'names: expected one of full, no-arguments, no-templates, last-components'
for value in '' name cumulative share,self, ; do
	refuse "columns=$value" 'columns: expected some of share, low, '
done
refuse columns=self,self 'each once, separated by commas'
refuse errors=yes 'errors: expected true or false'

# A number of five digits takes a blank of the column behind it, whichever that is.
python3 - <<'END_OF_PROGRAM' || fail 'cannot write the program'
from profiled import Program
names = ['f%05d' % i for i in range(10000)]
program = Program(names, step=16)
open('program', 'wb').write(program.bytes())
calls = [('f00000+4', name, 20000 - i) for i, name in enumerate(names)]
open('gmon.out', 'wb').write(program.profile({name: 1 for name in names}, calls).bytes())
END_OF_PROGRAM
for columns in share,self,children,called self,share,called children,called low,self high,low error,self \
	called,share; do
	graph columns=$columns
	line=$(grep -E '^\[10000\]' out)
	other=$(grep -E '^\[9999\]' out)
	[ "${line%f09999*}" != "$line" ] || fail "no entry with $columns"
	heads=("${line%f09999*}" "${other%f09998*}")
	[ "${#heads[0]}" = "${#heads[1]}" ] || fail "columns are moved with $columns: $line"
done
graph
expect_match out '^\[10000\]  0\.0    0\.01    0\.00   10001         f09999 \[10000\]$'
graph columns=called,share
expect_match out '^\[10000\]  10001           0\.0 f09999 \[10000\]$'
expect_match out '^\[9999\]   10002           0\.0 f09998 \[9999\]$'

# What is in no function has an entry, too, whose name is none that could be shortened.
make_program_with_gap
graph names=last-components columns=self,share
expect_entry 2 '                         <spontaneous>
[2]       0.04  40.0 <outside any function> [2]'
expect_match out '^   \[2\] <outside any function>'
graph top=1
expect_match out '^\.\.\. 2 more entries with 50\.00% of the self time$'
