/* SPDX-License-Identifier: Apache-2.0 */
#include "request.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"

#ifdef GPROFX_BUILTIN
extern const struct gprofx_plugin *const gprofx_builtin_plugins[];
#else
static const struct gprofx_plugin *const *const gprofx_builtin_plugins = NULL;
#endif

static void *
allocate(struct gprofx_analysis *analysis, size_t count, size_t bytes)
{
	size_t room = count < (SIZE_MAX - sizeof(struct copy)) / bytes ? count * bytes : SIZE_MAX;
	struct copy *copy = room < SIZE_MAX ? calloc(1, sizeof *copy + room) : NULL;

	if (!copy) {
		analysis->failed = true;
		return NULL;
	}
	copy->next = analysis->copies;
	analysis->copies = copy;
	return copy->bytes;
}

static const char *
copy_text(struct gprofx_analysis *analysis, const char *text)
{
	size_t bytes = text ? strlen(text) + 1 : 0;
	char *copy = text ? allocate(analysis, bytes, 1) : NULL;

	return copy ? memcpy(copy, text, bytes) : NULL;
}

static const char *const *
copy_list(struct gprofx_analysis *analysis, const char *const *list, uint32_t count)
{
	const char **copy = allocate(analysis, (size_t)count + 1, sizeof *copy);

	for (uint32_t i = 0; copy && i < count; i++)
		copy[i] = copy_text(analysis, list[i]);
	return copy;
}

static const struct engine_output *
copy_outputs(struct gprofx_analysis *analysis)
{
	const struct gprofx_request *request = &analysis->request;
	struct engine_output *outputs = allocate(analysis, (size_t)request->output_count + 1,
	                                         sizeof *outputs);

	for (uint32_t i = 0; outputs && i < request->output_count; i++) {
		outputs[i].format = copy_text(analysis, request->outputs[i].format);
		outputs[i].file = copy_text(analysis, request->outputs[i].file);
	}
	return outputs;
}

static const struct gprofx_request_run *
run_at(const struct gprofx_request *request, uint32_t i)
{
	return GPROFX_ROW(struct gprofx_request_run, request->further_runs, i);
}

static const struct engine_run *
copy_runs(struct gprofx_analysis *analysis)
{
	const struct gprofx_request *request = &analysis->request;
	struct engine_run *runs = allocate(analysis, (size_t)request->further_run_count + 1,
	                                   sizeof *runs);

	for (uint32_t i = 0; runs && i < request->further_run_count; i++) {
		const struct gprofx_request_run *run = run_at(request, i);

		runs[i].label = copy_text(analysis, run->label);
		runs[i].profiles = copy_list(analysis, run->profiles, run->profile_count);
		runs[i].profile_count = run->profile_count;
	}
	return runs;
}

/* The file that an address was mapped from, as the system tells; from malloc, or NULL. */
static char *
mapped_file(const void *address)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL, *file = NULL;
	size_t room = 0;

	/* LOW-HIGH RIGHTS OFFSET DEVICE INODE FILE */
	while (maps && !file && getline(&line, &room, maps) > 0) {
		char *end, *name = strchr(line, '/');
		uintptr_t low = strtoul(line, &end, 16);
		uintptr_t high = *end == '-' ? strtoul(end + 1, NULL, 16) : low;

		if (name && (uintptr_t)address - low < high - low)
			file = strndup(name, strcspn(name, "\n"));
	}
	free(line);
	if (maps)
		fclose(maps);
	return file;
}

/* The library's own file, behind all links; from malloc, or NULL. */
static char *
own_file(void)
{
	static const char inside = 0;
	Dl_info info;
	char *file;

	if (dladdr(&inside, &info) && info.dli_fname && info.dli_fname[0] == '/')
		return realpath(info.dli_fname, NULL);
	/* The loader knows it by a path from where the program was then. */
	file = mapped_file(&inside);
	if (file && access(file, F_OK) == 0)
		return file;
	free(file);
	return NULL;
}

/* A folder that belongs to the library: it is found from the library's own place. */
static const char *
own_folder(struct gprofx_analysis *analysis, const char *from_library)
{
	char *folder, *library = own_file();
	const char *end;
	size_t room;

	end = library ? strrchr(library, '/') : NULL;
	room = end ? (size_t)(end - library) + strlen(from_library) + 2 : 0;
	folder = end ? allocate(analysis, room, 1) : NULL;
	if (folder)
		snprintf(folder, room, "%.*s/%s", (int)(end - library), library, from_library);
	free(library);
	return folder;
}

static void
set_folders(struct gprofx_analysis *analysis)
{
	const struct gprofx_request *request = &analysis->request;
	struct engine_settings *settings = &analysis->settings;
	uint32_t count = request->plugin_folder_count;
	const char **folders = allocate(analysis, (size_t)count + 2, sizeof *folders);

	if (!folders)
		return;
	for (uint32_t i = 0; i < count; i++)
		folders[i] = copy_text(analysis, request->plugin_folders[i]);
	folders[count] = own_folder(analysis, GPROFX_PLUGIN_FOLDER_FROM_LIBRARY);
	if (folders[count])
		settings->installed_folder_count = 1;
	settings->plugin_folders = folders;
	settings->plugin_folder_count = count + settings->installed_folder_count;
}

