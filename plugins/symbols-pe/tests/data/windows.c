/* SPDX-License-Identifier: Apache-2.0 */
/* The program of the fixtures: static, weak and mangled functions. */
#define NAME_OF(prefix, name) #prefix name
#define WITH_PREFIX(prefix, name) NAME_OF(prefix, name)
#define MANGLED(name) __asm__(WITH_PREFIX(__USER_LABEL_PREFIX__, name))
#define APART __attribute__((noinline, noclone))

int start(void);
int find(int key) MANGLED("_ZN5table4findEi");

static volatile int sink;

/* What -pg calls; nothing is written, as the profile is made by the recipe. */
void hook(void) __asm__("_mcount");
__attribute__((no_instrument_function)) void
hook(void)
{
}

static APART void
quiet(int times)
{
	for (int i = 0; i < times; i++)
		sink += i;
}

static APART int
scaled(int value, int factor)
{
	quiet(value);
	return sink * factor + sink / (factor + 1);
}

APART int
find(int key)
{
	quiet(key);
	return scaled(key, 12) + scaled(key + 1, 12);
}

/* Enough functions to show where the program was loaded. */
#define STEP(name, next)             \
	APART int name(int key)      \
	{                            \
		quiet(key);          \
		return (next) ^ key; \
	}
int parse(int), sort(int), merge(int), print(int), flush(int);
STEP(flush, sink * 7)
STEP(print, flush(key) + flush(key + 1) + sink)
STEP(merge, sink / 3)
STEP(sort, merge(key - 1) * merge(key / 2) + 5)
STEP(parse, sort(key) + print(key) * find(key + 9) - sink / 5)

APART __attribute__((weak)) int
replaceable(int key)
{
	return find(key) + find(key + 1);
}

int
start(void)
{
	return parse(1) + replaceable(3) + find(4);
}
