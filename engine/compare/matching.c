/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the functions of two reports, as numbers that can be compared. */
#include "compare/matching.h"

#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/name-table.h"
#include "base/run.h"
#include "base/text.h"

enum {
	/*
	 * Bytes of texts that are read of any report, and of each function in addition.  Symbols
	 * of a damaged file can all have parts of one long text for a name.  A function of LLVM has
	 * 90 on average.
	 */
	TEXT_BYTES_FREE = 1 << 25,
	TEXT_BYTES_PER_FUNCTION = 512
};

struct reading {
	struct matching *matching;
	struct name_table names, files, objects;
	uint64_t left;      /* bytes that may still be read of this report */
	uint32_t next_name; /* number of the name that probably comes next */
	/* Functions that follow each other mostly have the same. */
	const char *path, *object_name;
	uint32_t path_file, object;
	bool has_object; /* the two are of a function of this report */
};

/*
 * The number of a text, or MATCHING_NONE: it is too long.  expected: the number that it probably
 * has; any value is allowed.
 */
static uint32_t
number_of(struct reading *reading, struct name_table *table, const char *text, uint32_t expected)
{
	size_t length = strnlen(text, reading->left + 1);

	if (length > reading->left) {
		reading->left = 0;
		reading->matching->is_cut = true;
		return MATCHING_NONE;
	}
	reading->left -= length;
	if (expected < table->count && strcmp(table->items[expected], text) == 0)
		return expected;
	return name_table_add_kept(reading->matching->run, table, text);
}

/* "libfoo" for "libfoo.so.1.2" and "libfoo-1.3.so": builds differ in versions. */
static const char *
without_version(struct run *run, const char *object)
{
	const char *end = strstr(object, ".so");

	if (!end)
		return object;
	while (end > object + 1 && strchr("0123456789.-", end[-1]))
		end--;
	return text_keep(run, object, (size_t)(end - object));
}

static uint32_t
object_of(struct reading *reading, const struct gprofx_report *report, uint32_t function)
{
	const char *const *names = report->functions->object_name;
	const char *name = names ? names[function] : NULL;

	if (!reading->has_object || name != reading->object_name) {
		reading->has_object = true;
		reading->object_name = name;
		name = name ? without_version(reading->matching->run, name) : "";
		reading->object = number_of(reading, &reading->objects, name, MATCHING_NONE);
	}
	return reading->object;
}

static uint32_t
file_of(struct reading *reading, const struct gprofx_report *report, uint32_t function)
{
	uint32_t line;
	const char *path = report->services->source(report, function, &line);

	if (!path)
		return MATCHING_NONE;
	if (path != reading->path) {
		reading->path = path;
		/* Builds have their own folders. */
		reading->path_file = number_of(reading, &reading->files, text_last_name(path),
		                               MATCHING_NONE);
	}
	return reading->path_file;
}

static enum matching_kind
kind_of(uint32_t flags)
{
	if (flags & (GPROFX_NODE_OUTSIDE | GPROFX_NODE_INDIRECT))
		return MATCHING_OTHER;
	if (flags & GPROFX_NODE_FILE)
		return MATCHING_FILE;
	return flags & GPROFX_NODE_LINE ? MATCHING_LINE : MATCHING_FUNCTION;
}

static void
read_side(struct reading *reading, bool is_new)
{
	struct matching *matching = reading->matching;
	const struct gprofx_report *report = matching->reports[is_new];
	uint32_t count = report->functions->count;

	reading->left = TEXT_BYTES_FREE + (uint64_t)TEXT_BYTES_PER_FUNCTION * count;
	reading->next_name = 0;
	reading->path = NULL;
	reading->has_object = false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t row = matching_row(matching, is_new, i), file;
		const char *name = report->functions->raw_name[i];

		/* Names lie all over memory. */
		if (i + PREFETCH_AHEAD < count)
			PREFETCH(report->functions->raw_name[i + PREFETCH_AHEAD]);
		matching->kind[row] = (uint8_t)kind_of(report->graph->flags[i]);
		matching->name[row] = MATCHING_NONE;
		matching->place[row] = MATCHING_NONE;
		matching->object[row] = object_of(reading, report, i);
		/* Of lines no name is compared, and there are many. */
		if (matching->kind[row] == MATCHING_LINE)
			continue;
		matching->name[row] = number_of(reading, &reading->names, name, reading->next_name);
		/* Two builds have most functions in the same order. */
		reading->next_name = matching->name[row] + 1;
		file = file_of(reading, report, i);
		if (file != MATCHING_NONE)
			matching_add(matching, row, matching_key(matching->object[row], file));
	}
}

void
matching_read(struct matching *matching)
{
	struct reading reading = {.matching = matching};
	struct run *run = matching->run;
	uint32_t rows = matching->row_count;

	memory_array(run, matching->kind, rows);
	memory_array(run, matching->name, rows);
	memory_array(run, matching->object, rows);
	memory_array(run, matching->place, rows);
	memory_array(run, matching->keys, rows);
	memory_array(run, matching->rows, rows);
	name_table_reserve(run, &reading.names, matching->base_count);
	read_side(&reading, false);
	read_side(&reading, true);
	matching_number(matching, matching->place);
	name_table_release(run, &reading.names);
	name_table_release(run, &reading.files);
	name_table_release(run, &reading.objects);
}

bool
matching_has_left(const struct matching *matching)
{
	bool has[2] = {false, false};

	for (uint32_t row = 0; row < matching->row_count; row++)
		if (matching_is_left(matching, row, MATCHING_FUNCTION))
			has[matching_is_new(matching, row)] = true;
	return has[0] && has[1];
}

void
matching_release(struct matching *matching)
{
	struct run *run = matching->run;

	memory_release(run, matching->kind);
	memory_release(run, matching->name);
	memory_release(run, matching->object);
	memory_release(run, matching->place);
	memory_release(run, matching->keys);
	memory_release(run, matching->rows);
}
