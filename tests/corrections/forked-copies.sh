#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# forked-copies: what files of forked children have from their parent counts once, where every row proves it, and
# nothing is taken out of other files. The truth: written profiles, of which it is known who counted what: the
# parent has 2,360 calls. tests/cli/forked.sh does the same with real programs. Takes 2 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

cat >write.py <<'END_OF_PYTHON'
import os, sys
sys.path.insert(0, os.environ['GPROFX_SOURCE'] + '/tests/findings')
from recipes import Sketch

program = Sketch(23)
own = program.tree()
# Samples of 40 functions, at five instructions of each.
samples = {program.address[i] + 8 * k: 1 + (i + k) % 3 for i in range(40) for k in range(5)}
serve, log = program.call(3, 50), program.call(4, 51)


def calls(arc, count):
    return [(arc[0], arc[1], count)]


def write(name, arcs=(), change=None, date=2000):
    changed = dict(samples)
    changed.update(change or {})
    with open(name, 'wb') as out:
        out.write(program.profile({a: n for a, n in changed.items() if n}, own + list(arcs)).bytes())
    os.utime(name, (1600000000 + date,) * 2)


open('program', 'wb').write(program.image.bytes())
os.utime('program', (1600001000,) * 2)
open('samples', 'w').write('%d' % sum(samples.values()))
write('gm.100')
write('gm.101', calls(serve, 7))
write('gm.102', calls(own[0], 5) + calls(log, 3))    # an arc that the parent has, too
write('gm.103')                                      # a child that called nothing
write('gm.104', calls(serve, 7) + calls(log, 20))    # may be a child of 101
# None of these shows that there was a fork.
first = min(samples)
write('late.100')
write('late.101', calls(serve, 7), {first: samples[first] + 1})      # another run
write('renamed')
write('renamed-child', calls(serve, 7))
write('high.200')
write('high.199', calls(serve, 7))
write('date.100', date=1000)
write('date.101', calls(serve, 7))
write('after.100', calls(log, 1))
write('after.101', calls(serve, 7))
write('same.100')
write('same.101')
write('two.100', change={first: 5})
write('two.101', calls(serve, 17), {first: 5})
few = {a: int(i < 12) for i, a in enumerate(samples)}
write('few.100', change=few)
write('few.101', calls(serve, 7), few)
END_OF_PYTHON
cat >check.py <<'END_OF_PYTHON'
import json
from account import problems
for line in open('expected'):
    number, command, *expected = line.rstrip('\n').split('|')
    report = json.load(open(number + '.json'))
    for problem in problems(report):
        print('%s: %s' % (command, problem))
    files = [f for f in report['profile_files'] if f['copied_from']]
    found = [str(n) for n in (report['account']['samples'], report['account']['copied_samples'],
                              sum(arc['calls'] for arc in report['arcs']),
                              sum(f['copied_calls'] for f in files))]
    found = ' '.join(found + sorted(f['file'] for f in files))
    if found != expected[0] and not (expected == ['none'] and not files):
        print('%s: %s instead of %s' % (command, found, expected[0]))
END_OF_PYTHON
python3 write.py || fail 'cannot write the profiles'
samples=$(cat samples)

# expect_sums WORDS OPTION FILE...: samples, those left out, calls, those left out, and of which files; "none".
number=0
expect_sums() {
	number=$((number + 1))
	expect_status 0 "$GPROFX" --no-findings -b --output=json:$number.json "$2" program "${@:3}"
	printf '%s|%s|%s\n' "$number" "${*:2}" "$1" >>expected
}

expect_sums "$samples 0 2360 0" -b gm.100
# The parent waited, in any order; each child has its own calls, and no samples.
expect_sums "$samples $samples 2367 2360 gm.101" -b gm.100 gm.101
expect_sums "$samples $samples 2367 2360 gm.101" -b gm.101 gm.100
expect_sums "$samples $((3 * samples)) 2375 7080 gm.101 gm.102 gm.103" -b gm.103 gm.101 gm.100 gm.102
expect_sums "$samples $((2 * samples)) 2394 4720 gm.101 gm.104" -b gm.104 gm.100 gm.101
expect_sums "$((2 * samples)) 0 4727 0" --correct=no-forked-copies gm.100 gm.101
# A file that is named twice, or by another path, was meant to count twice.
ln gm.100 link
expect_sums "$((2 * samples)) $samples 4727 2360 gm.101" -b gm.100 gm.101 gm.100
expect_sums "$((2 * samples)) $samples 4727 2360 gm.101" -b gm.100 gm.101 link
expect_sums "$samples $((2 * samples)) 2374 4720 gm.101 gm.101" -b gm.101 gm.100 gm.101
# Two sets of files.
expect_sums "$((2 * samples + 4)) $((2 * samples + 4)) 4744 4720 gm.101 two.101" -b two.101 gm.101 two.100 gm.100

# Nothing is taken out: another run; names that tell nothing; a parent with a higher number, or with an older
# file; one that called something afterwards; files that are the same in everything; few samples.
for set in 'late.100 late.101' 'renamed renamed-child' 'high.199 high.200' 'date.100 date.101' \
	'after.100 after.101' 'same.100 same.101' 'few.100 few.101'; do
	expect_sums none -b $set
done

# Wherever profiles are added up or distinguished. GNU mode adds up all, unless it is asked for more.
total() {
	awk '/^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / {sum += $3} END {printf "%.2f\n", sum}' out
}
seconds=$(awk "BEGIN {printf \"%.2f\", $samples / 100}") twice=$(awk "BEGIN {printf \"%.2f\", $samples / 50}")
expect_status 0 "$GPROFX" -b -p program gm.100 gm.101
expect_match err 'finding\[profile\.copies-taken-out\]: gm\.101: '
expect_in out "Left out: $samples that 1 file of a forked child copied from its parent."
[ "$(total)" = "$seconds" ] || fail "the flat profile: $(total) s"
expect_status 0 "$GPROFX" -b -p --gnu program gm.100 gm.101
expect_empty err
[ "$(total)" = "$twice" ] || fail "GNU mode: $(total) s"
expect_status 0 "$GPROFX" -b -p --gnu --correct=forked-copies program gm.100 gm.101
[ "$(total)" = "$seconds" ] || fail "GNU mode, switched on: $(total) s"
expect_status 0 "$GPROFX" --sum=sum program gm.101 gm.100
expect_match err "warning\[sum\.copies-left-out\].* files of forked children .1. .*: $samples samples and 2360 calls"
expect_sums "$samples 0 2367 0" -b sum
expect_status 0 "$GPROFX" --sum=sum2 --correct=no-forked-copies program gm.101 gm.100
expect_empty err
expect_sums "$((2 * samples)) 0 4727 0" -b sum2
expect_status 0 "$GPROFX" -i program gm.100 gm.101
expect_in out "left out    $samples samples and 2360 calls, copied from gm.100 by a fork"
expect_in out 'left out    1 file has a copy of another one'
expect_status 0 "$GPROFX" --no-findings --per-file -b program gm.101 gm.100
expect_match out '^ +0\.000 +0\.110 +\+0\.110 +slower  f1$'
python3 check.py >problems || fail 'cannot be checked'
expect_empty problems
