#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a folder on a side of "gprofx diff" is: repeated runs or one recording, and what is left out; that all runs measure the
# same; that warnings name the file of each side; metrics of other formats that measure the same; and runs that happen to be equal.
# Takes about 2 seconds.
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

# A run that has measured something else has no zeros of what the others have measured.
expect_status 0 "$GPROFX" diff --no-findings prog base runs
expect_undiagnosed
for words in 'other-unit slower' 'slower other-unit'; do
	# shellcheck disable=SC2086
	expect_status 1 "$GPROFX" diff --no-findings prog $words
	expect_one diff.runs-differ
	expect_in err 'other-unit/2: expected a run that measures time, as others of its folder do'
	expect_empty out
done
expect_status 1 "$GPROFX" diff --no-findings prog other-unit cycles
expect_in err 'error[diff.runs-differ]: other-unit/0: expected a run that measures cycles'
expect_status 1 "$GPROFX" diff --no-findings prog runs cycles
expect_one diff.no-common-metric
# A run without a sample measured no time.
expect_status 0 "$GPROFX" diff --no-findings -z prog no-samples slower
said same '2.500 5.000 +2.500 4.333 2.000 none'

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

	# Time of the processor has other names in other formats; that of some modes only is another time.
	expect_status 0 "$GPROFX" diff --no-findings -z prog base all
	expect_in out 'The base measures time, the new side cpu-clock: both are processor time. '
	expect_match out '^Self cpu-clock, in seconds:$'
	said same '5.000 0.000 -5.000 0.224 0.000 faster'
	expect_status 0 "$GPROFX" diff --no-findings all task
	expect_in out 'The base measures cpu-clock, the new side task-clock: both are processor time'
	said '[one]' '0.400 0.900 +0.500 0.114 2.250 slower'
	for words in 'all user' 'user all' 'prog base user'; do
		# shellcheck disable=SC2086
		expect_status 1 "$GPROFX" diff --no-findings $words
		expect_in err 'error[diff.no-common-metric]: '
	done
	expect_status 1 "$GPROFX" diff --no-findings events all
	expect_in err 'error[diff.runs-differ]: events/1: expected a run that measures cpu-clock'
	# A metric that the user names is the one of this name.
	expect_status 1 "$GPROFX" diff --no-findings --metric=cpu-clock all task
	expect_in err 'error[profile.unknown-metric]: the profiles have no metric "cpu-clock"'
fi
if grep -q input-pprof plugins; then
	expect_status 0 "$GPROFX" diff --no-findings prog base go
	expect_in out 'The base measures time, the new side cpu: both'
	said work '4.000 0.900 -3.100 0.221 0.225 faster'
	expect_status 0 "$GPROFX" diff --no-findings --output=json:both.json prog go base
	expect_in both.json 'The base measures cpu, the new side time: both'
	# Waiting is something else.
	expect_status 1 "$GPROFX" diff --no-findings prog base mutex
	expect_one diff.no-common-metric
fi

# Two runs in which a function happens to be equal do not prove that it always is, whether a weight of samples can be found or not.
if grep -q input-folded plugins && grep -q input-callgrind plugins; then
	for side in 1 2; do
		mkdir stacks$side times$side
		for run in 1 2; do
			printf 'm;big %d\nm;a %d\n' $((1000 + run)) $side >stacks$side/$run
			printf 'events: Time_(10ns)\n\nfn=big\n1 %d\n\nfn=a\n2 %d\n' $((1000 + run)) $side >times$side/$run
		done
	done
	expect_status 0 "$GPROFX" diff --no-findings -z --min-share=0 --fail-if-slower=5 stacks1 stacks2
	said a '1 2 +1 1.225 2.000 none'
	expect_status 0 "$GPROFX" diff --no-findings -z --min-share=0 --fail-if-slower=5 times1 times2
	expect_match out ' 2\.000  not tested a$'
fi
