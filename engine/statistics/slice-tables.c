/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/slice-tables.h"

#include "base/memory.h"
#include "base/sort.h"
#include "statistics/chance.h"
#include "statistics/gathered.h"
#include "statistics/series.h"

enum { KINDS = 3 };

/* What a member has of a function. */
struct entry {
	uint32_t function;
	struct gprofx_file_value value;
};

struct making {
	struct run *run;
	const struct filters *filters;
	struct chance_basis basis;
	const struct gprofx_report_slices *part;
	struct gprofx_slice_table *table;
	struct gprofx_member *members;
	uint32_t *member_of; /* per slice */
	uint32_t functions;
	struct series *self, *calls; /* per function */
	struct entry *entries;       /* by member */
	uint32_t entry_count, entry_room;
	bool counts_calls;
};

/* The row of a slice in the table of a kind, or GPROFX_NO_ROW. */
static uint32_t
row_of(const struct gprofx_slice *slice, uint32_t kind)
{
	return kind == GPROFX_SLICE_PROCESS  ? slice->process
	       : kind == GPROFX_SLICE_THREAD ? slice->thread
	                                     : slice->phase;
}

static const char *
name_and_number(struct run *run, const char *what, const char *name, uint64_t number)
{
	unsigned long shown = (unsigned long)number;

	if (name && number != 0)
		return text_format(run, "%s %lu", name, shown);
	if (name)
		return name;
	return number != 0 ? text_format(run, "%s %lu", what, shown) : what;
}

static const char *
label_of_thread(struct run *run, const struct gprofx_report_slices *part, uint32_t row)
{
	const struct gprofx_thread *thread = &part->thread[row];
	const struct gprofx_process *process;
	const char *label;

	if (thread->is_unknown)
		label = "not known";
	else if (thread->threads > 1)
		label = thread->name
		                ? text_format(run, "%s, %u threads", thread->name, thread->threads)
		                : text_format(run, "%u threads", thread->threads);
	else
		label = name_and_number(run, "thread", thread->name, thread->number);
	if (part->process_count < 2 || thread->process == GPROFX_NO_ROW)
		return label;
	process = &part->process[thread->process];
	return text_format(run, "%s of %s", label,
	                   name_and_number(run, "process", process->name, process->number));
}

static const char *
label_of(struct run *run, const struct gprofx_report_slices *part, uint32_t kind, uint32_t row)
{
	if (kind == GPROFX_SLICE_THREAD)
		return label_of_thread(run, part, row);
	if (kind == GPROFX_SLICE_PROCESS)
		return name_and_number(run, "process", part->process[row].name,
		                       part->process[row].number);
	if (part->phase[row].name)
		return part->phase[row].name;
	return text_format(run, "phase %lu", (unsigned long)part->phase[row].number);
}

static bool
has_values(const struct gprofx_report_slices *part, uint32_t slice)
{
	return part->slice[slice].ticks != 0 || part->first[slice] < part->first[slice + 1];
}

/* All rows of the kind, and one for what is of none, if there is anything. */
static void
list_members(struct making *at, uint32_t count)
{
	const struct gprofx_report_slices *part = at->part;
	struct gprofx_slice_table *table = at->table;
	bool has_none = false;

	memory_array(at->run, at->members, (size_t)count + 1);
	memory_array(at->run, at->member_of, part->slice_count);
	for (uint32_t i = 0; i < part->slice_count; i++) {
		uint32_t row = row_of(&part->slice[i], table->kind);

		at->member_of[i] = row == GPROFX_NO_ROW ? count : row;
		has_none |= row == GPROFX_NO_ROW && has_values(part, i);
	}
	for (uint32_t i = 0; i <= count; i++)
		at->members[i] = (struct gprofx_member){
			.size = sizeof *at->members,
			.row = i < count ? i : GPROFX_NO_ROW,
			.label = i < count ? label_of(at->run, part, table->kind, i) : "not known",
			.heaviest = GPROFX_NO_ROW,
			.calls = at->counts_calls ? 0 : GPROFX_CALLS_UNKNOWN,
		};
	table->member = at->members;
	table->member_count = count + has_none;
}

/* What was gathered of a member becomes its values, and is forgotten. */
static void
finish_member(struct making *at, struct gathered *gathered, uint32_t number)
{
	struct gprofx_member *member = &at->members[number];

	at->entries = memory_room(at->run, at->entries, sizeof *at->entries, at->entry_count,
	                          &at->entry_room, gathered->count);
	for (uint32_t i = 0; i < gathered->count; i++) {
		uint32_t f = gathered->listed[i];
		double ticks = gathered->ticks[f];
		uint64_t calls = gathered->calls[f];

		if (f >= at->functions || !filter_selects(at->filters, ENGINE_FILTER_FLAT, f))
			continue;
		if (ticks != 0)
			series_add(&at->self[f], number, ticks);
		if (calls != 0)
			series_add(&at->calls[f], number, (double)calls);
		if (ticks > member->heaviest_ticks ||
		    (ticks == member->heaviest_ticks && ticks > 0 && f < member->heaviest)) {
			member->heaviest = f;
			member->heaviest_ticks = ticks;
		}
		if (at->counts_calls)
			member->calls = calls < GPROFX_CALLS_UNKNOWN - 1 - member->calls
			                        ? member->calls + calls
			                        : GPROFX_CALLS_UNKNOWN - 1;
		at->entries[at->entry_count++] = (struct entry){
			f,
			{number, ticks, at->counts_calls ? calls : GPROFX_CALLS_UNKNOWN}};
	}
	gathered_clear(gathered);
}

