#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# shared-bins: bins of several functions are divided by likelihood. The truth: samples at known addresses. The
# long form, tests/long/shared-bins.py, tries a hundred layouts; this one takes 2 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

# Code that ran once before a hot function, as frame_dummy before main: a bin has the last 2 bytes of what
# aligns hot and its first 2. "cold" does not say how long it is; what is between "slow" and "next" is executed.
python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from dwarfinfo import Function, Unit, add_debug_info
from elfimage import FUNC, GLOBAL, LOCAL, Image
from gmonfile import Profile

LOW = 0x401000
ADD, RET, FILL = b'\x01\xc0', b'\xc3', b'\x66\x90\x66\x90\x66\x90\x90'
def program(name, before, size, names=('cold', 'hot'), bind=GLOBAL):
    code = before + ADD * 16 + b'\x90' * 15 + RET + ADD * 24
    image = Image('x86_64').section('.text', LOW, code)
    image.symbol(names[0], LOW, size, bind=bind)
    image.symbol(names[1], LOW + 16, 48)
    image.symbol('last', LOW + 64, len(code) - 64)
    add_debug_info(image, [Unit('prog.c', [
        Function(names[0], LOW, 16, [(0, 3)]),
        Function(names[1], LOW + 16, 48, [(0, 10), (2, 11), (24, 12)])], '.')])
    open(name, 'wb').write(image.bytes())
    return image
returns = ADD * 4 + RET + FILL
unsized = program('unsized', returns, 0)
program('sized', returns, 9)
program('static', returns, 9, bind=LOCAL)
program('falls', ADD * 4 + b'\x90' + FILL, 9, ('slow', 'next'))
program('stops', ADD * 2 + b'\xe8\0\0\0\0' + FILL, 9)
low = LOW - 2
bins = [0] * 40
bins[4] = 6                     # 0x40100e-0x401011
for i in range(5, 16):
    bins[i] = 6
profile = Profile.of(unsized).histogram(low, low + 160, bins)
open('gmon', 'wb').write(profile.bytes())
bins[3] = bins[2] = 6           # what aligns next took time, too
open('falling', 'wb').write(Profile.of(unsized).histogram(low, low + 160, bins).bytes())
# In one bin for all nobody has bins of its own.
open('coarse', 'wb').write(Profile.of(unsized).histogram(LOW, LOW + 64, [64]).bytes())
PROGRAM

# ticks PROGRAM PROFILE OPTION...: NAME:TICKS of functions with time, by name.
ticks() {
	"$GPROFX" "${@:3}" -b --no-findings --output=csv "$1" "$2" >out 2>err || fail "status $? from: $*"
	python3 -c 'import csv
rows = csv.DictReader(open("out"))
print(*("%s:%.3f" % (r["name"].split(" ")[0], float(r["self_ticks"])) for r in sorted(rows, key=lambda r: r["name"])
        if float(r["self_ticks"]) > 0))'
}

bytewise=--correct=no-shared-bins
[ "$(ticks unsized gmon $bytewise)" = 'cold:3.000 hot:69.000' ] || fail "by bytes: $(ticks unsized gmon $bytewise)"
for program in unsized sized static stops; do
	[ "$(ticks $program gmon)" = 'hot:72.000' ] || fail "$program: $(ticks $program gmon)"
	[ "$(ticks $program gmon --threads=7)" = 'hot:72.000' ] || fail "$program: threads"
done
"$GPROFX" --gnu -b -p unsized gmon >out
expect_match out '0\.03 +cold$'
alone='--correct=none --correct=exact-bins --correct=last-symbol'
[ "$(ticks unsized gmon $alone)" = 'cold:3.000 hot:69.000' ] || fail 'alone'
[ "$(ticks unsized gmon $alone --correct=shared-bins)" = 'hot:72.000' ] || fail 'switched on'
# Instructions that do nothing but are executed have time; only two thirds of slow's bins have.
found=$(ticks falls falling)
case $found in 'next:6'[89].*' slow:1'[4-6].*) ;; *) fail "falls: $found" ;; esac

