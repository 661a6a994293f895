#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# "gprofx diff" compares profiles whose differences are known: values, verdicts, calls, statuses; what it refuses.
. "$GPROFX_SOURCE/tests/tools/compared.sh"
need python3

python3 - <<'END' || fail 'no profiles were made'
import os
from profiled import Program
old = Program(['main', 'work', 'same', 'gone'])
new = Program(['start', 'main', 'work', 'same', 'added'], base=0x500000)
open('old', 'wb').write(old.bytes())
open('new', 'wb').write(new.bytes())
def put(name, profile):
    open(name, 'wb').write(profile.bytes())
def calls(work): return [('main', 'work', work), ('main', 'same', 3)]
put('base', old.profile({'work': 400, 'same': 500, 'gone': 60}, calls(10)))
put('equal', old.profile({'work': 410, 'same': 490, 'gone': 60}, calls(10)))
put('slower', old.profile({'work': 800, 'same': 500, 'gone': 60}, calls(20)))
put('other', new.profile({'work': 200, 'same': 490, 'added': 70}, calls(10)))
put('doubtful', old.profile({'work': 460, 'same': 540, 'gone': 60}, calls(10)))
put('moved', new.profile({'added': 400, 'same': 500, 'work': 50}, calls(10)))
put('little', old.profile({'work': 5}))
put('little-more', old.profile({'work': 22}))
put('nothing', old.empty())
put('idle', old.profile({}, calls(10)))
put('samples', old.profile({'work': 400, 'same': 500, 'gone': 60}))
put('fast-clock', old.profile({'work': 4000, 'same': 5000, 'gone': 600}, calls(10), rate=1000))
put('flops', old.profile({'work': 400}, unit=b'flops', letter=b'f'))
for folder in ('runs', 'faster', 'empty', 'many'):
    os.mkdir(folder)
for i in range(5):
    put(f'runs/{i}', old.profile({'work': 400 + 4 * i, 'same': 500 - 3 * i}, calls(10)))
    put(f'faster/{i}', old.profile({'work': 300 - 4 * i, 'same': 500 + 3 * i}, calls(10)))
for i in range(65):
    put(f'many/{i}', old.profile({'work': 4}))
END

# The error is the root of all samples, of a hundredth of a second each.
expect_status 0 "$GPROFX" diff old base slower
expect_undiagnosed
expect_match out '^41\.7 % ± 1[0-9]\.[0-9] % slower; 1 function slower, [0-9]* without a difference that these samples can show; '
said work '4.000 8.000 +4.000 0.346 2.000 slower'
said same ''
expect_match out '^ +10 +20 +2\.000  work$'
expect_in out 'With one run on a side only the error of sampling is known'
expect_in out '100.0 % by address in the same build'
expect_match out 'How to read these tables'
expect_status 0 "$GPROFX" diff -b -z old base slower
expect_not_in out 'How to read'
awk '/^Self/ { inside = 1 } /^Total/ { inside = 0 } inside && / none shown same$/' out | grep -q . || fail '-z lists no function without a difference'
# The other way round it is faster.
expect_status 0 "$GPROFX" diff old slower base
said work '8.000 4.000 -4.000 0.346 0.500 faster'
expect_match out '^29\.4 % ± 5\.8 % faster; 1 function faster'
# What chance explains is none, and so is nothing.
for pair in 'base equal' 'base base' 'nothing nothing' 'idle idle'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" diff old $pair
	expect_not_in out ' slower'
	expect_not_in out ' faster'
done
expect_status 0 "$GPROFX" diff old base equal
expect_match out '^No difference in the total that these samples can show \(\+0\.0* % ± [0-9.]* %\); .*; to see 1 %, measure [0-9]* minutes on each side\.$'
expect_status 0 "$GPROFX" diff old nothing nothing
expect_match out '^Neither side has any '
expect_status 0 "$GPROFX" diff old base idle
expect_match out '^Only the base has any time'
said work '4.000 0.000 -4.000 0.200 0.000 faster'
# Times of other sampling rates are times, and their errors are smaller.
expect_status 0 "$GPROFX" diff -z old base fast-clock
said work '4.000 4.000 +0.000 0.210 1.000 none'
# Without numbers of calls on a side, there is no table of them.
expect_status 0 "$GPROFX" diff old samples slower
said work '4.000 8.000 +4.000 0.346 2.000 slower'
expect_not_in out 'Calls'

