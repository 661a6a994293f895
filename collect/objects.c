/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What is mapped: from /proc/self/maps, read without the C library.  One thread at a time notes it;
 * others that meet something new meanwhile leave it to that one, or to the next time.
 */
#include "collect.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "sys.h"

enum {
	ROWS = 72,    /* of a chunk: a page */
	CHUNKS = 64,  /* at most */
	HEADERS = 64, /* program headers, at most */
	NOTES = 4096,
	UNKNOWN = 64 /* regions without code, of which nothing new is expected */
};

static struct gxc_chunk *chunks[CHUNKS];
static uint32_t chunk_count;
static uint32_t is_busy;
static struct gxc_object *program;

/* Addresses that turned out to be in nothing that is listed. */
static uint64_t unknown[UNKNOWN];
static uint32_t unknown_count;

struct reader {
	int descriptor;
	size_t at, end;
	char buffer[2048];
};

/* A line of the list of mappings. */
struct mapping {
	uint64_t low, high, offset, device, inode;
	bool has_code;
	size_t path_length;
	char path[1024];
};

/* Per object the table of the calls that it had before it was unloaded, or NULL. */
static struct gxc_chunk *retired[CHUNKS * ROWS];

static uint32_t free_rows;

static bool
begin_work(void)
{
	return __atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE) == 0;
}

static void
end_work(void)
{
	__atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
}

/* The next byte, or -1. */
static int
next_byte(struct reader *reader)
{
	if (reader->at == reader->end) {
		long got = SYS3(read, reader->descriptor, reader->buffer, sizeof reader->buffer);

		if (got <= 0)
			return -1;
		reader->at = 0;
		reader->end = (size_t)got;
	}
	return (unsigned char)reader->buffer[reader->at++];
}

/* A number up to a byte that is no digit, which is returned. */
static int
read_hex(struct reader *reader, uint64_t *number, unsigned base)
{
	int byte;

	*number = 0;
	for (;;) {
		unsigned digit;

		byte = next_byte(reader);
		if (byte >= '0' && byte <= '9')
			digit = (unsigned)(byte - '0');
		else if (byte >= 'a' && byte <= 'f')
			digit = (unsigned)(byte - 'a' + 10);
		else
			return byte;
		*number = *number * base + digit;
	}
}

/* low-high rwxp offset major:minor inode      path */
static bool
read_mapping(struct reader *reader, struct mapping *mapping)
{
	uint64_t minor;
	int byte;

	if (read_hex(reader, &mapping->low, 16) != '-' ||
	    read_hex(reader, &mapping->high, 16) != ' ')
		return false;
	mapping->has_code = false;
	while ((byte = next_byte(reader)) != ' ') {
		if (byte < 0)
			return false;
		mapping->has_code = mapping->has_code || byte == 'x';
	}
	if (read_hex(reader, &mapping->offset, 16) != ' ' ||
	    read_hex(reader, &mapping->device, 16) != ':' || read_hex(reader, &minor, 16) != ' ')
		return false;
	mapping->device = mapping->device << 32 | minor;
	byte = read_hex(reader, &mapping->inode, 10);
	while (byte == ' ')
		byte = next_byte(reader);
	mapping->path_length = 0;
	for (; byte >= 0 && byte != '\n'; byte = next_byte(reader))
		if (mapping->path_length + 1 < sizeof mapping->path)
			mapping->path[mapping->path_length++] = (char)byte;
	mapping->path[mapping->path_length] = '\0';
	return true;
}

static struct gxc_object *
row_at(uint32_t i)
{
	return (struct gxc_object *)chunk_entries(chunks[i / ROWS]) + i % ROWS;
}

static uint32_t
row_count(void)
{
	uint32_t count = __atomic_load_n(&chunk_count, __ATOMIC_ACQUIRE);

	return count == 0 ? 0 : (count - 1) * ROWS + (uint32_t)chunks[count - 1]->used;
}

/* The object that is mapped at an address, or NULL. */
static struct gxc_object *
find(uint64_t address)
{
	uint32_t count = row_count();

	for (uint32_t i = 0; i < count; i++) {
		struct gxc_object *row = row_at(i);

		if (address >= row->low && address < row->high && row->last_epoch == 0)
			return row;
	}
	return NULL;
}

