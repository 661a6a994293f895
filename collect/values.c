/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "values.h"

#include <features.h>
#include <string.h>

#include "sys.h"

static bool
is_word(const char *value, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(value, word, length) == 0;
}

/* The number of a word in a list that ends with NULL, or -1. */
static int
choose(const char *value, size_t length, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (is_word(value, length, words[i]))
			return i;
	return -1;
}

/* A number between two bounds; *end is behind it. */
static bool
read_number(const char *value, size_t length, uint64_t least, uint64_t most, uint64_t *number,
            size_t *used)
{
	size_t i = 0;

	*number = 0;
	for (; i < length && value[i] >= '0' && value[i] <= '9' && i < 18; i++)
		*number = *number * 10 + (uint64_t)(value[i] - '0');
	*used = i;
	return i > 0 && *number >= least && *number <= most;
}

static bool
read_whole(const char *value, size_t length, uint64_t least, uint64_t most, uint32_t *to)
{
	uint64_t number;
	size_t used;

	if (!read_number(value, length, least, most, &number, &used) || used != length)
		return false;
	*to = (uint32_t)number;
	return true;
}

static bool
read_text(char *to, const char *value, size_t length)
{
	if (length == 0 || length >= COLLECT_PATH)
		return false;
	memcpy(to, value, length);
	to[length] = '\0';
	return true;
}

static bool
set_out(struct settings *settings, const char *value, size_t length)
{
	return read_text(settings->out, value, length);
}

static bool
set_live(struct settings *settings, const char *value, size_t length)
{
	settings->keeps_file = !is_word(value, length, "off");
	return !settings->keeps_file || read_text(settings->live, value, length);
}

static bool
set_gmon(struct settings *settings, const char *value, size_t length)
{
	static const char *const words[] =
		{[GMON_OFF] = "off", [GMON_AT_EXIT] = "exit", [GMON_ONLY] = "only", NULL};
	int word = choose(value, length, words);

	settings->gmon = (enum collect_gmon)word;
	return word >= 0;
}

static bool
set_rate(struct settings *settings, const char *value, size_t length)
{
	return read_whole(value, length, 1, 100000, &settings->rate);
}

static bool
set_clock(struct settings *settings, const char *value, size_t length)
{
	static const char *const words[] = {[GXC_CLOCK_OFF] = "off",
	                                    [GXC_CLOCK_CPU] = "cpu",
	                                    [GXC_CLOCK_TASK] = "task",
	                                    [GXC_CLOCK_WALL] = MACHINE_HAS_WAITS ? "wall" : NULL,
	                                    NULL};
	int word = choose(value, length, words);

	settings->clock = (uint32_t)word;
	return word >= 0;
}

enum { AUTOMATIC_UNWIND = MACHINE_HAS_EXACT_CFI ? UNWIND_CFI : UNWIND_FP };

static bool
set_stack(struct settings *settings, const char *value, size_t length)
{
	static const char *const words[] =
		{[UNWIND_OFF] = "off", [UNWIND_FP] = "fp", [UNWIND_CFI] = "cfi", "auto", NULL};
	int word = choose(value, length, words);

	if (word >= 0 && strcmp(words[word], "auto") == 0)
		word = AUTOMATIC_UNWIND;
	settings->unwind = (uint32_t)word;
	return word >= 0;
}

static bool
set_depth(struct settings *settings, const char *value, size_t length)
{
	return read_whole(value, length, 1, COLLECT_FRAMES, &settings->depth);
}

static bool
set_threads(struct settings *settings, const char *value, size_t length)
{
	static const char *const words[] = {"merge", "separate", NULL};
	int word = choose(value, length, words);

	settings->own_tables = word == 0 ? 0 : UINT32_MAX;
	return word >= 0 || read_whole(value, length, 1, COLLECT_OWN_TABLES, &settings->own_tables);
}

/* RTMIN+number */
static bool
read_realtime(const char *value, size_t length, uint32_t *to)
{
	static const char realtime[] = "RTMIN+";
	uint32_t number;

	if (length <= sizeof realtime - 1 || memcmp(value, realtime, sizeof realtime - 1) != 0 ||
	    !read_whole(value + sizeof realtime - 1, length - sizeof realtime + 1, 0,
	                (uint64_t)(SIGRTMAX - SIGRTMIN), &number))
		return false;
	*to = (uint32_t)SIGRTMIN + number;
	return true;
}

