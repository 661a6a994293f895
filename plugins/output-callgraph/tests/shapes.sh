#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What programs that read gprof's call graph go by, in both modes: entries between rows of dashes, each line of a
# shape that they know, and an entry of a cycle that begins with its primary line and goes on with its members.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

cat >reader.py <<'END'
import re, sys
TIME = r'\s+\d+\.\d+\s+\d+\.\d+'
NAME = r'\s+(?P<name>\S.*?)(?:\s+<cycle (?P<cycle>\d+)>)?\s+\[(?P<number>\d+)\]'
FUNCTION = re.compile(r'^\[(?P<first>\d+)\]\s+\d+\.\d+' + TIME + r'(?:\s+\d+(?:\+\d+)?)?' + NAME + '$')
CYCLE = re.compile(r'^\[(?P<first>\d+)\]\s+\d+\.\d+' + TIME + r'\s+\d+(?:\+\d+)? +<cycle (?P<cycle>\d+) as a whole>\s+\[(?P<number>\d+)\]$')
ARC = re.compile(r'^\s+(?:\d+\.\d+\s+\d+\.\d+\s+)?\d+(?:/\d+)?' + NAME + '$')
MEMBER = re.compile(r'^' + TIME + r'\s+\d+(?:\+\d+)?' + NAME + '$')
SPONTANEOUS = re.compile(r'^\s+<spontaneous>\s*$')
def entries(lines):
    lines = iter(lines)
    for line in lines:
        if line.startswith('index '):
            break
    entry = []
    for line in lines:
        line = line.rstrip('\n')
        if line.startswith('\f'):
            return
        if line and not line.strip('-'):
            yield entry
            entry = []
        elif line:
            entry.append(line)
functions, cycles, members = 0, {}, {}
for entry in entries(sys.stdin):
    whole = CYCLE.match(entry[0])
    if whole:
        assert whole['first'] == whole['number'], entry[0]
        rows = [MEMBER.match(line) for line in entry[1:]]
        assert all(rows), entry
        cycles[whole['cycle']] = {row['name'] for row in rows}
        assert all(row['cycle'] == whole['cycle'] for row in rows), entry
        continue
    primary = [line for line in entry if line.startswith('[')]
    assert len(primary) == 1 and FUNCTION.match(primary[0]), entry
    own = FUNCTION.match(primary[0])
    assert own['first'] == own['number']
    if own['cycle']:
        members.setdefault(own['cycle'], set()).add(own['name'])
    functions += 1
    for line in entry:
        assert line in primary or ARC.match(line) or SPONTANEOUS.match(line), line
assert all(cycles[c] == members[c] for c in cycles), (cycles, members)
print(functions, len(cycles))
END
python3 - <<'END' || fail 'cannot write the program'
from profiled import Program
program = Program(['even', 'leaf', 'main', 'odd', 'other', 'ping', 'pong', 'self'])
open('program', 'wb').write(program.bytes())
arcs = [('main', 'even', 2), ('main', 'odd', 1), ('main', 'other', 1), ('other', 'odd', 1), ('even', 'odd', 4),
        ('odd', 'even', 3), ('odd', 'odd', 9), ('odd', 'leaf', 5), ('ping', 'pong', 2), ('pong', 'ping', 3),
        ('main', 'self', 1), ('self', 'self', 7)]
ticks = {'main': 10, 'even': 60, 'odd': 30, 'leaf': 18, 'ping': 5, 'self': 2}
open('gmon.out', 'wb').write(program.profile(ticks, arcs).bytes())
END
# The second cycle has no entry in GNU mode, since nobody calls it.
for words in '--gnu' '--no-findings' '--no-findings --no-static' '--no-findings --correct=none' '--no-findings -c'; do
	# shellcheck disable=SC2086 # several words
	expect_status 0 "$GPROFX" $words -q program
	python3 reader.py <out >read 2>why || { cat why >&2; fail "not readable with $words"; }
	printf '%s: %s\n' "$words" "$(cat read)"
done
expect_status 0 "$GPROFX" --no-findings -q program
expect_same <(echo '8 2') <(python3 reader.py <out)
# The test can fail.
expect_status 0 "$GPROFX" --no-findings -q --output-option=callgraph.cycle-callers=always program
! python3 reader.py <out >read 2>why || fail 'callers above a cycle are not noticed'
