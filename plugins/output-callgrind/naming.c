/* SPDX-License-Identifier: Apache-2.0 */
/* The names of functions, files and objects, and the numbers that they are written by. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../shared/export-names.h"

#include <gprofx/report.h>
#include "body.h"
#include "costs.h"
#include "executions.h"
#include "lines.h"

/* Readers skip blanks around a name, and a name of nothing else damages what they read. */
static bool
is_fit(const char *bytes, size_t length)
{
	return bytes[0] != ' ' && bytes[length - 1] != ' ';
}

static void
fit(char *bytes, size_t length)
{
	for (size_t i = 0; i < length && bytes[i] == ' '; i++)
		bytes[i] = '_';
	for (size_t i = length; i > 0 && bytes[i - 1] == ' '; i--)
		bytes[i - 1] = '_';
}

static const struct export_form form = {.is_fit = is_fit, .fit = fit, .has_lines = true};

static const struct gprofx_text unknown = {"???", 3};

/*
 * Paths below the working directory are written relative to it: callgrind_annotate shortens those
 * of functions itself, but not those of callees, and takes both for different files.
 */
static const char *
shorten(const char *path, const char *folder, size_t length)
{
	bool is_below = length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/' &&
	                path[length + 1] != '\0' && path[length + 1] != '/';

	return is_below ? path + length + 1 : path;
}

/* Objects by their paths, where these are known. */
static const char *
path_of(const struct gprofx_report *report, const char *object)
{
	for (uint32_t i = 0; i < report->origin->image_count; i++) {
		const struct gprofx_code_image *image = gprofx_image_at(report, i);

		if (image->path && strcmp(image->name, object) == 0)
			return image->path;
	}
	return object;
}

static struct gprofx_text
file_text(const char *path, const char *folder, size_t length)
{
	if (!path)
		return unknown;
	path = shorten(path, folder, length);
	return (struct gprofx_text){path, strlen(path)};
}

/* Files of lines: those that were counted, and those that are stated. */
static void
find_line_files(struct work *w, struct gprofx_text *files, const char *folder, size_t length)
{
	const struct gprofx_report *report = w->report;
	uint32_t executed = w->body->executions.are_known ? report->source->executed_file_count : 0;

	w->executed_files = w->body->costs.count + 1;
	w->stated_files = w->executed_files + executed;
	for (uint32_t i = 0; i < executed; i++)
		files[w->executed_files + i] = file_text(report->source->executed_file[i], folder,
		                                         length);
	for (uint32_t i = 0; w->body->costs.are_stated && i < report->stated->place_count; i++)
		files[w->stated_files + i] = file_text(report->stated->file[i], folder, length);
}

/* Functions have the files that the profile states; it does not say where in them they begin. */
static void
find_stated_files(struct work *w, struct gprofx_text *files, const char *folder, size_t length)
{
	const struct gprofx_report_stated *stated = w->report->stated;

	for (uint32_t i = 0; i < stated->place_count; i++)
		if (stated->function_file[i])
			files[stated->node[i]] = file_text(stated->function_file[i], folder,
			                                   length);
}

static void
find_places(struct work *w, struct gprofx_text *files, struct gprofx_text *objects)
{
	const struct gprofx_report *report = w->report;
	const struct costs *costs = &w->body->costs;
	/* Where all is stated and no program is named, what has no object is in none. */
	bool has_program = !costs->are_stated || report->origin->image;
	const char *program = has_program ? export_program(report) : unknown.bytes;
	char room[PATH_MAX];
	const char *folder = getcwd(room, sizeof room) ? room : "";
	const char *last = NULL, *path = NULL;
	size_t length = strlen(folder);

	for (uint32_t i = 0; i <= costs->count; i++) {
		bool is_there = i < costs->count && costs->is_shown[costs->owner[i]];
		const char *object = i < costs->count && report->functions->object_name
		                             ? report->functions->object_name[i]
		                             : NULL;
		const char *file = is_there ? report->services->source(report, i, &w->line[i])
		                            : NULL;

		/* Most functions are in the object of the one before. */
		if (object && object != last)
			path = path_of(report, object);
		last = object;
		object = object ? path : program;
		objects[i] = (struct gprofx_text){object, strlen(object)};
		files[i] = file_text(file, folder, length);
		if (!file)
			w->line[i] = 0;
	}
	if (costs->are_stated)
		find_stated_files(w, files, folder, length);
	find_line_files(w, files, folder, length);
}

