/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of symbol providers: what their host's map_file() does. */
#ifndef TESTS_UNIT_READ_FILE_H
#define TESTS_UNIT_READ_FILE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes of a regular file; NULL: it is none, or empty. */
static inline uint8_t *
read_file(const char *path, uint64_t *length)
{
	int descriptor = open(path, O_RDONLY | O_NONBLOCK);
	struct stat status;
	uint8_t *bytes = NULL;

	if (descriptor < 0)
		return NULL;
	if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
		bytes = malloc((size_t)status.st_size);
	if (bytes && read(descriptor, bytes, (size_t)status.st_size) != status.st_size) {
		free(bytes);
		bytes = NULL;
	}
	close(descriptor);
	*length = bytes ? (uint64_t)status.st_size : 0;
	return bytes;
}

#endif
