/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "attach-image.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cfi-tables.h"
#include "../maps.h"

enum { MOST_HEADERS = 64, MOST_NOTES = 4096, NAME = PATH_MAX + 64 };

/* More than any program has: what says so is damaged. */
#define MOST_TABLE (UINT64_C(256) << 20)

/* Where an image is read from. */
struct source {
	int descriptor;
	bool is_memory;
	uint64_t start; /* of its first byte; of a file: 0 */
};

static bool
read_bytes(const struct source *source, uint64_t at, void *to, size_t bytes)
{
	while (bytes > 0) {
		ssize_t got = pread(source->descriptor, to, bytes, (off_t)at);

		if (got <= 0)
			return false;
		to = (char *)to + got;
		at += (uint64_t)got;
		bytes -= (size_t)got;
	}
	return true;
}

/* The part that has an address as linked, or NULL. */
static const struct image_load *
load_at(const struct image *image, uint64_t address)
{
	for (uint32_t i = 0; i < image->load_count; i++)
		if (address - image->loads[i].address < image->loads[i].bytes)
			return &image->loads[i];
	return NULL;
}

/* Reads what is linked at an address, of one part. */
static bool
read_linked(const struct source *source, const struct image *image, uint64_t address, void *to,
            uint64_t bytes)
{
	const struct image_load *load = load_at(image, address);
	uint64_t at;

	if (!load || bytes > load->bytes - (address - load->address))
		return false;
	at = source->is_memory
	             ? source->start + address - (image->loads[0].address - image->loads[0].offset)
	             : load->offset + (address - load->address);
	return read_bytes(source, at, to, (size_t)bytes);
}

/* Looks for the build ID. */
static void
read_notes(const struct source *source, struct image *image, const Elf64_Phdr *part)
{
	uint8_t notes[MOST_NOTES];
	size_t size = part->p_filesz < MOST_NOTES ? (size_t)part->p_filesz : MOST_NOTES;

	if (!read_linked(source, image, part->p_vaddr, notes, size))
		return;
	for (size_t at = 0; at + 12 <= size;) {
		uint32_t head[3];
		uint64_t name, text;

		memcpy(head, notes + at, sizeof head);
		name = (head[0] + UINT64_C(3)) & ~UINT64_C(3);
		text = (head[1] + UINT64_C(3)) & ~UINT64_C(3);
		if (name > size || text > size || at + 12 + name + text > size)
			return;
		if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 &&
		    memcmp(notes + at + 12, "GNU", 4) == 0) {
			memcpy(image->build_id, notes + at + 12 + name,
			       head[1] < IMAGE_BUILD_ID ? head[1] : IMAGE_BUILD_ID);
			return;
		}
		at += 12 + (size_t)(name + text);
	}
}

/*
 * Copies the sorted table and the section that it leads to: both are in one part, mostly up to its
 * end.  A copy, since files can be changed while they are mapped.
 */
static void
read_table(const struct source *source, struct image *image, uint64_t header)
{
	enum { ENCODING = 0x1b }; /* of the section's address: relative to itself, 4 bytes */
	const struct image_load *load = load_at(image, header);
	uint8_t first[8];
	uint64_t low = header, section;
	int32_t distance;

	if (!load || !read_linked(source, image, header, first, sizeof first) || first[0] != 1 ||
	    first[1] != ENCODING)
		return;
	memcpy(&distance, first + 4, sizeof distance);
	section = header + 4 + (uint64_t)(int64_t)distance;
	if (load_at(image, section) != load)
		return;
	if (section < low)
		low = section;
	image->table_bytes = load->bytes - (low - load->address);
	if (image->table_bytes > MOST_TABLE)
		return;
	image->table = malloc((size_t)image->table_bytes);
	image->table_address = low;
	image->header_address = header;
	if (image->table && !read_linked(source, image, low, image->table, image->table_bytes)) {
		free(image->table);
		image->table = NULL;
	}
}

