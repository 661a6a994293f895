/* SPDX-License-Identifier: Apache-2.0 */
/* What front ends call to try out a plugin, in the library of the plugin check. */
#ifndef ENGINE_PLUGIN_CHECK_TRY_H
#define ENGINE_PLUGIN_CHECK_TRY_H

#include "engine.h"

enum {
	ENGINE_CHECK_MOST_DOING = 256,
	ENGINE_CHECK_MOST_WORDS = 4096,
	/* First characters of the lines of engine_check.words. */
	ENGINE_CHECK_FAULT = '!',
	ENGINE_CHECK_REMARK = '-',
	ENGINE_CHECK_HINT = '>' /* what to do about the fault before */
};

/*
 * What came of a step of trying out a module.  It can lie in memory that outlives the process that
 * takes the step.
 */
struct engine_check {
	bool is_finished;   /* else a callback did not return */
	bool is_applicable; /* the plugin has what the step is about */
	/* The callback under way, in words; "": none. */
	char doing[ENGINE_CHECK_MOST_DOING];
	/* Bytes from "guard" on are behind those that a callback may touch. */
	const void *guard;
	size_t guard_bytes;
	/* What was found, each in a line with a newline. */
	char words[ENGINE_CHECK_MOST_WORDS];
};

/* A step: its name, and what is true of a plugin that passes. */
struct engine_check_step {
	const char *name, *passed;
	bool is_required; /* without it there is nothing for those behind it to look at */
};

/* The steps in their order.  Static. */
const struct engine_check_step *engine_check_steps(uint32_t *count);

/*
 * Takes a step with the module in a file, from an absolute path, and notes what is found.  The step
 * calls the plugin with bad input: it can crash, go on for ever, or end the process, so it is to be
 * called in a process of its own.
 */
void engine_try_plugin(const struct engine_settings *settings, const char *path, uint32_t step,
                       struct engine_check *check);

#endif
