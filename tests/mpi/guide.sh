#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The scripts and commands of doc/howto-mpi.md do what it says, with MPICH in the place of Slurm. Takes 8 s.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
. "$GPROFX_SOURCE/tests/mpi/lib.sh"
need mpicc.mpich python3
[[ " $mpis " = *' mpich '* ]] || skip 'gprofx-mpi.mpich cannot be started'

mkdir bin
ln -s "$GPROFX" bin/gprofx
ln -s "$GPROFX_BUILD/bin/gprofx-mpi.mpich" bin/gprofx-mpi
[ ! -x "$GPROFX_BUILD/bin/gprofx-record" ] || ln -s "$GPROFX_BUILD/bin/gprofx-record" bin
cat >bin/srun <<'END'
#!/bin/sh
count=8
while case $1 in --ntasks-per-node=1) count=1 ;; --*) ;; *) false ;; esac do
	shift
done
exec mpirun.mpich -n $count sh -c 'export SLURM_PROCID=$PMI_RANK; exec "$@"' - "$@"
END
chmod +x bin/srun
export PATH=$PWD/bin:$PATH SLURM_JOB_ID=$$-gprofx-test
mpicc.mpich -g -O1 -pg -o stencil "$GPROFX_SOURCE/tests/mpi/stencil.c" || fail 'no program'

python3 - "$GPROFX_SOURCE/doc/howto-mpi.md" <<'END' || fail 'the page is not as expected'
import re
import sys
page = open(sys.argv[1], encoding='utf-8').read()
blocks = re.findall(r'^```sh\n(.*?)^```$', page, re.S | re.M)
lines = [line[4:] for line in page.split('\n') if line.startswith('    srun ') and '--mpi=' not in line]
assert len(blocks) == 2 and len(lines) == 2 and 'gprofx record' in lines[0] and 'gprofx-mpi' in lines[1], (blocks, lines)
for name, text in zip(('job.sh', 'disks.sh', 'record.sh'), (*blocks, '\n'.join(lines))):
    open(name, 'w', encoding='utf-8').write(text + '\n')
END

# expect_slow_rank: the table on standard output names rank 5, of eight.
expect_slow_rank() {
	expect_match out ' of 8 files\.'
	expect_match out ' rank=5 +react$'
}

expect_status 0 sh job.sh
expect_slow_rank
[ -s job.html ] || fail 'no page'
expect_status 0 gprofx -b -p stencil job.gmon
expect_match out ' react$'
expect_status 0 gprofx -b -l -p stencil prof/gmon.out.5.*
expect_match out ' react \(stencil\.c:'

rm job.gmon
expect_status 0 sh -eu disks.sh
expect_slow_rank
[ -s job.gmon ] || fail 'no sum of what the nodes have'
[ ! -e "/tmp/prof.$SLURM_JOB_ID" ] || fail 'profiles are left on the node'

[ -x bin/gprofx-record ] || exit 0
rm -r prof
mkdir prof
expect_status 0 sh -eu record.sh
expect_slow_rank
