/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "maps.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "collect.h"
#include "sys.h"

bool
maps_open(struct maps_reader *reader, const char *path)
{
	reader->at = reader->end = 0;
	reader->descriptor = (int)SYS4(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	return reader->descriptor >= 0;
}

/* The next byte, or -1. */
static int
next_byte(struct maps_reader *reader)
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
read_hex(struct maps_reader *reader, uint64_t *number, unsigned base)
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
bool
maps_next(struct maps_reader *reader, struct mapping *mapping)
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

bool
maps_region(uint64_t address, uint64_t *low, uint64_t *high)
{
	/* The stack can be a small one, and several threads can be here. */
	struct {
		struct maps_reader reader;
		struct mapping mapping;
	} * work;
	long memory = SYS6(mmap, 0, sizeof *work, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool is_found = false;

	if (!sys_is_address(memory))
		return false;
	work = (void *)memory;
	(void)maps_open(&work->reader, "/proc/self/maps");
	while (work->reader.descriptor >= 0 && !is_found &&
	       maps_next(&work->reader, &work->mapping))
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
