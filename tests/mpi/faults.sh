#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A process that stops or dies, a changed message, a full disk: a message that names the process, status 1, and no
# partial result under the final name. Each waits for a second or less; takes 10 s for each MPI.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
. "$GPROFX_SOURCE/tests/mpi/lib.sh"
make_ranks prof 20
make_ranks without-2 20
rm without-2/gmon.out.1[1-5]
"$GPROFX" -b program prof >whole || fail 'no report'
"$GPROFX" -b program without-2/* >others || fail 'no report'
make_faults
# What a healthy process needs between two signs of life, at most.
seconds=${GPROFX_SANITIZE:+6}
seconds=${seconds:-2}

# with_report STATUS FAULT... -- PROCESSES WORD...: a job with a fault, which may have a report.
with_report() {
	expected=$1
	before=(env "LD_PRELOAD=$PWD/faults.$mpi.so")
	shift
	while [ "$1" != -- ]; do
		before+=("$1")
		shift
	done
	expect_status "$expected" job "${@:2}" program prof
	before=()
}

# with_fault FAULT... -- PROCESSES WORD...: the same for a job that fails and has none.
with_fault() {
	with_report 1 "$@" --sum=sum --output=flat:report
	[ ! -e sum ] && [ ! -e report ] || fail 'there is a report'
	expect_empty out
}

# expect_others: the report without the files of process 2, on standard output or a line after other words of mpirun.
expect_others() {
	head -n "$(wc -l <others)" out >begin
	expect_same others begin
}

for mpi in $mpis; do
	# The library changes nothing by itself.
	with_report 0 FAULT=delay FAULT_US=1000 -- 4 -b
	expect_same whole out

	# A process stops.
	with_fault FAULT=stop FAULT_RANK=2 -- 4 --timeout=$seconds
	expect_match err '^gprofx-mpi: error\[mpi\.no-answer\]: process 2 on [^ ]+ has not answered for '"$seconds"' s: 5 files are missing, first of all prof/gmon\.out\.11$'
	with_report 1 FAULT=stop FAULT_RANK=2 -- 4 -b --timeout=$seconds --keep-going
	expect_match err 'error\[mpi\.no-answer\]: process 2 on '
	expect_match err '^gprofx-mpi: warning\[mpi\.left-out\]: 5 of 20 files, with 1 process that did not answer, were left out: all of process 2 on '
	expect_others
	# A report that is longer than a pipe is complete, although MPI is made to end all processes.
	with_report 1 FAULT=stop FAULT_RANK=2 -- 4 --timeout=$seconds --keep-going --output=html
	expect_match out '</html>'
	# Those behind it are lost with it.
	with_report 1 FAULT=stop FAULT_RANK=1 -- 20 -b --timeout=$seconds --keep-going
	expect_match err 'error\[mpi\.no-answer\]: process 1 on [^ ]+ has not answered for '"$seconds"' s: 2 files are missing'
	expect_match err 'warning\[mpi\.left-out\]: 2 of 20 files, with 2 processes that did not answer'
	# One that is slow shows signs of life.
	with_report 0 FAULT=delay FAULT_US=300000 FAULT_RANK=3 -- 4 -b --timeout=$seconds
	expect_same whole out
	with_report 0 FAULT=delay FAULT_US=1500000 FAULT_RANK=3 -- 4 -b --progress
	expect_same whole out
	expect_match err '^gprofx-mpi: 1[5-9] of 20 files were read$'
	[ "$(tail -n 1 err)" = 'gprofx-mpi: 20 of 20 files were read' ] || fail 'not all files were read'

	# A process dies.
	before=(env "LD_PRELOAD=$PWD/faults.$mpi.so" FAULT=kill FAULT_RANK=2)
	run job 4 --keep-going --sum=sum --output=flat:report program prof
	before=()
	[ "$status" -ne 0 ] || fail 'a process died, and the status is 0'
	[ ! -e sum ] && [ ! -e report ] || fail 'there is a report'

	# A message is not as it was: its head, what was read, the names of files, the first profile.
	with_fault FAULT=head FAULT_RANK=2 -- 4
	expect_match err '^gprofx-mpi: error\[mpi\.bad-message\]: process 2 on [^ ]+ sent '
	with_fault FAULT=body FAULT_RANK=2 -- 4
	expect_match err '^gprofx-mpi: error\[partial\.damaged\]: process 2 on [^ ]+ \(files from prof/gmon\.out\.11\): '
	with_report 1 FAULT=body FAULT_RANK=2 -- 4 -b --keep-going
	expect_match err 'warning\[mpi\.left-out\]: 5 of 20 files were left out: process 2 on '
	expect_others
	with_fault FAULT=body FAULT_RANK=0 -- 4
	expect_match err '^gprofx-mpi: process 1 on [^ ]+: error\[mpi\.bad-message\]: '
	with_fault FAULT=body FAULT_RANK=0 FAULT_SKIP=3 -- 4
	expect_match err '^gprofx-mpi: process [1-3] on [^ ]+: error\[partial\.damaged\]: '

	# The disk of process 0 is full.
	mkdir -p disk
	if unshare --mount mount -t tmpfs -o size=4k none disk 2>/dev/null; then
		# shellcheck disable=SC2016 # For the shell of each process.
		before=(unshare --mount sh -c 'mount -t tmpfs -o size=4k none disk && "$@"; status=$?; ls disk; exit $status' sh)
		expect_status 1 job 3 --output=json:disk/report program prof
		before=()
		expect_match err '^gprofx-mpi: error\[output\.(write-failed|cannot-open)\]: '
		expect_not_in out report
	fi
done