# Another build, at other addresses: names match, and what is on one side only is said.
expect_status 0 "$GPROFX" diff --base-image=old new base other
said work '4.000 2.000 -2.000 0.245 0.500 faster'
expect_match out '^ +0\.600 +0\.000 .* only base +gone \(only in the base\)$'
expect_match out '^ +0\.000 +0\.700 .* only new +added \(only in the new profile\)$'
expect_match out '^9[0-9]\.[0-9] % of the total is in functions of both sides: .* by name and file'

# Equal totals, and equal numbers of calls.
expect_status 0 "$GPROFX" diff -z --normalize=total old base slower
expect_match out '^Shares of the total are compared; '
row work | grep -Eq '^5\.667 8\.000 \+2\.333 0\.[0-9]+ 1\.412 slower$' || fail "shares: $(row work)"
row same | grep -Eq '^7\.083 5\.000 -2\.083 0\.[0-9]+ 0\.706 faster$' || fail "shares: $(row same)"
expect_status 0 "$GPROFX" diff -z --normalize=calls old base slower
row work | grep -Eq '^8\.000 8\.000 \+0\.000 0\.[0-9]+ 1\.000 none$' || fail "cost of a call: $(row work)"

# Repeated runs: their spread is more than the error of sampling, or that counts.
expect_status 0 "$GPROFX" diff old runs faster
expect_undiagnosed
row work | grep -Eq '^4\.080 2\.920 -1\.160 0\.1[0-9]+ 0\.716 faster$' || fail "runs: $(row work)"
expect_match out '^base: runs, 5 runs, of old$'
expect_not_in out 'With one run'
expect_status 0 "$GPROFX" diff old runs base
expect_match out '^new:  base, of old$'
expect_in out 'With one run on one side, it is assumed to vary as those of the other side do'

# The interval excludes 0, but the test of the total is stricter. Only one side has calls.
expect_status 0 "$GPROFX" diff old base doubtful
expect_match out '^A difference in the total is not certain \(\+10\.4 % ± 9\.6 %\); '
expect_status 0 "$GPROFX" diff old base samples
expect_in out '. The new side has no calls, so values with all that is called are not compared. '
expect_not_in out 'Total time'
expect_status 0 "$GPROFX" diff old samples base
expect_in out '. The base has no calls'

# Of few samples the error of the base is large, but the interval is one of the verdict.
expect_status 0 "$GPROFX" diff old little little-more
expect_match out '^340 % ± 204 % slower; '
# Shares of nothing.
expect_status 0 "$GPROFX" diff --normalize=total old base idle
expect_match out '^Only the base has any time'
expect_status 0 "$GPROFX" diff --normalize=total old idle base
expect_match out '^Only the new side has any time'

# Statuses: slower by more than a percentage, and only what has a share.
expect_status 3 "$GPROFX" diff --fail-if-slower=10 old base slower
expect_in out ' slower'
expect_status 0 "$GPROFX" diff --fail-if-slower=120 old base slower
expect_status 3 "$GPROFX" diff --fail-if-slower=50 old base slower
expect_status 0 "$GPROFX" diff --fail-if-slower=50 --min-share=70 old base slower
expect_status 0 "$GPROFX" diff --fail-if-slower=0 old base equal
expect_status 0 "$GPROFX" diff --fail-if-slower=0 old slower base
# A function that one side only has can have another name on the other, or be inlined there: no time was added.
expect_status 0 "$GPROFX" diff --fail-if-slower=5 --base-image=old new base moved
expect_match out '^ +0\.000 +4\.000 .* only new +added \(only in the new profile\)$'
expect_in out '1 function faster, 1 only in the base, 1 only in the new profile, 2 without'

