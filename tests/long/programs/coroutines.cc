// SPDX-License-Identifier: Apache-2.0
// A generator: its body becomes a function that the compiler names.
#include <coroutine>
#include <cstdio>
#include <cstdlib>

struct Numbers {
	struct promise_type {
		unsigned value = 0;
		Numbers get_return_object()
		{
			return Numbers{std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(unsigned v)
		{
			value = v;
			return {};
		}
		void return_void() {}
		void unhandled_exception() { std::abort(); }
	};
	std::coroutine_handle<promise_type> handle;
	unsigned next()
	{
		handle.resume();
		return handle.promise().value;
	}
};

__attribute__((noinline)) static unsigned churn(unsigned x)
{
	for (unsigned i = 0; i < 100; ++i)
		x = x * 69069 + 1;
	return x;
}

static Numbers numbers(unsigned seed)
{
	for (;;) {
		for (unsigned i = 0; i < 200; ++i)
			seed = seed * 5 + i;
		co_yield churn(seed);
	}
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1, sum = 0;
	Numbers list = numbers(1);

	for (unsigned i = 0; i < rounds * 200; ++i)
		sum += list.next();
	list.handle.destroy();
	std::printf("%u\n", sum);
	return 0;
}
