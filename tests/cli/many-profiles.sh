#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Many profiles: folders, files of names, more files than can be open at once, files that do not
# fit, and the line that tells how far it has come.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	import os
	from profiled import Program
	program = Program(['main', 'work', 'idle'])
	open('program', 'wb').write(program.bytes())
	calls = [('main', 'work', 7)]
	for folder, count in (('ranks', 1500), ('few', 3), ('empty', 0)):
	    os.mkdir(folder)
	    for i in range(count):
	        open(f'{folder}/gmon.out.{i}', 'wb').write(
	            program.profile({'main': 1, 'work': 3}, calls).bytes())
	for name in ('notes.txt', 'gmon.output', 'agmon.out'):
	    open('few/' + name, 'w').write('no profile')
	os.mkdir('few/gmon.out.d')
	open('names', 'w').write(' '.join(f'ranks/gmon.out.{i}' for i in range(1500)))
	good = program.profile({'main': 1, 'work': 3}, calls).bytes()
	open('good', 'wb').write(good)
	open('more', 'wb').write(good)
	open('cut', 'wb').write(good[:-5])
	bins = len(program.bins({}))
	# Its second histogram does not fit: nothing of it may count.
	other = program.empty().histogram(program.base, program.end, [9] * bins)
	other.arc(program.at('main'), program.at('idle'), 5)
	other.histogram(program.base + 0x100, program.end + 0x100, [9] * bins)
	open('overlap', 'wb').write(other.bytes())
END

# As many files as it takes, in a process that may have few open.
ulimit -n 40
expect_status 0 "$GPROFX" -b program @names
expect_match out '^ 75\.00     45\.00    45\.00    10500 .* work$'
expect_match out '^ 25\.00     60\.00    15\.00 .* main$'
cp out expected
expect_status 0 "$GPROFX" -b program ranks
expect_same out expected
expect_status 0 "$GPROFX" -b program ranks/
expect_same out expected
for threads in 1 2 5; do
	expect_status 0 "$GPROFX" -b --threads=$threads program ranks
	expect_same out expected
done
# shellcheck disable=SC2046
expect_status 0 "$GPROFX" --gnu -b program @names
expect_match out '^ 75\.00     45\.00    45\.00    10500 .* work$'

# A folder: what is called gmon.out or gmon.out.*, and a folder in it is reported.
expect_status 1 "$GPROFX" -b program few
expect_match err 'error\[profile\.is-a-folder\]: few/gmon\.out\.d: expected a profile, found a folder'
rmdir few/gmon.out.d
# Nobody may ever write into a pipe.
mkfifo few/gmon.out.pipe
expect_status 0 "$GPROFX" -b -p program few
expect_match out '^ 75\.00      0\.09     0\.09 .* work$'
expect_status 1 "$GPROFX" -b -p program empty
expect_match err 'error\[profile\.is-a-folder\]: empty: the folder contains no profiles'
# Without those, NAME.PID of one name, as GMON_OUT_PREFIX=NAME makes them.
mkdir prefixed
cp good prefixed/run.9
cp good prefixed/run.10
cp few/notes.txt prefixed/run.1
cp good prefixed/other
mkfifo prefixed/run.11
expect_status 0 "$GPROFX" -b -p program prefixed
expect_match out '^ 75\.00      0\.06     0\.06 .* work$'
expect_status 0 "$GPROFX" -b -i program prefixed
[ "$(grep '^prefixed' out | tr '\n' ' ')" = 'prefixed/run.9 prefixed/run.10 ' ] || fail 'not these two files'
cp good prefixed/walk.10
expect_status 1 "$GPROFX" -b -p program prefixed
expect_match err 'error\[profile\.is-a-folder\]: prefixed: the folder contains no profiles'
expect_match err '^  hint: .*, of one NAME, NAME\.PID are profiles$'
expect_status 1 "$GPROFX" --gnu -b -p program few
expect_match err '^few: file too short to be a gmon file$'

# One bad file is named and spoils the run, unless it may go on without it.
for bad in cut overlap absent empty; do
	expect_status 1 "$GPROFX" -b program good $bad more
	expect_empty out
	expect_status 1 "$GPROFX" -b --keep-going program good $bad more
	expect_match out '^ 75\.00      0\.06     0\.06       14 .* work$'
	expect_not_in out '[0-9] .* idle'
	expect_match err "^gprofx: error\\[.*\\]: $bad"
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'more than one error'
done
cp out expected
expect_status 1 "$GPROFX" -b --keep-going program overlap good cut more absent
expect_same out expected
[ "$(grep -c 'error\[' err)" -eq 3 ] || fail 'not one error for each file'
# Nothing is left to report.
expect_status 1 "$GPROFX" -b --keep-going program cut absent
expect_empty out
expect_status 0 "$GPROFX" -b --keep-going program good more

# On a terminal there is a line about it once it takes long: here for a pipe that nobody fills.
cat >terminal.py <<-'END'
	import os, pty, sys, threading, time
	def feed():
	    time.sleep(2.3)
	    with open('pipe', 'wb') as pipe:
	        pipe.write(open('good', 'rb').read())
	os.mkfifo('pipe')
	threading.Thread(target=feed).start()
	child, terminal = pty.fork()
	if child == 0:
	    os.environ['TERM'] = sys.argv[1]
	    os.dup2(os.open('out', os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
	    os.execvp(os.environ['GPROFX'], [os.environ['GPROFX']] + sys.argv[2:])
	seen = b''
	try:
	    while piece := os.read(terminal, 4096):
	        seen += piece
	except OSError:
	    pass
	open('err', 'wb').write(seen)
	os.unlink('pipe')
	sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
END
GPROFX=$GPROFX python3 terminal.py xterm -b -p program good pipe cut more
[ $? -eq 1 ] || fail 'other status on a terminal'
tr '\r' '\n' <err >lines
# The line is taken away before the message, and does not come back when all is done.
expect_match lines '^read 2 of 4 profiles'
expect_in lines 'error[gmon.short-record]'
! tail -n 1 lines | grep -q read || fail 'the line is left'
for how in 'dumb -b -p' 'xterm --gnu -b -p'; do
	# shellcheck disable=SC2086
	GPROFX=$GPROFX python3 terminal.py $how program good pipe more || fail "failed: $how"
	expect_empty err
done
