/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a report about profile files, and about symbols that are not functions; it is
 * complete once the files have been read.
 */
#include "base/memory.h"
#include "base/run.h"
#include "profile/facts.h"
#include "profile/profile.h"
#include "report/model.h"
#include "symbols/symbols.h"

/* Why a symbol is left out; NULL: it is not, or is no symbol of the program at all. */
static const char *const reasons[FATES] = {
	[FATE_STATIC] = "static",
	[FATE_UNTYPED] = "static, without a type",
	[FATE_CLONE] = "clone",
	[FATE_NAME] = "name, by gprof's rule",
	[FATE_NAMELESS] = "without a name",
	[FATE_LABEL] = "label",
	[FATE_UNCALLED] = "without a type and a size, and not called",
	[FATE_DATA] = "outside of code",
	[FATE_MAP] = "in no file of the map",
};

/* Lists the symbols that are no functions of the report, in the order of their table. */
static void
list_left_out(struct run *run, const struct symbols *symbols,
              struct gprofx_report_functions *functions)
{
	const struct gprofx_symbol_rows *rows;
	struct gprofx_left_out *list;
	uint32_t count = 0;

	if (!symbols || !symbols->fate)
		return;
	rows = &symbols->table.rows;
	for (uint32_t i = 0; i < symbols->table.count; i++)
		count += reasons[symbols->fate[i]] != NULL;
	functions->left_out_count = count;
	if (count == 0)
		return;
	memory_array(run, list, count);
	functions->left_out = list;
	for (uint32_t i = 0; i < symbols->table.count; i++)
		if (reasons[symbols->fate[i]])
			*list++ = (struct gprofx_left_out){
				.size = sizeof *list,
				.name = rows->name[i],
				.address = rows->address[i],
				.bytes = rows->bytes[i],
				.reason = reasons[symbols->fate[i]],
			};
}

/* The files of all runs, behind each other. */
static void
list_files(struct run *run, const struct profile *first, struct gprofx_report_files *files)
{
	struct gprofx_profile_file *rows = NULL;
	uint32_t room = 0, number = 0;

	files->file = facts_list(run, first, &files->count);
	if (!first->next_run || !files->file)
		return;
	files->count = 0;
	for (const struct profile *i = first; i; i = i->next_run, number++) {
		uint32_t count;
		const struct gprofx_profile_file *own = facts_list(run, i, &count);

		rows = memory_room(run, rows, sizeof *rows, files->count, &room, count);
		for (uint32_t k = 0; own && k < count; k++) {
			rows[files->count] = own[k];
			rows[files->count++].run = number;
		}
	}
	files->file = rows;
}

struct report_model *
report_build_files(struct run *run, const struct symbols *symbols, const struct profile *profile)
{
	struct report_model *model = memory_alloc(run, sizeof *model);

	model->run = run;
	report_set_origin(run, model);
	list_files(run, profile, &model->parts.files);
	model->parts.files.rounding = profile->rounding;
	list_left_out(run, symbols, &model->parts.functions);
	return model;
}