static struct gxc_object *
make_row(void)
{
	uint32_t count = chunk_count;
	struct gxc_chunk *chunk;

	if (count == 0 || chunks[count - 1]->used == ROWS) {
		if (count == CHUNKS)
			return NULL;
		chunk = chunk_make(GXC_OBJECTS, sizeof(struct gxc_object), ROWS, 0);
		if (!chunk)
			return NULL;
		chunks[count] = chunk;
		__atomic_store_n(&chunk_count, count + 1, __ATOMIC_RELEASE);
	}
	chunk = chunks[chunk_count - 1];
	return (struct gxc_object *)chunk_entries(chunk) + chunk->used;
}

static bool
read_memory(int memory, uint64_t address, void *to, size_t bytes)
{
	return SYS4(pread64, memory, to, bytes, address) == (long)bytes;
}

static void
copy_build_id(struct gxc_object *row, const uint8_t *id, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes && i < sizeof row->build_id; i++)
		row->build_id[i] = id[i];
}

/* Looks for the build ID in notes. */
static void
read_notes(int memory, struct gxc_object *row, uint64_t address, uint64_t bytes)
{
	static uint8_t notes[NOTES]; /* one thread at a time is here */
	size_t size = bytes < NOTES ? (size_t)bytes : NOTES;

	if (!read_memory(memory, address, notes, size))
		return;
	for (size_t at = 0; at + 12 <= size;) {
		const uint32_t *head = (const uint32_t *)(const void *)(notes + at);
		uint64_t name = (head[0] + 3u) & ~UINT64_C(3), text = (head[1] + 3u) & ~UINT64_C(3);

		if (name > size || text > size || at + 12 + name + text > size)
			return;
		if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && notes[at + 12] == 'G') {
			copy_build_id(row, notes + at + 12 + name, head[1]);
			return;
		}
		at += 12 + name + text;
	}
}