static bool
set_signal(struct settings *settings, const char *value, size_t length)
{
	if (is_word(value, length, "auto")) {
		settings->signal = 0;
		return true;
	}
	if (is_word(value, length, "PROF")) {
		settings->signal = SIGPROF;
		return true;
	}
	return read_realtime(value, length, &settings->signal);
}

static bool
set_control(struct settings *settings, const char *value, size_t length)
{
	static const char *const words[] = {"off", "USR1", "USR2", NULL};
	static const uint32_t numbers[] = {0, SIGUSR1, SIGUSR2};
	int word = choose(value, length, words);

	if (word < 0)
		return read_realtime(value, length, &settings->control);
	settings->control = numbers[word];
	return true;
}

/* A word that stands for true, or "off". */
static bool
set_on(bool *is_on, const char *value, size_t length, const char *word)
{
	*is_on = is_word(value, length, word);
	return *is_on || is_word(value, length, "off");
}

static bool
set_children(struct settings *settings, const char *value, size_t length)
{
	return set_on(&settings->follows_children, value, length, "follow");
}

static bool
set_only(struct settings *settings, const char *value, size_t length)
{
	return set_on(&settings->only_instrumented, value, length, "instrumented");
}

static bool
set_time(struct settings *settings, const char *value, size_t length)
{
	return set_on(&settings->is_exact, value, length, "exact");
}

static bool
set_memory(struct settings *settings, const char *value, size_t length)
{
	static const char units[] = "KMG";
	const uint64_t MOST = UINT64_C(1) << 40;
	const char *unit;
	size_t used;

	if (!read_number(value, length, 1, MOST, &settings->memory, &used))
		return false;
	if (used == length)
		return true;
	unit = memchr(units, value[used], sizeof units - 1);
	if (!unit || used + 1 != length || settings->memory > MOST >> 10 * (unit - units + 1))
		return false;
	settings->memory <<= 10 * (unit - units + 1);
	return true;
}

/* The C library keeps some of the 32 for itself. */
#ifdef __GLIBC__
#define REALTIME "RTMIN+0 to RTMIN+30"
#else
#define REALTIME "RTMIN+0 to RTMIN+29"
#endif

static const struct row {
	const char *key;
	bool (*set)(struct settings *settings, const char *value, size_t length);
	const char *values;
} rows[] = {
	{"out", set_out, "a name"},
	{"live", set_live, "a name, or off"},
	{"gmon", set_gmon, "exit, only or off"},
	{"rate", set_rate, "1 to 100000"},
	{"clock", set_clock, MACHINE_HAS_WAITS ? "cpu, task, wall or off" : "cpu, task or off"},
	{"stack", set_stack, "auto, cfi, fp or off"},
	{"depth", set_depth, "1 to 1024"},
	{"threads", set_threads, "1 to 1000000, merge or separate"},
	{"signal", set_signal, "auto, PROF or " REALTIME},
	{"control", set_control, "USR1, USR2, " REALTIME " or off"},
	{"children", set_children, "follow or off"},
	{"only", set_only, "instrumented or off"},
	{"time", set_time, "exact or off"},
	{"memory", set_memory, "1 to 1024G, in bytes or with K, M or G"},
};

void
values_set_defaults(struct settings *settings)
{
	*settings = (struct settings){
		.out = "gmon.out",
		.keeps_file = true,
		.gmon = GMON_AT_EXIT,
		.rate = 100,
		.clock = GXC_CLOCK_CPU,
		.unwind = AUTOMATIC_UNWIND,
		.depth = 128,
		.own_tables = 128,
		.follows_children = true,
		.only_instrumented = true,
		.memory = UINT64_C(256) << 20,
	};
}

static const struct row *
find_row(const char *key, size_t length)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (is_word(key, length, rows[i].key))
			return &rows[i];
	return NULL;
}

const char *
values_of(const char *key, size_t length)
{
	const struct row *row = find_row(key, length);

	return row ? row->values : NULL;
}

bool
values_set(struct settings *settings, const char *key, size_t key_length, const char *value,
           size_t length)
{
	const struct row *row = find_row(key, key_length);
	struct settings before = *settings;

	if (row && row->set(settings, value, length))
		return true;
	*settings = before;
	return false;
}

bool
values_share_signal(const struct settings *settings)
{
	return settings->control != 0 && settings->control == settings->signal;
}
