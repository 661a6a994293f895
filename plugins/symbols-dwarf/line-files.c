/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names in line tables: the directories and files of a header, and the paths made of them.
 */
#include <dwarf.h>
#include <string.h>

#include <gprofx/reader.h>

#include "line-table.h"

/* What one directory or file of a version 5 table consists of. */
struct format {
	uint64_t content, form;
};

enum {
	FORMATS_MAX = 255 /* the number of formats is one byte */
};

uint64_t
dwarfsym_uleb(struct gprofx_cursor *cursor)
{
	uint64_t value = 0;
	unsigned shift = 0;
	const uint8_t *byte;

	do {
		byte = gprofx_take(cursor, 1);
		if (!byte)
			return 0;
		if (shift < 64)
			value |= (uint64_t)(*byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (*byte & 0x80);
	return value;
}

int64_t
dwarfsym_sleb(struct gprofx_cursor *cursor)
{
	uint64_t value = 0;
	unsigned shift = 0;
	const uint8_t *byte;

	do {
		byte = gprofx_take(cursor, 1);
		if (!byte)
			return 0;
		if (shift < 64)
			value |= (uint64_t)(*byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (*byte & 0x80);
	if (shift < 64 && (*byte & 0x40))
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

const char *
dwarfsym_string(struct gprofx_cursor *cursor)
{
	const uint8_t *start = cursor->bytes + cursor->at;
	const uint8_t *end = NULL;

	if (gprofx_left(cursor) > 0)
		end = memchr(start, 0, gprofx_left(cursor));
	if (!end) {
		gprofx_take(cursor, UINT64_MAX);
		return NULL;
	}
	gprofx_take(cursor, (uint64_t)(end - start) + 1);
	return (const char *)start;
}

void
dwarfsym_add_entry(struct gprofx *gx, struct dwarfsym_entries *entries, const char *name,
                   uint64_t directory)
{
	DWARFSYM_ROOM(gx, entries->rows, entries->count, entries->room);
	entries->rows[entries->count].name = name;
	entries->rows[entries->count].directory = directory;
	entries->count++;
}

/* Versions 2 to 4: lists of strings, ended by an empty one; their first entries have number 1. */
static const char *
read_lists(struct gprofx *gx, struct gprofx_cursor *cursor, struct dwarfsym_header *header)
{
	const char *name;

	dwarfsym_add_entry(gx, &header->directories, NULL, 0);
	while ((name = dwarfsym_string(cursor)) && *name)
		dwarfsym_add_entry(gx, &header->directories, name, 0);
	dwarfsym_add_entry(gx, &header->files, NULL, 0);
	while ((name = dwarfsym_string(cursor)) && *name) {
		uint64_t directory = dwarfsym_uleb(cursor);

		dwarfsym_uleb(cursor); /* time */
		dwarfsym_uleb(cursor); /* size */
		dwarfsym_add_entry(gx, &header->files, name, directory);
	}
	return name ? NULL : "the names in its header do not end";
}

const char *
dwarfsym_string_at(const struct dwarfsym_section *section, uint64_t offset)
{
	/* Looking for the end of each would take the length of one string for every use of it. */
	return offset < section->closed ? (const char *)section->bytes + offset : NULL;
}

/* Reads one value of an entry: a string or a number.  Returns false for an unknown form. */
static bool
read_form(const struct dwarfsym_sections *sections, struct gprofx_cursor *cursor,
          const struct dwarfsym_header *header, uint64_t form, const char **string,
          uint64_t *number)
{
	uint32_t offset_bytes = header->offset_bytes;

	*string = NULL;
	*number = 0;
	switch (form) {
	case DW_FORM_string:
		*string = dwarfsym_string(cursor);
		return true;
	case DW_FORM_line_strp:
		*string = dwarfsym_string_at(&sections->line_strings,
		                             gprofx_number(cursor, offset_bytes));
		return true;
	case DW_FORM_strp:
		*string = dwarfsym_string_at(&sections->strings,
		                             gprofx_number(cursor, offset_bytes));
		return true;
	case DW_FORM_udata:
		*number = dwarfsym_uleb(cursor);
		return true;
	case DW_FORM_data1:
		*number = gprofx_number(cursor, 1);
		return true;
	case DW_FORM_data2:
		*number = gprofx_number(cursor, 2);
		return true;
	case DW_FORM_data4:
		*number = gprofx_number(cursor, 4);
		return true;
	case DW_FORM_data8:
		*number = gprofx_number(cursor, 8);
		return true;
	case DW_FORM_data16:
		gprofx_take(cursor, 16);
		return true;
	case DW_FORM_block:
		gprofx_take(cursor, dwarfsym_uleb(cursor));
		return true;
	default:
		return false;
	}
}

/* Version 5: a description of the entries, then their number, then the entries from number 0. */
static const char *
read_described(struct gprofx *gx, const struct dwarfsym_sections *sections,
               struct gprofx_cursor *cursor, const struct dwarfsym_header *header,
               struct dwarfsym_entries *entries)
{
	struct format formats[FORMATS_MAX];
	uint32_t format_count = (uint32_t)gprofx_number(cursor, 1);
	uint64_t count, before;

	for (uint32_t i = 0; i < format_count; i++) {
		formats[i].content = dwarfsym_uleb(cursor);
		formats[i].form = dwarfsym_uleb(cursor);
	}
	count = dwarfsym_uleb(cursor);
	for (uint64_t i = 0; i < count; i++) {
		const char *name = NULL, *string;
		uint64_t directory = 0, number;

		before = cursor->at;
		for (uint32_t j = 0; j < format_count; j++) {
			if (!read_form(sections, cursor, header, formats[j].form, &string, &number))
				return "the names in its header are of an unknown form";
			if (formats[j].content == DW_LNCT_path)
				name = string;
			else if (formats[j].content == DW_LNCT_directory_index)
				directory = number;
		}
		/* An entry without bytes would let the count alone decide how much there is. */
		if (cursor->short_by || cursor->at == before)
			return "its header announces more names than it holds";
		dwarfsym_add_entry(gx, entries, name, directory);
	}
	return NULL;
}

const char *
dwarfsym_read_names(struct gprofx *gx, const struct dwarfsym_sections *sections,
                    struct gprofx_cursor *cursor, struct dwarfsym_header *header)
{
	const char *wrong;

	if (header->version < 5)
		return read_lists(gx, cursor, header);
	wrong = read_described(gx, sections, cursor, header, &header->directories);
	return wrong ? wrong : read_described(gx, sections, cursor, header, &header->files);
}

/* Appends part to a path; a part that is absolute starts anew.  Returns the new length. */
static size_t
append(char *path, size_t length, const char *part)
{
	size_t part_length = strlen(part);

	if (*part == '/')
		length = 0;
	else if (length > 0)
		path[length++] = '/';
	memcpy(path + length, part, part_length + 1);
	return length + part_length;
}

char *
dwarfsym_file_path(struct gprofx *gx, const struct dwarfsym_header *header, uint64_t file,
                   const char *folder)
{
	/* What GNU prints for a file that the table does not have. */
	static const char unknown[] = "<unknown>";
	const char *name = NULL, *directory = NULL;
	size_t length = 0;
	char *path;

	if (file < header->files.count) {
		uint64_t number = header->files.rows[file].directory;

		name = header->files.rows[file].name;
		if (number < header->directories.count)
			directory = header->directories.rows[number].name;
	}
	if (!name || !*name) {
		path = gprofx_alloc(gx, sizeof unknown);
		memcpy(path, unknown, sizeof unknown);
		return path;
	}
	path = gprofx_alloc(gx, strlen(name) + (directory ? strlen(directory) + 1 : 0) +
	                                (folder ? strlen(folder) + 1 : 0) + 1);
	if (folder && *folder)
		length = append(path, length, folder);
	if (directory && *directory)
		length = append(path, length, directory);
	append(path, length, name);
	return path;
}
