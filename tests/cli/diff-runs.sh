#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a folder on a side of "gprofx diff" is: repeated runs or one recording, and what is left out; that warnings name
# the file of each side. Takes about a second.
. "$GPROFX_SOURCE/tests/tools/compared.sh"
need python3

python3 - <<'END' || fail 'no profiles were made'
import os
from perffile import IN_USER, Event, Perf
from pproffile import Pprof
from profiled import Program
def put(name, bytes):
    os.makedirs(os.path.dirname(name) or '.', exist_ok=True)
    open(name, 'wb').write(bytes)
program = Program(['main', 'work', 'same'])
put('prog', program.bytes())
def profile(work, **how):
    return program.profile({'work': work, 'same': 500}, [('main', 'work', 1)], **how).bytes()
put('base', profile(400))
put('slower', profile(800))
for i in range(3):
    put(f'runs/{i}', profile(400 + i))
    put(f'other-unit/{i}', profile(400 + i))
put('cycles', profile(400, unit=b'cycles', letter=b'c'))
put('other-unit/2', profile(402, unit=b'cycles', letter=b'c'))
put('no-samples/0', profile(400))
put('no-samples/1', program.profile({}, [('main', 'work', 1)]).bytes())
# What a folder of runs can have besides them.
put('deep/0', profile(400))
put('deep/more/gmon.out', profile(400))
put('deep/none/notes', b'')
put('shallow/0', profile(400))
put('shallow/1/gmon.out', profile(400))
# The same damage in different files.
put('cut-base', profile(400)[:-3])
put('cut-slower', profile(800)[:-3])
# Recordings of perf that are folders, and of events with other names.
def perf(count, name='cpu-clock', path='/no/such/one', milliseconds=10, **how):
    p = Perf(Event(name, period=milliseconds * 1000000), **how).comm(7, 'one').mmap(7, 0x1000, 0x1000, 0, path, 1)
    for i in range(count):
        p.sample([IN_USER, 0x1010], time=30 + i, period=milliseconds * 1000000)
    return p
for name, count in (('threads', 40), ('more-threads', 160), ('both/0', 40), ('both/1', 41)):
    put(name + '/data', perf(0, features={24: (1).to_bytes(8, 'little')}).bytes())
    put(name + '/data.0', b'')
    put(name + '/data.1', b''.join(perf(count).records))
put('user', perf(40, 'cpu-clock:u').bytes())
put('all', perf(40).bytes())
put('events/0', perf(40).bytes())
put('events/1', perf(40, 'cpu-clock:u').bytes())
put('task', perf(90, 'task-clock').bytes())
put('unfinished', perf(40).bytes(0))
put('unfinished-task', perf(90, 'task-clock').bytes(0))
def pprof(name, metric, work):
    p = Pprof(('samples', 'count'), (metric, 'nanoseconds'), period=(metric, 'nanoseconds', 10000000))
    for i in range(work):
        p.sample(['work', 'main'], 1, 10000000)
    put(name, p.gzip())
pprof('go', 'cpu', 90)
pprof('mutex', 'delay', 90)
END

"$GPROFX" --list-plugins >plugins

# What is neither a file nor a recording is left out, and a warning says it.
expect_status 0 "$GPROFX" diff --no-findings prog shallow slower
expect_one diff.not-a-run
expect_in err 'warning[diff.not-a-run]: shallow/1: neither a file nor a recording: it is left out'
expect_match out '^base: shallow, of prog$'
expect_status 0 "$GPROFX" diff --no-findings prog deep slower
expect_one diff.not-a-run
expect_in err 'warning[diff.not-a-run]: deep/more: neither a file nor a recording: it is left out, and so is 1 other of the folder'

# The same warning about both sides names both.
expect_status 1 "$GPROFX" diff --no-findings prog cut-base cut-slower
expect_in err ': cut-base:'
if grep -q input-perf plugins; then
	expect_status 0 "$GPROFX" diff --no-findings unfinished unfinished-task
	expect_in err 'warning[perfdata.not-finished]: unfinished:0x'
	expect_in err 'warning[perfdata.not-finished]: unfinished-task:0x'
	# What both sides say about one file is said once.
	[ "$(grep -c 'warning\[image.no-file\]' err)" = 1 ] || fail 'a warning is repeated'
	expect_status 0 "$GPROFX" diff --no-findings unfinished unfinished
	[ "$(grep -c 'warning\[perfdata.not-finished\]' err)" = 1 ] || fail 'a warning is repeated'

	# One folder of perf is one recording, a folder with several is as many runs.
	expect_status 0 "$GPROFX" diff --no-findings threads more-threads
	expect_one image.no-file
	said '[one]' '0.400 1.600 +1.200 0.141 4.000 slower'
	expect_match out '^base: threads$'
	expect_status 0 "$GPROFX" diff --no-findings -z both more-threads
	expect_one image.no-file
	expect_match out '^base: both, 2 runs$'
	expect_match out '^ +0\.405 +1\.600 '
	for file in data data.0 data.1; do
		cp threads/$file kept
		expect_status 1 "$GPROFX" diff --output=csv:threads/$file threads more-threads
		expect_in err 'error[output.same-file]: '
		expect_same kept threads/$file
	done
fi
