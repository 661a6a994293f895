/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../shared/find-source.h"
#include "../shared/kept.h"
#include "../shared/line-calls.h"
#include "lines.h"

enum {
	CONTEXT = 20,          /* lines around those with data, where not all of a file is shown */
	WHOLE_BYTES = 1 << 16, /* smaller files are shown whole */
	MOST_ROWS = 300000,
	MOST_QUESTIONS = 32 /* to servers, which can take seconds each */
};

/* How often a line ran: with calls of its functions by themselves, unless a compiler counted it. */
static uint64_t
count_of(const struct gprofx_report *report, uint32_t row)
{
	const struct gprofx_source_line *line = gprofx_source_line_at(report, row);
	uint64_t calls = line->is_exact ? 0 : line_calls(report, row);

	return calls > line->count ? calls : line->count;
}

/* Whether a line took time, or something that it called did. */
static bool
took_time(const struct gprofx_source_line *line)
{
	return line->ticks > 0 || line->total > 0;
}

/* Whether a line ran, or took time. */
static bool
has_run(const struct gprofx_report *report, uint32_t row)
{
	return took_time(gprofx_source_line_at(report, row)) || count_of(report, row) > 0;
}

static int
compare_files(const void *a, const void *b)
{
	const struct source_file *x = a, *y = b;

	if (x->ticks != y->ticks)
		return x->ticks > y->ticks ? -1 : 1;
	if (x->linked_ticks != y->linked_ticks)
		return x->linked_ticks > y->linked_ticks ? -1 : 1;
	if (x->most_total != y->most_total)
		return x->most_total > y->most_total ? -1 : 1;
	if (x->lines != y->lines)
		return x->lines > y->lines ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The lines of a file that links lead to. */
static void
find_links(const struct source *source, struct source_file *file)
{
	uint32_t low = 0, high = source->link_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (strcmp(source->link[middle].file, file->name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	file->link = file->link_end = low;
	while (file->link_end < source->link_count &&
	       strcmp(source->link[file->link_end].file, file->name) == 0)
		file->linked_ticks += source->link[file->link_end++].ticks;
}

static void
add_file(struct source *source, struct source_file file)
{
	for (uint32_t row = file.first; row < file.end; row++) {
		const struct gprofx_source_line *line = gprofx_source_line_at(source->report, row);

		file.ticks += line->ticks;
		file.most_total = line->total > file.most_total ? line->total : file.most_total;
		file.lines += has_run(source->report, row);
	}
	if (source->mode == SOURCE_ALL || file.lines > 0 || file.link < file.link_end)
		source->files[source->count++] = file;
}

/* Links can lead to files without any row. */
static void
add_linked_files(struct source *source, const bool *is_there)
{
	for (uint32_t i = 0, end; i < source->link_count; i = end) {
		struct source_file file = {.name = source->link[i].file};

		find_links(source, &file);
		end = file.link_end;
		if (!is_there[i])
			add_file(source, file);
	}
}

static void
list_files(struct source *source)
{
	const struct gprofx_report_source *lines = source->report->source;

	size_t most = (size_t)lines->file_count + source->link_count + 1;
	bool *is_there = gprofx_alloc(source->gx, (size_t)source->link_count + 1);

	memset(is_there, 0, (size_t)source->link_count + 1);
	source->files = gprofx_alloc(source->gx, most * sizeof *source->files);
	for (uint32_t row = 0, end; row < lines->line_count; row = end) {
		uint32_t number = gprofx_source_line_at(source->report, row)->file;
		struct source_file file = {.name = lines->file[number], .first = row};

		for (end = row + 1; end < lines->line_count &&
		                    gprofx_source_line_at(source->report, end)->file == number;
		     end++)
			;
		file.end = end;
		find_links(source, &file);
		if (file.link < file.link_end)
			is_there[file.link] = true;
		add_file(source, file);
	}
	add_linked_files(source, is_there);
	source->gx->host->release(source->gx, is_there);
	qsort(source->files, source->count, sizeof *source->files, compare_files);
}

/* Parts of a file, from one line (from 0) up to another one. */
struct excerpt {
	uint32_t first, end;
};

/* Adds a line with those around it; lines ascend. */
static uint32_t
add_part(struct excerpt *parts, uint32_t count, const struct lines *lines, uint32_t line)
{
	uint32_t from, to;

	if (line > lines->count)
		return count;
	from = line > CONTEXT ? line - 1 - CONTEXT : 0;
	to = lines->count - line > CONTEXT ? line + CONTEXT : lines->count;
	if (count == 0 || parts[count - 1].end < from)
		parts[count++] = (struct excerpt){from, to};
	else
		parts[count - 1].end = to;
	return count;
}

/* Lines around those with data: around those with time, if the file has any; and around those that
 * links lead to. */
static uint32_t
list_parts(const struct source *source, const struct source_file *file, const struct lines *lines,
           struct excerpt *parts)
{
	uint32_t count = 0, link = file->link;

	for (uint32_t row = file->first; row < file->end; row++) {
		const struct gprofx_source_line *line = gprofx_source_line_at(source->report, row);

		if (file->ticks > 0 || file->most_total > 0 ? !took_time(line)
		                                            : !has_run(source->report, row))
			continue;
		while (link < file->link_end && source->link[link].line <= line->line)
			count = add_part(parts, count, lines, source->link[link++].line);
		count = add_part(parts, count, lines, line->line);
	}
	while (link < file->link_end)
		count = add_part(parts, count, lines, source->link[link++].line);
	return count;
}

static struct lines_size
size_of(const struct lines *lines, const struct excerpt *parts, uint32_t count)
{
	struct lines_size size = {0, 0};

	for (uint32_t i = 0; i < count; i++) {
		struct lines_size own = lines_size(lines, parts[i].first, parts[i].end);

		size.cost += own.cost;
		size.shown += own.shown;
	}
	return size;
}

/* What is shown of a file: all of it, or parts; returns how many. */
static uint32_t
choose_parts(struct source *source, const struct source_file *file, const struct lines *lines,
             struct excerpt *parts)
{
	struct lines_size size = lines_size(lines, 0, lines->count);
	uint32_t count = 1;

	parts[0] = (struct excerpt){0, lines->count};
	if (lines->count == 0 || size.cost > source->room ||
	    (source->mode == SOURCE_HOT && size.cost > WHOLE_BYTES)) {
		count = list_parts(source, file, lines, parts);
		size = size_of(lines, parts, count);
	}
	if (size.cost > source->room) {
		size = (struct lines_size){0, 0};
		count = 0;
	}
	source->room -= size.cost;
	source->left_bytes += lines->length - size.shown;
	return count;
}

/* Keeps what is shown of a file. */
static void
keep_parts(struct source *source, struct source_file *file, const struct lines *lines)
{
	struct values c = {.w = &source->kept.writer};
	size_t most = (size_t)(file->end - file->first) + (file->link_end - file->link) + 1;
	struct excerpt *parts = gprofx_alloc(source->gx, most * sizeof *parts);
	uint32_t count = choose_parts(source, file, lines, parts);

	file->is_left = count == 0 && lines->count > 0;
	for (uint32_t i = 0; i < count; i++) {
		values_open(&c, '{');
		values_key(&c, "first");
		values_count(&c, parts[i].first + (uint64_t)1);
		values_key(&c, "lines");
		lines_put_values(lines, &c, parts[i].first, parts[i].end);
		values_close(&c, '}');
	}
	source->gx->host->release(source->gx, parts);
}

static size_t
kept_bytes(const struct source *source)
{
	return source->kept.text ? (size_t)(source->kept.writer.at - source->kept.text) : 0;
}

static const char *
copy_of(struct gprofx *gx, const char *text)
{
	size_t bytes = strlen(text) + 1;

	return memcpy(gprofx_alloc(gx, bytes), text, bytes);
}

/* Looks for a file, and keeps its text as far as there is room; without any, it is not opened. */
static void
look_for(struct source *source, struct source_file *file)
{
	struct lines lines;
	int descriptor;

	file->is_left = source->room == 0;
	if (file->is_left)
		return;
	descriptor = finder_look(&source->finder, file->name);
	if (descriptor < 0) {
		file->tried = copy_of(source->gx, source->finder.tried);
		return;
	}
	file->is_found = true;
	file->is_left = !lines_read(&lines, source->gx, descriptor);
	close(descriptor);
	if (file->is_left)
		return;
	file->line_count = lines.count;
	file->text = kept_bytes(source);
	keep_parts(source, file, &lines);
	file->text_end = kept_bytes(source);
	lines_release(&lines);
}

enum gprofx_result
source_begin(struct source *source, const struct nodes *nodes, const struct parts *parts,
             const struct source_choice *choice)
{
	*source = (struct source){.gx = nodes->gx,
	                          .report = nodes->report,
	                          .mode = choice->mode,
	                          .room = choice->most};
	if (finder_begin(&source->finder, nodes->gx, nodes->report, false, choice->folders,
	                 choice->maps) != GPROFX_OK)
		return GPROFX_FAILED;
	source->finder.questions = MOST_QUESTIONS;
	if (choice->mode == SOURCE_NONE)
		return GPROFX_OK;
	source->link_count = parts_lines(parts, nodes->gx, nodes->report, &source->link);
	list_files(source);
	kept_begin(&source->kept, nodes->gx);
	for (uint32_t i = 0; i < source->count; i++) {
		struct source_file *file = &source->files[i];

		look_for(source, file);
		source->left += file->is_left;
		source->lost += !file->is_left && !file->is_found;
		source->shown += file->text < file->text_end;
	}
	return GPROFX_OK;
}

void
source_add_texts(struct source *source, struct strings *texts)
{
	for (uint32_t i = 0; i < source->count; i++)
		source->files[i].path = strings_add(texts, source->files[i].name);
}

/* Whether that is known: not where a function took time, or its calls were not counted. */
static bool
is_counted(const struct gprofx_report *report, uint32_t row)
{
	const struct gprofx_source_line *line = gprofx_source_line_at(report, row);
	const struct gprofx_report_source *source = report->source;

	if (line->is_exact)
		return line->is_counted;
	if (count_of(report, row) > 0)
		return true;
	for (uint32_t i = source->functions.first[row]; i < source->functions.first[row + 1]; i++)
		if (source->is_uncounted && source->is_uncounted[source->functions.item[i]])
			return false;
	return line->is_counted && !took_time(line);
}

/* Whether a row says anything; where there is little room, only those with time. */
static bool
is_worth_a_row(const struct source *source, uint32_t row, bool has_room)
{
	return took_time(gprofx_source_line_at(source->report, row)) ||
	       (has_room && is_counted(source->report, row));
}

enum column { COLUMN_LINE, COLUMN_CALLS, COLUMN_TICKS, COLUMN_TOTAL, COLUMNS };

static void
put_value(const struct source *source, uint32_t row, enum column column, struct values *c)
{
	const struct gprofx_source_line *line = gprofx_source_line_at(source->report, row);

	if (column == COLUMN_LINE)
		values_count(c, line->line);
	else if (column == COLUMN_TICKS)
		values_real(c, line->ticks);
	else if (column == COLUMN_TOTAL)
		values_real(c, line->total);
	else
		values_calls(c, &(struct gprofx_call_column){.some_unknown = true},
		             is_counted(source->report, row) ? count_of(source->report, row)
		                                             : GPROFX_CALLS_UNKNOWN);
}

static void
put_rows(const struct source *source, uint64_t *room, const struct source_file *file,
         struct values *c)
{
	static const char *const keys[COLUMNS] = {"line", "calls", "ticks", "total"};
	static const enum values_column kinds[COLUMNS] = {VALUES_STEPS, VALUES_INTEGERS,
	                                                  VALUES_REALS, VALUES_REALS};
	uint32_t columns = source->report->source->has_line_totals ? COLUMNS : COLUMN_TOTAL;
	bool has_room = file->end - file->first <= *room;

	if (has_room)
		*room -= file->end - file->first;
	for (uint32_t column = 0; column < columns; column++) {
		values_open_column(c, keys[column], kinds[column]);
		for (uint32_t row = file->first; row < file->end; row++)
			if (is_worth_a_row(source, row, has_room))
				put_value(source, row, (enum column)column, c);
		values_close_column(c);
	}
}

/* Whether the file was found, and its text. */
static void
put_text(const struct source *source, const struct source_file *file, struct values *c)
{
	values_key(c, "found");
	values_bool(c, file->is_found);
	values_key(c, "tried");
	values_text(c, file->tried);
	values_key(c, "count");
	values_count(c, file->line_count);
	values_key(c, "parts");
	if (file->text == file->text_end) {
		values_null(c);
		return;
	}
	values_open(c, '[');
	c->w->services->put(c->w, source->kept.text + file->text, file->text_end - file->text);
	values_close(c, ']');
}

void
source_put(const struct source *source, const struct strings *texts, struct values *c)
{
	static const char *const modes[] =
		{[SOURCE_ALL] = "all", [SOURCE_HOT] = "hot", [SOURCE_NONE] = "none"};
	uint64_t room = MOST_ROWS;

	values_key(c, "source");
	values_open(c, '{');
	values_key(c, "mode");
	values_text(c, modes[source->mode]);
	values_key(c, "total");
	values_real(c, source->mode == SOURCE_NONE ? 0 : source->report->source->total);
	values_key(c, "left");
	values_count(c, source->left);
	values_key(c, "leftBytes");
	values_count(c, source->left_bytes);
	values_key(c, "file");
	values_open(c, '[');
	for (uint32_t i = 0; i < source->count; i++) {
		const struct source_file *file = &source->files[i];

		values_open(c, '{');
		values_key(c, "path");
		values_count(c, strings_number(texts, file->path));
		put_text(source, file, c);
		put_rows(source, &room, file, c);
		values_close(c, '}');
	}
	values_close(c, ']');
	values_close(c, '}');
}

void
source_release(struct source *source)
{
	if (source->mode != SOURCE_NONE)
		kept_release(&source->kept);
	source->gx->host->release(source->gx, source->link);
	source->gx->host->release(source->gx, source->files);
}
