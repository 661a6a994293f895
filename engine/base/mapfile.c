/* SPDX-License-Identifier: Apache-2.0 */
/* Maps regular files privately; reads pipes, terminals and devices until they end. */
#include "base/mapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum {
	READ_PIECE = 65536,
	SMALL_FILE = 32768,
	/* What is not a regular file need not have an end. */
	MOST_PIPE_BYTES = 256 << 20,
	MOST_DEVICE_BYTES = 16 << 20,
	WRITER_MILLISECONDS = 5000,
	/* Holes are allowed up to this size, and up to this multiple of the data. */
	MOST_HOLES = 64 << 20,
	HOLES_PER_DATA = 64
};

const char *
mapfile_words(int error)
{
	switch (error) {
	case MAPFILE_ENDLESS:
		return "it is a device with more than 16 MiB, or a pipe with more than 256 MiB";
	case MAPFILE_HOLLOW:
		return "it consists almost entirely of holes";
	case MAPFILE_NO_WRITER:
		return "it is a pipe that no program opened for writing within 5 seconds";
	default:
		return strerror(error);
	}
}

/* Reads what there is room for, and makes more room.  Returns what read() does. */
static ssize_t
read_piece(struct run *run, int descriptor, struct mapped_file *file, size_t *room)
{
	ssize_t got;

	if (file->length == *room) {
		size_t larger = *room + *room / 2 + READ_PIECE;

		file->bytes = memory_grow(run, file->bytes, larger, larger);
		*room = larger;
	}
	do
		got = read(descriptor, file->bytes + file->length, *room - file->length);
	while (got < 0 && errno == EINTR);
	file->length += got > 0 ? (size_t)got : 0;
	return got;
}

/*
 * Reads until the end, or beyond the limit.  "expected" sizes the first piece; it is the size of a
 * regular file or 0, so memory never outgrows what the file really holds by more than half.
 */
static int
read_all(struct run *run, int descriptor, size_t expected, size_t limit, struct mapped_file *file)
{
	size_t room = expected > 0 ? expected + 1 : READ_PIECE;
	ssize_t got;

	if (!file->bytes)
		file->bytes = memory_alloc_unset(run, room);
	do
		got = read_piece(run, descriptor, file, &room);
	while (got > 0 && file->length <= limit);
	if (got < 0)
		return errno;
	return file->length > limit ? MAPFILE_ENDLESS : 0;
}

/* The same of what has no way back, and of devices. */
static int
read_stream(struct run *run, int descriptor, bool is_standard, struct mapped_file *file)
{
	struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
	int flags = fcntl(descriptor, F_GETFL);
	size_t room = READ_PIECE;

	/* Standard input was opened by others, and may still be in use by them. */
	if (!is_standard && flags >= 0) {
		file->bytes = memory_alloc_unset(run, room);
		/* A writer that takes its time is one for whom there is nothing to read yet. */
		if (file->is_pipe && poll(&waiting, 1, WRITER_MILLISECONDS) == 0 &&
		    read_piece(run, descriptor, file, &room) == 0)
			return MAPFILE_NO_WRITER;
		(void)fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
	}
	return read_all(run, descriptor, 0, file->is_pipe ? MOST_PIPE_BYTES : MOST_DEVICE_BYTES,
	                file);
}

/*
 * Whether a file is nearly all hole: its length was never written, and reading it from end to end
 * takes time and memory for all of it.  Where the system knows nothing of holes, all is data.
 */
static bool
is_hollow(int descriptor, off_t size)
{
	off_t data = 0, at = 0;

	while ((size - MOST_HOLES) / HOLES_PER_DATA > data) {
		off_t begin = lseek(descriptor, at, SEEK_DATA);
		off_t end = begin >= 0 ? lseek(descriptor, begin, SEEK_HOLE) : -1;

		if (begin < 0 && errno != ENXIO)
			break;
		if (end <= begin) {
			(void)lseek(descriptor, 0, SEEK_SET);
			return true;
		}
		data += end - begin;
		at = end;
	}
	(void)lseek(descriptor, 0, SEEK_SET);
	return false;
}