/* Numbers for equal texts, and the texts as they are written. */
static struct terms
make_terms(struct gprofx *gx, const struct gprofx_text *texts, uint32_t count, uint32_t **numbers)
{
	uint32_t distinct;
	struct gprofx_text *escaped;

	*numbers = export_distinct(gx, texts, count, &distinct);
	escaped = gprofx_alloc(gx, ((size_t)distinct + 1) * sizeof *escaped);
	for (uint32_t i = 0; i < count; i++)
		if (!escaped[(*numbers)[i]].bytes)
			escaped[(*numbers)[i]] = export_text(gx, texts[i], &form);
	return (struct terms){escaped, gprofx_alloc(gx, (size_t)distinct + 1)};
}

/* Functions that only the profile names have the names that are stated. */
static void
name_functions(const struct work *w, struct gprofx_text *names)
{
	const struct costs *costs = &w->body->costs;

	if (!costs->are_stated || w->report->origin->image) {
		memcpy(names,
		       export_names(w->body->gx, w->report, costs->count, costs->is_shown, &form),
		       costs->count * sizeof *names);
		return;
	}
	for (uint32_t i = 0; i < costs->count; i++) {
		const char *name = w->report->functions->raw_name[i];

		if (costs->is_shown[i])
			names[i] = export_text(w->body->gx,
			                       (struct gprofx_text){name, strlen(name)}, &form);
	}
}

/* The name of a function that is active already stands behind those of all. */
static void
name_as_nested(const struct work *w, struct gprofx_text *names, uint32_t function)
{
	size_t length = names[function].length;
	struct gprofx_text *nested = &names[lines_nested_name(w, function)];
	char *name;

	if (nested->bytes)
		return;
	/* Without calls, nothing says that a function is active. */
	if (!w->body->has_calls) {
		*nested = names[function];
		return;
	}
	name = gprofx_alloc(w->body->gx, length + 3);
	snprintf(name, length + 3, "%.*s'2", (int)length, names[function].bytes);
	*nested = (struct gprofx_text){name, length + 2};
}

static void
name_nested_stated(const struct work *w, struct gprofx_text *names)
{
	const struct gprofx_report_stated *stated = w->report->stated;

	for (uint32_t i = 0; i < stated->place_count; i++)
		if ((stated->flags[i] & GPROFX_STATED_NESTED) &&
		    w->body->costs.is_shown[stated->node[i]])
			name_as_nested(w, names, stated->node[i]);
	for (uint32_t i = 0; i < stated->call_count; i++)
		if (stated->call_flags[i] & GPROFX_STATED_TO_NESTED)
			name_as_nested(w, names, stated->node[gprofx_id(&stated->callee, i)]);
}

static void
name_nested(const struct work *w, struct gprofx_text *names)
{
	const struct costs *costs = &w->body->costs;

	if (costs->are_stated) {
		name_nested_stated(w, names);
		return;
	}
	for (uint32_t m = 0; m < costs->metric_count; m++) {
		const double *nested = costs->metrics[m].nested;

		for (uint32_t i = 0; nested && i < w->report->graph->arcs.count; i++)
			if (nested[i] > 0)
				name_as_nested(
					w, names,
					costs->owner[gprofx_id(&w->report->graph->arcs.callee, i)]);
	}
}

void
lines_name_all(struct work *w)
{
	struct gprofx *gx = w->body->gx;
	const struct costs *costs = &w->body->costs;
	uint32_t rows = costs->count + 1, files = rows;
	struct gprofx_text *texts, *objects = gprofx_alloc(gx, (size_t)rows * sizeof *objects);
	/* Those of functions, and then those of functions that are active already. */
	struct gprofx_text *names = gprofx_alloc(gx, (size_t)2 * rows * sizeof *names);

	if (w->body->executions.are_known)
		files += w->report->source->executed_file_count;
	if (costs->are_stated)
		files += w->report->stated->place_count;
	texts = gprofx_alloc(gx, (size_t)files * sizeof *texts);
	w->line = gprofx_alloc(gx, (size_t)rows * sizeof *w->line);
	find_places(w, texts, objects);
	w->files = make_terms(gx, texts, files, &w->file);
	w->objects = make_terms(gx, objects, rows, &w->object);
	name_functions(w, names);
	/* Who calls what has unknown callers, where the report has no row for it. */
	names[costs->count] = (struct gprofx_text){"<spontaneous>", strlen("<spontaneous>")};
	name_nested(w, names);
	w->functions = (struct terms){names, gprofx_alloc(gx, (size_t)2 * rows)};
	w->callees = gprofx_alloc(gx, (size_t)rows * sizeof *w->callees);
	for (uint32_t i = 0; i < rows; i++)
		w->callees[i] = (struct callee){i < costs->count ? costs->owner[i] : i,
		                                w->object[i], w->file[i], w->line[i]};
}
