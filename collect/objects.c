/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What is mapped: from /proc/self/maps, read without the C library.  One thread at a time notes it;
 * others that meet something new meanwhile leave it to that one, or to the next time.
 */
#include "collect.h"

#include <elf.h>
#include <fcntl.h>

#include "maps.h"
#include "sys.h"

enum {
	ROWS = 72,    /* of a chunk: a page */
	CHUNKS = 64,  /* at most */
	HEADERS = 64, /* program headers, at most */
	NOTES = 4096,
	UNKNOWN = 64 /* regions without code, of which nothing new is expected */
};

#define NO_ROW UINT32_MAX

static struct gxc_chunk *chunks[CHUNKS];
static uint32_t chunk_count;
static uint32_t is_busy;
static struct gxc_object *program;

/* Addresses that turned out to be in nothing that is listed. */
static uint64_t unknown[UNKNOWN];
static uint32_t unknown_count;

/* Per row the file that is mapped there. */
static struct identity {
	uint64_t device, inode;
	bool can_go; /* it was loaded by the program */
} identities[CHUNKS * ROWS];

static bool has_looked; /* once: what comes later was loaded by the program */
static uint32_t free_rows;
static uint64_t kept_bytes; /* of the addresses that objects have which are gone */

/*
 * Says whether the thread may look now.  Signals are blocked, since a handler of the program's
 * could leave it by a jump, and nobody would look again.
 */
static bool
begin_work(uint64_t *signals)
{
	if (__atomic_load_n(&is_busy, __ATOMIC_RELAXED) != 0)
		return false;
	sample_block_all(signals);
	if (__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE) == 0)
		return true;
	sample_unblock(signals);
	return false;
}

static void
end_work(const uint64_t *signals)
{
	__atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
	sample_unblock(signals);
}

static struct gxc_object *
row_at(uint32_t i)
{
	return (struct gxc_object *)chunk_entries(chunks[i / ROWS]) + i % ROWS;
}

/* Whether the object is gone: it has addresses that nothing has while it is there. */
static bool
is_kept(const struct gxc_object *row)
{
	return row->low >= GXC_KEPT;
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

		if (address >= row->low && address < row->high)
			return row;
	}
	return NULL;
}

