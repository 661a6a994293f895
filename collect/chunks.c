/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The file and its chunks.  Room in it is reserved before it is mapped: writing to a hole of a full
 * disk would end the program.  Where that fails, a chunk is in memory only, and is written at the
 * end.
 */
#include "collect.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "sys.h"

enum {
	PAGE = 4096,
	HIGH_DESCRIPTOR = 700, /* where programs that close or count theirs seldom look */
	TRIES = 10000,         /* names of files that are there already */
	PIECE = 16 * 1024,
	TEXT_ROOM = 4 * PAGE - sizeof(struct gxc_chunk)
};

/* Memory of our own, which is given out from its start to its end. */
struct piece {
	size_t used;
};

static struct piece *current;

/*
 * Addresses for the whole file, if the program's are not limited: a chunk is then at its offset in
 * it, and all of them are one mapping.
 */
static char *room;
static uint64_t room_bytes;

/* Why the file could not be enlarged or written the last time. */
static long file_error;

static struct chunk_list *newest;
static struct gxc_chunk *strings;

static void *
map_private(size_t bytes)
{
	long memory = SYS6(mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	                   0);

	return sys_is_address(memory) ? (void *)memory : NULL;
}

void *
chunks_private(size_t bytes)
{
	struct piece *from = __atomic_load_n(&current, __ATOMIC_ACQUIRE);

	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes > PIECE / 4)
		return map_private(bytes);
	for (;;) {
		if (from) {
			size_t at = __atomic_fetch_add(&from->used, bytes, __ATOMIC_RELAXED);

			if (at + bytes <= PIECE)
				return (char *)from + at;
		}
		/* If several threads do so at once, all but one leave a rest unused. */
		from = map_private(PIECE);
		if (!from)
			return NULL;
		from->used = 64;
		__atomic_store_n(&current, from, __ATOMIC_RELEASE);
	}
}

const struct chunk_list *
chunks_all(void)
{
	return __atomic_load_n(&newest, __ATOMIC_ACQUIRE);
}

static bool
is_our_file(int descriptor)
{
	struct stat status;

	return descriptor >= 0 && SYS2(fstat, descriptor, &status) == 0 &&
	       status.st_dev == collect.device && status.st_ino == collect.inode;
}

/*
 * The file, although the program can have closed it and opened another one with the same number.
 * *is_reopened: it is to be closed after use.
 */
