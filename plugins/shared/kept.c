/* SPDX-License-Identifier: Apache-2.0 */
#include "kept.h"

#include <stdio.h>
#include <string.h>

#include "printable.h"

static void
make_room(struct gprofx_writer *public, size_t bytes)
{
	struct kept *kept = (struct kept *)public;
	size_t length = (size_t)(public->at - kept->text), room = 2 * kept->room + bytes;

	if (bytes <= (size_t)(public->end - public->at))
		return;
	kept->text = kept->gx->host->grow(kept->gx, kept->text, kept->room, room);
	kept->room = room;
	public->at = kept->text + length;
	public->end = kept->text + room;
}

static void
make_usual_room(struct gprofx_writer *public)
{
	make_room(public, GPROFX_WRITER_ROOM);
}

static void
put(struct gprofx_writer *public, const void *bytes, size_t count)
{
	make_room(public, count);
	memcpy(public->at, bytes, count);
	public->at += count;
}

static void
put_format(struct gprofx_writer *public, const char *format, ...)
{
	va_list arguments, again;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	if (length > 0) {
		make_room(public, (size_t)length + 1);
		vsnprintf(public->at, (size_t)length + 1, format, again);
		public->at += length;
	}
	va_end(again);
	va_end(arguments);
}

static void
put_fixed(struct gprofx_writer *public, double value, int width, int precision)
{
	put_format(public, "%*.*f", width, precision, value);
}

static void
put_number(struct gprofx_writer *public, uint64_t value, int width)
{
	put_format(public, "%*llu", width, (unsigned long long)value);
}

static void
put_text(struct gprofx_writer *public, const char *bytes, size_t count)
{
	put_printable_text(public, bytes, count);
}

static const struct gprofx_writer_services services = {
	.size = sizeof services,
	.make_room = make_usual_room,
	.put = put,
	.format = put_format,
	.fixed = put_fixed,
	.number = put_number,
	.text = put_text,
};

struct gprofx_writer *
kept_begin(struct kept *kept, struct gprofx *gx)
{
	*kept = (struct kept){.writer.services = &services, .gx = gx};
	make_usual_room(&kept->writer);
	return &kept->writer;
}

void
kept_release(struct kept *kept)
{
	kept->gx->host->release(kept->gx, kept->text);
}
