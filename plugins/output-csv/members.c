/* SPDX-License-Identifier: Apache-2.0 */
#include "members.h"

#include <math.h>
#include <string.h>

#include "../shared/compared.h"
#include "../shared/export-rows.h"

/* What is compared: a table of threads and the like; NULL: files. */
static const char *
label_of(const struct sheet *s, const struct gprofx_slice_table *table, uint32_t member)
{
	return table ? gprofx_member_at(table, member)->label
	             : gprofx_labelled_at(s->report, member)->label;
}

static void
add_spread(struct sheet *s, const struct gprofx_slice_table *table,
           const struct gprofx_spread *spread,
           char *(*add)(const struct sheet *s, char *at, double value))
{
	char *at = export_room(s->writer);

	at = add(s, at, spread->total);
	at = add(s, at, spread->mean);
	at = add(s, at, spread->least);
	at = add(s, at, spread->most);
	at = add(s, at, spread->deviation);
	at = add_real(at, spread->mean > 0 ? spread->most / spread->mean : (double)NAN);
	export_end(s->writer, add_count(at, spread->files));
	add_string(s, label_of(s, table, spread->least_file));
	add_string(s, label_of(s, table, spread->most_file));
}

static char *
add_number(const struct sheet *s, char *at, double value)
{
	(void)s;
	return add_real(at, value);
}

static void
put_functions(struct sheet *s, const struct gprofx_slice_table *table,
              const struct gprofx_function_spread *rows, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_function_spread *row = GPROFX_ROW(struct gprofx_function_spread,
		                                                      rows, i);

		put_name(s, row->function);
		add_spread(s, table, &row->self, add_seconds);
		add_spread(s, table, &row->calls, add_number);
		export_end(s->writer, add_real(export_room(s->writer), row->self.total));
		add_string(s, s->report->functions->raw_name[row->function]);
		add_string(s, compared_verdict_word(row->least_verdict));
		add_string(s, compared_verdict_word(row->most_verdict));
		export_end(s->writer, add_real(export_room(s->writer), row->p));
		end_row(s);
	}
}

enum gprofx_result
members_put_files(struct gprofx *gx, struct sheet *s)
{
	static const struct gprofx_diagnostic missing = {
		.id = "report.no-statistics",
		.hint = "request them with --per-file",
	};
	static const char *const columns[] = {
		"name",        "total_seconds",  "mean_seconds",   "min_seconds",
		"max_seconds", "sd_seconds",     "imbalance",      "files",
		"min_file",    "max_file",       "total_calls",    "mean_calls",
		"min_calls",   "max_calls",      "sd_calls",       "calls_imbalance",
		"calls_files", "min_calls_file", "max_calls_file", "total_ticks",
		"raw_name",    "min_verdict",    "max_verdict",    "p",
		NULL,
	};
	const struct gprofx_report_files *files = s->report->files;

	if (!files->spread)
		return gprofx_fail(gx, &missing, "no per-file statistics were collected");
	put_columns(s, columns);
	end_row(s);
	put_functions(s, NULL, files->spread, files->spread_count);
	return GPROFX_OK;
}

static void
put_members(struct sheet *s, const struct gprofx_slice_table *table)
{
	static const char *const columns[] = {"label",       "seconds", "calls", "heaviest",
	                                      "cpu_seconds", "ticks",   NULL};

	put_columns(s, columns);
	end_row(s);
	for (uint32_t i = 0; i < table->member_count; i++) {
		const struct gprofx_member *member = gprofx_member_at(table, i);
		bool is_thread = table->kind == GPROFX_SLICE_THREAD && member->row != GPROFX_NO_ROW;
		uint64_t cpu = is_thread ? gprofx_thread_at(s->report, member->row)->cpu_ns : 0;
		char *at;

		put_text(s, member->label, strlen(member->label));
		at = add_seconds(s, export_room(s->writer), member->ticks);
		at = member->calls != GPROFX_CALLS_UNKNOWN ? add_count(at, member->calls)
		                                           : add_nothing(at);
		export_end(s->writer, at);
		put_comma(s);
		if (member->heaviest != GPROFX_NO_ROW)
			put_name(s, member->heaviest);
		at = export_room(s->writer);
		at = cpu != 0 ? add_real(at, (double)cpu / 1e9) : add_nothing(at);
		export_end(s->writer, add_real(at, member->ticks));
		end_row(s);
	}
}

void
members_put_slices(struct sheet *s, uint32_t kind, bool is_of_functions)
{
	static const char *const columns[] = {
		"name",
		"total_seconds",
		"mean_seconds",
		"min_seconds",
		"max_seconds",
		"sd_seconds",
		"imbalance",
		"members",
		"min_member",
		"max_member",
		"total_calls",
		"mean_calls",
		"min_calls",
		"max_calls",
		"sd_calls",
		"calls_imbalance",
		"calls_members",
		"min_calls_member",
		"max_calls_member",
		"total_ticks",
		"raw_name",
		"min_verdict",
		"max_verdict",
		"p",
		NULL,
	};

	for (uint32_t i = 0; i < s->report->slices->table_count; i++) {
		const struct gprofx_slice_table *table = gprofx_slice_table_at(s->report, i);

		if (table->kind != kind)
			continue;
		if (!is_of_functions) {
			put_members(s, table);
			continue;
		}
		put_columns(s, columns);
		end_row(s);
		put_functions(s, table, table->spread, table->spread_count);
	}
}
