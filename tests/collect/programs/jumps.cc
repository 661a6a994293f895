// SPDX-License-Identifier: Apache-2.0
// Exceptions, longjmp and coroutines: 1000 of each through ten calls of descend(), and 3000 calls of leaf().
#include <csetjmp>
#include <cstdio>
#include <stdexcept>
#include <ucontext.h>

static volatile long sum;
static jmp_buf back;
static ucontext_t home, coroutine;

extern "C" __attribute__((noinline)) void leaf() { sum++; }

extern "C" __attribute__((noinline)) void
descend(int depth, bool jumps)
{
	if (depth == 1) {
		if (jumps)
			longjmp(back, 1);
		throw std::runtime_error("the lowest one");
	}
	descend(depth - 1, jumps);
	sum++;
}

extern "C" void
run_coroutine()
{
	for (;;) {
		leaf();
		swapcontext(&coroutine, &home);
	}
}

int
main()
{
	static char stack[64 * 1024];

	for (int i = 0; i < 1000; i++) {
		try {
			descend(10, false);
		} catch (const std::exception &) {
			leaf();
		}
		if (setjmp(back) == 0)
			descend(10, true);
		leaf();
	}
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = sizeof stack;
	makecontext(&coroutine, run_coroutine, 0);
	for (int i = 0; i < 1000; i++)
		swapcontext(&home, &coroutine);
	return 0;
}
