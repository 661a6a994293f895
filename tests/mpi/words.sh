#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gprofx-mpi takes its own options, refuses what does not go with several processes, and says what is wrong once,
# however many processes there are. Takes 10 s.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
. "$GPROFX_SOURCE/tests/mpi/lib.sh"
make_ranks prof 3

# expect_refused ID TEXT WORD...: wrong use, which one process reports.
expect_refused() {
	expect_status 2 job 3 "${@:3}"
	expect_empty out
	expect_one "$1"
	expect_match err "^gprofx-mpi: error\[$1\]: $2\$"
}

expect_status 0 job 3 --help
expect_empty err
[ "$(grep -c '^Usage:' out)" -eq 1 ] || fail 'not one help'
for option in --node-local --no-program --progress --timeout --keep-going; do
	expect_in out "  $option"
done
expect_status 0 job 3 --version
[ "$(grep -c '^gprofx-mpi [0-9]' out)" -eq 1 ] || fail 'not one version'

for timeout in --timeout= --timeout=0 --timeout=1.5 --timeout=99999999999999999999; do
	expect_refused mpi.bad-timeout "--timeout expects .*, found ${timeout#*=}" $timeout program prof
done
expect_refused mpi.bad-timeout '--timeout expects .*, found nothing' program prof --timeout
expect_status 0 job 3 -b --timeout 9 program prof
expect_refused mpi.unsupported 'the commands of .*' open program prof
expect_refused mpi.unsupported 'the commands of .*' record program
expect_refused mpi.unsupported 'the mode of GNU gprof .*' -b --gnu program prof
expect_refused mpi.unsupported 'the option prints .*' --list-plugins program prof
expect_refused mpi.unsupported 'the option prints .*' -v
expect_refused mpi.unsupported '--object .*' --object=lib.so=lib.profile program prof
expect_refused usage.unknown-option '.*' --no-such-option program prof
expect_refused mpi.no-operands 'expected a program .*' program
expect_refused mpi.no-operands 'expected a program .*'
expect_refused mpi.standard-input '.*' program -
expect_refused mpi.standard-input '.*' program prof/gmon.out.1 -

# expect_failed ID TEXT WORD...
expect_failed() {
	expect_status 1 job 3 "${@:3}"
	expect_empty out
	expect_one "$1"
	expect_match err "^gprofx-mpi: error\[$1\]: $2\$"
}

expect_failed mpi.no-match 'prof/g\*\.x: no file matches the pattern' program 'prof/g*.x'
mkdir empty
expect_failed profile.is-a-folder 'empty: .*' program empty
expect_failed image.cannot-open 'absent: .*' absent prof
# Names that the process itself has not got are as good as any.
expect_status 1 job 3 program absent
expect_match err '^gprofx-mpi: process [0-2] on [^ ]+: error\[profile\.cannot-open\]: absent: '
# Files of settings are read by all processes, and are wrong once.
echo 'threads: many' >wrong.yaml
expect_status 1 job 3 --config=wrong.yaml program prof
[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'not one error'
# So are variables.
GPROFX_PLUGIN_PATH=plugins expect_status 0 job 3 -b program prof
[ "$(grep -c 'warning\[environment.relative-folder\]' err)" -eq 1 ] || fail 'not one warning'

# Patterns, folders and files, more and fewer than there are processes.
"$GPROFX" -b program prof/gmon.out.* >expected || fail 'no report'
for words in "prof/gmon.out.*" prof 'prof/gmon.out.1 prof/gmon.out.[23]'; do
	for processes in 1 2 5; do
		# shellcheck disable=SC2086 # Several words; no pattern matches here.
		(set -f && run job $processes -b program $words && exit "$status") || fail "status with $processes"
		expect_same expected out
	done
done
echo '-b program prof' >words
expect_status 0 job 2 @words
expect_same expected out

head -c 17000000 /dev/zero | tr '\0' x >words
expect_failed usage.file-too-large 'words: .*' @words

# Without a program.
printf 'events: Cycles\nfn=f\n1 5\n' >callgrind.out
"$GPROFX" -b callgrind.out callgrind.out >expected 2>/dev/null || fail 'no report'
expect_status 0 job 2 -b --no-program callgrind.out callgrind.out
expect_same expected out
expect_status 1 job 2 -b callgrind.out callgrind.out
expect_empty out