/* Presets of the system and the user are settings that were found, not named. */
static void
set_presets(struct gprofx_analysis *analysis)
{
	const char *folder = own_folder(analysis, GPROFX_PRESET_FOLDER_FROM_LIBRARY);
	char *real = folder ? realpath(folder, NULL) : NULL;

	analysis->settings.installed_presets = copy_text(analysis, real);
	free(real);
}

static bool
has(const struct gprofx_request *request, enum gprofx_request_flag flag)
{
	return (request->flags & (uint32_t)flag) != 0;
}

/* What the request says counts more than what a file of settings says. */
static void
give(struct engine_settings *settings, const struct gprofx_request *request)
{
	static const struct {
		enum gprofx_request_flag flag;
		enum engine_setting setting;
	} flags[] = {
		{GPROFX_REQUEST_NO_STATIC, ENGINE_SET_DROP_STATIC},
		{GPROFX_REQUEST_UNUSED, ENGINE_SET_SHOW_UNUSED},
		{GPROFX_REQUEST_MANGLED, ENGINE_SET_DEMANGLING},
		{GPROFX_REQUEST_FINDINGS, ENGINE_SET_FINDINGS},
		{GPROFX_REQUEST_STATIC_CALLS, ENGINE_SET_STATIC_CALLS},
		{GPROFX_REQUEST_KEEP_GOING, ENGINE_SET_KEEP_GOING},
	};

	engine_give(settings, ENGINE_SET_OUTPUTS);
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (has(request, flags[i].flag))
			engine_give(settings, flags[i].setting);
	if (request->reader)
		engine_give(settings, ENGINE_SET_READER);
	if (request->threads > 0)
		engine_give(settings, ENGINE_SET_THREADS);
}

void
request_settle(struct gprofx_analysis *analysis)
{
	const struct gprofx_request *request = &analysis->request;
	struct engine_settings *settings = &analysis->settings;

	engine_set_defaults(settings);
	settings->image = copy_text(analysis, request->image);
	settings->profiles = copy_list(analysis, request->profiles, request->profile_count);
	settings->profile_count = request->profile_count;
	if (request->base)
		settings->base = (struct engine_partial){
			request->base->name ? request->base->name : "base", request->base->bytes,
			request->base->length};
	settings->run_label = copy_text(analysis, request->label);
	settings->further_runs = copy_runs(analysis);
	settings->further_run_count = request->further_run_count;
	settings->program_is_optional = !request->image;
	settings->keep_going = has(request, GPROFX_REQUEST_KEEP_GOING);
	settings->reader = copy_text(analysis, request->reader);
	settings->slide = ENGINE_SLIDE_AUTO;
	settings->plugins = copy_list(analysis, request->plugins, request->plugin_count);
	settings->plugin_count = request->plugin_count;
	settings->builtin = gprofx_builtin_plugins;
	settings->correct_by_default = !has(request, GPROFX_REQUEST_AS_GPROF);
	settings->findings = has(request, GPROFX_REQUEST_FINDINGS);
	settings->drop_static = has(request, GPROFX_REQUEST_NO_STATIC);
	settings->by_line = has(request, GPROFX_REQUEST_BY_LINE);
	settings->static_calls = has(request, GPROFX_REQUEST_STATIC_CALLS);
	settings->clones = ENGINE_CLONES_FOLD;
	settings->demangling = has(request, GPROFX_REQUEST_MANGLED) ? ENGINE_DEMANGLE_NONE
	                                                            : ENGINE_DEMANGLE_AUTO;
	settings->raw_names = has(request, GPROFX_REQUEST_MANGLED);
	settings->show_unused = has(request, GPROFX_REQUEST_UNUSED);
	settings->report_parts = request->parts |
	                         (settings->findings ? (uint32_t)GPROFX_PART_FINDINGS : 0);
	settings->report_contexts = request->contexts;
	settings->report_slices = request->slices;
	settings->outputs = copy_outputs(analysis);
	settings->output_count = request->output_count;
	settings->threads = request->threads < ENGINE_THREADS_AT_MOST ? request->threads
	                                                              : ENGINE_THREADS_AT_MOST;
	give(settings, request);
	analysis->trusted_users[1] = (uint32_t)geteuid();
	settings->trusted_users = analysis->trusted_users;
	settings->trusted_user_count = 2;
	analysis->config.kind = ENGINE_CONFIG_FILE;
	analysis->config.word = copy_text(analysis, request->config);
	if (analysis->config.word) {
		settings->configs = &analysis->config;
		settings->config_count = 1;
	}
	set_folders(analysis);
	set_presets(analysis);
	/* The time of what collects the profile is left out, as on the command line. */
	settings->symspecs = engine_collector_specs;
	settings->symspec_count = ENGINE_COLLECTOR_SPECS;
	settings->collector_spec_count = ENGINE_COLLECTOR_SPECS;
}

