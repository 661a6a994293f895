/* SPDX-License-Identifier: Apache-2.0 */
/* Files that code was mapped from, and code that is in none. */
#include <string.h>

#include "records.h"
#include "../shared/text-lines.h"
#include "../shared/text-table.h"
#include "reading.h"

enum {
	PATH_ROOM = 4096,
	AT_PID = 8,
	AT_ADDRESS = 16,
	AT_LENGTH = 24,
	AT_OFFSET = 32,
	AT_NAME = 40,
	AT_ID_BYTES = 40,
	AT_ID = 44,
	AT_PROTECTION = 64,
	AT_NAME2 = 72,
	PROTECTION_EXEC = 4
};

/* What a record of a mapping says. */
struct mapped {
	uint32_t pid;
	uint64_t address, bytes, offset;
	const char *path;
	size_t length;
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	bool is_empty; /* or without an end */
	bool is_code, is_kernel, is_guest;
};

uint32_t
perfdata_image(struct perfdata *p, uint32_t kind, const char *path, size_t length,
               const uint8_t *build_id, uint32_t build_id_bytes)
{
	size_t key_bytes = 1 + (size_t)build_id_bytes + length;
	struct gprofx_raw_image image = {
		.size = sizeof image,
		.kind = kind,
		.build_id = build_id,
		.build_id_bytes = build_id_bytes,
	};
	char name[PATH_ROOM], *key;
	uint32_t *number;
	bool is_new;

	length = length < sizeof name ? length : sizeof name - 1;
	memcpy(name, path, length);
	name[length] = '\0';
	image.path = length > 0 ? name : "[unknown]";
	key = gprofx_alloc(p->gx, key_bytes);
	key[0] = (char)build_id_bytes;
	if (build_id_bytes > 0)
		memcpy(key + 1, build_id, build_id_bytes);
	memcpy(key + 1 + build_id_bytes, name, length);
	number = text_table_find(&p->images, key, 1 + (size_t)build_id_bytes + length, &is_new);
	if (is_new)
		*number = p->profile->builder->image(p->gx, p->profile, p->file, &image);
	else
		p->gx->host->release(p->gx, key);
	return *number;
}

static struct mapped
read_mapping(const struct perfdata *p, const struct perfdata_record *record)
{
	bool is_second = record->type == RECORD_MMAP2;
	uint32_t mode = record->misc & MISC_MODE;
	struct mapped row = {.is_empty = true};

	if (record->bytes < (is_second ? AT_NAME2 : AT_NAME))
		return row;
	row.pid = perfdata_u32(p, record->at + AT_PID);
	row.address = perfdata_u64(p, record->at + AT_ADDRESS);
	row.bytes = perfdata_u64(p, record->at + AT_LENGTH);
	row.offset = perfdata_u64(p, record->at + AT_OFFSET);
	row.length = perfdata_text(record, is_second ? AT_NAME2 : AT_NAME, &row.path);
	row.is_code = is_second
	                      ? (perfdata_u32(p, record->at + AT_PROTECTION) & PROTECTION_EXEC) != 0
	                      : (record->misc & MISC_EXEC) == 0;
	row.is_kernel = mode == MODE_KERNEL || row.pid == UINT32_MAX;
	row.is_guest = mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER;
	if (is_second && (record->misc & MISC_BUILD_ID)) {
		row.build_id_bytes = record->at[AT_ID_BYTES];
		row.build_id = record->at + AT_ID;
		if (row.build_id_bytes > BUILD_ID_BYTES)
			row.build_id_bytes = BUILD_ID_BYTES;
	}
	row.is_empty = row.bytes == 0 || row.bytes - 1 > UINT64_MAX - row.address;
	return row;
}