static void
read_image(const struct source *source, struct image *image)
{
	Elf64_Phdr parts[MOST_HEADERS] = {{0}};
	Elf64_Ehdr header;

	if (!read_bytes(source, source->start, &header, sizeof header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof parts[0])
		return;
	image->entry = header.e_entry;
	if (header.e_phnum > MOST_HEADERS)
		header.e_phnum = MOST_HEADERS;
	if (!read_bytes(source, source->start + header.e_phoff, parts,
	                header.e_phnum * sizeof parts[0]))
		return;
	for (unsigned i = 0; i < header.e_phnum; i++)
		if (parts[i].p_type == PT_LOAD && image->load_count < IMAGE_LOADS)
			image->loads[image->load_count++] = (struct image_load){
				parts[i].p_offset, parts[i].p_vaddr, parts[i].p_filesz,
				(parts[i].p_flags & PF_X) != 0};
	for (unsigned i = 0; image->load_count > 0 && i < header.e_phnum; i++) {
		if (parts[i].p_type == PT_NOTE && image->build_id[0] == 0)
			read_notes(source, image, &parts[i]);
		if (parts[i].p_type == PT_GNU_EH_FRAME && !image->table)
			read_table(source, image, parts[i].p_vaddr);
	}
}

/* Opens a file that must be the one that is mapped; an inode of 0 fits any. */
static int
open_file(const char *path, uint64_t inode)
{
	struct stat status;
	int descriptor;

	/* Opening another kind of file can have effects. */
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return -1;
	descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (descriptor >= 0 &&
	    (fstat(descriptor, &status) != 0 || (inode != 0 && (uint64_t)status.st_ino != inode))) {
		close(descriptor);
		return -1;
	}
	return descriptor;
}

/* By the names that it can have: the first one is right even if the file was removed. */
static int
open_mapped(const struct image_mapping *mapping)
{
	char name[NAME];
	int descriptor;

	if (mapping->path[0] != '/' || mapping->inode == 0)
		return -1;
	snprintf(name, sizeof name, "/proc/%d/map_files/%llx-%llx", mapping->pid,
	         (unsigned long long)mapping->low, (unsigned long long)mapping->high);
	descriptor = open_file(name, 0);
	if (descriptor >= 0)
		return descriptor;
	snprintf(name, sizeof name, "/proc/%d/root%s", mapping->pid, mapping->path);
	descriptor = open_file(name, mapping->inode);
	return descriptor >= 0 ? descriptor : open_file(mapping->path, mapping->inode);
}

/* Where the first byte of the same file is mapped, at or below the mapping; 0: nowhere. */
static uint64_t
find_start(const struct image_mapping *wanted)
{
	struct maps_reader reader;
	struct mapping mapping;
	uint64_t found = 0;
	char name[64];

	snprintf(name, sizeof name, "/proc/%d/maps", wanted->pid);
	if (!maps_open(&reader, name))
		return 0;
	while (maps_next(&reader, &mapping) && mapping.low <= wanted->low)
		if (mapping.offset == 0 && mapping.inode == wanted->inode &&
		    strcmp(mapping.path, wanted->path) == 0)
			found = mapping.low;
	close(reader.descriptor);
	return found;
}

/* What has no file, or one that is out of reach, is in the memory of the process. */
static void
read_from_process(struct image *image, const struct image_mapping *mapping)
{
	struct source source = {.is_memory = true};
	char name[64];

	source.start = mapping->path[0] != '\0' ? find_start(mapping) : 0;
	if (source.start == 0)
		return;
	snprintf(name, sizeof name, "/proc/%d/mem", mapping->pid);
	source.descriptor = open(name, O_RDONLY | O_CLOEXEC);
	if (source.descriptor < 0)
		return;
	read_image(&source, image);
	close(source.descriptor);
}

const struct image *
image_of(struct image **list, const struct image_mapping *mapping)
{
	size_t length = strlen(mapping->path);
	struct source source = {.descriptor = -1};
	struct image *image;

	for (image = *list; image; image = image->next)
		if (image->inode == mapping->inode && image->device == mapping->device &&
		    strcmp(image->path, mapping->path) == 0)
			return image;
	image = calloc(1, sizeof *image + length + 1);
	if (!image)
		return NULL;
	memcpy(image->path, mapping->path, length + 1);
	image->inode = mapping->inode;
	image->device = mapping->device;
	image->next = *list;
	*list = image;
	source.descriptor = open_mapped(mapping);
	if (source.descriptor >= 0) {
		read_image(&source, image);
		close(source.descriptor);
	} else {
		read_from_process(image, mapping);
	}
	return image;
}

uint64_t
image_bias(const struct image *image, const struct image_mapping *mapping)
{
	enum { PAGE = 4096 };

	/* A mapping begins at the page in which the part begins, and other parts can be in that. */
	for (uint32_t i = 0; image && i < image->load_count; i++) {
		const struct image_load *load = &image->loads[i];
		uint64_t first = load->offset & ~(uint64_t)(PAGE - 1);

		if (load->is_code && mapping->offset >= first &&
		    mapping->offset < load->offset + load->bytes)
			return mapping->low - (load->address + mapping->offset - load->offset);
	}
	return mapping->path[0] != '\0' ? mapping->low - mapping->offset : 0;
}

void
image_release_all(struct image *list)
{
	while (list) {
		struct image *next = list->next;

		free(list->table);
		free(list);
		list = next;
	}
}

/* Whose code cfi_find() looks at: it is called from where nobody knows. */
static struct {
	bool (*place)(const void *data, uint64_t pc, struct image_place *place);
	const void *data;
} followed;

void
image_follow(bool (*place)(const void *data, uint64_t pc, struct image_place *place),
             const void *data)
{
	followed.place = place;
	followed.data = data;
}

/* The table speaks of addresses as if the copy were the image. */
bool
cfi_find(uint64_t pc, struct function *function)
{
	struct image_place place;
	struct cfi_image table;
	uint64_t distance;

	if (!followed.place || !followed.place(followed.data, pc, &place) || !place.image->table)
		return false;
	table.low = place.image->table;
	table.high = table.low + place.image->table_bytes;
	table.header = table.low + (place.image->header_address - place.image->table_address);
	distance = place.bias + place.image->table_address - (uint64_t)(uintptr_t)table.low;
	if (!cfi_find_in(&table, pc - distance, function))
		return false;
	function->start += distance;
	function->end += distance;
	return true;
}
