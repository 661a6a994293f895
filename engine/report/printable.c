/* SPDX-License-Identifier: Apache-2.0 */
#include "report/printable.h"

#include <string.h>

#include <gprofx/text.h>

#include "base/memory.h"
#include "symbols/symbols.h"

static struct gprofx_text
escape_from(struct run *run, struct gprofx_text text, size_t at)
{
	size_t length = 0;
	char *to;

	/* A byte becomes four at most. */
	to = memory_alloc(run, at + 4 * (text.length - at) + 1);
	for (at = 0; at < text.length; at++) {
		size_t step = gprofx_printable(text.bytes + at, text.length - at);

		memcpy(to + length, text.bytes + at, step);
		length += step;
		at += step;
		if (at == text.length)
			break;
		gprofx_escape(to + length, text.bytes[at]);
		length += 4;
	}
	to[length] = '\0';
	return (struct gprofx_text){to, length};
}

/* The same text, or one in which what is not printable is escaped. */
struct gprofx_text
report_printable_text(struct run *run, struct gprofx_text text)
{
	size_t at = gprofx_printable(text.bytes, text.length);

	return at == text.length ? text : escape_from(run, text, at);
}

/* NULL stays NULL. */
static const char *
printable(struct run *run, const char *text)
{
	if (!text)
		return NULL;
	return report_printable_text(run, (struct gprofx_text){text, strlen(text)}).bytes;
}

/* The same array, or a copy with other texts. */
static const char *const *
printable_array(struct run *run, const char *const *texts, uint32_t count)
{
	const char **copy = NULL;

	for (uint32_t i = 0; texts && i < count; i++) {
		const char *text;

		/* Names of objects, and files of functions, are repeated. */
		if (i > 0 && texts[i] == texts[i - 1]) {
			if (copy)
				copy[i] = copy[i - 1];
			continue;
		}
		text = printable(run, texts[i]);
		if (text == texts[i])
			continue;
		if (!copy) {
			copy = memory_alloc_array(run, sizeof *copy, count);
			memcpy(copy, texts, count * sizeof *copy);
		}
		copy[i] = text;
	}
	return copy ? copy : texts;
}

/* Rows that hold texts: a copy, in which they can be replaced.  Rows are few. */
static void *
copy_rows(struct run *run, const void *rows, size_t row_bytes, uint32_t count)
{
	void *copy;

	if (!rows || count == 0)
		return NULL;
	copy = memory_alloc_array(run, row_bytes, count);
	return memcpy(copy, rows, row_bytes * count);
}

/* There is no room for more than there was. */
static void
clean_unit(char *dimension, char *abbreviation)
{
	size_t length = strlen(dimension), at = 0;

	while ((at += gprofx_printable(dimension + at, length - at)) < length)
		dimension[at++] = '?';
	if (*abbreviation != '\0' && gprofx_printable(abbreviation, 1) == 0)
		*abbreviation = '?';
}

static void
clean_files(struct run *run, struct report_parts *parts)
{
	struct gprofx_profile_file *files = copy_rows(run, parts->files.file, sizeof *files,
	                                              parts->files.count);
	struct gprofx_labelled_file *labelled = copy_rows(
		run, parts->files.labelled, sizeof *labelled, parts->files.labelled_count);

	for (uint32_t i = 0; files && i < parts->files.count; i++) {
		struct gprofx_file_range *ranges = copy_rows(run, files[i].ranges, sizeof *ranges,
		                                             files[i].range_count);

		files[i].name = printable(run, files[i].name);
		files[i].format = printable(run, files[i].format);
		files[i].variant = printable(run, files[i].variant);
		for (uint32_t k = 0; ranges && k < files[i].range_count; k++) {
			clean_unit(ranges[k].dimension, &ranges[k].abbreviation);
			ranges[k].metric = printable(run, ranges[k].metric);
		}
		files[i].ranges = ranges;
	}
	for (uint32_t i = 0; labelled && i < parts->files.labelled_count; i++) {
		labelled[i].name = printable(run, labelled[i].name);
		labelled[i].label = printable(run, labelled[i].label);
	}
	parts->files.file = files;
	parts->files.labelled = labelled;
}

static void
clean_findings(struct run *run, struct report_parts *parts)
{
	struct gprofx_finding *findings = copy_rows(run, parts->findings.finding, sizeof *findings,
	                                            parts->findings.count);

	for (uint32_t i = 0; findings && i < parts->findings.count; i++) {
		findings[i].file = printable(run, findings[i].file);
		findings[i].summary = printable(run, findings[i].summary);
		findings[i].evidence = printable(run, findings[i].evidence);
		findings[i].advice = printable(run, findings[i].advice);
	}
	parts->findings.finding = findings;
}

