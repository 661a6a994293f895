#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The counts of lines and functions are those of the JSON report and of basic blocks, lcov and genhtml read them with
# the same sums, and nothing is written where there are no such counts.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'cannot write the files'
import os
from gcovfile import Source, gcov_document
from profiled import Program
here = os.getcwd()
program = Program(['main', 'work', 'idle'])
program.lines({'main': [(0, 10)], 'work': [(0, 20), (8, 21), (16, 20)], 'idle': [(0, 40)]}, 'a.c', here)
open('program', 'wb').write(program.bytes())
profile = program.profile({'main': 10, 'work': 30}, [('main', 'work', 7), ('main', 'idle', 2)])
open('bare', 'wb').write(Program(['main', 'work', 'idle']).bytes())
open('stacks', 'w').write('main;work 3\n')
open('gmon.out', 'wb').write(profile.bytes())
open('samples', 'wb').write(program.profile({'main': 10, 'work': 30}).bytes())
at = program.address
blocks = [(at['work'], 7), (at['work'] + 8, 70), (at['work'] + 16, 6), (at['idle'], 0), (at['idle'] + 4, 0)]
open('blocks', 'wb').write(program.profile({'main': 1}, [('main', 'work', 9)]).blocks(blocks).bytes())
open('only-blocks', 'wb').write(program.empty().blocks(blocks).bytes())

a = Source('a.c', {10: 1, 11: 7, 20: 7, 21: 0, 22: 1 << 40, 30: 3, 50: 2},
           [('main', 10, 12, 1), ('work', 20, 23, 7), ('local', 28, 31, 3), ('late', 48, 50, 0), ('bare', 60, 70, 0)])
b = Source('b.h', {5: 0, 6: 0}, [('inlined', 5, 6, 0)])
open('gcov', 'wb').write(gcov_document([a, b], here))
odd = ['a,b', 'new\nline', 'a;b', 'other', '\x1b[31m', '\u00fc', ' ', 'x' * 100000, '7,8', 'end_of_record']
names = [(name, 10 * i + 10, 10 * i + 19, i) for i, name in enumerate(odd)]
lines = {line: count for _, line, _, count in names}
lines[200] = (1 << 63) - 1
lines[(1 << 32) - 2] = 4
hostile = [Source('odd\n\u00e4,%s.c' % word, lines, names) for word in ('x', 'y')]
open('hostile', 'wb').write(gcov_document([*hostile, Source('empty.c'), Source('no-lines.c', {}, [('f', 1, 2, 3)])], here))
for name, count in (('a.c', 70), ('b.h', 6)):
    with open(name, 'w') as text:
        text.write('text\n' * count)
END

# check INFO JSON: the file says what the report does, and is sound.
cat >check.py <<'END'
import collections
import json
import os
import sys

def records(text):
    """[(file, {function: [line, count]}, {line: count}, {sum: number})]"""
    found, record = [], None
    for row in text.split('\n')[:-1]:
        key, _, value = row.partition(':')
        if key == 'TN':
            assert record is None and value == 'gprofx'
            record = ['', {}, {}, {}]
        elif key == 'SF':
            record[0] = value
        elif key == 'FN':
            line, name = value.split(',')
            assert name not in record[1], name
            record[1][name] = [int(line), None]
        elif key == 'FNDA':
            count, name = value.split(',')
            assert record[1][name][1] is None
            record[1][name][1] = int(count)
        elif key == 'DA':
            line, count = map(int, value.split(','))
            assert not record[2] or line > max(record[2])
            record[2][line] = count
        elif row == 'end_of_record':
            found.append(record)
            record = None
        else:
            record[3][key] = int(value)
    assert record is None
    return found

with open(sys.argv[1], encoding='utf-8', newline='') as text:
    found = records(text.read())
with open(sys.argv[2], encoding='utf-8') as text:
    report = json.load(text)
assert len({file for file, *_ in found}) == len(found)
for file, functions, lines, sums in found:
    # lcov 2 refuses functions on lines without a count, negative counts, and lines behind the end of the file.
    assert all(line in lines and count is not None for line, count in functions.values())
    assert all(count >= 0 for count in [*lines.values(), *(count for _, count in functions.values())])
    if os.path.exists(file):
        with open(file, encoding='utf-8') as text:
            assert 0 < min(lines) and max(lines) <= len(text.readlines()), (file, max(lines))
    assert sums == {'FNF': len(functions), 'FNH': sum(c > 0 for _, c in functions.values()),
                    'LF': len(lines), 'LH': sum(c > 0 for c in lines.values())}, sums
if 'source_files' in report:
    def shown(text):
        return ''.join(c if c.isprintable() else '\\x%02x' % ord(c) for c in text)
    paths = [shown(f['file']) for f in report['source_files']]
    expected = collections.defaultdict(dict)
    for row in report['source_lines']:
        expected[paths[row['file']]][row['line']] = int(row['executions'])
    assert {file: lines for file, _, lines, _ in found} == expected
    named = collections.defaultdict(list)
    for row in report['source_functions']:
        path = paths[row['file']]
        inside = [n for n in expected.get(path, ()) if row['first_line'] <= n <= row['last_line']]
        if inside:
            named[path].append([min(inside), int(row['executions'])])
    assert {file: sorted(functions.values()) for file, functions, *_ in found} == \
        {file: sorted(named[file]) for file in expected}
