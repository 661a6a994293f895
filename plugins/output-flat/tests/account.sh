#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The account below the flat profile: what it says, and that programs which read the table do not see it.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<'END' || fail 'no profiles were made'
from elfimage import Image
from gmonfile import Profile
image = Image('x86_64')
image.section('.text', 0x401000, b'\x90' * 0x400)
for name, at, size in (('main', 0x401000, 0x100), ('mcount', 0x401100, 0x100), ('idle', 0x401300, 0x40)):
    image.symbol(name, at, size)
open('program', 'wb').write(image.bytes())
for name, rate, unit in ('gmon.out', 100, b'seconds'), ('miles', 10, b'miles'), ('unknown', 0, b'seconds'):
    profile = Profile.of(image).histogram(0x401000, 0x401500, [40, 120, 8, 32, 0], rate, unit, unit[:1])
    open(name, 'wb').write(profile.bytes())
open('none', 'wb').write(Profile.of(image).histogram(0x401000, 0x401400, [0] * 4).bytes())
open('all', 'wb').write(Profile.of(image).histogram(0x401000, 0x401400, [1, 0, 0, 0]).bytes())
# Libraries: names like no honest one's, and so many that they overlap.
def with_libraries(name, names, tags, mentions=()):
    import struct
    from elfimage import ALLOC, Image, STRTAB, WRITE
    strings, at = b'\0', {}
    for text in names:
        at[text] = len(strings)
        strings += text + b'\0'
    image = Image('x86_64')
    image.section('.text', 0x401000, b'\x90' * 0x400)
    image.symbol('main', 0x401000, 0x100)
    for text in mentions:
        image.symbol(text, 0, 0, section=0)
    rows = b''.join(struct.pack('<QQ', 1, at[text] + skip) for text, skip in tags) + bytes(16)
    image.section('.dynstr', 0x402000, strings, flags=ALLOC, kind=STRTAB)
    image.section('.dynamic', 0x403000, rows, flags=ALLOC | WRITE, kind=6)
    image.sections[-1].link = 2
    open(name, 'wb').write(image.bytes())
with_libraries('counting', [b'libc.so.6'], [(b'libc.so.6', 0)], ['mcount', 'dlopen'])
with_libraries('foreign', [b'libc.so.6'], [(b'libc.so.6', 0)])
def with_calls(name, calls):
    profile = Profile.of(image).histogram(0x401000, 0x401400, [30, 0, 0, 0])
    open(name, 'wb').write(profile.arc(0x401020, 0x401000, calls).bytes())
with_calls('calls', 200000000)
with_calls('few-calls', 999999)
# With -mfentry, and on other systems, the profiling code has other names.
image = Image('x86_64')
image.section('.text', 0x401000, b'\x90' * 0x400)
for name, at in (('main', 0x401000), ('__fentry__', 0x401100), ('__gnu_mcount_nc', 0x401200), ('___mcount', 0x401300)):
    image.symbol(name, at, 0x100)
open('other-names', 'wb').write(image.bytes())
open('other', 'wb').write(Profile.of(image).histogram(0x401000, 0x401400, [9, 1, 2, 3]).bytes())
with_libraries('hostile', [b'\x1b[31mred\xff'], [(b'\x1b[31mred\xff', 0)])
with_libraries('many', [b'lib%d.so' % i for i in range(9)], [(b'lib%d.so' % i, 0) for i in range(9)])
long = b'x' * 400000
with_libraries('overlapping', [long], [(long, i) for i in range(30000)])
END

# expect_account TEXT: what stands behind the table of the last run.
expect_account() {
	awk 'seen { print } /^$/ && ++blank == 2 { seen = 1 }' out >account
	printf '%s\n' "$1" >expected
	expect_same account expected
}

# By bytes, so that the figures are known.
expect_status 0 "$GPROFX" --no-findings -b -p --correct=no-shared-bins program
expect_account 'Where the 200 samples are (2.00 seconds):
  in the functions of this table                48.00       0.48 s  24.00 %
  in profiling code (mcount), not shown        120.00       1.20 s  60.00 %
  in code outside of all functions              32.00       0.32 s  16.00 %'
expect_status 0 "$GPROFX" --no-findings -b -p program miles
expect_match out '^Where the 200 samples are \(20\.00 miles\):$'
expect_match out ' 120\.00      12\.00 m  60\.00 %$'
expect_status 0 "$GPROFX" --no-findings -b -p program unknown
expect_match out '^Where the 200 samples are:$'
expect_match out ' 120\.00  60\.00 %$'
expect_status 0 "$GPROFX" --no-findings -b -pidle program
expect_match out '^  in functions that are not selected  .* 40\.00  '
expect_match out '^Each sample counts as 0\.01 seconds\. 100 % is 0\.08 of 2\.00 seconds: what is selected\.$'
[ "$(grep -c '^100\.00 ' out)" -eq 1 ] || fail 'another 100 %'
for words in -p '-Pother' '--gnu -pidle'; do
	# shellcheck disable=SC2086 # these are several words
	run "$GPROFX" --no-findings -b $words program
	expect_not_in out '100 % is'
done
expect_status 0 "$GPROFX" --no-findings -b -p program none
expect_in out 'Where the 0 samples are (0.00 seconds):'
expect_match out '^  in the functions of this table  .* 0\.00 %$'
expect_status 0 "$GPROFX" --no-findings -b -p program all
expect_match out '^Where the 1 sample is \(0\.01 seconds\):$'

