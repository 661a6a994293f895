/* SPDX-License-Identifier: Apache-2.0 */
#include "listing.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "job.h"

void
name_list_add(struct name_list *list, const char *name)
{
	size_t bytes = strlen(name) + 1;

	if (bytes > list->room - list->used) {
		list->room = (list->used + bytes) * 2 + 4096;
		list->bytes = job_grow(list->bytes, list->room);
	}
	memcpy(list->bytes + list->used, name, bytes);
	list->used += bytes;
	list->count++;
}

void
name_list_free(struct name_list *list)
{
	free(list->bytes);
	memset(list, 0, sizeof *list);
}

const char **
name_list_pointers(const struct name_list *list)
{
	const char **names = job_alloc((size_t)(list->count + NAME_LIST_PADDING) * sizeof *names);
	const char *at = list->bytes;

	for (uint64_t i = 0; i < list->count; i++) {
		names[i] = at;
		at += strlen(at) + 1;
	}
	for (uint64_t i = list->count; i < list->count + NAME_LIST_PADDING; i++)
		names[i] = "";
	return names;
}

static void
add(void *opaque, const char *name)
{
	name_list_add(opaque, name);
}

static void
report(const struct engine_frontend *frontend, const char *id, const char *word, int error,
       const char *message, const char *hint)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = id,
		.file = word,
		.system_error = error,
		.hint = hint,
	};

	frontend->diagnose(frontend->opaque, ENGINE_ERROR, &diagnostic, message, NULL);
}

/* Adds what a pattern matches. */
static bool
expand(struct name_list *words, const char *pattern, const struct engine_frontend *frontend,
       bool skips_missing)
{
	glob_t found;
	int result = glob(pattern, GLOB_ERR, NULL, &found);

	for (size_t i = 0; result == 0 && i < found.gl_pathc; i++)
		name_list_add(words, found.gl_pathv[i]);
	if (result == 0 || result == GLOB_NOMATCH)
		globfree(&found);
	if (result == GLOB_NOMATCH && !skips_missing)
		report(frontend, "mpi.no-match", pattern, 0, "no file matches the pattern",
		       "check the path; a pattern is matched where process 0 runs");
	else if (result != 0 && result != GLOB_NOMATCH)
		report(frontend, "mpi.no-match", pattern, errno,
		       "a folder of the pattern cannot be read",
		       "check the path and the permissions of the folder");
	return result == 0 || (result == GLOB_NOMATCH && skips_missing);
}

/* Puts files in the place of patterns. */
static bool
expand_words(struct name_list *words, const struct engine_settings *settings,
             const struct engine_frontend *frontend, bool skips_missing)
{
	bool ok = true;

	for (uint32_t i = 0; i < settings->profile_count; i++) {
		const char *word = settings->profiles[i];
		struct stat status;
		bool is_there = stat(word, &status) == 0;

		if (!is_there && strpbrk(word, "*?["))
			ok = expand(words, word, frontend, skips_missing) && ok;
		else if (is_there || errno != ENOENT || !skips_missing)
			name_list_add(words, word);
	}
	return ok;
}

/* What is said while a node lists its files: folders without profiles are no mistake there. */
struct hearing {
	const struct engine_frontend *frontend;
	bool skips_missing, has_failed;
};

static void
hear(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
     const char *message, const char *doing)
{
	struct hearing *hearing = opaque;

	if (hearing->skips_missing && strcmp(diagnostic->id, "profile.is-a-folder") == 0)
		return;
	hearing->has_failed = hearing->has_failed || severity == ENGINE_ERROR;
	hearing->frontend->diagnose(hearing->frontend->opaque, severity, diagnostic, message,
	                            doing);
}

bool
listing_make(struct name_list *list, const struct engine_settings *settings,
             const struct engine_frontend *frontend, bool skips_missing)
{
	struct engine_settings changed = *settings;
	struct hearing hearing = {.frontend = frontend, .skips_missing = skips_missing};
	struct engine_frontend listener = {.opaque = &hearing, .diagnose = hear};
	struct name_list words = {0};
	bool ok = expand_words(&words, settings, frontend, skips_missing);
	const char **names = name_list_pointers(&words);

	changed.profiles = names;
	changed.profile_count = (uint32_t)words.count;
	if (words.count > 0)
		(void)engine_list_files(&changed, &listener, add, list);
	free(names);
	name_list_free(&words);
	return ok && !hearing.has_failed;
}