END

# written WORD...: such a run, in ./info, compared with its JSON report.
written() {
	rm -f info report.json
	expect_status 0 "$GPROFX" --no-findings --output=lcov:info --output=json:report.json "$@"
	expect_undiagnosed
	python3 check.py info report.json || fail 'the counts are wrong'
}

written program gmon.out gcov
cp info whole
printf '%s\n' TN:gprofx "SF:$PWD/a.c" FN:10,main FN:20,work FN:30,local FN:50,late FNDA:1,main FNDA:7,work \
	FNDA:3,local FNDA:0,late FNF:4 FNH:3 DA:10,1 DA:11,7 DA:20,7 DA:21,0 DA:22,1099511627776 DA:30,3 DA:50,2 LF:7 LH:6 \
	end_of_record TN:gprofx "SF:$PWD/b.h" FN:5,inlined FNDA:0,inlined FNF:1 FNH:0 DA:5,0 DA:6,0 LF:2 LH:0 end_of_record >expected
expect_same info expected
# Counters are complete, whatever else is asked for, and better than blocks.
for options in -l '-l -pmain' '-l -z -Awork'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --no-findings --output=lcov:info $options program blocks gcov
	expect_same info expected
done
written program samples gcov
expect_same info expected

written program hostile
expect_match info '^FN:20,new\\x0aline$'
[ "$(grep -cE '^FN:[13]0,a;b \[' info)" -eq 4 ] || fail 'equal names are not distinct'
expect_match info '^DA:200,9223372036854775807$'
expect_match info '^SF:.*/odd\\x0aä,x\.c$'
[ "$(grep -c '^SF:' info)" -eq 2 ] || fail 'there is a record without lines'

# Blocks: the lines that they start on.
written -l program blocks
printf '%s\n' TN:gprofx "SF:$PWD/a.c" FN:20,work FN:40,idle FNDA:9,work FNDA:0,idle FNF:2 FNH:1 DA:20,9 DA:21,70 DA:40,0 LF:3 \
	LH:2 end_of_record >expected
expect_same info expected
written -l program only-blocks
sed -i 's/^FNDA:9/FNDA:7/; s/^DA:20,9/DA:20,7/' expected
expect_same info expected

expect_status 0 "$GPROFX" --no-findings --output=lcov --set=lcov.test='a b,ü-7' program gcov
expect_match out '^TN:a_b_[_]*7$'

# Nothing but calls or samples, blocks that are not kept, and blocks of which no line is known.
for operands in 'program gmon.out' 'program samples' '-l program gmon.out' 'program only-blocks' stacks; do
	# shellcheck disable=SC2086
	expect_status 1 "$GPROFX" --no-findings --output=lcov:never $operands
	expect_in err 'error[report.no-line-counts]: expected counts of source lines for a tracefile of lcov, found none'
	[ ! -e never ] || fail 'a file was left behind'
done
expect_status 1 "$GPROFX" --no-findings --output=lcov:never -l bare only-blocks
expect_in err 'error[report.no-line-counts]: no source line of the counted blocks is known'
[ ! -e never ] || fail 'a file was left behind'

# A compiled program: an inlined subroutine of another file, code without calls, a file that is included in the middle.
if "$GPROFX_CC" --version | grep -q 'Free Software' && command -v gcov >/dev/null; then
	printf 'static inline int twice(int n)\n{\n\treturn 2 * n;\n}\n' >twice.h
	printf 'int never(void)\n{\n\treturn 7;\n}\n' >middle.h
	cat >run.c <<-'END'
		#include "twice.h"
		static int work(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += twice(i); return sum; }
		#include "middle.h"
		int main(void)
		{
			int sum = 0;

			for (int i = 0; i < 100; i++)
				sum += work(i);
			return sum == 1;
		}
	END
	"$GPROFX_CC" -O1 -g --coverage -o run run.c && ./run && gcov --json-format ./*run.gcda >out 2>&1 ||
		fail 'no program was made'
	counts=(*run*.gcov.json.gz)
	written run "${counts[0]}"
	[ "$(grep -c '^SF:' info)" -eq 3 ] || fail 'not three files'
	expect_match info '^FNDA:100,work$'
	expect_match info '^FNDA:0,never$'
	if command -v lcov >/dev/null; then
		lcov --summary info >summary 2>&1 || fail "lcov refuses it: $(cat summary)"
		expect_match summary 'functions\.+: 66\.7% \(2 of 3 functions\)'
	fi
fi

need lcov
lcov --summary whole >summary 2>&1 || fail "lcov refuses it: $(cat summary)"
expect_in summary '(6 of 9 lines)'
expect_in summary '(3 of 5 functions)'
"$GPROFX" --no-findings --output=lcov:info program hostile
lcov --summary info >summary 2>&1 || fail "lcov refuses it: $(cat summary)"
expect_in summary '(22 of 24 lines)'
expect_in summary '(18 of 20 functions)'
genhtml -o html whole >log 2>&1 || fail "genhtml refuses it: $(cat log)"
expect_match log 'lines\.+: 66\.7% \(6 of 9 lines\)'