static void
clean_left_out(struct run *run, struct report_parts *parts)
{
	struct gprofx_left_out *symbols = copy_rows(run, parts->functions.left_out, sizeof *symbols,
	                                            parts->functions.left_out_count);

	for (uint32_t i = 0; symbols && i < parts->functions.left_out_count; i++)
		symbols[i].name = printable(run, symbols[i].name);
	parts->functions.left_out = symbols;
}

static void
clean_account(struct run *run, struct report_parts *parts)
{
	struct gprofx_account *account = copy_rows(run, parts->findings.account, sizeof *account,
	                                           parts->findings.account ? 1 : 0);

	if (account)
		account->libraries = printable_array(run, account->libraries,
		                                     account->library_count);
	parts->findings.account = account;
}

static void
clean_source(struct run *run, struct report_parts *parts)
{
	uint32_t count = parts->source.executed_function_count;
	struct gprofx_executed_function *functions = copy_rows(run, parts->source.executed_function,
	                                                       sizeof *functions, count);

	for (uint32_t i = 0; functions && i < count; i++)
		functions[i].name = printable(run, functions[i].name);
	parts->source.executed_function = functions;
	parts->source.executed_file = printable_array(run, parts->source.executed_file,
	                                              parts->source.executed_file_count);
	parts->source.file = printable_array(run, parts->source.file, parts->source.file_count);
}

/* Names that were made already; others follow when they are asked for. */
static void
clean_names(struct run *run, struct report_model *view)
{
	for (uint32_t i = 0; i < view->name_count; i++) {
		struct gprofx_text name = view->names[i];

		if (name.bytes)
			report_set_name(view, i, report_printable_text(run, name));
	}
}

static void
clean_paths(struct run *run, struct report_model *view)
{
	const struct symbols *symbols = view->symbols;
	const char **paths;

	if (!symbols || !symbols->is_located)
		return;
	paths = memory_alloc_array(run, sizeof *paths, symbols->file_count);
	for (uint32_t i = 1; i < symbols->file_count; i++)
		paths[i] = printable(run, symbols->files[i].path);
	view->paths = paths;
}

/* The same text, or a copy in which what is not printable is a question mark. */
static const char *
clean_word(struct run *run, const char *text)
{
	char *copy, none = '\0';

	if (!text)
		return NULL;
	copy = memory_alloc(run, strlen(text) + 1);
	memcpy(copy, text, strlen(text) + 1);
	clean_unit(copy, &none);
	return copy;
}

static void
clean_metric(struct run *run, struct report_model *view)
{
	struct gprofx_metric *metrics = copy_rows(run, view->parts.origin.metrics, sizeof *metrics,
	                                          view->parts.origin.metric_count);
	char nothing[] = "";

	for (uint32_t i = 0; metrics && i < view->parts.origin.metric_count; i++) {
		metrics[i].name = clean_word(run, metrics[i].name);
		metrics[i].unit = clean_word(run, metrics[i].unit);
		clean_unit(nothing, &metrics[i].abbreviation);
	}
	view->parts.origin.metrics = metrics;
}

static void
clean_images(struct run *run, struct report_model *view)
{
	struct gprofx_code_image *images = copy_rows(run, view->parts.origin.images, sizeof *images,
	                                             view->parts.origin.image_count);

	for (uint32_t i = 0; images && i < view->parts.origin.image_count; i++) {
		images[i].name = printable(run, images[i].name);
		images[i].path = printable(run, images[i].path);
	}
	view->parts.origin.images = images;
}

static void
clean_contexts(struct run *run, struct report_model *view)
{
	for (uint32_t i = 0; i < REPORT_CONTEXT_FORMS; i++) {
		struct gprofx_report_contexts *contexts;

		contexts = copy_rows(run, view->contexts[i], sizeof *contexts, 1);
		if (!contexts)
			continue;
		contexts->place_name = printable_array(run, contexts->place_name,
		                                       contexts->place_count);
		contexts->place_file = printable_array(run, contexts->place_file,
		                                       contexts->place_count);
		view->contexts[i] = contexts;
	}
}

static void
clean_inlined(struct run *run, struct report_model *view)
{
	struct gprofx_report_inlined *part = copy_rows(run, view->inlined, sizeof *part, 1);
	struct gprofx_inlined *rows;

	if (!part)
		return;
	rows = copy_rows(run, part->row, sizeof *rows, part->count);
	for (uint32_t i = 0; i < part->count; i++)
		rows[i].name = printable(run, rows[i].name);
	part->row = rows;
	view->inlined = part;
}

