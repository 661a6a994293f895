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
clean_files(struct run *run, struct gprofx_report *report)
{
	struct gprofx_profile_file *files = copy_rows(run, report->files, sizeof *files,
	                                              report->file_count);
	struct gprofx_labelled_file *labelled = copy_rows(run, report->labelled, sizeof *labelled,
	                                                  report->labelled_count);

	for (uint32_t i = 0; files && i < report->file_count; i++) {
		struct gprofx_file_range *ranges = copy_rows(run, files[i].ranges, sizeof *ranges,
		                                             files[i].range_count);

		files[i].name = printable(run, files[i].name);
		files[i].format = printable(run, files[i].format);
		files[i].variant = printable(run, files[i].variant);
		for (uint32_t k = 0; ranges && k < files[i].range_count; k++)
			clean_unit(ranges[k].dimension, &ranges[k].abbreviation);
		files[i].ranges = ranges;
	}
	for (uint32_t i = 0; labelled && i < report->labelled_count; i++) {
		labelled[i].name = printable(run, labelled[i].name);
		labelled[i].label = printable(run, labelled[i].label);
	}
	report->files = files;
	report->labelled = labelled;
}

static void
clean_findings(struct run *run, struct gprofx_report *report)
{
	struct gprofx_finding *findings = copy_rows(run, report->findings, sizeof *findings,
	                                            report->finding_count);

	for (uint32_t i = 0; findings && i < report->finding_count; i++) {
		findings[i].file = printable(run, findings[i].file);
		findings[i].summary = printable(run, findings[i].summary);
		findings[i].evidence = printable(run, findings[i].evidence);
		findings[i].advice = printable(run, findings[i].advice);
	}
	report->findings = findings;
}

static void
clean_left_out(struct run *run, struct gprofx_report *report)
{
	struct gprofx_left_out *symbols = copy_rows(run, report->left_out, sizeof *symbols,
	                                            report->left_out_count);

	for (uint32_t i = 0; symbols && i < report->left_out_count; i++)
		symbols[i].name = printable(run, symbols[i].name);
	report->left_out = symbols;
}

static void
clean_account(struct run *run, struct gprofx_report *report)
{
	struct gprofx_account *account = copy_rows(run, report->account, sizeof *account,
	                                           report->account ? 1 : 0);

	if (account)
		account->libraries = printable_array(run, account->libraries,
		                                     account->library_count);
	report->account = account;
}

static void
clean_source(struct run *run, struct gprofx_report *report)
{
	uint32_t count = report->executed_function_count;
	struct gprofx_executed_function *functions = copy_rows(run, report->executed_function,
	                                                       sizeof *functions, count);

	for (uint32_t i = 0; functions && i < count; i++)
		functions[i].name = printable(run, functions[i].name);
	report->executed_function = functions;
	report->executed_file = printable_array(run, report->executed_file,
	                                        report->executed_file_count);
	report->source_file = printable_array(run, report->source_file, report->source_file_count);
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

struct report_model *
report_printable(struct run *run, const struct report_model *model)
{
	struct report_model *view = memory_alloc(run, sizeof *view);
	struct gprofx_report *report = &view->public;

	*view = *model;
	view->is_printable = view->shares_names = true;
	report->image = printable(run, report->image);
	report->profiles = printable_array(run, report->profiles, report->profile_count);
	clean_unit(report->dimension, &report->abbreviation);
	report->raw_name = printable_array(run, report->raw_name, report->function_count);
	report->object_name = printable_array(run, report->object_name, report->function_count);
	report->map_function = printable_array(run, report->map_function, report->map_count);
	report->map_file = printable_array(run, report->map_file, report->map_count);
	clean_files(run, report);
	clean_findings(run, report);
	clean_left_out(run, report);
	clean_account(run, report);
	clean_source(run, report);
	clean_names(run, view);
	clean_paths(run, view);
	return view;
}
