#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# With --node-local each node reads what lies there; nodes are host names of their own here, with a folder each.
# Takes 5 s for each MPI.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
. "$GPROFX_SOURCE/tests/mpi/lib.sh"
unshare --uts --mount true 2>/dev/null || skip 'no host names of its own'
make_ranks all 9
mkdir node1 node2 node3 here
cp all/gmon.out.[1-3] node1
cp all/gmon.out.[4-9] node2

# Processes 0, 2, 4 are on node1, the others on node2 or, the last one, on node3.
cat >place <<'END'
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
node=node$((rank % 2 + 1))
[ "$rank" -lt "${THIRD:-99}" ] || node=node3
export rank node
exec unshare --uts --mount sh -c 'hostname $node && mount --bind $node here && exec "$@"' sh "$@"
END
before=(sh place)

"$GPROFX" -b program node1 node2 >expected || fail 'no report'
for mpi in $mpis; do
	for processes in 2 5; do
		expect_status 0 job $processes --node-local -b program here
		expect_same expected out
	done
	# Files have the names of their hosts.
	expect_status 0 job 4 --node-local --output=json program here
	for i in 1 2 3; do
		expect_in out "\"node1:here/gmon.out.$i\""
	done
	for i in 4 5 6 7 8 9; do
		expect_in out "\"node2:here/gmon.out.$i\""
	done
	# A node has nothing.
	THIRD=4 expect_status 0 job 5 --node-local -b program here
	expect_same expected out
	expect_match err '^gprofx-mpi: warning\[mpi\.node-without-files\]: 1 node has no profiles, first of all node3$'
	THIRD=0 expect_status 1 job 2 --node-local -b program here
	expect_match err '^gprofx-mpi: error\[mpi\.no-files\]: there are no profiles$'
	expect_status 1 job 2 --node-local -b program 'here/x*'
	expect_match err '^gprofx-mpi: error\[mpi\.no-files\]: there are no profiles$'
	# The nodes see the same files.
	expect_status 1 job 4 --node-local -b program all
	expect_one mpi.shared-folder
	expect_match err '^gprofx-mpi: error\[mpi\.shared-folder\]: node1 and node2 have the same files'
done

# A process that has not got the program is named with all that it should have read.
cp program node1
expect_status 1 job 2 --node-local --keep-going -b here/program here
expect_match err '^gprofx-mpi: process 1 on node2: error\[image\.cannot-open\]: '
expect_match err 'warning\[mpi\.left-out\]: 6 of 9 files were left out: all of process 1 on node2$'
rm node1/program

# The first node has no file that can be read: another one has what all have to fit.
: >node1/gmon.out.1
: >node1/gmon.out.2
: >node1/gmon.out.3
"$GPROFX" -b --keep-going program node1 node2 >expected 2>/dev/null
expect_status 1 job 4 --node-local --keep-going -b program here
expect_same expected out
expect_match err '^gprofx-mpi: process 0 on node1: error\[profile\.short-file\]: node1:here/gmon\.out\.1: '
expect_match err 'warning\[mpi\.left-out\]: 3 of 9 files were left out: node1:here/gmon\.out\.1 \(process 0 on node1\)'

# Another build of the program on a node.
cp program node1
"$GPROFX_CC" -g -O1 -DOTHER -x c -o node2/program - <<-'END' || fail 'no program'
	int more[999];
	int main(void) { return more[7]; }
END
expect_status 1 job 2 --node-local -b here/program here
expect_match err '^gprofx-mpi: (process 1 on node2: )?error\[mpi\.other-program\]: here/program: '
expect_empty out
rm node1/program node2/program

# A node whose disk hangs, before there is anything to read.
"$GPROFX_CC" -shared -fPIC -D_GNU_SOURCE -o hang.so -x c - <<-'END' || fail 'no library'
	#include <dlfcn.h>
	#include <stdlib.h>
	#include <string.h>
	#include <sys/stat.h>
	#include <unistd.h>
	int stat(const char *path, struct stat *status)
	{
		const char *node = getenv("node");
		if (node && strcmp(node, "node2") == 0 && strcmp(path, "here") == 0)
			pause();
		return ((int (*)(const char *, struct stat *))dlsym(RTLD_NEXT, "stat"))(path, status);
	}
END
before=(env "LD_PRELOAD=$PWD/hang.so" sh place)
run job 2 --node-local --timeout=2 -b program here
[ "$status" -ne 0 ] || fail 'a node hangs, and the status is 0'
expect_match err '^gprofx-mpi: error\[mpi\.no-answer\]: process 1 has not listed its files for 2 s'
before=(sh place)
