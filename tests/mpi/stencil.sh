#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A job as users run it: a stencil compiled with -pg, of which one rank of eight has three times the work, and then
# gprofx-mpi in the same allocation. The report names that rank. Takes 3 s for each MPI.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
. "$GPROFX_SOURCE/tests/mpi/lib.sh"

# expect_slow_rank FILE: of the time in react(), which is most, rank 5 has more than chance explains.
expect_slow_rank() {
	cp "$1" out
	expect_match "$1" ' 8 files'
	expect_match "$1" ' rank=5 +react$'
}

for mpi in $mpis; do
	need mpicc.$mpi
	mkdir $mpi
	mpicc.$mpi -g -O1 -pg -o $mpi/stencil "$GPROFX_SOURCE/tests/mpi/stencil.c" || fail "mpicc.$mpi"
	# shellcheck disable=SC2016 # Each rank has its own number.
	expect_status 0 mpirun.$mpi -n 8 sh -c '
		export GMON_OUT_PREFIX="$0/gmon.out.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
		exec "$0/stencil" 60 5' "$mpi"
	label='--label=out\.(?<rank>\d+)\.\d+$'
	for words in '' --node-local; do
		# shellcheck disable=SC2086 # None, or one.
		expect_status 0 job 8 $words -b "$label" --output=per-file:table \
			--output=json:json --sum=sum $mpi/stencil $mpi
		expect_slow_rank table
		[ "$(grep -o '"label": *"rank=[0-7]"' json | sort -u | wc -l)" -eq 8 ] || fail 'not eight labels'
	done
	# One process says the same.
	expect_status 0 "$GPROFX" -b "$label" --output=per-file:alone --sum=alone.sum $mpi/stencil $mpi
	expect_same alone table
	expect_same alone.sum sum
done
