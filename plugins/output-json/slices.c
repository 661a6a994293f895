/* SPDX-License-Identifier: Apache-2.0 */
#include "slices.h"

#include <math.h>

#include <gprofx/emitter.h>

#include "profile.h"
#include "row.h"

static const double nanoseconds = 1e9;

static void
add_calls(struct row *row, uint64_t calls)
{
	if (calls == GPROFX_CALLS_UNKNOWN)
		row_null(row, "calls");
	else
		row_count(row, "calls", calls);
}

static void
add_index(struct row *row, const char *key, uint32_t index)
{
	if (index == GPROFX_NO_ROW)
		row_null(row, key);
	else
		row_count(row, key, index);
}

static void
add_thread(struct document *d, const struct gprofx_thread *thread)
{
	struct row *row = &d->row;

	row_string(row, "name", thread->name);
	row_count(row, "number", thread->number);
	add_index(row, "process", thread->process);
	row_count(row, "threads",
	          thread->is_unknown    ? 0
	          : thread->threads > 1 ? thread->threads
	                                : 1);
	row_real(row, "cpu_seconds",
	         thread->cpu_ns != 0 ? (double)thread->cpu_ns / nanoseconds : (double)NAN);
}

/* What the kind of member has of its own; what is of none has nothing. */
static void
add_identity(struct document *d, uint32_t kind, uint32_t row)
{
	static const struct gprofx_thread no_thread = {.process = GPROFX_NO_ROW,
	                                               .is_unknown = true};
	bool is_none = row == GPROFX_NO_ROW;

	if (kind == GPROFX_SLICE_THREAD) {
		add_thread(d, is_none ? &no_thread : gprofx_thread_at(d->report, row));
	} else if (kind == GPROFX_SLICE_PROCESS) {
		const struct gprofx_process *process = is_none ? NULL
		                                               : gprofx_process_at(d->report, row);

		row_string(&d->row, "name", process ? process->name : NULL);
		row_count(&d->row, "number", process ? process->number : 0);
		add_index(&d->row, "parent", process ? process->parent : GPROFX_NO_ROW);
	} else {
		const struct gprofx_phase *phase = is_none ? NULL : gprofx_phase_at(d->report, row);

		row_string(&d->row, "name", phase ? phase->name : NULL);
		row_count(&d->row, "number", phase ? phase->number : 0);
	}
}

static void
put_members(struct document *d, const struct gprofx_slice_table *table, const char *key)
{
	document_begin_list(d, key);
	for (uint32_t i = 0; i < table->member_count; i++) {
		const struct gprofx_member *member = gprofx_member_at(table, i);

		row_begin(&d->row);
		row_count(&d->row, "id", i);
		row_string(&d->row, "label", member->label);
		add_identity(d, table->kind, member->row);
		document_add_time(d, "ticks", "seconds", member->ticks);
		add_calls(&d->row, member->calls);
		add_index(&d->row, "heaviest", member->heaviest);
		document_next_row(d);
		document_end_object(d);
	}
	document_end_list(d);
}

static void
put_functions(struct document *d, const struct gprofx_slice_table *table, const char *key)
{
	static const struct profile_spread_keys keys = {"members", "min_member", "max_member"};

	document_begin_list(d, key);
	for (uint32_t i = 0; i < table->spread_count; i++) {
		document_next_row(d);
		profile_begin_spread(d, GPROFX_ROW(struct gprofx_function_spread, table->spread, i),
		                     &keys);
		gprofx_puts(d->writer, ",\"values\":[");
		for (uint32_t k = table->value_first[i]; k < table->value_first[i + 1]; k++) {
			const struct gprofx_file_value *value = &table->value[k];

			gprofx_puts(d->writer, k > table->value_first[i] ? ",\n" : "");
			row_begin(&d->row);
			row_count(&d->row, "member", value->file);
			document_add_time(d, "self_ticks", "self_seconds", value->self);
			add_calls(&d->row, value->calls);
			document_end_object(d);
		}
		gprofx_puts(d->writer, "]}");
	}
	document_end_list(d);
}

void
slices_put(struct document *d)
{
	static const struct {
		uint32_t kind;
		const char *members, *functions;
	} keys[] = {
		{GPROFX_SLICE_PROCESS, "processes", "per_process"},
		{GPROFX_SLICE_THREAD, "threads", "per_thread"},
		{GPROFX_SLICE_PHASE, "phases", "per_phase"},
	};
	uint32_t count = d->report->slices ? d->report->slices->table_count : 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_slice_table *table = gprofx_slice_table_at(d->report, i);

		for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
			if (keys[k].kind != table->kind)
				continue;
			put_members(d, table, keys[k].members);
			put_functions(d, table, keys[k].functions);
		}
	}
}
