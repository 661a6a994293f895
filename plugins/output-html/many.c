/* SPDX-License-Identifier: Apache-2.0 */
#include "many.h"

#include <stdlib.h>

#include <gprofx/emitter.h>

/* Values of each of the two: of more, functions are left out, those that tell least. */
enum { MOST_VALUES = 300000 };

static int
compare_rows(const void *a, const void *b)
{
	const struct many_row *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Rows with values, the most uneven first, as many as there is room for. */
static void
choose_rows(struct many *many)
{
	const struct gprofx_report *report = many->nodes->report;
	const struct gprofx_report_files *files = report->files;
	uint32_t count = 0, room = MOST_VALUES;

	many->rows = gprofx_alloc(many->nodes->gx,
	                          ((size_t)files->spread_count + 1) * sizeof *many->rows);
	for (uint32_t i = 0; i < files->spread_count; i++) {
		const struct gprofx_function_spread *row = gprofx_spread_at(report, i);

		if (files->value_first[i] < files->value_first[i + 1])
			many->rows[count++] = (struct many_row){
				.self = row->self.most - row->self.mean,
				.calls = row->calls.most - row->calls.mean,
				.total = row->self.total,
				.row = i,
			};
	}
	qsort(many->rows, count, sizeof *many->rows, compare_rows);
	for (; many->row_count < count; many->row_count++) {
		uint32_t row = many->rows[many->row_count].row;
		uint32_t own = files->value_first[row + 1] - files->value_first[row];

		if (own > room)
			break;
		room -= own;
	}
	many->rows_left = files->values_left_out + count - many->row_count;
}

enum file_column { FILE_NUMBER, FILE_SELF, FILE_CALLS, FILE_COLUMNS };

static void
put_file_value(struct values *c, const struct gprofx_file_value *value, enum file_column column)
{
	if (column == FILE_NUMBER)
		values_count(c, value->file);
	else if (column == FILE_SELF)
		values_real(c, value->self);
	else
		values_calls(c, &(struct gprofx_call_column){.some_unknown = true}, value->calls);
}

static void
put_file_values(struct values *c, const struct many *many)
{
	static const char *const keys[FILE_COLUMNS] = {"file", "self", "calls"};
	static const enum values_column kinds[FILE_COLUMNS] = {VALUES_INTEGERS, VALUES_REALS,
	                                                       VALUES_INTEGERS};
	const struct gprofx_report *report = many->nodes->report;
	const struct gprofx_report_files *files = report->files;
	const struct many_row *rows = many->rows;
	uint32_t first = 0;

	values_open_column(c, "node", VALUES_INTEGERS);
	for (uint32_t i = 0; i < many->row_count; i++)
		values_count(c,
		             many->nodes->number[gprofx_spread_at(report, rows[i].row)->function]);
	values_close_column(c);
	values_open_column(c, "first", VALUES_STEPS);
	values_count(c, 0);
	for (uint32_t i = 0; i < many->row_count; i++) {
		first += files->value_first[rows[i].row + 1] - files->value_first[rows[i].row];
		values_count(c, first);
	}
	values_close_column(c);
	for (uint32_t column = 0; column < FILE_COLUMNS; column++) {
		values_open_column(c, keys[column], kinds[column]);
		for (uint32_t i = 0; i < many->row_count; i++)
			for (uint32_t k = files->value_first[rows[i].row];
			     k < files->value_first[rows[i].row + 1]; k++)
				put_file_value(c, &files->value[k], (enum file_column)column);
		values_close_column(c);
	}
}

/* A column with one bound of rows of statistics; NaN: not known. */
static void
put_bound(struct values *c, const struct gprofx_function_spread *row, bool is_high)
{
	values_real(c, is_high ? row->high : row->low);
}

static void
put_file_bounds(struct values *c, const struct many *many)
{
	for (int is_high = 0; is_high < 2; is_high++) {
		values_open_column(c, is_high ? "high" : "low", VALUES_REALS);
		for (uint32_t i = 0; i < many->row_count; i++)
			put_bound(c, gprofx_spread_at(many->nodes->report, many->rows[i].row),
			          is_high);
		values_close_column(c);
	}
}

static void
put_files(struct values *c, const struct many *many)
{
	const struct gprofx_report *report = many->nodes->report;

	values_key(c, "files");
	if (!many->rows) {
		values_null(c);
		return;
	}
	values_open(c, '{');
	values_key(c, "label");
	values_open(c, '[');
	for (uint32_t i = 0; i < report->files->labelled_count; i++)
		values_text(c, gprofx_labelled_at(report, i)->label);
	values_close(c, ']');
	values_open_column(c, "ticks", VALUES_REALS);
	for (uint32_t i = 0; i < report->files->labelled_count; i++)
		values_real(c, gprofx_labelled_at(report, i)->ticks);
	values_close_column(c);
	put_file_values(c, many);
	put_file_bounds(c, many);
	values_key(c, "left");
	values_count(c, many->rows_left);
	values_close(c, '}');
}

/* Begins with a number that the system gave, a name, and an index, which is -1 for none. */
static void
begin_item(struct values *c, uint64_t number, const char *name, const char *key, uint32_t index)
{
	values_open(c, '{');
	values_key(c, "number");
	values_count(c, number);
	values_key(c, "name");
	values_text(c, name);
	if (key) {
		values_key(c, key);
		values_index(c, index, GPROFX_NO_ROW);
	}
}

static void
put_item(struct values *c, uint64_t number, const char *name, const char *key, uint32_t index)
{
	begin_item(c, number, name, key, index);
	values_close(c, '}');
}

static void
put_items(struct values *c, const struct gprofx_report *report)
{
	const struct gprofx_report_slices *slices = report->slices;

	values_key(c, "process");
	values_open(c, '[');
	for (uint32_t i = 0; i < slices->process_count; i++) {
		const struct gprofx_process *process = gprofx_process_at(report, i);

		put_item(c, process->number, process->name, "parent", process->parent);
	}
	values_close(c, ']');
	values_key(c, "thread");
	values_open(c, '[');
	for (uint32_t i = 0; i < slices->thread_count; i++) {
		const struct gprofx_thread *thread = gprofx_thread_at(report, i);

		begin_item(c, thread->number, thread->name, "process", thread->process);
		values_key(c, "threads");
		values_count(c, thread->is_unknown ? 0 : thread->threads > 1 ? thread->threads : 1);
		values_close(c, '}');
	}
	values_close(c, ']');
	values_key(c, "phase");
	values_open(c, '[');
	for (uint32_t i = 0; i < slices->phase_count; i++) {
		const struct gprofx_phase *phase = gprofx_phase_at(report, i);

		put_item(c, phase->number, phase->name, NULL, 0);
	}
	values_close(c, ']');
	values_key(c, "slice");
	values_open(c, '[');
	for (uint32_t i = 0; i < slices->slice_count; i++) {
		const struct gprofx_slice *slice = gprofx_slice_at(report, i);

		values_open(c, '{');
		values_key(c, "process");
		values_index(c, slice->process, GPROFX_NO_ROW);
		values_key(c, "thread");
		values_index(c, slice->thread, GPROFX_NO_ROW);
		values_key(c, "phase");
		values_index(c, slice->phase, GPROFX_NO_ROW);
		values_key(c, "ticks");
		values_real(c, slice->ticks);
		values_close(c, '}');
	}
	values_close(c, ']');
}

/* Functions whose values by slice are shown: the heaviest. */
static void
choose_functions(struct many *many)
{
	const struct nodes *nodes = many->nodes;
	const struct gprofx_report_slices *slices = nodes->report->slices;
	size_t count = (size_t)nodes->report->graph->node_count + 1;
	uint32_t *values = gprofx_alloc(nodes->gx, count * sizeof *values), room = MOST_VALUES;
	bool has_room = true;

	many->is_shown = gprofx_alloc(nodes->gx, count);
	for (uint32_t k = 0; k < slices->first[slices->slice_count]; k++)
		values[slices->value[k].node]++;
	for (uint32_t i = 0; i < nodes->row_count; i++) {
		uint32_t node = nodes->row[i];

		has_room = has_room && values[node] <= room;
		many->is_shown[node] = has_room;
		room -= has_room ? values[node] : 0;
		many->functions_left += !has_room && values[node] > 0;
	}
	nodes->gx->host->release(nodes->gx, values);
}

enum slice_column { SLICE_NODE, SLICE_SELF, SLICE_BELOW, SLICE_CALLS, SLICE_COLUMNS };

static void
put_slice_value(struct values *c, const struct nodes *nodes, const struct gprofx_slice_value *value,
                enum slice_column column)
{
	switch (column) {
	case SLICE_NODE:
		values_count(c, nodes->number[value->node]);
		break;
	case SLICE_SELF:
		values_real(c, value->self);
		break;
	case SLICE_BELOW:
		values_real(c, value->below >= 0 ? value->below : -1);
		break;
	default:
		values_calls(c, &(struct gprofx_call_column){.some_unknown = true}, value->calls);
	}
}

static void
put_slice_values(struct values *c, const struct nodes *nodes, const bool *is_shown)
{
	static const char *const keys[SLICE_COLUMNS] = {"node", "self", "below", "calls"};
	static const enum values_column kinds[SLICE_COLUMNS] = {VALUES_INTEGERS, VALUES_REALS,
	                                                        VALUES_REALS, VALUES_INTEGERS};
	const struct gprofx_report_slices *slices = nodes->report->slices;
	uint32_t end = slices->first[slices->slice_count], shown = 0;

	values_open_column(c, "first", VALUES_STEPS);
	for (uint32_t i = 0; i < slices->slice_count; i++) {
		values_count(c, shown);
		for (uint32_t k = slices->first[i]; k < slices->first[i + 1]; k++)
			shown += is_shown[slices->value[k].node];
	}
	values_count(c, shown);
	values_close_column(c);
	for (uint32_t column = 0; column < SLICE_COLUMNS; column++) {
		values_open_column(c, keys[column], kinds[column]);
		for (uint32_t k = 0; k < end; k++)
			if (is_shown[slices->value[k].node])
				put_slice_value(c, nodes, &slices->value[k],
				                (enum slice_column)column);
		values_close_column(c);
	}
}

/* Bounds of the functions of a table, of those that are shown. */
static void
put_table_bounds(struct values *c, const struct gprofx_slice_table *table, const struct many *many)
{
	enum { NODE, LOW, HIGH, COLUMNS };
	static const char *const keys[COLUMNS] = {"node", "low", "high"};

	for (int column = 0; column < COLUMNS; column++) {
		values_open_column(c, keys[column],
		                   column == NODE ? VALUES_INTEGERS : VALUES_REALS);
		for (uint32_t i = 0; i < table->spread_count; i++) {
			const struct gprofx_function_spread *row = GPROFX_ROW(
				struct gprofx_function_spread, table->spread, i);

			if (!many->is_shown[row->function])
				continue;
			if (column == NODE)
				values_count(c, many->nodes->number[row->function]);
			else
				put_bound(c, row, column == HIGH);
		}
		values_close_column(c);
	}
}

static void
put_slice_bounds(struct values *c, const struct many *many)
{
	const struct gprofx_report_slices *slices = many->nodes->report->slices;

	values_key(c, "bounds");
	values_open(c, '{');
	for (uint32_t i = 0; i < slices->table_count; i++) {
		const struct gprofx_slice_table *table = gprofx_slice_table_at(many->nodes->report,
		                                                               i);

		values_key(c, table->kind == GPROFX_SLICE_PROCESS  ? "process"
		              : table->kind == GPROFX_SLICE_THREAD ? "thread"
		                                                   : "phase");
		values_open(c, '{');
		put_table_bounds(c, table, many);
		values_close(c, '}');
	}
	values_close(c, '}');
}

static void
put_slices(struct values *c, const struct many *many)
{
	values_key(c, "slices");
	if (!many->is_shown) {
		values_null(c);
		return;
	}
	values_open(c, '{');
	values_key(c, "kinds");
	values_count(c, many->nodes->report->slices->kinds);
	put_items(c, many->nodes->report);
	put_slice_values(c, many->nodes, many->is_shown);
	put_slice_bounds(c, many);
	values_key(c, "left");
	values_count(c, many->functions_left);
	values_close(c, '}');
}

void
many_begin(struct many *many, const struct nodes *nodes)
{
	const struct gprofx_report_files *files = nodes->report->files;

	*many = (struct many){.nodes = nodes};
	if (files->value_first && files->labelled_count > 1)
		choose_rows(many);
	if (nodes->report->slices)
		choose_functions(many);
}

void
many_put(struct values *c, const struct many *many)
{
	put_files(c, many);
	put_slices(c, many);
}

void
many_release(struct many *many)
{
	many->nodes->gx->host->release(many->nodes->gx, many->rows);
	many->nodes->gx->host->release(many->nodes->gx, many->is_shown);
}
