/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gprofx/text.h>

static bool
read_all(struct lines *lines, int descriptor, size_t size)
{
	lines->text = gprofx_alloc(lines->gx, size + 1);
	while (lines->length < size) {
		ssize_t got = read(descriptor, lines->text + lines->length, size - lines->length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (got == 0)
			break;
		lines->length += (size_t)got;
	}
	return true;
}

static void
find_lines(struct lines *lines)
{
	const char *end = lines->text + lines->length;
	uint32_t count = 0;

	for (const char *at = lines->text; at < end; count++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		at = newline ? newline + 1 : end;
	}
	lines->start = gprofx_alloc(lines->gx, ((size_t)count + 1) * sizeof *lines->start);
	for (const char *at = lines->text; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		lines->start[lines->count++] = (size_t)(at - lines->text);
		at = newline ? newline + 1 : end;
	}
	lines->start[lines->count] = lines->length;
}

bool
lines_read(struct lines *lines, struct gprofx *gx, int descriptor)
{
	struct stat status;

	*lines = (struct lines){.gx = gx};
	if (fstat(descriptor, &status) != 0 || status.st_size < 0 ||
	    status.st_size > LINES_MOST_BYTES)
		return false;
	if (!read_all(lines, descriptor, (size_t)status.st_size)) {
		gx->host->release(gx, lines->text);
		return false;
	}
	find_lines(lines);
	return true;
}

void
lines_release(struct lines *lines)
{
	lines->gx->host->release(lines->gx, lines->text);
	lines->gx->host->release(lines->gx, lines->start);
}

/* A line without its end, which is "\n" or "\r\n". */
static struct gprofx_text
line_at(const struct lines *lines, uint32_t i)
{
	const char *bytes = lines->text + lines->start[i];
	size_t length = lines->start[i + 1] - lines->start[i];

	if (length > 0 && bytes[length - 1] == '\n') {
		length--;
		length -= length > 0 && bytes[length - 1] == '\r';
	}
	return (struct gprofx_text){bytes, length};
}

/* How much of a line is shown: whole characters. */
static size_t
shown_of(struct gprofx_text line)
{
	size_t length = line.length;

	if (length <= LINES_LONGEST)
		return length;
	length = LINES_LONGEST;
	while (length > LINES_LONGEST - 4 && ((unsigned char)line.bytes[length] & 0xc0) == 0x80)
		length--;
	return length;
}

struct lines_size
lines_size(const struct lines *lines, uint32_t first, uint32_t end)
{
	enum { SEPARATORS = 3, ESCAPED = sizeof "\\\\xNN" - 1, LESS = sizeof "\\u003c" - 1 };
	struct lines_size size = {0, 0};

	for (uint32_t i = first; i < end; i++) {
		struct gprofx_text line = line_at(lines, i);
		size_t length = shown_of(line), at = 0;

		/* With the end of the line. */
		size.shown += lines->start[i + 1] - lines->start[i] - (line.length - length);
		size.cost += length + SEPARATORS;
		for (size_t k = 0; k < length; k++)
			size.cost += line.bytes[k] == '<'
			                     ? LESS - 1
			                     : line.bytes[k] == '"' || line.bytes[k] == '\\';
		while ((at += gprofx_printable(line.bytes + at, length - at)) < length) {
			size.cost += line.bytes[at] == '\t' ? 1 : ESCAPED - 1;
			at++;
		}
	}
	return size;
}

void
lines_put_values(const struct lines *lines, struct values *c, uint32_t first, uint32_t end)
{
	static const char dots[] = " …";

	values_open(c, '[');
	for (uint32_t i = first; i < end; i++) {
		struct gprofx_text line = line_at(lines, i);
		size_t length = shown_of(line);

		if (length == line.length) {
			values_texts(c, line.bytes, length);
		} else {
			char *text = gprofx_alloc(lines->gx, length + sizeof dots);

			memcpy(text, line.bytes, length);
			memcpy(text + length, dots, sizeof dots);
			values_texts(c, text, length + sizeof dots - 1);
			lines->gx->host->release(lines->gx, text);
		}
	}
	values_close(c, ']');
}
