/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Settings of a recording from outside: some of those of the collector. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach-events.h"
#include "attach.h"
#include "message.h"
#include "system.h"

enum { MOST_DEPTH = 1024, USUAL_RATE = 100, USUAL_DEPTH = 128, MOST_RATE = 100000 };

static bool
refuse(const char *option, const char *expected, const char *found)
{
	message("error[record.bad-value]: expected %s after --%s, found '%s'", expected, option,
	        found);
	return false;
}

/* The most samples in a second that the system allows. */
static uint32_t
most_rate(void)
{
	long most = system_number("/proc/sys/kernel/perf_event_max_sample_rate", MOST_RATE);

	return most > 0 && most < MOST_RATE ? (uint32_t)most : MOST_RATE;
}

static bool
read_number(const char *option, const char *value, uint32_t most, uint32_t *to)
{
	char expected[128], *end;
	unsigned long number = strtoul(value, &end, 10);

	if (value[0] >= '0' && value[0] <= '9' && *end == '\0' && number >= 1 && number <= most) {
		*to = (uint32_t)number;
		return true;
	}
	snprintf(expected, sizeof expected, "a number from 1 to %u%s", most,
	         most < MOST_RATE && most != MOST_DEPTH
	                 ? ", which kernel.perf_event_max_sample_rate allows,"
	                 : "");
	return refuse(option, expected, value);
}

static bool
set_stack(struct attach *attach, const char *value)
{
	if (strcmp(value, "auto") == 0)
		attach->stacks = EVENTS_HAS_CFI ? EVENTS_CFI : EVENTS_FP;
	else if (strcmp(value, "cfi") == 0 && EVENTS_HAS_CFI)
		attach->stacks = EVENTS_CFI;
	else if (strcmp(value, "fp") == 0)
		attach->stacks = EVENTS_FP;
	else if (strcmp(value, "off") == 0)
		attach->stacks = EVENTS_OFF;
	else
		return refuse("stack",
		              EVENTS_HAS_CFI ? "auto, cfi, fp or off"
		                             : "auto, fp or off, with --pid on this machine,",
		              value);
	return true;
}

static bool
set_children(struct attach *attach, const char *value)
{
	attach->follows = strcmp(value, "follow") == 0;
	return attach->follows || strcmp(value, "off") == 0 ||
	       refuse("children", "follow or off", value);
}

/* The samples are those of clock=task. */
static bool
set_clock(const char *value)
{
	return strcmp(value, "task") == 0 || refuse("clock", "task, with --pid,", value);
}

static bool
set(struct attach *attach, const char *key, const char *value)
{
	if (strcmp(key, "rate") == 0)
		return read_number(key, value, most_rate(), &attach->rate);
	if (strcmp(key, "depth") == 0)
		return read_number(key, value, MOST_DEPTH, &attach->depth);
	if (strcmp(key, "stack") == 0)
		return set_stack(attach, value);
	if (strcmp(key, "children") == 0)
		return set_children(attach, value);
	if (strcmp(key, "clock") == 0)
		return set_clock(value);
	message("error[attach.unused-option]: --pid has no use for --%s: leave it out, or start the "
	        "program with \"gprofx record PROGRAM\"",
	        key);
	return false;
}

bool
attach_read_settings(struct attach *attach, const char *settings)
{
	attach->rate = USUAL_RATE;
	attach->depth = USUAL_DEPTH;
	attach->follows = true;
	(void)set_stack(attach, "auto");
	/* Each is ",key=value", and no value has a comma. */
	while (*settings == ',') {
		const char *key = ++settings;
		size_t length = strcspn(key, ","), name = strcspn(key, "=");
		char pair[256];

		if (length >= sizeof pair || name >= length)
			return refuse("pid", "short values", key);
		memcpy(pair, key, length);
		pair[length] = pair[name] = '\0';
		if (!set(attach, pair, pair + name + 1))
			return false;
		settings += length;
	}
	return true;
}

bool
attach_read_duration(const char *words, int64_t *milliseconds)
{
	const double LEAST = 0.1, MOST = 1e7;
	char *end;
	double seconds = strtod(words, &end);

	if (end == words || *end != '\0' || !(seconds >= LEAST && seconds <= MOST))
		return refuse("duration", "0.1 to 10000000 seconds", words);
	*milliseconds = (int64_t)(seconds * 1000);
	return true;
}
