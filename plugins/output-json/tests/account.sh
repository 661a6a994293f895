#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The account: every sample is in one part of it, exactly, whatever bins cover and rates are.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
need_jsonschema
pe=$GPROFX_SOURCE/plugins/symbols-pe/tests/data

python3 - <<'END' || fail 'no profiles were made'
from elfimage import Image
from gmonfile import Profile, library_profile
from lcg import Random
from profiled import Program

image = Image('x86_64')
image.section('.text', 0x401000, b'\x90' * 0x400)
for name, at, size in (('main', 0x401000, 0x80), ('work', 0x401080, 0x7b), ('mcount', 0x401100, 0x90),
                       ('idle', 0x401200, 0x40)):
    image.symbol(name, at, size)
open('program', 'wb').write(image.bytes())

def profile(low, high, samples, count, rate=100):
    bins = [0] * count
    for bin, ticks in samples.items():
        bins[bin] += ticks
    return Profile.of(image).histogram(low, high, bins, rate).arc(0x401010, 0x401084, 3)

low, high = 0x401000, 0x401400
# 0x100 bytes a bin: the first is of main and work, the second of mcount and code in no function.
open('wide', 'wb').write(profile(low, high, {0: 7, 1: 5, 2: 3, 3: 4}, 4).bytes())
open('fast', 'wb').write(profile(low, high, {0: 1, 1: 1, 2: 1}, 4, 1000).bytes())
# Below, inside and above the code.
open('beyond', 'wb').write(profile(0x400000, 0x403000, {3: 9, 16: 2, 40: 5}, 48).bytes())
open('empty', 'wb').write(profile(low, high, {}, 4).bytes())
open('arcs', 'wb').write(Profile.of(image).arc(0x401010, 0x401084, 3).bytes())
chance = Random(16)
for i in range(40):
    # Odd widths: hardly a bin ends where a function does, or at a whole byte.
    count = 1 + chance.below(300)
    bins = {chance.below(count): chance.below(60000) for _ in range(30)}
    bins = {bin: min(ticks, 65535) for bin, ticks in bins.items()}
    open('odd%d' % i, 'wb').write(profile(low - chance.below(90), high + chance.below(90), bins, count).bytes())
library = Program(['leaf', 'twig'], base=0x1000)
open('liblib.so', 'wb').write(library.bytes())
open('library', 'wb').write(library_profile(0x1000, 0x1200, [1, 2, 3, 4], [(0, 0x1000, 7)]))
END

# account NAME WORD...: the report of these words in ./NAME.json, which is sound.
account() {
	local name=$1
	shift
	expect_status 0 "$GPROFX" --no-findings --output=json:"$name.json" "$@"
	expect_valid "$name.json"
	"$python" "$GPROFX_SOURCE/tests/tools/account.py" "$name.json" >problems ||
		fail "$name: $(cat problems)"
}

# expect_parts NAME SAMPLES SHOWN PROFILING OUTSIDE EXCLUDED BEYOND: what the account says.
expect_parts() {
	"$python" - "$@" <<-'END' || fail "$1 has another account"
		import json, sys
		account = json.load(open(sys.argv[1] + '.json'))['account']
		names = 'shown', 'profiling', 'outside', 'excluded', 'beyond'
		found = [account['samples']] + [account[name]['samples'] for name in names]
		wanted = [float(word) for word in sys.argv[2:]]
		if found != wanted:
		    sys.exit('%s instead of %s' % (found, wanted))
	END
}

# Bins divided by bytes, so that it is known what the parts are.
by_bytes=--correct=no-shared-bins
account wide $by_bytes program wide
expect_parts wide 19 7.75 2.8125 8.4375 0 0
account selected $by_bytes -pwork program wide
expect_parts selected 19 3.5 2.8125 8.4375 4.25 0
account rejected $by_bytes -Pwork program wide
expect_parts rejected 19 4.25 2.8125 8.4375 3.5 0
account profiling $by_bytes -pmcount program wide
expect_parts profiling 19 2.8125 0 8.4375 7.75 0
# Three samples at a tenth of the time are 0.3 ticks.
account rates $by_bytes program wide fast
expect_parts rates 22 9 3.375 9.625 0 0
"$python" -c 'import json; a = json.load(open("rates.json"))["account"]; assert abs(a["ticks"] - 19.3) < 1e-9, a' ||
	fail 'another time'
account beyond $by_bytes program beyond
expect_parts beyond 16 2 0 0 0 14
account empty $by_bytes program empty
expect_parts empty 0 0 0 0 0 0
# Samples of a library are in its functions.
account object $by_bytes --object=liblib.so=library program wide
expect_parts object 29 17.75 2.8125 8.4375 0 0
for i in $(seq 0 39); do
	expect_status 0 "$GPROFX" --no-findings --output=json:"odd$i.json" program "odd$i"
done
"$python" "$GPROFX_SOURCE/tests/tools/account.py" odd*.json >problems || fail "$(cat problems)"
account many program wide fast wide empty fast
account equal program odd3 odd3 odd3
account lines -l program wide
account traditional -T program wide

# Where there are no bins, or they are divided as gprof does, nothing is claimed.
for words in 'arcs' '--correct=none wide' '--correct=no-exact-bins wide' '--gnu wide'; do
	expect_status 0 "$GPROFX" --no-findings --output=json:none.json program $words
	expect_not_in none.json '"account"'
done

# The processor time that was stated.
account cpu --cpu-time=1.19 program wide
expect_match cpu.json '"cpu_seconds":1\.19,"unsampled_seconds":1\.0,'
account more --cpu-time=0.09 program wide
expect_match more.json '"unsampled_seconds":-0\.1'
expect_match wide.json '"cpu_seconds":null,"unsampled_seconds":null,'

# Libraries that a Windows program imports.
account windows "$pe/windows-x86_64.exe" "$pe/windows-x86_64.gmon"
account windows32 "$pe/windows-i386.exe" "$pe/windows-i386.gmon"