# It is shown with -T, too, and between the table and its explanation; not in GNU mode, and not where bins are
# divided as gprof does.
expect_status 0 "$GPROFX" --no-findings -b -T -p program
expect_in out 'Where the 200 samples are'
expect_status 0 "$GPROFX" --no-findings -p program
awk '/^Where the/ { at = NR } /^How to read/ { exit at > 0 && NR > at ? 0 : 1 }' out || fail 'another order'
for words in --gnu --correct=none --output-option=flat.account=false; do
	expect_status 0 "$GPROFX" --no-findings -b -p $words program
	expect_not_in out Where
done

# A program that reads the table up to its end reads the same: an empty line ends it, and no later line looks
# like one of its rows, with a number first.
expect_status 0 "$GPROFX" --no-findings -b -p --output-option=flat.account=false program
awk 'NR > 5' out >rows
expect_status 0 "$GPROFX" --no-findings -b --cpu-time=9 program
awk 'NR > 5 { if ($0 == "") exit; print }' out >found
expect_same rows found
awk 'NR > 5 && /^$/ { behind = 1 } behind' out >rest
if grep -E '^ *[0-9]' rest; then fail 'a line of the account looks like a row'; fi

# Processor time.
expect_in rest 'Not sampled: 7.00 s of 9.00 s of CPU time (77.78 %), where sampling was off.'
expect_status 0 "$GPROFX" -b -p --cpu-time=9 program
expect_in err 'gprofx: finding[account.unsampled]'
expect_in err 'ITIMER_PROF'
expect_status 0 "$GPROFX" -b -p --cpu-time=2.05 program
expect_not_in err 'finding[account.unsampled]'
expect_not_in err 'finding[account.cpu-time]'
expect_status 0 "$GPROFX" -b -p --cpu-time=1.5 program
expect_in err 'gprofx: finding[account.cpu-time]'
expect_in out 'Not sampled: nothing; 0.50 s more was sampled than the 1.50 s of CPU time given.'
# The clock of samples can be some percent ahead: nobody is to blame for that.
expect_status 0 "$GPROFX" -b -p --cpu-time=1.9 program
cp out expected
# As bash's time prints it, and sums.
for value in 1.9s 0m1.900s 0m1.5s+0m0.4s 1+.5+0.4s 0.0m1.9s; do
	expect_status 0 "$GPROFX" -b -p --cpu-time=$value program
	expect_same out expected
done
expect_not_in err 'finding[account.cpu-time]'
expect_in out 'Not sampled: nothing; 0.10 s more was sampled'
expect_not_in out 'not the time'
for value in 0 -1 nan inf 1e3 0x10 1,5,5 . 99999999999999 '1 '; do
	expect_status 2 "$GPROFX" -b -p --cpu-time="$value" program
	expect_in err 'error[usage.bad-number]: expected a number of seconds above 0 after --cpu-time'
done

# Libraries by their names: those that nobody could print, many, and more than there can be.
expect_status 0 "$GPROFX" --no-findings -b -p hostile all
expect_in out 'Not sampled: time in the shared library \x1b[31mred\xff.'
expect_in out '--cpu-time=SECONDS'
expect_status 0 "$GPROFX" --no-findings -b -p many all
expect_in out 'libraries lib0.so, lib1.so, lib2.so, lib3.so, lib4.so, lib5.so and 3 more.'
expect_status 0 "$GPROFX" --no-findings -b -p --cpu-time=3 many all
expect_in out ' (99.67 %), in the shared libraries lib0.so, lib1.so, '
expect_status 0 timeout 10 "$GPROFX" --no-findings -b -p overlapping all
expect_in out 'Not sampled: time in the shared library xxx'

# What the libraries were asked to do, and that there can be more of them.
expect_status 0 "$GPROFX" --no-findings -b -p counting calls
expect_in out 'Not sampled: time in the shared library libc.so.6 and libraries loaded at run time.'
expect_in out 'Part of it was spent counting 200000000 calls, which a run without -pg does not do.'
expect_status 0 "$GPROFX" -b -p --cpu-time=3 counting calls
expect_in out '(90.00 %), in the shared library libc.so.6 and libraries loaded at run time,'
expect_in out 'Part of it was spent counting 200000000 calls'
expect_in err 'no_instrument_function'
expect_status 0 "$GPROFX" -b -p --cpu-time=30 counting calls
expect_in err 'LD_PROFILE'
expect_status 0 "$GPROFX" --no-findings -b -p counting few-calls
expect_not_in out 'Part of it'
expect_status 0 "$GPROFX" --no-findings -b -p foreign calls
expect_not_in out 'Part of it'
expect_not_in out 'run time'

# All names of the profiling code have no row under gprofx's own name; gprof knows fewer.
expect_status 0 "$GPROFX" --no-findings -b -p other-names other
expect_in out 'in profiling code (mcount), not shown          6.00       0.06 s  40.00 %'
expect_not_in out '__fentry__'
expect_status 0 "$GPROFX" --no-findings --gnu -b -p other-names other
expect_in out '__fentry__'

# A real program; one of its libraries has a profile of its own.
cat >small.c <<'END'
int twice(int n) { return 2 * n; }
int main(int count, char **words) { (void)words; return twice(count) - 2; }
END
"$GPROFX_CC" -pg small.c -o small -lm -Wl,--no-as-needed -Wl,--disable-new-dtags || skip 'no program was linked'
./small || skip 'the program does not run'
[ -s gmon.out ] || skip 'it wrote no profile'
expect_status 0 "$GPROFX" --no-findings -b -p small gmon.out
expect_match out '^Not sampled: time in the shared librar.*libc\.so'
"$GPROFX_CC" -pg -static small.c -o fixed && ./fixed || skip 'no static program was linked'
expect_status 0 "$GPROFX" --no-findings -b -p fixed gmon.out
expect_not_in out 'Not sampled'
