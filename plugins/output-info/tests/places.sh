#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where the list is written, what goes with it, and what of it is left when a profile cannot be read.
. "$GPROFX_SOURCE/plugins/output-info/tests/lib.sh"

python3 - <<'END' || fail 'no profiles were made'
from gmonfile import Profile, bsd_profile
from profiled import Program
program = Program(['main', 'work', '~local', '~f.isra.0'], step=64)
open('program', 'wb').write(program.bytes())
arcs = [('main', 'work', 3), ('work', 'local', 2)]
samples = {'main': 5, 'work': 6, 'local': 7}
open('one', 'wb').write(program.profile(samples, arcs).bytes())
open('moved', 'wb').write(Program(['main', 'work', '~local', '~f.isra.0'], step=64, base=0x801000)
                          .profile(samples, arcs).bytes())
open('damaged', 'wb').write(program.profile(samples, arcs).raw(b'\x07').bytes())
program.base, program.end = 0x401000, 0x401100
open('other', 'wb').write(Profile().histogram(0x401000, 0x401100, [1]).bytes())
big = Program(['main', 'work'], 'ppc', step=64)
open('big', 'wb').write(big.bytes())
open('big.gmon', 'wb').write(big.profile({'main': 5}, [('main', 'work', 3)]).bytes())
open('big.bsd', 'wb').write(bsd_profile(program.base, program.end, [1, 2, 3, 4],
                                        [(0x401004, 0x401040, 1)] * 3, 32, '>'))
END

# It is a listing of its own, and the first one.
expect_status 0 "$GPROFX" -i program one
cp out list
[ "$(head -n 1 list)" = one ] || fail 'no list'
expect_not_in list 'Flat profile'
expect_status 0 "$GPROFX" -b -p program one
cp out flat
expect_status 0 "$GPROFX" -b -p -i program one
{ cat list; printf '\f\n'; cat flat; } >expected
expect_same expected out
for words in --output=info --file-info '--output=info -i' '-i --output=info:-'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" $words program one
	expect_same list out
done
expect_status 0 "$GPROFX" --output=info:file.txt --output=info:file2.txt -b -p program one
expect_same list file.txt
expect_same list file2.txt
expect_same flat out
expect_status 0 "$GPROFX" -i --output=flat:flat.txt -b program one
expect_same list out
expect_same flat flat.txt
# GNU gprof's list, if it is asked for, and the other way round.
as_gprof
expect_status 0 ./gprof -i program one one
cp out gnu
expect_in gnu "File \`one' (version 1) contains:"
expect_status 0 "$GPROFX" -i --output-option=info.layout=gprof program one one
expect_same gnu out
expect_status 0 ./gprof -i --output-option=layout=full program one
expect_in out "  name, by gprof's rule: f.isra.0"
head -n "$(wc -l <list)" out >files
expect_same list files
expect_status 0 ./gprof -b -p --output=info:gnu.txt program one one
expect_same gnu gnu.txt

# What cannot be read is no part of it; what could be read is shown nevertheless.
expect_status 1 "$GPROFX" -i program one damaged one other nosuch
expect_in err 'error[gmon.bad-tag]'
expect_in err 'error[profile.cannot-open]'
expect_not_in out damaged
[ "$(grep -c '^one$' out)" = 2 ] || fail 'a profile is missing'
expect_match out '^2 files together$'
expect_status 1 "$GPROFX" -i --output=info:none.txt program damaged
expect_empty out
[ ! -e none.txt ] || fail 'a file was written'
expect_status 1 "$GPROFX" -b -i -q program other
expect_in err 'error[report.no-arcs]'
[ "$(head -n 1 out)" = other ] || fail 'no list'
# Nothing is listed of what is never read.
expect_status 1 "$GPROFX" -i nosuch one
expect_empty out

# Known functions are those of the report.
expect_status 0 "$GPROFX" -i program one
expect_in out '  samples     18, 0.18 seconds; all of them in known functions'
expect_in out '  calls       5 by 2 arcs; all of them by 2 arcs between known functions'
expect_status 0 "$GPROFX" -i --slide=none program moved
expect_in out '  samples     18, 0.18 seconds; 0 of them (0.00%) in known functions'
expect_in out '  calls       5 by 2 arcs; 0 of them (0.00%) by 0 arcs between known functions'
expect_not_in out '  addresses '
expect_status 0 "$GPROFX" -i --slide=400000 program moved
expect_in out '  addresses   0x400000 was subtracted from them'
expect_in out '  histogram   0x401000-0x401140: 5 bins of 64 bytes'
expect_in out '  samples     18, 0.18 seconds; all of them in known functions'
expect_in out '  calls       5 by 2 arcs; all of them by 2 arcs between known functions'
expect_status 0 "$GPROFX" -i --slide=-400000 program one
expect_in out '  addresses   -0x400000 was subtracted from them'

# Byte order and size are those of the file.
expect_status 0 "$GPROFX" -i big big.gmon
expect_in out '  format      magic, version 1, big-endian, 32-bit addresses'
expect_status 0 "$GPROFX" -i program big.bsd
expect_in out '  format      bsd, big-endian, 32-bit addresses'
expect_in out '  calls       3 by 1 arc in 3 records; all of them by 1 arc between known functions'

# The rate that was stated.
expect_status 0 "$GPROFX" -i --hz=1000 program one
expect_in out '  samples     18, 0.018 seconds; all of them in known functions'
expect_in out '; 1000 samples a second'
# Several files, and what they come to.
expect_status 0 "$GPROFX" -i program one one moved --slide=none
expect_in out '  samples     54, 0.54 seconds; 36 of them (66.67%) in known functions; 18 in each file'
expect_in out '  calls       15; 10 of them (66.67%) between known functions; 5 in each file'
# Written to a full device it fails.
if [ -c /dev/full ]; then
	run bash -c '"$0" -i program one >/dev/full' "$GPROFX"
	[ "$status" -ne 0 ] || fail 'a list that could not be written is no failure'
fi
