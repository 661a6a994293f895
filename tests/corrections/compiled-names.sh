#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# local-names, with what compilers make: lambdas, OpenMP regions, versions for processors, coroutines, nested
# functions. The truth: each body runs much longer than all else, and main does not call itself. About 4 s.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

cat >lambdas.cc <<'END'
volatile double sink;
#define SPIN(n) do { double s = 0; for (int i = 0; i < (n); i++) s += i; sink = s; } while (0)
int main() {
	auto spin = [](int k) __attribute__((noinline)) { SPIN(k); };
	for (int r = 0; r < 300; r++)
		spin(100000);
}
END
cat >regions.c <<'END'
volatile double sink;
int main(void) {
	#pragma omp parallel num_threads(1)
	{ double s = 0; for (int i = 0; i < 60000000; i++) s += i; sink = s; }
	return 0;
}
END
cat >versions.c <<'END'
volatile double sink;
__attribute__((target_clones("avx2", "default"))) void kernel(int n) {
	double s = 0; for (int i = 0; i < n; i++) s += i; sink = s;
}
int main(void) { for (int r = 0; r < 300; r++) kernel(200000); return 0; }
END
cat >coroutines.cc <<'END'
#include <coroutine>
volatile double sink;
struct Task {
	struct promise_type {
		Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		void unhandled_exception() {}
		void return_void() {}
	};
	std::coroutine_handle<promise_type> handle;
};
Task work(int n) { for (int r = 0; r < n; r++) { double s = 0; for (int i = 0; i < 200000; i++) s += i; sink = s; co_await std::suspend_always(); } }
int main() { Task task = work(200); while (!task.handle.done()) task.handle.resume(); }
END

# check NAME PATTERN COMPILER WORD...: compiles, runs, and expects that a row of that name has most of the time.
check() {
	name=$1 pattern=$2
	shift 2
	command -v "$1" >/dev/null 2>&1 || return 0
	"$@" -pg -o program 2>err || return 0
	# On a busy machine a run of some hundredths of a second can be over without a sample.
	for _ in 1 2 3; do
		rm -f gmon.out
		./program || fail "$name: the program fails"
		expect_status 0 "$GPROFX" --no-findings -b -p program gmon.out
		grep -q 'no time accumulated' out || break
	done
	awk -v pattern="$pattern" '$1 + 0 > 0 && substr($0, 55) ~ pattern {sum += $1} END {exit !(sum > 60)}' out ||
		fail "$name: less than 60 % for $pattern"
	# Where nothing but main is called, there are no arcs.
	run "$GPROFX" --no-findings -b -q program gmon.out
	! grep -E '[0-9]\+[0-9]+ +main' out || fail "$name: main calls itself"
	tried="$tried $name"
}

tried=
check lambda-clang 'main::\$_0::operator\(\)\(int\) const$' clang++ -O1 lambdas.cc
check lambda-gcc 'main::\{lambda\(int\)#1\}::operator\(\)\(int\) const$' g++ -O1 lambdas.cc
check lambda-old 'main::\$_0::operator\(\)\(int\) const$' clang++ -O0 -no-pie lambdas.cc
check region-gcc 'main \[omp 0\]$' gcc -O1 -fopenmp regions.c
check region-lto 'main \[omp 0\]' gcc -O1 -flto -fopenmp regions.c
check region-clang '\[omp\]$' clang -O1 -fopenmp regions.c
check version 'kernel \[(avx2|default)\]$' gcc -O1 versions.c
check coroutine 'work\(int\) \[coroutine actor\]$' g++ -O1 -std=c++20 -fcoroutines coroutines.cc
[ -n "$tried" ] || skip 'no compiler makes such names'