/* Gathers the values of the slices of each member. */
static void
add_values(struct making *at, uint32_t nodes)
{
	const struct gprofx_report_slices *part = at->part;
	uint32_t count = part->slice_count, next = 0, *ids;
	struct gathered gathered;
	uint64_t *keys;

	memory_array(at->run, keys, count);
	memory_array(at->run, ids, count);
	for (uint32_t i = 0; i < count; i++) {
		keys[i] = at->member_of[i];
		ids[i] = i;
	}
	sort_ascending(at->run, keys, ids, count);
	gathered_begin(at->run, &gathered, nodes);
	for (uint32_t m = 0; m < at->table->member_count; m++) {
		for (; next < count && keys[next] == m; next++) {
			uint32_t slice = ids[next];

			for (uint32_t k = part->first[slice]; k < part->first[slice + 1]; k++)
				gathered_take(&gathered, &part->value[k]);
			at->members[m].ticks += part->slice[slice].ticks;
		}
		finish_member(at, &gathered, m);
		at->table->total += at->members[m].ticks;
	}
	gathered_release(at->run, &gathered);
	memory_release(at->run, keys);
	memory_release(at->run, ids);
}

/* A row for each function that any member has something of, and its values by member. */
static void
list_functions(struct making *at)
{
	struct gprofx_slice_table *table = at->table;
	struct gprofx_function_spread *rows;
	struct gprofx_file_value *values;
	uint32_t *first, *next, count = 0;

	memory_array(at->run, next, at->functions);
	for (uint32_t i = 0; i < at->entry_count; i++)
		count += next[at->entries[i].function]++ == 0;
	memory_array(at->run, rows, count);
	memory_array(at->run, first, (size_t)count + 1);
	memory_array(at->run, values, at->entry_count);
	table->spread = rows;
	table->value_first = first;
	table->value = values;
	for (uint32_t f = 0; f < at->functions; f++) {
		uint32_t own = next[f];

		if (own == 0)
			continue;
		next[f] = *first;
		first[1] = *first + own;
		first++;
		rows[table->spread_count++] = (struct gprofx_function_spread){
			.size = sizeof *rows,
			.function = f,
			.self = series_finish(&at->self[f], table->member_count),
			.calls = series_finish(&at->calls[f], table->member_count),
		};
	}
	for (uint32_t i = 0; i < at->entry_count; i++)
		values[next[at->entries[i].function]++] = at->entries[i].value;
	chance_judge(at->run, &at->basis,
	             &(struct chance_rows){rows, table->spread_count, table->member_count,
	                                   table->value_first, values});
	memory_release(at->run, next);
	memory_release(at->run, at->entries);
}

/* Whether values have calls; all have, or none. */
static bool
counts_calls(const struct gprofx_report_slices *part)
{
	return part->first[part->slice_count] > 0 && part->value[0].calls != GPROFX_CALLS_UNKNOWN;
}

static void
make_table(struct making *at, uint32_t count)
{
	uint32_t nodes = at->functions;

	for (uint32_t i = 0; i < at->part->first[at->part->slice_count]; i++)
		if (at->part->value[i].node >= nodes)
			nodes = at->part->value[i].node + 1;
	list_members(at, count);
	memory_array(at->run, at->self, at->functions);
	memory_array(at->run, at->calls, at->functions);
	add_values(at, nodes);
	list_functions(at);
	memory_release(at->run, at->self);
	memory_release(at->run, at->calls);
	memory_release(at->run, at->member_of);
}

void
slice_tables_make(struct run *run, struct gprofx_report_slices *part, uint32_t found,
                  const struct report_parts *parts, const struct filters *filters)
{
	const uint32_t kinds[KINDS] = {GPROFX_SLICE_PROCESS, GPROFX_SLICE_THREAD,
	                               GPROFX_SLICE_PHASE};
	const uint32_t counts[KINDS] = {part->process_count, part->thread_count, part->phase_count};
	struct gprofx_slice_table *tables;

	memory_array(run, tables, KINDS);
	part->table = tables;
	for (uint32_t i = 0; i < KINDS; i++) {
		struct making at = {
			.run = run,
			.filters = filters,
			.basis = chance_basis_of(parts),
			.part = part,
			.table = &tables[part->table_count],
			.functions = parts->functions.count,
			.counts_calls = counts_calls(part),
		};

		if (!(part->kinds & found & kinds[i]))
			continue;
		*at.table = (struct gprofx_slice_table){.size = sizeof *tables, .kind = kinds[i]};
		part->table_count++;
		make_table(&at, counts[i]);
	}
}
