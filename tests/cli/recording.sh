#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The folder gprofx.data of the last recording: it is the profile of the programs that it has, all their processes
# added up, unless gmon.out is newer; alone, gprofx lists its programs, or reports the only one. GNU mode knows
# gmon.out only.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	os.mkdir('gprofx.data')
	for pid in 7, 8:
	    save('gprofx.data/program.%d.0.gxc' % pid, usual(pid=pid))
	other = File().program('/bin/other', 0x1000, 0x2000).stacks([(0x1500, 0, 0, 20, 20)])
	save('other.gxc', other)
	save('twin.gxc', File(pid=9).program(os.path.abspath('twin/program'), program.base, program.end).arcs(
	    [(at('main+5'), at('work'), 100)]).stacks([(at('work+3'), 0, 0, 5, 5)]))
	save('gmon.out', program.profile({'main': 1}, [('main', 'work', 5)]))
END
touch -d '2 hours ago' gmon.out

# One program: named or not, before an older gmon.out.
expect_status 0 "$GPROFX" -b -p program
expect_undiagnosed
expect_match out '^ 75\.00 +0\.60 +0\.60 +14 .* work$'
cp out expected
expect_status 0 "$GPROFX" -b -p
expect_same out expected
expect_status 0 "$GPROFX" -b -p program gprofx.data
expect_same out expected
# The summary names the folder instead of its files; its commands, only what has to be named.
expect_status 0 "$GPROFX" --summary program
expect_match out '^program: 0\.80 s, .*, gprofx\.data of [-0-9: ]+,$'
expect_match out '^  2 processes$'
expect_match out '^  gprofx --entry=[a-z]+ program  '
expect_not_in out 'gxc'
expect_status 0 "$GPROFX" --summary program gprofx.data/*7.0.gxc
expect_match out ', program\.7\.0\.gxc of '
expect_match out '^  gprofx --entry=[a-z]+ program gprofx\.data/program\.7\.0\.gxc'
expect_status 0 "$GPROFX" --summary program gmon.out
expect_match out '^  gprofx --entry=main program gmon\.out  '
mkdir elsewhere
cp program elsewhere
expect_status 0 "$GPROFX" -b -p elsewhere/program
expect_match out ' 14 .* work$'
expect_status 0 "$GPROFX" -b -p program gmon.out
expect_match out ' 5 .* work$'
as_gprof
expect_status 0 ./gprof -b -p program
expect_match out ' 5 .* work$'

# Several programs: a list; each of them can be named.
mv other.gxc gprofx.data
printf 'no such file' >gprofx.data/damaged.gxc
expect_status 0 "$GPROFX"
expect_same out - <<-END
	gprofx.data has 2 programs, 1.00 s sampled in all

	      time   share  processes    calls  program
	    0.80 s   80.0%          2       16  $scratch/program
	    0.20 s   20.0%          1        -  /bin/other

	  gprofx program   shows the first one
END
# A folder is a recording that has another name than the usual one; a script is none of its programs.
cp -r gprofx.data named
mv gprofx.data unseen
expect_status 0 "$GPROFX" named
expect_in out 'named has 2 programs, 1.00 s sampled in all'
expect_in out '  gprofx program named   shows the first one'
rm named/other.gxc
expect_status 0 "$GPROFX" -b -p named
expect_same out expected
mv unseen gprofx.data
printf '#!/bin/sh\n' >job.sh
expect_status 0 "$GPROFX" job.sh
head -n 2 out >first
expect_same first - <<-END
	job.sh is a script, which has no profile of its own
	gprofx.data has 2 programs, 1.00 s sampled in all
END
# The command that the list ends with is about the program, also where something else has its name.
mkdir -p elsewhere/program
cp -r gprofx.data elsewhere
(cd elsewhere && "$GPROFX") >out || fail 'no list'
expect_in out "  gprofx ../program   shows the first one"
# Who wants an output gets it, or an error.
expect_status 1 "$GPROFX" --output=json:report.json job.sh
expect_in err 'error[image.not-an-object]'
expect_status 1 "$GPROFX" sh
expect_match err '^  hint: write gprofx alone, which lists the recorded programs \(gprofx\.data\), or '
# The legends: the recording itself can have counted the calls.
expect_status 0 "$GPROFX" -p program
expect_in out 'calls by other functions, if they were counted; otherwise blank'
expect_status 0 "$GPROFX" -q program
expect_match out 'calls, if they were counted[.] Each stack counts once'
# A name that is nearly one of theirs; ./ where the program is here.
for typed in progra ./pogram nowhere/prgram; do
	expect_status 1 "$GPROFX" $typed
	expect_match err '^  hint: did you mean \./program\?$'
done
expect_status 1 "$GPROFX" othr
expect_match err '^  hint: did you mean other\?$'
mkdir empty
expect_status 1 "$GPROFX" empty
expect_status 0 "$GPROFX" -b -p program
expect_match out ' 14 .* work$'
# Commands of the summary name it as it can be typed here: as it was, or relative.
mkdir -p only/below
cp -r gprofx.data only
rm only/gprofx.data/other.gxc
# typed FOLDER WORD OPERANDS...: what commands of the summary there call the program.
typed() {
	(cd "$1" && "$GPROFX" --no-findings --summary "${@:3}") >out || fail "no summary in $1"
	grep '^  gprofx ' out >commands || fail "no commands in $1"
	! grep -vE "^  gprofx( -[^ ]*| open)* $2( |\$)" commands || fail "not all commands in $1 name $2"
}
typed . program program
typed . program only/gprofx.data
typed only '\.\./program' gprofx.data
typed only '\.\./program' program
typed only '\.\./program'
typed only/below '\.\./\.\./program' ../gprofx.data
typed only "$PWD/program" "$PWD/program" gprofx.data
# As the list has it, wherever it is.
mkdir away
cp -r gprofx.data away
(cd away && "$GPROFX" -b -p program) >out || fail 'a program that was recorded from elsewhere'
expect_match out ' 14 .* work$'
touch away/program
! (cd away && "$GPROFX" -b -p program) 2>err || fail 'the file of that name is not what was recorded'
expect_in err 'program: expected '
cp program third
expect_status 1 "$GPROFX" -b -p third gprofx.data
expect_match err '^gprofx: error\[recording\.other-program\]: gprofx\.data: the recording has no process of third$'
expect_match err '^  hint: name a program that was recorded, such as .'
# A program that it does not have: the usual profile.
expect_status 0 "$GPROFX" -b -p third
expect_match out ' 5 .* work$'

# Two programs of the same name: each by its path; one that is at neither place can be any of them.
mkdir twin copied
cp program twin
cp program copied
cp -r gprofx.data both
mv twin.gxc both/program.9.0.gxc
ln -s twin/program linked
for name in twin/program linked "$PWD/twin/program"; do
	expect_status 0 "$GPROFX" -b -p $name both
	expect_match out ' 100 .* work$'
done
for name in program ./program; do
	expect_status 0 "$GPROFX" -b -p $name both
	expect_match out ' 14 .* work$'
done
expect_status 0 "$GPROFX" -b -p copied/program both
expect_match out ' 114 .* work$'

# A later run without the collector.
touch -d '1 hour' gmon.out
expect_status 0 "$GPROFX" -b -p program
expect_match err '^gprofx: warning\[recording\.older\]: gprofx\.data: the recording is not used: gmon\.out is newer$'
expect_match out ' 5 .* work$'
rm gmon.out
expect_status 0 "$GPROFX" -b -p program
expect_match out ' 14 .* work$'

# A program without symbols: what its recording says about it and its libraries, and nothing of other programs.
python3 -c "from elfimage import Image; image = Image('x86_64'); image.section('.text', 0x401000, b'\x90' * 0x400)
open('program', 'wb').write(image.bytes())"
expect_status 0 "$GPROFX" -b -p program
expect_match out '^100\.00 +0\.80 +0\.80 .* \[program\]$'
expect_match err '^gprofx: warning\[image\.no-file\]: .*/program: '
expect_status 0 "$GPROFX" -b -p program gprofx.data/*7.0.gxc
expect_match out '^100\.00 +0\.40 +0\.40 .* \[program\]$'
expect_status 1 "$GPROFX" -b -p -l program
expect_match err '^gprofx: error\[image\.no-symbols\]: program: '
expect_status 1 ./gprof -b -p program gprofx.data/*7.0.gxc
expect_in err 'no symbols'
cp third program

# Nothing that could be used is no recording.
rm gprofx.data/*
expect_status 1 "$GPROFX" -b -p program
expect_match err '^gprofx: error\[profile\.cannot-open\]: gmon\.out'
