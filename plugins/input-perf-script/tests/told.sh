#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf-script.told: what is said of lines that are none of perf script, of records that perf lost, of too many events, and
# of files without samples. Nothing is lost without a word. Takes about a second.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

sample='p 7/7 2.000001: 1000000 cpu-clock: \n\t 11ee spin+0x5 (/bin/p)\n\n'
printf "${sample}nonsense\n\t 11ee spin+0x5 (/bin/p)\n\n$sample" >odd
expect_status 0 "$GPROFX" --no-findings -b -p odd
[ "$(grep -c 'warning\[perf\.bad-line\]' err)" -eq 2 ] || fail 'not two lines are reported'
expect_match err '^gprofx: warning\[perf\.bad-line\]: odd:4: expected a sample or a frame of perf script, found neither$'
expect_match err '^  hint: write the file with perf script --ns -F '
expect_match out '^100\.00 +0\.00 +0\.00 .*spin \(p\)$'
{
	printf "$sample"
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo "nonsense $i"; done
} >many
expect_status 0 "$GPROFX" --no-findings -b -p many
[ "$(grep -c 'warning\[perf\.bad-line\]' err)" -eq 10 ] || fail 'not ten lines are reported'
expect_in err 'warning[perf.bad-lines]: many: 3 more lines are left out'

# A line with a tab is none of a sample, whatever it looks like: its event was not declared.
printf "$sample\t 117 [001]  3.000001:  4000000 cpu-clock:x: 11ee f+0x3 (/bin/p)\n\n" >tab
expect_status 0 "$GPROFX" --no-findings -b -p tab
expect_in err 'warning[perf.bad-line]: tab:4: expected a sample or a frame'

printf '# nothing\n\n' >nothing
expect_status 1 "$GPROFX" -O perf-script nothing
expect_in err 'error[perf.no-samples]: nothing: expected samples of perf script, found none'
expect_empty out
for i in $(seq 70); do printf 'p 7/7 2.0000%02d: 1 event%d: \n\t 11ee spin (/bin/p)\n\n' "$i" "$i"; done >events
expect_status 0 "$GPROFX" --no-findings --output=json events
expect_in err 'warning[perf.too-many-events]: events: expected at most 64 events, left out 6 samples of more'
printf "${sample}p 7/7 2.000002: PERF_RECORD_LOST lost 12\np 7/7 2.000003: PERF_RECORD_LOST_SAMPLES lost 30\n" >lost
expect_status 0 "$GPROFX" --no-findings -b -p lost
expect_in err 'warning[perf.lost]: lost: perf lost 42 records, which are in no table'

# A stack of 100000 frames, a name of 100000 bytes, numbers that no counter holds, and cuts at each byte.
{
	printf 'p 7/7 2.000001: 99999999999999999999999 cycles: \n'
	printf '\t 11ee f%d (/bin/p)\n' $(seq 100000)
	printf '\n'
} >deep
expect_status 0 "$GPROFX" --no-findings -b -p deep
expect_match out '^100\.00 .* f1 \(p\)$'
{
	printf 'p 7/7 2.000001: 1 cycles: \n\t 11ee '
	head -c 100000 /dev/zero | tr '\0' n
	printf ' (/bin/p)\n'
} >long
expect_status 0 "$GPROFX" --no-findings -b -p long
printf "$sample" >whole
for bytes in $(seq 1 "$(stat -c %s whole)"); do
	head -c "$bytes" whole >part
	status=0
	"$GPROFX" -O perf-script -b -p part >out 2>err || status=$?
	[ "$status" -le 1 ] || fail "status $status for $bytes bytes"
done