static int
file_to_use(bool *is_reopened)
{
	int descriptor = collect.descriptor;

	*is_reopened = false;
	if (collect.file[0] == '\0' || is_our_file(descriptor))
		return descriptor;
	descriptor = (int)SYS4(openat, AT_FDCWD, collect.file, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	*is_reopened = true;
	if (descriptor < 0 || is_our_file(descriptor))
		return descriptor;
	SYS1(close, descriptor);
	return -1;
}

/* Reserves bytes of the file.  Not every file system can; then zeros are written. */
static bool
reserve(int descriptor, uint64_t offset, uint64_t bytes)
{
	static const char zeros[PAGE];
	struct rlimit limit;
	long result;

	/* Beyond the limit for files, the system would end the program. */
	if (SYS2(getrlimit, RLIMIT_FSIZE, &limit) == 0 && offset + bytes > limit.rlim_cur) {
		file_error = EFBIG;
		return false;
	}
	result = SYS4(fallocate, descriptor, 0, offset, bytes);
	if (result == 0)
		return true;
	if (result != -EOPNOTSUPP && result != -ENOSYS && result != -EPERM) {
		file_error = -result;
		return false;
	}
	for (uint64_t at = 0; at < bytes; at += PAGE) {
		result = SYS4(pwrite64, descriptor, zeros, PAGE, offset + at);
		if (result == PAGE)
			continue;
		file_error = result < 0 ? -result : ENOSPC;
		return false;
	}
	return true;
}

static void *
map_of_file(uint64_t offset, uint64_t bytes)
{
	bool is_reopened;
	int descriptor = file_to_use(&is_reopened);
	long memory = -1;

	if (descriptor < 0) {
		file_error = -descriptor;
		return NULL;
	}
	if (reserve(descriptor, offset, bytes))
		memory = SYS6(mmap, room ? room + offset : NULL, bytes, PROT_READ | PROT_WRITE,
		              MAP_SHARED | (room ? MAP_FIXED : 0), descriptor, offset);
	if (is_reopened)
		SYS1(close, descriptor);
	if (memory < -1 && !sys_is_address(memory))
		file_error = -memory;
	return sys_is_address(memory) ? (void *)memory : NULL;
}

/* What is not in the file is lost if the program is killed: the file says so, too. */
static void
note_private(uint64_t bytes)
{
	char reason[40];
	uint32_t before;

	if (collect.file[0] == '\0')
		return;
	before = __atomic_fetch_or(&collect.header->flags, GXC_PRIVATE_TABLES, __ATOMIC_RELAXED);
	__atomic_fetch_add(&collect.header->private_bytes, bytes, __ATOMIC_RELAXED);
	if (!(before & GXC_PRIVATE_TABLES))
		SAY("cannot enlarge ", collect.file, " (", say_reason(reason, file_error),
		    "): the rest is kept in memory, and lost if the program is killed");
}

struct gxc_chunk *
chunk_make(enum gxc_type type, uint32_t entry_bytes, uint64_t capacity, uint32_t thread)
{
	uint64_t size = (sizeof(struct gxc_chunk) + capacity * entry_bytes + PAGE - 1) &
	                ~(uint64_t)(PAGE - 1);
	struct chunk_list *row;
	struct gxc_chunk *chunk = NULL;
	uint64_t offset;

	if (capacity > collect.settings.memory || size > collect.settings.memory) {
		__atomic_fetch_add(&collect.header->failures, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	/* Offsets are given out once: where the memory is refused after that, zeros remain. */
	for (offset = collect.header->bytes;;) {
		if (offset + size > collect.settings.memory) {
			__atomic_fetch_add(&collect.header->failures, 1, __ATOMIC_RELAXED);
			return NULL;
		}
		if (__atomic_compare_exchange_n(&collect.header->bytes, &offset, offset + size,
		                                false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			break;
	}
	row = chunks_private(sizeof *row);
	if (row)
		chunk = map_of_file(offset, size);
	if (row && !chunk) {
		chunk = map_private(size);
		row->is_private = true;
		if (chunk)
			note_private(size);
	}
	if (!chunk) {
		__atomic_fetch_add(&collect.header->failures, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	chunk->type = (uint16_t)type;
	chunk->entry_bytes = (uint16_t)entry_bytes;
	chunk->size = size;
	chunk->capacity = (size - sizeof *chunk) / entry_bytes;
	chunk->thread = thread;
	/* Last, since readers of a running program's file go by it. */
	__atomic_store_n(&chunk->magic, GXC_CHUNK, __ATOMIC_RELEASE);
	row->chunk = chunk;
	row->offset = offset;
	row->next = __atomic_load_n(&newest, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&newest, &row->next, row, false, __ATOMIC_RELEASE,
	                                    __ATOMIC_RELAXED)) {
	}
	return chunk;
}

/* The number of the file descriptor is changed to one that is out of the program's way. */
static int
move_high(int descriptor)
{
	struct rlimit limit;
	long high = SYS3(fcntl, descriptor, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);

	/* The least that is not among the first ones that a program opens. */
	if (high < 0 && SYS2(getrlimit, RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 8)
		high = SYS3(fcntl, descriptor, F_DUPFD_CLOEXEC, limit.rlim_cur - 2);

	if (high < 0)
		return descriptor;
	SYS1(close, descriptor);
	return (int)high;
}

static int
open_file(void)
{
	const struct settings *settings = &collect.settings;

	for (uint32_t i = 0; i < TRIES; i++) {
		int descriptor;

		if (!names_fill(collect.file, sizeof collect.file, settings->live,
		                collect.sequence)) {
			SAY("the name of the file to write is too long");
			return -1;
		}
		descriptor = (int)SYS4(openat, AT_FDCWD, collect.file,
		                       O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (descriptor != -EEXIST)
			return descriptor < 0 ? descriptor : move_high(descriptor);
		collect.sequence++;
	}
	return -EEXIST;
}

static void
fill_header(void)
{
	struct gxc_header *header = collect.header;

	for (int i = 0; i < 8; i++)
		header->magic[i] = GXC_MAGIC[i];
	header->version = GXC_VERSION;
	header->order = GXC_ORDER;
	header->pointer_bytes = sizeof(void *);
	header->state = GXC_RUNNING;
	header->machine = MACHINE_ELF;
	header->pid = collect.pid;
	header->parent_pid = (uint32_t)SYS0(getppid);
	header->sequence = collect.sequence;
	header->page_bytes = PAGE;
	header->start = sys_nanoseconds(CLOCK_REALTIME);
	header->rate = collect.settings.rate;
	header->bytes = PAGE;
}

static void
take_room(void)
{
	struct rlimit limit;
	long memory;

	room = NULL;
	if (SYS2(getrlimit, RLIMIT_AS, &limit) < 0 || limit.rlim_cur != RLIM_INFINITY)
		return;
	room_bytes = (collect.settings.memory + PAGE) & ~(uint64_t)(PAGE - 1);
	memory = SYS6(mmap, 0, room_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
	              -1, 0);
	if (sys_is_address(memory))
		room = (char *)memory;
}

bool
chunks_begin(void)
{
	struct stat status;
	char reason[40];
	int descriptor = -1;

	collect.file[0] = '\0';
	if (collect.settings.keeps_file)
		descriptor = open_file();
	file_error = -descriptor;
	if (descriptor >= 0 && SYS2(fstat, descriptor, &status) == 0) {
		collect.device = status.st_dev;
		collect.inode = status.st_ino;
		collect.descriptor = descriptor;
		take_room();
		collect.header = map_of_file(0, PAGE);
	}
	if (!collect.header) {
		if (collect.settings.keeps_file)
			SAY("cannot write ", collect.file, " (", say_reason(reason, file_error),
			    collect.settings.gmon == GMON_OFF
			            ? "): what is measured is lost when the program ends"
			            : "): what is measured is kept in memory until the program "
			              "ends, and lost if it is killed");
		if (descriptor >= 0) {
			SYS1(close, descriptor);
			SYS3(unlinkat, AT_FDCWD, collect.file, 0);
		}
		collect.file[0] = '\0';
		collect.descriptor = -1;
		collect.header = map_private(PAGE);
	}
	if (!collect.header)
		return false;
	fill_header();
	return true;
}

/*
 * Takes memory that is the parent's.  Other memory takes its place, and stays: who forks in a
 * handler of signals can have interrupted a call of mcount, which goes on with it.
 */
static void
replace(void *memory, uint64_t bytes)
{
	long other = SYS6(mmap, memory, bytes, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);

	if (!sys_is_address(other))
		SYS2(munmap, memory, bytes);
}

void
chunks_leave(void)
{
	uint64_t used = collect.header->bytes;

	if (is_our_file(collect.descriptor))
		SYS1(close, collect.descriptor);
	for (const struct chunk_list *row = newest; row; row = row->next)
		if (!room || row->is_private)
			replace(row->chunk, row->chunk->size);
	if (room) {
		SYS2(munmap, room + used, room_bytes - used);
		replace(room, used);
	} else {
		replace(collect.header, PAGE);
	}
	room = NULL;
	newest = NULL;
	strings = NULL;
	current = NULL;
	collect.header = NULL;
	collect.descriptor = -1;
}

/* Writes a part of a chunk to its place in the file. */
static bool
write_part(int descriptor, const struct chunk_list *row, uint64_t at, uint64_t end)
{
	struct rlimit limit;

	if (SYS2(getrlimit, RLIMIT_FSIZE, &limit) == 0 && row->offset + end > limit.rlim_cur) {
		file_error = EFBIG;
		return false;
	}
	while (at < end) {
		long written = SYS4(pwrite64, descriptor, (const char *)row->chunk + at, end - at,
		                    row->offset + at);

		if (written <= 0 && written != -EINTR) {
			file_error = written < 0 ? -written : ENOSPC;
			return false;
		}
		if (written > 0)
			at += (uint64_t)written;
	}
	return true;
}

/* What is in a chunk that could not be written, since readers have to know of it. */
static void
count_lost(struct gxc_chunk *chunk)
{
	const struct gxc_arc *arcs = chunk_entries(chunk);
	const struct gxc_stack *stacks = chunk_entries(chunk);
	const struct gxc_block *blocks = chunk_entries(chunk);
	const struct gxc_timed *timed = chunk_entries(chunk);

	for (uint64_t i = 0; i < chunk->capacity; i++) {
		if (chunk->type == GXC_BLOCKS)
			collect.header->lost_blocks += blocks[i].count;
		if (chunk->type == GXC_ARCS)
			collect.header->lost_calls += arcs[i].count;
		if (chunk->type == GXC_TIMED)
			collect.header->untimed += timed[i].calls;
		if (chunk->type == GXC_STACKS || chunk->type == GXC_WAITS)
			collect.header->lost_samples += stacks[i].count;
	}
}

void
chunks_write_private(bool is_last)
{
	bool is_reopened = false;
	uint64_t left = 0;
	char reason[40];
	long error = 0;
	int descriptor;

	if (collect.file[0] == '\0' || !(collect.header->flags & GXC_PRIVATE_TABLES))
		return;
	descriptor = file_to_use(&is_reopened);
	file_error = -descriptor;
	for (const struct chunk_list *row = newest; row; row = row->next) {
		if (!row->is_private)
			continue;
		/* The header last: what is incomplete is no chunk. */
		if (descriptor >= 0 &&
		    write_part(descriptor, row, sizeof *row->chunk, row->chunk->size) &&
		    write_part(descriptor, row, 0, sizeof *row->chunk))
			continue;
		left += row->chunk->size;
		error = file_error;
		if (is_last)
			count_lost(row->chunk);
	}
	/* In the end, that is counted as lost. */
	collect.header->private_bytes = is_last ? 0 : left;
	if (left > 0 && is_last) {
		collect.header->flags |= GXC_UNWRITTEN;
		SAY("cannot write all of ", collect.file, " (", say_reason(reason, error),
		    "): the file states how much is missing");
	}
	if (is_reopened && descriptor >= 0)
		SYS1(close, descriptor);
}

void
chunks_keep_private(void)
{
	uint64_t bytes = 0;

	if (collect.file[0] == '\0')
		return;
	for (const struct chunk_list *row = chunks_all(); row; row = row->next)
		bytes += row->is_private ? row->chunk->size : 0;
	collect.header->private_bytes = bytes;
}

uint32_t
chunks_text(const char *text)
{
	uint64_t length = 0, at;

	while (text[length] != '\0')
		length++;
	length++;
	if (!strings) {
		strings = chunk_make(GXC_STRINGS, 1, TEXT_ROOM, 0);
		if (!strings)
			return 0;
		strings->used = 1;
	}
	at = __atomic_load_n(&strings->used, __ATOMIC_RELAXED);
	do {
		if (length > strings->capacity - at)
			return 0;
	} while (!__atomic_compare_exchange_n(&strings->used, &at, at + length, false,
	                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	for (uint64_t i = 0; i < length; i++)
		((char *)chunk_entries(strings))[at + i] = text[i];
	return (uint32_t)at;
}

const char *
chunks_text_at(uint32_t offset)
{
	return strings ? (const char *)chunk_entries(strings) + offset : NULL;
}