/* What the headers of an object in memory say. */
static void
read_headers(int memory, struct gxc_object *row)
{
	Elf64_Ehdr header;
	bool has_bias = false;

	if (!read_memory(memory, row->low, &header, sizeof header) ||
	    header.e_ident[0] != ELFMAG0 || header.e_ident[1] != ELFMAG1 ||
	    header.e_ident[2] != ELFMAG2 || header.e_ident[3] != ELFMAG3 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
		return;
	for (unsigned i = 0; i < header.e_phnum && i < HEADERS; i++) {
		Elf64_Phdr part;

		if (!read_memory(memory, row->low + header.e_phoff + i * sizeof part, &part,
		                 sizeof part))
			return;
		if (part.p_type == PT_LOAD && !has_bias) {
			row->bias = row->low - (part.p_vaddr - part.p_offset);
			has_bias = true;
		}
		if (part.p_type == PT_NOTE && has_bias)
			read_notes(memory, row, row->bias + part.p_vaddr, part.p_memsz);
	}
}

/* The object under way: adjacent mappings of one file. */
struct group {
	struct mapping first;
	uint64_t high;
	bool has_code;
};

static bool
is_same_text(uint32_t offset, const char *text)
{
	const char *known = chunks_text_at(offset);

	for (; known && *known == *text; known++, text++)
		if (*text == '\0')
			return true;
	return false;
}

/* A path in the strings: that of an object before it, if it is the same. */
static uint32_t
find_path(const char *path)
{
	uint32_t count = row_count(), program_name = (uint32_t)collect.header->program_name;

	if (program_name != 0 && is_same_text(program_name, path))
		return program_name;
	for (uint32_t i = count; i-- > 0;)
		if (is_same_text(row_at(i)->path, path))
			return row_at(i)->path;
	return chunks_text(path);
}

static bool
is_same_file(const struct gxc_object *a, const struct gxc_object *b)
{
	for (size_t i = 0; i < sizeof a->build_id; i++)
		if (a->build_id[i] != b->build_id[i])
			return false;
	return a->path == b->path;
}

/* Whether an object was there before at the same addresses, and is now again. */
static bool
comes_back(const struct gxc_object *row)
{
	uint32_t count = row_count();

	for (uint32_t i = 0; i < count; i++) {
		struct gxc_object *old = row_at(i);

		if (old->last_epoch == 0 || old->low != row->low || old->high != row->high ||
		    !is_same_file(old, row))
			continue;
		old->last_epoch = 0;
		return true;
	}
	return false;
}

/* A row that is not needed any more, or NULL. */
static struct gxc_object *
find_free_row(void)
{
	uint32_t count = row_count();

	for (uint32_t i = 0; free_rows > 0 && i < count; i++)
		if (row_at(i)->high == 0)
			return row_at(i);
	return NULL;
}

/* Fills a row; the range comes last, since others look it up by that. */
static void
fill_row(int memory, struct gxc_object *row, const struct group *group)
{
	struct gxc_object made;

	made.low = group->first.low;
	made.high = group->high;
	made.bias = group->first.inode != 0 ? made.low - group->first.offset : 0;
	made.first_epoch = collect.epoch;
	made.last_epoch = 0;
	for (size_t i = 0; i < sizeof made.build_id; i++)
		made.build_id[i] = 0;
	made.path = find_path(group->first.path);
	if (group->first.offset == 0 && memory >= 0)
		read_headers(memory, &made);
	row->bias = made.bias;
	row->first_epoch = made.first_epoch;
	row->last_epoch = 0;
	for (size_t i = 0; i < sizeof made.build_id; i++)
		row->build_id[i] = made.build_id[i];
	row->path = made.path;
	row->low = made.low;
	__atomic_store_n(&row->high, made.high, __ATOMIC_RELEASE);
}

static void
note_group(int memory, const struct group *group)
{
	struct gxc_object *row;

	/* The page of old system calls is in nobody's file, and nothing runs there. */
	if (!group->has_code || group->first.low >> 63 != 0)
		return;
	row = find(group->first.low);
	if (row && row->low == group->first.low && row->high == group->high)
		return;
	if (row && row->low == group->first.low && row->high < group->high) {
		/* Memory that a program writes its code to has grown. */
		row->high = group->high;
		return;
	}
	row = find_free_row();
	if (row) {
		fill_row(memory, row, group);
		free_rows--;
		return;
	}
	row = make_row();
	if (!row)
		return;
	fill_row(memory, row, group);
	if (comes_back(row)) {
		row->low = row->high = 0;
		return;
	}
	/* From here on it can be seen. */
	__atomic_fetch_add(&chunks[chunk_count - 1]->used, 1, __ATOMIC_RELEASE);
	if (!program && collect.entry >= row->low && collect.entry < row->high)
		program = row;
}

static bool
continues(const struct group *group, const struct mapping *mapping)
{
	const struct mapping *first = &group->first;

	if (first->inode == 0)
		return false;
	return mapping->device == first->device && mapping->inode == first->inode &&
	       mapping->offset > first->offset;
}

/* Without the C library's memcpy, which changes registers that hold arguments of functions. */
static void
copy_mapping(struct mapping *to, const struct mapping *from)
{
	to->low = from->low;
	to->high = from->high;
	to->offset = from->offset;
	to->device = from->device;
	to->inode = from->inode;
	to->has_code = from->has_code;
	to->path_length = from->path_length;
	for (size_t i = 0; i <= from->path_length; i++)
		to->path[i] = from->path[i];
}

static void
find_all(void)
{
	static struct reader reader; /* one thread at a time is here */
	static struct mapping mapping;
	static struct group group;
	int memory;

	reader.at = reader.end = 0;
	reader.descriptor = (int)SYS3(open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	if (reader.descriptor < 0)
		return;
	memory = (int)SYS3(open, "/proc/self/mem", O_RDONLY | O_CLOEXEC, 0);
	group.has_code = false;
	while (read_mapping(&reader, &mapping)) {
		if (group.first.high == 0 || !continues(&group, &mapping)) {
			note_group(memory, &group);
			copy_mapping(&group.first, &mapping);
			group.has_code = false;
		}
		group.high = mapping.high;
		group.has_code = group.has_code || mapping.has_code;
	}
	note_group(memory, &group);
	group.first.high = 0;
	if (memory >= 0)
		SYS1(close, memory);
	SYS1(close, reader.descriptor);
}

void
objects_find(void)
{
	if (!begin_work())
		return;
	find_all();
	end_work();
}

void
objects_meet(uint64_t address)
{
	uint32_t count;

	if (address < 4096 || find(address) || !begin_work())
		return;
	count = unknown_count < UNKNOWN ? unknown_count : UNKNOWN;
	for (uint32_t i = 0; i < count; i++)
		if (unknown[i] >> 12 == address >> 12) {
			end_work();
			return;
		}
	find_all();
	if (!find(address))
		unknown[unknown_count++ % UNKNOWN] = address;
	end_work();
}

/* Marks the objects that are still mapped. */
static void
see_mapped(bool *is_there)
{
	static struct reader reader; /* one thread at a time is here */
	static struct mapping mapping;
	uint32_t count = row_count();

	reader.at = reader.end = 0;
	reader.descriptor = (int)SYS3(open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	/* Who cannot see claims nothing. */
	for (uint32_t i = 0; i < count; i++)
		is_there[i] = reader.descriptor < 0;
	if (reader.descriptor < 0)
		return;
	while (read_mapping(&reader, &mapping))
		for (uint32_t i = 0; i < count; i++)
			is_there[i] = is_there[i] || row_at(i)->low == mapping.low;
	SYS1(close, reader.descriptor);
}

/* The first row of the same file, wherever it was mapped. */
static uint32_t
find_first(uint32_t i)
{
	const struct gxc_object *row = row_at(i);

	for (uint32_t k = 0; k < i; k++)
		if (row_at(k)->high - row_at(k)->low == row->high - row->low &&
		    is_same_file(row_at(k), row))
			return k;
	return i;
}

/*
 * Puts away what was counted and sampled in an object that is gone, so that it is not taken for
 * that of another one at the same addresses.
 */
static bool
put_away(uint32_t i)
{
	struct gxc_object *row = row_at(i);
	uint32_t first = find_first(i);
	bool was_sampled = stacks_have(row->low, row->high);

	(void)arcs_retire(row, row_at(first), first + 1, &retired[first]);
	row->last_epoch = collect.epoch;
	/* What is of it is of the first one now, and the row can be that of another object. */
	if (first != i && !was_sampled) {
		row->low = row->high = 0;
		free_rows++;
	}
	return was_sampled;
}

bool
objects_unloaded(void)
{
	static bool is_there[CHUNKS * ROWS];
	bool begins_epoch = false;
	uint32_t count;

	if (!begin_work())
		return false;
	see_mapped(is_there);
	count = row_count();
	for (uint32_t i = 0; i < count; i++)
		if (row_at(i)->last_epoch == 0 && !is_there[i])
			begins_epoch = put_away(i) || begins_epoch;
	unknown_count = 0;
	end_work();
	return begins_epoch;
}

bool
objects_region(uint64_t address, uint64_t *low, uint64_t *high)
{
	/* The stack can be a small one, and several threads can be here. */
	struct {
		struct reader reader;
		struct mapping mapping;
	} * work;
	long memory = SYS6(mmap, 0, sizeof *work, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool is_found = false;

	if (!sys_is_address(memory))
		return false;
	work = (void *)memory;
	work->reader.descriptor = (int)SYS3(open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	while (work->reader.descriptor >= 0 && !is_found &&
	       read_mapping(&work->reader, &work->mapping))
		is_found = address >= work->mapping.low && address < work->mapping.high;
	if (work->reader.descriptor >= 0)
		SYS1(close, work->reader.descriptor);
	if (is_found) {
		*low = work->mapping.low;
		*high = work->mapping.high;
	}
	SYS2(munmap, work, sizeof *work);
	return is_found;
}

const struct gxc_object *
objects_program(void)
{
	return program;
}

void
objects_forget(void)
{
	chunk_count = 0;
	is_busy = 0;
	for (size_t i = 0; i < CHUNKS * (size_t)ROWS; i++)
		retired[i] = NULL;
	free_rows = 0;
	program = NULL;
	unknown_count = 0;
}
