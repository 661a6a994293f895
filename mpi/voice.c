/* SPDX-License-Identifier: Apache-2.0 */
#include "voice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "gprofx-mpi";

enum { LONGEST_MESSAGE = 4096 };

void
voice_open(struct voice *voice, const struct job *job)
{
	memset(voice, 0, sizeof *voice);
	voice->job = job;
	snprintf(voice->name, sizeof voice->name, "%s: process %d on %s", program, job->number,
	         job->host);
	console_open(&voice->console, job->rank == 0 ? program : voice->name);
	/* mpirun passes it on, to a terminal of its own for each process or not. */
	voice->console.has_no_terminal = true;
}

static void
forget_files(struct voice *voice)
{
	for (uint64_t i = 0; i < voice->file_count; i++)
		free((char *)voice->files[i]);
	free(voice->files);
	free(voice->is_left_out);
	voice->files = NULL;
	voice->is_left_out = NULL;
	voice->file_count = 0;
}

static int
compare_files(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

void
voice_set_files(struct voice *voice, const char *const *files, uint64_t count, const char *host)
{
	size_t before = host ? strlen(host) + 1 : 0;

	forget_files(voice);
	voice->files = job_alloc((size_t)count * sizeof *voice->files);
	voice->is_left_out = job_alloc((size_t)count * sizeof *voice->is_left_out);
	voice->file_count = count;
	voice->left_out = 0;
	for (uint64_t i = 0; i < count; i++) {
		size_t bytes = before + strlen(files[i]) + 1;
		char *name = job_alloc(bytes);

		snprintf(name, bytes, "%s%s%s", host ? host : "", host ? ":" : "", files[i]);
		voice->files[i] = name;
	}
	if (count > 0)
		qsort(voice->files, (size_t)count, sizeof *voice->files, compare_files);
}

bool
voice_left_out(const struct voice *voice, uint64_t number)
{
	return voice->is_left_out[number];
}

bool
voice_close(struct voice *voice)
{
	forget_files(voice);
	voice->console.program = program;
	return console_close(&voice->console);
}

/* Notes an error about a file.  False: it is none of this process. */
static bool
is_own_file(struct voice *voice, const char *name, bool is_error)
{
	const char **found = NULL;
	uint64_t number;

	if (name && voice->file_count > 0)
		found = bsearch(&name, voice->files, (size_t)voice->file_count,
		                sizeof *voice->files, compare_files);
	if (!found)
		return false;
	number = (uint64_t)(found - voice->files);
	if (is_error && !voice->is_left_out[number]) {
		voice->is_left_out[number] = true;
		voice->left_out++;
	}
	return true;
}

void
voice_diagnose(void *opaque, enum engine_severity severity,
               const struct gprofx_diagnostic *diagnostic, const char *message, const char *doing)
{
	struct voice *voice = opaque;
	bool is_error = severity == ENGINE_ERROR, is_first = voice->job->rank == 0;
	bool is_own = is_own_file(voice, diagnostic->file, is_error);

	if ((voice->is_trying && (is_own || !is_error)) || (voice->repeats && is_own))
		return;
	if (!is_error && !is_own && !is_first)
		return;
	voice->has_failed = voice->has_failed || (is_error && !is_own);
	voice->console.program = is_own || !is_first ? voice->name : program;
	console_diagnose(&voice->console, severity, diagnostic, message, doing);
	voice->console.program = program;
}

static void
say(struct voice *voice, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
    const char *format, va_list arguments)
{
	char message[LONGEST_MESSAGE];

	vsnprintf(message, sizeof message, format, arguments);
	voice->console.program = voice->job->rank == 0 ? program : voice->name;
	console_diagnose(&voice->console, severity, diagnostic, message, NULL);
}

void
voice_fail(struct voice *voice, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(voice, ENGINE_ERROR, diagnostic, format, arguments);
	va_end(arguments);
}

void
voice_warn(struct voice *voice, const struct gprofx_diagnostic *diagnostic, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(voice, ENGINE_WARNING, diagnostic, format, arguments);
	va_end(arguments);
}
