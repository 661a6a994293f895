/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/source-counts.h"

#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "base/sort.h"
#include "profile/profile.h"

enum { MOST_REPEATED_ROWS = 65536 };

const char *
source_counts_path(struct run *run, const char *folder, const char *path)
{
	const char *whole = folder && folder[0] != '\0' && path[0] != '/'
	                            ? text_format(run, "%s/%s", folder, path)
	                            : path;
	bool is_absolute = whole[0] == '/';
	char *made, *end;
	uint32_t above = 0; /* folders in "made" that ".." can leave */

	memory_array(run, made, strlen(whole) + 2);
	end = made;
	while (*whole != '\0') {
		size_t length = strcspn(whole, "/");
		bool is_up = length == 2 && memcmp(whole, "..", 2) == 0;

		if (is_up && above > 0) {
			while (end > made && end[-1] != '/')
				end--;
			end -= end > made;
			above--;
		} else if (length > 0 && !(length == 1 && *whole == '.') &&
		           !(is_up && is_absolute)) {
			if (end > made || is_absolute)
				*end++ = '/';
			memcpy(end, whole, length);
			end += length;
			above += !is_up;
		}
		whole += length + (whole[length] == '/');
	}
	*end = '\0';
	return made;
}

void
source_counts_add(struct run *run, struct profile *profile, const struct gprofx_raw_source *source)
{
	const char *path = source_counts_path(run, source->folder, source->path);
	uint32_t file = name_table_add(run, &profile->source_paths, path);

	memory_release(run, (void *)path);
	profile->source_counts = memory_room(
		run, profile->source_counts, sizeof *profile->source_counts,
		profile->source_count_count, &profile->source_count_room, source->line_count);
	for (uint32_t i = 0; i < source->line_count; i++)
		profile->source_counts[profile->source_count_count++] = (struct source_count){
			file, source->lines[i].line, source->lines[i].count};
	profile->source_functions = memory_room(
		run, profile->source_functions, sizeof *profile->source_functions,
		profile->source_function_count, &profile->source_function_room,
		source->function_count);
	for (uint32_t i = 0; i < source->function_count; i++) {
		const struct gprofx_raw_function *function = &source->functions[i];

		profile->source_functions[profile->source_function_count++] =
			(struct source_function){
				.file = file,
				.name = name_table_add(run, &profile->source_names, function->name),
				.first_line = function->first_line,
				.last_line = function->last_line,
				.count = function->count,
			};
	}
}

static uint64_t
sum_of(uint64_t left, uint64_t right)
{
	return left > UINT64_MAX - right ? UINT64_MAX : left + right;
}

/* The numbers of rows from "first" on, by ascending keys. */
static uint32_t *
sorted_rows(struct run *run, uint64_t *keys, uint32_t first, uint32_t count)
{
	uint32_t *ids;

	memory_array(run, ids, count);
	for (uint32_t i = 0; i < count; i++)
		ids[i] = first + i;
	sort_ascending(run, keys, ids, count);
	return ids;
}

static uint64_t *
line_keys(struct run *run, const struct profile *profile, uint32_t first)
{
	uint32_t count = profile->source_count_count - first;
	uint64_t *keys;

	memory_array(run, keys, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct source_count *row = &profile->source_counts[first + i];

		keys[i] = (uint64_t)row->file << 32 | row->line;
	}
	return keys;
}

static void
merge_lines(struct run *run, struct profile *profile)
{
	const struct source_count *old = profile->source_counts;
	uint32_t count = profile->source_count_count, kept = 0, *ids;
	uint64_t *keys = line_keys(run, profile, 0);
	struct source_count *rows;

	ids = sorted_rows(run, keys, 0, count);
	memory_array(run, rows, count);
	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || keys[i] != keys[i - 1])
			rows[kept++] = old[ids[i]];
		else
			rows[kept - 1].count = sum_of(rows[kept - 1].count, old[ids[i]].count);
	}
	memory_release(run, keys);
	memory_release(run, ids);
	memory_release(run, profile->source_counts);
	profile->source_counts = rows;
	profile->source_count_room = count;
	profile->source_count_count = profile->distinct_source_counts = kept;
}

static void
merge_functions(struct run *run, struct profile *profile)
{
	struct source_function *old = profile->source_functions, *rows;
	uint32_t count = profile->source_function_count, kept = 0, *ids;
	uint64_t *keys;

	memory_array(run, keys, count);
	for (uint32_t i = 0; i < count; i++)
		keys[i] = (uint64_t)old[i].file << 32 | old[i].name;
	ids = sorted_rows(run, keys, 0, count);
	memory_array(run, rows, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct source_function *row = &old[ids[i]];
		struct source_function *last = &rows[kept > 0 ? kept - 1 : 0];

		if (i == 0 || keys[i] != keys[i - 1]) {
			rows[kept++] = *row;
			continue;
		}
		/* A program of which a part was compiled anew can have both of them. */
		last->first_line = row->first_line < last->first_line ? row->first_line
		                                                      : last->first_line;
		last->last_line = row->last_line > last->last_line ? row->last_line
		                                                   : last->last_line;
		last->count = sum_of(last->count, row->count);
	}
	memory_release(run, keys);
	memory_release(run, ids);
	memory_release(run, old);
	profile->source_functions = rows;
	profile->source_function_room = count;
	profile->source_function_count = profile->distinct_source_functions = kept;
}

