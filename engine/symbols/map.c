/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps of files: lines of the form FILE:ANYTHING NAME, as nm --print-file-name prints them, say
 * which file defines which function.  The first function of each run of lines with one file stands
 * for the file.
 */
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "symbols/symbols.h"

enum {
	STRICT_FIELD = 1023, /* bytes that GNU gprof reads of a field */
	LONGEST_FILE = 4096  /* bytes of the name of a file otherwise */
};

/* The text that is still to be read. */
struct map_text {
	const struct run *run;
	const char *begin, *at, *end;
	size_t field; /* bytes of a field */
};

static enum gprofx_result
fail_open(struct run *run, int error)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "map.cannot-open",
		.file = run->settings->file_map,
		.system_error = error,
		.hint = "make the map with: nm --defined-only --print-file-name *.o",
	};

	return run_fail(run, &diagnostic, "cannot read the map of files: %s", mapfile_words(error));
}

static enum gprofx_result
fail_line(struct run *run, const struct map_text *text, const char *place, const char *found)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "map.bad-line",
		.file = run->settings->file_map,
		.place = GPROFX_AT_LINE,
		.line = 1,
		.hint = "make the map with: nm --defined-only --print-file-name *.o",
	};
	const char *line = text->begin, *newline;

	while (line < place && (newline = memchr(line, '\n', (size_t)(place - line)))) {
		line = newline + 1;
		diagnostic.line++;
	}
	diagnostic.column = place - line < UINT32_MAX ? (uint32_t)(place - line) + 1 : UINT32_MAX;
	return run_fail(run, &diagnostic, "expected FILE:ADDRESS TYPE NAME, found %s", found);
}

/* Takes bytes up to one of the stops, as many as a field has; returns their number. */
static size_t
take_field(struct map_text *text, const char *stops, const char **field)
{
	size_t count = 0;

	*field = text->at;
	while (text->at < text->end && count < text->field && !(*text->at == stops[0]) &&
	       !(*text->at == stops[1])) {
		text->at++;
		count++;
	}
	return count;
}

static void
skip_blanks(struct map_text *text)
{
	while (text->at < text->end &&
	       (*text->at == ' ' || (*text->at >= '\t' && *text->at <= '\r')))
		text->at++;
}

/* Whether what stands between file and name says that the name is only referred to. */
static bool
is_undefined(const char *rest, const char *name)
{
	while (rest < name && (*rest == ':' || *rest == ' '))
		rest++;
	return name - rest == 2 && (*rest == 'U' || *rest == 'w' || *rest == 'v');
}

static void
add_entry(struct run *run, struct file_map *map, const char *file, const char *name, size_t length)
{
	struct map_entry *last = map->count > 0 ? &map->entries[map->count - 1] : NULL;
	bool is_first = !last || strcmp(last->file, file) != 0;
	struct map_entry entry = {
		.file = is_first ? text_keep(run, file, strlen(file)) : last->file,
		.name = text_keep(run, name, strnlen(name, length)),
		.stands_for_file = is_first,
	};

	map->entries = memory_room(run, map->entries, sizeof *map->entries, map->count, &map->room,
	                           1);
	map->entries[map->count++] = entry;
}

/*
 * One entry.  Bytes behind a NUL do not count, as in GNU gprof, which also reads what is behind the
 * end of a field as the next entry.
 */
static enum gprofx_result
read_entry(struct run *run, struct map_text *text, struct file_map *map)
{
	static const char no_symbols[] = "No symbols in ";
	char file[LONGEST_FILE + 1];
	const char *field, *rest, *name;
	size_t length = take_field(text, "\n:", &field), left;

	if (length == 0)
		return fail_line(run, text, field, "no name of a file");
	if (length > LONGEST_FILE)
		return fail_line(run, text, field, "a longer name than files have");
	memcpy(file, field, length);
	file[length] = '\0';
	if (strncmp(file, no_symbols, sizeof no_symbols - 1) == 0)
		return GPROFX_OK;
	length = take_field(text, "\n\n", &rest);
	if (length == 0)
		return fail_line(run, text, rest, "no colon");
	left = strnlen(rest, length);
	for (name = rest + left; name > rest && name[-1] != ' '; name--)
		;
	if (name == rest)
		return fail_line(run, text, rest, "no blank before a name");
	if (!run->settings->strict_lists && is_undefined(rest, name))
		return GPROFX_OK;
	add_entry(run, map, file, name, (size_t)(rest + left - name));
	return GPROFX_OK;
}

static int
compare_names(const void *context, uint32_t left, uint32_t right)
{
	const struct map_entry *entries = context;

	return strcmp(entries[left].name, entries[right].name);
}

struct file_map *
symbols_read_map(struct run *run, enum gprofx_result *result)
{
	struct map_text text = {.run = run};
	struct mapped_file *file;
	struct file_map *map;
	int error = 0;

	*result = GPROFX_OK;
	if (!run->settings->file_map)
		return NULL;
	file = mapfile_open(run, run->settings->file_map, MAPFILE_WHOLE, &error);
	if (!file) {
		*result = fail_open(run, error);
		return NULL;
	}
	map = memory_alloc(run, sizeof *map);
	text.begin = text.at = (const char *)file->bytes;
	text.end = text.begin + file->length;
	text.field = run->settings->strict_lists ? STRICT_FIELD : SIZE_MAX;
	if (text.at == text.end)
		*result = fail_line(run, &text, text.at, "an empty file");
	while (*result == GPROFX_OK && text.at < text.end) {
		*result = read_entry(run, &text, map);
		skip_blanks(&text);
	}
	mapfile_close(run, file);
	memory_array(run, map->by_name, map->count);
	for (uint32_t i = 0; i < map->count; i++)
		map->by_name[i] = i;
	sort_ids(run, map->by_name, map->count, compare_names, map->entries);
	return map;
}

/*
 * Of several entries with one name GNU gprof takes the one that a search by halves meets first, and
 * so do we.
 */
const char *
symbols_mapped_name(const struct file_map *map, const char *name)
{
	uint32_t low = 0, high = map->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct map_entry *entry = &map->entries[map->by_name[middle]];
		int order = strcmp(name, entry->name);

		if (order == 0)
			return entry->stands_for_file ? entry->file : NULL;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return name;
}