# The same functions with -l, and the same lines in annotated sources; all of them are all there is.
yes 'a line' | head -20 >prog.c
for profile in gmon falling coarse; do
	for program in unsized sized falls; do
		ticks "$program" "$profile" >functions
		expect_status 0 "$GPROFX" -l --no-findings --output=json "$program" "$profile"
		cp out lines.json
		expect_status 0 "$GPROFX" --no-findings --output=json "$program" "$profile"
		python3 - <<'PROGRAM' || fail "$program and $profile: lines are not the functions"
import json
def self_of(path):
    own = {}
    for row in json.load(open(path))['functions']:
        name = row['name'].split(' ')[0]
        own[name] = own.get(name, 0) + row['self_ticks']
    return {name: ticks for name, ticks in own.items() if ticks}
assert self_of('lines.json') == self_of('out'), (self_of('lines.json'), self_of('out'))
PROGRAM
	done
done
# Its first 2 bytes are line 10, which has the 6 samples of the shared bin.
"$GPROFX" -b -A -t 0 unsized gmon >out 2>err || fail "status $? with -A"
expect_not_in out '^ .*a line 3$'
expect_match out '^ +0\.06 +8\.3% .*a line$'

# Times of each file are those that it has alone.
expect_status 0 "$GPROFX" --no-findings --per-file --output=json unsized gmon falling
python3 -c 'import json
report = json.load(open("out"))
names = {report["functions"][row["function"]]["name"] for row in report["per_file"]}
assert names == {"cold", "hot"}, names' || fail 'per file'

# A jump reaches into the bin with the first bytes of hot: no instruction of cold starts there. Bins are from 2 below
# a multiple of 4 on; where the code is not there, nobody was either.
python3 - <<'PROGRAM' || fail 'cannot write the programs with a jump'
from elfimage import LOCAL, NOTYPE, Image
from gmonfile import Profile
LOW = 0x401000
X86 = (b'\x01\xc0' * 5 + b'\x90' + b'\xe9\xf0\xff\xff\xff', b'\x01\xc0' * 24)
CODE = {'x86_64': X86, 'i386': X86,
        's390x': (b'\x18\x11' * 5 + b'\xc0\xf4\0\0\0\0', b'\x18\x11' * 24),
        'riscv64': (b'\x85\x04' * 6 + b'\x17\x03\0\0', b'\x85\x04' * 24),
        'arm': (b'\x40\x18' * 6 + b'\xff\xf7\xfe\xbf', b'\x40\x18' * 24),
        'm68k': (b'\xd0\x80' * 5 + b'\x60\xff\0\0\0\x10', b'\xd0\x80' * 24),
        'aarch64': (b'\x1f\x20\x03\xd5' * 4, b'\x1f\x20\x03\xd5' * 12)}
for machine, (cold, hot) in CODE.items():
    image = Image(machine).section('.text', LOW, cold + hot)
    image.symbol('cold', LOW, 16).symbol('hot', LOW + 16, 48)
    if machine == 'arm':
        image.symbol('$t', LOW, 0, bind=LOCAL, kind=NOTYPE)
    open('jump-' + machine, 'wb').write(image.bytes())
    open('gmon-' + machine, 'wb').write(
        Profile.of(image).histogram(LOW - 6, LOW + 62, [0] + [4] * 16).bytes())
PROGRAM
machines='s390x riscv64 arm aarch64'
# Others need a library that decodes.
if grep -qx 'CAPSTONE_FOUND:INTERNAL=1' "$GPROFX_BUILD/CMakeCache.txt"; then
	machines+=' x86_64 i386 m68k'
	coarse='cold:8.649 hot:55.351'
else
	coarse='cold:10.105 hot:53.895'
fi
for machine in $machines; do
	found=$(ticks jump-$machine gmon-$machine)
	[ "$found" = 'cold:16.000 hot:48.000' ] || fail "$machine: $found"
done
# One bin of 64 bytes: 5 instructions and 7 bytes of fill, then 32; by bytes 9 and 48.
[ "$(ticks sized coarse)" = "$coarse" ] || fail "coarse: $(ticks sized coarse)"
# Without that library bytes have to do, and nothing is said.
if [ -z "${GPROFX_SANITIZE-}" ]; then
	mkdir broken
	for name in libcapstone.so.4 libcapstone.so.5 libZydis.so.4.0 libZydis.so.4.1; do
		: >"broken/$name"
	done
	expect_status 0 env LD_LIBRARY_PATH="$PWD/broken" "$GPROFX" --no-findings -b -p sized coarse
	expect_empty err
	expect_match out '0\.10 +cold$'
