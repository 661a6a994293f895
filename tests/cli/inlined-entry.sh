#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --entry, -q and -p of an inlined subroutine add up the samples of its copies, with what was inlined into it. The
# truth comes from addr2line: one sample is at each address of the program's functions.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
: "${GPROFX_CC:=cc}"
need python3 addr2line nm

cat >prog.c <<'PROGRAM'
volatile int sink;
__attribute__((always_inline)) static inline int step(int x) { return x * sink + x / (sink | 1); }
__attribute__((always_inline)) static inline int work(int x)
{
	int sum = sink;
	sum += step(x);
	return sum - step(sum + 3);
}
__attribute__((noinline)) int other(int x) { return work(x) ^ step(7 * x); }
int main(int argc, char **argv)
{
	(void)argv;
	sink = argc;
	sink += work(argc) + other(argc);
	return 0;
}
PROGRAM
"$GPROFX_CC" -g -O1 -no-pie prog.c -o prog 2>err || { cat err; skip 'cannot build'; }
python3 - prog <<'END' >truth || fail 'no truth'
import subprocess, sys
from gmonfile import Profile

def read(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout

addresses, starts = [], {}
for row in read('nm', '-S', sys.argv[1]).splitlines():
    words = row.split()
    if words[-1] in ('other', 'main'):
        starts[words[-1]] = int(words[0], 16)
        addresses += range(int(words[0], 16), int(words[0], 16) + int(words[1], 16))
low, high = min(addresses) & ~15, (max(addresses) | 15) + 1
taken = set(addresses)
open('gmon.out', 'wb').write(Profile().histogram(low, high, [int(a in taken) for a in range(low, high)])
                            .arc(starts['main'] + 4, starts['other'], 1).data)
chains = []
for row in read('addr2line', '-f', '-i', '-a', '-e', sys.argv[1], *map(hex, addresses)).splitlines():
    if row.startswith('0x'):
        chains.append([])
    elif ':' not in row:
        chains[-1].append(row)
for name in 'work', 'step':
    self = sum(chain[0] == name for chain in chains)
    total = {into: sum(name in chain and chain[-1] == into for chain in chains) for into in ('main', 'other')}
    print(name, '%.2f %.2f %.2f %.2f' % tuple(n / 100 for n in (self, sum(total.values()), total['main'], total['other'])))
END
while read -r name self total main other; do
	[ "$main" != 0.00 ] && [ "$other" != 0.00 ] || fail "no copies of $name"
	for words in --entry=$name -q$name -p$name "-l -p$name" "-l --entry=$name" "-p$name -pother"; do
		# shellcheck disable=SC2086
		expect_status 0 "$GPROFX" --no-findings -b $words prog
		expect_empty err
		expect_in out "Inlined subroutine $name:"
		expect_match out "^ *$self s +[0-9.]+ %  self: samples in its own code\$"
		expect_match out "^ *$total s +[0-9.]+ %  total: with the subroutines that were inlined into it\$"
		expect_match out "^ *$main s +[0-9.]+ %    main\$"
		expect_match out "^ *$other s +[0-9.]+ %    other\$"
		expect_in out 'Not known: how often it was called, and the time of functions that it calls.'
	done
	# No rows of other functions; the same in JSON.
	expect_status 0 "$GPROFX" --no-findings -p$name prog
	expect_not_in out 'Flat profile'
	expect_status 0 "$GPROFX" --no-findings -p$name --output=json:report.json prog
	python3 - "$name" "$self" "$total" "$main" <<'END' || fail 'JSON'
import json, sys
report = json.load(open('report.json'))
row, = report['inlined']
assert [row['name'], '%.2f' % row['self_seconds'], '%.2f' % row['total_seconds']] == sys.argv[1:4], row
named = {report['functions'][into['function']]['name']: '%.2f' % into['total_seconds'] for into in row['inlined_into']}
assert named['main'] == sys.argv[4] and set(named) == {'main', 'other'}, named
assert report['flat_order'] == []
END
done <truth
[ "$(wc -l <truth)" -eq 2 ] || fail 'not two names'

# The summary names the heaviest ones by itself, with the same figures.
"$GPROFX" --no-findings --output=json:all.json prog
whole=$(python3 -c 'import json; print(sum(row["self_seconds"] for row in json.load(open("all.json"))["functions"]))') ||
	fail 'no sum'
expect_status 0 "$GPROFX" --no-findings --summary prog
expect_in out "$(awk -v whole="$whole" '{
	into = ($4 > $5 ? "main" : "other")
	printf "%s%s %.1f %%", NR == 1 ? "  inlined in " into " and others: " : into == before ? ", " : "; in " into " and others: ",
		$1, 100 * $3 / whole
	before = into
}' truth)"
# Not beside shares of a selection, which are of something else.
expect_status 0 "$GPROFX" --no-findings --summary -pother prog
expect_not_in out 'inlined'
expect_status 0 "$GPROFX" --gnu -b prog
expect_not_in out 'inlined'

