#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The scripts of doc/howto-ci.md notice a slower build, and only that; the steps for GitHub are YAML and run them. Takes
# 8 seconds, of 25 recorded runs.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need gcc python3
[ -x "$(dirname "$GPROFX")/gprofx-record" ] || skip 'gprofx record is not built'

mkdir bin old
ln -s "$GPROFX" bin/gprofx
export PATH=$PWD/bin:$PATH
cat >prog.c <<'END'
static volatile unsigned sum;
__attribute__((noinline)) static void same(void) { for (unsigned i = 0; i < 100000000; i++) sum += i; }
__attribute__((noinline)) static void work(void) { for (unsigned i = 0; i < WORK; i++) sum += i; }
int main(void) { same(); work(); return 0; }
END
for work in 100 600; do
	gcc -g -O1 -DWORK=${work}000000 prog.c -o prog$work || fail "no program"
done
mv prog100 old/prog
mv prog600 prog

python3 - "$GPROFX_SOURCE/doc/howto-ci.md" <<'END' || fail 'the page is not as expected'
import re
import sys
import yaml
blocks = re.findall(r'^```(\w+)\n(.*?)^```$', open(sys.argv[1], encoding='utf-8').read(), re.S | re.M)
assert [kind for kind, _ in blocks] == ['sh', 'yaml', 'sh', 'sh'], blocks
for name, block in zip(['compare', 'job', 'keep', 'later'], blocks):
    open(name, 'w', encoding='utf-8').write(block[1])
steps = [step.get('run', '') for step in yaml.safe_load(open('job', encoding='utf-8'))['jobs']['compare']['steps']]
assert './compare ../old/prog ./prog input.txt' in steps and any('summary.md' in step for step in steps), steps
END

expect_status 3 sh compare old/prog ./prog
expect_match out '[0-9] +slower +work$'
expect_not_in out ' faster '
expect_match summary.md '^\| `work` .* slower \|$'
[ "$(find profiles -name '*.gxc' | wc -l)" = 10 ] || fail 'not five runs of each'
# The other way round nothing is slower; the runs are those that are there.
expect_status 0 gprofx diff -b --fail-if-slower=5 --min-share=2 --base-image=./prog old/prog profiles/new profiles/old
expect_match out '[0-9] +faster +work$'

# A baseline that was kept, and moved to where no such program was recorded.
cp prog later.prog
cp old/prog prog
expect_status 0 sh -eu keep
mkdir elsewhere
mv baseline elsewhere
ln -s elsewhere/baseline baseline
cp later.prog prog
expect_status 3 sh -eu later
expect_match out '[0-9] +slower +work$'
