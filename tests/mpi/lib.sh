# SPDX-License-Identifier: Apache-2.0
#
# Helpers for the tests of gprofx-mpi, behind those of all tests:
#
#   . "$GPROFX_SOURCE/tests/cli/lib.sh"
#   . "$GPROFX_SOURCE/tests/mpi/lib.sh"
#
# $mpis are the implementations that gprofx-mpi is built for and that can start it; $mpi is the one that "job" uses.

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
	OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
# What MPI itself leaves behind when a program ends is not ours; the library of faults comes before all others.
[ -z "${GPROFX_SANITIZE-}" ] || export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0:verify_asan_link_order=0"

mpis=
for mpi in openmpi mpich; do
	[ ! -x "$GPROFX_BUILD/bin/gprofx-mpi.$mpi" ] || ! command -v mpirun.$mpi >/dev/null || mpis="$mpis $mpi"
done
[ -n "$mpis" ] || skip 'no MPI'
# The last one starts faster.
mpi=${mpis##* }

# Words before the program, such as a shell that changes where a process is.
before=()

# job PROCESSES WORD...: what starts gprofx-mpi with these words, for expect_status and run.
job() {
	processes=$1
	shift
	timeout -k 5 100 "mpirun.$mpi" -n "$processes" ${before[@]+"${before[@]}"} \
		"$GPROFX_BUILD/bin/gprofx-mpi.$mpi" "$@"
}

# make_ranks FOLDER COUNT: a program, ./program, and profiles of it, FOLDER/gmon.out.1 and so on, which all differ.
make_ranks() {
	[ -x program ] || "$GPROFX_CC" -g -O1 -x c -o program - <<-'END' || fail 'no program'
		volatile int sum;
		__attribute__((noinline)) void first(void) { sum++; }
		__attribute__((noinline)) void second(void) { sum += 2; first(); }
		int main(void) { second(); first(); return 0; }
	END
	mkdir -p "$1"
	python3 - "$1" "$2" "$(nm program | sed -n 's/ T first$//p')" <<-'END' || fail 'no profiles'
		import sys
		from gmonfile import Profile
		base = int(sys.argv[3], 16)
		for rank in range(1, int(sys.argv[2]) + 1):
		    bins = [rank + i % 3 for i in range(32)]
		    profile = Profile().histogram(base, base + 64, bins).arc(base + 40, base, rank)
		    open(f'{sys.argv[1]}/gmon.out.{rank}', 'wb').write(profile.bytes())
	END
}

# make_faults: a library for each MPI, ./faults.openmpi.so and so on, that the environment has make faults.
make_faults() {
	for mpi in $mpis; do
		command -v "mpicc.$mpi" >/dev/null || skip "mpicc.$mpi is not installed"
		"mpicc.$mpi" -shared -fPIC -D_GNU_SOURCE -o "faults.$mpi.so" "$GPROFX_SOURCE/tests/mpi/fault.c" ||
			fail 'no library of faults'
	done
}