static bool
are_many(uint32_t count, uint32_t distinct)
{
	return count - distinct > MOST_REPEATED_ROWS && count - distinct > distinct;
}

void
source_counts_merge(struct run *run, struct profile *profile)
{
	if (are_many(profile->source_count_count, profile->distinct_source_counts))
		merge_lines(run, profile);
	if (are_many(profile->source_function_count, profile->distinct_source_functions))
		merge_functions(run, profile);
}

static int
compare_texts(const void *context, uint32_t left, uint32_t right)
{
	const char *const *texts = context;

	return strcmp(texts[left], texts[right]);
}

/* Numbers the files that have lines or functions by the order of their paths. */
static void
order_files(struct run *run, struct profile *profile)
{
	uint32_t count = profile->source_paths.count, kept = 0, *ids, *rank;
	bool *is_used;

	memory_array(run, ids, count);
	memory_array(run, rank, count);
	memory_array(run, is_used, count);
	memory_array(run, profile->source_files, count);
	for (uint32_t i = 0; i < profile->source_count_count; i++)
		is_used[profile->source_counts[i].file] = true;
	for (uint32_t i = 0; i < profile->source_function_count; i++)
		is_used[profile->source_functions[i].file] = true;
	for (uint32_t i = 0; i < count; i++)
		if (is_used[i])
			ids[kept++] = i;
	sort_ids(run, ids, kept, compare_texts, profile->source_paths.items);
	for (uint32_t i = 0; i < kept; i++) {
		rank[ids[i]] = i;
		profile->source_files[i] = profile->source_paths.items[ids[i]];
	}
	profile->source_file_count = kept;
	for (uint32_t i = 0; i < profile->source_count_count; i++)
		profile->source_counts[i].file = rank[profile->source_counts[i].file];
	for (uint32_t i = 0; i < profile->source_function_count; i++)
		profile->source_functions[i].file = rank[profile->source_functions[i].file];
	memory_release(run, ids);
	memory_release(run, rank);
	memory_release(run, is_used);
}

static int
compare_functions(const void *context, uint32_t left, uint32_t right)
{
	const struct profile *profile = context;
	const struct source_function *a = &profile->source_functions[left];
	const struct source_function *b = &profile->source_functions[right];

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->first_line != b->first_line)
		return a->first_line < b->first_line ? -1 : 1;
	return strcmp(profile->source_names.items[a->name], profile->source_names.items[b->name]);
}

static void
order_functions(struct run *run, struct profile *profile)
{
	uint32_t count = profile->source_function_count, *ids;
	struct source_function *rows;

	memory_array(run, ids, count);
	memory_array(run, rows, count);
	for (uint32_t i = 0; i < count; i++)
		ids[i] = i;
	sort_ids(run, ids, count, compare_functions, profile);
	for (uint32_t i = 0; i < count; i++)
		rows[i] = profile->source_functions[ids[i]];
	memory_release(run, ids);
	memory_release(run, profile->source_functions);
	profile->source_functions = rows;
}

void
source_counts_finish(struct run *run, struct profile *profile)
{
	if (!profile->has_source)
		return;
	order_files(run, profile);
	merge_lines(run, profile);
	merge_functions(run, profile);
	order_functions(run, profile);
}

void
source_counts_facts(struct run *run, const struct profile *profile, uint32_t first_line,
                    uint32_t first_function, struct gprofx_profile_file *to)
{
	uint32_t count = profile->source_count_count - first_line, *ids;
	uint64_t *keys = line_keys(run, profile, first_line);
	bool *is_seen, ran = false;

	memory_array(run, is_seen, profile->source_paths.count);
	to->source_functions = profile->source_function_count - first_function;
	ids = sorted_rows(run, keys, first_line, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct source_count *line = &profile->source_counts[ids[i]];
		bool is_new = i == 0 || keys[i] != keys[i - 1];

		to->source_files += !is_seen[line->file];
		is_seen[line->file] = true;
		to->source_lines += is_new;
		ran = ran && !is_new;
		to->source_lines_run += !ran && line->count > 0;
		ran = ran || line->count > 0;
	}
	memory_release(run, is_seen);
	memory_release(run, keys);
	memory_release(run, ids);
}

uint32_t
source_counts_file(struct run *run, const struct profile *profile, const char *path)
{
	const char *made = source_counts_path(run, NULL, path);
	uint32_t low = 0, high = profile->source_file_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(made, profile->source_files[middle]);

		if (order == 0) {
			memory_release(run, (void *)made);
			return middle;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	memory_release(run, (void *)made);
	return NO_NAME;
}