# The program's own come first, but one of libraries that takes more than each of them is never left out, even if the
# line needs another one.
cat >library.c <<'PROGRAM'
volatile int sink;
#define TWICE(x) x x
#define OWN(name) \
	__attribute__((always_inline)) static inline int name(int x) { TWICE(TWICE(x += sink * x;)) return x; }
OWN(first_part_of_the_own_work)
OWN(second_part_of_the_own_work)
OWN(third_part_of_the_own_work)
__attribute__((always_inline)) static inline int __scan_of_the_library(int x)
{
	TWICE(TWICE(TWICE(TWICE(x += sink * x;))))
	return x;
}
int main(int argc, char **argv)
{
	(void)argv;
	return first_part_of_the_own_work(argc) ^ second_part_of_the_own_work(argc) ^ third_part_of_the_own_work(argc) ^
		__scan_of_the_library(argc);
}
PROGRAM
"$GPROFX_CC" -g -O1 -no-pie library.c -o library 2>err || { cat err; fail 'cannot build'; }
python3 - library <<'END' || fail 'no profile'
import subprocess, sys
from gmonfile import Profile
start, size = next((int(words[0], 16), int(words[1], 16)) for words in map(str.split, subprocess.run(
    ('nm', '-S', sys.argv[1]), check=True, capture_output=True, text=True).stdout.splitlines()) if words[-1] == 'main')
low, high = start & ~15, (start + size | 15) + 1
open('library.out', 'wb').write(Profile().histogram(low, high, [int(start <= a < start + size)
                                                                 for a in range(low, high)]).data)
END
for width in 80 200; do
	expect_status 0 "$GPROFX" --no-findings --summary --output-option=top.width=$width library library.out
	tr -s ' \n' '  ' <out >line
	expect_match line ' inlined in main: [a-z]*_part_of_the_own_work [0-9.]+ %, __scan_of_the_library [0-9.]+ %'
done

# Other listings do not have them, nor has GNU mode.
expect_status 1 "$GPROFX" --no-findings -b -Awork prog
expect_in err 'work was inlined into '
expect_status 0 "$GPROFX" --gnu -b -pwork prog
expect_not_in out 'Inlined subroutine'

# Debug information names functions, too: one whose symbol has another name has no inlined copies.
nm prog | sed -n 's/ T other$/ T elsewhere/p; s/ T main$/ T main/p' >symbols
for words in --entry=other -qother -pother '-l -pother'; do
	# shellcheck disable=SC2086
	expect_status 1 "$GPROFX" --no-findings -S symbols -b $words prog
	expect_match err 'error\[symspec\.no-match\]: no function or source line matches other$'
done
expect_status 0 "$GPROFX" --no-findings -S symbols -b --entry=work prog
expect_in out 'Inlined subroutine work:'

# A function can be called at one place and inlined at others: the row of its symbol is not all of its time.
sed 's/ static inline int step/ inline int step/' prog.c >both.c
echo 'extern int step(int x);' >>both.c
"$GPROFX_CC" -g -O1 -no-pie both.c -o both 2>err || { cat err; skip 'cannot build'; }
python3 - both >truth <<'END' || fail 'no truth'
import subprocess, sys
from gmonfile import Profile

def read(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout

code = {}
for row in read('nm', '-S', sys.argv[1]).splitlines():
    words = row.split()
    if words[-1] in ('other', 'main', 'step'):
        code[words[-1]] = range(int(words[0], 16), int(words[0], 16) + int(words[1], 16))
taken = {address for addresses in code.values() for address in addresses}
low, high = min(taken) & ~15, (max(taken) | 15) + 1
open('both.out', 'wb').write(Profile().histogram(low, high, [int(a in taken) for a in range(low, high)]).data)
copies = 0
for address in [*code['main'], *code['other']]:
    copies += 'step' in read('addr2line', '-f', '-i', '-e', sys.argv[1], hex(address)).split('\n')
print('%.2f %.2f' % (len(code['step']) / 100, copies / 100))
END
read -r own copies <truth
expect_status 0 "$GPROFX" --no-findings -b -pstep both both.out
expect_match out "^ *100\.00 +$own +$own +step\$"
expect_in out 'Inlined subroutine step:'
expect_match out "^ *$copies s +[0-9.]+ %  total: with the subroutines that were inlined into it\$"
expect_status 0 "$GPROFX" --gnu -b -pstep both both.out
expect_not_in out 'Inlined subroutine'
