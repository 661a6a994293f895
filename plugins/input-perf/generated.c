/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of code that a process generated, in /tmp/perf-PID.map, as runtimes write it for perf.
 * Anybody can write there: it is read only if it is of the user or the administrator.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../shared/text-lines.h"
#include "reading.h"
#include "records.h"

enum { MOST_BYTES = 256 << 20, NAME_ROOM = 1024, SHARE = 500 };

static char *
read_map(const struct perfdata *p, const char *path, size_t *length)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;
	char *bytes = NULL;
	ssize_t count = 1;

	*length = 0;
	if (descriptor < 0)
		return NULL;
	if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
	    (status.st_uid == geteuid() || status.st_uid == 0) && status.st_size > 0 &&
	    status.st_size <= MOST_BYTES) {
		bytes = gprofx_alloc(p->gx, (size_t)status.st_size);
		while (count > 0 && *length < (size_t)status.st_size) {
			count = read(descriptor, bytes + *length, (size_t)status.st_size - *length);
			*length += count > 0 ? (size_t)count : 0;
		}
	}
	close(descriptor);
	return bytes;
}

/* Reads "401000 1f name of a function"; false: it is none. */
static bool
read_line(const char *line, size_t length, struct gprofx_raw_name *row, char name[NAME_ROOM])
{
	const char *end = line + length, *at = text_read_hex(line, end, &row->offset);

	if (at == line || at == end || *at != ' ')
		return false;
	at = text_read_hex(at + 1, end, &row->bytes);
	if (at == end || *at != ' ' || ++at == end || row->bytes == 0 ||
	    row->bytes > UINT64_MAX - row->offset)
		return false;
	length = (size_t)(end - at) < NAME_ROOM ? (size_t)(end - at) : NAME_ROOM - 1;
	memcpy(name, at, length);
	name[length] = '\0';
	row->name = name;
	return name[0] != '\0';
}

static enum gprofx_result
add_names(struct perfdata *p, uint32_t image, const char *bytes, size_t length)
{
	struct text_lines lines = {bytes, bytes + length, 0};
	enum gprofx_result result = GPROFX_OK;
	/* The profile may not state more than its size allows. */
	uint64_t left = p->file->length * SHARE;
	char name[NAME_ROOM];
	const char *line;
	size_t line_bytes;

	while (result == GPROFX_OK && text_lines_next(&lines, &line, &line_bytes) &&
	       p->names_stated + line_bytes < left) {
		struct gprofx_raw_name row = {0};

		p->names_stated += line_bytes;
		if (read_line(line, line_bytes, &row, name))
			result = p->profile->builder->names(p->gx, p->profile, p->file, image, &row,
			                                    1);
	}
	return result;
}

uint32_t
perfdata_generated(struct perfdata *p, struct perfdata_process *process)
{
	static const char unnamed[] = "generated code";
	char path[64];
	size_t length;
	char *bytes;

	if (process->generated != 0)
		return process->generated;
	snprintf(path, sizeof path, "/tmp/perf-%u.map", (unsigned int)process->pid);
	bytes = read_map(p, path, &length);
	process->generated = perfdata_image(p, GPROFX_IMAGE_GENERATED, bytes ? path : unnamed,
	                                    bytes ? strlen(path) : sizeof unnamed - 1, NULL, 0);
	if (bytes && process->generated != 0 &&
	    add_names(p, process->generated, bytes, length) != GPROFX_OK)
		process->generated = 0;
	p->gx->host->release(p->gx, bytes);
	return process->generated;
}