fi

# Of other objects nobody reads the code: the stated size says what is fill, and bytes count.
python3 - <<'PROGRAM' || fail 'cannot write the program'
from elfimage import Image
from gmonfile import Profile
image = Image('x86_64').section('.text', 0x501000, b'\xc3' * 64).symbol('main', 0x501000, 64)
open('alone', 'wb').write(image.bytes())
open('alone.gmon', 'wb').write(Profile.of(image).histogram(0x501000, 0x501040, [0] * 15 + [5]).bytes())
PROGRAM
object_ticks() {
	ticks alone alone.gmon --object="$1=$2" "${@:3}"
}
[ "$(object_ticks sized gmon)" = 'hot:72.000 main:5.000' ] || fail "an object: $(object_ticks sized gmon)"
[ "$(object_ticks sized gmon $bytewise)" = 'cold:3.000 hot:69.000 main:5.000' ] ||
	fail "an object by bytes: $(object_ticks sized gmon $bytewise)"
case $(object_ticks unsized gmon) in 'cold:0.'[0-3]*' hot:71.'*' main:5.000') ;;
*) fail "an object without sizes: $(object_ticks unsized gmon)" ;; esac

# A function that counts its calls and has none never ran: the end of it has no samples of the next one's entry, unless
# it has samples elsewhere, or calls others. Of one that does not count, nobody knows.
python3 - <<'PROGRAM' || fail 'cannot write the programs'
from elfimage import Image
from gmonfile import Profile
LOW, COUNTER = 0x401000, 0x401080
def profiled(at, size, counts=True):
    """push; mov; call of what counts; others; ret"""
    call = b'\xe8' + (COUNTER - at - 9 & 0xffffffff).to_bytes(4, 'little') if counts else b'\x0f\x1f\x44\0\0'
    return (b'\x55\x48\x89\xe5' + call).ljust(size - 1, b'\x90') + b'\xc3'
for name, counts in (('counts', True), ('silent', False)):
    code = profiled(LOW, 13, counts) + profiled(LOW + 13, 51) + profiled(LOW + 64, 64) + b'\xc3' * 64
    image = Image('x86_64').section('.text', LOW, code)
    image.symbol('idle', LOW, 13).symbol('hot', LOW + 13, 51).symbol('main', LOW + 64, 64).symbol('mcount', COUNTER, 64)
    open(name, 'wb').write(image.bytes())
def bins(*first):
    return list(first) + [1] * 4 + [0] * (48 - 4 - len(first))
def profile(name, bins, *calls):
    made = Profile.of(image).histogram(LOW, LOW + 192, bins)
    for site, at in ((LOW + 80, LOW + 13),) + calls:
        made.arc(site, at + 9, 5)
    open(name, 'wb').write(made.bytes())
profile('never', bins(0, 0, 0, 30))
profile('sampled', bins(0, 0, 3, 30))
profile('called', bins(0, 0, 0, 30), (LOW + 80, LOW))
profile('calling', bins(0, 0, 0, 30), (LOW + 12, LOW + 13))
PROGRAM
[ "$(ticks counts never)" = 'hot:34.000' ] || fail "it never ran: $(ticks counts never)"
[ "$(ticks counts never -l)" = 'hot:34.000' ] || fail "it never ran, by line: $(ticks counts never -l)"
expect_status 0 "$GPROFX" --no-findings -b --per-file counts never never
expect_match out ' hot$'
expect_not_in out 'idle'
for words in 'counts sampled' 'counts called' 'counts calling' 'silent never'; do
	# shellcheck disable=SC2086
	case $(ticks $words) in 'hot:'*' idle:'[0-9]*) ;; *) fail "$words: $(ticks $words)" ;; esac
done

# Some of the hundred layouts.
python3 - "$GPROFX" <<'PROGRAM' || fail 'random layouts'
import sys
from sharedbins import compare
rows = compare(sys.argv[1], range(1, 9))
likely, bytewise = sum(r[1] for r in rows), sum(r[2] for r in rows)
assert likely < bytewise / 2, (likely, bytewise)
PROGRAM
