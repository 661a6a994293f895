#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Files of forked children, which begin with a copy of their parent's counters: taken out where every row proves
# it, reported where the parent went on, and neither for runs that merely look alike. Real programs, which write
# under GMON_OUT_PREFIX. Takes about 6 seconds of processor time.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
: "${GPROFX_CC:=cc}"
need "$GPROFX_CC" python3

cat >forks.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

volatile double sum;
/* Much code, so that samples spread. */
#define ONE(n) x = x * 1.0000001 + (n); if (x > 1e9) x /= 3 + (n);
#define TEN(n) ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8)
__attribute__((noinline)) double step(double x)
{
	for (int i = 0; i < 20; i++) {
		TEN(1) TEN(11) TEN(21) TEN(31) TEN(41) TEN(51) TEN(61) TEN(71) TEN(81) TEN(91)
	}
	return x;
}
__attribute__((noinline)) void work(int hundredths)
{
	clock_t end = clock() + hundredths * (CLOCKS_PER_SEC / 100);
	while (clock() < end)
		sum += step(sum);
}
__attribute__((noinline)) void child(int deeper)
{
	work(3);
	if (deeper > 0 && fork() == 0) {
		child(deeper - 1);
		exit(0);
	}
	while (wait(0) > 0)
		;
}
/* forks BEFORE CHILDREN DEEPER AFTER */
int main(int count, char **words)
{
	if (count < 5)
		return 2;
	work(atoi(words[1]));
	for (int i = 0; i < atoi(words[2]); i++)
		if (fork() == 0) {
			child(atoi(words[3]));
			exit(0);
		}
	while (wait(0) > 0)
		;
	if (atoi(words[4]) > 0)
		work(atoi(words[4]));
	return 0;
}
END
"$GPROFX_CC" -pg -O1 forks.c -o forks || skip 'nothing can be linked with -pg'

# samples: how many there are in all files, copies included.
samples() {
	"$GPROFX" --no-findings -b --output=json:all.json forks gm.* || fail 'no report'
	python3 -c '
import json
a = json.load(open("all.json"))["account"]
print(a["samples"] + a["copied_samples"])'
}

# forked BEFORE CHILDREN DEEPER AFTER: runs it and reports all its files together. It runs again if numbers of processes
# began anew meanwhile, so that a child has a lower one than its parent; and until half of the samples are there: on a
# busy machine, the kernel's ticks miss much of a process that runs for shorter times.
forked() {
	local most=$((($1 + $4) / 2)) tries=0 parent

	while [ "$tries" -lt 10 ]; do
		rm -f gm.*
		tries=$((tries + 1))
		GMON_OUT_PREFIX=gm ./forks "$@" &
		parent=$!
		wait "$parent" || fail 'the program failed'
		[ "$(ls gm.* 2>/dev/null | wc -l)" -gt "$2" ] || skip 'the C library writes no file for each process'
		[ "$(ls gm.* | sort -t. -k2n | head -n 1)" = "gm.$parent" ] || continue
		[ "$(samples)" -lt "$((most + ($1 / 2) * $2 * (1 + $3)))" ] || break
	done
	expect_status 0 "$GPROFX" -b -p --explain forks gm.*
}

# taken: what was before the fork counts once: about 0.75 s.
taken() {
	expect_in err 'finding[profile.copies-taken-out]'
	"$GPROFX" --no-findings -b --output=json:all.json forks gm.* || fail 'no report'
	python3 "$GPROFX_SOURCE/tests/tools/account.py" all.json || fail 'another sum'
	python3 -c '
import json, sys
a = json.load(open("all.json"))["account"]
sys.exit(a["copied_samples"] != int(sys.argv[1]) * a["samples"] or a["samples"] < 37)' "$1" ||
		fail 'the samples of the parent count several times'
}

forked 75 1 0 0
taken 1
forked 75 3 0 0
taken 3
forked 75 1 2 0
taken 3
expect_status 0 "$GPROFX" --no-findings -b -p forks gm.*
expect_empty err
expect_in out 'Left out: '
expect_status 0 "$GPROFX" --gnu -b -p forks gm.*
expect_empty err

# In partial profiles of both they cannot be taken out any more; what is in one is.
if [ "$(ls gm.* | wc -l)" -eq 4 ]; then
	"$GPROFX" --no-findings -b -p forks gm.* >whole
	files=(gm.*)
	expect_status 0 "$GPROFX" -p --partial=a forks "${files[0]}"
	expect_status 0 "$GPROFX" -p --partial=b forks "${files[@]:1}"
	expect_status 1 "$GPROFX" --no-findings -b -p forks a b
	expect_in err 'error[partial.copies]'
	expect_empty out
	expect_status 0 "$GPROFX" -p --partial=a forks gm.*
	expect_status 0 "$GPROFX" --no-findings -b -p forks a
	diff whole out >&2 || fail 'another report of one partial profile'
	# Several processes of a job find it out, and one of them reads all files.
	for mpi in openmpi mpich; do
		[ -x "$GPROFX_BUILD/bin/gprofx-mpi.$mpi" ] && command -v mpirun.$mpi >/dev/null || continue
		export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
		expect_status 0 mpirun.$mpi -n 3 "$GPROFX_BUILD/bin/gprofx-mpi.$mpi" --no-findings -b -p forks 'gm.*'
		diff whole out >&2 || fail "another report of $mpi"
	done
fi

# The parent went on: nothing is taken away, and the samples are those of all files.
forked 40 1 0 40
expect_in err 'finding[profile.forked]'
expect_in err 'while their parent kept running'
"$GPROFX" --no-findings -b --output=json:all.json forks gm.* || fail 'no report'
python3 "$GPROFX_SOURCE/tests/tools/account.py" all.json || fail 'another sum'
expect_in all.json '"copied_samples":0'

# Runs one after the other, of the same length and of another one; a file that is named twice; a child of
# which no sample is a copy.
rm -f gm.* run.*
for i in 1 2 3; do
	GMON_OUT_PREFIX=run$i ./forks 30 0 0 0 || fail 'the program failed'
done
GMON_OUT_PREFIX=run4 ./forks 60 0 0 0 || fail 'the program failed'
expect_status 0 "$GPROFX" -b -p forks run1.* run2.* run3.* run4.*
expect_not_in err 'finding[profile.'
expect_status 0 "$GPROFX" -b -p forks run1.* run1.*
expect_not_in err 'finding[profile.'
forked 0 1 0 30
expect_not_in err 'finding[profile.'