/* What is in no file. */
static bool
is_without_file(const struct mapped *row)
{
	static const char *const names[] = {
		"//anon", "anon_inode:", "/memfd:",        "/dev/zero", "/SYSV",
		"[heap]", "[stack",      "/anon_hugepage", "[anon:"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (text_span_begins((struct text_span){row->path, row->length}, names[i]))
			return true;
	return row->length == 0;
}

/* "_text" is the symbol at the first address of the kernel. */
static void
note_first(struct perfdata *p, const struct mapped *row, const char *name, size_t length)
{
	struct kernel_maps *maps = &p->kernel;

	if (length == 0 || length >= sizeof maps->first_name)
		return;
	memcpy(maps->first_name, name, length);
	maps->first_name[length] = '\0';
	maps->first_address = row->address;
	maps->build_id_bytes = row->build_id_bytes;
	if (row->build_id_bytes > 0)
		memcpy(maps->build_id, row->build_id, row->build_id_bytes);
}

/* The kernel is "[kernel.kallsyms]", with the symbol that addresses count from behind that; its
 * modules are in files, whose offsets are none of addresses. */
static enum gprofx_result
map_kernel(struct perfdata *p, struct mapped *row)
{
	const char *end = row->length > 0 && row->path[0] == '['
	                          ? memchr(row->path, ']', row->length)
	                          : NULL;
	size_t whole = row->length;
	uint32_t image;

	if (end)
		row->length = (size_t)(end - row->path) + 1;
	if (!row->build_id)
		row->build_id = perfdata_build_id(p, row->path, row->length, &row->build_id_bytes);
	if (end)
		note_first(p, row, end + 1, whole - row->length);
	if (row->path[0] != '[') {
		char name[PATH_ROOM];

		row->length = perfdata_module_name(row->path, row->length, name, sizeof name);
		image = perfdata_image(p, GPROFX_IMAGE_KERNEL, name, row->length, row->build_id,
		                       row->build_id_bytes);
	} else {
		image = perfdata_image(p, GPROFX_IMAGE_KERNEL, row->path, row->length,
		                       row->build_id, row->build_id_bytes);
	}
	if (end && whole > row->length)
		p->kernel.own_image = image;
	return image == 0 ? GPROFX_FAILED : perfdata_map_kernel(p, row->address, row->bytes, image);
}

size_t
perfdata_module_name(const char *path, size_t length, char *name, size_t room)
{
	static const char *const packed[] = {".gz", ".xz", ".zst"};
	size_t at, count = 0;

	for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
		if (text_span_ends((struct text_span){path, length}, packed[i]))
			length -= strlen(packed[i]);
	if (text_span_ends((struct text_span){path, length}, ".ko"))
		length -= strlen(".ko");
	for (at = length; at > 0 && path[at - 1] != '/'; at--)
		;
	name[count++] = '[';
	for (; at < length && count + 2 < room; at++)
		name[count++] = path[at];
	for (size_t i = 1; i < count; i++)
		if (name[i] == '-')
			name[i] = '_';
	name[count++] = ']';
	return count;
}

bool
perfdata_has_command(const struct perfdata *p, const struct perfdata_process *process,
                     const char *path, size_t length)
{
	const char *command = perfdata_command(p, process->pid);
	size_t at = length;

	while (at > 0 && path[at - 1] != '/')
		at--;
	length -= at;
	if (length >= COMMAND_BYTES)
		length = COMMAND_BYTES - 1;
	return command && strlen(command) == length && memcmp(command, path + at, length) == 0;
}

/* The first file of a process that has the name of its command is its program. */
static bool
is_program(const struct perfdata *p, struct perfdata_process *process, const struct mapped *row)
{
	if (process->has_program || !perfdata_has_command(p, process, row->path, row->length))
		return false;
	process->has_program = true;
	return true;
}

/* The length of a path without what says that there is no such file any more. */
static size_t
bare_length(const struct mapped *row)
{
	static const char deleted[] = " (deleted)";

	return text_span_ends((struct text_span){row->path, row->length}, deleted)
	               ? row->length - (sizeof deleted - 1)
	               : row->length;
}

/* Has a mapping of a file its bare path, and the build ID that is known of it. */
static void
name_build(struct perfdata *p, struct mapped *row)
{
	row->length = bare_length(row);
	if (!row->build_id)
		row->build_id = perfdata_build_id(p, row->path, row->length, &row->build_id_bytes);
}

static uint32_t
image_of(struct perfdata *p, struct perfdata_process *process, struct mapped *row, bool *is_in_file)
{
	uint32_t kind = GPROFX_IMAGE_LIBRARY;

	*is_in_file = false;
	if (is_without_file(row))
		return perfdata_generated(p, process);
	if (row->path[0] == '[')
		return perfdata_image(p, GPROFX_IMAGE_VDSO, row->path, row->length, NULL, 0);
	*is_in_file = true;
	name_build(p, row);
	if (is_program(p, process, row))
		kind = GPROFX_IMAGE_PROGRAM;
	return perfdata_image(p, kind, row->path, row->length, row->build_id, row->build_id_bytes);
}

enum gprofx_result
perfdata_take_mapping(struct perfdata *p, const struct perfdata_record *record)
{
	struct mapped row = read_mapping(p, record);
	struct gprofx_raw_mapping mapping = {
		.size = sizeof mapping,
		.address = row.address,
		.bytes = row.bytes,
		.offset = row.offset,
	};
	struct perfdata_process *process;
	uint32_t number;

	if (row.is_empty || row.is_guest || (!row.is_code && !row.is_kernel))
		return GPROFX_OK;
	if (row.is_kernel)
		return p->programs.is_listing ? GPROFX_OK : map_kernel(p, &row);
	number = perfdata_process(p, row.pid);
	process = &p->processes[number];
	if (p->programs.is_listing) {
		if (!is_without_file(&row) && row.path[0] != '[') {
			name_build(p, &row);
			perfdata_note_program(p, process, row.path, row.length, row.build_id,
			                      row.build_id_bytes);
		}
		return GPROFX_OK;
	}
	if (process->pending > 0 && perfdata_batch_pass(p) != GPROFX_OK)
		return GPROFX_FAILED;
	mapping.process = perfdata_host_process(p, process);
	mapping.image = image_of(p, process, &row, &mapping.is_in_file);
	if (mapping.image == 0)
		return GPROFX_FAILED;
	/* Offsets in files end before numbers do; addresses of generated code are their own. */
	if (!mapping.is_in_file)
		mapping.offset = row.address;
	else if (row.bytes - 1 > UINT64_MAX - row.offset)
		return GPROFX_OK;
	return p->profile->builder->mapping(p->gx, p->profile, p->file, &mapping);
}

enum gprofx_result
perfdata_take_symbol(struct perfdata *p, const struct perfdata_record *record)
{
	enum { AT_SYMBOL = 8, AT_BYTES = 16, AT_FLAGS = 22, AT_SYMBOL_NAME = 24, IS_GONE = 1 };
	static const char image_name[] = "[bpf]";
	struct gprofx_raw_name row = {0};
	char name[PATH_ROOM];
	const char *text;
	size_t length;
	uint32_t image;

	if (p->programs.is_listing || record->bytes < AT_SYMBOL_NAME ||
	    (perfdata_u16(p, record->at + AT_FLAGS) & IS_GONE) != 0)
		return GPROFX_OK;
	row.offset = perfdata_u64(p, record->at + AT_SYMBOL);
	row.bytes = perfdata_u32(p, record->at + AT_BYTES);
	length = perfdata_text(record, AT_SYMBOL_NAME, &text);
	length = length < sizeof name ? length : sizeof name - 1;
	memcpy(name, text, length);
	name[length] = '\0';
	row.name = name;
	if (length == 0 || row.bytes == 0 || row.bytes - 1 > UINT64_MAX - row.offset - 1)
		return GPROFX_OK;
	image = perfdata_image(p, GPROFX_IMAGE_KERNEL, image_name, sizeof image_name - 1, NULL, 0);
	p->kernel.bpf = image;
	if (image == 0 || perfdata_map_kernel(p, row.offset, row.bytes, image) != GPROFX_OK)
		return GPROFX_FAILED;
	return p->profile->builder->names(p->gx, p->profile, p->file, image, &row, 1);
}
