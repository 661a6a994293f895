#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Recordings of earlier collectors are read as then. The truth: what the program does, and what a reader without code
# of the project found in the files when they were made (tests/data/recordings/make.sh).
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3 xz

for name in program first.gxc kept.gxc phases.gxc waits.gxc; do
	xz -dc "$GPROFX_SOURCE/tests/data/recordings/$name.xz" >"$name" || fail "cannot unpack $name"
done
chmod +x program

# reads NAME LEAF RUN MAIN WAIT: calls are those of the program; milliseconds of samples in leaf(), below run() and below
# main(), and of waiting below main(), if that was measured.
reads() {
	expect_status 0 "$GPROFX" --no-findings --output=json:report.json program "$1.gxc"
	expect_not_in err "error["
	python3 - "$@" <<-'PROGRAM' || fail "$1.gxc is read in another way"
		import json, sys
		report = json.load(open('report.json'))
		rows = {row['name']: row for row in report['functions'] if not row['object']}
		calls = {name: (rows[name]['calls'], rows[name]['recursive_calls']) for name in ('main', 'run', 'work', 'descend', 'leaf')}
		print(calls)
		assert calls == {'main': (1, 0), 'run': (1, 0), 'work': (2, 0), 'descend': (1, 9), 'leaf': (1010, 0)}
		found = [rows['leaf']['self_ticks'], rows['run']['total_ticks'], rows['main']['total_ticks']]
		waits = [other['total_ticks'] for other in rows['main'].get('other_metrics', [])]
		print(found + waits)
		assert found + waits == [float(word) for word in sys.argv[2:]]
		assert report['profile_files'][0]['version'] == 1
	PROGRAM
	# A row for each of two threads.
	expect_status 0 "$GPROFX" --no-findings -b --per-thread program "$1.gxc"
	[ "$(sed '/^$/,$!d; /^Time per/,$d' out | grep -c ' program [0-9]')" = 2 ] || fail "other threads in $1.gxc"
}
reads first 56 39 17
reads kept 54 39 15
reads phases 58 39 19
reads waits 62 43 19 194

# What belongs to the phase: descend() and what it calls.
for name in phases waits; do
	expect_status 0 "$GPROFX" --no-findings -b -p --phase=deep program "$name.gxc"
	expect_match out ' 10 .* leaf$'
done
for name in first kept; do
	expect_status 1 "$GPROFX" --phase=deep program "$name.gxc"
	expect_in err 'they have no phases'
done
