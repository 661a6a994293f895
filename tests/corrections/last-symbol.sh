#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# last-symbol: the function of the highest address has its samples and calls. The truth: what the
# bins say, none of which holds more than one function.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'cannot write the profiles'
from elfimage import NOTYPE, WEAK, WRITE, ALLOC, Image
from gmonfile import Profile
from profiled import Program

two = Program(['main', 'work'], mark=False)
open('two', 'wb').write(two.bytes())
open('two.gmon', 'wb').write(two.profile({'main': 3, 'work': 7}).bytes())
one = Program(['main'], mark=False)
open('one', 'wb').write(one.bytes())
open('one.gmon', 'wb').write(one.profile({'main': 4}, [('main', 'main', 2)]).bytes())

# The last function behind .text, in a section of its own; behind that nobody's samples.
far = Image('x86_64').section('.text', 0x401000, b'\x90' * 256)
far.section('.fini', 0x402000, b'\x90' * 256)
far.symbol('main', 0x401000, 256).symbol('_fini', 0x402000, 0, section='.fini')
open('far', 'wb').write(far.bytes())
bins = [0] * 32
bins[0], bins[16], bins[18] = 2, 5, 1
open('far.gmon', 'wb').write(Profile.of(far).histogram(0x401000, 0x403000, bins)
                             .arc(0x401010, 0x402004, 9).bytes())

# As most programs of Linux: a marker in the data is the last symbol, and is no code.
data = Image('x86_64').section('.text', 0x401000, b'\x90' * 512)
data.section('.data', 0x402000, bytes(256), WRITE | ALLOC)
data.symbol('main', 0x401000, 256).symbol('work', 0x401100, 256)
data.symbol('data_start', 0x402000, 0, WEAK, NOTYPE, '.data')
open('data', 'wb').write(data.bytes())
bins = [3, 6] + [0] * 14
open('data.gmon', 'wb').write(Profile.of(data).histogram(0x401000, 0x402000, bins).bytes())
PROGRAM

expect_status 0 "$GPROFX" --gnu -b -p two two.gmon
expect_match out '^ 30\.00      0\.03     0\.03 +main$'
expect_not_in out work
expect_status 0 "$GPROFX" -b -p two two.gmon
expect_match out '^ 70\.00      0\.07     0\.07 +work$'
expect_match out '^ 30\.00      0\.10     0\.03 +main$'
expect_status 0 "$GPROFX" --correct=no-last-symbol -b -p two two.gmon
expect_not_in out work

expect_status 0 "$GPROFX" --gnu -b -p one one.gmon
expect_not_in out '100.00'
expect_status 0 "$GPROFX" -b -p one one.gmon
expect_match out '^100\.00      0\.04     0\.04 +main$'

# The sample behind the last section is no function's.
expect_status 0 "$GPROFX" --gnu -b far far.gmon
expect_not_in out _fini
expect_status 0 "$GPROFX" -b -p far far.gmon
expect_match out '^ 62\.50 .* 0\.05 +9 .* _fini$'
expect_match out '^ 25\.00 .* 0\.02 +main$'
expect_status 0 "$GPROFX" -b -q far far.gmon
expect_match out ' 9/9 +_fini \['

expect_status 0 "$GPROFX" -b -p data data.gmon
expect_match out '^ 66\.67 .* work$'
expect_match out '^ 33\.33 .* main$'
expect_not_in out data_start
