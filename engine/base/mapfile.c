/* SPDX-License-Identifier: Apache-2.0 */
/* Maps regular files privately; reads pipes, terminals and devices until they end. */
#include "base/mapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { READ_PIECE = 65536, SMALL_FILE = 32768 };

/*
 * Reads until the end.  "expected" sizes the first piece; it is the size of a regular file or 0, so
 * memory never outgrows what the file really holds by more than half.
 */
static int
read_all(struct run *run, int descriptor, size_t expected, struct mapped_file *file)
{
	size_t room = expected > 0 ? expected + 1 : READ_PIECE;

	file->bytes = memory_alloc_unset(run, room);
	for (;;) {
		ssize_t got = read(descriptor, file->bytes + file->length, room - file->length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (got == 0)
			return 0;
		file->length += (size_t)got;
		if (file->length == room) {
			size_t larger = room + room / 2 + READ_PIECE;

			file->bytes = memory_grow(run, file->bytes, larger, larger);
			room = larger;
		}
	}
}

static int
fill(struct run *run, int descriptor, struct mapped_file *file)
{
	struct stat status;
	void *bytes;

	if (fstat(descriptor, &status) != 0)
		return errno;
	if (S_ISDIR(status.st_mode))
		return EISDIR;
	if (S_ISREG(status.st_mode))
		file->modified = status.st_mtim.tv_sec;
	file->is_stream = !S_ISREG(status.st_mode) && lseek(descriptor, 0, SEEK_CUR) < 0;
	/* Below a few pages reading costs less than page faults. */
	if (!S_ISREG(status.st_mode) || status.st_size <= SMALL_FILE ||
	    lseek(descriptor, 0, SEEK_CUR) != 0)
		return read_all(run, descriptor,
		                S_ISREG(status.st_mode) && status.st_size <= SMALL_FILE
		                        ? (size_t)status.st_size
		                        : 0,
		                file);
	/* A file can be mostly holes: only what is written to needs memory. */
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
	/* What is too large to be mapped is too large to be read. */
	if (bytes == MAP_FAILED)
		return errno == ENODEV ? read_all(run, descriptor, 0, file) : errno;
	file->bytes = bytes;
	file->length = (size_t)status.st_size;
	file->is_mapped = true;
	/* Standard input may be named again: as after reading, there is nothing left in it. */
	(void)lseek(descriptor, 0, SEEK_END);
	return 0;
}

struct mapped_file *
mapfile_open(struct run *run, const char *name, bool standard_input, int *error)
{
	bool is_standard = standard_input && name[0] == '-' && name[1] == '\0';
	struct mapped_file *file;
	int descriptor;

	descriptor = is_standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0) {
		*error = errno;
		return NULL;
	}
	file = memory_alloc(run, sizeof *file);
	file->next = run->files;
	run->files = file;
	*error = fill(run, descriptor, file);
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

const struct mapped_file *
mapfile_of(const struct run *run, const uint8_t *byte)
{
	const struct mapped_file *file = run->files;

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
mapfile_close_all(struct run *run)
{
	while (run->files)
		mapfile_close(run, run->files);
}
