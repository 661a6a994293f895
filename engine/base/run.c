/* SPDX-License-Identifier: Apache-2.0 */
/* Begin and end of a run, and the host services that plugins get. */
#include "base/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mapfile.h"
#include "base/inputs.h"
#include "base/memory.h"

enum { MESSAGE_ROOM = 2048 };

const char run_no_id[] = "plugin.no-id";

static void
tell(struct run *run, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
     const char *format, va_list arguments)
{
	char message[MESSAGE_ROOM];

	if (run->is_silent) {
		run->silenced++;
		return;
	}
	vsnprintf(message, sizeof message, format, arguments);
	if (run->errors_are_warnings)
		severity = ENGINE_WARNING;
	if (severity == ENGINE_ERROR)
		run->error_count++;
	run->frontend->diagnose(run->frontend->opaque, severity, diagnostic, message, run->doing);
}

enum gprofx_result
run_fail(struct run *run, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tell(run, ENGINE_ERROR, diagnostic, format, arguments);
	va_end(arguments);
	return GPROFX_FAILED;
}

void
run_warn(struct run *run, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tell(run, ENGINE_WARNING, diagnostic, format, arguments);
	va_end(arguments);
}

void
run_give_up(struct run *run, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tell(run, ENGINE_ERROR, diagnostic, format, arguments);
	va_end(arguments);
	longjmp(run->give_up, 1);
}

static void
trace_line(struct run *run, const char *format, va_list arguments)
{
	char line[MESSAGE_ROOM];

	vsnprintf(line, sizeof line, format, arguments);
	run->frontend->trace(run->frontend->opaque, line);
}

void
run_trace(struct run *run, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	trace_line(run, format, arguments);
	va_end(arguments);
}

void
run_doing(struct run *run, const char *format, ...)
{
	va_list arguments;
	char words[MESSAGE_ROOM];
	int length;

	va_start(arguments, format);
	length = vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	if (length < 0)
		length = 0;
	if ((size_t)length >= sizeof words)
		length = (int)sizeof words - 1;
	run->doing = text_keep(run, words, (size_t)length);
}

void
run_doing_nothing(struct run *run)
{
	if (run->doing)
		run->done = run->doing;
	run->doing = NULL;
}

/* The services of struct gprofx_host.  The handle is the run's first member. */

static struct run *
run_of(struct gprofx *gx)
{
	return (struct run *)gx;
}

static void *
host_alloc(struct gprofx *gx, size_t bytes)
{
	return memory_alloc(run_of(gx), bytes);
}

static void *
host_grow(struct gprofx *gx, void *block, size_t old_bytes, size_t new_bytes)
{
	return memory_grow(run_of(gx), block, old_bytes, new_bytes);
}

static void
host_release(struct gprofx *gx, void *block)
{
	memory_release(run_of(gx), block);
}

/* What a plugin tells, in which it may have left out what everybody relies on. */
static void
tell_for_plugin(struct run *run, enum engine_severity severity,
                const struct gprofx_diagnostic *given, const char *format, va_list arguments)
{
	struct gprofx_diagnostic diagnostic = {.id = NULL};

	/* A size of 0 stands for that of version 1.0, and is the usual one. */
	if (given)
		memcpy(&diagnostic, given,
		       given->size != 0 && given->size < sizeof diagnostic ? given->size
		                                                           : sizeof diagnostic);
	if (!diagnostic.id || diagnostic.id[0] == '\0')
		diagnostic.id = run_no_id;
	tell(run, severity, &diagnostic, format ? format : "", arguments);
}

static enum gprofx_result
host_fail(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tell_for_plugin(run_of(gx), ENGINE_ERROR, diagnostic, format, arguments);
	va_end(arguments);
	return GPROFX_FAILED;
}

static void
host_warn(struct gprofx *gx, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tell_for_plugin(run_of(gx), ENGINE_WARNING, diagnostic, format, arguments);
	va_end(arguments);
}

static void
host_trace(struct gprofx *gx, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	trace_line(run_of(gx), format, arguments);
	va_end(arguments);
}

static void
host_note_input(struct gprofx *gx, int descriptor)
{
	inputs_note(run_of(gx), descriptor, "another input");
}

