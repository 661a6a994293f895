/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

#include <limits.h>
#include <string.h>

enum {
	WIRE_NUMBER = 0,
	WIRE_BYTES = 2,
	FEWEST_BYTES = 256,
	NUMBER_BYTES = 10, /* of the largest one */
	PREFIX_BYTES = 2 * NUMBER_BYTES,
	GZIP_WINDOW = 15 + 16, /* the largest one, and gzip's header instead of zlib's */
	MEMORY = 8             /* zlib's default */
};

static void
need(struct message *message, size_t more)
{
	size_t old = message->room;

	if (more <= message->room - message->length)
		return;
	while (more > message->room - message->length)
		message->room = message->room == 0 ? FEWEST_BYTES : 2 * message->room;
	message->bytes = message->gx->host->grow(message->gx, message->bytes, old, message->room);
}

void
message_clear(struct message *message)
{
	message->length = 0;
}

/* Returns behind it. */
static char *
put_number(char *to, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		*to++ = (char)(0x80 | (value & 0x7f));
	*to++ = (char)value;
	return to;
}

/* What stands before a field. */
static uint64_t
key_of(uint32_t field, uint32_t wire)
{
	return (uint64_t)field << 3 | wire;
}

void
message_number(struct message *message, uint64_t value)
{
	need(message, NUMBER_BYTES);
	message->length = (size_t)(put_number(message->bytes + message->length, value) -
	                           message->bytes);
}

void
message_field(struct message *message, uint32_t field, uint64_t value)
{
	if (value == 0)
		return;
	message_number(message, key_of(field, WIRE_NUMBER));
	message_number(message, value);
}

void
message_bytes(struct message *message, uint32_t field, const char *bytes, size_t length)
{
	message_number(message, key_of(field, WIRE_BYTES));
	message_number(message, length);
	need(message, length);
	if (length > 0)
		memcpy(message->bytes + message->length, bytes, length);
	message->length += length;
}

static void *
allocate(void *opaque, uInt count, uInt bytes)
{
	return gprofx_alloc((struct gprofx *)opaque, (size_t)count * bytes);
}

static void
release(void *opaque, void *bytes)
{
	struct gprofx *gx = opaque;

	gx->host->release(gx, bytes);
}

enum gprofx_result
zip_begin(struct zip *zip)
{
	static const struct gprofx_diagnostic diagnostic = {
		.id = "pprof.cannot-compress",
		.hint = "use another version of zlib",
	};

	zip->stream = (z_stream){.zalloc = allocate, .zfree = release, .opaque = zip->gx};
	if (deflateInit2(&zip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY,
	                 Z_DEFAULT_STRATEGY) != Z_OK)
		return gprofx_fail(zip->gx, &diagnostic, "zlib cannot begin a file: %s",
		                   zip->stream.msg ? zip->stream.msg : "no reason given");
	zip->stream.next_out = zip->out;
	zip->stream.avail_out = ZIP_ROOM;
	return GPROFX_OK;
}

static void
flush(struct zip *zip)
{
	gprofx_put(zip->writer, (const char *)zip->out, ZIP_ROOM - zip->stream.avail_out);
	zip->stream.next_out = zip->out;
	zip->stream.avail_out = ZIP_ROOM;
}

static void
put(struct zip *zip, const char *bytes, size_t length)
{
	while (length > 0) {
		size_t piece = length < UINT_MAX ? length : UINT_MAX;

		zip->stream.next_in = (z_const Bytef *)bytes;
		zip->stream.avail_in = (uInt)piece;
		while (zip->stream.avail_in > 0) {
			(void)deflate(&zip->stream, Z_NO_FLUSH);
			if (zip->stream.avail_out == 0)
				flush(zip);
		}
		bytes += piece;
		length -= piece;
	}
}

void
zip_field(struct zip *zip, uint32_t field, uint64_t value)
{
	char bytes[PREFIX_BYTES], *end;

	if (value == 0)
		return;
	end = put_number(bytes, key_of(field, WIRE_NUMBER));
	end = put_number(end, value);
	put(zip, bytes, (size_t)(end - bytes));
}

void
zip_bytes(struct zip *zip, uint32_t field, const char *bytes, size_t length)
{
	char prefix[PREFIX_BYTES], *end;

	end = put_number(prefix, key_of(field, WIRE_BYTES));
	end = put_number(end, length);
	put(zip, prefix, (size_t)(end - prefix));
	put(zip, bytes, length);
}

void
zip_message(struct zip *zip, uint32_t field, const struct message *message)
{
	zip_bytes(zip, field, message->bytes, message->length);
}

void
zip_end(struct zip *zip)
{
	int result;

	do {
		result = deflate(&zip->stream, Z_FINISH);
		flush(zip);
	} while (result == Z_OK || result == Z_BUF_ERROR);
	(void)deflateEnd(&zip->stream);
}