static void
diagnose(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
         const char *text, const char *doing)
{
	const struct gprofx_analysis *analysis = opaque;
	const struct gprofx_message message = {
		.size = sizeof message,
		.severity = severity == ENGINE_ERROR ? GPROFX_ERROR : GPROFX_WARNING,
		.text = text,
		.doing = doing,
		.diagnostic = diagnostic,
	};

	if (analysis->request.tell)
		analysis->request.tell(analysis->request.opaque, &message);
}

static void
trace(void *opaque, const char *line)
{
	(void)opaque;
	(void)line;
}

static int
write_out(void *opaque, const void *bytes, size_t count)
{
	const struct gprofx_analysis *analysis = opaque;

	if (!analysis->request.write)
		return EBADF;
	return analysis->request.write(analysis->request.opaque, bytes, count);
}

struct gprofx_analysis *
request_begin(const struct gprofx_request *request)
{
	struct gprofx_analysis *analysis = calloc(1, sizeof *analysis);

	if (!analysis)
		return NULL;
	memcpy(&analysis->request, request,
	       request->size < sizeof *request ? request->size : sizeof *request);
	analysis->frontend = (struct engine_frontend){.opaque = analysis,
	                                              .diagnose = diagnose,
	                                              .trace = trace,
	                                              .write = write_out};
	return analysis;
}

/* Whether one of the texts of a list is not there. */
static bool
lacks_text(const char *const *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!list[i])
			return true;
	return false;
}

/* What is wrong with further runs of the request, or NULL. */
static const char *
runs_problem(const struct gprofx_request *request)
{
	if (request->further_run_count >= GPROFX_RUNS_AT_MOST)
		return "expected at most 64 runs in the request, found more";
	if (request->further_run_count > 0 && !request->further_runs)
		return "expected as many runs in the request as it says, found none";
	if (request->further_run_count > 0 &&
	    (request->parts & (GPROFX_PART_PER_FILE | GPROFX_PART_FILE_VALUES)))
		return "expected one run in a request for times per file, found several";
	if (request->further_run_count > 0 &&
	    request->further_runs->size < sizeof(struct gprofx_request_run))
		return "expected runs of the size that this version has, found smaller ones";
	for (uint32_t i = 0; i < request->further_run_count; i++) {
		const struct gprofx_request_run *run = run_at(request, i);

		if (run->profile_count == 0 || !run->profiles ||
		    lacks_text(run->profiles, run->profile_count))
			return "expected at least one profile in each run of the request, found none";
	}
	return NULL;
}

const char *
request_problem(const struct gprofx_request *request, bool takes_partials)
{
	bool writes = false;

	if (request->parts & ~(uint32_t)ENGINE_KNOWN_PARTS)
		return "expected parts of the report that this version has, found others";
	if (request->contexts & ~(uint32_t)ENGINE_KNOWN_CONTEXTS)
		return "expected contexts that this version knows, found others";
	if (request->slices & ~(uint32_t)ENGINE_KNOWN_SLICES)
		return "expected slices that this version knows, found others";
	if (!takes_partials && (request->profile_count == 0 || !request->profiles))
		return "expected at least one profile in the request, found none";
	if (runs_problem(request))
		return runs_problem(request);
	if (request->base && (request->base->size < sizeof *request->base || !request->base->bytes))
		return "expected the bytes of a base in the request, found none";
	if ((request->profile_count > 0 && !request->profiles) ||
	    (request->plugin_count > 0 && !request->plugins) ||
	    (request->plugin_folder_count > 0 && !request->plugin_folders) ||
	    (request->output_count > 0 && !request->outputs))
		return "expected as many items in the request as it says, found none";
	if (lacks_text(request->profiles, request->profile_count) ||
	    lacks_text(request->plugins, request->plugin_count) ||
	    lacks_text(request->plugin_folders, request->plugin_folder_count))
		return "expected names in all lists of the request, found NULL";
	for (uint32_t i = 0; i < request->output_count; i++) {
		if (!request->outputs[i].format)
			return "expected a format for each output of the request, found none";
		writes = writes || !request->outputs[i].file;
	}
	if (writes && !request->write)
		return "expected a function that takes outputs without a file, found none";
	for (uint32_t i = 0; i < request->plugin_folder_count; i++)
		if (request->plugin_folders[i][0] != '/')
			return "expected absolute names of folders with plugins, found a relative "
			       "one";
	return NULL;
}

void
request_fail(const struct gprofx_analysis *analysis, const char *id, const char *text,
             const char *hint)
{
	const struct gprofx_diagnostic diagnostic = {.id = id, .hint = hint};

	diagnose((void *)analysis, ENGINE_ERROR, &diagnostic, text, NULL);
}
