#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Damaged and foreign files: the process that reads one reports it, process 0 sums up what was left out, and the rest
# is what gprofx makes of it. Takes 5 s for each MPI.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
. "$GPROFX_SOURCE/tests/mpi/lib.sh"
make_ranks prof 20
for i in 1 8 15 20; do
	head -c 100 prof/gmon.out.$i >cut
	mv cut prof/gmon.out.$i
done
# A smaller histogram, which does not fit the first file that can be read.
python3 - "$(nm program | sed -n 's/ T first$//p')" <<-'END' || fail 'no profile'
	import sys
	from gmonfile import Profile
	base = int(sys.argv[1], 16)
	open('prof/gmon.out.12', 'wb').write(Profile().histogram(base, base + 32, [1] * 16).bytes())
END

# errors FILE: the errors, of all processes, in an order.
errors() {
	sed -n 's/^gprofx[^[]*: error\[/error[/p' "$1" | sort
}

run "$GPROFX" -b --keep-going program prof
[ "$status" -eq 1 ] || fail 'gprofx leaves out no file'
mv out expected
errors err >expected-errors
[ "$(wc -l <expected-errors)" -eq 5 ] || fail 'not five errors'

for mpi in $mpis; do
	for processes in 1 7; do
		expect_status 1 job $processes -b --keep-going program prof
		expect_same expected out
		errors err >found
		expect_same expected-errors found
		expect_match err '^gprofx-mpi: process 0 on [^ ]+: error\[.*\]: prof/gmon\.out\.1:'
		expect_match err "^gprofx-mpi: process $((processes - 1)) on [^ ]+: error\[.*\]: prof/gmon\.out\.20:"
		expect_match err "^gprofx-mpi: warning\[mpi\.left-out\]: 5 of 20 files were left out: prof/gmon\.out\.1 \(process 0 on "
	done

	# Without --keep-going: all errors, and no partial report.
	expect_status 1 job 3 --output=json:whole --sum=sum program prof
	errors err >found
	expect_same expected-errors found
	expect_not_in err mpi.left-out
	[ ! -e whole ] && [ ! -e sum ] || fail 'there is a report'
done

# Whole processes have nothing, the first one among them; others have no files.
rm prof/gmon.out.1[6-9] prof/gmon.out.[2-7]
"$GPROFX" -b --keep-going program prof >expected 2>/dev/null
expect_status 1 job 8 -b --keep-going program prof
expect_same expected out
expect_match err 'warning\[mpi\.left-out\]: 5 of 10 files were left out'
expect_status 1 job 16 -b --keep-going program prof
expect_same expected out

# So is a folder without profiles, as by gprofx, or a pattern that matches nothing.
mkdir empty
for words in 'empty prof' 'prof empty' 'prof x*x'; do
	for processes in 1 3; do
		# shellcheck disable=SC2086 # Several words; no pattern matches here.
		expect_status 1 job $processes -b --keep-going program $words
		expect_same expected out
		[ "$(grep -cE 'error\[(profile\.is-a-folder|mpi\.no-match)\]' err)" -eq 1 ] || fail "not one error for $words"
	done
done

# A name of two lines is one name.
: >$'two\nlines'
expect_status 1 job 3 -b --keep-going program prof $'two\nlines'
expect_match err 'warning\[mpi\.left-out\]: 6 of 11 files were left out: .*, two\?lines \(process 2 on [^ ]+\)$'

# None of them can be read.
rm prof/gmon.out.9 prof/gmon.out.1[0-4]
for processes in 1 3; do
	expect_status 1 job $processes -b --keep-going --output=json:whole program prof
	expect_empty out
	[ ! -e whole ] || fail 'there is a report'
	[ $processes -eq 1 ] || expect_match err '^gprofx-mpi: error\[mpi\.no-profiles\]: '
done

# Files that each fit the first one, and not each other: the earlier one counts, as for gprofx.
mkdir misfits
python3 - "$(nm program | sed -n 's/ T first$//p')" <<-'END' || fail 'no profiles'
	import sys
	from gmonfile import Profile
	base = int(sys.argv[1], 16)
	for rank in range(1, 9):
	    profile = Profile().histogram(base, base + 64, [rank] * 32)
	    if rank in (2, 5):
	        profile.histogram(base + 128, base + 192 + 64 * (rank == 5), [1] * (32 + 32 * (rank == 5)))
	    open(f'misfits/gmon.out.{rank}', 'wb').write(profile.bytes())
END
run "$GPROFX" -b --keep-going program misfits
[ "$status" -eq 1 ] || fail 'gprofx leaves out no file'
mv out expected
for mpi in $mpis; do
	for processes in 2 8; do
		expect_status 1 job $processes -b --keep-going program misfits
		expect_same expected out
		expect_match err '^gprofx-mpi: warning\[mpi\.left-out\]: 1 of 8 files were left out: misfits/gmon\.out\.5 '
	done
	expect_status 1 job 2 -b program misfits
	expect_empty out
done