static void
clean_stated(struct run *run, struct report_model *view)
{
	struct gprofx_report_stated *part = copy_rows(run, view->stated, sizeof *part, 1);

	if (!part)
		return;
	part->function_file = printable_array(run, part->function_file, part->place_count);
	part->file = printable_array(run, part->file, part->place_count);
	view->stated = part;
}

static void
clean_tables(struct run *run, struct gprofx_report_slices *part)
{
	struct gprofx_slice_table *tables = copy_rows(run, part->table, sizeof *tables,
	                                              part->table_count);

	for (uint32_t i = 0; i < part->table_count; i++) {
		struct gprofx_member *members = copy_rows(run, tables[i].member, sizeof *members,
		                                          tables[i].member_count);

		for (uint32_t k = 0; k < tables[i].member_count; k++)
			members[k].label = printable(run, members[k].label);
		tables[i].member = members;
	}
	part->table = tables;
}

static void
clean_slices(struct run *run, struct gprofx_report_slices *part)
{
	struct gprofx_process *processes = copy_rows(run, part->process, sizeof *processes,
	                                             part->process_count);
	struct gprofx_thread *threads = copy_rows(run, part->thread, sizeof *threads,
	                                          part->thread_count);
	struct gprofx_phase *phases = copy_rows(run, part->phase, sizeof *phases,
	                                        part->phase_count);

	for (uint32_t i = 0; i < part->process_count; i++)
		processes[i].name = printable(run, processes[i].name);
	for (uint32_t i = 0; i < part->thread_count; i++)
		threads[i].name = printable(run, threads[i].name);
	for (uint32_t i = 0; i < part->phase_count; i++)
		phases[i].name = printable(run, phases[i].name);
	clean_tables(run, part);
	part->process = processes;
	part->thread = threads;
	part->phase = phases;
}

static void
clean_side(struct run *run, struct gprofx_compared_side *side)
{
	side->name = printable(run, side->name);
	side->image = printable(run, side->image);
}

static void
clean_comparison(struct run *run, struct report_model *view)
{
	struct gprofx_report_comparison *part = copy_rows(run, view->comparison, sizeof *part, 1);
	struct gprofx_compared *rows = NULL;

	if (!part)
		return;
	/* Rows are copied only if a name has to change. */
	for (uint32_t i = 0; i < part->row_count; i++) {
		const char *name = printable(run, part->row[i].base_name);

		if (name == part->row[i].base_name)
			continue;
		if (!rows) {
			rows = copy_rows(run, part->row, sizeof *rows, part->row_count);
			part->row = rows;
		}
		rows[i].base_name = name;
	}
	clean_side(run, &part->base);
	clean_side(run, &part->new_side);
	view->comparison = part;
	view->source_files = printable_array(run, view->source_files, view->parts.functions.count);
}

struct report_model *
report_printable(struct run *run, const struct report_model *model)
{
	struct report_model *view = memory_alloc(run, sizeof *view);
	struct report_parts *parts = &view->parts;

	*view = *model;
	report_link(view);
	view->is_printable = view->shares_names = true;
	parts->origin.image = printable(run, parts->origin.image);
	parts->origin.phase = parts->origin.phase ? printable(run, parts->origin.phase) : NULL;
	parts->origin.profiles = printable_array(run, parts->origin.profiles,
	                                         parts->origin.profile_count);
	parts->origin.options = printable_array(run, parts->origin.options,
	                                        parts->origin.option_count);
	clean_metric(run, view);
	clean_images(run, view);
	parts->functions.raw_name = printable_array(run, parts->functions.raw_name,
	                                            parts->functions.count);
	parts->functions.object_name = printable_array(run, parts->functions.object_name,
	                                               parts->functions.count);
	parts->functions.map_function = printable_array(run, parts->functions.map_function,
	                                                parts->functions.map_count);
	parts->functions.map_file = printable_array(run, parts->functions.map_file,
	                                            parts->functions.map_count);
	clean_files(run, parts);
	clean_findings(run, parts);
	clean_left_out(run, parts);
	clean_account(run, parts);
	clean_source(run, parts);
	clean_contexts(run, view);
	clean_inlined(run, view);
	clean_stated(run, view);
	clean_comparison(run, view);
	clean_names(run, view);
	clean_paths(run, view);
	for (uint32_t kinds = 1; kinds < SLICE_COMBINATIONS; kinds++)
		clean_slices(run, &parts->slices[kinds]);
	return view;
}