/* The number of a new row, which nobody sees yet; NO_ROW: no room. */
static uint32_t
make_row(void)
{
	uint32_t count = chunk_count;
	struct gxc_chunk *chunk;

	if (count == 0 || chunks[count - 1]->used == ROWS) {
		if (count == CHUNKS)
			return NO_ROW;
		chunk = chunk_make(GXC_OBJECTS, sizeof(struct gxc_object), ROWS, 0);
		if (!chunk)
			return NO_ROW;
		chunks[count] = chunk;
		__atomic_store_n(&chunk_count, count + 1, __ATOMIC_RELEASE);
	}
	return (chunk_count - 1) * ROWS + (uint32_t)chunks[chunk_count - 1]->used;
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

/* A row that is not needed any more, or NO_ROW. */
static uint32_t
find_free_row(void)
{
	uint32_t count = row_count();

	for (uint32_t i = 0; free_rows > 0 && i < count; i++)
		if (row_at(i)->high == 0)
			return i;
	return NO_ROW;
}

static bool
is_identity(uint32_t i, const struct mapping *mapping)
{
	return identities[i].device == mapping->device && identities[i].inode == mapping->inode;
}

/* Fills a row; the range comes last, since others look it up by that. */
static void
fill_row(int memory, uint32_t i, const struct group *group)
{
	struct gxc_object made, *row = row_at(i);

	identities[i] = (struct identity){group->first.device, group->first.inode, has_looked};
	made.reserved = 0;
	made.low = group->first.low;
	made.high = group->high;
	made.bias = group->first.inode != 0 ? made.low - group->first.offset : 0;
	for (size_t k = 0; k < sizeof made.build_id; k++)
		made.build_id[k] = 0;
	made.path = find_path(group->first.path);
	if (group->first.offset == 0 && memory >= 0)
		read_headers(memory, &made);
	row->bias = made.bias;
	for (size_t k = 0; k < sizeof made.build_id; k++)
		row->build_id[k] = made.build_id[k];
	row->path = made.path;
	row->low = made.low;
	__atomic_store_n(&row->high, made.high, __ATOMIC_RELEASE);
}

static void
note_group(int memory, const struct group *group)
{
	struct gxc_object *row;
	uint32_t i;

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
	i = find_free_row();
	if (i != NO_ROW) {
		fill_row(memory, i, group);
		free_rows--;
		return;
	}
	i = make_row();
	if (i == NO_ROW)
		return;
	row = row_at(i);
	fill_row(memory, i, group);
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
	static struct maps_reader reader; /* one thread at a time is here */
	static struct mapping mapping;
	static struct group group;
	int memory;

	/* Who forked can have left it in the middle. */
	group.first.high = 0;
	if (!maps_open(&reader, "/proc/self/maps"))
		return;
	memory = (int)SYS4(openat, AT_FDCWD, "/proc/self/mem", O_RDONLY | O_CLOEXEC, 0);
	group.has_code = false;
	while (maps_next(&reader, &mapping)) {
		if (group.first.high == 0 || !continues(&group, &mapping)) {
			note_group(memory, &group);
			copy_mapping(&group.first, &mapping);
			group.has_code = false;
		}
		group.high = mapping.high;
		group.has_code = group.has_code || mapping.has_code;
	}
	note_group(memory, &group);
	has_looked = true;
	if (memory >= 0)
		SYS1(close, memory);
	SYS1(close, reader.descriptor);
}

void
objects_find(void)
{
	uint64_t signals;

	if (!begin_work(&signals))
		return;
	find_all();
	end_work(&signals);
}

static bool
is_unknown(uint64_t address)
{
	uint32_t count = unknown_count < UNKNOWN ? unknown_count : UNKNOWN;

	for (uint32_t i = 0; i < count; i++)
		if (unknown[i] >> 12 == address >> 12)
			return true;
	return false;
}

/*
 * Waits for others who look: they can have looked before what is new came, and soon end.  A child
 * of vfork can be killed while it looks; after some seconds nobody does.
 */
static void
wait_for_work(uint64_t *signals)
{
	const struct timespec pause = {0, 50000};

	for (int i = 0; i < 100000; i++) {
		if (begin_work(signals))
			return;
		SYS2(nanosleep, &pause, NULL);
	}
	sample_block_all(signals);
	__atomic_store_n(&is_busy, 1, __ATOMIC_RELAXED);
}

void
objects_meet(uint64_t address, bool can_wait)
{
	uint64_t signals;

	if (collect.is_off || address < 4096 || find(address) || is_unknown(address))
		return;
	if (can_wait)
		wait_for_work(&signals);
	else if (!begin_work(&signals))
		return;
	if (find(address)) {
		end_work(&signals);
		return;
	}
	find_all();
	if (!find(address))
		unknown[unknown_count++ % UNKNOWN] = address;
	end_work(&signals);
}

/* Marks the objects that are still mapped; says whether another one took the place of one. */
static bool
see_mapped(bool *is_there)
{
	static struct maps_reader reader; /* one thread at a time is here */
	static struct mapping mapping;
	uint32_t count = row_count();
	bool is_replaced = false;

	(void)maps_open(&reader, "/proc/self/maps");
	/* Who cannot see claims nothing. */
	for (uint32_t i = 0; i < count; i++)
		is_there[i] = reader.descriptor < 0 || is_kept(row_at(i));
	if (reader.descriptor < 0)
		return false;
	while (maps_next(&reader, &mapping))
		for (uint32_t i = 0; i < count; i++) {
			if (row_at(i)->low != mapping.low)
				continue;
			is_there[i] = is_identity(i, &mapping);
			is_replaced = is_replaced || !is_there[i];
		}
	SYS1(close, reader.descriptor);
	return is_replaced;
}

/* The row of the same file, wherever it was mapped when it was unloaded; or NULL. */
static const struct gxc_object *
find_kept(const struct gxc_object *row)
{
	uint32_t count = row_count();

	for (uint32_t i = 0; i < count; i++)
		if (is_kept(row_at(i)) &&
		    row_at(i)->high - row_at(i)->low == row->high - row->low &&
		    is_same_file(row_at(i), row))
			return row_at(i);
	return NULL;
}

/*
 * Puts away what was counted and sampled in an object that is gone, so that it is not taken for
 * that of another one at the same addresses: it gets addresses that nothing else ever has.
 */
static void
put_away(uint32_t i)
{
	struct gxc_object *row = row_at(i);
	const struct gxc_object *kept = find_kept(row);
	uint64_t bytes = row->high - row->low, low = kept ? kept->low : GXC_KEPT + kept_bytes;
	const struct gone gone = {row->low, bytes, low - row->low};
	bool has_calls = arcs_put_away(&gone), has_samples = stacks_put_away(&gone);
	bool has_blocks = blocks_put_away(&gone), has_times = exact_put_away(&gone);

	walk_forget();
	__atomic_store_n(&row->high, 0, __ATOMIC_RELEASE);
	if (kept || !(has_calls || has_samples || has_blocks || has_times)) {
		row->low = 0;
		free_rows++;
		return;
	}
	row->low = low;
	row->bias += gone.distance;
	__atomic_store_n(&row->high, low + bytes, __ATOMIC_RELEASE);
	/* Adjacent ones would look like one. */
	kept_bytes += ((bytes + 4095) & ~UINT64_C(4095)) + 4096;
	event_note(GXC_EVENT_UNLOAD, i + 1);
}

/* The same; who copies the file meanwhile begins anew. */
static void
move_away(uint32_t i)
{
	__atomic_fetch_add(&collect.header->moves, 1, __ATOMIC_SEQ_CST);
	put_away(i);
	__atomic_fetch_add(&collect.header->moves, 1, __ATOMIC_SEQ_CST);
}

void
objects_unloaded(void)
{
	static bool is_there[CHUNKS * ROWS];
	bool is_replaced;
	uint64_t signals;
	uint32_t count;

	wait_for_work(&signals);
	is_replaced = see_mapped(is_there);
	count = row_count();
	for (uint32_t i = 0; i < count; i++)
		if (row_at(i)->high != 0 && !is_there[i])
			move_away(i);
	unknown_count = 0;
	if (is_replaced)
		find_all();
	end_work(&signals);
}

/*
 * Whether what is at an address can be another object than the one that is noted.  Where none is,
 * another thread can be about to note one that is gone already: it has seen it before.
 */
static bool
can_be_another(uint64_t address)
{
	uint32_t count = row_count();

	for (uint32_t i = 0; i < count; i++)
		if (address >= row_at(i)->low && address < row_at(i)->high)
			return identities[i].can_go;
	return true;
}

void
objects_check(uint64_t site, uint64_t callee)
{
	if (can_be_another(site) || can_be_another(callee))
		objects_unloaded();
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
	has_looked = false;
	free_rows = 0;
	kept_bytes = 0;
	program = NULL;
	unknown_count = 0;
}
