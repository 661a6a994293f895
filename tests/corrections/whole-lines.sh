#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# whole-lines: with -l, a line of a function has one row, whatever pieces its code is in. The truth: line 50 of
# total is before, in and after its loop, and takes 21 samples; main calls it 5 times from each of two pieces.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from profiled import Program
program = Program(['main', 'total', 'copy'])
program.lines({'main': [(0, 60), (16, 61), (32, 62), (48, 61)],
               'total': [(0, 48), (16, 50), (32, 51), (48, 50), (64, 52), (80, 50), (96, 48)],
               'copy': [(0, 80), (2, 81), (3, 80), (4, 82)]}, 'prog.c', '.')
open('program', 'wb').write(program.bytes())
at = program.address
bins = [0] * 64
total = (at['total'] - program.base) // 16
for piece, samples in (0, 1), (1, 7), (2, 10), (3, 8), (4, 9), (5, 6), (6, 4):
    bins[total + piece] = samples
profile = program.empty().histogram(program.base, program.base + 64 * 16, bins)
profile.arc(at['main'] + 20, at['total'], 5).arc(at['main'] + 52, at['total'], 5)
open('gmon', 'wb').write(profile.bytes())
# 8 of 100 samples are in a bin of which line 80 has two pieces, and lines 81 and 82 have one.
bins = [0] * 256
bins[(at['copy'] - program.base) // 4] = 8
bins[8] = 92
profile = program.empty().histogram(program.base, program.base + 4 * 256, bins)
open('shared', 'wb').write(profile.bytes())
PROGRAM

# rows OPTION...: NAME:LINE@ADDRESS=SAMPLES of each row of the flat profile that has some.
rows() {
	"$GPROFX" -b -l -p --no-findings "$@" >out 2>err || fail "status $? from: $*"
	sed -n 's/^ *[0-9.]* *[0-9.]* *\([0-9.]*\) .* \([a-z]*\) (prog\.c:\([0-9]*\) @ \([0-9a-f]*\))$/\2:\3@\4=\1/p' \
		out | grep -v '=0.00$' | tr '\n' ' '
}

whole='total:50@401110=0.21 total:51@401120=0.10 total:52@401140=0.09 total:48@401100=0.05 '
[ "$(rows program gmon)" = "$whole" ] || fail "rows: $(rows program gmon)"
pieces=$(rows --correct=no-whole-lines program gmon)
[[ $pieces == *'50@401130=0.08'*'50@401110=0.07'*'50@401150=0.06'* ]] || fail "switched off: $pieces"
[ "$(rows --gnu --correct=whole-lines program gmon)" = "$(rows --gnu program gmon)" ] ||
	fail 'without line-graph there are no wholes'
[ "$(rows --gnu --correct=line-graph --correct=whole-lines program gmon)" = "$whole" ] || fail 'switched on'
# Lines without time have one row each, too.
[ "$(rows -z program gmon)" = "$whole" ] || fail "-z: $(rows -z program gmon)"
[ "$(grep -c ' main (prog\.c:61 ' out)" -eq 1 ] || fail '-z lists pieces'

# A line means all of it; so does its row, and the row of any of its pieces.
only='total:50@401110=0.21 '
for spec in prog.c:50 'total (prog.c:50 @ 401110)' 'total (prog.c:50 @ 401130)'; do
	[ "$(rows "-p$spec" program gmon)" = "$only" ] || fail "-p$spec: $(rows "-p$spec" program gmon)"
	[[ $(rows "-P$spec" program gmon) == 'total:51@401120=0.10 total:52@401140=0.09 '* ]] || fail "-P$spec"
done

# In the call graph, a line that calls has one row, and functions have what they have without -l.
"$GPROFX" -b -l -q program gmon >out || fail 'status'
expect_match out '^ +0\.45    0\.00      10/10          main \(prog\.c:61 @ 401010\) \[2\]$'
[ "$(grep -c ' main (prog\.c:61 ' out)" -eq 1 ] || fail 'calls are by piece'
"$GPROFX" -b -l -kprog.c:61/total -q program gmon >out || fail 'status'
expect_not_in out '10/10'
"$GPROFX" -b -l -c -q program gmon >out || fail 'status'

# The other outputs say the same.
"$GPROFX" -l --output=json program gmon >out || fail 'status'
python3 - <<'PROGRAM' || fail 'JSON'
import json
functions = json.load(open('out'))['functions']
line = [f for f in functions if f['source_line'] == 50]
assert [f['self_ticks'] for f in line] == [21, 0, 0], line
assert [f.get('merged_into') for f in line] == [None, line[0]['id'], line[0]['id']], line
assert all(f['address'] != f['end'] for f in line)
assert sum(f['self_ticks'] for f in functions) == 45
PROGRAM
"$GPROFX" -l --output=csv program gmon >out || fail 'status'
[ "$(grep -c '"prog.c"\|prog.c",50,' out)" -ge 1 ] || fail 'CSV lacks the line'
[ "$(grep -c ',50,' out)" -eq 1 ] || fail 'CSV has several rows of a line'
"$GPROFX" -l --output=callgrind program gmon >out || fail 'status'
[ "$(grep -c '^50 ' out)" -eq 1 ] || fail 'callgrind has several costs of a line'
printf 'line\n%.0s' {1..90} >prog.c
for options in -A '-l -A'; do
	# shellcheck disable=SC2086 # these are several words
	"$GPROFX" -b $options program gmon >out 2>err || fail "status of $options"
	[ "$(sed -n '52s/^ *\([0-9.]*\) .*/\1/p' out)" = 0.21 ] || fail "$options: $(sed -n 52p out)"
done

# Two pieces in a bin that others share: all of it can be the line's, 8 of 100, or nothing.
"$GPROFX" -b -l -p --no-findings --set=flat.columns=low,high,self,name program shared >out || fail 'status'
expect_match out '^ +0\.00 +15\.00 .* copy \(prog\.c:80 '

cat >check.py <<'PROGRAM'
import collections
import json
import os
import re
import subprocess
import sys
from gmonfile import Profile
from lcg import Random


def report(program, *options):
    text = subprocess.run([os.environ['GPROFX'], '-l', *options, '--output=json', program, 'gmon.made'],
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(text)


def by_line(document):
    ticks = collections.Counter()
    for f in document['functions']:
        ticks[f['source_file'], f['source_line']] += round(f['self_ticks'], 6)
    return {line: round(t, 4) for line, t in ticks.items() if t}


def check(program, random):
    """Samples all over .text, and calls from everywhere; compilers decide what is where."""
    text = re.search(r' \.text +\S+ +(\S+) \S+ (\S+)', subprocess.run(
        ['readelf', '-SW', program], check=True, stdout=subprocess.PIPE, text=True).stdout)
    low, size = (int(word, 16) for word in text.groups())
    profile = Profile().histogram(low, low + size // 4 * 4, [random.below(9) for _ in range(size // 4)])
    starts = [int(f['address'], 16) for f in report_of_functions(program, profile)]
    for _ in range(200):
        profile.arc(low + random.below(size), random.pick(starts), random.between(1, 99))
    open('gmon.made', 'wb').write(profile.bytes())
    merged = 0
    for options in [], ['--clones=fold'], ['-c'], ['--correct=no-inlined'], ['-a']:
        whole, pieces = report(program, *options), report(program, '--correct=no-whole-lines', *options)
        assert by_line(whole) == by_line(pieces), options
        rows = whole['functions']
        for new, old in zip(rows, pieces['functions']):
            assert new['address'] == old['address'] and new['calls'] == old['calls'], new
            assert abs(new.get('whole_self_ticks', 0) - old.get('whole_self_ticks', 0)) < 1e-3, (new, old)
        seen, function = set(), None
        for row in rows:
            if row['function']:
                function = row.get('merged_into', row['id'])
            if 'merged_into' in row:
                assert row['self_ticks'] == 0 and not row['calls'], row
                merged += 1
            elif row['self_ticks'] != 0 and row['source_line']:
                key = function, re.sub(' @ [0-9a-f]+', '', row['name'])
                assert key not in seen, key
                seen.add(key)
        for new, old in zip(whole['arcs'], pieces['arcs']):
            assert sum(s['calls'] for s in new['sites']) == sum(s['calls'] for s in old['sites']), new
            assert len({s['function'] for s in new['sites']}) == len(new['sites']), new
    return merged


def report_of_functions(program, profile):
    open('gmon.made', 'wb').write(profile.bytes())
    return [f for f in report(program)['functions'] if f['function'] and not f['outside']]


random = Random(7)
if sum(check(program, random) for program in sys.argv[1:]) < 20:
    sys.exit('hardly any pieces were merged')
PROGRAM
cat >code.c <<'PROGRAM'
#include <stdlib.h>
static unsigned state = 1;
static inline unsigned mix(unsigned x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}
static inline unsigned next(void) { return state = mix(state + 99); }
__attribute__((noinline)) static unsigned fill(unsigned *items, int n, int mode)
{
	unsigned sum = 0;
	for (int i = 0; i < n; i++) {
		if (mode)
			items[i] = next() & 1023;
		else
			items[i] = mix(i) & 1023;
		sum += items[i] ^ next();
	}
	if (sum == 12345)
		abort();
	return mode ? sum + mix(sum) : sum;
}
int main(int argc, char **argv)
{
	unsigned items[64], sum = 0;
	for (int i = 0; i < 9; i++)
		sum += fill(items, 64, i & argc) + fill(items, argc, argv != 0);
	return sum & 1;
}
PROGRAM
made=()
for words in "$GPROFX_CC -O0" "$GPROFX_CC -O2" "$GPROFX_CC -O3 -gdwarf-4" "$GPROFX_CC -O2 -flto" 'clang -O2' \
	'clang -O3 -gdwarf-4'; do
	# shellcheck disable=SC2086 # these are several words
	$words -g -pg code.c -o "made${#made[@]}" 2>/dev/null && made+=("made${#made[@]}")
done
[ "${#made[@]}" -gt 1 ] || skip 'cannot build'
python3 check.py "${made[@]}" || fail 'the rows differ'