# Profiles with names need no program, and formats can differ.  What a folded stack weighs is not known.
printf 'main;work 30\nmain;same 50\n' >folded
printf 'main;work 90\nmain;same 50\n' >more
expect_status 0 "$GPROFX" diff folded more
expect_match out 'not tested'
expect_match out '^75\.0 % more, with an error that is not known; '
# A limit that nothing can exceed is reported.
expect_status 0 "$GPROFX" diff --fail-if-slower=5 folded more
expect_one diff.not-tested
printf 'main;work 90000\nmain;same 50\n' >more
expect_status 0 "$GPROFX" diff folded more
expect_match out '^1125\.6 times the base, with an error that is not known; '
expect_status 1 "$GPROFX" diff old base folded
expect_one diff.no-common-metric
expect_in err 'the base measures time in seconds, but the new side measures'
expect_status 1 "$GPROFX" diff old base flops
expect_one diff.no-common-metric

# What is asked for has to be possible.
chmod +x old
for words in '' base 'old base' 'old base slower equal'; do
	# shellcheck disable=SC2086
	expect_status 2 "$GPROFX" diff $words
	expect_one usage.diff-operands
	expect_empty out
done
expect_status 2 "$GPROFX" diff old base
expect_in err 'only one is named behind the program old'
for format in flat top callgraph speedscope lcov; do
	expect_status 1 "$GPROFX" diff --output=$format old base slower
	expect_one diff.no-comparison
	expect_empty out
done
expect_status 1 "$GPROFX" --output=diff old base
expect_one report.no-comparison
expect_status 1 "$GPROFX" diff old base empty
expect_one diff.no-runs
expect_status 1 "$GPROFX" diff old base many
expect_one diff.too-many-runs
expect_status 1 "$GPROFX" diff old base missing
expect_one profile.cannot-open
expect_status 1 "$GPROFX" diff missing base slower
expect_one image.cannot-open
expect_status 1 "$GPROFX" diff --base-image=missing old base slower
expect_one image.cannot-open
for words in -p -Q -l -c -s --summary --per-file --sum=x --cpu-time=3 --with=dot --explain; do
	expect_status 2 "$GPROFX" diff $words old base slower
	expect_one usage.unused-option
done
for words in --normalize=total --fail-if-slower=1 --min-share=1 --base-image=old; do
	expect_status 2 "$GPROFX" $words old base
	expect_one usage.unused-option
	expect_in err 'write gprofx diff --'
done
expect_status 2 "$GPROFX" diff --normalize=share old base slower
expect_one usage.unknown-word
for words in --fail-if-slower=x --fail-if-slower=-1 --fail-if-slower=nan --fail-if-slower= --min-share=101 --min-share=1e1; do
	expect_status 2 "$GPROFX" diff $words old base slower
	grep -Eq 'error\[usage\.(bad-number|empty-value)\]' err || fail "$words is accepted"
done

# No output replaces what is compared.
cp base kept
for file in base runs/3 old; do
	expect_status 1 "$GPROFX" diff --output=json:$file old base runs
	expect_one output.same-file
done
expect_same kept base
expect_status 0 "$GPROFX" diff --output=json:new.json --output=csv:new.csv --output=diff:new.txt old base slower
expect_empty out
[ -s new.json ] && [ -s new.csv ] && [ -s new.txt ] || fail 'outputs are missing'
# The same bytes for any number of threads.
for threads in 1 3; do
	expect_status 0 "$GPROFX" diff --threads=$threads --output=diff:again.txt old base slower
	expect_same new.txt again.txt
done
# Files of settings add nothing to standard output.
printf 'outputs:\n  - { format: flat }\n' >settings.yaml
expect_status 0 "$GPROFX" diff --config=settings.yaml old base slower
expect_not_in out 'Flat profile'
# A damaged side is reported, and nothing is written.
head -c -3 slower >cut
expect_status 1 "$GPROFX" diff --output=diff:none.txt old base cut
[ ! -e none.txt ] || fail 'half a comparison was written'
# GNU mode has no commands.
expect_status 1 "$GPROFX" --gnu diff old base
expect_not_in err 'usage.diff-operands'