static uint8_t *
host_map_file(struct gprofx *gx, const char *path, uint64_t *length)
{
	struct run *run = run_of(gx);
	struct mapped_file *file;
	int error;

	file = mapfile_open(run, path, MAPFILE_REGULAR | MAPFILE_WHOLE, &error);
	if (!file)
		return NULL;
	if (file->length == 0) {
		mapfile_close(run, file);
		return NULL;
	}
	inputs_note_name(run, path, "another input");
	*length = file->length;
	return file->bytes;
}

static void
host_unmap_file(struct gprofx *gx, uint8_t *bytes)
{
	struct run *run = run_of(gx);
	struct mapped_file *file = mapfile_of(run, bytes);

	if (file)
		mapfile_close(run, file);
}

static const struct gprofx_host host = {
	.size = sizeof host,
	.abi_major = GPROFX_ABI_MAJOR,
	.abi_minor = GPROFX_ABI_MINOR,
	.alloc = host_alloc,
	.grow = host_grow,
	.release = host_release,
	.fail = host_fail,
	.warn = host_warn,
	.trace = host_trace,
	.note_input = host_note_input,
	.map_file = host_map_file,
	.unmap_file = host_unmap_file,
};

void
run_start(struct run *run, const struct engine_settings *settings,
          const struct engine_frontend *frontend)
{
	memset(run, 0, sizeof *run);
	run->gx.host = &host;
	run->gx.trace_topics = settings->trace_topics;
	run->settings = settings;
	run->frontend = frontend;
	run->threads = settings->threads;
}

struct run_descriptor {
	struct run_descriptor *next;
	int number;
};

void
run_keep_descriptor(struct run *run, int descriptor)
{
	struct run_descriptor *kept = memory_alloc(run, sizeof *kept);

	*kept = (struct run_descriptor){run->descriptors, descriptor};
	run->descriptors = kept;
}

struct run_closing {
	struct run_closing *next;
	void (*close)(struct run *run, void *argument);
	void *argument;
};

void
run_close_later(struct run *run, void (*close)(struct run *run, void *argument), void *argument)
{
	struct run_closing *closing = memory_alloc(run, sizeof *closing);

	*closing = (struct run_closing){run->closings, close, argument};
	run->closings = closing;
}

void
run_finish(struct run *run)
{
	for (struct run_closing *closing = run->closings; closing; closing = closing->next)
		closing->close(run, closing->argument);
	if (run->unfinished)
		unlink(run->unfinished);
	mapfile_close_all(run);
	for (struct run_descriptor *kept = run->descriptors; kept; kept = kept->next)
		close(kept->number);
	memory_free_all(run);
}

/* A failure that was not reported would end the program silently. */
static void
tell_silent_failure(struct run *run)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.no-reason",
		.hint = "this is a bug in the plugin: report it to its author, or choose another "
			"plugin with -O or --plugin",
	};

	run->doing = run->done;
	run_fail(run, &diagnostic, "the plugin failed without giving a reason");
}

struct run *
run_new(const struct engine_settings *settings, const struct engine_frontend *frontend)
{
	struct run *run = malloc(sizeof *run);

	if (!run) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "memory.exhausted",
			.hint = "allow the program more memory",
		};

		frontend->diagnose(frontend->opaque, ENGINE_ERROR, &diagnostic,
		                   "cannot allocate memory for the run", NULL);
		return NULL;
	}
	run_start(run, settings, frontend);
	return run;
}

bool
run_through(struct run *run, enum gprofx_result (*stages)(struct run *run, void *argument),
            void *argument)
{
	volatile bool ok = false;

	if (setjmp(run->give_up) == 0) {
		enum gprofx_result result = stages(run, argument);

		if (result != GPROFX_OK && run->error_count == 0 && !run->told_reason)
			tell_silent_failure(run);
		ok = result == GPROFX_OK && run->error_count == 0;
	}
	return ok;
}

void
run_end(struct run *run)
{
	if (!run)
		return;
	run_finish(run);
	free(run);
}

bool
run_whole(const struct engine_settings *settings, const struct engine_frontend *frontend,
          enum gprofx_result (*stages)(struct run *run, void *argument), void *argument)
{
	struct run *run = run_new(settings, frontend);
	bool ok = run && run_through(run, stages, argument);

	run_end(run);
	return ok;
}