static int
fill(struct run *run, int descriptor, uint32_t ways, struct mapped_file *file)
{
	struct stat status;
	void *bytes;

	if (fstat(descriptor, &status) != 0)
		return errno;
	if (S_ISDIR(status.st_mode))
		return EISDIR;
	if (!S_ISREG(status.st_mode) && (ways & MAPFILE_REGULAR))
		return ENODEV;
	if (!S_ISREG(status.st_mode)) {
		file->is_stream = lseek(descriptor, 0, SEEK_CUR) < 0;
		file->is_pipe = S_ISFIFO(status.st_mode);
		return read_stream(run, descriptor, (ways & MAPFILE_STANDARD_INPUT) != 0, file);
	}
	file->modified = status.st_mtim.tv_sec;
	file->device = status.st_dev;
	file->inode = status.st_ino;
	if (lseek(descriptor, 0, SEEK_CUR) != 0)
		return read_all(run, descriptor, 0, SIZE_MAX, file);
	/* Below a few pages reading costs less than page faults. */
	if (status.st_size <= SMALL_FILE)
		return read_all(run, descriptor, (size_t)status.st_size, SIZE_MAX, file);
	if ((ways & MAPFILE_WHOLE) && is_hollow(descriptor, status.st_size))
		return MAPFILE_HOLLOW;
	/* A file can be mostly holes: only what is written to needs memory. */
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
	/* What is too large to be mapped is too large to be read. */
	if (bytes == MAP_FAILED)
		return errno == ENODEV ? read_all(run, descriptor, 0, SIZE_MAX, file) : errno;
	file->bytes = bytes;
	file->length = (size_t)status.st_size;
	file->is_mapped = true;
	/* Standard input may be named again: as after reading, there is nothing left in it. */
	(void)lseek(descriptor, 0, SEEK_END);
	return 0;
}

struct mapped_file *
mapfile_open(struct run *run, const char *name, uint32_t ways, int *error)
{
	return mapfile_open_in(run, AT_FDCWD, name, ways, error);
}

struct mapped_file *
mapfile_open_in(struct run *run, int folder, const char *name, uint32_t ways, int *error)
{
	bool is_standard = (ways & MAPFILE_STANDARD_INPUT) && strcmp(name, "-") == 0;
	struct mapped_file *file;
	int descriptor;

	if (!is_standard)
		ways &= ~(uint32_t)MAPFILE_STANDARD_INPUT;
	/* A pipe without a writer is opened, too. */
	descriptor = is_standard
	                     ? STDIN_FILENO
	                     : openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (descriptor < 0) {
		*error = errno;
		return NULL;
	}
	file = memory_alloc(run, sizeof *file);
	file->next = run->files;
	run->files = file;
	*error = fill(run, descriptor, ways, file);
	if (!is_standard)
		close(descriptor);
	if (*error != 0) {
		mapfile_close(run, file);
		return NULL;
	}
	return file;
}

void
mapfile_close(struct run *run, struct mapped_file *file)
{
	struct mapped_file **link = &run->files;

	while (*link != file)
		link = &(*link)->next;
	*link = file->next;
	if (file->is_mapped)
		munmap(file->bytes, file->length);
	else
		memory_release(run, file->bytes);
	memory_release(run, file);
}

struct mapped_file *
mapfile_of(const struct run *run, const uint8_t *byte)
{
	struct mapped_file *file = run->files;

	while (file && (byte < file->bytes || byte >= file->bytes + file->length))
		file = file->next;
	return file;
}

void
mapfile_let_go(const struct mapped_file *file, const uint8_t *bytes, size_t length)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = ((uintptr_t)bytes + page - 1) / page * page;
	uintptr_t end = ((uintptr_t)bytes + length) / page * page;

	/* Where that fails the memory stays. */
	if (file->is_mapped && begin < end)
		(void)madvise((void *)begin, end - begin, MADV_DONTNEED);
}

void
mapfile_let_all_go(const struct run *run, const uint8_t *byte)
{
	const struct mapped_file *file = mapfile_of(run, byte);

	if (file)
		mapfile_let_go(file, file->bytes, file->length);
}

void
mapfile_close_all(struct run *run)
{
	while (run->files)
		mapfile_close(run, run->files);
}
